"""Open a zip that a student handed in, and look for the problem set's notebooks in it.

It is opened only if no notebook beside it fits. The limits are those of a hand-in: what is in it is
read up to a size and no further, and links and paths that lead out of it are refused. In addition
the zip itself, and the number of its files, must be small. A zip in it stays closed.
"""

from __future__ import annotations

import dataclasses
import io
import zipfile
from collections.abc import Collection, Iterator, Mapping

from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry, zip_entries
from autograder.classroom.grading.read_notebook import SIZE_LIMIT, Note
from autograder.classroom.intake import layouts
from autograder.classroom.intake.choose_notebook import (
    ChosenNotebooks,
    Stubs,
    choose_notebook,
    has_cells,
)

MAX_ARCHIVES = 3  # zips of one student that are opened
MAX_ARCHIVE_BYTES = SIZE_LIMIT
MAX_FILES = 5_000  # files in one zip; `zipfile` needs memory for each
_FILE_HEADER = b"PK\x01\x02"  # begins the entry of each file in a zip's directory


def choose(
    name: str,
    files: list[Entry],
    others: set[str],
    notebooks: Mapping[str, Collection[str]],
    stubs: Mapping[str, Stubs],
) -> ChosenNotebooks:
    """Pick the set's notebooks as `choose_notebook` does, also from zips if some are missing."""
    choice = choose_notebook(name, files, others, notebooks, stubs)
    archives = [file for file in files if _is_archive(file)]
    if not archives or _fit(choice, notebooks):
        return choice
    notes: list[Note] = []
    archive_of: dict[tuple[str, ...], Entry] = {}  # by the path of a notebook
    inner_notebooks = []
    paths = {file.parts for file in files}
    for file in archives:
        for entry in _open(file, archives, notes):
            placed_entry = _place(entry, file, paths)
            paths.add(placed_entry.parts)
            archive_of[placed_entry.parts] = file
            inner_notebooks.append(placed_entry)
    if not inner_notebooks:
        return dataclasses.replace(choice, notes=[*choice.notes, *notes])
    rest = [file for file in files if file not in archive_of.values()]
    choice = choose_notebook(name, [*rest, *inner_notebooks], others, notebooks, stubs)
    opened = [archive_of[file.parts] for file in choice.files.values() if file.parts in archive_of]
    notes += [_note_opened(file) for file in dict.fromkeys(opened)]
    return dataclasses.replace(choice, notes=[*notes, *choice.notes])


def _is_archive(file: Entry) -> bool:
    return not file.is_folder and file.parts[-1].lower().endswith(".zip")


def _fit(choice: ChosenNotebooks, notebooks: Mapping[str, Collection[str]]) -> bool:
    """Return whether each notebook was found, with cells of the set if their names are known."""
    return all(
        name in choice.files and (not cells or has_cells(choice.files[name], cells))
        for name, cells in notebooks.items()
    )


def _open(file: Entry, archives: list[Entry], notes: list[Note]) -> Iterator[Entry]:
    """Yield the notebooks in a student's zip; add a note if it can't be opened."""
    reason, archive = "", None
    if file in archives[MAX_ARCHIVES:]:
        reason = f"only {MAX_ARCHIVES} zips of one student are opened"
    else:
        archive, reason = _read(file)
    if archive is None:
        notes.append(Note("archive", f"{quoted(file.name)} was not opened: {reason}.", True))
        return
    entries, refused = layouts.sorted_out(zip_entries(archive))
    notes += [Note("archive", f"In {quoted(file.name)}: {line}.", True) for line in refused[:3]]
    inner_notebooks = [
        dataclasses.replace(entry, origin=f"{file.name}/{entry.name}")
        for entry in entries
        if entry.notebook
    ]
    for entry in _without_outer_folders(inner_notebooks):
        yield dataclasses.replace(entry, parts=(*file.parts[:-1], *entry.parts))


def _without_outer_folders(entries: list[Entry]) -> list[Entry]:
    """Return the entries without the folders around all of them, which zips often have."""
    while entries and all(len(entry.parts) > 1 for entry in entries):
        if len({entry.parts[0] for entry in entries}) > 1:
            break
        entries = layouts.without_first(entries)
    return entries


def _read(file: Entry) -> tuple[zipfile.ZipFile | None, str]:
    """Return the zip, or the reason why it can't be opened."""
    if file.problem:
        return None, file.problem
    try:
        data = file.read(MAX_ARCHIVE_BYTES + 1)
        if len(data) > MAX_ARCHIVE_BYTES:
            return None, f"it is larger than the limit of {MAX_ARCHIVE_BYTES >> 20} MiB"
        if data.count(_FILE_HEADER) > MAX_FILES:
            return None, f"it has more than {MAX_FILES} files"
        return zipfile.ZipFile(io.BytesIO(data)), ""
    except Exception as error:  # a damaged zip makes `zipfile` raise errors of many kinds
        return None, f"it can't be read: {str(error) or repr(error)}"


def _place(entry: Entry, archive: Entry, paths: set[tuple[str, ...]]) -> Entry:
    """Return the entry with a path that no other file has."""
    if entry.parts not in paths:
        return entry
    depth = len(archive.parts)
    parts = (*archive.parts, *entry.parts[depth - 1 :])
    return dataclasses.replace(entry, parts=parts)


def _note_opened(archive: Entry) -> Note:
    return Note("archive", f"The notebook was in the zip {quoted(archive.name)}, which was opened.")
