"""Try both processes as in grading, and report faults."""

from __future__ import annotations

import resource

from autograder.examiner import sandboxed_runner, verdicts
from autograder.sandbox import isolation
from autograder.sandbox.fork_client import ForkServer
from autograder.sandbox.layers import Sandbox
from autograder.wire.contract import Cell, Limits, Role

_CELLS = (
    Cell(Role.STUDENT, "import numpy as np\n\ndef double(x):\n    return 2 * x", "an answer"),
    Cell(Role.EXAMINER, "assert double(3) == 6", "a test", "assert double(1) == 2"),
)


def check_limits(limits: Limits) -> None:
    """Raise `OSError` with a remedy if the system's limits are below those of grading.

    Under some of them no process could start to report that.
    """
    for kind, value in (
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
    ):
        isolation.require_limit(kind, value)


def find_fault(limits: Limits, sandbox: Sandbox, parent: ForkServer | None = None) -> str:
    """Run a right answer and its test under the limits of grading; return a fault, or "".

    `parent` is a warm parent in that sandbox, which stays open.
    """
    runner = sandboxed_runner.SandboxedRunner(limits, sandbox, parent)
    try:
        run = runner.run(_CELLS, b"a trial")
    except OSError as error:
        return str(error)
    finally:
        runner.let_go(parent)
    if incidents := [incident.message or incident.kind for incident in run.incidents]:
        return f"a notebook without mistakes was stopped: {incidents[0]}"
    verdict = run.cells[-1].verdict
    if verdict is None or verdicts.has_failed(verdict):
        message = verdict.losses[0].message if verdict and verdict.losses else verdicts.LOST
        return f"a right answer does not pass its test: {message}"
    return ""
