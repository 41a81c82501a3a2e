from functools import partial

import pytest

from dplab.attacks.diffix import parse
from dplab.interaction import Refused
from tests.refusals import assert_refused

DIGIT = "floor(100 * pow(client_id * 2, 0.7) + 0.5) = floor(100 * (client_id * 2)^0.7)"


@pytest.mark.parametrize(
    ("text", "term", "counted", "distinct"),
    [
        ("SELECT count(*) FROM t", "1", "", False),
        ("select COUNT( * )from t;", "1", "", False),
        ("SELECT count(DISTINCT x) FROM t", "x", "x", True),
        ("SELECT sum(x) FROM t", "x", "x", False),
        (
            "SELECT sum(cast(substring(x, 3, 1) AS integer)) FROM t",
            "CAST(SUBSTRING(x, 3, 1) AS INT)",
            "x",
            False,
        ),
    ],
)
def test_reads_the_aggregates(text, term, counted, distinct):
    query = parse(text)
    assert (query.table, query.term, query.counted, query.distinct) == (
        "t",
        term,
        counted,
        distinct,
    )
    assert query.conditions == ()


def test_names_the_layers_of_each_condition():
    query = parse(
        "SELECT count(*) FROM t WHERE a = 1 AND b IN (0.5, 2) AND c BETWEEN 1 AND 9 AND d <> -3"
    )
    assert query.static_layers == ("a = 1", "b IN (0.5, 2)", "c BETWEEN 1 AND 9", "d <> -3")
    assert query.dynamic_layers == ("a = 1", "b = 0.5", "b = 2", "c BETWEEN", "d <> -3")


def test_a_named_column_is_a_layer_more():
    assert parse("SELECT sum(x) FROM t WHERE a = 1").dynamic_layers == ("a = 1", "x")
    assert parse("SELECT count(*) FROM t WHERE a = 1").dynamic_layers == ("a = 1",)


SPELLINGS = {
    "status = 'C'": [
        "status='C'", "( status = 'C' )", "status  =\n'C'", "(status) = ('C')", "status = /**/ 'C'",
        "status = 'C' -- again", "status IN ('C')", "status IN ('C', 'C')", "\"status\" = 'C'",
        "status BETWEEN 'C' AND 'C'",
    ],
    "x = 2000": [
        "x = 2000.0", "x = 2e3", "x IN (2000, 2000.0)", "x BETWEEN 2000 AND 2000.00", "x = 02000",
        "x = 2_000", "x = +2000", "x = 2000.00000000000000000000000000000",
    ],
    "x = '2000'": ["x IN ('2000')", "(x) = ('2000')"],  # a text
    "x = '02000'": [],
    "x = 0": ["x = -0", "x = 0.0", "x = -0.0", "x = 1e-400"],
    "x = 3.5": ["x = 3.50", "x = 35e-1"],
    "x = -3.5": ["x = -3.50", "x = -.35e1"],
    "x = 100000000000000000000": ["x = 1e20"],
    "x <> -1": ["x != -1", "x <> -1.0", "(x) <> (-1)"],
    "x IN (1, 2, 30)": ["x IN (2, 1, 30)", "x IN (30.0, 1, 2, 2, 1)"],
    "x BETWEEN 1 AND 9": ["x BETWEEN 1.0 AND 9", "(x) BETWEEN 1 AND 9.0"],
    "3 = FLOOR(x)": [
        "floor(x) = 3", "3.0 = floor((x))", "floor(x /* a */) = 3", "((floor(x))) = (3)",
    ],
    "7 = ROUND(x)": ["round(x) = 7", "round(x, 0) = 7", "round(\"x\") = 7.0"],
    "FLOOR(x * 0.5) = ROUND(x)": ["round(x) = floor(x * .50)", "floor((x * 0.5)) = round(x)"],
}  # fmt: skip


def condition_of(text):
    (condition,) = parse(f"SELECT count(*) FROM loans WHERE {text}").conditions
    return condition.name, condition.elements


