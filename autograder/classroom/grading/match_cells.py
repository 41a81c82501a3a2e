"""Match the cells of a submission to the cells of the problem set.

The rules, in this order:

1. A cell matches the cell of the problem set whose grade_id it claims. If several claim one
   grade_id, a solution cell matches the last of them whose text differs from the released one; any
   other cell matches the first. The rest stay where they are as the student's own cells.
2. A cell of the problem set that no cell claims is looked for among the others: by the notebook's
   cell id, by its released text, or, for a solution cell, by the function that its stub defines.
   A solution cell that was left as released is answered by the last of the student's own cells
   that defines its function. Its tests then run after that cell.
3. The text, kind, points and metadata of tests and locked cells always come from the problem set.
   Missing tests and locked cells are restored. A missing solution cell isn't: its stub would
   redefine a function that the student may have defined in another cell.
4. The student's cells keep their order. A test runs where the student left it, but never before
   the cells that precede it in the problem set. If one of these is a missing solution, the test
   runs at the end.
   A locked cell runs between the cells that surround it in the problem set.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.classroom.grading.read_notebook import Note, PlainCell
from autograder.classroom.sets.assignment import Assignment, SourceCell
from autograder.wire.contract import Role

MAX_EXTRA_SPACES = 1_000  # white space that may be added to an unchanged text


@dataclass(frozen=True)
class MatchedCell:
    """A cell to run and to show. `origin` is None for one of the student's own cells."""

    plain: PlainCell
    origin: SourceCell | None = None

    @property
    def role(self) -> Role:
        return self.origin.role if self.origin else Role.STUDENT


@dataclass(frozen=True)
class MatchedNotebook:
    """The cells in the order in which they run.

    `answered_elsewhere` names the solution cells that were left as released while another of the
    student's cells answers them.
    """

    cells: tuple[MatchedCell, ...]
    notes: tuple[Note, ...]
    answered_elsewhere: frozenset[str] = frozenset()


def match(assignment: Assignment, cells: tuple[PlainCell, ...]) -> MatchedNotebook:
    """Return the cells in the order in which they run."""
    notes: list[Note] = []
    index_of = _match_by_claim(assignment, cells, notes)
    _recognise(assignment, cells, index_of, notes)
    answer_index_of = _find_answers_elsewhere(assignment, cells, index_of, notes)
    places = _find_places(assignment, index_of, answer_index_of, len(cells))
    _note_differences(assignment, cells, index_of, places, notes)
    name_of = {index: name for name, index in index_of.items()}
    placed_cells = [
        ((index, 0), MatchedCell(cell)) for index, cell in enumerate(cells) if index not in name_of
    ]
    for name, place in places.items():
        origin = assignment.followed_cells[name]
        own_cell = cells[index_of[name]] if name in index_of else None
        placed_cells.append((place, MatchedCell(_restore_cell(origin, own_cell), origin)))
    placed_cells.sort(key=lambda pair: pair[0])
    return MatchedNotebook(
        tuple(cell for _, cell in placed_cells), tuple(notes), frozenset(answer_index_of)
    )


def _match_by_claim(
    assignment: Assignment, cells: Sequence[PlainCell], notes: list[Note]
) -> dict[str, int]:
    """Apply rule 1: return the index of the cell that has each grade_id."""
    indices_by_name = defaultdict(list)
    for index, cell in enumerate(cells):
        if cell.claimed in assignment.followed_cells:
            indices_by_name[cell.claimed].append(index)
    index_of = {}
    for name, indices in indices_by_name.items():
        origin = assignment.followed_cells[name]
        changed_indices = [
            i for i in indices if not _is_same_text(cells[i].source, origin.released)
        ]
        index_of[name] = (changed_indices or indices)[-1] if origin.solution else indices[0]
        if len(indices) > 1:
            choice = "last changed" if origin.solution else "first"
            message = f"The cell {name!r} occurs {len(indices)} times; the {choice} one was graded."
            notes.append(Note("duplicate", message, needs_teacher=origin.solution))
    return index_of


def _is_same_text(text: str, released: str) -> bool:
    """Return whether two texts differ in white space at most."""
    return len(text) <= 2 * len(released) + MAX_EXTRA_SPACES and text.split() == released.split()


_DEFINITION = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)


def _recognise(
    assignment: Assignment, cells: Sequence[PlainCell], index_of: dict[str, int], notes: list[Note]
) -> None:
    """Apply rule 2: find the cells that lost their grade_id."""
    recognised_names = []
    definitions = functools.cache(_find_definitions)  # needed again for each lost cell
    for rule in (
        _has_same_id,
        _has_released_text,
        functools.partial(_defines_function, definitions),
    ):
        for name, origin in assignment.followed_cells.items():
            if name in index_of:
                continue
            used_indices = set(index_of.values())
            free_indices = [i for i in range(len(cells)) if i not in used_indices]
            if candidates := [i for i in free_indices if rule(origin, cells[i])]:
                index_of[name] = candidates[-1] if origin.solution else candidates[0]
                recognised_names.append(name)
    if recognised_names:
        names = ", ".join(
            repr(name) for name in assignment.followed_cells if name in recognised_names
        )
        message = (
            f"The metadata of {names} were lost or renamed; cell id or content identified them."
        )
        notes.append(Note("recognised", message))


def _has_same_id(origin: SourceCell, cell: PlainCell) -> bool:
    return bool(origin.cell_id) and origin.cell_id == cell.cell_id


def _has_released_text(origin: SourceCell, cell: PlainCell) -> bool:
    return _is_same_text(cell.source, origin.released)


def _defines_function(definitions: Callable, origin: SourceCell, cell: PlainCell) -> bool:
    if not (origin.solution and origin.cell_type == cell.cell_type == "code"):
        return False
    stub = _DEFINITION.search(origin.released)
    return stub is not None and stub[1] in definitions(cell.source)


