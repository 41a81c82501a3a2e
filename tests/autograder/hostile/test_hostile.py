"""The catalogue, graded by the command: everything contained, every score as deserved.

It is graded in the strong sandbox. Who tries the walls is also graded on throwaway machines, in the
portable one with Landlock, but for those whom that can't contain. That these get out, and others
without Landlock, is tested too.
"""

import functools
import os
import re
from collections import Counter
from pathlib import Path

import pytest

import autograder
import dplab
from autograder.sandbox.landlock import version
from autograder.sandbox.probing import probe
from autograder.wire.contract import Incident
from tests.autograder.hostile import containment
from tests.autograder.hostile.catalogue import KINDS, all_submissions, entry
from tests.autograder.hostile.conftest import CLASSES, ENDLESS, chosen_for, class_of, graded_in
from tests.autograder.hostile.observer import MARK
from tests.autograder.hostile.portable import (
    ASKING,
    FENCED,
    PLAIN,
    SPIES,
    STRONG,
    is_tried,
    uncontained,
)

CATALOGUE = all_submissions()
PATIENCE = 20  # seconds for a cell that searches the whole disk
SIGNALS_SINCE = 6  # the version of Landlock that holds them back
on_this_machine = pytest.mark.skipif(
    not probe().strong and "CI" not in os.environ, reason="the sandbox is weak here"
)
needs_machine = pytest.mark.skipif(
    probe().bubblewrap is None, reason="bubblewrap makes the throwaway machine"
)
needs_landlock = pytest.mark.skipif(
    version() < SIGNALS_SINCE or probe().bubblewrap is None,
    reason="needs Landlock in the kernel, and bubblewrap to make a throwaway machine",
)
MARKS = {STRONG: on_this_machine, FENCED: needs_landlock, PLAIN: needs_machine}
CONTAINING = (STRONG, FENCED)
each_class = pytest.mark.parametrize(
    ("name", "sandbox"),
    [
        pytest.param(name, sandbox, marks=MARKS[sandbox])
        for sandbox in CONTAINING
        for name in CLASSES
        if chosen_for(name, sandbox)
    ],
)
each_submission = pytest.mark.parametrize(
    ("found", "sandbox"),
    [
        pytest.param(
            found, sandbox, marks=MARKS[sandbox], id=f"{found.kind}-{found.name}-{sandbox}"
        )
        for sandbox in CONTAINING
        for found in CATALOGUE
        if is_tried(sandbox, found)
    ],
)


def test_the_catalogue_covers_what_it_should():
    counts = Counter(found.kind for found in CATALOGUE)
    assert sum(counts.values()) >= 450
    assert all(counts[kind] >= 5 for kind in KINDS)
    assert len({found.tries for found in CATALOGUE}) == len(CATALOGUE)
    assert len({found.student for found in CATALOGUE}) == len(CATALOGUE)
    assert {found.name for found in CATALOGUE} >= ENDLESS


@each_submission
def test_a_submission_is_contained(classes, found, sandbox):
    graded = classes(class_of(found), sandbox)
    breaches = containment.submission_breaches(graded, found)
    assert not breaches, "\n".join(breaches)


@each_class
def test_a_class_is_graded_as_if_nobody_had_tried(classes, name, sandbox):
    graded = classes(name, sandbox)
    assert len(graded.honest) > 3
    breaches = containment.class_breaches(graded)
    assert not breaches, "\n".join(breaches)


@on_this_machine
@pytest.mark.parametrize("name", ["class.zip", "class", "endless.zip"])
def test_who_is_not_tried_at_other_walls_asks_the_system_for_nothing(classes, name):
    """Nor comes to an end that a wall brings about."""
    graded = classes(name)
    for found in graded.submissions:
        if not is_tried(FENCED, found) and found.name not in uncontained(FENCED):
            text = graded.handed_in[found.file].decode("utf-8", "replace")
            assert not ASKING.search(text), found.name
            kinds = {incident.kind for incident in graded.results[found.student].incidents}
            assert not kinds & {Incident.DIED, Incident.MEMORY}, found.name