def test_a_condition_has_one_name_however_it_is_spelt():
    others = [
        f"{spelling!r} is not {name!r}"
        for name, spellings in SPELLINGS.items()
        for spelling in (name, *spellings)
        if condition_of(spelling) != (name, condition_of(name)[1])
    ]
    assert not others, "\n".join(others)


def test_a_condition_said_twice_is_one():
    """Or one answer, doubled, less the other would be without the noise of its layers."""
    once = parse("SELECT sum(x) FROM t WHERE a = 1 AND b IN (1, 2)")
    twice = parse("SELECT sum(x) FROM t WHERE b = 2 AND a = 1 AND b IN (2, 1) AND a IN (1)")
    assert set(once.static_layers) < set(twice.static_layers)
    assert sorted(twice.static_layers) == ["a = 1", "b = 2", "b IN (1, 2)"]
    assert sorted(twice.dynamic_layers) == sorted(once.dynamic_layers) == [
        "a = 1", "b = 1", "b = 2", "x"
    ]  # fmt: skip


SUMS = {
    "amount": ['"amount"', "/**/ amount"],
    "CAST(SUBSTRING(x, 2, 1) AS INT)": [
        "cast(substring(x, 2, 1) AS integer)", 'cast(substring("x", 02, 1.0) AS bigint)',
        "cast(substr(x, 2e0, 1) AS int8)", "cast(substring(x from 2 for 1) AS int4)",
    ],
}  # fmt: skip


def test_a_sum_has_one_name_however_it_is_spelt():
    layers = {
        (name, spelling): parse(f"SELECT sum({spelling}) FROM loans WHERE a = 1").dynamic_layers
        for name in SUMS
        for spelling in (name, *SUMS[name])
    }
    assert [case for case, found in layers.items() if found != ("a = 1", case[0])] == []


@pytest.mark.parametrize(
    "part", ["0, 1", "1, 0", "1, 2", "1, 99", "1.5, 1", "'a', 1", "-1, 1", "2"]
)
def test_a_sum_of_more_or_less_than_a_digit_is_refused(part):
    """The whole of a text would be as many sums as there are lengths above its own."""
    with pytest.raises(Refused):
        parse(f"SELECT sum(cast(substring(x, {part}) AS integer)) FROM t")


def test_a_question_without_conditions_has_layers():
    query = parse("SELECT count(*) FROM t")
    assert query.static_layers == query.dynamic_layers == ("t",)


@pytest.mark.parametrize(
    ("text", "maths", "arithmetic"),
    [
        (DIGIT, True, True),
        ("floor(x) = 3", True, False),
        ("round(x) = floor(x)", True, False),
        ("ceil(x / 2) = 3", True, True),
        ("x = 3", False, False),
    ],
)
def test_tells_maths_and_arithmetic_in_buckets(text, maths, arithmetic):
    (condition,) = parse(f"SELECT count(*) FROM t WHERE {text}").conditions
    assert (condition.maths, condition.arithmetic) == (maths, arithmetic)


