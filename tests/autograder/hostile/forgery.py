"""Submissions that write to the channel between the rooms what no honest room writes.

The student's code finds the socket among its descriptors, or the object that speaks on it.
"""

import textwrap

from tests.autograder.hostile.catalogue import Desk, submission

# `raw` puts bytes on the wire; `frame` a length and an encoded message; `channel` is the object
# that the room itself speaks through, and knows the number of the request that is being answered.
TOOLS = """
import gc, os, socket, struct
import msgpack

def raw(data):
    for number in map(int, os.listdir("/proc/self/fd")):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                os.write(number, data)
        except OSError: pass

def frame(message):
    data = msgpack.packb(message)
    raw(struct.pack(">I", len(data)) + data)

def channel():
    return next(o for o in gc.get_objects() if type(o).__name__ == "CallChannel")
"""


def forging(desk: Desk, body: str) -> dict:
    """A notebook whose `double` forges before it returns a wrong number; the mean is right."""
    function = "def double(x):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return desk.with_cell(TOOLS, at=2, double=f"{function}\n    return -1")


@submission(points=0)
def noise(desk: Desk):
    """Bytes that are no message, nor the beginning of one that would be waited for."""
    return forging(desk, "import random\nraw(random.Random(0).randbytes(100_000))")


@submission(points=0)
def endless_message(desk: Desk):
    """A message of four gigabytes is announced."""
    return forging(desk, "raw(b'\\xff\\xff\\xff\\xff' + bytes(1000))")


@submission(points=3)
def half_a_message(desk: Desk):
    """A message is begun and not ended, so that the rest is taken for its end."""
    return forging(desk, "raw(struct.pack('>I', 50) + b'x')")


@submission(points=0)
def empty_message(desk: Desk):
    """A message without content."""
    return forging(desk, "raw(bytes(4))")


@submission(points=3)
def trickle(desk: Desk):
    """A message that arrives byte by byte, slower than any cell may be."""
    return forging(
        desk,
        """
        import time
        raw(struct.pack(">I", 1000))
        for _ in range(1000):
            raw(b"x"); time.sleep(0.05)
        """,
    )


@submission(points=0)
def reply_from_the_future(desk: Desk):
    """The answer to a request that has not been made."""
    return forging(desk, "for number in range(10_000): frame(['reply', number, 2 * x])")


@submission(points=0)
def success_for_the_cell(desk: Desk):
    """The cell reports that it is done, from within, and then goes on."""
    return desk.with_cell(f"{TOOLS}\nfor n in range(20): frame(['reply', n, None])", at=2)


@submission(points=0)
def error_of_the_graders(desk: Desk):
    """An error which only the examiner raises."""
    return forging(
        desk, "for number in range(100): frame(['error', number, 'ConnectionClosed', 'x', 0])"
    )


@submission(points=0)
def timeout_of_the_graders(desk: Desk):
    """A timeout which only the examiner declares."""
    return forging(desk, "frame(['error', channel()._number, 'CellTimeout', 'x', 0])")


@submission(points=0)
def own_request(desk: Desk):
    """The student's room asks the examiner to run a cell."""
    return forging(desk, "frame(['run', 1, 'double = lambda x: 2 * x', 1])")


@submission(points=0)
def draws_that_nobody_foretold(desk: Desk):
    """The student's process says that it has used draws that it was never told."""
    return forging(desk, "frame(['used', 3])")


@submission(points=0)
def look_into_the_examiner(desk: Desk):
    """The student's room asks the examiner for a name of the tests."""
    return forging(desk, "print(channel().request('name', 'SECRET_' + 'NUMBER'))")


@submission(points=0)
def objects_of_the_examiner(desk: Desk):
    """A reference to an object that the examiner never handed over, to be looked into."""
    return forging(
        desk,
        """
        class Theirs: pass
        stolen = Theirs()
        channel().ledger._theirs[id(stolen)] = 5
        print(channel().request("getattr", stolen, "__globals__"))
        """,
    )


@submission(points=0)
def answer_from_the_examiner(desk: Desk):
    """The answer is said to be an object of the examiner's own."""
    return forging(
        desk,
        """
        class Theirs: pass
        stolen = Theirs()
        channel().ledger._theirs[id(stolen)] = 0
        return stolen
        """,
    )


@submission(points=0)
def nested_without_end(desk: Desk):
    """A value of a hundred thousand lists, each in the other."""
    return forging(desk, "raw(struct.pack('>I', 100_001) + b'\\x91' * 100_000 + b'\\xc0')")


@submission(points=0)
def extensions_without_end(desk: Desk):
    """A value of a thousand extension types, each in the other."""
    return forging(
        desk,
        """
        data = b"\\xc0"
        for _ in range(1000): data = msgpack.packb(msgpack.ExtType(9, data))
        frame(["reply", 3, msgpack.ExtType(9, data)])
        """,
    )


@submission(points=0)
def array_of_objects(desk: Desk):
    """An array of a type that could hold code: Python objects, addresses, records."""
    return forging(
        desk,
        """
        for kind in ("|O", "O8", "V8", "M8", "i4,O", "<f8" * 9):
            inner = msgpack.packb([kind, [1], bytes(8)])
            frame(["reply", 3, msgpack.ExtType(11, inner)])
        """,
    )


