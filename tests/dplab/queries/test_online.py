from contextlib import suppress

import numpy as np
import pytest

from dplab import ZCDP, ApproxDP, PureDP
from dplab.accounting import rho_for
from dplab.audit import goodness_of_fit
from dplab.budget import Budget, BudgetExceeded
from dplab.continuous import Gaussian
from dplab.interaction import Curator
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.queries import OnlineWeights


def learner(x, total, *, rho, threshold, seed=None, replays=10):
    curator = Curator(np.asarray(x), Budget(total), np.random.default_rng(seed))
    return OnlineWeights(
        curator, len(x), int(np.sum(x)), threshold=threshold, rho=rho, replays=replays
    )


@pytest.mark.parametrize("rho", [0.01, 0.2, 3.0])
def test_each_paid_answer_costs_its_share_and_nothing_else_does(rho):
    """A stretch is sqrt(rho)-DP, an answer (rho / 2)-zCDP; one stretch may be open."""
    rng = np.random.default_rng()
    x = rng.multinomial(400, rng.dirichlet(np.ones(8)))
    online = learner(x, ZCDP(60 * rho), rho=rho, threshold=40)
    stretch = PureDP(np.sqrt(rho)).to_zcdp().rho
    assert stretch <= rho / 2
    for query in rng.integers(2, size=(40, 8)):
        before = online.updates
        online.ask(query)
        opened = online.updates if online.updates > before else online.updates + 1
        expected = opened * stretch + online.updates * rho / 2
        assert online.curator.budget.spent.rho == pytest.approx(expected)


def test_when_the_budget_is_empty_it_refuses_and_draws_nothing():
    """All people in one cell: the even table is far off, and every answer must be paid."""
    online = learner([0, 0, 1000, 0], ZCDP(0.2), rho=0.1, threshold=0.1)
    answers = []
    with suppress(BudgetExceeded):
        for _ in range(100):
            answers.append(online.ask([0, 0, 1, 0]))
    spent, state = online.curator.budget.spent, online.curator._rng.bit_generator.state
    assert spent.rho <= 0.2
    assert len(answers) <= 4
    with pytest.raises(BudgetExceeded):
        online.ask([0, 0, 1, 0])
    assert online.curator.budget.spent == spent
    assert online.curator._rng.bit_generator.state == state


def unequal(total, *, rho=0.1):
    """A conversation about people who are all in one cell, where a comparison says "above"."""
    online = learner([0, 0, 1000, 0], total, rho=rho, threshold=0.1)
    return online, online.curator.budget, online.curator._rng.bit_generator


@pytest.mark.parametrize("rho", [0.1, 2.0])
def test_a_paid_answer_has_normal_noise_of_variance_1_over_rho(rho):
    """150 first answers, all paid but for 150 e^-50; a right law fails with 1e-10."""
    first = [unequal(ZCDP(2 * rho), rho=rho)[0] for _ in range(150)]
    draws = [online.ask([0, 0, 1, 0]) - 1000 for online in first]
    assert all(online.updates == 1 for online in first)
    assert goodness_of_fit(draws, Gaussian(0, rho**-0.5), failure=1e-10).passed


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rho", [0.1, 2.0])
def test_a_comparison_has_laplace_noise_of_the_two_scales(rho, seed):
    """The table is off by 750. The threshold's noise is drawn first, then the comparison's."""
    first, second = np.random.default_rng(seed).laplace(size=2) / np.sqrt(rho)
    bar = 750 + 4 * second - 2 * first
    for threshold, above in ((bar - 1e-6, True), (bar + 1e-6, False)):
        online = learner([0, 0, 1000, 0], ZCDP(2 * rho), rho=rho, threshold=threshold, seed=seed)
        online.ask([0, 0, 1, 0])
        assert online.updates == above


def refuses(online, state, budget):
    """Whether a question is refused, and if it is, without a draw and without a price."""
    before, spent = state.state, budget.spent
    try:
        online.ask([0, 0, 1, 0])
    except BudgetExceeded:
        assert (state.state, budget.spent) == (before, spent)
        return True
    assert state.state != before
    return False


