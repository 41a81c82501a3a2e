"""What exact accounting costs and how close its bounds are, beside dp_accounting's where present.

Run with `python tests/benchmarks/accounting.py`. Each row: the bounds on epsilon at delta 1e-6
(1e-5 for training runs), how far apart they are, and processor seconds; then the closed form, or
the peer's bounds and seconds in this same run. The peer computes both with its default grid.
"""

import logging
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from dplab.accounting import Release, epsilon_bounds
from dplab.losses import GaussianLoss, poisson_sampled_loss
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.neighbors import ADD_REMOVE

try:
    from dp_accounting.pld import privacy_loss_distribution as peer
except ImportError:
    peer = None

DELTA, LIMIT = 1e-6, 1e-3  # the relative gap asked for
ROUNDS = 3
CASES = ((1_000, 20), (100_000, 200))  # releases, sigma = b = 1 / epsilon_0
MIXTURES: tuple[dict[tuple[str, float], int], ...] = (  # counts by kind and scale
    {("Laplace", 1_000): 10_000, ("Gaussian", 0.3): 1},
    {("randomized response", 10_000): 100_000, ("Laplace", 0.2): 1},
    {("Laplace", 10_000): 100_000, ("randomized response", 0.2): 3},
    {("Gaussian", 1_000): 10_000, ("Laplace", 1): 20},
    {("Laplace", 1_000): 100_000, ("Laplace", 0.02): 1},
    {("Laplace", 700): 3_000, ("randomized response", 3): 10, ("Gaussian", 2): 1},
)
TRAININGS = ((1.0, 0.01, 10_000), (0.5, 1e-3, 1_000))  # sigma, rate and number of steps
TRAININGS_DELTA = 1e-5


def timed(function):
    """The result, and the least processor seconds of a few rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        result = function()
        rounds.append(time.process_time() - start)
    return result, min(rounds)


def mechanisms(scale: float) -> dict:
    """Our mechanisms with noise of this scale."""
    return {
        "Gaussian": GaussianMechanism(sum, sensitivity=1, sigma=scale),
        "Laplace": LaplaceMechanism(sum, sensitivity=1, epsilon=1 / scale),
        "randomized response": RandomizedResponse(1 / scale),
    }


def peers_law(name: str, scale: float, pessimistic: bool):
    """dp_accounting's law of one release, an upper bound or a lower one."""
    if name == "Gaussian":
        return peer.from_gaussian_mechanism(scale, pessimistic_estimate=pessimistic)
    if name == "Laplace":
        return peer.from_laplace_mechanism(scale, pessimistic_estimate=pessimistic)
    lie = 2 / (1 + np.exp(1 / scale))
    return peer.from_randomized_response(lie, 2, pessimistic_estimate=pessimistic)


def peers_bounds(counts: dict[tuple[str, float], int]) -> tuple[float, float]:
    """dp_accounting's lower and upper bound, for so many releases of each kind and scale."""

    def bound(pessimistic):
        laws = [peers_law(*kind, pessimistic).self_compose(k) for kind, k in counts.items()]
        total = laws[0]
        for law in laws[1:]:
            total = total.compose(law)
        return total.get_epsilon_for_delta(DELTA)

    return bound(False), bound(True)


def peers_training(sigma: float, rate: float, steps: int) -> tuple[float, float]:
    """dp_accounting's bounds for a training run, the worse of both directions."""

    def bound(pessimistic):
        law = peer.from_gaussian_mechanism(
            sigma, sampling_prob=rate, pessimistic_estimate=pessimistic
        )
        return law.self_compose(steps).get_epsilon_for_delta(TRAININGS_DELTA)

    return bound(False), bound(True)


def report(name: str, k: int, ours, theirs, exact: float | None = None) -> bool:
    """Print one row, and say whether it meets the limits."""
    bounds, seconds = timed(ours)
    text = f"{name:48}{k:8}  [{bounds.lower:.6f}, {bounds.upper:.6f}] gap {bounds.gap:.1e}"
    passed = bounds.gap <= LIMIT
    if exact is not None:
        text += f"  closed form {exact:.6f}"
        passed &= bounds.lower <= exact <= bounds.upper
    text += f"  {1e3 * seconds:7.1f} ms"
    if peer:
        (low, high), peers_seconds = timed(theirs)
        text += f"   dp_accounting [{low:.4f}, {high:.4f}] {1e3 * peers_seconds:7.1f} ms"
        passed &= seconds <= peers_seconds and low <= bounds.upper and bounds.lower <= high
    print(f"{text}   {'ok' if passed else 'MISSED'}")
    return passed


def rows(k: int, scale: float) -> bool:
    """Each mechanism k times, and then all three of them."""
    passed = True
    known = mechanisms(scale)
    for name, mechanism in known.items():
        exact = GaussianLoss(np.sqrt(k) / scale).epsilon(DELTA) if name == "Gaussian" else None
        passed &= report(
            name,
            k,
            lambda m=mechanism: epsilon_bounds([Release(m, k)], delta=DELTA),
            lambda name=name: peers_bounds({(name, scale): k}),
            exact,
        )
    mixed = [Release(mechanism, k) for mechanism in known.values()]
    return passed & report(
        "all three",
        k,
        lambda: epsilon_bounds(mixed, delta=DELTA),
        lambda: peers_bounds({(name, scale): k for name in known}),
    )


def mixture(counts: dict[tuple[str, float], int]) -> bool:
    """Narrow losses and wide ones."""
    releases = [Release(mechanisms(scale)[name], k) for (name, scale), k in counts.items()]
    return report(
        ", ".join(f"{name} {scale:g}" for name, scale in counts),
        sum(counts.values()),
        lambda: epsilon_bounds(releases, delta=DELTA),
        lambda: peers_bounds(counts),
    )


def training(sigma: float, rate: float, steps: int) -> bool:
    """Normal noise on Poisson samples: the worse of both directions."""
    noisy = GaussianMechanism(sum, sensitivity=1, sigma=sigma, neighbors=ADD_REMOVE)
    loss = poisson_sampled_loss(noisy.worst_case, rate=rate)

    def ours():
        return epsilon_bounds([Release(loss, steps)], delta=TRAININGS_DELTA)

    name = f"sampled Gaussian {sigma:g}, rate {rate:g}"
    return report(name, steps, ours, lambda: peers_training(sigma, rate, steps))


def main() -> int:
    logging.disable(logging.WARNING)  # the peer's, about the algorithm of its lower bound
    if not peer:
        print("dp_accounting is not installed: no side by side (pip install dp-accounting)")
    passed = [rows(k, scale) for k, scale in CASES] + [mixture(counts) for counts in MIXTURES]
    passed += [training(*run) for run in TRAININGS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
