"""Name the packages that a notebook imports and this machine lacks."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from autograder.examiner.testcell import find_imports
from autograder.wire.contract import Cell
from autograder.wire.files import File

# Packages whose name for pip is not that of the module.
PIP_NAMES = {
    "Bio": "biopython", "PIL": "pillow", "bs4": "beautifulsoup4", "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil", "dotenv": "python-dotenv", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "yaml": "pyyaml",
}  # fmt: skip


def find_missing(cells: Iterable[Cell], files: Sequence[File]) -> list[str]:
    """Return the modules that cells import, and that are neither installed nor files of the set."""
    own = {PurePosixPath(file.name).parts[0].removesuffix(".py") for file in files}
    names = {name.partition(".")[0] for cell in cells for name in find_imports(cell.source)}
    return sorted(name for name in names - own if not _is_there(name))


def _is_there(name: str) -> bool:
    try:
        return not name or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return True  # a module without a specification, such as `__main__`


def describe(names: Sequence[str]) -> str:
    """Return a sentence about missing packages, with the line that installs them."""
    packages = " ".join(PIP_NAMES.get(name, name) for name in names)
    verb = "is" if len(names) == 1 else "are"
    return (
        f"the notebook imports {', '.join(names)}, which {verb} not installed here. Students' code "
        f"needs the packages wherever it is graded; run: python -m pip install {packages}"
    )
