"""The configuration files that nbgrader reads for a course, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any


def load(root: Path) -> Iterator[tuple[Path, Any]]:
    """Yield each configuration file with its content, the strongest last.

    They are `jupyter_config` and `nbgrader_config`, as `.py` and `.json`, along Jupyter's
    search path. The last are the `nbgrader_config` of the course folder.

    Raises any error that a file raises.
    """
    from jupyter_core.paths import jupyter_config_dir, jupyter_config_path
    from traitlets.config import Application

    own, path = jupyter_config_dir(), jupyter_config_path()
    everywhere = path if own in path else [own, *path]
    for name, folders in (
        ("jupyter_config", everywhere),
        ("nbgrader_config", everywhere),
        ("nbgrader_config", [str(root)]),
    ):
        loaded = Application._load_config_files(name, folders, raise_config_file_errors=True)
        yield from ((Path(file), config) for config, file in loaded)
