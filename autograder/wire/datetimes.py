"""Describe dates, times and durations as lists of whole numbers, and rebuild them."""

from __future__ import annotations

import datetime

from autograder.wire.errors import Malformed


def describe_datetime(value: datetime.datetime) -> list:
    """List year, month, day, hour, minute, second, microsecond, fold, seconds from UTC or None."""
    return [*value.timetuple()[:6], value.microsecond, value.fold, _offset(value)]


def describe_time(value: datetime.time) -> list:
    """List hour, minute, second, microsecond, fold, seconds from UTC or None."""
    parts = [value.hour, value.minute, value.second, value.microsecond, value.fold]
    return [*parts, _offset(value)]


def _offset(value: datetime.datetime | datetime.time) -> float | None:
    """Return the seconds from UTC; None if the value has no time zone."""
    offset = value.utcoffset()
    return None if offset is None else offset.total_seconds()


def restore_datetime(inner: list) -> datetime.datetime:
    """Return the described date and time. Raises `Malformed` unless all are whole numbers."""
    *parts, fold, offset = inner
    year, month, day, hour, minute, second, micro = _check_whole_numbers(parts)
    zone = _zone(offset)
    return datetime.datetime(year, month, day, hour, minute, second, micro, zone, fold=fold)


def restore_time(inner: list) -> datetime.time:
    """Return the time of day that was described. Errors as in `restore_datetime`."""
    *parts, fold, offset = inner
    hour, minute, second, micro = _check_whole_numbers(parts)
    return datetime.time(hour, minute, second, micro, _zone(offset), fold=fold)


def restore_duration(inner: list) -> datetime.timedelta:
    """Return a duration of days, seconds and microseconds. Errors as in `restore_datetime`."""
    days, seconds, micro = _check_whole_numbers(inner)
    return datetime.timedelta(days, seconds, micro)


def _check_whole_numbers(parts: list) -> list[int]:
    """Refuse anything but whole numbers: `datetime` would also take the bytes of a pickle."""
    if any(type(part) is not int for part in parts):
        raise Malformed("a date or time of other things than whole numbers")
    return parts


def _zone(offset: float | None) -> datetime.timezone | None:
    if offset is None:
        return None
    return datetime.timezone(datetime.timedelta(seconds=offset))


def restore_date(inner: list) -> datetime.date:
    """Return the date of year, month and day. Errors as in `restore_datetime`."""
    return datetime.date(*_check_whole_numbers(inner))
