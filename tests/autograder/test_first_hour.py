"""A teacher's first hour, where the guide's blocks stop.

She picks three sets of ours and makes one hers, one is her own with a mutant of her own, and five
students go from handing in to the learning platform.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.results import find_all
from tests.autograder.test_guide import bash

STUDENTS = {  # what each hands in for `toss`, and the points by tests
    "ann": ("def toss(p, rng):\n    return int(rng.random() < p)", 5),
    "bob": ("def toss(p, rng):\n    return int(rng.random() > p)", 0),
    "cem": ("def toss(p, rng):\n    return rng.binomial(1, p)", 5),
    "dot": ("def toss(p, rng):\n    return 1", 0),
    "eve": ("def toss(p, rng)\n    return 1", 0),
}
MUTANT = '''
MUTANTS["always 1"] = Mutant(
    """
def toss(p, rng):
    return 1
""",
    fails="toss_values",
    says="",
)
'''


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home").resolve()


def run(home, commands):
    done = bash(commands, home, home)
    assert done.returncode == 0, done.stdout
    return done.stdout


def cell_of(path, name, notebook=None):
    cells = (notebook or json.loads(path.read_text(encoding="utf-8")))["cells"]
    (cell,) = (c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == name)
    return cell


def change(path, name, text=None, **marks):
    """Rewrite one cell of a notebook, or what nbgrader knows of it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = cell_of(path, name, notebook)
    cell["metadata"]["nbgrader"] |= marks
    if text is not None:
        cell["source"] = text
    path.write_text(json.dumps(notebook), encoding="utf-8")


def test_of_three_sets_of_ours_one_becomes_hers(home):
    """Other points, and an exercise that asks for more: released is what she wrote, if it holds."""
    said = run(home, "autograder release course ps03 ps04 ps06")
    assert re.findall(r", (\d+) points\)", said) == ["100"] * 3
    source = home / "course/source/ps04/ps04.ipynb"
    test = cell_of(source, "snap_to_grid_nearest")
    points = test["metadata"]["nbgrader"]["points"]
    asked = "checks.call(snap_to_grid, 6, 4).gives({}, 'Six lies halfway from four to eight.')\n"
    mistaken, right = (asked.format(answer) + "".join(test["source"]) for answer in (4, 8))
    change(source, "snap_to_grid_nearest", mistaken, points=points + 3)
    done = bash("autograder release course ps04", home, home)
    assert done.returncode == 1, done.stdout
    assert "snap_to_grid_nearest" in done.stdout
    change(source, "snap_to_grid_nearest", right)
    assert ", 103 points)" in run(home, "autograder release course ps04")
    assert "Six lies halfway" in (home / "course/release/ps04/ps04.ipynb").read_text("utf-8")


def test_a_set_of_her_own_goes_to_five_students_and_back(home):
    run(home, "autograder new hers coin")
    answers = home / "hers/answers/coin/toss.py"
    text = answers.read_text(encoding="utf-8")
    answers.write_text(text.replace("\nANSWERS =", f"{MUTANT}\nANSWERS ="), encoding="utf-8")
    assert "4 of 4 mutants were always found" in run(home, "autograder checks hers coin")
    run(home, "autograder release hers coin")
    for student, (answer, _) in STUDENTS.items():
        folder = home / "handed-in" / student
        shutil.copytree(home / "hers/release/coin", folder)
        change(folder / "coin.ipynb", "toss", answer)
    said = run(home, "autograder grade hers coin handed-in --feedback")
    assert "5 graded" in said
    assert "5 pages of feedback" in said
    points = {found.student: found.points for found in find_all(Course.at(home / "hers"), "coin")}
    assert points == {student: due for student, (_, due) in STUDENTS.items()}
    run(home, "autograder report hers coin\nautograder export hers coin --format moodle")
    exported = Path(home / "hers/export/coin-moodle.csv").read_text(encoding="utf-8-sig")
    assert [row.split(",")[0] for row in exported.splitlines()[1:]] == sorted(STUDENTS)
