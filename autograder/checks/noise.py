"""Check the law of noise exactly, from its draws, without statistics.

If each output is its true value plus a separate draw, the noise has the law of the draws. So the
check looks for the draw, or the two draws, behind each output. It knows the usual styles of code.
For any other style it returns False, and statistics decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from autograder.checks.calls import Call
from autograder.checks.failures import fail
from autograder.checks.numbers import to_numbers
from autograder.checks.stated_failure import state
from autograder.checks.value_texts import show_precisely, tell_apart
from autograder.checks.watched import Draw, Watched

REL_TOLERANCE = 1e-9  # far above rounding, but it detects an epsilon 1.00000001 times too large
_ABS_TOLERANCE = 1e-12  # in scales; two ways to invert a distribution function differ by less
_MAX_BLUR = 1e-6  # in scales: outputs with fewer digits tell nothing about single draws
_MAX_SHARE_BLUR = 1e-12  # of uniform draws, in their range; a larger blur cuts tails
_MAX_CHANCE = 1e-10  # that unused draws are the outermost by one of the four measures
_MIN_ORDERED = 15  # draws that are in order by chance with probability 1 / 15! < 1e-12
_METHODS = {
    "laplace": ("laplace",),
    "normal": ("normal", "standard_normal"),
    "gumbel": ("gumbel",),
    "exponential": ("exponential", "standard_exponential"),
}


def expect_noise(
    outputs: Any,
    true: Any,
    rng: Watched,
    law: str,
    scale: Any,
    hint: str = "",
    step: float = 1.0,
    *,
    otherwise: Callable[[], object],
) -> bool:
    """Fail if the draws show that `outputs` is not `true` plus independent noise of this law.

    `law` is "laplace", "normal", "gumbel" or "exponential", of this `scale` (one number, or one
    for each output), or "geometric": `step` times a whole number k with a probability
    proportional to exp(-|k| / scale), of one scale. `rng` must have drawn for these outputs only.

    If the draws prove nothing, `otherwise` is called: for example, for an unknown style of code, or
    without any draws. `otherwise` has to check the noise by statistics: nothing else does.

    Returns whether the draws prove the noise right. In a style that leaves draws unused or takes
    them in another order, a right solution can fail by chance; that probability is stated.

    Raises ValueError for geometric noise of several scales.
    """
    is_proven = _is_proven(outputs, true, rng, law, scale, hint, step)
    if not is_proven:
        otherwise()
    return is_proven


def _is_proven(
    outputs: Any, true: Any, rng: Watched, law: str, scale: Any, hint: str, step: float
) -> bool:
    """Return whether the draws prove the noise right; fail if they prove it wrong."""
    if rng.refused:
        return False
    what = outputs if isinstance(outputs, Call) else "the noise"
    numbers = to_numbers(what, outputs.result() if isinstance(outputs, Call) else outputs)
    numbers = np.atleast_1d(numbers)
    true = np.broadcast_to(np.asarray(true, dtype=float), numbers.shape)
    scale = np.broadcast_to(np.asarray(scale, dtype=float), numbers.shape)
    if not numbers.size:
        return False
    if law == "geometric":
        if np.ptp(scale) > 0:
            raise ValueError(f"geometric noise has one scale here, not {scale.min()} and others")
        return _expect_geometric(what, (numbers - true) / step, rng, float(scale.flat[0]), hint)
    blur = 4 * np.spacing(np.maximum(abs(numbers), abs(true))) / scale
    if not blur.max() < _MAX_BLUR:
        return False
    noise = _Noise(what, (numbers - true) / scale, blur, true.ravel(), law, hint)
    return any(noise.is_made_of(standard) for standard in _list_standard_draws(rng.draws, law))


class _Noise:
    """Noise in units of its scale, for comparison with standard draws."""

    def __init__(
        self,
        what: object,
        noise: np.ndarray,
        blur: np.ndarray,
        true: np.ndarray,
        law: str,
        hint: str,
    ) -> None:
        self._what, self._hint, self._true = what, hint, true
        self._orders = [noise.ravel(), noise.ravel("F"), noise[..., ::-1].ravel()]
        self._orders += [noise.ravel()[::-1], noise[::-1].ravel()]
        self._noise, self._blur = self._orders[0], float(blur.max())
        self._signs = (1, -1) if law in ("laplace", "normal") else (1,)

    def is_made_of(self, draws: np.ndarray) -> bool:
        """Return whether each entry is a separate draw, chosen only by its place. Can fail."""
        noise = self._noise
        if len(draws) == len(noise):
            signed_draws: list[np.ndarray] = [sign * draws for sign in self._signs]
            if any(self._is_near(o, d).all() for o in self._orders for d in signed_draws):
                return True
            self._expect_all_or_none(draws)
        places = self._find_places(draws)
        is_matched = places >= 0
        if len(draws) < len(noise) and is_matched.sum() >= max(2, len(noise) / 2):
            self._fail("one draw of the noise serves more than one number")
        if len(draws) >= len(noise) and is_matched.all():
            self._expect_chosen_blindly(draws, places)
        return False

    def _is_near(self, noise: np.ndarray, draws: np.ndarray) -> np.ndarray:
        return abs(noise - draws) <= _ABS_TOLERANCE + self._blur + REL_TOLERANCE * abs(draws)

    def _find_places(self, draws: np.ndarray) -> np.ndarray:
        """Return the place of the draw that equals each entry up to its sign, or -1 without one."""
        order = np.argsort(abs(draws))
        sizes = abs(draws)[order]
        upper = np.searchsorted(sizes, abs(self._noise)).clip(0, len(sizes) - 1)
        lower = (upper - 1).clip(0)
        nearer = abs(sizes[lower] - abs(self._noise)) < abs(sizes[upper] - abs(self._noise))
        nearest = np.where(nearer, lower, upper)
        return np.where(self._is_near(abs(self._noise), sizes[nearest]), order[nearest], -1)

    def _expect_all_or_none(self, draws: np.ndarray) -> None:
        """Fail if at least half of the entries are the draws times one number, but not all."""
        noise = self._noise
        with np.errstate(divide="ignore", invalid="ignore"):
            median = float(np.median(noise / draws))
        for factor in (*self._signs, median):
            equal = self._is_near(noise, factor * draws)
            if len(noise) < 2 or equal.sum() < max(2, len(noise) / 2):
                continue
            if not any(math.isclose(factor, sign, rel_tol=REL_TOLERANCE) for sign in self._signs):
                ratio = show_precisely(factor, 1.0, -1.0)
                self._fail(f"the noise is {ratio} times what it should be")
            self._fail(
                f"number {int(np.argmin(equal))} is not its true value plus the noise drawn for it"
            )

    def _expect_chosen_blindly(self, draws: np.ndarray, places: np.ndarray) -> None:
        """Fail if the order of the draws, or the choice of unused ones, depends on their values."""
        by_true = np.argsort(self._true, kind="stable")
        if len(self._noise) >= _MIN_ORDERED:
            state(f"{self._what}: the noise is not put in order", 8 / math.factorial(_MIN_ORDERED))
            for values in (self._noise, self._noise[by_true]):
                steps = np.diff(values), np.diff(abs(values))
                if any((s >= 0).all() or (s <= 0).all() for s in steps):
                    self._fail("the noise is put in order, so it depends on what was drawn")
        unused = np.setdiff1d(np.arange(len(draws)), places)
        if not len(unused):
            return
        chance = -math.lgamma(len(draws) + 1) + math.lgamma(len(unused) + 1)
        chance += math.lgamma(len(draws) - len(unused) + 1)
        if chance > math.log(_MAX_CHANCE):
            return
        state(f"{self._what}: no draws are thrown away for their size", 4 * _MAX_CHANCE)
        for size in (draws, -draws, abs(draws), -abs(draws)):
            if size[unused].min() > np.delete(size, unused).max():
                self._fail("draws are thrown away that lie further out than the others")

    def _fail(self, does: str) -> None:
        _fail(self._what, does, self._hint)


def _list_standard_draws(draws: tuple[Draw, ...], law: str) -> Iterator[np.ndarray]:
    """Yield the standard noise that the draws make in each style that fits their methods."""
    methods = {draw.method for draw in draws}
    if not methods <= {*_METHODS[law], *_METHODS["exponential"], "random", "uniform"}:
        return
    if not draws or any(map(_has_few_digits, draws)):
        return
    if methods <= set(_METHODS[law]):
        yield np.concatenate([_standardize(draw) for draw in draws])
    if methods <= {"random", "uniform"}:
        shares = np.concatenate([_rescale_uniform(draw) for draw in draws])
        with np.errstate(divide="ignore"):
            yield from _invert_uniforms(shares, law)
    if methods <= set(_METHODS["exponential"]) and law == "laplace":
        yield from _subtract_pairs(draws, _standardize)
    if methods <= set(_METHODS["exponential"]) and law == "gumbel":
        yield -np.log(np.concatenate([_standardize(draw) for draw in draws]))


def _has_few_digits(draw: Draw) -> bool:
    """Return whether rounding has left too little of the noise in a draw.

    For example, with a loc of 1e300 every draw is rounded to loc. A student chooses loc.
    """
    values = np.asarray(draw.values, dtype=float)
    start, width = draw.arguments.get("loc", 0.0), draw.arguments.get("scale", 1.0)
    limit = _MAX_BLUR
    if draw.method == "uniform":
        start, end = np.asarray(draw.arguments["low"]), np.asarray(draw.arguments["high"])
        width, limit = abs(end - start), _MAX_SHARE_BLUR
    with np.errstate(divide="ignore", invalid="ignore"):
        blur = 4 * np.spacing(np.maximum(abs(values), np.abs(start))) / np.asarray(width)
    return not (blur < limit).all()


def _standardize(draw: Draw) -> np.ndarray:
    values = np.asarray(draw.values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        loc, scale = draw.arguments.get("loc", 0.0), draw.arguments.get("scale", 1.0)
        return np.ravel((values - np.asarray(loc)) / np.asarray(scale))


def _rescale_uniform(draw: Draw) -> np.ndarray:
    """Return a uniform draw as numbers from 0 to 1."""
    low = np.asarray(draw.arguments.get("low", 0.0))
    high = np.asarray(draw.arguments.get("high", 1.0))
    return np.ravel((np.asarray(draw.values, dtype=float) - low) / (high - low))


def _invert_uniforms(shares: np.ndarray, law: str) -> Iterator[np.ndarray]:
    """Yield the law's inverse distribution function at uniform draws, and at 1 minus them."""
    if law == "laplace":
        yield -np.sign(shares - 0.5) * np.log(2 * np.minimum(shares, 1 - shares))
    if law == "exponential":
        yield from (-np.log(shares), -np.log1p(-shares))
    if law == "gumbel":
        yield from (-np.log(-np.log(shares)), -np.log(-np.log1p(-shares)))


