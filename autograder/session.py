"""Grade a class in one go, telling the teacher how it goes."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.folders import Course

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.cluster import Cluster
    from autograder.classroom.results import Result
    from autograder.sandbox.probing import Probe
    from autograder.wire.contract import Limits

DONE, LOOK, WEAK = 0, 3, 4  # exit codes; the second where some submission needs a look


@dataclass(frozen=True)
class Session:
    """What is to be graded, and how: on `jobs` cores, all of them if None."""

    course: Course
    name: str
    source: Path
    limits: Limits
    jobs: int | None = None
    again: bool = False
    weak_allowed: bool = False

    def grade(self, console: Console, probe: Probe | Cluster) -> int:
        """Collect and grade the class, showing how it goes; returns the exit code.

        A room of the probe's warms up while the rest of the grader is loaded. A cluster grades on
        its own hosts.
        """
        from autograder import console as shown
        from autograder.classroom.assignment import load
        from autograder.classroom.collecting import collect
        from autograder.classroom.coordinator import save_refused
        from autograder.classroom.workers import prepare

        assignment = load(self.course, self.name)
        handed_in = collect(self.course, self.name, self.source)
        save_refused(self.course, self.name, handed_in.refused)
        prepare(assignment)
        shown.show_hosts(console, "Workers", probe.hosts)
        shown.show_sandbox(console, probe.sandbox)
        if not probe.sandbox.strong and not self.weak_allowed:
            shown.show_weak(console)
            return WEAK
        began = time.perf_counter()
        with _interruptible(), shown.ProgressBar(console, len(handed_in.submissions)) as bar:
            results = self._results(assignment, handed_in.submissions, probe, bar)
        shown.show_results(console, assignment, results)
        shown.show_summary(console, results, bar.kept, time.perf_counter() - began)
        shown.show_hosts(console, "Graded", probe.graded)
        shown.show_refused(console, handed_in.refused)
        needs_look = handed_in.refused or any(result.needs_teacher for result in results)
        return LOOK if needs_look else DONE

    def _results(self, assignment, submissions, probe, bar) -> list[Result]:
        from autograder.classroom.coordinator import Graders, grade_class
        from autograder.classroom.workers import cores

        graders = Graders(
            self.limits,
            probe.sandbox,
            ", ".join(layer.name for layer in probe.sandbox.layers if layer.in_force),
            self.jobs or cores(),
            probe.parent,
            probe if probe.hosts else None,
        )
        return grade_class(
            self.course, assignment, submissions, graders, again=self.again, progress=bar
        )


class _interruptible:
    """A polite kill ends grading as Ctrl-C does: workers stopped, finished results kept."""

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGTERM, self._interrupt)

    def __exit__(self, *exception) -> None:
        signal.signal(signal.SIGTERM, self._before)

    @staticmethod
    def _interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt
