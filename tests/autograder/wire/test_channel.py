"""Calls between rooms: nested, in bulk, with stand-ins that don't lie, against hostile frames."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import SimpleNamespace

import msgpack
import numpy as np
import pytest

from autograder.checks import draws
from autograder.wire.channel import CallChannel, ConnectionClosed, MessageStream
from autograder.wire.contract import Incident
from autograder.wire.errors import RemoteError, Unanswerable
from autograder.wire.messages import MESSAGES, To, list_messages_to
from autograder.wire.standins import GeneratorStandIn, StandIn, use_in_turn
from autograder.wire.values import Codec

MAX_BYTES = 1 << 20


def examiners(sock):
    """The examiner's side of a channel."""
    typed = {"input": lambda *prompt: []}
    return CallChannel(To.EXAMINER, sock, MAX_BYTES, typed, {"output": lambda output: None})


def students(sock, name=lambda name: None, start=lambda *of: None):
    """The other side: `name` answers what is asked, `start` takes notices."""
    asked = dict.fromkeys(
        (
            "file", "read", "write", "run", "test", "finish", "traceback", "names", "about",
            "delete", "put", "end", "flush",
        ),
        lambda *of: None,
    ) | {"name": name}  # fmt: skip
    return CallChannel(To.STUDENT, sock, MAX_BYTES, asked, {"start": start, "waited": start})


class StudentThread:
    """A room in a thread of this process: `name` looks up what the test has put there."""

    def __init__(self, **names):
        ours, self.socket = socket.socketpair()
        self.names = names
        self.served = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        self.channel = examiners(ours)
        self.channel.deadline = time.monotonic() + 10

    def _serve(self):
        channel = students(self.socket, self._look_up)
        self.ledger = channel.ledger
        with contextlib.suppress(ConnectionClosed):
            channel.serve()

    def _look_up(self, name):
        self.served += 1
        return self.names[name]

    def __getitem__(self, name):
        return self.channel.request("name", name)


class Everything:
    """Agrees to whatever it is asked."""

    value = 3

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 3

    def __bool__(self):
        return True

    def _agree(self, *arguments, **keywords):
        return 3

    __int__ = __abs__ = __round__ = __lt__ = __add__ = __radd__ = __mul__ = __rmul__ = _agree
    __rsub__ = __array_ufunc__ = _agree

    def __float__(self):
        return 1.0

    def __array__(self, *arguments, **keywords):
        return np.ones(3)

    def __len__(self):
        return 2

    def __getitem__(self, key):
        return f"item {key}"


class Nothing:
    """Says nothing about what operators mean."""


def respond(value, rng):
    return value + rng.random()


def test_what_may_wait_comes_with_the_next_message():
    ours, theirs = socket.socketpair()
    told = []
    other = students(theirs, lambda name: list(told), told.append)
    channel = examiners(ours)
    channel.notify_later("start", 1)
    channel.notify_later("start", 2)
    theirs.setblocking(False)
    with pytest.raises(BlockingIOError):
        theirs.recv(1)
    theirs.setblocking(True)
    answering = threading.Thread(target=_serve_until_closed, args=(other,), daemon=True)
    answering.start()
    assert channel.request("name", "told") == [1, 2]
    assert channel.request("name", "told") == [1, 2]
    channel.close(ConnectionClosed(Incident.DIED, "over"))
    answering.join(10)


def _serve_until_closed(channel):
    with contextlib.suppress(ConnectionClosed):
        channel.serve()


def test_a_function_of_the_other_room_is_called_there():
    function = StudentThread(f=lambda x, *, y: (x, y))["f"]
    assert function(np.arange(2), y={1})[1] == {1}


def test_an_object_is_the_same_each_time_and_comes_home_as_itself():
    room = StudentThread(f=len, identity=lambda x: x)
    mine = object()
    assert room["f"] is room["f"]
    assert room["identity"](mine) is mine
    assert room["identity"](room["f"]) is room["f"]


