"""Choose the parts of the exhaustive tier whose subject has changed, for `.ci/run`.

`python -m tests.changed --seconds 900` prints the paths that `python -m pytest --exhaustive` is to
run within that time, by the measured costs, and says on standard error what it leaves out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests import costs

ROOT = Path(__file__).parents[1]
GRADER = ("autograder/wire", "autograder/student", "autograder/examiner", "autograder/sandbox")
SLOWER = 1.3  # a busy machine beside the one that was measured


@dataclass(frozen=True)
class Part:
    """A part of the tests, and the folders and files of the project that it tests beside itself."""

    tests: str
    subjects: tuple[str, ...]

    def is_about(self, files: Collection[str]) -> bool:
        """Whether one of the files is the part's own or of a subject of it."""
        return any(file.startswith((self.tests, *self.subjects)) for file in files)

    def seconds(self, measured: dict[str, dict]) -> float:
        """Return the processor seconds of the part, all its cases included."""
        return sum(
            entry["seconds"] for file, entry in measured.items() if file.startswith(self.tests)
        )


def parts() -> list[Part]:
    """Return all parts, in the order in which they are taken while there is time."""
    grader = [
        Part(f"tests/autograder/{folder.name}", (f"autograder/{folder.name}/",))
        for folder in sorted((ROOT / "tests/autograder").iterdir())
        if folder.is_dir() and folder.name not in ("hostile", "__pycache__")
    ]
    return [
        Part("tests/autograder/hostile", (*GRADER, "autograder/pages/")),
        Part("tests/assignments", ("assignments/", "autograder/checks/", "autograder/rehearsal/")),
        Part("tests/autograder/test_", ("autograder/",)),
        *grader,
        Part("tests/dplab", ("dplab/",)),
        Part("tests/course", ("course/", "dplab/widgets/")),
        Part("tests/browser", ("course/", "dplab/widgets/", "autograder/desk/")),
        Part(
            "tests/test_", ("pyproject.toml", "README.md", ".ci/", ".github/", "autograder/desk/")
        ),
    ]


def changed_files() -> list[str] | None:
    """Return the files that differ from where this branch began, or from the last tag.

    None where there is neither: then all is new.
    """
    head = _git("rev-parse", "HEAD")
    bases = (_git("merge-base", "HEAD", "origin/main"), _git("rev-list", "-1", _last_tag()))
    base = next((base for base in bases if base and base != head), None)
    return _git("diff", "--name-only", base, "HEAD").splitlines() if base else None


def choose(files: Collection[str] | None, seconds: float, cores: int) -> tuple[list[Part], ...]:
    """Return the parts to run in this time on that many cores, and those that must wait."""
    measured = costs.read()["exhaustive"]["files"]
    left = seconds * cores / SLOWER
    taken, waiting = [], []
    for part in parts():
        if files is not None and not part.is_about(files):
            continue
        if (cost := part.seconds(measured)) <= left:
            taken.append(part)
            left -= cost
        else:
            waiting.append(part)
    return taken, waiting


def paths(part: Part) -> list[str]:
    """Return what pytest is given to run the part."""
    if (ROOT / part.tests).is_dir():
        return [part.tests]
    folder, _, start = part.tests.rpartition("/")
    return sorted(f"{folder}/{path.name}" for path in (ROOT / folder).glob(f"{start}*.py"))


def _last_tag() -> str:
    return _git("describe", "--tags", "--abbrev=0") or "HEAD"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, required=True, help="of the clock that are left")
    files = changed_files()
    cores = len(os.sched_getaffinity(0))
    taken, waiting = choose(files, parser.parse_args().seconds, cores)
    changed = "no earlier version to compare with" if files is None else f"{len(files)} changed"
    print(f"Exhaustive tier: {changed}.", file=sys.stderr)
    for part in waiting:
        print(f"Left out for want of time: {part.tests}", file=sys.stderr)
    print(*(path for part in taken for path in paths(part)))


if __name__ == "__main__":
    main()
