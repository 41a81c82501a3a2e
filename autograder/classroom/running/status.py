"""The state of each student's work: handed in or not, and what it waits for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from autograder.classroom.course import extensions
from autograder.classroom.course.folders import Course, command
from autograder.classroom.course.printable import visible
from autograder.classroom.gradebook import reusable_comments
from autograder.classroom.gradebook.grades import Arrival, CellGrade, gradebook_digest
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading import results
from autograder.classroom.grading.results import Result, content_of
from autograder.classroom.intake import collection_record, people
from autograder.classroom.sets.assignment import Assignment, released

HAND_IN, GRADING, HUMAN, FEEDBACK, NOTHING = (
    "hand-in", "grading", "a human", "feedback", "nothing",
)  # fmt: skip


@dataclass(frozen=True)
class StudentStatus:
    """One student and one problem set. `points` is None before grading."""

    student: str
    name: str = ""
    handed_in: bool = False
    time: str = ""
    late: bool = False
    extension: str = ""  # the student's due date, if later than the class's
    points: float | None = None
    penalty: float = 0.0
    waits_for: str = NOTHING
    needs_look: bool = False

    def as_json(self) -> dict:
        return asdict(self)


def of_class(course: Course, name: str) -> list[StudentStatus]:
    """Return all students who are on the list, handed in or have grades, sorted by id."""
    records = collection_record.find(course, name)
    end_of = extensions.read_ends(course, name)
    list_names = {person.student: person.name for person in people.load_list(course)}
    results_by_student = {result.student: result for result in results.find_all(course, name)}
    with OpenGradebook(course, name) as gradebook:
        grades = gradebook.grades()
        arrivals = gradebook.arrivals()
        gradebook_names = gradebook.names()
        due = gradebook.due
    extension_of = {
        student: end for student, end in end_of.items() if due is not None and end > due
    }
    release = released(course, name).digest
    students_with_files = {
        path.parent.parent.name for path in course.root.glob(f"submitted/*/{name}/*.ipynb")
    }
    students = sorted(
        set(list_names)
        | set(gradebook_names)
        | students_with_files
        | set(results_by_student)
        | set(records)
    )
    return [
        _status(
            course, student, release, results_by_student.get(student), grades.get(student, {}),
            name=list_names.get(student) or gradebook_names.get(student, ""),
            handed_in=student in students_with_files or student in results_by_student,
            time=arrivals.get(student, Arrival()).time or _recorded_time(records.get(student)),
            late=arrivals.get(student, Arrival()).seconds_late > 0
            or _is_recorded_late(records.get(student)),
            penalty=arrivals.get(student, Arrival()).penalty,
            extension=f"{extension_of[student]} UTC" if student in extension_of else "",
        )
        for student in students
    ]  # fmt: skip


def _recorded_time(record: collection_record.SubmissionRecord | None) -> str:
    return record.timestamp if record else ""


def _is_recorded_late(record: collection_record.SubmissionRecord | None) -> bool:
    return bool(record and record.late)


def _status(
    course: Course,
    student: str,
    release: str,
    result: Result | None,
    grades: dict[str, CellGrade],
    **details: Any,
) -> StudentStatus:
    if not details["handed_in"]:
        return StudentStatus(student, waits_for=HAND_IN, **details)
    if result is None or _needs_grading(course, release, result):
        return StudentStatus(student, waits_for=GRADING, **details)
    cells = [grades.get(cell.name, CellGrade(cell.points)) for cell in result.cells]
    points = [cell.points for cell in cells]
    total = sum(value or 0.0 for value in points) - details["penalty"]
    next_step = (
        NOTHING
        if _has_feedback(course, result, gradebook_digest(grades, details["penalty"]))
        else FEEDBACK
    )
    needs_human = None in points or any(cell.outdated or cell.is_above_maximum for cell in cells)
    waits_for = HUMAN if needs_human else next_step
    rounded_total = max(0.0, round(total, 4))
    return StudentStatus(
        student,
        points=rounded_total,
        waits_for=waits_for,
        needs_look=result.needs_teacher,
        **details,
    )


def _needs_grading(course: Course, release: str, result: Result) -> bool:
    return result.not_graded or _has_earlier_release(release, result) or _is_changed(course, result)


def _has_earlier_release(release: str, result: Result) -> bool:
    """Return whether an earlier release graded it, as far as the result names its release."""
    return result.release not in ("", release)


def _is_changed(course: Course, result: Result) -> bool:
    """Return whether the submitted files differ from those that were graded."""
    contents = _read_submitted(course, result)
    return any(contents) and content_of(contents) != result.content


def _is_gone(course: Course, result: Result) -> bool:
    """Return whether the graded files are all gone."""
    contents = _read_submitted(course, result)
    return not any(contents) and content_of(contents) != result.content


def _read_submitted(course: Course, result: Result) -> list[bytes | None]:
    paths = [
        course.submitted(result.student, result.assignment, name)
        for name in result.notebooks or (result.assignment,)
    ]
    return [path.read_bytes() if path.is_file() else None for path in paths]


def _has_feedback(course: Course, result: Result, digest: str) -> bool:
    """Return whether a page shows the current result and grades.

    Such a page is not older than the result, and has the digest of the gradebook's grades.
    """
    file = course.result(result.student, result.assignment)
    pages = course.feedback(result.student, result.assignment).parent.glob("*.html")
    return any(
        page.stat().st_mtime >= file.stat().st_mtime and digest.encode() in page.read_bytes()
        for page in pages
    )


def cautions(course: Course, assignment: Assignment) -> list[str]:
    """Return warnings for the teacher, to read before points leave the course.

    They are about missing points, and about points that may change.
    """
    name = assignment.name
    with OpenGradebook(course, name) as gradebook:
        grades = gradebook.grades()
    cells_above = {
        student: {name for name, cell in cells.items() if cell.is_above_maximum}
        for student, cells in grades.items()
    }
    names_above = ", ".join(sorted(set().union(*cells_above.values())))
    grade_command = command("grade", course.root, name)
    students_by_caution = {
        "handed in and {are} not graded yet": results.ungraded(course, name),
        f"handed in files that differ from those graded; run: {grade_command}": changed(
            course, name
        ),
        "{were} graded, but {have} no files in the folder submitted any more": gone(course, name),
        f"{{were}} graded under an earlier release of {name}; run: {grade_command}": outdated(
            course, assignment
        ),
        "{have} a new answer behind points that were given by hand": [
            student
            for student, cells in grades.items()
            if any(cell.outdated for cell in cells.values())
        ],
        f"{{have}} a comment with a code that {course.comments(name)} does not have": [
            student
            for student, cells in grades.items()
            if course.comments(name).exists()
            and any(reusable_comments.has_code(cell.comment) for cell in cells.values())
        ],
        f"{{have}} more points by hand than {names_above} can give now; look again in formgrader": [
            student for student, names in cells_above.items() if names
        ],
    }
    return [
        _caution(text, students_concerned)
        for text, students_concerned in students_by_caution.items()
        if students_concerned
    ]


def changed(course: Course, name: str) -> list[str]:
    """Return the students whose submitted files differ from those that were graded."""
    return [
        result.student for result in results.find_all(course, name) if _is_changed(course, result)
    ]


def gone(course: Course, name: str) -> list[str]:
    """Return the students whose graded files are all gone."""
    return [result.student for result in results.find_all(course, name) if _is_gone(course, result)]


def outdated(course: Course, assignment: Assignment) -> list[str]:
    """Return the students whose results come from an earlier release."""
    all_results = results.find_all(course, assignment.name)
    return [
        result.student for result in all_results if _has_earlier_release(assignment.digest, result)
    ]


def _caution(text: str, students: list[str]) -> str:
    """Return the caution; `text` has {are}, {were} or {have} instead of its verbs."""
    for plural, singular in {"are": "is", "were": "was", "have": "has"}.items():
        text = text.replace(f"{{{plural}}}", singular if len(students) == 1 else plural)
    names = ", ".join(map(visible, sorted(students)[:5]))
    more = " and more" if len(students) > 5 else ""
    return f"{len(students)} {text}: {names}{more}"


@dataclass(frozen=True)
class Summary:
    """The numbers of a problem set."""

    name: str
    students: int
    handed_in: int
    late: int
    waits_for: dict[str, int]
    needs_look: int

    @classmethod
    def of(cls, name: str, statuses: list[StudentStatus]) -> Summary:
        waiting_counts = dict.fromkeys((HAND_IN, GRADING, HUMAN, FEEDBACK), 0)
        for status in statuses:
            if status.waits_for in waiting_counts:
                waiting_counts[status.waits_for] += 1
        return cls(
            name,
            len(statuses),
            sum(status.handed_in for status in statuses),
            sum(status.late for status in statuses),
            waiting_counts,
            sum(status.needs_look for status in statuses),
        )
