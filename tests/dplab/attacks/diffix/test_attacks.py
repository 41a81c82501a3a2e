import numpy as np
import pytest

from dplab.attacks.diffix import (
    CEDAR,
    LAYERED,
    STICKY,
    Digit,
    Simulator,
    cohen_nissim_digits,
    estimates,
    parse,
    power_digits,
    reword,
)
from dplab.attacks.diffix.digits import PRIMES, members
from dplab.data.loans_and_rides import CLIENTS, bank_loans, taxi_rides
from tests.dplab.attacks.diffix.tables import RUNNING, curator


@pytest.mark.parametrize(
    "digit", [*cohen_nissim_digits("x")[::311], *power_digits("x", 5)], ids=lambda d: d.text[:40]
)
def test_a_digit_is_what_the_parser_makes_of_its_text(digit):
    (condition,) = parse(f"SELECT count(*) FROM t WHERE {digit.text}").conditions
    assert condition == digit.condition


def test_a_digit_holds_where_the_fraction_is_below_a_half():
    values = np.arange(2000, 3000)
    fraction = 100 * (values * 2.0) ** 0.7 % 1
    assert (Digit("x", 2, 0.7, 100).holds(values) == (fraction < 0.5)).all()


def test_a_factor_and_an_offset_of_one_are_not_written():
    assert Digit("x", 1, 2.5, 1).text == "FLOOR(POWER(x, 2.5) + 0.5) = FLOOR(POWER(x, 2.5))"
    scaled = "3 * POWER(x * 2, 2.5)"
    assert Digit("x", 2, 2.5, 3).text == f"FLOOR({scaled} + 0.5) = FLOOR({scaled})"


def test_the_family_takes_every_power_but_one_and_offsets_up_to_100_000():
    digits = cohen_nissim_digits("client_id")
    assert {digit.offset for digit in digits} == {
        number * 10**k for number, least in ((5, 0), (1, 1)) for k in range(least, least + 5)
    }
    assert {digit.power for digit in digits} == {k / 10 for k in range(5, 20)} - {1.0}
    assert {digit.factor for digit in digits} == set(PRIMES)
    assert len(PRIMES) == 25


def test_powers_lie_evenly_between_their_ends():
    assert [digit.power for digit in power_digits("x", 3)] == [5.0, 6.0, 7.0]
    assert len({digit.power for digit in power_digits("x", 30_000)}) == 30_000


def test_one_question_can_be_reworded_once():
    assert reword("SELECT 1", "a", 1) == ["SELECT 1 AND a <> -1"]
    with pytest.raises(ValueError, match="k must be a whole number"):
        reword("SELECT 1", "a", 0)


def test_the_family_has_3500_conditions_that_pick_about_half():
    digits = cohen_nissim_digits("client_id")
    assert len(set(digits)) == 3500
    sets = members(digits, np.arange(2000, 2100))
    assert sets.mean() == pytest.approx(0.5, abs=0.01)
    assert np.linalg.matrix_rank(sets - 0.5) == 100


def test_other_words_average_sticky_noise_away_and_layers_stay():
    """Names are fixed; the mean of 150 Gaussians of variance 10 misses by 1.6 less often than once
    in 10^9. The layers of status and of the counted people are the same in every wording."""
    questions = reword(RUNNING, "client_id", 150)
    sticky = curator(STICKY)
    assert np.mean([sticky.ask(q) for q in questions]) == pytest.approx(20, abs=1.6)
    means = [
        np.mean([curator(LAYERED, salt=str(salt)).ask(q) for q in questions[:15]])
        for salt in range(12)
    ]
    assert np.std(means) > 0.6


def test_estimates_solve_for_many_sums_at_once_and_skip_what_is_suppressed():
    rng = np.random.default_rng(7)
    sets, values = rng.random((60, 20)) < 0.5, rng.integers(10, size=(3, 20))
    answers = values @ sets.T + 5.0
    answers[1, 4] = np.nan
    assert estimates(sets, answers) == pytest.approx(values, abs=1e-5)
    assert estimates(sets, answers[0]) == pytest.approx(values[0], abs=1e-5)


