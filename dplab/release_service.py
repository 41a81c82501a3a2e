"""A town hall that answers with noise, for an audit: five mistakes can be switched on.

The service holds a table of people, with numbers in every column. It answers counts, sums and
models through a Curator, which charges the price that each answer *should* have. Each of BUGS makes
one kind of answer cost more than that:

- "float leak": a total gets Laplace noise in floats, whose last bits tell the total (lesson 8);
- "data-dependent bound": a total's noise fits the range of the data, not the requested range;
- "reused noise": every count gets the same noise, so that differences of counts are exact;
- "unsplit budget": many counts at once get the noise of one;
- "clipping by batch": a model's gradients are clipped after they were added up (lesson 19).

Without bugs every answer costs its price and no more, for replace-one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.budget import Budget
from dplab.guarantees import Guarantee
from dplab.interaction import Curator
from dplab.learning.gradient_descent import NoisyGradientDescent
from dplab.learning.risk import LOGISTIC, clip_rows
from dplab.mechanism import Mechanism
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import Neighbors
from dplab.sampling.rational import rational

BUGS = (
    "float leak",
    "data-dependent bound",
    "reused noise",
    "unsplit budget",
    "clipping by batch",
)
GRID = Fraction(1, 1024)  # totals are published as multiples of it
DESCENT: dict[str, Any] = {"clip": 0.5, "steps": 20, "learning_rate": 4.0, "delta": 1e-6}

Range = tuple[int, float, float]  # a column, and the least and the largest value that count


class ReleaseService:
    """Answers about `people`, floats of shape (n, columns), as long as the budget pays.

    `bugs` are some of BUGS. Raises ValueError for other names, and for `people` of another shape.
    Answers raise ValueError for a missing column, BudgetExceeded where the budget can't pay.

    >>> from dplab import PureDP
    >>> people = np.array([[30.0, 1], [40.0, -1], [50.0, 1]])
    >>> hall = ReleaseService(people, Budget(PureDP(1.0)), np.random.default_rng())
    >>> noisy = hall.count((0, 35, 60), epsilon=0.25)
    >>> hall.curator.budget.remaining
    PureDP(epsilon=0.75)
    """

    def __init__(
        self,
        people: Any,
        budget: Budget,
        rng: np.random.Generator,
        *,
        bugs: Collection[str] = (),
    ) -> None:
        for bug in arguments.sequence("bugs", bugs, may_be_empty=True):
            arguments.one_of("each of bugs", bug, BUGS)
        arguments.instance("budget", budget, Budget)
        arguments.generator("rng", rng)
        people = records.reals("people", people)
        if people.ndim != 2:
            raise ValueError("people must be of shape (n, columns)")
        self.bugs = frozenset(arguments.one_of("bugs", bug, BUGS) for bug in bugs)
        self.curator = Curator(people, budget, rng)
        self._n, self._columns = people.shape
        self._seed = int(rng.integers(2**62))  # the seed of the noise that "reused noise" repeats

    def count(self, column_range: Range, *, epsilon: float) -> int:
        """Count the people with a value in the range, ends included; noise of scale 1 / epsilon."""
        counter = GeometricMechanism(
            self._counting(column_range), Fraction(1), rational("epsilon", epsilon, above=0)
        )
        reused = "reused noise" in self.bugs
        return self.curator.ask(SameNoise(counter, self._seed) if reused else counter)

    def counts(self, ranges: Sequence[Range], *, epsilon: float) -> np.ndarray:
        """Count k ranges at once, shape (k,); each count has noise of scale k / epsilon.

        Raises ValueError for no ranges.
        """
        counting = [self._counting(interval) for interval in ranges]
        if not counting:
            raise ValueError("ranges must not be empty")
        counter = GeometricMechanism(
            lambda people: np.array([count(people) for count in counting]),
            Fraction(len(ranges)),
            rational("epsilon", epsilon, above=0),
        )
        unsplit = "unsplit budget" in self.bugs
        return self.curator.ask(Unsplit(counter) if unsplit else counter)

    def total(self, column_range: Range, *, epsilon: float) -> float:
        """Add up a column, clipped to the range, on GRID; noise of scale width / epsilon.

        The ends of the range are whole numbers, up to 10^9 in size, or ValueError.
        """
        column = self._range(column_range)[0]
        low = arguments.whole("low", column_range[1], least=-(10**9))
        high = arguments.whole("high", column_range[2], least=low + 1, most=10**9)
        total = Total(column, low, high, epsilon, "float leak" in self.bugs)
        narrow = "data-dependent bound" in self.bugs
        return self.curator.ask(AsWideAsTheData(total) if narrow else total.mechanism)

    def model(self, *, epsilon: float) -> np.ndarray:
        """Train a logistic model of the last column, 1 or -1: noisy gradient descent."""
        kind = ClippedByBatch if "clipping by batch" in self.bugs else NoisyGradientDescent
        return self.curator.ask(kind.for_epsilon(LOGISTIC, self._n, epsilon=epsilon, **DESCENT))

    def _counting(self, column_range: Range) -> Callable[[np.ndarray], int]:
        column, low, high = self._range(column_range)
        return lambda people: int(np.sum((people[:, column] >= low) & (people[:, column] <= high)))

    def _range(self, column_range: Range) -> Range:
        column, low, high = column_range
        column = arguments.whole("column", column, least=0, most=self._columns - 1)
        return column, arguments.number("low", low), arguments.number("high", high)


@dataclass(frozen=True)
class Total:
    """A query for a total, and whether its noise is drawn in floats.

    Raises ValueError for other arguments.
    """

    column: int
    low: float
    high: float
    epsilon: float
    in_floats: bool

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "column", least=0)
        arguments.settle(self, arguments.number, "low", "high")
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.flag, "in_floats")

    def sum(self, people: np.ndarray) -> Fraction:
        """Add up each value's nearest multiple of GRID in the range."""
        steps = np.rint(np.clip(people[:, self.column], self.low, self.high) / float(GRID))
        high, low = np.divmod(steps.astype(np.int64), 1 << 20)  # two parts, whose sums are exact
        return Fraction((int(high.sum()) << 20) + int(low.sum())) * GRID

    @property
    def mechanism(self) -> Mechanism:
        """The sum plus noise: replacing a person moves the sum by at most the range's width."""
        width = Fraction(self.high) - Fraction(self.low)
        if self.in_floats:
            return LaplaceMechanism(
                lambda people: float(self.sum(people)), float(width), self.epsilon
            )
        return GeometricMechanism(self.sum, width, rational("epsilon", self.epsilon, above=0), GRID)


