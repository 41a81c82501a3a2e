"""The program `autograder`, which is also `python -m autograder`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line, or say what to install if only the library is installed."""
    try:
        from autograder import cli
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "autograder", "dplab"}:  # our own mistake: show the traceback
            raise
        sys.exit(
            f"error: the command autograder needs the package {package}, which is not installed; "
            "run: pip install 'dplab[course]'"
        )
    except Exception as error:
        _refuse_hidden_modules(error)
        raise
    try:
        cli.run()
    except Exception as error:
        _refuse_hidden_modules(error)
        raise


def _refuse_hidden_modules(error: Exception) -> None:
    """End with a message if other files hide modules of Python's own.

    An example is a `random.py` in a folder that PYTHONPATH names.
    """
    python_folder = os.path.dirname(os.__file__)
    folders_ahead = sys.path[: sys.path.index(python_folder)] if python_folder in sys.path else []
    folders = [folder or "." for folder in folders_ahead if os.path.isdir(folder or ".")]
    paths = [os.path.join(folder, name) for folder in folders for name in os.listdir(folder)]
    if shadows := sorted(path for path in paths if _hides_python_module(path)):
        sys.exit(
            f"error: {shadows[0]} hides a module of Python's own ({error!r}): rename it, or take "
            "its folder out of PYTHONPATH"
        )


def _hides_python_module(path: str) -> bool:
    module, ending = os.path.splitext(os.path.basename(path))
    is_module = ending == ".py" or os.path.exists(os.path.join(path, "__init__.py"))
    return is_module and module in sys.stdlib_module_names


if __name__ == "__main__":
    run()
