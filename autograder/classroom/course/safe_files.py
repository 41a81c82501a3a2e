"""List the files in a folder or a zip from outside, without following links."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.printable import quoted


@dataclass(frozen=True)
class Entry:
    """A file that was handed in. `problem` says why it can't be read, or is empty."""

    parts: tuple[str, ...]
    read: Callable[[int], bytes]  # at most so many bytes
    problem: str = ""
    origin: str = ""  # its name in the hand-in, if `parts` are not that name
    is_folder: bool = False  # a folder without a file that counts; `problem` says why

    @property
    def name(self) -> str:
        return self.origin or "/".join(self.parts)

    @property
    def notebook(self) -> bool:
        """True for a notebook by its name, also if a browser or mail program has lengthened it."""
        return not self.is_folder and bool(_NOTEBOOK.search(self.parts[-1]))

    @property
    def stem(self) -> str:
        """The name of a notebook, without the ending of notebooks."""
        return _NOTEBOOK.sub("", self.parts[-1])


_NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)


class entries_of:
    """The entries of a folder or a zip, which stays open as long as the `with` lasts."""

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
        except Exception as error:  # a damaged zip makes `zipfile` raise errors of many kinds
            reason = f"{self.source} is neither a folder nor a zip that can be read"
            raise CourseError(f"{reason}: {error}") from error
        return zip_entries(self.archive)

    def __exit__(self, *exception: object) -> None:
        if self.archive:
            self.archive.close()


EMPTY = "the folder is empty"


def empty_folder(parts: tuple[str, ...], reason: str = EMPTY) -> Entry:
    """Return an entry for a folder that has nothing to collect."""
    return Entry(parts, lambda limit: b"", reason, is_folder=True)


def _folder_entries(folder: Path) -> Iterator[Entry]:
    errors: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=errors.append, followlinks=False):
        if not folders and not files and Path(parent) != folder:
            yield empty_folder(Path(parent).relative_to(folder).parts)
        folders.sort()
        file_like_folders = [name for name in folders if _is_like_file(Path(parent, name))]
        for name in sorted(files + file_like_folders):
            path = Path(parent, name)
            yield Entry(path.relative_to(folder).parts, _file_reader(path), _problem(path))
    for error in errors:
        parts = Path(error.filename).relative_to(folder).parts
        yield empty_folder(parts, f"the folder can't be read: {error.strerror}")


def _problem(path: Path) -> str:
    try:
        mode = path.lstat().st_mode
    except OSError as error:  # its path is too long, for example
        return str(error.strerror)
    return "" if stat.S_ISREG(mode) else "it is a link or not an ordinary file"


def _is_like_file(folder: Path) -> bool:
    """Return whether a folder counts as a file.

    It does if it is a link, or if it has the name of a notebook and no notebook in it.
    """
    try:
        if folder.is_symlink():
            return True
        return folder.name.endswith(".ipynb") and not any(folder.rglob("*.ipynb"))
    except OSError:  # the folder can't be read
        return False


def _file_reader(path: Path) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            return file.read(limit)

    return read


def zip_entries(archive: zipfile.ZipFile) -> Iterator[Entry]:
    """Yield the entries of an open zip; the paths of some lead out of it, and have a problem."""
    filled_folders: set[tuple[str, ...]] = set()
    folders: dict[tuple[str, ...], None] = {}
    for info in archive.infolist():
        name = _name(info)
        slashed_name = name.replace("\\", "/")
        # On Unix one backslash is a character like others, as in the name of a domain's user.
        is_unix = info.create_system == _UNIX and ("/" in name or name.count("\\") == 1)
        parts = PurePosixPath(name if is_unix else slashed_name).parts
        if info.filename.endswith("/"):  # `is_dir` fails on an empty name
            folders[parts] = None
            continue
        filled_folders.update(parts[:length] for length in range(1, len(parts)))
        yield Entry(parts, _zip_reader(archive, info), _zip_problem(info, slashed_name))
    filled_folders.update(parts[:length] for parts in folders for length in range(1, len(parts)))
    for parts in folders:
        if parts and parts not in filled_folders and ".." not in parts and parts[0] != "/":
            yield empty_folder(parts)


_SAYS_UTF8 = 0x800
_UNIX = 3  # the system on which an entry was made


def _name(info: zipfile.ZipInfo) -> str:
    """Return the name as it was written.

    `zip` on Linux and macOS' Finder write UTF-8 without saying so. Python decodes such names
    with code page 437.
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
# Surrogates replace bytes of a folder's name that are not UTF-8.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f*?\[\]{}<>/\\\ud800-\udfff]")
_MAX_NAME_BYTES = 120  # a student's name has at most so many
_SIGNS = {"/": "a slash", "\\": "a backslash"}


def why_no_student(name: str) -> str:
    """Return the reason why no student can have this name, or "" if one can.

    nbgrader uses the name for folders, paths and pages.
    """
    size = len(name.encode("utf-8", "surrogatepass"))
    if not size:
        return "it is empty"
    if size > _MAX_NAME_BYTES:
        return f"it has {size} bytes, and at most {_MAX_NAME_BYTES} are possible"
    if name.startswith("."):
        return "it begins with a dot"
    if match := _FORBIDDEN.search(name):
        return f"it has {_SIGNS.get(match[0], ascii(match[0]))} in it"
    return ""


def refuse_name(name: str) -> str:
    """Return a sentence that says why no student can have this name, or "" if one can."""
    reason = why_no_student(name)
    return reason and f"{quoted(name)} can't be a student's name: {reason}"
