"""Which tests run when: the everyday tier stays small, and says what it leaves out."""

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
    """`python -m pytest --exhaustive --write-costs FILE` measures a new one."""
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")}
    measured = costs.read()["exhaustive"]["files"]
    assert files - set(measured) == set()
    gone = {file for file in measured if not (ROOT / file).exists()}
    assert gone == set(), "take these out of tests/costs.json"


def test_every_listed_test_is_expensive_and_has_a_reason():
    known = tiers.expensive() | {name.partition("[")[0] for name in tiers.expensive()}
    assert set(tiers.listed()) - known == set(), "cheap or gone: no need to list it"
    assert all(len(reason.split()) > 3 for reason in tiers.listed().values())


def test_an_expensive_test_is_left_out_unless_it_is_listed(monkeypatch):
    monkeypatch.setattr(tiers, "expensive", lambda: {"a.py::test_f[1]", "a.py::test_g[1]"})
    monkeypatch.setattr(tiers, "listed", lambda: {"a.py::test_g": "the only one of its kind"})
    asked = ["a.py::test_f[1]", "a.py::test_f[2]", "a.py::test_g[1]", "a.py::test_new"]
    assert [tiers.is_everyday(test) for test in asked] == [False, True, True, True]


def test_a_test_that_shares_something_expensive_is_expensive(monkeypatch):
    files = {"a.py": {"seconds": 3.0, "tests": {"test_f[1]": 0.7, "test_f[2]": 0.4}}}
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
    """A module's fixture uses half a second in a child; two tests share it."""
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
def made():
    subprocess.run([sys.executable, "-c", BUSY], check=True)

def test_one(made): pass
def test_other(made): pass
"""


def test_every_test_belongs_to_a_part_that_may_have_changed():
    starts = tuple(part.tests for part in changed.parts())
    files = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")]
    assert [file for file in files if not file.startswith(starts)] == []
    for part in changed.parts():
        assert [path for path in changed.paths(part) if not (ROOT / path).exists()] == []
        assert changed.paths(part)
        subjects = [ROOT / subject for subject in part.subjects]
        assert [str(subject) for subject in subjects if not subject.exists()] == []


def test_parts_are_run_if_their_subject_changed_while_there_is_time(monkeypatch):
    measured = {
        f"{HOSTILE}/test_hostile.py": {"seconds": 100.0, "tests": {}},
        "tests/dplab/test_losses.py": {"seconds": 20.0, "tests": {}},
    }
    monkeypatch.setattr(costs, "read", lambda: {"exhaustive": {"files": measured}})

    def chosen(files, seconds):
        taken, waiting = changed.choose(files, seconds, cores=2)
        return [part.tests for part in taken], [part.tests for part in waiting]

    hostile, library = HOSTILE, "tests/dplab"
    assert chosen(["autograder/sandbox/layers.py"], 100)[0][0] == hostile
    assert chosen(["dplab/losses/grid.py"], 100) == ([library], [])
    assert chosen(["dplab/losses/grid.py"], 1) == ([], [library])
    assert chosen(["LICENSE"], 100) == ([], [])
    taken, waiting = chosen(None, 30)
    assert hostile in waiting
    assert library in taken
