"""The processes with which a Dask worker grades: fresh child processes of that worker.

A Dask worker is a daemon with threads and an event loop: it is not safe to fork a student process
from it, or to set an alarm in it. So each thread that grades has a child: a fresh Python process
that serves as a local worker does, and is kept for the next submission. A child may use all cores
that the Dask worker may, because it can't know which cores others on this host grade on. Neither
this module nor its imports import Dask.
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
from autograder.classroom.running.workers import ATTEMPTS, ChildProcess, Task, give_up, serve
from autograder.sandbox.layers import Layer, Sandbox

START_SECONDS = 120.0
STOP_SECONDS = 3.0


class UnfitHost(Exception):
    """A host that must not grade; the message names it and says why."""


class WorkerPool:
    """The children with which one Dask worker grades for one coordinator.

    A pool crosses to a Dask worker by name: unpickling makes the worker's own pool, one for all of
    its threads. When Dask forgets the pool, because the coordinator has finished or is gone, the
    children end.
    """

    def __init__(self, name: str, expected: dict[str, str]) -> None:
        self._name = name
        self._expected = expected  # the coordinator's versions
        self._idle: list[_Child] = []
        weakref.finalize(self, _close_connections, self._idle)

    def __reduce__(self) -> tuple:
        return _pool_of_worker, (self._name, self._expected)

    def inspect(self) -> tuple[str, tuple[Layer, ...]]:
        """Return the host's name and its sandbox layers, which a child has examined."""
        child = self._take_child()
        self._idle.append(child)
        return child.host, child.sandbox.layers

    def __call__(self, task: Task, pickled: bytes) -> tuple[str, GradedSubmission | FirstRuns]:
        """Return the host's name, and the outcome of the runs of the pickled `Submission`.

        A child that dies, or that does not answer in time, is replaced.
        """
        submission = pickle.loads(pickled)
        for _ in range(ATTEMPTS):
            child = self._take_child()
            _require_sandbox(child, task.sandbox)
            outcome = child.grade(task, submission)
            if isinstance(outcome, GradedSubmission | FirstRuns):
                self._idle.append(child)
                return child.host, outcome
            child.stop()
        assert isinstance(outcome, str)
        return child.host, give_up(submission, task.assignment, outcome, child.host)

    def _take_child(self) -> _Child:
        with contextlib.suppress(IndexError):  # another thread may have taken the last one
            return self._idle.pop()
        child = _Child()
        if conflicts := differences(child.versions, self._expected):
            child.stop()
            raise UnfitHost(f"{child.host} has other versions than this machine: {conflicts}")
        return child


_pools: weakref.WeakValueDictionary[str, WorkerPool] = weakref.WeakValueDictionary()


def _pool_of_worker(name: str, expected: dict[str, str]) -> WorkerPool:
    pool = _pools.get(name) or WorkerPool(name, expected)
    return _pools.setdefault(name, pool)


def _close_connections(children: list[_Child]) -> None:
    """Close connections. The children then end by themselves; the next process start reaps them."""
    for child in children:
        child.connection.close()


def _require_sandbox(child: _Child, required: Sandbox) -> None:
    """Raise `UnfitHost` for a weaker sandbox than required.

    Only workers that were there at the start were checked; others may have joined since.
    """
    in_force = {layer.name for layer in child.sandbox.layers if layer.in_force}
    needed = {layer.name for layer in required.layers if layer.in_force}
    if missing := sorted(needed - in_force):
        child.stop()
        raise UnfitHost(
            f"{child.host} has a weaker sandbox than the others; it lacks {', '.join(missing)}"
        )


class _Child(ChildProcess):
    """A process that serves one thread."""

    def __init__(self) -> None:
        self.connection, child_end = multiprocessing.Pipe()
        command = [
            sys.executable,
            "-P",
            "-m",
            "autograder.classroom.running.dask_worker",
            str(child_end.fileno()),
        ]
        with child_end:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=[child_end.fileno()]
            )
        self._has_task = False  # the data that all submissions share
        greeting = self.answer(START_SECONDS)
        if isinstance(greeting, str):
            self.stop()
            raise UnfitHost(f"{socket.gethostname()} can't grade: its grading process {greeting}")
        self.host: str = greeting[0]
        self.versions: dict[str, str] = greeting[1]
        self.sandbox: Sandbox = greeting[2]

    def grade(self, task: Task, submission: object) -> GradedSubmission | FirstRuns | str:
        """Return the result, or the end of a sentence that says how the child failed."""
        with contextlib.suppress(OSError):  # a dead child is noticed when it is waited for
            if not self._has_task:
                self._has_task = True
                self.connection.send(task)
            self.connection.send(submission)
        return self.answer(task.patience)

    def exit_code(self, seconds: float) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.poll()

    def stop(self) -> None:
        self.connection.close()
        self.end(STOP_SECONDS)


def _main(connection: Connection) -> None:
    """Serve as a child: send host, versions and sandbox, receive the task, and grade."""
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
