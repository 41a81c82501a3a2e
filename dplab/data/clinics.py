"""A clinical table, from a file that scikit-learn contains.

It is scaled by public constants: each feature is divided by a round number that the measurement
hardly exceeds. Means and deviations of the table itself would reveal something about its patients.
"""

from __future__ import annotations

import numpy as np

from dplab.data.shipped import shipped

# radius, texture, perimeter, area, smoothness, compactness, concavity, concave points, symmetry and
# fractal dimension of cell nuclei: the mean, the standard error and the worst of an image
_CELLS = np.array(
    [
        [30, 40, 200, 2500, 0.2, 0.4, 0.5, 0.2, 0.4, 0.1],
        [3, 5, 25, 500, 0.04, 0.2, 0.4, 0.06, 0.1, 0.03],
        [40, 50, 250, 4000, 0.25, 1, 1.25, 0.3, 0.7, 0.2],
    ]
).ravel()


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
