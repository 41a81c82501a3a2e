"""How long does each lesson run, from its first cell to its last? Limit: 60 s on two cores.

    python tests/benchmarks/lessons.py

Prints the seconds of each lesson, its slowest cell among them, and exits with status 1 if a lesson
is over the limit.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

COURSE = Path(__file__).resolve().parents[2] / "course"
LIMIT = 60


def time_lesson(path: Path) -> tuple[float, float]:
    """Seconds of the whole lesson, the start of its kernel included, and of its slowest cell."""
    began, slowest = {}, 0.0

    def finished(cell, cell_index, **_):
        nonlocal slowest
        slowest = max(slowest, time.perf_counter() - began[cell_index])

    client = NotebookClient(
        nbformat.read(path, as_version=4),
        resources={"metadata": {"path": str(COURSE)}},
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors only
        on_cell_execute=lambda cell, cell_index: began.update({cell_index: time.perf_counter()}),
        on_cell_executed=finished,
    )
    start = time.perf_counter()
    client.execute()
    return time.perf_counter() - start, slowest


def main():
    worst = 0.0
    print(f"{'lesson':32} {'seconds':>8} {'slowest cell':>13}   (limit {LIMIT})")
    for path in sorted(COURSE.glob("[0-9]*.ipynb")):
        seconds, slowest = time_lesson(path)
        worst = max(worst, seconds)
        print(f"{path.stem:32} {seconds:8.1f} {slowest:13.1f}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
