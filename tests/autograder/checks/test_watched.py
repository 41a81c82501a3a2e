"""The generator that notes its draws: numpy's own draws, in one room and from the other."""

import copy
import pickle

import numpy as np
import pytest

from autograder import checks
from autograder.checks import watched
from autograder.wire import foresight
from autograder.wire.channel import ConnectionClosed
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
    return [rng.laplace(0, 2.0) for _ in range(count)] + [rng.random(), rng.random(), rng.normal()]


def messages_of(room):
    """Note the name of each message that this side reads."""
    read, names = room.channel._receive, []

    def receive():
        names.append((message := read())[0])
        return message

    room.channel._receive = receive
    return names


def test_draws_in_a_loop_cross_together_and_are_the_same():
    room = StudentThread(draw=draw_in_a_loop)
    draw, names, rng = room["draw"], messages_of(room), checks.Watched(np.random.default_rng(1))
    expected = draw_in_a_loop(np.random.default_rng(1), 1000)
    assert draw(rng, 1000) == expected
    assert [one.values for one in rng.draws] == expected
    assert len(names) < 50


def peek(rng):
    """Read the values that are known after the draws that are used; return draws and values."""
    used = [rng.laplace() for _ in range(3)]
    return used, list(rng._channel._foreseen._values)


def test_values_that_are_known_and_not_used_are_never_drawn():
    draw, rng = StudentThread(draw=peek)["draw"], checks.Watched(np.random.default_rng(1))
    used, known = draw(rng)
    assert len(known) == 4
    assert [one.values for one in rng.draws] == used == [*used[:2], known[0]]
    after = [rng.laplace() for _ in range(8)]
    assert not {*after} & {*known}  # by chance with P < 1e-13


def peek_often(rng):
    """Leave known values for another draw, again and again; count how often there are some."""
    count = 0
    for _ in range(10):
        rng.laplace(), rng.laplace()
        count += rng._channel._foreseen is not None
        rng.normal()
    return count


def test_foresight_ends_when_it_could_decide_what_is_drawn():
    draw, rng = StudentThread(draw=peek_often)["draw"], checks.Watched(np.random.default_rng(1))
    assert draw(rng) == 1
    assert rng.was_foreseen
    assert len(rng.draws) == 30


def peek_at_other_scales(rng):
    count = 0
    for k in range(10):
        rng.laplace(0, k), rng.laplace(0, k)
        count += rng._channel._foreseen is not None
    return count


def test_foresight_ends_after_some_changes():
    room, rng = StudentThread(draw=peek_at_other_scales), checks.Watched(np.random.default_rng(1))
    assert room["draw"](rng) == foresight.MAX_CHANGES + 1
    assert not rng.was_foreseen
    assert len(rng.draws) == 20


def know_uniforms(rng):
    """Return what `rng.random` will return next."""
    for _ in range(35):
        rng.random()
    foreseen = rng._channel._foreseen
    return list(foreseen._values[foreseen.used :])


def know_and_draw(rng, oracle):
    known = know_uniforms(rng)
    rng.normal()
    return known


def know_and_ask(rng, oracle):
    known = know_uniforms(rng)
    oracle(0)
    return known


def know_and_read(rng, oracle):
    known = know_uniforms(rng)
    oracle[0]
    return known


def know_when_called(rng, oracle):
    return oracle(0, lambda: know_uniforms(rng))


class Oracle:
    """Draws from a generator that students draw from, too."""

    def __init__(self, rng):
        self.rng, self.drawn = rng, []

    def __call__(self, question, ask=lambda: None):
        known = ask()
        self.drawn.append(self.rng.random())
        return known

    __getitem__ = __call__


@pytest.mark.parametrize("answer", [know_and_draw, know_and_ask, know_and_read, know_when_called])
def test_students_foresee_no_draw_of_the_examiners(answer):
    rng = checks.Watched(np.random.default_rng(1))
    oracle, respond = Oracle(rng), StudentThread(respond=answer)["respond"]
    known = respond(rng, oracle)
    oracle(0)
    assert len(known) > 20
    assert not {*known} & {*oracle.drawn}  # by chance with P < 1e-13


def test_students_foresee_no_draw_from_a_generator_function():
    def answers(rng):
        yield know_uniforms(rng)

    rng = checks.Watched(np.random.default_rng(1))
    (known, *_), after = next(StudentThread(respond=answers)["respond"](rng)), rng.random()
    assert after != known


def leave_out_by_an_error(rng):
    with pytest.raises(ValueError, match="covariance"):
        rng.multivariate_normal([0.0], [[-1.0]], check_valid="raise")


def leave_out_by_a_step(rng):
    wrong = [0.0], [[-1.0]], None, "raise"
    rng._channel.use([], "steps", rng, [("multivariate_normal", wrong)])


def leave_out_by_many_calls(rng):
    with pytest.raises(ValueError, match="covariance"):
        rng._channel.call(rng.multivariate_normal, ([0.0], [[-1.0]], None, "raise"), {}, 2)


@pytest.mark.parametrize(
    "leave_out", [leave_out_by_an_error, leave_out_by_a_step, leave_out_by_many_calls]
)
def test_noise_is_not_proven_by_draws_that_could_be_chosen(leave_out):
    def respond(rng):
        noise = [rng.laplace(0, 2.0) for _ in range(3)]
        foreseen = rng._channel._foreseen
        is_large = [abs(value) > 2 for value in foreseen._values[foreseen.used :]]
        assert any(is_large)
        leave_out(rng)
        steps = [("laplace", (0, 2.0))] * 40
        return np.array(noise + [one for (one,) in rng._channel.use([], "steps", rng, steps)])

    rng, looked = checks.Watched(np.random.default_rng(2)), []
    noise = StudentThread(respond=respond)["respond"](rng)
    assert [draw.values for draw in rng.draws] == noise.tolist()
    otherwise = lambda: looked.append(True)  # noqa: E731
    assert not checks.expect_noise(noise, 0, rng, "laplace", 2.0, otherwise=otherwise)
    assert looked


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


def test_arguments_of_foreseen_draws_are_noted_with_their_sign():
    zeros = [0.0, 0.0, -0.0, -0.0, 0.0]
    room = StudentThread(draw=lambda rng: [rng.laplace(zero, 0.0) for zero in zeros])
    room["draw"](rng := checks.Watched(np.random.default_rng(1)))
    assert [str(draw.arguments["loc"]) for draw in rng.draws] == [*map(str, zeros)]


def test_more_values_than_are_known_can_not_be_used():
    def claim(rng):
        used = [rng.laplace() for _ in range(3)]
        rng._channel._foreseen.used = 5
        return used

    draw, rng = StudentThread(draw=claim)["draw"], checks.Watched(np.random.default_rng(1))
    with pytest.raises(ConnectionClosed, match="no number of draws"):
        draw(rng)


def test_draws_in_a_loop_are_limited_in_number(monkeypatch):
    monkeypatch.setattr(watched, "MAX_VALUES", 101 * 300)
    draw, rng = StudentThread(draw=draw_in_a_loop)["draw"], checks.Watched(np.random.default_rng(1))
    with pytest.raises(MemoryError, match="drawn here"):
        draw(rng, 301)
    assert len(rng.draws) == 300
