import re

import numpy as np
import pytest

from dplab.widgets import ErrorCurves
from dplab.widgets.error_curves import SIZES, SURVEYS, error_view, measure


def slope(line):
    x, y = np.log(line.get_xdata()), np.log(line.get_ydata())
    return np.polyfit(x, y, 1)[0]


@pytest.mark.parametrize(("epsilon", "times"), [(0.1, 22.35), (1.0, 21.46), (2.0, 19.03)])
def test_ratio_at_a_thousand_people(epsilon, times):
    view = error_view(np.array([1000]), epsilon=epsilon)
    assert view.local[0] / view.curator[0] == pytest.approx(times, abs=0.005)


def test_sampling_error_is_that_of_a_share():
    assert error_view(np.array([100]), epsilon=1.0).sampling[0] == pytest.approx(
        0.0458258, rel=1e-5
    )


def test_simulation_follows_theory():
    # False failure below 1e-10, by Chernoff bounds: 1.4e-11 a size for the crowd (exact law), and
    # 8e-12 for the curator (draws beyond 33 scales counted as failures, then a truncated law).
    sizes = np.array([100, 10_000])
    view = error_view(sizes, epsilon=1.0)
    local, curator = measure(sizes, np.random.default_rng(8), epsilon=1.0)
    assert SURVEYS == 400
    assert local == pytest.approx(view.local, rel=0.26)
    assert curator == pytest.approx(view.curator, rel=0.6)


def test_curves_have_slopes_minus_a_half_and_minus_one():
    explorer = ErrorCurves()
    for epsilon in (0.1, 1.0, 5.0):
        explorer.controls["epsilon"].value = epsilon
        assert slope(explorer.theory[0]) == pytest.approx(-0.5)
        assert slope(explorer.theory[1]) == pytest.approx(-1)


def test_dots_lie_near_their_curves():
    explorer = ErrorCurves()  # a fixed seed: this tests the drawing, not the law
    for dots, line in zip(explorer.measured, explorer.theory, strict=True):
        expected = np.exp(
            np.interp(np.log(dots.get_xdata()), np.log(SIZES), np.log(line.get_ydata()))
        )
        assert dots.get_ydata() == pytest.approx(expected, rel=0.25)


def test_gap_is_drawn_and_written_at_n():
    explorer = ErrorCurves()
    explorer.controls["n"].value = 100_000.0
    x, (low, high) = explorer.gap.get_data()
    assert list(x) == [100_000, 100_000]
    assert explorer.times.get_text() == f"×{high / low:,.0f}" == "×215"
    assert high / low == pytest.approx(21.4555 * 10, rel=1e-4)


def test_caption_counts_the_crowd_that_matches_the_curator():
    said = "errs 21 times as much as the curator. To err as little, it would need 460,000 people. "
    assert said in ErrorCurves().picture.tooltip
    # n' e / (e - 1)^2 = 1000^2 / 2 at epsilon = 1
    assert 1000**2 / 2 * np.e / (np.e - 1) ** 2 == pytest.approx(460_337, abs=1)


def test_a_small_crowd_is_counted_in_whole_people_just_enough():
    explorer = ErrorCurves()
    for _, n in explorer.controls["n"].options[:4]:
        explorer.controls["n"].value = n
        for _, epsilon in explorer.controls["epsilon"].options:
            explorer.controls["epsilon"].value = epsilon
            crowd = re.search(r"would need ([\d,.]+) people", explorer.picture.tooltip)[1]
            if len(crowd) > 2:
                continue  # two digits of a larger number
            people = np.array([int(crowd), int(crowd) - 1, n])
            view = error_view(people, epsilon=epsilon)
            assert view.local[0] <= view.curator[2] < view.local[1]


def test_moving_n_keeps_the_simulation_and_again_renews_it():
    explorer = ErrorCurves()
    before = explorer.measured[0].get_ydata()
    explorer.controls["n"].value = 10.0
    assert (explorer.measured[0].get_ydata() == before).all()
    explorer.controls["again"].click()
    assert (explorer.measured[0].get_ydata() != before).any()
