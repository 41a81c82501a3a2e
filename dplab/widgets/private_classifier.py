"""Explorer: a model of two features, trained privately fifteen times in three ways."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from dplab.data import breast_cancer
from dplab.learning.gradient_descent import NoisyGradientDescent
from dplab.learning.objective_perturbation import ObjectivePerturbation
from dplab.learning.risk import LOGISTIC, RegularizedRisk
from dplab.mechanisms.laplace import SphericalLaplaceMechanism
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider
from dplab.widgets.words import at_most

SIZE, TEXTURE = 20, 21  # the largest radius and the largest texture of a tumour's cells
MODELS, DRAWN, STEPS, RATE, DELTA = 15, 7, 30, 40.0, 1e-5  # DRAWN: models with a line
METHODS = ("output", "objective", "gradient")
PLACES = dict(
    zip(METHODS, ("on the finished model", "on what is minimised", "on every step"), strict=True)
)
COLOURS = (style.RED, style.ORANGE, style.BLUE)


@cache
def tumours() -> np.ndarray:
    """Return two features, a constant and the label: shape (569, 4), rows shorter than 1."""
    return breast_cancer()[:, [SIZE, TEXTURE, -2, -1]]


def accuracies(models: np.ndarray) -> np.ndarray:
    """Return the share of tumours that each model, a row of shape (3,), classifies correctly."""
    records = tumours()
    return (np.sign(records[:, :-1] @ models.T) == records[:, -1:]).mean(axis=0)


def boundary(model: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two far points of the line <model, (x, y, 0.3)> = 0."""
    normal, length = model[:2], float(np.hypot(*model[:2]))
    middle = -0.3 * model[2] * normal / length**2
    along = np.array([-normal[1], normal[0]]) * 3 / length
    return tuple(np.stack([middle - along, middle + along], axis=1))


@dataclass(frozen=True, eq=False)
class ClassifierView:
    """Models of shape (15, 3) by each of METHODS; None if the method refuses."""

    method: str
    epsilon: float
    plain: np.ndarray
    models: dict[str, np.ndarray | None]

    @property
    def drawn_models(self) -> np.ndarray | None:
        """The models whose lines are drawn: the first ones of the chosen method."""
        models = self.models[self.method]
        return None if models is None else models[:DRAWN]

    @property
    def shares(self) -> dict[str, np.ndarray]:
        """The share of tumours that each model classifies correctly; empty if refused."""
        return {
            name: np.array([]) if models is None else accuracies(models)
            for name, models in self.models.items()
        }


@lru_cache(maxsize=128)
def train_models(
    method: str, epsilon: float, regularizer: float, clip: float, seed: int
) -> np.ndarray | None:
    """Train fifteen models by one method, (15, 3); None if its proof doesn't allow it."""
    rng, records = np.random.default_rng([seed, METHODS.index(method)]), tumours()
    risk = RegularizedRisk(LOGISTIC, len(records), regularizer)
    if method == "output":
        release = SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, epsilon)
        return release.distribution(records).sample(rng, MODELS)
    if method == "objective":
        try:
            return ObjectivePerturbation(risk, epsilon).distribution(records).sample(rng, MODELS)
        except ValueError:  # the regulariser leaves no epsilon for the noise
            return None
    descent = calibrate_descent(epsilon, clip)
    return np.array([descent(records, rng) for _ in range(MODELS)])


@lru_cache(maxsize=128)
def calibrate_descent(epsilon: float, clip: float) -> NoisyGradientDescent:
    """Calibrate the third method for these tumours, at DELTA."""
    n = len(tumours())
    return NoisyGradientDescent.for_epsilon(
        LOGISTIC, n, epsilon=epsilon, clip=clip, steps=STEPS, learning_rate=RATE, delta=DELTA
    )


