"""A range: thirty releases that a key draws, twenty of which break their claims."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments
from dplab.audit_range import data_dependent, noise_scales, searches, told_by_form, units
from dplab.audit_range.releases import ClaimedRelease
from dplab.audit_range.scenarios import LEVELS, SCENARIOS, Scenario

MODULES = (noise_scales, data_dependent, told_by_form, units, searches)  # they fill SCENARIOS
BROKEN = (6, 7, 7)  # broken releases of a level, in an order that the key draws


@dataclass(frozen=True)
class Target:
    """A release, its scenario and numbers, and whether it breaks its claim."""

    scenario: Scenario
    is_broken: bool
    numbers: Mapping[str, Any]

    @cached_property
    def release(self) -> ClaimedRelease:
        return self.scenario.build(self.is_broken, **self.numbers)


class AuditRange:
    """The releases that a key draws, numbered from 1 to 30; each level has ten in a row.

    A key is a text or bytes. The same key always draws the same range. Twenty releases break their
    claims. Raises ValueError for another key.

    >>> len(AuditRange("an example").releases)
    30
    """

    def __init__(self, key: str | bytes) -> None:
        self._targets = draw_targets(key)

    @property
    def releases(self) -> dict[int, ClaimedRelease]:
        """The releases, by number."""
        return {number: target.release for number, target in self._targets.items()}

    def level(self, level: int) -> dict[int, ClaimedRelease]:
        """Return the ten releases of a level, by number. Raises ValueError for another level."""
        arguments.one_of("level", level, LEVELS)
        return {
            number: target.release
            for number, target in self._targets.items()
            if target.scenario.level == level
        }


def draw_targets(key: str | bytes) -> dict[int, Target]:
    """Return the targets that a key draws, by number. Raises ValueError for another key."""
    if not isinstance(key, str | bytes) or not key:
        raise ValueError(f"key must be a text or bytes, not empty, got {arguments.show(key)}")
    material = key.encode() if isinstance(key, str) else key
    digest = hashlib.sha256(b"audit range\0" + material).digest()
    rng = np.random.default_rng(int.from_bytes(digest, "big"))
    counts, targets = rng.permutation(BROKEN), []
    for level, broken in zip(LEVELS, counts, strict=True):
        scenarios = [scenario for scenario in SCENARIOS.values() if scenario.level == level]
        places = rng.permutation(len(scenarios))
        is_broken = rng.permutation(len(scenarios)) < broken
        targets += [
            _draw(scenarios[place], bool(flag), rng)
            for place, flag in zip(places, is_broken, strict=True)
        ]
    return dict(enumerate(targets, start=1))


def _draw(scenario: Scenario, is_broken: bool, rng: np.random.Generator) -> Target:
    numbers = {
        name: values[int(rng.integers(len(values)))] for name, values in scenario.choices.items()
    }
    return Target(scenario, is_broken, numbers)
