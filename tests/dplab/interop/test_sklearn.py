"""Private classifiers in scikit-learn: its own checks, and what they promise."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from dplab import PureDP, SphericalLaplaceMechanism
from dplab.accounting import Release, epsilon_bounds
from dplab.interop import sklearn
from dplab.interop.sklearn import PrivateGradientDescent, PrivateLogisticRegression
from dplab.learning import LOGISTIC, NoisyGradientDescent, ObjectivePerturbation, RegularizedRisk
from tests.refusals import assert_refused

pytest.importorskip("sklearn", minversion="1.6", reason="older versions have other checks")

ESTIMATORS = [
    PrivateLogisticRegression(),
    PrivateLogisticRegression(perturbation="output"),
    PrivateGradientDescent(),
]
# No check contradicts privacy: the seeds that checks set repeat the noise, and the tag `poor_score`
# says that no check may expect a high accuracy on few rows.
EXPECTED_FAILURES: dict[str, str] = {}


def rows(n, seed=1):
    """Return n rows and labels that a line separates, up to a few."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X @ [1.0, 0.3, 0.0] + 0.3 * rng.normal(size=n) > 0, "yes", "no")


def seen(estimator, X, y, monkeypatch):
    """Return the records that the mechanism of the estimator sees."""
    records = []

    def mechanism(data, rng):
        records.append(data)
        return np.zeros(data.shape[1] - 1)

    mechanism.guarantee, mechanism.step_loss, mechanism.steps = PureDP(1), PureDP(1), 1
    monkeypatch.setattr(type(estimator), "_mechanism", lambda self, n: mechanism)
    estimator.fit(X, y)
    return records[0]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_scikit_learn_accepts_the_estimator(estimator):
    results = check_estimator(
        estimator, expected_failed_checks=EXPECTED_FAILURES, on_skip=None, on_fail=None
    )
    statuses = [each["status"] for each in results]
    assert [each for each in results if each["status"] not in ("passed", "skipped")] == []
    assert statuses.count("passed") > 50


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_a_model_predicts_and_keeps_its_guarantee(estimator):
    X, y = rows(2000)
    model = clone(estimator).set_params(norm=2.0, random_state=7).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(X, y) > 0.85
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert ((model.predict_proba(X)[:, 1] > 0.5) == (model.predict(X) == "yes")).all()
    assert model.guarantee_.epsilon == pytest.approx(1.0, rel=1e-3)
    assert model.guarantee_.epsilon <= 1.0
    assert pickle.loads(pickle.dumps(model)).release_ == model.release_
    assert min(cross_val_score(model, X, y, cv=2)) > 0.8


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_records_have_a_public_bound_and_know_no_other_record(estimator, monkeypatch):
    X, y = rows(20)
    X[3] = 1e6
    model = clone(estimator).set_params(norm=2.0)
    records = seen(model, X, y, monkeypatch)
    lengths = np.linalg.norm(records[:, :-1], axis=1)
    assert lengths.max() == pytest.approx(1.0, abs=1e-12)
    assert lengths.min() >= np.sqrt(0.5)  # that of the constant
    assert (records[:, -1] == np.where(y == "yes", 1, -1)).all()
    others = X.copy()
    others[:10] *= 1e3
    assert (seen(model, others, y, monkeypatch)[10:] == records[10:]).all()


