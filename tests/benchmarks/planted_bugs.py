"""Do the tests find realistic bugs? Plants the bugs of planted_bugs.toml, one at a time.

    python tests/benchmarks/planted_bugs.py CHECKOUT [--tier everyday|exhaustive] [--only NAME ...]
                                            [--out FILE] [--again]

CHECKOUT is a git checkout of this project; what is tried is its last commit. It is cloned into the
temporary directory, with an environment of its own whose `dplab` and `autograder` are the clone's,
also in every process that a test starts. The tests that a bug names run once without any bug and
must pass, then with the bug until one fails. One process at a time runs, without xdist. Run this
script from two commits with FILE, and compare: a bug that was found before must be found after.

FILE is written after each bug. The next run with the same FILE, commit and tier goes on from there;
`--again` tries the named bugs once more. The exit status is 1 if a bug was not found and has no
`missed` in the data file: the reason why no test finds it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

DATA = Path(__file__).with_suffix(".toml")
TIERS = ("everyday", "exhaustive")
MAX_SECONDS = 1_200  # for the tests of one bug; a bug that makes them run longer is found
MOST_IN_A_MODULE = 2
ALL_PASSED, SOME_FAILED, INTERRUPTED = 0, 1, 2  # pytest's exit statuses
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_FOREIGN = ("PYTEST", "COV_", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CI")


@dataclass(frozen=True)
class Bug:
    """A change of one file that makes it wrong, and the tests whose subject that file is.

    `select` is pytest's -k expression. `missed` is the reason why no test finds the bug.
    """

    name: str
    file: str
    old: str
    new: str
    about: str
    tests: tuple[str, ...]
    select: str = ""
    missed: str = ""

    @property
    def part(self) -> str:
        """The part of the project that the bug is in."""
        if self.file.startswith("dplab/"):
            return "library"
        is_check = self.file.startswith(("autograder/checks/", "assignments/"))
        return "checks" if is_check else "grader"

    @property
    def selection(self) -> tuple[str, ...]:
        """The arguments by which pytest finds the tests."""
        return (*(("-k", self.select) if self.select else ()), *self.tests)

    @property
    def key(self) -> str:
        """The name with a digest of the change and its tests: of another change it is another."""
        parts = [self.file, self.old, self.new, *self.selection]
        return f"{self.name} | {sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


@dataclass(frozen=True)
class Outcome:
    """What running some tests gave: "passed", "failed" or "too long", the first that failed."""

    state: str
    first: str
    seconds: float


class Clone:
    """A throwaway clone of a checkout, with an environment that imports the clone."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.root = folder / "dplab"
        command = ["git", "clone", "-q", "--no-hardlinks", str(checkout), str(self.root)]
        subprocess.run(command, check=True)
        self.python = _copy_environment(self.root)
        self._check_imports()

    @property
    def commit(self) -> str:
        """The full name of the commit that was cloned."""
        command = ["git", "-C", str(self.root), "rev-parse", "HEAD"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def tier_options(self, tier: str) -> tuple[str, ...]:
        """pytest's options for the tier; none where the checkout knows no tiers."""
        conftest = (self.root / "tests/conftest.py").read_text(encoding="utf-8")
        knows_tiers = "--exhaustive" in conftest
        return ("--exhaustive",) if knows_tiers and tier == "exhaustive" else ()

    def check(self, bug: Bug) -> None:
        """Exit unless the bug can be planted: its text occurs exactly once, and tests exist."""
        path = self.root / bug.file
        count = path.read_text(encoding="utf-8").count(bug.old) if path.is_file() else 0
        if count != 1:
            sys.exit(f"{bug.name}: {bug.file} must contain this text once, not {count} times:\n"
                     f"{bug.old}")  # fmt: skip
        if absent := [test for test in bug.tests if not (self.root / test).exists()]:
            sys.exit(f"{bug.name}: the checkout has no {absent[0]}, which the bug names as a test")

    @contextlib.contextmanager
    def planted(self, bug: Bug) -> Iterator[None]:
        """Inside, the clone has the bug."""
        path = self.root / bug.file
        text, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        # Python tells compiled code that is out of date by the second and the size of the source.
        os.utime(path, (times.st_atime, times.st_mtime + 10))
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, (times.st_atime, times.st_mtime))

    def run(self, selection: tuple[str, ...], options: tuple[str, ...]) -> Outcome:
        """Run these tests until one fails."""
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)  # examples of another bug
        command = [str(self.python), "-m", "pytest", "-x", "-q", "-n", "0", "--color=no"]
        command += ["-p", "no:cacheprovider", *options, *selection]
        began = time.monotonic()
        status, said = _output_of(command, self.root, _environment(self.python))
        seconds = time.monotonic() - began
        if status is None:
            return Outcome("too long", "", seconds)
        if status == ALL_PASSED:
            return Outcome("passed", "", seconds)
        found = _FAILED.search(said)
        if status not in (SOME_FAILED, INTERRUPTED) or found is None:
            sys.exit(f"pytest ended with status {status}: {' '.join(command)}\n{said[-2000:]}")
        return Outcome("failed", found[1], seconds)

    def _check_imports(self) -> None:
        code = "import autograder, dplab; print(autograder.__file__, dplab.__file__)"
        for added in ({}, {"PYTHONPATH": "/"}):  # as tests start their processes
            environment = _environment(self.python) | added
            done = subprocess.run(
                [str(self.python), "-c", code], cwd="/", env=environment, check=True,
                capture_output=True, text=True,
            )  # fmt: skip
            if not all(Path(path).is_relative_to(self.root) for path in done.stdout.split()):
                sys.exit(f"the environment of the clone imports other modules: {done.stdout}")


