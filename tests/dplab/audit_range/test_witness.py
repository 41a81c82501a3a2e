"""`verify` accepts what is proved, and says in a sentence why it refuses anything else."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest

from dplab.audit_range import Witness, verify
from dplab.audit_range.events import BadEvent, holds, read_event
from dplab.audit_range.releases import law_of
from dplab.audit_range.scenarios import SCENARIOS

RNG = np.random.default_rng(50)
COUNT = SCENARIOS["variance_for_scale"].build(True, epsilon=0.5)  # really epsilon = 1
SOUND = SCENARIOS["variance_for_scale"].build(False, epsilon=0.5)
VISITS = SCENARIOS["unbounded_contributions"].build(True, epsilon=0.6, cap=1)
FLOATS = SCENARIOS["laplace_in_floats"].build(True, epsilon=1.0)
CUT_OFF = SCENARIOS["noise_cut_off"].build(True, epsilon=0.6)
X, Y, HIGH = (1, 1, 1, 1), (1, 1, 1, 0), ("between", 4, 10)
NESTED: list = []
NESTED.append(NESTED)
FINE = ("not", ("multiple", 2.0**-53))


def test_a_witness_holds_up_to_what_is_so_and_no_further():
    assert verify(COUNT, Witness(X, Y, HIGH, 0.9999), RNG)
    assert verify(COUNT, ([1, 1, 1, 1], np.array(Y), list(HIGH), np.float64(0.9)), RNG)
    refusal = verify(COUNT, Witness(X, Y, HIGH, 1.0001), RNG)
    assert not refusal
    assert "proves an epsilon of 1.000, and the witness says 1.0001" in refusal.reason


def test_a_sound_release_refuses_each_event_of_one_output():
    for output in law_of(SOUND, X):
        for x, y in ((X, Y), (Y, X)):
            verdict = verify(SOUND, Witness(x, y, ("among", [output]), 0.500001), RNG)
            assert not verdict
    assert "does not contradict the claim PureDP(epsilon=0.5)" in verdict.reason


def test_delta_counts():
    """P[2] under x is 0.11, and 0 under y; a delta of 0.11 would excuse it."""
    likely = law_of(CUT_OFF, (1, 1, 1))[5]
    witness = Witness((1, 1, 1), (1, 1, 0), ("among", [5]), 40)
    assert verify(CUT_OFF, witness, RNG)
    excused = type(CUT_OFF)(type(CUT_OFF.claim)(0.6, likely), "", "", CUT_OFF.domain, CUT_OFF.run)
    assert not verify(excused, witness, RNG)


@pytest.mark.parametrize(
    ("witness", "reason"),
    [
        (None, "must have four parts"),
        ((X, Y, HIGH), "must have four parts"),
        (("1111", Y, HIGH, 0.9), "In x: A dataset must be a list or a tuple"),
        ((X, (1, 1, 1), HIGH, 0.9), "In y: A dataset must have 4 records, not 3."),
        ((X, (1, 1, 1, 2), HIGH, 0.9), "In y: 2 is no record"),
        ((X, (1, 1, 1, {}), HIGH, 0.9), "is no record of this release's domain"),
        ((X, (1, 1, 1, math.nan), HIGH, 0.9), "is no record of this release's domain"),
        ((X, X, HIGH, 0.9), "the same dataset"),
        ((X, (1, 1, 0, 0), HIGH, 0.9), "differ in more than one step"),
        ((X, Y, HIGH, 0.5), "must be above that of the claim, 0.5"),
        ((X, Y, HIGH, "0.9"), "must be a number from 0 to 50"),
        ((X, Y, HIGH, math.inf), "must be a number from 0 to 50"),
        ((X, Y, lambda output: True, 0.9), "An event must be a tuple"),
        ((X, Y, ("above", 4), 0.9), "An event must be one of between"),
        ((X, Y, ("between", 4), 0.9), "must have 2 parts after its name"),
        ((X, Y, ("between", "4", 5), 0.9), "must be numbers"),
        ((X, Y, ("between", math.nan, 5), 0.9), "must be numbers"),
        ((X, Y, ("among", 4), 0.9), "must be in a list"),
        ((X, Y, ("among", [object()]), 0.9), "must be numbers, texts, None"),
        ((X, Y, ("among", range(6000)), 0.9), "must be in a list"),
        ((X, Y, ("among", [*range(40_000)]), 0.9), "at most 40,000 values"),
        ((X, Y, ("part", True, HIGH), 0.9), "must be a whole number"),
        ((Y, X, HIGH, 0.9), "does not contradict the claim"),
        ((X, Y, ("multiple", 10**400), 0.9), "must be at most 2^1000"),
        ((X, Y, ("any", [HIGH] * 20), 0.9), "at most 20 events within it"),
        ((X, Y, ("among", [NESTED]), 0.9), "must be numbers, texts, None"),
        ((X, (1, 1, 1, NESTED), HIGH, 0.9), "is no record"),
        ((X, Y, ("among", []), 0.9), "does not contradict the claim"),
        ((np.array(1), Y, HIGH, 0.9), "In x: A dataset must be a list or a tuple"),
        ((X, Y, ("among", [np.longdouble(5)]), 0.9), "must be numbers, texts, None"),
    ],
)
def test_a_refusal_says_why(witness, reason):
    verdict = verify(COUNT, witness, RNG)
    assert not verdict
    assert reason in verdict.reason
    assert verdict.reason.endswith(".")


def test_an_event_must_not_nest_deeply():
    event = HIGH
    for _ in range(50):
        event = ("not", event)
    assert "more than 6 events within each other" in verify(COUNT, (X, Y, event, 0.9), RNG).reason


def test_people_who_come_or_go_are_neighbors_in_any_order():
    event = ("between", 5, 16)
    assert verify(VISITS, Witness((0, 5), (0,), event, 1.0), RNG)
    assert verify(VISITS, Witness((5, 0), [0], event, 1.0), RNG)
    assert "same dataset" in verify(VISITS, Witness((5, 0), (0, 5), event, 1.0), RNG).reason
    assert "more than one step" in verify(VISITS, Witness((5,), (0,), event, 1.0), RNG).reason


def test_floats_are_judged_by_draws():
    """A false verdict in this test has a probability below 1e-9: 0.24 against 0.0006 is enough."""
    assert law_of(FLOATS, (0, 0)) is None
    verdict = verify(FLOATS, Witness((0, 0), (0, 1), FINE, 2.0), RNG)
    assert verdict
    assert 0.2 < verdict.lower < 0.25
    assert 0 < verdict.upper < 0.001
    assert not verify(FLOATS, Witness((0, 1), (0, 0), FINE, 2.0), RNG)


def test_multiples_of_tiny_steps_take_little_time():
    """Eighteen of them took 18 s for the draws of a verification, and a cell has ten."""
    tiny = [("multiple", 1e-300 * step) for step in (1, 2, 3)]
    refusal = verify(FLOATS, ((0, 0), (0, 1), ("any", [*tiny, tiny[0]]), 2.0), RNG).reason
    assert refusal == "An event may have 'multiple' at most 3 times within it."
    event, start = read_event(("any", tiny)), time.process_time()
    for number in np.random.default_rng(1).laplace(size=4000).tolist():
        holds(event, number)
    assert time.process_time() - start < 0.2  # 0.05 s; a cell has 40 times as many draws


def test_other_releases_and_generators_are_errors():
    with pytest.raises(ValueError, match="release must be"):
        verify(lambda dataset: 0, Witness(X, Y, HIGH, 0.9), RNG)
    with pytest.raises(ValueError, match="rng must be"):
        verify(COUNT, Witness(X, Y, HIGH, 0.9), 7)


@pytest.mark.parametrize(
    ("event", "inside", "outside"),
    [
        (("between", 1, 2), [1, 2, 1.5, Fraction(3, 2)], [0, 3, "1", None, True, (1, 2)]),
        (("among", [1, None, "a", [2, 3]]), [1, None, "a", (2, 3)], [2, "b", (2,)]),
        (("multiple", 0.25), [0, 0.5, -1.75, 3], [0.3, 0.1, math.inf, "0"]),
        (("multiple", 0), [], [0, 1]),
        (("multiple", math.inf), [], [0, 1]),
        (("multiple", 2**999), [0], [1.5]),
        (("multiple", 2**53 + 1), [0, 2 * (2**53 + 1)], [2.0**53, 2**53]),
        (("multiple", 0.1), [0.1, 0.2], [0.3, 1, Fraction(1, 10)]),
        (("between", -math.inf, Fraction(1, 2)), [0.5, -(10**400)], [0.6]),
        (("length", ("between", 2, 3)), [(1, 2), (1, 2, 3)], [(), (1,), 2, "ab"]),
        (("part", 1, ("among", ["x"])), [(0, "x")], [("x",), ("x", 0), "xx"]),
        (("part", -1, ("among", ["x"])), [], [("x",)]),
        (("difference", 0, 1, ("between", 1, 9)), [(3, 2)], [(2, 3), (3,), ("a", 1), (None, 1)]),
        (("not", ("among", [1])), [2, None], [1]),
        (("all", [("between", 0, 9), ("multiple", 2)]), [4, 0], [3, 12]),
        (("any", [("between", 0, 1), ("among", ["x"])]), [0, "x"], [2]),
        (("all", []), [0], []),
    ],
)
def test_events_hold_where_the_table_says(event, inside, outside):
    read = read_event(event)
    assert [output for output in inside if not holds(read, output)] == []
    assert [output for output in outside if holds(read, output)] == []


def test_an_event_is_read_into_plain_data():
    read = read_event(["part", np.int64(1), ["among", {np.float64(0.5)}]])
    assert read == ("part", 1, ("among", frozenset({0.5})))
    with pytest.raises(BadEvent):
        read_event("between")
