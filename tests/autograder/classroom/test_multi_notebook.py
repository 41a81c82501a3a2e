"""Several notebooks in one problem set: each has its own points, rooms, pages and files."""

import dataclasses
import importlib.util
import io
import json
import shutil
import zipfile
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading import multi_notebook, results
from autograder.classroom.grading.results import Result, describe_incident, find
from autograder.classroom.intake import collect_class
from autograder.classroom.intake.collect_class import CollectOptions
from autograder.classroom.releasing.release import release
from autograder.classroom.running import explain_verdict, status
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.progress import Progress
from autograder.classroom.sets import assignment
from autograder.cli import main
from autograder.exports.standings import find_standings
from autograder.pages.answers import alike_in_class
from autograder.pages.feedback import write_feedback
from autograder.pages.report import write_report
from autograder.wire.contract import Incident, Limits
from tests.autograder.classroom.handing_in import write
from tests.autograder.tiny_assignment import (
    SOLUTIONS,
    TEXTS,
    answered,
    as_bytes,
    late_penalties,
    source_notebook,
)
from tests.autograder.trusted_runner import WEAK, TrustedRunner
from tests.sharing import once

NAMES = ("first", "second part")  # both have the same cells, as nbgrader allows
GRADERS = Graders(Limits(), WEAK, jobs=1)


def write_pair(root, names=NAMES):
    folder = root / "source" / "pair"
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.ipynb").write_text(nbformat.writes(source_notebook(TEXTS)))
    return folder


def _release(folder: Path) -> Path:
    write_pair(folder)
    release(Course.at(folder), "pair")
    return folder