@pytest.mark.parametrize(
    ("name", "sandbox"),
    [
        pytest.param(name, sandbox, marks=MARKS[sandbox])
        for sandbox in (FENCED, PLAIN)
        for name in uncontained(sandbox)
    ],
)
def test_who_is_said_to_be_uncontained_is(tmp_path, classes_of_spies, name, sandbox):
    """The list that teachers read is exact: who is contained after all must be taken off it."""
    (found,) = [found for found in CATALOGUE if found.name == name]
    assert uncontained(sandbox)[name]
    if name in SPIES:
        assert containment.own_breaches(classes_of_spies(sandbox), found) != []
    else:
        graded = graded_in(tmp_path, class_of(found), (found,), sandbox, PATIENCE)
        assert containment.breaches(graded, found) != []


@pytest.fixture(scope="module")
def classes_of_spies(tmp_path_factory):
    """Those who only find what isn't theirs, together: they hurt nobody else."""

    @functools.cache
    def graded(sandbox: str):
        spies = [f for f in CATALOGUE if f.name in SPIES and f.name in uncontained(sandbox)]
        folder = tmp_path_factory.mktemp("spies")
        return graded_in(folder, "class.zip", tuple(spies), sandbox, PATIENCE)

    return graded


def test_nothing_of_the_project_is_changed():
    for package in (autograder, dplab):
        for path in Path(package.__file__).parent.rglob("*.py"):
            assert MARK.encode() not in path.read_bytes(), path


@on_this_machine
@pytest.mark.parametrize("name", ["class.zip", "class"])
def test_who_has_no_notebook_that_can_be_read_is_put_aside_with_the_reason(classes, name):
    graded = classes(name)
    students = [found.student for found in graded.submissions]
    without = [s for s in students if not graded.course.submitted(s, "tiny").exists()]
    assert len(without) > 5
    for student in without:
        told = [note.message for note in graded.results[student].notes if note.needs_teacher]
        assert any(told), student


@on_this_machine
def test_the_teacher_is_told_which_of_three_files_was_graded(classes):
    notes = classes("class.zip").results["three_files"].notes
    (told,) = [note.message for note in notes if note.needs_teacher]
    assert told.startswith("Several notebooks were handed in; 'three_files/tiny.ipynb' was graded")
    assert "'three_files/old.ipynb', 'three_files/tiny (1).ipynb'" in told


@on_this_machine
def test_the_teacher_is_told_of_a_name_that_begins_with_a_dot(classes):
    said = " ".join(classes("class.zip").observed.said.split())
    assert re.search(r"\.x/tiny\.ipynb'?: names that begin with a dot are left out", said)


# What the page must say of a slip, beside the points that it costs.
SAID = {
    "slip_input": "nobody can answer",
    "slip_exit": "SystemExit",
    "slip_assert": "AssertionError",
    "slip_end": "ended the notebook",
    "slip_memory": "memory",
    "slip_loop_in_c": "was stopped",
    "slip_name": "later_helper",
    "slip_newer_words": "Python 3.",
    "own_newer_words": "Python 3.",
}


@on_this_machine
def test_a_slip_is_told_as_what_it_is(classes):
    pages = {name: classes(class_of(entry(name))).page(name) for name in SAID}
    missing = [f"{name}: {words!r}" for name, words in SAID.items() if words not in pages[name]]
    assert not missing, "\n".join(missing)


@on_this_machine
def test_an_answer_that_is_not_recognised_is_shown_to_the_teacher(classes):
    result = classes("class.zip").results["stripped_and_renamed"]
    assert [note for note in result.notes if note.needs_teacher and "double" in note.message]


@on_this_machine
def test_the_table_of_points_has_no_formula(classes):
    graded = classes("class.zip")
    table = graded.course.report("tiny", ".csv").read_text(encoding="utf-8-sig")
    names = [line.partition(",")[0].strip('"') for line in table.splitlines()]
    assert "'=HYPERLINK(1)" in names
    assert not [name for name in names if name.startswith(("=", "+", "-", "@"))]


@on_this_machine
def test_the_terminal_gets_no_escapes_from_students(classes):
    for name in CLASSES:
        assert not re.search(r"\x1b\](?!8;;file)|\x1b\[2J|\x07|\x9b", classes(name).observed.said)
