"""The interface for reports on how grading goes."""

from __future__ import annotations

from autograder.classroom.grading.results import Result


class Progress:
    """A receiver of reports on how grading goes, which shows nothing."""

    def finished(self, result: Result, kept: bool) -> None:
        """Report that a result is safely on the disk; `kept` if it is from an earlier run."""

    def first_run(self, student: str) -> None:
        """Report a submission's first run; hidden tests follow when all submissions have run."""

    def graded_completely(self, student: str) -> None:
        """Report that all exercises were graded, not only those asked for.

        The coordinator calls this if the kept result is of other work.
        """

    def tick(self) -> None:
        """Report that time passes."""

    def waiting(self, reason: str) -> None:
        """Report why nothing can be written for now."""
