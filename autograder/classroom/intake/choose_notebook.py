"""Pick the problem set's notebooks among a student's files.

A notebook is recognised by its name, or otherwise by its cells of the problem set. If several fit,
the one with the most answers counts, and of those the one whose name is the last.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from autograder.classroom.course.folders import EXCHANGE_FILES
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry
from autograder.classroom.grading.read_notebook import SIZE_LIMIT, Note, read, unreadable
from autograder.classroom.grading.results import MISSING

MAX_COMPARED_NOTEBOOKS = 20  # notebooks of one student whose content is compared
MIN_CELL_SHARE = 0.5  # least share of the cells that identifies a notebook with another name


@dataclass(frozen=True)
class ChosenNotebooks:
    """The files by the names of their notebooks, and notes on their oddities.

    If both are empty, nothing of the problem set was handed in.
    """

    files: dict[str, Entry]
    notes: list[Note]


_REPEATED_FILE = "A file is in the archive more than once; the last one was taken."


Stubs = Mapping[str, str]  # the released text of each solution cell of a notebook, by name
_NO_STUBS: Mapping[str, Stubs] = MappingProxyType({})


def choose_notebook(
    name: str,
    files: list[Entry],
    others: set[str],
    notebooks: Mapping[str, Collection[str]],
    stubs: Mapping[str, Stubs] = _NO_STUBS,
) -> ChosenNotebooks:
    """Pick the set's notebooks.

    `notebooks` has the names of their cells, `stubs` the released texts of their solution cells,
    `others` the folders of other sets.
    """
    file_by_path = {f.parts: f for f in files}
    repetition_notes = [Note("duplicate", _REPEATED_FILE, needs_teacher=True)] * (
        len(file_by_path) < len(files)
    )
    files = list(file_by_path.values())
    candidates = [
        f for f in files if f.notebook and not (len(f.parts) > 2 and f.parts[1] in others)
    ]
    if len(notebooks) > 1:
        choice = _choose_several(name, files, candidates, notebooks, stubs)
        return replace(choice, notes=repetition_notes + choice.notes) if choice.notes else choice
    ((notebook, cells),) = notebooks.items()
    file, notes = _choose_single(
        name, f"{notebook}.ipynb", files, candidates, cells, stubs.get(notebook, {})
    )
    if file is None:
        return ChosenNotebooks({}, notes)
    return ChosenNotebooks({notebook: file}, repetition_notes + notes)


def _choose_single(
    name: str,
    file_name: str,
    files: list[Entry],
    notebook_files: list[Entry],
    cells: Collection[str],
    stubs: Stubs,
) -> tuple[Entry | None, list[Note]]:
    """Return the student's notebook, and notes on it; the layouts are tried in their order."""
    notebook, reason = _find_by_name(name, file_name, notebook_files), ""
    candidates = [file for file in notebook_files if name in file.parts[1:-1]] or notebook_files
    if len(notebook_files) > 1 and (notebook or len(candidates) > 1):
        compared_files = notebook_files if notebook else candidates
        notebook, reason = _find_by_content(notebook, compared_files, cells, stubs)
    elif len(candidates) == 1:
        notebook = candidates[0]
    if notebook is not None:
        ignored = [file for file in notebook_files if file is not notebook]
        notes = _note_name(notebook, file_name)
        notes += _other_notebooks(notebook, ignored, reason) if ignored else []
        return notebook, notes + _note_other_files(files, [notebook])
    if candidates:
        names = ", ".join(sorted(quoted("/".join(file.parts[1:])) for file in candidates))
        return None, [unreadable(f"several notebooks and none is {file_name!r}: {names}")]
    if any(file.notebook for file in files):
        return None, []
    return None, [_note_no_notebook(files)]


def _find_by_name(name: str, file_name: str, notebook_files: list[Entry]) -> Entry | None:
    for path in ((name, file_name), (file_name,)):
        if matches := [file for file in notebook_files if file.parts[1:] == path]:
            return matches[0]
    return None


def _find_by_content(
    by_name: Entry | None, notebook_files: list[Entry], cells: Collection[str], stubs: Stubs
) -> tuple[Entry | None, str]:
    """Return the file with the right name, or one that fits better, and the reason for it.

    A file fits better if the one with the name has no cell of the set, or no answer. None fits if
    none has a cell of the set.
    """
    candidates = notebook_files[:MAX_COMPARED_NOTEBOOKS]
    counts = {file.parts: _count_cells(file, cells) for file in candidates}
    max_count = max(counts.values(), default=0)
    if not max_count:
        return by_name, ""
    if by_name is not None and counts.get(by_name.parts, 1):
        return _prefer_answered(by_name, [f for f in candidates if counts[f.parts]], stubs)
    return _find_best([file for file in candidates if counts[file.parts] == max_count], stubs)


