"""How long a process has waited for a core, as the kernel tells."""

import os
import subprocess
import sys
import time

import pytest

from autograder.wire import waiting
from autograder.wire.waiting import CLOCK_FACTOR, Allowance, Waiting, process_of

needs_schedstat = pytest.mark.skipif(
    not os.path.exists("/proc/self/schedstat"), reason="this kernel doesn't tell"
)


SPIN = "import time\nwhile time.process_time() < 0.6: pass"
WORK = {  # 0.6 s of processor time each
    "in the main thread": SPIN,
    "in a thread": (
        f"import threading\nthreading.Thread(target=exec, args=({SPIN!r}, {{}})).start()"
    ),
    "in a process": f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {SPIN!r}])",
    "in many processes": (
        "import subprocess, sys\nfor _ in range(6):\n"
        f"    subprocess.run([sys.executable, '-c', {SPIN.replace('0.6', '0.1')!r}])"
    ),
    "by a fork": f"import os\nif os.fork(): os.wait()\nelse:\n    exec({SPIN!r})",
}


@pytest.fixture
def start():
    """Starts code in processes that share one core, and ends them."""
    core, started = {min(os.sched_getaffinity(0))}, []

    def start(source):
        command = [sys.executable, "-c", source]
        started.append(subprocess.Popen(command, preexec_fn=lambda: os.sched_setaffinity(0, core)))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def own_and_clock(process):
    """Seconds that a process took until it ended, without what it waited, and by the clock."""
    waiting, began = Waiting(process.pid), time.monotonic()
    while process.poll() is None:
        time.sleep(0.05)
        seconds = waiting()
    clock = time.monotonic() - began
    return clock - seconds, clock


@needs_schedstat
@pytest.mark.parametrize("where", WORK)
def test_work_among_others_on_its_core_has_waited_for_most_of_its_time(start, where):
    for _ in range(4):
        start("while True: pass")
    own, clock = own_and_clock(start(WORK[where]))
    assert clock > 1.5
    assert own < 0.6 * clock


@needs_schedstat
def test_what_sleeps_does_not_wait(start):
    for _ in range(4):
        start("while True: pass")
    sleeping = start("import time; time.sleep(60)")
    time.sleep(2)  # until it does
    waiting = Waiting(sleeping.pid)
    time.sleep(1)
    assert waiting() < 0.2


@needs_schedstat
def test_threads_that_only_wait_for_each_other_do_not_wait(start):
    """Processor time is never waiting, however many of a notebook's own threads are ready."""
    source = (
        "import subprocess, sys\ncommand = [sys.executable, '-c', 'while True: pass']\n"
        "for _ in range(3): subprocess.Popen(command)\nimport time\ntime.sleep(60)"
    )
    process = start(f"{source}")
    time.sleep(1)
    waiting, before = Waiting(process.pid), time.monotonic()
    computed = waiting._last.computed
    time.sleep(1)
    waited, clock = waiting(), time.monotonic() - before
    computed = waiting._last.computed - computed
    subprocess.run(["pkill", "-P", str(process.pid)], check=True)
    assert waited <= clock - computed + 0.05


LOOKS = {  # of ten seconds: what was computed, what main threads and others waited, who is ready
    "it sleeps": (0, 0, {"a": 0}, "", 0),
    "it waits": (1, 8, {"a": 0}, "", 8),
    "it computes, and its threads wait for each other": (10, 5, {"a": 5, "b": 5}, "", 0),
    "it waits by the clock no longer than it neither computes": (6, 9, {}, "", 4),
    "one of its threads waits": (1, 0, {"a": 7, "b": 0}, "", 7),
    "threads wait at the same time": (1, 2, {"a": 6, "b": 5}, "", 6),
    "threads are ready, and have hardly waited": (1, 0, {"a": 0.5, "b": 0}, "ab", 0.5),
    "a thread is new, and ready": (1, 0, {"a": 0, "new": 0.2}, "new", 9),
    "a thread is new, and sleeps": (1, 0, {"a": 0, "new": 0.2}, "a", 0),
}


@pytest.mark.parametrize("case", LOOKS.values(), ids=LOOKS)
def test_waiting_is_what_somebody_waited_for_without_computing(monkeypatch, case):
    computed, main, others, ready, seconds = case
    states = {thread: [b"R"] for thread in others if thread in ready}
    monkeypatch.setattr(waiting, "_fields", lambda thread: states.get(thread, [b"S"]))
    before = waiting._Look(100.0, 50.0, 20.0, {"a": 30.0, "b": 30.0})
    then = {name: waited + before.others.get(name, 0.0) for name, waited in others.items()}
    after = waiting._Look(110.0, 50.0 + computed, 20.0 + main, then)
    assert after.count_waiting_since(before) == pytest.approx(seconds)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_what_waits_has_its_seconds_beside_the_waiting_up_to_a_limit(monkeypatch, share):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    allowance = Allowance(2.0, lambda: 7 + share * now)  # it has waited before
    while allowance.left > 1e-9:
        assert allowance.ends == pytest.approx(now + allowance.left)
        now += max(allowance.left, 1e-9)
    assert now - 100 == pytest.approx(min(2 / (1 - share), 2 * CLOCK_FACTOR))


def test_a_process_that_has_ended_has_waited_for_nothing():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    waiting = Waiting(process.pid)
    time.sleep(0.01)
    assert waiting() == 0.0


def test_what_was_waited_stays_when_other_processes_are_watched(monkeypatch):
    delays = {1: 3.0, 2: 50.0}
    monkeypatch.setattr(waiting, "_list_process_tree", lambda process: [process])
    monkeypatch.setattr(waiting, "_threads", lambda folder: [])
    monkeypatch.setattr(waiting, "_delay_seconds", delays.get)
    monkeypatch.setattr(waiting, "_processor_seconds", lambda process: 0.0)
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr(waiting.time, "monotonic", lambda: next(clock))
    both = Waiting(1)
    delays[1] += 2
    both.watch(1, 2)
    delays[2] += 5
    assert both() == 7.0
    delays[1] = 0.0  # as of one that has ended
    delays[2] += 1
    assert both() == 7.0 + 0.0


def test_a_descriptor_tells_its_process():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    descriptor = os.pidfd_open(process.pid)
    assert process_of(descriptor) == process.pid
    process.communicate(b"\n")
    assert process_of(descriptor) == -1
    os.close(descriptor)