class PrivateClassifier(Explorer):
    """Lines between benign and malignant tumours, with noise of three kinds."""

    seed = 18

    def make_controls(self) -> Controls:
        return {
            "method": choice("Lines of", "output", [(name, name) for name in METHODS]),
            "epsilon": log_slider("ε", 1.0, 0.1, 10),
            "regularizer": log_slider("Regulariser λ", 0.004, 0.001, 1),
            "clip": log_slider("Clip gradients at", 0.2, 0.02, 1),
            "again": Again("New noise"),
        }

    def link(self, name: str) -> None:
        if name == "clip":  # show the method that clips
            self.controls["method"].value = "gradient"

    def compute(
        self, method: str, epsilon: float, regularizer: float, clip: float, again: int
    ) -> ClassifierView:
        plain = RegularizedRisk(LOGISTIC, len(tumours()), regularizer).minimizer(tumours())
        settings = (epsilon, regularizer, clip, self.seed + again)
        models = {name: train_models(name, *settings) for name in METHODS}
        return ClassifierView(method, epsilon, plain, models)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.1, 1))
        self.figure.subplots_adjust(left=0.08, right=0.98, bottom=0.14, top=0.86, wspace=0.25)
        records = tumours()
        for label, marker, name in ((-1, ".", "benign"), (1, "x", "malignant")):
            x, y, _ = records[records[:, -1] == label, :-1].T
            left_ax.plot(x, y, marker, color=style.GREY, markersize=4, alpha=0.6, label=name)
        left_ax.set_title(f"569 tumours, {DRAWN} private models in colour", pad=22)
        left_ax.set(xlim=(-0.2, 0.6), ylim=(-0.15, 0.7), xlabel="size", ylabel="texture")
        place = {"loc": "lower left", "bbox_to_anchor": (-0.02, 1.0), "borderaxespad": 0}
        self.lines = [left_ax.plot([0], [0], linewidth=1.2, alpha=0.7)[0] for _ in range(DRAWN)]
        self.plain = left_ax.plot([0], [0], color=style.INK, linewidth=2)[0]
        self.plain.set_label("model without privacy")
        left_ax.legend(ncols=3, fontsize="small", handletextpad=0.4, columnspacing=1, **place)
        right_ax.set(title=f"Accuracy of {MODELS} models each", ylim=(2.6, -0.6))
        self.right_ax = right_ax
        right_ax.set_yticks(range(3), labels=METHODS)
        right_ax.set_xlabel("share of the tumours")
        self.dots = [
            right_ax.plot([0], [0], "o", color=colour, markersize=4, alpha=0.5)[0]
            for colour in COLOURS
        ]
        self.rule = right_ax.axvline(0.5, color=style.INK, linewidth=1)
        return [*self.lines, self.plain, *self.dots, self.rule]

    def move(self, view: ClassifierView) -> None:
        colour = COLOURS[METHODS.index(view.method)]
        for i, line in enumerate(self.lines):
            line.set_visible(view.drawn_models is not None)
            line.set_color(colour)
            if view.drawn_models is not None:
                line.set_data(*boundary(view.drawn_models[i]))
        self.plain.set_data(*boundary(view.plain))
        least = min(shares.min(initial=0.8) for shares in view.shares.values())
        self.right_ax.set_xlim(max(0.0, np.floor(10 * least - 0.2) / 10), 1)
        for place, (dots, shares) in enumerate(zip(self.dots, view.shares.values(), strict=True)):
            dots.set_data(shares, place + np.linspace(-0.2, 0.2, len(shares)))
        self.rule.set_xdata([accuracies(view.plain[None])[0]] * 2)

    def describe(self, view: ClassifierView) -> str:
        shares, plain = view.shares[view.method], accuracies(view.plain[None])[0]
        result = (
            f"the models are right for {shares.mean():.0%} of the tumours, "
            f"without noise for {plain:.0%}"
            if shares.size
            else "the method is refused, for λ leaves nothing of ε"
        )
        return (
            f"With noise {PLACES[view.method]} {result}. "
            f"A 50% guess becomes {at_most(view.epsilon)}."
        )
