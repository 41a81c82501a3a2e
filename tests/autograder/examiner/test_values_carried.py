"""Values of many kinds, in plain tests as teachers write them, as arguments and as results."""

from dataclasses import replace

import pytest

from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.sandbox import probing
from autograder.wire.contract import Limits
from tests.autograder.examiner.cells import LIMITS, check, error_of, student

WORK = student("""
from collections import Counter, namedtuple
from datetime import date, timedelta
from decimal import Decimal
import numpy as np
import pandas as pd

Point = namedtuple("Point", "x y")

def mean_square(x):
    return (x * x).mean()

def doubled(x):
    return x + x

def negate(x):
    np.negative(x, out=x)

def tenth():
    return Decimal("0.1")

def later(day, days):
    return day + timedelta(days=days)

def letters(word):
    return Counter(word)

def corner():
    return Point(1, 2)

def mirrored(point):
    return Point(point.y, point.x)

def grown_up(people):
    return people[people["age"] >= 18]

def ages(people):
    return people["age"]

def dropping(people):
    people.drop(columns="name", inplace=True)

def zeroing(series):
    series.iloc[:] = 0

def shorter(people):
    people.drop(index=0, inplace=True)

def spoiling(people):
    people["age"] = 0
    return people

def aliased(n):
    return [[0] * n] * n

def grid(n):
    return [[0] * n for _ in range(n)]

def first_of_first(rows):
    rows[0][0] = 1
    return rows

def growing(people):
    people.loc[len(people)] = ["Eve", 7]
    return people.age.sum()

def on_end(array):
    array.shape = (-1, 1)
    return array.sum()

def by_key(values, key=None):
    return sorted(values, key=key or (lambda x: x)) if key else list(values)

def first_day(days):
    import pandas as pd
    return pd.Series(days).min()

def read(data):
    return data.decode()

def chain(n):
    value = ()
    for _ in range(n):
        value = (value, 1.5)
    return value

class Board:
    def __init__(self):
        self.rows = aliased(2)

    def row_pair(self):
        return self.rows[0], self.rows[1]
""")
PEOPLE = """
import pandas as pd
people = pd.DataFrame({"name": ["Ada", "Bob"], "age": [36, 5]})
"""
SET = "rows = {}(3)\nrows[0][0] = 1\nassert rows[1][0] == 0"
PASS = [
    SET.format("grid"),
    "rows = aliased(3)\nrows[0][0] = 1\nassert rows == [[1, 0, 0]] * 3",
    "row = [0]\nassert first_of_first([row, row]) == [[1], [1]]",
    "row = [0]\nassert first_of_first([row, [0]]) == [[1], [0]]",
    "from decimal import Decimal\nassert tenth() + tenth() == Decimal('0.2')",
    "import datetime\nassert later(datetime.date(2026, 12, 31), 1) == datetime.date(2027, 1, 1)",
    "from collections import Counter\nassert letters('abba') == Counter('abba')",
    "assert letters('abbb').most_common(1) == [('b', 3)]",
    "assert corner().x == 1 and corner() == (1, 2)",
    "assert mirrored(corner()).x == 2",
    f"{PEOPLE}assert isinstance(grown_up(people), pd.DataFrame) and len(grown_up(people)) == 1",
    f"{PEOPLE}pd.testing.assert_frame_equal(grown_up(people), people.iloc[:1])",
    f"{PEOPLE}pd.testing.assert_series_equal(ages(people), people['age'])",
    f"{PEOPLE}assert ages(people).tolist() == [36, 5] and ages(people).name == 'age'",
    f"{PEOPLE}from autograder import checks\nchecks.call(ages, people).gives([36, 5])",
    f"{PEOPLE}copy = people.copy()\nspoiling(copy)\npd.testing.assert_frame_equal(copy, copy)",
    f"{PEOPLE}grown_up(people)\nassert people.age.sum() == 41",
    f"{PEOPLE}assert growing(people) == 48 and 'name' in people and len(people) > 1",
    f"{PEOPLE}shorter(people)\nassert len(people) >= 1",
    "import numpy as np\nx = np.arange(3)\nassert on_end(x) == 3 and x.size == 3",
    "assert by_key([1, 2], lambda x: -x) == [2, 1] and by_key([2, 1]) == [2, 1]",
    "import datetime\nd = datetime.datetime(2020, 1, 1)\nassert first_day([d, d]) == d",
    "from autograder import checks\nchecks.call(read, b'\\xff').raises(ValueError)",
    "deep = chain(45)\nassert deep[1] == 1.5 and chain(1) == ((), 1.5)",
]
FAIL = [
    SET.format("aliased"),
    "first, second = Board().row_pair()\nfirst[0] = 1\nassert second == [0, 0]",
    "rows = Board().rows\nrows[0][0] = 1\nassert rows[1][0] == 0",
    "row = [0]\nassert first_of_first([row, row]) == [[1], [0]]",
    f"{PEOPLE}dropping(people)\nassert 'name' in people",
    f"{PEOPLE}ages_of = people['age']\nzeroing(ages_of)\nassert ages_of.sum() == 41",
    f"{PEOPLE}shorter(people)\nassert len(people) == 2",
    f"{PEOPLE}spoiling(people)\nassert people.age.sum() == 41",
    f"{PEOPLE}pd.testing.assert_frame_equal(spoiling(people), people)",
    "from decimal import Decimal\nassert tenth() == Decimal('0.2')",
    "assert letters('abbb').most_common(1) == [('a', 3)]",
]


