"""Points for parts, in this process and as stock nbgrader sees them in a notebook's kernel."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

from autograder import checks

CELL = """
from autograder import checks
points = checks.Points()
with points.part(2):
    assert True
with points.part(1):
    assert False, "one is missing"
points
"""


def test_each_part_counts_by_itself():
    points = checks.Points()
    with points.part(2):
        pass
    with points.part(0.25):
        raise AssertionError("too small")
    with points.part(1):
        raise AssertionError
    with points.part(1):
        raise KeyError
    assert points.earned == 2
    assert points.messages[0] == "too small"
    assert "no further explanation" in points.messages[1]
    assert points.messages[2] == "KeyError"
    assert float(repr(points)) == 2


def test_points_keep_their_digits():
    points = checks.Points()
    with points.part(100):
        pass
    with points.part(0.25):
        pass
    assert repr(points) == "100.25"


def test_what_is_no_exception_ends_the_cell():
    points = checks.Points()
    with pytest.raises(KeyboardInterrupt), points.part(1):
        raise KeyboardInterrupt
    assert points.earned == 0


@pytest.mark.parametrize("worth", [0, -1, float("nan")])
def test_a_part_is_worth_something(worth):
    with pytest.raises(ValueError, match="worth must be above 0"), checks.Points().part(worth):
        pass


def test_stock_nbgrader_gives_the_same_points():
    marks = {"grade": True, "solution": False, "locked": True, "points": 3, "grade_id": "t"}
    cell = nbformat.v4.new_code_cell(CELL, metadata={"nbgrader": marks})
    NotebookClient(nbformat.v4.new_notebook(cells=[cell]), kernel_name="python3").execute()
    assert determine_grade(cell) == (2, 3)
    assert cell.outputs[0].data["application/vnd.dplab.messages+json"] == ["one is missing"]
