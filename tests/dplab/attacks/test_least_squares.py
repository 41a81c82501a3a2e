import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator
from scipy.special import ndtr

from dplab.attacks.least_squares import least_squares
from dplab.queries import SubsetQueries, random_queries
from tests.refusals import assert_refused


def test_exact_answers_to_enough_queries_give_every_bit():
    """m = 2 n random queries have full rank but with probability far below 1e-9."""
    rng = np.random.default_rng()
    queries, secret = random_queries(128, 64, rng), rng.integers(2, size=64)
    found = least_squares(queries, queries @ secret)
    assert (found.bits == secret).all()
    assert found.accuracy(secret) == 1
    assert found.estimates == pytest.approx(secret, abs=1e-6)


def test_estimates_are_those_of_the_normal_equations():
    rng = np.random.default_rng(5)
    queries, answers = random_queries(40, 10, rng), rng.normal(5, 3, size=(3, 40))
    expected = np.linalg.solve(queries.T @ queries, queries.T @ answers.T).T
    assert least_squares(queries, answers).estimates == pytest.approx(expected)


def test_queries_that_tell_people_hardly_apart_are_solved_without_their_squares():
    """The condition is 9e6, so that its square leaves a float three digits; without, nine."""
    i, j = np.indices((30, 30))
    queries = (j == i) | ((j > i) & ((j - i) % 2 == 1))
    points = np.random.default_rng().random((50, 30))
    found = least_squares(queries.astype(int), points @ queries.T)
    assert found.estimates == pytest.approx(points, abs=1e-7)


def test_people_whom_no_query_tells_apart_share_what_is_known_of_both():
    """As many queries as people, or more, and no single best fit: that next to one half."""
    queries = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]])
    found = least_squares(queries, queries @ [1, 0, 1])
    assert found.estimates == pytest.approx([0.5, 0.5, 1.0])
    assert least_squares(queries, queries @ [1, 1, 0]).estimates == pytest.approx([1, 1, 0])


@pytest.mark.parametrize("m", [12, 30])
def test_queries_that_tell_people_well_apart_are_solved_by_their_squares(m, monkeypatch):
    """Which is faster; of as many queries as people, too."""
    queries = np.vstack([np.eye(12, dtype=int), random_queries(30, 12, np.random.default_rng(3))])
    monkeypatch.delattr(np.linalg, "lstsq")
    found = least_squares(queries[:m], queries[:m] @ np.arange(12) / 11)
    assert found.estimates == pytest.approx(np.arange(12) / 11)


def test_without_enough_answers_the_guess_stays_near_one_half():
    found = least_squares([[1, 1, 0, 0]], [2.0])
    assert found.estimates == pytest.approx([1, 1, 0.5, 0.5])
    assert found.accuracy([1, 1, 0, 0]) == 1


def test_accuracy_follows_the_theory_for_normal_noise():
    """False failure 2 exp(-2 r 0.0232^2) < 1e-9 for r = 20,000 independent shares, by Hoeffding."""
    rng = np.random.default_rng()
    n, m, r, sigma = 32, 128, 20_000, 5.0
    queries, secrets = random_queries(m, n, rng), rng.integers(2, size=(r, n))
    answers = secrets @ queries.T + rng.normal(0, sigma, size=(r, m))
    spreads = sigma * np.sqrt(np.diag(np.linalg.inv(queries.T @ queries)))
    expected = ndtr(0.5 / spreads).mean()
    assert least_squares(queries, answers).accuracy(secrets) == pytest.approx(expected, abs=0.0232)


def test_an_estimate_moves_by_two_sigma_over_the_root_of_the_answers_to_spare():
    queries = random_queries(1000, 100, np.random.default_rng(4))  # one matrix, to see the rule
    spreads = np.sqrt(np.diag(np.linalg.inv(queries.T @ queries)))
    assert spreads.mean() == pytest.approx(2 / np.sqrt(900), rel=0.02)


def test_queries_are_fair_coins_from_the_generator():
    queries = random_queries(50, 40, np.random.default_rng(3))
    assert (queries == random_queries(50, 40, np.random.default_rng(3))).all()
    assert set(np.unique(queries)) == {0, 1}
    assert abs(queries.mean() - 0.5) < 0.08  # 2,000 coins: beyond with probability below 1e-10


def test_bad_arguments_are_named():
    calls = [
        (lambda: random_queries(0, 3, np.random.default_rng()), "m must be a whole number"),
        (lambda: random_queries(3, 0, np.random.default_rng()), "n must be a whole number"),
        (lambda: least_squares([[1, 0]], [1.0, 2.0]), r"must be \(m, n\) and \(m,\)"),
        (lambda: least_squares([1, 0], [1.0, 2.0]), r"must be \(m, n\) and \(m,\)"),
        (lambda: least_squares([[1, 0]], [np.nan]), "answers must hold finite numbers"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize(("m", "n"), [(200, 50), (40, 80), (9, 1), (1, 9)])
def test_implicit_queries_lead_to_the_same_estimates(m, n):
    rng = np.random.default_rng(m)
    queries, answers = random_queries(m, n, rng), rng.normal(n / 4, 5, size=(2, m))
    direct = least_squares(queries, answers).estimates
    for implicit in (SubsetQueries.of(queries), aslinearoperator(queries)):
        assert least_squares(implicit, answers).estimates == pytest.approx(direct, abs=5e-3)
        assert least_squares(implicit, answers[1]).estimates == pytest.approx(direct[1], abs=5e-3)


@pytest.mark.parametrize("seed", [1, 2])
def test_implicit_queries_lead_there_where_they_are_as_many_as_people(seed):
    rng = np.random.default_rng(seed)
    queries, secret = SubsetQueries.random(150, 150, rng), rng.integers(2, size=150)
    answers = queries @ secret + 0.3 * rng.normal(size=150)
    direct = least_squares(np.asarray(queries), answers).estimates
    assert least_squares(queries, answers).estimates == pytest.approx(
        direct, abs=1e-4 * np.abs(direct).max()
    )


def test_implicit_queries_are_checked_as_a_matrix_is():
    with pytest.raises(ValueError, match=r"must be \(m, n\) and \(m,\)"):
        least_squares(SubsetQueries.of([[1, 0]]), [1.0, 2.0])
