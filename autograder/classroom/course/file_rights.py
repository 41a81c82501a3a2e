"""Keep nbgrader from changing the rights of a file that a link in its folders points to."""

from __future__ import annotations

import os
import stat
from typing import Any


def keep_rights_of_links() -> None:
    """Let nbgrader's converters in this process set the rights of files and folders only.

    The rights of link targets and devices stay as they are.
    """
    from nbgrader.converters import base

    if not isinstance(base.os, _CarefulSystem):
        base.os = _CarefulSystem()


class _CarefulSystem:
    """The module `os`, whose `chmod` changes files and folders alone."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def chmod(self, path: str, mode: int) -> None:
        kind = os.lstat(path).st_mode
        if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
            os.chmod(path, mode)
