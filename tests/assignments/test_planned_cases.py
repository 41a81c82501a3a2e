"""Wrong answers that drawn cases let through under one secret in some hundreds: planned ones don't.

The secrets are those of 0..999 under which they would pass without the case that is planned.
"""

import pytest

from tests.assignments.under_secrets import said

LET_THROUGH = [
    ("ps04", "choose_bound", "those with an income", 527),
    ("ps08", "synthetic_slope", "the ends only", 141),
    ("ps08", "synthetic_slope", "the ends only", 225),
    ("capstone", "report", "attributes that don't depend", 373),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "exercise", "mutant", "secret"), LET_THROUGH)
def test_a_mutant_fails_where_chance_alone_let_it_through(name, exercise, mutant, secret):
    _, message = next(said(name, exercise, mutant, secret))
    assert message.startswith("AssertionError: ")
