"""Who handed in, and who waits for what."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from autograder.classroom import collected, extensions, people, results
from autograder.classroom.assignment import Assignment, released
from autograder.classroom.folders import Course, command
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.grades import Arrival, CellGrade, told_by
from autograder.classroom.results import Result, content_of
from autograder.classroom.visible import visible

HAND_IN, GRADING, HUMAN, FEEDBACK, NOTHING = (
    "hand-in", "grading", "a human", "feedback", "nothing",
)  # fmt: skip


@dataclass(frozen=True)
class StudentStatus:
    """One student and one problem set. `points` are None before it was graded."""

    student: str
    name: str = ""
    handed_in: bool = False
    time: str = ""
    late: bool = False
    extension: str = ""  # until when, where that is later than for everybody
    points: float | None = None
    penalty: float = 0.0
    waits_for: str = NOTHING
    needs_look: bool = False

    def as_json(self) -> dict:
        return asdict(self)


def of_class(course: Course, name: str) -> list[StudentStatus]:
    """All students of the class, by name: those that are listed, handed in, or are graded."""
    kept = collected.find(course, name)
    granted = extensions.granted_until(course, name)
    listed = {person.student: person.name for person in people.kept(course)}
    graded = {result.student: result for result in results.find_all(course, name)}
    with OpenGradebook(course, name) as gradebook:
        grades = gradebook.grades()
        arrivals = gradebook.arrivals()
        named = gradebook.names()
        due = gradebook.due
    later = {who: until for who, until in granted.items() if due is not None and until > due}
    release = released(course, name).digest
    there = {path.parent.parent.name for path in course.root.glob(f"submitted/*/{name}/*.ipynb")}
    everybody = sorted(set(listed) | set(named) | there | set(graded) | set(kept))
    return [
        _status(
            course, student, release, graded.get(student), grades.get(student, {}),
            name=listed.get(student) or named.get(student, ""),
            handed_in=student in there or student in graded,
            time=arrivals.get(student, Arrival()).time or _kept_time(kept.get(student)),
            late=arrivals.get(student, Arrival()).seconds_late > 0
            or _marked_late(kept.get(student)),
            penalty=arrivals.get(student, Arrival()).penalty,
            extension=f"{later[student]} UTC" if student in later else "",
        )
        for student in everybody
    ]  # fmt: skip


def _kept_time(kept: collected.Kept | None) -> str:
    return kept.timestamp if kept else ""


def _marked_late(kept: collected.Kept | None) -> bool:
    return bool(kept and kept.late)


def _status(
    course: Course,
    student: str,
    release: str,
    result: Result | None,
    grades: dict[str, CellGrade],
    **about,
) -> StudentStatus:
    if not about["handed_in"]:
        return StudentStatus(student, waits_for=HAND_IN, **about)
    if result is None or _is_to_grade(course, release, result):
        return StudentStatus(student, waits_for=GRADING, **about)
    now = [grades.get(cell.name, CellGrade(cell.points)) for cell in result.cells]
    points = [cell.points for cell in now]
    total = sum(p or 0.0 for p in points) - about["penalty"]
    look = result.needs_teacher
    done = NOTHING if _has_feedback(course, result, told_by(grades, about["penalty"])) else FEEDBACK
    human = None in points or any(cell.outdated or cell.above for cell in now)
    waits_for = HUMAN if human else done
    shown = max(0.0, round(total, 4))
    return StudentStatus(student, points=shown, waits_for=waits_for, needs_look=look, **about)


def _is_to_grade(course: Course, release: str, result: Result) -> bool:
    return result.not_graded or _is_earlier(release, result) or _changed(course, result)


def _is_earlier(release: str, result: Result) -> bool:
    """Whether the problem set was another one when it was graded, as far as that is known."""
    return result.release not in ("", release)


def _changed(course: Course, result: Result) -> bool:
    """Whether something else lies there than was graded."""
    contents = _there(course, result)
    return any(contents) and content_of(contents) != result.content


def _gone(course: Course, result: Result) -> bool:
    """Whether nothing is left of what was graded."""
    contents = _there(course, result)
    return not any(contents) and content_of(contents) != result.content


def _there(course: Course, result: Result) -> list[bytes | None]:
    paths = [
        course.submitted(result.student, result.assignment, name)
        for name in result.notebooks or (result.assignment,)
    ]
    return [path.read_bytes() if path.is_file() else None for path in paths]


def _has_feedback(course: Course, result: Result, told: str) -> bool:
    """Whether there is a page, no older than the result, that says what the gradebook says now."""
    kept = course.result(result.student, result.assignment)
    pages = course.feedback(result.student, result.assignment).parent.glob("*.html")
    return any(
        page.stat().st_mtime >= kept.stat().st_mtime and told.encode() in page.read_bytes()
        for page in pages
    )


def cautions(course: Course, assignment: Assignment) -> list[str]:
    """What a teacher should know before points leave the course: whose are missing, and whose may
    be others."""
    name = assignment.name
    with OpenGradebook(course, name) as gradebook:
        grades = gradebook.grades()
    above = {who: {n for n, cell in of.items() if cell.above} for who, of in grades.items()}
    cells = ", ".join(sorted(set().union(*above.values())))
    again = command("grade", course.root, name)
    told = {
        "handed in and {are} not graded yet": results.ungraded(course, name),
        f"{{have}} other work there than was graded; run: {again}": changed(course, name),
        "{were} graded, and nothing is in submitted any more": gone(course, name),
        f"{{were}} graded under an earlier release of {name}; run: {again}": outrun(
            course, assignment
        ),
        "{have} a new answer behind points that were given by hand": [
            who for who, of in grades.items() if any(cell.outdated for cell in of.values())
        ],
        f"{{have}} more points by hand than {cells} can give now; look again in formgrader": [
            who for who, names in above.items() if names
        ],
    }
    return [_caution(what, who) for what, who in told.items() if who]


def changed(course: Course, name: str) -> list[str]:
    """Students of whom something else lies there than was graded."""
    return [one.student for one in results.find_all(course, name) if _changed(course, one)]


def gone(course: Course, name: str) -> list[str]:
    """Students of whom nothing is left of what was graded."""
    return [one.student for one in results.find_all(course, name) if _gone(course, one)]


def outrun(course: Course, assignment: Assignment) -> list[str]:
    """Students whose results are those of an earlier release."""
    found = results.find_all(course, assignment.name)
    return [one.student for one in found if _is_earlier(assignment.digest, one)]


def _caution(what: str, students: list[str]) -> str:
    """`what` has {are}, {were} or {have} where its verb belongs."""
    for verb, of_one in {"are": "is", "were": "was", "have": "has"}.items():
        what = what.replace(f"{{{verb}}}", of_one if len(students) == 1 else verb)
    listed = ", ".join(map(visible, sorted(students)[:5]))
    more = " and more" if len(students) > 5 else ""
    return f"{len(students)} {what}: {listed}{more}"


@dataclass(frozen=True)
class Summary:
    """A whole problem set in numbers."""

    name: str
    students: int
    handed_in: int
    late: int
    waits_for: dict[str, int]
    needs_look: int

    @classmethod
    def of(cls, name: str, found: list[StudentStatus]) -> Summary:
        waits = dict.fromkeys((HAND_IN, GRADING, HUMAN, FEEDBACK), 0)
        for one in found:
            if one.waits_for in waits:
                waits[one.waits_for] += 1
        return cls(
            name,
            len(found),
            sum(one.handed_in for one in found),
            sum(one.late for one in found),
            waits,
            sum(one.needs_look for one in found),
        )
