"""Where tests run: where a problem set brings files, in a folder of their own with these in it."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.wire.files import File, lay_out
from autograder.wire.importing import the_project_left_out


@contextlib.contextmanager
def laid_out(files: Sequence[File]) -> Iterator[str]:
    """A new folder with the files; "" where there are none, and so no need of one."""
    if not files:
        yield ""
        return
    with tempfile.TemporaryDirectory(prefix="tests-", ignore_cleanup_errors=True) as folder:
        lay_out(files, Path(folder))
        yield folder


@contextlib.contextmanager
def at_home(folder: str) -> Iterator[None]:
    """Within, the folder is where a test's paths begin, and modules are found in it, behind all
    that is installed.
    """
    with the_project_left_out():
        if not folder:
            yield
            return
        before, known = os.getcwd(), set(sys.modules)
        os.chdir(folder)
        sys.path.append(folder)
        try:
            yield
        finally:
            os.chdir(before)
            for name in set(sys.modules) - known:  # another problem set may have other ones
                if _lies_in(sys.modules[name], folder):
                    del sys.modules[name]


def _lies_in(module: object, folder: str) -> bool:
    places = list(getattr(module, "__path__", ())) or [getattr(module, "__file__", None) or ""]
    return any(place.startswith(f"{folder}{os.sep}") for place in places)
