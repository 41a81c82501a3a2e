"""Who wants to know how grading goes is told here."""

from __future__ import annotations

from autograder.classroom.results import Result


class Progress:
    """Is told how grading goes; this one keeps it to itself."""

    def finished(self, result: Result, kept: bool) -> None:
        """A result is safely on the disk; `kept` if it was there from an earlier run."""

    def first_run(self, student: str) -> None:
        """A submission has been run without hidden tests, which come when all have."""

    def in_whole(self, student: str) -> None:
        """All exercises of this one's were graded, though a few were asked for: what was kept is no
        result of the same work."""

    def tick(self) -> None:
        """Time passes."""

    def waiting(self, said: str) -> None:
        """Nothing can be written down for now, and why."""
