"""Handwritten digits, from a file that scikit-learn contains."""

from __future__ import annotations

import numpy as np

from dplab.data.shipped import shipped

_DARKEST = 16  # the value of a black pixel in the file


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
