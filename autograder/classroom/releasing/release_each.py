"""Release a variant for each student of a set that `vary --each` varied.

COURSE/release and the gradebook get the course's own variant. Each student of the class list gets
a copy of that release with the student's own values, in COURSE/release-each/STUDENT/NAME.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom.course.folders import Course, CourseError, command, write_atomically
from autograder.classroom.intake import people
from autograder.classroom.releasing import move_tests, reference_run
from autograder.classroom.releasing.trial import try_out
from autograder.classroom.sets import set_variants, sources, student_variants
from autograder.classroom.sets.assignment import Assignment, text_of
from autograder.classroom.sets.read_notebook_tests import read_tests
from autograder.wire.contract import NotebookRunner
from autograder.wire.files import File

Moves = dict[str, Collection[str]]  # the tests to move, by notebook


@dataclass(frozen=True)
class EachSet:
    """A set with a variant for each student: its values and templates, and the class."""

    course: Course
    name: str
    choices: Mapping[str, Sequence[str]]
    base: Mapping[str, str]  # the course's own values
    templates: Mapping[str, dict]  # by notebook
    students: tuple[str, ...]

    def source(self, notebook: str, values: Mapping[str, str]) -> dict:
        """Return the teacher's source of a notebook with these values."""
        cells = self.templates[notebook]["cells"]
        texts = [student_variants.fill(cell["source"], values) for cell in cells]
        new_cells = [cell | {"source": text} for cell, text in zip(cells, texts, strict=True)]
        return self.templates[notebook] | {"cells": new_cells}


def find(course: Course, name: str) -> EachSet | None:
    """Return the set if `vary --each` varied it, or None if all students have the same.

    Raises CourseError if no list of the class is known, or if nbgrader writes tests of the set.
    """
    choices = set_variants.find_choices(course, name)
    if not choices:
        return None
    students = tuple(person.student for person in people.load_list(course))
    if not students:
        release = command("release", course.root, name, "--roster")
        raise CourseError(
            f"{name!r} has a variant for each student, and no list of the class is known; give "
            f"it: {release} FILE"
        )
    notebooks = set_variants.read_template(course, name)
    templates = {Path(path).stem: notebook for path, notebook in notebooks.items()}
    for notebook, template in templates.items():
        if any("### AUTOTEST" in cell["source"] for cell in template["cells"]):
            raise CourseError(
                f"{course.template(name) / notebook}.ipynb: tests that nbgrader writes, by a line "
                "### AUTOTEST, can't have a variant for each student; write them yourself, or run: "
                + command("vary", course.root, name, "--common")
            )
    base = student_variants.StudentVariants(name, choices, (), course.secret()).values()
    return EachSet(course, name, choices, base, templates, students)


def try_variants(
    each: EachSet,
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Mapping[str, Sequence[str]],
    moves: Moves,
    tell: Callable[[list[str]], object] = list,
) -> Moves:
    """Try variants until each value of each placeholder was tried; return the tests to move.

    `tell` gets the notes on a variant that needs further moves. Raises `SetRefused` if tests
    misjudge the solution or the unanswered notebook of a variant.
    """
    all_moves = {notebook: {*names} for notebook, names in moves.items()}
    variants = list(student_variants.cover(each.choices, each.base))
    for values in variants:
        for notebook, path in _write_sources(each, values):
            with _named(each, notebook, path, values):
                tests = accepted[notebook]
                if not _is_fine(each.course, path, files, runner, tests, all_moves[notebook]):
                    trial = try_out(each.course, path, files, runner, tests)
                    tell(trial.notes if trial.moves.keys() - all_moves[notebook] else [])
                    all_moves[notebook] |= trial.moves.keys()
    if any(all_moves[notebook] - {*names} for notebook, names in moves.items()):
        _try_moved(each, [each.base, *variants], files, runner, accepted, all_moves)
    return dict(all_moves)


def _try_moved(
    each: EachSet,
    variants: Sequence[Mapping[str, str]],
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Mapping[str, Sequence[str]],
    moves: Mapping[str, Collection[str]],
) -> None:
    """Raise `SetRefused` if a variant fails when the tests of all variants are moved."""
    for values in variants:
        for notebook, path in _write_sources(each, values):
            with _named(each, notebook, path, values):
                code, stub = _read_code(each.course, path, moves[notebook])
                troubles = _find_troubles(code, stub, files, runner, accepted[notebook])
                if troubles:
                    raise reference_run.SetRefused(reference_run.describe_refusal(path, troubles))


def _is_fine(
    course: Course,
    path: Path,
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Collection[str],
    moves: Collection[str],
) -> bool:
    """Return whether a variant needs no closer trial: its tests are understood, and judge well."""
    code, stub = _read_code(course, path, moves)
    if list(reference_run.find_unreadable(code)):
        return False
    reasons = read_tests(list(reference_run.cells_of(code)), files=files)
    is_understood = not any(reasons[name] for name in reasons.keys() - {*moves, *accepted})
    return is_understood and not _find_troubles(code, stub, files, runner, accepted)