def test_calls_nest_both_ways():
    room = StudentThread(fold=lambda f, n: 0 if n == 0 else f(n))
    fold = room["fold"]

    def down(n):
        return 1 + fold(down, n - 1)

    assert fold(down, 10) == 10


def test_endless_nesting_is_an_error_and_not_the_end():
    room = StudentThread(again=lambda f: f())
    again = room["again"]

    def forever():
        return again(forever)

    with pytest.raises(RecursionError):
        forever()
    assert room["again"](lambda: 5) == 5


class Oracle:
    def __init__(self):
        self._secret = 17
        self.asked = 0

    def above(self, guess):
        self.asked += 1
        return self._secret > guess


def bisect(oracle):
    low, high = 0, 100
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if oracle.above(middle) else (low, middle)
    return low


def test_an_oracle_answers_and_keeps_its_secret():
    oracle = Oracle()
    assert StudentThread(attack=bisect)["attack"](oracle) == 17
    assert oracle.asked == 7


@pytest.mark.parametrize(
    "steal",
    [
        lambda oracle: oracle._secret,
        lambda oracle: oracle.above.__self__,
        lambda oracle: oracle.above.__globals__,
        lambda oracle: vars(oracle)["_secret"],
        lambda oracle: oracle.__dict__["_secret"],
        lambda oracle: object.__getattribute__(oracle, "_secret"),
        lambda oracle: oracle._channel.request("getattr", oracle, "_secret"),
        lambda oracle: oracle._channel.request("getattr", "{0._secret}", "format")(oracle),
        lambda oracle: oracle._channel.request("call", str.format, ("{0._secret}", oracle), {}, 1),
        lambda oracle: oracle._channel.request("getattr", oracle.above, "__func__"),
        lambda oracle: setattr(oracle, "_secret", 0),
    ],
)
def test_a_secret_does_not_leak(steal):
    oracle = Oracle()
    found = []

    def attack(oracle):
        try:
            found.append(steal(oracle))
        except Exception as error:
            found.append(str(error))

    StudentThread(attack=attack)["attack"](oracle)
    assert len(found) == 1
    assert "17" not in repr(found)
    assert oracle._secret == 17


def test_a_frame_is_never_handed_over():
    def numbers():
        yield 1

    room = StudentThread(peek=lambda iterator: iterator.gi_frame.f_locals)
    with pytest.raises(AttributeError):
        room["peek"](numbers())


def test_many_draws_are_one_message():
    room = StudentThread(f=respond)
    function, calls = room["f"], []
    forward = room.channel.request
    room.channel.request = lambda *message: calls.append(message[0]) or forward(*message)
    results = draws(function, 5, np.random.default_rng(1), count=1000)
    assert calls == ["call"]
    assert results.shape == (1000,)
    assert len(set(results)) == 1000


def test_draws_are_the_same_in_one_room_and_in_two():
    alone = draws(respond, 5, np.random.default_rng(3), count=20)
    apart = draws(StudentThread(f=respond)["f"], 5, np.random.default_rng(3), count=20)
    assert np.array_equal(alone, apart)


@pytest.mark.parametrize("count", [0, -1, 2.0, None])
def test_draws_wants_a_positive_count(count):
    with pytest.raises(ValueError, match="count must be a positive integer"):
        draws(respond, count=count)


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox", "MT19937"])
def test_a_generator_arrives_as_a_copy_and_the_next_call_gets_other_draws(kind):
    ours, twin = (np.random.Generator(getattr(np.random, kind)(5)) for _ in range(2))
    function = StudentThread(f=respond)["f"]
    first, second = function(0, ours), function(0, ours)
    assert first == respond(0, twin)
    assert first != second
    assert ours.random() not in (first, second)