@pytest.fixture
def course(tmp_path, tmp_path_factory):
    made = once(tmp_path_factory, "a set with two notebooks", _release)
    shutil.copytree(made, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture
def pair(course):
    return assignment.load(course, "pair")


@pytest.fixture
def notebook(course):
    return json.loads(course.released("pair", NAMES[0]).read_text(encoding="utf-8"))


def collect(course, pair, source, **wanted):
    cells = dict(zip(NAMES, (frozenset(part.followed_cells) for part in pair.parts), strict=True))
    return collect_class.collect(course, "pair", source, CollectOptions(notebooks=cells, **wanted))


def graded(course, pair, tmp_path, files):
    found = collect(course, pair, write(tmp_path / "in", files)).submissions
    return {r.student: r for r in grade_class(course, pair, found, GRADERS)}


def points(result):
    return {cell.name: cell.points for cell in result.cells}


WRONG = {**SOLUTIONS, "double": "def double(x):\n    return abs(2 * x)"}


def test_a_released_set_has_both_and_the_sum_of_their_points(course, pair):
    assert pair.notebooks == NAMES
    assert pair.max_points == 20
    assert [exercise.title for exercise in pair.exercises][::3] == [
        "first: 1. Double it",
        "second part: 1. Double it",
    ]
    assert len(pair.followed_cells) == 2 * len(pair.parts[0].followed_cells)
    for name in NAMES:
        text = course.released("pair", name).read_text(encoding="utf-8")
        assert "7351" not in text
        assert "return 2 * x" not in text


def test_each_is_graded_by_itself_and_the_points_are_summed(
    course, pair, notebook, tmp_path, one_room
):
    files = {
        "ann/pair/first.ipynb": as_bytes(answered(notebook)),
        "ann/pair/second part.ipynb": as_bytes(answered(notebook, WRONG)),
        "bob/second part.ipynb": as_bytes(answered(notebook)),
    }
    found = graded(course, pair, tmp_path, files)
    assert found["ann"].points == 10
    assert points(found["ann"])["first/double_negative"] == 2
    assert points(found["ann"])["second part/double_negative"] == 0
    bob = found["bob"]
    assert bob.points == 6
    assert bob.missing == {"first"}
    assert bob.needs_teacher
    assert {cell.points for cell in bob.cells if cell.name.startswith("first/")} == {0}
    assert all(c.message == multi_notebook.NOT_HANDED_IN for c in bob.part("first").cells)
    assert bob.part("second part").points == 6
    assert find(course, "ann", "pair") == found["ann"]
    with OpenGradebook(course, "pair") as gradebook:
        in_book = gradebook.grades()["bob"]
    assert sum(cell.points or 0 for cell in in_book.values()) == 6
    assert not course.autograded("bob", "pair", "first").exists()


def test_nbgraders_gradebook_has_a_notebook_for_each(course, pair, notebook, tmp_path, one_room):
    from nbgrader import api

    graded(course, pair, tmp_path, {"ann/pair/first.ipynb": as_bytes(answered(notebook))})
    with api.Gradebook(course.database) as book:
        submission = book.find_submission("pair", "ann")
        scores = {one.name: one.score for one in submission.notebooks}
        assert scores == {"first": 6, "second part": 0}
        assert submission.max_score == 20
        assert [grade.needs_manual_grade for grade in submission.notebooks[1].grades] == [False] * 4


def test_a_late_penalty_is_taken_of_each_as_nbgrader_does(
    course, pair, notebook, tmp_path, one_room
):
    from nbgrader import api

    with api.Gradebook(course.database) as book:
        book.update_or_create_assignment("pair", duedate="2026-11-01 12:00:00 UTC")
    with course.config_file.open("a") as file:
        file.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    files = {f"ann/pair/{name}.ipynb": as_bytes(answered(notebook)) for name in NAMES} | {
        "ann/pair/timestamp.txt": b"2026-11-02 12:00:00 UTC"
    }
    graded(Course.at(course.root), pair, tmp_path, files)
    with api.Gradebook(course.database) as book:
        each = [
            one.late_submission_penalty for one in book.find_submission("pair", "ann").notebooks
        ]
    assert each == [6, 6]
    assert late_penalties(course, "pair") == {"ann": 12}
    standing = find_standings(course, pair)[0]
    assert (standing.raw_score, standing.penalty, standing.score) == (12, 12, 0)


def test_what_changed_is_graded_again_and_nothing_else(course, pair, notebook, tmp_path, one_room):
    right, wrong = as_bytes(answered(notebook)), as_bytes(answered(notebook, WRONG))
    files = {f"{s}/{name}.ipynb": right for s in ("ann", "bob") for name in NAMES}
    before = graded(course, pair, tmp_path, files)
    seen = []
    found = collect(course, pair, write(tmp_path / "in", {"bob/first.ipynb": wrong})).submissions
    watching = Progress()
    watching.finished = lambda result, kept: seen.append((result.student, kept))
    grade_class(course, pair, found, GRADERS, progress=watching)
    assert seen == [("ann", True), ("bob", False)]
    assert find(course, "bob", "pair").points == before["bob"].points - 2


def test_one_exercise_alone_is_graded_again(course, pair, notebook, tmp_path, one_room):
    files = {f"ann/{name}.ipynb": as_bytes(answered(notebook)) for name in NAMES}
    graded(course, pair, tmp_path, files)
    old = find(course, "ann", "pair")
    lost = tuple(dataclasses.replace(cell, points=0.0) for cell in old.cells)
    (course.result("ann", "pair")).write_text(dataclasses.replace(old, cells=lost).to_json())
    found = collect(course, pair, course.root / "submitted").submissions
    only = frozenset({"second part/double"})
    (new,) = grade_class(course, pair, found, GRADERS, again=True, exercises=only)
    assert {cell.name for cell in new.cells if cell.points} == {
        "second part/double_small",
        "second part/double_negative",
    }


def test_an_earlier_notebook_does_not_stay_for_a_later_submission(
    course, pair, notebook, tmp_path, one_room
):
    both = {f"ann/{name}.ipynb": as_bytes(answered(notebook)) for name in NAMES}
    assert graded(course, pair, tmp_path, both)["ann"].points == 12
    assert list(write_feedback(course, pair))
    (tmp_path / "in/ann/first.ipynb").unlink()
    later = collect(course, pair, tmp_path / "in").submissions
    (again,) = grade_class(course, pair, later, GRADERS)
    assert again.points == 6
    kept = collect(course, pair, course.root / "submitted").submissions
    assert grade_class(course, pair, kept, GRADERS)[0] == again
    written = list(write_feedback(course, pair))
    assert [path.name for path in written] == ["second part.html"]
    assert not course.feedback("ann", "pair", "first").exists()


def test_they_are_known_by_their_cells_under_other_names(course, pair, tmp_path):
    second = json.loads(course.released("pair", NAMES[1]).read_text(encoding="utf-8"))
    for cell in second["cells"]:
        if marks := cell["metadata"].get("nbgrader"):
            marks["grade_id"] = f"other_{marks['grade_id']}"
    other = {f"other_{name}" for name in pair.parts[1].followed_cells}
    cells = {"first": frozenset(pair.parts[0].followed_cells), "second part": frozenset(other)}
    first = as_bytes(json.loads(course.released("pair", NAMES[0]).read_text(encoding="utf-8")))
    files = {
        "ann/homework (1).ipynb": as_bytes(second),
        "ann/homework.ipynb": first,
        "ann/scratch.ipynb": b"{}",
        "eve/first.ipynb": as_bytes(second),  # swapped
        "eve/second part.ipynb": first,
    }
    source = write(tmp_path / "in", files)
    found = collect_class.collect(
        course, "pair", source, CollectOptions(notebooks=cells)
    ).submissions
    for handed in found:
        assert course.submitted(handed.student, "pair", "first").read_bytes() == first
        assert course.submitted(handed.student, "pair", "second part").read_bytes() == as_bytes(
            second
        )
    said = [note.text for note in found[0].notes]
    assert "first: The file was named 'homework.ipynb', not 'first.ipynb'." in said
    assert any("ignored: 'ann/scratch.ipynb'" in text for text in said)


def named_apart(notebook):
    """The second notebook, with cells of other names."""
    cells = [dict(cell) for cell in notebook["cells"]]
    for cell in cells:
        if marks := cell["metadata"].get("nbgrader"):
            other = marks | {"grade_id": f"other_{marks['grade_id']}"}
            cell["metadata"] = cell["metadata"] | {"nbgrader": other}
    return notebook | {"cells": cells}


def test_of_two_copies_of_one_the_one_with_more_answers_is_graded(course, pair, notebook, tmp_path):
    names = [frozenset(part.followed_cells) for part in pair.parts]
    cells = {"first": names[0], "second part": frozenset(f"other_{name}" for name in names[1])}
    stubs = {"first": pair.parts[0].stubs}
    first, second = as_bytes(answered(notebook)), as_bytes(named_apart(notebook))
    files = {
        "ann/z.ipynb": as_bytes(notebook), "ann/a.ipynb": first, "ann/b.ipynb": second,
        "eve/first.ipynb": as_bytes(notebook), "eve/a.ipynb": first, "eve/b.ipynb": second,
    }  # fmt: skip
    source = write(tmp_path / "in", files)
    options = CollectOptions(notebooks=cells, stubs=stubs)
    for handed in collect_class.collect(course, "pair", source, options).submissions:
        assert handed.paths["first"].read_bytes() == first
        assert handed.paths["second part"].read_bytes() == second
        (note,) = [note for note in handed.notes if note.kind == "several notebooks"]
        assert (note.needs_teacher, note.notebook) == (True, "first")
        assert f"'{handed.student}/a.ipynb' was graded because it has the most" in note.message


def test_of_two_that_may_be_either_none_is_taken(course, pair, notebook, tmp_path):
    """Both notebooks have the same cells here, so a guess could swap them."""
    files = {"ann/x.ipynb": as_bytes(answered(notebook)), "ann/y.ipynb": as_bytes(notebook)}
    files |= {"bob/first.ipynb": as_bytes(notebook)}
    found = collect(course, pair, write(tmp_path / "in", files)).submissions
    assert found[0].paths == {}


def test_both_may_be_in_one_zip(course, pair, notebook, tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in NAMES:
            archive.writestr(f"work/{name}.ipynb", as_bytes(answered(notebook)))
    (handed,) = collect(
        course, pair, write(tmp_path / "in", {"ann/work.zip": data.getvalue()})
    ).submissions
    assert set(handed.paths) == set(NAMES)
    assert [note.kind for note in handed.notes] == ["archive"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"ann/w/x.ipynb": b"{}", "ann/y.ipynb": b"{}"}, "None of the notebooks is one of 'first"),
        ({"ann/essay.docx": b"PK"}, "No notebook was handed in, but 'essay.docx'."),
    ],
)
def test_what_has_none_of_them_is_told(course, pair, tmp_path, files, says, one_room):
    result = graded(course, pair, tmp_path, files | {"zoe/first.ipynb": b"{}"})["ann"]
    assert result.points == 0
    assert says in result.notes[0].message
    (page,) = write_feedback(course, pair, ["ann"])
    assert "What to do now" in page.read_text(encoding="utf-8")


