"""Rooms for the tests of a module."""

from dataclasses import replace

import pytest

from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.sandbox import probing
from tests.autograder.examiner.cells import LIMITS


@pytest.fixture(scope="module")
def rooms():
    with SandboxedRunner(LIMITS, probing.probe()) as rooms:
        yield rooms


@pytest.fixture(scope="module")
def hurried():
    """Rooms for what runs until it is stopped."""
    with SandboxedRunner(
        replace(LIMITS, cell_seconds=2.0, grace_seconds=2.0), probing.probe()
    ) as rooms:
        yield rooms
