"""Pick the problem set's notebooks among a student's files.

A notebook is recognised by its name, or otherwise by its cells of the problem set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

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


def choose_notebook(
    name: str, files: list[Entry], others: set[str], notebooks: Mapping[str, Collection[str]]
) -> ChosenNotebooks:
    """Pick the set's notebooks.

    `notebooks` has the names of their cells, `others` the folders of other sets.
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
        choice = _choose_several(name, files, candidates, notebooks)
        return replace(choice, notes=repetition_notes + choice.notes) if choice.notes else choice
    ((notebook, cells),) = notebooks.items()
    file, notes = _choose_single(name, f"{notebook}.ipynb", files, candidates, cells)
    if file is None:
        return ChosenNotebooks({}, notes)
    return ChosenNotebooks({notebook: file}, repetition_notes + notes)


def _choose_single(
    name: str,
    file_name: str,
    files: list[Entry],
    notebook_files: list[Entry],
    cells: Collection[str],
) -> tuple[Entry | None, list[Note]]:
    """Return the student's notebook, and notes on it; the layouts are tried in their order."""
    notebook = _find_by_name(name, file_name, notebook_files)
    candidates = [file for file in notebook_files if name in file.parts[1:-1]] or notebook_files
    if len(notebook_files) > 1 and (notebook or len(candidates) > 1):
        notebook = _find_by_content(notebook, notebook_files if notebook else candidates, cells)
    elif len(candidates) == 1:
        notebook = candidates[0]
    if notebook is not None:
        ignored = [file for file in notebook_files if file is not notebook]
        notes = _note_name(notebook, file_name)
        notes += _other_notebooks(notebook, ignored) if len(candidates) > 1 or ignored else []
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
    by_name: Entry | None, notebook_files: list[Entry], cells: Collection[str]
) -> Entry | None:
    """Return the file with the right name, or another one if only that has cells of the set."""
    counts = {
        file.parts: _count_cells(file, cells) for file in notebook_files[:MAX_COMPARED_NOTEBOOKS]
    }
    if by_name is not None and (counts.get(by_name.parts) or not any(counts.values())):
        return by_name
    max_count = max(counts.values(), default=0)
    candidates = notebook_files[:MAX_COMPARED_NOTEBOOKS]
    best_files = [file for file in candidates if counts[file.parts] == max_count > 0]
    return best_files[0] if len(best_files) == 1 else by_name


def _count_cells(file: Entry, cells: Collection[str]) -> int:
    """Return the number of cells of the problem set that a notebook has."""
    return len(find_claimed_cells(file) & set(cells))


def find_claimed_cells(file: Entry) -> set[str]:
    """Return the names of problem sets' cells in a notebook, as its metadata says."""
    data = read_file(file, [])
    return {cell.claimed for cell in read(data).cells if cell.claimed} if data else set()


def _choose_several(
    name: str,
    files: list[Entry],
    notebook_files: list[Entry],
    notebooks: Mapping[str, Collection[str]],
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
    for notebook, cells in notebooks.items():
        if notebook in choice:
            continue
        unused_files = [
            f for f in notebook_files[:MAX_COMPARED_NOTEBOOKS] if f not in choice.values()
        ]
        max_count = max((counts[notebook][f.parts] for f in unused_files), default=0)
        best_files = [f for f in unused_files if counts[notebook][f.parts] == max_count]
        if len(best_files) == 1 and max_count > MIN_CELL_SHARE * len(cells):
            choice[notebook] = best_files[0]
        elif notebook in by_name and by_name[notebook] not in choice.values():
            choice[notebook] = by_name[notebook]  # broken, or without a cell of the set
    if not choice:
        return ChosenNotebooks({}, _explain_nothing(files, notebook_files, notebooks))
    choice = {notebook: choice[notebook] for notebook in notebooks if notebook in choice}
    notes = [note for n in choice for note in _assign_notes(n, _note_name(choice[n], f"{n}.ipynb"))]
    notes += [
        note for n in notebooks if n not in choice for note in _assign_notes(n, [_NOT_HANDED_IN])
    ]
    notes += _note_unused([f for f in notebook_files if f not in choice.values()])
    return ChosenNotebooks(choice, notes + _note_other_files(files, list(choice.values())))


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


def _other_notebooks(notebook: Entry, others: list[Entry]) -> list[Note]:
    if not others:
        return []
    names = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    graded_name = quoted("/".join(notebook.parts))
    text = f"Several notebooks were handed in; {graded_name} was graded; ignored: {names}."
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