def _read_code(course: Course, path: Path, moves: Collection[str]) -> tuple[list, list]:
    """Return the code cells of a source with its solution, and of its unanswered notebook."""
    notebook = sources.read(course, path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    stub = reference_run.stub_of(course, notebook, f"{path}: ")
    return move_tests.move(code, moves), move_tests.move(stub, moves)


def _find_troubles(
    code: Sequence[dict],
    stub: Sequence[dict],
    files: Sequence[File],
    runner: NotebookRunner,
    accepted: Collection[str],
) -> list[reference_run.Trouble]:
    troubles = reference_run.try_solution(code, files, runner).troubles
    troubles += reference_run.try_stub(stub, files, runner)
    return [trouble for trouble in troubles if trouble.cell not in accepted]


def _write_sources(each: EachSet, values: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield each notebook's name and its source with these values, a file that lasts meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        for notebook in each.templates:
            path = Path(folder) / f"{notebook}.ipynb"
            path.write_text(json.dumps(each.source(notebook, values)), encoding="utf-8")
            yield notebook, path


@contextlib.contextmanager
def _named(each: EachSet, notebook: str, path: Path, values: Mapping[str, str]) -> Iterator[None]:
    """Name the template and the values in an error, instead of the file that was tried."""
    try:
        yield
    except CourseError as error:
        template = each.course.template(each.name) / path.name
        label = f"{template} with {student_variants.describe(values)}"
        raise type(error)(str(error).replace(str(path), label)) from error


def describe(
    each: EachSet,
    records: Sequence[Mapping[str, Any]],
    pairs: Mapping[str, tuple[dict, dict]],
) -> dict[str, Any]:
    """Return what grading needs of the set: values, and released texts with placeholders.

    `records` are those of the course's own variant, `pairs` the templates as nbgrader's steps leave
    them. Raises CourseError if these steps do something else to a template than to a variant.
    """
    templates = []
    for record in records:
        notebook = record["name"]
        master, released = pairs[notebook]
        template = {
            "name": notebook,
            "master": _with_placeholders(record["master"], master),
            "released": _with_placeholders(record["released"], released),
            "solution": reference_run.solution_in(each.templates[notebook]),
            "defined": _defined_names(each, notebook, record["defined"]),
        }
        plain = {
            **record,
            "master": _plain(record["master"]),
            "released": _plain(record["released"]),
        }
        if student_variants.fill_record(template, each.base) != plain:
            raise CourseError(
                f"{each.course.template(each.name) / notebook}.ipynb can't have a variant for each "
                "student: nbgrader's steps, as the course configures them, change its text in "
                "a way that depends on the values"
            )
        templates.append(template)
    return {"choices": each.choices, "values": each.base, "notebooks": templates}


def _plain(notebook: dict) -> dict:
    """Return the notebook with each text as one string."""
    return notebook | {
        "cells": [cell | {"source": text_of(cell["source"])} for cell in notebook["cells"]]
    }


def _with_placeholders(notebook: dict, template: dict) -> dict:
    """Return the released notebook with the texts of the template where there are as many cells."""
    if len(template["cells"]) != len(notebook["cells"]):
        return _plain(notebook)
    cells = [
        cell | {"source": text_of(other["source"])}
        for cell, other in zip(notebook["cells"], template["cells"], strict=True)
    ]
    return notebook | {"cells": cells}


_TOKEN = "placeholder_{}_of_set"
_TOKENS = re.compile(_TOKEN.format(r"(\w+?)"))


def _defined_names(each: EachSet, notebook: str, base: Sequence[str] | None) -> list[str] | None:
    """Return the names that the set defines, with placeholders, or None if they are unknown."""
    tokens = {placeholder: _TOKEN.format(placeholder) for placeholder in each.choices}
    names = reference_run.names_in(each.source(notebook, tokens))
    if names is None or base is None:
        return None
    templates = sorted(_TOKENS.sub(r"{{\1}}", name) for name in names)
    filled = [student_variants.fill(name, each.base) for name in templates]
    # In the order of the course's own names, so that both records are alike.
    in_order = sorted(zip(filled, templates, strict=True))
    return [template for _, template in in_order] if sorted(filled) == [*base] else None


def write(each: EachSet, assignment: Assignment) -> Path:
    """Write the notebooks of each student, with the set's files beside them; return the folder.

    Students who are no longer on the list lose theirs.
    """
    course, variants = each.course, assignment.variants
    assert variants is not None
    remove(course, each.name, but=each.students)
    course.release_each.mkdir(mode=0o700, exist_ok=True)
    for student in each.students:
        folder = course.released_to(student, each.name).parent
        new = folder.with_name(f".new-{each.name}")
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(course.released(each.name).parent, new)
        for record in variants.records(variants.values(student)):
            text = json.dumps(record["released"], ensure_ascii=False, indent=1) + "\n"
            write_atomically(new / f"{record['name']}.ipynb", text)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    return course.release_each


def remove(course: Course, name: str, but: Collection[str] = ()) -> None:
    """Remove the set's notebooks of all students except those in `but`."""
    for folder in course.release_each.glob(f"*/{name}/"):
        if folder.parent.name not in but:
            shutil.rmtree(folder)