def _copy_environment(root: Path) -> Path:
    """Copy the virtual environment of this process, so that it imports the clone; its python.

    Files are linked where that can be done, except for those that name a path.
    """
    before, after = Path(sys.prefix), root / ".venv"
    if sys.prefix == sys.base_prefix:
        sys.exit("start this script with the python of a virtual environment")
    shutil.copytree(before, after, symlinks=True, copy_function=_link_or_copy)
    project = Path(__file__).resolve().parents[2]
    for path in (*after.rglob("site-packages/*.pth"), *after.glob("bin/*"), after / "pyvenv.cfg"):
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes()
        if path.suffix == ".pth":
            changed = _with_other_root(text, project, root)
        else:
            changed = text.replace(os.fsencode(before), os.fsencode(after))
        if changed != text:
            mode = path.stat().st_mode
            path.unlink()  # or the file of the other environment would change, too
            path.write_bytes(changed)
            path.chmod(mode)
    return after / "bin/python"


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _with_other_root(text: bytes, project: Path, root: Path) -> bytes:
    """The lines of a .pth file, with the clone instead of the project that was installed."""
    lines = text.decode().splitlines()
    return "\n".join(str(root) if line == str(project) else line for line in lines).encode()


def _environment(python: Path) -> dict[str, str]:
    """The environment variables of the tests: nothing of this process' own environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    return kept | {"PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]])}


def _output_of(command: list[str], folder: Path, environment: dict) -> tuple[int | None, str]:
    """The exit status of a command and its output; None as a status where it takes too long."""
    with tempfile.TemporaryFile() as file:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        status = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(MAX_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        file.seek(0)
        return status, file.read().decode(errors="replace")


def read_bugs(path: Path = DATA) -> list[Bug]:
    """Return the bugs of the data file; exit where it breaks its own rules."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    bugs = [Bug(**(row | {"tests": tuple(row["tests"])})) for row in rows]
    names = Counter(bug.name for bug in bugs)
    if twice := [name for name, count in names.items() if count > 1]:
        sys.exit(f"two bugs are called {twice[0]!r}")
    if many := [f for f, n in Counter(b.file for b in bugs).items() if n > MOST_IN_A_MODULE]:
        sys.exit(f"{many[0]} has more than {MOST_IN_A_MODULE} bugs")
    if same := [bug.name for bug in bugs if bug.old == bug.new]:
        sys.exit(f"the bug {same[0]!r} changes nothing")
    return bugs


