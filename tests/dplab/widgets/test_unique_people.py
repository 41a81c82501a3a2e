import numpy as np
import pytest

from dplab.attacks.linkage import expected_unique_share
from dplab.widgets import UniquePeople
from dplab.widgets.unique_people import (
    GOVERNOR,
    PEOPLE,
    SHADES,
    UniqueView,
    people,
    unique_view,
    write_value,
)

EVERYTHING = {"born": "day", "home": "block", "sex": "yes", "marital": "yes", "education": "yes"}
NOTHING = dict.fromkeys(EVERYTHING, "no")


def test_the_coarser_columns_follow_from_birth_and_home():
    town = people()
    assert (town.age + town.year == 1999).all()
    assert (town.decade == town.year // 10).all()
    assert (town.month // 100 == town.year).all()
    first_days = town.groupby(town.month % 100).birthday.min()
    assert first_days.tolist() == [1, 32, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335]
    assert (town.day % 1000 == town.birthday).all()
    assert town.groupby("quarter").block.nunique().tolist() == [10] * 10
    assert town.block.is_monotonic_increasing


def test_who_is_left_is_counted_from_left_to_right():
    view = unique_view(**NOTHING | {"born": "year", "sex": "yes"}, person=GOVERNOR)
    town, row = people(), people().loc[GOVERNOR]
    men = (town.age == row.age) & (town.sex == row.sex)
    assert view.columns == ("year", "sex")
    assert view.remaining == (PEOPLE, (town.age == row.age).sum(), men.sum())
    assert view.sizes[GOVERNOR] == view.remaining[-1]


def test_nothing_known_leaves_everybody_and_everything_nobody_else():
    assert unique_view(**NOTHING, person=0).remaining == (PEOPLE,)
    assert unique_view(**NOTHING, person=0).alone == 0
    everything = unique_view(**EVERYTHING, person=0)
    assert everything.alone == PEOPLE
    assert everything.remaining[-1] == 1


def test_birth_and_sex_find_nine_in_ten_as_equal_cells_would():
    view = unique_view(**NOTHING | {"born": "day", "sex": "yes"}, person=0)
    assert view.alone / PEOPLE == pytest.approx(0.9056)
    assert view.alone / PEOPLE == pytest.approx(expected_unique_share(PEOPLE, 365 * 78 * 2), 0.02)


def test_the_governor_is_found_by_birth_sex_and_block():
    row = people().loc[GOVERNOR]
    assert (row["name"], row.sex, row.age, row.birthday, row.block) == (
        "Gero Popov",
        "M",
        56,
        120,
        67,
    )
    assert row.ill == 1
    view = unique_view(**NOTHING | {"born": "day", "sex": "yes", "home": "block"}, person=GOVERNOR)
    assert view.remaining[-1] == 1


def test_the_picture_is_red_for_those_who_are_alone():
    explorer = UniquePeople()
    for born in ("year", "day"):
        explorer.controls["born"].value = born
        red = (np.asarray(explorer.squares.get_array()) == SHADES[0]).all(axis=-1).sum()
        assert red == explorer.view().alone
        assert explorer.share.get_text() == explorer.view().share_alone
        assert f"{red:,} of 5,000 people" in explorer.picture.tooltip


@pytest.mark.parametrize(
    ("alone", "said"),
    [
        (0, "nobody is alone"),
        (3, "under 1% are alone"),
        (1423, "28% are alone"),
        (4988, "over 99% are alone"),
        (PEOPLE, "all are alone"),
    ],
)
def test_a_share_is_said_without_rounding_anybody_away(alone, said):
    sizes = np.where(np.arange(PEOPLE) < alone, 1, 2)
    assert UniqueView((), sizes, GOVERNOR, (PEOPLE,)).share_alone == said


def test_the_bars_are_the_people_who_are_left():
    explorer = UniquePeople()
    explorer.controls["education"].value = "no"
    left = explorer.view().remaining
    assert [text.get_text() for text in explorer.counts] == [f"{n:,}" for n in left] + [""]
    assert explorer.labels[5].get_text() == ""
    labels = ["everybody", "born in the 1940s", "quarter 7", "man", "married"]
    assert [text.get_text() for text in explorer.labels[:5]] == labels


def test_another_person_moves_the_ring_and_changes_the_words():
    explorer = UniquePeople()
    assert "Gero Popov shares all known values with 2 other people." in explorer.picture.tooltip
    explorer.controls["home"].value = "block"
    assert "Gero Popov shares all known values with one other person." in explorer.picture.tooltip
    explorer.controls["born"].value = "day"
    assert "Gero Popov shares all known values with nobody else." in explorer.picture.tooltip
    explorer.controls["person"].value = 1
    assert [explorer.ring.get_xdata(), explorer.ring.get_ydata()] == [[0.5], [0.5]]
    assert "Gero Popov" not in explorer.picture.tooltip


def test_every_column_has_words():
    words = [
        write_value(column, GOVERNOR) for column in ("month", "day", "block", "sex", "education")
    ]
    assert words == ["born Apr 1943", "born 30 Apr 1943", "block 67", "man", "16 school years"]
