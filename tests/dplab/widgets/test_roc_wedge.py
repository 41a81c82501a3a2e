import numpy as np
import pytest

from dplab.divergences import hockey_stick, largest_log_ratio
from dplab.guarantees import ApproxDP
from dplab.widgets import RocWedge
from dplab.widgets.roc_wedge import GAUSSIAN, LAPLACE, RATES, SURVEY, neighbours, wedge_view


@pytest.mark.parametrize("mechanism", [SURVEY, LAPLACE, GAUSSIAN])
@pytest.mark.parametrize("delta", [0.0, 0.01, 0.2])
def test_every_mechanism_keeps_the_promise(mechanism, delta):
    p, q = neighbours(mechanism, ApproxDP(0.7, delta))
    for pair in ((p, q), (q, p)):
        assert hockey_stick(*pair, epsilon=0.7) <= delta + 1e-9
    view = wedge_view(epsilon=0.7, delta=delta, rate=0.3, mechanism=mechanism)
    assert (view.power <= view.bound + 1e-9).all()
    assert (view.power >= RATES - 1e-9).all()


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_survey_reaches_the_whole_edge(delta):
    view = wedge_view(epsilon=1.0, delta=delta, rate=0.05, mechanism=SURVEY)
    assert view.power == pytest.approx(view.bound)
    assert view.power_here == pytest.approx(min(1, 0.05 * np.e + delta))


def test_laplace_noise_keeps_just_epsilon():
    assert largest_log_ratio(*neighbours(LAPLACE, ApproxDP(0.7, 0.1))) == pytest.approx(0.7)


def test_the_wedge_is_a_wedge_and_the_caption_has_the_figures():
    explorer = RocWedge()
    assert explorer.value("delta") == 0
    vertices = explorer.wedge.get_paths()[0].vertices
    assert np.abs(vertices[:, 1] - vertices[:, 0]).max() == pytest.approx(np.tanh(0.5), abs=0.01)
    said = "The best test finds 14% of those in the data, accusing 5% of others. "
    assert explorer.picture.tooltip == said + "A 50% guess becomes at most 73%."
    assert explorer.limit.get_xdata() == pytest.approx([500 * 0.05 * np.e] * 2)
    explorer.controls["mechanism"].value = GAUSSIAN
    assert "finds 5% of those in the data" in explorer.picture.tooltip  # no end to the noise
    explorer.controls["delta"].value = 0.1
    assert "Leaving δ aside, a 50% guess becomes at most 73%" in explorer.picture.tooltip


def test_the_bars_count_people():
    explorer = RocWedge()
    explorer.controls["rate"].value = 0.2
    found, accused = (bar.get_width() for bar in explorer.bars)
    assert accused == pytest.approx(100)
    assert found == pytest.approx(100 * np.e)
    assert explorer.verdict.get_text() == "of those accused, 73% are in the data"