@pytest.mark.parametrize(
    ("sets", "answers", "words"),
    [
        ([[1, 0]], [1.0, 2.0], "must be"),
        (np.eye(3), [1.0, 2, 3], "at least 4, not 3"),
    ],
)
def test_estimates_need_answers_that_fit(sets, answers, words):
    with pytest.raises(ValueError, match=words):
        estimates(sets, answers)


def test_cohen_and_nissim_recover_every_client():
    """Seven layers, 3,500 answers: an estimate's deviation is below 0.1, 2 sqrt(7) / sqrt(3358)."""
    loans, digits = bank_loans(np.random.default_rng(5)), cohen_nissim_digits("client_id")
    for (low, high), n in CLIENTS:
        part = loans[loans.client_id.between(low, high)]
        secret = np.array(part.status == "C")
        question = f"{RUNNING} AND client_id BETWEEN {low} AND {high}"
        curator = Simulator(question, part.client_id[secret], np.ones(secret.sum()), LAYERED, "s")
        sets = members(digits, part.client_id)
        found = estimates(sets, curator.answers(digits, sets[:, secret])) > 0.5
        assert (len(part), (found == secret).sum()) == (n, n)


@pytest.fixture(scope="module")
def rides():
    return taxi_rides(1, np.random.default_rng(20))


def in_group(rides):
    miles = ", ".join(map(str, sorted(rides.trip_distance.unique())))
    return f"FROM rides WHERE trip_distance IN ({miles})"


def test_latitudes_give_away_the_payment_type(rides):
    cash, digits = np.array(rides.payment_type == "CSH"), power_digits("pickup_latitude", 1800)
    sets = members(digits, rides.pickup_latitude)
    question = f"SELECT count(*) {in_group(rides)} AND payment_type = 'CSH'"
    curator = Simulator(question, rides.ride[cash], np.ones(cash.sum()), CEDAR, "s")
    found = estimates(sets, curator.answers(digits, sets[:, cash])) > 0.5
    assert (found == cash).mean() >= 0.95


def test_latitudes_give_away_small_numbers(rides):
    digits = power_digits("pickup_latitude", 2400)
    sets = members(digits, rides.pickup_latitude)
    question = f"SELECT sum(passenger_count) {in_group(rides)}"
    curator = Simulator(question, rides.ride, rides.passenger_count, CEDAR, "s")
    found = estimates(sets, curator.answers(digits, sets)).round()
    assert (found == rides.passenger_count).mean() >= 0.75


def test_latitudes_give_away_digits_of_a_number(rides):
    """Two of the nine, at a half of the queries that the whole number is read with: seven layers
    at a scale of 4.5 move an estimate by 2 * 4.5 sqrt(7) / sqrt(6749) = 0.29, so rounding and
    clipping gets 92% of the digits."""
    digits = power_digits("pickup_latitude", 7200)
    sets = members(digits, rides.pickup_latitude)
    answers = []
    for place in (1, 5):
        question = f"SELECT sum(CAST(SUBSTRING(ssn, {place}, 1) AS INT)) {in_group(rides)}"
        values = rides.ssn.str[place - 1].astype(int)
        answers.append(Simulator(question, rides.ride, values, CEDAR, "s").answers(digits, sets))
    found = estimates(sets, answers).round().clip(0, 9)
    truth = [rides.ssn.str[place - 1].astype(int) for place in (1, 5)]
    assert (found == truth).mean() >= 0.88


@pytest.mark.parametrize("m", [1, 5, 3000])
def test_digits_that_differ_in_the_power_alone(m):
    digits = power_digits("x", m)
    assert {(digit.column, digit.factor, digit.offset) for digit in digits} == {("x", 1, 1)}
    powers = [digit.power for digit in digits]
    assert powers == sorted(set(powers))
    assert len(powers) == m
    assert 5 <= powers[0] <= powers[-1] < 8
