"""What a notebook shows of a check that fails."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

ANSWERS = """\
def double(x):
    return 3

def broken(x):
    y = x - x
    return 1 / y

def deep(x):
    return deep(x + 1)

def stub(x):
    raise NotImplementedError()

def expect(x):
    checks.call(double, x).gives(2 * x)
"""
SHOWN = {
    "checks.call(double, 2).gives(4, 'Add.')": [
        "----> 1 checks.call(double, 2).gives(4, 'Add.')",
        "AssertionError: double(2) should be 4, it is 3. Add.",
    ],
    "x = 1\ncheck = checks.call(double, x)\ncheck.gives(\n    4\n)": [
        "----> 3 check.gives(",
        "AssertionError: double(1) should be 4, it is 3",
    ],
    "expect(5)": [
        "----> 15 checks.call(double, x).gives(2 * x)",
        "AssertionError: double(5) should be 10, it is 3",
    ],
    "checks.call(stub, 1).gives(1)": [
        "----> 1 checks.call(stub, 1).gives(1)",
        "AssertionError: stub(1) is not written yet: put your code into its cell",
    ],
    "checks.call(broken, 1).gives(1)": [
        "----> 1 checks.call(broken, 1).gives(1)",
        "In your code:",
        "      broken, line 6: return 1 / y",
        "AssertionError: broken(1) raised ZeroDivisionError: division by zero",
    ],
    "checks.call(deep, 1).gives(1)": [
        "----> 1 checks.call(deep, 1).gives(1)",
        "In your code:",
        *["      deep, line 9: return deep(x + 1)"] * 5,
        "AssertionError: deep(1) raised RecursionError: maximum recursion depth exceeded",
    ],
}


@pytest.fixture
def notebook(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = InteractiveShell()
    shell.history_manager.enabled = False
    shell.run_cell("from autograder import checks")
    shell.run_cell(ANSWERS)
    return shell


@pytest.mark.parametrize("test", SHOWN)
def test_it_is_the_line_of_the_test_hers_and_the_message(notebook, capsys, test):
    capsys.readouterr()
    notebook.run_cell(test)
    shown = capsys.readouterr().out.replace("\x1b[0;31m", "").replace("\x1b[0m", "")
    assert shown.splitlines() == SHOWN[test]