class Records:
    """What was found out about a commit in a tier, kept in a file if one is given."""

    def __init__(self, file: Path | None, commit: str, tier: str) -> None:
        self._file = file
        self.kept: dict = {"commit": commit, "tier": tier, "without": {}, "bugs": {}}
        if file is not None and file.exists():
            earlier = json.loads(file.read_text(encoding="utf-8"))
            if (earlier["commit"], earlier["tier"]) == (commit, tier):
                self.kept = earlier

    def keep(self, kind: str, name: str, outcome: Outcome) -> None:
        """Note what became of a bug, by its key, or of tests without one."""
        self.kept[kind][name] = vars(outcome) | {"seconds": round(outcome.seconds, 1)}
        if self._file is not None:
            new = self._file.with_name(f"{self._file.name}.new")
            new.write_text(json.dumps(self.kept, indent=1), encoding="utf-8")
            new.replace(self._file)

    def find(self, kind: str, name: str) -> Outcome | None:
        """Return what was noted, or None."""
        row = self.kept[kind].get(name)
        return None if row is None else Outcome(**row)


def try_bug(clone: Clone, bug: Bug, records: Records, options: tuple[str, ...]) -> Outcome:
    """Run the bug's tests without the bug, unless that was done, and then with it."""
    selection = " ".join(bug.selection)
    without = records.find("without", selection)
    if without is None or without.state != "passed":
        without = clone.run(bug.selection, options)
        records.keep("without", selection, without)
    if without.state != "passed":
        sys.exit(f"{selection}: {without.first or 'takes too long'} without any bug")
    with clone.planted(bug):
        outcome = clone.run(bug.selection, options)
    records.keep("bugs", bug.key, outcome)
    return outcome


def print_outcome(bug: Bug, outcome: Outcome) -> None:
    """Print a line of the table."""
    found = "NOT FOUND" if outcome.state == "passed" else "found"
    first = outcome.first or ("" if outcome.state == "passed" else outcome.state)
    print(f"{bug.part:8} {bug.name:34} {found:9} {outcome.seconds:6.0f} s  {first}", flush=True)


def print_totals(bugs: list[Bug], records: Records) -> bool:
    """Print how many bugs of each part were found; whether all that should be were."""
    outcomes = {bug: outcome for bug in bugs if (outcome := records.find("bugs", bug.key))}
    found = {bug for bug, outcome in outcomes.items() if outcome.state != "passed"}
    print("\npart       bugs  found")
    for part in ("library", "checks", "grader"):
        own = {bug for bug in outcomes if bug.part == part}
        print(f"{part:8} {len(own):6} {len(own & found):6}")
    print(f"{'all':8} {len(outcomes):6} {len(found):6}")
    return all(bug in found or bug.missed for bug in outcomes)


def main() -> None:
    """Try the bugs on a checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--tier", choices=TIERS, default=TIERS[0])
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and tidy up
    bugs = read_bugs()
    if unknown := set(asked.only or ()) - {bug.name for bug in bugs}:
        sys.exit(f"no bug is called {min(unknown)!r}")
    wanted = [bug for bug in bugs if not asked.only or bug.name in asked.only]
    with tempfile.TemporaryDirectory(prefix="planted-bugs-") as folder:
        clone = Clone(asked.checkout.resolve(), Path(folder))
        for bug in bugs:
            clone.check(bug)
        options = clone.tier_options(asked.tier)
        records = Records(asked.out, clone.commit, asked.tier)
        for bug in wanted:
            outcome = None if asked.again else records.find("bugs", bug.key)
            print_outcome(bug, outcome or try_bug(clone, bug, records, options))
    sys.exit(not print_totals(wanted, records))


if __name__ == "__main__":
    main()
