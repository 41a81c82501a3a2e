"""The everyday tier stays small, and a run says how many tests it has left out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import changed, costs, tiers

ROOT = Path(__file__).parents[1]
HOSTILE = "tests/autograder/hostile"


def pytest_prints(*arguments):
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_everyday_tier_is_cheap():
    measured = costs.read()["everyday"]["files"]
    assert sum(entry["seconds"] for entry in measured.values()) < tiers.MAX_EVERYDAY_SECONDS


def test_every_file_of_tests_is_measured():
    """For a new file, run `python -m pytest --exhaustive --write-costs FILE`."""
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")}
    measured = costs.read()["exhaustive"]["files"]
    assert files - set(measured) == set()
    missing_files = {file for file in measured if not (ROOT / file).exists()}
    assert missing_files == set(), "delete these entries of tests/costs.json"


def test_every_listed_test_is_expensive_and_has_a_reason():
    expensive = tiers.expensive() | {name.partition("[")[0] for name in tiers.expensive()}
    others = set(tiers.listed()) - expensive
    assert others == set(), "delete these entries of tests/everyday.toml: cheap, or no such test"
    assert all(len(reason.split()) > 3 for reason in tiers.listed().values())


def test_an_expensive_test_is_left_out_unless_it_is_listed(monkeypatch):
    monkeypatch.setattr(tiers, "expensive", lambda: {"a.py::test_f[1]", "a.py::test_g[1]"})
    monkeypatch.setattr(tiers, "listed", lambda: {"a.py::test_g": "the only one of its kind"})
    tests = ["a.py::test_f[1]", "a.py::test_f[2]", "a.py::test_g[1]", "a.py::test_new"]
    assert [tiers.is_everyday(test) for test in tests] == [False, True, True, True]


def test_a_test_that_shares_something_expensive_is_expensive(monkeypatch):
    files = {"a.py": {"seconds": 3.0, "tests": {"test_f[1]": 0.7, "test_f[2]": 0.2}}}
    shared = {
        "a site": {"seconds": 30.0, "tests": ["b.py::test_g"]},
        "a folder": {"seconds": 3.0, "tests": ["b.py::test_h"]},
    }
    measured = {"exhaustive": {"files": files, "shared": shared}}
    monkeypatch.setattr(costs, "read", lambda: measured)
    assert tiers.expensive.__wrapped__() == {"a.py::test_f[1]", "b.py::test_g"}


@pytest.mark.parametrize("processes", ["0", "1"])
def test_the_everyday_run_says_how_many_tests_it_left_out(processes):
    files = [f"{HOSTILE}/test_backflow.py", f"{HOSTILE}/test_observer.py"]
    command = ["-n", processes, *files, "-k", "process_that_a_command_leaves"]
    *_, line, closing = pytest_prints(*command).splitlines()
    number = re.fullmatch(
        r"(\d+) tests of the exhaustive tier did not run: python -m pytest --exhaustive", line
    )
    assert int(number[1]) > 40
    assert "1 passed" in closing
    assert "did not run" not in pytest_prints(*command, "--exhaustive")


def test_a_test_that_is_named_runs_whatever_it_costs():
    name = f"{HOSTILE}/test_hostile.py::test_a_submission_is_contained[resources-threads-strong]"
    assert "1 test collected" in pytest_prints("-n", "0", "--collect-only", "-q", name)


def test_costs_count_children_and_share_what_is_made_for_several(tmp_path, monkeypatch):
    """Let a child process of a module's fixture use 1.2 seconds, which two tests share."""
    (tmp_path / "test_two.py").write_text(TWO)
    monkeypatch.setattr(costs, "COSTS", tmp_path / "costs.json")
    program = (
        "import pathlib, sys, pytest; from tests import costs;"
        f"costs.COSTS = pathlib.Path({str(tmp_path / 'costs.json')!r});"
        f"sys.exit(pytest.main(['-q', '-n', '0', '-p', 'tests.tiers', '-p', 'no:cacheprovider',"
        f" '--exhaustive', '--write-costs', '--rootdir', {str(tmp_path)!r},"
        f" '-c', '/dev/null', {str(tmp_path)!r}]))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True)
    (entry,) = costs.read()["exhaustive"]["files"].values()
    assert entry["seconds"] >= 1
    assert set(entry["tests"]) == {"test_one", "test_other"}
    assert all(0.5 <= seconds < entry["seconds"] for seconds in entry["tests"].values())


TWO = """
import subprocess, sys
import pytest

BUSY = "import time\\nwhile time.process_time() < 1.2: pass"

@pytest.fixture(scope="module")
def busy_child():
    subprocess.run([sys.executable, "-c", BUSY], check=True)

def test_one(busy_child): pass
def test_other(busy_child): pass
"""


def test_every_test_belongs_to_a_part_and_every_part_has_files_and_subjects():
    prefixes = tuple(part.tests for part in changed.parts())
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")]
    assert [file for file in files if not file.startswith(prefixes)] == []
    for part in changed.parts():
        assert [path for path in changed.paths(part) if not (ROOT / path).exists()] == []
        assert changed.paths(part)
        subjects = [ROOT / subject for subject in part.subjects]
        assert [str(subject) for subject in subjects if not subject.exists()] == []


def test_a_part_runs_if_its_subject_has_changed_and_there_is_time(monkeypatch):
    measured = {
        f"{HOSTILE}/test_hostile.py": {"seconds": 100.0, "tests": {}},
        "tests/dplab/test_losses.py": {"seconds": 20.0, "tests": {}},
    }
    monkeypatch.setattr(costs, "read", lambda: {"exhaustive": {"files": measured}})

    def choose(files, seconds):
        chosen_parts, skipped_parts = changed.choose(files, seconds, cores=2)
        return [part.tests for part in chosen_parts], [part.tests for part in skipped_parts]

    library = "tests/dplab"
    assert choose(["autograder/sandbox/layers.py"], 100)[0][0] == HOSTILE
    assert choose(["dplab/losses/grid.py"], 100) == ([library], [])
    assert choose(["dplab/losses/grid.py"], 1) == ([], [library])
    assert choose(["LICENSE"], 100) == ([], [])
    chosen_parts, skipped_parts = choose(None, 30)
    assert HOSTILE in skipped_parts
    assert library in chosen_parts
