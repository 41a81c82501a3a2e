"""The files beside a problem set's notebooks: its data, and modules that help.

Students get them with the notebook. Files that students add don't count: both processes get the
files that were released.
"""

from __future__ import annotations

import fnmatch
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.classroom.course.safe_files import Entry, entries_of
from autograder.wire.files import File, is_within_folder
from autograder.wire.importing import OPEN, leave_out_the_project_for_block

MOST_BYTES = 32 << 20  # all files together; each student process gets a copy
MOST_FILES = 1_000
NOTED = "problem_set_files"  # a released notebook's metadata: name -> SHA-256
_IGNORED = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback"]  # nbgrader ignores these


def find_files(course: Course, name: str) -> tuple[File, ...]:
    """Return the files to release with the notebooks of `source/NAME`.

    Raises CourseError for files that can't be released: notebooks in folders, links, too many or
    too large files, and modules that would hide installed ones.
    """
    folder = course.root / "source" / name
    ignored = list(course.config.CourseDirectory.get("ignore", _IGNORED))
    with entries_of(folder) as entries:
        files = tuple(_files(folder, entries, ignored))
    if len(files) > MOST_FILES:
        raise CourseError(f"{folder} has {len(files):,} files; at most {MOST_FILES:,} can")
    _refuse_shadows(folder, files)
    return files


def _files(folder: Path, entries: Iterable[Entry], ignored: list[str]) -> Iterator[File]:
    bytes_left = MOST_BYTES
    for entry in entries:
        path = folder / entry.name
        if any(_is_ignored(part, ignored) for part in entry.parts):
            continue
        if len(entry.parts) == 1 and path.name.endswith(".ipynb"):
            continue  # a notebook of the set
        if entry.problem:
            raise CourseError(f"{path} can't be given to students: {entry.problem}")
        if entry.notebook:
            raise CourseError(
                f"{path}: the notebooks of a problem set lie side by side in {folder}, with "
                "names that end in .ipynb; nbgrader would hand this one out with its solutions"
            )
        if not is_within_folder(entry.name):
            raise CourseError(f"{path}: the name of a file can't have a colon or a backslash in it")
        content = entry.read(bytes_left + 1)
        bytes_left -= len(content)
        if bytes_left < 0:
            raise CourseError(
                f"the files in {folder} have more than {MOST_BYTES >> 20} MiB together, "
                f"{path} among them; each student's process gets a copy of them"
            )
        yield File(entry.name, content)


def _is_ignored(part: str, ignored: list[str]) -> bool:
    return part.startswith(".") or any(fnmatch.fnmatch(part, pattern) for pattern in ignored)


def _refuse_shadows(folder: Path, files: Iterable[File]) -> None:
    """Refuse modules with an installed name: the order of folders would decide which one loads."""
    top_names = {file.name.partition("/")[0] for file in files if file.name.endswith(".py")}
    for top_name in sorted(top_names):
        module = top_name.removesuffix(".py")
        if module in {*OPEN, *sys.stdlib_module_names} or _is_installed(module):
            raise CourseError(
                f"{folder / top_name} has the name of the installed module {module!r}; rename it"
            )


def _is_installed(module: str) -> bool:
    with leave_out_the_project_for_block():
        try:
            return importlib.util.find_spec(module) is not None
        except (ImportError, ValueError):
            return False


def digests(files: Iterable[File]) -> dict[str, str]:
    """Return the SHA-256 of each file's content, by name."""
    return {file.name: digest_of(file.content) for file in files}


def digest_of(content: bytes) -> str:
    """Return the SHA-256 as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def digest_all(files: Iterable[File]) -> str:
    """Return a digest of all names and contents; "" if there are no files."""
    digest_by_name = digests(files)
    return digest_of(json.dumps(digest_by_name, sort_keys=True).encode()) if digest_by_name else ""


def keep(course: Course, files: Iterable[File]) -> dict[str, str]:
    """Save copies for grading, each under the digest of its content; return the digests by name."""
    for file in files:
        path = _path_of(course, digest_of(file.content))
        if not path.exists():
            write_atomically(path, file.content, mode=0o600)
    return digests(files)


def load(course: Course, names: Mapping[str, str]) -> tuple[File, ...]:
    """Return the files released under these digests; raise ValueError if a copy is damaged."""
    files = tuple(File(name, _content(_path_of(course, digest))) for name, digest in names.items())
    if damaged := [file.name for file in files if digest_of(file.content) != names[file.name]]:
        raise ValueError(f"the copy of {damaged[0]} is another one")
    return files


def _path_of(course: Course, digest: str) -> Path:
    return course.private / "files" / digest


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror}") from None


def found_with(notebook: Path, metadata: object) -> Iterator[tuple[str, File | None, bool]]:
    """Yield a name, a file and a flag for each file that a released notebook names.

    The file lies beside the notebook; it is None if it is missing. The flag is True if the file is
    as it was released.
    """
    recorded_digests = metadata.get(NOTED) if isinstance(metadata, dict) else None
    if not isinstance(recorded_digests, dict):
        return
    bytes_left = MOST_BYTES
    for name, digest in list(recorded_digests.items())[:MOST_FILES]:
        if not is_within_folder(name):
            continue
        file = _read(notebook.parent, name, bytes_left)
        bytes_left -= len(file.content) if file else 0
        yield name, file, file is not None and digest_of(file.content) == digest


def _read(folder: Path, name: str, max_bytes: int) -> File | None:
    path = folder / name
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        content = stream.read(max_bytes + 1)
    return File(name, content) if len(content) <= max_bytes else None
