"""A Dask cluster that grades: its workers are looked at first, then given one submission each.

Workers return results and write nothing. What comes from a worker that is lost comes again from
another one. On the way, hidden tests and the course's secret travel as bytes that only workers
decode: the scheduler needs no dplab. Whoever can reach a Dask scheduler can run code on all of
its workers; outside of a network that you trust, use TLS, as Dask's own configuration sets it up.
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
from typing import TYPE_CHECKING

from autograder.classroom.crew import START_SECONDS, Crew, Unfit
from autograder.classroom.folders import CourseError
from autograder.classroom.several import FirstRuns, GradedWhole, Whole, not_graded
from autograder.classroom.versions import versions
from autograder.classroom.workers import Task
from autograder.sandbox.layers import Layer, Sandbox

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 30.0  # for the scheduler, and for a worker to hand over a result
ALONE_SECONDS = 60.0  # without any worker, until grading is given up
_KEPT = "what had been graded is kept"
AHEAD = 2  # submissions at a worker for each of its threads: one in hand, one to go on with


class Cluster:
    """A connection to a Dask scheduler whose workers, all of them, are fit to grade.

    `sandbox` has in force what is in force on every worker. Entering it raises `CourseError`
    where there is no scheduler, no worker, or one that must not grade.
    """

    parent = None  # rooms are opened by the workers

    def __init__(self, address: str) -> None:
        self.address = address
        self.graded: Counter[str] = Counter()  # how many each host has
        self.lost_workers: list[str] = []  # their addresses, on the way
        self._run = f"autograder-{secrets.token_hex(8)}"
        self._crews: list[Future] = []  # as long as they are asked for, workers keep them warm

    def __enter__(self) -> Cluster:
        with contextlib.ExitStack() as stack:
            self.client = _connect(self.address)
            stack.callback(self._leave)
            found = self._look()
            stack.pop_all()
        self.hosts = Counter(host for host, _ in found)
        self.sandbox = weakest(found)
        return self

    def __exit__(self, *exception: object) -> None:
        self._leave()

    def _leave(self) -> None:
        with contextlib.suppress(TimeoutError, OSError):
            self.client.close(timeout=CONNECT_SECONDS)

    def workers(self, task: Task) -> ClusterWorkers:
        return ClusterWorkers(self, task)

    def threads(self) -> dict[str, int]:
        """How many submissions each worker that is there now can grade at a time."""
        ask = self.client.scheduler.ncores
        try:
            return self.client.sync(ask, workers=None, callback_timeout=ANSWER_SECONDS)
        except (TimeoutError, OSError) as error:
            raise self.lost() from error

    def lost(self) -> CourseError:
        """What is raised when the scheduler doesn't answer any more."""
        return CourseError(f"the Dask scheduler {self.address} was lost; {_KEPT}")

    def submit(self, function: Callable, *arguments: object, name: str, **options) -> Future:
        """Have a worker call it. `name` is unique, and tells the cluster's dashboard nothing."""
        key = f"{self._run}-{name}"
        return self.client.submit(function, *arguments, key=key, pure=False, **options)

    def send(self, value: object, name: str, **options) -> Future:
        """The value on a worker, for others to take it from, decoded there for the first time."""
        return self.submit(pickle.loads, pickle.dumps(value), name=name, **options)

    def crew(self) -> Crew:
        return Crew(self._run, versions())

    def _look(self) -> list[tuple[str, tuple[Layer, ...]]]:
        """Each worker's host and layers. Raises `CourseError` naming a worker that is not fit."""
        looks = {address: self._look_at(address) for address in self._gathered()}
        self._wait_for(looks)
        found = [self._seen(address, look) for address, look in looks.items() if look.done()]
        if not found:
            raise CourseError(f"all workers of the Dask cluster {self.address} have gone")
        return found

    def _gathered(self) -> list[str]:
        deadline = time.monotonic() + CONNECT_SECONDS
        while not (found := self.threads()) and time.monotonic() < deadline:
            time.sleep(0.2)
        if not found:
            raise CourseError(
                f"the Dask cluster {self.address} has no workers; start some: "
                f"dask worker {self.address}"
            )
        return list(found)

    def _look_at(self, address: str) -> Future:
        crew = self.send(self.crew(), f"crew-{address}", workers=[address])
        self._crews.append(crew)
        look = operator.methodcaller("look")
        return self.submit(look, crew, name=f"look-{address}", workers=[address])

    def _wait_for(self, looks: dict[str, Future]) -> None:
        """Until all have answered that have not left the cluster meanwhile."""
        deadline = time.monotonic() + START_SECONDS
        while waiting := [address for address, look in looks.items() if not look.done()]:
            if not set(waiting) & set(self.threads()):
                return
            if time.monotonic() > deadline:
                said = f"did not answer in {START_SECONDS:g} s"
                raise CourseError(f"the Dask worker {waiting[0]} {said}; is it busy?")
            time.sleep(0.1)

    def _seen(self, address: str, look: Future) -> tuple[str, tuple[Layer, ...]]:
        try:
            return look.result(timeout=ANSWER_SECONDS)
        except Unfit as error:
            raise CourseError(f"the Dask worker {address} can't be used: {error}") from error
        except ImportError as error:
            raise CourseError(
                f"the Dask worker {address} can't be used: it has no dplab {versions()['dplab']} "
                f"({error}); install there what is installed here"
            ) from error
        except Exception as error:
            raise CourseError(f"the Dask worker {address} can't be used: {error!r}") from error


