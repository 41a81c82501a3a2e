"""The published answers to the range, under the keys of other courses and students."""

import importlib

import numpy as np
import pytest

from dplab.audit_range import Witness
from dplab.audit_range.scoring import score


@pytest.mark.parametrize("level", [1, 2, 3])
def test_written_answers_get_no_points_under_another_key(level):
    """The first points need a quarter. The keys are fixed, and so are the shares but for floats."""
    module = importlib.import_module(f"tests.assignments.answers.range.findings_{level}")
    answers = eval(f"{{{module.WRITTEN}}}", {"Witness": Witness})
    assert len(answers) == 10
    rng = np.random.default_rng(1)
    shares = [score(f"secret {number}", level, answers, rng).share for number in range(30)]
    assert max(shares) < 0.25, shares
