"""What exact accounting costs and how close its bounds are, beside dp_accounting's where present.

Run with `python tests/benchmarks/accounting.py`. Each row: the bounds on epsilon at delta 1e-6, how
far apart they are, and processor seconds; then the closed form, or the peer's bounds and seconds
in this same run. The peer computes both of its bounds with its default grid.
"""

import logging
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from dplab.accounting import Releases, epsilon_bounds, randomized_response_loss
from dplab.losses import GaussianLoss, LaplaceLoss

try:
    from dp_accounting.pld import privacy_loss_distribution as peer
except ImportError:
    peer = None

DELTA, LIMIT = 1e-6, 1e-3  # the relative gap asked for
ROUNDS = 3
CASES = ((1_000, 20), (100_000, 200))  # releases, sigma = b = 1 / epsilon_0


def timed(function):
    """The result, and the least processor seconds of a few rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        result = function()
        rounds.append(time.process_time() - start)
    return result, min(rounds)


def peers_bounds(name: str, scale: float, k: int) -> tuple[float, float]:
    """dp_accounting's lower and upper bound."""
    build = {
        "Gaussian": lambda p: peer.from_gaussian_mechanism(scale, pessimistic_estimate=p),
        "Laplace": lambda p: peer.from_laplace_mechanism(scale, pessimistic_estimate=p),
        "randomized response": lambda p: peer.from_randomized_response(
            2 / (1 + np.exp(1 / scale)), 2, pessimistic_estimate=p
        ),
    }[name]
    return tuple(build(p).self_compose(k).get_epsilon_for_delta(DELTA) for p in (False, True))


def row(name: str, loss, scale: float, k: int) -> bool:
    bounds, seconds = timed(lambda: epsilon_bounds([Releases(loss, k)], delta=DELTA))
    text = f"{name:20}{k:8}  [{bounds.lower:.6f}, {bounds.upper:.6f}] gap {bounds.gap:.1e}"
    passed = bounds.gap <= LIMIT
    if name == "Gaussian":
        exact = GaussianLoss(np.sqrt(k) / scale).epsilon(DELTA)
        text += f"  closed form {exact:.6f}"
        passed &= bounds.lower <= exact <= bounds.upper
    text += f"  {1e3 * seconds:7.1f} ms"
    if peer:
        (low, high), theirs = timed(lambda: peers_bounds(name, scale, k))
        text += f"   dp_accounting [{low:.4f}, {high:.4f}] {1e3 * theirs:7.1f} ms"
        passed &= seconds <= theirs and low <= bounds.upper and bounds.lower <= high
    print(f"{text}   {'ok' if passed else 'MISSED'}")
    return passed


def main() -> int:
    logging.disable(logging.WARNING)  # the peer's, about the algorithm of its lower bound
    if not peer:
        print("dp_accounting is not installed: no side by side (pip install dp-accounting)")
    passed = True
    for k, scale in CASES:
        for name, loss in (
            ("Gaussian", GaussianLoss(1 / scale)),
            ("Laplace", LaplaceLoss(1 / scale)),
            ("randomized response", randomized_response_loss(1 / scale)),
        ):
            passed &= row(name, loss, scale, k)
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
