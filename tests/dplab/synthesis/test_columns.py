import math

import numpy as np
import pandas as pd
import pytest

from dplab import ADD_REMOVE, REPLACE_ONE, ZCDP, PureDP, records
from dplab.budget import Budget
from dplab.interaction import Curator
from dplab.neighbors import sensitivity
from dplab.synthesis import Columns, Marginals

PEOPLE = Columns(
    categories={"smokes": ["no", "yes"], "job": ["nurse", "teacher", "other"]},
    bins={"age": [0, 30, 60, 120]},
)
SECRET = "secret-4711"


def draw_people(n, rng):
    smokes = rng.choice(["no", "yes"], n, p=[0.7, 0.3])
    age = np.where(smokes == "yes", rng.uniform(15, 60, n), rng.uniform(0, 120, n))
    job = rng.choice(["nurse", "teacher", "other"], n, p=[0.5, 0.3, 0.2])
    return pd.DataFrame({"age": age, "id": np.arange(n), "job": job, "smokes": smokes})


def test_the_table_is_that_of_pandas():
    people = draw_people(500, np.random.default_rng())
    bins = pd.cut(people["age"], [0, 30, 60, 120], right=False, labels=PEOPLE.labels("age"))
    expected = people.assign(age=bins).groupby(list(PEOPLE.names), observed=False).size()
    table = PEOPLE.count(people)
    for cell, count in expected.items():
        place = tuple(PEOPLE.labels(n).index(v) for n, v in zip(PEOPLE.names, cell, strict=True))
        assert table[place] == count
    assert table.sum() == 500
    edges = Columns(bins={"age": [0, 30, 60]}).count({"age": [0, 29.9, 30, 59.9, 60]})
    assert edges.tolist() == [2, 3]  # an edge is in the bin above it, the last edge in the last


@pytest.mark.parametrize("neighbors", [ADD_REMOVE, REPLACE_ONE])
@pytest.mark.parametrize("k", [1, 2])
def test_the_noise_pays_for_the_exact_sensitivity(k, neighbors):
    small = Columns(categories={"a": ["x", "y"], "b": (0, 1)}, bins={"c": (0, 1, 2)})
    universe = [(a, b, c) for a in "xy" for b in (0, 1) for c in (0.5, 1.5)]
    pure = small.marginals(k, total=PureDP(0.5), neighbors=neighbors)
    zcdp = small.marginals(k, total=ZCDP(0.5), neighbors=neighbors)

    def query(rows):
        columns = zip(*rows, strict=True) if rows else ([], [], [])
        return pure.mechanism.query(dict(zip("abc", map(list, columns), strict=True)))

    assert sensitivity(query, neighbors, universe, 2) == pure.mechanism.sensitivity
    l2 = sensitivity(query, neighbors, universe, 2, norm=2)
    assert l2 == pytest.approx(float(zcdp.mechanism.sensitivity), rel=1e-15)
    assert zcdp.mechanism.sensitivity**2 >= round(l2**2)
    assert pure.guarantee == PureDP(0.5)
    assert zcdp.guarantee.rho == pytest.approx(0.5)
    assert pure.neighbors == zcdp.neighbors == neighbors


def test_marginals_with_little_noise_are_sums_of_the_table():
    people = draw_people(300, np.random.default_rng())
    exact = PEOPLE.count(people)
    noisy = PEOPLE.marginals(2, total=PureDP(1e4))(people, np.random.default_rng())
    assert (noisy.table("smokes", "age") == exact.sum(axis=1)).all()  # but for e^-1000
    assert (noisy.table("age", "job") == exact.sum(axis=0).T).all()
    frame = noisy.frame("job", "smokes").set_index(["job", "smokes"])["count"]
    assert frame["teacher", "yes"] == exact[1, 1].sum()
    with pytest.raises(ValueError, match=r"names must be 2 of 'smokes', 'job', 'age', not"):
        noisy.table("age")
    with pytest.raises(ValueError, match="name must be one of"):
        noisy.table("age", "id")


def test_the_fit_of_one_way_marginals_is_their_product():
    people = draw_people(1000, np.random.default_rng())
    exact = PEOPLE.count(people)
    fitted = PEOPLE.marginals(1, total=PureDP(1e4))(people, np.random.default_rng()).fit()
    shares = [exact.sum(axis=axes) / 1000 for axes in ((1, 2), (0, 2), (0, 1))]
    assert fitted == pytest.approx(1000 * np.einsum("i,j,k->ijk", *shares), abs=1e-3)


def test_the_fit_of_noisy_marginals_has_no_negative_cell_and_of_all_columns_is_near():
    people = draw_people(1000, np.random.default_rng())
    noise = np.random.default_rng().integers(-60, 60, 21)
    exact = PEOPLE.marginals(2, total=PureDP(1e4))(people, np.random.default_rng()).counts
    pairs = Marginals(PEOPLE, 2, np.append(exact[:-1] + noise[:-1], -40))
    fitted = pairs.fit()
    assert fitted.min() >= 0
    assert fitted.sum() == pytest.approx(pairs.counts.sum() / 3, abs=1)
    whole = PEOPLE.marginals(3, total=PureDP(1e4))(people, np.random.default_rng())
    assert whole.fit() == pytest.approx(PEOPLE.count(people), abs=1e-3)
    assert Marginals(PEOPLE, 3, np.full(18, -5.0)).fit() == pytest.approx(
        np.full((2, 3, 3), 1 / 18)
    )