def test_no_notebook_of_a_single_students_folder_becomes_a_student(
    course, pair, notebook, tmp_path
):
    data = as_bytes(notebook)
    outer = write(tmp_path / "outer", {f"ann/{name}.ipynb": data for name in NAMES})
    assert [h.student for h in collect(course, pair, outer).submissions] == ["ann"]
    with pytest.raises(CourseError, match="the folder of a single student"):
        collect(course, pair, outer / "ann")


def test_a_link_and_a_way_out_are_refused(course, pair, notebook, tmp_path, one_room):
    files = {"ann/second part.ipynb": as_bytes(answered(notebook)), "ann/..ipynb": b"{}"}
    folder = write(tmp_path / "in", files)
    (folder / "ann/first.ipynb").symlink_to(course.source("pair", "first"))
    (handed,) = collect(course, pair, folder).submissions
    assert set(handed.paths) == {"second part"}
    assert any(n.notebook == "first" and "a link" in n.message for n in handed.notes)
    (result,) = grade_class(course, pair, (handed,), GRADERS)
    assert result.points == 6
    assert not course.submitted("ann", "pair", "first").exists()


def test_a_broken_one_is_broken_and_the_other_keeps_its_points(
    course, pair, notebook, tmp_path, one_room
):
    files = {"ann/first.ipynb": b"{", "ann/second part.ipynb": as_bytes(answered(notebook))}
    result = graded(course, pair, tmp_path, files)["ann"]
    assert (result.points, result.missing) == (6, frozenset())
    assert any(n.notebook == "first" and n.kind == "unreadable" for n in result.notes)
    pages = {path.stem: path.read_text(encoding="utf-8") for path in write_feedback(course, pair)}
    assert "What to do now" in pages["first"]
    assert "What to do now" not in pages["second part"]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("one", "One"), "differ by letter case alone"),
        (("one", "a{b}"), "a notebook's name has letters, digits"),
        (("one", "..."), "a notebook's name has letters, digits"),
        (("one", "x" * 101), "at most 100"),
        (("one", "<b>"), "a notebook's name has letters, digits"),
    ],
)
def test_names_that_cannot_be_everywhere_are_refused(tmp_path, names, says):
    write_pair(tmp_path, names)
    if "..." in names:
        (tmp_path / "source/pair/....ipynb").rename(tmp_path / "source/pair/-..ipynb")
    with pytest.raises(CourseError, match=says):
        release(Course.at(tmp_path), "pair")
    assert not (tmp_path / "release").exists()


