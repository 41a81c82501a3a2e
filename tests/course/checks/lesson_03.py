"""What the numbers of lesson 3 must be.

Bank and rides are drawn once, and the salts are fixed: what sticks is the same in every run.
"""

from unittest import TestCase

import numpy as np

from dplab.attacks import diffix
from dplab.attacks.diffix import members
from dplab.attacks.least_squares import least_squares
from dplab.data.diffix import at_hand, diffix_answers
from dplab.interaction import Refused


def after_cell_20(curator, loans, QUESTION):
    assert curator(diffix.NONE).ask(QUESTION) == (loans.status == "C").sum()


def after_cell_27(heard, truth):
    assert abs(np.mean(heard["sticky"]) - truth) < 6 * (10 / 200) ** 0.5


def after_cell_31(digits):
    """100 * 5488^0.7 = 41456.236..., with a fractional part below a half."""
    digit = diffix.Digit("client_id", factor=2, power=0.7, offset=100)
    assert digit.holds([2744])
    assert len(digits) == 3500


def after_cell_35(simulator, digits, running, asked, part, secret):
    simulated = simulator.answers(digits[::25], members(digits[::25], running))
    assert (simulated == np.array(asked, dtype=float)).all()
    sizes = members(digits, part.client_id)[:, secret].sum(axis=1)
    assert (sizes >= 8).mean() > 0.99


def after_cell_43(cedar, QUESTION, digits):
    assert cedar.isolating == {"client_id"}
    with TestCase().assertRaises(Refused):
        cedar.ask(f"{QUESTION} AND {digits[0].text}")


def after_cell_25(few):
    assert few is None  # a count of one or none is suppressed


def after_cell_38():
    for low, high in at_hand():
        data = diffix_answers(low, high)
        assert least_squares(data.members, data.answers).accuracy(data.secret) == 1


def after_cell_45(cab):
    assert "pickup_latitude" not in cab.isolating


def after_target(target):
    assert target.pickup_latitude.is_unique


def after_cell_50(cab, answers, question, latitude):
    assert answers[0] == cab.ask(f"{question} AND {latitude[0].text}")


def after_cash(right):
    assert right >= 0.95


def after_cell_53(passengers, target):
    assert (passengers == target.passenger_count).mean() >= 0.75


def after_product(whole, product):
    assert whole > product


def after_cell_71(dogwood, GROUP, latitude):
    with TestCase().assertRaises(Refused):
        dogwood.ask(f"SELECT count(*) {GROUP} AND {latitude[0].text}")
