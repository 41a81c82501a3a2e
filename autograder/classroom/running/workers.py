"""Worker processes: each owns one `SandboxedRunner` and grades one submission at a time.

A worker that dies, or does not answer in time, is replaced. Its submission is tried once more
and then reported as not graded. A worker ends when the coordinator's end of its pipe closes.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from autograder.classroom.grading import multi_notebook
from autograder.classroom.grading.multi_notebook import (
    FirstRuns,
    GradedSubmission,
    Submission,
    not_graded,
)
from autograder.classroom.sets.assignment import Assignment
from autograder.sandbox.fork_client import ForkServer, WarmParent
from autograder.sandbox.layers import ONE_THREAD, Sandbox
from autograder.wire.contract import KEPT_FOR_HIDDEN, Cell, Limits
from autograder.wire.waiting import CLOCK_FACTOR

if TYPE_CHECKING:
    from autograder.examiner.sandboxed_runner import SandboxedRunner

# Workers need this module. It is imported once, before they are forked.
_NEEDED_MODULE = "autograder.classroom.course.nbgrader_import"
GRACE_SECONDS = 60.0  # a worker is given up so long after the limit of its notebook
ATTEMPTS = 2


@dataclass(frozen=True)
class Task:
    """The settings that all submissions of a class share."""

    assignment: Assignment
    secret: bytes
    limits: Limits
    sandbox: Sandbox  # the result of `autograder.sandbox.probing.probe`

    @property
    def patience(self) -> float:
        """The number of seconds after which a worker without an answer is given up.

        Each notebook has its own limit of processor time, which takes longer by the clock if other
        processes use the cores.
        """
        notebook = CLOCK_FACTOR * (1 + KEPT_FOR_HIDDEN) * self.limits.notebook_seconds
        return notebook * len(self.assignment.parts) + GRACE_SECONDS


class NoRun(str):
    """A worker's message that no cell of a submission ran: the grader itself failed."""

    __slots__ = ()


class ChildProcess(ABC):
    """A process at the other end of a pipe; it must end when our end of the pipe closes."""

    connection: Connection
    process: Any  # of `multiprocessing` or `subprocess`: both can `terminate` it and `kill` it

    @abstractmethod
    def exit_code(self, seconds: float) -> int | None:
        """Wait up to `seconds` for the process to end; return its exit code, or None."""

    def answer(self, seconds: float = 0.0) -> Any:
        """Return the answer of the process, or the end of a sentence that says how it failed."""
        try:
            if self.connection.poll(seconds):
                return self.connection.recv()
        except (EOFError, OSError):
            return f"ended unexpectedly (exit code {self.exit_code(1.0)})"
        return "gave no answer in time"

    def end(self, seconds: float) -> None:
        """End the process: first politely, so that it tidies up, then by force."""
        for stop_process in (lambda: None, self.process.terminate, self.process.kill):
            stop_process()
            if self.exit_code(seconds) is not None:
                return


class _Worker(ChildProcess):
    def __init__(
        self, context: Any, task: Task, other_ends: list[Connection], warm_parent: Any, number: int
    ) -> None:
        self.connection, child_end = context.Pipe()
        # A forked worker inherits the coordinator's ends of all pipes. If it kept them open,
        # no worker would notice the coordinator's end.
        is_forked = context.get_start_method() == "fork"
        inherited_ends = [self.connection, *other_ends] if is_forked else []
        parent = _copy_parent(warm_parent)
        arguments = (child_end, task, inherited_ends, warm_parent, parent, number)
        self.process = context.Process(target=_serve, args=arguments)
        self.process.start()
        child_end.close()
        if parent is not None:
            parent.stop()  # our end; the worker has its own
        self.submission: Submission | None = None
        self.deadline = 0.0

    def send(self, submission: Submission, seconds: float) -> None:
        self.submission, self.deadline = submission, time.monotonic() + seconds
        with contextlib.suppress(OSError):  # a dead worker is noticed when it is waited for
            self.connection.send(submission)

    def dismiss(self) -> None:
        """Ask the worker to end when it has nothing to do any more."""
        with contextlib.suppress(OSError):
            self.connection.send(None)
        self.connection.close()

    def exit_code(self, seconds: float) -> int | None:
        self.process.join(seconds)
        return self.process.exitcode


def _copy_parent(warm_parent: WarmParent | None) -> ForkServer | None:
    """Return a copy of the warm parent for one worker, or None: then it starts its own."""
    with contextlib.suppress(OSError):
        return warm_parent.twin() if warm_parent is not None else None
    return None


def _serve(
    connection: Connection,
    task: Task,
    inherited: list[Connection],
    warm_parent: WarmParent | None,
    parent: ForkServer | None,
    number: int,
) -> None:
    """Run a worker: close inherited connections, and serve."""
    from autograder.examiner.sandboxed_runner import SandboxedRunner

    for end in inherited:
        end.close()
    if warm_parent is not None:
        warm_parent.leave()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _stay_on_one_core(number)
    with (
        SandboxedRunner(task.limits, task.sandbox, parent) as runner,
        contextlib.suppress(EOFError, OSError),
    ):
        serve(connection, task, runner)


