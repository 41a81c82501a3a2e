"""Reads answers that are written as edits of other answers. The notation, line by line:

    == test_name            the test that must find the wrong answers below; "right" for right ones
    # comment
    * name | words that the student must read | edits the name of another answer
    ~ old => new            replace a text that occurs once; "~3" replaces one that occurs 3 times
    -a line                 replace whole lines, as a patch does
    +a line
     a line                 stays; it says where the lines around it are
    @@                      begins another patch

Where a header names no other answer, the first right one is edited. An answer of "+" lines alone
is a text of its own. The parts of a long header go on in lines that begin with "|".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from autograder.rehearsal.catalogue import Answers, Mutant

REPLACE = re.compile(r"~(\d*) (.*?) =>(?: (.*))?")


class EditError(ValueError):
    """An edit that doesn't apply to the answer it is made for."""


def read_answers(file: str, right: Mapping[str, str], edits: str) -> Answers:
    """Return the answers to the exercise that the module `file` is named after.

    Raises EditError where an edit doesn't apply, with the file, the answer and the text that is
    missing.
    """
    path, answers = Path(file), Answers(Path(file).stem, dict(right), {})
    sources = dict(right)
    for test, header, body in _entries(edits):
        name, says, base = _fields(header)
        try:
            if name in sources:
                raise EditError("there is another answer with this name")
            sources[name] = _edited(sources, base or next(iter(sources), ""), body)
        except EditError as error:
            where = f"{path.parent.name}/{path.name}"
            raise EditError(f"{where}: exercise {path.stem}, answer {name!r}: {error}") from None
        if test == "right":
            answers.right[name] = sources[name]
        else:
            answers.mutants[name] = Mutant(sources[name], test, says)
    return answers


def _entries(edits: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the test, the header and the lines of each answer."""
    test = ""
    for block in re.split(r"^(?=\* |== )", edits, flags=re.MULTILINE):
        lines = [line for line in block.rstrip().splitlines() if not line.startswith("#")]
        if block.startswith("== "):
            test = lines[0].removeprefix("== ")
        elif block.startswith("* "):
            while len(lines) > 1 and lines[1].startswith("|"):
                lines[:2] = [f"{lines[0]} {lines[1]}"]
            yield test, lines[0].removeprefix("* "), lines[1:]


def _fields(header: str) -> tuple[str, str, str]:
    """Return the name, the words and the name of the answer that is edited, if any."""
    header, _, base = header.partition(" | edits ")
    name, _, says = header.partition(" | ")
    return name, says, base


def _edited(sources: Mapping[str, str], base: str, lines: Iterable[str]) -> str:
    """Apply the edits, one after the other."""
    lines = list(lines)
    if lines and all(line.startswith("+") for line in lines):
        return "\n".join(["", *(line[1:] for line in lines), ""])
    if base not in sources:
        raise EditError(f"there is no answer {base!r} above it to be edited")
    text = sources[base]
    if wrong := next((line for line in lines if line and line[0] not in "~@-+ "), None):
        raise EditError(f"this line is no edit: {wrong!r}")
    for is_patch, part in groupby(lines, lambda line: line[:1] not in ("~", "@")):
        if is_patch:
            text = _patched(text, list(part), base)
        else:
            for line in part:
                text = text if line == "@@" else _replaced(text, line, base)
    if text == sources[base]:
        raise EditError(f"its edits leave {base!r} as it is")
    return text


def _replaced(text: str, line: str, base: str) -> str:
    match = REPLACE.fullmatch(line)
    if match is None:
        raise EditError(f"this line is no edit: {line!r}")
    count, old, new = match.groups(default="")
    _check_count(text.count(old), int(count or 1), old, base)
    return text.replace(old, new)


def _patched(text: str, lines: list[str], base: str) -> str:
    old, new = (
        "".join(f"{line[1:]}\n" for line in lines if not line.startswith(sign)) for sign in "+-"
    )
    text = f"\n{text}"  # so that the first line has an end of line before it, as all others
    _check_count(text.count(f"\n{old}") if old else 0, 1, old, base)
    return text.replace(f"\n{old}", f"\n{new}")[1:]


def _check_count(found: int, wanted: int, old: str, base: str) -> None:
    if found != wanted:
        raise EditError(
            f"in the answer {base!r}, after the edits above it, the text {old!r} should occur "
            f"{wanted} time(s), it occurs {found} time(s)"
        )
