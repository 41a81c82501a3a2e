from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace

from dplab import ZCDP, AboveThreshold, Finite, Laplace, LaplaceMechanism, PureDP
from dplab.audit import goodness_of_fit
from dplab.budget import Budget, BudgetExceeded
from dplab.interaction import Curator, Refused
from dplab.learning.adaptive_analyst import (
    Vote,
    adaptive_analysis,
    make_records,
    vote_of_agreeing,
)
from dplab.learning.holdout import OrdinaryHoldout, Thresholdout, agrees, share


def column(j):
    return lambda records: records[:, j]


def conversation(training, holdout, *, threshold, sigma, overfits, rng=None):
    """A Thresholdout that can pay for so many answers from the holdout, and its curator."""
    n = len(holdout)
    total = PureDP(2 * overfits / (n * sigma))
    curator = Curator(holdout, Budget(total), rng or np.random.default_rng())
    return Thresholdout(training, curator, n=n, threshold=threshold, sigma=sigma), curator


def constant(*shares, n=10):
    """n records whose columns have these values."""
    return np.tile(shares, (n, 1)).astype(float)


@given(st.lists(st.floats(-2, 3), min_size=1, max_size=20))
def test_a_share_is_the_mean_of_values_between_0_and_1(values):
    found = share(column(0), np.array(values)[:, None])
    assert found == pytest.approx(np.mean([min(1, max(0, value)) for value in values]))
    yes = np.array(values) > 0
    assert share(lambda _: yes, yes) == share(lambda _: yes.astype(int), yes) == yes.mean()
    assert OrdinaryHoldout(yes[:, None]).ask(column(0)) == yes.mean()


def chance_of(replies, gaps, *, threshold, sigma):
    """P[these replies, True for above], by quadrature, from the algorithm as it was published.

    Gaps are |holdout - training|; each stretch up to an "above" has its own Lap(2 sigma), each
    query its own Lap(4 sigma).
    """
    ends = [0, *(np.flatnonzero(replies) + 1), len(replies)]
    chance = 1.0
    for start, end in pairwise(ends):
        kinks = sorted({0.0, *(gaps[start:end] - threshold)})

        def density(r, stretch=slice(start, end)):
            above = laplace.sf(threshold + r - gaps[stretch], scale=4 * sigma)
            return (
                laplace.pdf(r, scale=2 * sigma)
                * np.where(replies[stretch], above, 1 - above).prod()
            )

        pieces = pairwise([-np.inf, *kinks, np.inf])
        chance *= sum(quad(density, a, b, epsabs=1e-12)[0] for a, b in pieces)
    return chance


def possible(queries, overfits):
    """All sequences of replies: they end with the last overfitting answer that is paid for."""
    for length in range(1, queries + 1):
        for replies in product((False, True), repeat=length):
            full = sum(replies) == overfits and replies[-1]
            if full or (length == queries and sum(replies) < overfits):
                yield replies


def test_which_queries_the_holdout_answers_follows_the_published_algorithm():
    """Wrong with probability 1e-10 each: the replies, and the noise of what is answered."""
    training, holdout = constant(0.5, 0.2, 0.9), constant(0.55, 0.4, 0.8)
    gaps, sigma, rng = np.array([0.05, 0.2, 0.1]), 0.02, np.random.default_rng()
    ends = list(possible(3, overfits=2))
    chances = [chance_of(end, gaps, threshold=0.1, sigma=sigma) for end in ends]
    law = Finite(tuple(range(len(ends))), np.log(chances))
    assert log_chance((False, True, False), gaps, sigma, 0.1) == pytest.approx(
        np.log(chance_of((False, True, False), gaps, threshold=0.1, sigma=sigma))
    )
    drawn, noises = [], []
    for _ in range(4000):
        answerer, _ = conversation(
            training, holdout, threshold=0.1, sigma=sigma, overfits=2, rng=rng
        )
        replies = []
        while tuple(replies) not in ends:
            j = len(replies)
            said = answerer.ask(column(j))
            replies.append(said != training[0, j])
            if replies[-1]:
                noises.append(said - holdout[0, j])
        drawn.append(ends.index(tuple(replies)))
    assert goodness_of_fit(drawn, law, failure=1e-10).passed
    assert goodness_of_fit(noises, Laplace(0, sigma), failure=1e-10).passed


