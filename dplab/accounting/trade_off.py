"""Trade-off functions: privacy as the errors that no test can avoid.

f(alpha) is the smallest type II error of a test that tells two distributions apart with type I
error alpha. It is convex, falls from at most 1 to 0, and is at most 1 - alpha. A larger f means
more privacy. It is equivalent to the curve delta(epsilon): each is the convex dual of the other.
Source: Dong, Roth and Su (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, plots
from dplab.guarantees import LAST_DIGIT, SLACK, ApproxDP, Guarantee, list_implied
from dplab.losses import GaussianLoss, LaplaceLoss, PrivacyLoss, total_loss

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class TradeOff(Guarantee):
    """f(alpha) = 1 - the power at level alpha, of two distributions with this privacy loss.

    Call it with an alpha or an array of them, from 0 to 1, to get f elementwise. As a guarantee
    (f-DP) it says that no pair of neighbours is easier to tell apart, in either direction.

    >>> round(float(TradeOff.gaussian(1.0)(0.05)), 4)
    0.7405
    >>> from dplab.guarantees import ZCDP
    >>> TradeOff.gaussian(3.0) + TradeOff.gaussian(4.0), TradeOff.gaussian(1.0).convert_to(ZCDP)
    (TradeOff(loss=GaussianLoss(mu=5.0)), ZCDP(rho=0.5))
    """

    loss: PrivacyLoss

    def _allowed(self, name: str, value: Any) -> PrivacyLoss:
        if not isinstance(value, PrivacyLoss):
            raise ValueError(f"loss must be a PrivacyLoss, not {value!r}")
        return value

    @classmethod
    def gaussian(cls, mu: float) -> TradeOff:
        """Return G_mu(alpha) = Phi(Phi^{-1}(1 - alpha) - mu), of normal distributions.

        Their means are mu > 0 standard deviations apart.

        Raises ValueError for another mu.
        """
        return cls(GaussianLoss(mu))

    def __call__(self, alpha: ArrayLike) -> np.ndarray:
        """Return f(alpha), the least probability of a miss at each probability of a false alarm.

        Raises ValueError unless alpha is from 0 to 1.
        """
        arguments.reals("alpha", alpha, least=0, most=1)
        return 1 - self.loss.true_positive_rate(alpha)

    def __add__(self, other: TradeOff) -> TradeOff:
        """Return the function of both releases, f (x) g; normal mus add like Pythagoras.

        It is exact for finite and for normal distributions, otherwise a lower bound:
        `losses.total_loss`. Source: Dong, Roth and Su (2022), Definition 3.1 and Theorem 3.2.
        """
        return TradeOff(total_loss([self.loss, self._like(other).loss]))

    def group(self, k: int) -> TradeOff:
        """Return 1 - (1 - f) o ... o (1 - f), k times, of normal and Laplace distributions.

        They are distributions of the same kind with k times the shift. Raises ValueError for other
        distributions. Source: Dong, Roth and Su (2022), Theorem 2.14.
        """
        k = arguments.whole("k", k, least=1)
        if isinstance(self.loss, GaussianLoss):
            return TradeOff(GaussianLoss(k * self.loss.mu))
        if isinstance(self.loss, LaplaceLoss):
            return TradeOff(LaplaceLoss(k * self.loss.shift))
        raise ValueError(f"no trade-off of groups is known for {self.loss!r}")

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Check 401 levels and, as a hockey stick, 401 epsilons from -20 to 20."""
        epsilons = np.linspace(-20, 20, 401)
        holds = all(loss.delta(e) <= self.delta(e) * (1 + SLACK) + LAST_DIGIT for e in epsilons)
        levels = np.linspace(0, 1, 401)
        return holds and bool((TradeOff(loss)(levels) >= self(levels) - SLACK).all())

    def _implied(self) -> Iterator[Guarantee]:
        yield from list_implied(self.loss)

    def delta(self, epsilon: float) -> float:
        """Return delta(epsilon) of the same two distributions; `epsilon` is in nats."""
        return self.loss.delta(epsilon)

    def to_approx(self, delta: float) -> ApproxDP:
        """Return (epsilon, delta)-DP for the least epsilon; ValueError if there is none."""
        return ApproxDP(self.loss.epsilon(delta), delta)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw f, and the line of no information, into `ax`; return the axes."""
        ax = plots.label_axes(
            ax, xlabel="probability of a false alarm, α", ylabel="probability of a miss, f(α)"
        )
        alphas = np.linspace(0, 1, 401)
        ax.plot(alphas, self(alphas), label="f")
        ax.plot([0, 1], [1, 0], linestyle="--", color="gray", label="no information")
        ax.legend()
        return ax


def promised_trade_off(promise: ApproxDP, alpha: ArrayLike) -> np.ndarray:
    """Return max(0, 1 - delta - e^epsilon alpha, e^{-epsilon} (1 - delta - alpha)), elementwise.

    A mechanism is (epsilon, delta)-DP if and only if no pair of neighbours has a smaller f. Raises
    ValueError for an alpha outside [0, 1]. Source: Wasserman and Zhou (2010), Theorem 2.4;
    Dong, Roth and Su (2022), Proposition 2.5.
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    alpha, top = _check_levels(alpha), 1 - promise.delta
    with np.errstate(divide="ignore", over="ignore"):
        steep_line = np.exp(promise.epsilon + np.log(alpha))  # 0 at alpha = 0 whatever epsilon is
    return np.maximum(0.0, np.maximum(top - steep_line, (top - alpha) * np.exp(-promise.epsilon)))


def delta_from_trade_off(trade_off: Callable[[float], float], *, epsilon: float) -> float:
    """Return sup_alpha 1 - f(alpha) - e^epsilon alpha = 1 + f*(-e^epsilon), for a convex f.

    The method is golden section: alpha above e^{-epsilon} cannot be better than alpha = 0.
    Raises ValueError unless epsilon is a finite number at least 0.
    Source: Dong, Roth and Su (2022), Proposition 2.12.
    """
    arguments.function("trade_off", trade_off)
    epsilon = arguments.number("epsilon", epsilon, least=0)

    def gain(share: float) -> float:  # concave
        return 1 - share - float(trade_off(share * np.exp(-epsilon)))

    golden = (np.sqrt(5) - 1) / 2
    low, high = 0.0, 1.0
    for _ in range(80):
        first, second = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, second) if gain(first) >= gain(second) else (first, high)
    return max(0.0, gain((low + high) / 2))


def _check_levels(alpha: ArrayLike) -> np.ndarray:
    levels = arguments.reals("alpha", alpha)
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(f"alpha must lie in [0, 1], not {alpha!r}")
    return levels
