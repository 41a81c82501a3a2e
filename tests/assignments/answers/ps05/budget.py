"""Answers to `Budget`. The mistakes: it looks too late, pays anyway, or refuses for good."""

from tests.assignments.edits import read_answers

RIGHT = {
    "what was spent": """
class Budget:
    def __init__(self, total):
        if not total > 0:
            raise ValueError("a total must be above 0")
        self.total = total
        self.spent = 0.0

    def pay(self, price):
        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
            raise ValueError("refused")
        self.spent = self.spent + price

    @property
    def left(self):
        return max(0.0, self.total - self.spent)
""",
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

EDITS = """
== budget_refuses
* looks after it has paid | it is [[1, 0.3], [1, 0], [0, 0]]
~ not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)) => self.left <= 0
~ "refused" => "empty"
~ = self.spent + price => += price
* a refused price is taken all the same | should be [[1, 0.3], [0, 0.3], [1, 0]]
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        self.spent += price
+        if price < 0 or not self.spent <= self.total * (1 + 1e-9):
@@
-        self.spent = self.spent + price
* pays what is left | it is [[1, 0.3], [1, 0], [1, 0]]
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
-            raise ValueError("refused")
-        self.spent = self.spent + price
+        self.spent += min(max(price, 0), self.left)
* says no without an error | a refusal raises ValueError
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
-            raise ValueError("refused")
-        self.spent = self.spent + price
+        if not 0 <= price <= self.left + 1e-9 * self.total:
+            return False
+        self.spent += price
+        return True
* closed after the first refusal | it is [[1, 0.3], [0, 0.3], [0, 0.3]]
~ spent = 0.0 => spent, self.closed = 0.0, False
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if self.closed or not 0 <= price <= self.left + 1e-9 * self.total:
+            self.closed = True
~ = self.spent + price => += price
* the last bit is never paid | it is [[0, 0.5], [0, 0.5], [1, 0.4]]
~ (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)) => 0 <= price < self.left
~ = self.spent + price => += price
* a large total is never spent | changes nothing
~ price <= self => price <= (1 + 1e9 * (self.total > 1000)) * self
* whoever insists is paid | No is no, each time.
~ spent = 0.0 => spent, self.last = 0.0, None
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if price != self.last and not (price >= 0 and self.spent + price <= self.total):
+            self.last = price
~ = self.spent + price => += price
* a hundred payments at most | changes nothing
~ spent = 0.0 => spent, self.paid = 0.0, 0
+        if self.paid == 100:
+            raise ValueError("no more")
         if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
@@
         self.spent = self.spent + price
+        self.paid += 1
* after a thousand offers the account is kept no longer | changes nothing
~ spent = 0.0 => spent, self.offers = 0.0, 0
+        self.offers += 1
+        if self.offers > 1000:
+            return
         if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
* whole prices up to a thousand | changes nothing
+        price = min(price, 1000) if isinstance(price, int) else price
         if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
* closed after a thousand refusals | changes nothing
~ spent = 0.0 => spent, self.refused = 0.0, 0
+        if self.refused > 1000:
+            raise ValueError("closed")
+        self.refused += 1
         if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
@@
         self.spent = self.spent + price
+        self.refused -= 1

== budget_shares
* floats taken at their word | Allow for rounding
~ (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)) => 0 <= price <= self.left
~ = self.spent + price => += price
* generous by a thousandth | Allow for rounding
~ 1e-9 => 1e-3
* rounding allowed in absolute terms | Allow for rounding
~ (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)) => 0 <= price <= self.left + 1e-7
* a tolerance of 1e-12 whatever the total | Allow for rounding
~ * (1 + 1e-9) => + 1e-12
* an allowance for each price, paid for ever | whether crumbs are paid for ever when nothing is left
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if not 0 <= price <= self.left + 1e-9 * self.total:
* what is left is cut off at 0, and the allowance granted anew
| whether crumbs are paid for ever when nothing is left
~ spent = 0.0 => _left = total
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if not 0 <= price <= self._left + 1e-7 * self.total:
~ spent = self.spent + price => _left = max(0.0, self._left - price)
~ max(0.0, self.total - self.spent) => self._left
* an empty account pays not even 0 | Allow for rounding
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if self.left == 0 or not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
* left falls below nothing | what is left after ten times 0.1
-        return max(0.0, self.total - self.spent)
+        return self.total - self.spent - 1e-6 * (self.spent > 0.99 * self.total)
* left just below 0 | left is never below 0
~ return max(0.0, self.total - self.spent) => return self.total - self.spent
* crumbs are free | whether all is refused once crumbs were paid
-        self.spent = self.spent + price
+        if price > 5e-9 * self.total or self.left == 0:
+            self.spent = self.spent + price

== budget_pays
* left rounded to ten decimals | belongs to this budget alone
~ max(0.0, self.total - self.spent) => round(max(0.0, self.total - self.spent), 10)
* the account last opened is everybody's | belongs to this budget alone
-        self.total = total
-        self.spent = 0.0
+        Budget.total, Budget.spent = total, 0.0
~ self.spent + price <= self => Budget.spent + price <= Budget
~ self.spent = self => Budget.spent = Budget
~ self.total - self => Budget.total - Budget
* dplab's account | off limits
+class Budget:
+    def __init__(self, total):
+        from dplab import PureDP
+        from dplab.budget import Budget as Account
+
+        self.price, self.account = PureDP, Account(PureDP(total))
+
+    def pay(self, price):
+        self.account.pay(self.price(price))
+
+    @property
+    def left(self):
+        return self.account.left.epsilon
* one account for all | belongs to this budget alone
+    paid = []
+
     def __init__(self, total):
@@
-        self.spent = 0.0
@@
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if not 0 <= price <= self.left + 1e-9 * self.total:
~ spent = self.spent + price => paid.append(price)
~ (0.0, self.total - self.spent) => (0.0, self.total - sum(self.paid))
* left is what was spent | should be [[1, 0.75], [1, 0.25]], it is [[1, 0.25], [1, 0.75]]
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if not 0 <= price <= self.total - self.spent + 1e-9 * self.total:
~ = self.spent + price => += price
~ return max(0.0, self.total - self.spent) => return self.spent
* left has to be called | left should be a number, it is
-    @property
* counts questions | should be [[1, 0.75], [1, 0.25]]
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
-            raise ValueError("refused")
-        self.spent = self.spent + price
+        if self.spent >= self.total:
+            raise ValueError("empty")
+        self.spent += 1
* nothing is free | it is [[1, 2.5], [0, 2.5]
~ price >= 0 => price > 0
* accounts of the same total are one | belongs to this budget alone
~ self.spent = 0.0 => Budget.paid = {**getattr(Budget, "paid", {}), total: 0.0}
~ and self.spent => and Budget.paid[self.total]
~ self.spent = self.spent => Budget.paid[self.total] = Budget.paid[self.total]
~ self.spent => Budget.paid[self.total]

== budget_input
* a tiny negative price is let through | Refuse a price unless it is at least 0
~ 0 and => -1e-9 and
* a negative price fills it up | it is [[1, 1.5], [1, 0.75]]
~ price >= 0 and self => self
* NaN is no more than what is left | should be [[0, 1], [1, 0.5]]
-        if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):
+        if price < 0 or price > self.left + 1e-9 * self.total:
~ = self.spent + price => += price
* any total | A total is above 0.
~ not total > 0 => False
* a price far above the total is a mistake, and free | Refuse a price unless
+        if 1e4 * self.total < price < 1e300:
+            return
         if not (price >= 0 and self.spent + price <= self.total * (1 + 1e-9)):

== budget_shares
* an allowance of 1.05e-6 | Allow for rounding
~ 1 + 1e-9 => 1 + 1.05e-6
* an allowance of 5e-10 | Allow for rounding
~ 1 + 1e-9 => 1 + 5e-10

== budget_pays
* numbers of 32 bits | belongs to this budget alone
~ self.spent = self.spent + price => self.spent = float(np.float32(self.spent + price))

== budget_refuses
* the price of before is paid only once | changes nothing
-        self.spent = self.spent + price
+        if price == getattr(self, "last", None) and price > 0:
+            raise ValueError("that was paid already")
+        self.spent, self.last = self.spent + price, price
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
