import numpy as np
import pytest

from autograder import checks


def test_draws_come_in_order_and_are_scaled():
    rng = checks.Scripted([1.5, -1, 0.5, 2])
    assert rng.laplace(10, 2) == 13.0
    assert rng.laplace(0.0, [1, 10], size=(1, 2)).tolist() == [[-1.0, 5.0]]
    assert rng.laplace() == 2.0
    assert rng.used == 4
    assert rng.scales == [2.0, 1.0, 10.0, 1.0]


def test_location_and_scale_are_broadcast_as_numpy_does():
    loc, scale = np.zeros((2, 1)), np.array([1.0, 2.0, 3.0])
    ours = checks.Scripted(range(6)).laplace(loc, scale)
    assert ours.tolist() == [[0, 2, 6], [3, 8, 15]]
    assert ours.shape == np.random.default_rng().laplace(loc, scale).shape
    assert isinstance(checks.Scripted([1]).laplace(), type(np.random.default_rng().laplace()))


def test_is_a_generator_and_shown_as_one():
    rng = checks.Scripted([1.0])
    assert isinstance(rng, np.random.Generator)
    assert str(checks.call(lambda rng: rng.laplace(), rng)).endswith("(rng)")


def test_nothing_else_is_drawn_from_it():
    rng = checks.Scripted([1.0])
    with pytest.raises(AttributeError, match=r"rng\.laplace only, not of rng\.normal"):
        rng.normal()
    with pytest.raises(RuntimeError, match="needs 1 draws, here one more"):
        rng.laplace(size=2)
    with pytest.raises(ValueError, match="scale < 0"):
        rng.laplace(0, -1)
    assert rng.used == 0
