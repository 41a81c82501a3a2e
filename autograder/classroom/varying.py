"""A problem set varied for a course: numbers and names drawn from its secret, alike everywhere.

A mark `{{ratio: 3|4|5|7}}` in a cell becomes one of the values, `{{ratio}}` the same one in any
cell of the set's notebooks: text, solution, stub and tests. The set with its marks is kept in
COURSE/templates/NAME; COURSE/source/NAME has the values, and all else works on it as on any set.
The project's own sets have no marks and get them here, for the names of `shipped.other_names`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import renaming, shipped
from autograder.classroom.assignment import text_of
from autograder.classroom.folders import (
    Course,
    CourseError,
    check_name,
    command,
    meant,
    write_atomically,
)

_NAME = r"[^\W\d]\w*"
_DECLARED = re.compile(rf"\{{\{{\s*({_NAME})\s*:([^{{}}\n]*\|[^{{}}\n]*)\}}\}}")
_BEGUN = re.compile(  # whatever lists values
    r"\{\{\s*\w[\w .-]*:(?:(?!\}\})[^|\n])*\|.*?(?:\}\}+|$)", re.MULTILINE
)
_WITH_ONE = re.compile(rf"\{{\{{\s*({_NAME})\s*:[^{{}}\n|]*\}}\}}")
_MENTIONED = re.compile(rf"\{{\{{\s*({_NAME})\s*\}}\}}")


@dataclass(frozen=True)
class Varied:
    """What was drawn, by mark, of how many variants of the whole set; and the notebooks."""

    values: Mapping[str, str]
    variants: int
    paths: tuple[Path, ...]
    left: tuple[str, ...] = ()  # what looks like a mark and has no values, as formulas may have it
    beside: tuple[str, ...] = ()  # the files that mention marks, which stay there


def vary(course: Course, name: str, unlike: Sequence[Course] = ()) -> Varied:
    """Write COURSE/source/NAME with values in the place of its marks. The same course always gets
    the same, and with `unlike` no value that another course has.

    Raises CourseError where there are no marks, one says two things or has no value that is left,
    or the source has been changed since it was varied.
    """
    check_name(name)
    template, source = course.template(name), course.root / "source" / name
    if template.exists():
        _check_untouched(course, name, source)
        notebooks = _notebooks(template)
    else:
        shipped.copy_to(course, name)
        notebooks = _notebooks(source)
        if not marked(course, name):
            others = shipped.other_names(name)
            notebooks = {path: renaming.with_marks(one, others) for path, one in notebooks.items()}
    choices = _declared(source, notebooks)
    taken = _taken(course, unlike, name)
    values = {
        mark: _drawn(course, name, mark, of, taken.get(mark, ())) for mark, of in choices.items()
    }
    varied = {path: _with_values(path, notebook, values) for path, notebook in notebooks.items()}
    _put(course, name, notebooks, varied, {"values": values, "unlike": taken})
    variants = math.prod(len(of) for of in choices.values())
    left = dict.fromkeys(f"{{{{{mark}}}}}" for text in varied.values() for mark in _undrawn(text))
    paths = tuple(source / path for path in varied)
    return Varied(values, variants, paths, tuple(left), tuple(_mentioning(source, values)))


def filled(course: Course, name: str, text: str) -> str:
    """A text with what was drawn for the set in the place of the marks that it mentions."""
    return _filled(text, _remembered(course, name).get("values", {}))


def names(course: Course) -> tuple[str, ...]:
    """The problem sets that have a template, or of which something was drawn."""
    there = {path.name for path in course.template("x").parent.glob("*/")}
    there |= {path.stem for path in course.varied("x").parent.glob("*.json")}
    return tuple(sorted(name for name in there if not name.startswith(".")))


def check_kept(course: Course, name: str) -> None:
    """Raise CourseError where what was drawn for a set is damaged, or gone."""
    _remembered(course, name)


def check_replaced(course: Course, name: str) -> None:
    """Raise CourseError where marks stand in the source: students would find them there. And where
    the source is of an earlier template.
    """
    again = f"run: {command('vary', course.root, name)}"
    if found := marked(course, name):
        raise CourseError(f"{found[0]} has marks with several values: {again}")
    remembered, template = _remembered(course, name), course.template(name)
    if template.exists() and _REPLACING in remembered:
        raise CourseError(f"{template} was being varied, and that was interrupted; {again}")
    before = remembered.get("template")
    if before is not None and template.exists() and _digests(template) != before:
        raise CourseError(f"{template} has been changed since the set was varied; {again}")
    values = remembered.get("values", {})
    for notebook in course.notebooks(name):
        path = course.source(name, notebook)
        for mark in (mark for text in _texts(_read(path)) for mark in _undrawn(text)):
            if meant(mark, values):
                raise CourseError(
                    f"{path} has the mark {{{{{mark}}}}}, in whose place nothing was drawn: write "
                    f"it into {course.template(name)}, take it out here, and {again}"
                )


def marked(course: Course, name: str) -> list[Path]:
    """The source notebooks in which marks are still to be replaced."""
    found = []
    for notebook in course.notebooks(name):
        path = course.source(name, notebook)
        if any(_BEGUN.search(text) for text in _texts(_read(path))):
            found.append(path)
    return found


_REPLACING = "replacing"  # what the source was, for as long as another one is put in its place


def _remember(course: Course, name: str, kept: Mapping) -> None:
    write_atomically(course.varied(name), json.dumps(kept), mode=0o600)


def _remembered(course: Course, name: str) -> dict:
    """What was drawn, and from what; nothing where the set wasn't varied. Raises CourseError where
    that is lost: `vary` couldn't tell what it may overwrite, nor draw unlike other courses.
    """
    path, source = course.varied(name), course.source(name).parent
    if not path.exists():
        if course.template(name).exists() and source.exists():
            raise CourseError(f"{path} is gone; {_HOW_TO_MEND.format(source)}")
        return {}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if not _is_whole(kept):
            raise ValueError("it doesn't say what was drawn")
    except (OSError, ValueError, RecursionError) as error:
        how = _HOW_TO_MEND.format(f"it and {source}")
        raise CourseError(f"{path} is damaged ({error}); {how}") from error
    return kept


_HOW_TO_MEND = (
    "take it from a backup, or move {} out of the way and vary the set again, with the same "
    "--unlike as before"
)


def _is_whole(kept: object) -> bool:
    if not isinstance(kept, dict) or not all(isinstance(part, dict) for part in kept.values()):
        return False
    values = kept.get("values", {}).values()
    return bool(values and kept.get("digests")) and all(isinstance(value, str) for value in values)


def _check_untouched(course: Course, name: str, source: Path) -> None:
    remembered = _remembered(course, name)
    known = [remembered.get("digests", {}), remembered.get(_REPLACING)]
    if source.exists() and _digests(source) not in known:
        raise CourseError(
            f"{source} has been changed since it was varied, and would be overwritten. Make the "
            f"change in {course.template(name)}, and move {source} out of the way"
        )


def _digests(folder: Path) -> dict[str, str]:
    """By name the SHA-256 of each file."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in _files(folder)
    }