def test_a_set_that_was_graded_keeps_its_notebooks(course, pair, notebook, tmp_path, one_room):
    graded(course, pair, tmp_path, {"ann/first.ipynb": as_bytes(answered(notebook))})
    shutil.copy(course.source("pair", "first"), course.source("pair", "third"))
    with pytest.raises(
        CourseError,
        match="had the notebooks first, second part when one submission of it got points; now",
    ):
        release(course, "pair")
    assert course.released("pair", "first").exists()
    assert not course.released("pair", "third").exists()


def test_a_page_for_each_says_how_the_others_are(course, pair, notebook, tmp_path, one_room):
    files = {
        "ann/first.ipynb": as_bytes(answered(notebook)),
        "ann/second part.ipynb": as_bytes(answered(notebook, WRONG)),
        "bob/second part.ipynb": as_bytes(answered(notebook)),
    }
    graded(course, pair, tmp_path, files)
    pages = {
        f"{path.parents[1].name}/{path.stem}": path.read_text(encoding="utf-8")
        for path in write_feedback(course, pair)
    }
    assert sorted(pages) == ["ann/first", "ann/second part", "bob/second part"]
    assert 'href="second%20part.html"' in pages["ann/first"]
    assert "a negative number is doubled too" in pages["ann/second part"]
    assert "a negative number is doubled too" not in pages["ann/first"]
    assert "not handed in" in pages["bob/second part"]
    assert "10 of 20" in pages["ann/first"].replace("</span>", "")
    assert "7351" not in "".join(pages.values())
    report = write_report(course, pair)[0].read_text(encoding="utf-8")
    assert "../feedback/bob/pair/second%20part.html" in report
    assert "first: The notebook was not handed in." in report


def test_answers_are_compared_notebook_by_notebook(course, pair, notebook, tmp_path, one_room):
    rare = (
        "def mean(values):\n    "
        + "\n    ".join(
            f"part{i} = [value * {i + 2} for value in values if value > {7 * i}]" for i in range(9)
        )
        + "\n    return np.sum(values) / len(values)"
    )
    plain = as_bytes(answered(notebook))
    copied = as_bytes(answered(notebook, {**SOLUTIONS, "mean": rare}))
    files = {f"s{i}/{name}.ipynb": plain for i in range(8) for name in NAMES}
    files |= {f"{who}/second part.ipynb": copied for who in ("ann", "bob")}
    files |= {f"{who}/first.ipynb": plain for who in ("ann", "bob")}
    found = graded(course, pair, tmp_path, files)
    alike = alike_in_class(course, pair, list(found.values()))
    told = {name: [(p.first, p.second) for p in pairs] for name, pairs in alike.items() if pairs}
    assert told == {"second part/mean": [("ann", "bob")]}


