"""Read answers that are written as edits of other answers.

This is the notation, line by line:

    == test_name            the test that must find the wrong answers below; "right" for right ones
    # comment
    * name | message | edits base
                            the header of an answer; its edits follow
    ~ old => new            replace a text that occurs once; "~3" replaces one that occurs 3 times
    -a line                 remove this line, as in a patch
    +a line                 add this line
     a line                 keep this line; it shows where the lines around it are
    @@                      begin another patch

`message` is the text that the test must show the student. `base` is the name of the answer to edit,
above this one. Without "edits base" it is the first right answer. An answer that consists of "+"
lines only is a whole text, not an edit. A long header continues in lines that begin with "|".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from autograder.rehearsal.catalogue import Answers, Mutant

REPLACEMENT = re.compile(r"~(\d*) (.*?) =>(?: (.*))?")


class EditError(ValueError):
    """An edit that does not apply to the answer that it edits."""


def read_answers(file: str, right: Mapping[str, str], edits: str) -> Answers:
    """Return the answers to an exercise: the right ones, and those that `edits` makes of them.

    `file` is the path of the module, which has the name of the exercise. Raise EditError if an edit
    does not apply; the message names the file, the answer and the missing text.
    """
    path, answers = Path(file), Answers(Path(file).stem, dict(right), {})
    sources = dict(right)
    for test, header, body in _split_entries(edits):
        name, message, base = _split_header(header)
        try:
            if name in sources:
                raise EditError("there is another answer with this name")
            sources[name] = _apply_edits(sources, base or next(iter(sources), ""), body)
        except EditError as error:
            where = f"{path.parent.name}/{path.name}"
            raise EditError(f"{where}: exercise {path.stem}, answer {name!r}: {error}") from None
        if test == "right":
            answers.right[name] = sources[name]
        else:
            answers.mutants[name] = Mutant(sources[name], test, message)
    return answers


def _split_entries(edits: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the test, the header and the edits of each answer."""
    test = ""
    for block in re.split(r"^(?=\* |== )", edits, flags=re.MULTILINE):
        lines = [line for line in block.rstrip().splitlines() if not line.startswith("#")]
        if block.startswith("== "):
            test = lines[0].removeprefix("== ")
        elif block.startswith("* "):
            while len(lines) > 1 and lines[1].startswith("|"):
                lines[:2] = [f"{lines[0]} {lines[1]}"]
            yield test, lines[0].removeprefix("* "), lines[1:]


def _split_header(header: str) -> tuple[str, str, str]:
    """Return the name of the answer, the message, and the name of the edited answer or ""."""
    header, _, base = header.partition(" | edits ")
    name, _, message = header.partition(" | ")
    return name, message, base


def _apply_edits(sources: Mapping[str, str], base: str, lines: Iterable[str]) -> str:
    """Apply the edits to the answer `base`, one after the other."""
    lines = list(lines)
    if lines and all(line.startswith("+") for line in lines):
        return "\n".join(["", *(line[1:] for line in lines), ""])
    if base not in sources:
        raise EditError(f"there is no answer {base!r} above it to be edited")
    text = sources[base]
    if bad_line := next((line for line in lines if line and line[0] not in "~@-+ "), None):
        raise EditError(f"this line is no edit: {bad_line!r}")
    for is_patch, part in groupby(lines, lambda line: line[:1] not in ("~", "@")):
        if is_patch:
            text = _apply_patch(text, list(part), base)
        else:
            for line in part:
                text = text if line == "@@" else _apply_replacement(text, line, base)
    if text == sources[base]:
        raise EditError(f"its edits leave {base!r} as it is")
    return text


def _apply_replacement(text: str, line: str, base: str) -> str:
    match = REPLACEMENT.fullmatch(line)
    if match is None:
        raise EditError(f"this line is no edit: {line!r}")
    count, old, new = match.groups(default="")
    _check_count(text.count(old), int(count or 1), old, base)
    return text.replace(old, new)


def _apply_patch(text: str, lines: list[str], base: str) -> str:
    old, new = (
        "".join(f"{line[1:]}\n" for line in lines if not line.startswith(sign)) for sign in "+-"
    )
    text = f"\n{text}"  # now the first line, too, has an end of line before it
    _check_count(text.count(f"\n{old}") if old else 0, 1, old, base)
    return text.replace(f"\n{old}", f"\n{new}")[1:]


def _check_count(count: int, expected_count: int, old: str, base: str) -> None:
    if count != expected_count:
        raise EditError(
            f"in the answer {base!r}, after the edits above it, the text {old!r} should occur "
            f"{expected_count} time(s), it occurs {count} time(s)"
        )