def log_chance(replies, gaps, sigma, threshold=0.2):
    """The same, by the nodes of sparse vector, whose noises are 2 sigma and 4 sigma here."""
    stretch = AboveThreshold(threshold=threshold, sensitivity=sigma, epsilon=1)
    ends = [0, *(np.flatnonzero(replies) + 1), len(replies)]
    stretches = [slice(*pair) for pair in pairwise(ends)]
    return sum(stretch.log_probability(gaps[s], replies[s]) for s in stretches if replies[s])


@given(
    st.lists(st.integers(0, 10), min_size=1, max_size=4),
    st.lists(st.integers(-1, 1), min_size=4, max_size=4),
    st.floats(0.05, 5),
    st.integers(1, 2),
)
def test_all_answers_keep_what_the_curator_pays(counts, moves, epsilon, overfits):
    """The exact law: each query moves by 1/n at most, and so does the center of each answer."""
    n, known = 10, 0.5
    shares = np.array(counts) / n
    moved = np.clip(counts + np.array(moves[: len(counts)]), 0, n) / n
    sigma = 2 * overfits / (n * epsilon)
    answerer, curator = conversation(
        constant(known), constant(known), threshold=0.2, sigma=sigma, overfits=overfits
    )
    assert curator.budget.total.epsilon == pytest.approx(epsilon)
    for replies in possible(len(counts), overfits):
        length = len(replies)
        x, y = (log_chance(replies, abs(row - known)[:length], sigma) for row in (shares, moved))
        noise = sum(abs(shares - moved)[:length][list(replies)]) / answerer.sigma
        assert abs(x - y) + noise <= epsilon + 1e-9


def test_a_long_conversation_spends_nearly_all_of_it():
    """Fifty answers from the training set, one from the holdout: both at the worst neighbours."""
    n, sigma, replies = 10, 0.02, (False,) * 50 + (True,)
    x, y = np.array([0.2] * 50 + [0.3]), np.array([0.3] * 50 + [0.2])
    spent = log_chance(replies, x, sigma) - log_chance(replies, y, sigma) + 0.1 / sigma
    assert 0.98 * 2 / (n * sigma) < spent <= 2 / (n * sigma) + 1e-9


@given(st.integers(1, 50), st.integers(1, 5), st.floats(1e-5, 0.004))
def test_the_curator_pays_for_overfitting_answers_alone_and_then_refuses(n, overfits, sigma):
    """An agreeing answer is 37 scales or more below the threshold: failure below 1e-12."""
    answerer, curator = conversation(
        constant(0, 0, n=3), constant(0, 1, n=n), threshold=0.6, sigma=sigma, overfits=overfits
    )
    one = 1 / (n * sigma)
    for used in range(overfits):
        for _ in range(3):
            assert answerer.ask(column(0)) == 0
        assert curator.budget.spent.epsilon == pytest.approx((2 * used + 1) * one)
        while answerer.ask(column(1)) == 0:
            pass
        assert curator.budget.spent.epsilon == pytest.approx((2 * used + 2) * one)
    assert curator.budget.total.epsilon == pytest.approx(curator.budget.spent.epsilon)
    for j in (0, 1):
        with pytest.raises(BudgetExceeded, match="price must be at most"):
            answerer.ask(column(j))
    assert len(curator.transcript) == 2 * overfits


def test_a_budget_in_rho_pays_for_each_its_epsilon_squared():
    """P[one noise of 100 or more scales] < 1e-20."""
    rng, n, sigma = np.random.default_rng(), 100, 0.001
    curator = Curator(constant(1, n=n), Budget(ZCDP(3 / (n * sigma) ** 2)), rng)
    answerer = Thresholdout(constant(0), curator, n=n, threshold=0.1, sigma=sigma)
    answers = [answerer.ask(column(0)) for _ in range(3)]
    assert np.allclose(answers, 1, atol=0.1)
    assert curator.budget.spent.rho <= 3 / (n * sigma) ** 2 * (1 + 1e-12)


