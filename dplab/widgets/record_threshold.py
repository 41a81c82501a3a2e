"""Explorer: one threshold for all records against a threshold for each, from shadow models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.accounting import promised_trade_off
from dplab.attacks.membership_calibrated import (
    Calibration,
    Shadows,
    confidences,
    true_positive_rate_at,
)
from dplab.attacks.model_membership import advantage
from dplab.guarantees import ApproxDP
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, slider
from dplab.widgets.words import at_most, percent

PEOPLE, FEATURES, SHADOWS, TARGETS = 160, 80, 48, 16
STEPS, CLIP, DELTA = 40, 0.2, 1e-5
RATE, PRIVATE_RATE = 600.0, 40.0  # rates of learning; with noise, large steps only stray
EPSILONS = {"no privacy": np.inf, "ε = 8": 8.0, "ε = 1": 1.0}
FALSE_RATES = np.logspace(-3, 0, 40)
BINS = 20
EDGES = np.linspace(-8, 12, BINS + 1)  # the edges of the histogram of scores
HEIGHTS = (11, 16, SHADOWS)  # of the frame round it, in models
LEAST_SHARE = 1e-9  # the least drawn share of accused members, because 0 has no logarithm


@dataclass(frozen=True, eq=False)
class ThresholdView:
    """The scores of one record in and out, and the results of both attacks at FALSE_RATES.

    `inside` and `outside` are the scores of shadow models. `one` and `own` are the shares of
    accused members with one threshold and with a threshold for each record. `limit` is the largest
    share that the guarantee allows. `advantages` are those of both attacks.
    """

    person: int
    epsilon: float
    inside: np.ndarray
    outside: np.ndarray
    one: np.ndarray
    own: np.ndarray
    limit: np.ndarray
    advantages: tuple[float, float]


def people(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw features and labels: rows of lengths from 0.05 to 1, the shortest first.

    The label mostly follows the first feature, so that there is something to learn. The longer a
    row, the more it can pull, and the better a model can remember its label.
    """
    x = rng.normal(size=(PEOPLE, FEATURES))
    x *= np.linspace(0.05, 1, PEOPLE)[:, None] / np.linalg.norm(x, axis=1, keepdims=True)
    labels = np.where(x[:, 0] + 0.05 * rng.normal(size=PEOPLE) > 0, 1.0, -1.0)
    return x, labels


def train_all(
    members: np.ndarray, x: np.ndarray, labels: np.ndarray, noise: float, rng: np.random.Generator
) -> np.ndarray:
    """Train a logistic model for each row of `members` at once; models of shape (k, FEATURES).

    Each step sums the clipped gradients of the members, adds noise of so many clips and divides by
    a public number, a half of PEOPLE.
    """
    models = np.zeros((len(members), FEATURES))
    rate = PRIVATE_RATE if noise else RATE
    lengths = np.linalg.norm(x, axis=1)
    for _ in range(STEPS):
        slopes = -labels / (1 + np.exp(np.minimum(labels * (models @ x.T), 500)))
        slopes /= np.maximum(1, np.abs(slopes) * lengths / CLIP)
        noisy = (members * slopes) @ x + noise * CLIP * rng.normal(size=models.shape)
        models = models - rate / (PEOPLE / 2) * noisy
    return models


def noise_for(epsilon: float) -> float:
    """Return the noise in clips with which all STEPS are (epsilon, DELTA)-DP for one member."""
    if epsilon == np.inf:
        return 0.0
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=DELTA)
    return float(np.sqrt(STEPS) * sigma)


