"""Forbid answers to call functions of dplab that an exercise asks students to write.

A locked cell names them, `forbidden("dplab.RandomizedResponse")`, and the exercise says so. After
that, they raise `Forbidden` while a test is calling a student's function. Tests can still use
them, and so can dplab itself. This is a published rule, not a wall.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any

import dplab
from autograder.wire.run import current_run

_ROOT = Path(dplab.__file__).parent
_MODULES = [
    ".".join(path.relative_to(_ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in _ROOT.rglob("*.py")
]

_limits: dict[str, Any] = {}  # the replacement of each function, or the class itself, by name


class Forbidden(RuntimeError):
    """An answer called the function that the exercise asks students to write."""


def forbidden(*names: str) -> None:
    """Let these public names of dplab raise `Forbidden` when an answer of this notebook calls them.

    Functions are replaced in the notebook and in those modules of dplab that are loaded. Classes
    stay the same objects, and their construction and methods raise.
    """
    run, names_here = current_run(), sys._getframe(1).f_globals
    run.forbidden = frozenset(names) | (
        run.forbidden if names_here is run.notebook else frozenset()
    )
    run.notebook = names_here
    for name in names:
        _limit(name)
    _replace({name: _limits[name] for name in names if not isinstance(_limits[name], type)})


def _limit(name: str) -> None:
    original = _find_original(name)
    if isinstance(original, type):
        if _limits.get(name) is not original:
            _limit_class(name, original)
            _limits[name] = original
        return
    if name not in _limits:
        _limits[name] = _wrap(name, original)


def _replace(limited: dict[str, Any]) -> None:
    """Replace the wrapped functions by these in the modules and in the notebook.

    In dplab, each function has only one name. A search through its whole modules would copy their
    memory into each student process.
    """
    own_names = [(name.rpartition(".")[2], function) for name, function in limited.items()]
    for namespace in (vars(sys.modules[name]) for name in _MODULES if name in sys.modules):
        for short_name, function in own_names:
            if namespace.get(short_name) is function.__wrapped__:
                namespace[short_name] = function
    replacements = {id(function.__wrapped__): function for function in limited.values()}
    notebook = current_run().notebook
    for key, value in list(notebook.items()) if replacements else ():
        if id(value) in replacements:
            notebook[key] = replacements[id(value)]


def _find_original(name: str) -> Any:
    """Return the function or class of a dotted name, whose last part follows a module's name."""
    module, _, short_name = name.rpartition(".")
    if not _is_dplabs(module):
        raise ValueError(f"forbidden takes names such as 'dplab.RandomizedResponse', not {name!r}")
    return getattr(importlib.import_module(module), short_name)


def _limit_class(name: str, kind: type) -> None:
    open_names = [key for key in dir(kind) if not key.startswith("_")]
    members = {key: value for base in reversed(kind.__mro__) for key, value in vars(base).items()}
    for key in ("__init__", "__call__", *open_names):
        member = members.get(key)
        if isinstance(member, classmethod | staticmethod):
            setattr(kind, key, type(member)(_wrap(name, member.__func__, kind)))
        elif isinstance(member, types.FunctionType):
            setattr(kind, key, _wrap(name, member, kind))


def _wrap(name: str, original: Callable, kind: type | None = None) -> Callable:
    """Wrap `original` so that it raises if an answer calls it (as a method of `kind`, if given)."""

    def limited(*args: Any, **kwargs: Any) -> Any:
        run = current_run()
        is_forbidden = run.student_calls and name in run.forbidden
        if is_forbidden and _is_called_by_answer(sys._getframe(1)):
            owner = args[0] if args and isinstance(args[0], type) else type(args[0] if args else 0)
            if kind is None or owner is kind or not _is_dplabs(owner.__module__):
                reason = "the exercise asks you to write this yourself"
                raise Forbidden(f"{reason}: {name} is off limits in an answer")
        return original(*args, **kwargs)

    return update_wrapper(limited, original)


def _is_called_by_answer(caller: types.FrameType) -> bool:
    """Return whether an answer makes the call.

    An answer does if dplab is not the caller, and one of these called the caller: the notebook that
    set the limits, or the grader itself without another notebook between.
    """
    if _is_dplabs(caller.f_globals.get("__name__", "")):
        return False
    notebook = current_run().notebook
    frame: types.FrameType | None = caller
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if frame.f_globals is notebook or module in _CALLERS:
            return True
        if module == "__main__":  # another notebook
            return False
        frame = frame.f_back
    return False


# The modules that call students' functions.
_CALLERS = ("autograder.checks.calls", "autograder.wire.object_table")


def _is_dplabs(module: str) -> bool:
    return module.partition(".")[0] == "dplab"
