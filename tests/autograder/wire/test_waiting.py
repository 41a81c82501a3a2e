"""How long a process has waited for a core, as the kernel tells."""

import os
import subprocess
import sys
import time

import pytest

from autograder.wire.waiting import CLOCK_FACTOR, Allowance, process_of, waited

needs_schedstat = pytest.mark.skipif(
    not os.path.exists("/proc/self/schedstat"), reason="this kernel doesn't tell"
)


@needs_schedstat
def test_a_process_among_others_on_its_core_waits_and_one_that_sleeps_does_not():
    core = {min(os.sched_getaffinity(0))}

    def start(source):
        return subprocess.Popen(
            [sys.executable, "-c", source], preexec_fn=lambda: os.sched_setaffinity(0, core)
        )

    crowd = [start("while True: pass") for _ in range(3)]
    one, idle = start("while True: pass"), start("import time; time.sleep(60)")
    time.sleep(3)
    before = waited(one.pid), waited(idle.pid)
    time.sleep(1)
    among, asleep = waited(one.pid) - before[0], waited(idle.pid) - before[1]
    for process in (*crowd, one, idle):
        process.kill()
        process.wait()
    assert among > 0.3
    assert asleep < 0.1


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
    assert waited(process.pid) == 0.0


def test_a_descriptor_tells_its_process():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    descriptor = os.pidfd_open(process.pid)
    assert process_of(descriptor) == process.pid
    process.communicate(b"\n")
    assert process_of(descriptor) == -1
    os.close(descriptor)
