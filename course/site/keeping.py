"""What a build keeps for the next: nothing is made again that would come out as it is."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path

from filelock import FileLock, Timeout

HERE = Path(__file__).parent
KEPT = HERE / ".kept"


@contextmanager
def in_turn() -> Iterator[None]:
    """Only one build at a time uses what is kept: another waits, and says so."""
    KEPT.mkdir(exist_ok=True)
    lock = FileLock(KEPT / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("Another build is running: this one begins when that has ended.", file=sys.stderr)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def fingerprint(*folders: Path) -> str:
    """Of the files in the folders, and of all packages that are installed."""
    found = hashlib.sha256()
    for package in sorted(f"{d.name} {d.version}" for d in distributions()):
        found.update(package.encode())
    for folder in folders:
        found.update(contents(folder, files(folder)).encode())
    return found.hexdigest()


def files(folder: Path) -> list[Path]:
    """All in a folder but what is kept there, and compiled."""
    return [path for path in folder.rglob("*") if path.is_file() and _counts(path, folder)]


def contents(folder: Path, paths: Iterable[Path]) -> str:
    """Of some files in a folder: their names, and what they hold; of one that is gone, its name."""
    found = hashlib.sha256()
    for path in sorted(set(paths)):
        found.update(f"\n{path.relative_to(folder)}\n".encode())
        found.update(path.read_bytes() if path.exists() else b"")
    return found.hexdigest()


def _counts(path: Path, folder: Path) -> bool:
    inside = path.relative_to(folder).parts
    return KEPT.name not in inside and "__pycache__" not in inside


def made_once(place: Path, key: str, make: Callable[[Path], object]) -> Path:
    """A folder in `place` that `make` has filled under this key; one of another key goes."""
    folder = place / key
    if not folder.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=place) as begun:
            make(Path(begun))
            Path(begun).rename(folder)
            Path(begun).mkdir()  # for the end of the block, which takes it away
    return folder


def mirror(source: Path, there: Path) -> None:
    """Make `there` like `source`; a file that is like it already keeps its time of change."""
    wanted = {path.relative_to(source): path for path in source.rglob("*") if path.is_file()}
    for path in list(there.rglob("*")):
        if path.is_file() and path.relative_to(there) not in wanted:
            path.unlink()
    for name, path in wanted.items():
        copy = there / name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


@contextmanager
def whole_or_gone(place: Path, key: str) -> Iterator[Path]:
    """The folder that `place` keeps under this key, or an empty one; one of another key goes.

    Only where the block ends well is it kept on: what was warned of is warned of again.
    """
    folder, begun = place / key, place / "begun"
    shutil.rmtree(begun, ignore_errors=True)
    if folder.exists():
        folder.rename(begun)
    for other in place.glob("*"):
        if other != begun:
            shutil.rmtree(other)
    begun.mkdir(parents=True, exist_ok=True)
    yield begun
    begun.rename(folder)
