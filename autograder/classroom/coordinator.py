"""Grade a class: what changed since last time, on all cores, nothing finished ever lost.

What students are shown is made, and sealed, for all of them before the first hidden test begins.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from autograder.classroom import results
from autograder.classroom.assignment import Assignment
from autograder.classroom.collecting import HandedIn
from autograder.classroom.first_runs import KeptRuns, is_sealed
from autograder.classroom.folders import Course, ends_everything, say_error, write_atomically
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.patience import Wait, silently
from autograder.classroom.progress import Progress
from autograder.classroom.quick_gradebook import due_date, students_in
from autograder.classroom.results import Result
from autograder.classroom.several import FirstRuns, GradedWhole, Whole, not_graded
from autograder.classroom.versions import versions
from autograder.classroom.workers import Task, Workers
from autograder.sandbox.layers import Sandbox
from autograder.sandbox.warm import WarmParent
from autograder.wire.contract import Limits

if TYPE_CHECKING:
    from autograder.classroom.cluster import Cluster, ClusterWorkers


@dataclass(frozen=True)
class Graders:
    """How a class is graded: with which limits, in which sandbox, by how many workers.

    `parent` is a warm parent in that sandbox, for workers to take copies of. With a `cluster` its
    workers grade, and none on this machine.
    """

    limits: Limits
    sandbox: Sandbox
    jobs: int
    parent: WarmParent | None = None
    cluster: Cluster | None = None

    def workers(self, task: Task, most: int) -> Workers | ClusterWorkers:
        """As many as there are, but no more than there is work for."""
        if self.cluster is not None:
            return self.cluster.workers(task)
        return Workers(task, min(self.jobs, most), self.parent)


@dataclass(frozen=True)
class Plan:
    """What `grade` would do with one submission."""

    handed: HandedIn
    action: str  # "new", "again" or "keep"


def grade_class(
    course: Course,
    assignment: Assignment,
    handed_in: tuple[HandedIn, ...],
    graders: Graders,
    *,
    again: bool = False,
    exercises: frozenset[str] = frozenset(),
    progress: Progress | None = None,
) -> list[Result]:
    """Grade the submissions and write all that follows from it; return the results by student.

    A result whose submission, problem set and settings are unchanged is kept, unless `again`. Given
    `exercises`, all other cells of who was graded before keep their points.
    """
    progress = progress or Progress()
    finished: dict[str, Result] = {}
    todo: list[tuple[HandedIn, str]] = []
    rules = rules_of(course, assignment, graders.limits, graders.sandbox.name, progress.waiting)
    known = students_in(course, assignment.name, progress.waiting)
    runs = KeptRuns(course, assignment.name)
    for handed in handed_in:
        key = result_key(rules, handed)
        kept = None if again else _unchanged(course, assignment, handed.student, key, known)
        if kept is not None:
            finished[handed.student] = kept
            progress.finished(kept, kept=True)
        else:
            todo.append((handed, key))
        if again or kept is not None:  # what was made for an earlier result, or is to be made anew
            runs.forget(handed.student)
    for result in _grade(course, assignment, todo, graders, progress, exercises, runs):
        finished[result.student] = result
        progress.finished(result, kept=False)
    runs.tidy_up()
    return [finished[handed.student] for handed in handed_in]


def _unchanged(
    course: Course, assignment: Assignment, student: str, key: str, known: set[str]
) -> Result | None:
    """The kept result, if grading again could only come to the same, and the gradebook, which has
    the `known` students, has it too.
    """
    kept = results.find(course, student, assignment.name)
    same = kept is not None and kept.key == key and results.is_complete(course, kept)
    return kept if same and student in known else None


def plans(
    course: Course,
    assignment: Assignment,
    handed_in: tuple[HandedIn, ...],
    limits: Limits,
    again: bool,
) -> list[Plan]:
    """What would be graded, supposing the sandbox of the last time."""
    rules = functools.cache(functools.partial(rules_of, course, assignment, limits))
    found, known = [], students_in(course, assignment.name)
    for handed in handed_in:
        kept = results.find(course, handed.student, assignment.name)
        if kept is None:
            action = "new"
        else:
            key = result_key(rules(kept.sandbox), handed)
            same = _unchanged(course, assignment, handed.student, key, known)
            action = "keep" if same and not again else "again"
        found.append(Plan(handed, action))
    return found


def _grade(course, assignment, todo, graders, progress, exercises, runs) -> Iterator[Result]:
    if not todo:
        return
    task = Task(assignment, course.secret(), graders.limits, graders.sandbox)
    times = {handed.student: handed.timestamp for handed, _ in todo}
    with graders.workers(task, len(todo)) as workers:
        failed: list[GradedWhole] = []  # filled while the others are run
        to_run = _to_run_first(todo, task, runs, failed)
        first = itertools.chain(_in_quiet(workers, to_run, progress), failed)
        # The first time it takes half a second, which the workers use.
        with OpenGradebook(course, assignment.name, progress.waiting) as gradebook:
            for graded in _in_order(first, workers, todo, assignment, runs, progress):
                if exercises:
                    graded = _but_for(graded, course, exercises, progress)
                result = _recorded(course, gradebook, graded, assignment, times)
                runs.forget(result.student)
                yield result


def _in_order(first, workers, todo, assignment, runs, progress) -> Iterator[GradedWhole]:
    """No hidden run begins before the last `first` run has ended, and is on the disk."""
    over = set()
    for answer in first:
        if isinstance(answer, FirstRuns):
            runs.save(answer.student, answer.sealed)
            progress.first_run(answer.student)
        else:  # without hidden tests, or set aside
            over.add(answer.student)
            yield answer
    rest = [(handed, key) for handed, key in todo if handed.student not in over]
    failed: list[GradedWhole] = []
    yield from _in_quiet(workers, _to_run_hidden(rest, assignment, runs, failed), progress)
    yield from failed


def _in_quiet(workers, wholes: Iterator[Whole], progress: Progress) -> Iterator:
    """Have submissions run; what each came to. Where a busy machine may have cost points, that is
    the run which is made once more when all others have ended, one submission at a time.
    """
    given: dict[str, Whole] = {}
    answers = workers.map(_noted(wholes, given), progress.tick)  # which begins at once
    return _with_repeats(answers, given, workers, progress)


def _noted(wholes: Iterator[Whole], given: dict[str, Whole]) -> Iterator[Whole]:
    for whole in wholes:
        given[whole.student] = whole
        yield whole


def _with_repeats(answers, given: dict[str, Whole], workers, progress: Progress) -> Iterator:
    slowed: list[Whole] = []
    for answer in answers:
        whole = given.pop(answer.student)
        if answer.is_slowed:
            slowed.append(whole)
        else:
            yield answer
    for whole in slowed:
        yield from workers.map([whole], progress.tick)


def _to_run_first(todo, task: Task, runs: KeptRuns, failed: list[GradedWhole]) -> Iterator[Whole]:
    """All but those whose first runs an interrupted grading has left."""
    for whole in _wholes(todo, task.assignment, failed):
        left = runs.read(whole.student)
        if not (left and is_sealed(left, whole.subject(task.assignment), task.secret)):
            yield replace(whole, first_only=True)


def _to_run_hidden(
    todo, assignment: Assignment, runs: KeptRuns, failed: list[GradedWhole]
) -> Iterator[Whole]:
    """What was sealed goes with each. Where it is gone or changed, both runs are made again."""
    for whole in _wholes(todo, assignment, failed):
        yield replace(whole, sealed=runs.read(whole.student))


def _but_for(
    graded: GradedWhole, course: Course, exercises: frozenset[str], progress: Progress
) -> GradedWhole:
    """With the points that the cells of all other exercises have, if it is the same work."""
    new = graded.result
    kept = results.find(course, new.student, new.assignment)
    if kept is None or kept.content != new.content or kept.not_graded or new.not_graded:
        progress.in_whole(new.student)
        return graded
    before = {(cell.name, cell.max_points): cell for cell in kept.cells}
    cells = tuple(
        cell if cell.exercise in exercises else before.get((cell.name, cell.max_points), cell)
        for cell in new.cells
    )
    # Its other cells are those of then: what has changed since is still to be graded.
    then = replace(new, cells=cells, key=kept.key, release=kept.release)
    return replace(graded, result=then)


def _wholes(
    todo: list[tuple[HandedIn, str]], assignment: Assignment, failed: list[GradedWhole]
) -> Iterator[Whole]:
    """Read what is to be graded; add to `failed` what can't be."""
    for handed, key in todo:
        paths = [handed.paths.get(name) for name in assignment.notebooks]
        nothing = Whole(handed.student, (None,) * len(paths), key)
        if handed.failure:
            failed.append(not_graded(nothing, assignment, handed.failure))
            continue
        try:
            contents = tuple(path.read_bytes() if path else None for path in paths)
        except OSError as error:
            if ends_everything(error):
                raise
            failed.append(not_graded(nothing, assignment, f"It could not be read: {error}"))
        else:
            yield Whole(handed.student, contents, key, handed.notes)


