"""A problem set tried before it is released: by the teacher's own solution, and unanswered."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import lint, reference_time, roles, sources
from autograder.classroom.assignment import text_of
from autograder.classroom.folders import Course, CourseError
from autograder.classroom.grading import explain, score
from autograder.classroom.marks import Marks
from autograder.examiner import verdicts
from autograder.examiner.testcell import compile_cell, defined, names_used
from autograder.wire.contract import Cell, CellRun, NotebookRun, Role
from autograder.wire.files import File

_MOST_SAID = 10  # troubles in one message
_WAY_OUT = (
    f"With the first line {roles.FORGEABLE!r} it may run in the student's room; its points "
    f"{roles.COULD_BE_FORGED} then, and everything says so."
)


@dataclass(frozen=True)
class Trouble:
    """Why a problem set should not be released: a cell, and what is wrong with it.

    Where it is `slow`, time ran out, and nothing is known to be wrong.
    """

    cell: str
    what: str
    slow: bool = False


class Refused(CourseError):
    """Tried, and not fit to be released."""


def without_hidden_tests(source: str) -> str:
    """The text of a test as students have it."""
    from nbformat.notebooknode import NotebookNode
    from nbgrader.preprocessors import ClearHiddenTests

    cell = NotebookNode(source=source)
    ClearHiddenTests()._remove_hidden_test_region(cell)
    return cell.source


def try_out(
    course: Course, source: Path, files: Sequence[File], rooms, accepted: Sequence[str] = ()
) -> list[str]:
    """Raise `Refused` where a source notebook's own solution doesn't get all points in the
    rooms, hidden tests included, or the unanswered notebook gets any.

    A test of an `accepted` name may do either. Return what to know although nothing is wrong.
    """
    notebook = sources.read(course, source)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    _check_regions(source, notebook)
    stub = stub_of(course, notebook, f"{source}: ")
    tests = tests_of(source)
    if unknown := sorted(set(accepted) - tests):
        raise CourseError(f"{source} has no test {unknown[0]!r} that could be accepted as it is")
    found, notes = list(_unreadable(code)), []
    if not found:
        tried = try_solution(code, files, rooms)
        found, notes = tried.troubles, tried.notes
        if found and not any(trouble.slow for trouble in found):
            found = list(_of_the_solution(code, files, rooms, found))
        found += _of_the_stub(stub, files, rooms)
        found += _unanswerable(code, _by_students(code))
        found += _misused(code, files, rooms)
    if refused := [trouble for trouble in found if trouble.cell not in accepted]:
        raise Refused(_told(source, refused))
    return notes


def _check_regions(source: Path, notebook: dict) -> None:
    """Raise CourseError where a region of hidden tests has no end: all below it would be lost."""
    for number, cell in enumerate(notebook["cells"], start=1):
        try:
            without_hidden_tests(text_of(cell["source"]))
        except RuntimeError as error:
            raise CourseError(f"{source}: {_called(cell, number)}: {error}") from error


def _called(cell: dict, number: int) -> str:
    """A cell's name, or its place in the notebook and how it begins."""
    if name := Marks.of(cell).grade_id:
        return f"the cell {name!r}"
    first = next(iter(text_of(cell["source"]).splitlines()), "")
    return f"cell {number}, which has no name and begins with {first[:60]!r}"


def tests_of(source: Path) -> set[str]:
    """The names of a source notebook's test cells."""
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    return {Marks.of(c).grade_id for c in cells if c["cell_type"] == "code" and Marks.of(c).test}


def _by_students(code: Sequence[dict]) -> set[str]:
    """The names that the solution's own cells define."""
    return _defined(cell for cell in _cells(code) if cell.role is Role.STUDENT)


def defined_names(source: Path) -> list[str] | None:
    """The names that the problem set's own cells define; None where that can't be told."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    cells = list(_cells([cell for cell in notebook["cells"] if cell["cell_type"] == "code"]))
    return None if any("import *" in cell.source for cell in cells) else sorted(_defined(cells))


def solution_of(source: Path) -> dict[str, str]:
    """The text of each cell of the problem set that students answer, with the teacher's answer."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    marks = [(Marks.of(cell), text_of(cell["source"])) for cell in code]
    return {mark.grade_id: text for mark, text in marks if mark.solution and mark.grade_id}


