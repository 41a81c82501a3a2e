"""Random projection: the noise is pure, exactly, and the mean error is within its bound."""

import numpy as np
import pytest
from scipy.stats import laplace, norm

from dplab import REPLACE_ONE, PureDP
from dplab.queries import (
    HadamardQueries,
    MarginalQueries,
    RandomProjectionMechanism,
    RareJumpNoise,
    random_projection,
)
from dplab.queries.rare_jumps import STEEPNESS
from tests.refusals import assert_refused


def density_along(noise, places):
    """Of the normal part and one direction's jump: the trapezoid rule, with a corner at 0."""
    q, sigma = noise.chance, noise.sigma
    jumps = sigma * np.linspace(-10, 40, 10_001)
    joint = norm.pdf(places[:, None] - jumps, scale=sigma)
    joint *= laplace.pdf(jumps, scale=sigma / STEEPNESS)
    return (1 - q) * norm.pdf(places, scale=sigma) + q * np.trapezoid(joint, jumps, axis=1)


@pytest.mark.parametrize("cells", [1, 2, 30, 4096])
def test_the_log_density_along_a_direction_has_the_slope_that_is_promised(cells):
    """At 200 places up to 20 sigmas. The theorem wastes at most half of the slope."""
    noise = RareJumpNoise(np.ones((1, cells)), slope=0.5)
    places = np.linspace(0, 20 * noise.sigma, 200)
    logs = np.log(density_along(noise, places))
    slopes = abs(np.diff(logs) / np.diff(places))
    assert slopes.max() <= 0.5
    assert slopes.max() > 0.25


def grid_density(noise, shift, points=256, width=24.0):
    """The density of the noise in two dimensions around `shift`, by its characteristic function."""
    step = 2 * width * noise.sigma / points
    t = 2 * np.pi * np.fft.fftfreq(points, step)
    t = np.stack(np.meshgrid(t, t, indexing="ij"))
    law = np.exp(-((noise.sigma * t) ** 2).sum(axis=0) / 2)
    for u in noise.directions.T:
        along = np.tensordot(u, t, 1) * noise.sigma / STEEPNESS
        law *= 1 - noise.chance + noise.chance / (1 + along**2)
    wave = law * np.exp(-1j * np.tensordot(shift, t, 1))
    return np.real(np.fft.fft2(wave)) / (points * step) ** 2


def test_no_output_tells_neighbours_apart_better_than_epsilon_allows():
    """Exactly, up to 1e-3, on a grid: three cells in the plane, each pair of them replaced.

    Without the jumps, or with half of the noise, the largest log ratio is above epsilon.
    """
    queries = np.array([[1.0, 0.2, 0.0], [0.0, 1.0, 0.3]])
    mechanism = RandomProjectionMechanism(queries, n=5, epsilon=0.8)
    noise, largest = mechanism.noise, 0.0
    for a, b in ((0, 1), (0, 2), (1, 2)):
        laws = [grid_density(noise, mechanism.measured[:, c]) for c in (a, b)]
        seen = np.minimum(*laws) > 1e-11 * laws[0].max()  # above the rounding of the transform
        largest = max(largest, abs(np.log(laws[0][seen] / laws[1][seen])).max())
    assert largest <= 0.8 + 1e-3
    assert largest > 0.4
    assert mechanism.guarantee == PureDP(0.8)
    assert mechanism.neighbors == REPLACE_ONE


def test_replacing_a_record_costs_a_removal_and_an_addition():
    """Both move the measurement by the longest column at most, along its direction."""
    for projection in (None, random_projection(448, 20, np.random.default_rng(3))):
        mechanism = RandomProjectionMechanism(MarginalQueries((2,) * 8, 3), 9, 2.0, projection)
        noise, columns = mechanism.noise, mechanism.measured
        lengths = np.linalg.norm(columns, axis=0)
        assert columns == pytest.approx(noise.directions * lengths)
        assert 2 * noise.slope * lengths.max() == pytest.approx(2.0)


@pytest.mark.parametrize(("cells", "d"), [(1, 1), (3, 2)])
def test_draws_of_the_noise_follow_the_law(cells, d):
    """Along the first direction, with 100,000 draws: false failure 1e-10, by Massart's bound."""
    rng, directions = np.random.default_rng(), np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 1.0]])
    noise = RareJumpNoise(directions[:d, :cells], slope=1.0)
    draws = np.sort([noise.directions[:, 0] @ noise.sample(rng) for _ in range(100_000)])
    step = noise.sigma / 250
    t = 2 * np.pi * np.fft.fftfreq(2**15, step)
    law = np.exp(-((noise.sigma * t) ** 2) / 2)
    for u in noise.directions.T:
        along = (u @ noise.directions[:, 0]) * t * noise.sigma / STEEPNESS
        law *= 1 - noise.chance + noise.chance / (1 + along**2)
    density = np.real(np.fft.fftshift(np.fft.fft(law))) / 2**15
    cumulative = np.cumsum(density) - density / 2
    grid = step * np.arange(-(2**14), 2**14)
    exact = np.interp(draws, grid, cumulative)
    gap = abs(exact - np.arange(0.5, len(draws)) / len(draws)).max()
    assert gap < np.sqrt(np.log(2 / 1e-10) / (2 * len(draws))) + 1e-4
    far = 2 * np.interp(-6 * noise.sigma, grid, cumulative) * len(draws)  # by jumps alone
    assert abs(np.count_nonzero(abs(draws) > 6 * noise.sigma) - far) < 8 * np.sqrt(far)


