import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ZCDP, PureDP
from dplab.guarantees import BoundedRange
from dplab.neighbors import REPLACE_ONE, sensitivity
from dplab.queries import MWEM, MarginalQueries, multiplicative_weights_update, random_queries
from dplab.queries.weights import replayed
from tests.refusals import assert_refused

tables = st.lists(st.floats(0.01, 10), min_size=2, max_size=6)


def entropy(data, table):
    """Relative entropy of the data from the table, both of one sum."""
    kept = data > 0
    return float((data[kept] * np.log(data[kept] / table[kept])).sum() / data.sum())


@given(tables, st.integers(0, 63), st.floats(0, 1))
def test_an_update_moves_the_answer_towards_the_measured_one(table, bits, share):
    table = np.array(table)
    query = np.array([bits >> i & 1 for i in range(len(table))], dtype=float)
    answer = share * table.sum()
    after = multiplicative_weights_update(table, query, answer)
    assert after.sum() == pytest.approx(table.sum())
    assert (after > 0).all()
    before, now = query @ table - answer, query @ after - answer
    assert abs(now) <= abs(before) + 1e-9
    assert now * before >= -1e-9  # and not beyond it
    changed = after / table
    assert changed[query == 1] == pytest.approx(np.repeat(changed[query == 1][:1], sum(query == 1)))


@given(tables, st.integers(1, 62), st.randoms(use_true_random=False))
def test_an_exact_answer_brings_the_table_nearer_to_the_data(table, bits, random):
    """By the square of the error over 4 n^2 at least: the lemma of the proof."""
    table = np.array(table)
    data = np.array([random.random() + 1e-3 for _ in table])
    data *= table.sum() / data.sum()
    query = np.array([bits >> i & 1 for i in range(len(table))], dtype=float)
    error = query @ (data - table) / table.sum()
    after = multiplicative_weights_update(table, query, query @ data)
    assert entropy(data, table) - entropy(data, after) >= error**2 / 4 - 1e-12


def test_an_error_of_millions_overflows_nothing():
    after = multiplicative_weights_update([1.0, 1.0], [1, 0], answer=1e6)
    assert after == pytest.approx([2, 0])
    after = multiplicative_weights_update([1.0, 1.0], [1, 0], answer=-1e6)
    assert after == pytest.approx([0, 2])


def test_weights_that_underflow_keep_their_sum():
    """As noise of a scale of hundreds leaves them after some rounds."""
    after = multiplicative_weights_update([1.0, 1e-310], [0, 1], answer=1e4)
    assert after == pytest.approx([0, 1])


@pytest.mark.parametrize("seed", [11360, 17239, 20542, 25332])
def test_replays_of_noise_keep_the_sum(seed):
    """Seeds are fixed: one of some 6,000 leads to weights that underflow."""
    rng = np.random.default_rng(seed)
    n, scale = int(rng.integers(1, 4)), 10.0 ** rng.uniform(1, 3)
    measured = [(np.eye(2)[i], float(rng.laplace() * scale)) for i in (0, 1, 0)]
    assert replayed(np.full(2, n / 2), measured, 10).sum() == pytest.approx(n)


@pytest.mark.parametrize("total", [PureDP(1.0), ZCDP(0.02), ZCDP(1)])
@pytest.mark.parametrize("rounds", [1, 7])
def test_the_rounds_together_cost_the_total(total, rounds):
    release = MWEM(np.eye(3), n=10, rounds=rounds, total=total)
    measured = release.measurement(5.0).guarantee
    chosen = release.choice(np.zeros(3))
    assert chosen.epsilon == pytest.approx(release.choice_epsilon)
    price = (
        chosen.guarantee.epsilon + measured.epsilon
        if isinstance(total, PureDP)
        else BoundedRange(release.choice_epsilon).to_zcdp().rho + measured.rho
    )
    spent = total.epsilon if isinstance(total, PureDP) else total.rho
    assert rounds * price == pytest.approx(spent)
    law = release.measurement(5.0).distribution([])
    if isinstance(total, PureDP):
        assert law.scale == pytest.approx(2 * rounds / total.epsilon)
    else:
        assert law.sigma == pytest.approx(np.sqrt(rounds / total.rho))
    chances = release.choice(np.array([3.0, 2.0])).distribution([]).probabilities
    assert np.log(chances[0] / chances[1]) == pytest.approx(release.choice_epsilon / 2)
    assert release.guarantee == total
    assert release.neighbors == REPLACE_ONE


