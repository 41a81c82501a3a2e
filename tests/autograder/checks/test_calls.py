"""Calls of students' functions: described in words, and results that can't lie."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from autograder import checks
from autograder.wire.standins import CallableStandIn
from dplab import Finite


class EqualToEverything:
    """An object that agrees with whatever it is compared with, and with any conversion."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __array__(self, *arguments, **keywords):
        return np.array([1.5, -0.5])

    def __float__(self):
        return 1.5


class EqualArray(np.ndarray):
    def __eq__(self, other):
        return np.True_

    def __array_function__(self, *arguments):
        return True

    def __array_ufunc__(self, *arguments, **keywords):
        return np.True_


def giving(value):
    """A student's function that returns this value."""

    def debias(answers, epsilon):
        return value

    return checks.call(debias, [1, 0], 0.5)


def says(words: str):
    return pytest.raises(AssertionError, match=f"(?s).*{words}")


@pytest.mark.parametrize(
    "value",
    [
        [1.5, -0.5],
        (1.5, -0.5),
        np.array([1.5, -0.5], dtype=np.float32),
        [Fraction(3, 2), np.float64(-0.5)],
        pd.Series([1.5, -0.5]),
        np.array([1.5, -0.5]).view(EqualArray),
        [np.array(1.5), -0.5],
    ],
)
def test_numbers_are_taken_in_any_honest_form(value):
    giving(value).gives([1.5, -0.5])
    numbers = giving(value).numbers()
    assert type(numbers) is np.ndarray
    assert numbers.dtype == float


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "is None: does every path through it end in a return"),
        ("1.5", "should be numbers, it is '1.5'"),
        (EqualToEverything(), "should be numbers, it is an EqualToEverything"),
        ([EqualToEverything()] * 2, "in its list is an EqualToEverything"),
        ({"a": 1}, "should be numbers, it is a dict"),
        ({1.5, -0.5}, "should be numbers, it is a set"),
        (iter([1.5, -0.5]), "should be numbers, it is a list_iterator"),
        (np.array([1.5, None]), "should be real numbers, in it is None"),
        (np.array([1.5 + 0j, -0.5]), "should be real numbers, in it is a complex number"),
        (1.5 - 0.5j, r"it is the complex number 1\.5-0\.5j"),
        (np.array(["1.5", "-0.5"]), "should be real numbers"),
        ([[1.5], [-0.5, 0]], "parts of different lengths"),
        ([1.5, None], "in its list is None"),
        ([1.5], r"an array of shape \(2,\), it is an array of shape \(1,\)"),
        (1.5, r"should be an array of shape \(2,\), it is one number"),
        ([1.5, math.nan], r"should be \[1.5, -0.5\], it is \[1.5, nan\]"),
        (
            [1.5, -0.5001],
            r"debias\(\[1, 0\], 0.5\) should be \[1.5, -0.5\], it is \[1.5, -0.5001\]",
        ),
        (np.zeros(2).view(EqualArray), r"it is \[0.0*, 0.0*\]|it is \[0, 0\]"),
        (CallableStandIn(None, "the function debias"), "it is the function debias"),
    ],
)
def test_anything_else_is_refused_in_words(value, words):
    with says(words):
        giving(value).gives([1.5, -0.5])


def test_the_hint_comes_with_a_wrong_shape_too():
    with says(r"it is an array of shape \(1,\)\. Add them up\."):
        giving([1.5]).gives([1.5, -0.5], "Add them up.")


def test_infinity_is_a_value_and_rounding_is_not_a_mistake():
    giving(math.inf).gives(math.inf)
    giving(0.1 + 0.2).gives(0.3)
    giving(1e12 + 1e-3).gives(1e12)
    for wrong in (-math.inf, 1e300, math.nan):
        with says("should be inf"):
            giving(wrong).gives(math.inf)


def test_the_hint_ends_the_message():
    with says("it is 2. Look at the sign.$"):
        giving(2.0).gives(-2.0, "Look at the sign.")


def test_entries_are_held_to_what_is_allowed():
    giving([0, 1, 1]).fits((3,), among=(0, 1))
    giving([True, False]).fits((2,), among=(0, 1))
    with says("should be 0 or 1 in every entry, one is 2"):
        giving([0, 2, 1]).fits((3,), among=(0, 1))
    with says("one is nan"):
        giving([0, math.nan]).fits((2,), among=(0, 1))


def test_errors_are_kept_until_something_is_expected():
    def respond(truths):
        raise KeyError("truth")

    called = checks.call(respond, [1])
    with says(r"respond\(\[1\]\) raised KeyError: 'truth'") as caught:
        called.numbers()
    assert isinstance(caught.value.__cause__, KeyError)
    called.raises(KeyError)
    called.raises(LookupError)
    with says("should raise ValueError, it raised KeyError"):
        called.raises(ValueError)
    for returned in (ValueError, ValueError("no truth")):
        with says("should raise ValueError, it is a .*: write raise, not return"):
            checks.call(lambda given=returned: given).raises(ValueError)
    with says("should raise ValueError, it is None"):
        checks.call(lambda: None).raises(ValueError)
    with says("should raise ValueError, it is an array"):
        checks.call(np.zeros, 3).raises(ValueError)


def test_a_stub_is_recognised():
    def respond(truths):
        raise NotImplementedError()

    with says("is not written yet"):
        checks.call(respond, [1]).numbers()
    with says("is not written yet"):
        checks.call(respond, [1]).raises(ValueError)


def test_what_ends_a_cell_is_not_kept():
    def respond():
        raise SystemExit

    with pytest.raises(SystemExit):
        checks.call(respond)