def _subtract_pairs(draws: tuple[Draw, ...], convert: Any) -> Iterator[np.ndarray]:
    """Yield each draw minus another one: two draws in a row, two halves, or two neighbours."""
    parts = [convert(draw) for draw in draws]
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and all(len(a) == len(b) for a, b in pairs):
        yield np.concatenate([a - b for a, b in pairs])
    if all(len(part) % 2 == 0 for part in parts):
        yield np.concatenate([part[: len(part) // 2] - part[len(part) // 2 :] for part in parts])
        yield np.concatenate([part[::2] - part[1::2] for part in parts])


def _expect_geometric(
    what: object, steps: np.ndarray, rng: Watched, scale: float, hint: str
) -> bool:
    """Return whether each entry is the difference of two separate geometric draws. Can fail."""
    draws = rng.draws
    if not draws or {draw.method for draw in draws} != {"geometric"}:
        return False
    steps, stops = steps.ravel(), -np.expm1(-1 / scale)
    for noise in _subtract_pairs(draws, lambda draw: np.ravel(draw.values)):
        most_likely = stops / (2 - stops)  # the probability of 0, the most likely number
        equal = max((s * noise[: len(steps)] == steps[: len(noise)] for s in (1, -1)), key=np.sum)
        if not (len(noise) == len(steps) and equal.all()):
            if 0 < len(noise) <= len(steps):
                state(f"{what}: the noise drawn for a number is its own", 2 * _MAX_CHANCE)
                if _by_chance(equal, most_likely) < _MAX_CHANCE:
                    _fail(what, "some noise is not that which was drawn for its number", hint)
            continue
        parameters = np.concatenate([np.ravel(draw.arguments["p"]) for draw in draws])
        wrong = parameters[~np.isclose(parameters, stops, rtol=REL_TOLERANCE, atol=1e-15)]
        if len(wrong):
            actual_text, should = tell_apart(float(1 - wrong[0]), float(1 - stops))
            _fail(what, f"p is {actual_text}, it should be {should}", hint)
        return True
    return False


def _fail(what: object, does: str, hint: str) -> NoReturn:
    fail(f"{str(what).removesuffix(',')}:", does, hint)


def _by_chance(equal: np.ndarray, share: float) -> float:
    """Bound the probability of so many equal entries if each is equal with P = `share`."""
    equal_share = equal.mean()
    if equal_share <= share:
        return 1.0
    log = np.log([equal_share / share, max(1 - equal_share, 1e-300) / (1 - share)])
    return math.exp(-len(equal) * (equal_share * log[0] + (1 - equal_share) * log[1]))
