"""Data that are not allowed are an error without values; a conversation takes the nearest ones."""

import math
import threading
from fractions import Fraction

import numpy as np
import pytest

from dplab import (
    ClippedMean,
    DiscreteGaussianMechanism,
    ExponentialMechanism,
    GeometricMechanism,
    PrivateQuantile,
    RandomizedResponse,
    histogram,
    records,
)
from dplab.learning import LOGISTIC, RegularizedRisk, private_learner, thresholds
from dplab.synthesis import ExponentialOverDatasets
from tests.refusals import assert_refused

MIXED = [0.25, math.nan, math.inf, -math.inf, 7, "text", None, 10**400, [1]]


def first(data):
    return data[0]


def test_numbers_are_moved_into_their_range_each_by_itself():
    with records.conversation():
        moved = records.reals("data", MIXED, low=0, high=1)
        assert moved.tolist() == [0.25, 0, 1, 0, 1, 0, 0, 0, 0]
        assert records.reals("data", MIXED, low=2).tolist() == [2, 2, 2, 2, 7, 2, 2, 2, 2]
        assert records.reals("data", MIXED).tolist() == [0.25, 0, 0, 0, 7, 0, 0, 0, 0]
        assert records.categories("data", MIXED, 3).tolist() == [0, 0, 2, 0, 2, 0, 0, 0, 0]
        assert records.categories("data", [0.49, 0.5, 1.5, -0.5], 3).tolist() == [0, 1, 2, 0]
        assert records.reals("data", []).shape == (0,)
        assert [records.number("x", x) for x in (2, math.nan, "2", [3.0])] == [2, 0, 0, 3]
        assert list(records.hashables("data", [1, [2], "x"])) == [1, "x"]
        scores = records.scores("scores", [math.nan, -math.inf, math.inf, 2])
        assert scores.tolist() == [0, -math.inf, 0, 2]
        assert records.scores("scores", [-math.inf, -math.inf]).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("mechanism", "data", "moved"),
    [
        (ClippedMean(2, 5, 4, 1), [math.nan, 3, math.inf, "x"], [2, 3, 5, 2]),
        (PrivateQuantile(-1, 1, 1), [math.nan, -3, 0.5], [0, -1, 0.5]),
        (RandomizedResponse(1.0, k=3), [5, -1, 1.5], [2, 0, 2]),
        (histogram((0, 1), epsilon=1), [0, [1], 1], [0, 1]),
        (GeometricMechanism(first, 1, 1), [2.5], [3]),
        (GeometricMechanism(first, 1, 1), [-2.5], [-2]),
        (GeometricMechanism(first, 1, 1), [math.inf], [0]),
        (GeometricMechanism(first, 1, 1), [Fraction(5, 3)], [2]),
        (GeometricMechanism(first, 1, 1), [10**300 + 1], [10**300 + 1]),
        (DiscreteGaussianMechanism(first, 1, 1, (1, 4)), [[0.3, 0.375]], [[0.25, 0.5]]),
        (ExponentialMechanism("ab", list, 1, 1), [math.nan, 1], [0, 1]),
        (ExponentialOverDatasets((0, 1, 3), 3, 1, 1), [2, -9, math.inf], [3, 0, 0]),
        (private_learner(thresholds(2), 1), [[9, 0.4], [0, -1]], [[1, 0], [0, 0]]),
    ],
)
def test_the_law_in_a_conversation_is_that_of_the_moved_data(mechanism, data, moved):
    with records.conversation():
        law = mechanism.distribution(data)
    expected = mechanism.distribution(moved)
    assert str(law) == str(expected)


def test_rows_are_shortened_and_labels_become_the_nearest():
    risk = RegularizedRisk(LOGISTIC, 3, 0.5)
    with records.conversation():
        x, y = risk.split([[3.0, 4.0, 0.2], [math.nan, 0.5, -7], [0.6, 0.0, 1]])
    assert x == pytest.approx(np.array([[0.6, 0.8], [0, 0.5], [0.6, 0]]))
    assert y.tolist() == [1, -1, 1]


def test_rounding_moves_no_two_answers_apart():
    """So a whole number of steps of sensitivity stays enough."""
    mechanism = GeometricMechanism(first, 1, 1, grid=(1, 8))
    for answer in np.arange(-1024, 1024) / 1024:
        with records.conversation():
            low, high = (mechanism.distribution([x]).center for x in (answer, answer + 3 / 8))
        assert high - low == 3
        assert abs(low - 8 * answer) <= 1 / 2


def test_outside_of_a_conversation_errors_say_what_is_allowed_and_where():
    calls = [
        (
            lambda: records.reals("data", [0, math.nan]),
            "^data must hold finite numbers, but entry 1",
        ),
        (lambda: records.reals("data", [[0], [math.inf]]), r"but entry \(1, 0\) is another$"),
        (lambda: records.reals("data", math.nan), "^data must hold finite numbers$"),
        (lambda: records.reals("data", [0, 2], low=0, high=1), "from 0 to 1, but entry 1"),
        (lambda: records.reals("data", ["x"]), "^data must hold real numbers$"),
        (lambda: records.reals("data", []), "^data must not be empty$"),
        (lambda: records.floats("data", ["x"]), "^data must hold real numbers$"),
        (lambda: records.categories("data", [0, 3], 3), "from 0 to 2, but entry 1 is another$"),
        (lambda: records.categories("data", [[1], [1, 2]], 3), "^data must hold whole numbers"),
        (lambda: records.categories("data", [], 3), "^data must not be empty$"),
        (lambda: records.number("x", True), "^x must be a finite number$"),
        (lambda: records.scores("scores", [math.inf, 0]), "^scores must be finite numbers or -inf"),
    ]
    assert_refused(calls)
    assert list(records.hashables("data", [[2]])) == [[2]]


def test_a_conversation_ends_with_an_error_too_and_is_of_one_thread():
    modes = []

    def talk():
        with records.conversation():
            modes.append(records.are_moved())
            thread = threading.Thread(target=lambda: modes.append(records.are_moved()))
            thread.start()
            thread.join()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        talk()
    assert modes == [True, False]
    assert not records.are_moved()
