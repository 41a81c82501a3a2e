import numpy as np
import pytest

from dplab.mechanisms.gaussian import GaussianMechanism, analytic_sigma
from dplab.widgets import SigmaFormulas
from dplab.widgets.sigma_formulas import FORMULAS, formula_view


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 12.0])
def test_ratios_are_those_of_the_mechanism(epsilon):
    view = formula_view(np.array([epsilon]), delta=1e-6)
    for row, formula in enumerate(FORMULAS):
        sigma = formula.sigma(epsilon=epsilon, delta=1e-6)
        delta = GaussianMechanism(sum, 1, sigma, epsilon).guarantee.delta
        assert view.delta_ratios[row, 0] == pytest.approx(delta / 1e-6)
        least = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=1e-6)
        assert view.sigma_ratios[row, 0] == pytest.approx(sigma / least)


def test_too_much_delta_is_too_little_noise():
    for delta in (1e-2, 1e-5, 1e-12):
        view = formula_view(np.logspace(-2, 1.3, 40), delta=delta)
        assert ((view.delta_ratios > 1) == (view.sigma_ratios < 1)).all()
        assert (np.diff(view.delta_ratios) > 0).all()


def test_dots_lie_on_their_curves():
    explorer = SigmaFormulas()
    explorer.controls["epsilon"].value = 0.1
    for curve, dot in zip(explorer.curves, explorer.dots, strict=True):
        logs = np.log(curve.get_xdata()), np.log(curve.get_ydata())
        here = np.interp(np.log(dot.get_xdata()[0]), *logs)
        assert np.log(dot.get_ydata()[0]) == pytest.approx(here, abs=0.01)


def test_caption_says_how_many_formulas_hold():
    explorer = SigmaFormulas()
    for epsilon, said in (
        (1.0, "Two of the formulas keep the promise: a 50% guess becomes at most 73%"),
        (0.2, "All three of the formulas keep the promise: a 50% guess becomes at most 55%"),
        (20.0, "None of the formulas keep the promise"),
    ):
        explorer.controls["epsilon"].value = epsilon
        assert explorer.picture.tooltip.startswith(said)


@pytest.mark.parametrize("exponent", range(2, 13))
def test_as_many_formulas_are_said_to_hold_as_have_dots_outside_of_the_red(exponent):
    explorer, numbers = SigmaFormulas(), ("None", "One", "Two", "All three")
    explorer.controls["exponent"].value = exponent
    for _, epsilon in explorer.controls["epsilon"].options:
        explorer.controls["epsilon"].value = epsilon
        holding = sum(dot.get_ydata()[0] <= 1 for dot in explorer.dots[:3])
        assert holding == sum(dot.get_ydata()[0] >= 1 for dot in explorer.dots[3:])
        assert explorer.picture.tooltip.startswith(f"{numbers[holding]} of the formulas keep")


def test_a_smaller_delta_raises_the_third_curve_and_its_dot():
    explorer = SigmaFormulas()
    curve, dot = (artist[2].get_ydata() for artist in (explorer.curves, explorer.dots))
    explorer.controls["exponent"].value = 9
    assert (explorer.curves[2].get_ydata() > curve).all()
    assert explorer.dots[2].get_ydata()[0] > dot[0]