def _defined(cells: Iterable[Cell]) -> set[str]:
    """The names that cells define, those of them that are Python."""
    found: set[str] = set()
    for cell in cells:
        with contextlib.suppress(SyntaxError):
            found |= defined(compile_cell(cell.source, f"<{cell.name}>")[0])
    return found


def _told(source: object, troubles: Sequence[Trouble]) -> str:
    lines = [trouble.what for trouble in troubles[:_MOST_SAID]]
    more = len(troubles) - _MOST_SAID
    lines += [f"and {more} more"] if more > 0 else []
    wrong = dict.fromkeys(trouble.cell for trouble in troubles if not trouble.slow)
    option = " ".join(f"--accept {name}" for name in wrong)
    way_out = [f"Where that is meant so, say {option}"] if option else []
    return "\n  ".join([f"{source} is not released:", *lines, *way_out])


def _unreadable(code: Sequence[dict]) -> Iterator[Trouble]:
    """Tests and locked cells that are no Python."""
    for cell in _cells(code):
        try:
            if cell.role is not Role.STUDENT:
                compile_cell(cell.source, f"<{cell.name}>")
        except SyntaxError as error:
            text = (error.text or "").strip()
            said = f"line {error.lineno}, {error.msg}: {text}"
            yield Trouble(cell.name, f"the cell {cell.name!r} is no Python: {said}")


def _of_the_solution(
    code: Sequence[dict], files: Sequence[File], rooms, found: Sequence[Trouble]
) -> Iterator[Trouble]:
    """Yield what was found wrong, with a way out where a test passes in the student's room."""
    visible = {cell.name for cell in _cells(code) if cell.role is Role.EXAMINER and not cell.hides}
    if not (lost := visible & {trouble.cell for trouble in found}):
        yield from found
        return
    marked = [_marked(cell) if Marks.of(cell).grade_id in lost else cell for cell in code]
    still = {trouble.cell for trouble in _lost_by_the_solution(marked, files, rooms)}
    for trouble in found:
        way_out = f". {_WAY_OUT}" if trouble.cell in lost - still else ""
        yield Trouble(trouble.cell, trouble.what.rstrip(".") + way_out if way_out else trouble.what)


def _marked(cell: dict) -> dict:
    """The test as one that runs in the student's room."""
    return cell | {"source": f"{roles.FORGEABLE}\n{text_of(cell['source'])}"}


def _unmarked(cell: dict) -> dict:
    return cell | {"source": roles.without_mark(text_of(cell["source"]))}


@dataclass(frozen=True)
class TriedSolution:
    """What the teacher's own solution came to, and what to know although nothing is wrong."""

    troubles: list[Trouble]
    notes: list[str]


def try_solution(
    code: Sequence[dict], files: Sequence[File], rooms, seed: bytes = b"release"
) -> TriedSolution:
    """Run a notebook with the teacher's own solution, which has more time than students have."""
    cells = list(_cells(code))
    with reference_time.more_time(rooms) as limits:
        run = rooms.run(cells, seed, files)
    stopped, times = reference_time.stopped_cells(cells, run), reference_time.PATIENCE
    if stopped and reference_time.was_waiting(run, stopped, limits):
        times = reference_time.MORE_PATIENCE
        with reference_time.more_time(rooms, times):
            run = rooms.run(cells, seed, files)
        stopped = reference_time.stopped_cells(cells, run)
    troubles = list(_lost(outcomes_of(code, cells, run)))
    if not stopped:
        return TriedSolution(troubles, reference_time.notes(cells, run, limits))
    judged = {cell.name for cell in cells[: min(stopped)]}
    why = reference_time.why_stopped(limits, times)
    slow = [Trouble(cells[n].name, f"{text}; {why}", slow=True) for n, text in stopped.items()]
    return TriedSolution([*(one for one in troubles if one.cell in judged), *slow], [])


def _lost_by_the_solution(code: Sequence[dict], files: Sequence[File], rooms) -> list[Trouble]:
    return try_solution(code, files, rooms).troubles


def _lost(outcomes: Iterable[Outcome]) -> Iterator[Trouble]:
    """Yield the tests that don't give all their points to the teacher's own solution."""
    for found in outcomes:
        name, verdict = found.cell.name, found.run.verdict
        if found.lost or verdicts.failed(verdict):
            detail = verdict.detail if verdict else ""
            is_visible = found.cell.hides and not detail and verdicts.HIDDEN not in found.said
            part = "the visible part of " if is_visible else ""
            what = f"{part}the test {name!r} gives your own solution {found.points or 0:g}"
            hint = " Does it need something that stands in a hidden region?" if part else ""
            if os.strerror(errno.ENOENT) in found.said:
                hint += f". {lint.FILES.capitalize()}"
            yield Trouble(name, f"{what} of {found.most:g} points: {found.said}{hint}")


def _of_the_stub(code: Sequence[dict], files: Sequence[File], rooms) -> Iterator[Trouble]:
    for found in outcomes(code, files, rooms):
        if found.points:
            name, given = found.cell.name, f"{found.points:g} of {found.most:g} points"
            what = f"the test {name!r} gives {given} for no answer"
            yield Trouble(name, f"{what}: to the notebook as students get it")


def _unanswerable(code: Sequence[dict], students: Collection[str]) -> Iterator[Trouble]:
    """Tests that ask what two rooms can't answer."""
    hides = {cell.name for cell in _cells(code) if cell.hides}
    for name, questions in questions_of(code, students).items():
        for question in questions:
            what = f"the test {name!r} can't know, {question}"
            yield Trouble(name, what if name in hides else f"{what}. {_WAY_OUT}")


def questions_of(code: Sequence[dict], students: Collection[str] = ()) -> dict[str, list[str]]:
    """What each test asks that two rooms can't answer, and why, by its name.

    `students` are names that the solution defines; by its own cells where none are given.
    """
    cells = list(_cells(code))
    students = students or _by_students(code)
    examiners = [cell.source for cell in cells if cell.role is not Role.STUDENT]
    aliases, shared = lint.imports(examiners), lint.tainted(examiners, students)
    locked = [cell.source for cell in cells if cell.role is Role.BOTH]
    own = [cell.source for cell in cells if cell.role is Role.STUDENT]
    known = lint.containers(locked, own)
    return {
        cell.name: list(map(str, lint.questions(cell.source, students, aliases, known, shared)))
        for cell in cells
        if cell.role is Role.EXAMINER
    }


def _misused(code: Sequence[dict], files: Sequence[File], rooms) -> Iterator[Trouble]:
    """Tests that are to run in the student's room and must not or need not, and others that would
    be forgeable with them.
    """
    cells = [cell for cell in _cells(code) if roles.says_forgeable(cell.source)]
    for cell in cells:
        if cell.hides:
            why = "has a hidden region, which no room of a student's is told: it ran with the tests"
            yield Trouble(cell.name, f"the forgeable test {cell.name!r} {why}")
    marked = {cell.name: cell for cell in cells if cell.role is Role.FORGEABLE}
    if not marked:
        return
    plain = [_unmarked(c) if Marks.of(c).grade_id in marked else c for c in code]
    troubles = [*_lost_by_the_solution(plain, files, rooms)]
    needed = {t.cell for t in (*troubles, *_unanswerable(plain, _by_students(code)))}
    for name in marked.keys() - needed:
        why = "two rooms can serve it, and nobody could forge its points: take its first line away"
        yield Trouble(name, f"the test {name!r} need not be forgeable: {why}")
    yield from _borrowed(list(_cells(code)), _by_students(code))


