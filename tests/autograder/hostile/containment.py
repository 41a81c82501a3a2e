"""What a graded class must look like, whatever its students tried. Each function says what isn't.

`breaches` is all of them together, for one student's work among honest neighbours.
"""

from __future__ import annotations

import base64
import json
import re

from tests.autograder.hostile.catalogue import MOST, Submission
from tests.autograder.hostile.classroom import Graded
from tests.autograder.pages.test_feedback import assert_harmless

# What only a teacher has: names, numbers and words of the hidden test, and the solution's text.
HIDDEN = ("SECRET_NUMBER", "7351", "14702", "HIDDEN TESTS", "LEAKED")
_ENDINGS = ([0, 0, 0], [3, 0, 0])  # of grade, feedback and report; 3: somebody needs a look


def undeserved_score(graded: Graded, found: Submission) -> list[str]:
    result = graded.results.get(found.student)
    if result is None:
        return [f"{found.student} was not graded"]
    if result.points == found.points:
        return []
    told = [(cell.name, cell.points, cell.message) for cell in result.cells]
    return [f"{result.points:g} points: {told}, {result.incidents}, {result.notes}"]


def neighbours_hurt(graded: Graded) -> list[str]:
    most = MOST[graded.problem_set]
    results = {student: graded.results.get(student) for student in graded.honest}
    return [
        f"{student}: {result and (result.points, result.incidents)}"
        for student, result in results.items()
        if result is None or result.points != most or result.incidents
    ]


def left_over(graded: Graded) -> list[str]:
    seen = graded.observed
    ended = [] if seen.ended in _ENDINGS else [f"ended with {seen.ended}:\n{seen.said}"]
    return [*ended, *seen.left_running, *seen.left_behind]


def told_to_the_student(graded: Graded, found: Submission) -> list[str]:
    """What is on the student's page and is the teacher's or another student's."""
    page = graded.page(found.student)
    secret = (graded.course.private / "secret").read_bytes()
    spellings = (secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1])
    hidden = [
        words
        for words in (*HIDDEN, *spellings, str(graded.course.root))
        if words in page and not _wrote(found, graded, words)
    ]
    return hidden + re.findall(r"neighbour\d+", page)


def _wrote(found: Submission, graded: Graded, words: str) -> bool:
    """Whether the student's own notebook has these words: some know where the course lies."""
    return words not in HIDDEN and words.encode() in graded.handed_in[found.file]


def found_by_the_student(graded: Graded, found: Submission) -> list[str]:
    """Outputs of the student's own that say so."""
    cells = graded.notebook(found.student)["cells"]
    outputs = [json.dumps(output) for cell in cells for output in cell.get("outputs", ())]
    return [output for output in outputs if "LEAKED" in output]


def harmful_page(graded: Graded, found: Submission) -> list[str]:
    try:
        assert_harmless(graded.page(found.student))
    except AssertionError as error:
        return [str(error)]
    return []


def breaches(graded: Graded, found: Submission) -> list[str]:
    """Everything that this student has brought about, first of all to others."""
    to_all = neighbours_hurt(graded) + left_over(graded) + graded.changed
    own = undeserved_score(graded, found)
    if found.student in graded.results:
        own += told_to_the_student(graded, found) + found_by_the_student(graded, found)
        own += harmful_page(graded, found)
    return to_all + own
