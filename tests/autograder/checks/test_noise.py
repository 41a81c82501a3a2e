"""Noise seen from its draws: right styles are proven right, wrong ones named, others left open."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from autograder import checks
from autograder.checks.noise import _by_chance

N, SCALE = 400, 3.0
TRUE = np.arange(float(N))


def decided(release, true=TRUE, law="laplace", scale=SCALE, **more):
    rng = checks.Watched()
    call = checks.call(release, true, scale, rng)
    return proven(call, true, rng, law, scale, "Look.", **more)


def proven(*arguments, **more):
    """Whether the draws prove the noise right; statistics are asked for just where they don't."""
    asked = []
    found = checks.expect_noise(*arguments, **more, otherwise=lambda: asked.append(True))
    assert asked == ([] if found else [True])
    return found


def test_noise_is_not_taken_on_trust_where_draws_prove_nothing():
    """Without draws, without noise, from a generator of its own: somebody has to look."""

    def refuse():
        raise AssertionError("by statistics")

    for release in (lambda x, rng: x, lambda x, rng: x + np.random.default_rng(1).laplace(0, 2, N)):
        rng = checks.Watched()
        call = checks.call(release, TRUE, rng)
        with pytest.raises(AssertionError, match="by statistics"):
            checks.expect_noise(call, TRUE, rng, "laplace", 2.0, otherwise=refuse)
        with pytest.raises(TypeError, match="otherwise"):
            checks.expect_noise(call, TRUE, rng, "laplace", 2.0)


def inverted(answers, scale, rng):
    u = rng.random(answers.shape) - 0.5
    return answers - scale * np.sign(u) * np.log(1 - 2 * abs(u))


def inverted_on_one_side(answers, scale, rng):
    u = rng.uniform(-1, 1, answers.shape)
    return answers + scale * np.sign(u) * np.log1p(-abs(u))


RIGHT = {
    "centered": lambda x, s, rng: x + rng.laplace(0, s, x.shape),
    "around the answers": lambda x, s, rng: rng.laplace(x, s),
    "standard draws, stretched": lambda x, s, rng: x - s * rng.laplace(size=x.shape),
    "one by one": lambda x, s, rng: [value + rng.laplace(scale=s) for value in x],
    "from the last on": lambda x, s, rng: [v + rng.laplace(0, s) for v in x[::-1]][::-1],
    "two exponentials": lambda x, s, rng: (
        x + rng.exponential(s, x.shape) - rng.exponential(s, x.shape)
    ),
    "two rows": lambda x, s, rng: x + s * np.subtract(*rng.standard_exponential((2, *x.shape))),
    "two neighbours": lambda x, s, rng: x + s * np.diff(rng.exponential(size=(*x.shape, 2)))[:, 0],
    "inversion": inverted,
    "inversion on one side": inverted_on_one_side,
}


@pytest.mark.parametrize("style", RIGHT)
def test_known_styles_are_proven_right(style):
    assert decided(RIGHT[style])
    assert decided(RIGHT[style], TRUE[:2])


@given(st.floats(-12, 12), st.floats(-12, 12))
def test_right_noise_of_any_size_is_never_accused(magnitude, spread):
    """Where too few digits are left of a draw it proves nothing."""
    true, scale = TRUE * 10**magnitude, 10**spread
    proven = decided(RIGHT["centered"], true, scale=scale)
    assert proven or np.spacing(true[-1]) > 1e-7 * scale


@pytest.mark.parametrize("numbers", [1, 2, 3, 20])
def test_one_draw_too_many_is_no_reason_to_accuse(numbers):
    """The one that is left over lies furthest out of a few now and then, by chance."""
    for _ in range(100):
        assert not decided(lambda x, s, rng: x + rng.laplace(0, s, len(x) + 1)[1:], TRUE[:numbers])


def test_many_calls_are_named_before_what_their_noise_is():
    rng = checks.Watched()
    calls = checks.repeat(lambda x, rng: x + 2 * rng.laplace(0, 1, 5), TRUE[:5], rng, count=2)
    with pytest.raises(AssertionError, match=r", called 2 times: the noise is 2 times what"):
        proven(calls, np.tile(TRUE[:5], (2, 1)), rng, "laplace", 1)


