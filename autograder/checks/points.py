"""Points for the parts of a test cell: a failed part costs only its own points."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from autograder.wire.contract import MESSAGES, LostPoints
from autograder.wire.errors import class_name


class Points:
    """The points of a test cell, part by part.

    They are the cell's last line:

        points = checks.Points()
        with points.part(2):
            checks.call(debias, [1, 0], np.log(3)).gives([1.5, -0.5])
        with points.part(1):
            checks.call(debias, [[1], [0]], np.log(3)).fits(shape=(2, 1))
        points

    nbgrader gives a cell the number that its last line evaluates to. The report and the feedback
    also show the messages of the parts that failed.
    """

    def __init__(self) -> None:
        self.earned = 0.0
        self.losses: list[LostPoints] = []

    @contextlib.contextmanager
    def part(self, worth: float) -> Iterator[None]:
        """Earn `worth` points if the block raises nothing.

        Raises ValueError unless `worth` is above 0.
        """
        if not worth > 0:
            raise ValueError(f"worth must be above 0, not {worth!r}")
        try:
            yield
        except AssertionError as error:
            message = str(error) or "A check failed; it gives no further explanation."
            self.losses.append(LostPoints(message, getattr(error, "hint", "")))
        except Exception as error:
            message = f": {str(error)[:300]}" if str(error) else ""
            self.losses.append(LostPoints(f"{class_name(error)}{message}"))
        else:
            self.earned += worth

    @property
    def messages(self) -> list[str]:
        """The reasons why parts gave no points."""
        return [loss.message for loss in self.losses]

    def __repr__(self) -> str:
        return f"{self.earned:g}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        return {"text/plain": repr(self), MESSAGES: self.messages}
