"""Which cell of a submission is which cell of the problem set.

The rules, in this order:

1. A cell is the one whose grade_id it claims. Where several claim one grade_id, a solution cell is
   the last of them whose text differs from the released one, any other cell the first. The rest
   stay where they are as the student's own cells.
2. A cell of the problem set that nobody claims is looked for among the others: by the notebook's
   cell id, by its released text, and a solution cell by the function that its stub defines.
   A solution cell that was left as released is answered by the last of the student's own cells
   that defines its function: what is examined then runs behind that one.
3. The text, kind, points and marks of tests and locked cells always come from the problem set.
   Tests and locked cells that are missing are put back; a missing solution cell isn't (its stub
   would redefine what the student may have defined elsewhere).
4. The student's cells keep their order. A test runs where the student left it, but never before
   the cells that precede it in the problem set; if one of those is a missing solution, at the end.
   A locked cell stands between the cells that surround it in the problem set.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from autograder.classroom.assignment import Assignment, SourceCell
from autograder.classroom.submission import Note, PlainCell
from autograder.wire.contract import Role

SPACES = 1_000  # characters by which a text that is the same may be longer


@dataclass(frozen=True)
class MatchedCell:
    """A cell to run and to show: the student's own where `origin` is None."""

    plain: PlainCell
    origin: SourceCell | None = None

    @property
    def role(self) -> Role:
        return self.origin.role if self.origin else Role.STUDENT


@dataclass(frozen=True)
class Matched:
    """The cells in the order in which they run. `elsewhere` are the solution cells that were left
    as released, and are answered in a cell of the student's own.
    """

    cells: tuple[MatchedCell, ...]
    notes: tuple[Note, ...]
    elsewhere: frozenset[str] = frozenset()


def match(assignment: Assignment, cells: tuple[PlainCell, ...]) -> Matched:
    """Return the cells in the order in which they run."""
    notes: list[Note] = []
    chosen = _claimed(assignment, cells, notes)
    _recognise(assignment, cells, chosen, notes)
    elsewhere = _elsewhere(assignment, cells, chosen, notes)
    places = _places(assignment, chosen, elsewhere, len(cells))
    _note_differences(assignment, cells, chosen, places, notes)
    taken = {index: name for name, index in chosen.items()}
    placed = [
        ((index, 0), MatchedCell(cell)) for index, cell in enumerate(cells) if index not in taken
    ]
    for name, place in places.items():
        origin = assignment.followed[name]
        given = cells[chosen[name]] if name in chosen else None
        placed.append((place, MatchedCell(_restored(origin, given), origin)))
    placed.sort(key=lambda pair: pair[0])
    return Matched(tuple(cell for _, cell in placed), tuple(notes), frozenset(elsewhere))


def _claimed(assignment: Assignment, cells, notes: list[Note]) -> dict[str, int]:
    """Rule 1: grade_id -> index of the cell that has it."""
    claims = defaultdict(list)
    for index, cell in enumerate(cells):
        if cell.claimed in assignment.followed:
            claims[cell.claimed].append(index)
    chosen = {}
    for name, indices in claims.items():
        origin = assignment.followed[name]
        changed = [i for i in indices if not _same(cells[i].source, origin.released)]
        chosen[name] = (changed or indices)[-1] if origin.solution else indices[0]
        if len(indices) > 1:
            which = "last changed" if origin.solution else "first"
            message = f"Cell {name!r} is there {len(indices)} times; the {which} one was graded."
            notes.append(Note("duplicate", message, needs_teacher=origin.solution))
    return chosen


def _same(text: str, released: str) -> bool:
    """Whether they differ in white space at most."""
    return len(text) <= 2 * len(released) + SPACES and text.split() == released.split()


_DEFINITION = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)


def _recognise(assignment: Assignment, cells, chosen: dict[str, int], notes: list[Note]) -> None:
    """Rule 2: find the cells that lost their grade_id."""
    found = []
    defined = functools.cache(_defined)  # each cell that was lost asks for it
    for rule in (_by_id, _by_text, functools.partial(_by_definition, defined)):
        for name, origin in assignment.followed.items():
            if name in chosen:
                continue
            taken = set(chosen.values())
            free = [i for i in range(len(cells)) if i not in taken]
            if candidates := [i for i in free if rule(origin, cells[i])]:
                chosen[name] = candidates[-1] if origin.solution else candidates[0]
                found.append(name)
    if found:
        listed = ", ".join(repr(name) for name in assignment.followed if name in found)
        message = f"The mark of {listed} was lost or renamed; recognised by id or content."
        notes.append(Note("recognised", message))


def _by_id(origin: SourceCell, cell: PlainCell) -> bool:
    return bool(origin.cell_id) and origin.cell_id == cell.cell_id


def _by_text(origin: SourceCell, cell: PlainCell) -> bool:
    return _same(cell.source, origin.released)


