"""Grade a class in one go, telling the teacher how it goes."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom import lock, misplaced
from autograder.classroom.folders import Course, CourseError

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.assignment import Assignment
    from autograder.classroom.cluster import Cluster
    from autograder.classroom.collecting import Collected
    from autograder.classroom.results import Result
    from autograder.sandbox.probing import Probe
    from autograder.wire.contract import Limits

DONE, LOOK, WEAK = 0, 3, 4  # exit codes; the second where some submission needs a look


@dataclass(frozen=True)
class Session:
    """What is to be graded, and how: on `jobs` cores, all of them if None.

    Given `students` or `exercises`, these alone, and again. `roster` is a list of the class,
    `groups` one of who hands in together; with `adopt` a foreign configuration gets our entries.
    """

    course: Course
    name: str
    source: Path
    limits: Limits
    _: KW_ONLY
    jobs: int | None = None
    again: bool = False
    weak_allowed: bool = False
    students: tuple[str, ...] = ()
    exercises: tuple[str, ...] = ()
    roster: Path | None = None
    groups: Path | None = None
    adopt: bool = False
    as_json: bool = False

    def grade(self, console: Console, probe: Probe | Cluster) -> int:
        """Collect and grade the class, showing how it goes; returns the exit code.

        A room of the probe's warms up while the rest of the grader is loaded. A cluster grades on
        its own hosts.
        """
        misplaced.check_course(self.course, self.name, self.source)
        with lock.held(self.course, f"grade {self.name}"):
            return self._grade(console, probe)

    def _grade(self, console: Console, probe: Probe | Cluster) -> int:
        from autograder import terminal
        from autograder.classroom import configuration
        from autograder.classroom.collected import save_refused
        from autograder.classroom.quick_gradebook import penalties
        from autograder.classroom.workers import prepare

        configuration.check_folders(self.course)
        self._check_machine()
        prepare(self.assignment)
        is_refused = not probe.sandbox.strong and not self.weak_allowed
        if not is_refused:  # nothing is written before it is clear that a right answer passes
            self._check_processes(probe)
            handed_in = self._collect(keep=True)
        terminal.show_hosts(console, "Workers", probe.hosts)
        terminal.show_sandbox(console, probe.sandbox)
        if is_refused:
            terminal.show_weak(console)
            return WEAK
        if not self.students:
            save_refused(self.course, self.name, handed_in.refused)
        terminal.show_download(console, handed_in)
        began = time.perf_counter()
        with _interruptible(), terminal.ProgressBar(console, len(handed_in.submissions)) as bar:
            results = self._results(handed_in, probe, bar)
        seconds = time.perf_counter() - began
        results = self._with_hand_grades(results)
        late = penalties(self.course, self.name)
        terminal.show_results(console, self.assignment, results, late)
        terminal.show_summary(console, results, bar.kept, seconds)
        terminal.show_whole(console, bar.whole)
        terminal.show_hosts(console, "Graded", probe.graded)
        terminal.show_lost(console, probe.lost_workers)
        terminal.show_class(console, handed_in)
        if self.as_json:
            self._print_json(handed_in, results, late, bar.kept, seconds)
        return _exit_code(handed_in, results)

    def _check_machine(self) -> None:
        """Raise CourseError where a fault of this machine may cost a right answer its points."""
        from autograder.classroom import machine

        faults = machine.find_faults(has_zone=self.course.zone is not None)
        if costly := [fault for fault in faults if fault.costs_points]:
            raise CourseError(f"nobody can be graded here, and nothing was: {costly[0]}")

    def _check_processes(self, probe: Probe | Cluster) -> None:
        """Raise CourseError where even a right answer would get no points here. Each host of a
        cluster says so by itself, of each submission.
        """
        from autograder.examiner.trial import find_fault

        if probe.hosts:
            return
        if fault := find_fault(self.limits, probe.sandbox, probe.parent):
            raise CourseError(f"nobody can be graded here, and nothing was: {fault}")

    def survey(self, console: Console) -> int:
        """Say what `grade` would do, and do nothing; returns the exit code that it would have
        for what was handed in."""
        from autograder import listing
        from autograder.classroom.coordinator import plans

        misplaced.check_course(self.course, self.name, self.source)
        handed_in = self._collect(keep=False)
        handed = handed_in.submissions
        found = plans(self.course, self.assignment, handed, self.limits, self._regrades)
        if self.as_json:
            print(json.dumps(listing.survey_as_json(self.name, handed_in, found)))
        else:
            listing.show_survey(console, self.name, handed_in, found)
        return _exit_code(handed_in, [])

    @cached_property
    def assignment(self) -> Assignment:
        from autograder.classroom.assignment import load

        return load(self.course, self.name)

    @property
    def _regrades(self) -> bool:
        return self.again or bool(self.students or self.exercises)

    def _collect(self, keep: bool) -> Collected:
        """What was handed in, once it is clear that the course may be graded."""
        from autograder.classroom import configuration, groups, people
        from autograder.classroom.collecting import Wanted, collect

        configuration.check(self.course, self.adopt and keep)
        parts = zip(self.assignment.notebooks, self.assignment.parts, strict=True)
        cells = {notebook: frozenset(part.followed) for notebook, part in parts}
        listed = people.read(self.roster) if self.roster else people.kept(self.course)
        beside = frozenset(file.name for file in self.assignment.files)
        together = groups.read(self.groups) if self.groups else groups.find(self.course, self.name)
        groups.check_listed(together, [person.student for person in listed])
        wanted = Wanted(listed, cells, self.students, keep, beside, together)
        found = collect(self.course, self.name, self.source, wanted)
        if keep and self.roster:
            people.keep(self.course, listed)
        if keep and self.groups:
            groups.keep(self.course, self.name, together)
        return found

    def _results(self, handed_in: Collected, probe, bar) -> list[Result]:
        from autograder.classroom.coordinator import Graders, grade_class
        from autograder.classroom.workers import cores

        graders = Graders(
            self.limits,
            probe.sandbox,
            self.jobs or cores(),
            probe.parent,
            probe if probe.hosts else None,
        )
        return grade_class(
            self.course, self.assignment, handed_in.submissions, graders,
            again=self._regrades, exercises=self._exercises(), progress=bar,
        )  # fmt: skip

    def _with_hand_grades(self, results: list[Result]) -> list[Result]:
        """With the points that a human has given meanwhile: what has them waits no longer."""
        from autograder.classroom.gradebook import OpenGradebook
        from autograder.classroom.grades import with_hand_grades

        if not any(result.by_hand for result in results):
            return results
        with OpenGradebook(self.course, self.name) as gradebook:
            grades = gradebook.grades()
        return [with_hand_grades(result, grades.get(result.student, {})) for result in results]

    def _exercises(self) -> frozenset[str]:
        """Their names, by what the teacher calls them: a number, a solution cell, a test."""
        found = set()
        for wanted in self.exercises:
            named = [
                exercise.name
                for number, exercise in enumerate(self.assignment.exercises, start=1)
                if wanted in (str(number), exercise.name, *exercise.solutions, *exercise.graded)
            ]
            if not named:
                there = ", ".join(
                    f"{number} ({exercise.name})"
                    for number, exercise in enumerate(self.assignment.exercises, start=1)
                )
                raise CourseError(f"{self.name} has no exercise {wanted!r}; it has: {there}")
            found.update(named)
        return frozenset(found)

    def _print_json(self, handed_in, results, late, kept: int, seconds: float) -> None:
        from autograder import listing

        graded = {"graded": len(results) - kept, "kept": kept, "seconds": round(seconds, 2)}
        about = listing.results_as_json(self.assignment, results, late)
        print(json.dumps(about | graded | listing.download_as_json(handed_in)))


def _exit_code(handed_in: Collected, results: list[Result]) -> int:
    noted = any(note.needs_teacher for one in handed_in.submissions for note in one.notes)
    needs_look = handed_in.refused or handed_in.unlisted or noted
    return LOOK if needs_look or any(result.needs_teacher for result in results) else DONE


class _interruptible:
    """A polite kill ends grading as Ctrl-C does: workers stopped, finished results kept."""

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGTERM, self._interrupt)

    def __exit__(self, *exception) -> None:
        signal.signal(signal.SIGTERM, self._before)

    @staticmethod
    def _interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt
