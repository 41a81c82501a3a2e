"""The system in which a submission was graded, as its result describes it."""

from __future__ import annotations

import functools
import platform
from collections.abc import Mapping
from typing import Any

_NEEDS = {  # limits of the system by name, and what a submission needs of each
    "processor time": lambda limits: limits["cpu_seconds"],
    "address space": lambda limits: 2 * limits["memory_bytes"] + 4 * limits["message_bytes"],
    "file size": lambda limits: limits["file_bytes"],
    "open files": lambda limits: limits["open_files"],
    "processes": lambda limits: limits["processes"],
}


@functools.cache
def describe() -> dict[str, Any]:
    """Return the system's name and the limits that it sets to each process of the grader."""
    description: dict[str, Any] = {"system": f"{platform.system()} {platform.release()}"}
    description["machine"] = platform.machine()
    try:
        from autograder.sandbox.isolation import hard_limits
    except ImportError:  # a system without such limits, on which nobody is graded
        return description
    return description | {"limits": hard_limits()}


def is_faulty(environment: Mapping[str, Any], limits: Mapping[str, Any]) -> bool:
    """Return whether the system granted a submission less than the `limits` of its grading.

    A right answer may then have lost points.
    """
    allowed = environment.get("limits", {})
    return bool(limits) and any(
        allowed[name] < _NEEDS[name](limits) for name in allowed.keys() & _NEEDS
    )
