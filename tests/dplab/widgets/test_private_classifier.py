import numpy as np
import pytest

from dplab.learning.risk import LOGISTIC, RegularizedRisk
from dplab.widgets import PrivateClassifier
from dplab.widgets.private_classifier import (
    DRAWN,
    METHODS,
    MODELS,
    PLACES,
    accuracies,
    boundary,
    tumours,
)


def test_tumours_keep_the_theorems_assumption():
    records = tumours()
    assert records.shape == (569, 4)
    assert np.linalg.norm(records[:, :-1], axis=1).max() <= 1


def test_accuracies_count_and_a_boundary_is_where_the_model_says_0():
    rng = np.random.default_rng()
    models, records = rng.normal(size=(5, 3)), tumours()
    for model, share in zip(models, accuracies(models), strict=True):
        right = sum((record[:3] @ model > 0) == (record[3] > 0) for record in records)
        assert share == pytest.approx(right / len(records))
        xs, ys = boundary(model)
        assert model @ [xs, ys, [0.3, 0.3]] == pytest.approx([0, 0], abs=1e-9)


def test_picture_follows_the_controls():
    explorer = PrivateClassifier()
    for name, value in (("epsilon", 10.0), ("regularizer", 0.001), ("clip", 0.02)):
        explorer.controls[name].value = value
    for method in METHODS:
        explorer.controls["method"].value = method
        view = explorer.view()
        assert len(view.models[method]) == MODELS
        for line, model in zip(explorer.lines, view.models[method][:DRAWN], strict=True):
            assert np.asarray(line.get_data()) == pytest.approx(np.asarray(boundary(model)))
    best = RegularizedRisk(LOGISTIC, 569, 0.001).minimizer(tumours())
    assert explorer.view().plain == pytest.approx(best)
    for dots, models in zip(explorer.dots, explorer.view().models.values(), strict=True):
        assert dots.get_xdata() == pytest.approx(accuracies(models))
        assert len(dots.get_xdata()) == MODELS
        assert explorer.right_ax.get_xlim()[0] <= min(dots.get_xdata())
    before = explorer.view().models["output"]
    explorer.controls["again"].click()
    assert (explorer.view().models["output"] != before).all()


def test_what_the_proof_does_not_allow_is_refused_in_the_picture():
    explorer = PrivateClassifier()
    explorer.controls["method"].value = "objective"
    explorer.controls["regularizer"].value = 0.001
    explorer.controls["epsilon"].value = 0.1
    assert explorer.view().drawn_models is None
    assert not any(line.get_visible() for line in explorer.lines)
    assert "minimised the method is refused, for λ leaves nothing of ε." in explorer.picture.tooltip
    explorer.controls["epsilon"].value = 1.0
    assert all(line.get_visible() for line in explorer.lines)


def test_caption_says_guess_and_shares():
    explorer = PrivateClassifier()
    view = explorer.view()
    plain = accuracies(view.plain[None])[0]
    for name in METHODS:
        explorer.controls["method"].value = name
        assert explorer.picture.tooltip == (
            f"With noise {PLACES[name]} the models are right for "
            f"{accuracies(view.models[name]).mean():.0%} of the tumours, without noise for "
            f"{plain:.0%}. A 50% guess becomes at most 73%."
        )
