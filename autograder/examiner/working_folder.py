"""Make the folder in which tests run, with the files of the problem set if it has any."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.wire.files import File, lay_out
from autograder.wire.importing import leave_out_the_project_for_block


@contextlib.contextmanager
def make_working_folder(files: Sequence[File]) -> Iterator[str]:
    """Yield a new folder with the files, "" if there are none."""
    if not files:
        yield ""
        return
    with tempfile.TemporaryDirectory(prefix="tests-", ignore_cleanup_errors=True) as folder:
        lay_out(files, Path(folder))
        yield folder


@contextlib.contextmanager
def enter_working_folder(folder: str) -> Iterator[None]:
    """Make the folder the working directory inside this context, and import modules from it.

    Installed modules come first.
    """
    with leave_out_the_project_for_block():
        if not folder:
            yield
            return
        old_directory, old_modules = os.getcwd(), set(sys.modules)
        os.chdir(folder)
        sys.path.append(folder)
        try:
            yield
        finally:
            os.chdir(old_directory)
            # Another problem set may have other modules of the same names.
            for name in set(sys.modules) - old_modules:
                if _lies_in(sys.modules[name], folder):
                    del sys.modules[name]


def _lies_in(module: object, folder: str) -> bool:
    places = list(getattr(module, "__path__", ())) or [getattr(module, "__file__", None) or ""]
    return any(place.startswith(f"{folder}{os.sep}") for place in places)