def test_whoever_else_asks_the_curator_takes_from_the_same_budget():
    """What is left would pay for the comparison, not for the answer: neither is drawn."""
    rng = np.random.default_rng()
    answerer, curator = conversation(
        constant(0), constant(1), threshold=0.1, sigma=0.001, overfits=1, rng=rng
    )
    curator.ask(LaplaceMechanism(lambda data: data.mean(), 0.1, epsilon=50))
    before = rng.bit_generator.state
    with pytest.raises(Refused):
        answerer.ask(column(0))
    assert rng.bit_generator.state == before
    assert curator.budget.remaining.epsilon == pytest.approx(150)


@pytest.mark.parametrize("kind", [PureDP, ZCDP])
@pytest.mark.parametrize("overfits", [1, 3])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.51, 0.7, 1 - 1e-9, 1.0, 1 + 1e-9, 1.5, 1.99])
def test_a_refusal_comes_before_anything_is_drawn(kind, overfits, share):
    """Budgets at the price of so many answers, with their comparisons, and below and above it.

    P[a gap of 1 seems below 0.1] < 1e-20."""
    n, sigma, rng = 10, 0.001, np.random.default_rng()
    (one,) = vars(PureDP(1 / (n * sigma)).convert_to(kind)).values()
    curator = Curator(constant(1), Budget(kind(2 * one * (overfits - 1 + share))), rng)
    answerer = Thresholdout(constant(0), curator, n=n, threshold=0.1, sigma=sigma)
    paid = overfits if share >= 1 else overfits - 1
    for _ in range(paid):
        assert answerer.ask(column(0)) == pytest.approx(1, abs=0.1)
    before, spent = rng.bit_generator.state, curator.budget.spent
    for _ in range(2):
        with pytest.raises(BudgetExceeded, match="price must be at most"):
            answerer.ask(column(0))
    assert rng.bit_generator.state == before
    assert curator.budget.spent == spent
    assert len(curator.transcript) == 2 * paid


def test_a_stretch_whose_answer_somebody_else_spent_compares_no_more():
    """P[no gap seems above 0.5] < 1e-20."""
    rng = np.random.default_rng()
    answerer, curator = conversation(
        constant(0), constant(0), threshold=0.5, sigma=0.001, overfits=1, rng=rng
    )
    assert answerer.ask(column(0)) == 0
    curator.budget.pay(PureDP(1.0))
    before = rng.bit_generator.state
    with pytest.raises(BudgetExceeded):
        answerer.ask(column(0))
    assert rng.bit_generator.state == before


def test_a_query_without_a_share_costs_nothing():
    rng = np.random.default_rng(3)
    answerer, curator = conversation(
        constant(0.5), constant(0.5), threshold=0.1, sigma=0.01, overfits=1, rng=rng
    )
    before = rng.bit_generator.state
    for query, message in (
        (lambda records: records, r"query\(records\) must have shape \(10,\)$"),
        (lambda records: records[0, 0], r"must have shape \(10,\)$"),
        (
            lambda records: records[:, 0] * np.nan,
            "must hold finite numbers, but entry 0 is another",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            answerer.ask(query)
    assert rng.bit_generator.state == before
    assert curator.budget.spent == PureDP(0)


def test_a_holdout_of_another_size_is_an_error():
    curator = Curator(constant(0.5, n=9), Budget(PureDP(1000)), np.random.default_rng())
    with pytest.raises(ValueError, match="the curator's data must be n = 10 records"):
        Thresholdout(constant(0.5), curator, n=10, threshold=0.1, sigma=0.01)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be a whole number of at least 1, not 0"),
        ({"threshold": -0.1}, "threshold must be .*at least 0, not -0.1"),
        ({"threshold": np.inf}, "threshold must be"),
        ({"sigma": 0}, "sigma must be .*above 0, not 0"),
    ],
)
def test_bad_arguments_are_named(change, message):
    curator = Curator(constant(0.5), Budget(PureDP(1)), np.random.default_rng())
    right = {"n": 10, "threshold": 0.1, "sigma": 0.1}
    with pytest.raises(ValueError, match=message):
        Thresholdout(constant(0.5), curator, **(right | change))


@given(st.integers(0, 2**32), st.integers(1, 8), st.integers(0, 6))
def test_a_vote_counts_heads(seed, n, size):
    rng = np.random.default_rng(seed)
    records = rng.integers(2, size=(n, 7))
    variables = tuple(rng.permutation(6)[:size].tolist())
    flipped = tuple(rng.integers(2, size=size).astype(bool).tolist())
    for record, right in zip(records, Vote(variables, flipped)(records), strict=True):
        votes = [record[j] ^ turned for j, turned in zip(variables, flipped, strict=True)]
        ayes = sum(vote == record[-1] for vote in votes)
        assert right == (0.5 if 2 * ayes == size else float(2 * ayes > size))
    assert Vote(variables, flipped).best(2) == Vote(variables[:2], flipped[:2])


