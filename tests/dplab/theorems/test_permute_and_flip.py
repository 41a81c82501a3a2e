from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.theorems.permute_and_flip import compare

score_lists = st.lists(st.floats(-5, 5), min_size=1, max_size=7)


def law_by_recursion(p):
    """Permute-and-flip by its definition: ask one at random, leave out who refuses."""

    @cache
    def law(left):
        result = np.zeros(len(p))
        for j in left:
            result[j] += p[j] / len(left)
            if p[j] < 1:
                result += (1 - p[j]) / len(left) * law(left - {j})
        return result

    return law(frozenset(range(len(p))))


def test_the_worked_example():
    two = compare([0, 1, 1.5, 3], rate=0.5)
    assert two.flip == pytest.approx([0.0835489, 0.1445277, 0.1928856, 0.5790378], abs=5e-8)
    assert two.exponential[-1] == pytest.approx(0.4846426, abs=5e-8)
    assert two.flip_gap == pytest.approx(0.829031, abs=5e-7)
    assert two.exponential_gap == pytest.approx(1.024389, abs=5e-7)


@given(score_lists, st.floats(0.05, 3))
def test_never_worse_at_any_gap(scores, rate):
    two = compare(scores, rate)
    assert two.holds
    assert two.flip_gap <= two.exponential_gap + 1e-12


@given(score_lists, st.floats(0.05, 3))
def test_the_law_is_that_of_the_story(scores, rate):
    p = np.exp(rate * (np.array(scores) - max(scores)))
    assert compare(scores, rate).flip == pytest.approx(law_by_recursion(tuple(p)), abs=1e-12)


def test_candidates_all_alike_leave_nothing_to_gain():
    two = compare([2, 2, 2], rate=1)
    assert two.flip == pytest.approx(two.exponential)


def test_holds_can_fail():
    two = compare([0, 3], rate=1)
    swapped = type(two)(two.scores, two.exponential, two.flip)
    assert two.holds
    assert not swapped.holds
