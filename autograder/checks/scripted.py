"""A random source whose draws are written down beforehand: then a check of noise is exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.wire.wording import counted

_FEEDS = {  # methods that take their draws from another one's list
    "standard_normal": "normal",
    "standard_exponential": "exponential",
    "uniform": "random",
}
_SCALED = ("laplace", "normal", "exponential", "gumbel")
_METHODS = (*_SCALED, "random", "geometric", "integers", "choice")


class Scripted(np.random.Generator):
    """A generator whose standard draws are those given, in their order, for each method.

        checks.call(laplace_mechanism, 10, 2.0, 0.5, checks.Scripted([1.5])).gives(16)
        checks.call(coin, 0.5, checks.Scripted(random=[1e-300, 1 - 2**-53]))

    `laplace`, `normal` and `gumbel` return loc + scale * draws, `exponential` scale * draws, for
    arrays row by row, as numpy's do with draws of their own. `standard_normal` takes from the
    draws of `normal`, `standard_exponential` from those of `exponential`, and `uniform` stretches
    those of `random`. `geometric` and `integers` return the draws as they are, `choice` the
    entries at these places.

    `used` counts the draws that were taken, `scales` lists the scales that they were taken with.
    Whatever else is asked of it, and a draw beyond the last, is an error that says so.
    """

    def __init__(self, laplace: Any = None, **draws: Any) -> None:
        super().__init__(np.random.PCG64(0))
        if strange := set(draws) - set(_METHODS):
            raise TypeError(f"there is no script for rng.{min(strange)}, only for {_METHODS}")
        given = {"laplace": laplace, **draws}
        self._draws = {
            name: np.ravel(np.asarray(values, dtype=float))
            for name, values in given.items()
            if values is not None
        }
        self._taken = dict.fromkeys(self._draws, 0)
        self._scales: list[float] = []
        # Bound once: the other room numbers every object that it has been told of.
        found = {name: getattr(type(self), name) for name in (*_METHODS, *_FEEDS)}
        scripted = {n: f for n, f in found.items() if _FEEDS.get(n, n) in self._draws}
        self._methods = {name: f.__get__(self) for name, f in scripted.items()}

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or name in ("used", "scales"):
            return object.__getattribute__(self, name)
        if name in self._methods:
            return self._methods[name]
        ours = " and ".join(f"rng.{one}" for one in self._draws) or "nothing"
        raise AttributeError(f"this source has draws of {ours} only, not of rng.{name}")

    @property
    def used(self) -> int:
        return sum(self._taken.values())

    @property
    def scales(self) -> list[float]:
        return list(self._scales)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scaled("laplace", loc, scale, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scaled("normal", loc, scale, size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scaled("gumbel", loc, scale, size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return self._scaled("exponential", 0.0, scale, size)

    def standard_normal(self, size: Any = None) -> Any:  # type: ignore[override]
        return self._scaled("normal", 0.0, 1.0, size)

    def standard_exponential(self, size: Any = None) -> Any:  # type: ignore[override]
        return self._scaled("exponential", 0.0, 1.0, size)

    def random(self, size: Any = None) -> Any:  # type: ignore[override]
        return _plain(self._take("random", () if size is None else size))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        shape = np.broadcast(low, high).shape if size is None else size
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        return _plain(low + (high - low) * self._take("random", shape))

    def geometric(self, p: Any, size: Any = None) -> Any:
        drawn = self._take("geometric", np.shape(p) if size is None else size)
        return _plain(drawn.astype(np.int64))

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        low, high = (0, low) if high is None else (low, high)
        shape = np.broadcast(low, high).shape if size is None else size
        drawn = self._take("integers", shape).astype(dtype)
        if (drawn < low).any() or (drawn >= np.asarray(high) + bool(endpoint)).any():
            raise RuntimeError("a draw that is written down is not among these integers")
        return _plain(drawn)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        places: Any = self._take("choice", () if size is None else size).astype(int)
        found = np.take(np.arange(a) if np.ndim(a) == 0 else np.asarray(a), places, axis)
        return found[()] if isinstance(found, np.ndarray) else found

    def _scaled(self, name: str, loc: Any, scale: Any, size: Any) -> Any:
        shape = np.broadcast(loc, scale).shape if size is None else size
        scale = np.asarray(scale, dtype=float)
        if not (scale >= 0).all():
            raise ValueError("scale < 0")
        drawn = self._take(name, shape)
        scales = np.broadcast_to(scale, drawn.shape)
        self._scales += scales.ravel().tolist()
        return _plain(np.asarray(loc) + scales * drawn)

    def _take(self, name: str, shape: Any) -> np.ndarray:
        """The next draws of a method, as many as fill `shape`."""
        count, start = math.prod(np.atleast_1d(shape).astype(object)), self._taken[name]
        given = self._draws[name]
        if start + count > len(given):
            draws = counted(len(given), "draw")
            raise RuntimeError(f"the noise needs {draws}, here one more is taken")
        self._taken[name] = start + count
        return given[start : start + count].reshape(shape)


def _plain(drawn: np.ndarray) -> Any:
    return drawn.item() if drawn.ndim == 0 else drawn
