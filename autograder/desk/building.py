"""What hatchling asks while it builds dplab: a wheel gets the problem sets as students get them.

An archive of the sources would carry the solutions to whoever installs it, so there is none.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReleasedSets(BuildHookInterface):
    """Found by hatchling, which pyproject.toml sends here."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            raise RuntimeError(
                "an archive of the sources would have the solutions in it; build the wheel alone"
            )
        if version == "editable":
            return  # a student's folder is then made of the sources
        sys.path.insert(0, self.root)  # this file is loaded by its path
        from autograder.desk import sets

        self._made = tempfile.TemporaryDirectory()
        for name, content in sets.files():
            path = Path(self._made.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        build_data["force_include"][self._made.name] = f"autograder/{sets.RELEASED.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        if version != "editable":
            self._made.cleanup()
