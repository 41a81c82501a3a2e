import numpy as np
import pytest

from dplab import PrivateQuantile
from dplab.data import household_incomes
from dplab.widgets import PrivateMedian
from dplab.widgets.private_median import ALIKE, RICH_AND_POOR, quantile_view


def test_the_law_is_the_librarys_and_the_middle_holds_90_percent():
    incomes = household_incomes()
    view = quantile_view(incomes, q=0.3, epsilon=0.5, upper=6000)
    law = PrivateQuantile(0, 6000, 0.5, 0.3).distribution(incomes)
    y = np.linspace(1, 5999, 500)
    np.testing.assert_allclose(view.law.log_density(y), law.log_density(y))
    low, high = view.middle
    assert law.cdf(low) == pytest.approx(0.05)
    assert law.cdf(high) == pytest.approx(0.95)
    assert view.truth == pytest.approx(np.quantile(incomes, 0.3))


def test_everybody_alike_makes_a_flat_law():
    explorer = PrivateMedian()
    explorer.controls["data"].value = ALIKE
    law = explorer.view().law
    assert law.edges.tolist() == [0, 884, 10_000]
    np.testing.assert_allclose(law.probabilities, [0.0884, 0.9116])


def test_rich_and_poor_release_anything_between_them():
    explorer = PrivateMedian()
    explorer.controls["data"].value = RICH_AND_POOR
    explorer.controls["epsilon"].value = 5.0
    low, high = explorer.view().middle
    assert low < 700
    assert high > 1800


def test_a_wider_range_spreads_the_releases():
    explorer = PrivateMedian()
    widths = []
    for upper in (5000.0, 100_000.0):
        explorer.controls["upper"].value = upper
        low, high = explorer.view().middle
        widths.append(high - low)
    assert widths[0] < widths[1]


def test_picture_shows_data_truth_and_density():
    explorer = PrivateMedian()
    explorer.controls["epsilon"].value = 1.0
    view = explorer.view()
    assert [line.get_xdata()[0] for line in explorer.truths] == [view.truth] * 2
    x, y = explorer.density.get_data()
    assert x[y.argmax()] == pytest.approx(view.truth, abs=10)
    low, high = view.middle
    for span in explorer.spans:
        assert (span.get_x(), span.get_x() + span.get_width()) == pytest.approx((low, high))
    assert f"between {low:,.0f} and {high:,.0f}" in explorer.picture.tooltip


def test_fewer_households_are_the_first_of_the_same():
    explorer = PrivateMedian()
    everyone = explorer.data
    explorer.controls["n"].value = 55
    assert explorer.data.tolist() == everyone[:55].tolist()
