"""Rooms without walls: the same notebooks come to the same as where they are graded.

No case here attacks what lies outside of its room: nothing would hold it back.
"""

import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from dataclasses import replace

import psutil
import pytest

from autograder.examiner import unsandboxed_runner, verdicts
from autograder.examiner.unsandboxed_runner import UnsandboxedRunner
from autograder.wire.contract import Incident
from tests.autograder.elsewhere import surroundings
from tests.autograder.examiner.cells import LIMITS, check, hidden, locked, student, written

HURRIED = replace(LIMITS, cell_seconds=2.0, grace_seconds=2.0)
NOTEBOOKS = {
    "what a cell shows": [
        student("import sys\nprint('a')\nprint('b', file=sys.stderr)\ndisplay({'a': 1})\n3"),
        student("import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(7)']) and 1"),
        student("import matplotlib.pyplot as plt\nplt.plot([0, 1]); plt.title('α')\nplt.show()"),
        student("%matplotlib inline\nplt.figure(figsize=(2, 1))\n_ = plt.plot([1, 0])"),
        student("import warnings; warnings.warn('careful')"),
        student("!echo shell"),
    ],
    "errors": [
        student("def f(x):\n    return 1 / x"),
        student("f(0)"),
        student("import a_module_that_nobody_has"),
        student("if :"),
        student("def g(n): return g(n + 1)\ng(0)"),
        check("f(0)", "test one"),
        check("assert f(2) == 1, 'what it should be'", "test two"),
        check("f(2)\n### BEGIN HIDDEN TESTS\nassert f(4) == 1, 'hidden'\n### END HIDDEN TESTS"),
    ],
    "conversations": [
        locked("import math\nfrom autograder import checks"),
        student("class Curator:\n    def __init__(self, rng): self.rng = rng\n    def ask(self):\n"
                "        return self.rng.normal()\ndef twice(ask): return ask(1) + ask(2)"),
        check("assert twice(lambda x: 10 * x) == 30"),
        check("rng = checks.generator()\nassert abs(Curator(rng).ask()) < 40", "test drawn"),
        hidden("assert twice(lambda x: x) == 4", "test hidden"),
    ],
    "its own randomness": [
        student("import random, secrets, os, numpy as np\n"
                "print(random.random(), np.random.rand(), np.random.default_rng().random())\n"
                "print(secrets.token_hex(4), os.urandom(4), hash('a word'))"),
    ],
    "endings": [
        student("kept = 1"),
        student("import os; os._exit(3)"),
        student("kept += 1; print(kept)"),
        student("import sys; sys.exit(2)"),
        check("assert kept == 2"),
    ],
    "files": [
        student("open('mine.txt', 'w').write('ε')"),
        student("print(open('mine.txt').read(), os.listdir('.')) if 'os' in globals() else None"),
        student("open('nobody_s.csv')"),
        check("assert open"),
    ],
    "too much to show": [student("print('x' * 300_000)"), student("print('y')")],
}  # fmt: skip
HOARD = "import time\nheld = []\nwhile True: held.append(b'x' * (1 << 20)); time.sleep(0.001)"
LOOPS = [
    student("def slow():\n    while True: pass"),
    student("while True: pass"),
    check("slow()"),
    student("print('after it')"),
]


@pytest.mark.parametrize("before", [None, "svg"])
def test_the_process_goes_on_as_it_was(monkeypatch, before):
    monkeypatch.delenv("MPLBACKEND", raising=False)
    if before:
        monkeypatch.setenv("MPLBACKEND", before)

    def state():
        return dict(os.environ), gc.get_threshold(), list(warnings.filters), os.getcwd()

    found = state()
    run = UnsandboxedRunner(LIMITS).run(
        [check("import os\nassert os.environ['MPLBACKEND'] == 'agg'")], b""
    )
    assert run.cells[0].verdict == verdicts.PASSED
    assert state() == found


@pytest.fixture(scope="module")
def unwalled_rooms():
    return UnsandboxedRunner(LIMITS)


def as_told(run):
    """All that is told of a notebook, but for times and for lines of the grader's own."""
    cells = [
        ([output | {"traceback": []} for output in written(cell)], cell.execution_count)
        for cell in run.cells
    ]
    verdicts = [v and (v.losses, v.error, v.result) for v in (cell.verdict for cell in run.cells)]
    return cells, verdicts, [(incident.kind, incident.cell) for incident in run.incidents]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_comes_to_the_same(name, rooms, unwalled_rooms):
    expected = as_told(rooms.run(NOTEBOOKS[name], b"seed"))
    assert as_told(unwalled_rooms.run(NOTEBOOKS[name], b"seed")) == expected


