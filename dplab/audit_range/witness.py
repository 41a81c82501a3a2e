"""A witness that a claim is broken, and its verification.

A release with the claim (epsilon, delta) promises for all neighbours x, y and all events E that

    P[release(x) in E] <= e^epsilon P[release(y) in E] + delta.

A witness names x, y, E and an epsilon above the claim for which this fails. Where the laws of the
outputs can be enumerated, the two probabilities are computed. Otherwise they are bounded by fresh
draws (Clopper and Pearson 1934), and a witness that is wrong holds with probability 1e-9 or less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dplab import arguments
from dplab.audit.statistical import clopper_pearson
from dplab.audit_range.events import Event, holds, read_event
from dplab.audit_range.releases import ClaimedRelease, Dataset, law_of

DRAWS = 40_000  # of each dataset, where there is no exact law
FAILURE = 1e-9  # the probability that draws prove what is not so
FORGIVEN = 1e-9  # of a probability: rounding, and the tails of noise that are cut off


class Witness(NamedTuple):
    """Two neighbouring datasets, an event, and an epsilon that the release exceeds on them.

    The event is likelier under `x`. See `dplab.audit_range.events` for how to write one.

    >>> Witness(x=[0, 1], y=[0, 0], event=("between", 5, 100), epsilon=1.2).epsilon
    1.2
    """

    x: Any
    y: Any
    event: Any
    epsilon: Any


@dataclass(frozen=True)
class WitnessVerdict:
    """The decision on a witness, its reason in a sentence, and bounds on the two probabilities."""

    holds: bool
    reason: str
    lower: float = 0.0  # of the event under x
    upper: float = 1.0  # of the event under y

    def __bool__(self) -> bool:
        return self.holds


def verify(release: ClaimedRelease, witness: Any, rng: np.random.Generator) -> WitnessVerdict:
    """Return whether a witness proves that a release breaks its claim.

    `witness` is a `Witness`, or four values in its order. Raises ValueError for another release or
    rng; a witness that is malformed is refused in words.
    """
    arguments.instance("release", release, ClaimedRelease)
    arguments.generator("rng", rng)
    try:
        x, y, event, epsilon = _read(release, witness)
    except ValueError as error:
        return WitnessVerdict(False, str(error))
    lower, upper = _bounds(release, x, y, event, rng)
    if lower > math.exp(epsilon) * upper + release.delta + FORGIVEN:
        reason = f"The event has a probability of {lower:.4g} under x, and {upper:.4g} under y."
        return WitnessVerdict(True, reason, lower, upper)
    return WitnessVerdict(False, _describe_shortfall(release, lower, upper, epsilon), lower, upper)


def _read(release: ClaimedRelease, witness: Any) -> tuple[Dataset, Dataset, Event, float]:
    """Return the checked parts of a witness, or raise ValueError with a sentence for its author."""
    if not isinstance(witness, tuple | list) or len(witness) != 4:
        raise ValueError("A witness must have four parts: x, y, an event and an epsilon.")
    x, y = (_dataset(release, name, witness[place]) for place, name in enumerate("xy"))
    if x == y:
        raise ValueError("x and y must be neighbours, but they are the same dataset.")
    if not release.domain.are_neighbors(x, y):
        raise ValueError("x and y must be neighbours: they differ in more than one step.")
    event = read_event(witness[2])
    try:
        epsilon = arguments.number("epsilon", witness[3], least=0, most=50)
    except ValueError:
        raise ValueError("The epsilon of a witness must be a number from 0 to 50.") from None
    if epsilon <= release.epsilon:
        claim = f"{release.epsilon:g}"
        raise ValueError(f"The epsilon of a witness must be above that of the claim, {claim}.")
    return x, y, event, epsilon


def _dataset(release: ClaimedRelease, name: str, data: Any) -> Dataset:
    try:
        return release.domain.read(data)
    except ValueError as error:
        raise ValueError(f"In {name}: {error}") from None


def _bounds(
    release: ClaimedRelease, x: Dataset, y: Dataset, event: Event, rng: np.random.Generator
) -> tuple[float, float]:
    """Return a lower bound of the event's probability under x, and an upper one under y."""
    laws = law_of(release, x), law_of(release, y)
    if laws[0] is not None and laws[1] is not None:
        p, q = (
            math.fsum(mass for output, mass in law.items() if holds(event, output))
            for law in (laws[0], laws[1])
        )
        return p, q
    hits = [
        sum(holds(event, output) for output in release.draws(dataset, rng, DRAWS))
        for dataset in (x, y)
    ]
    lower = clopper_pearson(hits[0], DRAWS, FAILURE / 2)[0]
    upper = clopper_pearson(hits[1], DRAWS, FAILURE / 2)[1]
    return float(lower), float(upper)


def _describe_shortfall(release: ClaimedRelease, lower: float, upper: float, epsilon: float) -> str:
    both = f"The event has a probability of {lower:.4g} under x, and {upper:.4g} under y"
    proved = math.log((lower - release.delta) / upper) if lower > release.delta and upper else 0.0
    if proved <= release.epsilon:
        return f"{both}: this does not contradict the claim {release.claim}."
    return f"{both}: this proves an epsilon of {proved:.3f}, and the witness says {epsilon:g}."
