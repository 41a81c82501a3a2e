import numpy as np
import pytest

from dplab.widgets import BudgetLedger
from dplab.widgets.budget_ledger import FIXED, MAX_QUESTIONS, SHARED, ledger_view

NOISE = np.linspace(-3, 3, MAX_QUESTIONS)


@pytest.mark.parametrize(
    ("total", "price", "answered"), [(1.0, 0.15, 6), (1.0, 0.1, 10), (0.6, 0.2, 3), (0.2, 0.25, 0)]
)
def test_as_many_are_answered_as_the_total_pays_for(total, price, answered):
    view = ledger_view(NOISE, total=total, question_count=12, pricing=FIXED, price=price)
    assert view.answer_count == answered
    assert view.spent == pytest.approx(answered * price)


def test_equal_shares_are_all_answered_and_use_the_whole():
    for asked in (1, 3, 7, 40):
        view = ledger_view(NOISE, total=0.7, question_count=asked, pricing=SHARED, price=1.0)
        assert view.answer_count == asked
        assert view.spent == pytest.approx(0.7)
        assert view.deviation == pytest.approx(2**0.5 * asked / 0.7)


def test_averages_are_of_the_answers_that_were_given():
    view = ledger_view(NOISE, total=1.0, question_count=12, pricing=FIXED, price=0.2)
    assert view.averages == pytest.approx([NOISE[: k + 1].mean() / 0.2 for k in range(5)])


def test_picture_shows_what_was_paid_and_what_was_refused():
    explorer = BudgetLedger()
    explorer.controls["total"].value = 0.5
    explorer.controls["price"].value = 0.2
    explorer.controls["question_count"].value = 12
    assert explorer.paid.get_ydata() == pytest.approx([0.2, 0.4])
    assert explorer.refused.get_xdata().tolist() == list(range(3, 13))
    assert explorer.refused.get_ydata() == pytest.approx([0.4] * 10)
    assert explorer.unpaid.get_ydata()[:2] == pytest.approx([0.6, 0.8])
    assert len(explorer.answers.get_xdata()) == 2
    assert explorer.picture.tooltip == (
        "2 of 12 questions are answered. "
        "An answer is typically off by 7.1, the average of all by 5."
    )
    assert explorer.note.get_text() == "total: 50% → 62%"


def test_equal_shares_leave_no_price_to_choose_and_refuse_nobody():
    explorer = BudgetLedger()
    explorer.controls["pricing"].value = SHARED
    explorer.controls["question_count"].value = 40
    assert explorer.controls["price"].disabled
    assert explorer.refused.get_xdata().size == 0
    assert "All 40 questions are answered" in explorer.picture.tooltip
    explorer.controls["pricing"].value = FIXED
    assert not explorer.controls["price"].disabled


@pytest.mark.parametrize(
    ("asked", "price", "said"),
    [
        (40, 1.0, "1 of 40 questions is answered. An answer is typically off by 1.4."),
        (1, 0.5, "The question is answered. An answer is typically off by 2.8."),
    ],
)
def test_a_single_answer_has_no_average(asked, price, said):
    explorer = BudgetLedger()
    explorer.controls["question_count"].value = asked
    explorer.controls["price"].value = price
    assert explorer.picture.tooltip == said
    explorer.controls["total"].value = 0.2
    assert explorer.picture.tooltip == (
        "No question is answered: one costs more than the total of 0.2."
    )


def test_new_noise_changes_answers_and_no_payment():
    explorer = BudgetLedger()
    answers, paid = explorer.answers.get_ydata().copy(), explorer.paid.get_ydata().copy()
    explorer.controls["again"].click()
    assert (explorer.answers.get_ydata() != answers).all()
    assert explorer.paid.get_ydata() == pytest.approx(paid)


def test_the_total_and_most_answers_stay_inside_their_axes():
    explorer = BudgetLedger()
    for total in (0.2, 1.0, 4.0):
        for price in (0.05, 1.0):
            explorer.controls["total"].value = total
            explorer.controls["price"].value = price
            assert total < 0.8 * explorer.paid.axes.get_ylim()[1]
            assert explorer.answers.axes.get_ylim()[1] > 1.5 * 2**0.5 / price
            answers = explorer.answers.get_ydata()
            assert np.abs(answers).max(initial=0) < -explorer.answers.axes.get_ylim()[0]
