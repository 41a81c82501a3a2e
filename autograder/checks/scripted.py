"""A random source with draws that a test writes down, for exact checks of noise."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from autograder.checks.watched import resolve_type
from autograder.wire.text import count_noun

_FEEDS = {  # methods that take their draws from the list of another method
    "standard_normal": "normal",
    "standard_exponential": "exponential",
    "uniform": "random",
}
_SCALED = ("laplace", "normal", "exponential", "gumbel")
_METHODS = (*_SCALED, "random", "geometric", "integers", "choice")


class Scripted(np.random.Generator):
    """A generator that returns given standard draws, in order, for each method.

        checks.call(laplace_mechanism, 10, 2.0, 0.5, checks.Scripted([1.5])).gives(16)
        checks.call(coin, 0.5, checks.Scripted(random=[1e-300, 1 - 2**-53]))

    `laplace`, `normal` and `gumbel` return loc + scale * draws, `exponential` scale * draws. Arrays
    are filled row by row, as numpy's are. `standard_normal` takes from the draws of `normal`,
    `standard_exponential` from those of `exponential`, and `uniform` stretches those of `random`.
    `geometric` and `integers` return the draws unchanged, `choice` the entries at these places.
    Types and shapes are those of numpy; only `out` is refused.

    `used` is the number of draws taken so far, `scales` the list of their scales. Any other method,
    and a draw beyond the last, raises an error that says so.
    """

    def __init__(self, laplace: Any = None, **draws: Any) -> None:
        super().__init__(np.random.PCG64(0))
        if other_names := set(draws) - set(_METHODS):
            raise TypeError(f"there is no script for rng.{min(other_names)}, only for {_METHODS}")
        scripts = {"laplace": laplace, **draws}
        self._draws = {
            name: np.ravel(np.asarray(values, dtype=float))
            for name, values in scripts.items()
            if values is not None
        }
        self._used_counts = dict.fromkeys(self._draws, 0)
        self._scales: list[float] = []
        # Bound only once, because every object that crosses gets a new number.
        functions = {name: getattr(type(self), name) for name in (*_METHODS, *_FEEDS)}
        scripted = {n: f for n, f in functions.items() if _FEEDS.get(n, n) in self._draws}
        self._methods = {name: f.__get__(self) for name, f in scripted.items()}

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or name in ("used", "scales"):
            return object.__getattribute__(self, name)
        if name in self._methods:
            return self._methods[name]
        methods = " and ".join(f"rng.{method}" for method in self._draws) or "nothing"
        raise AttributeError(f"this source has draws of {methods} only, not of rng.{name}")

    @property
    def used(self) -> int:
        return sum(self._used_counts.values())

    @property
    def scales(self) -> list[float]:
        return list(self._scales)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scale_draws("laplace", loc, scale, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scale_draws("normal", loc, scale, size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scale_draws("gumbel", loc, scale, size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scale_draws("exponential", 0.0, scale, size)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        kind = _check_float_type("standard_normal", dtype, out)
        return self._scale_draws("normal", 0.0, 1.0, size, kind)

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
    ) -> Any:
        kind = _check_float_type("standard_exponential", dtype, out)
        return self._scale_draws("exponential", 0.0, 1.0, size, kind)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        kind = _check_float_type("random", dtype, out)
        return _unwrap(self._take("random", _shape(size)).astype(kind, copy=False), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        draws = self._take("random", _shape(size, low, high))
        return _unwrap(np.asarray(low + (high - low) * draws), size)

    def geometric(self, p: Any, size: Any = None) -> Any:
        p = np.asarray(p, dtype=float)
        if not ((p > 0) & (p <= 1)).all():
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        return _unwrap(self._take("geometric", _shape(size, p)).astype(np.int64), size)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        dtype = resolve_type(dtype)
        if (kind := np.dtype(dtype)).kind not in "iub":
            raise TypeError(f"Unsupported dtype {kind!r} for integers")
        low, high = (0, low) if high is None else (low, high)
        values = self._take("integers", _shape(size, low, high))
        if (values < low).any() or (values >= np.asarray(high) + bool(endpoint)).any():
            raise RuntimeError("a draw that is written down is not among these integers")
        values = values.astype(kind)
        # A single number has the requested type: one of numpy's, or Python's int or bool.
        if size is None and values.ndim == 0 and dtype is not int and dtype is not bool:
            return values[()]
        return _unwrap(values, size)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        places: Any = self._take("choice", _shape(size)).astype(int)
        if np.ndim(a) == 0:
            if (places >= index(a)).any():
                raise RuntimeError("a draw that is written down is not among these choices")
            return _unwrap(places, size)
        entries = np.moveaxis(np.asarray(a), axis, 0)
        picks = entries[places.ravel()].reshape(places.shape + entries.shape[1:])
        if size is None:
            return picks[()]
        return np.moveaxis(picks, range(places.ndim), range(axis, axis + places.ndim))

    def _scale_draws(self, name: str, loc: Any, scale: Any, size: Any, kind: Any = float) -> Any:
        loc, scale = np.asarray(loc, dtype=float), np.asarray(scale, dtype=float)
        if not (scale >= 0).all():
            raise ValueError("scale < 0")
        draws = self._take(name, _shape(size, loc, scale))
        scales = np.broadcast_to(scale, draws.shape)
        self._scales += scales.ravel().tolist()
        return _unwrap(np.asarray(loc + scales * draws, dtype=kind), size)

    def _take(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return the next draws of a method, as many as fill `shape`."""
        count, start = math.prod(shape), self._used_counts[name]
        script = self._draws[name]
        if start + count > len(script):
            draws = count_noun(len(script), "draw")
            raise RuntimeError(f"the noise needs {draws}, here one more is taken")
        self._used_counts[name] = start + count
        return script[start : start + count].reshape(shape)


for _name in (*_METHODS, *_FEEDS):  # Python's message about a wrong call uses this name
    getattr(Scripted, _name).__qualname__ = f"rng.{_name}"


def _shape(size: Any, *parameters: Any) -> tuple[int, ...]:
    """Return the shape of numpy's draws. Raises as numpy does for a wrong or too small size."""
    common = np.broadcast_shapes(*map(np.shape, parameters))
    if size is None:
        return common
    shape = tuple(map(index, [size] if np.ndim(size) == 0 else size))
    if any(side < 0 for side in shape):
        raise ValueError("negative dimensions are not allowed")
    if common and np.broadcast_shapes(common, shape) != shape:
        raise ValueError(f"a size of {shape} is too small for parameters of shape {common}")
    return shape


def _check_float_type(name: str, dtype: Any, out: Any) -> np.dtype:
    """Return the requested type of floats: 32 or 64 bits, in a new array."""
    if out is not None:
        raise TypeError(f"this source fills no array in place: take what rng.{name} returns")
    if (kind := np.dtype(resolve_type(dtype))) not in (np.dtype(np.float64), np.dtype(np.float32)):
        raise TypeError(f"Unsupported dtype {kind!r} for {name}")
    return kind


def _unwrap(values: np.ndarray, size: Any) -> Any:
    """Return the draws as numpy does: a number without a size, an array for the size ()."""
    return values.item() if values.ndim == 0 and size is None else values
