"""Measure whether the tests find realistic bugs: plant those of planted_bugs.toml, one by one.

    .venv/bin/python tests/benchmarks/planted_bugs.py CHECKOUT [--tier everyday|exhaustive]
                                                      [--only NAME ...] [--out FILE] [--again]

CHECKOUT is a git checkout of this project; `.` is the current folder. The script clones its last
commit into the temporary directory, and copies the virtual environment that runs this script. In
the copy, `dplab` and `autograder` are those of the clone, also in every process that a test starts.

For each bug, the tests that it names run first without any bug, and must pass. Then they run with
the bug, until one fails. Tests run one at a time, without xdist. To compare two commits, run the
script on each, with another FILE: the later commit must find every bug that the earlier one finds.

FILE is written after each bug. The next run with the same FILE, commit and tier continues from
there; `--again` also repeats the bugs that FILE has already. The exit status is 1 if a bug was not
found, unless the data file says in `missed` why no test finds it.
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
MAX_SECONDS = 1_200  # for the tests of one bug; a bug counts as found if they take longer
MAX_BUGS_IN_A_FILE = 2
ALL_PASSED, SOME_FAILED, INTERRUPTED = 0, 1, 2  # pytest's exit statuses
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_REMOVED_PREFIXES = ("PYTEST", "COV_", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CI")


@dataclass(frozen=True)
class Bug:
    """A change that makes one file wrong, and the tests of that file.

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
        """Return the part of the project that has the bug."""
        if self.file.startswith("dplab/"):
            return "library"
        is_check = self.file.startswith(("autograder/checks/", "assignments/"))
        return "checks" if is_check else "grader"

    @property
    def selection(self) -> tuple[str, ...]:
        """Return the arguments with which pytest selects the tests."""
        return (*(("-k", self.select) if self.select else ()), *self.tests)

    @property
    def key(self) -> str:
        """Return the name with a digest of the change and its tests, which changes with them."""
        parts = [self.file, self.old, self.new, *self.selection]
        return f"{self.name} | {sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


@dataclass(frozen=True)
class Outcome:
    """The result of some tests; `state` is "passed", "failed" or "too long".

    `first` is the first test that failed.
    """

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
        """Return the full name of the cloned commit."""
        command = ["git", "-C", str(self.root), "rev-parse", "HEAD"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def tier_options(self, tier: str) -> tuple[str, ...]:
        """Return pytest's options for the tier: none if the checkout has no tiers."""
        has_tiers = (self.root / "tests/tiers.py").is_file()
        return ("--exhaustive",) if has_tiers and tier == "exhaustive" else ()

    def check(self, bug: Bug) -> None:
        """Exit unless the bug can be planted: its text occurs exactly once, and tests exist."""
        path = self.root / bug.file
        count = path.read_text(encoding="utf-8").count(bug.old) if path.is_file() else 0
        if count != 1:
            sys.exit(f"{bug.name}: {bug.file} must contain this text once, not {count} times:\n"
                     f"{bug.old}")  # fmt: skip
        if missing_paths := [path for path in bug.tests if not (self.root / path).exists()]:
            sys.exit(f"{bug.name}: the checkout has no {missing_paths[0]}, which `tests` names")

    @contextlib.contextmanager
    def planted(self, bug: Bug) -> Iterator[None]:
        """Give the clone the bug while the `with` block runs."""
        path = self.root / bug.file
        text, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        # Python recompiles a source only if its size or its time in whole seconds has changed.
        os.utime(path, (times.st_atime, times.st_mtime + 10))
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, (times.st_atime, times.st_mtime))

    def run(self, selection: tuple[str, ...], options: tuple[str, ...]) -> Outcome:
        """Run the selected tests until one fails."""
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)  # examples of another bug
        command = [str(self.python), "-m", "pytest", "-x", "-q", "-n", "0", "--color=no"]
        command += ["-p", "no:cacheprovider", *options, *selection]
        start = time.monotonic()
        status, output = _run_command(command, self.root, _environment(self.python))
        seconds = time.monotonic() - start
        if status is None:
            return Outcome("too long", "", seconds)
        if status == ALL_PASSED:
            return Outcome("passed", "", seconds)
        match = _FAILED.search(output)
        if status not in (SOME_FAILED, INTERRUPTED) or match is None:
            sys.exit(f"pytest ended with status {status}: {' '.join(command)}\n{output[-2000:]}")
        return Outcome("failed", match[1], seconds)

    def _check_imports(self) -> None:
        code = "import autograder, dplab; print(autograder.__file__, dplab.__file__)"
        for variables in ({}, {"PYTHONPATH": "/"}):  # as tests start their processes
            environment = _environment(self.python) | variables
            process = subprocess.run(
                [str(self.python), "-c", code], cwd="/", env=environment, check=True,
                capture_output=True, text=True,
            )  # fmt: skip
            if not all(Path(path).is_relative_to(self.root) for path in process.stdout.split()):
                sys.exit(f"the environment of the clone imports other modules: {process.stdout}")