def test_nothing_that_is_done_to_the_copy_reaches_the_examiner():
    def spoil(rng):
        rng.bit_generator.state = np.random.PCG64(0).state
        return rng.random()

    ours, twin = np.random.default_rng(5), np.random.default_rng(5)
    room = StudentThread(spoil=spoil, f=respond)
    room["spoil"](ours)
    room["f"](0, twin)
    assert ours.random() == twin.random()


def test_a_watched_generator_sees_each_draw():
    class Watched(np.random.Generator):
        def __init__(self):
            super().__init__(np.random.PCG64(1))
            self.draws = []

        def random(self, *arguments):
            self.draws.append(super().random(*arguments))
            return self.draws[-1]

    def checked(rng):
        assert isinstance(rng, np.random.Generator)
        assert isinstance(rng, GeneratorStandIn)
        return np.random.default_rng(rng).random()

    watched = Watched()
    assert StudentThread(f=checked)["f"](watched) == watched.draws[0]


def test_an_object_that_agrees_to_everything_gets_nothing():
    thing = StudentThread(thing=Everything())["thing"]
    for use in (bool, float, int, np.asarray, np.isfinite, np.mean, np.sum, abs, round, hash):
        with pytest.raises(Unanswerable, match="an Everything object"):
            use(thing)
    for compare in (
        lambda: thing == 3,
        lambda: thing != 3,
        lambda: thing < 3,
        lambda: thing + 1,
        lambda: 1 - thing,
        lambda: np.allclose(thing, np.ones(3)),
        lambda: np.testing.assert_allclose(thing, np.ones(3)),
        lambda: np.ones(3) == thing,
        lambda: np.ones(3) * thing,
    ):
        with pytest.raises(Unanswerable, match="an Everything object"):
            compare()


def test_an_object_means_what_any_object_means_if_its_class_says_nothing():
    thing = StudentThread(thing=Nothing())["thing"]
    assert thing != 3
    assert (thing == 3) is False
    assert thing in {thing}
    assert thing in [thing]
    assert bool(thing)
    for use in (float, int, abs, round, lambda x: x + 1, lambda x: 1 - x, lambda x: x < 1):
        with pytest.raises(TypeError):
            use(thing)


def test_a_stand_in_forwards_what_is_harmless():
    room = StudentThread(thing=Everything(), kind=Everything, count=lambda: iter(range(3)))
    thing = room["thing"]
    assert (thing.value, len(thing), thing["a"]) == (3, 2, "item a")
    assert isinstance(thing, room["kind"])
    assert isinstance(room["kind"](), StandIn)
    assert list(room["count"]()) == [0, 1, 2]
    assert room["kind"].__name__ == "Everything"
    assert not callable(thing)
    assert callable(room["kind"])
    with pytest.raises(Unanswerable, match="a change of its attribute 'value'"):
        thing.value = 4


class OwnError(ValueError):
    pass


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("epsilon must be positive"), ValueError),
        (OwnError("epsilon must be positive"), ValueError),
        (KeyError("epsilon must be positive"), KeyError),
        (SystemExit("epsilon must be positive"), RemoteError),
        (AssertionError("epsilon must be positive"), AssertionError),
        (StopIteration("epsilon must be positive"), RemoteError),
        (KeyboardInterrupt("epsilon must be positive"), RemoteError),
        (UnicodeDecodeError("epsilon must be positive", b"", 0, 1, ""), UnicodeError),
    ],
)
def test_an_error_crosses_as_its_nearest_builtin_class(error, expected):
    def fail():
        raise error

    with pytest.raises(expected, match="epsilon must be positive") as caught:
        StudentThread(fail=fail)["fail"]()
    assert type(caught.value) is expected


def test_a_value_that_is_too_large_is_an_error_and_not_the_end():
    room = StudentThread(big=lambda: b"x" * (MAX_BYTES + 1), small=lambda: 1)
    with pytest.raises(Unanswerable, match="too many"):
        room["big"]()
    assert room["small"]() == 1