def root_mean_error(mechanism, people, rng):
    queries = np.asarray(mechanism.queries)
    off = mechanism(people, rng) - np.bincount(people, minlength=queries.shape[1])
    return np.sqrt(np.mean((queries @ off) ** 2)) / mechanism.n


FAMILIES = {
    "halves": lambda: np.asarray(HadamardQueries(256)),
    "triples": lambda: np.asarray(MarginalQueries((2,) * 8, 3)),
    "random": lambda: np.random.default_rng(1).integers(2, size=(1500, 256)),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("numbers", [None, 250])
def test_errors_are_within_the_bound(family, numbers):
    """The mean of four runs. Seeds are fixed; in 40 runs with others errors were below .6 of it."""
    rng, queries, n = np.random.default_rng(5), FAMILIES[family](), 4000
    people = rng.choice(256, size=n, p=rng.dirichlet(np.full(256, 0.3)))
    projection = numbers and random_projection(len(queries), numbers, rng)
    mechanism = RandomProjectionMechanism(queries, n, 1.0, projection, steps=150)
    errors = [root_mean_error(mechanism, people, rng) for _ in range(4)]
    assert mechanism.measured.shape == (numbers or len(queries), 256)
    assert mechanism.error_bound < 1
    assert np.mean(errors) < mechanism.error_bound


def test_the_bound_has_the_rate_that_is_known_to_be_best():
    """Without a projection, a constant below 2 times sqrt(log(N) / (epsilon n)), for any k."""
    for k in (64, 6400):
        for cells in (64, 1024):
            queries = np.random.default_rng(2).integers(2, size=(k, cells))
            for n in (10**4, 10**6):
                bound = RandomProjectionMechanism(queries, n, 0.5).error_bound
                assert 1 < bound / np.sqrt(np.log(cells) / (0.5 * n)) < 2


def test_the_bound_is_that_of_the_docstring():
    projection = random_projection(24, 12, np.random.default_rng(4))
    queries = np.asarray(MarginalQueries((2,) * 4, 2))
    plain, projected = (
        RandomProjectionMechanism(queries, 10**5, 1.0, t) for t in (None, projection)
    )
    columns = (queries - queries.mean(axis=1, keepdims=True)) / np.sqrt(24)
    normal, longest = np.sqrt(2 * np.log(16)), np.linalg.norm(columns, axis=0).max()
    assert plain.measured == pytest.approx(columns)
    lift = np.sqrt(2 * longest * plain.noise.sigma * (normal + 0.2) / 10**5)
    assert plain.error_bound == pytest.approx(lift)
    moved = np.linalg.norm(projection @ columns, axis=0).max()
    lift = np.sqrt(2 * moved * projected.noise.sigma * (normal + 0.2) / 10**5)
    lift += 2 * longest * (normal + 1) / np.sqrt(12)
    assert projected.error_bound == pytest.approx(min(1, np.sqrt(13 / 12) * lift))


def test_a_projection_keeps_lengths_nearly():
    """400 rows: a squared length has relative deviation .07; 8 of these have probability 1e-12."""
    vectors = np.random.default_rng(0).normal(size=(1000, 5))
    short = random_projection(1000, 400, np.random.default_rng()) @ vectors
    ratio = (short**2).sum(axis=0) / (vectors**2).sum(axis=0)
    assert (abs(ratio - 1) < 8 * (2 / 400) ** 0.5).all()


def test_the_table_is_the_nearest_one():
    """At a huge epsilon there is no noise to speak of, and all answers are right."""
    people = np.repeat([0, 3, 9], [5, 2, 1])
    mechanism = RandomProjectionMechanism(np.eye(16), 8, 1e7, steps=2000)
    table = mechanism(people, np.random.default_rng(0))
    assert table == pytest.approx(np.bincount(people, minlength=16), abs=1e-3)
    assert table.sum() == pytest.approx(8)


def test_bad_arguments_are_named():
    eye, rng = np.eye(3), np.random.default_rng()
    calls = [
        (lambda: RandomProjectionMechanism(eye, 0, 1), "n must be a whole number"),
        (lambda: RandomProjectionMechanism(eye, 2, 0), "epsilon must be"),
        (lambda: RandomProjectionMechanism(eye, 2, 1, steps=0), "steps must be a whole"),
        (lambda: RandomProjectionMechanism(eye[0], 2, 1), "queries must be of shape"),
        (lambda: RandomProjectionMechanism(np.ones((2, 3)), 2, 1), "tell some cells apart"),
        (
            lambda: RandomProjectionMechanism(eye, 2, 1, eye[:, :2]),
            r"projection must be .*\(m, 3\)",
        ),
        (lambda: RandomProjectionMechanism(eye, 2, 1)([0], rng), "data must be n = 2 records"),
        (lambda: RandomProjectionMechanism(eye, 2, 1)([0, 3], rng), "data must hold whole numbers"),
        (lambda: RareJumpNoise(np.ones(2), 1), "directions must be of shape"),
        (lambda: RareJumpNoise(np.ones((2, 2)), 1), "directions must have length 1 or 0, not 1.41"),
        (lambda: RareJumpNoise(eye, 0), "slope must be"),
        (lambda: random_projection(0, 1, rng), "k must be a whole number"),
        (lambda: random_projection(1, 0, rng), "m must be a whole number"),
    ]
    assert_refused(calls)