def _borrowed(cells: Sequence[Cell], students: Collection[str]) -> Iterator[Trouble]:
    """Tests that use what a forgeable test defines."""
    lent: dict[str, str] = {}
    own = {*students}
    for cell in (cell for cell in cells if cell.role is not Role.STUDENT):
        defines = defined(compile_cell(cell.source, f"<{cell.name}>")[0])
        if cell.role is Role.FORGEABLE:
            lent |= dict.fromkeys(defines - own, cell.name)
        elif cell.role is Role.EXAMINER:
            for name in sorted((names_used(cell.source, f"<{cell.name}>") - defines) & lent.keys()):
                why = f"{name!r} of the forgeable test {lent[name]!r}: define it in a locked cell"
                yield Trouble(cell.name, f"the test {cell.name!r} can't have {why}")
        if cell.role is not Role.FORGEABLE:
            own |= defines
            lent = {name: lender for name, lender in lent.items() if name not in defines}


@dataclass(frozen=True)
class Outcome:
    """What a test came to: its points of the most that it can give, None where these can't be
    told, and what was said of it.
    """

    cell: Cell
    run: CellRun
    points: float | None
    most: float
    said: str

    @property
    def lost(self) -> bool:
        """Whether it gives less than all its points."""
        return self.points != self.most


def outcomes(
    code: Sequence[dict], files: Sequence[File], rooms, seed: bytes = b"release"
) -> Iterator[Outcome]:
    """Run the code cells of a notebook; yield what came of each test.

    Where it failed for what an earlier cell had come to, that is said as well.
    """
    cells = list(_cells(code))
    yield from outcomes_of(code, cells, rooms.run(cells, seed, files))


def outcomes_of(
    code: Sequence[dict], cells: Sequence[Cell], run_of_all: NotebookRun
) -> Iterator[Outcome]:
    """Yield what came of each test of a notebook that was run."""
    stopped = ""
    for given, cell, run in zip(code, cells, run_of_all.cells, strict=True):
        if not cell.role.is_test:
            stopped = stopped or _error_of(cell, run)
            continue
        points, message = score(given, run.verdict)
        if verdicts.failed(run.verdict) and not message:  # of a test that is worth nothing
            message = explain(verdicts.outputs(run.verdict, None))
        detail = run.verdict.detail if run.verdict else ""
        said = "; ".join(filter(None, [detail or message, stopped]))
        yield Outcome(cell, run, points, Marks.of(given).points, said)


def _error_of(cell: Cell, run: CellRun) -> str:
    for output in run.shown:
        if output["output_type"] == "error":
            return f"before it the cell {cell.name!r} stopped: {output['ename']}"
    return ""


def stub_of(course: Course, notebook: dict, where: str = "") -> list[dict]:
    """The code cells as nbgrader hands them out, with hidden tests.

    Raises CourseError, which begins with `where`, where it can't take the solutions out.
    """
    from nbformat import from_dict
    from nbgrader.preprocessors import ClearSolutions

    class NamesTheCell(ClearSolutions):
        def preprocess_cell(self, cell, resources, cell_index):
            try:
                return super().preprocess_cell(cell, resources, cell_index)
            except RuntimeError as error:
                of = _called(cell, cell_index + 1)
                raise CourseError(
                    f"{where}nbgrader can't take the solution out of {of}: {error}"
                ) from error

    whole = [cell | {"source": text_of(cell["source"])} for cell in notebook["cells"]]
    copy = from_dict(notebook | {"cells": whole})
    try:
        cleared, _ = NamesTheCell(config=course.config).preprocess(copy, {})
    except ValueError as error:  # of a language that it has no stub for
        raise CourseError(f"{where}nbgrader can't take the solutions out: {error}") from error
    return [cell for cell in cleared.cells if cell.cell_type == "code"]


def _cells(code: Sequence[dict]) -> Iterator[Cell]:
    for number, cell in enumerate(code, start=1):
        marks, text = Marks.of(cell), text_of(cell["source"])
        name = marks.grade_id or f"cell {number}"
        if not marks.owned:
            yield Cell(Role.STUDENT, text, name)
        else:
            released = without_hidden_tests(text)
            role = roles.role_of(marks, text, released)
            yield Cell(role, text, name, released, marks.points)
