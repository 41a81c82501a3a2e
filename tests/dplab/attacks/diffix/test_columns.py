"""However a value is spelled, it has one name or is refused, in both databases."""

import datetime
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dplab.attacks.diffix import LAYERED, DiffixCurator, DuckDB, SQLite, parse
from dplab.attacks.diffix.columns import typed
from dplab.interaction import Refused

ENGINES = pytest.mark.parametrize("engine", [SQLite, DuckDB])
AGES = np.tile(np.arange(-2, 20), 10)
PEOPLE = pd.DataFrame(
    {
        "person": np.arange(len(AGES)),
        "age": AGES,
        "small": AGES.astype("int8"),
        "large": AGES.astype("uint64") % 64,
        "price": AGES.astype(float),
        "weight": AGES.astype("float32"),
        "flag": AGES % 2 == 0,
        "code": [f"{age:03}" for age in AGES],
        "group": pd.Categorical([f"g{age % 5}" for age in AGES]),
        "day": [datetime.date(2020, 1, 3 + int(age)) for age in AGES],
        "time": pd.to_datetime([f"2020-01-{3 + age:02}" for age in AGES]),
    }
)
NUMBERS = ["age", "small", "large", "price", "weight"]
WHOLE = ["age", "small", "large"]
SPELLINGS = {
    "number": """16|16.0|16.00000|1.6e1|160e-1|.16E2|016|+16|1_6|16.0000000000000000000000000000001|
        16.00000000000000000000000000000000000000000000001|16.0000001|16.000001|'16'|' 16'|'16 '|
        '16.0'|'+16'|'1.6e1'|'15.5001'|'15.9'|'16.4999'|'0b10000'|'0x10'|'1_6'|CAST(16 AS DOUBLE)|
        '16'::INTEGER|16::SMALLINT|$1|?|-(-16)|16.00000001|16 COLLATE nocase|(16)|0x10""",
    "zero": "0|-0|0.0|-0.0|0e5|1e-400|-1e-400|'0'|'-0'|'-0.4'|'0.3'|1e-30|00",
    "flag": "1|1.0|1e0|01|'1'|'t'|'T'|'true'|'TRUE'|'yes'|'y'|' t'|'on'|true|2|-1|0.5|'0b1'",
    "code": "'016'|'16'|16|016|'016 '|' 016'|'016.0'|E'016'|'01' '6'|'0''16'|'016' COLLATE nocase|"
    "'016\x00'|'016\x00a'|$$016$$|N'016'",
    "group": "'g1'|' g1'|'G1'|'g1 '|E'g1'|'g1'::VARCHAR|'g1' COLLATE nocase",
    "day": "'2020-01-13'|' 2020-01-13'|'2020-1-13'|'2020/01/13'|'2020-01-13 00:00:00'|'20200113'|"
    "'2020-01-13 (AD)'|'2020-01-13T00:00:00'|DATE '2020-01-13'|'2020-01-13 23:59:59'|'2020-13-01'|"
    "'+2020-01-13'|'2020-01-13 '|20200113",
    "time": "'2020-01-13 00:00:00'|'2020-01-13'|' 2020-01-13 00:00:00'|'2020-1-13 0:0:0'|"
    "'2020-01-13 00:00:00.0'|'2020-01-13 00:00:00.0000001'|'2020-01-13T00:00:00'|"
    "'2020-01-13 00:00:00Z'|'2020-01-13 00:00:00+00'|'2020-01-13 01:00:00+01'|'2020-01-13 00:00'|"
    "TIMESTAMP '2020-01-13 00:00:00'|'2020/01/13 00:00:00'|'2020-01-12 24:00:00'",
}
FORMS = ["{0} = {1}", "({0}) = {1}", "{0} IN ({1})", "{0} IN ({1}, {1})", "{0} BETWEEN {1} AND {1}"]
FORMS += ["{0} <> {1}", '"{0}" <> {1}', "{0} != {1}"]
BUCKETS = ["floor({0}) = {1}", "{1} = ceil({0})", "round({0}) = {1}", "round({0}, 0) = {1}"]
OTHERS = {
    "age": ["age BETWEEN 15.5 AND 16.5", "age BETWEEN 15.01 AND 16.99", "age BETWEEN '15.6' AND 16",
            "age IN (16, '15.5001')", "age IN ('16', '16.4')", "age BETWEEN 15.5 AND '16.4'"],
    "code": ["code BETWEEN '016' AND '0165'", "code BETWEEN '0155' AND '016'"],
    "day": ["day BETWEEN '2020-01-13' AND '2020-1-13'", "day IN ('2020-01-13', ' 2020-01-13')"],
}  # fmt: skip


