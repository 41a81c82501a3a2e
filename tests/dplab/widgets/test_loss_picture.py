import numpy as np
import pytest
from scipy.integrate import quad

from dplab.continuous import Gaussian
from dplab.divergences import hockey_stick
from dplab.losses import GaussianLoss
from dplab.widgets import LossPicture
from dplab.widgets.loss_picture import LEVELS
from dplab.widgets.loss_view import (
    COIN,
    GAUSSIAN,
    LAPLACE,
    SHAME,
    STRENGTHS,
    LossView,
    loss_of,
)

every_mechanism = pytest.mark.parametrize("mechanism", STRENGTHS)


def area(polygon):
    x, y = polygon.get_xy().T
    return abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2


@every_mechanism
def test_all_mass_is_in_the_picture(mechanism):
    view = LossView(loss_of(mechanism, 1.5), 1.0, 4.0)
    z, p, q = view.densities
    width = np.diff(z[:2])[0] if len(z) else 0
    for density, atoms in ((p, view.atoms[1]), (q, view.atoms[2])):
        assert density.sum() * width + atoms.sum() == pytest.approx(1, abs=0.01)


@every_mechanism
def test_the_law_under_q_is_that_under_p_tilted(mechanism):
    view = LossView(loss_of(mechanism, 0.8), 1.0, 4.0)
    for z, p, q in (view.densities, view.atoms):
        finite = np.isfinite(z)
        np.testing.assert_allclose(q[finite], np.exp(-z[finite]) * p[finite], rtol=1e-4)


@pytest.mark.parametrize("epsilon", [0.0, 0.6, 1.4])
@every_mechanism
def test_delta_and_tail_are_the_areas_that_are_drawn(mechanism, epsilon):
    explorer = LossPicture()
    explorer.controls["mechanism"].value = mechanism
    explorer.controls["epsilon"].value = epsilon
    view = explorer.view()
    stems = [
        sum(segment[1][1] - segment[0][1] for segment in lines.get_segments())
        for lines in explorer.law.stems[2:]
    ]
    assert area(explorer.law.areas[2]) + stems[1] == pytest.approx(view.delta, abs=0.01)
    assert area(explorer.law.areas[1]) + sum(stems) == pytest.approx(
        view.tail_probability, abs=0.01
    )


def test_the_caption_says_what_the_library_says():
    explorer = LossPicture()
    delta = hockey_stick(Gaussian(1, sigma=1), Gaussian(0, sigma=1), epsilon=1)
    assert explorer.picture.tooltip == (
        f"A 50% guess becomes at most 73%, apart from a δ of {delta:.2g}. The loss exceeds ε with "
        "probability 0.31; the guess then typically becomes 84%."
    )
    explorer.controls["shown"].value = list(LEVELS)[1]
    assert [note.get_text() for note in explorer.ruler.notes] == [
        "η = ∞", "mean 0.5, D = 2 at α = 4", "ρ = 0.5",
    ]  # fmt: skip


@pytest.mark.parametrize("strength", [0.3, 1.0, 2.0])
def test_what_a_guess_typically_becomes_beyond_epsilon(strength):
    """E[Z | Z > 1] of a normal loss is its mean and its variance times a hazard."""
    mu, inside = strength, Gaussian(strength**2 / 2, sigma=strength)
    above = GaussianLoss(mu).tails(1)[0]
    mean = mu**2 / 2 + mu**2 * np.exp(inside.log_density(1)) / above
    view = LossView(loss_of(GAUSSIAN, strength), 1.0, 4.0)
    assert view.typical_beyond == pytest.approx(mean, abs=1e-4)
    assert LossView(loss_of(LAPLACE, 0.8), 1.0, 4.0).typical_beyond == 1
    assert LossView(loss_of(LAPLACE, 2.0), 1.99, 4.0).typical_beyond == pytest.approx(2, abs=0.02)
    assert LossView(loss_of(SHAME, 1.0), 1.0, 4.0).typical_beyond == np.inf


def test_it_opens_with_the_law_alone_and_shows_more_when_asked():
    explorer = LossPicture()
    seen = [explorer.picture.value]
    assert [panel.axes.get_visible() for panel in explorer.panels] == [True, False, False, False]
    explorer.controls["alpha"].value = 5.0
    assert explorer.value("shown") == list(LEVELS)[1]
    assert [panel.axes.get_visible() for panel in explorer.panels] == [True, True, False, False]
    seen.append(explorer.picture.value)
    explorer.controls["shown"].value = list(LEVELS)[2]
    assert all(panel.axes.get_visible() for panel in explorer.panels)
    explorer.controls["shown"].value = list(LEVELS)[1]
    assert explorer.picture.value == seen[1]
    explorer.controls["shown"].value = next(iter(LEVELS))
    assert explorer.picture.value == seen[0]


