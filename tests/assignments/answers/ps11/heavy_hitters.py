"""Answers to `heavy_hitters`. The mistakes: dead prefixes, the threshold, ties, and the tail."""

from tests.assignments.edits import read_answers

RIGHT = {
    "level after level": """
def heavy_hitters(counts, threshold, width):
    candidates = [0, 1]
    for level in counts:
        alive = [i for i in candidates if level[i] >= threshold]
        alive.sort(key=lambda i: (-float(level[i]), i))
        alive = alive[:width]
        candidates = [j for i in alive for j in (2 * i, 2 * i + 1)]
    return sorted(alive)


def safe_threshold(sigma, width, levels, failure):
    share = failure / (2 * width * levels)
    return sigma * norm.isf(share)
""",
    "arrays": """
def heavy_hitters(counts, threshold, width):
    alive = np.array([0])
    for level in counts:
        level = np.asarray(level, dtype=float)
        candidates = np.sort(np.concatenate([2 * alive, 2 * alive + 1]))
        candidates = candidates[level[candidates] >= threshold]
        alive = candidates[np.argsort(-level[candidates], kind="stable")[:width]]
    return np.sort(alive)


def safe_threshold(sigma, width, levels, failure):
    return -norm.ppf(failure / (2 * width * levels), scale=sigma)
""",
    "a call of itself": """
def heavy_hitters(counts, threshold, width, prefixes=(0,)):
    if not counts:
        return list(prefixes)
    level, rest = counts[0], counts[1:]
    ranked = sorted((-float(level[j]), j) for i in prefixes for j in (2 * i, 2 * i + 1))
    kept = [j for count, j in ranked[:width] if -count >= threshold]
    return heavy_hitters(rest, threshold, width, sorted(kept))


def safe_threshold(sigma, width, levels, failure):
    low, high = 0.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        expected = width * levels * math.erfc(middle / math.sqrt(2))
        low, high = (middle, high) if expected > failure else (low, middle)
    return sigma * low
""",
}

EDITS = """
== heavy_hitters_words
* the last level alone | A word survives if
-    candidates = [0, 1]
-    for level in counts:
+    candidates = range(len(counts[-1]))
+    for level in counts[-1:]:
* above the threshold only | A word survives if
~ >= threshold => > threshold
* below the threshold | A word survives if
~ >= threshold => <= threshold
* the prefix of the own level alone | A word survives if
-    return sorted(alive)
+    above = counts[-2] if len(counts) > 1 else [threshold] * 4
+    last = counts[-1]
+    if len(counts) < 2:
+        return sorted(alive)
+    return [i for i in range(len(last)) if last[i] >= threshold <= above[i // 2]]
* continuations without the 1 | should be
~ for j in (2 * i, 2 * i + 1) => for j in (2 * i,)
* continuations as if bits came in front | should be
~ for j in (2 * i, 2 * i + 1) => for j in (i, i + len(level))
* survivors of all levels | should be
-    candidates = [0, 1]
+    candidates, found = [0, 1], []
@@
-        candidates = [j for i in alive for j in (2 * i, 2 * i + 1)]
-    return sorted(alive)
+        candidates = [j for i in alive for j in (2 * i, 2 * i + 1)]
+        found += alive
+    return sorted(found)
* by their counts | should be
~ return sorted(alive) => return alive
* counts, not words | should be
~ return sorted(alive) => return sorted(level[i] for i in alive)
* the sum of the counts on the way | A word survives if
-    candidates = [0, 1]
+    counts = [np.asarray(level, dtype=float) for level in counts]
+    for above, level in zip(counts, counts[1:]):
+        level += np.repeat(above, 2)
+    candidates = [0, 1]
* stops when one is left | should be
-        candidates = [j for i in alive for j in (2 * i, 2 * i + 1)]
+        candidates = [j for i in alive for j in (2 * i, 2 * i + 1)]
+        if len(alive) == 1:
+            break
* goes on with the best when nobody survives | should be
~ alive = [i for i in candidates if level[i] >= threshold] => alive = [i for i in candidates]
-        alive.sort(key=lambda i: (-float(level[i]), i))
+        alive = [i for i in alive if level[i] >= threshold] or [max(alive, key=level.__getitem__)]
+        alive.sort(key=lambda i: (-float(level[i]), i))
* negative counts are 0 | A word survives if
~ level[i] >= threshold => max(level[i], 0) >= threshold
* ten levels at most | should be
~ for level in counts: => for level in counts[:10]:

== heavy_hitters_width
* no width | the largest counts
~ alive = alive[:width] => pass
* the first ones, not the largest | the largest counts
~ (-float(level[i]), i) => i
* the smallest counts | the largest counts
~ (-float(level[i]), i) => (float(level[i]), i)
* of equal ones the larger number | of equal ones the smaller number
~ (-float(level[i]), i) => (-float(level[i]), -i)
* the largest sorted upside down | of equal ones the smaller number
-        alive.sort(key=lambda i: (-float(level[i]), i))
-        alive = alive[:width]
+        alive = sorted(alive, key=lambda i: (level[i], i))[-width:]
* the width at the last level only | the largest counts
~ alive = alive[:width] => alive = alive[: width if level is counts[-1] else None]
* the width before the last level only | the largest counts
~ alive = alive[:width] => alive = alive[: width if level is not counts[-1] else None]
* the largest counts of all, not of the candidates | the largest counts
-        alive = [i for i in candidates if level[i] >= threshold]
-        alive.sort(key=lambda i: (-float(level[i]), i))
+        alive = [i for i in range(len(level)) if level[i] >= threshold]
+        alive.sort(key=lambda i: (-float(level[i]), i))
@@
-        alive = alive[:width]
+        alive = [i for i in alive[:width] if i in candidates]
* twice the width | the largest counts
~ alive[:width] => alive[: 2 * width]
* one more | the largest counts
~ alive[:width] => alive[: width + 1]
* the minus sign in small types | the largest counts
~ (-float(level[i]), i) => (-level[i], i)
* a beam for the whole tree | the largest counts
~ alive = alive[:width] => alive = alive[: max(1, width - (level is not counts[0]))]

== heavy_hitters_threshold
* one candidate a prefix | How many counts
~ 2 * width * levels => width * levels
* one level | How many counts
~ 2 * width * levels => 2 * width
* one candidate | How many counts
~ 2 * width * levels => levels
* both tails | How many counts
~ norm.isf(share) => norm.isf(share / 2)
* of 1 minus a tiny share | How many counts
~ norm.isf(share) => norm.ppf(1 - share)
* the variance | How many counts
~ sigma * => sigma**2 *
* below, not above | How many counts
~ norm.isf(share) => norm.ppf(share)
* by a bound on the tail | How many counts
~ norm.isf(share) => math.sqrt(2 * math.log(1 / share))
* independent counts | How many counts
~ failure / (2 * width * levels) => 1 - (1 - failure) ** (1 / (2 * width * levels))
* Laplace noise | How many counts
~ norm.isf(share) => math.log(1 / (2 * share))
* no more than 40 candidates | How many counts
~ 2 * width * levels => 2 * min(width, 40) * levels
* three decimals | How many counts
~ norm.isf(share) => round(norm.isf(share), 3)
* the first level has two | How many counts
~ 2 * width * levels => 2 + 2 * width * (levels - 1)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
