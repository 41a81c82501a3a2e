"""An estimate and how uncertain it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A number estimated from noisy answers, and the standard deviation of its error."""

    value: float
    standard_error: float
