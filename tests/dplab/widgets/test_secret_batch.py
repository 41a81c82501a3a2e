import numpy as np
import pytest

from dplab.accounting import Release, epsilon_bounds
from dplab.losses import GaussianLoss, poisson_sampled_loss
from dplab.widgets import SecretBatch
from dplab.widgets.secret_batch import (
    DELTA,
    LEAST,
    MOST,
    ORDERS,
    STEPS,
    batch_view,
    secret_epsilons,
    step_moments,
)
from dplab.widgets.words import rough


@pytest.mark.parametrize(("noise", "rate"), [(0.8, 0.5), (2.0, 0.1), (20.0, 0.01), (3.0, 1)])
def test_moments_are_those_of_the_sampled_loss(noise, rate):
    loss, found = (
        poisson_sampled_loss(GaussianLoss(1 / noise), rate=rate),
        step_moments(noise, rate),
    )
    for place in (0, 3, len(ORDERS) // 2):
        alpha = float(ORDERS[place])
        assert found[place] == pytest.approx(loss.renyi(alpha), rel=1e-6)
        assert loss.reverse().renyi(alpha) <= found[place] * (1 + 1e-6)


@pytest.mark.parametrize(("noise", "rate"), [(1.0, 0.2), (2.0, 0.1), (6.3, 0.5)])
def test_secret_batches_cost_at_most_what_is_drawn_and_not_much_less(noise, rate):
    loss = poisson_sampled_loss(GaussianLoss(1 / noise), rate=rate)
    for place in (12, 20):
        steps = int(STEPS[place])
        exact = epsilon_bounds([Release(loss, steps)], delta=DELTA).upper
        drawn = secret_epsilons(noise, rate)[place]
        assert exact <= drawn * (1 + 1e-9)
        assert drawn <= 1.3 * exact + 0.05


def test_known_batches_are_as_many_full_steps_as_one_person_is_in():
    view = batch_view(2.0, 0.1, 95)
    assert view.here[1] == pytest.approx(GaussianLoss(np.sqrt(10) / 2).epsilon(DELTA))
    assert view.here[0] == pytest.approx(GaussianLoss(np.sqrt(95) / 2).epsilon(DELTA))
    everybody = batch_view(2.0, 1.0, 7)
    assert everybody.here == pytest.approx([everybody.here[0]] * 3)


def test_picture_follows_the_controls():
    explorer = SecretBatch()
    for name, value in (("noise", 4.0), ("rate", 0.25), ("steps", 40)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert [bar.get_height() for bar in explorer.bars] == pytest.approx(view.sampled)
    assert view.sampled.sum() == pytest.approx(1)
    for line, epsilons in zip(explorer.lines, view.epsilons, strict=True):
        assert line.get_ydata() == pytest.approx(np.clip(epsilons, LEAST, MOST))
    assert list(explorer.marker.get_xdata()) == [40, 40]
    everybody, ordered, secret = view.here
    assert explorer.picture.tooltip == (
        f"40 steps cost ε = {rough(everybody)} with everybody in each, {rough(ordered)} with "
        f"batches in a known order, and at most {rough(secret)} with secret batches."
    )
    explorer.controls["steps"].value = 1
    assert "1 step costs" in explorer.picture.tooltip
