"""Scenarios: each makes, from drawn numbers, a release that keeps its claim or breaks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from dplab.audit_range.releases import ClaimedRelease

LEVELS = (1, 2, 3)


@dataclass(frozen=True)
class Scenario:
    """A mistake that was really made, and how to do without it.

    `build(is_broken, **numbers)` makes the release. `choices` has the values of each number.
    """

    name: str
    level: int
    mistake: str
    choices: Mapping[str, tuple[Any, ...]]
    build: Callable[..., ClaimedRelease]

    def numbers(self) -> list[dict[str, Any]]:
        """Return all combinations of numbers that may be drawn."""
        return [
            dict(zip(self.choices, values, strict=True))
            for values in product(*self.choices.values())
        ]


SCENARIOS: dict[str, Scenario] = {}


def scenario(level: int, mistake: str, **choices: tuple[Any, ...]) -> Callable:
    """Register the function below as a scenario of this level; `mistake` says what breaks."""

    def register(build: Callable[..., ClaimedRelease]) -> Callable[..., ClaimedRelease]:
        SCENARIOS[build.__name__] = Scenario(build.__name__, level, mistake, choices, build)
        return build

    return register
