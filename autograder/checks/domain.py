"""Draw arguments from a whole domain: its ends, equal values, ties, shapes and types.

A test declares what each argument may be, and gets cases of every kind:

    n, share = checks.Whole(1, 20_000), checks.Real(0.01, 1)
    bits = checks.Array(checks.Whole(0, 1), checks.Whole(0, 300), forms=("array", "list", "int8"))
    for arguments in checks.draw_cases(checks.generator(), n, share, bits, count=12):
        checks.call(function, *arguments).gives(...)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

SMALLEST_SHARE = 1e-9  # of the larger end: the smallest magnitude of values around 0
MAX_TRIES = 50_000  # arguments that `draw_ties` looks at
CONTENTS = ("any", "equal", "repeated", "ends")  # of an array; see `Array`


class Domain(Protocol):
    """The values that an argument may have."""

    def draw(self, rng: np.random.Generator, count: int) -> list:
        """Return `count` values in random order."""


@dataclass(frozen=True)
class Real:
    """The numbers from `low` to `high`. Both ends and the values `also` are always drawn.

    All orders of magnitude occur. If 0 is inside, every other value is uniform. `forms` are the
    types to draw: "float", "int", or the name of a numpy type, such as "float32", which rounds.
    """

    low: float
    high: float
    also: tuple[float, ...] = ()
    forms: tuple[str, ...] = ("float",)

    def draw(self, rng: np.random.Generator, count: int) -> list:
        """Return `count` values in random order. Raises ValueError if more values are fixed."""
        return _give_forms(rng, _draw_with_ends(rng, self, count), self.forms)

    def fill(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of independent values, uniform between the ends."""
        return rng.uniform(self.low, self.high, shape)


