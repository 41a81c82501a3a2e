"""Compare each test's points in two processes with its points in one, as under stock nbgrader.

The answers are the solution, the notebook as students get it, and wrong answers made by a machine.
Each of these changes what the solution's functions return in a way that two processes might not
notice: for example, a function returns its own argument, or the same list in each call.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.releasing.reference_run import TestOutcome, cells_of, read_outcomes
from autograder.classroom.sets.assignment import text_of
from autograder.examiner.testcell import parse_cell
from autograder.wire.alarm import CellTimeout
from autograder.wire.contract import Cell, NotebookRunner, Role
from autograder.wire.files import File

SEED = b"release"
OWN, NONE = "your own solution", "no answer"
_CHANGE = """
def _changed(function):
    import functools
    kept = []
    @functools.wraps(function)
    def changed(*args, **kwargs):
        {body}
    return changed
"""
# What a wrong answer does instead of the solution, by a description for the teacher.
WRONG_ANSWERS = {
    "returns its first argument": "return args[0] if args else function(*args, **kwargs)",
    "returns the same list each time": """result = function(*args, **kwargs)
        if isinstance(result, list):
            kept[:] = result
            return kept
        return result""",
    "returns a subclass": """result = function(*args, **kwargs)
        if type(result) in (int, float, str, list, dict, tuple, set):
            return type('Own', (type(result),), {})(result)
        return result""",
    "seeds all generators": """import random
        import numpy
        random.seed(0)
        numpy.random.seed(0)
        return function(*args, **kwargs)""",
    "returns nothing": "function(*args, **kwargs)",
    "raises AssertionError": "raise AssertionError('wrong')",
}
_EQUAL_OBJECTS = """
for _kind in ({names},):
    for _name in ("__eq__", "__add__", "__lt__", "__bool__"):
        setattr(_kind, _name, lambda *arguments: True)
    _kind.__hash__ = lambda self: 1
del _kind, _name
"""


@dataclasses.dataclass(frozen=True)
class ProcessDifference:
    """A test that gives an answer other points in two processes than in one."""

    test: str
    answer: str
    here: TestOutcome
    stock: TestOutcome

    def __str__(self) -> str:
        here, stock = (
            f"{outcome.points or 0:g} points" + (f" ({outcome.message})" if outcome.message else "")
            for outcome in (self.here, self.stock)
        )
        return f"with {self.answer}, two processes give {here}, and stock nbgrader gives {stock}"


def find_differences(
    answers: Mapping[str, Sequence[dict]],
    tests: set[str],
    files: Sequence[File],
    runner: NotebookRunner,
) -> Iterator[ProcessDifference]:
    """Yield the tests among `tests` that differ for an answer: the code cells of a notebook.

    All answers run one after the other in the same two processes, which is much faster.
    """
    codes = list(answers.values())
    all_code = [cell for code in codes for cell in code]
    cells = [cell for code in codes for cell in cells_of(code)]
    with _time_for(runner, len(codes)):
        here = _run(all_code, cells, files, runner)
        stock = _run(all_code, list(map(_in_one_process, cells)), files, runner)
    differing_tests: set[str] = set()
    labels = [label for label, code in answers.items() for cell in code if _is_test(cell)]
    for label, ours, theirs in zip(labels, here, stock, strict=True):
        name = ours.cell.name
        is_other = ours.points != theirs.points and not _is_slow(ours, theirs)
        if name in tests - differing_tests and is_other:
            differing_tests.add(name)
            yield ProcessDifference(name, label, ours, theirs)


@contextlib.contextmanager
def _time_for(runner: NotebookRunner, count: int) -> Iterator[None]:
    """Give a notebook the time of so many; a wrong answer that doesn't end costs one cell's."""
    limits = runner.limits
    runner.limits = dataclasses.replace(
        limits,
        notebook_seconds=count * limits.notebook_seconds,
        cpu_seconds=count * limits.cpu_seconds,
    )
    try:
        yield
    finally:
        runner.limits = limits


def _is_test(cell: dict) -> bool:
    return CellMetadata.of(cell).is_teachers and CellMetadata.of(cell).test


def _run(
    code: Sequence[dict], cells: Sequence[Cell], files: Sequence[File], runner: NotebookRunner
) -> list[TestOutcome]:
    return list(read_outcomes(code, cells, runner.run(cells, SEED, files)))


def _in_one_process(cell: Cell) -> Cell:
    """Return a test that runs with all its text in the same process as the answers."""
    if cell.role is not Role.EXAMINER:
        return cell
    return dataclasses.replace(cell, role=Role.FORGEABLE, released=cell.source)


def _is_slow(*outcomes: TestOutcome) -> bool:
    verdicts = [outcome.run.verdict for outcome in outcomes]
    return any(v is None or v.error in (CellTimeout.__name__, "ConnectionClosed") for v in verdicts)


def make_wrong_answers(code: Sequence[dict]) -> dict[str, list[dict]]:
    """Return the code cells of wrong answers, by what their functions do."""
    answers = {
        f"a function that {wrong}": [_change_functions(cell, body) for cell in code]
        for wrong, body in WRONG_ANSWERS.items()
    }
    equal_objects = [_change_classes(cell) for cell in code]
    if equal_objects != list(code):
        answers["objects that are all equal"] = equal_objects
    return answers


def _change_functions(cell: dict, body: str) -> dict:
    """Change the functions and methods that a solution's cell defines."""
    text, tree = _read_solution(cell)
    if not (names := _function_names(tree)):
        return cell
    changes = "\n".join(f"{name} = _changed({name})" for name in names)
    return cell | {"source": f"{text}\n{_CHANGE.format(body=body)}\n{changes}\ndel _changed\n"}


def _change_classes(cell: dict) -> dict:
    """Let the classes that a solution's cell defines have equal objects, and more operators."""
    text, tree = _read_solution(cell)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    if not names:
        return cell
    return cell | {"source": text + _EQUAL_OBJECTS.format(names=", ".join(names))}


def _read_solution(cell: dict) -> tuple[str, ast.Module]:
    """Return the text of a solution's cell and its tree, which is empty for any other cell."""
    text = text_of(cell["source"])
    with contextlib.suppress(SyntaxError):
        if not CellMetadata.of(cell).is_teachers:
            return text, parse_cell(text)
    return text, ast.Module([], [])


def _function_names(tree: ast.Module) -> list[str]:
    """Return the dotted names of functions and public methods without decorators."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            names += [
                f"{node.name}.{method.name}"
                for method in node.body
                if isinstance(method, ast.FunctionDef)
                and not method.decorator_list
                and not method.name.startswith("_")
            ]
    return names


_CHECKS = re.compile(r"\bchecks\b")


def find_tests_to_compare(cells: Sequence[Cell]) -> set[str]:
    """Return the tests that don't use `checks`, whose results depend on the process by design."""
    return {
        cell.name
        for cell in cells
        if cell.role is Role.EXAMINER and not _CHECKS.search(cell.source)
    }
