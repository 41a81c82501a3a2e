"""Notebooks under Pyodide in Node: a lesson as it is, a problem set as one who solved it has it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from course.site.lite import LOADED
from tests.course.checks import with_checks

RUNNER = Path(__file__).with_name("pyodide.mjs")
ASSIGNMENTS = Path(__file__).parents[2] / "assignments"
HIDDEN = re.compile(r"^[ \t]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*\n?", re.M | re.S)


@dataclass(frozen=True)
class Ran:
    """The first cell that failed, None if none did, and what it said; seconds, and the longest."""

    name: str
    failed: int | None
    said: str | None
    seconds: float
    longest: int
    longest_seconds: float

    @property
    def is_as_expected(self) -> bool:
        """Whether all cells ran."""
        return self.said is None


def under_pyodide(
    copy: Path, wheels: Iterable[Path], notebooks: dict[str, list[str]], work: Path
) -> dict[str, Ran]:
    """Run these cells, each notebook's in a namespace of its own; `wheels` are loaded before."""
    asked = work / "notebooks.json"
    asked.write_text(json.dumps(list(notebooks.items())), encoding="utf-8")
    command = [node(), str(RUNNER), str(copy), str(asked), *LOADED, *map(str, wheels)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found = [Ran(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    return {ran.name: ran for ran in found}


def node() -> str:
    """The path of the machine's Node; the test skips without one, which in CI is a failure."""
    path = shutil.which("node")
    if path is None:
        reason = "no node on this machine: apt-get install nodejs"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return str(path)


def cells_of(path: Path) -> list[str]:
    """The code cells of a notebook, a lesson's with its checks."""
    notebook = with_checks(nbformat.read(path, as_version=4), path.stem)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def solved(name: str) -> list[str]:
    """A problem set's code cells with its solutions, and with the tests that a student sees."""
    return [HIDDEN.sub("", cell) for cell in cells_of(ASSIGNMENTS / name / f"{name}.ipynb")]
