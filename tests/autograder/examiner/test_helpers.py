"""What tests define for each other, and the modules that they use, a notebook can't replace."""

import pytest

from tests.autograder.examiner.cells import check, error_of, hidden, locked, student

WRONG = "def find():\n    return 0\ndef examine(number):\n    pass\nwanted = 0"
HELPERS = "def examine(number):\n    assert find() == number\nwanted = 1"
FAILING = {
    "behind its helper": f"{HELPERS}\nexamine(5)",
    "before its helper": f"assert find() == 5\n{HELPERS}",
    "in its hidden part": f"### BEGIN HIDDEN TESTS\nassert find() == 5\n{HELPERS}\n"
    "### END HIDDEN TESTS",
}


@pytest.mark.parametrize("test", FAILING.values(), ids=FAILING.keys())
@pytest.mark.parametrize("later", ["examine(7)", "assert find() == wanted"])
def test_a_test_that_fails_leaves_nothing_to_the_notebook_to_define(rooms, test, later):
    run = rooms.run([student(WRONG), check(test, "first"), hidden(later, "later")], b"")
    assert all(cell.verdict.losses for cell in run.cells[1:])


@pytest.mark.parametrize("slip", ["while True: pass", "import os; os._exit(1)", "return 1 / 0"])
def test_a_helper_of_a_test_that_was_stopped_serves_the_next(hurried, slip):
    work = student(f"def bad():\n    {slip}\ndef good(): return 7")
    first = check(
        "def expect(found, number):\n    assert found == number\nexpect(bad(), 7)", "first"
    )
    run = hurried.run([work, first, hidden("expect(good(), 7)", "later")], b"")
    assert [not cell.verdict.losses for cell in run.cells[1:]] == [False, True]


def test_a_name_that_a_failed_test_only_handles_is_still_the_notebook_s(rooms):
    work = student("error = 3\ndef f(): return 0")
    first = check("try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    pass\nassert f()")
    assert error_of(rooms, work, first, check("assert error == 3")) is None


@pytest.mark.parametrize(
    ("fake", "test"),
    [
        ("class np: allclose = staticmethod(lambda *a: True)", "assert np.allclose(f(), 6)"),
        ("class math: isclose = staticmethod(lambda *a: True)", "assert math.isclose(f(), 6)"),
        ("import types\nnp = types.SimpleNamespace(abs=lambda x: 0)", "assert np.abs(f() - 6) < 1"),
    ],
)
def test_a_module_in_a_test_is_the_examiner_s_whatever_the_notebook_calls_so(rooms, fake, test):
    assert error_of(rooms, student(f"{fake}\ndef f(): return -1"), check(test))
    assert error_of(rooms, student(f"{fake}\ndef f(): return 6"), check(test)) is None


def test_a_variable_with_the_name_of_a_module_is_the_notebook_s(rooms):
    work = student("stats = {'mean': 3}\ndef random(): return 4")
    assert error_of(rooms, work, check("assert stats['mean'] == 3 and random() == 4")) is None


@pytest.mark.parametrize("raises", ["True", "sys._getframe(1).f_code.co_name != '<module>'"])
def test_what_a_locked_cell_defines_behind_a_failure_is_not_the_notebook_s(rooms, raises):
    work = student(f"""
        import sys
        wanted, called = -1, []
        def f():
            called.append(1)
            if len(called) == 1 and {raises}: raise ValueError
            return -1
        """)
    setup = locked("f()\nwanted = 6", "numbers")
    assert error_of(rooms, work, setup, check("assert f() == wanted"))


@pytest.mark.parametrize("name", ["args", "func", "keywords", "pyfunc", "otypes"])
@pytest.mark.parametrize(
    "oracle", ["functools.partial(ask, 7)", "np.vectorize(lambda x: ask(7, x))"]
)
def test_an_oracle_does_not_tell_what_it_was_made_of(rooms, name, oracle):
    work = student(f"""
        def find(ask):
            try: return str(ask.{name})
            except AttributeError: return ask(3) > 0 and "closed"
        """)
    test = "import functools\nimport numpy as np\ndef ask(secret, x): return secret - x\n"
    assert error_of(rooms, work, check(f"{test}assert find({oracle}) == 'closed'")) is None
