"""A student's progress: the lessons that have run, the exercises that are written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets.assignment import text_of

_LESSON = re.compile(r"\d\d_\w+\.ipynb")
_STUB = "raise NotImplementedError"


@dataclass(frozen=True)
class Part:
    """A lesson or a problem set. `done` of its `whole` code cells or exercises are done."""

    name: str
    title: str
    done: int
    whole: int

    @property
    def words(self) -> str:
        if self.done == 0:
            return "not begun"
        return "complete" if self.done == self.whole else f"{self.done} of {self.whole}"


@dataclass(frozen=True)
class CourseProgress:
    """The progress in lessons, by cells that have run, and in problem sets, by answers written."""

    lessons: tuple[Part, ...]
    problem_sets: tuple[Part, ...]

    def _repr_markdown_(self) -> str:
        sections = (("lesson", "run", self.lessons), ("problem set", "written", self.problem_sets))
        tables = []
        for kind, verb, parts in sections:
            rows = [f"| [{part.title}]({part.name}) | {part.words} |" for part in parts]
            tables.append("\n".join([f"| {kind} | {verb} |", "|---|---|", *rows]))
        return "\n\n".join(tables)

    def __repr__(self) -> str:
        parts = (*self.lessons, *self.problem_sets)
        return "\n".join(f"{part.title}: {part.words}" for part in parts)


def progress(folder: str | Path = ".") -> CourseProgress:
    """Return the progress in the saved notebooks of a student's folder."""
    folder = Path(folder)
    lessons = [path for path in sorted(folder.glob("*.ipynb")) if _LESSON.fullmatch(path.name)]
    problem_sets = sorted(folder.glob("*/*.ipynb"), key=lambda p: (p.stem == "capstone", p.stem))
    return CourseProgress(
        tuple(_lesson(path) for path in lessons),
        tuple(_problem_set(path) for path in problem_sets if path.stem == path.parent.name),
    )


def _lesson(path: Path) -> Part:
    cells = _cells(path)
    code = [cell for cell in cells if cell.get("cell_type") == "code"]
    run_count = sum(cell.get("execution_count") is not None for cell in code)
    return Part(path.name, _title(cells) or path.stem, run_count, len(code))


def _problem_set(path: Path) -> Part:
    cells = _cells(path)
    answers = [text_of(cell["source"]) for cell in cells if CellMetadata.of(cell).solution]
    written_count = sum(_STUB not in text for text in answers)
    name = f"{path.parent.name}/{path.name}"
    return Part(name, _title(cells) or path.stem, written_count, len(answers))


def _cells(path: Path) -> list[dict]:
    """Return a notebook's cells; none if the file is no notebook, or is only half written."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [cell | {"source": text_of(cell["source"])} for cell in cells]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def _title(cells: list[dict]) -> str:
    first = text_of(cells[0]["source"]).lstrip() if cells else ""
    return first.split("\n", 1)[0].lstrip("# ").strip() if first.startswith("# ") else ""
