from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

from dplab.accounting import RenyiCurve, advanced_composition, optimal_epsilon
from dplab.guarantees import ZCDP, ApproxDP, PureDP
from dplab.theorems.composition_curves import composition_curves, crossing_by_price
from tests.refusals import assert_refused


@pytest.mark.parametrize(
    ("epsilon", "k", "basic", "advanced", "simple", "optimal"),
    [
        (0.1, 100, 10, 6.3082, 5.7565, 4.7746),
        (0.01, 1000, 10, 1.7628, 1.7123, 1.3654),
        (1.0, 100, 100, 224.39, 102.57, 83.53),
    ],
)
def test_curves_pass_through_the_published_figures(epsilon, k, basic, advanced, simple, optimal):
    curves = composition_curves(epsilon, [1, k], delta=1e-6)
    found = [curves.basic[1], curves.advanced[1], curves.zcdp_simple[1], curves.optimal[1]]
    assert found == pytest.approx([basic, advanced, simple, optimal], rel=6e-5)


def test_each_curve_is_the_bound_of_its_own_module():
    curves = composition_curves(0.2, [3, 400], delta=1e-5)
    for i, k in enumerate(curves.ks.tolist()):
        rho = PureDP(0.2).to_zcdp().rho
        assert curves.zcdp[i] == pytest.approx(ZCDP(k * rho).to_approx(1e-5).epsilon, rel=1e-3)
        renyi = (k * RenyiCurve.of(PureDP(0.2))).to_approx(1e-5).epsilon
        assert curves.renyi[i] == pytest.approx(renyi, rel=1e-12)
        assert curves.optimal[i] == optimal_epsilon(ApproxDP(0.2, 0), k, delta=1e-5)


def test_no_curve_is_below_0():
    curves = composition_curves(1e-6, [1], delta=0.5)
    assert curves.zcdp[0] == curves.renyi[0] == curves.optimal[0] == 0


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.5])
@pytest.mark.parametrize("delta", [1e-2, 1e-9])
def test_who_sees_more_is_never_worse(epsilon, delta):
    curves = composition_curves(epsilon, [1, 7, 60, 900], delta=delta)
    ladder = [curves.optimal, curves.renyi, curves.zcdp, curves.zcdp_simple, curves.advanced]
    for better, worse in pairwise(ladder):
        assert (better <= worse * (1 + 1e-9)).all()
    assert (curves.optimal <= curves.basic * (1 + 1e-9)).all()


def test_all_but_basic_grow_like_the_root_where_the_drift_is_small():
    curves = composition_curves(1e-4, [10_000, 1_000_000], delta=1e-6)
    for name in ("advanced", "zcdp_simple"):
        one, hundred = getattr(curves, name)
        assert hundred / one == pytest.approx(10, rel=0.02)
    for name in ("zcdp", "renyi", "optimal"):  # whose factor beside the root still grows
        one, hundred = getattr(curves, name)
        assert 10 < hundred / one < 12
    assert curves.basic[1] / curves.basic[0] == 100


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.69])
@pytest.mark.parametrize("delta", [1e-3, 1e-9])
def test_the_crossing_is_where_the_two_curves_meet(epsilon, delta):
    def gap(k):  # of the formulas, at a k that need not be whole
        return np.sqrt(2 * k * np.log(1 / delta)) + k * np.expm1(epsilon) - k

    k = crossing_by_price(epsilon, delta=delta)
    assert brentq(gap, 1e-3, 1e9, xtol=1e-6) == pytest.approx(k, rel=1e-6)
    for whole in (int(k), int(k) + 1):
        bound = advanced_composition(ApproxDP(epsilon, 0), whole, delta=delta).epsilon
        assert (bound < whole * epsilon) == (whole > k)


def test_from_ln_2_on_advanced_composition_never_wins():
    assert crossing_by_price(np.log(2), delta=1e-6) == np.inf
    assert crossing_by_price(0.8, delta=0.5) == crossing_by_price(3.0, delta=0.5) == np.inf
    assert crossing_by_price(0.69, delta=1e-6) < 1e7


def test_bad_arguments_are_named():
    calls = [
        (lambda: composition_curves(0, [1], delta=0.1), "epsilon must be .* not 0"),
        (lambda: composition_curves(1, [0], delta=0.1), "ks must be a whole number"),
        (lambda: composition_curves(1, [1], delta=1), "delta must be .* not 1"),
        (lambda: crossing_by_price(1, delta=0), "delta must be .* not 0"),
        (lambda: crossing_by_price(1, delta=1), "delta must be .* not 1"),
        (lambda: crossing_by_price(0, delta=0.1), "epsilon must be .* not 0"),
    ]
    assert_refused(calls)
