import numpy as np
import pytest

from dplab.attacks.contrary_curator import ContraryCurator
from dplab.attacks.least_squares import least_squares
from dplab.queries import ConjunctionQueries, IntervalQueries, random_queries
from dplab.theorems.reconstruction_law import (
    BREAKS_AT,
    collapsed_share,
    contrary_share,
    noise_gain,
    reconstruction_law,
)
from tests.refusals import assert_refused

FAMILIES = {
    "random": lambda rng: random_queries(96, 32, rng),
    "conjunctions": lambda rng: np.asarray(ConjunctionQueries(rng.integers(2, size=(32, 20)), 2)),
    "thresholds": lambda rng: np.asarray(IntervalQueries.thresholds(32)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_exact_law_against_attacks(family):
    """Each secret's share is independent given the queries; Hoeffding: 2 exp(-2 r 0.023^2) < 1e-9
    for r = 20,000 of them."""
    rng = np.random.default_rng()
    queries, secrets = FAMILIES[family](rng), rng.integers(2, size=(20_000, 32))
    noisy = secrets @ queries.T + rng.normal(0, 1.5, size=(20_000, len(queries)))
    law = reconstruction_law(queries, [1.5])
    assert law.shares[0] == pytest.approx(
        least_squares(queries, noisy).accuracy(secrets), abs=0.0232
    )


def test_the_gain_is_the_spread_of_the_pseudo_inverse():
    queries = random_queries(40, 15, np.random.default_rng(3))
    rows = np.linalg.pinv(queries)
    assert noise_gain(queries) == pytest.approx(np.linalg.norm(rows, axis=1))


@pytest.mark.parametrize("n", [64, 256])
def test_random_queries_collapse(n):
    queries = random_queries(4 * n, n, np.random.default_rng(n))
    law = reconstruction_law(queries, np.sqrt(n) * np.array([0.1, 0.3, 1.0, 3.0]))
    collapsed = collapsed_share(law.sigmas / np.sqrt(n), kappa=4)
    assert law.shares == pytest.approx(collapsed, abs=0.01)


def test_prefixes_know_no_n():
    small, large = (
        reconstruction_law(IntervalQueries.thresholds(n), [0.5, 2.0]) for n in (32, 256)
    )
    assert small.shares == pytest.approx(large.shares, abs=0.01)
    assert large.shares[1] < 0.6
    assert collapsed_share(2.0 / np.sqrt(256), kappa=4) > 0.999


@pytest.mark.parametrize(("c", "kappa"), [(0.2, 4), (0.3, 4), (0.3, 16), (0.5, 4), (0.5, 16)])
def test_the_contrary_curator_follows_its_law(c, kappa):
    """At a fixed seed: the law is for large n."""
    n, rng = 256, np.random.default_rng(5)
    queries, secret = random_queries(kappa * n, n, rng), np.arange(n) % 2
    answers = ContraryCurator(secret, c * np.sqrt(n)).ask(queries)
    found = least_squares(queries, answers).accuracy(secret)
    assert found == pytest.approx(contrary_share(c, kappa), abs=0.06)


def test_more_queries_beat_noise_but_not_the_contrary_curator():
    kappas = [2, 10, 100, 1000]
    beyond = [float(contrary_share(1.1 * BREAKS_AT, kappa)) for kappa in kappas]
    noise = [float(collapsed_share(1.1 * BREAKS_AT, kappa)) for kappa in kappas]
    assert sorted(beyond, reverse=True) == beyond
    assert beyond[-1] < 1e-3
    assert noise[-1] > 0.999


def test_bad_arguments_are_named():
    calls = [
        (lambda: noise_gain([[1, 1], [1, 1]]), "of rank n"),
        (lambda: noise_gain([1, 1]), "of rank n"),
        (lambda: collapsed_share(0.1, 1), "kappa must be"),
        (lambda: reconstruction_law(np.eye(2), [0.0]), "sigmas must be above 0"),
    ]
    assert_refused(calls)
