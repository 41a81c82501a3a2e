"""The two rooms: the one entry point for running a notebook's cells."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.contract import Cell, CellRun, Incident, Limits, NotebookRun, Role

__all__ = ["Cell", "CellRun", "Incident", "Limits", "NotebookRun", "Role", "Rooms"]


class Rooms:
    """A warm student's room and an examiner for each notebook; one `Rooms` per worker process.

    Use it as a context manager::

        with Rooms(Limits(), sandbox.probe()) as rooms:
            run = rooms.run([Cell(Role.STUDENT, "x = 2", "cell 1")], seed=b"...")
    """

    def __init__(self, limits: Limits, sandbox) -> None:
        self.limits = limits
        self.sandbox = sandbox

    def __enter__(self) -> Rooms:
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def close(self) -> None:
        """End the fork server and everything in it. A closed `Rooms` can't be used again."""

    def run(self, cells: Sequence[Cell], seed: bytes) -> NotebookRun:
        """Run the cells in order. Never raises for anything that a submission does."""
