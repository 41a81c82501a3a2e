"""The trade-off curve of any mechanism, also of one whose worst pair of neighbours is not known.

Take upper bounds on delta at epsilons e_0 < ... < e_m. A true delta is convex in x = exp(e).
So it is at most the largest convex function through or below these points, which is linear between
some of them. That function is the delta of two distributions whose privacy loss has only the values
e_i: the mass of e_i under q is the change of slope there, and under p it is e^{e_i} times as much.
No neighbours are easier to tell apart than these two distributions. Beyond e_m delta stays as it
is, and becomes the probability of an infinite loss.

Source: Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), "Connect the dots".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from dplab.accounting.loss_distribution import delta_bounds, epsilon_bounds
from dplab.accounting.releases import Known, Release, worst_cases, worst_loss
from dplab.accounting.trade_off import TradeOff
from dplab.losses import AtomicLoss, PrivacyLoss, total_loss

POINTS = 128  # epsilons above 0 at which delta is bounded
MAX_EPSILON = 500.0  # nats, of which e^epsilon is a float
LAST_DELTAS = (1e-9, 1e-6, 1e-3, 0.1)  # the first with a finite epsilon ends the epsilons


def worst_trade_off(mechanism: Known, count: int = 1) -> TradeOff:
    """Return a trade-off curve that holds for all neighbours, after `count` releases.

    The curve f returns the least probability of a miss, f(alpha), for a probability alpha of a
    false alarm. `mechanism` may also be a loss or a guarantee, as in `Release`. The curve is that
    of the worst neighbours if the mechanism states their loss as `worst_case` and it is symmetric
    (several releases: see `total_loss`). Otherwise it connects the upper bounds of `delta_bounds`,
    as this module explains, and lies below the curve of each pair of neighbours, in both
    directions. Raises ValueError unless `count` is a whole number of at least 1, and for a
    mechanism without any such bound.

    >>> from dplab.guarantees import ZCDP
    >>> round(float(worst_trade_off(ZCDP(0.5))(0.05)), 3)
    0.649
    """
    releases = [Release(mechanism, count)]
    losses: Counter[PrivacyLoss] = Counter()
    for part, k in worst_cases(releases):
        loss = worst_loss(part)
        if loss is None:
            return TradeOff(
                _connect_between(
                    lambda e: delta_bounds(releases, epsilon=e).upper,
                    lambda delta: epsilon_bounds(releases, delta=delta).upper,
                )
            )
        losses[loss] += k
    total = total_loss(losses)
    if all(loss.is_symmetric for loss in losses):
        return TradeOff(total)
    both = (total, total_loss({loss.reverse(): k for loss, k in losses.items()}))
    return TradeOff(
        _connect_between(
            lambda e: max(loss.delta(e) for loss in both),
            lambda delta: max(loss.epsilon(delta) for loss in both),
        )
    )


def _connect_between(
    delta_at: Callable[[float], float], epsilon_for: Callable[[float], float]
) -> AtomicLoss:
    """Connect the bounds at epsilons from 0 to the first finite one of `LAST_DELTAS`."""
    tops = (epsilon_for(delta) for delta in LAST_DELTAS)
    top = next((epsilon for epsilon in tops if np.isfinite(epsilon)), None)
    if top is None:
        raise ValueError("mechanism must have a finite epsilon at delta 0.1, but it has none")
    epsilons = np.linspace(0, min(max(top, 1e-9), MAX_EPSILON), POINTS)
    return connect(epsilons, [delta_at(epsilon) for epsilon in epsilons.tolist()])


def connect(epsilons: np.ndarray, deltas: Sequence[float]) -> AtomicLoss:
    """Return a loss whose delta is at least `deltas` at `epsilons`, which rise from 0.

    The deltas bound both directions. So at -epsilon delta is 1 - e^-epsilon (1 - delta).
    """
    right = np.asarray(deltas)
    left = 1 - np.exp(-epsilons) * (1 - right)  # at -epsilons
    z = np.concatenate([-epsilons[:0:-1], epsilons])
    vertices = _lower_hull(np.exp(z), np.concatenate([left[:0:-1], right]))
    x = np.concatenate([[0.0], np.exp(z)[vertices]])
    y = np.concatenate([[1.0], left[:0:-1], right])[np.concatenate([[0], vertices + 1])]
    slopes: np.ndarray = np.append(np.diff(y) / np.diff(x), 0.0)
    q = np.maximum(np.diff(slopes), 0.0)  # rounding may make them negative
    return AtomicLoss(
        np.concatenate([[-np.inf], z[vertices], [np.inf]]),
        np.concatenate([[0.0], q * x[1:], y[-1:]]),
        np.concatenate([[max(0.0, 1 + slopes[0])], q, [0.0]]),
    )


def _lower_hull(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the places of the vertices of the lower convex hull with the point (0, 1)."""
    hull = [(-1, 0.0, 1.0)]
    for i, point in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        while len(hull) > 1 and _turns_down(hull[-2][1:], hull[-1][1:], point):
            hull.pop()
        hull.append((i, *point))
    return np.array([i for i, _, _ in hull[1:]])


def _turns_down(a: tuple, b: tuple, c: tuple) -> bool:
    """Return whether b is on or above the line from a to c."""
    return (b[1] - a[1]) * (c[0] - b[0]) >= (c[1] - b[1]) * (b[0] - a[0])
