"""Data: real data sets that ordinary dependencies contain, and an invented town.

Each loader returns fresh arrays or a fresh table, so that no lesson can change another's data.
"""

from dplab.data.package_data import (
    breast_cancer,
    digits,
    doctor_visits,
    fair_survey,
    household_incomes,
)
from dplab.data.town import make_town

__all__ = [
    "breast_cancer",
    "digits",
    "doctor_visits",
    "fair_survey",
    "household_incomes",
    "make_town",
]
