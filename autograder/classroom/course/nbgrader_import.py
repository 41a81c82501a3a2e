"""Import nbgrader without the modules that grading never uses, in 0.3 s instead of 4 s.

`import nbgrader` loads four Jupyter server extensions, the validators of nbformat, setuptools for
its archives and requests for JupyterHub's address. Here the first two are left out, and the others
are loaded when they are called. Import this module before `nbgrader.utils` or `nbgrader.api`. If
nbgrader is loaded already, this module changes nothing.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any


def _bare_package(name: str) -> types.ModuleType:
    """Return a package with its path and specification, without running its `__init__`."""
    specification = importlib.util.find_spec(name)
    if specification is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    package = types.ModuleType(name)
    package.__path__ = list(specification.submodule_search_locations or ())
    package.__spec__ = specification
    package.__file__ = specification.origin
    vars(package)["__version__"] = importlib.metadata.version(name)
    return package


def _late_module(name: str, *functions: str) -> types.ModuleType:
    """Return a substitute for a module that is imported only when it is needed.

    The import happens when one of its functions is called, or another attribute is read.
    """

    def read_attribute(attribute: str) -> Any:
        if attribute.startswith("__"):  # the import itself reads these
            raise AttributeError(attribute)
        return getattr(importlib.import_module(name), attribute)

    def call_later(function: str) -> Callable:
        return lambda *args, **kwargs: read_attribute(function)(*args, **kwargs)

    module = types.ModuleType(name)
    vars(module).update({function: call_later(function) for function in functions})
    vars(module)["__getattr__"] = read_attribute
    return module


@contextlib.contextmanager
def _substitute_modules(modules: dict[str, types.ModuleType]) -> Iterator[None]:
    """Let imports find these modules, if the real ones are not loaded; remove them at the end."""
    loaded = set(sys.modules)
    substitutes = {name: module for name, module in modules.items() if name not in loaded}
    sys.modules.update(substitutes)
    try:
        yield
    finally:
        for name in set(sys.modules) - loaded:
            if name in substitutes or name.partition(".")[0] in substitutes:
                del sys.modules[name]


def _load() -> Callable:
    """Import the modules; return nbformat's `from_dict`."""
    if "nbgrader" in sys.modules:
        return importlib.import_module("nbformat").from_dict
    sys.modules["nbgrader"] = _bare_package("nbgrader")
    unpackers = ("unpack_archive", "unpack_tarfile", "unpack_zipfile")
    substitutes = {
        "nbformat": _bare_package("nbformat"),
        "setuptools.archive_util": _late_module("setuptools.archive_util", *unpackers),
        "requests": _late_module("requests"),
    }
    with _substitute_modules(substitutes):
        importlib.import_module("nbgrader.utils")
        importlib.import_module("nbgrader.auth")
        return importlib.import_module("nbformat.notebooknode").from_dict


@contextlib.contextmanager
def alembic_in_process() -> Iterator[None]:
    """Let nbgrader read the version of a new gradebook's tables in this process.

    By itself, nbgrader starts the program `alembic` for that. Reading the version here is faster,
    and it works if that program is not on the search path.
    """
    api: Any = importlib.import_module("nbgrader.api")
    original, api.get_alembic_version = api.get_alembic_version, version_of_tables
    try:
        yield
    finally:
        api.get_alembic_version = original


def version_of_tables() -> str:
    """Return the version of the tables of a new gradebook."""
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    return ScriptDirectory(ALEMBIC_DIR).get_current_head() or ""


# jsonschema, which nbconvert imports, would spend seconds on this package's grammar of URLs.
# The schema of notebooks checks no web address, so jsonschema doesn't need the package.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from_dict = _load()
