"""The reference attack on the range: it only calls releases, and knows their domains and claims.

It draws from pairs of neighbours, looks at parts of the outputs, their differences, their number
and the last bits of floats, and takes the event with the largest excess over the claim. One half
of the draws selects the event, and the other half decides, so that a release that keeps its claim
is accused with a probability of 1e-9 at most. Students don't get this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from dplab.audit.statistical import clopper_pearson
from dplab.audit_range import Witness
from dplab.audit_range.releases import ClaimedRelease, Dataset

FAILURE = 1e-9
MAX_PAIRS = 250
ROUNDS = ((400, 12), (6000, 2))  # draws of each dataset, and pairs that go on
FINAL_DRAWS = 120_000
MAX_OUTPUTS = 2000  # in an event
NOTHING = "nothing"  # what a view reads where an output has no such part
FINEST = 2.0**-53  # the spacing of floats just below 1


@dataclass(frozen=True)
class View:
    """The part of an output that an attack looks at; `wrap` makes events of this part's events."""

    read: Callable[[Any], Any]
    wrap: Callable[[tuple], tuple]


@dataclass(frozen=True)
class Suspect:
    """An event that is likelier under x than under y, by an excess over the claim."""

    excess: float
    x: Dataset
    y: Dataset
    view: View
    values: frozenset


def find_witness(release: ClaimedRelease, rng: np.random.Generator) -> Witness | None:
    """Return a witness that the release breaks its claim, or None if nothing is found."""
    pairs = _choose_pairs(release, rng)
    for count, survivors in ROUNDS:
        suspects = _suspects(release, pairs, count, rng)
        pairs = list(dict.fromkeys((one.x, one.y) for one in suspects))[:survivors]
    if not suspects:
        return None
    return _prove(release, suspects[0], rng)


def _choose_pairs(
    release: ClaimedRelease, rng: np.random.Generator
) -> list[tuple[Dataset, Dataset]]:
    """Return ordered pairs of neighbours: datasets of one or two values come first."""
    domain = release.domain
    bases: dict[Dataset, None] = {}
    for a in domain.universe:
        for b in domain.universe:
            for n in {domain.most, max(domain.least, 1), max(domain.least, 2)}:
                bases[domain.read((a,) * (n // 2) + (b,) * (n - n // 2))] = None
    pairs = [(x, y) for x in bases for y in domain.neighbors_of(x)]
    order = rng.permutation(len(pairs))[: MAX_PAIRS // 2]
    some_pairs = [pairs[place] for place in order]
    return [pair for x, y in some_pairs for pair in ((x, y), (y, x))]


def _suspects(
    release: ClaimedRelease,
    pairs: Sequence[tuple[Dataset, Dataset]],
    count: int,
    rng: np.random.Generator,
) -> list[Suspect]:
    """Return the best event of each pair, the largest excess first."""
    draws: dict[Dataset, list] = {}
    for dataset in (dataset for pair in pairs for dataset in pair):
        if dataset not in draws:
            draws[dataset] = release.draws(dataset, rng, count)
    suspects = [_best_event(release, x, y, draws[x], draws[y]) for x, y in pairs]
    return sorted(suspects, key=lambda suspect: -suspect.excess)


def _best_event(release: ClaimedRelease, x: Dataset, y: Dataset, in_x: list, in_y: list) -> Suspect:
    """Select events on the first half of the draws, and compare them on the second."""
    half, factor = len(in_x) // 2, math.exp(release.epsilon)
    best = None
    for view in _views([*in_x[:5], *in_y[:5]]):
        parts_x, parts_y = ([view.read(output) for output in outputs] for outputs in (in_x, in_y))
        for values in _likely_sets(Counter(parts_x[:half]), Counter(parts_y[:half]), factor):
            hits = [sum(v in values for v in parts[half:]) / half for parts in (parts_x, parts_y)]
            excess = hits[0] - factor * hits[1]
            if best is None or excess > best.excess:
                best = Suspect(excess, x, y, view, values)
    assert best is not None
    return best


def _likely_sets(in_x: Counter, in_y: Counter, factor: float) -> Iterator[frozenset]:
    """Yield the outputs that are likelier under x by more than the factor, and half-lines."""
    outputs = [v for v, count in in_x.most_common(MAX_OUTPUTS) if count > factor * in_y[v]]
    yield frozenset(outputs)
    numbers = [v for v in {*in_x, *in_y} if isinstance(v, int | float)]
    if len(numbers) < 4 or len(numbers) < len({*in_x, *in_y}) or len(numbers) > MAX_OUTPUTS:
        return
    numbers.sort()
    excesses = np.cumsum([in_x[v] - factor * in_y[v] for v in numbers])
    yield frozenset(numbers[: int(excesses.argmax()) + 1])
    yield frozenset(numbers[int(excesses.argmin()) + 1 :])


def _views(outputs: Sequence[Any]) -> list[View]:
    """Return what can be looked at in outputs like these."""
    views = [View(lambda output: output, lambda event: event)]
    if any(isinstance(output, float) for output in outputs):
        views.append(View(_is_fine, lambda event: event))
    tuples = [output for output in outputs if isinstance(output, tuple)]
    if not tuples:
        return views
    views.append(View(_length, lambda event: ("length", event)))
    width = min(9, max(map(len, tuples)))
    views += [_part_view(place) for place in range(width)]
    return views + [_difference_view(i, j) for i, j in combinations(range(min(width, 4)), 2)]


def _is_fine(output: Any) -> bool:
    """Return whether a float has bits below the spacing of floats near 1."""
    return isinstance(output, float) and math.fmod(output, FINEST) != 0


def _length(output: Any) -> int | str:
    return len(output) if isinstance(output, tuple) else NOTHING


def _part_view(place: int) -> View:
    def read(output: Any) -> Any:
        has_part = isinstance(output, tuple) and len(output) > place
        return output[place] if has_part else NOTHING

    return View(read, lambda event: ("part", place, event))


def _difference_view(i: int, j: int) -> View:
    def read(output: Any) -> Any:
        is_long = isinstance(output, tuple) and len(output) > j
        has_both = is_long and all(isinstance(output[k], int | float) for k in (i, j))
        return output[i] - output[j] if has_both else NOTHING

    return View(read, lambda event: ("difference", i, j, event))


def _prove(release: ClaimedRelease, suspect: Suspect, rng: np.random.Generator) -> Witness | None:
    """Return the suspect's event as a witness if fresh draws prove an epsilon above the claim."""
    hits = []
    for dataset in (suspect.x, suspect.y):
        outputs = release.draws(dataset, rng, FINAL_DRAWS)
        hits.append(sum(suspect.view.read(output) in suspect.values for output in outputs))
    lower = clopper_pearson(hits[0], FINAL_DRAWS, FAILURE / 2)[0] - release.delta
    upper = clopper_pearson(hits[1], FINAL_DRAWS, FAILURE / 2)[1]
    proved = math.log(lower / upper) if lower > 0 else 0.0
    if proved <= release.epsilon:
        return None
    # The examiner's draws may prove less than ours, so half of the margin is left to them.
    epsilon = (proved + release.epsilon) / 2
    return Witness(suspect.x, suspect.y, _write_event(suspect), round(epsilon, 4))


def _write_event(suspect: Suspect) -> tuple:
    """Return the event as data. It leaves out outputs in which there is nothing to read."""
    if suspect.view.read is _is_fine:
        is_fine = ("not", ("multiple", FINEST))
        return is_fine if True in suspect.values else ("multiple", FINEST)
    values = [value for value in suspect.values if value != NOTHING]
    return suspect.view.wrap(("among", sorted(values, key=repr)))
