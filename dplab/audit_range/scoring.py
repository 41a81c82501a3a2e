"""Score the answers to a level: a proof gives 3 points, and a right "keeps it" gives 1.

A wrong "keeps it", and a witness that proves nothing, cost 1 point each. No answer costs nothing,
and no level has fewer than 0 points. So "keeps it" everywhere gives nothing: in each level more
releases are broken than sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from dplab import arguments
from dplab.audit_range.ranges import draw_targets
from dplab.audit_range.scenarios import LEVELS
from dplab.audit_range.witness import verify

KEEPS = "keeps it"
FOR_PROOF, FOR_KEEPING, FOR_MISTAKE = 3, 1, -1


@dataclass(frozen=True)
class Score:
    """The points of a level by release, the most that are possible, and why witnesses fail."""

    points: Mapping[int, int]
    most: int
    refusals: Mapping[int, str]

    @property
    def share(self) -> float:
        """The share of the possible points, from 0 to 1."""
        return max(0, sum(self.points.values())) / self.most

    @property
    def advice(self) -> str:
        """Say why the first two witnesses fail, as `verify` does, or what else may be missing."""
        if not self.refusals:
            return (
                "No witness fails. Answer more releases, and say 'keeps it' only where you looked."
            )
        reasons = [f"Release {number}: {reason}" for number, reason in self.refusals.items()]
        more = [f"And {len(reasons) - 2} more witnesses fail."] if len(reasons) > 2 else []
        return " ".join([*reasons[:2], *more, "Call verify to see why a witness fails."])


def check_answers(key: str | bytes, level: int, answers: Any) -> dict[int, Any]:
    """Return the answers to a level, or raise ValueError with a sentence for their author."""
    arguments.one_of("level", level, LEVELS)
    if not isinstance(answers, dict):
        kind = "None" if answers is None else type(answers).__name__
        raise ValueError(f"it is {kind}, and should be a dict by number of release")
    targets = draw_targets(key)
    numbers = {number for number, target in targets.items() if target.scenario.level == level}
    for number, answer in answers.items():
        is_real = isinstance(number, Real) and not isinstance(number, bool)
        if not is_real or number not in numbers:
            some, other = f"{min(numbers)} to {max(numbers)}", arguments.show(number)[:40]
            raise ValueError(f"level {level} has the releases {some}, not {other}")
        is_text = isinstance(answer, str) and answer == KEEPS
        if not is_text and not (isinstance(answer, tuple | list) and len(answer) == 4):
            raise ValueError(f"the answer to release {number} must be {KEEPS!r} or a Witness")
    return {int(number): answer for number, answer in answers.items()}


def score(key: str | bytes, level: int, answers: Any, rng: np.random.Generator) -> Score:
    """Return the score of the answers to a level. Errors as for `check_answers`."""
    answers, targets = check_answers(key, level, answers), draw_targets(key)
    arguments.generator("rng", rng)
    points, refusals = {}, {}
    for number, answer in answers.items():
        if isinstance(answer, str):
            points[number] = FOR_MISTAKE if targets[number].is_broken else FOR_KEEPING
            continue
        verdict = verify(targets[number].release, answer, rng)
        points[number] = FOR_PROOF if verdict.holds else FOR_MISTAKE
        if not verdict.holds:
            refusals[number] = verdict.reason
    broken = [target.is_broken for target in targets.values() if target.scenario.level == level]
    most = sum(FOR_PROOF if is_broken else FOR_KEEPING for is_broken in broken)
    return Score(points, most, refusals)
