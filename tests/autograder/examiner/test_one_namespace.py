"""What a test can do to a notebook's names, its output and its arguments, as in one process."""

from dataclasses import replace

import numpy as np
import pytest

from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.sandbox.probing import probe
from autograder.wire.arguments import (
    SavedContent,
    Unchangeable,
    find_changes,
    repeat_changes,
    take_snapshots,
)
from tests.autograder.examiner.cells import LIMITS, check, error_of, hidden, locked, student

WORK = student("""
import sys

def squares(n):
    return [i * i for i in range(n)]

def total(n):
    return sum(squares(n))

def loud(n):
    print("one", n)
    print("two", file=sys.stderr)
    return n

def sort_in_place(values):
    values.sort()
    return values

def sort_a_copy(values):
    return sorted(values)

def deep(rows):
    rows[0].append(1)

def scaled(array, by):
    array *= by
    return array

def grown(**named):
    named["table"]["new"] = 1

number = 7
""")


def passes(rooms, *cells):
    return error_of(rooms, WORK, *cells) is None


@pytest.mark.parametrize("make", [check, hidden])
def test_nbgraders_own_pattern_of_a_deleted_helper(rooms, make):
    source = """
        orig_squares = squares
        del squares
        try:
            {call}
        except NameError:
            pass
        else:
            raise AssertionError("total does not use squares")
        finally:
            squares = orig_squares
        assert total(3) == 5
    """
    assert passes(rooms, make(source.format(call="total(3)")))
    assert error_of(rooms, WORK, check(source.format(call="sort_a_copy([1])"))) == (
        "AssertionError: total does not use squares"
    )
    assert passes(rooms, make(source.format(call="total(3)")), check("assert squares(2) == [0, 1]"))


def test_a_deleted_name_is_gone_for_both(rooms):
    cells = check("del number\nassert 'number' not in globals()\nnumber", "gone")
    assert "name 'number' is not defined" in error_of(rooms, WORK, cells)
    assert "name 'other' is not defined" in error_of(rooms, WORK, check("del other"))
    assert "name 'x' is not defined" in error_of(rooms, WORK, check("x = 1\ndel x\nx"))


def test_what_a_test_defines_is_not_the_notebook_s(rooms):
    spying = student("def number_now():\n    return globals().get('expected', number)", "spy")
    test = check("number = 8\nexpected = 9\nassert number_now() == 7")
    assert passes(rooms, spying, test)


NAMES = {
    "'total' in globals()": True,
    "'number' in locals()": True,
    "'squares' in dir()": True,
    "'total' in vars()": True,
    "'nothing' in globals()": False,
    "'nothing' in dir()": False,
    "'mine' in globals()": True,
    "'mine' in dir()": True,
    "'In' in dir()": False,
    "'print' in globals()": False,
    "globals().get('number') == 7": True,
    "globals().get('nothing', 3) == 3": True,
    "globals()['number'] == 7": True,
    "'total' in list(globals())": True,
}


@pytest.mark.parametrize("asked", NAMES)
def test_whether_a_name_is_there(rooms, asked):
    wanted = "" if NAMES[asked] else "not "
    assert passes(rooms, check(f"mine = 1\nassert {wanted}({asked})"))
    assert not passes(rooms, check(f"mine = 1\nassert not {wanted}({asked})"))


def test_a_name_that_a_failed_test_would_have_defined_is_not_there(rooms):
    first = check("assert number == 8\nhelper = 1", "first")
    lying = student("helper = 2", "lying")
    assert passes(rooms, lying, first, check("assert 'helper' not in globals()"))


REDIRECTED = """
import contextlib, io
out, err = io.StringIO(), io.StringIO()
with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
    loud(3)
assert out.getvalue() == "one 3\\n", out.getvalue()
assert err.getvalue() == "two\\n", err.getvalue()
loud(4)
assert out.getvalue() == "one 3\\n"
"""
PATCHED = """
import io
from unittest.mock import patch
with patch("sys.stdout", new_callable=io.StringIO) as out:
    loud(3)
assert out.getvalue() == "one 3\\n", out.getvalue()
"""


@pytest.mark.parametrize("make", [check, hidden])
@pytest.mark.parametrize("source", [REDIRECTED, PATCHED])
def test_what_student_code_prints_goes_where_the_test_wants_it(rooms, make, source):
    assert passes(rooms, make(source))
    assert not passes(rooms, make(source.replace("one 3", "one")))


def test_that_nothing_is_printed_does_not_pass_wrongly(rooms):
    source = REDIRECTED.replace('"one 3\\n"', '""', 1)
    assert "one 3" in error_of(rooms, WORK, check(source))


def test_a_flood_into_a_test_s_own_stream_ends_at_the_limit():
    limits = replace(LIMITS, output_bytes=10_000)
    flood = student("def flood():\n    for _ in range(1000):\n        print('x' * 1000)", "flood")
    test = check("""
        import contextlib, io
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            flood()
        assert 9_000 < len(out.getvalue()) <= 10_100, len(out.getvalue())
    """)
    with SandboxedRunner(limits, probe()) as small:
        assert error_of(small, flood, test) is None


def test_a_stream_that_breaks_is_not_the_notebook_s_fault(rooms):
    test = """
        import contextlib
        with contextlib.redirect_stdout(None):
            loud(3)
        assert loud(4) == 4
    """
    assert passes(rooms, check(test))


UNCHANGED = "x = [3, 1]\n{}(x)\nassert x == [3, 1], 'the list given was changed'"


@pytest.mark.parametrize("make", [check, hidden])
def test_that_an_argument_was_not_changed_does_not_pass_wrongly(rooms, make):
    assert passes(rooms, make(UNCHANGED.format("sort_a_copy")))
    assert "the list given was changed" in error_of(
        rooms, WORK, make(UNCHANGED.format("sort_in_place"))
    )


