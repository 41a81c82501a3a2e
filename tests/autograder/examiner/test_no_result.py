"""A run whose examiner did not reach its first cell is no result, whoever is at fault."""

import resource
import subprocess
import sys

import pytest

from autograder.examiner import sandboxed_runner
from autograder.examiner.student_process import NoStudentProcess, StudentProcess
from autograder.sandbox import isolation
from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import Incident
from tests.autograder.examiner.cells import check, student

CELLS = [student("x = 2"), check("assert x == 2")]


def fail(*arguments):
    raise ValueError("planted")


def test_an_examiner_that_fails_before_its_first_cell_says_why(rooms, monkeypatch):
    monkeypatch.setattr(sandboxed_runner, "_confine", fail)
    with pytest.raises(NoStudentProcess, match="planted"):
        rooms.run(CELLS, b"")
    monkeypatch.undo()
    assert not rooms.run(CELLS, b"").cells[-1].verdict.error


def test_a_room_that_does_not_answer_before_a_cell_runs_is_none(rooms, monkeypatch):
    check_room = StudentProcess.check

    def check_after_the_end(self):
        self.channel.close(ConnectionClosed(Incident.DIED, "its process ended"))
        check_room(self)

    monkeypatch.setattr(StudentProcess, "check", check_after_the_end)
    with pytest.raises(
        NoStudentProcess, match="before any cell could run in it: its process ended"
    ):
        rooms.run(CELLS, b"")


def test_an_examiner_that_ends_without_a_word_is_noticed(rooms, monkeypatch):
    monkeypatch.setattr(sandboxed_runner, "_confine", lambda limits: sandboxed_runner.os._exit(1))
    with pytest.raises(NoStudentProcess, match="did not reach the first cell"):
        rooms.run(CELLS, b"")


def test_a_full_disk_is_no_zero(rooms, monkeypatch):
    def refuse(self, *report):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sandboxed_runner.pickle, "dumps", refuse)
    with pytest.raises(NoStudentProcess, match="could not be written"):
        rooms.run(CELLS, b"")


def test_a_notebook_that_ends_its_room_at_once_has_a_result(rooms):
    """Otherwise a student could keep the grading of a submission from ever ending."""
    run = rooms.run([student("import os; os._exit(0)"), CELLS[1]], b"")
    assert run.cells[-1].verdict.error


UNDER_A_LIMIT = """
import resource, sys
from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.sandbox.probing import probe

kind, most = int(sys.argv[1]), int(sys.argv[2])
sandbox = probe()
resource.setrlimit(kind, (most, most))
with SandboxedRunner(Limits(), sandbox) as rooms:
    try:
        rooms.run([Cell(Role.STUDENT, "x = 2", "a")], b"")
    except OSError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("kind", "most", "told"),
    [
        (resource.RLIMIT_AS, 4_000_000 << 10, "limits a process to 3.81 GiB of address space"),
        (resource.RLIMIT_NOFILE, 100, "100 open files, and grading needs 256 open files"),
        (resource.RLIMIT_CPU, 50, "50 s of processor time"),
        (resource.RLIMIT_FSIZE, 1 << 20, "files of 1 MiB"),
    ],
)
def test_a_limit_of_the_system_is_named(kind, most, told):
    command = [sys.executable, "-c", UNDER_A_LIMIT, str(kind), str(most)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told in done.stdout
    assert "ulimit -H" in done.stdout


def test_no_limit_is_told_where_there_is_enough(monkeypatch):
    isolation.require_limit(resource.RLIMIT_NOFILE, 3)
    monkeypatch.setattr(isolation.resource, "getrlimit", lambda kind: (2, 2))
    with pytest.raises(OSError, match="2 open files"):
        isolation.require_limit(resource.RLIMIT_NOFILE, 3)
    assert isolation.hard_limits()["open files"] == 2
