"""The names that test cells import: seeded generators, calls of students' functions, expectations.

A test cell calls a student's function with `call`, `call_each` or `repeat` and says what should
come back:

    checks.call(debias, [1, 0], np.log(3)).gives([1.5, -0.5], "First subtract, then stretch.")

`steps` uses a student's object. `arguments_after` returns the arguments as a call leaves them, and
`expect_unchanged` fails if a call changes them.

Calls and their results are in `calls`, laws, privacy and randomness in `expectations`, points for
parts of a cell in `points`, arguments from a whole domain in `domain`. A random source with draws
that the test writes down is in `scripted`. A source that records its draws is in `watched`, and
`noise` uses that record to check noise exactly. Lines for `input()` are in `scripted_input`,
files that a function reads and writes in `files`. `forbidden` names the functions of dplab that an
answer must not call.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograder.checks.calls import Call, arguments_after, call, call_each, draws, repeat, steps
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
from autograder.checks.forbidden import Forbidden, forbidden
from autograder.checks.noise import expect_noise
from autograder.checks.points import Points
from autograder.checks.scripted import Scripted
from autograder.checks.scripted_input import ScriptedInput, scripted_input
from autograder.checks.stated_failure import recording
from autograder.checks.watched import Draw, Watched
from autograder.wire.generators import Seeds
from autograder.wire.run import current_run

__all__ = [
    "Among",
    "Array",
    "Call",
    "Draw",
    "Forbidden",
    "Points",
    "Real",
    "Scripted",
    "ScriptedInput",
    "Watched",
    "Whole",
    "arguments_after",
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
    "forbidden",
    "generator",
    "parameters",
    "recording",
    "repeat",
    "scripted_input",
    "set_seed",
    "sizes",
    "steps",
    "surround",
]


def set_seed(seed: bytes | None) -> None:
    """Make what `generator` returns reproducible. The examiner calls this before each test cell."""
    run = current_run()
    run.seed = seed
    run.generator_counts.clear()


def generator(label: str = "") -> np.random.Generator:
    """Return a fresh generator, different at each call.

    While grading, its seed comes from the course's secret, the submission, the cell, `label` and
    the number of earlier calls with the same label. Otherwise, it comes from the system's entropy.
    """
    run = current_run()
    if run.seed is None:
        return np.random.default_rng()
    material = f"{run.seed.hex()}/{run.generator_counts[label]}/{label}".encode()
    run.generator_counts[label] += 1
    return np.random.Generator(np.random.PCG64(Seeds(material)))


_OLD_NAMES = {
    "OffLimits": "Forbidden",
    "Typed": "ScriptedInput",
    "left_by": "arguments_after",
    "off_limits": "forbidden",
    "typed": "scripted_input",
}


def __getattr__(name: str) -> Any:
    """Return the object of an old name. Python shows the warning only to developers.

    A warning in a test cell would be text on stderr, and then nbgrader itself gives no points.
    """
    if name not in _OLD_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    target = _OLD_NAMES[name]
    warnings.warn(f"checks.{name} is called checks.{target} now", DeprecationWarning, stacklevel=1)
    return globals()[target]
