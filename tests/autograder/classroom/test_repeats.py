"""A run that a busy machine may have cost points is made once more, alone, and that one counts."""

import dataclasses

import pytest

from autograder.classroom.grading.multi_notebook import FirstRuns, Submission
from autograder.classroom.running.coordinator import _run_with_repeats
from autograder.classroom.running.progress import Progress
from autograder.examiner.reports import SHARE, WAITED_SECONDS, is_slowed
from autograder.wire.contract import CellRun, Incident, LostPoints, Verdict
from tests.autograder.classroom.test_order import (  # noqa: F401 (fixtures)
    STUDENTS,
    _grade,
    _runs,
    course,
    handed_in,
    log,
)

PASSED, FAILED = Verdict(), Verdict((LostPoints("wrong"),), "AssertionError")
STOPPED = [Incident(Incident.TIMEOUT, "test", "after 10 s")]


def report(own=1.0, waited=9.0, verdict=None, incidents=()):
    return 0, CellRun(seconds=own + waited, own_seconds=own, verdict=verdict), list(incidents)


@pytest.mark.parametrize(
    ("reports", "slowed"),
    [
        ([report(verdict=PASSED)], False),
        ([report(verdict=FAILED)], False),  # in far less time than it has
        ([report(own=9.9, verdict=PASSED)], False),
        ([report(own=10 * SHARE + 0.01, verdict=FAILED)], True),
        ([report(own=10 * SHARE + 0.01, waited=0.0, verdict=FAILED)], False),  # nothing was busy
        ([report(own=10.0, incidents=STOPPED)], True),  # a cell of the student's
        ([report(own=10.0, verdict=FAILED, incidents=STOPPED)], True),
        ([report(own=10.0, waited=WAITED_SECONDS / 2, incidents=STOPPED)], False),
        ([report(waited=0.3), report(waited=0.3), report(0, 0, incidents=STOPPED)], True),
        ([report(incidents=[Incident(Incident.DIED, "test", "")])], False),
        ([], False),
    ],
)
def test_points_are_in_doubt_where_time_was_short_and_cores_were_busy(reports, slowed):
    assert is_slowed(reports, 10.0) is slowed


class Workers:
    """Answers as they are told, and notes the works of each call."""

    def __init__(self, answers):
        self.answers, self.calls = answers, []

    def map(self, works, tick):
        students = [work.student for work in works]
        self.calls.append(students)
        return (self.answers[student].pop(0) for student in students)


def test_what_may_have_been_slowed_runs_again_by_itself_when_all_others_have_ended():
    answers = {
        "ann": [FirstRuns("ann", b"1")],
        "bob": [FirstRuns("bob", b"1", is_slowed=True), FirstRuns("bob", b"2")],
        "cem": [FirstRuns("cem", b"1", is_slowed=True), FirstRuns("cem", b"2", is_slowed=True)],
        "dan": [FirstRuns("dan", b"1")],
    }
    workers = Workers(answers)
    wholes = iter([Submission(name, (b"",), "key") for name in answers])
    found = list(_run_with_repeats(workers, wholes, Progress()))
    assert workers.calls == [["ann", "bob", "cem", "dan"], ["bob"], ["cem"]]
    assert [(a.student, a.sealed) for a in found] == [
        ("ann", b"1"), ("dan", b"1"), ("bob", b"2"), ("cem", b"2"),
    ]  # fmt: skip


def test_workers_begin_before_anybody_asks_for_an_answer():
    workers = Workers({"ann": [FirstRuns("ann", b"1")]})
    _run_with_repeats(workers, iter([Submission("ann", (b"",), "key")]), Progress())
    assert workers.calls == [["ann"]]


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_repeated_first_runs_come_before_the_first_hidden_one(
    course,  # noqa: F811
    handed_in,  # noqa: F811
    log,  # noqa: F811
    monkeypatch,
    jobs,
):
    """Here each run is taken for slowed; forked workers take this over."""
    monkeypatch.setattr(
        "autograder.examiner.sandboxed_runner.is_slowed", lambda reports, seconds: True
    )
    results = _grade(course, handed_in, jobs=jobs)
    assert [result.points for result in results] == [6] * STUDENTS
    assert _runs(log) == (2 * STUDENTS, 2 * STUDENTS, [])
    assert [dataclasses.replace(r, seconds=0, student_seconds=0) for r in results] == [
        dataclasses.replace(r, seconds=0, student_seconds=0)
        for r in _grade(course, handed_in, again=True)
    ]
