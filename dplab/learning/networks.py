"""Models whose gradient is known for each record: a linear model, and a small neural network.

Private training needs the length of every record's own gradient. A layer z = h A + a with the
record's input h has the gradient h' g for A and g for a, where g is the gradient for z: an outer
product, whose length is |g| (|h|^2 + 1)^{1/2}. So all lengths cost two norms for each layer, and no
gradient is stored. The clipped sum is a product of matrices with weighted rows.

Sources: Goodfellow (2015) for the lengths; Lee and Kifer (2021) and Li, Tramer, Liang and Hashimoto
(2022) for clipping by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab import records as checks
from dplab.learning.gradient_descent import clipped_sum
from dplab.learning.risk import Objective, split


class Model(Protocol):
    """A model with a vector of parameters, and records with features and a label in each row."""

    def start(self, rng: np.random.Generator) -> np.ndarray:
        """Return the parameters before the first step; they don't depend on any record."""

    def clipped_sum(self, theta: np.ndarray, records: np.ndarray, clip: float) -> np.ndarray:
        """Return the sum of all records' gradients, each shortened to the length `clip`."""


@dataclass(frozen=True)
class LinearModel:
    """The model <theta, x> of d = `features` features, with a convex `objective`.

    Raises ValueError unless d is a whole number of at least 1.

    >>> from dplab.learning.risk import LOGISTIC
    >>> LinearModel(LOGISTIC, 2).clipped_sum(np.zeros(2), [[6.0, 8.0, 1.0]], clip=1.0).round(6)
    array([-0.6, -0.8])
    """

    objective: Objective
    features: int

    def __post_init__(self):
        arguments.instance("objective", self.objective, Objective)
        arguments.settle(self, arguments.whole, "features", least=1)

    def start(self, rng: np.random.Generator) -> np.ndarray:
        """Return d zeros."""
        return np.zeros(self.features)

    def clipped_sum(self, theta: np.ndarray, records: np.ndarray, clip: float) -> np.ndarray:
        """Return the sum of all records' gradients, each shortened to the length `clip`."""
        if len(checks.sized("records", records)) == 0:
            return np.zeros(self.features)
        x, y = split(records, self.objective.labels)
        return clipped_sum(x, self.objective.slope(x @ theta, y), clip)


@dataclass(frozen=True)
class Network:
    """A classifier with one layer of tanh units: scores tanh(x A + a) B + b, one for each class.

    Its objective is the cross-entropy -log p(label), p the softmax of the scores. The label, in the
    last column of the records, is a class from 0 to `classes` - 1. Parameters are one vector: A, a,
    B, b, row after row. Raises ValueError unless there are a feature, a unit and two classes.

    >>> Network(features=64, units=32, classes=10).size
    2410
    """

    features: int
    units: int
    classes: int

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "features", "units", least=1)
        arguments.settle(self, arguments.whole, "classes", least=2)

    @property
    def size(self) -> int:
        """The number of parameters."""
        return (self.features + 1) * self.units + (self.units + 1) * self.classes

    def start(self, rng: np.random.Generator) -> np.ndarray:
        """Draw weights with a deviation of 1 over the root of their number of inputs.

        Raises ValueError for other arguments.
        """
        arguments.generator("rng", rng)
        theta = rng.normal(size=self.size)
        for weights, bias in self._layers(theta):
            weights /= np.sqrt(len(weights))
            bias[:] = 0.0
        return theta

    def losses(self, theta: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Return the cross-entropy on each record, shape (n,)."""
        log_p = self._forward(theta, records)[1]
        return -log_p[np.arange(len(log_p)), self._labels(records)]

    def classify(self, theta: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Return the most probable class of each record, ints of shape (n,)."""
        return self._forward(theta, records)[1].argmax(axis=1)

    def accuracy(self, theta: np.ndarray, records: np.ndarray) -> float:
        """Return the share of the records that are classified correctly."""
        return float((self.classify(theta, records) == self._labels(records)).mean())

    def gradients(self, theta: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Return each record's gradient, shape (n, size): slow, for a comparison."""
        rows = (record[None] for record in _rows(records))
        return np.array([self.clipped_sum(theta, row, np.inf) for row in rows])

    def clipped_sum(self, theta: np.ndarray, records: np.ndarray, clip: float) -> np.ndarray:
        """Return the sum of all records' gradients, each shortened to the length `clip`."""
        inputs, pulls = self._backward(theta, records)
        squares = sum(
            np.square(pull).sum(axis=1) * (1 + np.square(h).sum(axis=1))
            for h, pull in zip(inputs, pulls, strict=True)
        )
        shares = 1 / np.maximum(1, np.sqrt(squares) / clip)
        parts = [
            part.ravel()
            for h, pull in zip(inputs, pulls, strict=True)
            for part in (h.T @ (shares[:, None] * pull), shares @ pull)
        ]
        return np.concatenate(parts)

    def _backward(self, theta: np.ndarray, records: ArrayLike) -> tuple[list, list]:
        """Return the input of each layer, and the gradient for its output, a row for a record."""
        hidden, log_p = self._forward(theta, records)
        to_scores = np.exp(log_p)
        to_scores[np.arange(len(log_p)), self._labels(records)] -= 1
        weights = [weights for weights, _ in self._layers(theta)]
        to_hidden = (to_scores @ weights[1].T) * (1 - hidden**2)
        x = _rows(records)[:, :-1]
        return [x, hidden], [to_hidden, to_scores]

    def _forward(self, theta: np.ndarray, records: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the units' outputs, and the logarithms of the classes' probabilities."""
        (first, first_bias), (second, second_bias) = self._layers(theta)
        x = _rows(records)[:, :-1]
        hidden = np.tanh(x @ first + first_bias)
        scores = hidden @ second + second_bias
        return hidden, scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)

    def _labels(self, records: ArrayLike) -> np.ndarray:
        labels = _rows(records)[:, -1]
        return (
            checks.categories("labels", labels, self.classes) if len(labels) else np.zeros(0, int)
        )

    def _layers(self, theta: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield weights and bias of each layer, views of `theta`."""
        start = 0
        for inputs, outputs in ((self.features, self.units), (self.units, self.classes)):
            end = start + inputs * outputs
            yield theta[start:end].reshape(inputs, outputs), theta[end : end + outputs]
            start = end + outputs


def _rows(records: ArrayLike) -> np.ndarray:
    """Return the records as floats; an array of floats is one already."""
    is_ready = type(records) is np.ndarray and records.dtype == float
    rows = records if is_ready else checks.reals("records", records, may_be_empty=True)
    if rows.ndim != 2:
        raise ValueError("records must be of shape (n, d)")
    return rows
