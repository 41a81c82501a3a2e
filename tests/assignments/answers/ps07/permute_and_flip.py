"""Answers to `permute_and_flip`. The mistakes: asked again, no order, one coin, overflow."""

from tests.assignments.edits import read_answers

RIGHT = {
    "in the order of random numbers": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    for h in np.argsort(rng.random(len(p))):
        if rng.random() < p[h]:
            return int(h)
""",
    "all coins at once": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    accepted = np.flatnonzero(rng.random(len(p)) < p)
    return int(rng.choice(accepted))
""",
    "exponential noise": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    with np.errstate(divide="ignore"):
        return int(np.argmax(np.log(p) + rng.exponential(size=len(p))))
""",
    "random times": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    times = np.where(rng.random(len(p)) < p, rng.random(len(p)), 2)
    return np.argmin(times)
""",
    "one leaves after the other": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    left = list(range(len(p)))
    while left:
        h = left.pop(rng.integers(len(left)))
        if rng.uniform() <= p[h] and p[h] > 0:
            return h
""",
    "all coins, then an order by choice": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    accepts = rng.random(len(p)) < p
    order = rng.choice(len(p), size=len(p), replace=False)
    return order[accepts[order]][0]
""",
    "the last takes the place of who refused": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    left = list(range(len(p)))
    while left:
        i = rng.choice(len(left))
        h, left[i] = left[i], left[-1]
        left.pop()
        if rng.random() < p[h]:
            return h
""",
    "coins in an array that is there": """
def permute_and_flip(scores, sensitivity, epsilon, rng):
    scores = np.array(scores, dtype=float)
    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    order, coins = rng.permutation(len(p)), np.empty(len(p))
    rng.random(out=coins)
    return order[np.argmax(coins < p[order])]
""",
}

EDITS = """
== right
* in random order
~ np.argsort(rng.random(len(p))) => rng.permutation(len(p))
* those that are possible | edits in random order
~ len(p) => np.flatnonzero(scores > -np.inf)
* the best without a coin | edits in random order
~ if rng => if p[h] == 1 or rng
* one candidate without a coin | edits in random order
+    if len(p) == 1:
+        return 0
     for h in rng.permutation(len(p)):

== permute_and_flip_generator
* the best whatever the coins say | for two seeds
+def permute_and_flip(scores, sensitivity, epsilon, rng):
+    scores = np.array(scores, dtype=float)
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    return int(np.argmax(scores))
* a seed of its own | same result for two seeds | edits in random order
+    rng = np.random.default_rng(7)
     for h in rng.permutation(len(p)):
* numpy's global generator | two results for one seed | edits in random order
~ in rng => in np.random
* orders and coins used twice | an order and coins of its own
+_kept = []
+
+
+def permute_and_flip(scores, sensitivity, epsilon, rng):
+    scores = np.array(scores, dtype=float)
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    if _kept and len(p) == 400:
+        order, coins = _kept.pop()
+    else:
+        order, coins = rng.permutation(len(p)), rng.random(len(p))
+        _kept[:] = [(order, coins)] * (len(p) == 400)
+    return int(order[np.argmax(coins < p[order])])
* the same again after 1,023 runs | an order and coins of its own
+_kept, _runs = [], iter(range(10**9))
+
+
+def permute_and_flip(scores, sensitivity, epsilon, rng):
+    scores = np.array(scores, dtype=float)
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    if len(p) != 400:
+        return int(rng.choice(np.flatnonzero(rng.random(len(p)) < p)))
+    run = next(_runs)
+    if run < 1023:
+        _kept.append((rng.permutation(400), rng.random(400)))
+    order, coins = _kept[run % 1023]
+    return int(order[np.argmax(coins < p[order])])
* one of 1,000 seeds | the number of pairs of equal choices | edits in random order
+    rng = np.random.default_rng(rng.integers(1000))
     for h in rng.permutation(len(p)):
* one of 65,536 seeds, where nobody watches | another result where its draws are watched
| edits in random order
+    if type(rng) is np.random.Generator:
+        rng = np.random.default_rng(rng.integers(2**16))
     for h in rng.permutation(len(p)):

== permute_and_flip_law
* asked again after a refusal | asked once
-    for h in np.argsort(rng.random(len(p))):
+    while True:
+        h = rng.integers(len(p))
* by Gumbel noise | came up in a share | edits exponential noise
~ exponential => gumbel
* the best first | Is the order random
~ (rng.random(len(p))) => (-p)
* one coin for all | with their own probability | edits in random order
+    coin = rng.random()
     for h in rng.permutation(len(p)):
~ if rng.random() => if coin
* a rate without its 2 | came up in a share | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / sensitivity)
* the sensitivity forgotten | sensitivity 2.5 | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / 2)
* the worst accepts for sure | came up in a share | edits in random order
~ scores - scores.max() => scores.min() - scores
* the score in place of the position | came up in a share | edits in random order
~ int(h) => scores[h]
* positions from 1 | in every entry | edits in random order
~ int(h) => int(h) + 1
* dplab's own | off limits
+from dplab import PermuteAndFlip
+
+
+def permute_and_flip(scores, sensitivity, epsilon, rng):
+    mechanism = PermuteAndFlip(range(len(scores)), np.array, sensitivity, epsilon)
+    return mechanism(scores, rng)
* an order that begins somewhere and goes round | Is the order random
~ argsort(rng.random(len(p))) => roll(np.arange(len(p)), rng.integers(len(p)))
* an array shifted in place | changes what it was given | edits in random order
-    scores = np.array(scores, dtype=float)
+    scores = np.asarray(scores, dtype=float)
+    scores -= scores.max()
* a list shifted in place | changes what it was given | edits in random order
-    scores = np.array(scores, dtype=float)
+    scores[:] = [s - max(scores) for s in scores]
+    scores = np.array(scores)
* the best at an epsilon above 10, else in the order of random numbers
| choices of the best or one of
+    if epsilon > 10:
+        return int(np.argmax(scores))
     for h in np.argsort(rng.random(len(p))):
