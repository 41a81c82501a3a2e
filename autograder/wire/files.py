"""Files by name: those of a problem set, and those of the working folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_READ_ONLY = 0o444
_PART = re.compile(r"[^\x00-\x1f\x7f/\\:]{1,255}")


@dataclass(frozen=True)
class File:
    """A file of a problem set. `name` is its path from the notebook's folder, with "/"."""

    name: str
    content: bytes


def is_within_folder(name: str) -> bool:
    """Return whether the path stays below its starting folder, on any system."""
    parts = name.split("/")
    return all(_PART.fullmatch(part) and part not in (".", "..") for part in parts)


def lay_out(files: Iterable[File], folder: Path) -> None:
    """Write the files below the folder as read-only files.

    Raises `ValueError` for a name that leads out of the folder, and `FileExistsError` if something
    with this name exists already.
    """
    for file in files:
        if not is_within_folder(file.name):
            raise ValueError(f"a file can't be named {file.name!r}")
        path = folder.joinpath(*PurePosixPath(file.name).parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, _READ_ONLY), "wb") as target:
            target.write(file.content)


def read(name: str) -> bytes | None:
    """Return the content of that file of the working folder, or None if there is no such file."""
    path = Path(name)
    return path.read_bytes() if path.is_file() else None


def write(name: str, content: bytes | None) -> None:
    """Write a file of the working folder in place of an earlier one; delete it for None."""
    path = Path(name)
    path.unlink(missing_ok=True)  # a link is replaced, not the file that it leads to
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