@pytest.mark.parametrize("rho", [1e-4, 0.1, 2.0])
@pytest.mark.parametrize("answers", [1, 2, 3])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.51, 0.7, 1 - 1e-9, 1.0, 1 + 1e-9, 1.5, 1.99])
def test_a_refusal_comes_before_anything_is_drawn(rho, answers, share):
    """Budgets at the price of so many answers, with their comparisons, and below and above it."""
    one = PureDP(np.sqrt(rho)).to_zcdp().rho + rho / 2
    online, budget, state = unequal(ZCDP((answers - 1 + share) * one), rho=rho)
    paid = answers if share >= 1 else answers - 1
    while not refuses(online, state, budget):
        pass
    assert online.updates == paid
    assert len(online.curator.transcript) == 2 * paid
    assert budget.spent.rho == pytest.approx(paid * one)


def test_a_stretch_whose_answer_somebody_else_spent_compares_no_more():
    """All people are where the table says, and the comparison is below: P[not] < 1e-20."""
    rho = 0.5
    online = learner([250] * 4, ZCDP(rho), rho=rho, threshold=1000)
    state = online.curator._rng.bit_generator
    assert not refuses(online, state, online.curator.budget)
    online.curator.budget.pay(ZCDP(rho / 20))
    assert refuses(online, state, online.curator.budget)
    assert online.updates == 0


def test_a_budget_of_another_kind_is_refused_before_anything_is_drawn():
    online, budget, state = unequal(PureDP(100.0))
    before = state.state
    with pytest.raises(ValueError, match="implies no PureDP by itself"):
        online.ask([0, 0, 1, 0])
    assert (state.state, budget.spent) == (before, PureDP(0.0))


def test_all_answers_are_within_the_threshold_and_the_noise():
    """An answer from the table is off by threshold + |Lap(2 b)| + |Lap(4 b)| at most, b = 1 /
    sqrt(rho): 3,000 of them by 30 (2 b + 4 b) with a chance of 6,000 e^-30 < 1e-9; a noisy one by
    7 deviations with 40 times 3e-12."""
    rng = np.random.default_rng()
    n, cells, rho = 20_000, 32, 0.05
    x = rng.multinomial(n, rng.dirichlet(np.full(cells, 0.3)))
    online = learner(x, ZCDP(40 * rho), rho=rho, threshold=1200)
    queries = rng.integers(2, size=(3000, cells))
    off = np.array([abs(online.ask(query) - query @ x) for query in queries])
    assert off.max() <= max(1200 + 180 / np.sqrt(rho), 7 / np.sqrt(rho))
    assert online.updates < 40
    assert online.table.sum() == pytest.approx(n)


def test_an_analyst_who_adapts_gains_nothing():
    """She asks where the last answers were far apart: signs of the difference of two tables that
    she keeps. Still within the same distance."""
    rng = np.random.default_rng()
    n, cells, rho = 20_000, 16, 0.05
    x = rng.multinomial(n, rng.dirichlet(np.full(cells, 0.3)))
    online = learner(x, ZCDP(60 * rho), rho=rho, threshold=1200)
    leaning = np.zeros(cells)
    for _ in range(800):
        query = (leaning + rng.normal(size=cells) > 0).astype(float)
        answer = online.ask(query)
        assert abs(answer - query @ x) <= 1200 + 180 / np.sqrt(rho)
        leaning += (answer / n - query.mean()) * (2 * query - 1)


