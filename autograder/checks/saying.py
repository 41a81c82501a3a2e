"""Values in the words of a message: ours, and what came in their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograder.checks import words
from autograder.wire.standins import StandIn
from autograder.wire.wording import counted

SHOWN = 8  # numbers of an array that a message shows
LONGEST = 80  # characters of a value
_DIGITS = (4, 6, 9, 12, 15, 17)  # the last ones tell any two floats apart
_AROUND = 20  # characters of a long text before the place where it differs
_PLAIN_KINDS = "biuf"
_OTHER_KINDS = {
    "U": "text", "S": "bytes", "c": "a complex number", "M": "a date", "m": "a duration",
}  # fmt: skip


def show(value: Any, digits: int = _DIGITS[0]) -> str:
    """A value of ours in a message: short, with four digits unless more are asked for."""
    if isinstance(value, np.random.Generator):
        return "rng"
    if callable(value):
        return words.name_of(value)
    if isinstance(value, str):
        return show_text(value)
    if isinstance(value, list | tuple) and any(map(_many, value)):
        return counted(len(value), "array")
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        whole = _whole(len(value), (show(part, digits) for part in value))
        return f"a list of {counted(len(value), 'dict')}" if whole is None else f"[{whole}]"
    if isinstance(value, dict):
        entries = (f"{key!r}: {show(part, digits)}" for key, part in value.items())
        whole = _whole(len(value), entries)
        many = counted(len(value), "entry", "entries")
        return f"a dict of {many}" if whole is None else f"{{{whole}}}"
    array = np.asarray(value)
    if array.dtype.kind not in _PLAIN_KINDS:
        return _cut(repr(value))
    if array.size > SHOWN:
        return of_shape(array.shape)
    return _numbers(array.tolist(), digits)


def _whole(number: int, parts: Iterable[str]) -> str | None:
    """So many parts in a row, or None where that is too long."""
    if number > LONGEST:  # each takes a character, or more
        return None
    whole = ", ".join(parts)
    return whole if len(whole) <= LONGEST else None


def _many(value: Any) -> bool:
    """Whether a part is more than a number; what is ragged has no dimensions that numpy knows."""
    return isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0


def _numbers(value: Any, digits: int) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_numbers(part, digits) for part in value)}]"
    return f"{value:.{digits}g}" if isinstance(value, float) else repr(value)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def show_text(text: str, place: int = 0) -> str:
    """A text in quotes; of a long one what stands at this place."""
    start = max(place - _AROUND, 0) if len(text) > LONGEST else 0
    part = text[start : start + LONGEST]
    before, after = "…" * (start > 0), "…" * (start + len(part) < len(text))
    return f"{before}{part!r}{after}"


def told_apart(one: Any, other: Any) -> tuple[str, str]:
    """Both as `show` has them, with as many digits as it takes to see that they differ."""
    shown = "", ""
    for digits in _DIGITS:
        shown = show(one, digits), show(other, digits)
        if shown[0] != shown[1]:
            break
    return shown


def precisely(value: float, *others: Any) -> str:
    """A number with as many digits as it takes to see that it is none of these."""
    return max((told_apart(value, other)[0] for other in others), key=len, default=show(value))


def texts_apart(one: str, other: str) -> tuple[str, str]:
    """Two texts that differ, long ones where they do."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    return show_text(one, place), show_text(other, place)


def difference(actual: np.ndarray, wanted: np.ndarray, equal: np.ndarray) -> str:
    """What is wrong with an array, of many entries with the first that is."""
    if wanted.size <= SHOWN:
        should, came = told_apart(wanted, actual)
        return f"should be {should}, it is {came}"
    first = tuple(int(number) for number in np.argwhere(~equal)[0])
    should, came = told_apart(wanted[first].item(), actual[first].item())
    said = f"should be {should} in entry {first[0] if len(first) == 1 else first}, it is {came}"
    wrong = int((~equal).sum())
    if wrong == 1:
        return said
    return f"{said}; {'all' if wrong == wanted.size else f'{wrong} of'} {wanted.size} are wrong"


def kind_of(value: Any) -> str:
    """What came, where something else was expected: a small value itself, else its kind."""
    if isinstance(value, StandIn):
        return repr(value).strip("<>")
    if isinstance(value, np.generic) and value.dtype.kind in "biufcU":
        value = value.item()
    if isinstance(value, str):
        return show_text(value)
    if value is None or isinstance(value, bool | int | float):
        return _cut(repr(value))
    if isinstance(value, complex):
        return f"the complex number {value:.4g}"
    if isinstance(value, list | tuple | dict | set) and not value:
        return f"an empty {type(value).__name__}"
    kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
    if kind in ("bytes", "bytearray"):
        return "bytes"
    return f"{'an' if kind[:1] in 'aeiouAEIOU' else 'a'} {kind}"


def returned(value: Any) -> str:
    """What a function returned, where something else was expected."""
    asks = ": does every path through it end in a return?" if value is None else ""
    return f"{kind_of(value)}{asks}"


def strange_in(array: np.ndarray, allowed: Any) -> str:
    """What in an array is no real number; "" if all are, or can be made so."""
    if array.dtype.kind in _PLAIN_KINDS:
        return ""
    if array.dtype.kind in _OTHER_KINDS:
        return _OTHER_KINDS[array.dtype.kind]
    parts: list[Any] = array.ravel().tolist()
    strange = [part for part in parts if not isinstance(part, allowed)]
    return kind_of(strange[0]) if strange else ""


def of_shape(shape: tuple[int, ...]) -> str:
    return f"an array of shape {shape}" if shape else "one number"


def sentences(said: str, hint: str) -> str:
    """A message and the hint behind it."""
    if not hint:
        return said
    return f"{said} {hint}" if said.rstrip()[-1:] in (".", "?", "!", "…") else f"{said}. {hint}"
