"""Post-processing: a computation on an output, without the data, can't undo its privacy.

Theorem. Let p and q be two distributions and K a channel, a stochastic matrix. Then no divergence
between pK and qK is larger than between p and q: neither the largest log ratio, nor delta(epsilon)
for any epsilon, nor a Renyi divergence.

Proof, for delta: (pK)(y) - e^epsilon (qK)(y) is the average of p(x) - e^epsilon q(x) with weights
K(x, y), its positive part is at most the average of the positive parts, and weights over all y sum
to one. At epsilon = the largest log ratio delta is 0 before, hence after. The others are Jensen's
inequality in the same place.

Source: Dwork, McSherry, Nissim and Smith (2006); Dwork and Roth (2014), Proposition 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.deprecated import old_names
from dplab.distributions import ROUNDING, Finite
from dplab.divergences import privacy_loss
from dplab.losses import PrivacyLoss

SLACK = 1e-9  # an allowance for rounding, needed if an inequality is an equality


@dataclass(frozen=True, eq=False)
class StochasticMatrix:
    """A stochastic matrix: P(outputs[j] | inputs[i]) = matrix[i, j], shape (inputs, outputs).

    Raises ValueError unless entries are at least 0 and each row sums to one.

    >>> coarse = StochasticMatrix.of(lambda count: count // 2, inputs=(0, 1, 2, 3))
    >>> coarse.push(Finite.of({0: 0.1, 1: 0.2, 2: 0.3, 3: 0.4})).probabilities.round(3)
    array([0.3, 0.7])
    """

    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    matrix: np.ndarray

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "inputs", "outputs", is_hashable=True)
        matrix = arguments.reals("matrix", self.matrix)
        for name, value in (("inputs", tuple(self.inputs)), ("outputs", tuple(self.outputs))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "matrix", matrix)
        shape = (len(self.inputs), len(self.outputs))
        if matrix.shape != shape:
            raise ValueError(f"matrix must have shape {shape}, not {matrix.shape}")
        if (matrix < 0).any() or (abs(matrix.sum(axis=1) - 1) > ROUNDING).any():
            raise ValueError(f"matrix must have rows of probabilities that sum to 1, not {matrix}")

    @classmethod
    def of(
        cls, function: Callable[[Hashable], Hashable], inputs: Sequence[Hashable]
    ) -> StochasticMatrix:
        """Return the channel that applies a function: each row has a single one."""
        images = [function(value) for value in inputs]
        outputs = tuple(dict.fromkeys(images))
        matrix = np.array([[i == o for o in outputs] for i in images], float)
        return cls(tuple(inputs), outputs, matrix)

    @classmethod
    def random(
        cls, inputs: Sequence[Hashable], outputs: int, rng: np.random.Generator
    ) -> StochasticMatrix:
        """Draw the rows independently and uniformly from all distributions on range(outputs).

        Raises ValueError unless `outputs` is a whole number of at least 1.
        """
        arguments.generator("rng", rng)
        outputs = arguments.whole("outputs", outputs, least=1)
        matrix = rng.dirichlet(np.ones(outputs), len(inputs))
        return cls(tuple(inputs), tuple(range(outputs)), matrix)

    def push(self, law: Finite) -> Finite:
        """Return the distribution of the channel's output if its input follows `law`.

        Raises ValueError if `law` has an outcome that is no input.
        """
        strangers = [outcome for outcome in law.support if outcome not in self.inputs]
        if strangers:
            raise ValueError(f"law must have outcomes among {self.inputs}, not {strangers[0]!r}")
        image = np.exp(law.log_densities(self.inputs)) @ self.matrix
        with np.errstate(divide="ignore"):
            return Finite(self.outputs, np.log(image))


@dataclass(frozen=True, eq=False)
class PostProcessing:
    """Two distributions before and after a channel, with the privacy loss of each pair.

    Raises ValueError for other arguments.
    """

    p: Finite
    q: Finite
    channel: StochasticMatrix

    def __post_init__(self):
        arguments.instance("p", self.p, Finite)
        arguments.instance("q", self.q, Finite)
        arguments.instance("channel", self.channel, StochasticMatrix)

    @property
    def images(self) -> tuple[Finite, Finite]:
        """The distributions of the two outputs."""
        return self.channel.push(self.p), self.channel.push(self.q)

    @property
    def input_loss(self) -> PrivacyLoss:
        return privacy_loss(self.p, self.q)

    @property
    def output_loss(self) -> PrivacyLoss:
        return privacy_loss(*self.images)

    def deltas(self, epsilons: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """Return delta(epsilon) before and after the channel, an array each."""
        losses = self.input_loss, self.output_loss
        return tuple(np.array([loss.delta(e) for e in epsilons]) for loss in losses)

    def holds(self, epsilons: Sequence[float] = tuple(np.linspace(0, 3, 13))) -> bool:
        """Return whether largest log ratio, all delta(epsilon) and Renyi of order 2 don't rise."""
        input_deltas, output_deltas = self.deltas(epsilons)
        return bool(
            self.output_loss.largest_log_ratio <= self.input_loss.largest_log_ratio + SLACK
            and (output_deltas <= input_deltas + SLACK).all()
            and self.output_loss.renyi(2.0) <= self.input_loss.renyi(2.0) + SLACK
        )


__getattr__ = old_names(__name__, Channel="StochasticMatrix")
