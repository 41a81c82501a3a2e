"""Rehearse the range: what breaks, how hard it is to prove, and whether any release is unfair."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.rehearsal.audit_range.attack import find_witness
from dplab.audit_range import Witness, verify
from dplab.audit_range.ranges import Target, draw_targets
from dplab.audit_range.scenarios import LEVELS
from dplab.audit_range.scoring import KEEPS, score

MAX_SECONDS = 20.0  # of processor time for a reference attack
MAX_LAZY_SHARE = 0.2  # of the points of a level, for "keeps it" everywhere


@dataclass(frozen=True)
class Attacked:
    """A release after the reference attack, and the epsilon that its witness proves."""

    target: Target
    witness: Witness | None
    proved: float
    reason: str
    seconds: float

    @cached_property
    def problem(self) -> str:
        """Say why the release is unfair, or return an empty text."""
        if self.target.is_broken and not self.proved:
            reason = f": {self.reason}" if self.reason else ""
            return f"no proof was found that it breaks its claim{reason}"
        if not self.target.is_broken and self.witness is not None:
            return "it keeps its claim, and the reference attack accuses it"
        if self.seconds > MAX_SECONDS:
            return f"the reference attack takes more than {MAX_SECONDS:g} s"
        return ""


@dataclass(frozen=True)
class KeyRehearsal:
    """The releases of one key after the attack, and the shares of bad answers by level."""

    key: str
    attacked: Mapping[int, Attacked]
    lazy_shares: Mapping[int, float]
    junk_shares: Mapping[int, float]

    @property
    def problems(self) -> Iterator[str]:
        """Yield a sentence for each unfair release, and for each level that is too easy."""
        for number, attacked in self.attacked.items():
            if attacked.problem:
                name = attacked.target.scenario.name
                yield f"release {number} ({name}) is unfair: {attacked.problem}"
        for level in LEVELS:
            if self.lazy_shares[level] >= MAX_LAZY_SHARE:
                yield f"level {level} gives {self.lazy_shares[level]:.0%} for 'keeps it' everywhere"
            if self.junk_shares[level] > 0:
                yield f"level {level} gives points for witnesses that prove nothing"


def attack(target: Target, rng: np.random.Generator) -> Attacked:
    """Attack a release, verify the witness, and measure the time."""
    release, start = target.release, time.process_time()
    witness = find_witness(release, rng)
    seconds = time.process_time() - start
    if witness is None:
        return Attacked(target, None, 0.0, "", seconds)
    verdict = verify(release, witness, rng)
    proved = 0.0
    if verdict.holds:
        ratio = (verdict.lower - release.delta) / verdict.upper if verdict.upper else math.inf
        proved = math.log(ratio) if ratio < math.inf else math.inf
    return Attacked(target, witness, proved, verdict.reason, seconds)


def rehearse_key(
    key: str, rng: np.random.Generator, earlier_attacks: dict[tuple, Attacked] | None = None
) -> KeyRehearsal:
    """Attack all releases of a key; `earlier_attacks` has results for other keys, which recur."""
    earlier_attacks = {} if earlier_attacks is None else earlier_attacks
    attacked = {}
    for number, target in draw_targets(key).items():
        identity = (target.scenario.name, target.is_broken, *target.numbers.values())
        if identity not in earlier_attacks:
            earlier_attacks[identity] = attack(target, rng)
        attacked[number] = earlier_attacks[identity]
    lazy = {level: _share(key, level, KEEPS, attacked, rng) for level in LEVELS}
    junk = {level: _share(key, level, None, attacked, rng) for level in LEVELS}
    return KeyRehearsal(key, attacked, lazy, junk)


def _share(
    key: str,
    level: int,
    answer: str | None,
    attacked: Mapping[int, Attacked],
    rng: np.random.Generator,
) -> float:
    """Return the share for one answer everywhere; None is a witness with an empty event."""
    answers = {
        number: answer or _make_junk(one.target)
        for number, one in attacked.items()
        if one.target.scenario.level == level
    }
    return score(key, level, answers, rng).share


def _make_junk(target: Target) -> Witness:
    domain = target.release.domain
    x = next(domain.datasets())
    return Witness(x, next(domain.neighbors_of(x)), ("among", []), target.release.epsilon + 1)
