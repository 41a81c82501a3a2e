import numpy as np
import pytest

from dplab import GaussianMechanism
from dplab.learning.objective_perturbation import ObjectivePerturbation
from dplab.learning.risk import LOGISTIC, RegularizedRisk, clip_rows
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.mechanisms.laplace import SphericalLaplaceMechanism
from dplab.theorems.private_risk import excess_risk

NAMES = ("output_pure", "output_normal", "gradient")  # with exact slopes


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_rates_are_those_of_the_theorem(epsilon):
    """Slopes in n and in d, exactly."""

    def slopes(first, second, ratio):
        pairs = ((getattr(second, name), getattr(first, name)) for name in NAMES)
        return [np.log(after / before) / np.log(ratio) for after, before in pairs]

    base = excess_risk(1000, 20, epsilon=epsilon, delta=1e-6)
    more = excess_risk(8000, 20, epsilon=epsilon, delta=1e-6)
    wider = excess_risk(1000, 160, epsilon=epsilon, delta=1e-6)
    assert slopes(base, more, 8) == pytest.approx([-1 / 2, -1 / 2, -1])
    assert slopes(base, wider, 8) == pytest.approx([1 / 2, 1 / 4, 1 / 2])


def test_the_regularizers_are_the_best_for_the_bounds():
    n, d, epsilon, slope, radius = 500, 7, 0.8, 1.5, 3.0
    bounds = excess_risk(n, d, epsilon=epsilon, delta=1e-5, lipschitz=slope, radius=radius)
    c = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=1e-5)
    lengths = {"pure": d / epsilon, "normal": c * np.sqrt(d)}
    for kind, length in lengths.items():
        best = getattr(bounds, f"regularizer_{kind}")

        def bound(strength, length=length):
            return slope * length * 2 * slope / (n * strength) + strength * radius**2 / 2

        assert bound(best) == pytest.approx(getattr(bounds, f"output_{kind}"))
        assert bound(best) <= min(bound(0.99 * best), bound(1.01 * best))


def test_the_objective_has_the_rate_d_over_n_and_the_best_regularizer():
    n, d, epsilon, slope, radius, bend = 500, 7, 0.8, 1.5, 3.0, 0.6
    numbers = {"epsilon": epsilon, "delta": 1e-5, "lipschitz": slope, "radius": radius}
    found = excess_risk(n, d, smoothness=bend, **numbers)
    best = found.regularizer_objective

    def bound(strength, left):
        return strength * radius**2 / 2 + d * (d + 1) * (2 * slope / left / n) ** 2 / strength

    left = epsilon / (1 + bend * radius / (2 * slope * np.sqrt(2 * d * (d + 1))))
    assert np.log1p(bend / (n * best)) <= epsilon - left  # what the mechanism takes
    assert bound(best, left) == pytest.approx(found.objective_pure)
    assert bound(best, left) <= min(bound(0.99 * best, left), bound(1.01 * best, left))
    assert excess_risk(5 * n, d, **numbers).objective_pure == pytest.approx(
        excess_risk(n, d, **numbers).objective_pure / 5
    )


def test_more_steps_come_near_the_limit():
    few, many, limit = (
        excess_risk(900, 4, epsilon=1.0, delta=1e-5, steps=steps).gradient
        for steps in (10, 10**9, None)
    )
    assert few == pytest.approx(np.sqrt(limit**2 + 1 / 10))
    assert limit < many < 1.001 * limit


@pytest.mark.parametrize("n", [200, 2000])
def test_output_perturbation_stays_below_its_bound(n):
    """The mean excess over the best model of length 1, of 200 models. A model's excess is at most
    L times the length of its noise, whose deviation is below its mean: 8 deviations of the mean of
    200 are allowed."""
    rng, d, epsilon, delta = np.random.default_rng(), 5, 1.0, 1e-5
    x = clip_rows(rng.normal(size=(n, d)))
    labels = np.where(x[:, 0] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    records = np.column_stack([x, labels])
    bounds = excess_risk(n, d, epsilon=epsilon, delta=delta)
    best = RegularizedRisk(LOGISTIC, n, 1e-4).minimizer(records)
    best *= min(1, 1 / np.linalg.norm(best))  # a model of length 1, no worse than which is the best
    for kind in ("pure", "normal", "objective"):
        risk = RegularizedRisk(LOGISTIC, n, getattr(bounds, f"regularizer_{kind}"))
        if kind == "objective":
            release = ObjectivePerturbation(risk, epsilon)
        elif kind == "pure":
            release = SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, epsilon)
        else:
            release = GaussianMechanism.for_epsilon(
                risk.minimizer, sensitivity=risk.sensitivity, epsilon=epsilon, delta=delta
            )
        models = release.distribution(records).sample(rng, 200)
        values = np.logaddexp(0, -(x @ models.T) * labels[:, None]).mean(axis=0)
        excess = values.mean() - LOGISTIC.evaluate(best, records).mean()
        bound = getattr(bounds, "objective_pure" if kind == "objective" else f"output_{kind}")
        assert excess < bound + 8 * values.std() / 200**0.5
        if kind != "objective":  # whose models may be longer than 1, and then better
            assert excess > -0.1  # it is compared with something good


def test_bad_numbers_are_refused():
    for name, value in (
        ("epsilon", 0.0),
        ("delta", 0.0),
        ("lipschitz", -1.0),
        ("radius", 0.0),
        ("smoothness", 0.0),
    ):
        with pytest.raises(ValueError, match=f"{name} must be"):
            excess_risk(10, 2, **{"epsilon": 1.0, "delta": 1e-5, name: value})
    with pytest.raises(ValueError, match="steps must be"):
        excess_risk(10, 2, epsilon=1.0, delta=1e-5, steps=0)
    with pytest.raises(ValueError, match="d must be"):
        excess_risk(10, 0, epsilon=1.0, delta=1e-5)
