import numpy as np
import pytest

from dplab.learning.gradient_descent import clipped_sum
from dplab.losses import GaussianLoss
from dplab.widgets import RecordThreshold
from dplab.widgets import record_threshold as module


def test_models_trained_at_once_are_those_trained_one_by_one():
    rng = np.random.default_rng()
    x, labels = module.people(rng)
    members = rng.random((3, module.PEOPLE)) < 0.5
    found = module.train_all(members, x, labels, 0.0, rng)
    for model, chosen in zip(found, members, strict=True):
        theta = np.zeros(module.FEATURES)
        for _ in range(module.STEPS):
            slopes = -labels / (1 + np.exp(labels * (x @ theta)))
            step = clipped_sum(x[chosen], slopes[chosen], module.CLIP)
            theta = theta - module.RATE / (module.PEOPLE / 2) * step
        assert model == pytest.approx(theta, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("epsilon", [1.0, 8.0])
def test_noise_keeps_the_promise_of_all_steps(epsilon):
    width = np.sqrt(module.STEPS) / module.noise_for(epsilon)
    assert GaussianLoss(width).epsilon(module.DELTA) == pytest.approx(epsilon, rel=1e-6)


def test_picture_follows_the_controls():
    explorer = RecordThreshold()
    explorer.controls["person"].value = 100
    for epsilon in module.EPSILONS.values():
        explorer.controls["privacy"].value = epsilon
        view = explorer.view()
        assert sum(bar.get_height() for bar in explorer.bars) == len(view.inside)
        assert sum(explorer.outline.get_ydata()[:-1]) == len(view.outside)
        assert len(view.inside) + len(view.outside) == module.SHADOWS
        for line, shares in zip(explorer.lines, (view.one, view.own, view.limit), strict=True):
            assert line.get_ydata() == pytest.approx(np.maximum(shares, module.LEAST_SHARE))
        assert (np.diff(view.own) >= 0).all()
    before = view.inside
    explorer.controls["again"].click()
    assert not np.array_equal(explorer.view().inside, before)


def test_the_frame_is_as_high_as_the_scores_need():
    """The highest bin is one of models without the person for the first two, with for the rest."""
    explorer = RecordThreshold()
    for person in (4, 132, 3, 31, 140):
        explorer.controls["person"].value = person
        inside = max(bar.get_height() for bar in explorer.bars)
        outside = max(explorer.outline.get_ydata())
        assert (outside > inside) == (person in (4, 132))
        fitting = [height for height in module.HEIGHTS if height > max(inside, outside)]
        assert explorer.left_ax.get_ylim() == (0, fitting[0])


def test_a_threshold_for_each_record_finds_more_and_privacy_less():
    explorer = RecordThreshold()
    place = int(np.argmin(np.abs(module.FALSE_RATES - 0.01)))
    plain = explorer.view()
    assert plain.own[place] > 3 * plain.one[place]
    explorer.controls["privacy"].value = 1.0
    private = explorer.view()
    assert private.own[place] < plain.own[place] / 2
    limit = 100 * private.limit[place]
    promise = f"The promise allows no more than {limit:.2g}%: a 50% guess becomes at most 73%."
    assert promise in explorer.picture.tooltip


def test_caption_says_shares_and_the_score_of_this_person():
    explorer, place = RecordThreshold(), int(np.argmin(np.abs(module.FALSE_RATES - 0.01)))
    for person, verb in ((140, "raises"), (133, "lowers")):
        explorer.controls["person"].value = person
        view = explorer.view()
        change = view.inside.mean() - view.outside.mean()
        assert (change > 0) == (verb == "raises")
        assert explorer.picture.tooltip == (
            f"With 1% of the outsiders accused, one threshold for all finds "
            f"{100 * view.one[place]:.1g}% of the members, a threshold for each "
            f"{view.own[place]:.0%}. Training with person {person} {verb} the score by "
            f"{abs(change):.1f}."
        )
