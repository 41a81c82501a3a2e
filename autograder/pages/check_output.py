"""The output of `autograder check` in a terminal, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from autograder.classroom.grading.check_draft import CheckedDraft, CheckedExercise, VisibleTest
from autograder.classroom.sets.cell_roles import COULD_BE_FORGED
from autograder.pages.terminal_formulas import write_formulas_plainly
from autograder.pages.texts import describe_test, points_text

_MARGIN = " " * 10


def lines(checked: CheckedDraft, show_hints: bool) -> Iterator[Text]:
    """Yield a summary, then each exercise; show hints to exercises begun if `show_hints`."""
    yield _summary(checked)
    for remark in checked.remarks:
        yield Text(f"Note: {remark}", "yellow")
    for exercise in checked.exercises:
        yield Text()
        yield _heading(exercise)
        yield from _tests(exercise)
        yield from (Text(f"  {note}") for note in exercise.by_hand)
        if show_hints and _needs_hint(exercise):
            yield from _hints(exercise)
    yield from _say_where_hints_are(checked, show_hints)


def _needs_hint(exercise: CheckedExercise) -> bool:
    return bool(exercise.hints) and exercise.answered and not exercise.passed


def _say_where_hints_are(checked: CheckedDraft, show_hints: bool) -> Iterator[Text]:
    if any(map(_needs_hint, checked.exercises)):
        if not show_hints:
            yield Text("\nHints are folded away in the notebook's text; --hints shows them here.")
    elif show_hints and any(e.hints and not e.answered for e in checked.exercises):
        yield Text("\n--hints shows hints to an exercise once you have written an answer to it.")


def _heading(exercise: CheckedExercise) -> Text:
    text = Text(exercise.title, "bold")
    if exercise.tests:
        points, max_points = points_text(exercise.points), points_text(exercise.max_points)
        colour = "green" if exercise.passed else "yellow" if exercise.points else "red"
        text.append(f"  {points} of {max_points} points", colour)
    return text


def _tests(exercise: CheckedExercise) -> Iterator[Text]:
    """Yield one line for an exercise that passes or isn't begun, or else a line for each test."""
    count = len(exercise.tests)
    if exercise.passed:
        if count:
            forgeable = sum(test.origin.forgeable for test in exercise.tests)
            remark = f" ({forgeable} {COULD_BE_FORGED})" if forgeable else ""
            yield Text(f"  {count} of {count} visible tests passed{remark}", "green")
    elif not exercise.answered:
        yield Text("  not answered yet", "red")
    else:
        for test in exercise.tests:
            yield from _test(test)


def _test(test: VisibleTest) -> Iterator[Text]:
    sign = Text("  passed  ", "green") if test.passed else Text("  FAILED  ", "bold red")
    yield sign.append(describe_test(test.origin), "default not bold")
    yield from (Text(_MARGIN + line) for line in test.message.splitlines())


def _hints(exercise: CheckedExercise) -> Iterator[Text]:
    for hint in exercise.hints:
        yield Text(f"  {hint.title}", "cyan")
        text = write_formulas_plainly(hint.text)
        yield from (Text(f"    {line}") for line in text.splitlines())


def _summary(checked: CheckedDraft) -> Text:
    passed, count = sum(test.passed for test in checked.tests), len(checked.tests)
    points = points_text(sum(exercise.points for exercise in checked.exercises))
    max_points = points_text(sum(exercise.max_points for exercise in checked.exercises))
    sentence = f"Visible tests: {passed} of {count}, {points} of {max_points} points"
    style = "bold green" if checked.passed else "bold"
    return Text(f"{sentence}; more run when graded.", style)
