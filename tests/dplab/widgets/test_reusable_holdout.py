import numpy as np
import pytest

from dplab.learning.holdout import agrees, share
from dplab.widgets import ReusableHoldout
from dplab.widgets.reusable_holdout import (
    FRESH_RECORDS,
    KS,
    ORDINARY,
    OVERFITS,
    RECORDS,
    REUSABLE,
    VARIABLES,
    analysis,
    records,
)


@pytest.mark.parametrize("n", RECORDS)
def test_records_are_as_many_as_said(n):
    assert [len(some) for some in records(n, 0, 1)] == [n, n, FRESH_RECORDS]


@pytest.mark.parametrize("who", [ORDINARY, REUSABLE])
def test_what_is_shown_is_what_was_asked_of_the_library(who):
    found = analysis(who, 500, 10, 3)
    training, holdout, fresh = records(500, 10, 3)
    vote = found.findings.vote
    for i, k in enumerate(KS):
        assert found.findings.training[i] == share(vote.best(k), training)
        assert found.findings.fresh[i] == share(vote.best(k), fresh)
    shares = [[share(agrees(j), some) for j in range(VARIABLES)] for some in (training, holdout)]
    assert (found.training == shares[0]).all()
    if who == ORDINARY:
        assert (found.answers == shares[1]).all()
        assert (found.overfits, found.epsilon) == (0, None)
    else:
        asked = [*found.answers, *found.findings.reported]
        known = [*shares[0], *found.findings.training]
        assert np.sum(~np.isclose(asked, known)) == found.overfits <= OVERFITS
        assert found.epsilon == pytest.approx(2 * OVERFITS * 5 / 500**0.5)


def test_the_ordinary_holdout_is_fooled_and_the_reusable_one_is_not():
    """100 votes among 1,000 coins on 500 records, ten fixed seeds.

    Reported are .68 +- .018 by the ordinary one; .50 +- .023 by the other, but where noise hides a
    gap of .32 above a threshold of .18: seldom, so the median.
    """
    runs = [[analysis(who, 500, 0, seed) for seed in range(10)] for who in (ORDINARY, REUSABLE)]
    reported = [np.median([run.findings.reported[-1] for run in some]) for some in runs]
    assert reported[0] > 0.64
    assert abs(reported[1] - 0.5) < 0.06


def test_picture_follows_the_controls():
    explorer = ReusableHoldout()
    for name, value in (("k", 20), ("n", 500), ("telling", 10), ("who", REUSABLE)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert (view.who, view.n, view.k) == (REUSABLE, 500, 20)
    assert explorer.dots.get_ydata() == pytest.approx(view.answers, nan_ok=True)
    assert len(explorer.chosen.get_xdata()) == view.is_voting.sum() == 20
    rows = (view.findings.training, view.findings.reported, view.findings.fresh)
    for line, row in zip(explorer.lines, rows, strict=True):
        assert line.get_ydata() == pytest.approx(row, nan_ok=True)
    assert explorer.rule.get_xdata() == [20, 20]
    for shares, (least, most) in (
        (view.training, explorer.left_ax.get_xlim()),
        (view.answers, explorer.left_ax.get_ylim()),
        (rows, explorer.right_ax.get_ylim()),
    ):
        assert least < np.nanmin(shares) < np.nanmax(shares) < most
    before = view.here
    explorer.controls["again"].click()
    assert explorer.view().here != before


def test_caption_says_what_each_set_says_and_what_it_costs():
    explorer = ReusableHoldout()
    training, reported, fresh = explorer.view().here
    assert explorer.picture.tooltip == (
        f"A vote of the best 50 variables is right on {training:.0%} of the training set; "
        f"the ordinary holdout says {reported:.0%}; on fresh records it is {fresh:.0%}."
    )
    explorer.controls["who"].value = REUSABLE
    assert "ε = 13: a 50% guess becomes all but certain." in explorer.picture.tooltip
    explorer.controls["n"].value = 4000
    assert "ε = 6.3: a 50% guess becomes at most 99.8%." in explorer.picture.tooltip
    explorer.controls["k"].value = 1
    assert explorer.picture.tooltip.startswith("The best variable is right on ")