def test_other_laws():
    assert decided(lambda x, s, rng: rng.normal(x, s), law="normal")
    assert decided(lambda x, s, rng: x - s * rng.standard_normal(x.shape), law="normal")
    assert decided(lambda x, s, rng: x + rng.gumbel(0, s, x.shape), law="gumbel")
    assert decided(lambda x, s, rng: x - s * np.log(-np.log(rng.random(x.shape))), law="gumbel")
    assert decided(lambda x, s, rng: x - s * np.log(rng.exponential(size=N)), law="gumbel")
    assert decided(lambda x, s, rng: x + rng.exponential(s, x.shape), law="exponential")
    assert decided(lambda x, s, rng: x - s * np.log(1 - rng.random(x.shape)), law="exponential")


@pytest.mark.parametrize("law", ["exponential", "gumbel"])
def test_noise_that_is_not_symmetric_has_to_be_added(law):
    with pytest.raises(AssertionError, match=r"the noise is -(1|0\.9{9}\d*|1\.0{9}\d*) times"):
        decided(lambda x, s, rng: x - getattr(rng, law)(scale=s, size=x.shape), law=law)


def test_arrays_scales_of_their_own_and_many_calls():
    table, scales = TRUE.reshape(20, 20), np.linspace(1, 5, N).reshape(20, 20)
    assert decided(RIGHT["centered"], table, scale=scales)
    assert decided(lambda x, s, rng: x + rng.laplace(0, s.T, x.shape).T, table, scale=scales)
    rng = checks.Watched()
    calls = checks.repeat(RIGHT["two exponentials"], table, 2.0, rng, count=3)
    assert proven(calls, table, rng, "laplace", 2.0)
    rng = checks.Watched()
    assert proven(checks.call(rng.laplace, 5.0, 2.0), 5.0, rng, "laplace", 2.0)


def clipped(x, s, rng):
    return x + np.clip(rng.laplace(0, s, x.shape), -2 * s, 2 * s)


