"""Arrays ahead of a message, in pieces: they arrive as they were, and no more is kept of them."""

import socket
import threading
import time

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import Incident
from autograder.wire.errors import Malformed, Unanswerable
from autograder.wire.pieces import Pieces
from autograder.wire.values import AHEAD
from tests.autograder.wire.test_channel import MAX_BYTES, StudentThread, examiners, frame, students

LARGE = Pieces(MAX_BYTES).large
KINDS = ("u1", "?", "i2", ">i4", "f8", "c16", "S3", "U2")


def array_of(dtype, size, seed):
    """An array of so many bytes, or a few more."""
    dtype = np.dtype(dtype)
    numbers = np.random.default_rng(seed).integers(0, 100, -(-size // dtype.itemsize))
    return numbers.astype(dtype)


def same(sent, come):
    """But for the order of a number's bytes."""
    kinds = sent.dtype.newbyteorder("=") == come.dtype and sent.shape == come.shape
    return kinds and np.array_equal(sent, come) and come.flags.writeable


@given(
    st.lists(
        st.tuples(
            st.sampled_from(KINDS),
            st.sampled_from((8, LARGE - 16, LARGE, LARGE + 1, 2 * LARGE, 3 * LARGE + 5)),
        ),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 2**32),
)
def test_arrays_of_any_size_cross_both_ways(kinds, seed):
    arrays = [array_of(dtype, size, seed + n) for n, (dtype, size) in enumerate(kinds)]
    room = StudentThread(echo=lambda *given: [{"first": given[0]}, *given[1:]])
    first, *others = room["echo"](*arrays)
    assert all(map(same, arrays, [first["first"], *others]))


@pytest.mark.parametrize(
    "made",
    [
        lambda x: x.reshape(4, -1),
        lambda x: x.reshape(4, -1).T,
        lambda x: np.asfortranarray(x.reshape(8, -1)),
        lambda x: x[::-1],
        lambda x: x[::2],
        lambda x: np.broadcast_to(x[:4], (len(x) // 4, 4)),
    ],
)
def test_arrays_that_lie_in_memory_in_another_order(made):
    array = made(np.arange(LARGE))
    assert array.nbytes > LARGE
    room = StudentThread(back=lambda x: x, total=lambda x: float(x.sum()))
    assert np.array_equal(room["back"](array), array)
    assert room["total"](array) == array.sum()


def test_more_than_a_message_may_have_crosses_and_no_more_than_four_times_that():
    most = np.zeros(4 * MAX_BYTES, np.uint8)
    room = StudentThread(size=lambda *x: sum(map(len, x)), make=lambda n: np.ones(n, np.uint8))
    assert room["size"](most) == 4 * MAX_BYTES
    assert room["size"](most[: 2 * MAX_BYTES], most[2 * MAX_BYTES :]) == 4 * MAX_BYTES
    assert room["make"](4 * MAX_BYTES).all()
    for call in (
        lambda: room["size"](np.zeros(4 * MAX_BYTES + 1, np.uint8)),
        lambda: room["size"](most[: 2 * MAX_BYTES], most[: 2 * MAX_BYTES + 1]),
        lambda: room["make"](4 * MAX_BYTES + 1),
    ):
        with pytest.raises((ValueError, Unanswerable), match="too large to pass to or from a test"):
            call()
        assert room["size"](most) == 4 * MAX_BYTES  # and what was set aside is forgotten


def test_an_array_that_occurs_twice_is_one():
    room = StudentThread(same=lambda x, y: x is y, pair=lambda x: [x, x])
    small, large = np.zeros(LARGE + 1, np.uint8), np.zeros(MAX_BYTES + 1, np.uint8)
    assert room["same"](small, small)
    first, second = room["pair"](small)
    assert first is second
    with pytest.raises(ValueError, match="were nothing shared"):  # it could stand for any number
        room["same"](large, large)


def test_a_large_array_that_a_call_changes_is_told_of():
    def zero(x):
        x[:] = 0

    room = StudentThread(zero=zero, look=lambda x: int(x[0]))
    array = np.ones(2 * MAX_BYTES, np.uint8)
    room["look"](array)
    room.ledger.tells_changes = True
    room["look"](array)
    assert room.channel.last_changes == []
    room["zero"](array)
    [[place, now]] = room.channel.last_changes
    assert (place, now.shape, now.any()) == (0, array.shape, False)
    assert array.all()


def test_what_another_thread_says_in_between_is_no_part_of_it():
    """Outputs come from any thread, between the pieces too."""
    ours, theirs = socket.socketpair()
    channel, heard = examiners(ours), []
    channel._notices["output"] = heard.append
    other = students(theirs)

    def answer():
        _, number, _ = other._receive()
        reply = other._encode(["reply", number, np.arange(LARGE)])  # of eight bytes each
        payloads = list(other._payloads(*reply))
        assert len(payloads) > 4
        for payload in payloads:
            said = threading.Thread(target=other.notify, args=("output", ["text", "x"]))
            said.start()
            said.join()
            other._frames.send(payload)

    thread = threading.Thread(target=answer)
    thread.start()
    other._thread = thread.ident
    assert np.array_equal(channel.request("name", "x"), np.arange(LARGE))
    thread.join()
    assert len(heard) > 4


def test_no_time_limit_cuts_a_notice_in_pieces():
    """An alarm waits while the channel is busy; half an array would end the conversation."""
    _, theirs = socket.socketpair()
    other, busy = students(theirs), []
    other._frames.send = lambda payload: busy.append(other.busy)
    for before in (False, True):
        other.busy = before
        other.notify("output", np.arange(LARGE))
        assert other.busy is before
    assert len(busy) > 8
    assert all(busy)


def piece(number, data):
    return frame(msgpack.packb(["piece", number, data]))


def ahead(*marks, dtype="|u1", shape=(4,)):
    """An answer with arrays that should have come."""
    values = [msgpack.ExtType(AHEAD, msgpack.packb([dtype, list(shape), n])) for n in marks]
    return frame(msgpack.packb(["reply", 1, values]))


FULL = b"x" * LARGE
HOSTILE = {
    "an array that never came": ahead(0),
    "another array than came": piece(0, b"abcd") + ahead(1),
    "no number": piece(0, b"abcd") + ahead("0"),
    "a negative number": piece(0, b"abcd") + ahead(-1),
    "true": piece(0, b"abcd") + piece(1, b"abcd") + ahead(0, True),
    "one array twice": piece(0, b"abcd") + ahead(0, 0),
    "an array in no message": piece(0, b"abcd") + piece(1, b"abcd") + ahead(0),
    "too few bytes": piece(0, b"abc") + ahead(0),
    "too many bytes": piece(0, b"abcde") + ahead(0),
    "half an item": piece(0, b"abcdefg") + ahead(0, dtype="<i4", shape=(1,)),
    "objects": piece(0, b"abcdefgh") + ahead(0, dtype="|O", shape=(1,)),
    "a shape below nothing": piece(0, b"abcd") + ahead(0, shape=(-2, -2)),
    "an empty piece": piece(0, b""),
    "a piece of text": piece(0, "abcd"),
    "a piece of nothing's": piece(None, b"abcd"),
    "a piece of true's": piece(0, b"abcd") + piece(True, b"abcd"),
    "a piece before the first": piece(-1, b"abcd"),
    "the second array first": piece(1, b"abcd"),
    "the first array again": piece(0, b"abcd") + piece(1, b"abcd") + piece(0, b"abcd"),
    "a piece and a half": frame(msgpack.packb(["piece", 0, b"abcd", b"ab"])),
    "pieces without an end": piece(0, FULL) * 33,
    "arrays without an end": b"".join(piece(n, FULL) for n in range(33)),
}  # fmt: skip


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_pieces_close_the_room(data):
    ours, theirs = socket.socketpair()
    channel = examiners(ours)
    channel.deadline = time.monotonic() + 10
    sender = threading.Thread(target=theirs.sendall, args=(data,), daemon=True)
    sender.start()
    with pytest.raises(ConnectionClosed) as caught:
        channel.request("name", "x")
    assert caught.value.kind == Incident.PROTOCOL


def taken(sizes):
    """How many pieces are taken, each of an array of its own where a size is negative."""
    pieces, number = Pieces(MAX_BYTES), 0
    for done, size in enumerate(sizes):
        number += done > 0 and size < 0
        try:
            pieces.take(number, b"x" * abs(size))
        except ValueError:
            return done
    return len(sizes)


def test_no_more_is_kept_than_may_come():
    """In one array, in as many as there can be, and in a million that are no large ones."""
    assert taken([10_000] * 1000) == 4 * MAX_BYTES // 10_000
    assert taken([-LARGE] * 31 + [LARGE, 1]) == 32
    assert taken([-1] * 100) == 32


def test_what_is_left_over_is_said_once():
    pieces = Pieces(MAX_BYTES)
    pieces.take(0, b"a")
    pieces.message_is_read()  # of one without arrays, between
    pieces.take(1, b"b")
    assert pieces.put_together(0) == b"a"
    with pytest.raises(Malformed, match="in no message"):
        pieces.message_is_read()
    with pytest.raises(Malformed, match="has not come"):
        pieces.put_together(1)
