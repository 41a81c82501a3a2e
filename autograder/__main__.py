"""The program `autograder`, which is also `python -m autograder`."""

from __future__ import annotations

import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line; where the library alone is installed, say what to install."""
    try:
        from autograder import cli
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "autograder", "dplab"}:  # a mistake of ours: show the traceback
            raise
        sys.exit(
            f"error: the command autograder needs the package {package}, which is not installed: "
            "pip install 'dplab[course]'"
        )
    cli.run()


if __name__ == "__main__":
    run()
