import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab.distributions import Finite
from dplab.theorems.bounded_range import range_of_loss
from dplab.widgets import LossRange, style
from dplab.widgets.loss_range import LAWS, LEADS, RangeView, log_laws, range_view

EXPONENTIAL, FLIP = LAWS


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("lead", [-4.0, 0.5, 3.0])
def test_range_and_rho_are_the_theorems(law, lead):
    p, q = (Finite(range(6), logs) for logs in log_laws(law, 1.5, lead))
    expected, view = range_of_loss(p, q), range_view(law=law, epsilon=1.5, lead=lead)
    assert view.width * 1.5 == pytest.approx(expected.eta)
    assert view.rho == pytest.approx(expected.rho, rel=2e-3)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_range_epsilon_keeps_rho_below_an_eighth_wherever_the_first_stands(epsilon):
    view = range_view(law=EXPONENTIAL, epsilon=epsilon, lead=0.0)
    assert view.width == pytest.approx(1)
    assert view.curves[EXPONENTIAL].max() <= epsilon**2 / 8
    assert view.curves[FLIP].max() > 1.1 * epsilon**2 / 8


def test_picture_shows_the_losses_and_their_interval():
    explorer = LossRange()
    explorer.controls["lead"].value = 2.0
    log_p, log_q = log_laws(EXPONENTIAL, 1.0, 2.0)
    assert explorer.heads.get_xdata() == pytest.approx(log_p - log_q)
    assert explorer.heads.get_ydata().sum() == pytest.approx(1)
    assert explorer.band.get_width() == pytest.approx(1)
    assert to_hex(explorer.band.get_facecolor()) == to_hex(style.GREEN)


def test_caption_says_range_and_rho():
    explorer = LossRange()
    rho = explorer.view().rho
    assert f"in a range of ε, and this pair costs ρ = {rho:.3g}." in explorer.picture.tooltip
    explorer.controls["epsilon"].value = 2.0
    assert "A 50% guess becomes at most 88%." in explorer.picture.tooltip


def test_permute_and_flip_leaves_the_interval():
    explorer = LossRange()
    explorer.controls["law"].value = FLIP
    assert explorer.band.get_width() > 1.3
    assert to_hex(explorer.band.get_facecolor()) == to_hex(style.RED)
    assert "so too wide" in explorer.picture.tooltip
    assert explorer.note.get_text().endswith(" ε, too wide")


@pytest.mark.parametrize("law", LAWS)
def test_what_is_too_wide_is_never_said_to_be_just_epsilon(law):
    for epsilon in np.arange(1, 41) / 10:
        for lead in LEADS:
            log_p, log_q = log_laws(law, epsilon, lead)
            view = RangeView(epsilon, log_p - log_q, np.exp(log_p), 0.0, {})
            assert view.too_wide == (view.width > 1 + 1e-9)
            assert view.too_wide != (view.in_epsilons == "1.00 ε")


def test_dot_lies_on_the_curve_of_the_law_shown():
    explorer = LossRange()
    for law, line in zip(LAWS, explorer.lines, strict=True):
        explorer.controls["law"].value = law
        (x,), (y,) = explorer.here.get_data()
        assert y == pytest.approx(np.interp(x, LEADS, line.get_ydata()), rel=1e-6)


def test_everything_stays_inside_its_axes():
    explorer = LossRange()
    for law in LAWS:
        explorer.controls["law"].value = law
        for epsilon, lead in ((0.1, -10.0), (4.0, 0.0), (4.0, 10.0)):
            explorer.controls["epsilon"].value = epsilon
            explorer.controls["lead"].value = lead
            assert abs(explorer.heads.get_xdata()).max() <= 1 + 1e-9
            assert max(line.get_ydata().max() for line in explorer.lines) < 0.6
