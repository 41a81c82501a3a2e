"""scikit-learn: private linear classifiers with its interface for estimators.

`fit` publishes a model that keeps `guarantee_` when one person's row and label are replaced. So the
number of rows is public. Everything that the fit may know in advance is an argument. Rows are
shortened to the L2 length `norm`, and no bound is learned from the data. Don't scale the data by
their own mean or deviation before. Each fit costs epsilon again, and a search over parameters has
many fits.

    model = PrivateLogisticRegression(epsilon=1.0, norm=10.0).fit(X, y)
    model.predict(X), model.guarantee_

`random_state` None takes the noise from the operating system. A number is for tests only: a reader
who knows it can compute the noise and subtract it. Noise consists of floats, whose low bits leak
(`dplab.mechanisms.laplace`).

Sources: Chaudhuri, Monteleoni and Sarwate (2011); Bassily, Smith and Thakurta (2014); Buitinck and
others (2013) for the interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dplab import arguments, optional
from dplab.accounting import Release
from dplab.learning import (
    LOGISTIC,
    NoisyGradientDescent,
    ObjectivePerturbation,
    RegularizedRisk,
    clip_rows,
)
from dplab.mechanism import Mechanism
from dplab.mechanisms.laplace import SphericalLaplaceMechanism

with optional.packages_for("dplab.interop.sklearn", "'dplab[scikit-learn]'"):
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_random_state, validation
    from sklearn.utils.multiclass import check_classification_targets


class PrivateLinearClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A classifier of two labels by the sign of <coef_, x> + intercept_, trained privately.

    Subclasses say which mechanism of `dplab.learning` trains it. It sees the record
    (x / norm, 1) / sqrt(2), of length at most 1, and the label as -1 or 1. A fit sets `guarantee_`,
    for neighbours that replace one person, and `release_` for the account, which may know more.
    """

    norm: float
    classes: Any
    random_state: Any

    @abstractmethod
    def _mechanism(self, n: int) -> Mechanism:
        """Return the mechanism that trains on n records."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on rows `X`, shape (n, d), and labels `y`, shape (n,).

        Raises ValueError for other shapes, values that are not finite, and for labels other than
        two, or other than `classes`.
        """
        X, y = _validate(self, X, y, dtype=float)
        check_classification_targets(y)
        self.classes_ = self._two_classes(y)
        signs = np.where(y == self.classes_[1], 1.0, -1.0)
        norm = arguments.number("norm", self.norm, above=0)
        features = np.column_stack([clip_rows(X, norm) / norm, np.ones(len(X))]) / np.sqrt(2)
        # the product may be a bit longer than 1
        records = np.column_stack([clip_rows(features), signs])
        mechanism = self._mechanism(len(X))
        model = mechanism(records, _generator(self.random_state)) / np.sqrt(2)
        self.coef_, self.intercept_ = model[None, :-1] / norm, model[-1:]
        self.guarantee_, self.release_ = mechanism.guarantee, self._release(mechanism)
        return self

    def _release(self, mechanism: Any) -> Release:
        """Return the release of the model, without the mechanism, which can't be pickled."""
        return Release(mechanism.guarantee)

    def _two_classes(self, y: np.ndarray) -> np.ndarray:
        """Return the two labels, sorted. Raises ValueError if y has others or they are not two."""
        labels = np.unique(y)
        classes = labels if self.classes is None else np.unique(self.classes)
        if len(classes) == 1:
            raise ValueError("Classifier can't train when only one class is present: pass classes")
        if len(classes) > 2:
            raise ValueError("Only binary classification is supported, and there are more labels")
        if not np.isin(labels, classes).all():
            raise ValueError("y must hold only labels of classes")
        return classes

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Return <coef_, x> + intercept_ for each row, shape (n,); above 0 for `classes_[1]`."""
        validation.check_is_fitted(self)
        X = _validate(self, X, reset=False, dtype=float)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row, shape (n,)."""
        is_second = self.decision_function(X) > 0
        return self.classes_[is_second.astype(int)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the probability of each label, shape (n, 2), in the order of `classes_`."""
        score = self.decision_function(X)
        return np.column_stack([expit(-score), expit(score)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True  # noise is large on few rows
        return tags


class PrivateLogisticRegression(PrivateLinearClassifier):
    """Logistic regression with a ridge penalty, epsilon-DP.

    `perturbation` says where the noise is: "objective" (`ObjectivePerturbation`) or "output"
    (`SphericalLaplaceMechanism`). Rows longer than `norm` are shortened. `regularizer` is that of
    `RegularizedRisk`, for records of length 1. None is 0.01, or more if there are so few rows that
    curvature would cost more than half of epsilon. `classes` are the two labels; None takes them
    from y, which tells that both occur. A fit raises ValueError for parameters that are out of
    range.

    >>> X, y = [[0.6, 0.3], [0.1, 0.9]] * 500, [1, 0] * 500
    >>> model = PrivateLogisticRegression(epsilon=1.0, classes=(0, 1)).fit(X, y)
    >>> model.predict([[0.8, 0.1]]).shape, model.guarantee_
    ((1,), PureDP(epsilon=1.0))
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        norm: float = 1.0,
        *,
        regularizer: float | None = None,
        perturbation: str = "objective",
        classes: ArrayLike | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.norm = norm
        self.regularizer = regularizer
        self.perturbation = perturbation
        self.classes = classes
        self.random_state = random_state

    def _mechanism(self, n: int) -> Mechanism:
        epsilon, regularizer = arguments.number("epsilon", self.epsilon, above=0), self.regularizer
        if regularizer is None:
            regularizer = max(0.01, LOGISTIC.smoothness / (n * np.expm1(epsilon / 2)))
        risk = RegularizedRisk(LOGISTIC, n, regularizer)
        arguments.one_of("perturbation", self.perturbation, ("objective", "output"))
        if self.perturbation == "objective":
            return ObjectivePerturbation(risk, epsilon)
        return SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, epsilon)


