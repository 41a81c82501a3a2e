"""State the probability that a check fails a right solution."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from autograder.wire.run import current_run

MOST_FAILURE = 1e-9


@dataclass(frozen=True)
class StatedFailure:
    """A statistical check that ran, and the probability that it fails a right solution."""

    what: str
    failure: float


@contextmanager
def recording() -> Iterator[list[StatedFailure]]:
    """Collect every statistical check that runs inside the block, in order."""
    run = current_run()
    stated: list[StatedFailure] = []
    outer, run.stated = run.stated, stated
    try:
        yield stated
    finally:
        run.stated = outer


def state(what: str, failure: float) -> None:
    """Note that a check fails a right solution with probability at most `failure`.

    Raises ValueError unless that is above 0 and at most `MOST_FAILURE`.
    """
    if not 0 < failure <= MOST_FAILURE:
        raise ValueError(f"failure must be above 0 and at most {MOST_FAILURE}, not {failure!r}")
    if (stated := current_run().stated) is not None:
        stated.append(StatedFailure(what, failure))
