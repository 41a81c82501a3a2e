"""A course folder: nbgrader's own layout, and `.autograder/` for what only the grader may read."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


class CourseError(Exception):
    """Something the teacher can put right; the message says what and how."""


EXCHANGE_FILES = ("timestamp.txt", "submission_secret.txt")  # nbgrader's, beside a notebook
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def check_name(name: str) -> str:
    """Return the name if it can be that of a folder and of an nbgrader assignment."""
    if not NAME.fullmatch(name):
        raise CourseError(
            f"{name!r} can't be the name of a problem set: allowed are letters, digits, "
            "'-', '_' and '.', at most 64 of them, beginning with a letter or digit"
        )
    return name


def write_atomically(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Put the whole content at `path`, or leave what was there: a reader never sees a part."""
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


@dataclass(frozen=True)
class Course:
    """The folder of one course. Its paths are absolute."""

    root: Path

    @classmethod
    def at(cls, folder: str | Path) -> Course:
        return cls(Path(folder).expanduser().resolve())

    def source(self, name: str) -> Path:
        return self.root / "source" / name / f"{name}.ipynb"

    def released(self, name: str) -> Path:
        return self.root / "release" / name / f"{name}.ipynb"

    def submitted(self, student: str, name: str) -> Path:
        return self.root / "submitted" / student / name / f"{name}.ipynb"

    def autograded(self, student: str, name: str) -> Path:
        return self.root / "autograded" / student / name / f"{name}.ipynb"

    def feedback(self, student: str, name: str) -> Path:
        return self.root / "feedback" / student / name / f"{name}.html"

    def report(self, name: str, suffix: str = ".html") -> Path:
        return self.root / "report" / f"{name}{suffix}"

    @property
    def private(self) -> Path:
        return self.root / ".autograder"

    def master(self, name: str) -> Path:
        """What `release` keeps for grading: the cells with their hidden tests."""
        return self.private / "released" / f"{name}.json"

    @property
    def formulas(self) -> Path:
        """The formulas of released problem sets, as they are drawn on pages."""
        return self.private / "formulas.json"

    def results(self, name: str) -> Path:
        return self.private / "results" / name

    def result(self, student: str, name: str) -> Path:
        return self.results(name) / f"{student}.json"

    @property
    def config_file(self) -> Path:
        return self.root / "nbgrader_config.py"

    @cached_property
    def config(self):
        """The course's nbgrader configuration, a traitlets `Config`."""
        from traitlets.config.loader import Config, PyFileConfigLoader

        if not self.config_file.exists():
            return Config()
        try:
            return PyFileConfigLoader(self.config_file.name, path=str(self.root)).load_config()
        except Exception as error:
            raise CourseError(f"{self.config_file} can't be read: {error!r}") from error

    @cached_property
    def settings(self) -> str:
        """A digest of the configuration: what it says of late work, say, is part of every grade."""
        text = self.config_file.read_bytes() if self.config_file.exists() else b""
        return hashlib.sha256(text).hexdigest()

    @property
    def database(self) -> str:
        """The gradebook's URL: SQLite in the course folder, or what the configuration says."""
        default = f"sqlite:///{self.root / 'gradebook.db'}"
        return self.config.CourseDirectory.get("db_url", default) or default

    @property
    def course_id(self) -> str:
        return self.config.CourseDirectory.get("course_id", "") or "default_course"

    def secret(self) -> bytes:
        """32 bytes that only the teacher's account can read, made when they are first asked for."""
        path = self.private / "secret"
        self.private.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            write_atomically(path, secrets.token_bytes(32), mode=0o600)
        value = path.read_bytes()
        if len(value) < 32:
            raise CourseError(f"{path} is damaged: it has {len(value)} bytes, 32 are needed")
        return value
