from itertools import product

import numpy as np
import pytest

from dplab.local.memoised_response import MemoisedResponse


def brute_force(f, p, q, reports):
    """The largest log ratio over all reports of two bits, of which the two values set one each."""
    laws = []
    for bit in (0, 1):
        memo = np.array([f / 2, 1 - f / 2])[:: 1 if bit else -1]  # chances of 0 and 1
        laws.append(
            [
                sum(memo[m] * np.prod([c if y else 1 - c for y in ys]) for m, c in ((0, p), (1, q)))
                for ys in product((0, 1), repeat=reports)
            ]
        )
    return np.log(np.outer(laws[1], laws[0]) / np.outer(laws[0], laws[1])).max()


@pytest.mark.parametrize("f", [0.25, 0.5, 0.75])
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.75), (0.1, 0.6), (0.25, 0.75)])
def test_reports_cost_what_all_their_outcomes_say(f, p, q):
    response = MemoisedResponse(f, p, q)
    for reports in (1, 2, 3, 5):
        assert response.epsilon(reports) == pytest.approx(brute_force(f, p, q, reports))
    assert MemoisedResponse(f, p, q, hashes=3).epsilon(2) == pytest.approx(3 * response.epsilon(2))


def test_one_report_is_the_papers_theorem_2_and_many_its_theorem_1():
    f, p, q, h = 0.75, 0.5, 0.75, 2
    response = MemoisedResponse(f, p, q, h)
    one = f / 2 * (p + q) + (1 - f) * q
    zero = f / 2 * (p + q) + (1 - f) * p
    paper = h * np.log(one * (1 - zero) / (zero * (1 - one)))
    assert response.epsilon(1) == pytest.approx(paper)
    costs = [response.epsilon(t) for t in (0, 1, 7, 30, 365, 10**6)]
    assert costs[0] == 0
    assert costs == sorted(costs)
    assert costs[-1] == pytest.approx(response.limit)
    assert response.limit == pytest.approx(4 * np.log(0.625 / 0.375))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0, 0.5, 0.75), "f must be"),
        ((0.5, 0.75, 0.75), "p must be a finite number above 0 and below 0.75"),
        ((0.5, 0.5, 1), "q must be"),
        ((0.5, 0.5, 0.75, 0), "hashes must be"),
    ],
)
def test_bad_arguments_are_named(values, message):
    with pytest.raises(ValueError, match=message):
        MemoisedResponse(*values)
    with pytest.raises(ValueError, match="reports must be a whole number"):
        MemoisedResponse(0.5, 0.5, 0.75).epsilon(-1)