def test_the_mechanisms_are_those_of_the_library(monkeypatch):
    X, y = rows(50)
    with monkeypatch.context() as patch:
        records = seen(PrivateLogisticRegression(norm=2.0), X, y, patch)
    is_whole = np.linalg.norm(X, axis=1) <= 2  # other rows are shortened for training only
    assert 10 < is_whole.sum() < 50
    risk, how = RegularizedRisk(LOGISTIC, 50, 0.05), {"norm": 2.0, "random_state": 7}
    steps = {"clip": 0.1, "steps": 3, "learning_rate": 2.0}
    for model, mechanism in (
        (
            PrivateLogisticRegression(3.0, regularizer=0.05, **how),
            ObjectivePerturbation(risk, 3.0),
        ),
        (
            PrivateLogisticRegression(3.0, regularizer=0.05, perturbation="output", **how),
            SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, 3.0),
        ),
        (
            PrivateGradientDescent(3.0, **steps, **how),
            NoisyGradientDescent.for_epsilon(LOGISTIC, 50, epsilon=3.0, **steps),
        ),
    ):
        model.fit(X, y)
        assert model.guarantee_ == mechanism.guarantee
        scores = records[:, :-1] @ mechanism(records, sklearn._generator(7))
        assert np.allclose(model.decision_function(X)[is_whole], scores[is_whole])


def test_descents_add_up_by_their_steps():
    X, y = rows(50)
    how = {"delta": 1e-6, "clip": 0.25, "steps": 20, "learning_rate": 2.0}
    model = PrivateGradientDescent(2.0, **how).fit(X, y)
    same = NoisyGradientDescent.for_epsilon(LOGISTIC, 50, epsilon=2.0, **how)
    assert (model.guarantee_, model.release_) == (same.guarantee, Release(same.step_loss, 20))
    both = epsilon_bounds([model.release_] * 2, delta=1e-6).upper
    assert model.guarantee_.epsilon < both < 2 * model.guarantee_.epsilon
    sample = PrivateGradientDescent(2.0, steps=1, batch=10, norm=4.0)._mechanism(50)
    assert (sample.batch, sample.delta, sample.steps) == (10, 1e-5, 1)


def test_noise_is_fresh_without_a_state_and_repeats_with_one():
    X, y = rows(50)
    for estimator in ESTIMATORS:
        states = (None, None, 7, 7, np.random.RandomState(7), 8)
        fits = [clone(estimator).set_params(random_state=s).fit(X, y).coef_ for s in states]
        assert len({tuple(coef.ravel()) for coef in fits}) >= 4  # no two floats agree by chance
        assert (fits[2] == fits[3]).all()
        assert (fits[0] != fits[1]).all()


def test_labels_may_be_any_two_and_public():
    X, y = rows(50)
    for classes in ((0, 1), (-1, 1), ("b", "a"), (False, True), (2.0, 7.0)):
        labels = np.array(classes)[(y == "yes").astype(int)]
        model = PrivateLogisticRegression(50.0, random_state=7).fit(X, labels)
        assert model.classes_.tolist() == sorted(classes)
        given = PrivateLogisticRegression(50.0, random_state=7, classes=classes).fit(X, labels)
        assert (given.coef_ == model.coef_).all()
    alone = PrivateLogisticRegression(classes=("no", "yes")).fit(X, ["no"] * 50)
    assert alone.predict_proba(X).shape == (50, 2)


def test_what_does_not_fit_is_refused():
    X, y = rows(50)

    def fit(*labels, of=PrivateLogisticRegression, **parameters):
        return lambda: of(**parameters).fit(X, labels or y)

    assert_refused(
        [
            (fit(*["no"] * 50), "only one class is present: pass classes"),
            (fit(*[0, 1, 2] * 10, *[0] * 20), "Only binary classification is supported"),
            (fit(classes=("a", "b")), "y must hold only labels of classes"),
            (fit(classes=("a", "b", "c")), "Only binary classification"),
            (fit(norm=0), "norm must be a finite number above 0, not 0"),
            (fit(epsilon=0), "epsilon must be a finite number above 0"),
            (fit(epsilon=-1, of=PrivateGradientDescent), "epsilon must be a finite number above 0"),
            (fit(perturbation="input"), "perturbation must be one of 'objective', 'output'"),
            (fit(regularizer=1e-9), "regularizer must be above"),
            (fit(random_state="seed"), "cannot be used to seed"),
        ]
    )
