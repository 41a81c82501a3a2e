"""How fast do private estimates get better with more people?

    OMP_NUM_THREADS=1 python tests/benchmarks/slopes.py [--cluster ADDRESS]

Prints slopes on log-log plots beside those of theory: mean integrated squared errors of densities
and mean squared errors of means, by simulation. All cores share the work; with an address, the
workers of a Dask cluster do. Exits with status 1 if a slope is off by more than 0.1.
"""

import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from dplab import LaplaceMechanism
from dplab.mechanisms.histogram import histogram
from dplab.synthesis import (
    ExponentialOverDatasets,
    KernelDensity,
    histogram_density,
    ks_distance,
    series_curve,
    series_mechanism,
)

FINE = (np.arange(2000) + 0.5) / 2000  # places at which a curve is compared


def hill(x):
    """The density of Beta(2, 3)."""
    return 12 * x * (1 - x) ** 2


def histogram_error(n: int, rng: np.random.Generator) -> float:
    m = round(1.5 * n ** (1 / 3))
    bins = np.minimum((rng.beta(2, 3, n) * m).astype(int), m - 1)
    counts = histogram(range(m), epsilon=1)(bins, rng)
    density = histogram_density(counts, np.linspace(0, 1, m + 1))
    return float(np.mean((np.exp(density.log_density(FINE)) - hill(FINE)) ** 2))


def series_error(n: int, rng: np.random.Generator) -> float:
    m = round(1.2 * n**0.25)  # cosines of the hill fall like j^-2, their squares' sum like m^-3
    noisy = series_mechanism(m, n, epsilon=4)(rng.beta(2, 3, n), rng)
    return float(np.mean((series_curve(noisy, FINE) - hill(FINE)) ** 2))


def kernel_error(n: int, rng: np.random.Generator) -> float:
    """Of a normal law, whose estimate has no ends to be wrong at."""
    places = np.linspace(-4, 4, 161)
    bandwidth = 1.06 * n**-0.2
    one = KernelDensity(tuple(places), n=n, bandwidth=bandwidth, sigma=1.0)
    sigma = 2.0 * one.sensitivity  # mu = 1/2
    found = KernelDensity(tuple(places), n=n, bandwidth=bandwidth, sigma=sigma)(
        rng.normal(size=n), rng
    )
    true = np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi)
    return float(((found - true) ** 2).sum() * (places[1] - places[0]))


def dataset_error(n: int, rng: np.random.Generator) -> float:
    m = round(n ** (1 / 3))
    grid = tuple((np.arange(m) + 0.5) / m)
    x = np.array(grid)[np.minimum((rng.beta(2, 3, n) * m).astype(int), m - 1)]
    release = ExponentialOverDatasets(grid, n=n, k=round(n ** (2 / 3)), epsilon=1)
    return ks_distance(x, release(tuple(x), rng))


def mean_error(d: int, rng: np.random.Generator) -> float:
    """Of d means of 1,000 people, by Laplace noise alone."""
    bits = rng.random((1000, d)) < 0.5
    noisy = LaplaceMechanism(lambda data: data.mean(axis=0), d / 1000, 0.1)(bits, rng)
    return float(((noisy - bits.mean(axis=0)) ** 2).sum())


@dataclass(frozen=True)
class Sweep:
    """What is measured, at which sizes, how often, and the slope that theory says."""

    name: str
    error: object
    sizes: tuple[int, ...]
    times: int
    slope: float


SWEEPS = (
    Sweep("histogram density, n", histogram_error, (3000, 10_000, 30_000, 100_000), 60, -2 / 3),
    Sweep("cosines, n", series_error, (3000, 10_000, 30_000, 100_000, 300_000), 60, -3 / 4),
    Sweep("kernel, n", kernel_error, (3000, 10_000, 30_000), 60, -4 / 5),
    Sweep("dataset (proven: -1/3), n", dataset_error, (64, 216, 512, 1000), 400, -5 / 9),
    Sweep("means, noise, d", mean_error, (4, 16, 64, 256), 200, 3),
)


def repeated(error, size: int, times: int, seed: int) -> float:
    """The mean error of `times` runs."""
    rng = np.random.default_rng([seed, size])
    return float(np.mean([error(size, rng) for _ in range(times)]))


@contextmanager
def workers(cluster: str | None):
    """This machine's cores, or a cluster's workers: something with `submit`."""
    if cluster is None:
        with ProcessPoolExecutor() as pool:
            yield pool
    else:
        from distributed import Client

        with Client(cluster) as client:
            yield client


def measured(sweep: Sweep, pool: Executor, parts: int = 4) -> list[float]:
    """The mean error at each size; the runs of a size are shared out in `parts`."""
    futures = [
        [pool.submit(repeated, sweep.error, size, sweep.times // parts, i) for i in range(parts)]
        for size in sweep.sizes
    ]
    return [float(np.mean([future.result() for future in row])) for row in futures]


@click.command()
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers share the work.")
def main(cluster: str | None) -> None:
    """Slopes on log-log plots, beside theory."""
    table, missed = Table("error of", "sizes", "errors", "slope", "theory"), 0
    with workers(cluster) as pool:
        for sweep in SWEEPS:
            errors = measured(sweep, pool)
            slope = float(np.polyfit(np.log(sweep.sizes), np.log(errors), 1)[0])
            missed += abs(slope - sweep.slope) > 0.1
            sizes, found = (
                " ".join(f"{x:,}" for x in sweep.sizes),
                " ".join(f"{x:.2g}" for x in errors),
            )
            table.add_row(sweep.name, sizes, found, f"{slope:.3f}", f"{sweep.slope:.3f}")
    Console(width=120).print(table)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
