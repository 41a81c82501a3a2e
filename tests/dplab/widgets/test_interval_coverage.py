import numpy as np
import pytest

from dplab.inference import NoisyCount, Tulap
from dplab.widgets import IntervalCoverage
from dplab.widgets.interval_coverage import (
    EPSILONS,
    PEOPLE,
    SHARES,
    SURVEYS,
    WAYS,
    coverage_curve,
    exact_ends,
)

NAIVE, NORMAL, EXACT = WAYS


@pytest.mark.parametrize(("n", "epsilon"), [(50, 0.02), (50, 2.0), (10_000, 0.1)])
def test_quick_exact_ends_are_those_of_the_library(n, epsilon):
    law = NoisyCount(n, Tulap(0, epsilon))
    spread = np.sqrt(n / 5 + law.variance)
    counts = n / 5 + spread * np.array([-3.1, -1.5, 0.0, 0.8, 2.9])
    found = exact_ends(law, counts)
    for i, count in enumerate(counts.tolist()):
        exact = law.interval(count)
        assert found[:, i] == pytest.approx([exact.lower, exact.upper], abs=0.01 * n**-0.5)


def test_picture_follows_the_controls():
    explorer = IntervalCoverage()
    for name, value in (("epsilon", 0.2), ("n", 200), ("share", 0.05), ("way", NORMAL)):
        explorer.controls[name].value = value
    view, law = explorer.view(), NoisyCount(200, Tulap(0.0, 0.2))
    assert (view.n, view.share, view.epsilon, view.method) == (200, 0.05, 0.2, "normal")
    for line, method in ((explorer.naive, "naive"), (explorer.normal, "normal")):
        expected = [
            NoisyCount(200, Tulap(0.0, float(e))).coverage(0.05, method=method) for e in EPSILONS
        ]
        assert line.get_ydata() == pytest.approx(expected)
        assert coverage_curve(200, 0.05, method) == pytest.approx(expected)
    assert explorer.here.get_xdata() == [0.2]
    assert explorer.here.get_ydata() == [law.coverage(0.05, method="normal")]
    assert explorer.truth.get_xdata() == [0.05, 0.05]
    assert view.length == pytest.approx(law.interval(10.0, method="normal").length)
    hits, misses = explorer.hits.get_xdata(), explorer.misses.get_xdata()
    assert len(hits) == 3 * view.is_hit.sum()
    assert len(hits) + len(misses) == 3 * SURVEYS
    assert hits[0::3] == pytest.approx(view.lower[view.is_hit])
    assert (misses[0::3] > 0.05).sum() + (misses[1::3] < 0.05).sum() == len(misses) / 3
    low, high = explorer.left_ax.get_xlim()
    assert low < view.lower.min() <= view.upper.max() < high
    before = view.lower
    explorer.controls["again"].click()
    assert (explorer.view().lower != before).any()


def test_exact_intervals_hit_as_often_as_they_say():
    """Over 20 presses of 40 surveys: 800 of which 95% hit, within five deviations; seeds fixed."""
    explorer = IntervalCoverage()
    explorer.controls["way"].value = EXACT
    hits = 0
    for _ in range(20):
        explorer.controls["again"].click()
        hits += explorer.view().is_hit.sum()
    assert abs(hits - 760) < 31


def test_every_corner_is_in_the_frame():
    explorer = IntervalCoverage()
    for n in PEOPLE[::7]:
        for share in SHARES[::6]:
            for epsilon in (0.02, 2.0):
                for name, value in (("n", n), ("share", share), ("epsilon", epsilon)):
                    explorer.controls[name].value = value
                view, (low, high) = explorer.view(), explorer.left_ax.get_xlim()
                assert low < view.lower.min() <= view.upper.max() < high


def test_caption_says_coverage_length_misses_and_the_guess():
    explorer = IntervalCoverage()
    assert explorer.picture.tooltip == (
        "The naive interval, some 8 points long, contains the truth in 78% of surveys; here it "
        "misses 9. A 50% guess becomes at most 52.5%."
    )
    explorer.controls["way"].value = EXACT
    assert "exact interval, some 14 points long, contains the truth in 95%" in (
        explorer.picture.tooltip
    )
