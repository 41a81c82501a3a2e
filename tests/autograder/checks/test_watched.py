"""The generator that notes its draws: numpy's own draws, in one room and from the other."""

import copy
import pickle

import numpy as np
import pytest

from autograder import checks
from autograder.checks import watched
from tests.autograder.wire.test_channel import StudentThread

CALLS = [
    ("laplace", (1.0, [2.0, 3.0]), {}),
    ("normal", (), {"size": (2, 3)}),
    ("standard_normal", (4,), {"dtype": np.float32}),
    ("exponential", (2.0,), {}),
    ("gumbel", (), {"scale": 3, "size": 2}),
    ("random", (), {}),
    ("uniform", (-1, np.arange(3)), {}),
    ("geometric", (0.25, 5), {}),
    ("integers", (10,), {"size": 3, "endpoint": True}),
    ("choice", (["a", "b"], 4), {"p": [0.25, 0.75]}),
    ("choice", (np.arange(6).reshape(3, 2), 2), {}),
    ("permutation", ([3, 1, 2],), {}),
    ("permuted", (np.arange(6).reshape(3, 2),), {"axis": 1}),
    ("multinomial", (5, [0.5, 0.5], 2), {}),
    ("multinomial", ([5, 6, 7], [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]]), {}),
    ("multivariate_hypergeometric", ([3, 4], 5), {"method": "count"}),
    ("multivariate_normal", ([0.0, 1.0], np.eye(2)), {}),
    ("dirichlet", ([1.0, 2.0], 3), {}),
    ("choice", (20_000, 5), {"replace": False}),
    ("bytes", (3,), {}),
]


@pytest.mark.parametrize(("method", "args", "kwargs"), CALLS)
def test_draws_what_the_generator_would_have_drawn(method, args, kwargs):
    plain = getattr(np.random.default_rng(5), method)(*args, **kwargs)
    rng = checks.Watched(np.random.default_rng(5))
    drawn = getattr(rng, method)(*args, **kwargs)
    assert type(drawn) is type(plain)
    assert np.array_equal(drawn, plain)
    (draw,) = rng.draws
    assert draw.method == method
    assert np.array_equal(draw.values, plain)


@pytest.mark.parametrize(("method", "args", "kwargs"), CALLS)
def test_no_value_is_drawn_uncounted(method, args, kwargs, monkeypatch):
    plain = getattr(np.random.default_rng(5), method)(*args, **kwargs)
    monkeypatch.setattr(watched, "VALUES_PER_NOTE", 0)
    monkeypatch.setattr(watched, "MAX_VALUES", (len if method == "bytes" else np.size)(plain) - 1)
    with pytest.raises(MemoryError):
        getattr(checks.Watched(), method)(*args, **kwargs)


def test_arguments_are_noted_by_numpys_names_with_defaults():
    rng = checks.Watched()
    scale = np.array([1.0, 2.0])
    rng.laplace(0, scale)
    scale[0] = 7.0
    (draw,) = rng.draws
    assert list(draw.arguments) == ["loc", "scale", "size"]
    assert draw.arguments["scale"].tolist() == [1.0, 2.0]
    assert draw.arguments["size"] is None
    with pytest.raises(TypeError):
        draw.arguments["loc"] = 1


def test_what_is_noted_does_not_change_with_what_was_returned():
    rng = checks.Watched()
    noise = rng.laplace(size=3)
    drawn = noise.copy()
    noise *= 2
    assert rng.draws[0].values.tolist() == drawn.tolist()
    with pytest.raises(ValueError, match="read-only"):
        rng.draws[0].values[0] = 0
    rng.draws[:0]
    assert len(rng.draws) == 1


def test_is_a_generator_and_shown_as_one():
    assert isinstance(checks.Watched(), np.random.Generator)
    assert str(checks.call(lambda rng: rng.laplace(), checks.Watched())).endswith("(rng)")


def test_what_could_not_be_seen_is_refused_and_said():
    rng = checks.Watched()
    assert rng.refused == ""
    with pytest.raises(AttributeError, match="draw from rng itself"):
        rng.bit_generator  # noqa: B018
    assert rng.refused == "bit_generator"
    with pytest.raises(TypeError, match=r"rng\.shuffle fills no array"):
        rng.shuffle([1, 2])
    with pytest.raises(TypeError, match=r"rng\.random fills no array"):
        rng.random(out=np.zeros(3))
    assert rng.refused == "random"
    assert rng.draws == ()
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="no copies"):
            copied(rng)


