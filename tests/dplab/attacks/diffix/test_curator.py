from inspect import signature

import numpy as np
import pandas as pd
import pytest

from dplab.attacks.diffix import (
    CEDAR,
    DOGWOOD,
    FRESH,
    GENERATIONS,
    LAYERED,
    NONE,
    STICKY,
    DiffixCurator,
    Digit,
    DuckDB,
    Simulator,
    SQLite,
    cohen_nissim_digits,
)
from dplab.attacks.diffix.digits import members
from dplab.attacks.diffix.engine import FUNCTIONS
from dplab.interaction import Refused
from tests.dplab.attacks.diffix.tables import CLIENTS, LOANS, RUNNING, curator

ENGINES = pytest.mark.parametrize("engine", [SQLite, DuckDB])


@ENGINES
@pytest.mark.parametrize(
    ("sql", "truth"),
    [
        ("SELECT count(*) FROM loans", 40),
        (RUNNING, 20),
        (f"{RUNNING} AND client_id BETWEEN 2010 AND 2019", 5),
        (f"{RUNNING} AND region IN ('north', 'south')", 10),
        (f"{RUNNING} AND client_id <> 2002", 19),
        ("SELECT sum(amount) FROM loans WHERE amount BETWEEN 100 AND 120", 330),
        ("SELECT sum(cast(substring(zip, 1, 1) AS integer)) FROM loans", 180),
        ("SELECT count(*) FROM loans WHERE floor(amount / 100.0) = 2", 10),
        ("SELECT count(*) FROM loans WHERE region = 'nowhere'", 0),
    ],
)
def test_the_honest_curator_tells_the_truth(engine, sql, truth):
    assert curator(NONE, engine).ask(sql) == truth


@ENGINES
def test_answers_as_the_simulator_does(engine):
    digits = cohen_nissim_digits("client_id")[::97]
    running = np.array(LOANS.status == "C")
    asked = [curator(LAYERED, engine).ask(f"{RUNNING} AND {digit.text}") for digit in digits]
    simulator = Simulator(RUNNING, CLIENTS[running], np.ones(20), LAYERED, "salt")
    simulated = simulator.answers(digits, members(digits, CLIENTS[running]))
    np.testing.assert_array_equal(np.array(asked, dtype=float), simulated)


def test_fresh_noise_is_new_and_sticky_noise_sticks_to_the_text():
    fresh = curator(FRESH, rng=np.random.default_rng(2))
    assert len({fresh.ask(RUNNING) for _ in range(30)}) > 5
    sticky = curator(STICKY)
    assert len({sticky.ask(RUNNING) for _ in range(5)}) == 1
    assert len({sticky.ask(f"{RUNNING} AND client_id <> -{i}") for i in range(1, 30)}) > 5
    assert sticky.asked == 34


def test_layered_noise_knows_the_same_question_in_other_words():
    layered = curator(LAYERED)
    assert layered.ask(RUNNING) == layered.ask(RUNNING.replace(" = ", "  =\n"))
    assert layered.ask(RUNNING) != curator(LAYERED, salt="pepper").ask(RUNNING)


@ENGINES
@pytest.mark.parametrize(
    "again",
    ["status = 'C'", "status IN ('C')", "(status) = 'C' /* or so */", "status BETWEEN 'C' AND 'C'"],
)
def test_a_condition_that_is_repeated_tells_nothing(engine, again):
    layered = curator(LAYERED, engine)
    assert layered.ask(f"{RUNNING} AND {again}") == layered.ask(RUNNING)


@ENGINES
def test_a_count_of_everybody_is_disturbed(engine):
    answers = {
        curator(LAYERED, engine, salt=f"{i}").ask("SELECT count(*) FROM loans") for i in range(40)
    }
    assert len(answers) > 2  # of 40 draws of a normal law, sigma sqrt 2: all in two with 1e-12


@ENGINES
@pytest.mark.parametrize("first", [-6.0, -0.5, np.nan, np.inf, 1e301])
def test_what_is_no_amount_adds_nothing(engine, first):
    """A refusal would tell that somebody has such a value."""
    one = curator(NONE, engine)
    one.engine = engine({"loans": LOANS.assign(amount=[first] + 39 * [1.0])})
    assert one.ask("SELECT sum(amount) FROM loans") == 39
    assert one.ask("SELECT sum(amount) FROM loans WHERE status = 'C'") == 19
    assert one.ask("SELECT sum(amount) FROM loans WHERE status = 'A'") == 20


@ENGINES
@pytest.mark.parametrize(
    ("sql", "changed", "words"),
    [
        ("SELECT sum(amount) FROM loans", ["secret"] + 39 * ["1"], "amount has a type without"),
        ("SELECT sum(amount) FROM loans WHERE status = 'A'", ["secret"] + 39 * ["1"], "numbers"),
        ("SELECT sum(status) FROM loans WHERE client_id = 2000", 40 * [1], "status has a type"),
        ("SELECT sum(cast(substring(amount, 1, 1) AS integer)) FROM loans", 40 * [1], "texts"),
    ],
)
def test_no_error_quotes_a_person(engine, sql, changed, words):
    one = curator(DOGWOOD, engine)
    one.engine = engine({"loans": LOANS.assign(amount=changed)})
    with pytest.raises(Refused, match=words) as error:
        one.ask(sql)
    assert "secret" not in str(error.value)


