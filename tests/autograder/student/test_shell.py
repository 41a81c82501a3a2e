"""The student's shell makes of a cell what a notebook's own makes of it."""

import ast
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from autograder.student.shell import MAX_SHOWN_ERRORS, _Transformers, shortened

LINES = (
    "x = 1",
    "x = '''one",
    "two'''",
    "def f():",
    "    return x  # why?",
    "    %time f()",
    "%matplotlib inline",
    "%%time",
    "!ls",
    "files = !ls",
    "now = %time",
    "now = \\",
    "%time",
    "x %= 3",
    "x != 3",
    "f?",
    "?f",
    ">>> f()",
    "In [1]: f()",
    "  x",
    "",
    "(1,",
    " 2)",
    "x; y",
    ", f a",
    "/f 1",
    "await f()",
    "\\",
    "é = '\\d'",
)


@given(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join))
@example("x = 1\n  x\n 2)")
def test_cells_are_transformed_as_ipython_does_it(cell):
    """What IPython refuses already when it looks for magics may be left for Python to refuse."""

    def transformed(manager):
        try:
            return manager.transform_cell(cell)
        except Exception as error:
            return type(error)

    ours, expected = transformed(_Transformers()), transformed(TransformerManager())
    if isinstance(expected, type) and isinstance(ours, str):
        with pytest.raises(expected):
            ast.parse(ours)
    else:
        assert ours == expected


def test_what_python_warns_of_is_not_said_twice():
    cell = "pattern = '\\d'  # why?\n"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert _Transformers().transform_cell(cell) == cell
    assert said == []


def chain_of(count):
    """The last of as many errors, each raised because of the one before."""
    error = None
    for number in range(count):
        try:
            raise ValueError(number) from error
        except ValueError as raised:
            error = raised
    return error


@pytest.mark.parametrize("count", [1, 2, MAX_SHOWN_ERRORS, MAX_SHOWN_ERRORS + 1, 1000])
def test_the_last_errors_of_a_chain_are_shown_and_no_more(count):
    error, numbers = shortened(chain_of(count)), []
    while error is not None:
        numbers.append(error.args[0])
        error = error.__cause__ or error.__context__
    assert numbers == [count - 1 - link for link in range(min(count, MAX_SHOWN_ERRORS))]