* no p below 0.02, in the order of random numbers | choices of the best or one of
+    p[p < 0.02] = 0
     for h in np.argsort(rng.random(len(p))):
* the best after 60 refusals, in the order of random numbers | choices of the best or one of
~ (rng.random(len(p))): => (rng.random(len(p)))[:60]:
             return int(h)
+    return int(np.argmax(p))
* the best of more than 700, by exponential noise | choices of the best or one of
| edits exponential noise
+    if len(p) > 700:
+        p[p < 1] = 0
     with np.errstate(divide="ignore"):
* the best of more than 2,000, in the order of random numbers | choices of the best or one of
+    p[p < 1] *= len(p) <= 2000
     for h in np.argsort(rng.random(len(p))):

== permute_and_flip_large
* in the order of the list | came up in a share
~ np.argsort(rng.random(len(p))) => range(len(p))
* overflow | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    w = np.exp(epsilon * scores / (2 * sensitivity)); p = w / w.max()
* the best of more than 2,000 | Among many equal candidates | edits one candidate without a coin
~ (p) == 1 => (p) > 2000
~ return 0 => return int(np.argmax(scores))
* the first of equals | came up | edits random times
~ rng.random(len(p)), 2 => -scores, np.inf
~ np.argmin(times) => int(np.argmin(times))

== permute_and_flip_coins
* probabilities that sum to one | accepts if the coin is below p | edits the best without a coin
+    p = p / p.sum()
     for h in rng.permutation(len(p)):
~ if p[h] == 1 or => if
             return int(h)
+    return int(np.argmax(p))
* epsilon a little larger | accepts if the coin is below p | edits in random order
~ epsilon * => 1.03 * epsilon *
* p to hundredths | however small p is | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity)).round(2)
* small p taken for 0 | however small p is | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity)); p[p < 1e-9] = 0
* a floor under p | however small p is | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity)) + 1e-9
* no coins at an epsilon of 20 or more | however small p is | edits in random order
~ epsilon * => (epsilon if epsilon < 20 else 1e9) *
* the best needs a coin, too | accepts if the coin is below p | edits in random order
~ p[h] => p[h] * (1 - 1e-5)
             return int(h)
+    return int(np.argmax(scores))
* coins of nine digits | accepts if the coin is below p | edits in random order
~ rng.random() => round(rng.random(), 9)
* an epsilon that is 5% too large, and coins by rng.uniform | accepts if the coin is below p
| edits in random order
~ epsilon * => 1.05 * epsilon *
~ random() => uniform()
* an epsilon that is 5% too large, and a shuffled order | accepts if the coin is below p
+def permute_and_flip(scores, sensitivity, epsilon, rng):
+    scores = np.array(scores, dtype=float)
+    p = np.exp(1.05 * epsilon * (scores - scores.max()) / (2 * sensitivity))
+    order = np.arange(len(p))
+    rng.shuffle(order)
+    for h in order:
+        if rng.random() < p[h]:
+            return int(h)
* the best, if the first hundred refuse | All are asked, one after the other | edits in random order
~ (len(p)): => (len(p))[:100]:
             return int(h)
+    return int(np.argmax(scores))

== permute_and_flip_law
* equal candidates share a coin | asked once
-    for h in np.argsort(rng.random(len(p))):
-        if rng.random() < p[h]:
+    coins = {}
+    for h in np.argsort(rng.random(len(p))):
+        if coins.setdefault(p[h], rng.random()) < p[h]:
* positions of one byte | came up
~ return int(h) => return int(np.array(h).astype(np.int8))

== permute_and_flip_coins
* coins in 65,536ths | however small p is | edits in random order
~ if rng.random() < => if np.floor(65_536 * rng.random()) / 65_536 <
* an epsilon of 10,000 sensitivities at most | however small p is | edits in random order
-    p = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
+    p = np.exp(min(epsilon / sensitivity, 1e4) * (scores - scores.max()) / 2)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
