"""Privacy by a secret sample: a mechanism sees each record with probability `rate` only.

A Poisson sample contains each record independently of all others. A sample without replacement has
m of the n records in a random order. Both are secret, and rarely contain the record that differs.
The cost depends on the sample and on the neighbours. Let p against q be the worst pair of the
mechanism itself:

| sample | neighbours | the mechanism's neighbours | loss on a sample |
|---|---|---|---|
| Poisson | add or remove | add or remove | (1 - rate) q + rate p against q |
| Poisson | replace one | add or remove | `replacement_loss`: both sides are mixtures |
| without replacement | add or remove | replace one | as in the first row; m is public |
| without replacement | replace one | replace one | `fixed_size_sampled_loss` |

The first three are attained by some mechanism with this worst pair, for any number of releases. The
last is attained by one release; of several it is an upper bound. So is the second for Laplace
noise. `is_tight` says which it is. Where neighbours add or remove a record, each direction adds up
by itself (`dplab.accounting.epsilon_bounds`).

A mechanism whose neighbours add or remove a record has the worst pair `replacement_loss(loss)` if
one is replaced. So it may be sampled without replacement, too. Another record then takes the place
of the one that differs, and a sum moves twice as far. 1,000 sums of numbers from -1 to 1, with
normal noise of sigma 1 at rate 1/100, have epsilon 1.83, 2.84, 13.36 and 14.82 in the four rows, at
delta 1e-5. A mechanism with a guarantee for replaced records states nothing about samples of
different sizes. So it can't have Poisson samples.

Sources: Balle, Barthe and Gaboardi (2018); Zhu, Dong and Wang (2022), Theorem 11; Lebeda, Regehr,
Kamath and Steinke (2024), also for what several releases cost. Proofs: `dplab.losses.sampled` and
`dplab.losses.replacement`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, permutations, product
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.accounting.releases import Release, worst_cases, worst_loss
from dplab.deprecated import old_names
from dplab.distributions import Distribution, Finite, enumerate_law
from dplab.guarantees import ApproxDP, BoundedRange, Guarantee, PureDP
from dplab.losses import (
    DiscretizedLoss,
    PrivacyLoss,
    fixed_size_sampled_loss,
    poisson_sampled_loss,
    replacement_loss,
    total_loss,
)
from dplab.losses.replacement import has_exact_replacement
from dplab.losses.sampled import mix
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors

POISSON, WITHOUT_REPLACEMENT = "poisson", "without replacement"
ROUNDING = 1e-12  # relative, of rate n
MAX_SAMPLES = 2**16  # samples of one dataset whose distributions are mixed


def amplify_by_sampling(promise: ApproxDP, *, rate: float) -> ApproxDP:
    """Return the guarantee when each record takes part with probability `rate`, in secret.

    It is (ln(1 + rate (e^epsilon - 1)), rate delta). This is tight for Poisson sampling under
    add-remove, and for m = rate n of n records without replacement under replace-one.
    Raises ValueError unless 0 <= rate <= 1.
    Source: Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.

    >>> round(amplify_by_sampling(ApproxDP(1.0, 1e-5), rate=0.01).epsilon, 6)
    0.017037
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    rate = arguments.number("rate", rate, least=0, most=1)
    return ApproxDP(float(mix(promise.epsilon, rate)), rate * promise.delta)


def sampled(
    mechanism: Mechanism,
    *,
    rate: float,
    by: str = POISSON,
    neighbors: Neighbors | None = None,
    size: int | None = None,
    delta: float = 1e-5,
) -> SampledMechanism:
    """Return the mechanism that draws a secret sample of the data and runs `mechanism` on it.

    `by` is "poisson" or "without replacement". `neighbors` is ADD_REMOVE or REPLACE_ONE, that of
    `mechanism` by default. Poisson samples need a mechanism for ADD_REMOVE. The table of this
    module (`dplab.accounting.subsampling`) has the loss of each combination.

    A sample without replacement has floor(rate n) of n records, or `size` records. With `size`,
    data must have at least size / rate records. For ADD_REMOVE the size is necessary, and it is
    public that there are so many records. `delta` matters only for `guarantee`, and only if the
    loss has no bound. Raises ValueError if the arguments don't fit together, if `mechanism` states
    no loss, epsilon or (epsilon, delta), and for numbers out of range.

    >>> from dplab import ADD_REMOVE, GaussianMechanism
    >>> from dplab.accounting import Release, epsilon_bounds
    >>> count = GaussianMechanism(sum, 1, sigma=1, neighbors=ADD_REMOVE)
    >>> step = sampled(count, rate=0.01)
    >>> round(epsilon_bounds([Release(step, 1000)], delta=1e-5).upper, 2)
    1.83
    """
    relation: Any = getattr(mechanism, "neighbors", None) if neighbors is None else neighbors
    if isinstance(mechanism, ExactMechanism):
        return ExactSampledMechanism(mechanism, rate, by, relation, size, delta)
    return SampledMechanism(mechanism, rate, by, relation, size, delta)