@lru_cache(maxsize=32)
def shadows(epsilon: float, seed: int, presses: int) -> Shadows:
    """Train shadow models and targets; the last TARGETS rows are those of the targets."""
    rng = np.random.default_rng([seed, presses])
    x, labels = people(rng)
    half = rng.random(((SHADOWS + TARGETS) // 2, PEOPLE)) < 0.5
    members = np.stack([half, ~half], axis=1).reshape(-1, PEOPLE)
    models = train_all(members, x, labels, noise_for(epsilon), rng)
    return Shadows(members, confidences(np.logaddexp(0, -labels * (models @ x.T))))


@lru_cache(maxsize=32)
def attack(epsilon: float, seed: int, presses: int) -> tuple:
    """Return shares of accused members by both attacks at FALSE_RATES, and both advantages."""
    models, targets = shadows(epsilon, seed, presses).split(TARGETS)
    results = []
    for scores in (targets.scores, Calibration.of(models).log_ratios(targets.scores)):
        sides = scores[targets.members], scores[~targets.members]
        shares = np.array([true_positive_rate_at(rate, *sides) for rate in FALSE_RATES])
        results.append((shares, advantage(*sides)))
    return tuple(results)


class RecordThreshold(Explorer):
    """Scores of one record in and out of the training data, and the power of two attacks."""

    size = (9.0, 4.0)
    seed = 19

    def make_controls(self) -> Controls:
        return {
            "person": slider("Person", 140, 1, PEOPLE, 1),
            "privacy": choice("Training", np.inf, list(EPSILONS.items())),
            "again": Again("Other people, other models"),
        }

    def compute(self, person: int, privacy: float, again: int) -> ThresholdView:
        models, _ = shadows(privacy, self.seed, again).split(TARGETS)
        (one, first), (own, second) = attack(privacy, self.seed, again)
        is_member, scores = models.members[:, person - 1], models.scores[:, person - 1]
        limit = np.ones_like(FALSE_RATES)
        if np.isfinite(privacy):
            limit = 1 - promised_trade_off(ApproxDP(privacy, DELTA), FALSE_RATES)
        sides = scores[is_member], scores[~is_member]
        return ThresholdView(person, privacy, *sides, one, own, limit, (first, second))

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.075, right=0.96, bottom=0.25, top=0.91, wspace=0.27)
        left_ax.set(title="This person's score, by model", xlabel="score: log of p over 1 − p")
        left_ax.set(xlim=(-8, 12), ylabel="models")
        self.left_ax = left_ax
        left_ax.set_xticks(range(-8, 13, 4))
        start = np.zeros(BINS)
        self.bars = left_ax.bar(EDGES[:-1], start, EDGES[1] - EDGES[0], align="edge")
        self.outline = left_ax.step(EDGES, [*start, 0], where="post", color=style.ORANGE)[0]
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17)}
        names = ["trained with this person", "trained without"]
        left_ax.legend([self.bars, self.outline], names, ncols=2, columnspacing=1, **place)
        right_ax.set(title="Members accused, by outsiders accused", xscale="log", yscale="log")
        right_ax.set(xlim=(0.001, 1), ylim=(0.001, 1.1), xlabel="share of outsiders accused")
        for axis in (right_ax.xaxis, right_ax.yaxis):
            axis.set_ticks([0.001, 0.01, 0.1, 1], labels=["0.1%", "1%", "10%", "100%"])
            axis.set_ticks([], minor=True)
        lines = (
            ("one threshold for all", style.RED, "--"),
            ("a threshold for each", style.BLUE, "-"),
            ("limit of the promise", style.INK, ":"),
        )
        self.lines = [
            right_ax.plot(FALSE_RATES, FALSE_RATES, color=colour, linestyle=dashes, label=name)[0]
            for name, colour, dashes in lines
        ]
        right_ax.plot([0.001, 1], [0.001, 1], color=style.GREY, linewidth=0.8, label="guessing")
        right_ax.legend(ncols=2, columnspacing=1, **place)
        return [*self.bars, self.outline, *self.lines]

    def move(self, view: ThresholdView) -> None:
        inside, outside = (
            np.histogram(np.clip(scores, EDGES[0], EDGES[-1]), EDGES)[0]
            for scores in (view.inside, view.outside)
        )
        self.left_ax.set_ylim(0, next(h for h in HEIGHTS if h > max(*inside, *outside)))
        for bar, height in zip(self.bars, inside, strict=True):
            bar.set_height(height)
        self.outline.set_ydata([*outside, outside[-1]])
        for line, shares in zip(self.lines, (view.one, view.own, view.limit), strict=True):
            line.set_ydata(np.maximum(shares, LEAST_SHARE))

    def describe(self, view: ThresholdView) -> str:
        place = int(np.argmin(np.abs(FALSE_RATES - 0.01)))
        one, own = (percent(float(shares[place])) for shares in (view.one, view.own))
        change = round(float(view.inside.mean() - view.outside.mean()), 1)
        effect = f"{'raises' if change >= 0 else 'lowers'} the score by {abs(change):.1f}"
        promise = ""
        if np.isfinite(view.epsilon):
            promise = (
                f" The promise allows no more than {percent(float(view.limit[place]))}: a 50% "
                f"guess becomes {at_most(view.epsilon)}."
            )
        return (
            f"With 1% of the outsiders accused, one threshold for all finds {one} of the members, "
            f"a threshold for each {own}.{promise} Training with person {view.person} {effect}."
        )
