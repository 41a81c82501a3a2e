"""A test gets the import that it needs and that only a plain cell has."""

import json

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import plain_imports
from tests.autograder.tiny_assignment import TEXTS, source_notebook, write_source

TEST = "assert double(constants.c) == 2 * constants.c"
PLAIN = ("code", "plain", "from scipy import constants, stats\nimport weird, scipy.special", {})


def texts(test, plain="", **changed):
    """The tiny problem set with plain cells at its beginning, and this test."""
    changed["double_small"] = test
    return [
        PLAIN,
        ("code", "plain-2", plain, {}),
        *((kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS),
    ]


def added(test, **changed):
    cells = source_notebook(texts(test, **changed)).cells
    plain_imports.add_imports(cells)
    assert len(plain_imports.find_changed_tests(cells)) <= 1
    text = next(cell.source for cell in cells if cell.get("id") == "double_small")
    assert text.endswith(test)
    return text.removesuffix(test).replace(plain_imports.MARK, "")


def test_the_line_is_added_once():
    assert added(TEST) == "from scipy import constants\n"


SOLUTION = "constants = 3\ndef double(x):\n    return 2 * x"


@pytest.mark.parametrize(
    ("test", "changed"),
    [
        ("assert double(1) == 2", {}),  # it needs none
        (f"from scipy import constants\n{TEST}", {}),  # it has its own
        (TEST, {"imports": "from scipy import constants"}),  # a locked cell has it
        (TEST, {"double": SOLUTION}),  # it is the student's name
        (TEST, {"plain": "constants = 3"}),
        ("assert weird.x == 1", {}),  # a module that tests may not use
        ("assert stats.norm", {}),  # a name that always means this module
        (f"### FORGEABLE TEST\n{TEST}", {}),
        (f"%%time\n{TEST}", {}),
        ("assert (", {}),
    ],
)
def test_other_tests_stay_as_they_are(test, changed):
    assert added(test, **changed) == ""


def test_a_released_test_has_the_line_and_gives_the_solution_all_points(tmp_path, rooms):
    write_source(tmp_path, texts=texts(TEST))
    course, notes = Course.at(tmp_path), []
    found = release(course, "tiny", rooms, tell=notes.extend)
    assert not any(cell.forgeable for cell in found.scored)
    assert "an import of a cell that students may change is added to double_small" in notes
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    assert any(f"constants{plain_imports.MARK}" in "".join(c["source"]) for c in released["cells"])
