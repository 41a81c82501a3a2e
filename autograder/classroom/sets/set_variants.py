"""Vary a problem set for a course: numbers and names are drawn from the course's secret.

A placeholder `{{ratio: 3|4|5|7}}` in a cell becomes one of the values, and `{{ratio}}` the same one
in any cell of the set's notebooks: text, solution, stub and tests. The set with its placeholders
is kept in COURSE/templates/NAME. COURSE/source/NAME has the values, and is then a set like any
other. The project's own sets get their placeholders here, for the names that
`shipped_sets.other_names` lists.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import (
    Course,
    CourseError,
    check_name,
    command,
    meant,
    write_atomically,
)
from autograder.classroom.sets import name_placeholders, shipped_sets, student_variants
from autograder.classroom.sets.assignment import text_of

_DECLARED, _MENTIONED = student_variants.DECLARED, student_variants.MENTIONED
_ANY_LIST = re.compile(  # any braces that list values, also malformed ones
    r"\{\{\s*\w[\w .-]*:(?:(?!\}\})[^|\n])*\|.*?(?:\}\}+|$)", re.MULTILINE
)
_ONE_VALUE = re.compile(rf"\{{\{{\s*({student_variants.PLACEHOLDER_NAME})\s*:[^{{}}\n|]*\}}\}}")


@dataclass(frozen=True)
class SetVariant:
    """The value drawn for each placeholder, the number of possible variants, and the notebooks."""

    values: Mapping[str, str]
    variants: int
    paths: tuple[Path, ...]
    unset_placeholders: tuple[str, ...] = ()  # they have no values, like braces in formulas
    files_with_placeholders: tuple[str, ...] = ()  # nothing is replaced in these files
    is_each: bool = False  # each student gets a variant, and `values` are only the course's


def vary(
    course: Course, name: str, unlike: Sequence[Course] = (), each: bool | None = None
) -> SetVariant:
    """Write COURSE/source/NAME with values instead of its placeholders.

    The same course always gets the same values. With `unlike`, it gets no value that one of
    these courses has. With `each`, `release` will draw other values for each student; None means
    as at the last time.

    Raises CourseError if there are no placeholders, or if one has two lists of values or no free
    value. Raises it also if the source has been changed since it was varied.
    """
    check_name(name)
    template, source = course.template(name), course.root / "source" / name
    if template.exists():
        _check_untouched(course, name, source)
        notebooks = _notebooks(template)
    else:
        shipped_sets.copy_to(course, name)
        notebooks = _notebooks(source)
        if not find_unreplaced(course, name):
            other_names = shipped_sets.other_names(name)
            notebooks = {
                path: name_placeholders.insert_placeholders(notebook, other_names)
                for path, notebook in notebooks.items()
            }
    choices = _read_choices(source, notebooks)
    excluded = _values_elsewhere(course, unlike, name)
    free_choices = {
        placeholder: _leave_out(placeholder, options, excluded.get(placeholder, ()))
        for placeholder, options in choices.items()
    }
    values = {
        placeholder: student_variants.draw(course.secret(), name, placeholder, options, "")
        for placeholder, options in free_choices.items()
    }
    is_each = bool(find_choices(course, name)) if each is None else each
    record = {"values": values, "unlike": excluded} | ({"each": free_choices} if is_each else {})
    varied = {path: _with_values(path, notebook, values) for path, notebook in notebooks.items()}
    _replace_source(course, name, notebooks, varied, record)
    variants = math.prod(map(len, (free_choices if is_each else choices).values()))
    unset = dict.fromkeys(
        f"{{{{{placeholder}}}}}" for text in varied.values() for placeholder in _find_unset(text)
    )
    paths = tuple(source / path for path in varied)
    mentions = tuple(_find_mentions(source, values))
    return SetVariant(values, variants, paths, tuple(unset), mentions, is_each)


def filled(course: Course, name: str, text: str) -> str:
    """Return a text with the set's drawn values instead of its placeholders."""
    return student_variants.fill(text, _load_record(course, name).get("values", {}))


def find_choices(course: Course, name: str) -> dict[str, list[str]]:
    """Return the values that may be drawn for each student; {} if all students have the same."""
    return _load_record(course, name).get("each", {})


def read_template(course: Course, name: str) -> dict[str, dict]:
    """Return the template's notebooks by file name, with `{{ratio}}` for each placeholder."""
    notebooks = _notebooks(course.template(name))
    return {
        path: _with_texts(notebook, lambda text: _DECLARED.sub(r"{{\1}}", text))
        for path, notebook in notebooks.items()
    }


