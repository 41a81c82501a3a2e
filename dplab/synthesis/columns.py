"""Columns of a DataFrame as a table: noisy marginals of it, and rows with such marginals.

The caller states the categories or the bins of each column. They are public, so they must not be
read from the data. A row is in one cell of the table of all columns. A k-way marginal is the table
of k columns, in which each cell adds up over all other columns. Adding or removing a row changes
one cell of each marginal by 1, and replacing a row changes two. So with T marginals the L1
sensitivity of all their cells is T or 2 T, and the L2 sensitivity is the root of that.

Synthetic rows are post-processing. The noisy marginals are replaced by the nearest ones of any
table without negative cells. Rows are drawn from the table of largest entropy that has these
marginals. It adds no dependence of its own: with k = 1 the columns are independent.

Sources: Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar (2007) for marginals that some table
has; McKenna, Sheldon and Miklau (2019) for the table of largest entropy; Deming and Stephan (1940)
for its computation by scaling one marginal after the other.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, optional, plots, records
from dplab.guarantees import ZCDP, PureDP
from dplab.mechanism import PostProcessed
from dplab.mechanisms.discrete import DiscreteGaussianMechanism, GeometricMechanism
from dplab.mechanisms.histogram import touched_bins
from dplab.neighbors import REPLACE_ONE, Neighbors
from dplab.queries.families import MarginalQueries
from dplab.queries.linear import MAX_CELLS
from dplab.queries.projection import nearest_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

SCALING_ROUNDS = 50  # in each of which every marginal is scaled once
SHOWN_CATEGORIES = 10  # of a column, in a message


@dataclass(frozen=True, eq=False)
class Columns:
    """Public columns of a table: the categories of some, the bins of others.

    `categories` has for a column's name all values that it may have; `bins` has for another name
    increasing edges. Bin i has the numbers from edges[i] to below edges[i + 1], and the last also
    its upper end. Data are a pandas DataFrame, or a dict with a list for each name; other columns
    are ignored. Raises ValueError for no columns, a name in both, repeated categories, edges that
    don't increase, and more than 2^28 cells.

    A column that has another value raises ValueError, which quotes no value. In a conversation
    (`dplab.interaction`) another category counts as the last one, so list "other" last. There a
    number outside all bins counts in the nearest bin, and a value that is no number counts as 0.

    >>> people = Columns(categories={"smokes": ["no", "yes"]}, bins={"age": [0, 30, 60, 120]})
    >>> people.count({"smokes": ["no", "yes", "no"], "age": [25, 70, 30]}).tolist()
    [[1, 1, 0], [0, 0, 1]]
    """

    categories: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    bins: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def __post_init__(self):
        arguments.instance("categories", self.categories, Mapping)
        arguments.instance("bins", self.bins, Mapping)
        categories = {name: _distinct(name, values) for name, values in self.categories.items()}
        edges = {name: arguments.reals(f"bins[{name!r}]", row) for name, row in self.bins.items()}
        for name, row in edges.items():
            if row.ndim != 1 or len(row) < 2 or (np.diff(row) <= 0).any():
                raise ValueError(f"bins[{name!r}] must be increasing edges, not {row.tolist()}")
        if not categories.keys() | edges.keys() or categories.keys() & edges.keys():
            raise ValueError("categories and bins must name at least one column, and each once")
        object.__setattr__(self, "categories", categories)
        object.__setattr__(self, "bins", {name: tuple(row.tolist()) for name, row in edges.items()})
        if math.prod(self.shape) > MAX_CELLS:
            raise ValueError(f"categories and bins must make at most {MAX_CELLS:,} cells")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, those with categories first: the axes of the table."""
        return (*self.categories, *self.bins)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of categories or bins of each column."""
        return tuple(len(self.labels(name)) for name in self.names)

    def labels(self, name: str) -> tuple:
        """Return the categories of a column, or "0 to 30" for each bin; ValueError for no column.

        >>> Columns(bins={"age": [0, 30, 120]}).labels("age")
        ('0 to 30', '30 to 120')
        """
        arguments.one_of("name", name, self.names)
        if name in self.categories:
            return tuple(self.categories[name])
        edges = self.bins[name]
        return tuple(f"{a:g} to {b:g}" for a, b in pairwise(edges))

    def count(self, data: DataFrame | Mapping[str, ArrayLike]) -> np.ndarray:
        """Return the exact table: the number of rows in each cell, ints of shape `shape`.

        Raises ValueError for data without one of the columns, for columns of several lengths, and
        for other values than the class says.
        """
        places = [self._places(name, _column(data, name)) for name in self.names]
        if len({len(column) for column in places}) > 1:
            raise ValueError("data must have columns of one length")
        cells = np.ravel_multi_index(places, self.shape)
        return np.bincount(cells, minlength=math.prod(self.shape)).reshape(self.shape)

    def _places(self, name: str, values: np.ndarray) -> np.ndarray:
        """Return the category or bin of each value, ints."""
        what = f"column {name!r}"
        if name in self.categories:
            position = {value: i for i, value in enumerate(self.categories[name])}
            places = np.array([_place(position, value) for value in values.tolist()], dtype=int)
            if not records.are_moved():
                records.refuse_entries(what, f"one of {_shorten(position)}", places < 0)
            return np.where(places < 0, len(position) - 1, places)
        edges = np.array(self.bins[name])
        low, high = edges[0], edges[-1]
        if records.are_moved():
            x = records.reals(what, values, low=low, high=high)
        else:
            x = records.floats(what, values)
            records.refuse_entries(
                what, f"numbers from {low:g} to {high:g}", ~((x >= low) & (x <= high))
            )
        return np.minimum(np.searchsorted(edges, x, side="right") - 1, len(edges) - 2)

    def marginals(
        self, k: int, *, total: PureDP | ZCDP, neighbors: Neighbors = REPLACE_ONE
    ) -> PostProcessed:
        """Return the mechanism that publishes all k-way marginals, as `Marginals`: costs `total`.

        `total` is PureDP or ZCDP. Let T be the number of marginals, C(columns, k), or twice that
        for REPLACE_ONE. Then PureDP pays for discrete Laplace noise of scale T / epsilon in each
        cell, and ZCDP for discrete Gaussian noise of standard deviation sqrt(T / (2 rho)). Raises
        ValueError unless k is from 1 to the number of columns and the total is above 0.
        """
        k = arguments.whole("k", k, least=1, most=len(self.names))
        queries = MarginalQueries(self.shape, k)
        changes = touched_bins(neighbors) * math.comb(len(self.names), k)

        def count(data: Any) -> np.ndarray:
            return queries @ self.count(data).ravel()

        if isinstance(total, PureDP):
            noisy: Any = GeometricMechanism(
                count, Fraction(changes), Fraction(total.epsilon), neighbors=neighbors
            )
        elif isinstance(total, ZCDP):
            noisy = DiscreteGaussianMechanism.for_zcdp(
                count, sensitivity=_root(changes), rho=total.rho, neighbors=neighbors
            )
        else:
            raise ValueError(f"total must be PureDP or ZCDP, above 0, not {total!r}")
        return PostProcessed(noisy, partial(Marginals, self, k))

    def draw_rows(self, table: ArrayLike, n: int, rng: np.random.Generator) -> DataFrame:
        """Draw n rows whose cells have probabilities proportional to `table`, as a DataFrame.

        A number in a bin is uniform. Raises ValueError for a table of another shape, with negative
        cells or without a positive one.
        """
        weights = arguments.reals("table", table)
        if weights.shape != self.shape or (weights < 0).any() or weights.sum() <= 0:
            raise ValueError(f"table must be counts of at least 0, of shape {self.shape}")
        n = arguments.whole("n", n, least=0)
        cells = rng.choice(weights.size, n, p=weights.ravel() / weights.sum())
        places = np.array(np.unravel_index(cells, self.shape))
        columns: dict[str, Any] = {}
        for name, column in zip(self.names, places, strict=True):
            if name in self.categories:
                columns[name] = [self.categories[name][i] for i in column]
            else:
                edges = np.array(self.bins[name])
                columns[name] = edges[column] + np.diff(edges)[column] * rng.random(n)
        return optional.load("pandas", "A DataFrame", "pandas").DataFrame(columns)


@dataclass(frozen=True, eq=False)
class Marginals:
    """Noisy counts of all marginals of k columns: the output of the mechanism `Columns.marginals`.

    `counts` has all cells in a row, in the order of `dplab.queries.MarginalQueries`.
    """

    columns: Columns
    k: int
    counts: np.ndarray

    def table(self, *names: str) -> np.ndarray:
        """Return the noisy counts of these k columns, with an axis for each, in this order.

        Raises ValueError for another number of columns, or a name that no column has.
        """
        own = self.columns.names
        axes = [own.index(arguments.one_of("name", name, own)) for name in names]
        if len(set(axes)) != self.k or len(axes) != self.k:
            raise ValueError(
                f"names must be {self.k} of {', '.join(map(repr, own))}, not {names!r}"
            )
        sizes = self.columns.shape
        start = 0
        for subset in combinations(range(len(own)), self.k):
            shape = tuple(sizes[axis] for axis in subset)
            if set(subset) == set(axes):
                break
            start += math.prod(shape)
        cells = self.counts[start : start + math.prod(shape)].reshape(shape)
        return cells.transpose([subset.index(axis) for axis in axes])

    def frame(self, *names: str) -> DataFrame:
        """Return `table` as a DataFrame: a row for each cell, with its labels and noisy count."""
        table = self.table(*names)
        cells = list(product(*(self.columns.labels(name) for name in names)))
        columns: dict[str, Any] = {
            name: [cell[axis] for cell in cells] for axis, name in enumerate(names)
        }
        columns["count"] = table.ravel()
        return optional.load("pandas", "A DataFrame", "pandas").DataFrame(columns)

    def fit(self) -> np.ndarray:
        """Return the table of largest entropy with the nearest marginals, of shape `columns.shape`.

        Its cells are at least 0, and its sum is the mean of the sums of the noisy marginals, at
        least 1.
        """
        shape = self.columns.shape
        queries, tables = MarginalQueries(shape, self.k), math.comb(len(shape), self.k)
        size = max(1, round(float(np.sum(self.counts)) / tables))
        targets = queries @ nearest_table(queries, self.counts, size)
        near = Marginals(self.columns, self.k, targets)
        table = np.full(shape, size / math.prod(shape))
        for _ in range(SCALING_ROUNDS):
            for axes in combinations(range(len(shape)), self.k):
                others = tuple(axis for axis in range(len(shape)) if axis not in axes)
                now = table.sum(axis=others, keepdims=True)
                target = near.table(*(self.columns.names[axis] for axis in axes)).reshape(now.shape)
                table = table * np.divide(target, now, out=np.zeros_like(now), where=now > 0)
        return table

    def synthesize(self, n: int, rng: np.random.Generator) -> DataFrame:
        """Draw n synthetic rows from the table of `fit`, as a DataFrame: post-processing."""
        return self.columns.draw_rows(self.fit(), n, rng)

    def plot(self, *names: str, ax: Axes | None = None) -> Axes:
        """Draw the marginal of one column as bars, or of two as a map; return the axes.

        Raises ValueError for more columns.
        """
        table = self.table(*names)
        labels = [list(map(str, self.columns.labels(name))) for name in names]
        if len(names) > 2:
            raise ValueError(f"names must be one or two columns to draw, not {names!r}")
        if len(names) == 1:
            ax = plots.label_axes(ax, xlabel=names[0], ylabel="noisy count (rows)")
            ax.bar(labels[0], table)
            ax.axhline(0, color="black", linewidth=0.8)
            return ax
        ax = plots.label_axes(ax, ylabel=names[0], xlabel=names[1])
        image = ax.imshow(table, aspect="auto")
        ax.set_yticks(range(len(labels[0])), labels[0])
        ax.set_xticks(range(len(labels[1])), labels[1])
        ax.figure.colorbar(image, ax=ax, label="noisy count (rows)")
        return ax


def _distinct(name: str, values: Any) -> tuple:
    """Return the values of a column; ValueError for repeated or no values, and for NaN."""
    try:
        distinct = set() if isinstance(values, str) else set(values)  # "yes" is one value
        if distinct and len(distinct) == len(values) and all(value == value for value in distinct):
            return tuple(values)
    except TypeError:  # no list, or of lists
        pass
    raise ValueError(f"categories[{name!r}] must be distinct values in a list, not {values!r}")


def _column(data: Any, name: str) -> np.ndarray:
    """Return a column as objects; ValueError without it."""
    try:
        values = data[name]
        if isinstance(values, list | tuple):  # an array would have an axis for entries of a list
            column = np.fromiter(values, dtype=object, count=len(values))
        else:
            column = np.asarray(values, dtype=object)
    except (KeyError, IndexError, TypeError, ValueError):
        values = column = np.array(None)
    if column.ndim != 1 or isinstance(values, np.ma.MaskedArray):  # an array forgets its mask
        raise ValueError(f"data must have one column {name!r}, with a value for each row")
    return column


def _place(position: dict[Hashable, int], value: Any) -> int:
    """Return the number of a category, or -1 for another value."""
    try:
        return position.get(value, -1)
    except TypeError:  # a list, say
        return -1


def _shorten(categories: Mapping[Hashable, int]) -> str:
    first = [repr(value) for value in list(categories)[:SHOWN_CATEGORIES]]
    more = f" and {len(categories) - len(first)} more" if len(categories) > len(first) else ""
    return ", ".join(first) + more


def _root(number: int) -> Fraction:
    """Return the root of a whole number, or a fraction just above it."""
    root = math.sqrt(number)
    return Fraction(root if Fraction(root) ** 2 >= number else math.nextafter(root, math.inf))
