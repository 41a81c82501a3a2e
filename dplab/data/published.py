"""Published files that are not part of the project: where to find them, and their SHA-256.

The loader looks for a file in the folder that the environment variable DPLAB_DATA names, then in
the subfolder of its data set there, then in pooch's cache. Only then does it download the file. Its
SHA-256 must always be the known one.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from dplab import optional


class DataMissing(FileNotFoundError):
    """An error: a published file is not at hand, or the file there is a different one."""


@dataclass(frozen=True)
class PublishedFile:
    """One file: its data set's folder, its name, where it is published, and its SHA-256."""

    folder: str
    name: str
    url: str
    sha256: str

    def at_hand(self) -> Path | None:
        """Return the path of a local copy of the file; None if there is none.

        Raises DataMissing if a file of this name has another SHA-256.
        """
        for path in (place / self.name for place in places(self.folder)):
            if path.is_file():
                if hashlib.sha256(path.read_bytes()).hexdigest() != self.sha256:
                    raise DataMissing(f"{path} is not the published file: its SHA-256 is another")
                return path
        return None

    def path(self) -> Path:
        """Return the path of the file, downloaded if needed; raises DataMissing if that fails."""
        return self.at_hand() or self._download()

    def _download(self) -> Path:
        pooch = optional.load("pooch", f"A download of {self.name}")
        try:
            path = pooch.retrieve(self.url, self.sha256, fname=self.name, path=cache())
        except (OSError, ValueError) as error:
            raise DataMissing(
                f"{self.name} is not at hand and can't be had from {self.url} "
                f"({type(error).__name__}): put it into a folder, and the folder's path into the "
                f"environment variable DPLAB_DATA"
            ) from error
        return Path(path)


def places(folder: str) -> list[Path]:
    """List the folders in which to look for the files of a data set, in this order."""
    data_folder = os.environ.get("DPLAB_DATA")
    caches = [] if optional.IN_A_BROWSER else [cache()]
    return [*([Path(data_folder), Path(data_folder) / folder] if data_folder else []), *caches]


def cache() -> Path:
    """Return the folder of downloaded files."""
    pooch = optional.load("pooch", "A file that is downloaded")
    return Path(pooch.os_cache("dplab"))
