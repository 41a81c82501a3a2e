"""RAPPOR's two coins: one that is tossed once and kept, one that is tossed for each report.

A value sets h of many bits. For each bit the *permanent* coin is tossed once, and its result is
memoised: the bit becomes 1 with probability f/2, 0 with f/2, and stays otherwise. Each report then
says 1 with probability q where the memoised bit is 1, and with p where it is 0.

After t reports, the number of ones among them is all that they say about a bit. Its ratio, of a bit
that is set against one that is not, is largest at t ones and least at none:

    epsilon(t) = h (log ratio(q, p) + log ratio(1 - p, 1 - q)),
    ratio(a, b) = ((1 - f/2) a^t + f/2 b^t) / (f/2 a^t + (1 - f/2) b^t)

where two values differ in 2h bits. For t = 1 it is the paper's epsilon_1 (Theorem 2). As t grows it
rises to 2 h log((1 - f/2) / (f/2)), its epsilon_infinity (Theorem 1). This limit holds as long
as the value stays the same. A new value has coins of its own, and costs as much again.

Source: Erlingsson, Pihur and Korolova, RAPPOR (2014).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments


@dataclass(frozen=True)
class MemoisedResponse:
    """The cost of reports about one value with a permanent and an instantaneous coin, see above.

    `hashes` is h. Raises ValueError unless 0 < f < 1, 0 < p < q < 1 and h is at least 1.

    >>> chrome = MemoisedResponse(f=0.75, p=0.5, q=0.75, hashes=2)
    >>> round(chrome.epsilon(1), 4), round(chrome.limit, 4)
    (0.5343, 2.0433)
    """

    f: float
    p: float
    q: float
    hashes: int = 1

    def __post_init__(self):
        arguments.settle(self, arguments.number, "f", above=0, below=1)
        arguments.settle(self, arguments.number, "q", above=0, below=1)
        arguments.settle(self, arguments.number, "p", above=0, below=self.q)
        arguments.settle(self, arguments.whole, "hashes", least=1)

    @property
    def limit(self) -> float:
        """The epsilon of any number of reports about one value, 2 h log((1 - f/2) / (f/2))."""
        return float(2 * self.hashes * np.log((1 - self.f / 2) / (self.f / 2)))

    def epsilon(self, reports: int) -> float:
        """Return the least epsilon of so many reports about one value.

        Raises ValueError unless `reports` is a whole number of at least 0.
        """
        reports = arguments.whole("reports", reports, least=0)
        pairs = ((self.q, self.p), (1 - self.p, 1 - self.q))
        return self.hashes * sum(self._log_ratio(reports * np.log(a / b)) for a, b in pairs)

    def _log_ratio(self, log_odds: float) -> float:
        """Return log of ratio(a, b), divided above and below by a^t: log_odds is t log(a / b)."""
        right, wrong = 1 - self.f / 2, self.f / 2  # chances that the permanent coin is so
        rest = np.exp(-log_odds)
        return float(np.log(right + wrong * rest) - np.log(wrong + right * rest))
