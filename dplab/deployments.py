"""Ten deployments: what their documents say, and what this library computes from it.

The numbers of a `Deployment` are quoted from the document that it names, in `deployments.toml`.
Where a row has what that needs, `recompute` derives the epsilon again; otherwise it is None.

Numbers of different rows can't be compared by their size alone: they are for other units, other
periods and other models of trust.

Sources: the document of each row. Registries that lead to them are Desfontaines, "A list of
real-world uses of differential privacy" (since 2021), and OpenDP's deployments registry (2025).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dplab import arguments
from dplab.accounting import Release, epsilon_bounds
from dplab.distributions import Finite
from dplab.divergences import max_divergence
from dplab.guarantees import ZCDP, PureDP
from dplab.losses import GaussianLoss
from dplab.mechanisms.randomized_response import RandomizedResponse


@dataclass(frozen=True)
class Deployment:
    """A deployment as its document describes it; `delta` is 0 where it states pure epsilon.

    `unit` is what differs between neighbours, `period` what the epsilon is for. `missing` says what
    the document leaves out, or what the number does not cover.
    """

    name: str
    year: int
    model: str
    unit: str
    period: str
    mechanism: str
    epsilon: float
    delta: float
    document: str
    missing: str
    recompute: Callable[[], float] | None = None

    @property
    def recomputed(self) -> float | None:
        """The epsilon that this library computes from the document, or None."""
        return None if self.recompute is None else self.recompute()


def rappor_epsilon(*, f: float, p: float, q: float, hashes: int) -> float:
    """Return the epsilon of one RAPPOR report, with both rounds of coins.

        P[bit sent | bit] = f (p + q) / 2 + (1 - f) (q if the bit is set, otherwise p)

    Two values set different bits, `hashes` each: so many bits change one way, and as many back. It
    is infinite where a bit is sent as it is. Raises ValueError unless f, p and q are probabilities
    and `hashes` is a whole number of at least 1.

    Source: Erlingsson, Pihur and Korolova (2014), Section 3.2.

    >>> round(rappor_epsilon(f=0.75, p=0.5, q=0.75, hashes=2), 4)
    0.5343
    """
    for name, value in (("f", f), ("p", p), ("q", q)):
        arguments.number(name, value, least=0, most=1)
    hashes = arguments.whole("hashes", hashes, least=1)
    is_set, is_clear = (
        Finite.of({1: chance, 0: 1 - chance})
        for chance in (f * (p + q) / 2 + (1 - f) * bit for bit in (q, p))
    )
    return hashes * (max_divergence(is_set, is_clear) + max_divergence(is_clear, is_set))


def _epsilon_at(rho: float, delta: float) -> float:
    return ZCDP(rho).to_approx(delta).epsilon


def _epsilon_of_visits() -> float:
    """Add four visits, the home and the place of work, each counted at three levels."""
    levels = PureDP(0.11) + PureDP(0.11) + PureDP(0.22)
    return (6 * levels).epsilon


RECOMPUTED: dict[str, Callable[[], float]] = {  # from the numbers under "mechanism"
    "rappor": lambda: rappor_epsilon(f=0.75, p=0.5, q=0.75, hashes=2),
    "apple": lambda: 2 * RandomizedResponse(2.0).epsilon,  # two of the bits differ
    "mobility": _epsilon_of_visits,
    "urls": lambda: epsilon_bounds([Release(GaussianLoss(0.376))], delta=1e-5).upper,
    "census": lambda: _epsilon_at(2.56, 1e-10),
    "gboard": lambda: _epsilon_at(0.81, 1e-10),
    "wikimedia": lambda: _epsilon_at(0.015, 1e-7),
    "births": lambda: (2 * (PureDP(4.0) + PureDP(0.99))).epsilon,
}


def _read() -> tuple[Deployment, ...]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text).items()
    return tuple(Deployment(**row, recompute=RECOMPUTED.get(key)) for key, row in rows)


DEPLOYMENTS = _read()


def find_deployment(word: str) -> Deployment:
    """Return the only deployment with `word` in its name; raise ValueError if there is no such one.

    >>> find_deployment("Wikimedia").unit
    'a device on a day'
    """
    matches = [one for one in DEPLOYMENTS if arguments.text("word", word) in one.name]
    if len(matches) != 1:
        raise ValueError(
            f"word must be in the name of one deployment, not {len(matches)}: {word!r}"
        )
    return matches[0]