@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(1, 30))
def test_the_analyst_keeps_what_agrees_on_both_sets_best_first(seed, n, d):
    rng = np.random.default_rng(seed)
    training, holdout = make_records(n, d, rng), make_records(n, d, rng)
    found = vote_of_agreeing(training, OrdinaryHoldout(holdout))
    expected = []
    for j in range(d):
        known, said = (np.mean(some[:, j] == some[:, -1]) - 0.5 for some in (training, holdout))
        least = 0.5 / n**0.5
        if known * said > 0 and min(abs(known), abs(said)) >= least:
            expected.append((-abs(known), j, known < 0))
    assert found.variables == tuple(j for _, j, _ in sorted(expected))
    assert found.flipped == tuple(turned for _, _, turned in sorted(expected))


def test_where_the_holdout_refuses_the_analyst_keeps_what_she_has():
    """Gaps of 0 and 1 against a threshold of 0.1, 25 scales of noise off: failure below 1e-9."""
    n, d = 50, 6
    training, holdout = np.ones((n, d + 1), dtype=bool), np.ones((n, d + 1), dtype=bool)
    holdout[:, :3] = False
    answerer, _ = conversation(training, holdout, threshold=0.1, sigma=0.001, overfits=2)
    assert vote_of_agreeing(training, answerer) == Vote((), ())
    holdout = holdout[:, [3, 4, 5, 0, 1, 2, 6]]
    answerer, _ = conversation(training, holdout, threshold=0.1, sigma=0.001, overfits=2)
    assert vote_of_agreeing(training, answerer) == Vote((0, 1, 2), (False,) * 3)
    holdout[:, :6] = False
    answerer, _ = conversation(training, holdout, threshold=0.1, sigma=0.001, overfits=2)
    found = adaptive_analysis(training, answerer, holdout, sizes=(1, 2))
    assert np.isnan(found.reported).all()
    assert found.fresh.tolist() == [0.5, 0.5]  # an empty vote is a tie


def test_an_analyst_who_adapts_fools_an_ordinary_holdout_and_not_this_one():
    """Where there is nothing to find. All shares are normal, nearly.

    A variable's gap has the deviation .0316: none of 5,000, with noise of scale .002, is above .25
    (failure 1e-10), so the vote of 250 knows nothing of the holdout and is right there on
    .50 +- .0224: below .66 (7 deviations). On the training set it is right on .95 +- .01, and
    the gap is above. The ordinary holdout says .86 +- .016.
    """
    n, d, rng = 500, 5000, np.random.default_rng()
    training, holdout, fresh = (make_records(n, d, rng) for _ in range(3))
    fooled = adaptive_analysis(training, OrdinaryHoldout(holdout), fresh, sizes=(250,))
    assert fooled.reported[0] > 0.72
    answerer, curator = conversation(training, holdout, threshold=0.25, sigma=0.0005, overfits=1)
    found = adaptive_analysis(training, answerer, fresh, sizes=(250,))
    assert found.training[0] > 0.85
    assert abs(found.reported[0] - 0.5) < 0.16
    assert curator.budget.remaining.epsilon == pytest.approx(0)
    for analysis in (fooled, found):
        assert abs(analysis.fresh[0] - 0.5) < 0.15  # Hoeffding: 2 e^{-22}


def test_what_is_there_is_found_and_reported():
    """Ten variables tell the label with probability .7 and are 9 deviations off any coin.

    Ten such votes are right with probability .90, +- .0067 on a set: reported from the training
    set, within 8 deviations.
    """
    n, d, rng = 2000, 100, np.random.default_rng()
    sets = [make_records(n, d, rng, telling=10, agreement=0.7) for _ in range(3)]
    answerer, _ = conversation(*sets[:2], threshold=0.15, sigma=0.001, overfits=1)
    found = adaptive_analysis(sets[0], answerer, sets[2], sizes=(10,))
    assert set(vote_of_agreeing(sets[0], OrdinaryHoldout(sets[1])).best(10).variables) == set(
        range(10)
    )
    assert found.reported == found.training
    assert abs(found.reported[0] - 0.9013) < 0.055
    assert abs(found.fresh[0] - 0.9013) < 0.055


