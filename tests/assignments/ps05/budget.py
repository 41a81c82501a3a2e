"""Answers to `Budget`. The mistakes: it looks too late, pays anyway, or refuses for good."""

from autograder.rehearsal.catalogue import Answers, Mutant

_PAY = """
if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
    raise ValueError("refused")
self.spent = self.spent + price
"""
_FOR_EVER = _PAY.replace(
    "(price >= 0 and self.spent + price <= self.total * (1 + 1e-9))",
    "0 <= price <= self.left + 1e-9 * self.total",
)


def _budget(
    pay: str = _PAY,
    left: str = "max(0.0, self.total - self.spent)",
    opening: str = "self.spent = 0.0",
    wrong_total: str = "not total > 0",
) -> str:
    """The text of `Budget` with these parts."""
    body = "\n".join(f"        {line}" for line in pay.strip().splitlines())
    return f"""
class Budget:
    def __init__(self, total):
        if {wrong_total}:
            raise ValueError("a total must be above 0")
        self.total = total
        {opening}

    def pay(self, price):
{body}

    @property
    def left(self):
        return {left}
"""


RIGHT = {
    "what was spent": _budget(),
    "a list of all prices": '''
class Budget:
    """Adds up what was paid, each time anew."""

    def __init__(self, total):
        if not (total > 0 and math.isfinite(total)):
            raise ValueError(f"no total: {total}")
        self.total = float(total)
        self.paid = []

    def pay(self, price):
        if math.isnan(price) or price < 0:
            raise ValueError(f"no price: {price}")
        if math.fsum([*self.paid, price]) > self.total * (1 + 1e-8):
            raise ValueError("not enough left")
        self.paid.append(price)

    @property
    def left(self):
        return max(self.total - math.fsum(self.paid), 0)
''',
    "what is left, with an error of its own": """
class BudgetError(ValueError):
    pass


class Budget:
    def __init__(self, total):
        if total <= 0 or total != total:
            raise BudgetError("a budget needs something in it")
        self.total = self._left = total

    def pay(self, price):
        after = self._left - price
        if price != price or price < 0 or after < -1e-7 * self.total:
            raise BudgetError("refused")
        self._left = after

    @property
    def left(self):
        return self._left if self._left > 0 else 0.0
""",
    "shares of the total": """
class Budget:
    def __init__(self, total):
        if not total > 0:
            raise ValueError("a total is above 0")
        self._total, self._share = total, np.float64(0)

    def pay(self, price):
        share = self._share + price / self._total
        if not price >= 0 or share > 1 + 5e-9:
            raise ValueError("refused")
        self._share = share

    left = property(lambda self: self._total * max(0, 1 - self._share))
""",
}

