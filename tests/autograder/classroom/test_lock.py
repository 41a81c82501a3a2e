"""One command at a time on a course, and a gradebook that somebody else has locked."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from autograder.classroom.course import lock
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.gradebook import busy_database, connection
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.progress import Progress
from autograder.wire.contract import Limits
from tests.autograder.tiny_assignment import answered, as_bytes
from tests.autograder.trusted_runner import WEAK

HOLD = """
import sys, time
from autograder.classroom.course import lock
from autograder.classroom.course.folders import Course
with lock.held(Course.at(sys.argv[1]), "grade ps03"):
    print("held", flush=True)
    time.sleep(600)
"""


@contextlib.contextmanager
def holding(course):
    """Another process that has the lock."""
    command = [sys.executable, "-c", HOLD, str(course.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def test_a_second_command_is_told_who_is_at_work(course):
    with holding(course) as process:
        with pytest.raises(CourseError) as refused, lock.held(course, "release"):
            pytest.fail("both had the lock")
        said = str(refused.value)
        assert re.match(r"`autograder grade ps03` since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", said)
        assert f"process {process.pid} of " in said
        assert "Nothing was done" in said
        assert lock.holder(course)[1]


def test_the_lock_of_a_process_that_died_holds_nobody(course):
    with holding(course) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        holder, at_work = lock.holder(course)
        assert holder.process == process.pid
        assert not at_work
        with lock.held(course, "release"):
            pass
    assert lock.holder(course) == (None, False)


def test_a_command_that_refuses_has_come_to_its_end(course):
    with pytest.raises(CourseError, match="no"), lock.held(course, "grade ps03"):
        raise CourseError("no")
    assert lock.holder(course) == (None, False)
    with pytest.raises(KeyboardInterrupt), lock.held(course, "grade ps03"):
        raise KeyboardInterrupt
    assert lock.holder(course)[0].command == "grade ps03"


def test_a_process_that_was_forked_meanwhile_does_not_keep_the_lock(course):
    code = HOLD.replace("time.sleep(600)", "os.fork() or time.sleep(600)").replace(
        "sys, ", "os, sys, "
    )
    command = [sys.executable, "-c", code, str(course.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout.readline() == b"held\n"
        try:
            process.wait(30)
            with lock.held(course, "release"):
                pass
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_an_error_lets_the_lock_go(course):
    with pytest.raises(ValueError, match="x"), lock.held(course, "release"):
        raise ValueError("x")
    with lock.held(course, "release"):
        pass


def test_a_course_that_is_made_by_locking_it_is_the_teachers_alone(tmp_path):
    with lock.held(Course.at(tmp_path / "new"), "release"):
        assert (tmp_path / "new").stat().st_mode & 0o077 == 0


# A gradebook that another program is writing to


@pytest.fixture
def impatient(monkeypatch):
    """SQLite's own patience of five seconds is none, and ours has short pauses."""
    from nbgrader import api
    from sqlalchemy import create_engine

    def soon(url, **options):
        return create_engine(url, connect_args={"timeout": 0.05}, **options)

    monkeypatch.setattr(api, "create_engine", soon)
    monkeypatch.setattr(busy_database, "PAUSE_SECONDS", 0.02)


@contextlib.contextmanager
def locked(course):
    with contextlib.closing(
        sqlite3.connect(course.root / "gradebook.db", check_same_thread=False)
    ) as book:
        book.execute("begin exclusive")
        yield book


class Watching(Progress):
    """Lets the gradebook go when it has been waited for."""

    def __init__(self, book):
        self.book = book
        self.said = []

    def waiting(self, said):
        self.said.append(said)
        if len(self.said) == 3:
            self.book.rollback()


@pytest.mark.usefixtures("one_room", "impatient")
def test_a_locked_gradebook_is_waited_for_and_nothing_is_lost(course, tiny, tmp_path, released):
    for student in ("ann", "bob"):
        (tmp_path / f"in/{student}").mkdir(parents=True)
        (tmp_path / f"in/{student}/tiny.ipynb").write_bytes(as_bytes(answered(released)))
    handed_in = collect(course, "tiny", tmp_path / "in").submissions

    class LockedMidway(Progress):
        def __init__(self):
            self.said = []

        def finished(self, result, kept):
            """Somebody else begins to write behind the first result, for a while."""
            if not self.said:
                book = sqlite3.connect(course.root / "gradebook.db", check_same_thread=False)
                book.execute("begin exclusive")
                threading.Timer(0.5, book.rollback).start()

        def waiting(self, said):
            self.said.append(said)

    progress = LockedMidway()
    graders = Graders(Limits(), WEAK, jobs=1)
    results = grade_class(course, tiny, handed_in, graders, progress=progress)
    assert [result.points for result in results] == [6, 6]
    assert progress.said
    assert "another program is writing to the gradebook" in progress.said[0]
    with OpenGradebook(course, "tiny") as book:
        assert sorted(book.grades()) == ["ann", "bob"]


@pytest.mark.usefixtures("impatient")
def test_opening_and_reading_wait_as_well(course):
    with locked(course) as book:
        watching = Watching(book)
        with OpenGradebook(course, "tiny", watching.waiting) as writer:
            assert writer.grades() == {}
    assert len(watching.said) == 3


@pytest.mark.usefixtures("impatient")
def test_patience_ends(course, monkeypatch):
    monkeypatch.setattr(busy_database, "MAX_WAIT_SECONDS", 0.1)
    with locked(course), pytest.raises(CourseError, match="kept the gradebook locked"):
        connection.open_gradebook(course)


def test_other_errors_are_not_waited_for():
    class OperationalError(Exception):
        pass

    for error in (OperationalError("no such table"), ValueError("database is locked")):
        tries = []

        def act(error=error, tries=tries):
            tries.append(1)
            raise error

        with pytest.raises(type(error)):
            busy_database.retry_while_locked(act)
        assert len(tries) == 1
