"""Texts for the values in a message: those expected, and those that student code returned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np

from autograder.checks import function_names
from autograder.wire.standins import StandIn
from autograder.wire.text import count_noun

MAX_NUMBERS = 8  # of an array in a message
MAX_CHARACTERS = 80  # of a value in a message
_DIGITS = (4, 6, 9, 12, 15, 17)  # 17 digits distinguish any two floats
_MIN_ROUNDED = 10**20  # whole numbers at least this large are rounded
_MAX_DEPTH = 4  # of lists within lists that are copied for a message
_MAX_BEFORE = 20  # characters of a long text before the place where it differs
_PLAIN_KINDS = "biuf"
_OTHER_KINDS = {
    "U": "text", "S": "bytes", "c": "a complex number", "M": "a date", "m": "a duration",
}  # fmt: skip
_NUMBER = bool | int | float | np.number | np.bool_
_WORDS: dict[Any, str] = {
    list: "list", tuple: "tuple", dict: "dict", np.ndarray: "array", str: "text", _NUMBER: "number",
}  # fmt: skip


def show(value: Any, digits: int | None = None) -> str:
    """Return a short text for a value of ours.

    Numbers have `digits` digits. Without `digits` they have four, or more if they would look exact
    and aren't, and there is room.
    """
    if isinstance(value, np.random.Generator):
        return "rng"
    if callable(value):
        return function_names.name_of(
            value, "your function" if isinstance(value, StandIn) else "a function"
        )
    if isinstance(value, str):
        return show_text(value)
    if isinstance(value, list | tuple | dict):
        return _shorten(partial(_show_in_full, value), digits) or _describe_size(value)
    if type(value) is int:
        return _whole_number(value)
    array = np.asarray(value)
    if array.dtype.kind not in _PLAIN_KINDS:
        text = repr(value)
        return describe_kind(value) if " at 0x" in text else _cut(text)
    if array.size > MAX_NUMBERS:
        return describe_shape(array.shape)
    return _shorten(partial(_numbers, array.tolist()), digits) or ""


def _shorten(say: Callable[[int | None], str | None], digits: int | None) -> str | None:
    """Return the text of a value with so many digits, or with four if it would be too long."""
    text = say(digits)
    return say(digits or _DIGITS[0]) if text is None or len(text) > MAX_CHARACTERS else text


def _show_in_full(value: Any, digits: int | None, room: int = MAX_CHARACTERS) -> str | None:
    """Return the text of a value with everything in it; None if a part or the whole is long."""
    if isinstance(value, np.ndarray) and value.size > MAX_NUMBERS:
        return None
    if isinstance(value, dict):
        whole = _row(f"{key!r}: {show(part, digits)}" for key, part in value.items())
        return None if whole is None else f"{{{whole}}}"
    if not isinstance(value, list | tuple):
        return show(value, digits)
    if room < 0 or len(value) > MAX_CHARACTERS:
        return None
    numbers = sum(isinstance(part, _NUMBER) for part in value)
    if numbers > MAX_NUMBERS:
        return None
    if numbers == len(value):
        whole = ", ".join(show(part, digits) for part in value)
    elif (whole := _row(_show_in_full(part, digits, room - 2) for part in value)) is None:
        return None
    if isinstance(value, list):
        return f"[{whole}]"
    return f"({whole},)" if len(value) == 1 else f"({whole})"


def _row(parts: Iterable[str | None]) -> str | None:
    """Join the parts with commas; return None if one is None or the text is too long."""
    whole = ""
    for part in parts:
        if part is None:
            return None
        whole += f", {part}" if whole else part
        if len(whole) > MAX_CHARACTERS:
            return None
    return whole


def _describe_size(value: list | tuple | dict) -> str:
    """Return how many entries, of which kind, a list, a tuple or a dict has."""
    kinds = {""} if isinstance(value, dict) else set(map(_word_for, set(map(type, value))))
    kind = kinds.pop() if len(kinds) == 1 else ""
    many = count_noun(len(value), kind) if kind else count_noun(len(value), "entry", "entries")
    return f"a {_word_for(type(value))} of {many}"


def _word_for(kind: type) -> str:
    return next((word for base, word in _WORDS.items() if issubclass(kind, base)), "")


def _numbers(value: Any, digits: int | None) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_numbers(part, digits) for part in value)}]"
    if not isinstance(value, float):
        return repr(value)
    return f"{value:.{digits}g}" if digits else _not_as_if_exact(value)


def _not_as_if_exact(value: float) -> str:
    """Return a float with enough digits: 0.49999999999999994 isn't 0.5, but 1.099 looks rounded."""
    for digits in _DIGITS:
        text = f"{value:.{digits}g}"
        figures = text.partition("e")[0].replace(".", "").lstrip("-0")
        if len(figures) == digits or float(text) == value:
            break
    return text


