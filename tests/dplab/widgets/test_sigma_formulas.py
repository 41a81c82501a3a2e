import re

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


def test_caption_says_which_formulas_hold_and_how_far():
    explorer = SigmaFormulas()
    said = explorer.picture.tooltip
    assert said.count("keeps the promise") == 2
    assert "√(ln(1/δ)) Δ/ε = 3.39 breaks it: it holds up to ε = 0.32" in said
    assert "the least σ is 3.73 sensitivities" in said
    explorer.controls["epsilon"].value = 0.2
    assert explorer.picture.tooltip.count("keeps the promise") == 3
    explorer.controls["epsilon"].value = 20.0
    assert explorer.picture.tooltip.count("breaks it") == 3


@pytest.mark.parametrize("exponent", range(2, 13))
def test_no_formula_breaks_at_the_epsilon_up_to_which_it_is_said_to_hold(exponent):
    explorer = SigmaFormulas()
    explorer.controls["exponent"].value = exponent
    for _, epsilon in explorer.controls["epsilon"].options:
        explorer.controls["epsilon"].value = epsilon
        verdicts = re.findall(
            r"(keeps|breaks) .{2,11}: it holds up to ε = ([\d.]+)[.]", explorer.picture.tooltip
        )
        assert len(verdicts) == 3
        assert all((verdict == "keeps") == (epsilon <= float(last)) for verdict, last in verdicts)


def test_another_delta_moves_the_curves():
    explorer = SigmaFormulas()
    before = explorer.curves[2].get_ydata()
    explorer.controls["exponent"].value = 9
    assert (explorer.curves[2].get_ydata() > before).all()
    assert "holds up to ε = 0.0084" in explorer.picture.tooltip
