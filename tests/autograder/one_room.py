"""A stand-in for `Rooms` that runs everything in this process, for tests of what is around it.

It protects from nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import traceback

from autograder.wire.contract import CellRun, Incident, NotebookRun


class OneRoom:
    def __init__(self, limits=None, sandbox=None, parent=None) -> None:
        self.runs = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception) -> None:
        pass

    def run(self, cells, seed: bytes) -> NotebookRun:
        self.runs += 1
        names: dict = {}
        runs = tuple(self._cell(cell, names) for cell in cells)
        loops = [c.name for c in cells if "while True" in c.source]
        incidents = tuple(Incident(Incident.TIMEOUT, name, "stopped after 10 s") for name in loops)
        return NotebookRun(runs, incidents)

    def _cell(self, cell, names: dict) -> CellRun:
        if "os._exit" in cell.source:
            os._exit(3)
        if "while True" in cell.source:
            return CellRun()
        printed, outputs = io.StringIO(), []
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(cell.source, cell.name, "exec"), names)
            except Exception as error:
                trace = traceback.format_exc().splitlines()
                name, value = type(error).__name__, str(error)
                outputs = [
                    {"output_type": "error", "ename": name, "evalue": value, "traceback": trace}
                ]
        if printed.getvalue():
            outputs.insert(
                0, {"output_type": "stream", "name": "stdout", "text": printed.getvalue()}
            )
        return CellRun(tuple(outputs), 1, 0.01, 0.02)