def test_a_value_that_contains_itself_is_an_error_and_not_the_end():
    def loop():
        values = []
        values.append(values)
        return values

    room = StudentThread(loop=loop, small=lambda: 1)
    with pytest.raises(Unanswerable, match="what holds itself"):
        room["loop"]()
    assert room["small"]() == 1


def test_another_thread_cannot_call():
    room, caught = StudentThread(f=len), []

    def call():
        try:
            room["f"]
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])


def frame(payload):
    return len(payload).to_bytes(4, "big") + payload


HOSTILE = {
    "bytes that are no message": frame(b"\xc1"),
    "a value that is no list": frame(msgpack.packb(5)),
    "an empty list": frame(msgpack.packb([])),
    "an announced gigabyte": (1 << 30).to_bytes(4, "big"),
    "an answer to another request": frame(msgpack.packb(["reply", 99, 1])),
    "an answer to a later request": frame(msgpack.packb(["reply", 2, 1])),
    "an answer with too much": frame(msgpack.packb(["reply", 1, 1, 1])),
    "an unknown request": frame(msgpack.packb(["run", 1, "print(1)"])),
    "a request without a number": frame(msgpack.packb(["call", "x"])),
    "a request without anything": frame(msgpack.packb(["getattr"])),
    "an object that was never handed over": frame(
        msgpack.packb(["reply", 1, msgpack.ExtType(14, msgpack.packb(0))])
    ),
    "a stand-in of no kind": frame(
        msgpack.packb(["reply", 1, msgpack.ExtType(13, msgpack.packb([0, "spell", "x"]))])
    ),
    "a small message of a large value": frame(
        Codec(None, None).encode(["reply", 1, [[0] * (MAX_BYTES // 8)] * 9])
    ),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_frame_closes_the_room(data):
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    channel.deadline = time.monotonic() + 5
    theirs.sendall(data)
    for _ in range(2):  # and it stays closed
        with pytest.raises(ConnectionClosed) as caught:
            channel.request("name", "x")
        assert caught.value.kind == Incident.PROTOCOL
    assert channel.refused == 1


def test_a_flood_of_notices_does_not_extend_the_deadline():
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    notice = frame(msgpack.packb(["output", ["stream", "stdout", "x"]]))

    def flood():
        with contextlib.suppress(OSError):
            while True:
                theirs.sendall(notice * 100)

    threading.Thread(target=flood, daemon=True).start()
    began = time.monotonic()
    channel.deadline = began + 0.3
    with pytest.raises(ConnectionClosed) as caught:
        channel.request("name", "x")
    assert caught.value.kind == Incident.TIMEOUT
    assert time.monotonic() - began < 10


def test_a_side_that_takes_other_messages_than_the_table_has_is_refused():
    sock = socket.socketpair()[0]
    with pytest.raises(ValueError, match="takes other messages"):
        CallChannel(To.EXAMINER, sock, MAX_BYTES, {"run": lambda *of: None}, {"output": print})
    with pytest.raises(ValueError, match="takes other messages"):
        CallChannel(To.EXAMINER, sock, MAX_BYTES, {}, {})


def test_everything_in_the_table_is_for_somebody():
    sides = (To.STUDENT, To.EXAMINER)
    taken = [list_messages_to(to, notices=kind) for to in sides for kind in (True, False)]
    assert set().union(*taken) == set(MESSAGES)


def test_silence_and_half_a_message_end_at_the_deadline():
    ours, theirs = socket.socketpair()
    began = time.monotonic()
    frames = MessageStream(ours, MAX_BYTES, lambda: began + 0.1)
    theirs.sendall(frame(b"x" * 100)[:50])
    with pytest.raises(ConnectionClosed) as caught:
        frames.receive()
    assert caught.value.kind == Incident.TIMEOUT
    assert 0.1 <= time.monotonic() - began < 30


def test_a_message_is_sent_after_a_deadline_that_has_been_moved():
    """A side that waited for a core while it computed has its time left when it asks again."""
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    channel.deadline = time.monotonic() - 1
    with pytest.raises(ConnectionClosed, match="in time"):
        channel.notify("start", 1.0, "", 0, False)
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    channel.deadline = time.monotonic() - 1
    channel.later = lambda: time.monotonic() + 60
    channel.notify("start", 1.0, "", 0, False)
    assert theirs.recv(100)
    assert channel.deadline > time.monotonic() + 10


def test_a_message_too_large_to_be_sent_at_once_is_sent_in_parts_until_the_deadline():
    ours, theirs = socket.socketpair()
    payload = b"x" * (4 << 20)
    moves = []

    def until():  # moved several times, while the other side takes nothing
        moves.append(None)
        return time.monotonic() + (0.01 if len(moves) < 30 else 60)

    def take():
        while len(moves) < 20:
            time.sleep(0.001)
        while sum(map(len, taken)) < len(payload) + 4:
            taken.append(theirs.recv(1 << 16))

    taken = []
    taker = threading.Thread(target=take)
    taker.start()
    MessageStream(ours, MAX_BYTES, until).send(payload)
    taker.join()
    assert b"".join(taken) == frame(payload)
    ends = time.monotonic() + 0.1
    with pytest.raises(ConnectionClosed) as caught:
        MessageStream(ours, MAX_BYTES, lambda: ends).send(payload)
    assert caught.value.kind == Incident.TIMEOUT


def test_a_time_that_passes_while_it_is_read_is_read_again():
    ours, theirs = socket.socketpair()
    theirs.sendall(b"\x00\x00\x00\x01x")
    passed, later = iter([time.monotonic() - 1e-6]), time.monotonic() + 60
    assert MessageStream(ours, MAX_BYTES, lambda: next(passed, later)).receive() == b"x"


def test_drops_of_a_message_do_not_extend_the_deadline():
    ours, theirs = socket.socketpair()
    began = time.monotonic()
    frames = MessageStream(ours, MAX_BYTES, lambda: began + 0.3)

    def drip():
        theirs.sendall(frame(b"x" * 10_000)[:4])
        with contextlib.suppress(OSError):
            for _ in range(10_000):  # a message of eight minutes
                time.sleep(0.05)
                theirs.sendall(b"x")

    threading.Thread(target=drip, daemon=True).start()
    with pytest.raises(ConnectionClosed) as caught:
        frames.receive()
    assert caught.value.kind == Incident.TIMEOUT
    assert 0.3 <= time.monotonic() - began < 30
    frames.close()


def test_an_end_of_the_other_room_is_heard():
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    theirs.close()
    with pytest.raises(ConnectionClosed) as caught:
        channel.request("name", "x")
    assert caught.value.kind == Incident.DIED


@pytest.mark.parametrize(
    "answers",
    [
        None, {}, [], [[1]], [[1], [2], [3]], [[1], 2], [[1], {"a": 1}], [[1], []], [[1], (2,)],
        [[1], "x"], [[1], [1, 2]], [[1], ["ValueError", "x", 1, 2]],
    ],
)  # fmt: skip
def test_forged_answers_to_steps_are_an_error_of_all_of_them(answers):
    target = StandIn(SimpleNamespace(use=lambda *words: answers), "an object")
    with pytest.raises(TypeError, match="expected 2 answers"):
        use_in_turn(target, [("", (1,)), ("left", None)])


def test_a_method_of_a_watched_source_is_asked_for_once():
    source = np.random.default_rng(5)
    asked = []

    class Noted(np.random.Generator):
        def __getattribute__(self, name):
            asked.append(name)
            return getattr(source, name)

    room = StudentThread(source=Noted(np.random.PCG64(0)))
    stand_in = room["source"]
    drawn = [stand_in.random() for _ in range(5)]
    assert drawn == np.random.default_rng(5).random(5).tolist()
    assert asked.count("random") == 1
