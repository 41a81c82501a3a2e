"""Old names of things that have a new one: they work for one more version, and warn.

A module's old names go through `old_names`, a class's through `OldName`, and old names of arguments
through `old_arguments`. Each warning is a DeprecationWarning that says the new name.

>>> class Budget:
...     remaining = 3
...     left = OldName("remaining")
>>> with warnings.catch_warnings(record=True) as shown:
...     warnings.simplefilter("always")
...     Budget().left
3
>>> print(shown[0].message)
Budget.left is now called remaining. Version 0.4 will not know the old name.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

Target = TypeVar("Target", bound=Callable)

REMOVED_IN = "0.4"  # the first version without the old names


class OldName:
    """The old name of an attribute, a property or a method, in the body of its class."""

    def __init__(self, new: str):
        self._new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = f"{owner.__name__}.{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        _warn(self._old, self._new)
        return getattr(owner if instance is None else instance, self._new)


def old_names(module: str, **places: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of `module`, which finds things by their old names.

    `places` has for each old name the new one, after a module and a dot if it is in another module.
    """

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", places[name])
        home, _, new = places[name].rpartition(".")
        return getattr(importlib.import_module(home or module), new)

    return find


def old_arguments(**names: str) -> Callable[[Target], Target]:
    """Return a decorator: a function or a class also takes arguments by old names, old="new".

    The result raises TypeError for an argument that is given by both names.
    """

    def decorate(target: Any) -> Any:
        function: Any = vars(target)["__init__"] if isinstance(target, type) else target

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for old in names.keys() & kwargs.keys():
                _warn(f"The argument {old} of {target.__name__}", names[old])
                if names[old] in kwargs:
                    raise TypeError(f"{target.__name__} got {names[old]} and its old name {old}")
                kwargs[names[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        if not isinstance(target, type):
            return call
        type.__setattr__(target, "__init__", call)
        return target

    return decorate


def _warn(old: str, new: str) -> None:
    text = f"{old} is now called {new}. Version {REMOVED_IN} will not know the old name."
    warnings.warn(text, DeprecationWarning, stacklevel=3)
