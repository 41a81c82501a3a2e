"""The output of `autograder check` in a terminal, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from autograder.classroom.grading.check_draft import CheckedDraft, CheckedExercise, VisibleTest
from autograder.pages.texts import describe_test, points_text

_MARGIN = " " * 10


def lines(checked: CheckedDraft, show_hints: bool) -> Iterator[Text]:
    """Yield each exercise with its tests, then a summary; show hints if `show_hints`."""
    for remark in checked.remarks:
        yield Text(f"Note: {remark}", "yellow")
    for exercise in checked.exercises:
        yield Text()
        yield _heading(exercise)
        yield from _tests(exercise)
        yield from (Text(f"  {note}") for note in exercise.by_hand)
        if show_hints and not exercise.passed:
            yield from _hints(exercise)
    yield Text()
    yield from _summary(checked)
    if not show_hints and any(e.hints for e in checked.exercises if not e.passed):
        yield Text("Hints are folded away in the notebook's text; --hints shows them here.")


def _heading(exercise: CheckedExercise) -> Text:
    text = Text(exercise.title, "bold")
    if exercise.tests:
        points, max_points = points_text(exercise.points), points_text(exercise.max_points)
        colour = "green" if exercise.passed else "yellow" if exercise.points else "red"
        text.append(f"  {points} of {max_points} points", colour)
    return text


def _tests(exercise: CheckedExercise) -> Iterator[Text]:
    if not exercise.answered and not exercise.passed:
        yield Text("  not answered yet", "red")
        return
    for test in exercise.tests:
        yield from _test(test)


def _test(test: VisibleTest) -> Iterator[Text]:
    sign = Text("  passed  ", "green") if test.passed else Text("  FAILED  ", "bold red")
    yield sign.append(describe_test(test.origin), "default not bold")
    yield from (Text(_MARGIN + line) for line in test.message.splitlines())


def _hints(exercise: CheckedExercise) -> Iterator[Text]:
    for hint in exercise.hints:
        yield Text(f"  {hint.title}", "cyan")
        yield from (Text(f"    {line}") for line in hint.text.splitlines())


def _summary(checked: CheckedDraft) -> Iterator[Text]:
    passed = sum(test.passed for test in checked.tests)
    points = points_text(sum(exercise.points for exercise in checked.exercises))
    max_points = points_text(sum(exercise.max_points for exercise in checked.exercises))
    count = len(checked.tests)
    sentence = f"{passed} of {count} visible tests passed, {points} of {max_points} points."
    yield Text(sentence, "bold green" if checked.passed else "bold")
    yield Text("Hidden tests examine more when your work is graded.")
