"""How much two runs can tell each other by the time that it takes to look for a name.

The kernel remembers names that don't exist, so a second look is faster. The teller looks for the
names of the set bits; the listener times a look for each name. Prints the bits, the share of wrong
ones, and the bits a second that this amounts to.

    python tests/benchmarks/cache_timing.py [BITS]
"""

import json
import math
import multiprocessing
import random
import sys
import time

from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.sandbox.probing import Probe

NAMES = 8  # looked for, for each bit
TELLER = """
import os, time
folder = os.path.dirname(os.__file__)
time.sleep(max(0, START - time.time()))
begin = time.perf_counter()
for bit in SET:
    for name in range(NAMES): os.path.exists(f"{folder}/SALT-{bit}-{name}")
print(time.perf_counter() - begin)
"""
LISTENER = """
import json, os, time
folder = os.path.dirname(os.__file__)
paths = [[f"{folder}/SALT-{bit}-{name}" for name in range(NAMES)] for bit in range(BITS)]
for n in range(2000): os.path.exists(f"{folder}/x{n}")  # so that this is as fast as it will be
time.sleep(max(0, START - time.time()))
begin, times = time.perf_counter(), []
for names in paths:
    looks = []
    for path in names:
        before = time.perf_counter_ns()
        os.path.exists(path)
        looks.append(time.perf_counter_ns() - before)
    times.append(sorted(looks)[len(looks) // 2])
print(json.dumps([time.perf_counter() - begin, times]))
"""


def run(sandbox, server, source: str, said) -> None:
    """Run the cell in a room of the server and send what it printed."""
    rooms = SandboxedRunner(Limits(cell_seconds=60), sandbox, parent=server)
    (output,) = rooms.run([Cell(Role.STUDENT, source, "work")], b"").cells[0].shown
    said.send(output["text"])


def heard(sandbox, servers, cells, at_once: bool) -> list[str]:
    """Run the two cells, at once or one after the other, each in a worker; what they printed."""
    context, lines, said = multiprocessing.get_context("fork"), [], []
    for server, cell in zip(servers, cells, strict=True):
        ours, theirs = context.Pipe()
        context.Process(target=run, args=(sandbox, server, cell, theirs), daemon=True).start()
        lines.append(ours)
        if not at_once:
            said.append(ours.recv())
    return said or [line.recv() for line in lines]


def measured(sandbox, servers, bits: int, at_once: bool) -> str:
    """Tell random bits, and return a line with the figures."""
    secret = [random.getrandbits(1) for _ in range(bits)]
    start = time.time() + 1.5 if at_once else 0
    words = {"SALT": f"n{random.getrandbits(60)}", "NAMES": str(NAMES), "BITS": str(bits)}
    words["SET"], cells = str([bit for bit, is_set in enumerate(secret) if is_set]), []
    # At once, the listener begins when the teller has had time for all names.
    for cell, begins in ((TELLER, start), (LISTENER, start + 0.5 * at_once)):
        for word, value in {**words, "START": str(begins)}.items():
            cell = cell.replace(word, value)
        cells.append(cell)
    told, listened = heard(sandbox, servers, cells, at_once)
    seconds, times = json.loads(listened)
    limit = sorted(times)[sum(secret)]  # as many as are set are fast
    wrong = sum((spent < limit) != is_set for spent, is_set in zip(times, secret, strict=True))
    rate = wrong / bits
    entropy = sum(-p * math.log2(p) for p in (rate, 1 - rate) if p)
    speed = (1 - entropy) * bits / (seconds + float(told))
    name = "at once" if at_once else "one after the other"
    return f"{name}: {bits} bits, {rate:.2%} wrong, {speed:,.0f} bits a second"


def main() -> None:
    """Print a line for two runs at once, and one for one run after the other."""
    bits = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with Probe() as found:
        sandbox, servers = found.sandbox, [found.parent.twin(), found.parent.twin()]
        for at_once in (True, False):
            print(measured(sandbox, servers, bits, at_once))


if __name__ == "__main__":
    main()
