import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.special import ndtr
from scipy.stats import binom

from dplab.queries import random_queries
from dplab.widgets import AttackAndBound, style
from dplab.widgets.attack_and_bound import (
    EPSILONS,
    MEASURED_AT,
    PEOPLE,
    attack,
    exact_bound,
    guess_bounds,
)


def test_bounds_are_those_of_the_worst_mechanisms():
    """k-fold randomized response, by the exact law of its counts, and one of k epsilon."""
    basic, optimal = guess_bounds(40)
    assert basic == pytest.approx(1 / (1 + np.exp(-40 * EPSILONS)))
    truth, counts = 1 / (1 + np.exp(-EPSILONS[:, None])), np.arange(41)
    distance = abs(binom.pmf(counts, 40, truth) - binom.pmf(counts, 40, 1 - truth)).sum(axis=1) / 2
    assert optimal == pytest.approx((1 + distance) / 2)


def test_laplace_noise_gives_away_less_than_the_worst_and_about_as_much_as_normal_noise():
    optimal = np.interp(0.1, EPSILONS, guess_bounds(100)[1])
    assert exact_bound(0.1, 100) < optimal
    assert exact_bound(0.02, 100) == pytest.approx(ndtr(0.02 * 10 / 2), abs=1e-3)


def test_exact_answers_give_every_bit_and_noise_alone_gives_half():
    """A fixed seed: this tests what is drawn, not the law."""
    rng = np.random.default_rng(8)
    queries = random_queries(256, PEOPLE, rng)
    hits = attack(queries, [1e-6, 1e6], rng, secrets=160)
    assert hits.shape == (2, 160, PEOPLE)
    assert hits[1].all()
    assert hits[0].mean() == pytest.approx(0.5, abs=0.03)


def test_no_dot_lies_above_the_bounds():
    """A fixed seed: the bound holds for the mean over all secrets, a dot is a mean over 20."""
    explorer = AttackAndBound()
    for m in (63.0, 250.0, 1000.0):
        explorer.controls["m"].value = m
        optimal = np.interp(MEASURED_AT, EPSILONS, explorer.optimal.get_ydata())
        assert (explorer.measured.get_ydata() <= optimal + 0.02).all()
        assert (explorer.optimal.get_ydata() <= explorer.basic.get_ydata() + 1e-12).all()


def test_squares_count_what_the_attack_got():
    explorer = AttackAndBound()
    explorer.controls["epsilon"].value = 1.0
    is_blue = [to_hex(c) == to_hex(style.BLUE) for c in explorer.people.get_facecolor()]
    blue = sum(is_blue)
    assert explorer.tally.get_text() == f"{blue} right, {PEOPLE - blue} wrong (with a hole)"
    assert [size == 0 for size in explorer.holes.get_sizes()] == is_blue
    assert blue > 50
    assert list(explorer.exact.get_data()[0]) == [1.0]


def test_moving_epsilon_keeps_the_dots_and_again_renews_them():
    explorer = AttackAndBound()
    before = explorer.measured.get_ydata()
    explorer.controls["epsilon"].value = 0.5
    assert (explorer.measured.get_ydata() == before).all()
    explorer.controls["again"].click()
    assert (explorer.measured.get_ydata() != before).any()


def test_caption_names_the_bound_that_no_attack_exceeds():
    caption = AttackAndBound().picture.tooltip
    assert caption == (
        "On average least squares gets 61% of the bits right. "
        "With any attack a 50% guess at a bit becomes at most 73%."
    )


def test_caption_and_squares_are_those_of_the_dot_at_the_same_epsilon():
    view = AttackAndBound().view()
    (at,) = np.flatnonzero(np.isclose(MEASURED_AT, 0.1))
    assert view.recovered == view.measured[at]
    assert view.hits.mean() == pytest.approx(view.recovered, abs=0.01)


def test_no_line_crosses_the_legend_which_lists_all_that_is_drawn():
    explorer = AttackAndBound()
    axes = explorer.exact.axes
    legend = axes.get_legend()
    frame = legend.get_window_extent(explorer.canvas.get_renderer())
    assert not frame.overlaps(axes.bbox)
    names = {text.get_text() for text in legend.get_texts()}
    assert names == {line.get_label() for line in axes.lines}
