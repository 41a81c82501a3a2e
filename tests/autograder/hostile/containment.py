"""What a graded class must look like, whatever its students tried. Each function says what isn't.

`breaches` is all of them together, for one student's work among honest neighbours.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable

from tests.autograder.hostile.catalogue import MOST, Submission
from tests.autograder.hostile.classroom import GradedNotebook
from tests.autograder.pages.test_feedback import Page, assert_harmless

# What only a teacher has: names, numbers and words of the hidden test, and the solution's text.
HIDDEN = ("SECRET_NUMBER", "7351", "14702", "HIDDEN TESTS", "LEAKED")
_SOMEBODY_NEEDS_A_LOOK = 3  # is how grading may end

_SCORES = (
    "select submitted_assignment.student_id, sum(grade.auto_score) from grade "
    "join submitted_notebook on grade.notebook_id = submitted_notebook.id "
    "join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id "
    "group by submitted_assignment.student_id"
)


def undeserved_score(graded: GradedNotebook, found: Submission) -> list[str]:
    result = graded.results.get(found.student)
    if result is None:
        return [f"{found.student} was not graded"]
    if result.points in (found.points, found.points + found.luck):
        return []
    told = [(cell.name, cell.points, cell.message) for cell in result.cells]
    return [f"{result.points:g} points: {told}, {result.incidents}, {result.notes}"]


def neighbours_hurt(graded: GradedNotebook) -> list[str]:
    most = MOST[graded.problem_set]
    results = {student: graded.results.get(student) for student in graded.honest}
    return [
        f"{student}: {result and (result.points, result.incidents)}"
        for student, result in results.items()
        if result is None or result.points != most or result.incidents
    ]


def left_over(graded: GradedNotebook) -> list[str]:
    seen = graded.observed
    grading, *others = seen.ended
    well = grading in (0, _SOMEBODY_NEEDS_A_LOOK) and not any(others)
    ended = [] if well else [f"ended with {seen.ended}:\n{seen.said}"]
    return [*ended, *seen.left_running, *seen.left_behind]


def wrong_in_the_gradebook(graded: GradedNotebook) -> list[str]:
    """Scores that aren't those of the results, points given by hand, and other maxima."""
    by_hand = 4 if graded.problem_set == "tiny" else 0
    try:
        with contextlib.closing(sqlite3.connect(graded.course.root / "gradebook.db")) as book:
            kept = {student: points or 0 for student, points in book.execute(_SCORES)}
            most = book.execute("select sum(max_score) from grade_cells").fetchone()[0]
            manual = book.execute("select manual_score from grade where manual_score > 0")
            given = [f"{score} by hand" for (score,) in manual]
    except sqlite3.Error as error:
        return [f"the gradebook: {error}"]
    deserved = {student: result.points for student, result in graded.results.items()}
    wrong = [f"{s}: {kept.get(s)}, not {points}" for s, points in deserved.items()
             if kept.get(s) != points]  # fmt: skip
    maximum = [] if most == MOST[graded.problem_set] + by_hand else [f"at most {most}"]
    return wrong + given + maximum + [student for student in kept if student not in deserved]


def told_to_the_student(graded: GradedNotebook, found: Submission) -> list[str]:
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


def _wrote(found: Submission, graded: GradedNotebook, words: str) -> bool:
    """Whether the student's own notebook has these words: some know where the course lies."""
    return words not in HIDDEN and words.encode() in graded.handed_in[found.file]


def found_by_the_student(graded: GradedNotebook, found: Submission) -> list[str]:
    """Outputs of the student's own that say so."""
    cells = graded.notebook(found.student)["cells"]
    outputs = [json.dumps(output) for cell in cells for output in cell.get("outputs", ())]
    return [output for output in outputs if "LEAKED" in output]


def harmful_page(graded: GradedNotebook, found: Submission) -> list[str]:
    try:
        assert_harmless(graded.page(found.student))
    except AssertionError as error:
        return [str(error)]
    return []


def graded_without_work(graded: GradedNotebook) -> list[str]:
    """Return the students who handed something in or have a result, but not both."""
    students = {found.student for found in graded.submissions} | set(graded.honest)
    return sorted(set(graded.results) ^ students)


