"""Each picture is drawn once, into new axes and into given ones."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt

from dplab import PureDP, RandomizedResponse
from dplab.accounting import RenyiCurve, TradeOff
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss
from dplab.synthesis import Columns, Marginals, histogram_density

matplotlib.use("Agg")
PEOPLE = Columns(categories={"smokes": ["no", "yes"]}, bins={"age": [0, 18, 65, 120]})
ONE_WAY = Marginals(PEOPLE, 1, np.array([700, 300, 180, 610, 210]))
TWO_WAY = Marginals(PEOPLE, 2, np.array([180, 390, 130, -3, 220, 80]))
SOMETIMES_ALL = AtomicLoss(
    np.array([-np.inf, -1, 1, np.inf]),
    np.array([0, 0.26, 0.7, 0.04]),
    np.array([0.04, 0.7, 0.26, 0]),
)
PICTURES = {  # name: how it is drawn, and its labels
    "normal loss": (GaussianLoss(1.0).plot, "privacy loss (nats)", "probability of each bar"),
    "loss of two values": (
        RandomizedResponse(1.0).privacy_loss([0], [1]).plot,
        "privacy loss (nats)",
        "probability of each bar",
    ),
    "infinite loss": (SOMETIMES_ALL.plot, "privacy loss (nats)", "probability of each bar"),
    "trade-off": (
        TradeOff(LaplaceLoss(1.0)).plot,
        "probability of a false alarm, α",
        "probability of a miss, f(α)",
    ),
    "Renyi curve": (RenyiCurve.of(PureDP(0.5)).plot, "order α", "Rényi divergence (nats)"),
    "density": (
        histogram_density([5, -1, 2, 4], [0, 1, 2, 4, 8]).plot,
        "value",
        "density (per unit of the value)",
    ),
    "marginal of categories": (
        lambda ax=None: ONE_WAY.plot("smokes", ax=ax), "smokes", "noisy count (rows)",
    ),
    "marginal of bins": (
        lambda ax=None: ONE_WAY.plot("age", ax=ax), "age", "noisy count (rows)",
    ),
    "marginal of two columns": (
        lambda ax=None: TWO_WAY.plot("smokes", "age", ax=ax), "age", "smokes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_with_its_labels(name):
    draw, x, y = PICTURES[name]
    own = draw()
    given = plt.subplots()[1]
    assert draw(ax=given) is given
    for ax in (own, given):
        assert (ax.get_xlabel(), ax.get_ylabel()) == (x, y)
        ax.figure.canvas.draw()
        assert ax.has_data()
    plt.close("all")


@pytest.mark.parametrize(
    ("loss", "infinite"),
    [(GaussianLoss(1.0), 0), (GaussianLoss(1e-3), 0), (LaplaceLoss(3.0), 0), (SOMETIMES_ALL, 0.04)],
)
def test_the_bars_of_a_loss_are_nearly_all_of_both_distributions(loss, infinite):
    bars, outline = loss.plot().patches
    for patch in (bars, outline):
        masses, edges, _ = patch.get_data()
        assert 1 - infinite - 2e-3 <= masses.sum() <= 1 - infinite + 1e-12
    assert edges[0] < 0 < edges[-1]
    middles = (edges[1:] + edges[:-1]) / 2
    assert bars.get_data()[0] @ middles > 0
    assert bars.get_data()[0] @ middles == pytest.approx(
        -outline.get_data()[0] @ middles, abs=edges[1] - edges[0]
    )
    plt.close("all")


def test_the_curve_of_a_trade_off_and_the_heights_of_a_marginal_are_theirs():
    curve = TradeOff.gaussian(1.0)
    line = curve.plot().lines[0]
    assert line.get_ydata() == pytest.approx(curve(line.get_xdata()))
    assert [bar.get_height() for bar in ONE_WAY.plot("smokes").patches] == [700, 300]
    ages = ONE_WAY.plot("age")
    assert [bar.get_height() for bar in ages.patches] == [180, 610, 210]
    assert [label.get_text() for label in ages.get_xticklabels()] == [
        "0 to 18",
        "18 to 65",
        "65 to 120",
    ]
    image = TWO_WAY.plot("smokes", "age").images[0]
    assert image.get_array().tolist() == [[180, 390, 130], [-3, 220, 80]]
    with pytest.raises(ValueError, match="one or two columns"):
        Marginals(Columns(bins={c: [0, 1] for c in "abc"}), 3, np.ones(1)).plot(*"abc")
    plt.close("all")
