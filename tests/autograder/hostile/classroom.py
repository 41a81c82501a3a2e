"""Grades the catalogue as a teacher would: a class in a zip, another in a folder, by the command.

The commands' temporary files go into a directory of their own, and whatever a grading leaves
running is adopted, so that both can be looked at afterwards. In the portable sandbox the commands
run on a throwaway machine, which has no bubblewrap.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.results import Result, find_all
from tests.autograder.hostile.catalogue import Desk, Submission
from tests.autograder.hostile.machine import observe_there
from tests.autograder.hostile.observer import Observed, observe_apart
from tests.autograder.hostile.portable import FENCED, STRONG
from tests.autograder.tiny_assignment import as_bytes

NEIGHBOURS = ("honest_00", "honest_01", "honest_02")  # whose names some others know
HONEST_EVERY = 3
COMMAND_SECONDS = 1800.0  # for a command, on a busy machine
ALONE_SECONDS = 30.0  # for one submission, of which some stop the grading for good


@dataclass(frozen=True)
class GradedNotebook:
    """A class that has been graded. `honest` are the neighbours, by what they wrote."""

    course: Course
    problem_set: str
    submissions: tuple[Submission, ...]
    honest: dict[str, str]
    results: dict[str, Result]
    handed_in: dict[str, bytes]
    observed: Observed
    changed: list[str]

    def page(self, student: str) -> str:
        return self.course.feedback(student, self.problem_set).read_text(encoding="utf-8")

    def notebook(self, student: str) -> dict:
        return json.loads(self.course.autograded(student, self.problem_set).read_text())


def honest_students(submissions: tuple[Submission, ...]) -> dict[str, str]:
    """Names and written answers, no two of which are the same. In the order of grading, which is
    that of names, one sits behind each third of the others."""
    plain = sorted(found.student for found in submissions if found.student.isidentifier())
    names = [*NEIGHBOURS, *(f"{student}_and_friend" for student in plain[::HONEST_EVERY])]
    return {
        name: f"Because noise averages out, says neighbour{7919 * (number + 11)}."
        for number, name in enumerate(names)
    }


def grade(course: Course, released: dict, solutions: dict, submissions: tuple[Submission, ...],
          handed_in: Path, seconds: float, sandbox: str = STRONG) -> GradedNotebook:  # fmt: skip
    """Write the class into `handed_in`, a folder or a zip, grade it, and write all pages, but for
    a submission alone, of which the grading tells enough."""
    name = submissions[0].problem_set
    desk = Desk(released, course, solutions)
    honest = honest_students(submissions)
    neighbours = {
        f"{student}/{name}/{name}.ipynb": as_bytes(desk.answered(why=text))
        for student, text in honest.items()
    }
    made = {submission.file: submission.data(desk) for submission in submissions}
    (_write_zip if handed_in.suffix == ".zip" else _write_folder)(
        handed_in, submissions, made, neighbours
    )
    before = _kept(course)
    observed = _observe(course, name, handed_in, seconds, sandbox, len(submissions) == 1)
    after = _kept(course)
    return GradedNotebook(
        course, name, submissions, honest,
        {result.student: result for result in find_all(course, name)},
        made | neighbours, observed, [path for path in before if after.get(path) != before[path]],
    )  # fmt: skip


def _observe(course: Course, name: str, handed_in: Path, seconds: float, sandbox: str, alone: bool):
    scratch = course.root.parent / "scratch"
    scratch.mkdir()
    options = ["--jobs", "2", "--cell-seconds", f"{seconds:g}"]
    options += [] if sandbox == STRONG else ["--allow-weak-sandbox"]
    words = [["grade", name, str(handed_in), *options]]
    words += [] if alone else [["feedback", name], ["report", name]]
    commands = [
        [sys.executable, "-m", "autograder.cli", verb, str(course.root), *rest]
        for verb, *rest in words
    ]
    if sandbox == STRONG:
        return observe_apart(commands, scratch, COMMAND_SECONDS)
    patience = ALONE_SECONDS if alone else COMMAND_SECONDS
    return observe_there(commands, scratch, patience, landlock=sandbox == FENCED)


def _write_zip(place: Path, submissions, made: dict[str, bytes], neighbours: dict) -> None:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for submission in submissions:
            put = submission.put or (lambda archive, name, data: archive.writestr(name, data))
            put(archive, submission.file, made[submission.file])
        for name, data in neighbours.items():
            archive.writestr(name, data)


def _write_folder(place: Path, submissions, made: dict[str, bytes], neighbours: dict) -> None:
    for name, data in neighbours.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    for submission in submissions:
        (place / submission.file).parent.mkdir(parents=True, exist_ok=True)
        put = submission.put or (lambda path, data: path.write_bytes(data))
        put(place / submission.file, made[submission.file])


def _kept(course: Course) -> dict[str, tuple[int, str]]:
    """What nobody but the teacher changes: modes and digests of all that was there before grading,
    but for what is in the gradebook."""
    files = [path for path in sorted(course.root.rglob("*")) if path.is_file()]
    return {
        str(path.relative_to(course.root)): (
            path.stat().st_mode,
            "" if path.name == "gradebook.db" else hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in files
    }
