"""Checks of arguments. Every error names the argument, its value and what is allowed.

Data are secret: `dplab.records` checks them, and quotes no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import Any, TypeVar

import numpy as np

Kind = TypeVar("Kind")

_NO_NUMBERS = (str, bytes, bool, np.bool_, np.datetime64, np.timedelta64, np.complexfloating)
_WHOLE = (int, np.integer)
_DRAWS = ("random", "normal", "laplace", "choice", "__getattr__")  # of a script of draws, too
_LONGEST = 500  # characters of a value that a message quotes
SMALLEST = float(np.finfo(float).tiny)  # whose inverse and quotients are floats
MAX_ENTRIES = 10**8  # of an array whose size an argument decides: 800 MB of floats


def number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    below: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> float:
    """Return `value` as a float inside the stated bounds (`above`, `below` exclude their end).

    Raises ValueError for anything that is not one finite real number within them. A text like "2"
    and True are no numbers.
    """
    result = value if type(value) is float else _to_float(value)
    is_inside = (
        math.isfinite(result)
        and (above is None or result > above)
        and (below is None or result < below)
        and (least is None or result >= least)
        and (most is None or result <= most)
    )
    if not is_inside:
        raise ValueError(
            f"{name} must be {_interval(above, below, least, most)}, not {show(value)}"
        )
    return result


def number_or_inf(name: str, value: Any, **bounds: float) -> float:
    """Return `value` as a float as `number` does, or inf; raise ValueError for others."""
    is_inf = isinstance(value, float) and value == math.inf
    return math.inf if is_inf else number(name, value, **bounds)


def whole(name: str, value: Any, *, least: int, most: float | None = None) -> int:
    """Return `value` as an int of at least `least` and at most `most`, or raise ValueError.

    Without `most` it may be as large as a float, and larger with most=math.inf.
    """
    integral = isinstance(value, _WHOLE) and not isinstance(value, _NO_NUMBERS)
    if not integral or value < least or (most is not None and value > most):
        limit = "" if most is None or most == math.inf else f", at most {most}"
        allowed = f"a whole number of at least {least}{limit}"
        raise ValueError(f"{name} must be {allowed}, not {show(value)}")
    if most is None:
        number(name, value)  # raises ValueError if a float can't hold it
    return int(value)


def size(name: str, value: Any, *, least: int = 1, most: int = MAX_ENTRIES) -> int:
    """Return `value` as an int for which there are memory and time, or raise ValueError."""
    result = whole(name, value, least=least)
    if result > most:
        raise ValueError(f"{name} must be a whole number of at most {most:,}, not {show(value)}")
    return result


def shape(*lengths: tuple[str, Any]) -> tuple[int, ...]:
    """Return the lengths, pairs of a name and a value, of an array of up to MAX_ENTRIES entries.

    Raises ValueError for others.
    """
    result = tuple(size(name, value) for name, value in lengths)
    if math.prod(result) > MAX_ENTRIES:
        names = " and ".join(name for name, _ in lengths)
        raise ValueError(f"{names} must make at most {MAX_ENTRIES:,} entries, not {result}")
    return result


def reals(
    name: str,
    values: Any,
    *,
    least: float | None = None,
    most: float | None = None,
    ndim: int | None = None,
    may_be_bool: bool = False,
) -> np.ndarray:
    """Return `values` as a non-empty float array without NaN or infinity, or raise ValueError.

    Texts, dates and masked arrays hold no numbers, and arrays of bools only if they may. `ndim`
    is the number of dimensions, if it is fixed.
    """
    array = to_floats(values)
    if array is None or (not may_be_bool and _is_bool(values)):
        raise ValueError(f"{name} must hold real numbers, not {show(values)}")
    _require_dimensions(name, array, ndim)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty")
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)].flat[0]
        raise ValueError(f"{name} must hold finite numbers, not {bad}")
    wrong = (False if least is None else array < least) | (False if most is None else array > most)
    if np.any(wrong):
        allowed = _interval(None, None, least, most).replace("a finite number", "numbers")
        raise ValueError(f"{name} must hold {allowed}, not {array[wrong].flat[0]}")
    return array


def array(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of any entries; ValueError for rows of several lengths.

    A masked array is refused, too.
    """
    try:
        result = None if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    except ValueError:
        result = None
    if result is None:
        raise ValueError(f"{name} must be an array, not {show(values)}")
    return result