def _prefer_answered(by_name: Entry, fitting_files: list[Entry], stubs: Stubs) -> tuple[Entry, str]:
    """Return the file with the right name, or one with answers if that has none."""
    if any(file is not by_name for file in fitting_files) and not _count_answers(by_name, stubs):
        best, reason = _find_best(fitting_files, stubs)
        if best is not by_name and _count_answers(best, stubs):
            return best, reason
    return by_name, ""


_MOST_ANSWERS = "it has the most answers"
_LAST_NAME = "its name is the last"


def _find_best(files: list[Entry], stubs: Stubs) -> tuple[Entry, str]:
    """Return the file with the most answers, or of several the one with the last name.

    The text is the reason, or empty for a single file.
    """
    if len(files) == 1:
        return files[0], ""
    counts = {file.parts: _count_answers(file, stubs) for file in files}
    best_files = [file for file in files if counts[file.parts] == max(counts.values())]
    reason = _MOST_ANSWERS if len(best_files) == 1 else _LAST_NAME
    return max(best_files, key=_natural_order), reason


def _natural_order(file: Entry) -> list[tuple[int, str]]:
    """Return a key that sorts `coin (10)` after `coin (9)`, and both after `coin`."""
    pieces = re.split(r"(\d+)", "/".join((*file.parts[:-1], file.stem)).casefold())
    return [(int(piece[:18]), "") if piece.isdecimal() else (-1, piece) for piece in pieces]


def _count_answers(file: Entry, stubs: Stubs) -> int:
    """Return the number of solution cells that are no longer as they were released."""
    data = read_file(file, [])
    texts: dict[str, set[str]] = {}  # a cell may be there several times
    for cell in read(data).cells if data and stubs else ():
        texts.setdefault(cell.claimed, set()).add(cell.source.strip())
    return sum(bool(texts.get(name, set()) - {stub.strip(), ""}) for name, stub in stubs.items())


def _count_cells(file: Entry, cells: Collection[str]) -> int:
    """Return the number of cells of the problem set that a notebook has."""
    return len(find_claimed_cells(file) & set(cells))


def has_cells(file: Entry, cells: Collection[str]) -> bool:
    """Return whether a notebook has a cell of the problem set."""
    return _count_cells(file, cells) > 0


def find_claimed_cells(file: Entry) -> set[str]:
    """Return the names of problem sets' cells in a notebook, as its metadata says."""
    data = read_file(file, [])
    return {cell.claimed for cell in read(data).cells if cell.claimed} if data else set()


def _choose_several(
    name: str,
    files: list[Entry],
    notebook_files: list[Entry],
    notebooks: Mapping[str, Collection[str]],
    stubs: Mapping[str, Stubs],
) -> ChosenNotebooks:
    """Return the present notebooks of a set that has several, and a note on each absent one."""
    counts = {
        notebook: {f.parts: _count_cells(f, cells) for f in notebook_files[:MAX_COMPARED_NOTEBOOKS]}
        for notebook, cells in notebooks.items()
    }
    by_name = {
        n: file for n in notebooks if (file := _find_by_name(name, f"{n}.ipynb", notebook_files))
    }
    choice = {n: file for n, file in by_name.items() if counts[n].get(file.parts)}
    reasons: dict[str, str] = {}
    for notebook, cells in notebooks.items():
        unused_files = [
            f for f in notebook_files[:MAX_COMPARED_NOTEBOOKS] if f not in choice.values()
        ]
        max_count = max((counts[notebook][f.parts] for f in unused_files), default=0)
        best_files = [f for f in unused_files if counts[notebook][f.parts] == max_count]
        if max_count <= MIN_CELL_SHARE * len(cells):
            best_files = []
        elif len(best_files) > 1:  # of files that may be another notebook's, none is taken
            best_files = [f for f in best_files if _fits_only(f, notebook, counts)]
        own_stubs = stubs.get(notebook, {})
        if notebook in choice:
            fitting_files = [f for f in best_files if _fits_only(f, notebook, counts)]
            choice[notebook], reasons[notebook] = _prefer_answered(
                choice[notebook], [choice[notebook], *fitting_files], own_stubs
            )
        elif best_files:
            choice[notebook], reasons[notebook] = _find_best(best_files, own_stubs)
        elif notebook in by_name and by_name[notebook] not in choice.values():
            choice[notebook] = by_name[notebook]  # broken, or without a cell of the set
    if not choice:
        return ChosenNotebooks({}, _explain_nothing(files, notebook_files, notebooks))
    choice = {notebook: choice[notebook] for notebook in notebooks if notebook in choice}
    notes = [note for n in choice for note in _assign_notes(n, _note_name(choice[n], f"{n}.ipynb"))]
    notes += [
        note for n in notebooks if n not in choice for note in _assign_notes(n, [_NOT_HANDED_IN])
    ]
    unused_files = [f for f in notebook_files if f not in choice.values()]
    for notebook, cells in notebooks.items():
        min_count = MIN_CELL_SHARE * len(cells)
        copies = [
            f
            for f in unused_files
            if counts[notebook].get(f.parts, 0) > min_count and _fits_only(f, notebook, counts)
        ]
        if notebook in choice:
            copy_notes = _other_notebooks(choice[notebook], copies, reasons.get(notebook, ""))
            notes += _assign_notes(notebook, copy_notes)
            unused_files = [f for f in unused_files if f not in copies]
    notes += _note_unused(unused_files)
    return ChosenNotebooks(choice, notes + _note_other_files(files, list(choice.values())))


