"""Incomes of households, out of a file that comes inside statsmodels."""

from __future__ import annotations

import numpy as np

from dplab.data.shipped import shipped


def household_incomes() -> np.ndarray:
    """Return what 235 Belgian working-class households earned in a year, francs, shape (235,).

    Floats from 377 to 4,958, nearly all different; the median is 884. Ernst Engel, in 1857, read
    off such households that the poorer a family is, the larger the share it spends on food.

    Source: Koenker and Bassett (1982), Econometrica 50(1), after Engel (1857).

    >>> incomes = household_incomes()
    >>> len(incomes), float(np.median(incomes).round(2))
    (235, 883.98)
    """
    return np.loadtxt(shipped("engel.csv"), delimiter=",", skiprows=1, usecols=0)
