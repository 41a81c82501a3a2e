"""The two tiers of the tests, everyday and exhaustive, as a plugin of pytest.

`python -m pytest` runs the everyday tier, `python -m pytest --exhaustive` all tests. A test that
costs half a second of processor time, as measured in `costs.json`, or needs something that costs
ten, is left out of the everyday tier unless `everyday.toml` lists it with a reason. A test that
nobody measured is an everyday one.
A test that the command names with `::` runs with all its cases, whatever it costs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests import costs

EXPENSIVE_SECONDS = 0.5
EXPENSIVE_SHARED_SECONDS = 10.0
MAX_EVERYDAY_SECONDS = 800.0
_LISTED = Path(__file__).with_name("everyday.toml")
_LEFT_OUT = pytest.StashKey[int]()
_exhaustive = False


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--exhaustive", action="store_true", help="run all tests, with all their cases")
    group.addoption(
        "--write-costs", action="store_true", help="write the processor time of tests to costs.json"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    global _exhaustive
    named = any("::" in argument for argument in config.args)
    _exhaustive = config.getoption("exhaustive") or named
    config.stash[_LEFT_OUT] = 0
    if config.getoption("write_costs"):
        costs.start(config, "exhaustive" if _exhaustive else "everyday")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out(config, items, lambda item: is_everyday(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take over what a process of pytest-xdist counted: the first one collects nothing itself."""
    number = getattr(node, "workeroutput", {}).get("left_out", 0)
    node.config.stash[_LEFT_OUT] = max(number, node.config.stash[_LEFT_OUT])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[_LEFT_OUT]


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    if number := config.stash[_LEFT_OUT]:
        terminalreporter.write_line(
            f"{number:,} tests of the exhaustive tier did not run: python -m pytest --exhaustive"
        )


def is_exhaustive() -> bool:
    """Whether all tests run, with all their cases: by the option, or as their names are given."""
    return _exhaustive


@cache
def listed() -> dict[str, str]:
    """Return the reason for each expensive test that is an everyday one all the same.

    A name is a test's own, or that of a test function for all its parameters.
    """
    return tomllib.loads(_LISTED.read_text(encoding="utf-8"))


@cache
def expensive() -> frozenset[str]:
    """Return the names of the expensive tests, and of the functions that need what is expensive."""
    measured = costs.read().get("exhaustive", {"files": {}, "shared": {}})
    tests = {
        f"{file}::{name}"
        for file, entry in measured["files"].items()
        for name, seconds in entry["tests"].items()
        if seconds >= EXPENSIVE_SECONDS
    }
    shared = (
        entry["tests"]
        for entry in measured["shared"].values()
        if entry["seconds"] >= EXPENSIVE_SHARED_SECONDS
    )
    return frozenset(tests.union(*shared))


def is_everyday(test: str) -> bool:
    """Whether the test with this node id belongs to the everyday tier."""
    names = {test, test.partition("[")[0]}
    return names.isdisjoint(expensive()) or not names.isdisjoint(listed())


def leave_out(
    config: pytest.Config, items: list[pytest.Item], is_kept: Callable[[pytest.Item], bool]
) -> None:
    """Leave out the tests that are not kept, unless all run."""
    if _exhaustive:
        return
    kept = [item for item in items if is_kept(item)]
    if others := set(items) - set(kept):
        config.hook.pytest_deselected(items=sorted(others, key=lambda item: item.nodeid))
        config.stash[_LEFT_OUT] += len(others)
        items[:] = kept
