"""What exact noise costs, beside numpy's floats and, if installed, OpenDP and diffprivlib; and
private choices.

Run with `python tests/benchmarks/samplers.py`. Times are processor time, the median of rounds in
which the samplers take turns. The two come with the extra `peers`.
"""

import statistics
import time
from collections.abc import Callable

import numpy as np

from dplab import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from dplab.sampling import OPERATING_SYSTEM, discrete_gaussian, discrete_laplace

DRAWS = 1_000_000
PEER_DRAWS = 10_000
ROUNDS = 7
Sampler = Callable[[int], object]


def nanoseconds(samplers: dict[str, Sampler], draws: int) -> dict[str, float]:
    """Processor nanoseconds a draw of each sampler, the median of rounds; tables are made first."""
    times = {name: [] for name in samplers}
    for sample in samplers.values():
        sample(draws)
    for _ in range(ROUNDS):
        for name, sample in samplers.items():
            start = time.process_time()
            sample(draws)
            times[name].append((time.process_time() - start) / draws * 1e9)
    return {name: statistics.median(rounds) for name, rounds in times.items()}


def opendp_samplers(scale: float) -> dict[str, dict[str, Sampler]]:
    """OpenDP's vector samplers of integers, or none where it is not installed."""
    try:
        import opendp.prelude as dp
    except ModuleNotFoundError:
        return {"laplace": {}, "gaussian": {}}
    dp.enable_features("contrib")

    def vector(make, metric) -> Sampler:
        noise = make(dp.vector_domain(dp.atom_domain(T=int)), metric(T=int), scale=scale)
        return lambda n: noise([0] * n)

    return {
        "laplace": {"OpenDP, vector of ints": vector(dp.m.make_laplace, dp.l1_distance)},
        "gaussian": {"OpenDP, vector of ints": vector(dp.m.make_gaussian, dp.l2_distance)},
    }


def diffprivlib_mechanisms() -> dict:
    """diffprivlib's mechanisms, all for sensitivity and epsilon 1; none where not installed."""
    try:
        from diffprivlib import mechanisms
    except ModuleNotFoundError:
        return {}
    gaussian = mechanisms.GaussianDiscrete(epsilon=1, delta=1e-5, sensitivity=1)
    return {
        "laplace": mechanisms.Geometric(epsilon=1, sensitivity=1),
        "gaussian": gaussian,
        "choice": lambda scores: mechanisms.Exponential(
            epsilon=1, sensitivity=1, utility=scores.tolist()
        ),
    }


def one_by_one(mechanism) -> Sampler:
    return lambda n: [mechanism.randomise(0) for _ in range(n)]


def exact_samplers(draw: Callable, rng: np.random.Generator) -> dict[str, Sampler]:
    """Ours, at small, middling and large scales, and from the operating system's bits."""
    scales = {"1": 1, "20": 20, "1,000": 1000, "10^6": 10**6, "10^9": 10**9}
    ours = {
        f"exact, scale {name}": lambda n, scale=scale: draw(scale, rng, n)
        for name, scale in scales.items()
    }
    ours["exact, scale 1, operating system"] = lambda n: draw(1, OPERATING_SYSTEM, n)
    return ours


def show(title: str, floats: str, samplers: dict, peers: dict, limit: float) -> None:
    times = nanoseconds(samplers, DRAWS)
    print(f"{title}, nanoseconds a draw of {DRAWS:,} (limit {limit:g} times numpy's floats)")
    for name, each in times.items():
        print(f"  {name:36} {each:9.1f}   {each / times[floats]:6.2f} times")
    for name, each in nanoseconds(peers, PEER_DRAWS).items():
        ours = times["exact, scale 1"]
        print(f"  {name:36} {each:9.1f}   {each / ours:6.0f} times ours at scale 1")


def show_selection(rng: np.random.Generator, peers: dict, candidates: int = 1_000_000):
    """Processor milliseconds of one choice, scores and all."""
    scores, limit = rng.normal(0, 1e6, candidates), 50
    print(f"One draw from {candidates:,} candidates, milliseconds (limit {limit:g})")
    for kind in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax):
        mechanism = kind(range(candidates), lambda data: scores, sensitivity=1, epsilon=1)
        (each,) = nanoseconds({"": lambda n, m=mechanism: m(None, rng)}, 1).values()
        print(f"  {kind.__name__:36} {each / 1e6:9.1f}")
    if peers:
        choose = {"": lambda n: peers["choice"](scores).randomise()}
        (each,) = nanoseconds(choose, 1).values()
        print(f"  {'diffprivlib, exponential mechanism':36} {each / 1e6:9.1f}")


def main() -> None:
    rng, peers, others = np.random.default_rng(1), opendp_samplers(1.0), diffprivlib_mechanisms()
    for kind in peers.keys() & others.keys():
        peers[kind]["diffprivlib, one by one"] = one_by_one(others[kind])
    laplace = {"numpy laplace": lambda n: rng.laplace(size=n)}
    gaussian = {"numpy normal": lambda n: rng.normal(size=n)}
    laplace |= exact_samplers(discrete_laplace, rng)
    gaussian |= exact_samplers(discrete_gaussian, rng)
    show("Discrete Laplace", "numpy laplace", laplace, peers["laplace"], 2)
    show("Discrete Gaussian", "numpy normal", gaussian, peers["gaussian"], 6)
    show_selection(rng, others)


if __name__ == "__main__":
    main()
