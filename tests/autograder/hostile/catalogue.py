"""What the catalogue of submissions is made of.

Each module beside this one has a kind of submissions: short functions that make what is handed in.
The name of the function is the student's, its docstring says what is tried, and `points` are what
the submission deserves, of the six of `tiny` that need no human (double 1 + 2, mean 3).
"""

from __future__ import annotations

import copy
import importlib
import textwrap
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from autograder.classroom.course.folders import Course
from autograder.classroom.sets.assignment import text_of
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

KINDS = (
    "resources", "crashes", "forgery", "cheats", "derandomised", "oracles", "leaks", "tampering",
    "meddling", "archives", "links", "rendering", "unlucky", "verdicts", "helpers", "backflow",
    "channels", "hogs", "unfair", "invented",
)  # fmt: skip
MOST = {"tiny": 6, "ps03": 100, "oracle": 3, "parts": 9}  # points by tests, of each problem set
WRONG = "def double(x):\n    return -1\n"


@dataclass(frozen=True)
class Desk:
    """What a student has before them. `course` is where it really lies: a student may know that."""

    released: dict
    course: Course
    solutions: dict[str, str] = field(default_factory=lambda: SOLUTIONS)

    def answered(self, **answers: str) -> dict:
        """The released notebook with right answers, but for these."""
        given = {name: textwrap.dedent(text).strip("\n") for name, text in answers.items()}
        notebook = answered(self.released, self.solutions | given)
        for cell in notebook["cells"]:
            cell["source"] = text_of(cell["source"])
        return notebook

    def with_cell(self, source: str, at: int | None = None, **answers: str) -> dict:
        """An answered notebook with a code cell of the student's own, at the end or before `at`."""
        notebook = self.answered(**answers)
        cell = own_cell("code", textwrap.dedent(source).strip("\n"))
        notebook["cells"].insert(len(notebook["cells"]) if at is None else at, cell)
        return notebook


def own_cell(kind: str, source: str, **more: object) -> dict:
    """A cell that the released notebook doesn't have."""
    made = {"cell_type": kind, "metadata": {}, "source": source}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {}) | more


def cell_of(notebook: dict, name: str) -> dict:
    """The cell of a released notebook with this grade_id."""
    cells = notebook["cells"]
    return next(c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == name)


@dataclass(frozen=True)
class Submission:
    """One student's work. `file` is where it lies in what the class handed in, and `put` how it
    came there, if not as an ordinary entry of a zip (kind "archives") or a folder ("links").
    It gets `points`, or by chance `luck` more.
    """

    name: str
    kind: str
    tries: str
    points: float
    make: Callable[[Desk], dict | bytes]
    problem_set: str
    file: str
    put: Callable | None
    luck: float = 0

    @property
    def student(self) -> str:
        return self.file.replace("\\", "/").partition("/")[0].removesuffix(".ipynb")

    def data(self, desk: Desk) -> bytes:
        made = self.make(copy.deepcopy(desk))
        return made if isinstance(made, bytes) else as_bytes(made)

    def __reduce__(self) -> tuple:
        """Pickled by name: how it is made can't be."""
        return entry, (self.name,)


_all: list[Submission] = []


def submission(
    points: float,
    problem_set: str = "tiny",
    file: str = "",
    put: Callable | None = None,
    luck: float = 0,
) -> Callable:
    """Enter the function below into the catalogue."""

    def enter(make: Callable[[Desk], dict | bytes]) -> Callable:
        kind = make.__module__.rpartition(".")[2]
        place = file or f"{make.__name__}/{problem_set}/{problem_set}.ipynb"
        tries = " ".join(make.__doc__.split())
        _all.append(
            Submission(make.__name__, kind, tries, points, make, problem_set, place, put, luck)
        )
        return make

    return enter


def family(
    kind: str,
    points: float,
    make: Callable[..., dict],
    table: dict[str, tuple],
    succeeded: Collection[str] | None = None,
    **more: object,
) -> None:
    """Enter one submission for each name: what it tries, and what `make` makes it of. Those that
    `succeeded` against the grader before hidden tests had a run of their own say so.
    """
    for name, (tries, *parts) in table.items():
        if succeeded is not None:
            seen = "Succeeded before." if name in succeeded else "Failed before, too."
            tries = f"{tries} {seen}"

        def made(desk: Desk, parts: list = parts) -> dict | bytes:
            return make(desk, *parts)

        made.__name__, made.__doc__, made.__module__ = name, tries, kind
        submission(points, **more)(made)


def all_submissions() -> tuple[Submission, ...]:
    """The whole catalogue, kind by kind."""
    for kind in KINDS:
        importlib.import_module(f"{__package__}.{kind}")
    return tuple(sorted(_all, key=lambda found: KINDS.index(found.kind)))


def entry(name: str) -> Submission:
    """The submission of this name."""
    return next(found for found in all_submissions() if found.name == name)