def test_a_loop_is_stopped_and_the_rest_runs(hurried):
    expected = as_told(hurried.run(LOOPS, b""))
    assert as_told(UnsandboxedRunner(HURRIED).run(LOOPS, b"")) == expected


def test_what_sleeps_through_its_alarm_is_ended_and_the_rest_runs(monkeypatch, tmp_path):
    """As on a system without timers, where a thread rings and wakes nobody."""
    for name, value in surroundings(tmp_path).items():
        monkeypatch.setenv(name, value)
    cells = [student("x = 1"), student("import time; time.sleep(1e6)"), student("print(x)")]
    run = UnsandboxedRunner(replace(HURRIED, grace_seconds=0.5)).run(cells, b"")
    assert [incident.kind for incident in run.incidents] == [Incident.TIMEOUT]
    assert "could not be interrupted" in written(run.cells[1])[-1]["evalue"]
    assert written(run.cells[2])[0]["text"] == "1\n"


def test_more_memory_than_a_notebook_may_have_ends_its_process():
    limits = replace(LIMITS, memory_bytes=100 << 20)
    cells = [student(HOARD, "hoard"), student("1")]
    run = UnsandboxedRunner(limits).run(cells, b"")
    assert [(i.kind, i.cell) for i in run.incidents] == [(Incident.MEMORY, "hoard")]
    assert "more memory" in written(run.cells[0])[-1]["evalue"]


def test_processes_of_a_notebook_end_with_it():
    cells = [
        student(
            """
            import subprocess, sys, time
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
            time.sleep(0.5)
            """
        ),
        check("number = child.pid\nraise AssertionError(str(int(number)))"),
    ]
    run = UnsandboxedRunner(LIMITS).run(cells, b"")
    number = int(run.cells[1].verdict.losses[0].message.rpartition(" ")[2])
    assert not psutil.pid_exists(number) or psutil.Process(number).status() == "zombie"


def test_nothing_is_left_on_the_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(unsandboxed_runner.tempfile, "tempdir", str(tmp_path))
    UnsandboxedRunner(LIMITS).run([student("open('a', 'w').write('b')")], b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("said", [b"x" * 32, b"x", b"x" * 1000])
def test_who_does_not_know_the_password_is_not_let_in(monkeypatch, said):
    """Somebody else on the machine who is quicker at the port."""
    listen, intruders = socket.create_server, []

    def with_an_intruder(address):
        listening = listen(address)
        intruders.append(socket.create_connection(listening.getsockname()))
        intruders[-1].sendall(said)
        return listening

    monkeypatch.setattr(unsandboxed_runner.socket, "create_server", with_an_intruder)
    run = UnsandboxedRunner(LIMITS).run([student("print(1)")], b"")
    assert written(run.cells[0])[0]["text"] == "1\n"
    with contextlib.suppress(ConnectionResetError):  # where it had said more than was read
        assert intruders[0].recv(1) == b""


def test_a_process_that_does_not_start_says_why(monkeypatch):
    monkeypatch.setattr(unsandboxed_runner.sys, "executable", "/bin/false")
    with pytest.raises(OSError, match="could not be started: it said nothing"):
        UnsandboxedRunner(LIMITS).run([student("1")], b"")


def test_an_interruption_ends_it_at_once_and_leaves_no_process(tmp_path):
    """By a real signal to a process of its own, which has a quarter of an hour to wait for."""
    code = """
        from autograder.examiner.unsandboxed_runner import UnsandboxedRunner
        from autograder.wire.contract import Cell, Limits, Role

        cells = [Cell(Role.STUDENT, "open(PLACE, 'w').close()\\nwhile True: pass", f"cell {n}")
                 for n in range(4)]
        try:
            UnsandboxedRunner(Limits(cell_seconds=900.0, notebook_seconds=3600)).run(cells, b"")
        except KeyboardInterrupt:
            print("interrupted")
    """
    begun = tmp_path / "begun"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code).replace("PLACE", repr(str(begun)))],
        stdout=subprocess.PIPE,
    )
    while not begun.exists() and process.poll() is None:
        time.sleep(0.05)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=300)[0] == b"interrupted\n"
    assert children
    assert not any(child.is_running() and child.status() != "zombie" for child in children)


def test_no_thread_stays_when_it_is_over():
    before = threading.active_count()
    UnsandboxedRunner(LIMITS).run([student("1")], b"")
    until = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert threading.active_count() == before