def wholes(
    name: str, values: Any, *, least: int, most: int | None = None, ndim: int | None = 1
) -> np.ndarray:
    """Return `values` as an int array with entries of at least `least`, or raise ValueError."""
    array = reals(name, values, ndim=ndim)
    limit = 2**53 if most is None else most
    wrong = (array != np.floor(array)) | (array < least) | (array > limit)
    if wrong.any():
        allowed = f"a whole number of at least {least}" + (
            "" if most is None else f", at most {most}"
        )
        raise ValueError(f"{name} must be {allowed}, not {array[wrong].flat[0]:g}")
    return array.astype(np.int64)


def to_floats(values: Any) -> np.ndarray | None:
    """Return `values` as an array of floats, or None if they are not all real numbers.

    An error is not raised on from here, because its context would quote the values.
    """
    if type(values) is np.ndarray and values.dtype.kind in "biuf":  # the usual cases first
        return np.asarray(values, dtype=float)
    if type(values) is float:
        return np.asarray(values)
    is_list = type(values) in (list, tuple, int)
    if not is_list and isinstance(values, np.ma.MaskedArray | str | bytes | Mapping | Set):
        return None
    try:
        array = np.asarray(values)
        if array.dtype == object and any(isinstance(entry, _NO_NUMBERS) for entry in array.flat):
            return None
        is_real = array.dtype.kind in "biufO" or array.size == 0
        return np.asarray(array, dtype=float) if is_real else None
    except (TypeError, ValueError, OverflowError):
        return None


def categories(name: str, values: Any, k: int, *, ndim: int | None = None) -> np.ndarray:
    """Return `values` as an int array of categories 0..k-1, or raise ValueError."""
    array = to_floats(values)
    if array is None:
        raise ValueError(f"{name} must hold whole numbers from 0 to {k - 1}, not {show(values)}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty")
    _require_dimensions(name, array, ndim)
    wrong = ~((array >= 0) & (array <= k - 1) & (array == np.floor(array)))
    if wrong.any():
        raise ValueError(
            f"{name} must hold whole numbers from 0 to {k - 1}, not {array[wrong].flat[0]}"
        )
    return array.astype(int)


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return `value` if it is one of `allowed`, or raise ValueError."""
    if not any(value is one or (type(value) is type(one) and value == one) for one in allowed):
        try:
            is_equal = np.ndim(value) == 0 and value in allowed and not isinstance(value, bool)
        except (TypeError, ValueError):  # of values that have no hash
            is_equal = False
        if not is_equal:
            listed = ", ".join(map(repr, allowed))
            raise ValueError(f"{name} must be one of {listed}, not {show(value)}")
    return value


def flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False, or raise ValueError."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {show(value)}")
    return bool(value)


def text(name: str, value: Any) -> str:
    """Return `value` if it is a text, or raise ValueError."""
    return instance(name, value, str)


def function(name: str, value: Any) -> Callable:
    """Return `value` if it can be called, or raise ValueError."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, not {show(value)}")
    return value


def generator(name: str, value: Any, *, may_be_bits: bool = False) -> Any:
    """Return `value` if it is a numpy Generator, or raise ValueError.

    A source of random words for exact samplers (`dplab.sampling`) will do if it may be one.

    An object that draws by methods of the same names will do, for example a script of draws; the
    module `numpy.random` will not, because its draws depend on all other code.
    """
    if isinstance(value, np.random.Generator):
        return value
    draws = (*_DRAWS, "words") if may_be_bits else _DRAWS
    if isinstance(value, type) or not any(hasattr(type(value), draw) for draw in draws):
        raise ValueError(
            f"{name} must be a numpy Generator, as of numpy.random.default_rng(), not {show(value)}"
        )
    return value