def _connect(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.versions import VersionMismatchWarning
    except ImportError as error:
        raise CourseError(
            "a cluster needs the package distributed: pip install -e '.[cluster]' in dplab's folder"
        ) from error
    for name in ("distributed", "distributed.client"):  # what matters is said in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(asyncio.wait_for(_call_on(address), CONNECT_SECONDS))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # we ask for more than Dask
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error)
        reason = reason or f"not in {CONNECT_SECONDS:g} s"
        message = f"no Dask scheduler answers at {address!r}, which should be like tcp://host:8786"
        raise CourseError(f"{message}: {reason}") from error


async def _call_on(address: str) -> None:
    """Raise an error that says what is wrong, which a client of Dask's does later, or never."""
    from distributed.comm import get_address_host_port
    from distributed.core import rpc
    from distributed.security import Security

    with socket.create_connection(get_address_host_port(address), CONNECT_SECONDS):
        pass
    secured = Security().get_connection_args("client")
    async with rpc(address, connection_args=secured) as there:
        kind = (await there.identity())["type"]
    if kind != "Scheduler":
        raise ValueError(f"it is a {kind}")


def weakest(found: list[tuple[str, tuple[Layer, ...]]]) -> Sandbox:
    """What can be relied on, on whichever host a submission is graded."""
    layers = []
    for same in zip(*(layers for _, layers in found), strict=True):
        missing = {host: of for (host, _), of in zip(found, same, strict=True) if not of.in_force}
        why = same[0].explanation
        if missing:
            first = next(iter(missing.values()))
            why = f"missing on {', '.join(sorted(missing))}: {first.explanation}"
        layers.append(Layer(same[0].name, not missing, why))
    return Sandbox(tuple(layers), None, other_user=False, own_files=False)


class ClusterWorkers:
    """The workers of a cluster with what all submissions share; as a context manager."""

    def __init__(self, cluster: Cluster, task: Task) -> None:
        self._cluster = cluster
        self._assignment = task.assignment
        self._crew = cluster.send(cluster.crew(), "crew")
        self._task = cluster.send(task, "task")
        self._in_flight: dict[str, tuple[Future, Whole]] = {}
        self._landed: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._number = 0
        self._seats = 0
        self._there: set[str] = set()
        self._seen = 0.0  # when there last was a worker
        self._asked = 0.0

    def __enter__(self) -> ClusterWorkers:
        return self

    def __exit__(self, *exception: object) -> None:
        self._in_flight.clear()  # what nobody waits for any more, the scheduler strikes off

    def map(
        self, works: Iterable[Whole], tick: Callable[[], None] = lambda: None
    ) -> Iterator[GradedWhole | FirstRuns]:
        """As `Workers.map`: hand out work at once, yield what each came to as it is finished."""
        works = iter(works)
        self._hand_out(works)
        return self._finished(works, tick)

    def _hand_out(self, works: Iterator[Whole]) -> None:
        """Enough that no worker waits, and no more: memory stays as it is in a large class."""
        self._count_seats()
        while len(self._in_flight) < max(1, self._seats) and (work := next(works, None)):
            self._number += 1
            call = (operator.call, self._crew, self._task, pickle.dumps(work))
            future = self._cluster.submit(*call, name=str(self._number))
            self._in_flight[future.key] = future, work
            future.add_done_callback(self._landed.put)

    def _count_seats(self) -> None:
        """Workers come and go; without any for too long, there is nothing to wait for."""
        now = time.monotonic()
        if now - self._asked < 1.0:
            return
        self._asked = now
        threads = self._cluster.threads()
        self._cluster.lost_workers += sorted(self._there - set(threads))
        self._there = set(threads)
        self._seats = AHEAD * sum(threads.values())
        self._seen = now if self._seats or not self._seen else self._seen
        if now - self._seen > ALONE_SECONDS:
            address = self._cluster.address
            raise CourseError(
                f"the Dask cluster {address} has had no worker for {ALONE_SECONDS:g} s; {_KEPT}"
            )

    def _finished(
        self, works: Iterator[Whole], tick: Callable[[], None]
    ) -> Iterator[GradedWhole | FirstRuns]:
        while self._in_flight:
            tick()
            with contextlib.suppress(queue.Empty):
                graded = self._receive(self._landed.get(timeout=0.2))
                self._hand_out(works)
                if graded is not None:
                    yield graded
            self._count_seats()

    def _receive(self, future: Future) -> GradedWhole | FirstRuns | None:
        """Its result; None where that was had before, or was lost again and is on its way."""
        if future.key not in self._in_flight:
            return None
        work = self._in_flight[future.key][1]
        graded = self._result(future, work)
        if graded is None:
            future.add_done_callback(self._landed.put)
        else:
            del self._in_flight[future.key]
        return graded

    def _result(self, future: Future, work: Whole) -> GradedWhole | FirstRuns | None:
        from distributed.scheduler import KilledWorker

        if future.cancelled():
            raise self._cluster.lost()
        try:
            host, answer = future.result(timeout=ANSWER_SECONDS)
        except TimeoutError:
            return None
        except KilledWorker as error:
            reason = f"Every worker of the cluster that tried ended ({error}); nothing was graded."
            return not_graded(work, self._assignment, reason)
        except Exception as error:
            if future.cancelled():
                raise self._cluster.lost() from error
            said = error if isinstance(error, Unfit) else repr(error)
            raise CourseError(f"a Dask worker can't be used: {said}; {_KEPT}") from error
        self._cluster.graded[host] += isinstance(answer, GradedWhole)
        return answer
