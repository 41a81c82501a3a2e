"""A pytest plugin that divides the tests into two tiers, everyday and exhaustive.

`python -m pytest` runs the everyday tier, and `python -m pytest --exhaustive` runs all tests.

A test is expensive if it costs 0.3 seconds of processor time or more, by `costs.json`, or if it
uses something shared that costs nine seconds or more. The everyday tier leaves expensive tests out,
except for those that `everyday.toml` lists with a reason. It also leaves out tests that need rare
tools, such as a hub. Any other test without a measured cost belongs to the everyday tier.

Nothing is left out if the command names a test with `::`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests import costs

EXPENSIVE_SECONDS = 0.3
EXPENSIVE_SHARED_SECONDS = 9.0
MAX_EVERYDAY_SECONDS = 800.0
_LIST_FILE = Path(__file__).with_name("everyday.toml")
_LEFT_OUT_COUNT = pytest.StashKey[int]()
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
    names_a_test = any("::" in argument for argument in config.args)
    _exhaustive = config.getoption("exhaustive") or names_a_test
    config.stash[_LEFT_OUT_COUNT] = 0
    if config.getoption("write_costs"):
        costs.start(config, "exhaustive" if _exhaustive else "everyday")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out(config, items, lambda item: is_everyday(item.nodeid) and not needs_tools(item))


def needs_tools(item: pytest.Item) -> bool:
    """Return whether a test needs rare tools: few machines could measure it."""
    return item.get_closest_marker("tools") is not None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take over the count of a pytest-xdist worker: the main process collects no tests itself."""
    number = getattr(node, "workeroutput", {}).get("left_out", 0)
    node.config.stash[_LEFT_OUT_COUNT] = max(number, node.config.stash[_LEFT_OUT_COUNT])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash[_LEFT_OUT_COUNT]


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    if number := config.stash[_LEFT_OUT_COUNT]:
        terminalreporter.write_line(
            f"{number:,} tests of the exhaustive tier did not run: python -m pytest --exhaustive"
        )


def is_exhaustive() -> bool:
    """Return whether this run leaves nothing out: by the option, or because it names a test."""
    return _exhaustive


@cache
def listed() -> dict[str, str]:
    """Return the expensive tests that belong to the everyday tier, each with the reason.

    A name is the node id of a test, or of a test function with all its parameters.
    """
    return tomllib.loads(_LIST_FILE.read_text(encoding="utf-8"))


@cache
def expensive() -> frozenset[str]:
    """Return the node ids of the expensive tests, and of functions that use something expensive."""
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
    """Return whether the test with this node id belongs to the everyday tier."""
    names = {test, test.partition("[")[0]}
    return names.isdisjoint(expensive()) or not names.isdisjoint(listed())


def leave_out(
    config: pytest.Config, items: list[pytest.Item], is_kept: Callable[[pytest.Item], bool]
) -> None:
    """Deselect the tests for which `is_kept` is false, unless this run leaves nothing out."""
    if _exhaustive:
        return
    kept_items = [item for item in items if is_kept(item)]
    if other_items := set(items) - set(kept_items):
        config.hook.pytest_deselected(items=sorted(other_items, key=lambda item: item.nodeid))
        config.stash[_LEFT_OUT_COUNT] += len(other_items)
        items[:] = kept_items