def _recorded(
    course: Course,
    gradebook: OpenGradebook,
    graded: GradedWhole,
    assignment: Assignment,
    times: Mapping[str, str],
) -> Result:
    """Write a result down. Where that fails for this student alone, the result says so instead, and
    has no points.
    """
    student = graded.result.student
    try:
        return _record(course, gradebook, graded, times[student])
    except Exception as error:
        if ends_everything(error):
            raise
        reason = f"Its result could not be written: {say_error(error)}"
        whole = Whole(student, (None,) * len(assignment.notebooks), graded.result.key)
        instead = not_graded(whole, assignment, reason)
        with contextlib.suppress(OSError, ValueError):
            return _record(course, gradebook, instead, "")
        return instead.result


def _record(course: Course, gradebook, graded: GradedWhole, timestamp: str) -> Result:
    """Write notebooks, gradebook, and last the result: what has a result is complete."""
    result = graded.result
    if not result.has_run:  # what an earlier grading left stays as it is
        results.save(course, result)
        return result
    for name in result.notebooks or (result.assignment,):
        path = course.autograded(result.student, result.assignment, name)
        if name in graded.notebooks:
            write_atomically(path, graded.notebooks[name])
        else:
            path.unlink(missing_ok=True)  # of an earlier submission
    before = results.find(course, result.student, result.assignment)
    same = before is not None and before.content == result.content
    stamp = path.with_name("timestamp.txt")
    if timestamp:
        write_atomically(stamp, timestamp)
    elif not same:
        stamp.unlink(missing_ok=True)
    gradebook.write(result, timestamp, same)
    results.save(course, result)
    return result


def rules_of(
    course: Course,
    assignment: Assignment,
    limits: Limits,
    sandbox: str,
    wait: Wait = silently,
) -> str:
    """Changes when the same submission could be worth something else; `sandbox` is its name."""
    parts = [
        versions(),
        course.settings,
        due_date(course, assignment.name, wait),
        assignment.digest,
        asdict(limits),
        sandbox,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def result_key(rules: str, handed: HandedIn) -> str:
    """Changes exactly when grading again could give something else."""
    parts = [
        rules,
        handed.digest,
        [asdict(note) for note in handed.notes],
        handed.timestamp,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