def serve(connection: Connection, task: Task, runner: SandboxedRunner) -> None:
    """Take submissions and send back their results, until None comes or the pipe closes."""
    prepare(task.assignment)
    while (submission := connection.recv()) is not None:
        try:
            answer: GradedSubmission | FirstRuns | str = multi_notebook.make_runs(
                submission, task.assignment, runner, task.secret, task.sandbox.name
            )
        except OSError as error:
            answer = NoRun(f"could not run it: {error}")
        except Exception as error:
            answer = f"failed: {error!r}"
        connection.send(answer)


def _stay_on_one_core(number: int) -> None:
    """Stay on one core: its two processes take turns, and switch faster with warm caches."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prepare(assignment: Assignment) -> set[str]:
    """Load what workers and examiners need; return the modules that student processes need.

    It takes a third of a second the first time; meanwhile a student process can warm up.
    """
    os.environ.update(ONE_THREAD)  # before numpy is loaded: there is a worker for each core
    importlib.import_module(_NEEDED_MODULE)
    from autograder.examiner.needed_modules import find_needed_modules, prepare_tests

    code = [c for part in assignment.parts for c in part.cells if c.cell_type == "code"]
    cells = [Cell(cell.role, cell.source, cell.name) for cell in code]
    prepare_tests(cells)
    return find_needed_modules(cells)


class Workers:
    """A fixed number of workers, as a context manager.

    Each has a copy of `parent`, if there is one and the sandbox allows it, or starts its own.
    """

    def __init__(self, task: Task, jobs: int, parent: WarmParent | None) -> None:
        self._task = task
        # A forked worker starts in milliseconds; on other systems than Linux forking is not safe.
        self._context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._jobs = min(jobs, cores())  # two workers on one core would wait for each other
        self._workers: list[_Worker] = []
        # Without process namespaces one server would kill the processes of another.
        self._warm_parent = parent if task.sandbox.keeps_processes_apart else None

    def __enter__(self) -> Workers:
        if sys.platform == "linux":
            modules = prepare(self._task.assignment)
            if self._warm_parent is not None:
                self._warm_parent.prepare(modules)
        for number in range(self._jobs):
            self._workers.append(self._new_worker(number))
        return self

    def _new_worker(self, number: int) -> _Worker:
        open_ends = [w.connection for w in self._workers if not w.connection.closed]
        return _Worker(self._context, self._task, open_ends, self._warm_parent, number)

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end(1.0 if exception[0] else 10.0)

    def map(
        self, submissions: Iterable[Submission], tick: Callable[[], None] = lambda: None
    ) -> Iterator[GradedSubmission | FirstRuns]:
        """Hand out submissions at once, and yield each result when it is finished.

        It calls `tick` several times a second.
        """
        iterator, retries, attempts = iter(submissions), deque[Submission](), dict[str, int]()
        self._hand_out(iterator, retries, attempts)
        return self._yield_results(iterator, retries, attempts, tick)

    def _hand_out(
        self, submissions: Iterator[Submission], retries: deque, attempts: dict[str, int]
    ) -> None:
        for worker in self._workers:
            if worker.submission is not None:
                continue
            if (submission := self._next(submissions, retries)) is not None:
                attempts[submission.student] = attempts.get(submission.student, 0) + 1
                worker.send(submission, self._task.patience)

    def _yield_results(
        self,
        submissions: Iterator[Submission],
        retries: deque[Submission],
        attempts: dict[str, int],
        tick: Callable[[], None],
    ) -> Iterator[GradedSubmission | FirstRuns]:
        while True:
            self._hand_out(submissions, retries, attempts)
            busy_workers = [worker for worker in self._workers if worker.submission is not None]
            if not busy_workers:
                return
            tick()
            for worker in self._ready(busy_workers):
                result = self._receive(worker, attempts, retries)
                # Hand out before the caller writes this result to a slow disk.
                self._hand_out(submissions, retries, attempts)
                if result is not None:
                    yield result

    @staticmethod
    def _next(submissions: Iterator[Submission], retries: deque) -> Submission | None:
        return retries.popleft() if retries else next(submissions, None)

    @staticmethod
    def _ready(busy_workers: list[_Worker]) -> list[_Worker]:
        readable = wait([worker.connection for worker in busy_workers], timeout=0.2)
        now = time.monotonic()
        return [w for w in busy_workers if w.connection in readable or now > w.deadline]

    def _receive(
        self, worker: _Worker, attempts: dict[str, int], retries: deque
    ) -> GradedSubmission | FirstRuns | None:
        """Return a busy worker's answer; if it has failed, replace the worker."""
        submission, worker.submission = worker.submission, None
        if submission is None:
            return None
        answer = worker.answer()
        if isinstance(answer, GradedSubmission | FirstRuns):
            return answer
        worker.dismiss()
        worker.end(0.1)
        number = self._workers.index(worker)
        self._workers[number] = self._new_worker(number)
        if attempts[submission.student] < ATTEMPTS:
            retries.append(submission)
            return None
        return give_up(submission, self._task.assignment, answer)


def give_up(
    submission: Submission, assignment: Assignment, answer: str, host: str = ""
) -> GradedSubmission:
    """Return the result of a submission on which workers failed `ATTEMPTS` times."""
    worker = f"The grader's worker on {host}" if host else "The grader's worker"
    outcome = answer.rstrip(".")
    reason = f"{worker} {outcome}, in {ATTEMPTS} attempts; nothing was graded."
    return not_graded(submission, assignment, reason, has_run=not isinstance(answer, NoRun))
