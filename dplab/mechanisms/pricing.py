"""One price for all buyers, chosen privately from their bids.

A buyer buys where the price is at most the bid, so a price p earns p times the number of bids at
or above p. One bid moves that by at most p. So the sensitivity is the highest price on the list: a
cap on prices bounds it, and no cap on bids is needed.

Source: McSherry and Talwar (2007), Section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors


def revenue(bids: Any, prices: Any) -> np.ndarray:
    """Return p * #{i : bids[i] >= p} for each price p, in the shape of `prices`; 0 without bids.

    Raises ValueError for bids or prices that are not finite, and for no prices.

    >>> revenue([10, 10, 500], [5, 10, 11, 500]).tolist()
    [15.0, 30.0, 11.0, 500.0]
    """
    bids = np.sort(records.reals("bids", bids, may_be_empty=True), axis=None)
    prices = arguments.reals("prices", prices)
    return prices * (len(bids) - np.searchsorted(bids, prices, side="left"))


def pricing(
    prices: Sequence[float], *, epsilon: float, neighbors: Neighbors = REPLACE_ONE
) -> ExponentialMechanism:
    """Return the mechanism with P(price) proportional to e^{epsilon revenue / cap}.

    It is the exponential mechanism; the cap is the highest price. The rate is epsilon / cap and not
    epsilon / (2 cap), since the scores are monotone: a bid that rises or is added lowers the
    revenue of no price. With probability at least 1 - e^-t the revenue is within (cap /
    epsilon)(log(prices) + t) of the best price's. Raises ValueError unless prices are distinct and
    above 0, and epsilon > 0.

    >>> law = pricing([10, 500], epsilon=1).distribution([10, 10, 500])
    >>> law.probabilities.round(4).tolist()
    [0.2809, 0.7191]
    """
    values = arguments.reals("prices", prices)
    if values.ndim != 1 or not values.min() > 0:
        raise ValueError(f"prices must be a row of numbers above 0, not {prices!r}")
    cap = float(values.max())
    return ExponentialMechanism(
        prices, lambda bids: revenue(bids, values), cap, epsilon, monotone=True, neighbors=neighbors
    )
