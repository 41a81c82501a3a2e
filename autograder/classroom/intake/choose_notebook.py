"""Pick the problem set's notebooks among a student's files.

A notebook is recognised by its name, or else by the cells of the problem set that it has.
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
MIN_CELL_SHARE = 0.5  # share of its cells by which a notebook is recognised under another name


@dataclass(frozen=True)
class ChosenNotebooks:
    """The files by the names of their notebooks, and notes on what is odd about them.

    If both are empty, nothing of the problem set was handed in.
    """

    files: dict[str, Entry]
    notes: list[Note]


_REPEATED = "A file is in the archive more than once; the last one was taken."


def choose_notebook(
    name: str, files: list[Entry], others: set[str], notebooks: Mapping[str, Collection[str]]
) -> ChosenNotebooks:
    """Pick the set's notebooks. `notebooks` names their cells, `others` other sets' folders."""
    last = {f.parts: f for f in files}
    repeated = [Note("duplicate", _REPEATED, needs_teacher=True)] * (len(last) < len(files))
    files = list(last.values())
    own = [f for f in files if f.notebook and not (len(f.parts) > 2 and f.parts[1] in others)]
    if len(notebooks) > 1:
        picked = _several(name, files, own, notebooks)
        return replace(picked, notes=repeated + picked.notes) if picked.notes else picked
    ((notebook, cells),) = notebooks.items()
    file, notes = _one(name, f"{notebook}.ipynb", files, own, cells)
    if file is None:
        return ChosenNotebooks({}, notes)
    return ChosenNotebooks({notebook: file}, repeated + notes)


def _one(
    name: str, right: str, files: list[Entry], own: list[Entry], cells: Collection[str]
) -> tuple[Entry | None, list[Note]]:
    """Return the student's notebook, by the layouts in their order, and notes on it."""
    notebook = _by_name(name, right, own)
    candidates = [file for file in own if name in file.parts[1:-1]] or own
    if len(own) > 1 and (notebook or len(candidates) > 1):
        notebook = _by_content(notebook, own if notebook else candidates, cells)
    elif len(candidates) == 1:
        notebook = candidates[0]
    if notebook is not None:
        ignored = [file for file in own if file is not notebook]
        notes = _note_name(notebook, right)
        notes += _other_notebooks(notebook, ignored) if len(candidates) > 1 or ignored else []
        return notebook, notes + _note_other_files(files, [notebook])
    if candidates:
        names = ", ".join(sorted(quoted("/".join(file.parts[1:])) for file in candidates))
        return None, [unreadable(f"several notebooks and none is {right!r}: {names}")]
    if any(file.notebook for file in files):
        return None, []
    return None, [_none_of(files)]


def _by_name(name: str, right: str, own: list[Entry]) -> Entry | None:
    for place in ((name, right), (right,)):
        if exact := [file for file in own if file.parts[1:] == place]:
            return exact[0]
    return None


def _by_content(by_name: Entry | None, own: list[Entry], cells: Collection[str]) -> Entry | None:
    """Return the file with the right name, unless it has no cell of the set and one other has."""
    counts = {file.parts: _cells_of(file, cells) for file in own[:MAX_COMPARED_NOTEBOOKS]}
    if by_name is not None and (counts.get(by_name.parts) or not any(counts.values())):
        return by_name
    most = max(counts.values(), default=0)
    best = [file for file in own[:MAX_COMPARED_NOTEBOOKS] if counts[file.parts] == most > 0]
    return best[0] if len(best) == 1 else by_name


def _cells_of(file: Entry, cells: Collection[str]) -> int:
    """Return how many cells of the problem set a notebook has."""
    return len(find_claimed_cells(file) & set(cells))


def find_claimed_cells(file: Entry) -> set[str]:
    """Return the names of problem sets' cells in a notebook, as its metadata says."""
    data = read_file(file, [])
    return {cell.claimed for cell in read(data).cells if cell.claimed} if data else set()


