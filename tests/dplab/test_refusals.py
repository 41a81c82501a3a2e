"""A call that is not refused, or in other words than expected, is named."""

from functools import partial

import pytest

from tests.refusals import assert_refused


def refuse(error):
    raise error


def test_each_call_that_is_not_refused_is_named():
    calls = [
        (lambda: refuse(ValueError("n must be above 0")), "n must be"),
        (lambda: refuse(ValueError("n must be above 0")), "k must be"),
        (lambda: refuse(TypeError("n is a text")), "n is"),
        (lambda: 7, "n must be"),
        (partial(round, 1.5, ndigits=None), "n must be"),
    ]
    with pytest.raises(AssertionError) as failure:
        assert_refused(calls)
    line = refuse.__code__.co_firstlineno + 7
    assert str(failure.value).splitlines() == [
        f"test_refusals.py:{line}: expected 'k must be', but it says 'n must be above 0'",
        f"test_refusals.py:{line + 1}: expected 'n is', but it raised TypeError('n is a text')",
        f"test_refusals.py:{line + 2}: expected 'n must be', but it returned 7",
        "round(1.5, ndigits=None): expected 'n must be', but it returned 2",
    ]
    assert_refused(calls[:1])