def _whole_number(value: int) -> str:
    return repr(value) if abs(value) < _MIN_ROUNDED else f"{Decimal(value):.4g}"


def copy_if_short(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """Return what `show` needs of a value that may change later: a copy of a short one."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= MAX_NUMBERS else value
    if type(value) not in (list, tuple, dict) or len(value) > MAX_CHARACTERS or not depth:
        return value
    if type(value) is dict:
        return {key: copy_if_short(part, depth - 1) for key, part in value.items()}
    return type(value)(copy_if_short(part, depth - 1) for part in value)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"


def show_text(text: str, place: int = 0) -> str:
    """Return a text in quotes, or the part of a long one around this place."""
    start = max(place - _MAX_BEFORE, 0) if len(text) > MAX_CHARACTERS else 0
    part = text[start : start + MAX_CHARACTERS]
    head, tail = "…" * (start > 0), "…" * (start + len(part) < len(text))
    return f"{head}{part!r}{tail}"


def tell_apart(one: Any, other: Any) -> tuple[str, str]:
    """Return the texts of `show` for both, with enough digits to see that they differ."""
    texts = "", ""
    for digits in _DIGITS:
        texts = show(one, digits), show(other, digits)
        if texts[0] != texts[1]:
            break
    return texts


def show_precisely(value: float, *others: Any) -> str:
    """Return a number with enough digits to see that it is none of the others."""
    return max((tell_apart(value, other)[0] for other in others), key=len, default=show(value))


def tell_texts_apart(one: str, other: str) -> tuple[str, str]:
    """Return two different texts in quotes; of long ones, the parts that differ."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    return show_text(one, place), show_text(other, place)


def describe_difference(actual: np.ndarray, target: np.ndarray, equal: np.ndarray) -> str:
    """Say what is wrong with an array; if it has many entries, with its first wrong one."""
    if target.size <= MAX_NUMBERS:
        should, came = tell_apart(target, actual)
        return f"should be {should}, it is {came}"
    first = tuple(int(number) for number in np.argwhere(~equal)[0])
    should, came = tell_apart(target[first].item(), actual[first].item())
    text = f"should be {should} in entry {first[0] if len(first) == 1 else first}, it is {came}"
    wrong = int((~equal).sum())
    if wrong == 1:
        return text
    return f"{text}; {'all' if wrong == target.size else f'{wrong} of'} {target.size} are wrong"


def describe_kind(value: Any) -> str:
    """Return the text for an unexpected value: a small value itself, otherwise its kind."""
    if isinstance(value, StandIn):
        return repr(value)[1:-1].replace("the function <lambda>", "a function")
    if isinstance(value, np.random.Generator):
        return "a random generator"
    if isinstance(value, np.generic) and value.dtype.kind in "biufcU":
        value = value.item()
    if isinstance(value, str):
        return show_text(value)
    if type(value) is int:
        return _whole_number(value)
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


def describe_result(value: Any) -> str:
    """Return the text for an unexpected result of a function."""
    asks = ": does every path through it end in a return?" if value is None else ""
    return f"{describe_kind(value)}{asks}"


def find_strange(array: np.ndarray, allowed: Any) -> str:
    """Return what in an array is no real number; "" if all are, or can be converted."""
    if array.dtype.kind in _PLAIN_KINDS:
        return ""
    if array.dtype.kind in _OTHER_KINDS:
        return _OTHER_KINDS[array.dtype.kind]
    parts: list[Any] = array.ravel().tolist()
    strange = [part for part in parts if not isinstance(part, allowed)]
    return describe_kind(strange[0]) if strange else ""


def describe_shape(shape: tuple[int, ...]) -> str:
    return f"an array of shape {shape}" if shape else "one number"


def join_sentences(text: str, hint: str) -> str:
    """Join a message and the hint after it."""
    if not hint:
        return text
    return f"{text} {hint}" if text.rstrip()[-1:] in (".", "?", "!", "…") else f"{text}. {hint}"
