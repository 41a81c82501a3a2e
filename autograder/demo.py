"""The demo: release a problem set, grade the sample class, write feedback and a report."""

from __future__ import annotations

import copy
import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError

if TYPE_CHECKING:
    from rich.console import Console

NAME = "ps03"
CELL_SECONDS = 3.0  # instead of 10: only the endless answer takes longer; all wait for it
SAMPLE_CLASS = Path(__file__).resolve().parent / "sample_class"
_CELL = re.compile(r"^# %% (.+)\n", re.MULTILINE)


def run(console: Console, folder: Path | None, jobs: int | None) -> None:
    """Run the demo and print its steps. Raises CourseError if `folder` isn't empty."""
    from autograder.classroom.releasing.release import release
    from autograder.classroom.sets.assignment import load
    from autograder.pages.feedback import write_feedback
    from autograder.pages.report import write_report
    from autograder.sandbox.probing import Probe
    from autograder.session import Session
    from autograder.wire.contract import Limits

    start_time = time.perf_counter()
    with Probe() as probe:  # a student process warms up meanwhile
        course = Course.at(_new_folder(folder))
        console.print(f"The course is in {course.root}", style="bold")
        release(course, NAME)
        console.print(f"Released {NAME}: {course.released(NAME)}")
        submissions_folder = course.root / "handed-in"
        students = hand_in(course, submissions_folder)
        console.print(f"{len(students)} students handed in {NAME}: {submissions_folder}\n")
        limits = Limits(cell_seconds=CELL_SECONDS)
        session = Session(course, NAME, submissions_folder, limits, jobs=jobs, weak_allowed=True)
        session.grade(console, probe)
    assignment = load(course, NAME)
    pages = list(write_feedback(course, assignment))
    page, table, *_ = write_report(course, assignment)
    console.print(f"\nThe demo took {time.perf_counter() - start_time:.0f} seconds. Now open:\n")
    console.print(f"  {page}\n      the class report (the points as a table: {table.name})")
    other_pages = f"the other {len(pages) - 1} pages are in the folders beside it"
    console.print(f"  {pages[0]}\n      one student's page of feedback; {other_pages}")
    console.print(f"  {course.released(NAME)}\n      the problem set as students get it")


def _new_folder(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="dplab-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CourseError(f"{folder} isn't empty; name a new or an empty folder for the demo")
    return folder


def hand_in(course: Course, target: Path) -> list[str]:
    """Write the sample class's submissions in the layouts of real classes; return their names."""
    released = json.loads(course.released(NAME).read_text(encoding="utf-8"))
    answers = {path.stem: sample(path) for path in sorted(SAMPLE_CLASS.glob("*.txt"))}
    notebooks = {name: filled_in(released, cells) for name, cells in answers.items()}
    files = {name: (f"{name}/{NAME}/{NAME}.ipynb", _encode(n)) for name, n in notebooks.items()}
    files["nora"] = (f"nora/{NAME}.ipynb", _encode(released))  # no answer is filled in
    for name, (source, path, encode_changed) in _CHANGED_SUBMISSIONS.items():
        files[name] = (path, encode_changed(notebooks[source]))
    for path, data in files.values():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    shutil.make_archive(str(target), "zip", target)
    return sorted(files)


def sample(path: Path) -> dict[str, str]:
    """Return one student's answers: the text below each `# %% NAME` line, by name."""
    parts = _CELL.split(path.read_text(encoding="utf-8"))
    return {name: text.strip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def filled_in(released: dict, answers: dict[str, str]) -> dict:
    """Return the released notebook with answers in its solution cells, and the student's own cells.

    An answer `extra after NAME` becomes a code cell, `markdown after NAME` a text cell.
    """
    notebook = copy.deepcopy(released)
    cells = []
    for cell in notebook["cells"]:
        name = CellMetadata.of(cell).grade_id
        if name in answers:
            cell["source"] = answers[name]
        cells.append(cell)
        for kind, make_cell in (("extra", _make_code_cell), ("markdown", _make_text_cell)):
            if (text := answers.get(f"{kind} after {name}")) is not None:
                cells.append(make_cell(text))
    notebook["cells"] = cells
    return notebook


def _make_code_cell(text: str) -> dict:
    cell: dict = {"cell_type": "code", "outputs": [], "execution_count": None}
    return {**cell, "id": "own-code", "metadata": {}, "source": text}


def _make_text_cell(text: str) -> dict:
    return {"cell_type": "markdown", "id": "own-text", "metadata": {}, "source": text}


def _encode(notebook: dict) -> bytes:
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode("utf-8")


def _save_in_old_editor(notebook: dict) -> bytes:
    """Add a byte-order mark and Windows line ends, in the file and within the cells."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")
    return b"\xef\xbb\xbf" + _encode(notebook).replace(b"\n", b"\r\n")


def _cut_in_half(notebook: dict) -> bytes:
    data = _encode(notebook)
    return data[: len(data) // 2]


def _remove_test(notebook: dict) -> bytes:
    """Delete a test, and take nbgrader's metadata and the id from a solution cell."""
    notebook = copy.deepcopy(notebook)
    cells = {CellMetadata.of(cell).grade_id: cell for cell in notebook["cells"]}
    notebook["cells"].remove(cells["debias_values"])
    cells["output_law"]["metadata"] = {}
    cells["output_law"]["id"] = "lost"
    return _encode(notebook)


# student: the student whose answers are copied, the file, the function that changes the notebook
_CHANGED_SUBMISSIONS: dict[str, tuple[str, str, Callable[[dict], bytes]]] = {
    "kurt": ("bela", "kurt.ipynb", _cut_in_half),
    "milo": ("bela", "milo/ps03 (1).ipynb", _save_in_old_editor),
    "otto": ("chen", f"otto/{NAME}.ipynb", _remove_test),
}