def test_errors_and_answers_have_sensitivity_one():
    queries, table = random_queries(4, 3, np.random.default_rng(1)), np.array([1.0, 0.5, 0.5])

    def errors(records):
        return np.abs(queries @ (np.bincount(records, minlength=3) - table))

    assert sensitivity(errors, REPLACE_ONE, range(3), 2, norm=np.inf) <= 1


def test_unless_something_else_is_said_there_are_20_replays():
    data, stated = [0, 1, 1, 3], MWEM(np.eye(4), 4, 3, PureDP(9.0), replays=20)
    found = MWEM(np.eye(4), 4, 3, PureDP(9.0))(data, np.random.default_rng(1))
    assert (found == stated(data, np.random.default_rng(1))).all()


def test_without_noise_to_speak_of_the_table_answers_all_queries():
    rng = np.random.default_rng(2)
    data, queries = rng.integers(4, size=500), np.eye(4)
    table = MWEM(queries, 500, rounds=12, total=PureDP(1e6), replays=50)(data, rng)
    assert table.sum() == pytest.approx(500)
    assert table == pytest.approx(np.bincount(data, minlength=4), abs=2)


def test_it_beats_laplace_where_queries_are_many_and_not_where_they_are_few():
    """Three-way marginals on 8 bits, 448 of them, the mean of ten runs each. Who is replaced is in
    another cell of at most 56 marginals."""
    rng = np.random.default_rng(3)
    bits = (rng.random((1000, 8)) < rng.uniform(0.1, 0.9, size=8)).astype(int)
    cells = bits @ (1 << np.arange(8)[::-1])
    queries = MarginalQueries((2,) * 8, 3)
    truth = queries @ np.bincount(cells, minlength=256)
    learned = [
        abs(queries @ MWEM(queries, 1000, 12, PureDP(1.0))(cells, rng) - truth).max()
        for _ in range(10)
    ]
    noisy = [abs(rng.laplace(0, 2 * 56, size=448)).max() for _ in range(10)]
    few = [abs(rng.laplace(0, 4, size=4)).max() for _ in range(10)]
    assert np.mean(few) < np.mean(learned) < np.mean(noisy) / 3


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: multiplicative_weights_update([-1, 2], [1, 0], 1),
            "table must be a row of counts",
        ),
        (lambda: multiplicative_weights_update([0, 0], [1, 0], 1), "table must be a row of counts"),
        (lambda: multiplicative_weights_update([1, 2], [1], 1), r"query must have shape \(2,\)"),
        (lambda: multiplicative_weights_update([1, 2], [1, 0], np.nan), "answer must be"),
        (lambda: MWEM([[2.0]], 1, 1, PureDP(1)), "entries from 0 to 1"),
        (lambda: MWEM([[-0.5, 1]], 1, 1, PureDP(1)), "entries from 0 to 1"),
        (lambda: MWEM(np.eye(2), 1, 1, ZCDP(0)), "total must be PureDP or ZCDP, above 0"),
        (lambda: MWEM([1.0], 1, 1, PureDP(1)), r"queries must be of shape \(m, cells\)"),
        (lambda: MWEM(np.eye(2), 0, 1, PureDP(1)), "n must be a whole number"),
        (lambda: MWEM(np.eye(2), 1, 0, PureDP(1)), "rounds must be a whole number"),
        (lambda: MWEM(np.eye(2), 1, 1, PureDP(1), 0), "replays must be .* at least 1, not 0"),
        (lambda: MWEM([[1.5]], 1, 1, PureDP(1)), "entries from 0 to 1"),
        (lambda: multiplicative_weights_update([[1, 2]], [[1, 0]], 1), "table must be a row"),
        (lambda: MWEM(np.eye(2), 1, 1, PureDP(0)), "total must be PureDP or ZCDP, above 0"),
        (lambda: MWEM(np.eye(2), 1, 1, BoundedRange(1)), "total must be PureDP or ZCDP"),
        (lambda: MWEM(np.eye(2), 2, 1, PureDP(1))([0], None), "data must be n = 2 records"),
        (lambda: MWEM(np.eye(2), 1, 1, PureDP(1))([2], None), "data must hold whole numbers"),
    ]
    assert_refused(calls)


def test_a_large_error_on_an_empty_cell_moves_nothing():
    """Its exponent may be the largest, and belongs to nobody."""
    table = multiplicative_weights_update([0.0, 5.0, 5.0], [1, 0, 0.5], answer=1e6)
    assert table.sum() == pytest.approx(10)
    assert table[0] == 0
    assert table[2] == pytest.approx(10)
    assert multiplicative_weights_update([0.0, 4.0], [1, 0], answer=1e6).tolist() == [0, 4]
