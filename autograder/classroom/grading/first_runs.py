"""Seal and save first runs of submissions until the class has them all.

All that students see comes from first runs. Grading makes all first runs of a class before the
first hidden test begins. So nothing that a hidden run learns can reach a page of the same class by
any channel. The course folder keeps the first runs, so an interrupted grading does not repeat them.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import pickle
from collections.abc import Sequence
from pathlib import Path

from autograder.classroom.course.folders import Course, write_atomically
from autograder.examiner.reports import FirstRun

Subject = Sequence[str]  # what a seal is valid for: submission, problem set, content, rules
_HASH = hashlib.sha256
_SEAL_BYTES = _HASH().digest_size


def seal(runs: Sequence[FirstRun | None], subject: Subject, secret: bytes) -> bytes:
    """Return the runs as bytes that nobody can change without the course's secret."""
    data = pickle.dumps(tuple(runs))
    return _seal_of(data, subject, secret) + data


def is_sealed(sealed: bytes, subject: Subject, secret: bytes) -> bool:
    """Return whether these are first runs of exactly this submission, unchanged."""
    own_seal, data = sealed[:_SEAL_BYTES], sealed[_SEAL_BYTES:]
    return hmac.compare_digest(own_seal, _seal_of(data, subject, secret))


def unseal(sealed: bytes, subject: Subject, secret: bytes) -> tuple[FirstRun | None, ...] | None:
    """Return the runs, or None if the seal is broken; then they are made again."""
    if not is_sealed(sealed, subject, secret):
        return None
    return pickle.loads(sealed[_SEAL_BYTES:])  # safe: the seal proves that this course wrote it


def _seal_of(data: bytes, subject: Subject, secret: bytes) -> bytes:
    parts = ["first runs", *subject, _HASH(data).hexdigest()]
    return hmac.digest(secret, json.dumps(parts).encode(), _HASH)


class KeptRuns:
    """The sealed first runs of a problem set in the course folder."""

    def __init__(self, course: Course, name: str) -> None:
        self._folder = course.first_runs(name)

    def read(self, student: str) -> bytes:
        """Return the sealed runs, or b"" if there are none."""
        try:
            return self._path(student).read_bytes()
        except OSError:
            return b""

    def save(self, student: str, sealed: bytes) -> None:
        write_atomically(self._path(student), sealed, mode=0o600)

    def remove(self, student: str) -> None:
        self._path(student).unlink(missing_ok=True)

    def remove_folder_if_empty(self) -> None:
        """Remove the folder if it is empty."""
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def _path(self, student: str) -> Path:
        return self._folder / f"{student}.runs"