def _find_definitions(source: str) -> frozenset[str]:
    """Return the names of the functions and classes of a cell."""
    return frozenset(_DEFINITION.findall(source))


def _find_answers_elsewhere(
    assignment: Assignment, cells: Sequence[PlainCell], index_of: dict[str, int], notes: list[Note]
) -> dict[str, int]:
    """Return the index of the cell that answers instead of each unchanged solution cell."""
    used_indices = set(index_of.values())
    index_of_definition = {
        name: index
        for index, cell in enumerate(cells)
        if index not in used_indices and cell.cell_type == "code"
        for name in _find_definitions(cell.source)
    }
    answers = {}
    for name, origin in assignment.followed_cells.items():
        stub = _DEFINITION.search(origin.released) if origin.solution else None
        is_untouched = name in index_of and _is_same_text(
            cells[index_of[name]].source, origin.released
        )
        if stub and is_untouched and stub[1] in index_of_definition:
            answers[name] = index_of_definition[stub[1]]
    text = "{} was not changed; the answer is in another cell, and was tested after that cell."
    _add_note(notes, "elsewhere", list(answers), text)
    return answers


Place = tuple[int, int]  # index of a student's cell, and the order of cells that run after it


def _find_places(
    assignment: Assignment, index_of: dict[str, int], answer_index_of: dict[str, int], count: int
) -> dict[str, Place]:
    """Apply rule 4: return the place of each cell of the problem set, in the set's order."""
    places: dict[str, Place] = {}
    earliest = last_test = (-1, 0)
    order = list(assignment.followed_cells.values())
    for number, cell in enumerate(order):
        own_place = (index_of[cell.name], 0) if cell.name in index_of else None
        if cell.solution:
            if own_place is None and not cell.graded:
                earliest = max(earliest, (count, number)) if cell.cell_type == "code" else earliest
                continue
            places[cell.name] = own_place or _next_place(earliest, number)
            earliest = max(earliest, (answer_index_of.get(cell.name, -1), 0))
        elif cell.test:
            lowest = max(earliest, last_test)
            places[cell.name] = last_test = (
                own_place if own_place and own_place > lowest else _next_place(lowest, number)
            )
        else:
            earlier_places = [
                places[c.name] for c in order[:number] if c.name in places and not c.test
            ]
            lowest = max(earlier_places, default=(-1, 0))
            later_indices = (index_of[c.name] for c in order[number + 1 :] if c.name in index_of)
            highest = (min(later_indices, default=count), 0)
            is_in_place = own_place is not None and lowest < own_place < highest
            places[cell.name] = (
                own_place if own_place and is_in_place else _next_place(lowest, number)
            )
        if not cell.test:
            earliest = max(earliest, places[cell.name])
    return places


def _next_place(place: Place, number: int) -> Place:
    """Return the next place after `place`; `number` keeps cells there in the set's order."""
    return place[0], max(place[1], number) + 1


def _restore_cell(origin: SourceCell, own_cell: PlainCell | None) -> PlainCell:
    """Apply rule 3: return the cell with the teacher's text if it is fixed, else the student's."""
    if origin.is_teachers:
        return PlainCell(origin.cell_type, origin.source, origin.name, origin.cell_id)
    if own_cell is None:
        remark = f"This cell ({origin.name}) was missing from the submission."
        text = f"# {remark}" if origin.cell_type == "code" else remark
        return PlainCell(origin.cell_type, text, origin.name, origin.cell_id)
    text = own_cell.source
    return PlainCell(origin.cell_type, text, origin.name, own_cell.cell_id, own_cell.attachments)


def _note_differences(
    assignment: Assignment,
    cells: Sequence[PlainCell],
    index_of: dict[str, int],
    places: dict[str, tuple[int, int]],
    notes: list[Note],
) -> None:
    restored_names: list[str] = []
    missing_names: list[str] = []
    changed_names, retyped_names = [], []
    for name, origin in assignment.followed_cells.items():
        if name not in index_of:
            (restored_names if origin.is_teachers else missing_names).append(name)
            continue
        own_cell = cells[index_of[name]]
        if own_cell.cell_type != origin.cell_type:
            retyped_names.append(name)
        elif origin.is_teachers and not _is_same_text(own_cell.source, origin.released):
            changed_names.append(name)
    missing_numbers = [
        n for n, cell in enumerate(assignment.followed_cells.values()) if cell.name in missing_names
    ]
    # After a missing solution, tests run later anyway: only cells before it can have been moved.
    names_before = list(assignment.followed_cells)[
        : missing_numbers[0] if missing_numbers else None
    ]
    moved_names = [
        name for name in names_before if name in index_of and places[name] != (index_of[name], 0)
    ]
    _add_note(notes, "restored", restored_names, "{} was missing and was restored.")
    _add_note(notes, "changed", changed_names, "{} had been changed; the original was used.")
    _add_note(
        notes,
        "cell type",
        retyped_names,
        "{} had another cell type; the original type was restored.",
    )
    text = "{} had been moved; it ran after the cells that come before it in the problem set."
    _add_note(notes, "moved", moved_names, text)
    text = "{} is missing. Later tests used the definitions of the whole notebook."
    _add_note(notes, "missing", missing_names, text, needs_teacher=True)


def _add_note(
    notes: list[Note], kind: str, names: list[str], text: str, needs_teacher: bool = False
) -> None:
    if names:
        quoted = ", ".join(map(repr, names))
        subject = f"The cell {quoted}" if len(names) == 1 else f"Each of the cells {quoted}"
        notes.append(Note(kind, text.format(subject), needs_teacher))
