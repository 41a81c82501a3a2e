import numpy as np

from dplab.data import digits


def test_digits_are_the_published_ones_scaled():
    images = digits()
    assert images.shape == (1797, 65)
    assert np.bincount(images[:, -1].astype(int)).tolist() == [
        *(178, 182, 177, 183, 181),
        *(182, 181, 179, 174, 180),
    ]
    assert (images[0, :8] * 16).tolist() == [0, 0, 5, 13, 9, 1, 0, 0]
    assert images[:, :-1].min() == 0
    assert images[:, :-1].max() == 1
    images[:] = 0
    assert digits().any()  # a fresh table
