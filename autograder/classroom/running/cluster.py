"""A Dask cluster that grades. Its workers are checked first, then given one submission each.

Workers return results and write nothing. If a worker is lost, another one repeats its work.
Hidden tests and the course's secret travel as bytes that only workers decode: the scheduler needs
no dplab. Anybody who can reach a Dask scheduler can run code on all of its workers. Outside a
network that you trust, use TLS, which Dask's own configuration sets up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import operator
import pickle
import queue
import secrets
import socket
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.versions import versions
from autograder.classroom.grading.multi_notebook import (
    FirstRuns,
    GradedSubmission,
    Submission,
    not_graded,
)
from autograder.classroom.running.dask_worker import START_SECONDS, UnfitHost, WorkerPool
from autograder.classroom.running.workers import Task
from autograder.sandbox.layers import Layer, Sandbox

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 30.0  # for the scheduler, and for a worker to hand over a result
NO_WORKER_SECONDS = 60.0  # after so long without any worker, grading is given up
_NO_LOSS = "the results so far are kept"
SUBMISSIONS_PER_THREAD = 2  # given to a worker: the one in work and the next one


class Cluster:
    """A connection to a Dask scheduler all of whose workers are fit to grade.

    In `sandbox`, a layer is in force if it is in force on every worker. Entering the connection
    raises `CourseError` if there is no scheduler, no worker, or a worker that must not grade.
    """

    parent = None  # the workers have their own, which start student processes

    def __init__(self, address: str) -> None:
        self.address = address
        self.graded: Counter[str] = Counter()  # submissions that each host has graded
        self.lost_workers: list[str] = []  # addresses of workers lost while grading
        self._run = f"autograder-{secrets.token_hex(8)}"
        self._pools: list[Future] = []  # while these exist, workers keep their pools of children

    def __enter__(self) -> Cluster:
        with contextlib.ExitStack() as stack:
            self.client = _connect(self.address)
            stack.callback(self._leave)
            hosts = self._inspect_workers()
            stack.pop_all()
        self.hosts = Counter(host for host, _ in hosts)
        self.sandbox = weakest(hosts)
        return self

    def __exit__(self, *exception: object) -> None:
        self._leave()

    def _leave(self) -> None:
        with contextlib.suppress(TimeoutError, OSError):
            self.client.close(timeout=CONNECT_SECONDS)

    def workers(self, task: Task) -> ClusterWorkers:
        return ClusterWorkers(self, task)

    def threads(self) -> dict[str, int]:
        """Return the number of submissions that each worker can grade at a time, by its address."""
        ask_scheduler = self.client.scheduler.ncores
        try:
            return self.client.sync(ask_scheduler, workers=None, callback_timeout=ANSWER_SECONDS)
        except (TimeoutError, OSError) as error:
            raise self.lost() from error

    def lost(self) -> CourseError:
        """Return the error to raise for a scheduler that doesn't answer any more."""
        return CourseError(f"the Dask scheduler {self.address} was lost; {_NO_LOSS}")

    def submit(self, function: Callable, *arguments: object, name: str, **options: Any) -> Future:
        """Have a worker call the function. The unique `name` tells Dask's dashboard nothing."""
        key = f"{self._run}-{name}"
        return self.client.submit(function, *arguments, key=key, pure=False, **options)

    def send(self, value: object, name: str, **options: Any) -> Future:
        """Store the value on a worker, which decodes it; other workers fetch it from there."""
        return self.submit(pickle.loads, pickle.dumps(value), name=name, **options)

    def worker_pool(self) -> WorkerPool:
        return WorkerPool(self._run, versions())

    def _inspect_workers(self) -> list[tuple[str, tuple[Layer, ...]]]:
        """Return each worker's host and layers; raise `CourseError` for one that is not fit."""
        inspections = {
            address: self._start_inspection(address) for address in self._wait_for_workers()
        }
        self._wait_for_answers(inspections)
        hosts = [
            self._read_inspection(address, future)
            for address, future in inspections.items()
            if future.done()
        ]
        if not hosts:
            raise CourseError(f"all workers have left the Dask cluster {self.address}")
        return hosts

    def _wait_for_workers(self) -> list[str]:
        deadline = time.monotonic() + CONNECT_SECONDS
        while not (threads := self.threads()) and time.monotonic() < deadline:
            time.sleep(0.2)
        if not threads:
            raise CourseError(
                f"the Dask cluster {self.address} has no workers; start some: "
                f"dask worker {self.address}"
            )
        return list(threads)

    def _start_inspection(self, address: str) -> Future:
        pool = self.send(self.worker_pool(), f"pool-{address}", workers=[address])
        self._pools.append(pool)
        inspect = operator.methodcaller("inspect")
        return self.submit(inspect, pool, name=f"inspection-{address}", workers=[address])

    def _wait_for_answers(self, inspections: dict[str, Future]) -> None:
        """Wait until every worker has answered or has left the cluster."""
        deadline = time.monotonic() + START_SECONDS
        while pending := [a for a, future in inspections.items() if not future.done()]:
            if not set(pending) & set(self.threads()):
                return
            if time.monotonic() > deadline:
                problem = f"did not answer within {START_SECONDS:g} s"
                raise CourseError(f"the Dask worker {pending[0]} {problem}; is it busy?")
            time.sleep(0.1)

    def _read_inspection(self, address: str, inspection: Future) -> tuple[str, tuple[Layer, ...]]:
        try:
            return inspection.result(timeout=ANSWER_SECONDS)
        except UnfitHost as error:
            raise CourseError(f"the Dask worker {address} can't be used: {error}") from error
        except ImportError as error:
            raise CourseError(
                f"the Dask worker {address} can't be used: it has no dplab {versions()['dplab']} "
                f"({error}); install the same versions there as here"
            ) from error
        except Exception as error:
            raise CourseError(f"the Dask worker {address} can't be used: {error!r}") from error


