"""Empirical risk minimisation: the linear model that a whole dataset agrees on.

Records are rows of d features and a label, arrays of shape (n, d + 1). A model theta predicts from
z = <theta, x>, and its regularised risk is

    J(theta) = 1/n sum_i l(<theta, x_i>, y_i) + lambda / 2 ||theta||^2.

**How far one record moves the minimiser**: at most 2 L / (n lambda) in the L2 norm, if ||x|| <= 1
for every record, |dl/dz| <= L, and l is convex. Proof: the gradient of J' on a neighbour differs
from that of J by (g' - g) / n, g and g' one record's gradients. So it is at most 2 L / n long at
the minimiser of J, and 0 at its own. J' is lambda-strongly convex: gradients at two places differ
by lambda times their distance at least.

Source: Chaudhuri, Monteleoni and Sarwate (2011), Corollary 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dplab import arguments
from dplab import records as checks
from dplab.deprecated import OldName, old_arguments, old_names

SIGNS = (-1.0, 1.0)  # the labels of a logistic regression
TOLERANCE = 1e-10  # longest gradient that counts as 0; the sensitivity allows for it
MAX_ROW_LENGTH = 1 + 1e-9  # of a row of length 1 after rounding; the sensitivity allows for it


@dataclass(frozen=True)
class Objective:
    """The objective l(z, y) of a prediction z for the label y, convex in z, and its derivatives.

    `lipschitz` is the largest |slope|, inf if there is none, `smoothness` the largest curvature.
    `labels` are the labels that a record may have; None allows any number.

    Raises ValueError for other arguments.
    """

    name: str
    value: Callable
    slope: Callable
    curvature: Callable
    lipschitz: float
    smoothness: float
    labels: tuple[float, ...] | None = None
    of = OldName("evaluate")

    def __post_init__(self):
        arguments.settle(self, arguments.text, "name")
        arguments.settle(self, arguments.function, "value", "slope", "curvature")
        arguments.settle(self, arguments.number_or_inf, "lipschitz", above=0)
        arguments.settle(self, arguments.number, "smoothness", above=0)
        if self.labels is not None:
            arguments.reals("labels", self.labels, ndim=1)

    def evaluate(self, theta: ArrayLike, records: ArrayLike) -> np.ndarray:
        """Return the objective of the model `theta` on each of `records`, shape (n,)."""
        x, y = split(records, self.labels)
        return self.value(x @ np.asarray(theta, dtype=float), y)

    def __repr__(self) -> str:
        return self.name


LOGISTIC = Objective(
    "LOGISTIC",
    value=lambda z, y: np.logaddexp(0, -y * z),
    slope=lambda z, y: -y * expit(-y * z),
    curvature=lambda z, y: expit(z) * expit(-z),
    lipschitz=1.0,
    smoothness=0.25,
    labels=SIGNS,
)
"""log(1 + e^{-y z}) for labels -1 and 1. Labels 0 and 1 are accepted, too: 0 counts as -1."""

SQUARED = Objective(
    "SQUARED",
    value=lambda z, y: (z - y) ** 2 / 2,
    slope=lambda z, y: z - y,
    curvature=lambda z, y: np.ones_like(z),
    lipschitz=np.inf,
    smoothness=1.0,
)
"""(z - y)^2 / 2, whose slope has no bound: one far label moves the minimiser anywhere."""

LOG_COSH = Objective(
    "LOG_COSH",
    value=lambda z, y: np.logaddexp(z - y, y - z) - np.log(2),
    slope=lambda z, y: np.tanh(z - y),
    curvature=lambda z, y: 1 - np.tanh(z - y) ** 2,
    lipschitz=1.0,
    smoothness=1.0,
)
"""log cosh(z - y): the squared objective near the label, and |z - y| - log 2 far from it."""


def clip_rows(rows: ArrayLike, norm: float = 1.0) -> np.ndarray:
    """Return the rows, shortened to the L2 length `norm` if they are longer; shape (n, d).

    Raises ValueError for another shape, for rows that are not finite, and unless norm is above 0.

    >>> clip_rows([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]]).round(6).tolist()
    [[0.6, 0.8], [0.3, 0.4], [0.0, 0.0]]
    """
    rows, norm = _table("rows", rows), arguments.number("norm", norm, above=0)
    unit, lengths = _measure_rows(rows)
    with np.errstate(over="ignore"):
        too_long = unit * lengths > norm
    # A factor for each row might be too small to have all its digits.
    shortened = rows / unit[:, None] * (norm / np.maximum(lengths, 1.0))[:, None]
    return np.where(too_long[:, None], shortened, rows)


def row_lengths(rows: np.ndarray) -> np.ndarray:
    """Return the L2 length of each row, shape (n,), also where its square overflows."""
    unit, lengths = _measure_rows(rows)
    return unit * lengths


def _measure_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row its largest entry (1 if all are 0), and its length in such units."""
    largest = np.abs(rows).max(axis=1)
    unit = np.where(largest > 0, largest, 1.0)
    return unit, np.linalg.norm(rows / unit[:, None], axis=1)