def _files(folder: Path) -> Iterator[Path]:
    """Without what is hidden or compiled, which programs leave where a teacher only looked."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        left = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if path.is_file() and not left:
            yield path


def _mentioning(source: Path, values: Mapping[str, str]) -> Iterator[str]:
    """The files beside the notebooks with marks in them, which nothing replaces."""
    for path in _files(source):
        name = path.relative_to(source).as_posix()
        found = _MENTIONED.findall(path.read_text(encoding="utf-8", errors="replace"))
        if not name.endswith(".ipynb") and set(found) & set(values):
            yield name


def _put(
    course: Course,
    name: str,
    notebooks: Mapping[str, dict],
    varied: Mapping[str, str],
    kept: Mapping,
) -> None:
    """The whole new source in the place of the old one, from which the template is made first.

    Where that is interrupted, what is kept lets the next command go on, and nothing be released.
    """
    template, source = course.template(name), course.root / "source" / name
    is_first = not template.exists()
    new = _copied(source, source if is_first else template, varied)
    texts = {path: _text(notebook) for path, notebook in notebooks.items()}
    new_template = _copied(template, source, texts) if is_first else template
    kept = {**kept, "digests": _digests(new), "template": _digests(new_template)}
    _remember(course, name, kept | {_REPLACING: _digests(source)})
    if is_first:
        new_template.rename(template)
    _replace(source, new)
    _remember(course, name, kept)


def _copied(folder: Path, like: Path, texts: Mapping[str, str]) -> Path:
    """Beside `folder`, to stand in its place: a copy of `like` with these texts in its files."""
    new = folder.with_name(f".new-{folder.name}")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(like, new, symlinks=True)
    for path, text in texts.items():
        write_atomically(new / path, text)
    return new


def _replace(folder: Path, new: Path) -> None:
    """The old one is moved away whole, and removed when there is the new one."""
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
    found = sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith("."))
    return {path.name: _read(path) for path in found}


def _texts(notebook: dict) -> Iterator[str]:
    return (text_of(cell["source"]) for cell in notebook["cells"])


def _declared(source: Path, notebooks: Mapping[str, dict]) -> dict[str, tuple[str, ...]]:
    """Mark -> its choices, which must be the same wherever they are written out."""
    found: dict[str, tuple[str, ...]] = {}
    for path, notebook in notebooks.items():
        for text in _texts(notebook):
            if begun := _BEGUN.search(_DECLARED.sub("", text)):
                raise CourseError(
                    f"{path}: {begun[0][:60]!r} is no mark: its name has letters, digits and _ "
                    "alone, a letter first, and no value has braces or a line's end"
                )
            for mark, listed in _DECLARED.findall(text):
                choices = tuple(choice.strip() for choice in listed.split("|"))
                if not all(choices) or len(set(choices)) < len(choices):
                    raise CourseError(
                        f"{path}: the values of {mark!r} must be different, not {listed!r}"
                    )
                if found.setdefault(mark, choices) != choices:
                    raise CourseError(
                        f"{path}: {mark!r} has other values here than before; write them out once, "
                        f"and {{{{{mark}}}}} elsewhere"
                    )
    if not found:
        raise CourseError(f"no notebook of {source} has a mark such as {{{{ratio: 3|4|5|7}}}}")
    return found


def _taken(course: Course, unlike: Sequence[Course], name: str) -> dict[str, list[str]]:
    """By mark what other courses have, now or when this one was varied unlike them."""
    if not unlike:
        kept = _remembered(course, name).get("unlike", {})
        return {mark: [of] if isinstance(of, str) else of for mark, of in kept.items()}
    found: dict[str, list[str]] = {}
    for other in unlike:
        if other.root == course.root:
            raise CourseError(f"{course.root} can't be varied unlike itself; name another course")
        if not (values := _remembered(other, name).get("values")):
            raise CourseError(f"{name!r} has not been varied in {other.root}")
        for mark, value in values.items():
            found.setdefault(mark, []).append(value)
    return found


def _drawn(
    course: Course, name: str, mark: str, choices: tuple[str, ...], taken: Collection[str]
) -> str:
    if not (left := [choice for choice in choices if choice not in taken]):
        raise CourseError(f"the other courses have all values of {mark!r}: {', '.join(choices)}")
    digest = hmac.new(course.secret(), f"vary\0{name}\0{mark}".encode(), hashlib.sha256).digest()
    return left[int.from_bytes(digest, "big") % len(left)]


def _with_values(path: str, notebook: dict, values: Mapping[str, str]) -> str:
    cells = []
    for cell in notebook["cells"]:
        text = _DECLARED.sub(lambda found: values[found[1]], text_of(cell["source"]))
        text = _filled(text, values)
        for mark in _undrawn(text):
            if said := meant(mark, values):
                raise CourseError(f"{path}: {{{{{mark}}}}} has no values{said}")
        cells.append(cell | {"source": text})
    return _text(notebook | {"cells": cells})


def _undrawn(text: str) -> list[str]:
    """The names in what looks like a mark, where nothing is to be drawn."""
    return [*_MENTIONED.findall(text), *_WITH_ONE.findall(text)]


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _MENTIONED.sub(lambda found: values.get(found[1], found[0]), text)


def _text(notebook: Mapping) -> str:
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
