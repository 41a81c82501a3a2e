"""Every shipped problem set is released by the command that the README and the guide name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.versions import NOTED
from autograder.classroom.sets.assignment import text_of
from autograder.desk import student_sets
from tests.assignments.problem_sets import NAMES

ASSIGNMENTS = Path(__file__).parents[3] / "assignments"
AUTOGRADER = Path(sys.executable).with_name("autograder")
REGIONS = {"### BEGIN SOLUTION": "### END SOLUTION", "### BEGIN HIDDEN": "### END HIDDEN"}


def test_every_shipped_set_is_tried():
    assert {path.parent.name for path in ASSIGNMENTS.glob("*/*.ipynb")} == {*NAMES}
    assert len(NAMES) == 14


@pytest.mark.parametrize("name", NAMES)
def test_the_command_releases_a_set_without_solutions_and_hidden_tests(tmp_path, name, installed):
    course = tmp_path / "course"  # which the command makes
    done = subprocess.run(
        [AUTOGRADER, "release", course, name], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    path = course / "release" / name / f"{name}.ipynb"
    assert str(path) in done.stdout
    assert "100 points" in done.stdout
    released = cells_of(path)
    source = cells_of(ASSIGNMENTS / name / f"{name}.ipynb")
    hidden = {cell: regions for cell, text in source.items() if (regions := regions_of(text))}
    assert hidden
    for cell, regions in hidden.items():
        assert not [region for region in regions if region in released[cell]], cell
    assert set(released) == set(source)
    assert not [word for word in REGIONS if word in path.read_text(encoding="utf-8")]
    assert without_note(path) == json.loads(installed[f"{name}/{name}.ipynb"])


@pytest.fixture(scope="module")
def installed():
    """What a student's folder and the wheel have: our own sets, stripped without nbgrader."""
    files = dict(student_sets.files())
    assert set(files) == {f"{name}/{name}.ipynb" for name in NAMES}
    return files


def without_note(path: Path) -> dict:
    """Return a released notebook without the versions that nbgrader's release notes in it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    del notebook["metadata"][NOTED]
    return notebook


def cells_of(path: Path) -> dict[str, str]:
    """Return the text of each cell that nbgrader knows, by its name."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {
        CellMetadata.of(c).grade_id: text_of(c["source"])
        for c in cells
        if CellMetadata.of(c).grade_id
    }


def regions_of(text: str) -> list[str]:
    """Return what stands between the marks of solutions and of hidden tests."""
    found, end = [], ""
    for line in text.splitlines():
        if end and line.strip().startswith(end):
            end = ""
        elif end:
            found[-1] += line + "\n"
        for begin, ending in REGIONS.items():
            if line.strip().startswith(begin):
                found, end = [*found, ""], ending
    return [region.strip() for region in found if region.strip()]
