"""Wrong answers that drawn cases let through under one secret in some hundreds: planned ones don't.

The secrets are those of 0..999 under which they would pass without the case that is planned.
"""

from tests.assignments.under_secrets import said

LET_THROUGH = [
    ("ps04", "choose_bound", "those with an income", 527),
    ("ps08", "synthetic_slope", "the ends only", 141),
    ("ps08", "synthetic_slope", "the ends only", 225),
    ("capstone", "report", "attributes that don't depend", 373),
]


def test_a_wrong_answer_fails_where_chance_alone_let_it_through():
    passed = []
    for name, exercise, wrong_answer, secret in LET_THROUGH:
        _, message = next(said(name, exercise, wrong_answer, [secret]))
        if not message.startswith("AssertionError: "):
            passed.append((name, exercise, wrong_answer, secret, message))
    assert passed == []