def test_a_verdict_is_repeated_for_all_notebooks(course, pair, notebook, tmp_path, one_room):
    files = {"ann/first.ipynb": as_bytes(answered(notebook, WRONG))}
    kept = graded(course, pair, tmp_path, files)["ann"]
    found = explain_verdict.explain(course, "pair", "ann", TrustedRunner())
    assert not found.differing
    assert found.kept == kept
    assert found.again.missing == kept.missing == {"second part"}
    course.submitted("ann", "pair", "second part").write_bytes(b"{}")
    with pytest.raises(CourseError, match="has changed since it was graded"):
        explain_verdict.explain(course, "pair", "ann", TrustedRunner())
    (one,) = status.of_class(course, "pair")
    assert one.waits_for == status.GRADING


def test_each_has_a_seed_of_its_own_the_one_that_nbgrader_has(pair, notebook):
    seeds = []

    class Room(TrustedRunner):
        def run(self, cells, seed, files=()):
            seeds.append(seed)
            return super().run(cells, seed, files)

    data = as_bytes(answered(notebook)), as_bytes(answered(notebook, WRONG))
    multi_notebook.grade(multi_notebook.Submission("ann", data, "key"), pair, Room(), b"secret")
    from autograder.classroom.grading.grade_notebook import seed

    contents = [results.content_of([one]) for one in data]
    assert seeds == [seed(b"secret", "pair", content) for content in contents]
    swapped = multi_notebook.Submission("ann", data[::-1], "key")
    assert swapped.content != multi_notebook.Submission("ann", data, "key").content


def test_what_stops_one_notebook_leaves_the_other(pair, notebook):
    class Room(TrustedRunner):
        def run(self, cells, seed, files=()):
            found = super().run(cells, seed, files)
            if self.runs > 1:
                return found
            lost = Incident(Incident.DIED, "", "exit code 9")
            return dataclasses.replace(found, incidents=(lost,))

    data = as_bytes(answered(notebook))
    result = multi_notebook.grade(
        multi_notebook.Submission("a", (data, data), ""), pair, Room(), b"s"
    ).result
    assert [describe_incident(i) for i in result.incidents] == [
        "The notebook `first` ended the notebook's process: exit code 9."
    ]
    assert not result.not_graded
    assert Result.from_json(result.to_json()) == result


def test_a_grader_that_fails_leaves_no_zero(pair):
    found = multi_notebook.not_graded(
        multi_notebook.Submission("ann", (None, None), ""), pair, "no room"
    ).result
    assert found.not_graded
    assert {cell.points for cell in found.cells} == {None}
    assert len(found.cells) == 8


# nbgrader's own example

NBGRADERS = Path(importlib.util.find_spec("nbgrader").origin).parent / "docs/source/user_guide"


def _quickstart(folder: Path) -> Path:
    (folder / "source").mkdir()
    shutil.copytree(NBGRADERS / "source/ps1", folder / "source/ps1")
    shutil.copytree(NBGRADERS / "submitted", folder / "in")
    for words in (["release"], ["grade", str(folder / "in"), "--feedback", "--jobs", "1"]):
        done = CliRunner().invoke(main, [words[0], str(folder), "ps1", *words[1:]])
        assert done.exit_code in (0, 3), done.output
    return folder


def _stocks(student: str, notebook: str) -> dict[str, float | None]:
    """What stock nbgrader gave, by the outputs that its own documentation has of it."""
    from nbgrader.utils import determine_grade

    path = NBGRADERS / "autograded" / student / "ps1" / f"{notebook}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    marked = [c for c in cells if c.metadata.get("nbgrader", {}).get("grade")]
    return {f"{notebook}/{c.metadata.nbgrader.grade_id}": determine_grade(c)[0] for c in marked}


@pytest.mark.parametrize("student", ["bitdiddle", "hacker"])
def test_nbgraders_quickstart_gets_stocks_points_cell_by_cell(tmp_path_factory, student):
    course = Course.at(once(tmp_path_factory, "nbgrader's quickstart", _quickstart))
    stocks = _stocks(student, "problem1") | _stocks(student, "problem2")
    found = points(find(course, student, "ps1"))
    assert {name: found[name] for name in stocks} == stocks
    assert len(stocks) >= 8
    assert course.feedback(student, "ps1", "problem2").exists()
