"""The bank of written questions: each has points, a worked answer and a rubric that adds up."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course
from autograder.classroom.grading import results
from tests.course.test_lessons import LESSONS

FOLDER = Path(__file__).parents[2] / "course" / "teachers" / "questions"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
POINTS = {"short": range(3, 7), "medium": range(6, 13), "long": range(10, 16)}
HEADING = re.compile(r"## (\d)\. .+\n\n\((short|medium|long), (\d+) points\)\n\n")


def questions(path):
    """Yield the text and the answer's cell of each question."""
    _, *cells = nbformat.read(path, as_version=4).cells
    yield from zip(cells[::2], cells[1::2], strict=True)


def test_each_lesson_has_questions_and_all_together_are_a_hundred_and_twenty():
    assert [path.stem for path in NOTEBOOKS] == [path.stem for path in LESSONS]
    counts = [len(list(questions(path))) for path in NOTEBOOKS]
    assert min(counts) >= 4
    assert sum(counts) >= 120


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_question_has_points_that_its_rubric_adds_up_to(path):
    names = []
    for number, (text, answer) in enumerate(questions(path), start=1):
        heading, metadata = HEADING.match(text.source), CellMetadata.of(answer)
        assert heading, text.source[:80]
        assert int(heading[1]) == number
        points = int(heading[3])
        assert points in POINTS[heading[2]]
        assert (metadata.solution, metadata.grade, metadata.points) == (True, True, points)
        names.append(metadata.grade_id)
        body, rubric = answer.source.split("\n**Rubric**\n")
        assert body.startswith("### BEGIN SOLUTION\n")
        assert rubric.endswith("\n### END SOLUTION")
        assert len(body.split()) > 30, metadata.grade_id
        assert sum(map(int, re.findall(r"^- (\d+): ", rubric, re.M))) == points
    assert names == [f"q{path.stem[:2]}-{n}" for n in range(1, len(names) + 1)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_formula_is_closed(path):
    for cells in questions(path):
        for cell in cells:
            text = re.sub(r"```.*?```|`[^`]*`|\\\$", "", cell.source, flags=re.S)
            assert text.count("$") % 2 == 0, cell.source[:80]


def test_the_bank_is_released_without_answers_and_waits_for_a_human(tmp_path):
    course = Course.at(tmp_path / "course")
    _command("release", course.root, "questions")
    folder = course.root / "release" / "questions"
    assert {path.name for path in folder.glob("*.ipynb")} == {path.name for path in NOTEBOOKS}
    for path in folder.glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "Rubric" not in text
        assert "SOLUTION" not in text
    handed_in = tmp_path / "in" / "ann"
    handed_in.mkdir(parents=True)
    for path in folder.glob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if "YOUR ANSWER HERE" in "".join(cell["source"]):
                cell["source"] = "Because noise averages out."
        (handed_in / path.name).write_text(json.dumps(notebook), encoding="utf-8")
    _command("grade", course.root, "questions", tmp_path / "in", "--jobs", "1")
    result = results.find(course, "ann", "questions")
    assert len(result.cells) >= 120
    assert {cell.points for cell in result.cells} == {None}


def _command(*arguments):
    done = CliRunner().invoke(cli.main, [str(argument) for argument in arguments])
    assert done.exit_code in (0, 3), done.output
