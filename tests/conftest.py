"""Settings and hooks for all tests: hypothesis, order, memory, and skipping where CI is set."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from tests import tiers

SLOW_FILES = ["test_readme.py", "test_site.py", "test_lite.py", "test_guide.py"]

os.environ.setdefault("OMP_NUM_THREADS", "1")  # pytest-xdist already uses all cores

# Tests start hundreds of interpreters, so Python must write compiled code to files, even where the
# shell forbids it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

set_hypothesis_home_dir(Path(__file__).parents[1] / ".hypothesis")  # in any current folder
# Without a deadline or a check of speed, no property fails because the machine is busy. Examples
# are new in each run, also where CI is set.
settings.register_profile(
    "exhaustive", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("everyday", settings.get_profile("exhaustive"), max_examples=20)


def pytest_configure():
    settings.load_profile("exhaustive" if tiers.is_exhaustive() else "everyday")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Start one process more than there are cores, because many tests only wait for something.

    They wait for a browser, a cluster or a time limit.
    """
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the garbage collector away from the collected tests, which all live until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """Put the slowest files first, so that the run does not wait for one of them at its end."""
    places = {name: place for place, name in enumerate(SLOW_FILES)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Fail a test that skips where CI is set, unless it needs what CI doesn't install.

    For a command whose time was up, also show what it had printed.
    """
    report = yield
    may_skip = any(item.get_closest_marker(name) for name in ("published", "tools"))
    if report.skipped and "CI" in os.environ and not may_skip:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"where CI is set no test may skip: {reason}"
    if call.excinfo and isinstance(call.excinfo.value, subprocess.TimeoutExpired):
        for name in ("stdout", "stderr"):
            output = getattr(call.excinfo.value, name) or b""
            text = output.decode(errors="replace") if isinstance(output, bytes) else output
            report.sections.append((f"{name} of the command when its time was up", text))
    return report
