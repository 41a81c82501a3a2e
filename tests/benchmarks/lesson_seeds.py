"""Do a lesson's assertions and checks hold whatever the seed? Limit: all of them, under 40 seeds.

    python tests/benchmarks/lesson_seeds.py [SEEDS [LESSON...]]

Executes each lesson, or those whose numbers are given, with every seed that it names replaced by
others, on all cores. Prints the seeds under which one fails and the error, and ends with status 1
if any does.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.course.checks import with_checks
from tests.course.seeds import reseeded

COURSE = Path(__file__).resolve().parents[2] / "course"
ERRORS_ONLY = "--IPKernelApp.log_level=50"


def failure(path: Path, seed: int) -> str:
    """The error with which a lesson ends under another seed; empty if it does not."""
    notebook = with_checks(reseeded(nbformat.read(path, as_version=4), seed), path.stem)
    resources = {"metadata": {"path": str(COURSE)}}
    try:
        NotebookClient(
            notebook, timeout=120, resources=resources, extra_arguments=[ERRORS_ONLY]
        ).execute()
    except CellExecutionError as error:
        return f"{error.ename}: {error.evalue}\n{error}"
    return ""


def main(seeds: int = 40, *numbers: int) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    found, failed = sorted(COURSE.glob("[0-9]*.ipynb")), 0
    with ProcessPoolExecutor() as pool:
        for path in [p for p in found if not numbers or int(p.stem[:2]) in numbers]:
            errors = pool.map(partial(failure, path), range(1, seeds + 1))
            wrong = {seed: error for seed, error in enumerate(errors, start=1) if error}
            failed += len(wrong)
            print(f"{path.stem:28} {seeds - len(wrong):3} of {seeds} seeds", *wrong, flush=True)
            print(*wrong.values(), sep="\n", end="")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
