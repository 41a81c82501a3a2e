"""A hook for hatchling, which builds dplab: a wheel gets the problem sets without solutions.

An archive of the sources would carry the solutions to everybody who installs it. So there is none.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReleasedSets(BuildHookInterface):
    """The build hook that pyproject.toml names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            raise RuntimeError(
                "an archive of the sources would contain the solutions; build only the wheel: "
                "python -m build --wheel"
            )
        if version == "editable":
            return  # a student's folder is then made of the sources
        sys.path.insert(0, self.root)  # this file is loaded by its path
        from autograder.desk import student_sets

        self._released_folder = tempfile.TemporaryDirectory()
        for name, content in student_sets.files():
            path = Path(self._released_folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        build_data["force_include"][self._released_folder.name] = (
            f"autograder/{student_sets.RELEASED.name}"
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        if version != "editable":
            self._released_folder.cleanup()