def test_a_bounded_loss_shows_its_range_and_pure_epsilon():
    explorer = LossPicture()
    explorer.controls["shown"].value = list(LEVELS)[1]
    explorer.controls["mechanism"].value = LAPLACE
    explorer.controls["strength"].value = 1.5
    assert list(explorer.ruler.range.get_xdata()) == [-1.5, 1.5]
    assert explorer.ruler.notes[0].get_text() == "η = 3"
    explorer.controls["epsilon"].value = 1.5
    assert explorer.picture.tooltip == (
        "A 50% guess becomes at most 82%, and δ is 0: no loss is above 1.5."
    )


@pytest.mark.parametrize("mechanism", [COIN, LAPLACE])
def test_a_bounded_loss_never_exceeds_its_bound(mechanism):
    for strength in np.arange(1, 31) / 10:
        view = LossView(loss_of(mechanism, strength), strength, 2.0)
        assert view.tail_probability == 0
        assert view.errors == (0, 1)


def test_renyi_slides_from_the_mean_to_the_largest_loss():
    explorer = LossPicture()
    explorer.controls["mechanism"].value = COIN
    places = []
    for alpha in (1.3, 4.0, 100.0):
        explorer.controls["alpha"].value = alpha
        places.append(explorer.ruler.points[1].get_xdata()[0])
    start, end = explorer.ruler.soft.get_xdata()
    assert start < places[0] < places[1] < places[2] < end
    assert (start, end) == pytest.approx((np.tanh(0.5), 1.0))


def test_the_tangent_of_slope_minus_e_to_epsilon_touches_the_trade_off_curve():
    explorer = LossPicture()
    explorer.controls["shown"].value = list(LEVELS)[2]
    explorer.controls["epsilon"].value = 0.7
    (x0, x1), (y0, y1) = explorer.errors.tangent.get_data()
    assert (y1 - y0) / (x1 - x0) == pytest.approx(-np.exp(0.7))
    (x,), (y,) = explorer.errors.point.get_data()
    assert y == pytest.approx(y0 - np.exp(0.7) * x)
    errors, missed = explorer.errors.curve.get_data()
    assert (missed >= y0 - np.exp(0.7) * errors - 1e-9).all()
    assert y == pytest.approx(np.interp(x, errors, missed), abs=1e-3)


def test_name_and_shame_is_a_flat_delta_and_an_infinite_loss():
    explorer = LossPicture()
    explorer.controls["shown"].value = list(LEVELS)[2]
    explorer.controls["mechanism"].value = SHAME
    explorer.controls["strength"].value = 3.0
    assert explorer.controls["strength"].description == STRENGTHS[SHAME]
    assert explorer.law.infinity.get_visible()
    np.testing.assert_allclose(explorer.delta.curve.get_ydata(), 0.03)
    assert explorer.ruler.notes[2].get_text() == "ρ = ∞"
    assert "apart from a δ of 0.03" in explorer.picture.tooltip
    assert "the guess then typically becomes 100%" in explorer.picture.tooltip
    explorer.controls["mechanism"].value = GAUSSIAN
    assert not explorer.law.infinity.get_visible()


@every_mechanism
def test_everything_stays_inside_the_axes(mechanism):
    explorer = LossPicture()
    explorer.controls["mechanism"].value = mechanism
    for strength in (0.2, 1.0, 3.0):
        explorer.controls["strength"].value = strength
        view, axes = explorer.view(), explorer.law.axes
        heights = np.concatenate([*view.densities[1:], *view.atoms[1:]])
        assert heights.max() < axes.get_ylim()[1]
        finite = view.atoms[0][np.isfinite(view.atoms[0])]
        assert (abs(finite) < axes.get_xlim()[1]).all()


def test_the_density_is_the_normal_density_of_mean_and_variance_rho():
    view = LossView(GaussianLoss(1.2), 1.0, 4.0)
    z, p, _ = view.densities
    inside = Gaussian(0.72, sigma=1.2)
    assert p == pytest.approx(np.exp(inside.log_density(z)), abs=1e-4)
    assert quad(lambda y: np.exp(inside.log_density(y)), z[0], z[-1])[0] > 0.99
