"""The numbers of lesson 19; what is random among them is so by the lesson's generator."""

import numpy as np


def after_explorer_outcome(for_each, one_for_all):
    """As the explorer opens, by its own seed."""
    assert for_each > 10 * one_for_all


def after_cell_46(ahead):
    """Over 60 seeds the plain attack has 49%, with a deviation of 4.4: below 1e-10."""
    assert ahead > 0.2


def after_shadows_train(shadows):
    """Each image is in half of the networks."""
    assert (shadows["plain"].members.sum(axis=0) == 10).all()


def after_curves_shown(power):
    """Over 25 seeds these are 19%, with a deviation of 1.9, and 1.6%: below 1e-15."""
    assert power["plain"][1] > power["plain"][0]


def after_exposed_code(apart):
    """Of the images 46% are so far apart, with a deviation of 2.3: below 1e-15."""
    assert np.mean(apart > 1) > 0.1


def after_peek(shadows, power, Calibration, share_accused_at):
    """Peeking adds 22 points to both trainings together, with a deviation of 2.9: below 1e-12.

    The limits are those that the text names.
    """
    peeking = 0.0
    for name, trained in shadows.items():
        known, targets = trained.split(8)
        honest = Calibration.of(known).log_ratios(targets.scores)
        sides = honest[targets.members], honest[~targets.members]
        peeking += power[name][1] - share_accused_at(0.01, *sides)
    assert peeking > 0
    assert np.exp(1) * 0.01 < 0.028
    assert np.tanh(0.05) < 0.05


def after_cell_49b(hidden, limit):
    """Over 60 seeds the private attack has 9%, with a deviation of 3.7: below 1e-12."""
    assert hidden < limit


def after_short_canaries_code(missed, promised):
    """The audit is wrong with probability 1e-10 at most, and her clip does nothing here."""
    assert missed.epsilon <= promised
