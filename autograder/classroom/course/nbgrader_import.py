"""Import nbgrader without the modules that grading never uses, in 0.3 s instead of 4 s.

`import nbgrader` loads four Jupyter server extensions, the validators of nbformat, setuptools for
its archives and requests for JupyterHub's address. Here the first two are left out, and the others
are loaded when they are called. Import this module before `nbgrader.utils` or `nbgrader.api`. If
nbgrader is loaded already, it does nothing.
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
    """Return the package with its path and specification, without running its `__init__`."""
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

    def of_the_real_one(attribute: str) -> Any:
        if attribute.startswith("__"):  # the import itself reads these
            raise AttributeError(attribute)
        return getattr(importlib.import_module(name), attribute)

    def late(function: str) -> Callable:
        return lambda *args, **kwargs: of_the_real_one(function)(*args, **kwargs)

    module = types.ModuleType(name)
    vars(module).update({function: late(function) for function in functions})
    vars(module)["__getattr__"] = of_the_real_one
    return module


@contextlib.contextmanager
def _substitute_modules(modules: dict[str, types.ModuleType]) -> Iterator[None]:
    """Let imports find these modules, if the real ones are not loaded; remove them at the end."""
    loaded = set(sys.modules)
    absent = {name: module for name, module in modules.items() if name not in loaded}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in set(sys.modules) - loaded:
            if name in absent or name.partition(".")[0] in absent:
                del sys.modules[name]


def _load() -> Callable:
    """Import the modules; return nbformat's `from_dict`."""
    if "nbgrader" in sys.modules:
        return importlib.import_module("nbformat").from_dict
    sys.modules["nbgrader"] = _bare_package("nbgrader")
    unpackers = ("unpack_archive", "unpack_tarfile", "unpack_zipfile")
    stand_ins = {
        "nbformat": _bare_package("nbformat"),
        "setuptools.archive_util": _late_module("setuptools.archive_util", *unpackers),
        "requests": _late_module("requests"),
    }
    with _substitute_modules(stand_ins):
        importlib.import_module("nbgrader.utils")
        importlib.import_module("nbgrader.auth")
        return importlib.import_module("nbformat.notebooknode").from_dict


@contextlib.contextmanager
def alembic_at_hand() -> Iterator[None]:
    """Read the version of a new gradebook's tables without starting a program.

    nbgrader starts one, by its bare name, only for that. This is faster, and works wherever that
    program is.
    """
    api: Any = importlib.import_module("nbgrader.api")
    ask, api.get_alembic_version = api.get_alembic_version, version_of_tables
    try:
        yield
    finally:
        api.get_alembic_version = ask


def version_of_tables() -> str:
    """Return the version of the tables of a new gradebook."""
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    return ScriptDirectory(ALEMBIC_DIR).get_current_head() or ""


# jsonschema, which nbconvert imports, spends seconds on a grammar of web addresses in this package.
# Nothing that we read has such an address in it, so jsonschema doesn't need the package.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from_dict = _load()