def test_warnings_of_the_students_code_are_not_shown():
    def slope(n):
        warnings.warn("careful", stacklevel=1)
        return np.float64(1) / np.float64(n)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checks.call(slope, 0).gives(math.inf)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([0, 1], np.log(3), np.random.default_rng(0)), "f([0, 1], 1.099, rng)"),
        ((np.zeros((20, 3)), 1), "f(an array of shape (20, 3), 1)"),
        (([np.zeros(3), np.zeros(2)],), "f(2 arrays)"),
        (("yes", None, (0, 1)), "f('yes', None, [0, 1])"),
        ((np.array([[0.5, 1]]),), "f([[0.5, 1]])"),
        ((giving, 2), "f(giving, 2)"),
    ],
)
def test_calls_are_described_as_a_student_would_write_them(arguments, text):
    def f(*arguments):
        return 0

    assert str(checks.call(f, *arguments)) == text


def test_a_name_that_is_none_is_left_out():
    class Odd:
        __name__ = "respond() is right; ignore"

        def __call__(self):
            return 1

    assert str(checks.call(Odd())) == "your function()"
    assert str(checks.call(7)) == "your function()"


def test_calls_with_each_of_many_arguments_keep_their_own_results_and_errors():
    def inverse(x):
        return 1 / x

    half, error, quarter = checks.call_each(inverse, ((x,) for x in (2, 0, 4)))
    half.gives(0.5)
    quarter.gives(0.25)
    error.raises(ZeroDivisionError)
    assert [str(found) for found in (half, error)] == ["inverse(2)", "inverse(0)"]
    assert checks.call_each(inverse, []) == []


def test_steps_with_an_object_keep_their_own_results_and_errors():
    class Account:
        left = 2.0

        def pay(self, price):
            if price > self.left:
                raise ValueError("too much")
            self.left -= price

    first, refused, left = checks.steps(Account(), [("pay", 1.5), ("pay", 1.5), "left"])
    assert first.result() is None
    refused.raises(ValueError)
    left.gives(0.5)
    assert [str(found) for found in (first, left)] == ["pay(1.5)", "left"]
    assert checks.steps(Account(), []) == []


LAW = Finite.of({(0,): 0.25, (1,): 0.75})


def test_a_law_may_have_numpy_keys_and_fractions():
    giving({(np.int64(1),): Fraction(3, 4), (0,): np.float32(0.25)}).gives_law(LAW)
    assert giving({(True,): 1, (0.0,): 0}).law() == {(1,): 1.0, (0,): 0.0}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([((0,), 0.25)], "should be a dict, it is a list"),
        ({"0": 0.25, "1": 0.75}, "one key is '0'"),
        ({0: 0.25, 1: 0.75}, "one key is 0"),
        ({("0",): 0.25, ("1",): 0.75}, "one key is a tuple"),
        ({(0.5,): 0.25, (1,): 0.75}, "whole numbers"),
        ({(0,): 0.25, (1,): 0.65}, "sum to 0.9, not to 1"),
        ({(0,): 1.25, (1,): -0.25}, "probabilities from 0 to 1"),
        ({(0,): math.nan, (1,): 1}, "probabilities from 0 to 1"),
        ({(0,): "a quarter", (1,): 1}, "should have numbers as probabilities, one is 'a quarter'"),
        ({(0,): 0.75, (1,): 0.25}, r"the probability 0.25 for \(0,\), it has 0.75"),
        ({(1,): 1.0}, r"no probability for the answers \(0,\)"),
        ({(0,): 0.25, (1,): 0.75, (2,): 0.0}, r"\(2,\), which can't happen"),
        ({}, "sum to 0"),
    ],
)
def test_what_is_no_law_or_another_one_is_refused(value, words):
    with says(words):
        giving(value).gives_law(LAW)


def test_a_short_dict_is_shown_and_a_long_one_counted():
    def likelier(law):
        return None

    short = checks.call(likelier, {"yes": 0.75, (0, 1): 1 / 3})
    assert str(short) == "likelier({'yes': 0.75, (0, 1): 0.3333})"
    assert str(checks.call(likelier, dict.fromkeys(range(20), 0.05))) == (
        "likelier(a dict of 20 entries)"
    )
    assert str(checks.call(likelier, [{0: 1 / 3}, {1: 1}])) == "likelier([{0: 0.3333}, {1: 1}])"
    assert str(checks.call(likelier, [{0: 1 / 3}] * 40)) == "likelier(a list of 40 dicts)"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, 2.5], "[1, 2.5]"),
        ([], "[]"),
        ([[1, 2], [3, 4]], "2 arrays"),
        ([(1, 2), (3,)], "2 arrays"),
        ([[(1,), (2, 3)], [(4,)], []], "3 arrays"),  # without one shape, at any depth
        ([(np.eye(2), (1,)), ()], "2 arrays"),
        (["a", ("b", "c")], "2 arrays"),
        (np.eye(2), "[[1, 0], [0, 1]]"),
        (["no", "none"], "['no', 'none']"),
    ],
)
def test_an_argument_of_any_form_can_be_put_into_words(value, words):
    assert str(checks.call(len, value)) == f"len({words})"


def test_a_verdict_is_called_true_or_false():
    giving(True).gives(True)
    giving(np.True_).gives(True)
    giving(1).gives(True)
    with says("should be True, it is False"):
        giving(False).gives(True)
    with says("should be False, it is 1"):
        giving(1.0).gives(False)


def test_a_call_is_put_into_words_only_for_a_message():
    class Counted(list):
        shown = 0

        def __iter__(self):
            Counted.shown += 1
            return super().__iter__()

    checks.call(len, Counted([1, 2])).gives(2)
    assert Counted.shown == 0
    with says("len"):
        checks.call(len, Counted([1, 2])).gives(3)
    assert Counted.shown > 0
