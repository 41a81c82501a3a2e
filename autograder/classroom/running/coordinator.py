"""Grade a class on all cores: only changed submissions, and no finished result is lost.

The first runs, which make all outputs that students see, end before the first hidden test begins.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from autograder.classroom.course.folders import Course, ends_everything, say_error, write_atomically
from autograder.classroom.course.versions import versions
from autograder.classroom.gradebook.records import OpenGradebook, read_record
from autograder.classroom.grading import results
from autograder.classroom.grading.first_runs import KeptRuns, is_sealed
from autograder.classroom.grading.multi_notebook import (
    FirstRuns,
    GradedSubmission,
    Submission,
    not_graded,
)
from autograder.classroom.grading.results import Result
from autograder.classroom.intake.collect_class import CollectedSubmission
from autograder.classroom.running.progress import Progress
from autograder.classroom.running.workers import Task, Workers
from autograder.classroom.sets.assignment import Assignment
from autograder.sandbox.fork_client import WarmParent
from autograder.sandbox.layers import Sandbox
from autograder.wire.contract import Limits

if TYPE_CHECKING:
    from autograder.classroom.running.cluster import Cluster, ClusterWorkers


ToDo = list[tuple[CollectedSubmission, str]]  # submissions to grade, each with its result's key


@dataclass(frozen=True)
class Graders:
    """The means of grading a class: limits, sandbox and the number of workers.

    `parent` is a warm parent in that sandbox; workers take copies of it. With a `cluster`, only its
    workers grade.
    """

    limits: Limits
    sandbox: Sandbox
    jobs: int
    parent: WarmParent | None = None
    cluster: Cluster | None = None

    def workers(self, task: Task, n_submissions: int) -> Workers | ClusterWorkers:
        """Return `jobs` workers, or one for each submission if there are fewer submissions."""
        if self.cluster is not None:
            return self.cluster.workers(task)
        return Workers(task, min(self.jobs, n_submissions), self.parent)


@dataclass(frozen=True)
class Plan:
    """The action that `grade` would take on one submission."""

    submission: CollectedSubmission
    action: str  # "new", "again" or "keep"


def grade_class(
    course: Course,
    assignment: Assignment,
    handed_in: tuple[CollectedSubmission, ...],
    graders: Graders,
    *,
    again: bool = False,
    exercises: frozenset[str] = frozenset(),
    progress: Progress | None = None,
) -> list[Result]:
    """Grade the submissions and write results, notebooks and points; return results by student.

    A result whose submission, problem set and settings are unchanged is kept, unless `again`. With
    `exercises`, all other cells of students graded before keep their points.
    """
    progress = progress or Progress()
    finished: dict[str, Result] = {}
    todo: ToDo = []
    record = read_record(course, assignment.name, progress.waiting)
    rules = rules_of(course, assignment, graders.limits, graders.sandbox.name, record.due)
    students = record.penalties.keys()
    runs = KeptRuns(course, assignment.name)
    for submission in handed_in:
        key = result_key(rules, submission)
        student = submission.student
        old = None if again else _find_unchanged(course, assignment, student, key, students)
        if old is not None:
            finished[student] = old
            progress.finished(old, kept=True)
        else:
            todo.append((submission, key))
        if again or old is not None:  # its old runs, which are not needed or are repeated
            runs.remove(student)
    for result in _grade(course, assignment, todo, graders, progress, exercises, runs):
        finished[result.student] = result
        progress.finished(result, kept=False)
    runs.remove_folder_if_empty()
    return [finished[submission.student] for submission in handed_in]


def _find_unchanged(
    course: Course, assignment: Assignment, student: str, key: str, students: Collection[str]
) -> Result | None:
    """Return the saved result if grading again could only give the same result.

    The student must also be one of the `students` in the gradebook.
    """
    result = results.find(course, student, assignment.name)
    is_unchanged = result is not None and result.key == key and results.is_complete(course, result)
    return result if is_unchanged and student in students else None


def plans(
    course: Course,
    assignment: Assignment,
    handed_in: tuple[CollectedSubmission, ...],
    limits: Limits,
    again: bool,
) -> list[Plan]:
    """Return a plan for each submission, in the sandbox in which it was graded last time."""
    record, decisions = read_record(course, assignment.name), []
    rules = functools.cache(functools.partial(rules_of, course, assignment, limits, due=record.due))
    for submission in handed_in:
        result = results.find(course, submission.student, assignment.name)
        if result is None:
            action = "new"
        else:
            key = result_key(rules(result.sandbox), submission)
            unchanged = _find_unchanged(
                course, assignment, submission.student, key, record.penalties
            )
            action = "keep" if unchanged and not again else "again"
        decisions.append(Plan(submission, action))
    return decisions


def _grade(
    course: Course,
    assignment: Assignment,
    todo: ToDo,
    graders: Graders,
    progress: Progress,
    exercises: frozenset[str],
    runs: KeptRuns,
) -> Iterator[Result]:
    if not todo:
        return
    task = Task(assignment, course.secret(), graders.limits, graders.sandbox)
    times = {submission.student: submission.timestamp for submission, _ in todo}
    with graders.workers(task, len(todo)) as workers:
        failures: list[GradedSubmission] = []  # filled while the others are run
        to_run = _select_for_first_runs(todo, task, runs, failures)
        first_outcomes = itertools.chain(_run_with_repeats(workers, to_run, progress), failures)
        # Opening takes half a second the first time. Meanwhile the workers run.
        with OpenGradebook(course, assignment.name, progress.waiting) as gradebook:
            for outcome in _run_in_order(first_outcomes, workers, todo, assignment, runs, progress):
                if exercises:
                    outcome = _keep_other_points(outcome, course, exercises, progress)
                result = _try_to_record(course, gradebook, outcome, assignment, times)
                runs.remove(result.student)
                yield result


def _run_in_order(
    first_outcomes: Iterator[GradedSubmission | FirstRuns],
    workers: Workers | ClusterWorkers,
    todo: ToDo,
    assignment: Assignment,
    runs: KeptRuns,
    progress: Progress,
) -> Iterator[GradedSubmission]:
    """Grade in order: no hidden run begins before all first runs are on the disk."""
    finished_students = set()
    for outcome in first_outcomes:
        if isinstance(outcome, FirstRuns):
            runs.save(outcome.student, outcome.sealed)
            progress.first_run(outcome.student)
        else:  # it has no hidden tests, or no run succeeded
            finished_students.add(outcome.student)
            yield outcome
    remaining = [
        (submission, key) for submission, key in todo if submission.student not in finished_students
    ]
    failures: list[GradedSubmission] = []
    yield from _run_with_repeats(
        workers, _select_for_hidden_runs(remaining, assignment, runs, failures), progress
    )
    yield from failures


def _run_with_repeats(
    workers: Workers | ClusterWorkers, submissions: Iterator[Submission], progress: Progress
) -> Iterator:
    """Run submissions and yield the outcomes.

    A run that may have lost points because the machine was busy is repeated, after all other runs
    and one submission at a time.
    """
    by_student: dict[str, Submission] = {}
    # The runs begin at once, not when the first outcome is asked for.
    outcomes = workers.map(_remember_by_student(submissions, by_student), progress.tick)
    return _repeat_slowed(outcomes, by_student, workers, progress)


def _remember_by_student(
    submissions: Iterator[Submission], by_student: dict[str, Submission]
) -> Iterator[Submission]:
    for submission in submissions:
        by_student[submission.student] = submission
        yield submission


def _repeat_slowed(
    outcomes: Iterator[GradedSubmission | FirstRuns],
    by_student: dict[str, Submission],
    workers: Workers | ClusterWorkers,
    progress: Progress,
) -> Iterator:
    slowed_submissions: list[Submission] = []
    for outcome in outcomes:
        submission = by_student.pop(outcome.student)
        if outcome.is_slowed:
            slowed_submissions.append(submission)
        else:
            yield outcome
    for submission in slowed_submissions:
        yield from workers.map([submission], progress.tick)


def _select_for_first_runs(
    todo: ToDo, task: Task, runs: KeptRuns, failures: list[GradedSubmission]
) -> Iterator[Submission]:
    """Yield all submissions except those whose first runs an interrupted grading has saved."""
    for submission in _read_submissions(todo, task.assignment, failures):
        sealed = runs.read(submission.student)
        if not (sealed and is_sealed(sealed, submission.subject(task.assignment), task.secret)):
            yield replace(submission, first_only=True)


def _select_for_hidden_runs(
    todo: ToDo, assignment: Assignment, runs: KeptRuns, failures: list[GradedSubmission]
) -> Iterator[Submission]:
    """Yield submissions with their sealed runs. If these are missing or changed, both are made."""
    for submission in _read_submissions(todo, assignment, failures):
        yield replace(submission, sealed=runs.read(submission.student))


def _keep_other_points(
    outcome: GradedSubmission, course: Course, exercises: frozenset[str], progress: Progress
) -> GradedSubmission:
    """Keep the points of all other exercises if the submission is the same as before."""
    new = outcome.result
    old = results.find(course, new.student, new.assignment)
    if old is None or old.content != new.content or old.not_graded or new.not_graded:
        progress.graded_completely(new.student)
        return outcome
    old_cells = {(cell.name, cell.max_points): cell for cell in old.cells}
    cells = tuple(
        cell if cell.exercise in exercises else old_cells.get((cell.name, cell.max_points), cell)
        for cell in new.cells
    )
    # Other cells keep old results and the old key, so later changes are graded again.
    merged_result = replace(new, cells=cells, key=old.key, release=old.release)
    return replace(outcome, result=merged_result)


def _read_submissions(
    todo: ToDo,
    assignment: Assignment,
    failures: list[GradedSubmission],
) -> Iterator[Submission]:
    """Read the submissions to grade from the disk; add unreadable ones to `failures`."""
    for submission, key in todo:
        paths = [submission.paths.get(name) for name in assignment.notebooks]
        variant = submission.variant
        empty = Submission(submission.student, (None,) * len(paths), key, variant=variant)
        if submission.failure:
            failures.append(not_graded(empty, assignment, submission.failure))
            continue
        try:
            contents = tuple(path.read_bytes() if path else None for path in paths)
        except OSError as error:
            if ends_everything(error):
                raise
            failures.append(not_graded(empty, assignment, f"It could not be read: {error}"))
        else:
            yield Submission(submission.student, contents, key, submission.notes, variant=variant)


def _try_to_record(
    course: Course,
    gradebook: OpenGradebook,
    outcome: GradedSubmission,
    assignment: Assignment,
    times: Mapping[str, str],
) -> Result:
    """Write a result. If that fails only for this student, return a result that says so.

    The returned result then has no points.
    """
    student = outcome.result.student
    try:
        return _record(course, gradebook, outcome, times[student])
    except Exception as error:
        if ends_everything(error):
            raise
        reason = f"Its result could not be written: {say_error(error)}"
        submission = Submission(student, (None,) * len(assignment.notebooks), outcome.result.key)
        failure = not_graded(submission, assignment, reason)
        with contextlib.suppress(OSError, ValueError):
            return _record(course, gradebook, failure, "")
        return failure.result


def _record(
    course: Course, gradebook: OpenGradebook, outcome: GradedSubmission, timestamp: str
) -> Result:
    """Write notebooks, gradebook and, last, the result: if it exists, all is complete."""
    result = outcome.result
    if not result.has_run:  # keep the notebooks and points of an earlier grading
        results.save(course, result)
        return result
    for name in result.notebooks or (result.assignment,):
        path = course.autograded(result.student, result.assignment, name)
        if name in outcome.notebooks:
            write_atomically(path, outcome.notebooks[name])
        else:
            path.unlink(missing_ok=True)  # an earlier submission had it
    old_result = results.find(course, result.student, result.assignment)
    has_same_content = old_result is not None and old_result.content == result.content
    timestamp_path = path.with_name("timestamp.txt")
    if timestamp:
        write_atomically(timestamp_path, timestamp)
    elif not has_same_content:
        timestamp_path.unlink(missing_ok=True)
    gradebook.write(result, timestamp, has_same_content)
    results.save(course, result)
    return result


def rules_of(
    course: Course,
    assignment: Assignment,
    limits: Limits,
    sandbox: str,
    due: datetime | None,
) -> str:
    """Return a digest that changes when a submission could get other points.

    `sandbox` is the sandbox's name.
    """
    parts = [
        versions(),
        course.settings,
        str(due or ""),
        assignment.digest,
        asdict(limits),
        sandbox,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def result_key(rules: str, submission: CollectedSubmission) -> str:
    """Return a digest that changes exactly when grading again could give another result."""
    parts = [
        rules,
        submission.digest,
        [asdict(note) for note in submission.notes],
        submission.timestamp,
    ]
    parts += [submission.variant] if submission.variant else []
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
