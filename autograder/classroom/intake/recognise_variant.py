"""Recognise by its content which student's variant of a problem set a submission answers.

The values in lines that have placeholders tell whose variant it is. The grader uses the variant of
the student who handed in all the same, and the teacher gets a note. Only a group hands in once: it
is graded with the variant of the member whose notebook it handed in.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course
from autograder.classroom.course.printable import quoted, visible
from autograder.classroom.grading.read_notebook import Note, PlainCell, read
from autograder.classroom.intake.collect_class import CollectedSubmission
from autograder.classroom.sets.assignment import Assignment
from autograder.classroom.sets.student_variants import MENTIONED, StudentVariants

MAX_LINES, MAX_LINE_CHARACTERS = 20_000, 1_000  # of a submission, that are looked at
MAX_NAMED = 5  # students named in one note
OTHER = "variant"  # the kind of the notes
COURSE_ITSELF = ""  # the "student" whose variant is in COURSE/release

Values = Mapping[str, str]  # by placeholder


@dataclass(frozen=True)
class ObservedValues:
    """The values in a submission: in the texts of the problem set, and in the answers."""

    texts: Values = field(default_factory=dict)
    answers: Values = field(default_factory=dict)


class VariantReader:
    """A reader of submissions of a set that has a variant for each student."""

    def __init__(self, assignment: Assignment) -> None:
        assert assignment.variants is not None
        self._assignment, self.variants = assignment, assignment.variants
        texts, answers = _template_lines(self.variants)
        self._texts = _patterns(texts, self.variants.choices)
        self._answers = _patterns(answers, self.variants.choices)
        self._solutions = {
            cell.cell_metadata.grade_id for cell in assignment.cells if cell.solution
        }

    def stubs_of(self, student: str) -> dict[str, dict[str, str]]:
        """Return the released text of each solution cell of a student's variant, by notebook."""
        variant = self._assignment.for_student(student)
        parts = zip(variant.notebooks, variant.parts, strict=True)
        return {notebook: part.stubs for notebook, part in parts}

    def read(self, contents: Iterable[bytes | None]) -> ObservedValues:
        """Return the value that most lines of the notebooks have for each placeholder."""
        texts, answers = defaultdict[str, Counter](Counter), defaultdict[str, Counter](Counter)
        cells = (cell for data in contents if data is not None for cell in read(data).cells)
        for cell, line in _lines(cells):
            is_answer = cell.claimed in self._solutions
            if not is_answer:
                _count(self._texts, line, texts)
            if is_answer or not cell.claimed:
                _count(self._answers, line, answers)
        return ObservedValues(_most_common(texts), _most_common(answers))


def _template_lines(variants: StudentVariants) -> tuple[list[str], list[str]]:
    """Return the released lines with placeholders, and those of stubs and solutions."""
    texts: list[str] = []
    answers: list[str] = []
    for record in variants.notebooks:
        for cell in record["released"]["cells"]:
            is_answer = CellMetadata.of(cell).solution
            (answers if is_answer else texts).extend(cell["source"].splitlines())
        answers += [line for text in record["solution"].values() for line in text.splitlines()]
    return texts, answers


def _patterns(
    lines: Iterable[str], choices: Mapping[str, Sequence[str]]
) -> list[tuple[str, re.Pattern[str], list[str]]]:
    """Return of each line with a placeholder its longest text, its pattern and its placeholders.

    A line without letters around its placeholders could be anything, and is left out.
    """
    patterns = []
    for line in dict.fromkeys(line.strip() for line in lines):
        pieces = MENTIONED.split(line)
        literals, names = pieces[::2], pieces[1::2]
        known_names = [name for name in dict.fromkeys(names) if name in choices]
        if known_names and re.search(r"[^\W\d]", "".join(literals)):
            pattern = re.escape(literals[0])
            earlier_names: list[str] = []
            for name, literal in zip(names, literals[1:], strict=True):
                pattern += _group(name, choices, earlier_names) + re.escape(literal)
            patterns.append((max(literals, key=len), re.compile(pattern), known_names))
    return patterns


def _group(name: str, choices: Mapping[str, Sequence[str]], earlier_names: list[str]) -> str:
    """Return the pattern of a placeholder; `earlier_names` are those before it in the line."""
    if name not in choices:
        return re.escape(f"{{{{{name}}}}}")
    if name in earlier_names:
        return rf"(?:\{earlier_names.index(name) + 1})"  # in parentheses, since a digit may follow
    earlier_names.append(name)
    values = sorted(choices[name], key=len, reverse=True)
    return f"({'|'.join(map(re.escape, values))})"


