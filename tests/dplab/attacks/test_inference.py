import numpy as np
import pytest

from dplab.attacks.inference import Tables, lonely, risk, swap_residents
from dplab.data.surnames import Country, Residents

SHAPE = (60, 100, 4)


@pytest.fixture(scope="module")
def country():
    """Members and outsiders of a census, 60,000 each; one draw, always the same."""
    rng = np.random.default_rng(2021)
    everybody = Country.random(rng).residents(120_000, rng)
    return everybody[:60_000], everybody[60_000:], rng


@pytest.fixture
def few():
    return Residents(np.array([0, 0, 0, 1]), np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1]))


def test_risk_is_a_share_of_counts():
    counts = np.array([[1, 1], [2, 1]])
    assert risk(counts, smokes=1) == pytest.approx(1 / 3)
    assert risk(-counts, smokes=1) == pytest.approx(1 / 2)


def test_tables_count(few):
    tables = Tables.of(few, shape=(2, 2, 2))
    assert tables.blocks.tolist() == [[2, 1], [0, 1]]
    assert tables.surnames.tolist() == [[1, 0], [1, 2]]


def test_blocks_and_surnames_of_nobody_have_rows_of_zeros(few):
    tables = Tables.of(few, shape=(5, 3, 2))
    assert tables.blocks.tolist() == [[2, 1], [0, 1], [0, 0], [0, 0], [0, 0]]
    assert tables.surnames.tolist() == [[1, 0], [1, 2], [0, 0]]


def test_posterior_is_bayes_rule(few):
    """Block 0, surname 1: (2/3)(1/2) against (1/3)(2/2): even."""
    tables = Tables.of(few, shape=(2, 2, 2))
    found = tables.posterior(np.array([0, 0, 1, 1]), np.array([1, 0, 1, 0]))
    assert found == pytest.approx(np.array([[1 / 2, 1 / 2], [1, 0], [0, 1], [1 / 2, 1 / 2]]))


def test_a_posterior_weighs_how_common_a_surname_is_in_each_group():
    """P(g | b, s) is as P(g | b) P(s | g): of 3 and 9 people in the groups, 2 and 3 bear it."""
    tables = Tables(np.array([[3, 9]]), np.array([[2, 3], [1, 6]]))
    found = tables.posterior(np.array([0, 0]), np.array([0, 1]))
    weights = np.array([[3 * 2 / 3, 9 * 3 / 9], [3 * 1 / 3, 9 * 6 / 9]])
    assert found == pytest.approx(weights / weights.sum(axis=1, keepdims=True))


def test_predictions_are_as_good_for_outsiders_and_from_private_tables(country):
    """A released table moves by noise of standard deviation 2.9 a count at epsilon = 1."""
    members, outsiders, rng = country
    exact = Tables.of(members, shape=SHAPE)
    assert exact.accuracy(outsiders) > 0.85
    assert exact.accuracy(members) == pytest.approx(exact.accuracy(outsiders), abs=0.01)
    for epsilon, loss in ((5, 0.003), (1, 0.006), (0.1, 0.05)):
        private = exact.release(epsilon, rng)
        assert private.accuracy(outsiders) == pytest.approx(exact.accuracy(outsiders), abs=loss)


def test_released_counts_are_noisy_and_not_negative(country):
    members, _, rng = country
    exact = Tables.of(members, shape=SHAPE)
    private = exact.release(0.5, rng)
    assert private.blocks.min() >= 0
    assert (private.blocks != exact.blocks).mean() > 0.5
    away = (private.blocks - exact.blocks)[exact.blocks > 100]
    assert away.std() == pytest.approx(2**0.5 * 2 / 0.25, rel=0.5)  # discrete, and 150 counts


def test_ones_own_record_hardly_matters(country):
    members, _, _ = country
    tables, some = Tables.of(members, shape=SHAPE), np.arange(500)
    people = members[some]
    own = tables.posterior(people.block, people.surname)[some, people.group]
    assert np.median(abs(own - tables.without_own_record(people))) < 1e-3


def test_own_record_is_left_out(few):
    """Without person 2 block 0 has nobody of group 1."""
    tables = Tables.of(few, shape=(2, 2, 2))
    assert tables.without_own_record(few)[2] == 0


def test_swapping_keeps_counts_and_most_records(country):
    members, _, rng = country
    moved = swap_residents(members, 0.1, rng)
    assert np.bincount(moved.block).tolist() == np.bincount(members.block).tolist()
    assert moved.group is members.group
    assert 0.08 < (moved.block != members.block).mean() <= 0.1
    assert (swap_residents(members, 0.0, rng).block == members.block).all()


def test_lonely_people(few):
    assert lonely(few).tolist() == [2, 3]


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_that_are_none(few, share):
    with pytest.raises(ValueError, match="share must be"):
        swap_residents(few, share, np.random.default_rng(1))


def test_epsilon_is_above_zero(few):
    with pytest.raises(ValueError, match="epsilon must be"):
        Tables.of(few, shape=(2, 2, 2)).release(0, np.random.default_rng(1))