def instance(name: str, value: Any, *kinds: type) -> Any:
    """Return `value` if it is an instance of one of these classes, or raise ValueError."""
    if not isinstance(value, kinds):
        allowed = " or ".join(kind.__name__ for kind in kinds)
        article = "an" if allowed[0] in "AEIO" else "a"
        raise ValueError(f"{name} must be {article} {allowed}, not {show(value)}")
    return value


def instances(name: str, values: Any, *kinds: type, may_be_empty: bool = False) -> tuple:
    """Return a tuple of the values if all are instances of these classes, or raise ValueError."""
    result = sequence(name, values, may_be_empty=may_be_empty)
    if not all(issubclass(kind, kinds) for kind in set(map(type, result))):  # fewer than values
        for value in result:
            instance(f"each of {name}", value, *kinds)
    return result


def sequence(
    name: str, values: Any, *, may_be_empty: bool = False, is_hashable: bool = False
) -> tuple:
    """Return a tuple of the values of a sequence or another iterable, or raise ValueError.

    Bytes and masked arrays are refused, and values without a hash if all must be hashable.
    """
    is_sequence = type(values) is tuple or (
        isinstance(values, Iterable)
        and not isinstance(values, bytes | type | np.ma.MaskedArray)
        and not _is_scalar(values)
    )
    if not is_sequence:
        raise ValueError(f"{name} must be a sequence, not {show(values)}")
    result = tuple(values)
    if not result and not may_be_empty:
        raise ValueError(f"{name} must not be empty")
    if is_hashable:
        try:
            hash(result)
        except TypeError:
            raise ValueError(f"{name} must hold numbers, texts or tuples of them") from None
    return result


def guarantee(name: str, value: Any, kind: type[Kind]) -> Kind:
    """Return `value` as a guarantee of this kind, converted where that leaves no choice.

    Raises ValueError for what is no guarantee, and for a guarantee that implies none of the kind.
    """
    if isinstance(value, kind):
        return value
    if isinstance(value, type) or not hasattr(value, "convert_to"):
        raise ValueError(f"{name} must be {kind.__name__}, not {show(value)}")
    try:
        return value.convert_to(kind)
    except ValueError:
        raise ValueError(
            f"{name} must be {kind.__name__}; {value} implies none by itself: convert it first"
        ) from None


def show(value: Any) -> str:
    """Return a short text for a value in a message."""
    try:
        text = repr(value)
    except Exception:  # as of a whole number of more digits than Python converts
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def settle(owner: Any, check: Callable[..., Any], *names: str, **bounds: Any) -> None:
    """Set these fields of a frozen dataclass to the results of check(name, value, **bounds)."""
    for name in names:
        object.__setattr__(owner, name, check(name, getattr(owner, name), **bounds))


def _to_float(value: Any) -> float:
    """Return a real number as a float, and NaN for everything else."""
    if isinstance(value, np.ndarray):
        is_number = value.ndim == 0 and value.dtype.kind in "iuf"
        if not is_number or isinstance(value, np.ma.MaskedArray):
            return math.nan
    elif isinstance(value, _NO_NUMBERS) or hasattr(value, "__len__"):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _is_scalar(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.ndim == 0


def _require_dimensions(name: str, array: np.ndarray, ndim: int | None) -> None:
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimensions, not the shape {array.shape}")


def _is_bool(values: Any) -> bool:
    return np.asarray(values).dtype == bool


def _interval(
    open_low: float | None, open_high: float | None, least: float | None, most: float | None
) -> str:
    parts = [
        f"{word} {bound}"
        for word, bound in (
            ("above", open_low),
            ("at least", least),
            ("below", open_high),
            ("at most", most),
        )
        if bound is not None
    ]
    return " ".join(["a finite number", " and ".join(parts)]).strip()
