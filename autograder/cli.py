"""The command line: its commands, and its messages about mistakes."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from typing import NoReturn

import click

from autograder.classroom.course.folders import CourseError
from autograder.commands import (
    courses,
    gradescope,
    grading,
    hand_back,
    range_rehearsal,
    students,
    trials,
)
from autograder.commands.common import EXIT_CODES, check_umask, console, fail
from autograder.commands.requirements import for_students, for_teachers

INTERRUPTED = 130
GC_THRESHOLD_OBJECTS = 300_000  # new objects that start a collection; the imports make 160,000


class _Commands(click.Group):
    """The commands, which show a teacher's mistakes as one line, never as a traceback."""

    def invoke(self, context: click.Context) -> object:
        try:
            check_umask()
            return super().invoke(context)
        except CourseError as error:
            fail(str(error))
        except OSError as error:
            prefix = f"{error.filename}: " if error.filename else ""
            fail(f"{prefix}{error.strerror or error}")
        except KeyboardInterrupt:
            is_grading = context.invoked_subcommand == "grade"
            hint = "; the results so far are kept; run it again to go on" if is_grading else ""
            console(stderr=True).print(f"interrupted{hint}")
            sys.exit(INTERRUPTED)


@click.group(
    cls=_Commands,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="dplab")
def main() -> None:
    """Release problem sets, grade a class, and give feedback.

    \b
    A course from release to feedback:
      autograder release ~/course ps03               release/ps03/ goes to the students
      autograder grade ~/course ps03 ~/handed-in.zip
      autograder feedback ~/course ps03              feedback/STUDENT/ps03/ps03.html
      autograder report ~/course ps03                report/ps03.html is for you

    The course folder has nbgrader's layout, so nbgrader's formgrader and commands work on it, too.
    To see everything at work on a sample class, run: autograder demo
    """


for _command in (
    trials.new,
    trials.vary,
    grading.release,
    grading.grade,
    courses.status,
    hand_back.feedback,
    hand_back.report,
    grading.explain,
    courses.extend,
    courses.remove,
    courses.doctor,
    courses.exchange,
    trials.checks,
    range_rehearsal.rehearse_range,
    hand_back.export,
    gradescope.gradescope,
    trials.demo,
):
    main.add_command(for_teachers(_command))
for _command in (students.course, students.check):
    main.add_command(for_students(_command))


def run() -> NoReturn:
    """Run `main`, and end the process at once: the system frees its memory."""
    gc.set_threshold(GC_THRESHOLD_OBJECTS)
    for stream in (sys.stdout, sys.stderr):  # some encodings lack characters that we print
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code = 0
    try:
        main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
