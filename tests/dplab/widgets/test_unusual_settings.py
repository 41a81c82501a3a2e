"""What explorers say and show where their controls are turned far: each row was wrong once."""

import re

import numpy as np
import pytest

from dplab import widgets
from dplab.widgets import budget_ledger

EXACT_INCOME = {"question": "the sum of incomes", "rounded": "not at all"}
COIN_AT_ITS_EPSILON = {"mechanism": "randomized response", "strength": 0.3, "epsilon": 0.3}


def turned(name, **controls):
    """The explorer of this name with its controls at these values."""
    explorer = getattr(widgets, name)()
    for control, value in controls.items():
        explorer.controls[control].value = value
    return explorer


@pytest.mark.parametrize(
    ("name", "controls", "wrong"),
    [
        ("AttackAndBound", {"epsilon": 10.0}, "most 100%|promise 100%"),
        ("BudgetLedger", {"total": 0.2, "price": 1.0}, "the average of"),
        ("DifferencingPair", EXACT_INCOME | {"person": 4113}, "stays a guess"),
        ("LossPicture", COIN_AT_ITS_EPSILON, "one in a billion"),
        ("LossRange", {"law": "permute-and-flip", "lead": -10.0}, "1.00 ε, so too wide"),
        ("MembershipScores", {"d": 2000, "n": 10}, "and 100%. In theory"),
        ("NoiseOfMax", {"lead": 8.0, "epsilon": 2.0, "m": 2}, r"\b100%"),
        ("PriceLaw", {"n": 9000, "cap": 100.0, "epsilon": 10.0}, r"\b100%"),
        ("ReusableHoldout", {"k": 1}, "variables vote[.]"),
        ("RocWedge", {"epsilon": 4.0, "rate": 0.95}, r"\b100%"),
        ("ShameButton", {"n": 8, "exponent": 1}, "every press"),
        ("ShameButton", {"n": 1_000_000}, "every press"),
        ("ShameButton", {"n": 100, "exponent": 16}, "1 people"),
        ("SquareRootOfK", {"epsilon": 0.001, "k": 1}, r"release cost |50\.0%"),
        ("UniquePeople", {"born": "no", "home": "no", "sex": "no"}, "^1 of 5,000 people are"),
    ],
    ids=str,
)
def test_no_caption_says_it(name, controls, wrong):
    assert not re.search(wrong, turned(name, **controls).picture.tooltip)


@pytest.mark.parametrize(
    ("name", "controls", "dots"),
    [
        ("ClippingValley", {"n": 100, "epsilon": 0.01, "bound": 80}, "here"),
        ("DensityBins", {"n": 100, "bins": 128, "epsilon": 0.1}, "here"),
        ("ManyQueries", {"k": 4, "n": 10_000, "epsilon": 10.0}, "lines"),
        ("SmoothCurves", {"method": "cosines", "m": 64, "n": 100, "epsilon": 0.1}, "here"),
        ("HistogramBins", {"bins": 48, "epsilon": 0.1}, "noisy"),
        ("SigmaFormulas", {"epsilon": 0.01, "exponent": 2}, "dots"),
        ("SparseVectorStream", {"epsilon": 0.1, "count": 5}, "dots"),
    ],
    ids=str,
)
def test_dots_are_in_the_frame_or_said_to_be_drawn_on_it(name, controls, dots):
    explorer, on_it = turned(name, **controls), False
    for dot in np.ravel(getattr(explorer, dots)):
        low, high = dot.axes.get_ylim()
        assert all(low <= y <= high for y in dot.get_ydata())
        on_it = on_it or bool({low, high} & set(dot.get_ydata()))
    assert ("Dots beyond the frame" in explorer.picture.tooltip) == on_it


def test_a_thousand_million_is_a_billion():
    ladder = turned("TailLadder", mechanism="Laplace noise", strength=1.2, digits=9)
    assert ladder.numbers[0].get_text() == "1 billion"


def test_every_answer_of_a_ledger_is_in_the_picture():
    explorer = turned("BudgetLedger", total=0.2, question_count=40, pricing=budget_ledger.SHARED)
    for _ in range(3):
        explorer.controls["again"].click()
        low, high = explorer.answers.axes.get_ylim()
        assert low < explorer.answers.get_ydata().min() < explorer.answers.get_ydata().max() < high


@pytest.mark.parametrize(
    ("name", "controls", "idle"),
    [
        ("BeliefBand", {"people": 1}, "others"),
        ("PostProcessingSandbox", {"kind": "merge counts"}, "again"),
        ("SparseVectorStream", {"kind": "quiet answers"}, "count"),
    ],
    ids=str,
)
def test_what_changes_nothing_cannot_be_moved(name, controls, idle):
    assert turned(name, **controls).controls[idle].disabled
