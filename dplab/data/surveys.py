"""Two surveys, from files that statsmodels contains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dplab import optional
from dplab.data.shipped import shipped

if TYPE_CHECKING:
    import pandas as pd


def fair_survey() -> pd.DataFrame:
    """Return answers of 6,366 married women to a magazine in 1974, about their marriages.

    One row a woman. Columns, all floats except the last:

    - `rate_marriage`: 1 very poor, 2 poor, 3 fair, 4 good, 5 very good
    - `age`, `yrs_married`, `children`: interval midpoints, in years, years and persons
    - `religious`: 1 not, 2 mildly, 3 fairly, 4 strongly
    - `educ`: years of schooling, 9 (grade school) to 20 (advanced degree)
    - `occupation`, `occupation_husb`: 1 student to 6 professional with an advanced degree
    - `affairs`: a measure of time spent in extramarital affairs, 0 for none
    - `any_affair`: int, 1 where `affairs` > 0, otherwise 0

    Source: Fair (1978), A Theory of Extramarital Affairs, Journal of Political Economy 86(1).

    >>> survey = fair_survey()
    >>> len(survey), int(survey.any_affair.sum())
    (6366, 2053)
    """
    with optional.packages_for("This survey"):
        import pandas as pd

    survey = pd.read_csv(shipped("fair.csv"), dtype=float)
    survey["any_affair"] = (survey["affairs"] > 0).astype(int)
    return survey


def doctor_visits() -> np.ndarray:
    """Return outpatient visits to a doctor in a year, ints of shape (20190,).

    One entry a person and year of the RAND health insurance experiment (United States, 1974 to
    1982); the file does not say which entries belong to one person. The tail is long: the mean is
    2.86, the largest value 77.

    Source: Cameron and Trivedi (2005), Microeconometrics, chapter 20; RAND corporation.

    >>> visits = doctor_visits()
    >>> int(visits.sum()), int(visits.max())
    (57752, 77)
    """
    return np.loadtxt(shipped("randhie.csv"), int, delimiter=",", skiprows=1, usecols=0)
