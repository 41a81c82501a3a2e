"""What all commands share: where a course is, what they print, and rooms."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from autograder.classroom.folders import Course, CourseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from autograder.examiner.rooms import Rooms
    from autograder.examiner.unwalled import UnwalledRooms
    from autograder.wire.contract import Limits


EXIT_CODES = """\b
Exit codes:
  0    everything was done
  1    it was not done, or not to its end; the message says why
  2    the command was mistyped
  3    graded, but some submission needs a look (a broken notebook, a missing cell), or has
       no page of feedback
  4    the sandbox is weaker than asked for; nothing was graded
  130  interrupted; what had been graded is kept
"""


def fail(message: str) -> NoReturn:
    """Say what went wrong, and end with exit code 1."""
    from rich.text import Text

    console(stderr=True).print(Text("error: ", "bold red").append(message, "default not bold"))
    sys.exit(1)


def check_umask() -> None:
    """Raise CourseError where what is written can't be read again by whoever wrote it."""
    umask = os.umask(0o077)
    os.umask(umask)
    if umask & 0o700:
        raise CourseError(
            f"the umask of this shell is {umask:03o}, which takes from you what you write "
            "yourself; run 'umask 077' and give the command again"
        )


UNWRAPPED = 400  # columns where no terminal has a width: programs read whole lines


def console(stderr: bool = False) -> Console:
    """Where a command prints: its output, or with `stderr` what is beside it."""
    from rich.console import Console  # not before the grader's own processes have started

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else UNWRAPPED
    return Console(stderr=stderr, highlight=False, soft_wrap=True, width=width)


def tell(notes: Iterable[str]) -> None:
    """What to know beside the output that was asked for."""
    for note in notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)


def course_to_be(folder: str) -> Course:
    """The course in that folder, where there may be none yet. Raises CourseError where none can
    be."""
    course = Course.at(folder)
    course.check_path()
    return course


def course_at(folder: str) -> Course:
    """The course in that folder. Raises CourseError where there is no folder, or none can be."""
    course = course_to_be(folder)
    if not course.root.is_dir():
        raise CourseError(f"there is no course folder {course.root}")
    return course


@contextlib.contextmanager
def rooms_for_own_code(
    limits: Limits | None = None,
) -> Iterator[tuple[Rooms | UnwalledRooms, bool]]:
    """With walls, where the system can have some; and whether they are as strong as in grading."""
    from autograder.sandbox.layers import CAN_FENCE
    from autograder.wire.contract import Limits

    if not CAN_FENCE:
        from autograder.examiner.unwalled import UnwalledRooms

        yield UnwalledRooms(limits or Limits()), False
        return
    from autograder.sandbox.probing import Probe

    with Probe() as probe:  # a room warms up while the rest is loaded
        from autograder.examiner.rooms import Rooms

        strong = probe.sandbox.strong
        with Rooms(limits or Limits(), probe.sandbox, probe.parent) as rooms:
            yield rooms, strong
