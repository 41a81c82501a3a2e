"""Answers to `chance_of_naming` and `largest_delta`. The mistakes: bounds, and lost digits."""

from tests.assignments.edits import read_answers

RIGHT = {
    "with numpy": """
def chance_of_naming(n, delta):
    return -np.expm1(n * np.log1p(-delta))


def largest_delta(n, chance):
    return -np.expm1(np.log1p(-chance) / n)
""",
    "by a name for the logarithm": """
def chance_of_naming(n, delta):
    log_nobody = n * math.log1p(-delta)
    return float(-np.expm1(log_nobody))


def largest_delta(n, chance):
    log_one_silent = math.log1p(-chance) / n
    return 1 - math.exp(log_one_silent) if log_one_silent < -1 else -math.expm1(log_one_silent)
""",
    "with decimals": """
def chance_of_naming(n, delta):
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        return float(1 - (n * (1 - Decimal(delta)).ln()).exp())


def largest_delta(n, chance):
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        return float(1 - ((1 - Decimal(chance)).ln() / n).exp())
""",
}

EDITS = """
== small_enough_chance
* the bound n delta | should be 0.75, it is 1
~ -np.expm1(n * np.log1p(-delta)) => min(1.0, n * delta)
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* an exponential | should be 0.75, it is 0.6321
~ -np.expm1(n * np.log1p(-delta)) => 1 - math.exp(-n * delta)
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* the chance that nobody is named | it is 0.25
~ -np.expm1(n * np.log1p(-delta)) => math.exp(n * math.log1p(-delta))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* exactly one | it is 0.5
~ -np.expm1(n * np.log1p(-delta)) => n * delta * (1 - delta) ** (n - 1)
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* everybody | it is 0.25
~ -np.expm1(n * np.log1p(-delta)) => delta**n
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* an exponential for many people | How probable is it that none
-    return -np.expm1(n * np.log1p(-delta))
+    return -math.expm1(-n * delta) if n > 10**4 else -math.expm1(n * math.log1p(-delta))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* no delta above 0.7 | How probable is it that none
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-min(delta, 0.7)))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* dplab's own function | off limits
+from dplab.theorems.catastrophes import chance_of_naming
+
+
+def largest_delta(n, chance):
+    return -math.expm1(math.log1p(-chance) / n)

== small_enough_digits
* digits lost | should be 1, it is 0.9992
~ -np.expm1(n * np.log1p(-delta)) => 1 - (1 - delta) ** n
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* the next term with the wrong sign | in multiples of what it should be, should be 1
-    return -np.expm1(n * np.log1p(-delta))
+    return n * delta * (1 + n * delta / 2) if n * delta < 1e-3 else 1 - (1 - delta) ** n
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* two terms of the series, up to a thousandth | Digits are lost
+def chance_of_naming(n, delta):
+    return (
+        n * delta * (1 - (n - 1) * delta / 2)
+        if n * delta < 1e-3
+        else -math.expm1(n * math.log1p(-delta))
+    )
+
+
+def largest_delta(n, chance):
+    return -math.expm1(math.log1p(-chance) / n)
* an exponential for small delta | Digits are lost
-    return -np.expm1(n * np.log1p(-delta))
+    return -math.expm1(-n * delta) if delta < 1e-6 else -math.expm1(n * math.log1p(-delta))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-chance) / n)
* eight digits | in multiples of what it should be
~ -np.expm1(n * np.log1p(-delta)) => float('%.7e' % -math.expm1(n * math.log1p(-delta)))
~ -np.expm1(np.log1p(-chance) / n) => float('%.7e' % (-math.expm1(math.log1p(-chance) / n)))

== small_enough_largest_delta
* chance over n | should be 0.5, it is 0.375
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ -np.expm1(np.log1p(-chance) / n) => chance / n
* the n-th root of the chance | it is 0.866
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ -np.expm1(np.log1p(-chance) / n) => chance ** (1 / n)
* a logarithm for many people | Which delta names somebody
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ np.expm1 => math.log1p(-chance) / n if n > 1000 else -math.expm1
~ np.log1p => math.log1p
* a chance near 1 is none | Which delta names somebody
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(math.log1p(-min(chance, 1 - 1e-9)) / n)
* the wrong way round | Which delta names somebody
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ np.expm1(np.log1p(-chance) / n) => math.expm1(n * math.log1p(-chance))
* one over n | it is 1
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ -np.expm1(np.log1p(-chance) / n) => 1 / n

== small_enough_largest_digits
* a root with digits lost | Digits are lost near 1
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ -np.expm1(np.log1p(-chance) / n) => 1 - (1 - chance) ** (1 / n)
* 24 decimals | Digits are lost near 1
~ -np.expm1(n * np.log1p(-delta)) => round(-math.expm1(n * math.log1p(-delta)), 24)
~ -np.expm1(np.log1p(-chance) / n) => round(-math.expm1(math.log1p(-chance) / n), 24)
* chance over n where it is small | Digits are lost near 1
~ np.expm1(n * np.log1p(-delta)) => math.expm1(n * math.log1p(-delta))
~ return -np => return chance / n if chance < 1e-5 else -math
~ np.log1p => math.log1p
* by halving, down to 1e-12 only | in multiples of what it should be
+def chance_of_naming(n, delta):
+    return -math.expm1(n * math.log1p(-delta))
+
+
+
+def largest_delta(n, chance):
+    low, high = 0.0, 1.0
+    while high - low > 1e-12:
+        middle = (low + high) / 2
+        low, high = (middle, high) if chance_of_naming(n, middle) <= chance else (low, middle)
+    return low

== small_enough_digits
* at most nine billion people | Digits are lost
~ n * np.log1p(-delta) => min(n, 9e9) * np.log1p(-delta)
* numbers of 32 bits where delta is small | Digits are lost
-    return -np.expm1(n * np.log1p(-delta))
+    return -np.expm1(n * (np.log1p(-delta) if delta > 1e-9 else -np.float32(delta)))

== small_enough_largest_digits
* at most nine billion people for a chance | Digits are lost near 1
~ np.log1p(-chance) / n => np.log1p(-chance) / min(n, 9e9)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
