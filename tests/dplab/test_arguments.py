import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from dplab import ZCDP, ApproxDP, PureDP, arguments
from dplab.sampling import OPERATING_SYSTEM
from tests.dplab.draws import Always


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


NO_NUMBERS = [
    *("1", b"1", 1 + 0j, {}, {1.0}),
    *(["1"], [b"1"], [True, "1"], [1j], [None], [True], [[1], [1, 2]]),
    np.array(["2020-02-20"], "M8[D]"),
    np.ma.masked_array([1.0, 50.0], [False, True]),
]


@pytest.mark.parametrize("values", NO_NUMBERS)
def test_texts_dates_bools_and_masked_arrays_are_no_numbers(values):
    with pytest.raises(ValueError, match=r"^x must"):
        arguments.reals("x", values)


def test_bools_are_numbers_where_they_may_be():
    assert arguments.reals("x", [True, False], may_be_bool=True).tolist() == [1.0, 0.0]
    assert arguments.reals("x", [Fraction(1, 2), 1]).tolist() == [0.5, 1.0]


def test_whole_numbers_have_a_limit_where_memory_follows():
    assert arguments.size("n", 10**8) == 10**8
    with pytest.raises(ValueError, match="n must be a whole number of at most 100,000,000, not"):
        arguments.size("n", 2**62)
    with pytest.raises(ValueError, match="m and n must make at most 100,000,000 entries"):
        arguments.shape(("m", 10**5), ("n", 10**4))
    with pytest.raises(ValueError, match="k must be a finite number"):
        arguments.whole("k", 10**400, least=1)
    assert arguments.whole("k", 10**400, least=1, most=math.inf) == 10**400


def test_a_guarantee_is_converted_where_that_leaves_no_choice():
    assert arguments.guarantee("promise", PureDP(0.5), ApproxDP) == ApproxDP(0.5, 0.0)
    with pytest.raises(ValueError, match=r"promise must be ApproxDP; ZCDP\(rho=0.5\) implies none"):
        arguments.guarantee("promise", ZCDP(0.5), ApproxDP)
    for value in (7, PureDP):
        with pytest.raises(ValueError, match="promise must be ApproxDP, not"):
            arguments.guarantee("promise", value, ApproxDP)


def test_a_generator_draws():
    for value in (7, None, np.random, np.random.Generator, np.random.default_rng):
        with pytest.raises(ValueError, match="rng must be a numpy Generator"):
            arguments.generator("rng", value)
    for value in (np.random.default_rng(), Always(0.5)):
        assert arguments.generator("rng", value) is value
    assert arguments.generator("rng", OPERATING_SYSTEM, may_be_bits=True) is OPERATING_SYSTEM


def test_a_message_quotes_a_value_in_short():
    with pytest.raises(ValueError, match="n must be") as error:
        arguments.whole("n", list(range(10**5)), least=1)
    assert len(str(error.value)) < 600
    with pytest.raises(ValueError, match="n must be a finite number, not a value of type int"):
        arguments.number("n", 10**5000)
