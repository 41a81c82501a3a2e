"""The two rooms: the one entry point for running a notebook's cells."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import hmac
import importlib
import io
import multiprocessing
import os
import pickle
import re
import signal
import socket
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import BinaryIO

from autograder.examiner.examiner import GRACE_SECONDS, examine
from autograder.examiner.testcell import announced, compile_cell, imported_modules
from autograder.sandbox.layers import ONE_THREAD, Sandbox
from autograder.sandbox.warm import ForkServer, WarmParent
from autograder.wire.contract import Cell, CellRun, Incident, Limits, NotebookRun, Role

__all__ = ["Cell", "CellRun", "Incident", "Limits", "NotebookRun", "Role", "Rooms"]

# Large modules, loaded in the warm parent as soon as somebody's notebook mentions them.
_ON_DEMAND = {
    "dplab": ("dplab.audit", "dplab.widgets"),
    "ipywidgets": ("ipywidgets",),
    "matplotlib": ("matplotlib.pyplot",),
    "pandas": ("pandas",),
    "scipy": ("scipy.special", "scipy.stats", "scipy.optimize"),
}
_IMPORT = re.compile(r"^(?:import|from)\s+(.*)", re.MULTILINE)  # not within an `if` or `def`
LOOK_SECONDS = 1.0  # between two looks at how far the examiner is
SLACK_SECONDS = 5.0  # for the examiner to notice by itself that time is over


class Rooms:
    """A warm student's room and an examiner for each notebook; one `Rooms` per worker process.

    `parent` is a fork server that is warm already; without it one is started. Use it as a
    context manager::

        with Rooms(Limits(), probe()) as rooms:
            run = rooms.run([Cell(Role.STUDENT, "x = 2", "cell 1")], seed=b"...")
    """

    def __init__(self, limits: Limits, sandbox: Sandbox, parent: ForkServer | None = None) -> None:
        self.limits = limits
        self.sandbox = sandbox
        os.environ.update(ONE_THREAD)  # before numpy is loaded, where that is still to come
        self._parent: ForkServer | None = parent or WarmParent(sandbox)

    def __enter__(self) -> Rooms:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the fork server and everything in it; `run` starts another one."""
        if self._parent is not None:
            self._parent.stop()
            self._parent = None

    def run(self, cells: Sequence[Cell], seed: bytes) -> NotebookRun:
        """Run the cells in order, each where its role says, and return all outputs.

        `seed` decides every seeded draw of the tests and of the student's code. Nothing that a
        submission does makes this raise; `OSError` means that no room can be opened here.
        """
        prepare_tests(cells)
        sock = self._open(cells, hmac.digest(seed, b"the student's own randomness", "sha256"))
        try:
            with sock, tempfile.TemporaryFile(buffering=0) as reports:
                ended, process = _fork_examiner(sock, self.limits, seed, cells, reports)
                sock.close()  # the examiner's end of the channel is its own
                try:
                    self._wait(ended, reports)
                finally:
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
                    ended.close()
                reports.seek(0)
                runs, incidents = _collected(reports.read(), cells)
        finally:
            ending = self._close_room()
        return NotebookRun(tuple(runs), tuple(_explained(incidents, ending)))

    def _open(self, cells: Sequence[Cell], entropy: bytes) -> socket.socket:
        limits, imports = dataclasses.asdict(self.limits), needed(cells)
        if self._parent is not None:
            with contextlib.suppress(OSError):
                return self._parent.open(entropy, limits, imports)
            self.close()
        self._parent = WarmParent(self.sandbox)
        return self._parent.open(entropy, limits, imports)

    def _close_room(self) -> dict:
        try:
            return self._parent.close_room()
        except OSError:
            self.close()
            return {}

    def _wait(self, ended: Connection, reports: BinaryIO) -> None:
        """Until the examiner has ended, or has been stuck for longer than a cell may take."""
        patience = 2 * (self.limits.cell_seconds + GRACE_SECONDS) + SLACK_SECONDS
        size, until = 0, time.monotonic() + patience
        while not ended.poll(LOOK_SECONDS) and time.monotonic() < until:
            if (grown := os.fstat(reports.fileno()).st_size) > size:
                size, until = grown, time.monotonic() + patience


