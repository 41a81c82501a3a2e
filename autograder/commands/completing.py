"""What the shell completes: the problem sets and the students of the course that was named."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from autograder.classroom.folders import Course


def sets(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    course = Course.at(context.params.get("course") or ".")
    own = {path.parent.name for path in (course.root / "source").glob("*/*.ipynb")}
    return _items(own | set(course.sets), typed)


def students(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    course = Course.at(context.params.get("course") or ".")
    return _items({path.name for path in (course.root / "submitted").glob("*/")}, typed)


def _items(names: set[str], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(typed)]
