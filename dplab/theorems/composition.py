"""Composition: epsilons add up, also for an analyst who adapts, and a budget limits the total.

Theorem. An analyst asks mechanisms one after another, each chosen after seeing the answers so far.
The curator answers, with fresh randomness each time, as long as the epsilons sum to at most a
total. Then the transcript of all answers is total-DP.

Proof. The probability of a transcript y is the product of P[M_i(x) = y_i], where M_i depends on
y_1, ..., y_{i-1} alone, and so is the same for x and its neighbour. Each factor's ratio is within
e^{+-epsilon_i}; the product's is within e^{+-(epsilon_1 + epsilon_2 + ...)}, at most e^{+-total}.

Source: Dwork, McSherry, Nissim and Smith (2006); Rogers, Roth, Ullman and Vadhan (2016) for prices
that depend on earlier answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.guarantees import Guarantee, PureDP
from dplab.interaction import Interaction

SLACK = 1e-9  # an allowance for rounding, needed if an inequality is an equality


@dataclass(frozen=True, eq=False)
class TranscriptLosses:
    """The loss and the price of each transcript of an interaction on two neighbours.

    `losses[i]` is log P[M(x) = transcripts[i]] / P[M(y) = transcripts[i]]; `prices[i]` is the sum
    of the epsilons that were paid along it.
    """

    transcripts: tuple[tuple, ...]
    losses: np.ndarray
    prices: np.ndarray
    total: float

    @property
    def holds(self) -> bool:
        """True if every loss is within its price, and every price within the total."""
        is_paid = np.abs(self.losses) <= self.prices + SLACK
        return bool(is_paid.all() and (self.prices <= self.total + SLACK).all())

    @property
    def is_reached(self) -> bool:
        """True if the loss of some transcript is the total: then the theorem can't be improved."""
        return bool(np.abs(self.losses).max() >= self.total - SLACK)


def transcript_losses(interaction: Interaction, x: Any, y: Any) -> TranscriptLosses:
    """Compare all transcripts on x with those on y; ValueError unless prices are PureDP."""
    arguments.instance("interaction", interaction, Interaction)
    total = _require_epsilon(interaction.total)
    p, q = interaction.distribution(x), interaction.distribution(y)
    with np.errstate(invalid="ignore"):
        losses = p.log_probabilities - q.log_densities(p.outcomes)
    losses = np.where(np.isnan(losses), 0.0, losses)  # impossible on both
    transcripts: tuple[Any, ...] = p.outcomes
    prices = np.array(
        [_require_epsilon(interaction.price(transcript)) for transcript in transcripts]
    )
    return TranscriptLosses(transcripts, losses, prices, total)


def _require_epsilon(guarantee: Guarantee) -> float:
    if not isinstance(guarantee, PureDP):
        raise ValueError(f"interaction.total must be PureDP, not {guarantee!r}")
    return guarantee.epsilon