def _collected(reports: bytes, cells: Sequence[Cell]) -> tuple[list[CellRun], list[Incident]]:
    """What the examiner has reported, completed where it was stuck or gone."""
    runs: list[CellRun] = []
    incidents: list[Incident] = []
    file = io.BytesIO(reports)
    with contextlib.suppress(EOFError, pickle.UnpicklingError):  # it ended, perhaps in a report
        while len(runs) < len(cells):
            run, more = pickle.load(file)
            runs.append(run)
            incidents += more
    if len(runs) < len(cells):
        name = cells[len(runs)].name
        message = f"the tests were stopped in the cell {name}, which did not come to an end"
        incidents.append(Incident(Incident.GRADER, name, message))
        runs += [_not_run(message)] * (len(cells) - len(runs))
    return runs, incidents


def prepare_tests(cells: Sequence[Cell]) -> None:
    """Import and compile in this process, once, what each forked examiner would do again."""
    if new := _imports(cells, Role.BOTH, Role.EXAMINER) - _imported:
        for name in new:
            with contextlib.suppress(Exception):  # the cell will say so
                importlib.import_module(name)
        _imported.update(new)
        gc.freeze()  # so that collections in examiners don't touch, and so copy, this memory
    for cell in cells:
        if cell.role is not Role.STUDENT:
            filename = f"<{cell.name}>"
            with contextlib.suppress(SyntaxError):
                compile_cell(announced(cell.source, filename), filename)


_imported: set[str] = set()


def needed(cells: Sequence[Cell]) -> set[str]:
    """The modules to load in the warm parent of a room in which these cells will run."""
    return _imports(cells, Role.BOTH) | _mentioned(cells)


def _imports(cells: Sequence[Cell], *roles: Role) -> set[str]:
    return {name for cell in cells if cell.role in roles for name in imported_modules(cell.source)}


def _mentioned(cells: Sequence[Cell]) -> set[str]:
    """Large modules that the student's cells may import: a guess from their text, never run."""
    lines = (
        line for cell in cells if cell.role is Role.STUDENT for line in _IMPORT.findall(cell.source)
    )
    words = {word for line in lines for word in re.findall(r"\w+", line)}
    return {
        name
        for package, names in _ON_DEMAND.items()
        if package in words
        for name in names
        if name.rpartition(".")[2] in words
    }


def _fork_examiner(
    sock: socket.socket, limits: Limits, seed: bytes, cells: Sequence[Cell], reports: BinaryIO
) -> tuple[Connection, int]:
    """The examiner's process, and a connection that closes when it ends.

    Its reports go to a file: down a pipe each of them would wake this process.
    """
    ended, open_until_then = multiprocessing.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside other threads
        process = os.fork()
    if process == 0:
        try:
            examine(sock, limits, seed, cells, lambda *report: reports.write(pickle.dumps(report)))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    open_until_then.close()
    return ended, process


def _not_run(message: str) -> CellRun:
    return CellRun(
        (
            {
                "output_type": "error",
                "ename": "TimeoutError",
                "evalue": message,
                "traceback": [f"TimeoutError: {message}"],
            },
        )
    )


def _explained(incidents: list[Incident], ending: dict) -> list[Incident]:
    """Where the student's room died, say of what."""
    if ending.get("stopped") == Incident.MEMORY:
        why = "all its processes together"
        return [
            dataclasses.replace(incident, kind=Incident.MEMORY, message=why)
            if incident.kind == Incident.DIED
            else incident
            for incident in incidents
        ]
    status = ending.get("closed", 0)
    if status >= 0:
        return incidents
    how = f"signal {signal.Signals(-status).name}"
    return [
        dataclasses.replace(incident, message=f"{incident.message}, {how}")
        if incident.kind == Incident.DIED
        else incident
        for incident in incidents
    ]
