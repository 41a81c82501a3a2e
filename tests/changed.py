"""Choose the parts of the exhaustive tier that test something that has changed, for `.ci/run`.

`python -m tests.changed --seconds 900` prints paths. By the measured costs, the command
`python -m pytest --exhaustive PATHS` takes at most 900 seconds with them. Parts that need more time
than is left are named on standard error.
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
SLOWDOWN = 1.3  # this machine may be slower than the one on which costs were measured


@dataclass(frozen=True)
class Part:
    """A part of the tests, and its subjects: the folders and files of the project that it tests.

    All are prefixes of paths.
    """

    tests: str
    subjects: tuple[str, ...]

    def is_about(self, files: Collection[str]) -> bool:
        """Return whether one of the files belongs to this part or to a subject of it."""
        return any(file.startswith((self.tests, *self.subjects)) for file in files)

    def seconds(self, measured: dict[str, dict]) -> float:
        """Return the processor seconds of all tests of the part."""
        return sum(
            entry["seconds"] for file, entry in measured.items() if file.startswith(self.tests)
        )


def parts() -> list[Part]:
    """Return all parts, the most important ones first."""
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
    """Return the files that have changed since this branch began, or else since the last tag.

    Return None if there is neither an earlier commit of `origin/main` nor a tag.
    """
    head = _git("rev-parse", "HEAD")
    bases = (_git("merge-base", "HEAD", "origin/main"), _git("rev-list", "-1", _last_tag()))
    base = next((base for base in bases if base and base != head), None)
    return _git("diff", "--name-only", base, "HEAD").splitlines() if base else None


def choose(files: Collection[str] | None, seconds: float, cores: int) -> tuple[list[Part], ...]:
    """Return the changed parts that fit into the time on these cores, and those that do not.

    If `files` is None, every part counts as changed.
    """
    measured = costs.read()["exhaustive"]["files"]
    seconds_left = seconds * cores / SLOWDOWN
    chosen_parts, skipped_parts = [], []
    for part in parts():
        if files is not None and not part.is_about(files):
            continue
        if (cost := part.seconds(measured)) <= seconds_left:
            chosen_parts.append(part)
            seconds_left -= cost
        else:
            skipped_parts.append(part)
    return chosen_parts, skipped_parts


def paths(part: Part) -> list[str]:
    """Return the paths with which pytest runs the part."""
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
    parser.add_argument("--seconds", type=float, required=True, help="how long tests may run")
    files = changed_files()
    cores = len(os.sched_getaffinity(0))
    chosen_parts, skipped_parts = choose(files, parser.parse_args().seconds, cores)
    if files is None:
        summary = "there is no earlier version to compare with"
    else:
        summary = f"{len(files)} files have changed"
    print(f"Exhaustive tier: {summary}.", file=sys.stderr)
    for part in skipped_parts:
        print(f"Not enough time for {part.tests}: its tests do not run.", file=sys.stderr)
    print(*(path for part in chosen_parts for path in paths(part)))


if __name__ == "__main__":
    main()