def test_synthetic_rows_are_a_data_frame_with_the_shares_of_the_table():
    table = np.zeros(PEOPLE.shape)
    table[0, 2, 1], table[1, 0, 2] = 3, 1
    rows = PEOPLE.draw_rows(table, 4000, np.random.default_rng())
    assert rows.columns.tolist() == ["smokes", "job", "age"]
    counts = PEOPLE.count(rows)
    assert counts[table == 0].sum() == 0
    assert abs(counts[0, 2, 1] - 3000) <= 200  # 7.3 deviations: fails with probability 3e-13
    ages = rows["age"][rows["smokes"] == "yes"]
    assert ages.between(60, 120).all()
    assert abs(ages.mean() - 90) <= 4  # 7 deviations
    assert PEOPLE.draw_rows(table, 0, np.random.default_rng()).shape == (0, 3)


def test_errors_say_the_column_and_its_values_and_quote_no_data():
    good = draw_people(5, np.random.default_rng())
    allowed = {
        "column 'job' must hold one of 'nurse', 'teacher', 'other', but entry 3 is another": (
            good.assign(job=["nurse"] * 3 + [SECRET, "other"])
        ),
        "column 'age' must hold numbers from 0 to 120, but entry 1 is another": (
            good.assign(age=[5, 4711.0, 5, 5, 5])
        ),
        "column 'age' must hold numbers from 0 to 120, but entry 0 is another": (
            good.assign(age=[math.nan, 5, 5, 5, 5])
        ),
        "column 'age' must hold real numbers": good.assign(age=SECRET),
        "data must have one column 'job', with a value for each row": good.drop(columns="job"),
        "data must have columns of one length": {"smokes": ["no"], "job": [], "age": [47]},
    }
    for message, data in allowed.items():
        with pytest.raises(ValueError, match="must") as refusal:
            PEOPLE.count(data)
        assert str(refusal.value) == message
    masked = np.ma.MaskedArray([1.0, 4711.0], [False, True])
    with pytest.raises(
        ValueError, match="data must have one column 'a', with a value for each row"
    ):
        Columns(bins={"a": [0, 5000]}).count({"a": masked})
    with pytest.raises(ValueError, match=r"'9' and 20 more, but entry 0 is another$"):
        Columns(categories={"a": list(map(str, range(30)))}).count({"a": [SECRET]})


def test_in_a_conversation_another_value_counts_by_the_rule():
    data = pd.DataFrame(
        {
            "smokes": ["no", SECRET, None, ["no"]],
            "job": ["nurse", math.nan, 3, "other"],
            "age": [-7, 4711, math.nan, "x"],
        }
    )
    moved = {"smokes": ["no", "yes", "yes", "yes"], "job": ["nurse", "other", "other", "other"]}
    moved["age"] = [0, 120, 0, 0]
    with records.conversation():
        assert (PEOPLE.count(data) == PEOPLE.count(moved)).all()
    curator = Curator(data, Budget(PureDP(1e4)), np.random.default_rng())
    answer = curator.ask(PEOPLE.marginals(3, total=PureDP(1e4)))
    assert (answer.table(*PEOPLE.names) == PEOPLE.count(moved)).all()  # but for e^-5000


def test_a_column_of_equal_lists_is_a_row_of_values_as_one_of_any_lists_is():
    pairs = Columns(categories={"ends": [(1, 2), (3, 4), "other"]}, bins={"age": [0, 30, 60]})
    data = {"ends": [(3, 4), (1, 2), (3, 4)], "age": [10, 40, 50]}
    assert pairs.count(data).tolist() == [[0, 1], [1, 1], [0, 0]]
    with records.conversation():
        for last in (5, [5], [1, 2], (1, 2, 3)):  # an error would tell that all are alike
            other = {"ends": [[1, 2], [3, 4], last], "age": [[1, 2], [3, 4], last]}
            assert pairs.count(other)[2].sum() == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "must name at least one column"),
        ({"categories": {"a": ["x", "y"]}, "bins": {"a": [0, 1]}}, "each once"),
        ({"categories": {"a": "yes"}}, r"categories\['a'\] must be distinct values in a list"),
        ({"categories": {"a": ["x", "x"]}}, r"categories\['a'\] must be distinct"),
        ({"categories": {"a": []}}, r"categories\['a'\] must be distinct"),
        ({"categories": {"a": [0, math.nan]}}, r"categories\['a'\] must be distinct"),
        ({"categories": {"a": 3}}, r"categories\['a'\] must be distinct"),
        ({"categories": {"a": [["x"]]}}, r"categories\['a'\] must be distinct"),
        ({"categories": ["a"]}, "categories must be a Mapping, not"),
        ({"bins": 3}, "bins must be a Mapping, not 3"),
        ({"bins": {"a": [0, 2, 1]}}, r"bins\['a'\] must be increasing"),
        ({"bins": {"a": [0]}}, r"bins\['a'\] must be increasing"),
        ({"bins": {str(i): range(130) for i in range(4)}}, "at most 268,435,456 cells"),
    ],
)
def test_columns_that_make_no_table_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        Columns(**arguments)


def test_other_totals_and_tables_are_refused():
    with pytest.raises(ValueError, match="total must be PureDP or ZCDP, above 0, not 1"):
        PEOPLE.marginals(1, total=1.0)
    with pytest.raises(ValueError, match="k must be a whole number of at least 1, at most 3"):
        PEOPLE.marginals(4, total=PureDP(1))
    for table in (np.ones((2, 3)), -np.ones((2, 3, 3)), np.zeros((2, 3, 3))):
        with pytest.raises(ValueError, match="table must be counts of at least 0, of shape"):
            PEOPLE.draw_rows(table, 1, np.random.default_rng())
