"""nbgrader sets the rights of all that it has written; of a link that means its target's."""

from __future__ import annotations

import os
import stat
from typing import Any


def keep_rights_of_links() -> None:
    """From now on nbgrader's converters set the rights of files and folders alone, in this process:
    those of what a link leads to stay as they are, and those of a device.
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