def names(course: Course) -> tuple[str, ...]:
    """Return the problem sets that have a template or drawn values."""
    names_there = {path.name for path in course.template("x").parent.glob("*/")}
    names_there |= {path.stem for path in course.varied("x").parent.glob("*.json")}
    return tuple(sorted(name for name in names_there if not name.startswith(".")))


def check_replaced(course: Course, name: str) -> None:
    """Raise CourseError if the source still has placeholders, or is made from an earlier template.

    Otherwise students would see the placeholders.
    """
    advice = f"run: {command('vary', course.root, name)}"
    if paths := find_unreplaced(course, name):
        raise CourseError(f"{paths[0]} has placeholders with several values: {advice}")
    record, template = _load_record(course, name), course.template(name)
    if template.exists() and _REPLACING in record:
        raise CourseError(f"{template} was being varied, and that was interrupted; {advice}")
    old_digests = record.get("template")
    if old_digests is not None and template.exists() and _digests(template) != old_digests:
        raise CourseError(f"{template} has been changed since the set was varied; {advice}")
    values = record.get("values", {})
    for notebook in course.notebooks(name):
        path = course.source(name, notebook)
        for placeholder in (
            placeholder for text in _texts(_read(path)) for placeholder in _find_unset(text)
        ):
            if meant(placeholder, values):
                raise CourseError(
                    f"{path} has the placeholder {{{{{placeholder}}}}}, for which nothing was "
                    f"drawn: write it into {course.template(name)}, take it out here, and {advice}"
                )


def find_unreplaced(course: Course, name: str) -> list[Path]:
    """Return the source notebooks in which placeholders are still to be replaced."""
    paths = []
    for notebook in course.notebooks(name):
        path = course.source(name, notebook)
        if any(_ANY_LIST.search(text) for text in _texts(_read(path))):
            paths.append(path)
    return paths


_REPLACING = "replacing"  # the digests of the old source while it is replaced


def _save_record(course: Course, name: str, record: Mapping) -> None:
    write_atomically(course.varied(name), json.dumps(record), mode=0o600)


def _load_record(course: Course, name: str) -> dict:
    """Return the record of the drawn values, empty if the set wasn't varied.

    Raises CourseError if the record is lost. `vary` needs it to overwrite only its own files, and
    to draw other values than other courses.
    """
    path, source = course.varied(name), course.source(name).parent
    if not path.exists():
        if course.template(name).exists() and source.exists():
            raise CourseError(f"{path} is missing; {_HOW_TO_MEND.format(source)}")
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if not _is_complete(record):
            raise ValueError("it doesn't say what was drawn")
    except (OSError, ValueError, RecursionError) as error:
        remedy = _HOW_TO_MEND.format(f"it and {source}")
        raise CourseError(f"{path} is damaged ({error}); {remedy}") from error
    return record


_HOW_TO_MEND = (
    "take it from a backup, or move {} out of the way and vary the set again, with the same "
    "--unlike as before"
)


def _is_complete(data: object) -> bool:
    if not isinstance(data, dict) or not all(isinstance(part, dict) for part in data.values()):
        return False
    values = data.get("values", {}).values()
    return bool(values and data.get("digests")) and all(isinstance(value, str) for value in values)


def _check_untouched(course: Course, name: str, source: Path) -> None:
    record = _load_record(course, name)
    known_digests = [record.get("digests", {}), record.get(_REPLACING)]
    if source.exists() and _digests(source) not in known_digests:
        raise CourseError(
            f"{source} has been changed since it was varied, and would be overwritten. Make the "
            f"change in {course.template(name)}, and move {source} out of the way"
        )


def _digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file, by name."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in _files(folder)
    }


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files, without hidden and compiled ones, which programs leave behind."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        is_by_product = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if path.is_file() and not is_by_product:
            yield path