def _fits_only(
    file: Entry, notebook: str, counts: Mapping[str, Mapping[tuple[str, ...], int]]
) -> bool:
    """Return whether a file has more cells of this notebook than of any other of the set."""
    others = (own_counts for other, own_counts in counts.items() if other != notebook)
    own_count = counts[notebook].get(file.parts, 0)
    return all(own_counts.get(file.parts, 0) < own_count for own_counts in others)


_NOT_HANDED_IN = Note(MISSING, "The notebook was not handed in.", needs_teacher=True)


def _assign_notes(notebook: str, notes: list[Note]) -> list[Note]:
    return [replace(note, notebook=notebook) for note in notes]


def _explain_nothing(
    files: list[Entry], notebook_files: list[Entry], notebooks: Mapping[str, Collection[str]]
) -> list[Note]:
    """Return a note that says why nothing was chosen; none if all notebooks are another set's."""
    if notebook_files:
        names = ", ".join(
            sorted(quoted("/".join(file.parts[1:] or file.parts)) for file in notebook_files)[:5]
        )
        expected = ", ".join(repr(f"{notebook}.ipynb") for notebook in notebooks)
        return [unreadable(f"none of the notebooks is one of {expected}: {names}")]
    if any(file.notebook for file in files):
        return []
    return [_note_no_notebook(files)]


def _note_no_notebook(files: list[Entry]) -> Note:
    """Return a note that no file has the name of a notebook; it lists the files."""
    names = sorted(quoted(file.parts[-1]) for file in files if file.parts[-1] not in EXCHANGE_FILES)
    addition = (
        f", but {', '.join(names[:3])}{' and more' if len(names) > 3 else ''}" if names else ""
    )
    return unreadable(f"no notebook was handed in{addition}")


def _note_unused(others: list[Entry]) -> list[Note]:
    if not others:
        return []
    names = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    text = f"Notebooks that don't belong to the problem set were ignored: {names}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _note_name(notebook: Entry, file_name: str) -> list[Note]:
    if len(notebook.parts) == 1 or notebook.parts[-1] == file_name:
        return []
    old_name = quoted(notebook.parts[-1])
    return [Note("file name", f"The file was named {old_name}, not {file_name!r}.")]


def _other_notebooks(notebook: Entry, others: list[Entry], reason: str) -> list[Note]:
    if not others:
        return []
    names = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    because = f" because {reason}" if reason else ""
    graded_name = quoted("/".join(notebook.parts))
    text = f"Several notebooks were handed in; {graded_name} was graded{because}; ignored: {names}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _note_other_files(files: list[Entry], notebooks: list[Entry]) -> list[Note]:
    places = {notebook.parts[1:-1] for notebook in notebooks if len(notebook.parts) > 1}
    others = [f for f in files if f not in notebooks and f.parts[-1] not in EXCHANGE_FILES]
    other_files = [f for f in others if not f.notebook and f.parts[1:-1] in places]
    if not other_files:
        return []
    names = sorted(quoted(f.parts[-1]) for f in other_files)
    text = ", ".join(names[:5]) + (" and more" if len(names) > 5 else "")
    rule = "Only the notebook is graded" if len(notebooks) == 1 else "Only notebooks are graded"
    return [Note("other files", f"{rule}; ignored: {text}.")]


def read_file(entry: Entry, notes: list[Note]) -> bytes | None:
    """Return the content of a file of at most `SIZE_LIMIT` bytes.

    If it can't be read, return None and add a note that says why.
    """
    if entry.problem:
        notes.append(unreadable(f"{quoted(entry.name)} was refused: {entry.problem}"))
        return None
    try:
        data = entry.read(SIZE_LIMIT + 1)
    except Exception as error:  # decompressors in `zipfile` raise errors of many kinds
        notes.append(unreadable(f"{quoted(entry.name)} can't be read: {str(error) or repr(error)}"))
        return None
    if len(data) > SIZE_LIMIT:
        limit = SIZE_LIMIT >> 20
        notes.append(unreadable(f"{quoted(entry.name)} is larger than the limit of {limit} MiB"))
        return None
    return data
