"""The student's shell makes of a cell what a notebook's own makes of it."""

import warnings

from hypothesis import given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from autograder.student.shell import _Transformers

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
def test_cells_are_transformed_as_ipython_does_it(cell):
    def transformed(manager):
        try:
            return manager.transform_cell(cell)
        except Exception as error:
            return type(error)

    assert transformed(_Transformers()) == transformed(TransformerManager())


def test_what_python_warns_of_is_not_said_twice():
    cell = "pattern = '\\d'  # why?\n"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert _Transformers().transform_cell(cell) == cell
    assert said == []
