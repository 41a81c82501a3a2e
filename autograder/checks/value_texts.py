"""Write texts for the values in a message: expected values, and results of student code."""

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

    Numbers have `digits` digits. Without `digits` they have four, or more if four would
    wrongly look exact and the text stays short.
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
        return _write_whole_number(value)
    array = np.asarray(value)
    if array.dtype.kind not in _PLAIN_KINDS:
        text = repr(value)
        return describe_kind(value) if " at 0x" in text else _cut(text)
    if array.size > MAX_NUMBERS:
        return describe_shape(array.shape)
    return _shorten(partial(_write_numbers, array.tolist()), digits) or ""


def _shorten(write: Callable[[int | None], str | None], digits: int | None) -> str | None:
    """Return the text of a value with these digits, or with four if the text is too long."""
    text = write(digits)
    return write(digits or _DIGITS[0]) if text is None or len(text) > MAX_CHARACTERS else text


def _show_in_full(value: Any, digits: int | None, limit: int = MAX_CHARACTERS) -> str | None:
    """Return the complete text of a value, or None if it or a part is too long."""
    if isinstance(value, np.ndarray) and value.size > MAX_NUMBERS:
        return None
    if isinstance(value, dict):
        text = _join_parts(f"{key!r}: {show(part, digits)}" for key, part in value.items())
        return None if text is None else f"{{{text}}}"
    if not isinstance(value, list | tuple):
        return show(value, digits)
    if limit < 0 or len(value) > MAX_CHARACTERS:
        return None
    numbers = sum(isinstance(part, _NUMBER) for part in value)
    if numbers > MAX_NUMBERS:
        return None
    if numbers == len(value):
        text = ", ".join(show(part, digits) for part in value)
    elif (text := _join_parts(_show_in_full(part, digits, limit - 2) for part in value)) is None:
        return None
    if isinstance(value, list):
        return f"[{text}]"
    return f"({text},)" if len(value) == 1 else f"({text})"


def _join_parts(parts: Iterable[str | None]) -> str | None:
    """Join the parts with commas; return None if one is None or the text is too long."""
    text = ""
    for part in parts:
        if part is None:
            return None
        text += f", {part}" if text else part
        if len(text) > MAX_CHARACTERS:
            return None
    return text


def _describe_size(value: list | tuple | dict) -> str:
    """Describe a list, a tuple or a dict by the number and kind of its entries."""
    kinds = {""} if isinstance(value, dict) else set(map(_find_word, set(map(type, value))))
    kind = kinds.pop() if len(kinds) == 1 else ""
    size = count_noun(len(value), kind) if kind else count_noun(len(value), "entry", "entries")
    return f"a {_find_word(type(value))} of {size}"


def _find_word(kind: type) -> str:
    return next((word for base, word in _WORDS.items() if issubclass(kind, base)), "")


def _write_numbers(value: Any, digits: int | None) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_write_numbers(part, digits) for part in value)}]"
    if not isinstance(value, float):
        return repr(value)
    return f"{value:.{digits}g}" if digits else _write_float(value)


def _write_float(value: float) -> str:
    """Return a float with enough digits: 0.49999999999999994 isn't 0.5, but 1.099 looks rounded."""
    for digits in _DIGITS:
        text = f"{value:.{digits}g}"
        figures = text.partition("e")[0].replace(".", "").lstrip("-0")
        if len(figures) == digits or float(text) == value:
            break
    return text


def _write_whole_number(value: int) -> str:
    return repr(value) if abs(value) < _MIN_ROUNDED else f"{Decimal(value):.4g}"


def copy_if_short(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """Copy a short value, since it may change before `show` needs it; return any other itself."""
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
    """Return a text in quotes; of a long text, only the part around this place."""
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
    """Return two different texts in quotes; of long texts, only the parts that differ."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    return show_text(one, place), show_text(other, place)


def describe_difference(actual: np.ndarray, target: np.ndarray, equal: np.ndarray) -> str:
    """Say what is wrong with an array, or with its first wrong entry if it has many."""
    if target.size <= MAX_NUMBERS:
        wanted_text, actual_text = tell_apart(target, actual)
        return f"should be {wanted_text}, it is {actual_text}"
    place = tuple(int(number) for number in np.argwhere(~equal)[0])
    wanted_text, actual_text = tell_apart(target[place].item(), actual[place].item())
    entry = place[0] if len(place) == 1 else place
    text = f"should be {wanted_text} in entry {entry}, it is {actual_text}"
    count = int((~equal).sum())
    if count == 1:
        return text
    return f"{text}; {'all' if count == target.size else f'{count} of'} {target.size} are wrong"


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
        return _write_whole_number(value)
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
    question = ": does every path through it end in a return?" if value is None else ""
    return f"{describe_kind(value)}{question}"


def find_strange(array: np.ndarray, allowed: Any) -> str:
    """Return the kind of an array's first entry that is no real number, or ""."""
    if array.dtype.kind in _PLAIN_KINDS:
        return ""
    if array.dtype.kind in _OTHER_KINDS:
        return _OTHER_KINDS[array.dtype.kind]
    parts: list[Any] = array.ravel().tolist()
    other_parts = [part for part in parts if not isinstance(part, allowed)]
    return describe_kind(other_parts[0]) if other_parts else ""


def describe_shape(shape: tuple[int, ...]) -> str:
    return f"an array of shape {shape}" if shape else "one number"


def join_sentences(text: str, hint: str) -> str:
    """Join a message and the hint after it."""
    if not hint:
        return text
    return f"{text} {hint}" if text.rstrip()[-1:] in (".", "?", "!", "…") else f"{text}. {hint}"
