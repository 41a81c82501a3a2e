"""Turn bytes that a student handed in into plain cells, with a note on each repair.

The file's points, tests and roles are ignored, because a student may have changed them. Only a
cell's kind, text, claimed grade_id, id and pasted pictures are kept.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import re
from dataclasses import dataclass

SIZE_LIMIT = 32 << 20  # bytes of one notebook; honest ones have a few megabytes of figures
MAX_CELLS = 2_000
MAX_CHARACTERS = 4_000_000  # characters of all cells; outputs and pictures don't count
MAX_VALUES = 2_000_000  # lists and dicts in a file; each takes memory
MAX_NOTE_CHARACTERS = 2_000


@dataclass(frozen=True)
class Note:
    """Something about a submission that its student and its teacher should know.

    The teacher reads `teachers_text` instead of the message, if there is one. It may name another
    student, so its student never sees it.
    """

    kind: str
    message: str
    needs_teacher: bool = False
    notebook: str = ""  # the notebook that it is about, in a set that has several
    teachers_text: str = ""

    def __post_init__(self) -> None:
        """Shorten the message, and replace characters that a file, page or terminal can't show."""
        for name in ("message", "teachers_text"):
            text = _printable(getattr(self, name)[:MAX_NOTE_CHARACTERS])
            object.__setattr__(self, name, text)

    @property
    def text(self) -> str:
        """The text for the teacher, with the notebook that it is about."""
        return self._with_notebook(self.teachers_text or self.message)

    @property
    def students_text(self) -> str:
        """The text for the student; "" if the note is for the teacher alone."""
        return self._with_notebook(self.message) if self.message else ""

    def _with_notebook(self, text: str) -> str:
        return f"{self.notebook}: {text}" if self.notebook else text


@dataclass(frozen=True)
class PlainCell:
    """The parts of a submitted cell that are kept."""

    cell_type: str  # "code", "markdown" or "raw"
    source: str
    claimed: str = ""  # the grade_id that it claims
    cell_id: str = ""
    attachments: dict | None = None


@dataclass(frozen=True)
class NotebookCells:
    """The cells of a notebook file. `readable` is False if it isn't a notebook at all."""

    cells: tuple[PlainCell, ...]
    notes: tuple[Note, ...]
    readable: bool = True


def unreadable(reason: str) -> Note:
    """Return the note on a submission that can't be graded at all."""
    return Note("unreadable", reason[0].upper() + reason[1:] + ".", needs_teacher=True)


class _UnreadableError(Exception):
    pass


def read(data: bytes) -> NotebookCells:
    """Read a notebook file, and repair it if its meaning is certain. Never raises."""
    notes: list[Note] = []
    try:
        text = _decode(data, notes)
        notebook = _notebook(text, notes)
        cells = _plain_cells(notebook, notes)
    except _UnreadableError as error:
        return NotebookCells((), (*notes, unreadable(str(error))), readable=False)
    return NotebookCells(tuple(cells), tuple(notes))


def _decode(data: bytes, notes: list[Note]) -> str:
    if len(data) > SIZE_LIMIT:
        raise _UnreadableError(
            f"the file is larger than {SIZE_LIMIT >> 20} MiB, the largest size that is accepted"
        )
    if not data.strip():
        raise _UnreadableError("the file is empty")
    encoding = json.detect_encoding(data)
    if encoding == "utf-8-sig":
        notes.append(Note("encoding", "The file begins with a byte-order mark; it was skipped."))
    elif encoding != "utf-8":
        notes.append(Note("encoding", f"The file is in {encoding.upper()}; it was converted."))
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode(encoding)
    for guess in ("cp1252", "latin-1"):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(guess)
            message = f"The file isn't UTF-8; it was read as {codecs.lookup(guess).name}."
            notes.append(Note("encoding", f"{message} Letters with accents may be wrong."))
            return text
    raise _UnreadableError("the file's text encoding is unknown")


# Files that students hand in instead of a notebook, by the way they begin.
_OTHER_FILES = {
    "PK": "a zip archive or an office document",
    "%PDF": "a PDF",
    "<": "a web page",
    "{\\rtf": "a rich-text document",
    "import ": "a Python script",
    "#": "a text or Python file",
    "def ": "a Python script",
}


def _notebook(text: str, notes: list[Note]) -> dict:
    text = text.lstrip("\ufeff \t\r\n")
    if text.count("[") + text.count("{") > MAX_VALUES:
        raise _UnreadableError(f"the file has more than {MAX_VALUES:,} lists in it")
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        kind = next((kind for start, kind in _OTHER_FILES.items() if text.startswith(start)), "")
        if "<<<<<<<" in text and ">>>>>>>" in text:
            kind = "a notebook with unresolved git merge conflicts"
        place = ""
        if isinstance(error, json.JSONDecodeError):
            place = f" (line {error.lineno}: {error.msg})"
        problem = f"; it looks like {kind}" if kind else place
        raise _UnreadableError(f"the file is not a notebook: it isn't JSON{problem}") from None
    if not isinstance(notebook, dict):
        raise _UnreadableError("the file is JSON, but not a notebook")
    if "cells" not in notebook and "worksheets" in notebook:
        notebook = _upgrade(notebook, notes)
    if "cells" not in notebook:
        raise _UnreadableError("the file is JSON, but has no list of cells")
    if not isinstance(notebook["cells"], list):
        raise _UnreadableError("the notebook's 'cells' is not a list")
    _check_kernel(notebook, notes)
    return notebook


