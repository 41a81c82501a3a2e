"""What a check says of a wrong answer doesn't contradict itself, and is said in plain words."""

import datetime
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder import checks
from autograder.checks import value_texts
from autograder.wire.standins import CallableStandIn, StandIn
from dplab.distributions import Finite

JARGON = re.compile(
    r"room|ndarray|dtype|object values|int64|float64|complex128|NoneType|0x[0-9a-f]{4}|<|>|\bnp\.|"
    r"<U\d|StandIn|array\(|nothing values"
)
PLURAL = re.compile(r"\b1 (?:\w+s|people|entries)\b|\bone (?:arrays|dicts|entries|lines|draws)\b")
OPPOSED = (
    re.compile(r"should be (.+?)(?: in (?:entry [\d(), ]+|every entry))?, (?:it|one) is ([^;]+)"),
    re.compile(r"should have (?:the probability )?(.+?) (?:for .+)?, it has (.+)$"),
    re.compile(r"probabilities that sum to (.+), not to (.+)$"),
    re.compile(r"is (.+) \(.*\), it should be epsilon = (.+)$"),
    re.compile(r"at least (.+), the promise is (.+)$"),
)
HINT = "Look at the sign."


def said_of(check, *arguments, **keywords):
    """What a check says, with a hint and without; "" where it passes."""
    try:
        check(*arguments, **keywords)
    except AssertionError as error:
        return str(error)
    return ""


def assert_plain(said, hint=""):
    body = said.removesuffix(f" {hint}") if hint else said
    if hint:
        assert said.endswith(f" {hint}")
        assert said.count(hint) == 1
        assert body[-1] in ".?!…", said
        body = body.rstrip(".")
    assert not re.search(r"\.\.|[?!]\.|\. ?\.", said), said
    assert not JARGON.search(body), said
    assert not PLURAL.search(body), said
    assert not re.search(r"  | [,.;?]", body), said
    assert len(body) < 500, said
    for pattern in OPPOSED:
        if found := pattern.search(body):
            assert found[1] != found[2], said


NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1 + 1e-7, 1 - 1e-7, 0.25, 1e300, np.inf, -np.inf, np.nan]),
    st.floats(width=32),
    st.integers(-5, 5),
    st.sampled_from([10**30, 10**400, True, False, Fraction(1, 3)]),
)
SHAPES = st.sampled_from([(), (0,), (1,), (2,), (3,), (9,), (20,), (1, 1), (2, 3), (4, 5), (0, 3)])
DTYPES = st.sampled_from([float, int, bool, complex, object, "U3", "S2", "M8[s]", "m8[s]", "f4"])


@st.composite
def arrays(draw):
    array = np.zeros(draw(SHAPES), dtype=draw(DTYPES))
    if array.size and array.dtype.kind in "fiub" and draw(st.booleans()):
        array.flat[draw(st.integers(0, array.size - 1))] = draw(st.sampled_from([1, 0.5, 1e-7]))
    return array


class Odd:
    """An object of a class that nobody knows."""


