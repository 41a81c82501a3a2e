"""The census of 2000 in Fulton County, Georgia: a published sample, with one row for each person.

The sample is not part of the project: `fulton_census` reads a local copy, or downloads one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dplab import optional
from dplab.data.published import PublishedFile

if TYPE_CHECKING:
    import pandas as pd

FULTON = PublishedFile(
    folder="fulton",
    name="FultonPUMS5full.csv",
    url="https://raw.githubusercontent.com/privacytoolsproject/cs208/master/data/FultonPUMS5full.csv",
    sha256="0fe7af5cb71ff1713b0960c81e87fa1684a6234560353e4d82be8cf854dbce31",
)


def fulton_at_hand() -> bool:
    """Return whether `fulton_census` needs no download."""
    return FULTON.at_hand() is not None


def fulton_census() -> pd.DataFrame:
    """Return 25,766 adults of Fulton County, a 5% sample of the census of 2000, one a row.

    Columns, all ints:

    - `state` 13 and `fips` 13121: Georgia, Fulton County; `puma`: one of seven areas, 1101 to 1107
    - `sex`: 0 male, 1 female; `age`: 18 to 93 years
    - `educ`: the census's code, from 1 (no schooling) by 9 (high school) and 13 (bachelor) to 16
    - `income`: dollars in 1999, from a loss of 10,000 to 717,000
    - 0 or 1: `latino`, `black`, `asian`, `married`, `divorced`, `uscitizen`, `children`,
      `disability`, `militaryservice`, `employed`, `englishability`

    Raises DataMissing if there is no local copy and the download fails.
    Source: U.S. Census Bureau, Census 2000, 5-percent Public Use Microdata Sample, as prepared for
    Harvard's course CS208, github.com/privacytoolsproject/cs208.
    """
    with optional.packages_for("This census"):
        import pandas as pd

    return pd.read_csv(FULTON.path()).astype(int)
