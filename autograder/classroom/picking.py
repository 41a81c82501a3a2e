"""Which of a student's files are the problem set's notebooks.

Each by its name, else by its content: the cells of the problem set that it has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from autograder.classroom.entries import Entry
from autograder.classroom.folders import EXCHANGE_FILES
from autograder.classroom.results import MISSING
from autograder.classroom.submission import SIZE_LIMIT, Note, read, unreadable
from autograder.classroom.visible import quoted

COMPARED = 20  # notebooks of one student that are looked into for the right one
SHARE = 0.5  # of a notebook's cells, by which it is known under another name beside others


@dataclass(frozen=True)
class Picked:
    """The files by the names of the notebooks that they are, and what is odd about them. With
    neither, nothing of the problem set was handed in.
    """

    files: dict[str, Entry]
    notes: list[Note]


_REPEATED = "A file is in the archive more than once; the last one was taken."


def pick(
    name: str, files: list[Entry], others: set[str], notebooks: Mapping[str, Collection[str]]
) -> Picked:
    """`notebooks` has the cells of each; folders that are called as `others` are other sets'."""
    last = {f.parts: f for f in files}
    repeated = [Note("duplicate", _REPEATED, needs_teacher=True)] * (len(last) < len(files))
    files = list(last.values())
    own = [f for f in files if f.notebook and not (len(f.parts) > 2 and f.parts[1] in others)]
    if len(notebooks) > 1:
        found = _several(name, files, own, notebooks)
        return replace(found, notes=repeated + found.notes) if found.notes else found
    ((notebook, cells),) = notebooks.items()
    chosen, notes = _one(name, f"{notebook}.ipynb", files, own, cells)
    if chosen is None:
        return Picked({}, notes)
    return Picked({notebook: chosen}, repeated + notes)


def _one(
    name: str, right: str, files: list[Entry], own: list[Entry], cells: Collection[str]
) -> tuple[Entry | None, list[Note]]:
    """The student's notebook, by the layouts in their order, and what is odd about it."""
    chosen = _by_name(name, right, own)
    within = [file for file in own if name in file.parts[1:-1]] or own
    if len(own) > 1 and (chosen or len(within) > 1):
        chosen = _by_content(chosen, own if chosen else within, cells)
    elif len(within) == 1:
        chosen = within[0]
    if chosen is not None:
        ignored = [file for file in own if file is not chosen]
        notes = _renamed(chosen, right)
        notes += _other_notebooks(chosen, ignored) if len(within) > 1 or ignored else []
        return chosen, notes + _left_behind(files, [chosen])
    if within:
        listed = ", ".join(sorted(quoted("/".join(file.parts[1:])) for file in within))
        return None, [unreadable(f"several notebooks and none is {right!r}: {listed}")]
    if any(file.notebook for file in files):
        return None, []
    return None, [_none_of(files)]


def _by_name(name: str, right: str, own: list[Entry]) -> Entry | None:
    for place in ((name, right), (right,)):
        if exact := [file for file in own if file.parts[1:] == place]:
            return exact[0]
    return None


def _by_content(named: Entry | None, own: list[Entry], cells: Collection[str]) -> Entry | None:
    """The one that is called right, unless it has nothing of the problem set and one other has."""
    counts = {file.parts: _cells_of(file, cells) for file in own[:COMPARED]}
    if named is not None and (counts.get(named.parts) or not any(counts.values())):
        return named
    most = max(counts.values(), default=0)
    best = [file for file in own[:COMPARED] if counts[file.parts] == most > 0]
    return best[0] if len(best) == 1 else named


def _cells_of(file: Entry, cells: Collection[str]) -> int:
    """How many cells of the problem set a notebook has."""
    return len(claimed_by(file) & set(cells))


def claimed_by(file: Entry) -> set[str]:
    """The names of problem sets' cells in a notebook, as it says itself."""
    data = read_file(file, [])
    return {cell.claimed for cell in read(data).cells if cell.claimed} if data else set()