MUTANTS = {
    "looks after it has paid": Mutant(
        _budget("if self.left <= 0:\n    raise ValueError('empty')\nself.spent += price"),
        "budget_refuses",
        "it is [[1, 0.3], [1, 0], [0, 0]]",
    ),
    "a refused price is taken all the same": Mutant(
        _budget(
            "self.spent += price\nif price < 0 or not self.spent <= self.total * (1 + 1e-9):\n"
            "    raise ValueError('refused')"
        ),
        "budget_refuses",
        "should be [[1, 0.3], [0, 0.3], [1, 0]]",
    ),
    "pays what is left": Mutant(
        _budget("self.spent += min(max(price, 0), self.left)"),
        "budget_refuses",
        "it is [[1, 0.3], [1, 0], [1, 0]]",
    ),
    "says no without an error": Mutant(
        _budget(
            "if not 0 <= price <= self.left + 1e-9 * self.total:\n    return False\n"
            "self.spent += price\nreturn True"
        ),
        "budget_refuses",
        "a refusal raises ValueError",
    ),
    "closed after the first refusal": Mutant(
        _budget(
            "if self.closed or not 0 <= price <= self.left + 1e-9 * self.total:\n"
            "    self.closed = True\n    raise ValueError('refused')\nself.spent += price",
            opening="self.spent, self.closed = 0.0, False",
        ),
        "budget_refuses",
        "it is [[1, 0.3], [0, 0.3], [0, 0.3]]",
    ),
    "floats taken at their word": Mutant(
        _budget(
            "if not 0 <= price <= self.left:\n    raise ValueError('refused')\nself.spent += price"
        ),
        "budget_shares",
        "Allow for rounding",
    ),
    "the last bit is never paid": Mutant(
        _budget(
            "if not 0 <= price < self.left:\n    raise ValueError('refused')\nself.spent += price"
        ),
        "budget_refuses",
        "it is [[0, 0.5], [0, 0.5], [1, 0.4]]",
    ),
    "generous by a thousandth": Mutant(
        _budget(_PAY.replace("1e-9", "1e-3")), "budget_shares", "Allow for rounding"
    ),
    "rounding allowed in absolute terms": Mutant(
        _budget(_FOR_EVER.replace("1e-9 * self.total", "1e-7")),
        "budget_shares",
        "Allow for rounding",
    ),
    "a tolerance of 1e-12 whatever the total": Mutant(
        _budget(_PAY.replace("self.total * (1 + 1e-9)", "self.total + 1e-12")),
        "budget_shares",
        "Allow for rounding",
    ),
    "an allowance for each price, paid for ever": Mutant(
        _budget(_FOR_EVER), "budget_shares", "whether crumbs are paid for ever when nothing is left"
    ),
    "what is left is cut off at 0, and the allowance granted anew": Mutant(
        _budget(
            "if not 0 <= price <= self._left + 1e-7 * self.total:\n"
            "    raise ValueError('refused')\n"
            "self._left = max(0.0, self._left - price)",
            left="self._left",
            opening="self._left = total",
        ),
        "budget_shares",
        "whether crumbs are paid for ever when nothing is left",
    ),
    "a large total is never spent": Mutant(
        _budget(
            _PAY.replace("self.total * (1", "(1 + 1e9 * (self.total > 1000)) * self.total * (1")
        ),
        "budget_refuses",
        "changes nothing",
    ),
    "left rounded to ten decimals": Mutant(
        _budget(left="round(max(0.0, self.total - self.spent), 10)"),
        "budget_pays",
        "belongs to this budget alone",
    ),
    "an empty account pays not even 0": Mutant(
        _budget(_PAY.replace("if not (", "if self.left == 0 or not (")),
        "budget_shares",
        "Allow for rounding",
    ),
    "a tiny negative price is let through": Mutant(
        _budget(_PAY.replace("price >= 0", "price >= -1e-9")),
        "budget_input",
        "Refuse a price unless it is at least 0",
    ),
    "the account last opened is everybody's": Mutant(
        _budget(_PAY.replace("self.", "Budget."), "max(0.0, Budget.total - Budget.spent)").replace(
            "self.total = total\n        self.spent = 0.0",
            "Budget.total, Budget.spent = total, 0.0",
        ),
        "budget_pays",
        "belongs to this budget alone",
    ),
    "whoever insists is paid": Mutant(
        _budget(
            "if price != self.last and not (price >= 0 and self.spent + price <= self.total):\n"
            "    self.last = price\n    raise ValueError('refused')\nself.spent += price",
            opening="self.spent, self.last = 0.0, None",
        ),
        "budget_refuses",
        "No is no, each time.",
    ),
    "a hundred payments at most": Mutant(
        _budget(
            "if self.paid == 100:\n    raise ValueError('no more')\n"
            + _PAY.strip()
            + "\nself.paid += 1",
            opening="self.spent, self.paid = 0.0, 0",
        ),
        "budget_refuses",
        "changes nothing",
    ),
    "after a thousand offers the account is kept no longer": Mutant(
        _budget(
            "self.offers += 1\nif self.offers > 1000:\n    return\n" + _PAY.strip(),
            opening="self.spent, self.offers = 0.0, 0",
        ),
        "budget_refuses",
        "changes nothing",
    ),
    "dplab's account": Mutant(
        """
class Budget:
    def __init__(self, total):
        from dplab import PureDP
        from dplab.budget import Budget as Account

        self.price, self.account = PureDP, Account(PureDP(total))

    def pay(self, price):
        self.account.pay(self.price(price))

    @property
    def left(self):
        return self.account.left.epsilon
""",
        "budget_pays",
        "off limits",
    ),
    "left falls below nothing": Mutant(
        _budget(left="self.total - self.spent - 1e-6 * (self.spent > 0.99 * self.total)"),
        "budget_shares",
        "what is left after ten times 0.1",
    ),
    "a negative price fills it up": Mutant(
        _budget(_PAY.replace("price >= 0 and ", "")), "budget_input", "it is [[1, 1.5], [1, 0.75]]"
    ),
    "NaN is no more than what is left": Mutant(
        _budget(
            "if price < 0 or price > self.left + 1e-9 * self.total:\n"
            "    raise ValueError('refused')\nself.spent += price"
        ),
        "budget_input",
        "should be [[0, 1], [1, 0.5]]",
    ),
    "any total": Mutant(_budget(wrong_total="False"), "budget_input", "A total is above 0."),
    "one account for all": Mutant(
        """
class Budget:
    paid = []

    def __init__(self, total):
        if not total > 0:
            raise ValueError("a total must be above 0")
        self.total = total

    def pay(self, price):
        if not 0 <= price <= self.left + 1e-9 * self.total:
            raise ValueError("refused")
        self.paid.append(price)

    @property
    def left(self):
        return max(0.0, self.total - sum(self.paid))
""",
        "budget_pays",
        "belongs to this budget alone",
    ),
    "left is what was spent": Mutant(
        _budget(
            "if not 0 <= price <= self.total - self.spent + 1e-9 * self.total:\n"
            "    raise ValueError('refused')\nself.spent += price",
            left="self.spent",
        ),
        "budget_pays",
        "should be [[1, 0.75], [1, 0.25]], it is [[1, 0.25], [1, 0.75]]",
    ),
    "left has to be called": Mutant(
        _budget().replace("    @property\n", "").replace("self.left", "self.left()"),
        "budget_pays",
        "left should be a number, it is",
    ),
    "counts questions": Mutant(
        _budget("if self.spent >= self.total:\n    raise ValueError('empty')\nself.spent += 1"),
        "budget_pays",
        "should be [[1, 0.75], [1, 0.25]]",
    ),
    "nothing is free": Mutant(
        _budget(_PAY.replace("price >= 0", "price > 0")), "budget_pays", "it is [[1, 2.5], [0, 2.5]"
    ),
    "accounts of the same total are one": Mutant(
        _budget(
            _PAY.replace("self.spent", "Budget.paid[self.total]"),
            left="max(0.0, self.total - Budget.paid[self.total])",
            opening="Budget.paid = {**getattr(Budget, 'paid', {}), total: 0.0}",
        ),
        "budget_pays",
        "belongs to this budget alone",
    ),
    "a price far above the total is a mistake, and free": Mutant(
        _budget(f"if 1e4 * self.total < price < 1e300:\n    return\n{_PAY.strip()}"),
        "budget_input",
        "Refuse a price unless",
    ),
    "whole prices up to a thousand": Mutant(
        _budget(f"price = min(price, 1000) if isinstance(price, int) else price\n{_PAY.strip()}"),
        "budget_refuses",
        "changes nothing",
    ),
    "closed after a thousand refusals": Mutant(
        _budget(
            "if self.refused > 1000:\n    raise ValueError('closed')\nself.refused += 1\n"
            f"{_PAY.strip()}\nself.refused -= 1",
            opening="self.spent, self.refused = 0.0, 0",
        ),
        "budget_refuses",
        "changes nothing",
    ),
    "left just below 0": Mutant(
        _budget(left="self.total - self.spent"), "budget_shares", "left is never below 0"
    ),
    "crumbs are free": Mutant(
        _budget(
            _PAY.replace(
                "self.spent = self.spent",
                "if price > 5e-9 * self.total or self.left == 0:\n    self.spent = self.spent",
            )
        ),
        "budget_shares",
        "whether all is refused once crumbs were paid",
    ),
}

ANSWERS = Answers("budget", RIGHT, MUTANTS)
