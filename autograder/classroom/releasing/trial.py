"""Try a problem set before its release, and decide in which process each test runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.releasing import compare_processes, missing_packages, move_tests
from autograder.classroom.releasing.reference_run import (
    SetRefused,
    Trouble,
    cells_of,
    check_regions,
    describe_refusal,
    find_misused_tests,
    find_unreadable,
    stub_of,
    tests_of,
    try_solution,
    try_stub,
)
from autograder.classroom.sets import cell_roles, plain_imports, sources
from autograder.classroom.sets.read_notebook_tests import read_tests
from autograder.wire.contract import NotebookRunner, Role
from autograder.wire.files import File

_HIDDEN = "It has hidden text, which student code must not see, so it can't run beside that code"
_OPEN = f"Its points {cell_roles.COULD_BE_FORGED}"
_MAX_REASONS = 3  # named of one test


@dataclass
class Trial:
    """A set that can be released: notes for the teacher, and the tests that were moved."""

    notes: list[str] = field(default_factory=list)
    moves: move_tests.Moves = field(default_factory=dict)


def try_out(
    course: Course,
    source: Path,
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Sequence[str] = (),
) -> Trial:
    """Raise `SetRefused` if tests misjudge a source notebook's solution or its unanswered notebook.

    The solution must get all points, those of hidden tests included, and the unanswered notebook
    none. A test that is not understood, or gives an answer other points than stock nbgrader does,
    is moved to the student's process; with hidden text, it is refused. A test whose name is
    `accepted` may break all these rules, and is not moved.
    """
    notebook = sources.read(course, source)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    check_regions(source, notebook)
    stub = stub_of(course, notebook, f"{source}: ")
    if unknown_tests := sorted(set(accepted) - tests_of(source)):
        raise CourseError(
            f"{source} has no test {unknown_tests[0]!r} that could be accepted as it is"
        )
    troubles = list(find_unreadable(code))
    unreadable = {trouble.cell for trouble in troubles}
    run = _TrialRun(_empty(code, unreadable), _empty(stub, unreadable), files, runner, accepted)
    run.run()
    troubles += [trouble for trouble in run.troubles if trouble.cell not in unreadable]
    missing = missing_packages.find_missing(cells_of(code), files)
    notes = [missing_packages.describe(missing)] if missing else []
    if changed_tests := plain_imports.find_changed_tests(notebook["cells"]):
        notes.append(
            f"an import of a cell that students may change is added to {', '.join(changed_tests)}"
        )
    if refusals := [trouble for trouble in troubles if trouble.cell not in accepted]:
        raise SetRefused("\n".join([describe_refusal(source, refusals), *notes]))
    return Trial([*notes, *run.notes, *describe_moves(run.moves)], run.moves)


def _empty(code: Sequence[dict], names: Collection[str]) -> list[dict]:
    """Return the cells, without the text of those that aren't valid Python."""
    return [
        cell | {"source": ""} if _name_of(cell, number) in names else cell
        for number, cell in enumerate(code, start=1)
    ]


def _name_of(cell: dict, number: int) -> str:
    return CellMetadata.of(cell).grade_id or f"cell {number}"


def describe_moves(moves: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for each moved test, with the reasons and the form that would be served."""
    for name, reasons in moves.items():
        more = len(reasons) - _MAX_REASONS
        shown_reasons = [*reasons[:_MAX_REASONS], *([f"and {more} more"] if more > 0 else [])]
        ending = f"{_OPEN}: {'; '.join(shown_reasons)}"
        yield f"the test {name!r} runs in the student's process. {ending}"


class _TrialRun:
    """One trial: it collects troubles, and the tests to move with the reasons."""

    def __init__(
        self,
        code: Sequence[dict],
        stub: Sequence[dict],
        files: Sequence[File],
        runner: NotebookRunner,
        accepted: Sequence[str],
    ) -> None:
        self.troubles: list[Trouble] = []
        self.notes: list[str] = []
        self.moves: move_tests.Moves = {}
        self._code, self._stub = code, stub
        self._files, self._runner = files, runner
        self._accepted = set(accepted)
        self._cells = list(cells_of(code))
        self._by_name = {cell.name: cell for cell in self._cells}

    def run(self) -> None:
        reasons = read_tests(self._cells, files=self._files)
        self._move({name: list(map(str, r)) for name, r in reasons.items() if r})
        troubles = self._try_solution()
        failing = {t.cell: [t.what] for t in troubles if not t.slow and self._is_movable(t.cell)}
        if failing and (helped := self._find_helped(failing)):
            self._move({name: failing[name] for name in helped})
            troubles = self._try_solution()
        self.troubles += troubles
        if not any(trouble.slow for trouble in troubles):
            self._compare()
        moved_stub = move_tests.move(self._stub, self.moves)
        self.troubles += try_stub(moved_stub, self._files, self._runner)
        self.troubles += find_misused_tests(self._code, self._files, self._runner)

    def _is_movable(self, name: str) -> bool:
        cell = self._by_name.get(name)
        return (
            cell is not None
            and cell.role is Role.EXAMINER
            and name not in self._accepted | self.moves.keys()
            and move_tests.can_move(cell)
        )

    def _move(self, reasons: Mapping[str, Sequence[str]]) -> None:
        """Move tests, and those that share names with them; note a trouble for hidden text."""
        new_moves = {n: list(r) for n, r in reasons.items() if n not in self._accepted}
        connected = move_tests.with_connected_tests(self._cells, {**self.moves, **new_moves})
        for name, why in connected.items():
            if name in self.moves or name in self._accepted:
                continue
            if self._is_movable(name):
                self.moves[name] = why
            else:
                shown_reasons = "; ".join(why[:_MAX_REASONS])
                self.troubles.append(
                    Trouble(
                        name, f"the test {name!r} is not understood, {shown_reasons}. {_HIDDEN}"
                    )
                )

    def _try_solution(self) -> list[Trouble]:
        moved_code = move_tests.move(self._code, self.moves)
        tried = try_solution(moved_code, self._files, self._runner)
        self.notes = tried.notes
        return tried.troubles

    def _find_helped(self, failing: Mapping[str, Sequence[str]]) -> list[str]:
        """Return the failing tests that give the solution all points in the student's process."""
        moved_code = move_tests.move(self._code, {*self.moves, *failing})
        tried = try_solution(moved_code, self._files, self._runner)
        still_failing = {trouble.cell for trouble in tried.troubles}
        return [name for name in failing if name not in still_failing]

    def _compare(self) -> None:
        """Move or refuse the tests that give an answer other points than in one process."""
        tests = compare_processes.find_tests_to_compare(self._cells)
        tests -= self.moves.keys() | self._accepted | {trouble.cell for trouble in self.troubles}
        if not tests:
            return
        code = move_tests.move(self._code, self.moves)
        answers = {
            compare_processes.OWN: code,
            compare_processes.NONE: move_tests.move(self._stub, self.moves),
            **compare_processes.make_wrong_answers(code),
        }
        differences = compare_processes.find_differences(answers, tests, self._files, self._runner)
        if reasons := {difference.test: [str(difference)] for difference in differences}:
            self._move(reasons)
            self.troubles += self._try_solution()