def test_many_queries_that_it_wins():
    """64 cells, 50,000 people, a total of (1, 1e-6): for 200,000 queries normal noise has a
    deviation of .037 of the people in each answer, and the worst is off by .18. The conversation is
    not at any of 4,000, whose comparisons had to be off by 35 of the larger scale for that:
    4,000 e^-35 < 1e-11; in fact it is off by about .06, its threshold."""
    rng, n, cells = np.random.default_rng(), 50_000, 64
    total = rho_for(ApproxDP(1, 1e-6))
    x = rng.multinomial(n, rng.dirichlet(np.ones(cells)))
    online = learner(x, total, rho=total.rho / 50, threshold=0.06 * n)
    queries = rng.integers(2, size=(4000, cells))
    worst = max(abs(online.ask(query) - query @ x) for query in queries) / n
    each = analytic_sigma(sensitivity=np.sqrt(200_000), epsilon=1, delta=1e-6) / n
    assert each == pytest.approx(0.0377, abs=0.001)
    assert worst < each * np.sqrt(2 * np.log(200_000))


def test_bad_numbers_and_queries_are_refused_before_anything_is_paid():
    online = learner([3, 4], ZCDP(1.0), rho=0.1, threshold=1)
    for query in ([1, 2], [1], [-0.1, 0], [[1, 0]]):
        with pytest.raises(ValueError, match="query must be 2 numbers from 0 to 1"):
            online.ask(query)
    with pytest.raises(ValueError, match="query must hold finite numbers"):
        online.ask([np.nan, 1])
    assert online.curator.budget.spent == ZCDP(0.0)
    for name in ("threshold", "rho"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            learner([3, 4], ZCDP(1.0), **{"rho": 0.1, "threshold": 1, name: 0})
    with pytest.raises(ValueError, match="the curator's table must be 2 counts of 8 people"):
        OnlineWeights(online.curator, 2, 8, threshold=1, rho=0.1)


def test_one_person_is_enough_and_none_are_not():
    online = learner([0, 1], ZCDP(1), rho=0.1, threshold=1)
    assert online.n == 1
    assert np.isfinite(online.ask([0, 1]))
    with pytest.raises(ValueError, match="n must be a whole number"):
        OnlineWeights(online.curator, 2, 0, threshold=1, rho=0.1)


def test_unless_something_else_is_said_there_are_10_replays():
    def table(**replays):
        curator = Curator(np.array([9, 1, 0]), Budget(ZCDP(1e6)), np.random.default_rng(1))
        learner = OnlineWeights(curator, 3, 10, threshold=1, rho=1e4, **replays)
        for i in (0, 1, 2):
            learner.ask(np.eye(3)[i])
        return learner.table

    assert (table() == table(replays=10)).all()


@pytest.mark.parametrize("replays", [0, -1])
def test_no_replays_and_no_cells_are_refused(replays):
    with pytest.raises(ValueError, match=r"replays must be .* at least 1, not"):
        learner([3, 4], ZCDP(1.0), rho=0.1, threshold=1, replays=replays)
    curator = Curator(np.array([7]), Budget(ZCDP(1)), np.random.default_rng())
    with pytest.raises(ValueError, match=r"cells must be .* at least 1, at most 268435456, not 0"):
        OnlineWeights(curator, 0, 7, threshold=1, rho=0.1)
    assert OnlineWeights(curator, 1, 7, threshold=1, rho=0.1).table.tolist() == [7]


def test_a_table_of_parts_of_people_is_refused():
    with pytest.raises(ValueError, match="must be 2 counts of 8 people"):
        learner([-1, 9], ZCDP(1), rho=0.1, threshold=1)
    with pytest.raises(ValueError, match="must be 2 counts of 10 people"):
        learner([9.5, 0.5], ZCDP(1), rho=0.1, threshold=1)


def test_online_weights_keep_queries_that_the_analyst_overwrites():

    def table(copied):
        curator = Curator(np.array([900, 50, 30, 20]), Budget(ZCDP(1000)), np.random.default_rng(1))
        learner, query = OnlineWeights(curator, cells=4, n=1000, threshold=20, rho=10), np.zeros(4)
        for i in (0, 1, 2, 3) * 3:
            query[:] = 0
            query[i] = 1
            learner.ask(query.copy() if copied else query)
        return learner.table, learner.updates

    assert np.array_equal(table(True)[0], table(False)[0])
    assert table(True)[1] == table(False)[1]
