"""The same class gets the same points and messages, in whatever order and on however many workers.

The course, and so its secret, is the same. Of a result only the times may differ, and what says
where it was graded.
"""

import dataclasses
import os
import random
import re

import pytest

from autograder import demo
from autograder.classroom.course.folders import Course
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.releasing.release import release
from autograder.classroom.running import coordinator
from autograder.classroom.sets.assignment import load
from autograder.pages.feedback import write_feedback
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits

_INTERRUPTED = re.compile(
    r'(<div class="error"><pre>(?:(?!</pre>).)*CellTimeout.*?</pre></div>)+', re.DOTALL
)
LIMITS = Limits()
TOLD_NUMBERS = ("dora", "emil")  # why they lost points: in it are numbers that the checks drew


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = Course.at(tmp_path_factory.mktemp("determinism") / "course")
    release(course, demo.NAME)
    demo.hand_in(course, course.root / "handed-in")
    return course


@pytest.fixture(scope="module")
def sandbox():
    found = probe()
    if not found.strong and "CI" not in os.environ:
        pytest.skip("the sandbox is weak here")
    return found


@pytest.fixture(scope="module")
def in_the_order_of_names(course, sandbox):
    """What came of grading on one worker, and its pages."""
    return graded(course, sandbox, jobs=1, order=sorted), pages(course)


def graded(course, sandbox, jobs, order):
    """Of each student the result, without times."""
    handed_in = collect(course, demo.NAME, course.root / "handed-in").submissions
    by_student = {handed.student: handed for handed in handed_in}
    chosen = tuple(by_student[student] for student in order(by_student))
    assignment = load(course, demo.NAME)
    graders = coordinator.Graders(LIMITS, sandbox, jobs)
    results = coordinator.grade_class(course, assignment, chosen, graders, again=True)
    return {result.student: timeless(result) for result in results}


def pages(course):
    """Of each student what was graded last, as feedback."""
    written = write_feedback(course, load(course, demo.NAME))
    return {path.parts[-3]: timeless_page(path.read_text()) for path in written}


def timeless_page(text):
    """Where a cell was interrupted, and how often until it ended, is a matter of time."""
    return _INTERRUPTED.sub("CellTimeout", text)


def timeless(result):
    """Without the sandbox, which a result's key is also made of."""
    return dataclasses.replace(result, seconds=0.0, student_seconds=0.0, sandbox="", key="")


def backwards(students):
    return sorted(students, reverse=True)


def shuffled(students):
    return random.Random(1).sample(sorted(students), len(students))


def differences(first, second):
    """For whom something differs, and what."""
    assert sorted(first) == sorted(second)
    return {s: (first[s], second[s]) for s in first if first[s] != second[s]}


def test_the_order_does_not_matter(course, sandbox, in_the_order_of_names):
    again = graded(course, sandbox, 1, backwards)
    assert len(again) > 12
    assert differences(in_the_order_of_names[0], again) == {}


def test_five_workers_in_no_order_write_the_same_pages_too(course, sandbox, in_the_order_of_names):
    again = graded(course, sandbox, 5, shuffled)
    assert differences(in_the_order_of_names[0], again) == {}
    assert differences(in_the_order_of_names[1], pages(course)) == {}


def test_the_portable_sandbox_gives_the_same(course, in_the_order_of_names):
    again = graded(course, probe(bubblewrap=False), 2, shuffled)
    assert differences(in_the_order_of_names[0], again) == {}


def test_another_secret_asks_other_questions(course, sandbox, in_the_order_of_names):
    """The comparison itself: where the seed of the checks differs, a message does. That all the
    numbers in them are the same has a probability below 1e-9.
    """
    same = {student: in_the_order_of_names[0][student] for student in TOLD_NUMBERS}
    secret = course.private / "secret"
    kept = secret.read_bytes()
    secret.write_bytes(bytes(len(kept)))
    try:
        other = graded(course, sandbox, 1, order=lambda students: TOLD_NUMBERS)
    finally:
        secret.write_bytes(kept)
    assert differences(same, other) != {}
