"""What test cells expect beyond one value: laws, promises, randomness; and what chance may do."""

import math
import subprocess
import sys

import numpy as np
import pytest

from autograder import checks
from autograder.checks.stated_failure import MOST_FAILURE
from dplab import Finite, Gaussian, RandomizedResponse


def says(words: str):
    return pytest.raises(AssertionError, match=f"(?s).*{words}")


def test_draws_are_held_to_their_law():
    """False alarm 1e-10. A share of 1/2 for 1/4 in 1,000 draws is 18 standard deviations off."""
    rng = np.random.default_rng()
    right = rng.random(1000) < 0.25
    checks.expect_law(right, Finite.of({1: 0.25, 0: 0.75}), "draws")
    with says(r"answers: .* came up in a share 0\.\d+ of draws, expected .*\. Look\.$"):
        checks.expect_law(rng.random(1000) < 0.5, Finite.of({1: 0.25, 0: 0.75}), "answers", "Look.")
    with says("draws: a draw is not a finite number"):
        checks.expect_law([math.nan], Gaussian(0, 1), "draws")
    with says("draws should be numbers, it is None"):
        checks.expect_law(None, Gaussian(0, 1), "draws")


def test_draws_are_held_to_their_promise():
    """False alarm 1e-10. Answers without noise prove about 3.7 with 2,000 draws."""
    rng = np.random.default_rng()
    x, y = np.ones((2000, 3), dtype=int), np.tile([0, 1, 1], (2000, 1))
    mechanism = RandomizedResponse(1.0)
    checks.expect_private(mechanism(x, rng), mechanism(y, rng), 1.0, "respond")
    with says("answers alone prove a privacy loss of at least 3.*, the promise is 1"):
        checks.expect_private(x, y, 1.0, "respond")
    shared = rng.integers(2, size=(2000, 1))
    with says("prove a privacy loss"):  # each answer alone is a fair coin
        checks.expect_private(x ^ shared, y ^ shared, 1.0, "respond")


def test_rows_are_in_order_by_their_first_part():
    """No two rows are equal, and the second part says nothing: what the first is beyond does."""
    rng = np.random.default_rng()
    x, y = (np.column_stack([rng.normal(mean, 1, 2000), rng.random(2000)]) for mean in (0, 3))
    with says("prove a privacy loss"):  # 1 against .0013, by far more than 8 deviations
        checks.expect_private(x, y, 1.0, "respond")
    with says("prove a privacy loss"):
        checks.expect_private(np.round(x), np.round(y), 1.0, "respond")


def test_a_coin_is_tossed_as_often_as_the_check_says():
    """The check's two seeds are fixed: under both this coin falls heads the first time."""

    def heads(rng):
        return int(rng.random() < 0.6)

    checks.expect_generator_used(heads, count=100, failure=1e-20)
    with says("same result for two seeds"):
        checks.expect_generator_used(heads, failure=1e-20)


def test_randomness_must_come_from_the_generator():
    checks.expect_generator_used(lambda n, rng: rng.random(n), 5, failure=1e-50)
    with says("two results for one seed. Draw from rng and from nothing else"):
        checks.expect_generator_used(lambda n, rng: np.random.random(n), 5, failure=1e-50)  # noqa: NPY002
    with says("same result for two seeds. Draw from rng at every call; a generator made inside"):
        checks.expect_generator_used(
            lambda n, rng: np.random.default_rng(0).random(n), 5, failure=1e-50
        )
    with says("another result where its draws are watched. Draw from rng, whatever kind"):
        checks.expect_generator_used(
            lambda n, rng: rng.random(n) + (type(rng) is np.random.Generator), 5, failure=1e-50
        )


def test_who_draws_from_the_generator_in_vain_is_not_told_to_draw_from_it():
    def first(scores, rng):
        return scores[0] + 0 * rng.random()

    with says("same result for two seeds. What is drawn from rng must decide the result.$"):
        checks.expect_generator_used(first, [1, 2], failure=1e-50)


def test_who_changes_the_arguments_is_told_so():
    def lied_to(truths, rng):
        truths[rng.random(len(truths)) < 0.5] = 7
        return truths

    def erased(records, rng):
        records[rng.random(len(records)) < 1] = -1
        return records

    for function in (lied_to, erased):
        with says(r"\(\[0, .*\) changes what it was given. Leave the arguments as they are"):
            checks.expect_generator_used(function, np.zeros(8), failure=1e-9)


def test_what_cant_be_watched_is_no_sign_of_other_randomness():
    def shuffled(n, rng):
        order = np.arange(n)
        rng.shuffle(order)
        return order

    checks.expect_generator_used(shuffled, 50, failure=1e-50)
    checks.expect_generator_used(lambda n, rng: rng.spawn(1)[0].random(n), 5, failure=1e-50)


def popped(law):
    return law.popitem() and 1


def rescaled(matrix):
    matrix *= 2
    return matrix


def sorted_within(pairs):
    for pair in pairs:
        pair.sort()
    return pairs


