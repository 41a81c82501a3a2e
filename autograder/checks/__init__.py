"""The names that test cells import: seeded generators, calls of students' functions, expectations.

A test cell calls a student's function with `call`, `call_each` or `repeat` and says what should
come back:

    checks.call(debias, [1, 0], np.log(3)).gives([1.5, -0.5], "First subtract, then stretch.")

`steps` uses a student's object. `left_by` returns the arguments as a call leaves them, and
`expect_unchanged` fails if a call changes them.

Calls and their results are in `calls`, laws, privacy and randomness in `expectations`, points for
parts of a cell in `points`, arguments from a whole domain in `domain`. A random source with draws
that the test writes down is in `scripted`. One that records its draws is in `watched`,
and `noise` uses that record to check noise exactly. Lines for `input()` are in `typed`, files that
a function reads and writes in `files`. `off_limits` names the functions of dplab that an answer
must not call.
"""

from __future__ import annotations

import numpy as np

from autograder.checks.calls import Call, call, call_each, draws, left_by, repeat, steps
from autograder.checks.domain import (
    Among,
    Array,
    Real,
    Whole,
    draw_cases,
    draw_ties,
    parameters,
    sizes,
    surround,
)
from autograder.checks.expectations import (
    expect,
    expect_between,
    expect_close,
    expect_exact_epsilon,
    expect_generator_used,
    expect_law,
    expect_private,
    expect_unchanged,
)
from autograder.checks.files import file_left, files_given
from autograder.checks.noise import expect_noise
from autograder.checks.off_limits import OffLimits, off_limits
from autograder.checks.points import Points
from autograder.checks.scripted import Scripted
from autograder.checks.stated import recording
from autograder.checks.typed import Typed, typed
from autograder.checks.watched import Draw, Watched
from autograder.wire.generators import Seeds
from autograder.wire.run import current_run

__all__ = [
    "Among",
    "Array",
    "Call",
    "Draw",
    "OffLimits",
    "Points",
    "Real",
    "Scripted",
    "Typed",
    "Watched",
    "Whole",
    "call",
    "call_each",
    "draw_cases",
    "draw_ties",
    "draws",
    "expect",
    "expect_between",
    "expect_close",
    "expect_exact_epsilon",
    "expect_generator_used",
    "expect_law",
    "expect_noise",
    "expect_private",
    "expect_unchanged",
    "file_left",
    "files_given",
    "generator",
    "left_by",
    "off_limits",
    "parameters",
    "recording",
    "repeat",
    "set_seed",
    "sizes",
    "steps",
    "surround",
    "typed",
]


def set_seed(seed: bytes | None) -> None:
    """Make what `generator` returns reproducible. The examiner calls this before each test cell."""
    run = current_run()
    run.seed = seed
    run.generator_counts.clear()


def generator(label: str = "") -> np.random.Generator:
    """Return a fresh generator, different at each call.

    While grading, its seed comes from the course's secret, the submission, the cell, `label` and
    the number of earlier calls with the same label; elsewhere from the system's entropy.
    """
    run = current_run()
    if run.seed is None:
        return np.random.default_rng()
    material = f"{run.seed.hex()}/{run.generator_counts[label]}/{label}".encode()
    run.generator_counts[label] += 1
    return np.random.Generator(np.random.PCG64(Seeds(material)))
