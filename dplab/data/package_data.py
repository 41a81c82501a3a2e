"""Real data sets, from files that ordinary packages contain (`dplab.data.shipped`).

Features of tables are scaled by public constants: each is divided by a round number that the
measurement hardly exceeds. Means and deviations of a table itself would reveal something about its
people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dplab import optional
from dplab.data.shipped import shipped

if TYPE_CHECKING:
    import pandas as pd

# radius, texture, perimeter, area, smoothness, compactness, concavity, concave points, symmetry and
# fractal dimension of cell nuclei: the mean, the standard error and the worst of an image
_CELLS = np.array(
    [
        [30, 40, 200, 2500, 0.2, 0.4, 0.5, 0.2, 0.4, 0.1],
        [3, 5, 25, 500, 0.04, 0.2, 0.4, 0.06, 0.1, 0.03],
        [40, 50, 250, 4000, 0.25, 1, 1.25, 0.3, 0.7, 0.2],
    ]
).ravel()
_DARKEST = 16  # the value of a black pixel in the file


def breast_cancer() -> np.ndarray:
    """Load 569 tumours: 30 features of their cells, a constant and a label; floats (569, 32).

    A feature x is x / top - 1/3 for a public constant `top`, the constant column is 0.3, and rows
    are not clipped: their length is up to 2.2 (see `learning.risk.clip_rows`). The label is 1 for a
    malignant tumour, -1 for a benign one.

    Source: Street, Wolberg and Mangasarian (1993), Wisconsin diagnostic breast cancer.

    >>> cells = breast_cancer()
    >>> cells.shape, int((cells[:, -1] == 1).sum())
    ((569, 32), 212)
    """
    table = np.loadtxt(shipped("breast_cancer.csv"), delimiter=",", skiprows=1)
    label = np.where(table[:, -1] == 0, 1.0, -1.0)  # in the file 0 is malignant
    constant = np.full(len(label), 0.3)
    return np.column_stack([table[:, :-1] / _CELLS - 1 / 3, constant, label])


def digits() -> np.ndarray:
    """Load 1,797 images of 8 x 8 pixels and the digit in each; floats (1797, 65).

    A pixel is from 0 (white) to 1 (black), row after row. The last column is the digit, 0 to 9.

    Source: Alpaydin and Kaynak (1998), optical recognition of handwritten digits, test set.

    >>> images = digits()
    >>> images.shape, images[:3, -1].tolist()
    ((1797, 65), [0.0, 1.0, 2.0])
    """
    table = np.loadtxt(shipped("digits.csv.gz"), delimiter=",")
    return np.column_stack([table[:, :-1] / _DARKEST, table[:, -1]])


def household_incomes() -> np.ndarray:
    """Return the incomes of 235 Belgian working-class households, francs a year, shape (235,).

    Floats from 377 to 4,958, nearly all different; the median is 884. In 1857 Ernst Engel
    found in such data that the poorer a family is, the larger the share it spends on food.

    Source: Koenker and Bassett (1982), Econometrica 50(1), after Engel (1857).

    >>> incomes = household_incomes()
    >>> len(incomes), float(np.median(incomes).round(2))
    (235, 883.98)
    """
    return np.loadtxt(shipped("engel.csv"), delimiter=",", skiprows=1, usecols=0)


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
