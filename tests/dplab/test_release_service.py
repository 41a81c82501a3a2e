"""The audit tools find each of the five mistakes, whatever others are made, and nothing else."""

from itertools import combinations

import numpy as np
import pytest

from dplab import ApproxDP, GeometricMechanism, Laplace, PureDP
from dplab.attacks.floating_point import finer_than_grid
from dplab.audit import audit_by_canaries, epsilon_lower_bound, goodness_of_fit
from dplab.budget import Budget, BudgetExceeded
from dplab.release_service import BUGS, GRID, ReleaseService, Total

SOME = [set(bugs) for k in (0, 1, 4, 5) for bugs in combinations(BUGS, k)]
PEOPLE = np.array([[0.0, 1], [1.0, 1], [0.0, -1], [100.0, 1]])
OTHER = np.array([[0.0, 1], [1.0, 1], [0.0, -1], [0.0, 1]])


def hall(people, bugs, rng=None):
    return ReleaseService(
        people, Budget(ApproxDP(1e9, 0.9)), rng or np.random.default_rng(), bugs=bugs
    )


def leaks_floats(bugs):
    """An output on the grid of 2^-10 by chance has a probability of about 2^-40."""
    return finer_than_grid([hall(PEOPLE, bugs).total((0, 0, 5), epsilon=1.0)], float(GRID)).any()


def follows_the_data(bugs):
    """Without the fourth person all values lie in [0, 1], and noise has a hundredth of its scale.
    Wrong with a chance of 1e-9 each."""
    draws = (
        [one.total((0, 0, 100), epsilon=1.0) for _ in range(600)]
        for one in (hall(PEOPLE, bugs), hall(OTHER, bugs))
    )
    return epsilon_lower_bound(*draws).epsilon > 1.1


def reuses_noise(bugs):
    """Differences of ten counts are all the same but for (1/2)^10 and less: forty are asked."""
    one = hall(PEOPLE, bugs)
    pairs = [(one.count((0, 0, 1), epsilon=1), one.count((0, 1, 9), epsilon=1)) for _ in range(80)]
    return len({a - b for a, b in pairs}) == 1


def splits_no_budget(bugs):
    """A hundred counts of one person move together: with noise of scale 1 in each their sum tells
    whether she is there, nearly always."""
    draws = (
        [one.counts([(0, 50, 100)] * 100, epsilon=1.0).sum() for _ in range(240)]
        for one in (hall(PEOPLE, bugs), hall(OTHER, bugs))
    )
    return epsilon_lower_bound(*draws).epsilon > 1.1


def clips_by_batch(bugs):
    rows = 20 * np.eye(400)
    heads, tails = (np.column_stack([rows, np.full(400, label)]) for label in (1, -1))
    found = audit_by_canaries(
        lambda records, rng: hall(records, bugs, rng).model(epsilon=1.0),
        heads,
        tails,
        np.array,
        np.random.default_rng(),
        guesses=200,
        delta=1e-13,
    )
    return found.epsilon > 1.8  # epsilon 1 at delta 1e-6 is below that at 1e-13


FINDS = dict(
    zip(
        BUGS,
        (leaks_floats, follows_the_data, reuses_noise, splits_no_budget, clips_by_batch),
        strict=True,
    )
)


@pytest.mark.parametrize("bugs", SOME, ids=lambda bugs: "+".join(sorted(bugs)) or "none")
def test_each_mistake_is_found_alone_and_among_others(bugs):
    assert {bug for bug, finds in FINDS.items() if finds(bugs)} == bugs


def expect_law(counts, scale):
    """Counts around 3, clamped so that their law is finite."""
    promised = GeometricMechanism(lambda _: 3, scale, 1).clamp(-30, 30).distribution(None)
    assert goodness_of_fit(np.clip(counts, -30, 30), promised).passed


def test_without_mistakes_counts_have_the_law_that_is_promised():
    one = hall(PEOPLE, ())
    expect_law([one.count((0, 0, 1), epsilon=0.5) for _ in range(3000)], 2)
    many = np.array([one.counts([(0, 0, 1), (0, 0, 2)], epsilon=0.5) for _ in range(3000)])
    for counts in many.T:
        expect_law(counts, 4)


def test_without_mistakes_totals_have_the_law_that_is_promised():
    """On the grid, whose steps are a 2,048th of the scale: the continuous law is as near."""
    one = hall(PEOPLE, ())
    totals = np.array([one.total((0, -1, 3), epsilon=2.0) for _ in range(3000)])
    assert not finer_than_grid(totals, float(GRID)).any()
    assert goodness_of_fit(totals, Laplace(4, 2)).passed


