"""The files in a folder or a zip from outside, without following where they lead."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.classroom.folders import CourseError


@dataclass(frozen=True)
class Entry:
    """A file that was handed in. `problem` says why it can't be read, if it can't."""

    parts: tuple[str, ...]
    read: Callable[[int], bytes]  # at most so many bytes
    problem: str = ""
    origin: str = ""  # its name in what was handed in, where `parts` are others

    @property
    def name(self) -> str:
        return self.origin or "/".join(self.parts)

    @property
    def notebook(self) -> bool:
        """By its name, also if a browser or a mail program has put something behind it."""
        return self.parts[-1].lower().endswith((".ipynb", ".ipynb.txt", ".ipynb.json"))


class entries_of:
    """The entries of a folder or a zip, open as long as the `with` lasts."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.archive: zipfile.ZipFile | None = None

    def __enter__(self) -> Iterator[Entry]:
        if self.source.is_dir():
            return _folder_entries(self.source)
        if not self.source.is_file():
            raise CourseError(f"{self.source} doesn't exist: give a folder or a zip of submissions")
        try:
            self.archive = zipfile.ZipFile(self.source)
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            reason = f"{self.source} is neither a folder nor a zip that can be read"
            raise CourseError(f"{reason}: {error}") from error
        return _zip_entries(self.archive)

    def __exit__(self, *exception) -> None:
        if self.archive:
            self.archive.close()


def _folder_entries(folder: Path) -> Iterator[Entry]:
    for where, folders, files in os.walk(folder, followlinks=False):
        folders.sort()
        posing = [name for name in folders if _is_posing(Path(where, name))]
        for name in sorted(files + posing):
            path = Path(where, name)
            yield Entry(path.relative_to(folder).parts, _file_reader(path), _problem(path))


def _problem(path: Path) -> str:
    try:
        mode = path.lstat().st_mode
    except OSError as error:  # its path is too long, for example
        return str(error.strerror)
    return "" if stat.S_ISREG(mode) else "it is a link or not an ordinary file"


def _is_posing(folder: Path) -> bool:
    """Whether a folder stands for a notebook that isn't there; others are looked into."""
    try:
        if folder.is_symlink():
            return True
        return folder.name.endswith(".ipynb") and not any(folder.rglob("*.ipynb"))
    except OSError:  # nobody can look there
        return False


def _file_reader(path: Path) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            return file.read(limit)

    return read


def _zip_entries(archive: zipfile.ZipFile) -> Iterator[Entry]:
    for info in archive.infolist():
        if info.is_dir():
            continue
        name = _name(info).replace("\\", "/")
        yield Entry(PurePosixPath(name).parts, _zip_reader(archive, info), _zip_problem(info, name))


_SAYS_UTF8 = 0x800


def _name(info: zipfile.ZipInfo) -> str:
    """As it was written: `zip` on Linux and macOS' Finder write UTF-8 and don't say so, and what
    doesn't say so was read by code page 437.
    """
    if not info.flag_bits & _SAYS_UTF8:
        with contextlib.suppress(UnicodeError):
            return info.filename.encode("cp437").decode("utf-8")
    return info.filename


OUTSIDE = "its path leads out of the archive"


def _zip_problem(info: zipfile.ZipInfo, name: str) -> str:
    mode = info.external_attr >> 16
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/"):
        return OUTSIDE
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "it is a link or not an ordinary file"
    return "it is encrypted" if info.flag_bits & 1 else ""


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        with archive.open(info) as file:
            return file.read(limit)

    return read


# nbgrader looks for students with glob patterns, formats paths with braces, and its formgrader puts
# names into pages as they are.
# Surrogates stand for bytes of a folder's name that are no UTF-8.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f*?\[\]{}<>/\\\ud800-\udfff]")


def can_be_a_student(name: str) -> bool:
    """Whether it may be a folder, and a part of nbgrader's paths and pages."""
    size = len(name.encode("utf-8", "surrogateescape"))
    return 0 < size <= 120 and not _FORBIDDEN.search(name) and not name.startswith(".")
