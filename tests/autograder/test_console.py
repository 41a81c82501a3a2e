"""The table of the class: what it shows where a line is short and the exercises many."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from autograder.classroom.results import CellResult, Result
from autograder.console import show_results


def shown(exercises: int, width: int) -> str:
    """The table of one student who failed the first of so many exercises of 2 points."""
    names = [f"exercise_{number}" for number in range(exercises)]
    cells = [CellResult(f"{name}_values", name, 2.0 * bool(i), 2.0) for i, name in enumerate(names)]
    result = Result("ann", "ps", "key", "content", tuple(cells))
    parts = [SimpleNamespace(name=name) for name in names]
    most = {"max_points": 2.0 * exercises, "forgeable_note": ""}
    assignment = SimpleNamespace(name="ps", exercises=parts, **most)
    console = Console(file=io.StringIO(), width=width)
    show_results(console, assignment, [result])
    return console.file.getvalue()


@pytest.mark.parametrize(("exercises", "width"), [(6, 80), (12, 80), (12, 120), (2, 60)])
def test_remarks_are_whole_in_a_line_of_any_usual_width(exercises, width):
    text = shown(exercises, width)
    assert "Failed: exercise_0_values." in text
    assert max(map(len, text.splitlines())) <= width


def test_points_by_exercise_where_there_is_room():
    assert "points of 12, and by exercise" in shown(6, 80)
    assert "points of 24, and by exercise" in shown(12, 120)
    narrow = shown(12, 80)
    assert "by exercise" not in narrow
    assert narrow.splitlines()[-2].split()[:2] == ["ann", "22"]