@pytest.mark.parametrize(
    ("change", "given"),
    [
        (lambda x: x.sort(), [2, 1]),
        (lambda x: x.sort(), np.array([2.0, 1.0])),
        (lambda x: x.append(0), []),
        (rescaled, np.eye(2)),
        (sorted_within, [[1, 2], [2, 1]]),
        (sorted_within, ([2, 1], [1, 2])),
        (lambda x: x.setdefault("b", 0.0), {"a": 1.0}),
        (lambda x: x.update(a=1), {"a": 1.0}),
        (popped, {"a": 1.0}),
        (lambda x: x.discard(1), {1, 2}),
        (lambda x: x.__setitem__(5_000, -0.0), np.zeros(10_000)),
    ],
)
def test_who_changes_what_was_given_is_found(change, given):
    checks.expect_unchanged(lambda x, rng: rng.random(), given, np.random.default_rng())
    before = repr(given)
    with pytest.raises(AssertionError, match=r"changes what it was given\. Leave the arguments as"):
        checks.expect_unchanged(lambda epsilon, x: change(x), 1.0, given)
    assert repr(given) == before


def test_stated_laws_are_audited_by_enumeration():
    def output_law(truths, epsilon):
        law = RandomizedResponse(epsilon).distribution(truths).enumerate()
        return dict(zip(law.outcomes, law.probabilities, strict=True))

    def twice(truths, epsilon):
        return output_law(truths, 2 * epsilon)

    def no_law(truths, epsilon):
        return {(0, 0): 0.5}

    checks.expect_exact_epsilon(output_law, 0.7, n=3)
    with says(r"2 people is 1.4 \(truths .*, answers .*\), it should be epsilon = 0.7. Twice"):
        checks.expect_exact_epsilon(twice, 0.7, n=2, hint="Twice?")
    with says(r"no_law\(\(0, 0\), 0.7\) has probabilities that sum to 0.5"):
        checks.expect_exact_epsilon(no_law, 0.7, n=2)


def test_bounds_hold_both_ways_and_refuse_nan():
    checks.expect_between(0.5, 0, 1, "the slope", failure=1e-9)
    for value in (-0.1, 1.1, math.nan, math.inf):
        with says("the slope is .*, expected from 0 to 1"):
            checks.expect_between(value, 0, 1, "the slope", failure=1e-9)
    with says("the share is 0.5, expected from 0.9999999 to 1$"):
        checks.expect_between(0.5, 1 - 1e-7, 1, "the share", failure=1e-9)


def test_every_check_of_chance_states_its_failure():
    with checks.recording() as stated:
        checks.expect_law([0, 1] * 50, Finite.of({0: 0.5, 1: 0.5}), "coins", failure=1e-12)
        checks.expect_close(1.0, 1.0, "no chance in this")
        checks.expect_between(0.5, 0, 1, "the slope", failure=1e-9)
        checks.expect_private([0, 1] * 50, [1, 0] * 50, 1.0, "respond", failure=1e-11)
        checks.expect_generator_used(lambda rng: rng.random(), failure=1e-15)
    failures = [("coins", 1e-12), ("the slope", 1e-9), ("respond", 1e-11)]
    assert [(one.what, one.failure) for one in stated[:3]] == failures
    assert [one.failure for one in stated[3:]] == [1e-15]


@pytest.mark.parametrize("failure", [0, 1e-6, 2 * MOST_FAILURE, math.nan])
def test_a_check_that_fails_the_innocent_is_refused(failure):
    with pytest.raises(ValueError, match="failure must be above 0 and at most 1e-09"):
        checks.expect_between(0.5, 0, 1, "the slope", failure=failure)


def test_repeated_calls_share_their_arguments():
    def respond(truths, rng):
        truths += 1
        return truths + rng.random(2)

    rows = checks.repeat(respond, np.zeros(2), np.random.default_rng(1), count=3).numbers((3, 2))
    assert np.floor(rows[:, 0]).tolist() == [1, 2, 3]
    assert len(np.unique(rows % 1)) == 6
    with says(r"respond\(\[0, 0\]\), called 3 times, raised TypeError"):
        checks.repeat(respond, np.zeros(2), count=3).numbers()


def test_what_chance_could_fail_is_stated():
    with checks.recording() as stated:
        checks.expect(True, "the answers are all the same", failure=1e-20)
        checks.call(abs, -3).gives(3, failure=1e-30)
        checks.call(abs, -3).gives(3)
        with says("the answers are all the same. Toss a coin"):
            checks.expect(False, "the answers are all the same", "Toss a coin.", failure=1e-20)
    assert [check.failure for check in stated] == [1e-20, 1e-30, 1e-20]
    assert "abs(-3) gives 3" in stated[1].what


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("left_by", "arguments_after"),
        ("typed", "scripted_input"),
        ("Typed", "ScriptedInput"),
        ("off_limits", "forbidden"),
        ("OffLimits", "Forbidden"),
    ],
)
def test_an_old_name_is_the_new_one_and_warns_developers_alone(old, new):
    """A test cell that wrote a warning to stderr would get no points from stock nbgrader."""
    with pytest.warns(DeprecationWarning, match=f"checks.{old} is called checks.{new} now"):
        assert getattr(checks, old) is getattr(checks, new)
    cell = f"import __main__, sys; from autograder import checks; checks.{old}"
    done = subprocess.run([sys.executable, "-c", cell], capture_output=True, check=True)
    assert done.stderr == b""


def test_a_name_that_never_was_is_an_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        checks.nothing  # noqa: B018
