"""Times as people and platforms write them: in English, German, French, Spanish and Dutch.

Abbreviations that mean a day in one language and a month in another are left out: what can't be
read for sure is an error.
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
_NO_DAY = re.compile(r"\s*(-.*|\+?\d{1,7}|\d{4}-\d\d?)\s*")  # nor an hour: a count, or a month
_BETWEEN = ("um", "Uhr", "le", "à", "de", "del", "om", "uur")


def read(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """A time in UTC, without a zone as nbgrader keeps it; one that is written without a zone is of
    `zone`, or of this machine's. What is left out of a date is today's.

    A day alone is meant with its last second; 3.11. is in November, as where days have dots, and
    3/11 could be either. Raises ValueError.
    """
    if _NO_DAY.fullmatch(text):
        raise ValueError(f"{text!r} names no day and no hour")
    today = datetime.date.today()
    first, last = (datetime.datetime.combine(today, datetime.time(hour)) for hour in (0, 23))
    found = _parsed(text, first)
    if found.hour != _parsed(text, last).hour:
        found = found.replace(hour=23, minute=59, second=59)
    return _in_utc(found, zone)


def exact(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """A time as `read` has it, of which nothing is left out. Raises ValueError."""
    one, other = datetime.datetime(2001, 1, 1), datetime.datetime(2002, 2, 2, 1, 1)
    if (found := _parsed(text, one)) != _parsed(text, other):
        raise ValueError(f"{text!r} is no whole time")
    return _in_utc(found, zone)


def of_exchange(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """A time as nbgrader's exchange writes it, in UTC without a zone: behind it stands how its
    zone is called then, which is `zone` if that is called so. Raises ValueError.

    nbgrader itself takes for UTC what it doesn't know, such as CEST, and offsets for seconds.
    """
    midnight = datetime.datetime.combine(datetime.date.today(), datetime.time())
    moment, _, name = text.rpartition(" ")
    if text.count(" ") == 2 and not re.fullmatch(r"[+-][\d:]+", name):
        found = _in_zone(_parsed(moment, midnight), name, zone)
    else:
        found = _parsed(text, midnight)
    try:
        zoned = found if found.tzinfo else found.replace(tzinfo=datetime.UTC)
        return zoned.astimezone(datetime.UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def _in_zone(
    found: datetime.datetime, name: str, zone: datetime.tzinfo | None
) -> datetime.datetime:
    """The time in `zone` if it has that name then, an hour that comes twice by its name; or else
    in the zone that is called so.
    """
    for fold in (0, 1):
        here = found.replace(tzinfo=zone, fold=fold)
        if here.tzname() == name:
            return here
    try:
        return found.replace(tzinfo=ZoneInfo(name))
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error


def _parsed(text: str, default: datetime.datetime) -> Any:
    either = re.search(r"\b(0?\d|1[012])[/-](0?\d|1[012])[/-]\d", text)
    if either and either[1] != either[2]:
        raise ValueError(f"{text!r} may begin with the day or with the month")
    if _NAME_AND_OFFSET.search(text):  # dateutil has POSIX's: UTC+2 would be two hours behind
        raise ValueError(f"{text!r} has a zone's name and an offset; one of them is enough")
    dotted = bool(re.search(r"\b\d\d?\.\s*\d\d?\.", text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of a zone that it doesn't know, and would leave out
            return _parser().parse(text, default=default, dayfirst=dotted)
    except Exception as error:  # dateutil lets through what `decimal`, say, raises
        raise ValueError(str(error)) from error


def _in_utc(found: datetime.datetime, zone: datetime.tzinfo | None) -> datetime.datetime:
    try:
        zoned = found if found.tzinfo else found.replace(tzinfo=zone) if zone else found
        return zoned.astimezone(datetime.UTC).replace(tzinfo=None, microsecond=0)
    except OverflowError as error:
        raise ValueError(str(error)) from error


@functools.cache
def _parser() -> Any:
    from dateutil import parser  # type: ignore[import-untyped]

    known = parser.parserinfo

    names = {
        "MONTHS": [(*a, *b.split()) for a, b in zip(known.MONTHS, _MONTHS, strict=True)],
        "WEEKDAYS": [(*a, *b.split()) for a, b in zip(known.WEEKDAYS, _DAYS, strict=True)],
        "JUMP": [*known.JUMP, *_BETWEEN],
    }
    return parser.parser(type("InFiveLanguages", (known,), names)())
