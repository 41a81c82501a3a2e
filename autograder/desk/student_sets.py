"""Our problem sets as students get them.

In the repository they are made from the sources. A wheel of dplab has them in
`autograder/released`, where its build puts them. The sources, with solutions and hidden tests, stay
in the repository.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.course.cell_metadata import CELLS, followed_in
from autograder.classroom.course.folders import CourseError
from autograder.classroom.sets.materials import NOTED, digest_of
from autograder.desk.strip_solutions import check_given, stripped

_HERE = Path(__file__).resolve().parents[1]
SOURCES = _HERE.parent / "assignments"
RELEASED = _HERE / "released"


def folder() -> Path:
    """Return the folder of the released sets in a wheel, or of the sources in the repository."""
    return RELEASED if RELEASED.is_dir() else SOURCES


def files() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file: names as `ps03/ps03.ipynb`, with a slash everywhere.

    Raises CourseError if there are none. Raises it with the file's name if students can't get it.
    """
    places = sorted(folder().glob("*/"))
    if not places:
        raise CourseError("this installation has no problem sets; install dplab again")
    for place in places:
        yield from _read_files(place) if place.parent == RELEASED else _release_source(place)


def _read_files(place: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place.parent).as_posix()
        if path.is_file() and "/." not in name and "__pycache__" not in name:
            yield name, path.read_bytes()


def _release_source(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield a source's other files, and its notebooks without solutions.

    The notebooks' metadata have the digests of the other files.
    """
    sources = dict(_read_files(place))
    notebooks = [name for name in sources if name.endswith(".ipynb")]
    others = {name: content for name, content in sources.items() if name not in notebooks}
    digests = {name.partition("/")[2]: digest_of(content) for name, content in others.items()}
    for name, content in sources.items():
        try:
            if name in others:
                check_given("it", content.decode("utf-8", errors="replace"))
                yield name, content
                continue
            notebook = stripped(json.loads(content))
        except ValueError as error:
            raise CourseError(f"{SOURCES / name}: {error}") from None
        notebook["metadata"][CELLS] = followed_in(notebook)
        if digests:
            notebook["metadata"][NOTED] = digests
        yield name, _as_bytes(notebook)


def _as_bytes(notebook: dict) -> bytes:
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    return (text + "\n").encode("utf-8")
