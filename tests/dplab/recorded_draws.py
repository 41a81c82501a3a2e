"""A generator that records every draw, to test mechanisms whose output has no known distribution.

A mechanism may use data only under the noise of a known law. `compare` runs it on one dataset with
a `RecordedDraws` as its generator. Then it runs it on other data, and gives each noisy answer the
value that it had in the first run. Both runs must return the same output, and make the same draws
with the same scales. Only the places to which noise is added may differ: the noise pays for their
moves, by `price`.

Noise is a `Noise` instead of a number: it can be scaled, and be added to an answer once. Nobody can
make another generator meanwhile, so no seed depends on data.
"""

import copy
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pytest

from dplab import sampling
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, Guarantee, PureDP
from dplab.losses import GaussianLoss
from dplab.mechanisms.sparse_vector import AboveThresholdStream
from dplab.queries.rare_jumps import RareJumpNoise

new_generator = np.random.default_rng


class Noise:
    """Noise of a law and a scale that isn't drawn yet."""

    __array_ufunc__ = None  # so that numpy leaves products and sums to this class

    def __init__(self, draws, law, scale, size):
        self.draws, self.law, self.scale = draws, law, scale
        self.size = () if size is None else size
        self.is_used = False

    def __mul__(self, factor):
        self._use_once()
        return Noise(self.draws, self.law, self.scale * factor, self.size)

    def __add__(self, place):
        self._use_once()
        return self.draws.answer(self, place)

    __rmul__, __radd__ = __mul__, __add__

    def __abs__(self):
        return 0  # discrete mechanisms ask whether a sum needs more than 64 bits

    def __array__(self, *_, **__):
        return np.array(self + np.zeros(self.size))  # random numbers that hide nothing

    def _use_once(self):
        if self.is_used:
            pytest.fail("the same noise is used twice")
        self.is_used = True


@dataclass
class Draw:
    """Noise of a law and a scale at a place. Draws of one sparse vector have one `stretch`."""

    law: Any
    scale: Any
    place: Any
    answer: Any
    stretch: int


class RecordedDraws(np.random.Generator):
    """The methods of numpy's generator that mechanisms use; `answers` are those of the first run.

    Coins, unlike noise, hide nothing: they choose records or seeds, and have the same values in
    both runs. Other methods draw noise that isn't recorded, so that it hides nothing either.
    """

    def __init__(self, answers: list | None = None):
        super().__init__(np.random.PCG64(0))
        self.answers = answers
        self.draws: list[Draw] = []
        self.coins: list[tuple] = []
        self.stretch = 0

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self.noise("laplace", scale, size, loc)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self.noise("normal", scale, size, loc)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self.noise("gumbel", scale, size, loc)

    def noise(self, law, scale, size, loc=0.0):
        noise = Noise(self, law, scale, size)
        return noise if np.all(np.equal(loc, 0)) else noise + loc

    def random(self, size=None):
        """Toss a coin for each record: the first ones are equal if there is one record more."""
        self.coins.append(("random",))
        return new_generator(len(self.coins)).random(size)

    def choice(self, *arguments, **options):
        self.coins.append(("choice", arguments, options))
        return new_generator(len(self.coins)).choice(*arguments, **options)

    def integers(self, *arguments, **options):
        self.coins.append(("integers", arguments, options))
        return new_generator(len(self.coins)).integers(*arguments, **options)

    def begin_stretch(self):
        """Return a generator for one sparse vector, which is paid for as a whole."""
        part = RecordedDraws(self.answers)
        part.draws, part.coins, part.stretch = self.draws, self.coins, len(self.draws) + 1
        return part

    def answer(self, noise, place):
        """Return place + noise in the first run, and the same value in the second."""
        if self.answers is None:
            answer = place + _draw(noise, len(self.draws))
        else:
            if len(self.draws) == len(self.answers):
                pytest.fail("there are more draws than on other data")
            answer = copy.copy(self.answers[len(self.draws)])
        self.draws.append(Draw(noise.law, noise.scale, copy.copy(place), answer, self.stretch))
        return copy.copy(answer)


def _draw(noise, seed):
    generator = new_generator([seed, 0])
    if noise.law == "gumbel":
        return noise.scale * generator.gumbel(size=noise.size)
    value = np.asarray(float(noise.scale) * generator.laplace(size=noise.size))
    if str(noise.law).startswith("discrete"):
        return np.rint(value).astype(int) if value.ndim else int(np.rint(value))
    return value if value.ndim else float(value)