def antithetic(x, s, rng):
    noise = rng.laplace(0, s, len(x) // 2)
    return x + np.ravel(np.column_stack([noise, -noise]))


def without_tails(x, s, rng):
    noise = rng.laplace(0, s, x.shape)
    while (far := abs(noise) > 2 * s).any():
        noise[far] = rng.laplace(0, s, far.sum())
    return x + noise


def on_the_larger_half(x, s, rng):
    noise = rng.laplace(0, s, x.shape)
    return x + np.where(x > N / 2, 0.9, 1) * noise


WRONG = {
    "3% off": (lambda x, s, rng: x + rng.laplace(0, 1.03 * s, x.shape), "1.03 times"),
    "a little off": (lambda x, s, rng: rng.laplace(x, s * (1 + 1e-7)), "times what it should be"),
    "the other law": (lambda x, s, rng: inverted(x, 2 * s, rng), "the noise is 2 times"),
    "clipped": (clipped, "not its true value plus the noise drawn for it"),
    "of one sign": (lambda x, s, rng: x + abs(rng.laplace(0, s, x.shape)), "not its true value"),
    "depends on the answers": (on_the_larger_half, "number 201 is not"),
    "tiled": (lambda x, s, rng: x + np.resize(rng.laplace(0, s, 300), N), "serves more than one"),
    "one for all": (lambda x, s, rng: x + rng.laplace(0, s), "serves more than one"),
    "antithetic": (antithetic, "serves more than one"),
    "tails drawn again": (without_tails, "thrown away that lie further out"),
    "the best of many": (
        lambda x, s, rng: x + np.sort(rng.laplace(0, s, 3 * N))[:N],
        "put in order",
    ),
    "in order": (lambda x, s, rng: x + np.sort(rng.laplace(0, s, N))[::-1], "put in order"),
}


@pytest.mark.parametrize("style", WRONG)
def test_wrong_noise_is_named(style):
    """Tails, of 13% of the draws, are missing among 400 with probability 1e-25."""
    release, says = WRONG[style]
    with pytest.raises(AssertionError, match=f"{says}.*Look"):
        decided(release)


def test_unknown_styles_are_left_to_statistics():
    def signed(x, s, rng):
        return x + rng.choice([-1, 1], x.shape) * rng.exponential(s, x.shape)

    def chosen(x, s, rng):
        return x + rng.laplace(0, s, 2 * N)[::2]

    def shuffled(x, s, rng):
        noise = rng.laplace(0, s, N)
        rng.shuffle(noise)
        return x + noise

    def permuted(x, s, rng):
        return x + rng.permutation(rng.laplace(0, s, N))

    def logarithms(x, s, rng):
        return x + s * np.log(rng.random(x.shape) / rng.random(x.shape))

    for style in (signed, chosen, shuffled, permuted, logarithms, lambda x, s, rng: x):
        assert not decided(style)
    assert not decided(RIGHT["centered"], TRUE + 1e12)  # too few digits are left of each draw


def between(rng, low, high):
    """Return uniform draws from a range of few floats, as Laplace noise of scale 1."""
    share = (rng.uniform(low, high, N) - low) / (high - low)
    return -np.sign(share - 0.5) * np.log(2 * np.minimum(share, 1 - share))


@pytest.mark.parametrize(
    ("law", "release"),
    [
        ("laplace", lambda x, s, rng: x + 0 * rng.laplace(1e300, s, N)),
        ("laplace", lambda x, s, rng: x + s * (rng.laplace(2.0**50, 1.0, N) - 2.0**50)),
        ("laplace", lambda x, s, rng: x + s * between(rng, 2.0**20, 2.0**20 + 0.5)),
        ("normal", lambda x, s, rng: x + 0 * rng.normal(1e300, s, N)),
        ("gumbel", lambda x, s, rng: x + 0 * rng.gumbel(1e300, s, N)),
        ("exponential", lambda x, s, rng: x + s * (rng.exponential(1e-323, N) / 1e-323)),
    ],
)
def test_draws_that_rounding_has_changed_prove_nothing(law, release):
    """The noise that a draw adds to a huge number is lost: then a draw of it is 0, say."""
    assert not decided(release, law=law)


def geometric(x, s, rng):
    stop = 1 - math.exp(-1 / s)
    return x + rng.geometric(stop, x.shape) - rng.geometric(stop, x.shape)


def test_geometric_noise():
    assert decided(geometric, law="geometric")
    assert decided(lambda x, s, rng: 0.25 * geometric(4 * x, s, rng), law="geometric", step=0.25)
    with pytest.raises(AssertionError, match=r"p is 0\.7235, it should be 0\.7165\. Look"):
        decided(lambda x, s, rng: geometric(x, 1.03 * s, rng), law="geometric")
    with pytest.raises(AssertionError, match="not that which was drawn"):
        decided(lambda x, s, rng: np.clip(geometric(x, s, rng), x - 9, x + 9), law="geometric")
    with pytest.raises(AssertionError, match="not that which was drawn"):
        decided(lambda x, s, rng: x + np.resize(geometric(0 * x[:300], s, rng), N), law="geometric")
    assert not decided(lambda x, s, rng: x + rng.geometric(0.5, N), law="geometric")
    assert not decided(RIGHT["centered"], law="geometric")


def test_geometric_noise_has_one_scale():
    with pytest.raises(ValueError, match="geometric noise has one scale here, not 1"):
        decided(lambda x, s, rng: x, TRUE[:2], "geometric", np.array([1.0, 5.0]))
    assert not decided(lambda x, s, rng: x, TRUE[:0], "geometric")


def stated(release, law="laplace"):
    with checks.recording() as found:
        decided(release, law=law)
    return [one.failure for one in found]


def test_what_chance_can_fail_is_stated():
    """For a right solution in a style that leaves draws, or takes them in an order of its own."""
    assert all(stated(RIGHT[style]) == [] for style in RIGHT)
    assert stated(geometric, "geometric") == []
    order, left = pytest.approx(6.1e-12, rel=0.01), 4e-10
    assert stated(lambda x, s, rng: x + rng.laplace(0, s, N)[TRUE.astype(int) ^ 1]) == [order]
    assert stated(lambda x, s, rng: x + rng.laplace(0, s, 2 * N)[::2]) == [order, left]
    assert stated(lambda x, s, rng: geometric(x[::-1], s, rng)[::-1], "geometric") == [2e-10] * 3


@given(st.integers(1, 300), st.floats(0.001, 0.999), st.data())
def test_agreement_by_chance_is_bounded(n, share, data):
    """Chernoff's bound: above the binomial tail, by no more than a factor of n + 1."""
    agreeing = data.draw(st.integers(0, n))
    bound = _by_chance(np.arange(n) < agreeing, share)
    tail = binom.sf(agreeing - 1, n, share)
    assert tail * (1 - 1e-9) <= bound
    assert bound == 1 or bound <= max(1e-290, 1.0001 * (n + 1) * tail)


def test_an_answer_that_raises_is_told_first():
    with pytest.raises(AssertionError, match="raised KeyError"):
        decided(lambda x, s, rng: {}["noise"])
