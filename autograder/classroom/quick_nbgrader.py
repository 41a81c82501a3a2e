"""nbgrader's modules without its server extensions: 0.5 s of imports where there are 4 s.

`import nbgrader` loads four Jupyter server extensions, and with them the checker of web addresses
that jsonschema would use if asked to (it builds a large parser). Grading needs neither. Import this
module before `nbgrader.utils` or `nbgrader.api`; where nbgrader is loaded already it does nothing.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import sys
import types
from collections.abc import Iterator
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


def _load() -> None:
    if "nbgrader" in sys.modules:
        return
    sys.modules["nbgrader"] = _bare_package("nbgrader")
    absent = "rfc3987_syntax" not in sys.modules
    if absent:
        sys.modules["rfc3987_syntax"] = (
            None  # an import of it now fails, and jsonschema goes without
        )
    try:
        importlib.import_module("nbgrader.utils")
    finally:
        if absent:
            del sys.modules["rfc3987_syntax"]


@contextlib.contextmanager
def programs_on_path() -> Iterator[None]:
    """nbgrader starts `alembic` by its bare name: let it find the one installed beside Python."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


_load()

from nbformat.notebooknode import from_dict  # noqa: E402
from nbgrader.utils import compute_checksum, determine_grade, parse_utc  # noqa: E402

__all__ = ["compute_checksum", "determine_grade", "from_dict", "parse_utc", "programs_on_path"]
