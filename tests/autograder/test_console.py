"""The table of the class: what it shows where a line is short and the exercises many."""

import io
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console

from autograder.classroom.grading.results import CellResult, Result
from autograder.terminal import ProgressBar, show_results


def shown(exercises: int, width: int) -> str:
    """The table of one student who failed the first of so many exercises of 2 points."""
    names = [f"exercise_{number}" for number in range(exercises)]
    cells = [CellResult(f"{name}_values", name, 2.0 * bool(i), 2.0) for i, name in enumerate(names)]
    result = Result("ann", "ps", "key", "content", tuple(cells))
    parts = [SimpleNamespace(name=name) for name in names]
    tests = [SimpleNamespace(name=cell.name, test=True) for cell in cells]
    most = {"max_points": 2.0 * exercises, "forgeable_note": ""}
    assignment = SimpleNamespace(name="ps", exercises=parts, scored=tests, **most)
    console = Console(file=io.StringIO(), width=width)
    show_results(console, assignment, [result], {})
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


COMMAND = """
from rich.text import Text
from autograder.commands.common import console
console().print(Text("word " * 50, "bold red"))
from rich.table import Table
table = Table("remarks")
table.add_row("remark " * 40)
console().print(table)
"""


@pytest.fixture(scope="module")
def piped():
    """What a program reads that asked for colours all the same."""
    environment = {"FORCE_COLOR": "1", "NO_COLOR": "1", "PATH": ""}
    command = [sys.executable, "-c", COMMAND]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_what_a_program_reads_is_not_wrapped(piped):
    assert "word " * 49 in piped
    assert "remark " * 39 in piped


def test_no_color_means_none(piped):
    assert not any(f"\x1b[{code}" in piped for code in ("3", "4", "9", "1;3"))


def test_the_bar_says_how_much_time_is_left():
    console = Console(file=io.StringIO(), width=120, force_terminal=True)
    result = Result("ann", "ps", "key", "content", ())
    with ProgressBar(console, 4) as bar:
        clock = iter(range(100, 200, 10))
        bar._bar.get_time = lambda: next(clock)
        bar._bar.reset(bar._task)
        for _ in range(3):
            bar.finished(result, kept=False)
        bar._bar.get_time = lambda: 140
        bar.tick()
    assert "left 0:00:10" in _plain(console.file.getvalue())


def test_the_bar_counts_a_first_run_as_half_of_a_submission():
    console = Console(file=io.StringIO(), width=120, force_terminal=True)
    result = Result("ann", "ps", "key", "content", ())
    with ProgressBar(console, 3) as bar:
        bar.first_run("ann")
        bar.first_run("bob")
        bar.finished(result, kept=False)
        assert bar._bar.tasks[0].completed == 1.5
        bar.finished(Result("cy", "ps", "key", "content", ()), kept=False)
        assert bar._bar.tasks[0].completed == 2.5


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