@dataclass(frozen=True)
class Whole(Real):
    """The whole numbers from `low` to `high`. Both ends and the values `also` are always drawn.

    A value that doesn't fit into one of the types, such as "int16" or "bool", gets another one.
    """

    low: int
    high: int
    also: tuple[int, ...] = ()
    forms: tuple[str, ...] = ("int",)

    def fill(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of independent values, uniform between the ends."""
        return rng.integers(self.low, self.high, shape, endpoint=True)


@dataclass(frozen=True)
class Among:
    """The listed values, each drawn about equally often."""

    values: tuple

    def draw(self, rng: np.random.Generator, count: int) -> list:
        """Return `count` of the values in random order."""
        repeated = itertools.islice(itertools.cycle(_shuffle(rng, self.values)), count)
        return _shuffle(rng, repeated)

    def fill(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of independent draws from the values."""
        return rng.choice(np.array(self.values), shape)


@dataclass(frozen=True, init=False)
class Array:
    """The arrays of `entries` with a shape: each dimension is a number or a `Whole`.

    Of every four arrays, one has independent entries, one has equal entries, one has few different
    rows, and one has only ends of the domain of the entries. `forms` are the types to draw:
    "array", "list", "tuple", or the name of a numpy type, such as "int8", "bool", "float32".
    """

    entries: Any
    shape: tuple[int | Whole, ...]
    forms: tuple[str, ...]

    def __init__(self, entries: Any, *shape: int | Whole, forms: Sequence[str] = ("array",)):
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "forms", tuple(forms))

    def draw(self, rng: np.random.Generator, count: int) -> list:
        """Return `count` arrays; the ends of each dimension are among them."""
        sides = [[n] * count if isinstance(n, int) else n.draw(rng, count) for n in self.shape]
        shapes = list(zip(*sides, strict=True)) if sides else [()] * count
        contents = itertools.cycle(_shuffle(rng, CONTENTS))
        arrays = [self._fill(rng, s, next(contents) if np.prod(s) > 1 else "any") for s in shapes]
        return _give_forms(rng, arrays, self.forms)

    def _fill(self, rng: np.random.Generator, shape: tuple[int, ...], content: str) -> np.ndarray:
        if content == "equal":
            return np.full(shape, self.entries.fill(rng, ()))
        if content == "repeated":
            rows = max(2, shape[0] // 3) if shape[0] > 1 else 1
            return self.entries.fill(rng, (rows, *shape[1:]))[rng.integers(rows, size=shape[0])]
        if content == "ends" and isinstance(self.entries, Real):
            ends = (self.entries.low, self.entries.high, *self.entries.also)
            return rng.choice(np.array(ends), shape)
        return self.entries.fill(rng, shape)


def draw_cases(
    rng: np.random.Generator, *domains: Real | Among | Array, count: int = 12
) -> list[tuple]:
    """Return `count` tuples of arguments, one value of each domain in each tuple."""
    return list(zip(*(domain.draw(rng, count) for domain in domains), strict=True))


def draw_ties(
    rng: np.random.Generator,
    formula: Callable[..., float],
    *domains: Real | Among | Array,
    count: int,
    digits: int = 2,
) -> list[tuple]:
    """Return `count` tuples of arguments for which floats just miss a whole number.

    The exact value of `formula` is whole and its float is not, as in 0.29 * 100. Real arguments are
    decimals with so many digits. Raises ValueError if such arguments are hardly ever drawn.
    """
    ties: list[tuple] = []
    for _ in range(MAX_TRIES // 100):
        for case in draw_cases(rng, *domains, count=100):
            case = tuple(round(x, digits) if isinstance(x, float) else x for x in case)
            value = formula(*case)
            if value != round(value) and abs(value - round(value)) < 1e-12 * max(1, abs(value)):
                ties.append(case)
        ties = list(dict.fromkeys(ties))
        if len(ties) >= count:
            return _shuffle(rng, ties)[:count]
    raise ValueError(f"only {len(ties)} ties in {MAX_TRIES} tries, not {count}")


def surround(values: Iterable[float]) -> np.ndarray:
    """Return the values, such as edges of bins, each with the floats just below and above it."""
    points = np.asarray(values, dtype=float).ravel()
    return np.sort([np.nextafter(points, -np.inf), points, np.nextafter(points, np.inf)], axis=None)


def parameters(rng: np.random.Generator, low: float, high: float, count: int) -> list[float]:
    """Return `count` log-uniform numbers from `low` to `high`, both included, in random order.

    Between the ends there is one number in each of `count` - 2 parts. All parts have the same ratio
    of upper to lower end. Raises ValueError unless 0 < low < high and `count` is at least 2.
    """
    if not 0 < low < high:
        raise ValueError(f"low and high must be above 0 and in order, not {low!r} and {high!r}")
    if count < 2:
        raise ValueError(f"count must be at least 2, for both ends, not {count!r}")
    between = _log_uniform(rng, low, high, count - 2)
    return rng.permutation(np.array([low, high, *between], dtype=float)).tolist()


def sizes(rng: np.random.Generator, low: int, high: int, count: int) -> list[int]:
    """Return `count` whole numbers from `low` to `high`: those of `parameters`, rounded."""
    return [round(value) for value in parameters(rng, low, high, count)]


def _log_uniform(
    rng: np.random.Generator, low: float, high: float | np.ndarray, count: int
) -> np.ndarray:
    shares = (np.arange(count) + rng.random(count)) / max(1, count)
    return np.clip(low * (high / low) ** shares, low, high)


def _shuffle(rng: np.random.Generator, values: Iterable) -> list:
    values = list(values)
    return [values[i] for i in rng.permutation(len(values))]


def _draw_with_ends(rng: np.random.Generator, domain: Real, count: int) -> list:
    """Return the ends, the values `also`, and values between up to `count`, in random order."""
    low, high = domain.low, domain.high
    fixed = list(dict.fromkeys((low, high, *domain.also)))
    if not low <= min(fixed) <= max(fixed) <= high or count < len(fixed):
        raise ValueError(f"{domain} has {len(fixed)} fixed values in order, and {count} are drawn")
    missing_count = count - len(fixed)
    if low > 0:
        values = _log_uniform(rng, low, high, missing_count)
    else:
        top = max(-low, high)
        smallest = 1 if isinstance(domain, Whole) else top * SMALLEST_SHARE
        is_positive = rng.random(missing_count) * (high - low) < high
        largest = np.maximum(np.where(is_positive, high, -low), smallest)
        values = _log_uniform(rng, smallest, largest, missing_count)
        values = np.where(is_positive, values, -values)
        values[::2] = rng.uniform(low, high, len(values[::2]))
    values = np.clip(values, low, high).tolist()
    return _shuffle(
        rng, [*fixed, *map(round, values)] if isinstance(domain, Whole) else [*fixed, *values]
    )


def _give_forms(rng: np.random.Generator, values: list, forms: Sequence[str]) -> list:
    """Return the values in these types; use each type about equally often."""
    uses = dict.fromkeys(_shuffle(rng, forms), 0)
    results = []
    for value in values:
        fitting = [form for form in uses if _fits(value, form)]
        if not fitting:
            raise ValueError(f"{value!r} fits into none of the types {', '.join(forms)}")
        form = min(fitting, key=uses.__getitem__)
        uses[form] += 1
        results.append(_convert(value, form))
    return results


def _fits(value: Any, form: str) -> bool:
    array = np.asarray(value)
    if form in ("list", "tuple"):  # an empty list of lists doesn't show their length
        return array.size > 0 or array.ndim == 1
    if form in ("array", "float") or np.dtype(form).kind not in "biu":
        return True
    if form == "int" and isinstance(value, int):  # of any size
        return True
    if array.dtype == object:  # more than 64 bits
        return False
    limits = (0, 1) if form == "bool" else (np.iinfo(form).min, np.iinfo(form).max)
    return bool(((limits[0] <= array) & (array <= limits[1]) & (array == np.round(array))).all())


def _convert(value: Any, form: str) -> Any:
    if form in ("list", "tuple"):
        return _to_tuple(value.tolist()) if form == "tuple" else value.tolist()
    if form in ("float", "int") and not isinstance(value, np.ndarray):
        return {"float": float, "int": int}[form](value)
    return value if form == "array" else np.asarray(value).astype(form)[()]


def _to_tuple(value: Any) -> Any:
    return tuple(map(_to_tuple, value)) if isinstance(value, list) else value
