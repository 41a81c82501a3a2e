import numpy as np

from dplab.data import breast_cancer
from dplab.learning.risk import clip_rows


def test_tumours_are_the_published_ones_scaled_by_round_numbers():
    cells = breast_cancer()
    assert cells.shape == (569, 32)
    assert (cells[:, -1] == 1).sum() == 212  # malignant
    assert (cells[:, -2] == 0.3).all()
    assert cells[0, 0] * 30 + 10 == 17.99  # the first tumour's radius
    assert (cells[:, :30] >= -1 / 3).all()
    assert (cells[:, :30] <= 1.1).all()
    cells[:] = 0
    assert breast_cancer().any()  # a fresh table


def test_rows_of_tumours_are_as_long_as_stated():
    assert np.linalg.norm(breast_cancer()[:, :-1], axis=1).max().round(1) == 2.2


def test_clipped_rows_are_what_the_theorems_want():
    assert np.linalg.norm(clip_rows(breast_cancer()[:, :-1]), axis=1).max() <= 1 + 1e-12
