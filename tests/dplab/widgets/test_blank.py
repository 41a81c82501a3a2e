"""A reader's own function, held against the library's."""

import numpy as np
import pytest

from dplab import Laplace, RandomizedResponse
from dplab.widgets import check_blank


def said(capsys, *arguments, **options):
    assert check_blank(*arguments, **options) is None
    return capsys.readouterr().out.strip()


def square(x):
    return x**2


@pytest.mark.parametrize(
    ("own", "begins"),
    [
        (square, "Right: the same answers as the library's, at 3 rows of arguments."),
        (lambda x: np.float64(x) * x, "Right"),
        (lambda x: x * 2, "At (3) yours gives 6; the right answer is 9. Look."),  # 0 and 2 agree
        (lambda x: 1 / x, "At (0) yours raises ZeroDivisionError: "),
        (lambda x: [x**2], "At (0) yours gives [0]; the right answer is 0."),  # of another shape
        (lambda x: "four", "At (0) yours gives four; the right answer is 0."),
        (lambda x: float("nan"), "At (0) yours gives nan; the right answer is 0."),
        (lambda x: None, "<lambda> is yours to write: it returns nothing yet."),
        (lambda x: ..., "<lambda> is yours to write"),
        (lambda x: x * ..., "<lambda> is yours to write"),
    ],
)
def test_the_first_row_that_differs_is_told(capsys, own, begins):
    assert said(capsys, own, square, [(0,), (2,), (3,)], hint="Look.").startswith(begins)


@pytest.mark.parametrize(
    ("right", "wrong"), [("yes", "no"), ({"a": 1}, {"a": 2}), ((1, "b"), (1, "c")), (True, False)]
)
def test_what_is_no_number_must_be_equal(capsys, right, wrong):
    assert said(capsys, lambda: right, lambda: right, [()]).startswith("Right")
    assert said(capsys, lambda: wrong, lambda: right, [()]).startswith("At () yours gives ")


def test_arrays_agree_in_each_entry_within_the_tolerance(capsys):
    truth = np.arange(5.0)
    near, far = truth + 1e-4, truth * 1.01
    assert said(capsys, lambda: near, lambda: truth, [()]).startswith("At ()")
    assert said(capsys, lambda: near[1:], lambda: truth[1:], [()], rtol=1e-3).startswith("Right")
    assert said(capsys, lambda: far, lambda: truth, [()], rtol=1e-3).startswith("At ()")


@pytest.mark.parametrize("scale", [0.01, 1, 1000])
def test_draws_must_follow_the_law(capsys, scale):
    """A right answer fails with probability below 1e-12; a scale 40% off is found by 3,000 draws of
    which the scale's statistic, its exact law, is 20 standard errors away.
    """

    def own(s, rng):
        return rng.laplace(scale=s)

    def narrow(s, rng):
        return rng.laplace(scale=s / 1.4)

    def law(s):
        return Laplace(0, s)

    assert said(capsys, own, law, [(scale,)]).startswith("Right")
    assert "your draws don't follow the law" in said(capsys, narrow, law, [(scale,)])
    assert "yours to write" in said(capsys, lambda s, rng: None, law, [(scale,)])


def test_draws_of_a_finite_law(capsys):
    mechanism = RandomizedResponse(1)

    def own(bit, rng):
        return bit if rng.random() < np.e / (1 + np.e) else 1 - bit

    def silent(bit, rng):
        return bit

    assert said(capsys, own, mechanism.distribution, [(0,), (1,)]).startswith("Right")
    assert "expected 0.7311" in said(capsys, silent, mechanism.distribution, [(0,)])


def test_long_values_are_cut(capsys):
    told = said(capsys, lambda: np.zeros(1000), lambda: np.ones(1000), [()])
    assert len(told) < 120
    assert "x" * 100 not in said(capsys, lambda: "x" * 1000, lambda: "", [()])


def test_no_rows_are_no_check():
    with pytest.raises(ValueError, match="rows must hold at least one"):
        check_blank(square, square, [])
