"""The processes with which a Dask worker grades: plain ones of its own that open runner.

A Dask worker is a daemon with threads and an event loop: to fork a room from it, or to set an
alarm in it, is not safe. So for each thread that grades there is a child, a fresh Python that
serves as a local worker does, and is kept for the next submission. It may use all cores that the
Dask worker may, since it can't know who else grades on this host, and on which core. Neither this
module nor its imports import Dask.
"""

from __future__ import annotations

import contextlib
import dataclasses
import multiprocessing
import pickle
import signal
import socket
import subprocess
import sys
import weakref
from multiprocessing.connection import Connection

from autograder.classroom.course.versions import differences, versions
from autograder.classroom.grading.multi_notebook import FirstRuns, GradedSubmission
from autograder.classroom.running.workers import ATTEMPTS, ChildProcess, Task, given_up, serve
from autograder.sandbox.layers import Layer, Sandbox

START_SECONDS = 120.0
STOP_SECONDS = 3.0


class UnfitHost(Exception):
    """A host that must not grade; the message names it and says why."""


class WorkerPool:
    """The children with which one Dask worker grades for one coordinator.

    Pickled, it is an order to gather one: a Dask worker that gets it has a crew of its own, the
    same for all of its threads. When Dask forgets it, because the coordinator has finished or is
    gone, the children end.
    """

    def __init__(self, name: str, expected: dict[str, str]) -> None:
        self._name = name
        self._expected = expected  # the coordinator's versions
        self._idle: list[_Child] = []
        weakref.finalize(self, _dismiss, self._idle)

    def __reduce__(self) -> tuple:
        return _gather, (self._name, self._expected)

    def look(self) -> tuple[str, tuple[Layer, ...]]:
        """Return the host's name and its sandbox, as a child finds it; the child stays, warm."""
        child = self._child()
        self._idle.append(child)
        return child.host, child.sandbox.layers

    def __call__(self, task: Task, pickled: bytes) -> tuple[str, GradedSubmission | FirstRuns]:
        """Return the host's name, and the outcome of the runs of the pickled `Submission`.

        A child that dies, or is silent beyond every limit, is replaced.
        """
        work = pickle.loads(pickled)
        for _ in range(ATTEMPTS):
            child = self._child()
            _require(child, task.sandbox)
            answer = child.grade(task, work)
            if isinstance(answer, GradedSubmission | FirstRuns):
                self._idle.append(child)
                return child.host, answer
            child.stop()
        assert isinstance(answer, str)
        return child.host, given_up(work, task.assignment, answer, child.host)

    def _child(self) -> _Child:
        with contextlib.suppress(IndexError):  # another thread may have taken the last one
            return self._idle.pop()
        child = _Child()
        if different := differences(child.versions, self._expected):
            child.stop()
            raise UnfitHost(f"{child.host} has other versions than this machine: {different}")
        return child


_crews: weakref.WeakValueDictionary[str, WorkerPool] = weakref.WeakValueDictionary()


def _gather(name: str, expected: dict[str, str]) -> WorkerPool:
    crew = _crews.get(name) or WorkerPool(name, expected)
    return _crews.setdefault(name, crew)


def _dismiss(children: list[_Child]) -> None:
    """Close connections. Children then end by themselves; the next process start reaps them."""
    for child in children:
        child.connection.close()


def _require(child: _Child, asked_for: Sandbox) -> None:
    """Raise `UnfitHost` for a weaker sandbox: a worker may have joined after grading began."""
    in_force = {layer.name for layer in child.sandbox.layers if layer.in_force}
    needed = {layer.name for layer in asked_for.layers if layer.in_force}
    if missing := sorted(needed - in_force):
        child.stop()
        raise UnfitHost(
            f"{child.host} has a weaker sandbox than the others: no {', '.join(missing)}"
        )


class _Child(ChildProcess):
    """A process that serves one thread."""

    def __init__(self) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        command = [
            sys.executable,
            "-P",
            "-m",
            "autograder.classroom.running.dask_worker",
            str(theirs.fileno()),
        ]
        with theirs:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        self._is_told = False  # of what all submissions share
        greeting = self.answer(START_SECONDS)
        if isinstance(greeting, str):
            self.stop()
            raise UnfitHost(f"{socket.gethostname()} can't grade: the process for it {greeting}")
        self.host: str = greeting[0]
        self.versions: dict[str, str] = greeting[1]
        self.sandbox: Sandbox = greeting[2]

    def grade(self, task: Task, work: object) -> GradedSubmission | FirstRuns | str:
        """Return the result, or what became of the child."""
        with contextlib.suppress(OSError):  # a dead child is noticed when it is waited for
            if not self._is_told:
                self._is_told = True
                self.connection.send(task)
            self.connection.send(work)
        return self.answer(task.patience)

    def exit_code(self, seconds: float) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.poll()

    def stop(self) -> None:
        self.connection.close()
        self.end(STOP_SECONDS)


def _main(connection: Connection) -> None:
    """Live as a child: say who and where it is, hear what all submissions share, and serve."""
    from autograder.examiner.sandboxed_runner import SandboxedRunner
    from autograder.sandbox.probing import Probe

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a local worker: the coordinator decides
    with contextlib.suppress(EOFError, OSError), Probe() as probe:
        try:
            sandbox = probe.sandbox
        except OSError as error:
            connection.send(f"says: {error}")
            return
        connection.send((socket.gethostname(), versions(), sandbox))
        task = dataclasses.replace(connection.recv(), sandbox=sandbox)
        with SandboxedRunner(task.limits, sandbox, probe.parent) as runner:
            serve(connection, task, runner)


if __name__ == "__main__":
    with Connection(int(sys.argv[1])) as pipe:
        _main(pipe)
