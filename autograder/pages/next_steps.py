"""What a teacher can do next with a graded problem set, for the head of the report."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.classroom.course.folders import Course, command
from autograder.classroom.grading.results import Result
from autograder.classroom.running import status
from autograder.wire.text import count_noun

_PAGE = ", the page /formgrader in JupyterLab"


@dataclass(frozen=True)
class NextStep:
    """Something to do, and the command for it, if there is one."""

    text: str
    command: str = ""


def find_steps(
    course: Course, name: str, results: Sequence[Result], look_count: int, check_count: int
) -> list[NextStep]:
    """Return the next steps.

    `results` have the points given by hand. `look_count` submissions or files, and `check_count`
    checks, are listed in the report to look at.
    """
    waiting = Counter(entry.waits_for for entry in status.of_class(course, name))
    steps = []
    if count := waiting[status.GRADING]:
        text = f"{count_noun(count, 'submission')} to grade"
        steps.append(NextStep(text, command("grade", course.root, name)))
    if look_count:
        steps.append(NextStep(f"{count_noun(look_count, 'submission')} to look at, listed below"))
    if count := waiting[status.HUMAN]:
        steps.append(NextStep(_describe_hand_grading(results, count), _formgrader(course)))
    if check_count:
        steps.append(NextStep(f"{count_noun(check_count, 'check')} to look at, listed below"))
    if count := waiting[status.FEEDBACK]:
        text = f"{count_noun(count, 'page')} of feedback to write"
        steps.append(NextStep(text, command("feedback", course.root, name)))
    if not steps:
        export = command("export", course.root, name, "--format", "csv")
        steps.append(NextStep("Nothing waits: export the points", export))
    return steps


def _describe_hand_grading(results: Sequence[Result], student_count: int) -> str:
    answer_count = sum(len(result.by_hand) for result in results)
    if not answer_count:  # a new answer, or more points than there are now
        students = count_noun(student_count, "student")
        return f"points given by hand to look at again, of {students}: open formgrader{_PAGE}"
    return f"{count_noun(answer_count, 'answer')} to grade by hand: open formgrader{_PAGE}"


def _formgrader(course: Course) -> str:
    return f"cd {shlex.quote(str(course.root))} && jupyter lab"
