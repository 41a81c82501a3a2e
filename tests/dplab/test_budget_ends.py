"""The ends of a budget: what just fits, what doesn't, and what remains after the last price."""

import pytest

from dplab.budget import Budget, BudgetExceeded
from dplab.guarantees import ZCDP, ApproxDP, PureDP


@pytest.mark.parametrize("total", [PureDP(1.0), ZCDP(1.0), ApproxDP(1.0, 1e-6)])
def test_a_price_above_the_total_by_a_billionth_is_refused(total):
    parts = vars(total).values()
    for i, part in enumerate(parts):
        price = type(total)(*(p * (1 + 1e-9) if j == i else p for j, p in enumerate(parts)))
        with pytest.raises(BudgetExceeded):
            Budget(total).pay(price)
        just = Budget(total)
        just.pay(type(total)(*parts))
        assert just.remaining == type(total)(*[0.0] * len(parts))
        with pytest.raises(BudgetExceeded):
            just.pay(type(total)(*(part * 1e-9 if j == i else 0.0 for j in range(len(parts)))))


def test_nothing_remains_after_ten_tenths():
    """As floats, ten tenths are a little more than 1: what remains must not be negative."""
    budget = Budget(PureDP(1.0))
    for _ in range(10):
        budget.pay(PureDP(0.1))
    assert budget.remaining == PureDP(0.0)


@pytest.mark.parametrize("delta", [0.0, 5e-324])
def test_a_budget_with_no_delta_to_halve_refuses_a_rho(delta):
    budget = Budget(ApproxDP(1.0, delta))
    assert not budget.allows(ZCDP(1e-9))
    budget.pay(PureDP(1.0))
    with pytest.raises(BudgetExceeded, match="or ZCDP"):
        budget.pay(ZCDP(1e-9))
    assert budget.spent == ApproxDP(1.0, 0.0)