@pytest.mark.parametrize(
    ("method", "args"),
    [
        ("laplace", (0, 1, 3_500_000_000)),
        ("laplace", (np.zeros((40_000, 1)), np.ones(40_000))),
        ("integers", (0, 2, (50_000, 50_000))),
        ("permutation", (10**10,)),
        ("bytes", (10**10,)),
        ("multinomial", (1, np.full(10_000, 1e-4), 10_000)),
        ("choice", (np.zeros((1, 10_000)), 10_000)),
        ("choice", (3, 10**9)),
        ("choice", (10**9, 9_000_000, False)),  # which would list a thousand million
        ("choice", (14_000_000, 300_000, False)),  # numpy lists what is up to 50 times as many
        ("spawn", (10**6,)),
        ("multinomial", (np.ones(2000, int), np.full(10_000, 1e-4))),
        ("multivariate_hypergeometric", ([5 * 10**8, 4 * 10**8], 1, None, "count")),
    ],
)
def test_more_than_memory_is_for_is_an_error_at_once(method, args):
    rng = checks.Watched()
    with pytest.raises(MemoryError, match="more than 10,000,000 values"):
        getattr(rng, method)(*args)
    assert rng.draws == ()


@pytest.mark.parametrize(
    ("method", "args"),
    [
        ("laplace", (0, 1, -(10**12))),
        ("laplace", (0, 1, (-(10**6), 10**6))),
        ("laplace", (0, 1, float("nan"))),
        ("choice", (-(10**12), 3, False)),
        ("choice", (5, -(10**12))),
        ("bytes", (-(10**12),)),
        ("spawn", (-(10**9),)),
    ],
)
def test_a_draw_of_less_than_nothing_buys_no_other(method, args):
    rng = checks.Watched()
    with pytest.raises((ValueError, TypeError, OverflowError)):
        getattr(rng, method)(*args)
    assert rng.random(5).shape == (5,)
    with pytest.raises(MemoryError, match="more than 10,000,000 values"):
        rng.laplace(size=10_000_000)


def test_a_few_of_very_many_are_chosen():
    rng = checks.Watched()
    assert len(set(rng.choice(10**15, 1000, replace=False).tolist())) == 1000


def test_many_small_draws_have_a_limit_too(monkeypatch):
    monkeypatch.setattr(watched, "MAX_VALUES", 10_000)
    rng = checks.Watched()
    call = checks.call(lambda: [rng.random() for _ in range(10_000)])
    assert isinstance(call.error, MemoryError)
    assert 50 < len(rng.draws) < 200


def test_the_other_rooms_draws_are_noted_here():
    other = StudentThread(
        respond=lambda n, rng: [rng.laplace(0, 2.0) for _ in range(n)] + [rng.random()]
    )
    rng = checks.Watched(np.random.default_rng(1))
    plain = np.random.default_rng(1)
    expected = [plain.laplace(0, 2.0) for _ in range(50)] + [plain.random()]
    assert other["respond"](50, rng) == expected
    assert [draw.method for draw in rng.draws] == ["laplace"] * 50 + ["random"]
    assert other.channel.ledger.count() == 3  # the generator and two methods of it


def draw_in_a_loop(rng, count):
    return [rng.laplace(0, 2.0) for _ in range(count)]


def draw_from_two(rng, other, ask):
    """Draw in loops from two generators, with questions in between."""
    values = []
    for source in (rng, other, rng):
        values += [source.laplace(0, 2.0) for _ in range(4)]
        ask()
        values += [source.laplace(0, 2.0) for _ in range(3)]
    return values


def test_calls_in_a_row_draw_what_numpy_draws():
    draw = StudentThread(draw=draw_from_two)["draw"]
    watched = [checks.Watched(np.random.default_rng(seed)) for seed in (1, 2)]
    plain = [np.random.default_rng(seed) for seed in (1, 2)]
    for _ in range(3):
        assert draw(*watched, lambda: None) == draw_from_two(*plain, lambda: None)


def test_arguments_of_draws_are_noted_with_their_sign():
    zeros = [0.0, 0.0, -0.0, -0.0, 0.0]
    room = StudentThread(draw=lambda rng: [rng.laplace(zero, 0.0) for zero in zeros])
    room["draw"](rng := checks.Watched(np.random.default_rng(1)))
    assert [str(draw.arguments["loc"]) for draw in rng.draws] == [*map(str, zeros)]


def test_draws_in_a_loop_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(watched, "MAX_VALUES", 101 * 300)
    draw, rng = StudentThread(draw=draw_in_a_loop)["draw"], checks.Watched(np.random.default_rng(1))
    with pytest.raises(MemoryError, match="drawn here"):
        draw(rng, 301)
    assert len(rng.draws) == 300
