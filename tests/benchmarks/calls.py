"""The processor time of calls between the two processes of a run, beside that of their bytes alone.

    python tests/benchmarks/calls.py [CALLS] [ROUNDS]

A test calls a student's function, a student's function calls one of the test's, and draws numbers
from a generator that the test watches: CALLS (2,000) times each, in ROUNDS (5) rounds. Prints the
microseconds of one, in both processes together, in the fastest round. Two processes that only send
each other as many bytes over a socket, on one core as in a run, are the limit.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time

from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.sandbox.probing import Probe
from autograder.wire.contract import Cell, Limits, Role

ANSWER = """
import time

def double(x):
    return 2 * x

def ask(function, count):
    for _ in range(count):
        function(1)

def draw(rng, count):
    for _ in range(count):
        rng.laplace(0.0, 2.0)

def seconds():
    return time.process_time()
"""
TEST = """
import json, time
from autograder import checks

frames = double._channel._frames
send, receive = frames.send, frames.receive

def send_and_note(payload):
    sizes.append(4 + len(payload))
    send(payload)

def receive_and_note():
    payload = receive()
    sizes.append(4 + len(payload))
    return payload

def cost(use, count):
    before = time.process_time() + seconds()
    use(count)
    return (time.process_time() + seconds() - before) / count

watched = checks.Watched()
uses = {
    "a call": lambda count: [double(n) for n in range(count)],
    "a callback": lambda count: ask(lambda x: x, count),
    "a watched draw": lambda count: draw(watched, count),
}
results = {}
for name, use in uses.items():
    use(1)
    sizes = []
    frames.send, frames.receive = send_and_note, receive_and_note
    use(1)
    frames.send, frames.receive = send, receive
    inner = sizes[1:3] if len(sizes) > 2 else sizes  # within the call that makes the others
    results[name] = inner, min(cost(use, CALLS) for _ in range(ROUNDS))
print(json.dumps(results))
"""


def measure(calls: int, rounds: int) -> dict[str, tuple[list[int], float]]:
    """Return for each kind of call the bytes of its two messages, and its seconds."""
    test = TEST.replace("CALLS", str(calls)).replace("ROUNDS", str(rounds))
    cells = [Cell(Role.STUDENT, ANSWER, "an answer"), Cell(Role.EXAMINER, test, "a test")]
    limits = Limits(cell_seconds=600, notebook_seconds=600, cpu_seconds=600)
    with Probe() as found, SandboxedRunner(limits, found.sandbox, found.parent) as rooms:
        run = rooms.run(cells, b"calls")
        rooms.let_go(found.parent)
    text = "".join(output.get("text", "") for output in run.cells[-1].shown)
    if not text:
        sys.exit(f"the test did not run: {run.cells[-1].verdict}")
    return json.loads(text)


def exchange(sizes: list[int], count: int) -> float:
    """Return the processor time in which two processes send each other such messages once."""
    ours, theirs = socket.socketpair()
    there, back = (b"x" * size for size in sizes)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if not (child := os.fork()):
        for _ in range(count):
            _receive(theirs, len(there))
            theirs.sendall(back)
        os._exit(0)
    before = time.process_time()
    for _ in range(count):
        ours.sendall(there)
        _receive(ours, len(back))
    own = time.process_time() - before
    used = os.wait4(child, 0)[2]
    return (own + used.ru_utime + used.ru_stime) / count


def _receive(sock: socket.socket, size: int) -> None:
    while size:
        size -= len(sock.recv(size))


def main() -> None:
    calls, rounds = map(int, [*sys.argv[1:], *("2000", "5")[len(sys.argv) - 1 :]])
    print(f"{'':16}{'us':>8}{'bytes alone':>14}{'ratio':>8}")
    for name, (sizes, seconds) in measure(calls, rounds).items():
        limit = min(exchange(sizes, 10 * calls) for _ in range(rounds))
        print(f"{name:16}{seconds * 1e6:8.1f}{limit * 1e6:14.1f}{seconds / limit:8.1f}")


if __name__ == "__main__":
    main()
