"""Beliefs of an adversary about one person, with their record in the data and without it.

Theorem. Let M be epsilon-DP for replacing one record, X the data, drawn from any prior, and X'
the same data with person i's record replaced by a default value. For every value a and output y
that is possible,

    P[X_i = a | M(X) = y]  is within a factor e^{+-2 epsilon} of  P[X_i = a | M(X') = y],

and within e^{+-epsilon} if X_i is independent of the others' records. Both factors are reached in
the limit.

Proof. P[X_i = a, M(X) = y] is a sum over datasets x of prior(x) p_x(y), and x' is a neighbour of x:
each term, and so the sum, is within e^{+-epsilon} of the same for X'. So is the sum over all a. The
posterior is the quotient of the two: numerator and denominator have a factor e^{+-epsilon} each. If
X_i is independent of the others then M(X') says nothing about it, and P[X_i = a | M(X') = y] =
P[X_i = a]. The quotient of posterior and prior is then r(a) / sum_b P[X_i = b] r(b) with r(b) =
P[M(X) = y | X_i = b], an average over the same others for all b: any two r differ by e^{+-epsilon}
at most, hence each from their average.

The theorem does not compare with the prior. If records are correlated, the output may reveal much
about person i, but it would also reveal that without their record.

Sources: Dwork, McSherry, Nissim and Smith (2006), Appendix A; Kasiviswanathan and Smith (2014).
Lecture notes that claim e^{+-epsilon} for every prior lack the factor 2 in the exponent.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import ROUNDING, Finite, enumerate_law
from dplab.guarantees import PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The beliefs P[X_i = values[a] | outputs[y]], shape (values, outputs).

    `posterior` are those with the record of person i, `posterior_without` those without it. `prior`
    is P[X_i = values[a]], shape (values,); `independent` says whether the prior makes X_i
    independent of the other records.
    """

    values: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    prior: np.ndarray
    posterior: np.ndarray
    posterior_without: np.ndarray
    independent: bool

    @property
    def largest_log_factor(self) -> float:
        """The largest |log| of the quotient of both beliefs, over all values and outputs."""
        return _find_largest_log(self.posterior, self.posterior_without)

    @property
    def largest_log_change(self) -> float:
        """The same for the quotient of belief and prior, which the guarantee does not bound."""
        return _find_largest_log(self.posterior, self.prior[:, None])

    def bound(self, promise: PureDP) -> float:
        """Return the bound of the theorem on `largest_log_factor`."""
        return promise.epsilon if self.independent else 2 * promise.epsilon


def beliefs(mechanism: ExactMechanism, prior: Finite, *, person: int, default: Hashable) -> Beliefs:
    """Apply Bayes' rule over all datasets of a prior, for a mechanism with finite distributions.

    `prior` is a distribution on datasets (tuples), `person` is a position in them, and `default`
    replaces an absent record. Outputs that are impossible under the prior are left out. Raises
    ValueError for another position, for a distribution that isn't finite, and for an output that is
    possible only with the person's record. Without it there is no belief, and the mechanism is not
    epsilon-DP.

    >>> from dplab.mechanisms.randomized_response import RandomizedResponse
    >>> alone = Finite.of({(0,): 0.5, (1,): 0.5})
    >>> both = beliefs(RandomizedResponse(np.log(3)), alone, person=0, default=0)
    >>> both.posterior.round(2).tolist(), both.posterior_without.round(2).tolist()
    ([[0.75, 0.25], [0.25, 0.75]], [[0.5, 0.5], [0.5, 0.5]])
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    arguments.instance("prior", prior, Finite)
    datasets: tuple[Any, ...] = prior.support
    person = arguments.whole("person", person, least=0, most=len(datasets[0]) - 1)
    chances = np.exp(prior.log_densities(datasets))
    values = tuple(dict.fromkeys(x[person] for x in datasets))
    absent = [(*x[:person], default, *x[person + 1 :]) for x in datasets]
    distributions = [
        [enumerate_law(mechanism.distribution(x)) for x in xs] for xs in (datasets, absent)
    ]
    outputs = tuple(dict.fromkeys(y for p in distributions[0] for y in p.support))
    of_value = np.array([[x[person] == value for x in datasets] for value in values])
    joint = [
        (of_value * chances) @ np.exp([p.log_densities(outputs) for p in row])
        for row in distributions
    ]
    if not (possible := joint[1].sum(axis=0) > 0).all():
        output = outputs[int(np.argmin(possible))]
        raise ValueError(
            f"mechanism says {output!r} only where person {person}'s record is in the data"
        )
    posterior, posterior_without = (table / table.sum(axis=0) for table in joint)
    independent = _is_independent(datasets, chances, of_value, person)
    return Beliefs(values, outputs, of_value @ chances, posterior, posterior_without, independent)


def _is_independent(
    datasets: tuple[Any, ...], chances: np.ndarray, of_value: np.ndarray, person: int
) -> bool:
    records = [(*x[:person], *x[person + 1 :]) for x in datasets]
    columns = np.array([[rest == other for other in dict.fromkeys(records)] for rest in records])
    joint = (of_value * chances) @ columns
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return np.allclose(joint, product, rtol=ROUNDING, atol=0)  # a rare dependence counts, too


def _find_largest_log(p: np.ndarray, q: np.ndarray) -> float:
    with np.errstate(divide="ignore"):
        return float(np.abs(np.log(p) - np.log(q)).max())


@dataclass(frozen=True)
class Confidant(ExactMechanism):
    """A mechanism on the bits of two people with an alarm of probability `quiet`.

        P(alarm) = quiet e^epsilon on (1, 0), quiet e^-epsilon on (0, 1), otherwise quiet

    On (1, 0) the probability is `quiet` times e^epsilon, on (0, 1) `quiet` times e^-epsilon. It is
    epsilon-DP, for any default record, too. Under a prior on (1, 0) and (0, 1) alone, with (1, 0)
    rare, the alarm multiplies the belief in (1, 0) by nearly e^{2 epsilon}; without the first
    person's record it says nothing. Raises ValueError unless 0 < quiet <= 1 / (1 + e^epsilon).
    """

    epsilon: float
    quiet: float = 0.05
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.number("epsilon", self.epsilon, above=0)
        arguments.number(
            "quiet", self.quiet, above=0, most=float(np.exp(-np.logaddexp(0, self.epsilon)))
        )

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    def distribution(self, data: Any) -> Finite:
        signs: dict[tuple, int] = {(1, 0): 1, (0, 1): -1}
        sign = signs.get(tuple(records.hashables("data", data)), 0)
        alarm = np.exp(np.log(self.quiet) + sign * self.epsilon)
        return Finite.of({"alarm": alarm, "silence": 1 - alarm})
