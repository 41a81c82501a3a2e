import re
from itertools import product

import numpy as np
import pytest

from dplab import ZCDP
from dplab.deployments import DEPLOYMENTS, RECOMPUTED, find_deployment, rappor_epsilon
from tests.refusals import assert_refused

BY_HAND = {  # what the documents' numbers give, with more digits than they print
    "RAPPOR": 0.53428,
    "Apple": 4,
    "Mobility": 2.64,
    "Full URLs": 1.452,
    "Census": 17.158,
    "Gboard": 8.922,
    "Wikimedia": 0.8546,
    "births": 9.98,
}


def test_ten_rows_each_with_a_dated_document():
    assert len(DEPLOYMENTS) == 10
    assert [one.year for one in DEPLOYMENTS] == sorted(one.year for one in DEPLOYMENTS)
    for one in DEPLOYMENTS:
        assert re.search(r"20[12]\d", one.document), one.name
        assert one.epsilon > 0 <= one.delta < 1e-4
        assert all((one.unit, one.period, one.model, one.mechanism, one.missing))


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_recomputed(name):
    assert find_deployment(name).recomputed == pytest.approx(BY_HAND[name], rel=3e-4)


def test_only_two_rows_are_quoted_and_not_recomputed():
    assert [one.name.split(",")[0] for one in DEPLOYMENTS if one.recomputed is None] == [
        "Microsoft",
        "LinkedIn",
    ]
    assert len(RECOMPUTED) == 8


def test_where_the_recomputed_epsilon_is_another_the_row_says_why():
    """Two digits of rho are behind 17.14, and 8.9 has two digits; Wikimedia's 1 is rounded up."""
    for one in DEPLOYMENTS:
        if one.recomputed is not None and "Wikimedia" not in one.name:
            assert one.recomputed == pytest.approx(one.epsilon, rel=3e-3)
    assert ZCDP(2.555).to_approx(1e-10).epsilon == pytest.approx(17.14, abs=0.005)
    assert 0.015 + 2 * np.sqrt(0.015 * np.log(1e7)) == pytest.approx(1.0, abs=0.002)


@pytest.mark.parametrize("hashes", [1, 2])
def test_rappor_by_all_reports_of_two_values(hashes):
    """The largest log ratio over all reports of 2 hashes bits: other bits are alike."""
    f, p, q = 0.5, 0.4, 0.9
    chance = {bit: f * (p + q) / 2 + (1 - f) * (q if bit else p) for bit in (0, 1)}
    one, other = [1] * hashes + [0] * hashes, [0] * hashes + [1] * hashes
    ratios = [
        sum(
            np.log(chance[a] if sent else 1 - chance[a])
            - np.log(chance[b] if sent else 1 - chance[b])
            for a, b, sent in zip(one, other, report, strict=True)
        )
        for report in product((0, 1), repeat=2 * hashes)
    ]
    assert rappor_epsilon(f=f, p=p, q=q, hashes=hashes) == pytest.approx(max(ratios))


def test_all_reports_of_one_value_cost_what_its_row_says():
    """With p = 0 and q = 1 a report is the remembered answer itself."""
    assert rappor_epsilon(f=0.75, p=0.0, q=1.0, hashes=2) == pytest.approx(2.04, abs=0.005)
    assert "2.04" in find_deployment("RAPPOR").missing


def test_bad_arguments_are_named():
    assert_refused(
        [
            (lambda: find_deployment("Google"), "word must be in the name of one .* not 3"),
            (lambda: find_deployment("Acme"), "word must be in the name of one .* not 0"),
            (lambda: find_deployment(3), "word must be"),
            (lambda: rappor_epsilon(f=2, p=0.5, q=0.75, hashes=2), "f must be"),
            (lambda: rappor_epsilon(f=0.5, p=-1, q=0.75, hashes=2), "p must be"),
            (lambda: rappor_epsilon(f=0.5, p=0.5, q=1.5, hashes=2), "q must be"),
            (lambda: rappor_epsilon(f=0.5, p=0.5, q=0.75, hashes=0), "hashes must be"),
        ]
    )
    assert rappor_epsilon(f=0, p=0, q=1, hashes=1) == np.inf
    assert rappor_epsilon(f=1, p=0.5, q=0.75, hashes=1) == 0
