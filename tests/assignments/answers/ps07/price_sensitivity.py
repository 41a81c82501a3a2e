"""Answers to `revenue` and `price_sensitivity`. The mistakes: ties, and prices that cannot move."""

from tests.assignments.edits import read_answers

RIGHT = {
    "which prices can move": """
def revenue(bids, prices):
    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)


def price_sensitivity(prices, values, replace):
    least = min(values) if replace else -math.inf
    return float(max([p for p in prices if least < p <= max(values)], default=0))
""",
    "brute force over one bid": """
def revenue(bids, prices):
    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)


def price_sensitivity(prices, values, replace):
    datasets = [[value] for value in values]
    if not replace:
        datasets.append([])
    largest = 0.0
    for x in datasets:
        for y in datasets:
            if replace or (x == [] or y == []):
                moved = np.abs(revenue(x, prices) - revenue(y, prices))
                largest = max(largest, float(moved.max()))
    return largest
""",
    "sorted bids, and arrays": """
def revenue(bids, prices):
    bids = np.sort(np.asarray(bids))
    return [float(p * (len(bids) - np.searchsorted(bids, p))) for p in prices]


def price_sensitivity(prices, values, replace):
    prices, values = np.array(prices, dtype=float), np.array(values)
    buys = values[:, None] >= prices
    moves = buys.any(axis=0) & ~buys.all(axis=0) if replace else buys.any(axis=0)
    return (prices * moves).max()
""",
    "a loop": """
def revenue(bids, prices):
    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)


def price_sensitivity(prices, values, replace):
    largest = 0.0
    for p in prices:
        somebody_buys = any(v >= p for v in values)
        somebody_does_not = any(v < p for v in values) or not replace
        if somebody_buys and somebody_does_not and p > largest:
            largest = p
    return largest
""",
}

EDITS = """
== price_sensitivity_revenue
* whoever bids the price goes away | should be [30, 10.01, 500], it is [10, 10.01, 0]
~ bid >= p => bid > p
* buyers pay their bids | it is [520, 500, 500]
~ p * sum(bid >= p for bid in bids) => sum(bid for bid in bids if bid >= p)
* buyers who bid less | A buyer whose bid is exactly the price buys
~ bid >= p => bid <= p
* numbers of buyers | it is [3, 1, 1]
~ p * sum => sum
* the largest revenue only | should be an array of shape (3,), it is one number
-    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
+    return max(p * sum(bid >= p for bid in bids) for p in prices)
* no bids, no answer | should be an array of shape (2,)
+    if len(bids) == 0:
+        return np.array([])
     return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
* revenue to the cent | Each price times the number of bids
~ p * sum => round(p, 2) * sum
* whole prices | it is [30, 10, 500]
~ p * sum => int(p) * sum
* a bid of nearly the price | bids just below left out
~ bid >= p => bid > p or np.isclose(bid, p)
* the first five thousand bids | Each price times the number of bids
~ in bids => in bids[:5000]
* prices that are sorted and different | should be an array of shape
-    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
+    return np.array([p * sum(bid >= p for bid in bids) for p in sorted(set(prices))], dtype=float)
* eleven thousand buyers | Each price times the number of bids
~ p * sum(bid >= p for bid in bids) => p * min(11_000, sum(bid >= p for bid in bids))
* bids sorted in place | changes what it was given
+    bids.sort()
     return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)

== price_sensitivity_replace
* the highest price | should be 10, it is 500
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max(prices))
* the highest bid | should be 10, it is 20
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max(values))
* replacing is adding | should be 0, it is 10
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max([p for p in prices if p <= max(values)], default=0))
* replacing counts twice | should be 10, it is 20
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    largest = max([p for p in prices if least < p <= max(values)], default=0)
+    return 2.0 * largest if replace else float(largest)
* all prices together | should be 10, it is 15
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(sum(p for p in prices if least < p <= max(values)))
* the best revenue, not one price's | a replaced bid change
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    best = [max(revenue([value], prices)) for value in values]
+    return float(max(best) - min(best)) if replace else float(max(best))
* a price that is just the highest bid | a replaced bid change
~ p <= max => p < max
* an error where nothing moves | raised ValueError
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max(p for p in prices if least < p <= max(values)))
* the price that everybody pays moves, too | should be 0, it is 10
~ least < p => least <= p
* prices and values in order | a replaced bid change
~ min(values) => values[0]
~ max(values) => values[-1]
* a price nobody quite pays | a replaced bid change
~ max(values) => max(values) + 1e-6
* whole numbers returned | a replaced bid change
~ return float => return int
* the largest price and the smallest | should be 10, it is 5
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    ends = [p for p in (max(prices), min(prices)) if least < p <= max(values)]
+    return float(max(ends, default=0))
* dplab's own search | off limits
+def revenue(bids, prices):
+    return np.array([p * sum(bid >= p for bid in bids) for p in prices], dtype=float)
+
+
+from dplab import ADD_REMOVE, REPLACE_ONE
+from dplab.neighbors import sensitivity
+
+
+def price_sensitivity(prices, values, replace):
+    relation = REPLACE_ONE if replace else ADD_REMOVE
+    return sensitivity(lambda bids: revenue(bids, prices), relation, values, n=1, norm=np.inf)
* prices sorted in place | changes what it was given
+    prices.sort()
     least = min(values) if replace else -math.inf

== price_sensitivity_add
* adding is replacing | should be 10, it is 0
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max([p for p in prices if min(values) < p <= max(values)], default=0))
* the spread of the bids | should be 10, it is 20
-    least = min(values) if replace else -math.inf
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return float(max(values) - min(values)) if replace else float(max(values))
* a sensitivity to the cent | one bid more change
-    return float(max([p for p in prices if least < p <= max(values)], default=0))
+    return round(max([p for p in prices if least < p <= max(values)], default=0), 2)
* the first fifty values | one bid more change
+    values = values[:50]
     least = min(values) if replace else -math.inf

== price_sensitivity_revenue
* buyers counted in one byte | Each price times the number of bids
~ sum(bid >= p for bid in bids) => (sum(bid >= p for bid in bids) % 256)
* equal bids once | should be [30, 10.01, 500]
~ for bid in bids => for bid in set(bids)

== price_sensitivity_replace
* a bid of 0 is no bid | a replaced bid change
~ min(values) if replace => min([v for v in values if v] or [0]) if replace

== price_sensitivity_add
* prices below a hundredth are none | one bid more change
~ if least < p <= max(values)] => if max(0.01, least) < p <= max(values)]
* a price in single precision | one bid more change
~ return float(max( => return float(np.float32(max(
~ default=0)) => default=0)))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
