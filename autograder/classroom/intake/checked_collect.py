"""Collect from nbgrader's exchange without trusting names and links in the submissions.

Students write to the exchange themselves. nbgrader takes the student's name from the name of a
folder, and it follows links with the rights of the teacher: a link could hand in the solution.
"""

from __future__ import annotations

import datetime
import os
import pwd
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

_KIBIBYTE = 1000  # as nbgrader counts in `max_dir_size`


class CheckedCollect(ExchangeCollect):
    """nbgrader's `collect`, for which a submission is the work of the user who owns it."""

    src_records: list[dict[str, Any]]

    def ensure_root(self) -> None:
        """Accept an exchange whose own folder is not writable for all."""

    def init_src(self) -> None:
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Return nbgrader's record with the name of the owner, or with the name "" if it has none.

        A folder without an owner or a time is left out, and does not stop the others.
        """
        try:
            status = os.lstat(path)
            if not stat.S_ISDIR(status.st_mode):
                raise ValueError("it is no folder")
            owner = pwd.getpwuid(status.st_uid).pw_name
            record: dict[str, Any] = super()._path_to_record(path)
        except Exception as error:  # a name can hold anything in the place of a time
            self.log.error("%s was not collected: %s", path, error)
            return {"username": "", "filename": "", "timestamp": datetime.datetime.min}
        if record["username"] != owner:
            message = "%s has the name of %s, but %s made it; it is collected for %s"
            self.log.warning(message, path, record["username"], owner, owner)
        return record | {"username": owner}

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy a submission without following links; leave it out if it has any."""
        limit_bytes = _KIBIBYTE * self.coursedir.max_dir_size
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "submission")
            try:
                copy_own_files(Path(src), copy, limit_bytes)
            except (OSError, ValueError) as error:
                self.log.error("%s was not collected: %s", src, error)
                return
            super().do_copy(str(copy), dest, log)


def copy_own_files(source: Path, target: Path, limit_bytes: int) -> None:
    """Copy a folder whose files all belong to its owner.

    Raises ValueError for a link, for a file that is no ordinary file or belongs to another user,
    and for more than `limit_bytes`. No change during the copy can lead out of the folder.
    """
    top = os.open(source, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        owner = os.fstat(top).st_uid
        for folder, folders, files, handle in os.fwalk(".", dir_fd=top, follow_symlinks=False):
            Path(target, folder).mkdir(mode=0o755)
            for name in folders:
                _check(
                    os.stat(name, dir_fd=handle, follow_symlinks=False), owner, name, is_file=False
                )
            for name in files:
                limit_bytes -= _copy_file(name, handle, owner, Path(target, folder, name))
                if limit_bytes < 0:
                    raise ValueError("it is too large")
    finally:
        os.close(top)


def _copy_file(name: str, folder: int, owner: int, target: Path) -> int:
    """Copy a file in an open folder, and return its size in bytes."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
        status = os.fstat(file.fileno())
        _check(status, owner, name, is_file=True)
        with target.open("wb") as copy:
            shutil.copyfileobj(file, copy)
            return copy.tell()


def _check(status: os.stat_result, owner: int, name: str, is_file: bool) -> None:
    is_right = stat.S_ISREG if is_file else stat.S_ISDIR
    if not is_right(status.st_mode):
        raise ValueError(f"{name} is a link or no ordinary file")
    if status.st_uid != owner:
        raise ValueError(f"{name} belongs to another user")
