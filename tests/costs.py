"""Measure the processor time of each test.

`python -m pytest --exhaustive --write-costs FILES` writes it into `tests/costs.json`, for the files
that ran; `tests/tiers.py` reads there which tests belong to the everyday tier. Without
`--exhaustive` the costs of the everyday tier itself are written, of which a test adds up the sum.

A test costs what its process and all descendants of it use while the test runs, and its share of
what several tests use together: fixtures of a module or session, and the results of `once`. A
share is the cost divided by the number of tests that use it. What is shared and costs a second or
more is named beside the tests.
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
NAMED_FROM = 0.5  # seconds: cheaper tests count in the sum of their file alone
SHARED_NAMED_FROM = 1.0  # seconds


_meter: Meter | None = None


@contextmanager
def shared(name: str) -> Iterator[None]:
    """Measure something that is made once for several tests, if costs are written."""
    if _meter is None:
        yield
    else:
        with _meter.measure(name):
            yield


def start(config: pytest.Config, tier: str) -> None:
    """Measure the tests of this run, and write their costs as those of the tier."""
    global _meter
    _meter = Meter(tier)
    config.pluginmanager.register(_meter, "meter")


def processor_seconds() -> float:
    """Return the seconds used so far by this process and its descendants, dead ones included."""
    this = psutil.Process()
    total = sum(this.cpu_times()[:4])  # user, system, and both of the children that ended
    for child in this.children(recursive=True):
        try:
            total += sum(child.cpu_times()[:4])
        except psutil.Error:  # it has just ended
            continue
    return total


class Meter:
    """A pytest plugin that measures in the processes of tests, and adds up in the first one."""

    def __init__(self, tier: str):
        self.tier = tier
        self.last = 0.0
        self.shared: dict[str, float] = {}  # made in this phase of a test: name to seconds
        self.making = False
        self.uses: set[str] = set()  # what the test uses of the shared things
        self.tests: dict[str, float] = defaultdict(float)
        self.users: dict[str, set[str]] = defaultdict(set)
        self.made: dict[str, float] = defaultdict(float)

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measure the making of a shared thing, and of all that is made for it meanwhile.

        So who uses a fixture shares the cost of what the fixture asks `once` for.
        """
        if self.making:
            yield
            return
        begin, self.making = processor_seconds(), True
        try:
            yield
        finally:
            self.making = False
            self.shared[name] = self.shared.get(name, 0.0) + processor_seconds() - begin
            self.uses.add(name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self):
        self.last = processor_seconds()

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
        self.uses |= {_fixture_name(one) for one in fixtures if one.scope != "function"}
        report.processor_seconds = now - self.last - sum(self.shared.values())
        report.shared, report.uses = dict(self.shared), sorted(self.uses)
        self.last = now
        self.shared.clear()
        self.uses.clear()
        return report

    def pytest_runtest_logreport(self, report):
        self.tests[report.nodeid] += max(report.processor_seconds, 0.0)
        for name in report.uses:
            self.users[name].add(report.nodeid)
        for name, seconds in report.shared.items():
            self.users[name].add(report.nodeid)
            self.made[name] += seconds

    def pytest_sessionfinish(self, session):
        if not hasattr(session.config, "workerinput") and self.tests:
            self.write()

    def write(self) -> None:
        """Replace the entries of the files that ran, and of what their tests share."""
        for name, seconds in self.made.items():
            for test in self.users[name]:
                self.tests[test] += seconds / len(self.users[name])
        costs = read()
        before = costs.get(self.tier, {"files": {}, "shared": {}})
        costs[self.tier] = {
            "files": dict(sorted((before["files"] | self.by_file()).items())),
            "shared": dict(sorted((before["shared"] | self.of_shared()).items())),
        }
        COSTS.write_text(json.dumps(costs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def by_file(self) -> dict[str, dict]:
        """Return the seconds of each file, and of its tests that are not cheap."""
        files: dict[str, dict] = defaultdict(lambda: {"seconds": 0.0, "tests": {}})
        for test, seconds in sorted(self.tests.items()):
            file, _, name = test.partition("::")
            files[file]["seconds"] = round(files[file]["seconds"] + seconds, 3)
            if seconds >= NAMED_FROM:
                files[file]["tests"][name] = round(seconds, 1)
        return files

    def of_shared(self) -> dict[str, dict]:
        """Return the seconds of each shared thing that is not cheap, and the functions using it."""
        return {
            name: {
                "seconds": round(seconds, 1),
                "tests": sorted({test.partition("[")[0] for test in self.users[name]}),
            }
            for name, seconds in self.made.items()
            if seconds >= SHARED_NAMED_FROM
        }


def read() -> dict[str, dict[str, dict]]:
    """Return the costs by tier: those of `files`, and of what is `shared`."""
    return json.loads(COSTS.read_text(encoding="utf-8")) if COSTS.exists() else {}


def _fixture_name(fixture: pytest.FixtureDef) -> str:
    return f"{fixture.baseid}::{fixture.argname}"