def cases():
    """Yield a column and spellings of conditions on it."""
    for kind, texts in SPELLINGS.items():
        spellings = [text.strip(" \n") for text in texts.split("|")]
        for column in NUMBERS if kind in ("number", "zero") else [kind]:
            forms = FORMS + (BUCKETS if column in WHOLE else [])
            texts = [form.format(column, one) for form, one in product(forms, spellings)]
            yield column, texts + (OTHERS.get(column, []) if kind != "zero" else [])


def curator_of(engine, salt="salt"):
    return DiffixCurator(engine({"people": PEOPLE}), "people", "person", LAYERED, salt=salt)


def condition_of(text, declared):
    """Return the condition with its names, or None if it is refused."""
    try:
        [condition] = parse(f"SELECT count(*) FROM people WHERE {text}").conditions
        return typed(condition, declared)
    except Refused:
        return None


def matched_people(curator, condition):
    """Return the people whom the database itself picks, asked without a curator."""
    try:
        rows = curator.engine.rows(f"SELECT person FROM people WHERE {condition} ORDER BY person")
    except Exception:  # this database doesn't read it
        return ()
    return tuple(person for (person,) in rows)


@ENGINES
def test_spellings_of_one_condition_have_one_name_or_are_refused(engine):
    """For each set of people, all conditions that the curator answers have one name.

    Conditions that everybody or nobody meets are no such spellings: excluding a value that nobody
    has is lesson 3's attack, and the layers of all other conditions stay.
    """
    curator = curator_of(engine)
    names = {}
    for column, texts in cases():
        for text in texts:
            condition = condition_of(text, curator.columns[column])
            people = condition and matched_people(curator, text)
            if people and len(people) < len(PEOPLE):
                key = column, people
                names.setdefault(key, {})[condition.name, condition.elements] = text
    assert [found for found in names.values() if len(found) > 1] == []
    assert len(names) >= 18  # of eleven columns most have an = and a <>


@ENGINES
def test_averaging_over_spellings_finds_nothing(engine):
    """The difference of two counts would give away a person; its noise must not shrink."""
    curator = curator_of(engine)
    texts = [f"age = '{15.5001 + i / 1000:.4f}'" for i in range(900)]
    assert not any(condition_of(text, curator.columns["age"]) for text in texts)
    with pytest.raises(Refused, match="age is compared with numbers without quotes"):
        curator.ask(f"SELECT count(*) FROM people WHERE {texts[0]}")
    allowed = [f"age = 16.{'0' * i}" for i in range(0, 200, 20)]
    allowed += [f"age BETWEEN {15.001 + i / 1000:.3f} AND 16.{i + 100}" for i in range(0, 900, 30)]
    answers = {curator.ask(f"SELECT count(*) FROM people WHERE {text}") for text in allowed}
    assert len(answers) == 1


@ENGINES
def test_averaging_over_ranges_leaves_the_layer_of_the_column(engine):
    """Salts are fixed. Without a layer that stays the means would be within 0.7 of 10."""
    ends = [f"{15.5 + i / 1000:.3f} AND 16.{i + 100}" for i in range(0, 400, 20)]
    means = []
    for salt in range(12):
        curator = curator_of(engine, str(salt))
        answers = [
            curator.ask(f"SELECT count(*) FROM people WHERE price BETWEEN {e}") for e in ends
        ]
        assert len(set(answers)) > 1
        means.append(np.mean(answers))
    assert np.std(means) > 0.6


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("age = '16'", "age is compared with numbers without quotes"),
        ("weight = 16.000001", "numbers without quotes, of at most 6 digits"),
        ("flag = 't'", "flag is compared with 0 or 1 without quotes"),
        ("code = 16", "code is compared with texts in single quotes, not by a range"),
        ("code BETWEEN '0' AND '1'", "not by a range"),
        ("floor(code) = 1", "code is compared with texts"),
        ("day = '2020-1-1'", "day is compared with dates in the form '2020-01-31'"),
        ("time = '2020-01-31'", "times in the form '2020-01-31 23:59:00'"),
    ],
)
def test_a_refusal_says_how_to_write_a_value(condition, words):
    with pytest.raises(Refused, match=words):
        curator_of(DuckDB).ask(f"SELECT count(*) FROM people WHERE {condition}")


def test_a_column_of_an_unknown_type_is_not_compared():
    times = pd.to_datetime(["2020-01-01"] * 9).tz_localize("Europe/Berlin")
    table = pd.DataFrame({"person": range(9), "when": times})
    curator = DiffixCurator(DuckDB({"t": table}), "t", "person", LAYERED, salt="salt")
    with pytest.raises(Refused, match="when has a type that can't be compared"):
        curator.ask("SELECT count(*) FROM t WHERE \"when\" = '2020-01-01 00:00:00'")
