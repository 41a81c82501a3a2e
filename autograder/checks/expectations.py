"""Check more than single values of students' functions: laws, privacy, randomness.

A check of something random states the probability that it fails a right solution, 1e-9 at most.
`recording` lists these statements of a test cell. Messages say what is wrong and what to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.checks import pictures
from autograder.checks.calls import (
    TOLERANCE,
    Call,
    arguments_after,
    call,
    call_each,
    describe_lazily,
    repeat,
)
from autograder.checks.failures import fail, fail_saying
from autograder.checks.numbers import to_numbers
from autograder.checks.stated_failure import state
from autograder.checks.value_texts import show_precisely, tell_apart
from autograder.checks.watched import Watched
from autograder.wire.arguments import copy_container, find_changes, take_snapshots
from autograder.wire.generators import restore_generator
from autograder.wire.text import count_noun
from dplab import audit
from dplab.distributions import Distribution, Finite
from dplab.guarantees import PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

UNCHANGED = "Leave the arguments as they are: change a copy."


def expect(holds: Any, otherwise: str, hint: str = "", *, failure: float) -> None:
    """Fail with the text `otherwise` unless `holds`; a right solution fails with P <= failure."""
    state(f"not: {otherwise}", failure)
    if not holds:
        fail_saying(otherwise, hint)


def expect_close(actual: Any, expected: Any, what: str, hint: str = "") -> None:
    """Fail unless two numbers or arrays are equal up to rounding; `what` begins the message."""
    Call(what, actual).gives(expected, hint)


def expect_between(
    value: Any, low: float, high: float, what: str, hint: str = "", *, failure: float
) -> None:
    """Fail unless low <= value <= high; a right solution fails with P <= failure."""
    state(what, failure)
    number = float(to_numbers(what, value, hint, "a number"))
    if not low <= number <= high:
        text = show_precisely(number, low, high)
        low_text, high_text = tell_apart(low, high)
        fail(what, f"is {text}, expected from {low_text} to {high_text}", hint)


def expect_law(
    sample: Any, law: Distribution, what: str, hint: str = "", *, failure: float = 1e-10
) -> None:
    """Fail unless independent draws fit a law; a right sample fails with P <= failure.

    `sample` has one draw per entry, or one draw per row if the law has several parts. A failure
    shows a picture of the sample and the law.
    """
    state(what, failure)
    numbers = to_numbers(what, sample, hint)
    fit = audit.goodness_of_fit(numbers, law, failure=failure)
    if not fit.passed:
        pictures.show(pictures.sample_and_law(numbers, law))
        fail(f"{what}:", fit.reason, hint)


def expect_private(
    outputs_x: Any,
    outputs_y: Any,
    epsilon: float,
    what: str,
    hint: str = "",
    *,
    failure: float = 1e-10,
) -> None:
    """Fail if draws on two neighbours, one per row, prove a privacy loss above epsilon.

    The events are single outputs with all their parts, and all outputs before or after one in
    order. One half of the draws selects the event with the largest loss; the other half decides.
    """
    state(what, failure)
    x, y = to_numbers(what, outputs_x, hint), to_numbers(what, outputs_y, hint)
    codes = _rank_rows(np.concatenate([draws.reshape(len(draws), -1) for draws in (x, y)]))
    bound = audit.epsilon_lower_bound(codes[: len(x)], codes[len(x) :], failure=failure)
    if bound.epsilon > epsilon:
        loss, promise = tell_apart(float(bound.epsilon), float(epsilon))
        message = f"the answers alone prove a privacy loss of at least {loss}"
        fail(f"{what}:", f"{message}, the promise is {promise}", hint)


def _rank_rows(rows: np.ndarray) -> np.ndarray:
    """Return a number for each row: equal for equal rows, larger for larger rows."""
    ranks: np.ndarray = np.zeros(len(rows), dtype=int)
    for column in rows.T:
        values, places = np.unique(column, return_inverse=True)
        ranks = np.unique(ranks * len(values) + places, return_inverse=True)[1]
    return ranks


def expect_generator_used(
    function: Callable, *arguments: Any, failure: float, count: int | None = None
) -> None:
    """Fail unless all randomness of function(*arguments, rng) comes from `rng`.

    The same seed must give the same result, or the same `count` results in a row. Another seed must
    give another result; `failure` is the probability that a right solution gives the same result by
    chance. A watched `rng` must make no difference.
    """
    watched_rng, copies = Watched(_make_generator(1)), tuple(map(copy_container, arguments))
    sources = [*map(_make_generator, (1, 1, 2)), watched_rng]
    first, same_seed, other_seed, watched = (
        _call_or_repeat(function, arguments, count, rng) for rng in sources
    )
    name = str(first)
    state(f"{name} differs between two seeds", failure)
    is_reproducible = np.array_equal(first.numbers(), same_seed.numbers())
    ignores_seed = np.array_equal(first.numbers(), other_seed.numbers())
    if (not is_reproducible or ignores_seed) and _changes_arguments(function, copies):
        fail(name, "changes what it was given", UNCHANGED)
    if not is_reproducible:
        fail(name, "gives two results for one seed", "Draw from rng and from nothing else.")
    if ignores_seed:
        hint = "Draw from rng at every call; a generator made inside starts over each time."
        if watched_rng.draws or watched_rng.refused:
            hint = "What is drawn from rng must decide the result."
        fail(name, "gives the same result for two seeds", hint)
    if not watched_rng.refused and not np.array_equal(first.numbers(), watched.numbers()):
        hint = "Draw from rng, whatever kind of generator it is."
        fail(name, "gives another result where its draws are watched", hint)


def expect_unchanged(function: Callable, *arguments: Any) -> None:
    """Fail if function(*arguments) changes an argument, or something within it.

    A random source among the arguments may change. Raises what the function raises.
    """
    later_arguments = arguments_after(function, *arguments)
    if find_changes(take_snapshots(arguments), later_arguments):
        fail(describe_lazily(function, arguments), "changes what it was given", UNCHANGED)


def _make_generator(seed: int) -> np.random.Generator:
    """Return a generator whose children, too, are the same in both processes."""
    return restore_generator(dict(np.random.default_rng(seed).bit_generator.state))


def _changes_arguments(function: Callable, arguments: tuple) -> bool:
    """Return whether a call changes its arguments, so that the next call gets other values."""
    try:
        later_arguments = arguments_after(function, *arguments, _make_generator(1))
    except Exception:
        return False
    return bool(find_changes(take_snapshots(arguments), later_arguments[: len(arguments)]))


def _call_or_repeat(function: Callable, arguments: tuple, count: int | None, rng: Any) -> Call:
    if count is None:
        return call(function, *arguments, rng)
    return repeat(function, *arguments, rng, count=count)


@dataclass(frozen=True)
class _StatedLaws(ExactMechanism):
    """The mechanism with the law that a student's function states for each dataset."""

    laws: dict[tuple[int, ...], Call]
    epsilon: float
    neighbors = REPLACE_ONE

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    def distribution(self, data: tuple[int, ...]) -> Finite:
        law: dict[Any, float] = {**self.laws[data].law()}
        return Finite.of(law)


def expect_exact_epsilon(function: Callable, epsilon: float, *, n: int, hint: str = "") -> None:
    """Fail unless the laws function(truths, epsilon) have the largest |log ratio| epsilon.

    The check enumerates all truths of n people, all neighbours and all outcomes.
    """
    datasets = list(REPLACE_ONE.datasets((0, 1), n))
    laws = call_each(function, [(truths, epsilon) for truths in datasets])
    mechanism = _StatedLaws(dict(zip(datasets, laws, strict=True)), epsilon)
    loss = audit.exact_epsilon(mechanism, universe=(0, 1), n=n)
    if not abs(loss.epsilon - epsilon) <= TOLERANCE:
        place = f"truths {loss.x} and {loss.neighbor}, answers {loss.outcome}"
        actual_text, should = tell_apart(float(loss.epsilon), float(epsilon))
        fail(
            f"the largest |log-ratio| over all neighbours of {count_noun(n, 'person', 'people')}",
            f"is {actual_text} ({place}), it should be epsilon = {should}",
            hint,
        )
