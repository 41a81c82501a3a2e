"""Times in five languages: read as they are meant, or not at all."""

import contextlib
import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.classroom.course import times

WORDS = {
    "German": (
        "{day}, {0:%d}. {month} {0:%Y}, {0:%H:%M}",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    "French": (
        "{day} {0:%d} {month} {0:%Y}, {0:%H:%M}",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    "Spanish": (
        "{day}, {0:%d} de {month} de {0:%Y}, {0:%H:%M}",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "lunes martes miércoles jueves viernes sábado domingo",
    ),
    "Dutch": (
        "{day}, {0:%d} {month} {0:%Y}, {0:%H:%M}",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ),
    "English": (
        "{day}, {0:%d} {month} {0:%Y}, {0:%I:%M %p}",
        "January February March April May June July August September October November December",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    ),
}


@given(
    st.sampled_from(sorted(WORDS)),
    st.datetimes(datetime.datetime(1990, 1, 1), datetime.datetime(2090, 1, 1)),
)
def test_moodles_times_are_read_in_each_language(language, time):
    time = time.replace(second=0, microsecond=0)
    form, months, days = WORDS[language]
    words = {"month": months.split()[time.month - 1], "day": days.split()[time.weekday()]}
    assert times.exact(form.format(time, **words), datetime.UTC) == time


@pytest.mark.parametrize(
    "text", ["Nov 3, 2026", "2026 10:23", "3/11/2026 22:23", "3-11-2026 22:23", "mar. 3 nov. 2026",
             "3 marraskuuta 2026 22:23", "3 Nov 2026 22:23 QQT", "", "-", "9" * 400,
             "3 Nov 2026 22:23 UTC+2", "3 Nov 2026 22:23 GMT-0500", "2026-11-03T22:23Z+2",
             "3 Nov 2026 10 PM UTC +2", "3 Nov 2026 22:23:00 EST+5"],
)  # fmt: skip
def test_what_could_be_another_time_is_none(text):
    with pytest.raises(ValueError, match=r"."):
        times.exact(text)


@pytest.mark.parametrize("text", ["-1", "1", " 12", "+3", "99", "2026", "2026-11", "-2026-11-05"])
def test_a_count_or_a_month_is_no_time_in_this_month(text):
    with pytest.raises(ValueError, match="names no day and no hour"):
        times.read(text, datetime.UTC)


def test_a_date_without_marks_is_one():
    assert times.read("20261105", datetime.UTC) == datetime.datetime(2026, 11, 5, 23, 59, 59)


@pytest.mark.parametrize("moment", ["22:23+02:00", "22:23 +0200", "10:23 PM +02:00"])
def test_an_offset_is_how_far_ahead_of_utc_a_place_is(moment):
    read = times.exact(f"2026-11-03 {moment}", datetime.UTC)
    assert read == datetime.datetime(2026, 11, 3, 20, 23)


@pytest.mark.parametrize(
    "text", ["22:23 3-NOV-2026", "3-NOV-2026 22:23", "22:23:00 UTC 2026-11-03"]
)
def test_a_date_behind_a_time_is_no_offset(text):
    assert times.exact(text, datetime.UTC) == datetime.datetime(2026, 11, 3, 22, 23)


VIENNA, NEW_YORK = ZoneInfo("Europe/Vienna"), ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("text", "zone", "minutes"),
    [  # of the 25th of October 2026 in UTC, when Vienna's clocks go back at 1:00 UTC
        ("2026-10-25 02:30:00.000000 CEST", VIENNA, 30),
        ("2026-10-25 02:30:00.000000 CET", VIENNA, 90),
        ("2026-10-24 20:30:00.000000 EDT", NEW_YORK, 30),
        ("2026-10-25 02:30:00 Europe/Vienna", None, 30),
        ("2026-10-25 01:30:00 CET", None, -30),  # which is in summer, too, what Vienna has
        ("2026-10-25 02:30:00 +0200", None, 30),
        ("2026-10-24 21:30:00 -03", None, 30),
        ("2026-10-25 00:30:00 UTC", VIENNA, 30),
        ("2026-10-25 00:30:00", VIENNA, 30),
    ],
)
def test_the_exchange_has_the_name_of_its_zone(text, zone, minutes):
    expected = datetime.datetime(2026, 10, 25) + datetime.timedelta(minutes=minutes)
    assert times.of_exchange(text, zone) == expected


@pytest.mark.parametrize("zone", [None, NEW_YORK])
@pytest.mark.parametrize("name", ["CEST", "UTC+2", "soon", "../UTC", "Europe"])
def test_a_zone_that_is_not_known_is_not_taken_for_another(zone, name):
    with pytest.raises(ValueError, match=r"."):
        times.of_exchange(f"2026-10-25 02:30:00 {name}", zone)


@given(st.datetimes(datetime.datetime(1990, 1, 1), datetime.datetime(2090, 1, 1)))
def test_what_the_exchange_writes_in_the_zone_of_the_course_is_read(moment):
    here = moment.replace(tzinfo=datetime.UTC).astimezone(VIENNA)
    assert times.of_exchange(here.strftime("%Y-%m-%d %H:%M:%S.%f %Z"), VIENNA) == moment


NOT_A_NUMBER = "5m.9999999999999999999999999999999999999999H"  # dateutil can't multiply it


@pytest.mark.parametrize("read", [times.read, times.exact, times.of_exchange])
def test_a_number_that_dateutil_fails_on_is_a_time_that_cannot_be_read(read):
    with pytest.raises(ValueError, match=r"."):
        read(NOT_A_NUMBER)


_NUMBERS = st.sampled_from(["5", "12", "2026", "." + "9" * 40])
_UNITS = st.sampled_from(["h", "m", "s", ":", "-", " Nov ", " UTC", ""])
_NUMBERED = st.lists(st.builds(str.__add__, _NUMBERS, _UNITS), min_size=2, max_size=5)


@settings(max_examples=300)
@given(_NUMBERED.map("".join) | st.text(max_size=60), st.sampled_from([None, VIENNA]))
def test_whatever_is_written_is_a_time_or_a_value_error(text, zone):
    for read in (times.read, times.exact, times.of_exchange):
        with contextlib.suppress(ValueError):
            assert read(text, zone).tzinfo is None
