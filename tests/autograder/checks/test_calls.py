"""Calls of students' functions: described in words, and results that can't lie."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from autograder import checks
from autograder.wire.errors import rebuild_error
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


UNENDING: list = []
UNENDING.append(UNENDING)


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
        (np.ma.masked_array([1.5, -0.5], [False, True]), "should be .*numbers.*[mM]ask"),
        ([np.ma.masked_array([1.5], [True]), -0.5], "should be .*numbers.*[mM]ask"),
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
        (CallableStandIn(None, "the function <lambda>"), "it is a function$"),
        (np.random.default_rng(), "it is a random generator$"),
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

    with says(r"respond\(\[1\]\) is not written yet: put your code into its cell$"):
        checks.call(respond, [1]).numbers()
    with says("is not written yet"):
        checks.call(respond, [1]).raises(ValueError)


def test_a_stub_that_is_called_is_told_from_the_one_that_calls_it():
    class Budget:
        def __init__(self):
            raise NotImplementedError()

        def pay(self, price):
            raise NotImplementedError()

    def ledger(prices):
        return Budget()

    with says(r"ledger\(\[1\]\) calls Budget, which is not written yet: put your code"):
        checks.call(ledger, [1]).numbers()
    with says(r"Budget\(\) is not written yet"):
        checks.call(Budget).result()
    with says(r"^pay\(1\) is not written yet"):
        checks.steps(object.__new__(Budget), [("pay", 1)])[0].result()
    elsewhere = rebuild_error("NotImplementedError", "", 1)
    with says("is not written yet, or calls a function that is not written yet: put your code"):
        checks.Call("ledger([1])", error=elsewhere).numbers()


def test_the_hint_waits_until_there_is_code_to_look_at():
    for error in (NotImplementedError(), NameError("name 'debias' is not defined"), ImportError()):
        with pytest.raises(AssertionError, match=r"^(?!.*Subtract)") as caught:
            checks.Call("slope(1)", error=error).gives(1, "Subtract the share.")
        assert vars(caught.value)["hint"] == "Subtract the share."  # of a hidden test it is all


def test_what_a_check_within_a_call_says_is_told_in_its_words():
    def interview(groups):
        return checks.call(count, groups).number("Count.")

    def count(groups):
        return {groups: 1}

    with says(r"^interview\(\[0\]\) failed: count\(\[0\]\) raised TypeError: unhashable .*Count"):
        checks.call(interview, [0]).number()


def test_arguments_are_shown_as_they_were_when_the_call_began():
    def forgets(values, law, table, array):
        values.append(5)
        law[0] = table[0][1] = 5
        array[0] = 5

    def arguments():
        return [1], {0: 1}, ([0, 1], [2]), np.ones(2)

    shown = "([1], {0: 1}, ([0, 1], [2]), [1, 1])"
    assert str(checks.call(forgets, *arguments())) == f"forgets{shown}"
    assert str(checks.call_each(forgets, [arguments()])[0]) == f"forgets{shown}"
    assert str(checks.repeat(forgets, *arguments(), count=2)) == f"forgets{shown}, called 2 times,"
    assert checks.call(forgets, values := [1], {}, ([0, 1],), np.ones(2)).result() is None
    assert values == [1, 5]


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
        (([np.zeros(3), np.zeros(2)],), "f([[0, 0, 0], [0, 0]])"),
        (([np.zeros(30), np.zeros(20)],), "f(a list of 2 arrays)"),
        (("yes", None, (0, 1)), "f('yes', None, (0, 1))"),
        ((0.49999999999999994, 1 - 1e-6, 1_000_001.0), "f(0.49999999999999994, 0.999999, 1000001)"),
        (([0.1 + 0.2] * 8,), "f([0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3])"),
        ((10**400, [0] * 10), "f(1.000e+400, a list of 10 numbers)"),
        (
            (lambda x: x, [lambda x: x], CallableStandIn(None, "of hers")),
            "f(a function, [a function], your function)",
        ),
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
        ({("0",): 0.25, ("1",): 0.75}, "one key is a tuple with '0' in it"),
        ({((0, 0), 0): 1}, "one key is a tuple with a tuple in it"),
        ({(0.5,): 0.25, (1,): 0.75}, "whole numbers"),
        ({(0,): 0.25, (1,): 0.65}, "sum to 0.9, not to 1"),
        ({(0,): 1.25, (1,): -0.25}, "probabilities from 0 to 1, one is 1.25"),
        ({(0,): 0.5, (1,): 0.75, (2,): -0.25}, "probabilities from 0 to 1, one is -0.25"),
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
        ([[1, 2], [3, 4]], "[[1, 2], [3, 4]]"),
        ([(1, 2), (3,)], "[(1, 2), (3,)]"),
        ([[(1,), (2, 3)], [(4,)], []], "[[(1,), (2, 3)], [(4,)], []]"),
        ([(np.eye(2), (1,)), ()], "[([[1, 0], [0, 1]], (1,)), ()]"),
        (["a", ("b", "c")], "['a', ('b', 'c')]"),
        ([[1]] * 40, "a list of 40 lists"),
        (([1] * 9, {}), "a tuple of 2 entries"),
        (["x" * 100], "a list of one text"),
        (
            [object(), iter([]), (n for n in ())],
            "[an object, a list_iterator, a generator]",
        ),
        (UNENDING, "a list of one list"),
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
    for value, came in ((None, "None: does"), ("True", "'True'"), ([True], "a list"), ({}, "an e")):
        with says(f"should be True or False, it is {came}"):
            giving(value).gives(True)


def test_one_number_is_asked_for_where_one_is_wanted():
    with says("should be a number, it is None: does every path"):
        giving(None).gives(1)
    with says("should be a real number, it is a complex number|it is the complex number"):
        giving(1j).gives(1)
    with says("the slope should be a number, it is 'steep'"):
        checks.expect_between("steep", 0, 1, "the slope", failure=1e-9)


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