def test_refuses_all_else_and_says_what_is_allowed():
    texts = [
        "",
        "SELECT",
        "not SQL at all",
        "DROP TABLE loans",
        "SELECT count(*) FROM t; DROP TABLE t",
        "SELECT * FROM t",
        "SELECT x FROM t",
        "SELECT count(*), sum(x) FROM t",
        "SELECT count(x) FROM t",
        "SELECT count(DISTINCT x, y) FROM t",
        "SELECT avg(x) FROM t",
        "SELECT sum(x + y) FROM t",
        "SELECT sum(x * 1000) FROM t",
        "SELECT sum(cast(x AS integer)) FROM t",
        "SELECT sum(cast(substring(x, y, 1) AS integer)) FROM t",
        "SELECT count(*) FROM t, u",
        "SELECT count(*) FROM t JOIN u ON t.a = u.a",
        "SELECT count(*) FROM (SELECT * FROM t)",
        "SELECT count(*) FROM t AS u",
        "SELECT count(*) FROM other.t",
        "SELECT count(*) FROM t WHERE a = 1 OR b = 2",
        "SELECT count(*) FROM t WHERE NOT a = 1",
        "SELECT count(*) FROM t WHERE a > 1",
        "SELECT count(*) FROM t WHERE a = b",
        "SELECT count(*) FROM t WHERE a IN (SELECT a FROM u)",
        "SELECT count(*) FROM t WHERE a LIKE 'x%'",
        "SELECT count(*) FROM t WHERE a * 2 = 4",
        "SELECT count(*) FROM t WHERE floor(a) = floor(b)",
        "SELECT count(*) FROM t WHERE floor(random()) = floor(a)",
        "SELECT count(*) FROM t WHERE a = (SELECT 1)",
        "SELECT count(*) FROM t WHERE (a = 1 OR b = 2) AND c = 3",
        "SELECT count(*) FROM t GROUP BY a",
        "SELECT count(*) FROM t HAVING count(*) > 3",
        "SELECT count(*) FROM t ORDER BY 1",
        "SELECT count(*) FROM t LIMIT 1",
        "SELECT DISTINCT count(*) FROM t",
        "WITH u AS (SELECT 1) SELECT count(*) FROM t",
        "SELECT count(*) FROM t UNION SELECT count(*) FROM u",
        "SELECT count(*) AS n FROM t",
        "SELECT count(*) FROM t TABLESAMPLE 10%",
        "SELECT count(*) FROM t USING SAMPLE 3",
        "SELECT count(*) FROM t PIVOT (count(*) FOR a IN (1))",
        "SELECT count(*) FROM t AT (TIMESTAMP => 'x')",
        "SELECT count(* EXCLUDE (a)) FROM t",
        "SELECT count(*) FILTER (WHERE a = 1) FROM t",
        "SELECT count(*) OVER () FROM t",
        "SELECT sum(DISTINCT x) FROM t",
        "SELECT sum(try_cast(substring(x, 1, 1) AS integer)) FROM t",
        "SELECT count(*) FROM t WHERE t.a = 1",
        "SELECT count(*) FROM t WHERE a = 'x' COLLATE nocase",
        "SELECT count(*) FROM t WHERE floor(a, 2) = 3",
        "SELECT count(*) FROM t WHERE a = -'5'",
        "SELECT count(*) FROM t WHERE a = CAST('5' AS integer)",
        "SELECT count(*) FROM t WHERE a = 5::integer",
        "SELECT count(*) FROM t WHERE a = DATE '2020-01-31'",
        "SELECT count(*) FROM t WHERE a = $1",
        "SELECT count(*) FROM t WHERE a = ?",
        "SELECT count(*) FROM t WHERE a = true",
        "SELECT count(*) FROM t WHERE a = 0x10",
        "SELECT count(*) FROM t WHERE a = E'x'",
        "SELECT count(*) FROM t WHERE a = 'x' 'y'",
        "SELECT count(*) FROM t WHERE floor(a) = '3'",
        "SELECT count(*) FROM t WHERE floor(a * '2') = 3",
        "SELECT count(*) FROM t WHERE round(a, 1) = 3",
        "SELECT count(*) FROM t WHERE a BETWEEN SYMMETRIC 9 AND 1",
        "SELECT count(*) FROM t WHERE a = 1 QUALIFY count(*) > 1",
        f"SELECT count(*) FROM t WHERE {1000 * '('}a = 1{1000 * ')'}",
        f"SELECT count(*) FROM t WHERE {' AND '.join(101 * ['a = 1'])}",
        "SELECT count(*)",
    ]
    words = r"allowed is SELECT count\(\*\)"
    assert_refused([(partial(parse, text), words) for text in texts], Refused)


@pytest.mark.parametrize("number", ["1234567890123456", "16.000000000000001", "1e400", "-1e400"])
def test_numbers_that_floats_do_not_tell_apart_are_refused(number):
    with pytest.raises(Refused, match="finite and have at most 15 digits"):
        parse(f"SELECT count(*) FROM t WHERE a = {number}")
    assert parse("SELECT count(*) FROM t WHERE a = 123456789012345e30").conditions


def test_a_hundred_conditions_may_be_asked():
    words = " AND ".join(f"x{i} = 1" for i in range(100))
    assert len(parse(f"SELECT count(*) FROM t WHERE {words}").conditions) == 100
