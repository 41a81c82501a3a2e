"""Functions that all commands share: find a course, print, and start student processes."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from autograder.classroom.course.folders import Course, CourseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from autograder.examiner.sandboxed_runner import SandboxedRunner
    from autograder.examiner.unsandboxed_runner import UnsandboxedRunner
    from autograder.wire.contract import Limits


EXIT_CODES = """\b
Exit codes:
  0    everything was done
  1    the command failed or stopped early; the message says why
  2    the command line has a mistake
  3    graded, but some submission needs a look (a broken notebook, a missing cell), or has
       no page of feedback
  4    the sandbox is weaker than asked for; nothing was graded
  130  interrupted; the results so far are kept
"""


def fail(message: str) -> NoReturn:
    """Print what went wrong, and end with exit code 1."""
    from rich.text import Text

    console(stderr=True).print(Text("error: ", "bold red").append(message, "default not bold"))
    sys.exit(1)


def check_umask() -> None:
    """Raise CourseError if the umask keeps users from reading the files that they write."""
    umask = os.umask(0o077)
    os.umask(umask)
    if umask & 0o700:
        raise CourseError(
            f"the umask of this shell is {umask:03o}, so you could not read the files that this "
            "command writes; run 'umask 077' and give the command again"
        )


UNWRAPPED_COLUMNS = 400  # width if the output is no terminal: programs read unbroken lines


def console(stderr: bool = False) -> Console:
    """Return the console for a command's output, or with `stderr` for its other messages."""
    from rich.console import Console  # imported only after the grader's processes have started

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else UNWRAPPED_COLUMNS
    return Console(stderr=stderr, highlight=False, soft_wrap=True, width=width)


def tell(notes: Iterable[str]) -> None:
    """Print notes beside the output that was asked for."""
    for note in notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)


def course_to_be(folder: str) -> Course:
    """Return the course in that folder, which may not exist yet.

    Raises CourseError if it can't be a course.
    """
    course = Course.at(folder)
    course.check_path()
    return course


def course_at(folder: str) -> Course:
    """Return the course in that folder.

    Raises CourseError if there is no such folder, or if it can't be a course, for example because
    it is a folder inside of one.
    """
    from autograder.classroom.intake.mistaken_paths import check_is_outside

    course = course_to_be(folder)
    check_is_outside(course)
    if not course.root.is_dir():
        raise CourseError(
            f"there is no course folder {course.root}; check the path, or make a course with: "
            "autograder release COURSE NAME"
        )
    return course


@contextlib.contextmanager
def runner_for_own_code(
    limits: Limits | None = None,
) -> Iterator[tuple[SandboxedRunner | UnsandboxedRunner, bool]]:
    """Yield a runner, sandboxed if possible, and whether its sandbox is as strong as in grading."""
    from autograder.sandbox.layers import CAN_FENCE
    from autograder.wire.contract import Limits

    if not CAN_FENCE:
        from autograder.examiner.unsandboxed_runner import UnsandboxedRunner

        yield UnsandboxedRunner(limits or Limits()), False
        return
    from autograder.sandbox.probing import Probe

    with Probe() as probe:  # a student process warms up during the imports
        from autograder.examiner.sandboxed_runner import SandboxedRunner

        is_strong = probe.sandbox.strong
        with SandboxedRunner(limits or Limits(), probe.sandbox, probe.parent) as runner:
            yield runner, is_strong