def _copy_environment(root: Path) -> Path:
    """Copy the virtual environment of this process, let it import the clone, return its python.

    Files are hard links where possible, except for those whose text contains the path.
    """
    old_folder, new_folder = Path(sys.prefix), root / ".venv"
    if sys.prefix == sys.base_prefix:
        sys.exit("run this script with the python of a virtual environment: .venv/bin/python")
    shutil.copytree(old_folder, new_folder, symlinks=True, copy_function=_link_or_copy)
    project = Path(__file__).resolve().parents[2]
    import_paths, programs = new_folder.rglob("site-packages/*.pth"), new_folder.glob("bin/*")
    for path in (*import_paths, *programs, new_folder / "pyvenv.cfg"):
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes()
        if path.suffix == ".pth":
            new_text = _replace_root(text, project, root)
        else:
            new_text = text.replace(os.fsencode(old_folder), os.fsencode(new_folder))
        if new_text != text:
            mode = path.stat().st_mode
            path.unlink()  # this is a hard link, whose text is also that of the old environment
            path.write_bytes(new_text)
            path.chmod(mode)
    return new_folder / "bin/python"


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _replace_root(text: bytes, project: Path, root: Path) -> bytes:
    """Return the lines of a .pth file with the clone instead of the installed project."""
    lines = text.decode().splitlines()
    return "\n".join(str(root) if line == str(project) else line for line in lines).encode()