CHECKED = "from autograder import checks\nx = [3, 1]\nchecks.{}\nassert x == [3, 1]"


@pytest.mark.parametrize(
    "source",
    [
        "rows = [[], []]\ndeep(rows)\nassert rows == [[], []]",
        "row = []\nrows = [row]\ndeep(rows)\nassert row == []",
        "import numpy as np\na = np.ones(3)\nscaled(a, 2)\nassert (a == 1).all()",
        "t = {}\ngrown(table=t)\nassert not t",
        CHECKED.format("call(sort_in_place, x)"),
        CHECKED.format("repeat(sort_in_place, x, count=2)"),
        CHECKED.format("call_each(sort_in_place, [(x,)])"),
    ],
)
def test_changes_of_every_kind_are_found(rooms, source):
    assert "AssertionError" in error_of(rooms, WORK, check(source))


LEFT = """
from autograder import checks
given = [3, 1]
(left,) = checks.arguments_after({}, given)
assert left == [1, 3], left
assert given == [3, 1]
"""


def test_a_function_that_is_to_change_its_argument_is_asked_what_it_left(rooms):
    assert passes(rooms, check(LEFT.format("sort_in_place")))
    assert "[3, 1]" in error_of(rooms, WORK, check(LEFT.format("sort_a_copy")))
    once = (
        "from autograder.checks import arguments_after\n"
        "assert arguments_after(sort_in_place, [3, 1]) == ([1, 3],)"
    )
    assert passes(rooms, check(once))
    here = LEFT.format("lambda values: values.sort()")
    assert passes(rooms, check(here))


def test_a_function_that_is_to_leave_its_argument_is_found_out(rooms):
    asked = "from autograder import checks\nchecks.expect_unchanged({}, [3, 1])"
    assert passes(rooms, check(asked.format("sort_a_copy")))
    found = error_of(rooms, WORK, check(asked.format("sort_in_place")))
    assert "sort_in_place([3, 1]) changes what it was given. Leave the arguments as" in found


def test_a_helper_of_the_tests_asks_too(rooms):
    helper = check("def unchanged(f):\n    x = [3, 1]\n    f(x)\n    return x == [3, 1]", "helper")
    assert "AssertionError" in error_of(
        rooms, WORK, helper, check("assert unchanged(sort_in_place)")
    )
    assert passes(rooms, helper, check("assert unchanged(sort_a_copy)"))


CHEAT = """
def mean(values):
    values[:] = [0] * len(values)
    return 0
"""


def test_who_changes_the_arguments_wins_nothing(rooms):
    test = "values = [1, 2, 3]\nassert mean(values) == sum(values) / 3"
    assert error_of(rooms, student(CHEAT), check(test)) is not None
    right = CHEAT.replace("return 0", "return 2")
    assert error_of(rooms, student(right), check(test)) is not None  # as in one process
    shared = locked("VALUES = [1, 2, 3]\ncopy = VALUES[:]")
    first = check("assert mean(VALUES) == 0\nassert VALUES", "first")
    second = check("assert VALUES == copy == [1, 2, 3]")
    assert error_of(rooms, shared, student(CHEAT), first, second) is None


def test_what_the_second_look_defines_is_forgotten(rooms):
    first = check("x = [3, 1]\ny = mean(x)\nkept = list(x)\nassert y == 0 and x", "first")
    assert error_of(rooms, student(CHEAT), first, check("assert kept == [3, 1]")) is None


def test_of_points_the_fewer_count(rooms):
    test = check("x = [3, 1]\nmean(x)\n2 if x == [3, 1] else 1")
    run = rooms.run([student(CHEAT), test], b"")
    assert run.cells[-1].verdict.result == {"text/plain": "1"}


def test_changes_are_noticed_and_done_again():
    arguments = [[1, [2]], {"a": [1]}, {1}, np.zeros(2), (["x"],), 5, "text", bytearray(b"a")]
    before = take_snapshots(arguments)
    assert find_changes(before, arguments) == []
    inner = arguments[0][1]
    changes = [[0, [1, [2, 3]]], [1, {"a": [1, 2], "b": 0}], [2, {1, 2}], [3, np.ones(2)],
               [4, (["x", "y"],)]]  # fmt: skip
    keep = [SavedContent(arguments[place]) for place, _ in changes]
    repeat_changes(arguments, changes)
    assert inner == [2, 3]
    assert arguments[1] == {"a": [1, 2], "b": 0}
    assert arguments[2] == {1, 2}
    assert arguments[3].tolist() == [1, 1]
    assert arguments[4] == (["x", "y"],)
    assert [place for place, _ in find_changes(before, arguments)] == [0, 1, 2, 3, 4]
    for one in keep:
        one.put_back()
    assert find_changes(before, arguments) == []
    assert arguments[0][1] is inner


@pytest.mark.parametrize(
    "changes",
    [[[9, [1]]], [["0", [1]]], [[-1, [1]]], [[0, "text"]], [[0, None]], [[1, np.ones(3)]]],
)
def test_forged_changes_change_nothing(changes):
    arguments = [[3], np.zeros(2)]
    with pytest.raises(Unchangeable):
        repeat_changes(arguments, changes)
    assert arguments[0] == [3]


def test_what_holds_itself_is_looked_at_all_the_same():
    endless: list = [1]
    endless.append(endless)
    before = take_snapshots([[1], endless])
    grown = [1]
    grown.append(grown)
    assert find_changes(before[:1], [grown])
    assert find_changes(before[1:], [endless]) == []
