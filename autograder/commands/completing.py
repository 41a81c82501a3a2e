"""What the shell completes: the problem sets and the students of the course that was named."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from autograder.classroom.folders import Course


def sets(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    course = _course(context)
    own = {path.parent.name for path in (course.root / "source").glob("*/*.ipynb")}
    return _items(own | set(course.sets), typed)


def students(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    course = _course(context)
    return _items({path.name for path in (course.root / "submitted").glob("*/")}, typed)


def _course(context: click.Context) -> Course:
    """The first argument; behind an option without its value click has not told them apart."""
    words = [word for word in context.args if not word.startswith("-")]
    return Course.at(context.params.get("course") or next(iter(words), "."))


def _items(names: set[str], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(typed)]