@submission(points=0)
def array_that_lies_about_its_shape(desk: Desk):
    """Eight bytes that claim to be a billion numbers."""
    return forging(
        desk,
        """
        inner = msgpack.packb(["<f8", [10**9, -1], bytes(8)])
        frame(["reply", 3, msgpack.ExtType(11, inner)])
        """,
    )


@submission(points=0)
def pickle_in_the_place_of_a_value(desk: Desk):
    """A pickle that would run a command on decoding."""
    return forging(
        desk,
        """
        import pickle
        class Bomb:
            def __reduce__(self): return os.system, ("touch /tmp/hostile-pickle",)
        data = pickle.dumps(Bomb())
        raw(struct.pack(">I", len(data)) + data)
        """,
    )


@submission(points=0)
def generator_with_a_strange_state(desk: Desk):
    """A generator whose state names a class that is none."""
    return forging(
        desk,
        """
        inner = msgpack.packb({"bit_generator": "SeedSequence", "state": {}})
        frame(["reply", 3, msgpack.ExtType(15, inner)])
        """,
    )


@submission(points=0)
def generator_beyond_its_buffer(desk: Desk):
    """A generator that would read the examiner's memory: numpy doesn't check its position."""
    return forging(
        desk,
        """
        state = {"key": 624 * [1], "pos": 10**9}
        inner = msgpack.packb({"bit_generator": "MT19937", "state": state})
        frame(["reply", channel()._number, msgpack.ExtType(15, inner)])
        """,
    )


@submission(points=0)
def fraction_of_giants(desk: Desk):
    """A fraction of two integers whose greatest common divisor takes hours to find."""
    return forging(
        desk,
        """
        giant = msgpack.ExtType(5, msgpack.packb(os.urandom(10**7) + bytes(1)))
        inner = msgpack.packb([giant, giant])
        frame(["reply", 3, msgpack.ExtType(8, inner)])
        """,
    )


@submission(points=3)
def points_as_an_output(desk: Desk):
    """The last value of a test, which nbgrader reads as points, comes from the student."""
    return forging(desk, "channel().notify('output', ['result', {'text/plain': '1000'}, {}])")


@submission(points=0)
def output_that_is_none(desk: Desk):
    """An output of a kind and with fields that do not exist."""
    return forging(desk, "channel().notify('output', ['spell', {'a': 1}, None, 5])")


@submission(points=6)
def flood_of_notices(desk: Desk):
    """A hundred thousand outputs, written past every limit of the student's side."""
    return desk.with_cell(
        f"{TOOLS}\nto = channel()\n"
        "for _ in range(100_000): to.notify('output', ['stream', 'stdout', 'x' * 100])"
    )


@submission(points=0)
def stolen_messages(desk: Desk):
    """A thread reads what the tests say, so that the room never hears it."""
    return desk.with_cell(
        TOOLS
        + """
import threading
sock = channel()._frames._socket
def steal():
    while True:
        try: print(len(os.read(sock.fileno(), 10**6)))
        except OSError: pass
for _ in range(4): threading.Thread(target=steal, daemon=True).start()
""",
        at=2,
    )


@submission(points=6)
def a_second_speaker(desk: Desk):
    """A child keeps the socket and answers in the place of the room, which has ended."""
    return desk.with_cell(
        TOOLS
        + """
if os.fork() == 0:
    import time
    while True:
        for number in range(200): frame(["reply", number, 6])
        time.sleep(0.01)
os._exit(0)
""",
        at=2,
    )


@submission(points=3)
def calls_back_and_forth(desk: Desk):
    """Each call of the function asks for itself again, without an end."""
    return forging(desk, "return double(x)")


@submission(points=0)
def two_replies(desk: Desk):
    """Each call is answered twice: first by hand, and then once more by the room."""
    return forging(desk, "frame(['reply', channel()._number, 2 * x])")


@submission(points=0)
def pieces_without_an_end(desk: Desk):
    """An array that is to come ahead of a message, piece after piece, and no message."""
    return forging(desk, "while True: frame(['piece', 0, bytes(8 << 20)])")


@submission(points=0)
def a_million_arrays(desk: Desk):
    """Arrays of one byte ahead of one message, each of which the examiner would keep."""
    return forging(desk, "for number in range(10**6): frame(['piece', number, b'x'])")


@submission(points=0)
def one_array_twice(desk: Desk):
    """The answer has the same array ahead of it in two places: a few bytes for any number of it."""
    return forging(
        desk,
        """
        import numpy as np
        frame(['piece', 0, bytes(1000)])
        twice = [msgpack.ExtType(26, msgpack.packb(['|u1', [1000], 0]))] * 2
        frame(['reply', channel()._number, twice])
        """,
    )


@submission(points=6)
def pieces_of_no_array(desk: Desk):
    """Pieces that no message asks for lie at the examiner's; every answer is right."""
    return desk.with_cell(f"{TOOLS}\nframe(['piece', 0, bytes(10**6)])", at=2)


@submission(points=3)
def arrays_of_a_quarter_gigabyte(desk: Desk):
    """Each call of the function answers with the largest array that can pass."""
    return desk.answered(double="import numpy as np\ndef double(x): return np.zeros(1 << 25)")


@submission(points=3)
def arrays_that_are_too_large(desk: Desk):
    """Each call of the function answers with an array that takes no memory, and can't pass."""
    return desk.answered(
        double="import numpy as np\ndef double(x): return np.broadcast_to(0.0, 1 << 40)"
    )
