"""First runs of submissions, sealed and kept until those of the whole class are made.

All that students see comes from first runs. Grading makes those of the whole class before the
first hidden test begins, so nothing that a hidden run learns can reach a page of the same class,
by whatever channel. The course folder keeps them: an interrupted grading goes on with its hidden
runs, and makes no first run again.
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

Subject = Sequence[str]  # all that a seal holds for: submission, problem set, content, rules
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
    """Return the runs, or None where the seal is broken: then both runs have to be made."""
    if not is_sealed(sealed, subject, secret):
        return None
    return pickle.loads(sealed[_SEAL_BYTES:])  # only somebody with the secret wrote it


def _seal_of(data: bytes, subject: Subject, secret: bytes) -> bytes:
    parts = ["first runs", *subject, _HASH(data).hexdigest()]
    return hmac.digest(secret, json.dumps(parts).encode(), _HASH)


class KeptRuns:
    """The sealed first runs of a problem set in the course folder."""

    def __init__(self, course: Course, name: str) -> None:
        self._folder = course.first_runs(name)

    def read(self, student: str) -> bytes:
        """Return the sealed runs, b"" where there are none."""
        try:
            return self._path(student).read_bytes()
        except OSError:
            return b""

    def save(self, student: str, sealed: bytes) -> None:
        write_atomically(self._path(student), sealed, mode=0o600)

    def forget(self, student: str) -> None:
        self._path(student).unlink(missing_ok=True)

    def tidy_up(self) -> None:
        """Remove the folder where nothing is in it any more."""
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def _path(self, student: str) -> Path:
        return self._folder / f"{student}.runs"
