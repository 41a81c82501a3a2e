import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab.widgets import DifferencingPair, style
from dplab.widgets.differencing_pair import (
    CEILING,
    COUNT,
    MEAN,
    ROUNDING_LEVELS,
    SUM,
    pair_of_answers,
    possible_bits,
    possible_incomes,
    to_multiple,
)
from dplab.widgets.unique_people import GOVERNOR, people

RICHEST = int(people().income.argmax())
WELL_PAID = 75_000  # does a person earn more than this?


def turned_to(question, rounded):
    explorer = DifferencingPair()
    explorer.controls["question"].value = question
    explorer.controls["rounded"].value = rounded
    return explorer


def test_nobody_has_more_than_is_publicly_known():
    assert people().income[RICHEST] < CEILING[SUM] == CEILING[MEAN]


@pytest.mark.parametrize("question", [COUNT, SUM, MEAN])
@pytest.mark.parametrize("rounded", ROUNDING_LEVELS)
def test_the_truth_is_always_possible(question, rounded):
    for person in (0, 17, GOVERNOR, RICHEST):
        for size in (10, 60, 61, 62, 63, 200):
            view = pair_of_answers(question=question, rounded=rounded, size=size, person=person)
            assert view.size == size + 1
            assert view.low - 1e-6 <= view.truth <= view.high + 1e-6


@pytest.mark.parametrize("question", [COUNT, SUM, MEAN])
def test_exact_answers_leave_nothing_to_guess(question):
    view = pair_of_answers(question=question, rounded="not at all", size=100, person=GOVERNOR)
    assert view.certain
    assert view.low == pytest.approx(people()["ill" if question == COUNT else "income"][GOVERNOR])


@pytest.mark.parametrize("unit", [0, 2, 5, 10])
def test_possible_bits_are_those_of_all_counts_that_fit(unit):
    for count in range(40):
        for bit in (0, 1):
            first, second = to_multiple(count + bit, unit), to_multiple(count, unit)
            fitting = {
                other
                for other in (0, 1)
                for c in range(60)
                if to_multiple(c, unit) == second and to_multiple(c + other, unit) == first
            }
            assert possible_bits(first, second, unit) == (min(fitting), max(fitting))


@pytest.mark.parametrize("unit", [0, 1000, 10_000])
def test_a_guess_about_an_income_stays_one_just_where_both_sides_fit(unit):
    """Incomes and sums are multiples of 100, whatever the sum of the others is."""
    rounded = ROUNDING_LEVELS[(0, 1000, 10_000).index(unit)]
    incomes = people().income.to_numpy()
    near = np.flatnonzero(abs(incomes - WELL_PAID) <= max(2 * unit, 100))[:100]
    explorer = turned_to(SUM, rounded)
    assert len(near) >= 5
    for person in near:
        explorer.controls["person"].value = int(person) + 1
        first, second = explorer.view().answers
        sums = second + np.arange(-unit // 2, unit // 2 + 1, 100)
        sums = sums[to_multiple(sums, unit) == second]
        sides = {
            bool(income > WELL_PAID)
            for income in range(WELL_PAID - 4 * unit - 100, WELL_PAID + 4 * unit + 101, 100)
            if (to_multiple(sums + income, unit) == first).any()
        }
        assert (len(sides) == 2) == (explorer.view().low < WELL_PAID < explorer.view().high)


def test_possible_incomes_are_within_the_rounding_of_both_answers():
    assert possible_incomes(5000.0, 3000.0, 1000) == (1000, 3000)
    assert possible_incomes(3000.0, 3000.0, 1000) == (0, 1000)
    low, high = possible_incomes(300.0, 200.0, 10, size=10)
    assert (low, high) == pytest.approx((10 * 295 - 9 * 205, 10 * 305 - 9 * 195))


def test_halves_are_rounded_up_and_unit_zero_leaves_all_as_it_is():
    assert to_multiple(np.array([2, 2.5, 7.4, 7.5]), 5).tolist() == [0, 5, 5, 10]
    assert to_multiple(7.123, 0) == 7.123


def test_the_picture_shows_one_person_more_on_the_left():
    explorer = DifferencingPair()
    colours = [np.asarray(group.get_array()).reshape(-1, 4) for group in explorer.groups]
    kinds = [[to_hex(colour / 255) for colour in stripe] for stripe in colours]
    blue, orange = style.BLUE.lower(), style.ORANGE.lower()
    assert [stripe.count(blue) for stripe in kinds] == [60, 60]
    assert [stripe.count(orange) for stripe in kinds] == [1, 0]


def test_the_group_decides_whether_a_rounded_count_gives_the_person_away():
    explorer = DifferencingPair()
    found = {}
    for size in range(10, 80):
        explorer.controls["size"].value = size
        name, found[size] = explorer.verdict.get_text().split(": ")
        assert name == explorer.view().name
        first, second = explorer.view().answers
        assert (found[size] == "known for certain") == (first != second)
        said = (
            f"The answer about all {size + 1} people is {first:.0f}, and without {name} it is "
            f"{second:.0f}. "
        )
        sure = found[size] == "known for certain"
        said += f"So {name} is ill." if sure else f"{name} may be ill or not."
        assert explorer.picture.tooltip == said
    assert set(found.values()) == {"known for certain", "not certain yet"}


def test_the_interval_is_the_one_of_the_view():
    explorer = DifferencingPair()
    explorer.controls["question"].value = SUM
    view = explorer.view()
    assert list(explorer.range_after.get_xdata()) == pytest.approx([view.low, view.high])
    assert explorer.truth.get_xdata() == [126_600]
    said = f"The income of {view.name} is between {view.low:,.0f} and {view.high:,.0f}."
    assert explorer.picture.tooltip.endswith(said)
    explorer.controls["rounded"].value = "not at all"
    name = explorer.view().name
    assert explorer.verdict.get_text() == f"{name}: known for certain"
    assert explorer.picture.tooltip.endswith(f"So the income of {name} is 126,600.")


def test_caption_and_picture_say_of_whom_they_speak():
    explorer = DifferencingPair()
    for question in (COUNT, SUM):
        explorer.controls["question"].value = question
        for person in (1, 20, 5000):
            explorer.controls["person"].value = person
            name = people().name[person - 1]
            assert name in explorer.picture.tooltip
            assert explorer.verdict.get_text().startswith(f"{name}: ")


def test_the_axis_names_bits_and_counts_money():
    explorer = DifferencingPair()
    axis = explorer.truth.axes.xaxis
    assert [axis.get_major_formatter()(x, 0) for x in (0, 1)] == ["not ill", "ill"]
    explorer.controls["question"].value = MEAN
    assert axis.get_major_formatter()(80_000, 0) == "80,000"