def _find_mentions(source: Path, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the files beside the notebooks that contain placeholders, which nothing replaces."""
    for path in _files(source):
        name = path.relative_to(source).as_posix()
        placeholders = _MENTIONED.findall(path.read_text(encoding="utf-8", errors="replace"))
        if not name.endswith(".ipynb") and set(placeholders) & set(values):
            yield name


def _replace_source(
    course: Course,
    name: str,
    notebooks: Mapping[str, dict],
    varied: Mapping[str, str],
    record: Mapping,
) -> None:
    """Replace the source; the first time, make the template from the old source before that.

    After an interruption the record lets the next command continue. Until then `release` refuses
    the set.
    """
    template, source = course.template(name), course.root / "source" / name
    is_first = not template.exists()
    new = _copy(source, source if is_first else template, varied)
    texts = {path: _text(notebook) for path, notebook in notebooks.items()}
    new_template = _copy(template, source, texts) if is_first else template
    record = {**record, "digests": _digests(new), "template": _digests(new_template)}
    _save_record(course, name, record | {_REPLACING: _digests(source)})
    if is_first:
        new_template.rename(template)
    _replace_folder(source, new)
    _save_record(course, name, record)


def _copy(folder: Path, like: Path, texts: Mapping[str, str]) -> Path:
    """Copy `like` to a new folder beside `folder`, with these texts in its files; return it."""
    new = folder.with_name(f".new-{folder.name}")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(like, new, symlinks=True)
    for path, text in texts.items():
        write_atomically(new / path, text)
    return new


def _replace_folder(folder: Path, new: Path) -> None:
    """Move the old folder away, put the new one there, and then remove the old one."""
    old = folder.with_name(f".old-{folder.name}")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _read(path: Path) -> dict:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        _ = [text_of(cell["source"]) for cell in notebook["cells"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{path} is no notebook: {error!r}") from error
    return notebook


def _notebooks(folder: Path) -> dict[str, dict]:
    paths = sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith("."))
    return {path.name: _read(path) for path in paths}


def _texts(notebook: dict) -> Iterator[str]:
    return (text_of(cell["source"]) for cell in notebook["cells"])


def _read_choices(source: Path, notebooks: Mapping[str, dict]) -> dict[str, tuple[str, ...]]:
    """Return the choices of each placeholder, which must be the same wherever they are listed."""
    choices_by_name: dict[str, tuple[str, ...]] = {}
    for path, notebook in notebooks.items():
        for text in _texts(notebook):
            if match := _ANY_LIST.search(_DECLARED.sub("", text)):
                raise CourseError(
                    f"{path}: {match[0][:60]!r} is no placeholder: its name may have only "
                    "letters, digits and _, a letter first, and no value a brace or a line's end"
                )
            for placeholder, values in _DECLARED.findall(text):
                choices = tuple(choice.strip() for choice in values.split("|"))
                if not all(choices) or len(set(choices)) < len(choices):
                    raise CourseError(
                        f"{path}: the values of {placeholder!r} must be different, not {values!r}"
                    )
                if choices_by_name.setdefault(placeholder, choices) != choices:
                    raise CourseError(
                        f"{path}: {placeholder!r} has other values here than before; list them "
                        f"once, and write {{{{{placeholder}}}}} elsewhere"
                    )
    if not choices_by_name:
        raise CourseError(
            f"no notebook of {source} has a placeholder such as {{{{ratio: 3|4|5|7}}}}"
        )
    return choices_by_name


def _values_elsewhere(course: Course, unlike: Sequence[Course], name: str) -> dict[str, list[str]]:
    """Return the values that other courses have for each placeholder, or had at the last `vary`."""
    if not unlike:
        record = _load_record(course, name).get("unlike", {})
        return {
            placeholder: [values] if isinstance(values, str) else values
            for placeholder, values in record.items()
        }
    values_by_name: dict[str, list[str]] = {}
    for other in unlike:
        if other.root == course.root:
            raise CourseError(f"{course.root} can't be varied unlike itself; name another course")
        record = _load_record(other, name)
        if not (values := record.get("values")):
            raise CourseError(f"{name!r} has not been varied in {other.root}")
        for placeholder, value in values.items():
            students_values = record.get("each", {}).get(placeholder, [])
            values_by_name.setdefault(placeholder, []).extend(
                {value: 0} | dict.fromkeys(students_values)
            )
    return values_by_name


def _leave_out(placeholder: str, choices: tuple[str, ...], excluded: Collection[str]) -> list[str]:
    """Return the values that no other course has; raise CourseError if there are none."""
    if not (free_choices := [choice for choice in choices if choice not in excluded]):
        raise CourseError(
            f"the other courses have all values of {placeholder!r}: {', '.join(choices)}"
        )
    return free_choices


def _with_values(path: str, notebook: dict, values: Mapping[str, str]) -> str:
    def fill(text: str) -> str:
        text = _DECLARED.sub(lambda match: values[match[1]], text)
        text = student_variants.fill(text, values)
        for placeholder in _find_unset(text):
            if hint := meant(placeholder, values):
                raise CourseError(f"{path}: {{{{{placeholder}}}}} has no values{hint}")
        return text

    return _text(_with_texts(notebook, fill))


def _with_texts(notebook: dict, change: Callable[[str], str]) -> dict:
    """Return the notebook with the changed text of each cell."""
    cells = [cell | {"source": change(text_of(cell["source"]))} for cell in notebook["cells"]]
    return notebook | {"cells": cells}


def _find_unset(text: str) -> list[str]:
    """Return the names of all placeholders without values; some may be braces of a formula."""
    return [*_MENTIONED.findall(text), *_ONE_VALUE.findall(text)]


def _text(notebook: Mapping) -> str:
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
