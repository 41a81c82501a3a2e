"""Shell completion: the problem sets and the students of a course."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from autograder.classroom.course.folders import Course
from autograder.classroom.sets import shipped_sets


def sets(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the problem sets of the course."""
    return _items(_sets(_course(context)), typed)


def ours_or_sets(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the problem sets of the course, and our own, which a course can copy."""
    course = _course(context)
    return _items(_sets(course) | {*shipped_sets.names()}, typed)


def course_or_sets(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a course's folder and then its sets, or our own sets."""
    words = context.params.get("names") or ()
    if words and words[0] not in shipped_sets.names():
        return _items(_sets(Course.at(words[0])), typed)
    folders = [] if words else [CompletionItem(typed, type="dir")]
    return _items({*shipped_sets.names()}, typed) or folders


def students(context: click.Context, _: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the students who handed in."""
    course = _course(context)
    return _items({path.name for path in (course.root / "submitted").glob("*/")}, typed)


def _sets(course: Course) -> set[str]:
    return {*course.sources, *course.sets}


def _course(context: click.Context) -> Course:
    """Return the course, also if click has not yet split the arguments after an open option."""
    words = [word for word in context.args if not word.startswith("-")]
    return Course.at(context.params.get("course") or next(iter(words), "."))


def _items(names: set[str], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(typed)]
