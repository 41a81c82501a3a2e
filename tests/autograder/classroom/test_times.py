"""Times in five languages: read as they are meant, or not at all."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom import times

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


@pytest.mark.parametrize("moment", ["22:23+02:00", "22:23 +0200", "10:23 PM +02:00"])
def test_an_offset_is_how_far_ahead_of_utc_a_place_is(moment):
    read = times.exact(f"2026-11-03 {moment}", datetime.UTC)
    assert read == datetime.datetime(2026, 11, 3, 20, 23)


@pytest.mark.parametrize(
    "text", ["22:23 3-NOV-2026", "3-NOV-2026 22:23", "22:23:00 UTC 2026-11-03"]
)
def test_a_date_behind_a_time_is_no_offset(text):
    assert times.exact(text, datetime.UTC) == datetime.datetime(2026, 11, 3, 22, 23)