def _connect(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.versions import VersionMismatchWarning
    except ImportError as error:
        raise CourseError(
            "a cluster needs the package distributed; install it: pip install -e '.[cluster]' in "
            "dplab's folder"
        ) from error
    for name in ("distributed", "distributed.client"):  # our own message says what matters
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(asyncio.wait_for(_check_scheduler(address), CONNECT_SECONDS))
        with warnings.catch_warnings():
            # We compare more versions than Dask.
            warnings.simplefilter("ignore", VersionMismatchWarning)
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error)
        reason = reason or f"no answer within {CONNECT_SECONDS:g} s"
        message = f"no Dask scheduler answers at {address!r}, which should be like tcp://host:8786"
        raise CourseError(f"{message}: {reason}") from error


async def _check_scheduler(address: str) -> None:
    """Raise an error that says what is wrong; Dask's own client does that late, or never."""
    from distributed.comm import get_address_host_port
    from distributed.core import rpc
    from distributed.security import Security

    with socket.create_connection(get_address_host_port(address), CONNECT_SECONDS):
        pass
    security_arguments = Security().get_connection_args("client")
    async with rpc(address, connection_args=security_arguments) as scheduler:
        kind = (await scheduler.identity())["type"]
    if kind != "Scheduler":
        raise ValueError(f"a {kind} answers there")


def weakest(hosts: list[tuple[str, tuple[Layer, ...]]]) -> Sandbox:
    """Return the sandbox with only the layers that every host has in force."""
    layers = []
    for row in zip(*(layers for _, layers in hosts), strict=True):
        missing = {
            host: layer for (host, _), layer in zip(hosts, row, strict=True) if not layer.in_force
        }
        explanation = row[0].explanation
        if missing:
            first_layer = next(iter(missing.values()))
            explanation = f"missing on {', '.join(sorted(missing))}: {first_layer.explanation}"
        layers.append(Layer(row[0].name, not missing, explanation))
    return Sandbox(tuple(layers), None, other_user=False, own_files=False)