def _several(
    name: str, files: list[Entry], own: list[Entry], notebooks: Mapping[str, Collection[str]]
) -> Picked:
    """Of a set with several notebooks those that are there; a note on each that isn't."""
    counts = {
        notebook: {f.parts: _cells_of(f, cells) for f in own[:COMPARED]}
        for notebook, cells in notebooks.items()
    }
    named = {n: file for n in notebooks if (file := _by_name(name, f"{n}.ipynb", own))}
    found = {n: file for n, file in named.items() if counts[n].get(file.parts)}
    for notebook, cells in notebooks.items():
        if notebook in found:
            continue
        left = [f for f in own[:COMPARED] if f not in found.values()]
        most = max((counts[notebook][f.parts] for f in left), default=0)
        best = [f for f in left if counts[notebook][f.parts] == most]
        if len(best) == 1 and most > SHARE * len(cells):
            found[notebook] = best[0]
        elif notebook in named and named[notebook] not in found.values():
            found[notebook] = named[notebook]  # broken, or without a cell of the set
    if not found:
        return Picked({}, _nothing(files, own, notebooks))
    found = {notebook: found[notebook] for notebook in notebooks if notebook in found}
    notes = [note for n in found for note in _named(n, _renamed(found[n], f"{n}.ipynb"))]
    notes += [note for n in notebooks if n not in found for note in _named(n, [_ABSENT])]
    notes += _unused([f for f in own if f not in found.values()])
    return Picked(found, notes + _left_behind(files, list(found.values())))


_ABSENT = Note(MISSING, "The notebook was not handed in.", needs_teacher=True)


def _named(notebook: str, notes: list[Note]) -> list[Note]:
    return [replace(note, notebook=notebook) for note in notes]


def _nothing(
    files: list[Entry], own: list[Entry], notebooks: Mapping[str, Collection[str]]
) -> list[Note]:
    """Why nothing was found; nothing to say where all notebooks are another set's."""
    if own:
        there = ", ".join(
            sorted(quoted("/".join(file.parts[1:] or file.parts)) for file in own)[:5]
        )
        wanted = ", ".join(repr(f"{notebook}.ipynb") for notebook in notebooks)
        return [unreadable(f"none of the notebooks is one of {wanted}: {there}")]
    if any(file.notebook for file in files):
        return []
    return [_none_of(files)]


def _none_of(files: list[Entry]) -> Note:
    """That no file is called as notebooks are, and what there is instead."""
    there = sorted(quoted(file.parts[-1]) for file in files if file.parts[-1] not in EXCHANGE_FILES)
    instead = (
        f", but {', '.join(there[:3])}{' and more' if len(there) > 3 else ''}" if there else ""
    )
    return unreadable(f"no notebook was handed in{instead}")


def _unused(others: list[Entry]) -> list[Note]:
    if not others:
        return []
    listed = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    text = f"Notebooks that are none of the problem set's were left aside: {listed}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _renamed(chosen: Entry, right: str) -> list[Note]:
    if len(chosen.parts) == 1 or chosen.parts[-1] == right:
        return []
    was = quoted(chosen.parts[-1])
    return [Note("file name", f"The file was named {was}, not {right!r}.")]


def _other_notebooks(chosen: Entry, others: list[Entry]) -> list[Note]:
    if not others:
        return []
    listed = ", ".join(sorted(quoted("/".join(file.parts)) for file in others)[:5])
    taken = quoted("/".join(chosen.parts))
    text = f"Several notebooks were handed in; {taken} was graded, left aside: {listed}."
    return [Note("several notebooks", text, needs_teacher=True)]


def _left_behind(files: list[Entry], chosen: list[Entry]) -> list[Note]:
    places = {one.parts[1:-1] for one in chosen if len(one.parts) > 1}
    others = [f for f in files if f not in chosen and f.parts[-1] not in EXCHANGE_FILES]
    beside = [f for f in others if not f.notebook and f.parts[1:-1] in places]
    if not beside:
        return []
    names = sorted(quoted(f.parts[-1]) for f in beside)
    listed = ", ".join(names[:5]) + (" and more" if len(names) > 5 else "")
    what = "Only the notebook is graded" if len(chosen) == 1 else "Only notebooks are graded"
    return [Note("other files", f"{what}; left aside: {listed}.")]


def read_file(entry: Entry, notes: list[Note]) -> bytes | None:
    """What is in a file of at most `SIZE_LIMIT` bytes; None, with a note that says why, where that
    can't be had.
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