NASTY = [
    "SELECT count(*) FROM loans WHERE floor(client_id * 1e300 * 1e300) = 1",
    "SELECT count(*) FROM loans WHERE floor(client_id * 1000000000000000) = 1",  # beyond 64 bits
    "SELECT count(*) FROM loans WHERE floor(sqrt(client_id - 2000)) = 1",
    "SELECT count(*) FROM loans WHERE floor(1 / (client_id - 1900)) = 1",
    "SELECT count(*) FROM loans WHERE status = 5",
    "SELECT count(*) FROM loans WHERE floor(zip) = 5",
    "SELECT sum(cast(substring(zip, 6, 1) AS integer)) FROM loans",
]


@ENGINES
@pytest.mark.parametrize("sql", NASTY)
def test_whether_a_question_is_refused_does_not_hang_on_a_person(engine, sql):
    """A database's own error would say that somebody has such a value: exactly, without noise."""
    outcomes = set()
    for first, zip_code in ((2000, "00115"), (1900, "00115"), (20_000, "x"), (2000, "0011x5")):
        ids = [first, *CLIENTS[1:]]
        one = curator(LAYERED, engine)
        codes = [zip_code, *LOANS.zip[1:]]
        one.engine = engine({"loans": LOANS.assign(client_id=ids, zip=codes)})
        try:
            one.ask(sql)
            outcomes.add("answered")
        except Refused as refusal:
            outcomes.add(str(refusal))
    assert len(outcomes) == 1


@ENGINES
def test_people_without_a_value_add_nothing_and_rows_without_a_person_are_nobodys(engine):
    one = curator(NONE, engine)
    ids = [None, *CLIENTS[1:].astype(float)]
    one.engine = engine({"loans": LOANS.assign(client_id=ids, amount=20 * [None] + 20 * [2.0])})
    assert one.ask("SELECT sum(amount) FROM loans") == 40
    assert one.ask("SELECT count(*) FROM loans") == 39


@ENGINES
def test_names_may_be_whatever_a_database_takes(engine):
    named = LOANS.rename(columns={"client_id": "user id", "status": "order"})
    one = DiffixCurator(engine({"my table's": named}), "my table's", "user id", CEDAR, salt="salt")
    question = 'SELECT count(DISTINCT "user id") FROM "my table\'s" WHERE "order" = \'C\''
    assert one.isolating == {"user id", "amount"}
    assert abs(one.ask(question) - 20) < 15
    assert one.ask('SELECT sum("user id") FROM "my table\'s"') > 0


def test_few_people_are_suppressed():
    assert curator(LAYERED).ask(f"{RUNNING} AND client_id = 2000") is None


def test_isolating_columns_are_those_of_one_person_each():
    assert curator(CEDAR).isolating == {"client_id", "amount"}
    assert curator(CEDAR, DuckDB).isolating == {"client_id", "amount"}


@ENGINES
@pytest.mark.parametrize(("own", "isolating"), [(7, False), (8, True), (9, True)])
def test_a_column_is_isolating_from_four_fifths_on(engine, own, isolating):
    """Of ten values so many are one person's, and two people have each of the others."""
    values = [*range(own), *(2 * [*range(own, 10)])]
    table = pd.DataFrame({"client_id": range(len(values)), "number": values})
    one = DiffixCurator(engine({"t": table}), "t", "client_id", CEDAR, salt="salt")
    assert ("number" in one.isolating) == isolating


@ENGINES
def test_a_value_in_two_rows_of_one_person_is_one_person_s(engine):
    rows = {"client_id": [1, 1, 2, 2], "number": [5, 5, 6, 6], "shared": [7, 8, 7, 8]}
    one = DiffixCurator(engine({"t": pd.DataFrame(rows)}), "t", "client_id", CEDAR, salt="salt")
    assert one.isolating == {"client_id", "number"}


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda one: one.name)
def test_each_generation_refuses_what_beat_the_one_before(generation):
    one = curator(generation, rng=np.random.default_rng(1))

    def refused(condition):
        try:
            one.ask(f"{RUNNING} AND {condition}")
        except Refused:
            return True
        return False

    assert refused(Digit("client_id", 2, 0.7, 100).text) == (generation in (CEDAR, DOGWOOD))
    assert refused("floor(client_id) = 2001") == (generation in (CEDAR, DOGWOOD))
    assert not refused("client_id <> 2001")


def test_arithmetic_in_buckets_on_other_columns_is_refused_by_the_last_alone():
    rides = LOANS.assign(client_id=CLIENTS, amount=np.arange(40) % 10)
    question = "SELECT count(*) FROM loans WHERE floor(amount * 1.5) = floor(amount * 1.5 + 0.5)"
    answers = {}
    for generation in (CEDAR, DOGWOOD):
        one = curator(generation)
        one.engine = SQLite({"loans": rides})
        try:
            answers[generation.name] = one.ask(question) is not None
        except Refused as error:
            answers[generation.name] = str(error)
    assert answers["Cedar"] is True
    assert "no arithmetic inside floor, ceil or round" in answers["Dogwood"]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT count(*) FROM people", "there is one table, loans"),
        ("SELECT count(*) FROM loans WHERE salary = 3", "with columns client_id, status"),
        ("SELECT count(DISTINCT region) FROM loans", "the column must be client_id"),
    ],
)
def test_unknown_names_are_refused(sql, words):
    with pytest.raises(Refused, match=words):
        curator(LAYERED).ask(sql)


def test_an_engine_s_functions_take_as_many_arguments_as_they_say():
    for _, number, function in FUNCTIONS:
        assert len(signature(function).parameters) == number
