"""A cell means what IPython takes it for, whether or not it is plain Python."""

import ast

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.examiner.testcell import parse_cell


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "\n \nx = 1",
        "    x = 1\n    y = 2",
        "    # indented\n    text = '''\n    kept'''",
        ">>> x = 1\n>>> y = 2",
        "In [1]: x = 1",
        "text = '''\n>>> shown'''",
        "%matplotlib inline\nx = 1",
        "%%time\nx = 1",
        "files = !ls",
        "x = 1\nx?",
        "x = 7 \\\n% 2\ny = x != 3",
    ],
)
def test_a_cell_is_read_as_ipython_reads_it(source):
    as_ipython = ast.parse(TransformerManager().transform_cell(source))
    assert ast.dump(parse_cell(source), include_attributes=True) == ast.dump(
        as_ipython, include_attributes=True
    )