@contextmanager
def recorded_samplers():
    """Let the samplers of the library ask `RecordedDraws`, and nothing make another generator."""
    begin = AboveThresholdStream.__call__

    def refuse(*_, **__):
        pytest.fail("a mechanism made another generator")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("discrete_laplace", "discrete_gaussian"):
            original = getattr(sampling, name)
            for module_name, module in list(sys.modules.items()):
                if module_name.startswith("dplab") and getattr(module, name, None) is original:
                    patch.setattr(module, name, _ask_for(name))
        patch.setattr(
            RareJumpNoise, "sample", lambda self, rng: rng.noise(self, 1.0, len(self.directions))
        )
        patch.setattr(
            AboveThresholdStream,
            "__call__",
            lambda self, data, rng: begin(self, data, rng.begin_stretch()),
        )
        patch.setattr(np.random, "default_rng", refuse)
        yield


def _ask_for(name):
    return lambda scale, rng, size=None: rng.noise(name, scale, size)


def compare(run, data, other):
    """Return run's output and the pairs of draws on both datasets; fail if others differ."""
    first = RecordedDraws()
    with recorded_samplers():
        output = run(data, first)
        second = RecordedDraws([draw.answer for draw in first.draws])
        other_output = run(other, second)
    np.testing.assert_equal(second.coins, first.coins, "coins depend on the data")
    pairs = list(zip(first.draws, second.draws, strict=True))
    for draw, other_draw in pairs:
        assert other_draw.law is draw.law or other_draw.law == draw.law
        assert other_draw.scale == draw.scale, "the scale of noise depends on the data"
        assert np.shape(other_draw.place) == np.shape(draw.place)
        assert other_draw.stretch == draw.stretch
    np.testing.assert_equal(other_output, output, "the output depends on more than noisy answers")
    return output, pairs


def prices(pairs):
    """Return what the noise loses by the moves of its places; a sparse vector has one price."""
    singles = [pair for pair in pairs if not pair[0].stretch]
    stretched = sorted(
        (pair for pair in pairs if pair[0].stretch), key=lambda pair: pair[0].stretch
    )
    stretches = groupby(stretched, key=lambda pair: pair[0].stretch)
    return [_price(*pair) for pair in singles] + [
        _price_of_stretch(list(stretch)) for _, stretch in stretches
    ]


def _move(draw, other):
    return np.ravel(np.asarray(other.place - draw.place, dtype=float))


def _price(draw, other) -> Guarantee:
    move = _move(draw, other)
    if not move.any():
        return PureDP(0)
    if isinstance(draw.law, RareJumpNoise):
        return PureDP(draw.law.slope * _length_along(draw.law.directions, move))
    scale = float(draw.scale)
    assert scale > 0, "an answer moves, and has no noise"
    if draw.law in ("laplace", "discrete_laplace"):
        return PureDP(np.abs(move).sum() / scale)
    if draw.law == "gumbel":
        return BoundedRange((max(move) - min(move)) / scale)
    assert draw.law in ("normal", "discrete_gaussian")
    return ZCDP(np.square(move).sum() / (2 * scale**2))


def _length_along(directions, move):
    """Return the length of the shortest way, of steps along the directions, that makes the move."""
    from scipy.optimize import linprog

    both = np.hstack([directions, -directions])
    return linprog(np.ones(both.shape[1]), A_eq=both, b_eq=move, bounds=(0, None)).fun


def _price_of_stretch(pairs) -> Guarantee:
    """Return the price of a sparse vector: a threshold that moves with all answers hides "below".

    An answer above moves against the threshold by twice as much, and has noise of its own.
    """
    (bar, other_bar), *comparisons = pairs
    assert not _move(bar, other_bar).any(), "the threshold depends on the data"
    most = max((np.abs(_move(*pair)).max() for pair in comparisons), default=0.0)
    if not most:
        return PureDP(0)
    scales = {draw.scale for draw, _ in comparisons} | {bar.scale}
    assert min(scales) > 0, "a comparison has no noise"
    above = sum(2 / draw.scale for draw, _ in comparisons if draw.answer >= bar.answer)
    return PureDP(most * (1 / bar.scale + above))


def spent_share(parts, promise: Guarantee) -> float:
    """Return which share of its promise the parts spend together: at most 1 if it is kept."""
    if isinstance(promise, ZCDP):
        return sum(part.convert_to(ZCDP).rho for part in parts) / promise.rho
    pure = [part.eta if isinstance(part, BoundedRange) else 0.0 for part in parts]
    pure += [part.epsilon for part in parts if isinstance(part, PureDP)]
    rho = sum(part.rho for part in parts if isinstance(part, ZCDP))
    if not rho:
        return sum(pure) / promise.epsilon
    assert isinstance(promise, ApproxDP), "normal noise has no pure promise"
    assert not sum(pure), "two kinds of noise"
    return GaussianLoss(np.sqrt(2 * rho)).epsilon(promise.delta) / promise.epsilon
