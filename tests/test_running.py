"""The code is clean; which tests may be skipped, how properties are tried, what is shared."""

import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import settings

from tests import tiers
from tests.benchmarks import planted_bugs
from tests.sharing import once

ROOT = Path(__file__).parents[1]
NEWEST_FOR_RUFF = ["--target-version", "py313", "--extend-ignore", "UP040,UP046,UP047"]
NEWEST_FOR_MYPY = ["--python-version", "3.13"]
SKIPPING = """
import pytest

def test_without():
    pytest.skip("there is none")

@pytest.mark.published
def test_without_data():
    pytest.skip("it is not at hand")

@pytest.mark.skipif(True, reason="the weather")
@pytest.mark.{mark}
def test_today():
    pass
"""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check"], id="ruff"),
        pytest.param(["ruff", "format", "--check"], id="format"),
        pytest.param(["mypy"], id="mypy"),
        # Beside the oldest Python, the newest; its own syntax the oldest one can't read.
        pytest.param(["ruff", "check", *NEWEST_FOR_RUFF], id="ruff, newest"),
        pytest.param(["mypy", *NEWEST_FOR_MYPY], id="mypy, newest"),
    ],
)
def test_the_code_is_clean(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("environment", "mark", "failed"),
    [
        ({}, "browser", 0),
        ({"CI": "true"}, "browser", 2),
        ({"CI": "true"}, "published", 1),
        ({"CI": "true"}, "tools", 1),
    ],
)
def test_continuous_integration_skips_only_for_want_of_data_or_rare_tools(
    tmp_path, environment, mark, failed
):
    (tmp_path / "test_skipping.py").write_text(SKIPPING.format(mark=mark))
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    command = [sys.executable, "-m", "pytest", "-q", "--exhaustive", "-n", "0"]
    command += ["-c", ROOT / "pyproject.toml"]
    done = subprocess.run(
        [*command, "-p", "tests.conftest", "-p", "no:cacheprovider", tmp_path],
        cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.count("\nwhere CI is set no test may skip") == failed, done.stdout
    assert done.stdout.count("\nSKIPPED") == 3 - failed, done.stdout
    assert done.returncode == (failed > 0)


PATIENT = """
import subprocess, sys

def test_of_a_command_that_does_not_end():
    program = "import time; print('so far', flush=True); time.sleep(600)"
    subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=5)
"""


def test_a_command_whose_time_is_up_shows_what_it_had_printed(tmp_path):
    (tmp_path / "test_patient.py").write_text(PATIENT)
    command = [sys.executable, "-m", "pytest", "-q", "--exhaustive", "-n", "0"]
    command += ["-c", ROOT / "pyproject.toml"]
    done = subprocess.run(
        [*command, "-p", "tests.conftest", "-p", "no:cacheprovider", tmp_path],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "stdout of the command when its time was up" in done.stdout
    assert "\nso far\n" in done.stdout


def test_properties_have_no_deadline_and_new_examples_each_time():
    assert settings.default.deadline is None
    assert not settings.default.derandomize
    assert settings.default.max_examples == (100 if tiers.is_exhaustive() else 20)


def test_what_is_shared_is_made_once(tmp_path_factory, tmp_path):
    asked = []
    make = lambda folder: asked.append(folder) or len(asked)  # noqa: E731
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: once(tmp_path_factory, tmp_path.name, make), range(8)))
    assert made == [1] * 8
    assert len(asked) == 1


def test_what_could_not_be_made_fails_all_who_ask_and_is_not_tried_again(
    tmp_path_factory, tmp_path
):
    asked = []
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
            once(tmp_path_factory, tmp_path.name, lambda folder: asked.append(folder) or 1 / 0)
    assert len(asked) == 1


def test_every_explained_mutant_is_of_a_line_that_there_is():
    text = (ROOT / "tests/benchmarks/explained_mutants.toml").read_text(encoding="utf-8")
    for file, explained in tomllib.loads(text).items():
        lines = {line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()}
        for mutant in explained:
            line = re.sub(r"<\d+>", "", mutant.partition(" | ")[2], count=1)
            assert line in lines, (file, mutant)


def test_every_planted_bug_changes_a_text_that_its_file_contains_once():
    for bug in planted_bugs.read_bugs():
        text = (ROOT / bug.file).read_text(encoding="utf-8")
        assert text.count(bug.old) == 1, (bug.name, bug.file, bug.old)
        assert [path for path in bug.tests if not (ROOT / path).exists()] == [], bug.name