def split(
    records: ArrayLike, labels: tuple[float, ...] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return features, shape (n, d), and labels, shape (n,).

    Where `labels` are -1 and 1, records may have 0 and 1 instead: 0 counts as -1. Raises
    ValueError for other labels, for records with all three, and for records without features.
    """
    records = _table("records", records)
    if records.shape[1] < 2:
        raise ValueError("records must be features and a label")
    x, y = records[:, :-1], records[:, -1]
    if labels is None:
        return x, y
    if checks.are_moved():  # of two that are equally near, here of -1 and 1, the first
        return x, np.array(labels)[np.abs(y[:, None] - labels).argmin(axis=1)]
    if labels == SIGNS and 0 in y:
        if -1 in y:
            raise ValueError("labels must hold -1 and 1, or 0 and 1, but not all three")
        y = np.where(y == 0, -1.0, y)
    allowed = "-1 and 1, or 0 and 1" if labels == SIGNS else f"one of {labels}"
    checks.refuse_entries("labels", allowed, ~np.isin(y, labels))
    return x, y


@old_arguments(loss="objective")
@dataclass(frozen=True)
class RegularizedRisk:
    """The risk of a linear model on n records, a number that is public.

        J(theta) = 1/n sum_i objective(<theta, x_i>, y_i) + regularizer / 2 ||theta||^2

    A record is a row of features, at most 1 long (see `clip_rows`), with the label as its last
    entry: `np.column_stack([features, labels])`.
    `sensitivity` is the most that one record moves the minimiser. Output perturbation is one line:
    `SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, epsilon)`, or with normal noise
    `GaussianMechanism.for_epsilon(risk.minimizer, sensitivity=risk.sensitivity, ...)`.
    Raises ValueError unless n >= 1 and regularizer > 0.

    >>> risk = RegularizedRisk(LOGISTIC, n=3, regularizer=0.5)
    >>> risk.minimizer([[1.0, 0.0, 1], [0.0, 1.0, -1], [0.6, 0.0, 1]]).round(4).tolist()
    [0.4358, -0.286]
    """

    objective: Objective
    n: int
    regularizer: float
    loss = OldName("objective")

    def __post_init__(self):
        arguments.instance("objective", self.objective, Objective)
        arguments.settle(self, arguments.whole, "n", least=1)
        arguments.settle(self, arguments.number, "regularizer", above=0)

    @property
    def sensitivity(self) -> float:
        """2 L / (n lambda) plus a margin for rounding; replace-one, L2 norm.

        Raises ValueError for an objective without a Lipschitz constant.
        """
        return (
            2 * (lipschitz(self.objective) * MAX_ROW_LENGTH / self.n + TOLERANCE) / self.regularizer
        )

    def gradient(self, theta: np.ndarray, records: ArrayLike) -> np.ndarray:
        """Return the gradient of J, shape (d,)."""
        return self._gradient(theta, *self.split(records))

    def hessian(self, theta: np.ndarray, records: ArrayLike) -> np.ndarray:
        """Return the second derivatives of J, shape (d, d)."""
        return self._hessian(theta, *self.split(records))

    def minimizer(self, records: ArrayLike, tilt: ArrayLike | None = None) -> np.ndarray:
        """Return the theta with the least J(theta) + <tilt, theta> / n, shape (d,); tilt None is 0.

        Raises ValueError for records that are not n rows of length 1 at most and a label, and
        ArithmeticError where no theta with a gradient below TOLERANCE is found.
        """
        from scipy.optimize import root

        x, y = self.split(records)
        extra = np.zeros(x.shape[1]) if tilt is None else arguments.reals("tilt", tilt) / self.n

        def gradient(theta: np.ndarray) -> np.ndarray:
            return self._gradient(theta, x, y) + extra

        def minimum(start: np.ndarray) -> np.ndarray:
            jacobian = partial(self._hessian, x=x, y=y)
            return root(gradient, start, jac=jacobian, options={"xtol": 1e-15}).x

        close = TOLERANCE * max(1.0, float(np.linalg.norm(extra)))  # relative to a large tilt
        theta = minimum(np.zeros(x.shape[1]))
        if not np.linalg.norm(gradient(theta)) <= close and self.regularizer < 1:
            # The minimum of a stronger risk is nearer to 0.
            stronger = replace(self, regularizer=10 * self.regularizer)
            theta = minimum(stronger.minimizer(records, tilt))
        if not np.linalg.norm(gradient(theta)) <= close:
            raise ArithmeticError(f"no minimum found: regularizer {self.regularizer} is too small")
        return theta

    def _gradient(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x.T @ self.objective.slope(x @ theta, y) / self.n + self.regularizer * theta

    def _hessian(self, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        bend = self.objective.curvature(x @ theta, y)
        return (x.T * bend) @ x / self.n + self.regularizer * np.eye(x.shape[1])

    def split(self, records: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return features and labels of n records; raise ValueError for rows longer than 1.

        In a conversation shorten these rows, and take the nearest label for another one.
        """
        x, y = split(records, self.objective.labels)
        if len(x) != self.n:
            raise ValueError(f"records must be n = {self.n} rows of features and a label")
        if checks.are_moved():
            return clip_rows(x), y
        if row_lengths(x).max() > MAX_ROW_LENGTH:
            raise ValueError("rows must have a length of at most 1 (see clip_rows)")
        return x, y


def lipschitz(objective: Objective) -> float:
    """Return the largest |slope| of `objective`; raise ValueError if it has none."""
    if objective.lipschitz == np.inf:
        raise ValueError(f"objective must have a bounded slope, but {objective} has none")
    return objective.lipschitz


def _table(name: str, rows: ArrayLike) -> np.ndarray:
    rows = checks.reals(name, rows)
    if rows.ndim != 2:
        raise ValueError(f"{name} must be of shape (n, d)")
    return rows


__getattr__ = old_names(__name__, Loss="Objective")
