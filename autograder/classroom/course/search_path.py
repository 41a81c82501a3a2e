"""Load the configuration files that nbgrader reads for a course, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any


def load(root: Path) -> Iterator[tuple[Path, Any]]:
    """Yield each configuration file with its content. Later files override earlier ones.

    The files are `jupyter_config` and `nbgrader_config`, as `.py` and `.json`, along Jupyter's
    search path. The last ones are the `nbgrader_config` of the course folder. Raises any error that
    a file raises.
    """
    from jupyter_core.paths import jupyter_config_dir, jupyter_config_path
    from traitlets.config import Application

    user_folder, jupyter_path = jupyter_config_dir(), jupyter_config_path()
    search_path = jupyter_path if user_folder in jupyter_path else [user_folder, *jupyter_path]
    for name, folders in (
        ("jupyter_config", search_path),
        ("nbgrader_config", search_path),
        ("nbgrader_config", [str(root)]),
    ):
        configs = Application._load_config_files(name, folders, raise_config_file_errors=True)
        yield from ((Path(file), config) for config, file in configs)