def _by_definition(defined: Callable, origin: SourceCell, cell: PlainCell) -> bool:
    if not (origin.solution and origin.cell_type == cell.cell_type == "code"):
        return False
    wanted = _DEFINITION.search(origin.released)
    return wanted is not None and wanted[1] in defined(cell.source)


def _defined(source: str) -> frozenset[str]:
    """The functions and classes of a cell."""
    return frozenset(_DEFINITION.findall(source))


def _elsewhere(assignment: Assignment, cells, chosen: dict[str, int], notes) -> dict[str, int]:
    """Solution cells left as released -> the student's own cell that answers in their place."""
    taken = set(chosen.values())
    own = {
        name: index
        for index, cell in enumerate(cells)
        if index not in taken and cell.cell_type == "code"
        for name in _defined(cell.source)
    }
    found = {}
    for name, origin in assignment.followed.items():
        stub = _DEFINITION.search(origin.released) if origin.solution else None
        untouched = name in chosen and _same(cells[chosen[name]].source, origin.released)
        if stub and untouched and stub[1] in own:
            found[name] = own[stub[1]]
    text = "{} was left as it was; the answer stands in another cell, and was examined behind it."
    _add(notes, "elsewhere", list(found), text)
    return found


Place = tuple[int, int]  # after which of the student's cells, and the how-manieth there


def _places(
    assignment: Assignment, chosen: dict[str, int], elsewhere: dict[str, int], count: int
) -> dict[str, Place]:
    """Rule 4: where each cell of the problem set stands, in the order of the problem set."""
    places: dict[str, Place] = {}
    before = last_test = (-1, 0)
    order = list(assignment.followed.values())
    for number, cell in enumerate(order):
        own = (chosen[cell.name], 0) if cell.name in chosen else None
        if cell.solution:
            if own is None and not cell.graded:
                before = max(before, (count, number)) if cell.cell_type == "code" else before
                continue
            places[cell.name] = own or _next(before, number)
            before = max(before, (elsewhere.get(cell.name, -1), 0))
        elif cell.test:
            floor = max(before, last_test)
            places[cell.name] = last_test = own if own and own > floor else _next(floor, number)
        else:
            present = [places[c.name] for c in order[:number] if c.name in places and not c.test]
            floor = max(present, default=(-1, 0))
            later = (chosen[c.name] for c in order[number + 1 :] if c.name in chosen)
            fits = own is not None and floor < own < (min(later, default=count), 0)
            places[cell.name] = own if own is not None and fits else _next(floor, number)
        if not cell.test:
            before = max(before, places[cell.name])
    return places


def _next(place: Place, number: int) -> Place:
    """Just behind: the number of the cell in the problem set keeps several there in order."""
    return place[0], max(place[1], number) + 1


def _restored(origin: SourceCell, given: PlainCell | None) -> PlainCell:
    """Rule 3: the teacher's text where it is the teacher's, the student's where it is theirs."""
    if origin.owned:
        return PlainCell(origin.cell_type, origin.source, origin.name, origin.cell_id)
    if given is None:
        absent = f"This cell ({origin.name}) was missing from the submission."
        text = f"# {absent}" if origin.cell_type == "code" else absent
        return PlainCell(origin.cell_type, text, origin.name, origin.cell_id)
    text = given.source
    return PlainCell(origin.cell_type, text, origin.name, given.cell_id, given.attachments)


def _note_differences(assignment, cells, chosen, places, notes: list[Note]) -> None:
    restored: list[str] = []
    missing: list[str] = []
    changed, retyped = [], []
    for name, origin in assignment.followed.items():
        if name not in chosen:
            (restored if origin.owned else missing).append(name)
            continue
        given = cells[chosen[name]]
        if given.cell_type != origin.cell_type:
            retyped.append(name)
        elif origin.owned and not _same(given.source, origin.released):
            changed.append(name)
    ahead = [n for n, cell in enumerate(assignment.followed.values()) if cell.name in missing]
    sure = list(assignment.followed)[: ahead[0] if ahead else None]
    moved = [name for name in sure if name in chosen and places[name] != (chosen[name], 0)]
    _add(notes, "restored", restored, "{} was missing and was put back.")
    _add(notes, "changed", changed, "{} had been changed; the original was used.")
    _add(notes, "cell type", retyped, "{} had become another kind of cell; that was undone.")
    _add(notes, "moved", moved, "{} had been moved; it ran after the cells that it belongs behind.")
    text = "{} is missing. What follows it was examined with the whole notebook's definitions."
    _add(notes, "missing", missing, text, needs_teacher=True)


def _add(notes: list[Note], kind: str, names: list[str], text: str, needs_teacher=False) -> None:
    if names:
        listed = ", ".join(map(repr, names))
        subject = f"The cell {listed}" if len(names) == 1 else f"Each of the cells {listed}"
        notes.append(Note(kind, text.format(subject), needs_teacher))