class Broken(Mechanism):
    """A mechanism that states the guarantee of another mechanism and does not keep it."""

    def __init__(self, mechanism: Mechanism):
        self._mechanism = mechanism

    @property
    def guarantee(self) -> Guarantee:
        return self._mechanism.guarantee

    @property
    def neighbors(self) -> Neighbors:
        return self._mechanism.neighbors


class SameNoise(Broken):
    """A mechanism that draws every answer from the same seed.

    Raises ValueError for other arguments.
    """

    def __init__(self, mechanism: Mechanism, seed: int):
        arguments.instance("mechanism", mechanism, Mechanism)
        seed = arguments.whole("seed", seed, least=0)
        super().__init__(mechanism)
        self._seed = seed

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        arguments.generator("rng", rng)
        return self._mechanism(data, np.random.default_rng(self._seed))


class AsWideAsTheData(Broken):
    """A total with noise for the range that the values have, not that they may have.

    Raises ValueError for other arguments.
    """

    def __init__(self, total: Total):
        arguments.instance("total", total, Total)
        super().__init__(total.mechanism)
        self._total = total

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        values = np.clip(data[:, self._total.column], self._total.low, self._total.high)
        low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
        narrow = replace(self._total, low=low, high=max(high, low + float(GRID)))
        return narrow.mechanism(data, rng)


class Unsplit(Broken):
    """Many counts, each with the noise of one.

    Raises ValueError for other arguments.
    """

    def __init__(self, mechanism: GeometricMechanism):
        arguments.instance("mechanism", mechanism, GeometricMechanism)
        super().__init__(mechanism)
        self._one = replace(mechanism, sensitivity=Fraction(1))

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        return self._one(data, rng)


class ClippedByBatch(NoisyGradientDescent):
    """Descent that clips the sum of a batch instead of each record's gradient."""

    def _sum_clipped(self, x: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        return clip_rows((x.T @ slopes)[None], self.clip * self.batch_size)[0]
