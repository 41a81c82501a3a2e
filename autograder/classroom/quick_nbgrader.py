"""nbgrader's modules without what grading never uses: 0.3 s of imports where there are 4 s.

`import nbgrader` loads four Jupyter server extensions, the validators of nbformat, setuptools for
its archives and requests for JupyterHub's address. Here the first two are left out, and the others
come when they are called. Import this module before `nbgrader.utils` or `nbgrader.api`; where
nbgrader is loaded already it does nothing.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path


def _bare_package(name: str) -> types.ModuleType:
    """The package with its path and specification, but with nothing of its `__init__` run."""
    specification = importlib.util.find_spec(name)
    package = types.ModuleType(name)
    package.__path__ = list(specification.submodule_search_locations)
    package.__spec__ = specification
    package.__file__ = specification.origin
    package.__version__ = importlib.metadata.version(name)
    return package


def _late_module(name: str, *functions: str) -> types.ModuleType:
    """Stands for a module that is imported when one of its functions is called, or anything else
    of it is asked for.
    """

    def of_the_real_one(attribute: str) -> object:
        if attribute.startswith("__"):  # asked for by the import itself
            raise AttributeError(attribute)
        return getattr(importlib.import_module(name), attribute)

    def late(function: str) -> Callable:
        return lambda *args, **kwargs: of_the_real_one(function)(*args, **kwargs)

    module = types.ModuleType(name)
    vars(module).update({function: late(function) for function in functions})
    module.__getattr__ = of_the_real_one
    return module


@contextlib.contextmanager
def _in_the_place_of(modules: dict[str, types.ModuleType]) -> Iterator[None]:
    """What an import finds meanwhile, unless the real module is there already. No trace is left."""
    before = set(sys.modules)
    absent = {name: module for name, module in modules.items() if name not in before}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in set(sys.modules) - before:
            if name in absent or name.partition(".")[0] in absent:
                del sys.modules[name]


def _load() -> Callable:
    """Import the modules; returns nbformat's `from_dict`."""
    if "nbgrader" in sys.modules:
        return importlib.import_module("nbformat").from_dict
    sys.modules["nbgrader"] = _bare_package("nbgrader")
    unpackers = ("unpack_archive", "unpack_tarfile", "unpack_zipfile")
    stand_ins = {
        "nbformat": _bare_package("nbformat"),
        "setuptools.archive_util": _late_module("setuptools.archive_util", *unpackers),
        "requests": _late_module("requests"),
    }
    with _in_the_place_of(stand_ins):
        importlib.import_module("nbgrader.utils")
        importlib.import_module("nbgrader.auth")
        return importlib.import_module("nbformat.notebooknode").from_dict


@contextlib.contextmanager
def programs_on_path() -> Iterator[None]:
    """nbgrader starts `alembic` by its bare name: let it find the one installed beside Python."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


from_dict = _load()

from nbgrader.utils import compute_checksum, determine_grade, parse_utc  # noqa: E402

__all__ = ["compute_checksum", "determine_grade", "from_dict", "parse_utc", "programs_on_path"]
