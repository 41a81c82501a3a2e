import numpy as np
import pytest
from scipy.special import ndtr

from dplab.theorems.reconstruction_law import collapsed_share
from dplab.widgets import Collapse
from dplab.widgets.collapse import FAMILIES, MEASURED_PLACES, PEOPLE, SHARES, curve, queries_of


@pytest.mark.parametrize("family", FAMILIES)
def test_queries_are_about_as_many_as_asked_for(family):
    queries = queries_of(family, 64, 4, np.random.default_rng(1))
    assert queries.shape[1] == 64
    assert 256 <= len(queries) < 290


@pytest.mark.parametrize("family", FAMILIES)
def test_attacks_follow_the_exact_law(family):
    found = curve(family, 256, 4)
    assert found.measured == pytest.approx(found.exact[MEASURED_PLACES], abs=0.05)


def test_random_subsets_collapse_over_the_root():
    small, large = curve("random subsets", 64, 4).exact, curve("random subsets", 256, 4).exact
    assert small == pytest.approx(large, abs=0.01)
    assert large == pytest.approx(collapsed_share(SHARES, 4), abs=0.01)


def test_thresholds_collapse_over_sigma():
    """SHARES has 20 steps a decade: twice the sigma / sqrt(n) is 6.02 steps."""
    small, large = curve("thresholds", 64, 4).exact, curve("thresholds", 256, 4).exact
    assert small[6:] == pytest.approx(large[:-6], abs=0.01)
    assert abs(small - large).max() > 0.1


def test_marginals_reconstruct_at_a_smaller_noise():
    found = curve("marginals", 256, 4).exact
    assert found[SHARES < 0.05].min() > 0.99
    assert found[SHARES < 0.2].min() > 0.85
    assert (found <= collapsed_share(SHARES, 4) + 1e-9).all()


def test_the_axis_moves_the_curves_and_shows_the_law():
    explorer = Collapse()
    assert explorer.lines[2].get_xdata() == pytest.approx(PEOPLE[-1] ** 0.5 * SHARES)
    assert not explorer.law.get_visible()
    assert not explorer.formula.get_visible()
    explorer.controls["axis"].value = "share"
    assert all(line.get_xdata() == pytest.approx(SHARES) for line in explorer.lines)
    assert explorer.law.get_visible()
    assert explorer.formula.get_visible()
    explorer.controls["family"].value = "thresholds"
    assert explorer.lines[2].get_ydata() == pytest.approx(curve("thresholds", PEOPLE[-1], 4).exact)
    assert explorer.picture.tooltip.startswith("At equal σ / √n the curves of thresholds are up")


def test_says_how_far_apart_the_curves_are():
    explorer = Collapse()
    far = explorer.distance(explorer.view())
    root = PEOPLE[-1] ** 0.5 / PEOPLE[0] ** 0.5  # the law: max over x of Phi(root x) - Phi(x)
    x = np.sqrt(2 * np.log(root) / (root**2 - 1))
    assert far == pytest.approx(ndtr(root * x) - ndtr(x), abs=0.02)
    said = f"At equal σ the curves of random subsets are up to {100 * far:.0f} points apart."
    assert explorer.picture.tooltip == said
    explorer.controls["axis"].value = "share"
    assert explorer.distance(explorer.view()) < 0.05
    said = f"the curves of random subsets {explorer.say_distance(explorer.view())}."
    assert explorer.picture.tooltip == f"At equal σ / √n {said}"
    assert explorer.say_distance([curve("thresholds", 16, 4)]) == "fall together"
