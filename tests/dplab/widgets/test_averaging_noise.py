import numpy as np
import pytest
from scipy.stats import norm

from dplab.attacks.averaging import right_with
from dplab.audit import goodness_of_fit
from dplab.distributions import Finite
from dplab.widgets import AveragingNoise
from dplab.widgets.averaging_noise import CONFIDENCES, MEANS, PAIRS, averaging_view


def test_the_laws_are_those_of_the_mean_difference():
    explorer = AveragingNoise()
    explorer.controls["pairs"].value = 100.0
    for bit, law in enumerate(explorer.laws):
        density = norm(bit, np.sqrt(20 / 100)).pdf(MEANS)
        assert law.get_ydata() == pytest.approx(density / norm(0, np.sqrt(0.2)).pdf(0))


def test_drawn_bits_and_means_follow_them():
    """A fit of the bits and one of the guesses, 1e-10 each."""
    rng = np.random.default_rng()
    views = [averaging_view(40, 10.0, rng) for _ in range(3000)]
    assert goodness_of_fit(
        np.array([view.bit for view in views]), Finite.of({0: 0.5, 1: 0.5})
    ).passed
    right = right_with(40, variance=20)
    hits = np.array([int(view.guess == view.bit) for view in views])
    assert goodness_of_fit(hits, Finite.of({1: right, 0: 1 - right})).passed
    assert views[0].right == right


def test_the_curve_and_its_marks_are_the_theorem():
    explorer = AveragingNoise()
    assert explorer.curve.get_ydata() == pytest.approx(right_with(PAIRS, variance=20))
    pairs, heights = explorer.marks.get_data()
    assert list(pairs) == [37, 132, 217, 433, 764]
    assert list(heights) == list(CONFIDENCES)
    explorer.controls["noise"].value = 100.0
    assert list(explorer.marks.get_xdata()) == [364, 1314, 2165, 4330, 7640]


def test_the_words_say_where_the_sliders_stand():
    explorer = AveragingNoise()
    explorer.controls["pairs"].value = 400.0
    assert explorer.note.get_text() == "400 pairs: 99%"
    said = "After 400 pairs the guess is right 99% of the time; for 99% it takes 433. This time"
    assert explorer.picture.tooltip.startswith(said)
    for pairs, said in ((1.0, "1 pair: 54%"), (630.0, "630 pairs: 99.7%")):
        explorer.controls["pairs"].value = pairs
        assert explorer.note.get_text() == said
    explorer.controls["pairs"].value = 10_000.0
    assert explorer.note.get_text() == "10,000 pairs: over 99.99%"


def test_a_slider_keeps_the_luck_and_the_button_changes_it():
    explorer = AveragingNoise()
    before = explorer.view()
    assert explorer.view() == before
    explorer.controls["pairs"].value = 10_000.0
    assert explorer.view().bit == before.bit
    assert abs(explorer.view().mean - before.bit) < abs(before.mean - before.bit)
    explorer.controls["again"].click()
    assert explorer.view().mean != before.mean
    outcome = "right" if explorer.view().guess == explorer.view().bit else "wrong"
    assert explorer.picture.tooltip.endswith(f"This time it is {outcome}.")