def _upgrade(notebook: dict, notes: list[Note]) -> dict:
    """Convert the format of the IPython notebooks before 2015."""
    import nbformat

    try:
        old_text = json.dumps(_remove_outputs(notebook))
        new_notebook = nbformat.reads(old_text, as_version=4, capture_validation_error={})
    except Exception as error:
        reason = repr(str(error)[:200])  # it may quote the file
        raise _UnreadableError(f"the notebook's old format can't be upgraded: {reason}") from None
    version = clean_text(str(notebook.get("nbformat")))[:10]
    notes.append(Note("format", f"The notebook's format, {version}, is old; it was upgraded."))
    return json.loads(json.dumps(new_notebook))


_OLD_PARTS = ("cell_type", "input", "source", "language", "level")


def _remove_outputs(notebook: dict) -> dict:
    """Return the parts of an old notebook that are kept, and its version.

    nbformat would spend minutes on the other parts.
    """
    cells = [cell for sheet in notebook["worksheets"] for cell in sheet.get("cells", ())]
    version = {part: notebook[part] for part in ("nbformat", "nbformat_minor") if part in notebook}
    # One cell too many is kept, so that the notebook is refused.
    short_cells = [_remove_output(cell) for cell in cells[: MAX_CELLS + 1]]
    return version | {"metadata": {}, "worksheets": [{"cells": short_cells, "metadata": {}}]}


def _remove_output(cell: dict) -> dict:
    parts = {part: cell[part] for part in _OLD_PARTS if part in cell}
    metadata = {"nbgrader": {"grade_id": _find_grade_id(cell)}} if _find_grade_id(cell) else {}
    outputs: dict[str, list] = {"outputs": []} if cell.get("cell_type") == "code" else {}
    return parts | {"metadata": metadata} | outputs


def _check_kernel(notebook: dict, notes: list[Note]) -> None:
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = kernel.get("name") if isinstance(kernel, dict) else None
    if isinstance(name, str) and not name.startswith("python"):
        short_name = clean_text(name)[:60]
        notes.append(Note("kernel", f"The kernel {short_name!r} was ignored; Python was used."))


def _plain_cells(notebook: dict, notes: list[Note]) -> list[PlainCell]:
    cells = notebook["cells"]
    if len(cells) > MAX_CELLS:
        raise _UnreadableError(
            f"the notebook has {len(cells)} cells; at most {MAX_CELLS} are accepted"
        )
    plain_cells, dropped_numbers = [], []
    for number, cell in enumerate(cells, start=1):
        plain_cell = _plain_cell(cell)
        if plain_cell is None:
            dropped_numbers.append(number)
        else:
            plain_cells.append(plain_cell)
    if (size := sum(len(cell.source) for cell in plain_cells)) > MAX_CHARACTERS:
        raise _UnreadableError(
            f"its cells have {size:,} characters of text; at most {MAX_CHARACTERS:,} are accepted"
        )
    if dropped_numbers:
        numbers = ", ".join(map(str, dropped_numbers[:10]))
        message = f"The entry of cell {numbers} is not a cell; it was left out."
        notes.append(Note("cell", message, needs_teacher=True))
    if any("\r" in cell.source for cell in plain_cells):
        notes.append(Note("line ends", "Windows line ends inside cells were converted."))
    return [_convert_line_ends(cell) for cell in plain_cells]


def _plain_cell(cell: object) -> PlainCell | None:
    if not isinstance(cell, dict):
        return None
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    kind = cell.get("cell_type")
    cell_id = cell.get("id")
    return PlainCell(
        cell_type=kind if kind in ("code", "markdown", "raw") else "raw",
        source=clean_text(source),
        claimed=_find_grade_id(cell),
        cell_id=cell_id if isinstance(cell_id, str) and _CELL_ID.fullmatch(cell_id) else "",
        attachments=_attachments(cell.get("attachments")),
    )


def _find_grade_id(cell: dict) -> str:
    """Return the grade_id that the cell claims, or "" if it claims none."""
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    claimed = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else ""
    return clean_text(claimed) if isinstance(claimed, str) else ""


_CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _convert_line_ends(cell: PlainCell) -> PlainCell:
    text = cell.source.replace("\r\n", "\n").replace("\r", "\n")
    return PlainCell(cell.cell_type, text, cell.claimed, cell.cell_id, cell.attachments)


def _printable(text: str) -> str:
    """Return the text with escapes for characters that are invisible or control a terminal."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text
    )


def clean_text(text: str) -> str:
    """Return the text without lone surrogates, which can't be written to a file."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _attachments(value: object) -> dict | None:
    """Return the pictures pasted into a written answer: {file: {mime type: base64}}."""
    if not isinstance(value, dict):
        return None
    pictures_by_name = {
        clean_text(name): {
            kind: data
            for kind, data in pictures.items()
            if kind in ("image/png", "image/jpeg", "image/gif") and isinstance(data, str)
        }
        for name, pictures in value.items()
        if isinstance(pictures, dict)
    }
    return {name: pictures for name, pictures in pictures_by_name.items() if pictures} or None
