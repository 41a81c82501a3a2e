import pytest

from dplab.attacks.diffix import Refused, parse

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
    assert query.dynamic_layers == ("a = 1", "b = 0.5", "b = 2", "d <> -3")


def test_a_named_column_is_a_layer_more():
    assert parse("SELECT sum(x) FROM t WHERE a = 1").dynamic_layers == ("a = 1", "x")
    assert parse("SELECT count(*) FROM t WHERE a = 1").dynamic_layers == ("a = 1",)


@pytest.mark.parametrize("spelling", ["status='C'", "( status = 'C' )", "status  =\n'C'"])
def test_spelling_makes_no_difference_to_a_condition(spelling):
    (condition,) = parse(f"SELECT count(*) FROM loans WHERE {spelling}").conditions
    assert condition.text == "status = 'C'"


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


@pytest.mark.parametrize(
    "text",
    [
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
        "SELECT count(*)",
    ],
)
def test_refuses_all_else_and_says_what_is_allowed(text):
    with pytest.raises(Refused, match=r"allowed is SELECT count\(\*\)"):
        parse(text)
