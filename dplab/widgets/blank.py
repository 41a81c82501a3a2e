"""A blank: a small function that the reader writes, compared with the library's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dplab.audit.goodness_of_fit import goodness_of_fit
from dplab.distributions import Distribution

DRAWS = 3000  # draws from a random function, for each row of arguments
FAILURE = 1e-12  # probability that one row rejects a right random function


def check_blank(
    yours: Callable, truth: Callable, rows: Sequence[tuple], *, hint: str = "", rtol: float = 1e-6
) -> None:
    """Print whether `yours` and `truth` give the same answer at each row of arguments.

    Numbers and arrays must agree within the relative error `rtol`, all other values must be equal.
    Where `truth` returns a distribution, `yours` is called 3,000 times with a generator as last
    argument, and its draws must follow that distribution. A right function fails this with
    probability below 1e-12 a row. At the first row that differs, the function prints the difference
    and then `hint`. It also prints which error `yours` raises, or that `yours` isn't written yet.

    >>> def half(x):
    ...     ...  # yours
    >>> check_blank(half, lambda x: x / 2, [(3,)])
    half is yours to write: it returns nothing yet.
    >>> check_blank(lambda x: x // 2, lambda x: x / 2, [(4,), (3,)], hint="Floor or true division?")
    At (3) yours gives 1; the right answer is 1.5. Floor or true division?
    >>> check_blank(lambda x: 0.5 * x, lambda x: x / 2, [(4,), (3,)])
    Right: the same answers as the library's, at 2 rows of arguments.
    """
    if not rows:
        raise ValueError("rows must hold at least one row of arguments")
    for row in rows:
        if message := _find_difference(yours, truth(*row), row, rtol):
            print(f"{message} {hint}".strip() if message.startswith("At ") else message)
            return
    rows_text = f"{len(rows)} rows of arguments" if len(rows) > 1 else "this row of arguments"
    print(f"Right: the same answers as the library's, at {rows_text}.")


def _find_difference(yours: Callable, right: Any, row: tuple, rtol: float) -> str:
    """Say what is wrong with the reader's function at a row; return "" if nothing is."""
    at, unwritten = f"At {_write_row(row)}", f"{yours.__name__} is yours to write: it returns"
    is_distribution = isinstance(right, Distribution)
    try:
        got = _draw(yours, row) if is_distribution else yours(*row)
    except Exception as error:
        if "ellipsis" in str(error):
            return f"{unwritten} nothing yet."
        return f"{at} yours raises {type(error).__name__}: {error}."
    if any(value is None or value is ... for value in (got if is_distribution else [got])):
        return f"{unwritten} nothing yet."
    if is_distribution:
        fit = goodness_of_fit(got, right, failure=FAILURE)
        return "" if fit.passed else f"{at} your draws don't follow the law: {fit.reason}."
    if _agree(got, right, rtol):
        return ""
    return f"{at} yours gives {_write_value(got)}; the right answer is {_write_value(right)}."


def _draw(yours: Callable, row: tuple) -> list:
    rng = np.random.default_rng()
    return [yours(*row, rng) for _ in range(DRAWS)]


def _agree(got: Any, right: Any, rtol: float) -> bool:
    try:
        if np.asarray(right).dtype.kind not in "biufc":
            return bool(got == right)
        if np.shape(got) != np.shape(right):
            return False
        return bool(np.allclose(got, right, rtol=rtol, atol=1e-12))
    except (TypeError, ValueError):
        return False


def _write_row(row: tuple) -> str:
    return f"({', '.join(_write_value(value) for value in row)})"


def _write_value(value: Any) -> str:
    """Write a value as a person would: with six digits, and on one line."""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray | list | tuple) and np.asarray(value).dtype.kind in "biuf":
        return np.array2string(np.asarray(value), precision=4, separator=", ", threshold=12)
    text = getattr(value, "__name__", None) or str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