@pytest.mark.parametrize("source", PASS)
def test_it_passes_as_in_one_process(rooms, source):
    assert error_of(rooms, WORK, check(source)) is None


@pytest.mark.parametrize("source", FAIL)
def test_it_fails_as_in_one_process(rooms, source):
    assert error_of(rooms, WORK, check(source)).startswith(
        ("AssertionError", "Unchangeable: an argument of")
    )


@pytest.fixture(scope="module")
def large_rooms():
    with SandboxedRunner(
        replace(LIMITS, memory_bytes=Limits().memory_bytes), probing.probe()
    ) as rooms:
        yield rooms


HUNDRED_MEGABYTES = "import numpy as np\nx = np.arange(12_500_000) % 7.0\n"


@pytest.mark.parametrize(
    "asserted",
    [
        "assert abs(mean_square(x) - np.mean(x * x)) < 1e-9",
        "y = doubled(x)\nassert y.shape == x.shape and (y == 2 * x).all() and x.max() == 6",
        "assert mean_square(x[::-1]) > 0 and mean_square(x) > 0 and x.max() == 6",
        "assert (doubled(x.reshape(1000, -1).T)[:, 7] == 2 * x.reshape(1000, -1)[7]).all()",
        "import pandas as pd\nassert doubled(pd.Series(x)).iloc[-1] == 2 * x[-1]",
    ],
)
def test_hundred_megabytes_in_one_array(large_rooms, asserted):
    assert error_of(large_rooms, WORK, check(HUNDRED_MEGABYTES + asserted)) is None


def test_hundred_megabytes_that_a_function_changed(large_rooms):
    source = f"{HUNDRED_MEGABYTES}negate(x)\nassert x.max() == 6"
    assert error_of(large_rooms, WORK, check(source)) == "AssertionError: "


def test_an_array_that_is_too_large_is_said(large_rooms):
    """And what comes after it is answered."""
    source = "import numpy as np\nnegate(np.zeros(2**25 + 1))"
    said = error_of(large_rooms, WORK, check(source))
    assert said == "ValueError: arrays of 268,435,464 bytes are too large to pass to or from a test"
    asked = source.replace("negate", "try:\n    negate") + "\nexcept ValueError:\n    "
    assert error_of(large_rooms, WORK, check(f"{asked}assert doubled(2) == 4")) is None


@pytest.mark.parametrize("kind", [" ValueError", " BaseException", ""])
def test_what_is_too_deep_to_pass_is_no_error_that_a_test_could_catch(rooms, kind):
    error = error_of(rooms, WORK, check(f"try:\n    chain(60)\nexcept{kind}:\n    pass"))
    assert error == "ValueError: values so deep within each other can't pass to or from a test"


def test_an_instance_of_a_subclass_is_no_instance_of_the_builtin_class_itself(rooms):
    work = student("class L(list):\n    more = 3\ndef f(kind): return kind([1])")
    exact = "assert type(f({})) is list and f({}) == [1]"
    assert error_of(rooms, work, check("L\n" + exact.format("list", "list"))) is None
    assert error_of(rooms, work, check("L\n" + exact.format("L", "L"))) == "AssertionError: "
    for asked in ("f(L).more", "hasattr(f(L), 'more')", "isinstance(f(L), L)", "f(L) and L(3)"):
        error = error_of(rooms, work, check(f"try:\n    {asked}\nexcept:\n    pass")) or ""
        assert error.startswith("Unanswerable") is (asked != "f(L) and L(3)"), asked
