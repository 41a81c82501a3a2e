"""The points of each student for a problem set in the gradebook, with manual ones and penalties."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.gradebook.connection import open_gradebook, readable_errors
from autograder.classroom.gradebook.grades import CellGrade
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.sets.assignment import Assignment


@dataclass(frozen=True)
class Standing:
    """One submission. Personal data that nobody entered are empty texts."""

    student: str
    cells: dict[str, CellGrade]
    penalty: float = 0.0
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""
    timestamp: str = ""
    forgeable: float = 0.0  # points that could be forged

    @property
    def raw_score(self) -> float:
        return rounded(sum(cell.points or 0.0 for cell in self.cells.values()))

    @property
    def score(self) -> float:
        """The points minus the late penalty, as nbgrader exports them."""
        return rounded(max(0.0, self.raw_score - self.penalty))

    @property
    def name(self) -> str:
        """Last name, first name; the id if there is no name."""
        return ", ".join(filter(None, (self.last_name, self.first_name))) or self.student


def rounded(points: float) -> float:
    """Round sums of points such as 0.1, which have rounding errors of binary fractions."""
    return round(points, 4)


def find_standings(course: Course, assignment: Assignment) -> list[Standing]:
    """Return all graded submissions, sorted by student; raise CourseError if there are none."""
    is_forgeable = {cell.name: cell.forgeable for cell in assignment.scored}
    with OpenGradebook(course, assignment.name) as gradebook:
        grades = gradebook.grades()
    standings = [
        Standing(
            student,
            {name: cell for name, cell in cells.items() if name in is_forgeable},
            forgeable=rounded(sum(cells[n].points or 0.0 for n in cells if is_forgeable.get(n))),
            **facts,
        )
        for student, facts in _submissions(course, assignment.name).items()
        if (cells := grades.get(student))
    ]
    if not standings:
        raise CourseError(f"no submission of {assignment.name!r} has been graded; grade first")
    return sorted(standings, key=lambda standing: standing.student)


def waiting(assignment: Assignment, standings: list[Standing]) -> int:
    """Return how many submissions have answers that no human has graded yet."""
    names = [cell.name for cell in assignment.scored]
    return sum(
        any(s.cells.get(name, CellGrade(None)).points is None for name in names) for s in standings
    )


def _submissions(course: Course, name: str) -> dict[str, dict]:
    """Return each student's penalty, time and personal data in the gradebook, with one query."""
    from nbgrader import api

    submission, person = api.SubmittedAssignment, api.Student
    with open_gradebook(course) as book, readable_errors(course, "read"):
        rows = (
            book.db.query(submission, person)
            .join(person, person.id == submission.student_id)
            .filter(submission.assignment_id == book.find_assignment(name).id)
        )
        return {
            person.id: {
                "penalty": submission.late_submission_penalty or 0.0,
                "first_name": person.first_name or "",
                "last_name": person.last_name or "",
                "email": person.email or "",
                "lms_user_id": person.lms_user_id or "",
                "timestamp": submission.timestamp.isoformat(" ") if submission.timestamp else "",
            }
            for submission, person in rows
        }
