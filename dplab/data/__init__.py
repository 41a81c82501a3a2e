"""Real data that come inside ordinary dependencies: nothing is downloaded.

Each loader returns fresh arrays or a fresh table, so that no lesson can spoil another's data.
"""

from dplab.data.surveys import doctor_visits, fair_survey

__all__ = ["doctor_visits", "fair_survey"]