def _several(
    name: str, files: list[Entry], own: list[Entry], notebooks: Mapping[str, Collection[str]]
) -> ChosenNotebooks:
    """Return the present notebooks of a set that has several, and a note on each absent one."""
    counts = {
        notebook: {f.parts: _cells_of(f, cells) for f in own[:MAX_COMPARED_NOTEBOOKS]}
        for notebook, cells in notebooks.items()
    }
    by_name = {n: file for n in notebooks if (file := _by_name(name, f"{n}.ipynb", own))}
    picked = {n: file for n, file in by_name.items() if counts[n].get(file.parts)}
    for notebook, cells in notebooks.items():
        if notebook in picked:
            continue
        unused = [f for f in own[:MAX_COMPARED_NOTEBOOKS] if f not in picked.values()]
        most = max((counts[notebook][f.parts] for f in unused), default=0)
        best = [f for f in unused if counts[notebook][f.parts] == most]
        if len(best) == 1 and most > MIN_CELL_SHARE * len(cells):
            picked[notebook] = best[0]
        elif notebook in by_name and by_name[notebook] not in picked.values():
            picked[notebook] = by_name[notebook]  # broken, or without a cell of the set
    if not picked:
        return ChosenNotebooks({}, _explain_nothing(files, own, notebooks))
    picked = {notebook: picked[notebook] for notebook in notebooks if notebook in picked}
    notes = [note for n in picked for note in _about(n, _note_name(picked[n], f"{n}.ipynb"))]
    notes += [note for n in notebooks if n not in picked for note in _about(n, [_ABSENT])]
    notes += _note_unused([f for f in own if f not in picked.values()])
    return ChosenNotebooks(picked, notes + _note_other_files(files, list(picked.values())))


_ABSENT = Note(MISSING, "The notebook was not handed in.", needs_teacher=True)


def _about(notebook: str, notes: list[Note]) -> list[Note]:
    return [replace(note, notebook=notebook) for note in notes]


def _explain_nothing(
    files: list[Entry], own: list[Entry], notebooks: Mapping[str, Collection[str]]
) -> list[Note]:
    """Return a note on why nothing was found; none if all notebooks are another set's."""
    if own:
        there = ", ".join(
            sorted(quoted("/".join(file.parts[1:] or file.parts)) for file in own)[:5]
        )
        expected = ", ".join(repr(f"{notebook}.ipynb") for notebook in notebooks)
        return [unreadable(f"none of the notebooks is one of {expected}: {there}")]
    if any(file.notebook for file in files):
        return []
    return [_none_of(files)]


def _none_of(files: list[Entry]) -> Note:
    """Return a note that no file is a notebook by its name, and which files there are."""
    there = sorted(quoted(file.parts[-1]) for file in files if file.parts[-1] not in EXCHANGE_FILES)
    instead = (
        f", but {', '.join(there[:3])}{' and more' if len(there) > 3 else ''}" if there else ""
    )
    return unreadable(f"no notebook was handed in{instead}")


def _note_unused(others: list[Entry]) -> list[Note]:
    if not others:
        return []
    names = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    text = f"Notebooks that don't belong to the problem set were ignored: {names}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _note_name(notebook: Entry, right: str) -> list[Note]:
    if len(notebook.parts) == 1 or notebook.parts[-1] == right:
        return []
    was = quoted(notebook.parts[-1])
    return [Note("file name", f"The file was named {was}, not {right!r}.")]


def _other_notebooks(notebook: Entry, others: list[Entry]) -> list[Note]:
    if not others:
        return []
    names = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    graded_name = quoted("/".join(notebook.parts))
    text = f"Several notebooks were handed in; {graded_name} was graded; ignored: {names}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _note_other_files(files: list[Entry], notebooks: list[Entry]) -> list[Note]:
    places = {one.parts[1:-1] for one in notebooks if len(one.parts) > 1}
    others = [f for f in files if f not in notebooks and f.parts[-1] not in EXCHANGE_FILES]
    other_files = [f for f in others if not f.notebook and f.parts[1:-1] in places]
    if not other_files:
        return []
    names = sorted(quoted(f.parts[-1]) for f in other_files)
    text = ", ".join(names[:5]) + (" and more" if len(names) > 5 else "")
    what = "Only the notebook is graded" if len(notebooks) == 1 else "Only notebooks are graded"
    return [Note("other files", f"{what}; ignored: {text}.")]


def read_file(entry: Entry, notes: list[Note]) -> bytes | None:
    """Return the content of a file of at most `SIZE_LIMIT` bytes.

    If it can't be read, return None and add a note that says why.
    """
    if entry.problem:
        notes.append(unreadable(f"{quoted(entry.name)} was refused: {entry.problem}"))
        return None
    try:
        data = entry.read(SIZE_LIMIT + 1)
    except Exception as error:  # `zipfile` lets through what its decompressors raise
        notes.append(unreadable(f"{quoted(entry.name)} can't be read: {str(error) or repr(error)}"))
        return None
    if len(data) > SIZE_LIMIT:
        limit = SIZE_LIMIT >> 20
        notes.append(unreadable(f"{quoted(entry.name)} is larger than the limit of {limit} MiB"))
        return None
    return data
