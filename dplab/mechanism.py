"""The one idea: a mechanism is a map from a dataset to a distribution.

Privacy is then a distance between two distributions, `mechanism.distribution(x)` and
`mechanism.distribution(y)`; post-processing is a push-forward, composition a product.

Source: Dwork and Roth (2014), Proposition 2.1 and Theorem 3.16, for these two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import add
from typing import Any

import numpy as np

from dplab import arguments
from dplab.deprecated import OldName
from dplab.distributions import Distribution, Finite, Product, enumerate_law
from dplab.divergences import privacy_loss
from dplab.guarantees import BoundedRange, Guarantee, Kind, list_implied
from dplab.losses import PrivacyLoss
from dplab.neighbors import Neighbors


class Mechanism(ABC):
    """A map from a dataset to a random output, with a guarantee for a meaning of "neighbouring".

    A class states what it costs once, by `worst_case`, or by `guarantee` if no more is known. The
    guarantee, the price in a budget and the account of many releases follow from that. If the
    caller names the guarantee, as in `GaussianMechanism.for_epsilon`, the class may return it.
    """

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee for every pair of neighbours: the simplest that the worst case implies.

        It is epsilon-DP for a bounded loss or a bounded range, rho-zCDP for a loss without a bound,
        and a worst case that is another guarantee. Raises ValueError for a loss without a rho.
        """
        simplest = next(list_implied(self.worst_case), None)
        if simplest is None:
            raise ValueError("rho must be finite for a guarantee, not inf")
        return simplest.to_pure() if isinstance(simplest, BoundedRange) else simplest

    @property
    @abstractmethod
    def neighbors(self) -> Neighbors:
        """The relation that says which datasets are neighbours."""

    @abstractmethod
    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw one output on `data`."""

    @property
    def worst_case(self) -> PrivacyLoss | Guarantee:
        """A loss that dominates the losses of all neighbours, or a guarantee if none is known.

        Its delta is at least theirs at every epsilon, of either sign. If it isn't symmetric, it
        dominates only for the dataset with the record against the one without it, and its
        `reverse()` dominates the other way round. Two datasets that differ in another way, as in
        `REPLACE_ONE`, have no such direction. There it dominates both.
        """
        if type(self).guarantee is Mechanism.guarantee:
            raise TypeError(f"{type(self).__name__} must define worst_case or guarantee")
        return self.guarantee

    @property
    def is_tight(self) -> bool:
        """True if some neighbours have the loss `worst_case`, for a query as sensitive as stated.

        It is False for a mechanism that states only a guarantee, since no more is known of it.
        """
        return isinstance(self.worst_case, PrivacyLoss)

    @property
    def bounded_range(self) -> BoundedRange:
        """The largest difference between two privacy losses of one pair of neighbours.

        Raises ValueError where the worst case implies none.
        """
        return self.price_in(BoundedRange)

    def price_in(self, kind: type[Kind]) -> Kind:
        """Return what one release costs, as the best known guarantee of this kind.

        It is the guarantee itself if that is of this kind. Raises ValueError if the worst case
        implies no such guarantee.

        >>> from dplab import GaussianMechanism, ZCDP
        >>> GaussianMechanism(sum, sensitivity=1, sigma=1, epsilon=1).price_in(ZCDP)
        ZCDP(rho=0.5)
        """
        if isinstance(self.guarantee, kind):
            return self.guarantee
        for implied in list_implied(self.worst_case):
            if isinstance(implied, kind):
                return implied
        return self.guarantee.convert_to(kind)


class ExactMechanism(Mechanism):
    """A mechanism whose output has a known distribution on every dataset.

    Subclasses have `neighbors`, `guarantee` or `worst_case`, and define `distribution`. The rest
    follows.

    >>> from dplab import REPLACE_ONE, PureDP
    >>> class Coin(ExactMechanism):
    ...     guarantee, neighbors = PureDP(1.1), REPLACE_ONE
    ...     def distribution(self, data):
    ...         return Finite.of({0: 0.75, 1: 0.25} if data[0] == 0 else {0: 0.25, 1: 0.75})
    >>> round(Coin().privacy_loss([0], [1]).largest_log_ratio, 4)
    1.0986
    """

    @abstractmethod
    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of the output on `data`."""

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw one output on `data`."""
        return self.distribution(data).sample(rng)

    def privacy_loss(self, x: Any, y: Any) -> PrivacyLoss:
        """Return the privacy loss of the output on x against the output on y.

        Use its `.largest_log_ratio`, `.delta(epsilon)`, `.renyi(alpha)`,
        `.true_positive_rate(false_positive_rate)`.
        """
        return privacy_loss(self.distribution(x), self.distribution(y))

    def post_process(self, function: Callable[[Any], Any]) -> PostProcessed:
        """Return the mechanism that publishes function(output), which is never less private."""
        return PostProcessed(self, function)

    def compose(self, *others: ExactMechanism) -> Composed:
        """Return the mechanism that publishes all outputs, drawn independently: guarantees add.

        Outputs are one tuple: `a.compose(b, c)` and `a.compose(b).compose(c)` are the same.
        """
        return Composed(self, *others)

    then, beside = OldName("post_process"), OldName("compose")


class DerivedMechanism(Mechanism):
    """A mechanism whose output is computed from that of `mechanism`, and so costs no more."""

    mechanism: Mechanism
    is_tight = False  # some of the loss may be gone

    @property
    def guarantee(self) -> Guarantee:
        return self.mechanism.guarantee

    @property
    def worst_case(self) -> PrivacyLoss | Guarantee:
        return self.mechanism.worst_case

    @property
    def neighbors(self) -> Neighbors:
        return self.mechanism.neighbors

    def price_in(self, kind: type[Kind]) -> Kind:
        """Return the price of `mechanism`."""
        return self.mechanism.price_in(kind)


@dataclass(frozen=True)
class PostProcessed(DerivedMechanism, ExactMechanism):
    """function(M(x)): the push-forward of the distribution of M, which must be finite.

        P(output = z) = sum_y P(M(x) = y),   over all y with function(y) = z

    It is at least as private as M.
    """

    mechanism: ExactMechanism
    function: Callable[[Any], Any]

    def distribution(self, data: Any) -> Finite:
        return enumerate_law(self.mechanism.distribution(data)).map(self.function)

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        return self.function(self.mechanism(data, rng))


@dataclass(frozen=True, init=False)
class Composed(ExactMechanism):
    """(M1(x), ..., Mk(x)) with independent randomness: the product of the distributions.

        P(output = (y_1, ..., y_k)) = P(M1(x) = y_1) ... P(Mk(x) = y_k)

    The outputs of a part that is composed itself are in the same tuple, not in one of their own.
    Raises ValueError unless there is a part, and all guarantees are for the same neighbours.
    """

    parts: tuple[ExactMechanism, ...]

    def __init__(self, *mechanisms: ExactMechanism):
        mechanisms = arguments.instances("mechanisms", mechanisms, ExactMechanism)
        parts = chain.from_iterable(
            m.parts if isinstance(m, Composed) else (m,) for m in mechanisms
        )
        object.__setattr__(self, "parts", tuple(parts))
        for part in self.parts:
            if part.neighbors != self.neighbors:
                raise ValueError(
                    "mechanisms must have guarantees for the same neighbors as the first, "
                    f"{self.neighbors}, not {part.neighbors}"
                )

    @property
    def guarantee(self) -> Guarantee:
        return reduce(add, (part.guarantee for part in self.parts))

    @property
    def is_tight(self) -> bool:
        return all(part.is_tight for part in self.parts)

    def price_in(self, kind: type[Kind]) -> Kind:
        """Return the sum of the prices of all parts."""
        return reduce(add, (part.price_in(kind) for part in self.parts))

    @property
    def neighbors(self) -> Neighbors:
        return self.parts[0].neighbors

    def distribution(self, data: Any) -> Product:
        return Product(tuple(part.distribution(data) for part in self.parts))

    def __call__(self, data: Any, rng: np.random.Generator) -> tuple:
        return tuple(part(data, rng) for part in self.parts)
