"""Grades the catalogue as a teacher would: a class in a zip, another in a folder, by the command.

The command's temporary files go into a directory of their own, and this process adopts whatever
a grading leaves running, so that both can be looked at afterwards.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.folders import Course
from autograder.classroom.results import Result, find_all
from tests.autograder.hostile.catalogue import Desk, Submission
from tests.autograder.tiny_assignment import as_bytes

NEIGHBOURS = ("honest_00", "honest_01", "honest_02")  # whose names some others know
HONEST_EVERY = 3
_SET_SUBREAPER = 36


@dataclass(frozen=True)
class Graded:
    """A class that has been graded. `honest` are the neighbours, by what they wrote."""

    course: Course
    problem_set: str
    submissions: tuple[Submission, ...]
    honest: dict[str, str]
    results: dict[str, Result]
    handed_in: dict[str, bytes]
    said: str
    left_running: list[str]
    left_behind: list[str]
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
          handed_in: Path, seconds: float) -> Graded:  # fmt: skip
    """Write the class into `handed_in`, a folder or a zip, grade it, and write all pages."""
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
    before = _digests(course)
    adopt_orphans()
    scratch = course.root.parent / "scratch"
    scratch.mkdir()
    commands = [
        ("grade", name, str(handed_in), "--jobs", "2", "--cell-seconds", f"{seconds:g}"),
        ("feedback", name),
        ("report", name),
    ]
    said = "".join(_run(course, scratch, *words) for words in commands)
    after = _digests(course)
    return Graded(
        course, name, submissions, honest,
        {result.student: result for result in find_all(course, name)},
        made | neighbours, said, descendants(), sorted(os.listdir(scratch)),
        [path for path in before if after.get(path) != before[path]],
    )  # fmt: skip


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


def _run(course: Course, scratch: Path, verb: str, *words: str) -> str:
    command = [sys.executable, "-m", "autograder.cli", verb, str(course.root), *words]
    environment = os.environ | {"TMPDIR": str(scratch), "COLUMNS": "200"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600
    )
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{verb} ended with {done.returncode}:\n{said}")
    return said


def _digests(course: Course) -> dict[str, str]:
    """What nobody but the teacher changes: everything that was there before grading."""
    return {
        str(path.relative_to(course.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(course.root.rglob("*"))
        if path.is_file() and path.name != "gradebook.db"
    }


def adopt_orphans() -> None:
    """From now on a process whose parent ends becomes a child of this one."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[str]:
    """The commands of all processes below this one that still run."""
    below, found = {os.getpid()}, []
    for process, parent, command in sorted(_processes()):
        if parent in below:
            below.add(process)
            found.append(command)
    return found


def _processes() -> Iterator[tuple[int, int, str]]:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state != "Z":
            yield int(entry.name), int(parent), command


def marked_files(marks: Iterable[str] = ("hostile-",)) -> list[str]:
    """Files outside of any course that carry a mark of the catalogue in their names."""
    places = [Path(place) for place in ("/tmp", "/var/tmp", "/dev/shm", str(Path.home()))]
    return [
        str(path)
        for place in places
        if place.is_dir()
        for path in place.iterdir()
        if any(path.name.startswith(mark) for mark in marks)
    ]


def fresh(source: Course, folder: Path) -> Course:
    """A copy of a released course."""
    shutil.copytree(source.root, folder / "course")
    course = Course.at(folder / "course")
    course.secret()
    return course
