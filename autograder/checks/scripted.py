"""A random source whose draws are written down beforehand: then a check of noise is exact."""

from __future__ import annotations

from typing import Any

import numpy as np


class Scripted(np.random.Generator):
    """A generator for `rng.laplace` alone, whose standard draws are those given, in their order.

        checks.call(laplace_mechanism, 10, 2.0, 0.5, checks.Scripted([1.5])).gives(16)

    `laplace(loc, scale, size)` returns loc + scale * draws, for arrays row by row, as numpy's does
    with draws of its own. `used` counts the draws that were taken, `scales` lists their scales.
    Whatever else is asked of it, and a draw beyond the last, is an error that says so.
    """

    def __init__(self, laplace: Any) -> None:
        super().__init__(np.random.PCG64(0))
        self._draws = np.ravel(np.asarray(laplace, dtype=float))
        self._scales: list[float] = []

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or name in ("laplace", "used", "scales"):
            return object.__getattribute__(self, name)
        raise AttributeError(f"this source has draws of rng.laplace only, not of rng.{name}")

    @property
    def used(self) -> int:
        return len(self._scales)

    @property
    def scales(self) -> list[float]:
        return list(self._scales)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        shape = np.broadcast(loc, scale).shape if size is None else size
        scales = np.broadcast_to(np.asarray(scale, dtype=float), shape)
        if not (scales >= 0).all():
            raise ValueError("scale < 0")
        start, end = self.used, self.used + scales.size
        if end > len(self._draws):
            raise RuntimeError(f"the noise needs {len(self._draws)} draws, here one more is taken")
        self._scales += scales.ravel().tolist()
        drawn = np.asarray(loc) + scales * self._draws[start:end].reshape(scales.shape)
        return float(drawn) if drawn.ndim == 0 else drawn