class ClusterWorkers:
    """The workers of a cluster, with data that all submissions share: a context manager."""

    def __init__(self, cluster: Cluster, task: Task) -> None:
        self._cluster = cluster
        self._assignment = task.assignment
        self._graded_students: set[str] = set()
        self._pool = cluster.send(cluster.worker_pool(), "pool")
        self._task = cluster.send(task, "task")
        self._in_flight: dict[str, tuple[Future, Submission]] = {}
        self._done_futures: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._number = 0
        self._capacity = 0  # submissions that the current workers can take
        self._addresses: set[str] = set()
        self._last_seen = 0.0  # the last time when there was a worker, by `time.monotonic`
        self._last_asked = 0.0

    def __enter__(self) -> ClusterWorkers:
        return self

    def __exit__(self, *exception: object) -> None:
        self._in_flight.clear()  # the scheduler cancels futures that nobody waits for

    def map(
        self, submissions: Iterable[Submission], tick: Callable[[], None] = lambda: None
    ) -> Iterator[GradedSubmission | FirstRuns]:
        """Hand out work at once; return an iterator of results as they finish, as `Workers.map`."""
        submissions = iter(submissions)
        self._hand_out(submissions)
        return self._yield_results(submissions, tick)

    def _hand_out(self, submissions: Iterator[Submission]) -> None:
        """Hand out just enough to keep all workers busy: a large class must not fill memory."""
        self._update_capacity()
        while len(self._in_flight) < max(1, self._capacity) and (
            submission := next(submissions, None)
        ):
            self._number += 1
            call = (operator.call, self._pool, self._task, pickle.dumps(submission))
            future = self._cluster.submit(*call, name=str(self._number))
            self._in_flight[future.key] = future, submission
            future.add_done_callback(self._done_futures.put)

    def _update_capacity(self) -> None:
        """Update the capacity; raise `CourseError` after `NO_WORKER_SECONDS` without a worker."""
        now = time.monotonic()
        if now - self._last_asked < 1.0:
            return
        self._last_asked = now
        threads = self._cluster.threads()
        self._cluster.lost_workers += sorted(self._addresses - set(threads))
        self._addresses = set(threads)
        self._capacity = SUBMISSIONS_PER_THREAD * sum(threads.values())
        self._last_seen = now if self._capacity or not self._last_seen else self._last_seen
        if now - self._last_seen > NO_WORKER_SECONDS:
            address = self._cluster.address
            raise CourseError(
                f"the Dask cluster {address} has had no worker for {NO_WORKER_SECONDS:g} s; "
                f"{_NO_LOSS}"
            )

    def _yield_results(
        self, submissions: Iterator[Submission], tick: Callable[[], None]
    ) -> Iterator[GradedSubmission | FirstRuns]:
        while self._in_flight:
            tick()
            with contextlib.suppress(queue.Empty):
                result = self._receive(self._done_futures.get(timeout=0.2))
                self._hand_out(submissions)
                if result is not None:
                    yield result
            self._update_capacity()

    def _receive(self, future: Future) -> GradedSubmission | FirstRuns | None:
        """Return the result, or None if it came before, or was lost and is computed again."""
        if future.key not in self._in_flight:
            return None
        submission = self._in_flight[future.key][1]
        result = self._result(future, submission)
        if result is None:
            future.add_done_callback(self._done_futures.put)
        else:
            del self._in_flight[future.key]
        return result

    def _result(
        self, future: Future, submission: Submission
    ) -> GradedSubmission | FirstRuns | None:
        from distributed.scheduler import KilledWorker

        if future.cancelled():
            raise self._cluster.lost()
        try:
            host, outcome = future.result(timeout=ANSWER_SECONDS)
        except TimeoutError:
            return None
        except KilledWorker as error:
            reason = f"Each worker of the cluster that tried it died ({error}); nothing was graded."
            return not_graded(submission, self._assignment, reason)
        except Exception as error:
            if future.cancelled():
                raise self._cluster.lost() from error
            problem = error if isinstance(error, UnfitHost) else repr(error)
            raise CourseError(f"a Dask worker can't be used: {problem}; {_NO_LOSS}") from error
        if isinstance(outcome, GradedSubmission) and outcome.student not in self._graded_students:
            self._graded_students.add(outcome.student)  # a run that is repeated counts once
            self._cluster.graded[host] += 1
        return outcome
