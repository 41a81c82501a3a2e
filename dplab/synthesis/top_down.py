"""A small TopDown: whole and consistent counts of a town, its districts and their blocks.

This is the method of the census of 2020. A table of counts for each place of each level gets
discrete Gaussian noise. The published tables are computed from the noisy tables, from the top down.
The tables of the parts of a place are the nearest non-negative tables that add up to its table,
first in real numbers and then, by a linear program, in whole numbers. These steps are
post-processing. The number of people is public and stays the same.

One person is in one cell at each level. Replacing her moves two cells: the L2 sensitivity of a
level is sqrt(2), and the levels share rho. The counts of the town have separate noise, so their
accuracy depends only on their share of rho. Sums of noisy blocks would be less accurate with more
blocks.

Source: Abowd and others (2022), The 2020 Census disclosure avoidance system TopDown algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod, sqrt
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.guarantees import ZCDP
from dplab.losses import DiscretizedLoss, PrivacyLoss
from dplab.mechanism import Mechanism
from dplab.mechanisms.discrete import DiscreteGaussianMechanism
from dplab.neighbors import REPLACE_ONE
from dplab.queries.linear import MAX_CELLS, table_of
from dplab.queries.projection import to_simplex


@dataclass(frozen=True)
class TopDown(Mechanism):
    """The mechanism that publishes counts of shape (districts, blocks, categories) of n people.

        noisy_l = counts at level l + discrete Gaussian noise of variance 1 / rho_l
        output  = whole counts of at least 0, near noisy_l, that add up to the level above

    `shape` has the numbers of districts, of blocks in each, and of categories. `rhos` are the
    prices of the noise of the town, of the districts and of the blocks; the mechanism is zCDP with
    their sum. Data are n records, whole numbers from 0
    to districts * blocks * categories - 1, the place in a table of that shape. The output is such a
    table, of whole numbers of at least 0 with sum n. Raises ValueError for other arguments.
    """

    shape: tuple[int, int, int]
    n: int
    rhos: tuple[float, float, float]
    neighbors = REPLACE_ONE
    is_tight = False  # the output tells less than the measurements

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "shape", "rhos")
        for name, values in (("shape", self.shape), ("rhos", self.rhos)):
            if len(values) != 3:
                raise ValueError(f"{name} must be three numbers, not {values!r}")
        shape = tuple(arguments.whole("shape", size, least=1) for size in self.shape)
        if prod(shape) > MAX_CELLS:
            raise ValueError(f"shape {shape} has too many cells: at most {MAX_CELLS:,}")
        object.__setattr__(self, "shape", shape)
        rhos = tuple(arguments.number("rhos", rho, above=0) for rho in self.rhos)
        object.__setattr__(self, "rhos", rhos)
        arguments.settle(self, arguments.whole, "n", least=1)

    @property
    def guarantee(self) -> ZCDP:
        return ZCDP(sum(self.rhos))

    @property
    def worst_case(self) -> PrivacyLoss | ZCDP:
        """The losses of the three measurements together."""
        costs = [measurement.worst_case for measurement in self.measurements]
        losses = [(cost, 1) for cost in costs if isinstance(cost, PrivacyLoss)]
        return DiscretizedLoss(losses) if len(losses) == len(costs) else self.guarantee

    @property
    def measurements(self) -> tuple[DiscreteGaussianMechanism, ...]:
        """The noisy tables of the town, of the districts and of the blocks."""
        levels = (
            lambda data: self.table(data).sum(axis=(0, 1)),
            lambda data: self.table(data).sum(axis=1),
            self.table,
        )
        two_cells = sqrt(2)  # the float is above the root
        return tuple(
            DiscreteGaussianMechanism.for_zcdp(level, sensitivity=two_cells, rho=rho)
            for level, rho in zip(levels, self.rhos, strict=True)
        )

    def table(self, data: Any) -> np.ndarray:
        """Return the true counts; raise ValueError for data that are not n such records."""
        data = records.sized("data", data)
        if len(data) != self.n:
            raise ValueError(f"data must be n = {self.n} records")
        return table_of(data, int(np.prod(self.shape))).reshape(self.shape)

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        town, districts, blocks = (measured(data, rng) for measured in self.measurements)
        settled = settle(town[:, None], np.array([self.n])).ravel()
        tables = settle(districts, settled)
        return np.array(list(map(settle, blocks, tables)))


def settle(noisy: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return whole numbers >= 0 near `noisy`, shape (parts, k), with these sums of columns.

    They are the nearest real numbers (least squares), each rounded up or down by a linear program
    that changes them least. Its constraints are those of a flow, so its solution is whole.
    """
    from scipy.optimize import linprog

    columns: np.ndarray = noisy.astype(float).T  # large numbers come as Python's ints
    near = np.column_stack(list(map(to_simplex, columns, totals)))
    floors = np.floor(near)
    cost = (floors - near).ravel()  # of rounding up; each column needs a given number of these
    sums = np.tile(np.eye(near.shape[1]), len(near))
    up = linprog(cost, A_eq=sums, b_eq=totals - floors.sum(axis=0), bounds=(0, 1)).x
    return (floors + np.rint(up).reshape(near.shape)).astype(int)
