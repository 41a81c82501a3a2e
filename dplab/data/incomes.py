"""Incomes of households, from a file that statsmodels contains."""

from __future__ import annotations

import numpy as np

from dplab.data.shipped import shipped


def household_incomes() -> np.ndarray:
    """Return the incomes of 235 Belgian working-class households, francs a year, shape (235,).

    Floats from 377 to 4,958, nearly all different; the median is 884. In 1857 Ernst Engel
    found in such data that the poorer a family is, the larger the share it spends on food.

    Source: Koenker and Bassett (1982), Econometrica 50(1), after Engel (1857).

    >>> incomes = household_incomes()
    >>> len(incomes), float(np.median(incomes).round(2))
    (235, 883.98)
    """
    return np.loadtxt(shipped("engel.csv"), delimiter=",", skiprows=1, usecols=0)
