"""Read times as people and platforms write them: English, German, French, Spanish and Dutch.

Abbreviations that mean a day in one language and a month in another are left out: an ambiguous
time is an error.
"""

from __future__ import annotations

import datetime
import functools
import re
import warnings
from typing import Any
from zoneinfo import ZoneInfo

_MONTHS = (
    "Januar Jän Jänner janvier janv enero ene januari",
    "Februar février févr fév febrero februari",
    "März Mär Mrz mars marzo maart mrt",
    "avril avr abril abr",
    "Mai mayo mei",
    "Juni juin junio",
    "Juli juillet juil julio",
    "août agosto ago augustus",
    "septembre septiembre",
    "Oktober Okt octobre octubre",
    "novembre noviembre",
    "Dezember Dez décembre déc diciembre dic",
)
_DAYS = (
    "Montag lundi lunes maandag",
    "Dienstag mardi martes dinsdag",
    "Mittwoch mercredi miércoles woensdag",
    "Donnerstag jeudi jueves donderdag",
    "Freitag vendredi viernes vrijdag",
    "Samstag Sonnabend samedi sábado zaterdag",
    "Sonntag dimanche domingo zondag",
)
_NAME_AND_OFFSET = re.compile(r"(?:UTC|GMT|\d\s*Z|:\d\d\s*(?![AP]M)[A-Z]{1,5})\s*[+-]\s*\d")
_NO_DAY = re.compile(r"\s*(-.*|\+?\d{1,7}|\d{4}-\d\d?)\s*")  # a number or a month, with no hour
_SMALL_WORDS = ("um", "Uhr", "le", "à", "de", "del", "om", "uur")


def read(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """Return a time in UTC without a zone, as nbgrader keeps it.

    A time that is written without a zone is in `zone`, or in this machine's. Missing parts of a
    date are today's.

    A day alone means its last second. 3.11. is in November, as in languages that write days with
    dots. 3/11 could be either. Raises ValueError if the text is no time, or an ambiguous one.
    """
    if _NO_DAY.fullmatch(text):
        raise ValueError(f"{text!r} names no day and no hour")
    today = datetime.date.today()
    morning, evening = (datetime.datetime.combine(today, datetime.time(hour)) for hour in (0, 23))
    time = _parse(text, morning)
    if time.hour != _parse(text, evening).hour:
        time = time.replace(hour=23, minute=59, second=59)
    return _in_utc(time, zone)


def exact(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """Return a complete time as `read` does; raise ValueError if a part is missing."""
    default, other_default = datetime.datetime(2001, 1, 1), datetime.datetime(2002, 2, 2, 1, 1)
    if (time := _parse(text, default)) != _parse(text, other_default):
        raise ValueError(f"{text!r} is no whole time")
    return _in_utc(time, zone)


def of_exchange(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """Return a time that nbgrader's exchange has written, in UTC without a zone.

    The name of the zone comes after the time. It means `zone`, if `zone` has this name at that
    time. Raises ValueError if the text is no time.

    nbgrader itself reads unknown names such as CEST as UTC, and offsets as seconds.
    """
    midnight = datetime.datetime.combine(datetime.date.today(), datetime.time())
    time_text, _, name = text.rpartition(" ")
    if text.count(" ") == 2 and not re.fullmatch(r"[+-][\d:]+", name):
        time = _in_zone(_parse(time_text, midnight), name, zone)
    else:
        time = _parse(text, midnight)
    try:
        zoned_time = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
        return zoned_time.astimezone(datetime.UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def _in_zone(time: datetime.datetime, name: str, zone: datetime.tzinfo | None) -> datetime.datetime:
    """Return the time in `zone` if `zone` has that name then, otherwise in the zone of that name.

    The name also decides in an hour that comes twice.
    """
    for fold in (0, 1):
        local_time = time.replace(tzinfo=zone, fold=fold)
        if local_time.tzname() == name:
            return local_time
    try:
        return time.replace(tzinfo=ZoneInfo(name))
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error


def _parse(text: str, default: datetime.datetime) -> Any:
    ambiguous_date = re.search(r"\b(0?\d|1[012])[/-](0?\d|1[012])[/-]\d", text)
    if ambiguous_date and ambiguous_date[1] != ambiguous_date[2]:
        raise ValueError(f"{text!r} may begin with the day or with the month")
    if _NAME_AND_OFFSET.search(text):  # dateutil reads UTC+2 as POSIX does: two hours behind UTC
        raise ValueError(f"{text!r} has a zone's name and an offset; one of them is enough")
    has_dots = bool(re.search(r"\b\d\d?\.\s*\d\d?\.", text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # dateutil warns of an unknown zone, and ignores it
            return _parser().parse(text, default=default, dayfirst=has_dots)
    except Exception as error:  # dateutil passes on errors of `decimal`, for example
        raise ValueError(str(error)) from error


def _in_utc(time: datetime.datetime, zone: datetime.tzinfo | None) -> datetime.datetime:
    try:
        zoned_time = time if time.tzinfo else time.replace(tzinfo=zone) if zone else time
        return zoned_time.astimezone(datetime.UTC).replace(tzinfo=None, microsecond=0)
    except OverflowError as error:
        raise ValueError(str(error)) from error


@functools.cache
def _parser() -> Any:
    from dateutil import parser  # type: ignore[import-untyped]

    info = parser.parserinfo

    names = {
        "MONTHS": [(*a, *b.split()) for a, b in zip(info.MONTHS, _MONTHS, strict=True)],
        "WEEKDAYS": [(*a, *b.split()) for a, b in zip(info.WEEKDAYS, _DAYS, strict=True)],
        "JUMP": [*info.JUMP, *_SMALL_WORDS],
    }
    return parser.parser(type("InFiveLanguages", (info,), names)())