def changed_work(graded: GradedNotebook) -> list[str]:
    """Return the students whose submitted notebook is not the file they handed in.

    A student without a notebook must have no points.
    """
    changed = []
    for file, data in graded.handed_in.items():
        student = file.replace("\\", "/").partition("/")[0].removesuffix(".ipynb")
        path = graded.course.submitted(student, graded.problem_set)
        if path.exists():
            is_file = path.is_file() and not path.is_symlink()
            whole = is_file and path.read_bytes() in (data, *notebooks_within(data))
            if not whole or path.stat().st_mode & 0o7777 != 0o644:
                changed.append(f"{student}: {path} is another file, or has another mode")
        elif graded.results[student].points != 0:
            changed.append(f"{student} has points without a notebook")
    return changed


def notebooks_within(data: bytes) -> list[bytes]:
    """Return the notebooks in an archive that was handed in; none if it is no archive."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if entry.filename.endswith(".ipynb")]
        return [archive.read(entry) for entry in entries if entry.file_size < 1 << 20]


def words_of_others(graded: GradedNotebook) -> list[str]:
    """Return the honest students whose page has not exactly the words they wrote themselves."""
    wrong = []
    for student, text in graded.honest.items():
        own = re.findall(r"neighbour\d+", text) if graded.problem_set == "tiny" else []
        words = set(re.findall(r"neighbour\d+", graded.page(student)))
        if words != set(own):
            wrong.append(f"{student}: {sorted(words)} instead of {own}")
    return wrong


def harmful_report(graded: GradedNotebook) -> list[str]:
    """Return the tags and attributes of the teacher's page that could run or load something."""
    page = Page(graded.course.report(graded.problem_set).read_text(encoding="utf-8"))
    forbidden = {"script", "iframe", "object", "embed", "form", "base", "link"}
    handlers = [str(found) for found in page.attributes if found[1].startswith("on")]
    addresses = ["javascript:"] if "javascript:" in str(page.attributes) else []
    return [*(forbidden & set(page.tags)), *handlers, *addresses]


# Each breach begins with the words here, so that a failure says which rule is broken.
OF_A_SUBMISSION = {
    "score": undeserved_score,
    "page of the student": told_to_the_student,
    "outputs of the student": found_by_the_student,
    "harmful page": harmful_page,
}
OF_A_CLASS = {
    "neighbour": neighbours_hurt,
    "result without work": graded_without_work,
    "left over": left_over,
    "changed file of the teacher": lambda graded: graded.changed,
    "changed submission": changed_work,
    "gradebook": wrong_in_the_gradebook,
    "neighbour's page": words_of_others,
    "harmful report": harmful_report,
}


def submission_breaches(graded: GradedNotebook, found: Submission) -> list[str]:
    """Return all breaches by one submission of a graded class."""
    return _named(OF_A_SUBMISSION, graded, found)


def class_breaches(graded: GradedNotebook) -> list[str]:
    """Return all breaches that concern the class as a whole."""
    return _named(OF_A_CLASS, graded)


def _named(rules: dict[str, Callable[..., list[str]]], *arguments: object) -> list[str]:
    return [
        f"{rule}: {breach}" for rule, find in rules.items() for breach in _found(find, *arguments)
    ]


def _found(find: Callable[..., list[str]], *arguments: object) -> list[str]:
    """Return the breaches; a file that is missing is one, and hides none of the others."""
    try:
        return find(*arguments)
    except OSError as error:
        return [str(error)]


def breaches(graded: GradedNotebook, found: Submission) -> list[str]:
    """Everything that this student has brought about, first of all to others."""
    to_all = neighbours_hurt(graded) + left_over(graded) + graded.changed
    return to_all + wrong_in_the_gradebook(graded) + own_breaches(graded, found)


def own_breaches(graded: GradedNotebook, found: Submission) -> list[str]:
    """What the student has brought about for themselves."""
    brought = undeserved_score(graded, found)
    if graded.course.autograded(found.student, graded.problem_set).exists():
        brought += found_by_the_student(graded, found)
    if graded.course.feedback(found.student, graded.problem_set).exists():
        brought += told_to_the_student(graded, found) + harmful_page(graded, found)
    return brought