class PrivateGradientDescent(PrivateLinearClassifier):
    """Logistic regression by noisy gradient descent, (epsilon, delta)-DP.

    `clip`, `steps`, `learning_rate` and `batch` are those of `NoisyGradientDescent`, for records of
    length 1; the rest as for `PrivateLogisticRegression`.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        norm: float = 1.0,
        *,
        delta: float = 1e-5,
        clip: float = 0.5,
        steps: int = 50,
        learning_rate: float = 4.0,
        batch: int | None = None,
        classes: ArrayLike | None = None,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.norm = norm
        self.delta = delta
        self.clip = clip
        self.steps = steps
        self.learning_rate = learning_rate
        self.batch = batch
        self.classes = classes
        self.random_state = random_state

    def _mechanism(self, n: int) -> Mechanism:
        return NoisyGradientDescent.for_epsilon(
            LOGISTIC,
            n,
            epsilon=self.epsilon,
            clip=self.clip,
            steps=self.steps,
            learning_rate=self.learning_rate,
            delta=self.delta,
            batch=self.batch,
        )

    def _release(self, mechanism: NoisyGradientDescent) -> Release:
        return Release(mechanism.step_loss, mechanism.steps)


def _validate(*arguments: Any, **options: Any) -> Any:
    """Return what scikit-learn's `validate_data` does; raise Absent for a version without it."""
    if not hasattr(validation, "validate_data"):
        raise optional.Absent(
            "dplab.interop.sklearn needs scikit-learn 1.6 or newer: "
            "pip install 'dplab[scikit-learn]'"
        )
    return validation.validate_data(*arguments, **options)


def _generator(random_state: Any) -> np.random.Generator:
    """Return a generator for the noise, from the operating system unless a state is given."""
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(check_random_state(random_state).randint(2**31, size=8))
