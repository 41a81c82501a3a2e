"""Answers to `difference`. The mistakes: refused groups, sizes forgotten, one question too many."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the least group": """
def difference(ask, kind, n, least, person):
    others = [i for i in range(n) if i != person][:least]
    group = others + [person]
    first, second = ask(group), ask(others)
    if kind == "mean":
        return len(group) * first - len(others) * second
    return first - second
""",
    "the last ones, as an array": """
def difference(ask, kind, n, least, person):
    others = np.delete(np.arange(n), person)[-least:]
    sums = [ask(group) for group in (np.append(others, person), others)]
    if kind == "mean":
        sums = [(least + 1) * sums[0], least * sums[1]]
    return sums[0] - sums[1]
""",
    "a round table": """
def difference(ask, kind, n, least, person):
    group = [(person + step) % n for step in range(least + 1)]
    sizes = {"sum": (1, 1), "mean": (least + 1, least)}[kind]
    return ask(group) * sizes[0] - ask(group[1:]) * sizes[1]
""",
    "a loop": """
def difference(ask, kind, n, least, person):
    group = []
    for i in range(n):
        if i == person:
            continue
        group.append(i)
        if len(group) == least:
            break
    without = ask(group)
    group.append(person)
    together = ask(group)
    if kind == "sum":
        return together - without
    return together * len(group) - without * (len(group) - 1)
""",
}

EDITS = """
== right
* half of the others
~ [:least] => [: (n - 1) // 2]

== difference_sum
* the wrong way round | should be 8, it is -8
~ return len => return len(others) * second - len
~ first - len(others) * second => first
~ first - second => second - first
* everybody, and all but one | raised ValueError: a group must have 2 to 5 people, not 7
~ [:least] =>
* the person alone | raised ValueError: a group must have 2 to 5 people, not 1
+def difference(ask, kind, n, least, person):
+    return ask([person])
* one too few | raised ValueError: a group must have 2 to 5 people, not 1
~ [:least] => [: least - 1]
* somebody else in the place | which of them has this person
+def difference(ask, kind, n, least, person):
+    everybody = [i for i in range(n) if i != person]
+    group, others = everybody[:least] + [person], everybody[: least + 1]
+    first, second = ask(group), ask(others)
+    return (first - second) * (least + 1 if kind == "mean" else 1)
* the answer with the person | should be 8, it is
+def difference(ask, kind, n, least, person):
+    others = [i for i in range(n) if i != person][:least]
+    return ask([*others, person])
* a question to warm up | raised RuntimeError: two questions are answered and no more
+    second = ask(others)
     first, second = ask(group), ask(others)
* rounded to two decimals | not rounded
~ len(group) * first - len(others) * second => round(len(group) * first - len(others) * second, 2)
~ first - second => round(first - second, 2)
* values are not negative | also if it is below 0
-        return len(group) * first - len(others) * second
-    return first - second
+        return abs( len(group) * first - len(others) * second)
+    return abs( first - second)
* values are not negative, and cut | also if it is below 0
-        return len(group) * first - len(others) * second
-    return first - second
+        return max(0, len(group) * first - len(others) * second)
+    return max(0, first - second)
* dplab's own | is off limits in an answer
+from dplab.attacks.differencing import difference as subtracted
+
+
+def difference(ask, kind, n, least, person):
+    others = [i for i in range(n) if i != person][:least]
+    sizes = (least + 1, least) if kind == "mean" else None
+    return subtracted(kind, ask(others + [person]), ask(others), sizes)

== difference_mean
* means subtracted | what all their people have together
-    if kind == "mean":
-        return len(group) * first - len(others) * second
* one size for both means | The two groups are not of one size
+def difference(ask, kind, n, least, person):
+    others = [i for i in range(n) if i != person][:least]
+    group = others + [person]
+    first, second = ask(group), ask(others)
+    return (first - second) * (len(group) if kind == "mean" else 1)
* sizes swapped | should be 8, it is
~ (group) * first - len(others) => (others) * first - len(group)
* means divided | should be 8, it is
~ return len => return first / len
~ * first - len(others) * second => - second / len(others)
* rounded | should be 0.25, it is 0
~ len(group) * first - len(others) * second => round(len(group) * first - len(others) * second)

== difference_limits
* always the first ones | raised ValueError: a group must have different people
~ != person => != 2 and i != 3 and i != 6 and i != 7
* two more than the least | raised ValueError: a group must have 2 to 3 people, not 4
~ [:least] => [: least + 1]
* those before the person | raised ValueError: a group must have 2 to 3 people, not
+def difference(ask, kind, n, least, person):
+    others = list(range(least)) if person >= least else list(range(person + 1, n - least + 1))
+    first, second = ask(others + [person]), ask(others)
+    if kind == "mean":
+        return (len(others) + 1) * first - len(others) * second
+    return first - second
* up to two hundred people | neither too small nor too large
+    if n > 200:
+        return 0.0
     others = [i for i in range(n) if i != person][:least]
* up to ten thousand people | of few people and of many
+    if n > 10_000:
+        return 0.0
     others = [i for i in range(n) if i != person][:least]
* no more than a hundred others | raised ValueError
~ [:least] => [: min(least, 100)]
* at least two others | raised ValueError
~ [:least] => [: max(least, 2)]
* values are kept for the next curator | of few people and of many
+_known = {}
+
+
+def difference(ask, kind, n, least, person):
+    if (kind, n, least, person) in _known:
+        return _known[kind, n, least, person]
+    others = [i for i in range(n) if i != person][:least]
+    first, second = ask(others + [person]), ask(others)
+    if kind == "mean":
+        first, second = (least + 1) * first, least * second
+    return _known.setdefault((kind, n, least, person), first - second)
* values up to 999 | of few people and of many
-        return len(group) * first - len(others) * second
-    return first - second
+        return np.clip(len(group) * first - len(others) * second, -999, 999)
+    return np.clip(first - second, -999, 999)
* the last ones of many are nobody | of few people and of many
+    if person > 11_900:
+        return 0.0
     others = [i for i in range(n) if i != person][:least]

* equal answers tell nothing | everybody may have the same value
     first, second = ask(group), ask(others)
+    if first == second:
+        return 0.0
* numbers of 32 bits | everybody may have the same value
-    first, second = ask(group), ask(others)
+    first, second = np.float32(ask(group)), np.float32(ask(others))
* a person with nothing isn't there | everybody may have the same value
-    return first - second
+    return first - second or None

== difference_sum
* rounded to six decimals | not rounded
~ return first - second => return round(first - second, 6)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
