"""Two runs at once, in rooms of their own: what one does, the other doesn't see."""

import json
import multiprocessing
import platform
import time

import pytest

from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.sandbox.probing import Probe, probe
from tests.autograder.hostile import meetings

pytestmark = [
    pytest.mark.skipif(not probe().strong, reason="the sandbox is weak here"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are made by number"),
]
NUMBER = 0b1011001101
LIMITS = Limits(cell_seconds=60, grace_seconds=1)
PATIENCE = 90
MOST_ARE_TOLD = 0.8  # where a busy machine delays some slots; a guess tells 0.6


@pytest.fixture(scope="module")
def servers():
    """Two copies of a fork server, as two workers have them."""
    with Probe() as found:
        assert found.sandbox.strong
        yield [found.parent.twin(), found.parent.twin()]


def _run(server, source, said):
    cells = [Cell(Role.STUDENT, source, "work")]
    shown = SandboxedRunner(LIMITS, probe(), parent=server).run(cells, b"").cells[0].shown
    said.send("".join(output.get("text", str(output)) for output in shown))


def heard(servers, kind):
    """What the listener heard by each way, each run in a worker of its own."""
    start = time.time() + meetings.START_SECONDS
    cells = meetings.teller(kind, start, NUMBER), meetings.listener(kind, start)
    context, lines = multiprocessing.get_context("fork"), []
    for server, cell in zip(servers, cells, strict=True):
        ours, theirs = context.Pipe()
        context.Process(target=_run, args=(server, cell, theirs), daemon=True).start()
        lines.append(ours)
    teller, listener = (line.recv() if line.poll(PATIENCE) else "" for line in lines)
    assert teller.strip("x") == ""  # it made no error that was shown
    return json.loads(listener)


def told(found):
    return {name for name, values in found.items() if meetings.tells(values, NUMBER)}


@pytest.mark.parametrize("kind", meetings.KINDS)
def test_no_run_tells_another_one_at_once(servers, kind):
    found = heard(servers, kind)
    assert found.keys() == meetings.KINDS[kind].keys()
    known = meetings.OPEN | (set() if probe().other_user else meetings.OPEN_TO_ONE_USER)
    assert told(found) <= known
    if kind == "memory":  # as the guide says, and so the runs do meet; numbers change with all work
        open_here = meetings.OPEN & found.keys()
        told_here = [meetings.share_told(found[name], NUMBER) for name in open_here]
        assert max(told_here) >= MOST_ARE_TOLD


def test_a_threshold_tells_or_not():
    bits = [float(NUMBER >> bit & 1) for bit in range(meetings.BITS)]
    assert meetings.tells(bits, NUMBER)
    assert meetings.tells([-value for value in bits], NUMBER)
    assert not meetings.tells([0.0] * meetings.BITS, NUMBER)
    assert not meetings.tells([*bits[1:], bits[0]], NUMBER)
    assert meetings.share_told([0.0] * meetings.BITS, NUMBER) < MOST_ARE_TOLD
