"""Measure the processor time of each test.

`python -m pytest --exhaustive --write-costs FILES` measures the tests in FILES and writes their
costs into `tests/costs.json`. From these costs `tests/tiers.py` decides which tests belong to the
everyday tier. Without `--exhaustive` the same command measures the tests of the everyday tier; a
test compares the sum of these costs with the limit in `tests/tiers.py`.

The cost of a test has two parts. The first is the time used by its process, and by all descendants
of this process, while the test runs. The second is the test's share of things that several tests
use: fixtures of a module or session, and results of `tests.sharing.once`. The share is the cost of
the thing divided by the number of tests that use it. The file lists a shared thing by name if it
costs a second or more.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

COSTS = Path(__file__).with_name("costs.json")
MIN_NAMED_SECONDS = 0.25  # cheaper tests only count in the sum of their file
MIN_NAMED_SHARED_SECONDS = 1.0


_meter: Meter | None = None


@contextmanager
def shared(name: str) -> Iterator[None]:
    """Measure the code inside, which makes something for several tests, if costs are written."""
    if _meter is None:
        yield
    else:
        with _meter.measure(name):
            yield


def start(config: pytest.Config, tier: str) -> None:
    """Start to measure the tests of this run; at its end their costs are written for the tier."""
    global _meter
    _meter = Meter(tier)
    config.pluginmanager.register(_meter, "meter")


def processor_seconds() -> float:
    """Return the seconds used so far by this process and its descendants, also by ended ones."""
    this = psutil.Process()
    total = sum(this.cpu_times()[:4])  # user, system, and both for the children that ended
    for child in this.children(recursive=True):
        try:
            total += sum(child.cpu_times()[:4])
        except psutil.Error:  # it has just ended
            continue
    return total


class Meter:
    """A pytest plugin that measures in each process of tests, and adds up in the main one."""

    def __init__(self, tier: str):
        self.tier = tier
        self.last_reading = 0.0
        # Of the current phase of a test: seconds of the shared things made, names of those used.
        self.phase_seconds: dict[str, float] = {}
        self.phase_uses: set[str] = set()
        self.is_making = False
        # Of all tests: seconds by test, tests by shared thing, and seconds by shared thing.
        self.test_seconds: dict[str, float] = defaultdict(float)
        self.users: dict[str, set[str]] = defaultdict(set)
        self.shared_seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measure the making of a shared thing, with everything else that is made for it.

        So the cost of a fixture includes the cost of a result of `once` that the fixture makes.
        """
        if self.is_making:
            yield
            return
        begin, self.is_making = processor_seconds(), True
        try:
            yield
        finally:
            self.is_making = False
            seconds = processor_seconds() - begin
            self.phase_seconds[name] = self.phase_seconds.get(name, 0.0) + seconds
            self.phase_uses.add(name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self):
        self.last_reading = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            return (yield)
        with self.measure(_fixture_name(fixturedef)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        report = yield
        now = processor_seconds()
        info = getattr(item, "_fixtureinfo", None)
        fixtures = [chain[-1] for chain in info.name2fixturedefs.values()] if info else []
        self.phase_uses |= {_fixture_name(one) for one in fixtures if one.scope != "function"}
        report.processor_seconds = now - self.last_reading - sum(self.phase_seconds.values())
        report.shared_seconds, report.uses = dict(self.phase_seconds), sorted(self.phase_uses)
        self.last_reading = now
        self.phase_seconds.clear()
        self.phase_uses.clear()
        return report

    def pytest_runtest_logreport(self, report):
        self.test_seconds[report.nodeid] += max(report.processor_seconds, 0.0)
        for name in report.uses:
            self.users[name].add(report.nodeid)
        for name, seconds in report.shared_seconds.items():
            self.users[name].add(report.nodeid)
            self.shared_seconds[name] += seconds

    def pytest_sessionfinish(self, session):
        if not hasattr(session.config, "workerinput") and self.test_seconds:
            self.write()

    def write(self) -> None:
        """Replace the entries of the files that ran, and of the things that their tests share."""
        for name, seconds in self.shared_seconds.items():
            for test in self.users[name]:
                self.test_seconds[test] += seconds / len(self.users[name])
        costs = read()
        old_costs = costs.get(self.tier, {"files": {}, "shared": {}})
        costs[self.tier] = {
            "files": dict(sorted((old_costs["files"] | self.by_file()).items())),
            "shared": dict(sorted((old_costs["shared"] | self.by_shared_thing()).items())),
        }
        COSTS.write_text(json.dumps(costs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def by_file(self) -> dict[str, dict]:
        """Return the seconds of each file, and of each of its tests that is not cheap."""
        files: dict[str, dict] = defaultdict(lambda: {"seconds": 0.0, "tests": {}})
        for test, seconds in sorted(self.test_seconds.items()):
            file, _, name = test.partition("::")
            files[file]["seconds"] = round(files[file]["seconds"] + seconds, 3)
            if seconds >= MIN_NAMED_SECONDS:
                files[file]["tests"][name] = round(seconds, 1)
        return files

    def by_shared_thing(self) -> dict[str, dict]:
        """Return the seconds of each shared thing that is not cheap, and the tests that use it."""
        return {
            name: {
                "seconds": round(seconds, 1),
                "tests": sorted({test.partition("[")[0] for test in self.users[name]}),
            }
            for name, seconds in self.shared_seconds.items()
            if seconds >= MIN_NAMED_SHARED_SECONDS
        }


def read() -> dict[str, dict[str, dict]]:
    """Return the costs by tier: of test files under "files", of shared things under "shared"."""
    return json.loads(COSTS.read_text(encoding="utf-8")) if COSTS.exists() else {}


def _fixture_name(fixture: pytest.FixtureDef) -> str:
    return f"{fixture.baseid}::{fixture.argname}"
