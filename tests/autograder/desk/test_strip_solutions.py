"""What is left of a notebook for students, beside nbgrader's release; and what is refused."""

import copy
import hashlib
import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

from autograder.classroom.course.folders import CourseError
from autograder.classroom.sets.materials import NOTED
from autograder.desk import student_sets
from autograder.desk.strip_solutions import stripped

STEPS = (LockCells, ClearSolutions, ClearOutput, ClearHiddenTests, ComputeChecksums)
HIDDEN = "### BEGIN HIDDEN TESTS\nassert f(7) == 49\n### END HIDDEN TESTS"
SOLUTION = "def f(x):\n    ### BEGIN SOLUTION\n    return x * x\n    ### END SOLUTION"


def cell(kind, source, **marks):
    metadata = {"nbgrader": {"grade_id": "a", "schema_version": 3, **marks}} if marks else {}
    made = {"cell_type": kind, "id": "a", "metadata": metadata, "source": source}
    shown = {"output_type": "stream", "name": "stdout", "text": "49"}
    return made | ({"outputs": [shown], "execution_count": 3} if kind == "code" else {})


def notebook(*cells):
    metadata = {"kernelspec": {"language": "python"}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def by_nbgrader(source):
    made = nbformat.from_dict(copy.deepcopy(source))
    for step in STEPS:
        made, _ = step().preprocess(made, {})
    return json.loads(nbformat.writes(made))


flags = st.fixed_dictionaries({flag: st.booleans() for flag in ("grade", "solution", "locked")})
marked = st.builds(
    lambda kind, source, found: cell(kind, source, **found, points=2, task=False),
    st.sampled_from(["code", "markdown"]),
    st.sampled_from(["", "x = 1\n", "a\n\n b"]),
    flags,
)
answers = st.builds(
    lambda source, grade: cell("code", source, solution=True, grade=grade, points=2, locked=False),
    st.sampled_from([SOLUTION, f"{SOLUTION}\n{SOLUTION}\n", "\t# BEGIN SOLUTION\n# END SOLUTION"]),
    st.booleans(),
)  # fmt: skip
graded = st.builds(
    lambda source: cell("code", source, grade=True, solution=False, locked=True, points=2),
    st.sampled_from([HIDDEN, f"a\n{HIDDEN}\nb\n{HIDDEN}", f"{HIDDEN}\n"]),
)
both = st.just(cell("code", f"{SOLUTION}\n{HIDDEN}", grade=True, solution=True, points=2))
unmarked = st.builds(cell, st.sampled_from(["code", "markdown", "raw"]), st.just("text\nb"))


@given(st.lists(st.one_of(marked, answers, graded, both, unmarked), max_size=4))
def test_it_is_what_nbgrader_makes(cells):
    source = notebook(*({**made, "id": f"c{i}"} for i, made in enumerate(cells)))
    before = copy.deepcopy(source)
    assert json.loads(json.dumps(stripped(source))) == by_nbgrader(source)
    assert source == before


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (cell("code", "### BEGIN SOLUTION\n1", solution=True), "has no 'END SOLUTION'"),
        (
            cell("code", "# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION", solution=True),
            "stands within",
        ),
        (cell("code", "### END SOLUTION", solution=False, grade=True), "'END SOLUTION' in it"),
        (cell("code", SOLUTION), "'BEGIN SOLUTION' in it"),
        (cell("code", HIDDEN, solution=False, locked=True), "'BEGIN HIDDEN TESTS' in it"),
        (cell("code", f"### BEGIN HIDDEN TESTS\n{HIDDEN}", grade=True), "stands within"),
        (cell("code", "### BEGIN HIDDEN TESTS\n1", grade=True), "has no 'END HIDDEN TESTS'"),
        (cell("markdown", "### BEGIN MARK SCHEME\n1\n", grade=True), "'BEGIN MARK SCHEME' in it"),
        (cell("code", "### AUTOTEST f(3)", grade=True), "AUTOTEST"),
        (cell("markdown", "BEGIN SOLUTION"), "'BEGIN SOLUTION' in it"),
    ],
)
def test_what_would_give_something_away_is_refused(made, said, tmp_path, monkeypatch):
    (tmp_path / "ps").mkdir()
    (tmp_path / "ps" / "ps.ipynb").write_text(json.dumps(notebook(made)))
    monkeypatch.setattr(student_sets, "SOURCES", tmp_path)
    with pytest.raises(CourseError, match=r"ps\.ipynb: .*" + said):
        list(student_sets.files())


def test_files_beside_a_notebook_go_with_it_and_are_noted(tmp_path, monkeypatch):
    (tmp_path / "ps" / "data").mkdir(parents=True)
    (tmp_path / "ps" / "data" / "a.csv").write_bytes(b"1,2")
    (tmp_path / "ps" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "ps" / ".ipynb_checkpoints" / "ps.ipynb").write_text("{}")
    (tmp_path / "ps" / "ps.ipynb").write_text(json.dumps(notebook()))
    monkeypatch.setattr(student_sets, "SOURCES", tmp_path)
    found = dict(student_sets.files())
    assert set(found) == {"ps/ps.ipynb", "ps/data/a.csv"}
    noted = json.loads(found["ps/ps.ipynb"])["metadata"][NOTED]
    assert noted == {"data/a.csv": hashlib.sha256(b"1,2").hexdigest()}


@pytest.mark.parametrize("name", ["ps.IPYNB", "notes/answers.txt"])
def test_a_file_beside_it_that_has_a_mark_in_it_is_refused(name, tmp_path, monkeypatch):
    there = tmp_path / "ps" / name
    there.parent.mkdir(parents=True)
    there.write_text(json.dumps(notebook(cell("code", SOLUTION, solution=True))))
    monkeypatch.setattr(student_sets, "SOURCES", tmp_path)
    with pytest.raises(CourseError, match="'BEGIN SOLUTION' in it"):
        list(student_sets.files())


def test_an_installation_without_sets_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(student_sets, "SOURCES", tmp_path)
    with pytest.raises(CourseError, match="no problem sets"):
        list(student_sets.files())
