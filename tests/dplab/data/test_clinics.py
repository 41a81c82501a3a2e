import numpy as np

from dplab.data.clinics import breast_cancer, diabetes
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


def test_patients_are_the_published_ones_scaled_by_round_numbers():
    patients = diabetes()
    assert patients.shape == (442, 12)
    assert np.allclose(patients[0, :4] + 0.5, [59 / 80, 2 / 2, 32.1 / 40, 101 / 130])
    assert np.allclose(patients[0, -1], 151 / 350)
    assert ((patients[:, -1] >= 0) & (patients[:, -1] <= 1)).all()
    assert (np.abs(patients[:, :-1]) <= 0.6).all()


def test_rows_of_tumours_are_as_long_as_stated():
    assert np.linalg.norm(breast_cancer()[:, :-1], axis=1).max().round(1) == 2.2


def test_clipped_rows_are_what_the_theorems_want():
    assert np.linalg.norm(clip_rows(breast_cancer()[:, :-1]), axis=1).max() <= 1 + 1e-12
