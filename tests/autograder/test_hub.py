"""A class on a real JupyterHub with system users hands in through a closed exchange."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import tiers

ROOT = Path(__file__).parents[2]
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--net"]
NEEDED = "import autograder, jupyterhub, nbgrader, websocket"
NOBODY = 65534
SECONDS = 600


def find_interpreter():
    """Return a Python that users other than root can run with the packages of this one."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *sys.path])), "HOME": "/"}
    for path in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        try:
            done = subprocess.run(
                [path, "-c", NEEDED], env=environment, user=NOBODY, group=NOBODY, extra_groups=[],
                cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False,
                stderr=subprocess.DEVNULL, timeout=120,
            )  # fmt: skip
        except OSError:
            continue
        if done.returncode == 0:
            return path
    return None


def find_proxy():
    """Return the command of the proxy that JupyterHub needs, from PyPI or from npm."""
    if find_spec("configurable_http_proxy"):
        code = "from configurable_http_proxy.cli import main; main()"
        return [f"{sys.prefix}/bin/python", "-c", code]
    program = shutil.which("configurable-http-proxy")
    return [program] if program else None


def why_not():
    """Return the reason why this machine can't have a hub with users of its own, or ""."""
    if not tiers.is_exhaustive():
        return "a hub takes a minute and a half: python -m pytest --exhaustive"
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux makes users"
    if find_spec("jupyterhub") is None:
        return "JupyterHub is missing: pip install jupyterhub"
    if find_proxy() is None:
        return "the hub's proxy is missing: pip install configurable-http-proxy"
    if not shutil.which("useradd") or not shutil.which("unshare"):
        return "useradd or unshare is missing"
    if subprocess.run([*NAMESPACES, "true"], capture_output=True, check=False).returncode:
        return "this machine allows no namespaces"
    return ""


@pytest.fixture(scope="module")
def seen():
    """What was seen on the hub."""
    if reason := why_not():
        pytest.skip(reason)
    interpreter = find_interpreter()
    if interpreter is None:
        pytest.skip("users other than root can't run a Python with these packages")
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hub-") as folder:
        Path(folder).chmod(0o755)
        Path(folder, "private").mkdir()
        words = [sys.executable, "-m", "tests.autograder.hub_walk", folder, interpreter]
        done = subprocess.run(
            [*NAMESPACES, *words, json.dumps(find_proxy())], cwd=ROOT, timeout=SECONDS,
            stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        log = Path(folder, "hub.log")
        text = log.read_text(errors="replace")[-5000:] if log.exists() else ""
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{text}"
        return json.loads(Path(folder, "seen.json").read_text())


def points(table):
    lines = [line.split(",") for line in table.strip().splitlines()]
    score, student = lines[0].index("score"), lines[0].index("student_id")
    return {line[student]: float(line[score]) for line in lines[1:]}


@pytest.mark.tools
def test_a_class_hands_in_on_a_hub_and_sees_no_work_of_others(seen):
    assert "fetch, hand in:   the group privacy-students" in seen["exchange"]
    steps = [seen["release"], seen["collect"], seen["release_feedback"], *seen["submitted"]]
    assert [step["success"] for step in steps] == [True] * 5, steps
    assert seen["saved"] == [200, 200]
    assert seen["strangers"] == [403, 403]  # at the course's server: a student, and an outsider
    assert {user: set(names) for user, names in seen["can"].items()} == {
        "ann": {"enter the course", "fetch", "read a submission", "remove a submission",
                "read the copy", "read the work"},  # all of it is hers
        "bob": {"enter the course", "fetch"},
        "eve": set(),
        "privacy": {"enter the course", "fetch", "list submissions", "read a submission",
                    "remove a submission", "list feedback", "change the release",
                    "read the course"},
    }  # fmt: skip
    assert [finding["state"] for finding in seen["doctor"]] == ["well"]
    for user in ("ann", "bob"):
        (page,) = seen["feedback"][user]
        assert f"feedback for {user}" in page
    # Another grader has graded again: Bob's better work, and nothing of his in Ann's name.
    assert points(seen["points"]) == {"ann": 5, "bob": 5}, seen["again"]
    assert "it is collected for bob" in " ".join(seen["again"].split())