def _environment(python: Path) -> dict[str, str]:
    """Return the environment variables of the tests: those of this process, some left out."""
    others = {
        name: value for name, value in os.environ.items() if not name.startswith(_REMOVED_PREFIXES)
    }
    return others | {"PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]])}


def _run_command(command: list[str], folder: Path, environment: dict) -> tuple[int | None, str]:
    """Return the exit status of a command, None if it takes too long, and its output."""
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
    """Return the bugs of the data file; exit if it breaks one of the rules for it."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    bugs = [Bug(**(row | {"tests": tuple(row["tests"])})) for row in rows]
    names = Counter(bug.name for bug in bugs)
    if duplicates := [name for name, count in names.items() if count > 1]:
        sys.exit(f"two bugs have the name {duplicates[0]!r}")
    counts = Counter(bug.file for bug in bugs)
    if crowded_files := [file for file, n in counts.items() if n > MAX_BUGS_IN_A_FILE]:
        sys.exit(f"{crowded_files[0]} has more than {MAX_BUGS_IN_A_FILE} bugs")
    if idle_names := [bug.name for bug in bugs if bug.old == bug.new]:
        sys.exit(f"the bug {idle_names[0]!r} changes nothing")
    return bugs


class Records:
    """The outcomes for a commit in a tier, which are saved in a file if one is given."""

    def __init__(self, file: Path | None, commit: str, tier: str) -> None:
        self._file = file
        self._outcomes: dict = {"commit": commit, "tier": tier, "without": {}, "bugs": {}}
        if file is not None and file.exists():
            saved_outcomes = json.loads(file.read_text(encoding="utf-8"))
            if (saved_outcomes["commit"], saved_outcomes["tier"]) == (commit, tier):
                self._outcomes = saved_outcomes

    def keep(self, kind: str, name: str, outcome: Outcome) -> None:
        """Save the outcome of a bug, by its key, or of tests without a bug, by their arguments.

        `kind` is "bugs" or "without".
        """
        self._outcomes[kind][name] = vars(outcome) | {"seconds": round(outcome.seconds, 1)}
        if self._file is not None:
            new_file = self._file.with_name(f"{self._file.name}.new")
            new_file.write_text(json.dumps(self._outcomes, indent=1), encoding="utf-8")
            new_file.replace(self._file)

    def find(self, kind: str, name: str) -> Outcome | None:
        """Return the saved outcome, or None."""
        row = self._outcomes[kind].get(name)
        return None if row is None else Outcome(**row)


def try_bug(clone: Clone, bug: Bug, records: Records, options: tuple[str, ...]) -> Outcome:
    """Run the bug's tests with the bug, after they have passed without it."""
    selection = " ".join(bug.selection)
    clean_outcome = records.find("without", selection)
    if clean_outcome is None or clean_outcome.state != "passed":
        clean_outcome = clone.run(bug.selection, options)
        records.keep("without", selection, clean_outcome)
    if clean_outcome.state != "passed":
        reason = f"{clean_outcome.first} fails" if clean_outcome.first else "they take too long"
        sys.exit(f"{selection}: {reason} without any bug")
    with clone.planted(bug):
        outcome = clone.run(bug.selection, options)
    records.keep("bugs", bug.key, outcome)
    return outcome


def print_outcome(bug: Bug, outcome: Outcome) -> None:
    """Print the line of one bug in the table."""
    result = "NOT FOUND" if outcome.state == "passed" else "found"
    first = outcome.first or ("" if outcome.state == "passed" else outcome.state)
    print(f"{bug.part:8} {bug.name:34} {result:9} {outcome.seconds:6.0f} s  {first}", flush=True)


def print_totals(bugs: list[Bug], records: Records) -> bool:
    """Print how many bugs of each part were found; return whether all others have a `missed`."""
    outcomes = {bug: outcome for bug in bugs if (outcome := records.find("bugs", bug.key))}
    found_bugs = {bug for bug, outcome in outcomes.items() if outcome.state != "passed"}
    print("\npart       bugs  found")
    for part in ("library", "checks", "grader"):
        bugs_of_part = {bug for bug in outcomes if bug.part == part}
        print(f"{part:8} {len(bugs_of_part):6} {len(bugs_of_part & found_bugs):6}")
    print(f"{'all':8} {len(outcomes):6} {len(found_bugs):6}")
    return all(bug in found_bugs or bug.missed for bug in outcomes)


def main() -> None:
    """Try the bugs on a checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--tier", choices=TIERS, default=TIERS[0])
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # sys.exit deletes the clone
    bugs = read_bugs()
    if unknown_names := set(arguments.only or ()) - {bug.name for bug in bugs}:
        sys.exit(f"no bug has the name {min(unknown_names)!r}")
    chosen_bugs = [bug for bug in bugs if not arguments.only or bug.name in arguments.only]
    with tempfile.TemporaryDirectory(prefix="planted-bugs-") as folder:
        clone = Clone(arguments.checkout.resolve(), Path(folder))
        for bug in bugs:
            clone.check(bug)
        options = clone.tier_options(arguments.tier)
        records = Records(arguments.out, clone.commit, arguments.tier)
        for bug in chosen_bugs:
            outcome = None if arguments.again else records.find("bugs", bug.key)
            print_outcome(bug, outcome or try_bug(clone, bug, records, options))
    sys.exit(not print_totals(chosen_bugs, records))


if __name__ == "__main__":
    main()
