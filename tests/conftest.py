"""What holds for all tests: how properties are tried, what is kept, where none may be skipped."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from tests import tiers

LONG = ["test_readme.py", "test_site.py", "test_lite.py", "test_guide.py"]

os.environ.setdefault("OMP_NUM_THREADS", "1")  # a process of tests for each core is enough

# Tests start hundreds of interpreters: compiled code is kept, whatever the shell says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

set_hypothesis_home_dir(
    Path(__file__).parents[1] / ".hypothesis"
)  # wherever the tests are run from
# No deadline, and no check of speed: a property holds on a busy machine too. Other examples each
# time, also where CI is set.
settings.register_profile(
    "exhaustive", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("everyday", settings.get_profile("exhaustive"), max_examples=25)


def pytest_configure():
    settings.load_profile("exhaustive" if tiers.is_exhaustive() else "everyday")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One more than there are cores: many tests wait for a browser, a cluster or a time limit."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Thousands of tests stay until the end: the collector of garbage need never look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """What takes longest in one piece begins first: nobody waits for it alone at the end."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Fail a test that skips where CI is set, unless it needs published data. Show what a command
    had printed when its time was up.
    """
    report = yield
    if report.skipped and "CI" in os.environ and item.get_closest_marker("published") is None:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"where CI is set no test may skip: {reason}"
    if call.excinfo and isinstance(call.excinfo.value, subprocess.TimeoutExpired):
        for name in ("stdout", "stderr"):
            printed = getattr(call.excinfo.value, name) or b""
            text = printed.decode(errors="replace") if isinstance(printed, bytes) else printed
            report.sections.append((f"{name} of the command when its time was up", text))
    return report
