"""The common parts of a student's page and the class report."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, Template

from autograder.classroom.course.printable import visible
from autograder.classroom.sets.assignment import Assignment
from autograder.pages import rendering
from autograder.pages.texts import points_text


@lru_cache(maxsize=1)
def _environment() -> Environment:
    folder = Path(__file__).resolve().parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["points"] = points_text
    environment.filters["prose"] = rendering.prose
    environment.filters["visible"] = visible
    return environment


def template(name: str) -> Template:
    """Return a file of the folder `templates`, which escapes all values."""
    return _environment().get_template(name)


def title_of(assignment: Assignment) -> str:
    """Return the first heading of the problem set."""
    texts = (cell.source for cell in assignment.cells if cell.cell_type == "markdown")
    lines = (line for text in texts for line in text.splitlines())
    return next(
        (line.lstrip("# ") for line in lines if line.startswith("# ")),
        assignment.notebook or assignment.name,
    )


def state_of(points: float | None, max_points: float) -> str:
    """Return the state of a check: "full", "part", "none", or "waiting" for a human."""
    if points is None:
        return "waiting"
    if points >= max_points:
        return "full"
    return "part" if points > 0 else "none"