@pytest.mark.parametrize("bugs", [(), BUGS])
def test_every_answer_is_paid_for_what_it_should_cost(bugs):
    one = ReleaseService(PEOPLE, Budget(ApproxDP(4.0, 1e-5)), np.random.default_rng(), bugs=bugs)
    one.count((0, 0, 1), epsilon=0.5)
    one.counts([(0, 0, 1)] * 7, epsilon=0.25)
    one.total((0, 0, 1), epsilon=0.125)
    assert one.curator.budget.spent == ApproxDP(0.875, 0.0)
    assert one.model(epsilon=1.0).shape == (1,)
    spent = one.curator.budget.spent
    assert 1.87 < spent.epsilon <= 1.875
    assert spent.delta == 1e-6
    with pytest.raises(BudgetExceeded):
        one.count((0, 0, 1), epsilon=3.0)
    assert one.curator.budget.spent == spent


@pytest.mark.parametrize("bugs", [(), *((bug,) for bug in BUGS)])
@pytest.mark.parametrize("share", [0.0, 0.5, 1 - 1e-9])
def test_what_the_budget_cannot_pay_draws_nothing(bugs, share):
    rng = np.random.default_rng()
    total = ApproxDP(share, 1e-6)
    one = ReleaseService(PEOPLE, Budget(total), rng, bugs=bugs)
    before = rng.bit_generator.state
    for ask in (
        lambda: one.count((0, 0, 1), epsilon=1.0),
        lambda: one.counts([(0, 0, 1), (0, 1, 2)], epsilon=1.0),
        lambda: one.total((0, 0, 1), epsilon=1.0),
        lambda: one.model(epsilon=1.01),  # what it costs is found to a hundredth
    ):
        with pytest.raises(BudgetExceeded, match="price must be at most"):
            ask()
    assert rng.bit_generator.state == before
    assert one.curator.budget.remaining == total


def test_what_is_asked_badly_is_refused_and_costs_nothing():
    one = ReleaseService(PEOPLE, Budget(PureDP(1.0)), np.random.default_rng())
    for ask, words in (
        (lambda: one.count((2, 0, 1), epsilon=0.1), "column must be"),
        (lambda: one.count((0, 0, np.nan), epsilon=0.1), "high must be"),
        (lambda: one.counts([], epsilon=0.1), "ranges must not be empty"),
        (lambda: one.total((0, 1, 1), epsilon=0.1), "high must be"),
        (lambda: one.total((0, 0, 1.5), epsilon=0.1), "high must be"),
        (lambda: one.total((0, 0, 1), epsilon=0.0), "epsilon must be"),
    ):
        with pytest.raises(ValueError, match=words):
            ask()
    assert one.curator.budget.spent == PureDP(0.0)
    with pytest.raises(ValueError, match="bugs must be one of"):
        hall(PEOPLE, ["no noise"])
    with pytest.raises(ValueError, match="people must be of shape"):
        hall(PEOPLE[0], ())


def test_a_total_of_many_large_values_moves_by_the_width_of_its_range_at_most():
    total = Total(0, 10**9 - 1, 10**9, 1.0, False)
    people = 1e9 - np.random.default_rng(0).random((9_500_000, 1))
    for i in range(4):
        old, people[i] = people[i, 0], 1e9 - 1
        low = total.sum(people)
        people[i] = 1e9
        assert total.sum(people) - low <= 1
        people[i] = old


def test_without_noise_to_speak_of_the_answers_are_exact():
    """Noise of scale 1e-13 counts or 1e-3 grid steps is not 0 with a probability below e^-900."""
    thirds = np.array([[0.0, 1], [2 / 3, 1], [2.0, -1], [1e9, 1]])
    service = ReleaseService(thirds, Budget(PureDP(1e30)), np.random.default_rng())
    assert service.count((0, 0, 2), epsilon=1e13) == 3  # both ends of the range count
    assert service.counts([(0, 2 / 3, 2 / 3), (1, -1, 0)], epsilon=1e13).tolist() == [1, 1]
    near = float(round(2 / 3 / float(GRID)) * GRID)  # above 2 / 3
    assert service.total((0, 0, 1), epsilon=1e6) == near + 2
    assert service.total((0, -1, 10**9), epsilon=1e15) == near + 2 + 1e9
    assert service.total((0, -(10**9), 1), epsilon=1e15) == near + 2
    for low, high in ((-(10**9) - 1, 0), (0, 10**9 + 1)):
        with pytest.raises(ValueError, match="must be a whole number"):
            service.total((0, low, high), epsilon=1.0)
    for column in (-1, 2):
        with pytest.raises(ValueError, match="column must be"):
            service.count((column, 0, 1), epsilon=1.0)
