"""Incomes of households, out of statsmodels, which is imported only when they are asked for."""

from __future__ import annotations

import numpy as np


def household_incomes() -> np.ndarray:
    """Return what 235 Belgian working-class households earned in a year, francs, shape (235,).

    Floats from 377 to 4,958, nearly all different; the median is 884. Ernst Engel, in 1857, read
    off such households that the poorer a family is, the larger the share it spends on food.

    Source: Koenker and Bassett (1982), Econometrica 50(1), after Engel (1857).

    >>> incomes = household_incomes()
    >>> len(incomes), float(np.median(incomes).round(2))
    (235, 883.98)
    """
    from statsmodels.datasets import engel

    return engel.load_pandas().data["income"].to_numpy().copy()
