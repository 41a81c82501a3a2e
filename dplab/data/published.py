"""Published files that are no part of the project: where they are looked for, and how known.

A file is looked for in the folder that the environment variable DPLAB_DATA names, then in the
subfolder of its data set there, then in pooch's cache; only then is it downloaded. Wherever it
comes from, its SHA-256 must be the known one.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from dplab import optional


class DataMissing(FileNotFoundError):
    """A published file is nowhere at hand, or what is there is another file."""


@dataclass(frozen=True)
class PublishedFile:
    """One file: its data set's folder, its name, where it is published, and its SHA-256."""

    folder: str
    name: str
    url: str
    sha256: str

    def at_hand(self) -> Path | None:
        """Where the file can be read without a download, None if nowhere.

        Raises DataMissing if a file of this name is another one.
        """
        for path in (place / self.name for place in places(self.folder)):
            if path.is_file():
                if hashlib.sha256(path.read_bytes()).hexdigest() != self.sha256:
                    raise DataMissing(f"{path} is not the published file: its SHA-256 is another")
                return path
        return None

    def path(self) -> Path:
        """Where the file is, after a download if need be; raises DataMissing if there is none."""
        return self.at_hand() or self._download()

    def _download(self) -> Path:
        pooch = optional.load("pooch", f"A download of {self.name}")
        try:
            found = pooch.retrieve(self.url, self.sha256, fname=self.name, path=cache())
        except (OSError, ValueError) as error:
            raise DataMissing(
                f"{self.name} is not at hand and can't be had from {self.url} "
                f"({type(error).__name__}): put it into a folder, and the folder's path into the "
                f"environment variable DPLAB_DATA"
            ) from error
        return Path(found)


def places(folder: str) -> list[Path]:
    """Where the files of a data set are looked for, in this order."""
    given = os.environ.get("DPLAB_DATA")
    downloaded = [] if optional.IN_A_BROWSER else [cache()]
    return [*([Path(given), Path(given) / folder] if given else []), *downloaded]


def cache() -> Path:
    """The folder for what was downloaded once."""
    pooch = optional.load("pooch", "A file that is downloaded")
    return Path(pooch.os_cache("dplab"))