def _lines(cells: Iterable[PlainCell]) -> Iterator[tuple[PlainCell, str]]:
    count = 0
    for cell in cells:
        for line in cell.source.splitlines():
            count += 1
            if count > MAX_LINES:
                return
            if len(line) <= MAX_LINE_CHARACTERS and (stripped := line.strip()):
                yield cell, stripped


def _count(
    patterns: Iterable[tuple[str, re.Pattern[str], list[str]]],
    line: str,
    counts: Mapping[str, Counter],
) -> None:
    for literal, pattern, names in patterns:
        if literal in line and (match := pattern.fullmatch(line)):
            for name, value in zip(names, match.groups(), strict=True):
                counts[name][value] += 1


def _most_common(counts: Mapping[str, Counter]) -> dict[str, str]:
    return {
        name: min(values, key=lambda value: (-values[value], value))
        for name, values in counts.items()
    }


def note_variants(
    course: Course,
    name: str,
    reader: VariantReader,
    submissions: Iterable[CollectedSubmission],
    listed_students: Iterable[str],
    groups: Mapping[str, str],
) -> tuple[CollectedSubmission, ...]:
    """Return the submissions with the variant of each group, and notes on others' variants."""
    submissions = tuple(submissions)
    students = {path.parent.name for path in course.root.glob(f"submitted/*/{name}/")}
    students |= {*listed_students, *(submission.student for submission in submissions)}
    values_of = {s: reader.variants.values(s) for s in (COURSE_ITSELF, *sorted(students))}
    members: dict[str, list[str]] = defaultdict(list)
    for student, group in sorted(groups.items()):
        members[group].append(student)
    noted_submissions = []
    for submission in submissions:
        team = members[groups[submission.student]] if submission.student in groups else []
        noted_submissions.append(_note(submission, values_of, team))
    return tuple(noted_submissions)


def _note(
    submission: CollectedSubmission, values_of: Mapping[str, Values], team: Sequence[str]
) -> CollectedSubmission:
    student, observed = submission.student, submission.observed or ObservedValues()
    variant = _find_in_team(observed, values_of, team) or student
    if note := _describe_other(observed, variant, values_of):
        notes = (*submission.notes, note)
        return dataclasses.replace(submission, notes=notes)
    if values_of[variant] == values_of[student]:
        return submission
    text = f"The group handed in the variant of {visible(variant)}, which was graded."
    notes = (*submission.notes, Note(OTHER, text))
    return dataclasses.replace(submission, notes=notes, variant=variant)


def _find_in_team(
    observed: ObservedValues, values_of: Mapping[str, Values], team: Sequence[str]
) -> str:
    """Return the first member whose variant the group handed in, or ""."""
    fitting = [member for member in team if _fits(observed.texts, values_of.get(member, {}))]
    best = [member for member in fitting if _fits(observed.answers, values_of[member])]
    return next(iter([*best, *fitting]), "")


def _fits(observed: Values, values: Values) -> bool:
    return all(values.get(placeholder) == value for placeholder, value in observed.items())


_STUDENTS_TEXT = (
    "This notebook has texts of another variant of the problem set than yours. It was graded with "
    "the tests of your variant."
)


def _describe_other(
    observed: ObservedValues, student: str, values_of: Mapping[str, Values]
) -> Note | None:
    """Return a note if texts or answers have values of another variant than the student's."""
    own = values_of[student]
    if different := _differences(observed.texts, own):
        owner = _name_owners(observed.texts, different, student, values_of)
        text = f"It answers {owner}. It was graded with the student's own variant."
        return Note(OTHER, _STUDENTS_TEXT, needs_teacher=True, teachers_text=text)
    if different := _differences(observed.answers, own):
        owner = _name_owners(observed.answers, different, student, values_of)
        return Note(OTHER, "", teachers_text=f"Its answers have values of {owner}.")
    return None


def _differences(observed: Values, own: Values) -> dict[str, str]:
    return {name: value for name, value in observed.items() if value != own[name]}


def _name_owners(
    observed: Values, different: Values, student: str, values_of: Mapping[str, Values]
) -> str:
    """Say whose variant has all the observed values, or else all that are different."""
    others = [s for s in values_of if s != student]
    owners = [s for s in others if _fits(observed, values_of[s])]
    owners = owners or [s for s in others if _fits(different, values_of[s])]
    names = [visible(owner) for owner in owners if owner != COURSE_ITSELF]
    if COURSE_ITSELF in owners:
        names.insert(MAX_NAMED - 1, "the course itself, in the folder release")
    own, more = values_of[student], f", or {len(names) - MAX_NAMED} others"
    who = " or ".join(names[:MAX_NAMED]) + (more if len(names) > MAX_NAMED else "")
    values = ", ".join(
        f"{name} is {quoted(value)} instead of {quoted(own[name])}"
        for name, value in different.items()
    )
    return f"the variant of {who or 'no known student'}: {values}"