STRANGE = st.sampled_from(
    [
        None, "", "text", "x" * 500, b"bytes", 1j, object, Odd(), Odd, len, range(3),
        Decimal("1.5"), datetime.date(2026, 1, 1), {}, {1: 2}, {3}, set(), (), [], [None], ["a"],
        [[1], [1, 2]], [{}] * 30, [1, [2, 3]], [[1, None]], [Odd()], (1, "a"), [1j],
        [np.array([1]), np.array([])], np.float64(2.5), np.int64(3), np.bool_(True),
        np.str_("text"), np.complex128(1j),
        np.datetime64("2026-01-01"), np.array([1.5, None]), np.array([{}, 1]),
        pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1, 2]}), StandIn(None, "an Odd object"),
        CallableStandIn(None, "the function <lambda>"), [StandIn(None, "an Odd object")],
        NotImplemented, (n for n in ()), iter([]), type("Ünlü", (), {})(), Exception("no"),
    ]
)  # fmt: skip
ANSWERS = st.one_of(NUMBERS, arrays(), STRANGE, st.lists(NUMBERS | STRANGE, max_size=10))
EXPECTED = st.one_of(
    st.sampled_from([1, 0.25, True, False, np.nan, np.inf, None, "text", "", "x" * 499 + "y"]),
    st.sampled_from([[1], [0.5, 1], [[1, 2, 3], [4, 5, 6]], np.zeros(20), np.zeros((4, 5)), []]),
)
HINTS = st.sampled_from(["", HINT])
quickly = settings(
    max_examples=400, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


def call_of(value):
    return checks.call(lambda *arguments: value, [1, 0], np.zeros((20, 3)), {"a": 1})


def as_numbers(value):
    """What passes without a word, by numpy alone; an error where it is no numbers."""
    return np.asarray(value, dtype=float)


@quickly
@given(ANSWERS, EXPECTED, HINTS)
def test_an_answer_that_is_not_what_was_expected(value, expected, hint):
    if said := said_of(call_of(value).gives, expected, hint):
        assert_plain(said, hint)
    elif expected is None or isinstance(expected, str):
        assert value == expected
    else:
        came, wanted = as_numbers(value), as_numbers(expected)
        assert came.shape == wanted.shape
        assert np.allclose(came, wanted, rtol=1e-8, atol=1e-8, equal_nan=True)


@quickly
@given(ANSWERS, SHAPES, st.sampled_from([(), (0, 1), (-1, 1), (1,)]), HINTS)
def test_an_answer_of_another_shape_or_with_other_entries(value, shape, among, hint):
    if said := said_of(call_of(value).fits, shape, among, hint):
        assert_plain(said, hint)
    else:
        assert as_numbers(value).shape == shape
        assert not among or np.isin(as_numbers(value), among).all()


LAW = Finite.of({(0,): 0.25, (1,): 0.75})
KEYS = st.sampled_from([(0,), (1,), (2,), (0.0,), (0.5,), 0, "0", (), (None,), ("a",)])


@quickly
@given(st.one_of(STRANGE, st.dictionaries(KEYS, NUMBERS | STRANGE, max_size=3)), HINTS)
def test_an_answer_that_is_another_law_or_none(value, hint):
    if said := said_of(call_of(value).gives_law, LAW, hint):
        assert_plain(said, hint)
    else:
        assert value == {(0,): 0.25, (1,): 0.75}


@pytest.mark.parametrize("shift", [0.1, 1e-5, 1e-7])
def test_laws_that_are_nearly_right_are_told_with_the_digits_that_are_wrong(shift):
    for law in ({(0,): 0.25 + shift, (1,): 0.75}, {(0,): 0.25 + shift, (1,): 0.75 - shift}):
        said = said_of(call_of(law).gives_law, LAW)
        assert said
        assert_plain(said)
    said = said_of(checks.expect_exact_epsilon, lambda x, e: _randomized(x, e + shift), 1.0, n=1)
    assert said
    assert_plain(said)
    said = said_of(checks.expect_between, 2 + shift, 1, 2, "the mean", failure=1e-9)
    assert said
    assert f"is {2 + shift:g}"[:6] in said
    assert "is 2," not in said


def _randomized(truths, epsilon):
    right = 1 / (1 + np.exp(-epsilon))
    return {(bit,): right if (bit,) == tuple(truths) else 1 - right for bit in (0, 1)}


ERRORS = [
    ValueError(), ValueError("Is it?"), ValueError("It is."), NotImplementedError(), KeyError("k"),
    SystemExit(), BlockingIOError(), type("ValueError", (Exception,), {})("x" * 9_000),
    LookupError(),
]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("hint", ["", HINT])
def test_an_error_in_the_place_of_an_answer(error, hint):
    found = checks.Call("f(1)", error=error)
    for check, expected in ((found.gives, 1), (found.raises, ArithmeticError)):
        said = said_of(check, expected, hint)
        assert said
        unwritten = check == found.gives and isinstance(error, NotImplementedError)
        assert_plain(said, "" if unwritten else hint)
    if not isinstance(error, ValueError):
        assert_plain(said_of(found.raises, ValueError, hint), hint)


@quickly
@given(ANSWERS, HINTS)
def test_an_answer_in_the_place_of_an_error(value, hint):
    said = said_of(call_of(value).raises, ValueError, hint)
    assert said
    assert_plain(said, hint)


def test_what_is_wrong_in_many_numbers_is_named():
    wrong = np.zeros(20)
    wrong[3] = 1e-6
    assert said_of(call_of(wrong).gives, np.zeros(20)).endswith(
        " should be 0 in entry 3, it is 1e-06"
    )
    wrong = wrong.reshape(4, 5)
    wrong[3, 1] = 2
    assert said_of(call_of(wrong).gives, np.zeros((4, 5))).endswith(
        " should be 0 in entry (0, 3), it is 1e-06; 2 of 20 are wrong"
    )
    assert said_of(call_of(np.ones(20)).gives, np.zeros(20)).endswith("it is 1; all 20 are wrong")
    assert said_of(call_of(1 + 1e-7).gives, 1).endswith(" should be 1, it is 1.0000001")


def test_texts_and_none_are_compared_as_they_are():
    for value in ("Ada", None):
        assert said_of(call_of(value).gives, value) == ""
    assert said_of(call_of("Bob").gives, "Ada").endswith(" should be 'Ada', it is 'Bob'")
    assert said_of(call_of(3).gives, "Ada").endswith(" should be 'Ada', it is 3")
    assert said_of(call_of(0).gives, None).endswith(" should be None, it is 0")
    assert "does every path" in said_of(call_of(None).gives, "Ada")
    text = "word " * 100
    said = said_of(call_of(text + "end").gives, text + "END")
    assert "END'" in said
    assert "end'" in said


def test_what_is_no_number_is_equal_to_what_is_none_where_that_is_wanted():
    assert said_of(call_of([1, np.nan]).gives, [1, np.nan]) == ""
    assert "should be [1, nan], it is [1, 2]" in said_of(call_of([1, 2]).gives, [1, np.nan])
    assert "it is [1, nan]" in said_of(call_of([1, np.nan]).gives, [1, 2])


@pytest.mark.parametrize("said", ["It is.", "Is it?", "It is!", "cut…"])
def test_a_hint_stands_behind_a_whole_sentence(said):
    assert value_texts.join_sentences(said, HINT) == f"{said} {HINT}"
    assert value_texts.join_sentences("it is", HINT) == f"it is. {HINT}"


def test_one_of_a_kind_is_one():
    assert str(checks.repeat(abs, 1, count=1)) == "abs(1), called once,"
    assert value_texts.show([np.zeros(30)]) == "a list of one array"
    assert value_texts.show([{"a": "x" * 100}] * 7) == "a list of 7 dicts"
    assert value_texts.show({"a": "x" * 100}) == "a dict of one entry"
    assert value_texts.show([np.zeros(30)] * 2) == "a list of 2 arrays"
