"""Explorer: what a secret batch is worth, in one step of training and in many."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, logsumexp

from dplab.guarantees import RenyiDP
from dplab.losses import GaussianLoss, PrivacyLoss, poisson_sampled_loss
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider
from dplab.widgets.words import count, rough

DELTA = 1e-5
WIDTH, BINS = 3.0, 61  # of the histogram; BINS is odd, so that 0 is in the middle of a bin
EDGES = np.linspace(-WIDTH, WIDTH, BINS + 1)
MIDDLES = (EDGES[1:] + EDGES[:-1]) / 2
STEPS = np.unique(np.round(np.logspace(0, 3, 25)).astype(int))
ORDERS = np.unique(np.round(np.logspace(np.log10(2), 3, 40)).astype(int))
LEAST, MOST = 0.01, 100.0  # epsilons of the frame
LINES = (  # name, colour, dashes
    ("everybody in each step", style.GREY, "-"),
    ("batches in a known order", style.RED, "--"),
    ("secret batches", style.BLUE, "-."),
)


def step_moments(noise: float, rate: float) -> np.ndarray:
    """Compute the Renyi divergences at ORDERS of a normal step on a Poisson sample.

    The sums over j = 0..alpha are those of Mironov, Talwar and Zhang (2019), for whole orders. They
    bound both directions.
    """
    if rate == 1:
        return ORDERS / (2 * noise**2)
    divergences = []
    for alpha in ORDERS:
        j = np.arange(alpha + 1)
        logs = gammaln(alpha + 1) - gammaln(j + 1) - gammaln(alpha - j + 1)
        logs += (alpha - j) * np.log1p(-rate) + j * np.log(rate) + j * (j - 1) / (2 * noise**2)
        divergences.append(max(0.0, logsumexp(logs)) / (alpha - 1))
    return np.array(divergences)


@lru_cache(maxsize=256)
def secret_epsilons(noise: float, rate: float) -> tuple[float, ...]:
    """Return a bound on epsilon at DELTA after each number of STEPS with secret batches."""
    moments = step_moments(noise, rate)
    return tuple(_find_least_epsilon(moments * steps) for steps in STEPS)


def _find_least_epsilon(moments: np.ndarray) -> float:
    pairs = zip(ORDERS, moments, strict=True)
    return min(RenyiDP(float(order), float(d)).to_approx(DELTA).epsilon for order, d in pairs)


@dataclass(frozen=True, eq=False)
class BatchView:
    """The masses of a step's loss with everybody and on a sample, and epsilons at STEPS.

    `epsilons` has a row for each of LINES; `here` are the epsilons at the chosen number of steps.
    """

    everybody: np.ndarray
    sampled: np.ndarray
    epsilons: np.ndarray
    here: np.ndarray


def masses(loss: PrivacyLoss) -> np.ndarray:
    """Return the probability of each bin; the outermost ones include all beyond."""
    tails = np.asarray(loss.tails(EDGES)[0], dtype=float)
    bin_masses = -np.diff(tails)
    bin_masses[0] += 1 - tails[0]
    bin_masses[-1] += tails[-1]
    return bin_masses


@lru_cache(maxsize=1024)
def normal_epsilon(noise: float, uses: int) -> float:
    """Return the exact epsilon at DELTA of so many normal steps with everybody."""
    return GaussianLoss(float(np.sqrt(uses)) / noise).epsilon(DELTA)


def batch_view(noise: float, rate: float, steps: int) -> BatchView:
    """Compute the view."""
    step = GaussianLoss(1 / noise)
    every = np.array([normal_epsilon(noise, int(k)) for k in STEPS])
    ordered = np.array([normal_epsilon(noise, int(np.ceil(k * rate - 1e-9))) for k in STEPS])
    secret = np.minimum(every, secret_epsilons(noise, rate))
    here = [
        normal_epsilon(noise, steps),
        normal_epsilon(noise, int(np.ceil(steps * rate - 1e-9))),
        min(normal_epsilon(noise, steps), _find_least_epsilon(steps * step_moments(noise, rate))),
    ]
    sampled = masses(poisson_sampled_loss(step, rate=rate))
    return BatchView(masses(step), sampled, np.array([every, ordered, secret]), np.array(here))


class SecretBatch(Explorer):
    """The loss of a step with everybody and on a secret sample, and epsilon after many steps."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "noise": log_slider("Noise, in clips", 2.0, 0.8, 20),
            "rate": log_slider("Share in a batch q", 0.1, 0.01, 1),
            "steps": log_slider("Steps", 100, 1, 1000),
        }

    compute = staticmethod(batch_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.075, right=0.96, bottom=0.25, top=0.91, wspace=0.27)
        left_ax.set(title="Privacy loss of one step", xlabel="privacy loss z (in nats)")
        left_ax.set(xlim=(-WIDTH, WIDTH), ylim=(0, 1.02), ylabel="probability")
        self.bars = left_ax.bar(MIDDLES, 0, EDGES[1] - EDGES[0], color=style.BLUE)
        self.outline = left_ax.step(EDGES, np.zeros(BINS + 1), where="post", color=style.GREY)[0]
        left_ax.legend(
            [self.outline, self.bars],
            ["everybody in the step", "secret batch"],
            loc="upper center",
            bbox_to_anchor=(0.5, -0.17),
            ncols=2,
        )
        right_ax.set(title="ε of all steps, δ = 10⁻⁵", xlabel="steps", xscale="log", yscale="log")
        right_ax.set(xlim=(1, 1000), ylim=(LEAST, MOST))
        style.plain_ticks(right_ax.xaxis, [1, 10, 100, 1000])
        style.plain_ticks(right_ax.yaxis, [0.01, 0.1, 1, 10, 100])
        self.lines = [
            right_ax.plot(STEPS, STEPS, color=colour, linestyle=dashes, label=name)[0]
            for name, colour, dashes in LINES
        ]
        self.marker = right_ax.plot([1, 1], [LEAST, MOST], color=style.INK, linewidth=0.9)[0]
        right_ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, columnspacing=1)
        return [*self.bars, self.outline, *self.lines, self.marker]

    def move(self, view: BatchView) -> None:
        for bar, mass in zip(self.bars, view.sampled, strict=True):
            bar.set_height(mass)
        self.outline.set_ydata(np.append(view.everybody, view.everybody[-1]))
        for line, epsilons in zip(self.lines, view.epsilons, strict=True):
            line.set_ydata(np.clip(epsilons, LEAST, MOST))
        self.marker.set_xdata([self.value("steps")] * 2)

    def describe(self, view: BatchView) -> str:
        everybody, ordered, secret = (rough(epsilon) for epsilon in view.here)
        verb = "costs" if self.value("steps") == 1 else "cost"
        return (
            f"{count(self.value('steps'), 'steps')} {verb} ε = {everybody} with everybody in each, "
            f"{ordered} with batches in a known order, and at most {secret} with secret batches."
        )
