import math
from dataclasses import dataclass

import numpy as np
import pytest

from dplab import arguments


@pytest.mark.parametrize(
    "value",
    [0, -1.0, 10**400, math.nan, math.inf, "three", "1", b"1", True, np.True_, None, [1, 2]],
)
def test_a_number_outside_its_range_is_named(value):
    with pytest.raises(
        ValueError, match=r"^epsilon must be a finite number above 0, not "
    ) as error:
        arguments.number("epsilon", value, above=0)
    assert repr(value) in str(error.value)


def test_bounds_include_or_exclude_their_end():
    assert arguments.number("share", 1, least=0, most=1) == 1.0
    with pytest.raises(ValueError, match="below 1"):
        arguments.number("delta", 1, least=0, below=1)


@pytest.mark.parametrize("value", [2.0, True, 1, "2", None])
def test_a_count_is_a_whole_number_of_a_least_size(value):
    with pytest.raises(ValueError, match="k must be a whole number of at least 2"):
        arguments.whole("k", value, least=2)


def test_numpy_integers_are_whole_numbers():
    assert arguments.whole("k", np.int32(3), least=2, most=3) == 3


@pytest.mark.parametrize("values", [[0, 2], [0.5], [-1], ["yes"], [], [math.nan]])
def test_categories_outside_the_range_are_refused(values):
    with pytest.raises(ValueError, match="answers must"):
        arguments.categories("answers", values, 2)


def test_reals_are_finite_and_there():
    for values, problem in (
        ([], "empty"),
        ([1, math.inf], "finite"),
        (["a"], "real numbers"),
        ([10**400], "real numbers"),
    ):
        with pytest.raises(ValueError, match=f"data must .*{problem}"):
            arguments.reals("data", values)


def test_fields_are_set_to_what_was_checked_in_turn():
    @dataclass(frozen=True)
    class Noise:
        epsilon: float
        sigma: float
        n: int

        def __post_init__(self):
            arguments.settle(self, arguments.number, "epsilon", "sigma", above=0)
            arguments.settle(self, arguments.whole, "n", least=1)

    noise = Noise(1, np.float32(2), np.int8(3))
    assert [type(value) for value in vars(noise).values()] == [float, float, int]
    with pytest.raises(ValueError, match="sigma must be a finite number above 0, not 0"):
        Noise(1, 0, 0)
