"""Explorer: the largest error of k answers, for five ways to spend one budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from matplotlib.ticker import PercentFormatter

from dplab.accounting import rho_for
from dplab.guarantees import ZCDP, ApproxDP
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.neighbors import REPLACE_ONE
from dplab.queries import MWEM, MarginalQueries, nearest_table, table_sensitivity
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider
from dplab.widgets.words import at_most, percent

BITS = 8
CELLS = 2**BITS
KS = (4, 10, 25, 65, 170, 448)
DELTA = 1e-6
ROUNDS, REPLAYS, STEPS = 10, 4, 40
METHODS = ("Laplace", "normal", "noisy table", "projection", "weights")
WAYS = dict(
    zip(METHODS, ("Laplace noise", "normal noise", "a noisy table", *METHODS[3:]), strict=True)
)
COLOURS = (style.RED, style.ORANGE, style.GREY, style.GREEN, style.BLUE)
MARKERS = ("o", "s", "^", "D", "v")
LIMITS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 1.25)  # of the left axis
ROOM = 1.25  # the least axis in units of the longest bar, so that its number is beside it
PEOPLE = (250, 500, 1000, 2000, 5000, 10_000)


@cache
def questions() -> np.ndarray:
    """Return all 448 cells of the three-way marginals on eight bits, in a random order."""
    queries = np.asarray(MarginalQueries((2,) * BITS, 3)).astype(float)
    return queries[np.random.default_rng(17).permutation(len(queries))]


@cache
def count_moved_answers(k: int) -> float:
    """Return how many of the first k answers one person changes at most, by 1 each.

    There may be fewer than k: a person leaves one of the eight cells of a marginal, and enters one.
    """
    return table_sensitivity(questions()[:k], neighbors=REPLACE_ONE)


@lru_cache(maxsize=16)
def town(n: int) -> np.ndarray:
    """Draw n people of three kinds; each kind has its own chances of eight yes-or-no answers."""
    rng = np.random.default_rng(n)
    likely = np.random.default_rng(3).uniform(0.1, 0.9, size=(3, BITS))
    answers = rng.random((n, BITS)) < likely[rng.integers(3, size=n)]
    return answers @ (1 << np.arange(BITS)[::-1])


@lru_cache(maxsize=32)
def allowed_rho(epsilon: float) -> ZCDP:
    """Return the rho that (epsilon, DELTA) allows the weights to spend, for all of KS."""
    return rho_for(ApproxDP(epsilon, DELTA))


@dataclass(frozen=True, eq=False)
class QueriesView:
    """The largest error of k answers, as a share of the people, for each method and each of KS."""

    n: int
    k: int
    epsilon: float
    errors: dict[str, np.ndarray]

    @property
    def here(self) -> dict[str, float]:
        """The errors at this k."""
        return {name: float(row[KS.index(self.k)]) for name, row in self.errors.items()}

    @property
    def best(self) -> str:
        """The method with the least error at this k."""
        return min(self.here, key=self.here.__getitem__)


@lru_cache(maxsize=128)
def largest_errors(n: int, k: int, epsilon: float, seed: int) -> tuple[float, ...]:
    """Release once by each of METHODS, and return the largest of k errors, as shares of n."""
    rng, queries = np.random.default_rng([seed, n, k]), questions()[:k]
    counts = np.bincount(town(n), minlength=CELLS)
    truth = queries @ counts
    sigma = analytic_sigma(
        sensitivity=np.sqrt(count_moved_answers(k)), epsilon=epsilon, delta=DELTA
    )
    normal = truth + sigma * rng.normal(size=k)
    learner = MWEM(queries, n, ROUNDS, allowed_rho(epsilon), REPLAYS)
    answers = (
        truth + count_moved_answers(k) / epsilon * rng.laplace(size=k),
        normal,
        queries @ (counts + 2 / epsilon * rng.laplace(size=CELLS)),
        queries @ nearest_table(queries, normal, n, steps=STEPS),
        queries @ learner(town(n), rng),
    )
    return tuple(float(abs(values - truth).max()) / n for values in answers)


class ManyQueries(Explorer):
    """One budget for four questions, or for hundreds."""

    seed = 17

    def make_controls(self) -> Controls:
        return {
            "k": choice("Questions k", 65, [(str(k), k) for k in KS]),
            "n": choice("People n", 1000, [(f"{n:,}", n) for n in PEOPLE]),
            "epsilon": log_slider("ε", 1.0, 0.1, 10),
            "again": Again("New noise"),
        }

    def compute(self, k: int, n: int, epsilon: float, again: int) -> QueriesView:
        table = np.array([largest_errors(n, each, epsilon, self.seed + again) for each in KS])
        return QueriesView(n, k, epsilon, dict(zip(METHODS, table.T, strict=True)))

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.4))
        self.figure.subplots_adjust(left=0.1, right=0.98, bottom=0.26, top=0.91, wspace=0.2)
        left_ax.set(title="Worst error, as a share of the people", ylim=(4.6, -0.6))
        left_ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        self.left_ax = left_ax
        left_ax.set_yticks(range(5), labels=METHODS)
        self.bars = left_ax.barh(range(5), [0.1] * 5, color=COLOURS)
        self.numbers = [left_ax.text(0, i, "", va="center", color=style.INK) for i in range(5)]
        right_ax.set(title="For more questions", xlabel="questions k", xscale="log", yscale="log")
        right_ax.set_xlim(3.6, 500)
        right_ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:,g}%")
        self.right_ax = right_ax
        style.plain_ticks(right_ax.xaxis, list(KS))
        everybody = right_ax.axhline(1, color=style.GREY, linewidth=1, linestyle=":")
        everybody.set_label("all people")
        self.lines = [
            right_ax.plot([1], [1], marker=marker, color=colour, label=name)[0]
            for name, colour, marker in zip(METHODS, COLOURS, MARKERS, strict=True)
        ]
        self.rule = right_ax.axvline(1, color=style.INK, linewidth=1)
        right_ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.17), ncols=3, columnspacing=1)
        return [*self.bars, *self.numbers, self.rule, *self.lines]

    def move(self, view: QueriesView) -> None:
        largest = min(1.0, max(view.here.values()))
        limit = next(limit for limit in LIMITS if ROOM * largest <= limit)
        self.left_ax.set_xlim(0, limit)
        for bar, number, error in zip(self.bars, self.numbers, view.here.values(), strict=True):
            bar.set_width(min(error, 1.0))
            number.set_text(percent(error))
            number.set_x(min(error, 1.0) + 0.02 * limit)
        every = np.concatenate(list(view.errors.values()))
        self.right_ax.set_ylim(
            10 ** np.floor(np.log10(every.min())), 1.3 * 10 ** np.ceil(np.log10(every.max()))
        )
        for line, name in zip(self.lines, METHODS, strict=True):
            line.set_data(KS, view.errors[name])
        self.rule.set_xdata([view.k] * 2)

    def describe(self, view: QueriesView) -> str:
        here, best = view.here, view.best
        first = f"{percent(here['Laplace'])} of the people with Laplace noise"
        second = (
            "the best way here" if best == "Laplace" else f"{percent(here[best])} with {WAYS[best]}"
        )
        return (
            f"The worst of {view.k} answers is off by {first}, {second}. "
            f"A 50% guess becomes {at_most(view.epsilon)}."
        )
