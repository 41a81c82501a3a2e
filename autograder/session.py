"""Grade a class in one go, and report the progress to the teacher."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from autograder.classroom.course import lock
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.intake import mistaken_paths

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.grading.results import Result
    from autograder.classroom.intake.collect_class import CollectedClass
    from autograder.classroom.running.cluster import Cluster
    from autograder.classroom.running.progress import Progress
    from autograder.classroom.sets.assignment import Assignment
    from autograder.sandbox.probing import Probe
    from autograder.wire.contract import Limits

DONE, LOOK, WEAK = 0, 3, 4  # exit codes; LOOK if some submission needs a look


@dataclass(frozen=True)
class Session:
    """The task of grading a class on `jobs` cores, or on all cores if `jobs` is None.

    If `students` or `exercises` are named, only these are graded, and again if need be. `roster` is
    the file with the list of the class, `groups` the file with students who hand in together. With
    `adopt`, the grader's entries are added to a configuration that somebody else wrote.
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
        """Collect and grade the class, and show the progress; return the exit code.

        The probe's student process starts while the rest of the grader is loaded. A cluster grades
        on its own hosts.
        """
        mistaken_paths.check_course(self.course, self.name, self.source)
        with lock.held(self.course, f"grade {self.name}"):
            return self._grade(console, probe)

    def _grade(self, console: Console, probe: Probe | Cluster) -> int:
        from autograder import terminal
        from autograder.classroom.course import configuration
        from autograder.classroom.intake.collection_record import save_refused
        from autograder.classroom.running.workers import prepare

        configuration.check_folders(self.course)
        self._check_machine()
        prepare(self.assignment)
        is_refused = not probe.sandbox.strong and not self.weak_allowed
        if not is_refused:  # a right answer must pass before anything is written
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
        start_time = time.perf_counter()
        with _interruptible(), terminal.ProgressBar(console, len(handed_in.submissions)) as bar:
            results = self._grade_submissions(handed_in, probe, bar)
        seconds = time.perf_counter() - start_time
        results, penalties = self._read_gradebook(results)
        terminal.show_results(console, self.assignment, results, penalties)
        terminal.show_summary(console, results, bar.kept, seconds)
        terminal.show_graded_completely(console, bar.completely_graded)
        terminal.show_hosts(console, "Graded", probe.graded)
        terminal.show_lost(console, probe.lost_workers)
        terminal.show_class(console, handed_in)
        if self.as_json:
            self._print_json(handed_in, results, penalties, bar.kept, seconds)
        return _exit_code(handed_in, results)

    def _check_machine(self) -> None:
        """Raise CourseError if a fault of this machine may cost a right answer its points."""
        from autograder.classroom.course import required_packages
        from autograder.classroom.running import machine_faults

        faults = machine_faults.find_faults(has_zone=self.course.zone is not None)
        if costly_faults := [fault for fault in faults if fault.costs_points]:
            raise CourseError(
                f"nothing was graded, because this machine has a fault: {costly_faults[0]}"
            )
        if missing := required_packages.find_missing(self.course):
            raise CourseError(
                f"nothing was graded: {required_packages.describe_missing(missing)}; run: "
                f"{required_packages.install_command(self.course)}"
            )

    def _check_processes(self, probe: Probe | Cluster) -> None:
        """Raise CourseError if even a right answer would get no points here.

        Each host of a cluster reports such a fault itself, for each submission.
        """
        from autograder.examiner.self_test import find_fault

        if probe.hosts:
            return
        if fault := find_fault(self.limits, probe.sandbox, probe.parent):
            raise CourseError(f"nothing was graded, since a right answer would fail here: {fault}")

    def survey(self, console: Console) -> int:
        """Print what `grade` would do without doing it; return the exit code for these files."""
        from autograder import listing
        from autograder.classroom.running.coordinator import plans

        mistaken_paths.check_course(self.course, self.name, self.source)
        handed_in = self._collect(keep=False)
        submissions = handed_in.submissions
        tasks = plans(self.course, self.assignment, submissions, self.limits, self._regrades)
        if self.as_json:
            print(json.dumps(listing.survey_as_json(self.name, handed_in, tasks)))
        else:
            listing.show_survey(console, self.name, handed_in, tasks)
        return _exit_code(handed_in, [])

    @cached_property
    def assignment(self) -> Assignment:
        from autograder.classroom.sets.assignment import load

        return load(self.course, self.name)

    @property
    def _regrades(self) -> bool:
        return self.again or bool(self.students or self.exercises)

    def _collect(self, keep: bool) -> CollectedClass:
        """Check that the course may be graded; return the submissions."""
        from autograder.classroom.course import configuration
        from autograder.classroom.intake import groups, people
        from autograder.classroom.intake.collect_class import CollectOptions, collect
        from autograder.classroom.intake.recognise_variant import VariantReader, note_variants

        configuration.check(self.course, self.adopt and keep)
        part_of = dict(zip(self.assignment.notebooks, self.assignment.parts, strict=True))
        cells = {name: frozenset(part.followed_cells) for name, part in part_of.items()}
        stubs = {name: part.stubs for name, part in part_of.items()}
        students = people.read(self.roster) if self.roster else people.load_list(self.course)
        file_names = frozenset(file.name for file in self.assignment.files)
        teams = groups.read(self.groups) if self.groups else groups.find(self.course, self.name)
        groups.check_listed(teams, [person.student for person in students])
        reader = VariantReader(self.assignment) if self.assignment.variants else None
        selection = CollectOptions(
            students, cells, self.students, keep, file_names, teams, stubs, reader
        )
        handed_in = collect(self.course, self.name, self.source, selection)
        if reader is not None:
            listed = [person.student for person in people.restore_ids(self.course, students)]
            noted_submissions = note_variants(
                self.course, self.name, reader, handed_in.submissions, listed, teams
            )
            handed_in = replace(handed_in, submissions=noted_submissions)
        if keep and self.roster:
            people.save_list(self.course, students)
        if keep and self.groups:
            groups.save(self.course, self.name, teams)
        return handed_in

    def _grade_submissions(
        self, handed_in: CollectedClass, probe: Probe | Cluster, bar: Progress
    ) -> list[Result]:
        from autograder.classroom.running.coordinator import Graders, grade_class
        from autograder.classroom.running.workers import cores

        graders = Graders(
            self.limits,
            probe.sandbox,
            self.jobs or cores(),
            probe.parent,
            cast("Cluster", probe) if probe.hosts else None,
        )
        return grade_class(
            self.course, self.assignment, handed_in.submissions, graders,
            again=self._regrades, exercises=self._exercises(), progress=bar,
        )  # fmt: skip

    def _read_gradebook(self, results: list[Result]) -> tuple[list[Result], dict[str, float]]:
        """Return the results with points that a human has given, and the penalties for being late.

        Cells with such points no longer wait.
        """
        from autograder.classroom.gradebook.grades import with_hand_grades
        from autograder.classroom.gradebook.records import OpenGradebook

        with OpenGradebook(self.course, self.name) as gradebook:
            grades = gradebook.grades() if any(result.by_hand for result in results) else {}
            penalties = {
                student: arrival.penalty for student, arrival in gradebook.arrivals().items()
            }
        merged = [with_hand_grades(result, grades.get(result.student, {})) for result in results]
        return merged, {student: penalty for student, penalty in penalties.items() if penalty}

    def _exercises(self) -> frozenset[str]:
        """Return the names of exercises that the teacher chose by number, solution cell or test."""
        names = set()
        for choice in self.exercises:
            matching_names = [
                exercise.name
                for number, exercise in enumerate(self.assignment.exercises, start=1)
                if choice in (str(number), exercise.name, *exercise.solutions, *exercise.graded)
            ]
            if not matching_names:
                options = ", ".join(
                    f"{number} ({exercise.name})"
                    for number, exercise in enumerate(self.assignment.exercises, start=1)
                )
                raise CourseError(f"{self.name} has no exercise {choice!r}; it has: {options}")
            names.update(matching_names)
        return frozenset(names)

    def _print_json(
        self,
        handed_in: CollectedClass,
        results: list[Result],
        penalties: dict[str, float],
        n_kept: int,
        seconds: float,
    ) -> None:
        from autograder import listing

        counts = {"graded": len(results) - n_kept, "kept": n_kept, "seconds": round(seconds, 2)}
        points = listing.results_as_json(self.assignment, results, penalties)
        print(json.dumps(points | counts | listing.download_as_json(handed_in)))


def _exit_code(handed_in: CollectedClass, results: list[Result]) -> int:
    has_note = any(
        note.needs_teacher for submission in handed_in.submissions for note in submission.notes
    )
    needs_look = handed_in.refused or handed_in.unlisted or has_note
    return LOOK if needs_look or any(result.needs_teacher for result in results) else DONE


class _interruptible:
    """A context in which SIGTERM acts like Ctrl-C: workers stop, finished results are kept."""

    def __enter__(self) -> None:
        self._old_handler = signal.signal(signal.SIGTERM, self._interrupt)

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGTERM, self._old_handler)

    @staticmethod
    def _interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt
