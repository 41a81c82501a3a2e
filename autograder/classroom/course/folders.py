"""A course folder: nbgrader's own layout, and `.autograder/` for what only the grader may read."""

from __future__ import annotations

import contextlib
import difflib
import errno
import hashlib
import os
import re
import secrets
import shlex
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo


class CourseError(Exception):
    """Something the teacher can put right; the message says what and how."""


# Errors of the system that the next submission would run into as well.
_MACHINE_ERRORS = {
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE
}  # fmt: skip


def ends_everything(error: Exception) -> bool:
    """Return whether the error is a fault of the course or the machine, not of one submission."""
    if isinstance(error, OSError):
        return error.errno in _MACHINE_ERRORS
    return isinstance(error, CourseError)


def say_error(error: Exception) -> str:
    """Return the text of an error, with the path that it is about or with its kind."""
    return str(error) if isinstance(error, OSError) and str(error) else repr(error)


SECRET_BYTES = 32
EXCHANGE_FILES = ("timestamp.txt", "submission_secret.txt")  # by nbgrader, beside a notebook
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def check_name(name: str) -> str:
    """Return the name if a folder and an nbgrader assignment can have it.

    Raises CourseError if they can't.
    """
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} can't be the name of a problem set: allowed are letters, digits, "
            "'-', '_' and '.', at most 64 of them, beginning with a letter or digit"
        )
    return name


def command(*words: object) -> str:
    """Return a command of `autograder`, quoted so that it can be copied into a shell."""
    return shlex.join(["autograder", *map(str, words)])


def meant(word: str, choices: Iterable[str]) -> str:
    """Return the choice that a mistyped word may be, as the end of a sentence; "" if none."""
    by_folded_name = {choice.casefold(): choice for choice in choices}
    matches = difflib.get_close_matches(word.casefold(), by_folded_name, 1, 0.7)
    return f"; is {by_folded_name[matches[0]]!r} meant?" if matches else ""


def write_atomically(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write the content to `path` completely or not at all: a reader never sees a part.

    A device or a pipe, such as /dev/null, gets the content and stays what it is, with its rights.
    Raises `OSError` for a disk and for a socket.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    if _is_special(path):
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # the system leaves it out, for example if a disk is full
        raise


def _is_special(path: Path) -> bool:
    """Return whether the path is, or links to, a device or a pipe that can be written to.

    Raises `OSError` for a disk and for a socket, which must not be written to.
    """
    try:
        mode = path.stat().st_mode
    except OSError:  # there is no file yet, or a link that leads nowhere
        return False
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise OSError(errno.EINVAL, "this is a disk or a socket, and no file", str(path))
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


@dataclass(frozen=True)
class Course:
    """The folder of one course. Its paths are absolute."""

    root: Path

    @classmethod
    def at(cls, folder: str | Path) -> Course:
        return cls(Path(folder).expanduser().resolve())

    def check_path(self) -> None:
        """Raise CourseError if nbgrader would misread the course's path."""
        if match := re.search(r"%[0-9A-Fa-f]{2}", str(self.root)):
            raise CourseError(
                f"the path of a course can't have {match[0]} in it: in the address of nbgrader's "
                f"gradebook that means another sign; call {self.root} otherwise"
            )
        if signs := sorted(set("?*[") & set(str(self.root))):
            raise CourseError(
                f"the path of a course can't have {' or '.join(signs)} in it: nbgrader takes that "
                f"for a pattern, and its gradebook's address ends at ?; call {self.root} otherwise"
            )

    def source(self, name: str, notebook: str = "") -> Path:
        """Return the path of a problem set's notebook.

        Without `notebook`, it is the notebook with the set's name. The methods below do the same.
        """
        return self.root / "source" / name / f"{notebook or name}.ipynb"

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the problem sets in `source`, sorted.

        Hidden folders, such as editors make, are left out.
        """
        names = {path.parent.name for path in (self.root / "source").glob("*/*.ipynb")}
        return tuple(sorted(name for name in names if not name.startswith(".")))

    def notebooks(self, name: str) -> tuple[str, ...]:
        """Return the names of the notebooks in a problem set's source, in alphabetical order."""
        paths = (self.root / "source" / name).glob("*.ipynb")
        return tuple(sorted(path.stem for path in paths if not path.name.startswith(".")))

    def template(self, name: str) -> Path:
        """Return the folder of a set with placeholders, from which `vary` makes its source."""
        return self.root / "templates" / name

    def released(self, name: str, notebook: str = "") -> Path:
        return self.root / "release" / name / f"{notebook or name}.ipynb"

    @property
    def release_each(self) -> Path:
        """The folder of students' own variants, a folder for each student."""
        return self.root / "release-each"

    def released_to(self, student: str, name: str, notebook: str = "") -> Path:
        """Return the path of a student's own variant of a released notebook."""
        return self.release_each / student / name / f"{notebook or name}.ipynb"

    def submitted(self, student: str, name: str, notebook: str = "") -> Path:
        return self.root / "submitted" / student / name / f"{notebook or name}.ipynb"

    def autograded(self, student: str, name: str, notebook: str = "") -> Path:
        return self.root / "autograded" / student / name / f"{notebook or name}.ipynb"

    def feedback(self, student: str, name: str, notebook: str = "") -> Path:
        return self.root / "feedback" / student / name / f"{notebook or name}.html"

    def report(self, name: str, suffix: str = ".html") -> Path:
        return self.root / "report" / f"{name}{suffix}"

    @property
    def private(self) -> Path:
        return self.root / ".autograder"

    def master(self, name: str) -> Path:
        """Return the file of `release` for grading: the cells with their hidden tests."""
        return self.private / "released" / f"{name}.json"

    def varied(self, name: str) -> Path:
        """Return the file of the values that `vary` drew for a problem set, and their source."""
        return self.private / "varied" / f"{name}.json"

    @property
    def lock(self) -> Path:
        """The lock that a command holds while it writes to the course."""
        return self.private / "lock"

    @property
    def people(self) -> Path:
        """The file of the list of the class that the teacher gave last."""
        return self.private / "people.json"

    @property
    def extensions(self) -> Path:
        """The folder of extensions, a file for each problem set."""
        return self.private / "extensions"

    @property
    def sets(self) -> tuple[str, ...]:
        """The problem sets that have been released, by name."""
        return tuple(sorted(path.stem for path in (self.private / "released").glob("*.json")))

    def collected(self, name: str) -> Path:
        """Return the file of data about each submission of a set, such as its time and notes."""
        return self.private / "collected" / f"{name}.json"

    def refused(self, name: str) -> Path:
        """Return the file of entries that could not be given to any student."""
        return self.private / "refused" / f"{name}.json"

    def groups(self, name: str) -> Path:
        """Return the file of the groups that hand in a problem set together."""
        return self.private / "groups" / f"{name}.json"

    def comments(self, name: str) -> Path:
        """Return the teacher's file of comments to reuse for a problem set."""
        return self.root / "comments" / f"{name}.toml"

    @property
    def formulas(self) -> Path:
        """The formulas of released problem sets, as they are drawn on pages."""
        return self.private / "formulas.json"

    def results(self, name: str) -> Path:
        return self.private / "results" / name

    def result(self, student: str, name: str) -> Path:
        return self.results(name) / f"{student}.json"

    def first_runs(self, name: str) -> Path:
        """Return the folder of sealed first runs, which lasts while a class is graded."""
        return self.private / "first_runs" / name

    @property
    def config_file(self) -> Path:
        return self.root / "nbgrader_config.py"

    @cached_property
    def loaded(self) -> tuple[tuple[Path, Any], ...]:
        """The configuration files that nbgrader reads for the course, the strongest last.

        Each comes with its content, a traitlets `Config`. Raises CourseError if one can't be read.
        """
        from autograder.classroom.course import search_path

        try:
            return tuple(search_path.load(self.root))
        except Exception as error:
            path = getattr(error, "filename", "") or self.config_file
            raise CourseError(f"{path} can't be read: {error!r}") from error

    @cached_property
    def config(self) -> Any:
        """The course's nbgrader configuration, a traitlets `Config`."""
        from traitlets.config.loader import Config

        merged = Config()
        for _, config in self.loaded:
            merged.merge(config)
        return merged

    @cached_property
    def settings(self) -> str:
        """A digest of the configuration: its rule for late work, for example, affects grades."""
        digest = hashlib.sha256()
        for path, _ in self.loaded:
            digest.update(path.read_bytes())
        return digest.hexdigest()

    @property
    def database(self) -> str:
        """The gradebook's URL: the configured one, or SQLite in the course folder."""
        default = f"sqlite:///{self.root / 'gradebook.db'}"
        return self.config.CourseDirectory.get("db_url", default) or default

    @property
    def course_id(self) -> str:
        return self.config.CourseDirectory.get("course_id", "") or "default_course"

    @property
    def zone(self) -> ZoneInfo | None:
        """The zone of times that are written without one, if `Exchange.timezone` names it.

        Raises CourseError if there is no zone of that name.
        """
        name = self.config.Exchange.get("timezone", "")
        try:
            return ZoneInfo(name) if name else None
        except (OSError, ValueError, KeyError) as error:
            raise CourseError(
                f"Exchange.timezone: there is no time zone {name!r}; write a name such as "
                f"'Europe/Vienna' into {self.config_file}"
            ) from error

    @property
    def secret_file(self) -> Path:
        return self.private / "secret"

    @property
    def has_secret(self) -> bool:
        return self.secret_file.exists()

    def secret(self) -> bytes:
        """Return `SECRET_BYTES` that only the teacher's account can read; make them on first use.

        Raises CourseError if the file has fewer bytes.
        """
        path = self.secret_file
        self.private.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            write_atomically(path, secrets.token_bytes(SECRET_BYTES), mode=0o600)
        value = path.read_bytes()
        if len(value) < SECRET_BYTES:
            problem = f"it has {len(value)} bytes, {SECRET_BYTES} are needed"
            raise CourseError(f"{path} is damaged: {problem}")
        return value
