"""Describe tables of pandas by plain values, and rebuild them in the other process.

A table that isn't plain, for example with a column of other objects, crosses as a reference. So
do all other objects.
"""

from __future__ import annotations

import importlib
import itertools
import re
from typing import Any

import numpy as np

MAX_TABLES = 20_000  # the most that one process builds; each takes a tenth of a millisecond
_NUMBERS = "biufc"
_TIMES = {f"{kind}8[{unit}]" for kind in "Mm" for unit in ("s", "ms", "us", "ns")}
_STEP = re.compile(r"-?[0-9]{0,4}[A-Za-z]{1,3}(-[A-Z]{3})?")
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
_built = itertools.count()


class NotPlain(Exception):
    """A table has a part that is no plain value."""


def kind_of(value: object) -> str:
    """Return "Series" or "DataFrame" for a table of pandas, "" for any other value."""
    kind = type(value)
    is_pandas = kind.__module__.partition(".")[0] == "pandas"
    return kind.__name__ if is_pandas and kind.__name__ in ("Series", "DataFrame") else ""


def describe_series(series: Any) -> list:
    """Describe a series by plain values. Raises `NotPlain`."""
    return [_label(series.name), _index(series.index), _column(series.array)]


def describe_frame(frame: Any) -> list:
    """Describe a frame by plain values. Raises `NotPlain`."""
    columns = [_column(frame.iloc[:, place].array) for place in range(frame.shape[1])]
    return [_index(frame.columns), _index(frame.index), columns]


def _index(index: Any) -> list:
    names = [_label(name) for name in index.names]
    if type(index).__name__ == "RangeIndex":
        return [names, [index.start, index.stop, index.step], "range"]
    if len(names) > 1:
        return [
            names,
            [_column(index.get_level_values(n).array) for n in range(len(names))],
            "many",
        ]
    return [names, [_column(index.array), _step_of(index)], "one"]


def _step_of(index: Any) -> str | None:
    """Return the step of dates at equal distances; None if pandas can't rebuild them from it."""
    step = getattr(index, "freqstr", None)
    if step is None or not _STEP.fullmatch(step):
        return None
    try:
        type(index)(np.asarray(index), freq=step)
    except Exception:  # for example, a step that skips holidays has more than a name
        return None
    return step


def _column(values: Any) -> list:
    """Return a column's type and entries: numbers as an array, dates as whole numbers."""
    name = str(values.dtype)
    array = np.asarray(values)
    if array.dtype.str[1:] in _TIMES and "," not in name:
        return [array.dtype.str[1:], array.view(np.int64)]
    if array.dtype.kind in _NUMBERS and name == array.dtype.name:
        return ["", array]
    if name != "object" and not name.startswith("str"):  # it would arrive with another type
        raise NotPlain(f"a column is of type {name}")
    items = [None if item is not item else _scalar(item) for item in array.astype(object).tolist()]
    return ["text" if name.startswith("str") else "objects", items]


def _scalar(item: object) -> object:
    if type(item) not in _SCALARS:
        raise NotPlain(f"a column has {type(item).__name__} objects in it")
    return item


def _label(label: object) -> object:
    label = label.item() if isinstance(label, np.generic) else label
    return tuple(map(_label, label)) if type(label) is tuple else _scalar(label)


def restore_series(inner: list) -> Any:
    """Rebuild a series. Raises `ValueError` or `TypeError` for any other list."""
    pandas = _pandas()
    name, index, column = inner
    return pandas.Series(_restore_column(column), index=_restore_index(index), name=_label(name))


def restore_frame(inner: list) -> Any:
    """Rebuild a frame. Raises `ValueError` or `TypeError` for any other list."""
    pandas = _pandas()
    labels, index, columns = inner
    rows = _restore_index(index)
    by_place = {place: _restore_column(column) for place, column in enumerate(columns)}
    frame = pandas.DataFrame(by_place, index=rows)
    frame.columns = _restore_index(labels)
    return frame


def become(table: Any, source: Any) -> None:
    """Give a table, which stays the same object, the content of another one."""
    if table.shape[:1] != source.shape[:1]:
        table._update_inplace(source)  # pandas' own methods use this to drop rows in place
        return
    if table.ndim == 1:
        table.index = source.index
        table.iloc[:] = source.to_numpy()
        table.name = source.name
        return
    for label in table.columns[~table.columns.isin(source.columns)]:
        del table[label]
    table.index = source.index
    for label in source.columns:
        table[label] = source[label]


def _pandas() -> Any:
    if next(_built) >= MAX_TABLES:
        raise ValueError(f"more than {MAX_TABLES:,} tables")
    return importlib.import_module("pandas")


def _restore_index(inner: list) -> Any:
    pandas = importlib.import_module("pandas")
    names, values, kind = inner
    names = [_label(name) for name in names]
    if kind == "range":
        start, stop, step = values
        return pandas.RangeIndex(start, stop, step, name=names[0])
    if kind == "many":
        return pandas.MultiIndex.from_arrays(list(map(_restore_column, values)), names=names)
    column, step = values
    if step is not None and not _STEP.fullmatch(step):
        raise ValueError("no distance between moments")
    index = pandas.Index(_restore_column(column), name=names[0])
    return index if step is None else type(index)(index, freq=step, name=names[0])


def _restore_column(inner: list) -> Any:
    pandas = importlib.import_module("pandas")
    name, values = inner
    if name in _TIMES:
        if type(values) is not np.ndarray or values.dtype != np.int64 or values.ndim != 1:
            raise ValueError("moments that are no whole numbers")
        return values.view(name)
    if name == "":
        if type(values) is not np.ndarray or values.dtype.kind not in _NUMBERS or values.ndim != 1:
            raise ValueError("a column that is no row of numbers")
        return values
    if name not in ("text", "objects"):
        raise ValueError("no column has this type")
    if type(values) is not list or any(type(item) not in _SCALARS for item in values):
        raise ValueError("a column of other things than plain ones")
    return (
        pandas.array(values, dtype="str")
        if name == "text"
        else np.array([*values, None], object)[:-1]
    )