@dataclass(frozen=True)
class SampledMechanism(Mechanism):
    """A mechanism on a secret sample, drawn anew for each output: see `sampled`.

        P(output = y) = sum_S P(S is the sample) P(mechanism(S) = y)

    Each sample S is a part of the data. Errors as of `sampled`.
    """

    mechanism: Mechanism
    rate: float
    by: str = POISSON
    neighbors: Neighbors = ADD_REMOVE
    size: int | None = None
    delta: float = 1e-5

    def __post_init__(self):
        if not isinstance(self.mechanism, Mechanism):
            raise ValueError(f"mechanism must be a Mechanism, not {self.mechanism!r}")
        arguments.settle(self, arguments.number, "rate", above=0, most=1)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        arguments.one_of("by", self.by, (POISSON, WITHOUT_REPLACEMENT))
        for name, relation in (
            ("neighbors", self.neighbors),
            ("the neighbors of mechanism", self.mechanism.neighbors),
        ):
            arguments.one_of(name, relation, (ADD_REMOVE, REPLACE_ONE))
        if self.size is not None:
            arguments.settle(self, arguments.whole, "size", least=1)
        self._check_fit()
        self.worst_case  # noqa: B018  it raises ValueError where no loss is known

    def _check_fit(self) -> None:
        if self.by == POISSON and self.mechanism.neighbors != ADD_REMOVE:
            raise ValueError(
                "mechanism must have a guarantee for ADD_REMOVE, by neighbors=ADD_REMOVE: Poisson "
                "samples have different sizes. by='without replacement' takes one for REPLACE_ONE"
            )
        if self.by == POISSON and self.size is not None:
            raise ValueError(f"size must be None for Poisson samples, not {self.size}")
        secret_n = self.by == WITHOUT_REPLACEMENT and self.neighbors == ADD_REMOVE
        if secret_n and self.size is None:
            raise ValueError(
                "size must be given where neighbors is ADD_REMOVE: the size of the sample must not "
                "depend on the number of records. Or choose neighbors=REPLACE_ONE, or by='poisson'"
            )

    @cached_property
    def _inner_loss(self) -> PrivacyLoss:
        """The loss of the worst pair of `mechanism`, on data of one size if samples have one."""
        losses: Counter[PrivacyLoss] = Counter()
        for part, k in worst_cases([Release(self.mechanism)]):
            loss = worst_loss(part.to_pure() if isinstance(part, BoundedRange) else part)
            if loss is None:
                raise ValueError(
                    f"mechanism must state a loss, epsilon or (epsilon, delta), not only {part}"
                )
            losses[loss] += k
        total = total_loss(losses)
        replaced = self.by == WITHOUT_REPLACEMENT and self.mechanism.neighbors == ADD_REMOVE
        return replacement_loss(total) if replaced else total

    @property
    def least_records(self) -> int:
        """The least number of records that data may have: size / rate, or 0 without a size."""
        return 0 if self.size is None else math.ceil(self.size / self.rate * (1 - ROUNDING))

    @property
    def share(self) -> float:
        """The largest probability that the record that differs is in the sample."""
        if self.size is None:
            return self.rate
        return self.size / (self.least_records + (self.neighbors == ADD_REMOVE))

    @cached_property
    def worst_case(self) -> PrivacyLoss:
        """The loss of the module's table, for a removed record if neighbours add or remove one."""
        if self.neighbors == ADD_REMOVE:
            return poisson_sampled_loss(self._inner_loss, rate=self.share)
        kind = replacement_loss if self.by == POISSON else fixed_size_sampled_loss
        return kind(self._inner_loss, rate=self.share)

    @property
    def is_tight(self) -> bool:
        """True if some neighbours attain `worst_case`, in any number of releases.

        Otherwise it is an upper bound.
        """
        if not self.mechanism.is_tight or isinstance(self._inner_loss, DiscretizedLoss):
            return False
        if self.share == 1 or self.neighbors == ADD_REMOVE:
            return True
        return self.by == POISSON and has_exact_replacement(self._inner_loss, self.share)

    @property
    def guarantee(self) -> Guarantee:
        """epsilon-DP where the loss has a bound, otherwise (epsilon, delta)-DP.

        That delta is `share` times the delta of `mechanism`, if it guarantees (epsilon, delta)-DP.
        """
        directions = (self.worst_case, self.worst_case.reverse())
        if max(loss.largest for loss in directions) < np.inf:
            return PureDP(max(loss.largest for loss in directions))
        promise = self.mechanism.guarantee
        delta = self.share * promise.delta if isinstance(promise, ApproxDP) else self.delta
        return ApproxDP(max(loss.epsilon(delta) for loss in directions), delta)

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw a sample, and one output on it; ValueError for fewer than `least_records`."""
        data = records.sized("data", data)
        n = len(data)
        arguments.generator("rng", rng)
        if self.by == POISSON:
            rows = np.flatnonzero(rng.random(n) < self.rate)
        else:
            rows = rng.choice(n, self._count(n), replace=False)  # in random order
        return self.mechanism(_take(data, rows), rng)

    def _count(self, n: int) -> int:
        """Return how many of n records a sample without replacement has."""
        if n < self.least_records:
            raise ValueError(f"data must have at least {self.least_records} records")
        return math.floor(self.rate * n * (1 + ROUNDING)) if self.size is None else self.size


@dataclass(frozen=True)
class ExactSampledMechanism(SampledMechanism, ExactMechanism):
    """A mechanism with known finite distributions, on a secret sample: see `sampled`.

        P(output = y) = sum_S P(S is the sample) P(mechanism(S) = y)

    The sum has a term for each sample S of the data.
    """

    mechanism: ExactMechanism

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the output: a mixture over all samples.

        Raises ValueError for data that have more than 2^16 samples.
        """
        return _mix(
            (weight, self.mechanism.distribution(_take(data, rows)))
            for weight, rows in self._samples(len(data))
        )

    def _samples(self, n: int) -> Iterator[tuple[float, Sequence[int]]]:
        """Yield the probability and the places of each sample of n records."""
        if self.by == POISSON:
            _check_samples(2.0**n)
            for mask in product((False, True), repeat=n):
                m = sum(mask)
                yield self.rate**m * (1 - self.rate) ** (n - m), tuple(compress(range(n), mask))
        else:
            m = self._count(n)
            _check_samples(math.perm(n, m))
            yield from ((1 / math.perm(n, m), rows) for rows in permutations(range(n), m))


def _take(data: Any, rows: Sequence[int] | np.ndarray) -> Any:
    """Return these records, as an array, a list or a tuple like `data`."""
    if isinstance(data, np.ndarray):
        return data[np.asarray(rows, dtype=int)]
    records = [data[i] for i in rows]
    return records if isinstance(data, list) else tuple(records)


def _check_samples(count: float) -> None:
    if count > MAX_SAMPLES:
        raise ValueError(f"data must have fewer records: at most {MAX_SAMPLES:,} samples")


def _mix(weighted_distributions: Iterable[tuple[float, Distribution]]) -> Finite:
    """Return the mixture of finite distributions, from pairs of a weight and a distribution."""
    chances: dict[Hashable, float] = defaultdict(float)
    for weight, distribution in weighted_distributions:
        finite = enumerate_law(distribution)
        for outcome, chance in zip(finite.outcomes, finite.probabilities, strict=True):
            chances[outcome] += weight * float(chance)
    return Finite.of(chances)


__getattr__ = old_names(__name__, subsampled="amplify_by_sampling")
