"""Grade one submission on Gradescope: python -m autograder.gradescope.run /autograder.

If the grader itself fails there is no `results.json`, and Gradescope tells the teacher so: a fault
of the grader is not a student's zero.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from autograder.classroom.course.folders import NAME, Course, CourseError, write_atomically
from autograder.classroom.grading import results
from autograder.classroom.intake.collect_class import NothingHandedIn
from autograder.exports.gradescope import results_json
from autograder.exports.standings import find_standings
from autograder.gradescope.package import SETTINGS
from autograder.session import WEAK, Session
from autograder.wire.contract import Limits

NOBODY = "student"  # the name of a submission whose metadata names no student
PRIVATE = ("source/course", "source/settings.json", "submission_metadata.json", "results")
_NOTHING = (
    "No notebook of this problem set was found among the files. Hand in {notebooks}, the released "
    "notebook with your answers.{reasons}"
)


def grade_submission(root: Path) -> str:
    """Grade the submission in the folder `root`, which is /autograder there.

    Return the text of `results.json`. Raises CourseError or OSError if the grader fails.
    """
    _close(root)
    settings = json.loads((root / "source" / SETTINGS).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        course = Course.at(shutil.copytree(root / "source" / "course", Path(folder) / "course"))
        handed_in = Path(folder) / "handed-in"
        student = _student(root / "submission_metadata.json")
        shutil.copytree(root / "submission", handed_in / student, symlinks=True)
        session = Session(
            course, settings["name"], handed_in, Limits(**settings["limits"]),
            jobs=1, weak_allowed=settings["weak_allowed"],
        )  # fmt: skip
        try:
            _grade(session)
        except NothingHandedIn as error:
            return _nothing(session, str(error))
        return _results(session, student)


def _close(root: Path) -> None:
    """Take the hidden tests, the secret and earlier results from other users' sight.

    In a container the student's process may be held back only by being another user.
    """
    for name in PRIVATE:
        path = root / name
        if path.exists():
            path.chmod(0o700 if path.is_dir() else 0o600)


def _student(metadata: Path) -> str:
    """Return the first student of the submission by address; a group is graded once for all."""
    try:
        users = json.loads(metadata.read_text(encoding="utf-8"))["users"]
        name = re.sub(r"[^A-Za-z0-9_.-]", "-", users[0]["email"])
    except (OSError, ValueError, LookupError, TypeError):
        return NOBODY
    return name if NAME.fullmatch(name) else NOBODY


def _grade(session: Session) -> None:
    """Grade, and print the progress for the teacher, whom alone Gradescope shows it."""
    from autograder.sandbox.probing import Probe

    with Probe() as probe:
        code = session.grade(Console(highlight=False, soft_wrap=True, width=200), probe)
    if code == WEAK:
        raise CourseError(
            "nothing was graded: the sandbox is weaker here than asked for. If what the table "
            "above lists is enough for you, make the zip again with --allow-weak-sandbox"
        )


def _nothing(session: Session, message: str) -> str:
    """Return results for files without a notebook of the set; `message` has the reasons."""
    notebooks = ", ".join(f"{notebook}.ipynb" for notebook in session.assignment.notebooks)
    reasons = "".join(f"\n{line.strip()}" for line in message.splitlines()[1:])
    output = _NOTHING.format(notebooks=notebooks, reasons=reasons)
    return json.dumps({"score": 0.0, "output": output, "stdout_visibility": "hidden"})


def _results(session: Session, student: str) -> str:
    result = results.find(session.course, student, session.name)
    if result is None:
        raise CourseError(f"there is no result of {student}")
    if result.not_graded:
        raise CourseError(f"the grader failed: {'; '.join(map(str, result.incidents))}")
    (standing,) = find_standings(session.course, session.assignment)
    return results_json(session.assignment, standing, result)


def main(arguments: list[str]) -> int:
    root = Path(arguments[0])
    place = root / "results" / "results.json"
    place.unlink(missing_ok=True)
    try:
        text = grade_submission(root)
    except (CourseError, OSError) as error:
        print(f"error: {error}")
        return 1
    write_atomically(place, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