@given(st.integers(1, 30), st.integers(1, 10), st.data())
def test_telling_variables_tell_and_the_others_are_coins(n, d, data):
    telling = data.draw(st.integers(0, d))
    always, never = (
        make_records(n, d, np.random.default_rng(), telling=telling, agreement=agreement)
        for agreement in (1, 0)
    )
    assert always.shape == (n, d + 1)
    assert always.dtype == bool
    assert (always[:, :telling] == always[:, -1:]).all()
    assert (never[:, :telling] != never[:, -1:]).all()


def test_records_follow_their_law():
    """Three tests at 1e-10."""
    records = make_records(20_000, 3, np.random.default_rng(), telling=1, agreement=0.3)
    told, coins = records[:, 0] == records[:, -1], records[:, 1:] @ (1, 2, 4)
    assert goodness_of_fit(told.astype(int), Finite.of({0: 0.7, 1: 0.3})).passed
    assert goodness_of_fit(coins, Finite.of(dict.fromkeys(range(8), 1 / 8))).passed
    assert goodness_of_fit(told ^ (coins % 2 == 1), Finite.of({0: 0.5, 1: 0.5})).passed


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: make_records(0, 2, rng), "n must be a whole number"),
        (lambda rng: make_records(2, 0, rng), "variables must be a whole number"),
        (lambda rng: make_records(2, 2, rng, telling=3), "telling must be .*at most 2, not 3"),
        (lambda rng: make_records(2, 2, rng, agreement=1.1), "agreement must be .*at most 1"),
        (
            lambda rng: adaptive_analysis(*[make_records(2, 2, rng)] * 3, sizes=(1, 0)),
            "sizes must be a whole number of at least 1, not 0",
        ),
    ],
)
def test_bad_records_and_sizes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.random.default_rng())


def test_the_query_of_a_variable_is_whether_it_agrees():
    records = np.array([[0, 1, 1], [0, 0, 0]])
    assert agrees(0)(records).tolist() == [False, True]
    assert agrees(1)(records).tolist() == [True, True]


def test_what_is_no_number_for_a_record_of_the_holdout_tells_nothing_of_it():
    """An error would be an exact answer, at no price: is there somebody who has this value?"""
    training, holdout = np.zeros((50, 2)), np.arange(100.0).reshape(50, 2)
    for sigma in (0.001, 0.5):
        curator = Curator(holdout, Budget(PureDP(1e6)), np.random.default_rng())
        reusable = Thresholdout(training, curator, n=50, threshold=0.1, sigma=sigma)
        for odd in (np.nan, np.inf, -np.inf):
            for value in (6, 7, 1000):
                said = reusable.ask(lambda rows, v=value, x=odd: np.where(rows[:, 0] == v, x, 0.5))
                assert np.isfinite(said)
    with pytest.raises(ValueError, match="finite"):
        reusable.ask(lambda rows: np.where(rows[:, 0] == 0, np.nan, 0.5))


def test_a_value_that_is_no_number_moves_the_holdouts_share_by_one_record():
    holdout = np.arange(4.0)[:, None]
    curator = Curator(holdout, Budget(PureDP(1e300)), np.random.default_rng())
    reusable = Thresholdout(holdout, curator, n=4, threshold=0.1, sigma=1)
    shares = [
        reusable._share(lambda rows, x=x: np.where(rows[:, 0] == 2, x, 0.5), holdout)
        for x in (0.5, np.nan, np.inf, -np.inf, 7)
    ]
    assert shares == [0.5, 0.375, 0.625, 0.375, 0.625]


def test_by_itself_no_variable_tells_the_label():
    """To the same draws, with nothing said."""
    coins, same = (
        make_records(50, 3, np.random.default_rng(5), **said) for said in ({}, {"telling": 0})
    )
    assert (coins == same).all()


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"telling": -1}, "telling"),
        ({"telling": 4}, "telling"),
        ({"agreement": -0.1}, "agreement"),
        ({"agreement": 1.1}, "agreement"),
    ],
)
def test_records_of_no_share_are_refused(said, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        make_records(5, 3, np.random.default_rng(), **said)
