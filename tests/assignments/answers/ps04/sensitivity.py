"""Answers to `sensitivity`. The mistakes: wrong pairs, the wrong distance, half of the moves."""

from tests.assignments.edits import read_answers

RIGHT = {
    "loops": """
def distance(a, b):
    return float(np.sum(np.abs(np.subtract(a, b))))


def sensitivity_at(query, x, universe):
    largest = 0.0
    for i in range(len(x)):
        for value in universe:
            y = (*x[:i], value, *x[i + 1 :])
            largest = max(largest, distance(query(x), query(y)))
    return largest


def sensitivity_replace(query, universe, n):
    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))


def sensitivity_add_remove(query, universe, n):
    largest = 0.0
    for size in range(1, n):
        for x in product(universe, repeat=size):
            for value in universe:
                largest = max(largest, distance(query(x), query((*x, value))))
    return largest
""",
    "a table of all answers": """
def _answers(query, universe, sizes):
    return {x: np.ravel(query(x)) for size in sizes for x in product(universe, repeat=size)}


def sensitivity_at(query, x, universe):
    x = tuple(x)
    here = np.ravel(query(x))
    moves = [0]
    for y in product(universe, repeat=len(x)):
        if sum(a != b for a, b in zip(x, y)) == 1:
            moves.append(np.abs(np.ravel(query(y)) - here).sum())
    return max(moves)


def sensitivity_replace(query, universe, n):
    answers = _answers(query, universe, [n])
    return max(
        np.abs(a - b).sum()
        for x, a in answers.items()
        for y, b in answers.items()
        if sum(s != t for s, t in zip(x, y)) <= 1
    )


def sensitivity_add_remove(query, universe, n):
    answers = _answers(query, universe, range(1, n + 1))
    return max(np.abs(b - answers[y[:-1]]).sum() for y, b in answers.items() if len(y) > 1)
""",
    "numpy at the end": """
def moves(query, pairs):
    return np.array([np.abs(np.array(query(x)) - np.array(query(y))).sum() for x, y in pairs])


def neighbours_of(x, universe):
    for i, old in enumerate(x):
        for new in universe:
            changed = list(x)
            changed[i] = new
            yield tuple(changed)


def sensitivity_at(query, x, universe):
    return moves(query, [(x, y) for y in neighbours_of(x, universe)]).max()


def sensitivity_replace(query, universe, n):
    everything = product(universe, repeat=n)
    return moves(query, [(x, y) for x in everything for y in neighbours_of(x, universe)]).max()


def sensitivity_add_remove(query, universe, n):
    fewer = [x for size in range(1, n) for x in product(universe, repeat=size)]
    pairs = [(x, (*x, value)) for x in fewer for value in universe]
    return moves(query, pairs).max()
""",
}

EDITS = """
== sensitivity_at
* only moves upward | should be 5, it is 0
~ float(np.sum(np.abs(np.subtract(a, b)))) => np.sum(np.subtract(b, a))
* only the last record is replaced | Replace each record in turn
~ len(x) => len(x) - 1, len(x)
* everybody may change | should be 4, it is 8
-    largest = 0.0
-    for i in range(len(x)):
-        for value in universe:
-            y = (*x[:i], value, *x[i + 1 :])
-            largest = max(largest, distance(query(x), query(y)))
-    return largest
+    return max(distance(query(x), query(y)) for y in product(universe, repeat=len(x)))
* the first three records alone | Replace each record in turn
~ len(x) => min(len(x), 3)
* the first and the last value of the universe | by each value
-        for value in universe:
+        for value in (universe[0], universe[-1]):
* values that are there already left out | by each value
-        for value in universe:
+        for value in set(universe) - set(x):
* small moves taken for none | e-09, it is 0
-    return float(np.sum(np.abs(np.subtract(a, b))))
+    moved = float(np.sum(np.abs(np.subtract(a, b))))
+    return moved if moved > 1e-6 else 0.0
* records made numbers | raised ValueError
+    x = tuple(map(float, x))
     for i in range(len(x)):
* only ten decimals | Replace each record in turn
             largest = max(largest, distance(query(x), query(y)))
-    return largest
+    return round(largest, 10)
* records out of an array | Records are handed to the query as they are
-        for value in universe:
+        for value in np.array(universe):

== sensitivity_replace
* the largest move at the dataset of zeros | should be 5, it is 0
-    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
+    return sensitivity_at(query, (universe[0],) * n, universe)
* the range of all answers | should be 5, it is 10
-    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
+    answers = [query(x) for x in product(universe, repeat=n)]
+    return float(np.sum(np.max(answers, axis=0) - np.min(answers, axis=0)))
* the average move | Take the largest sensitivity_at
-    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
+    return np.mean([sensitivity_at(query, x, universe) for x in product(universe, repeat=n)])
* divided by the number of people | should be 5, it is 2.5
-    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
+    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n)) / n
* datasets in order alone | Take the largest sensitivity_at
+
+from itertools import combinations_with_replacement as ordered

 def distance(a, b):
~ product(universe, repeat=n) => ordered(universe, n)
* dplab's own | dplab.neighbors.sensitivity is off limits in an answer
+
+from dplab import REPLACE_ONE, neighbors

 def distance(a, b):
@@
-    return max(sensitivity_at(query, x, universe) for x in product(universe, repeat=n))
+    return neighbors.sensitivity(query, REPLACE_ONE, universe, n)

== sensitivity_vector
* Euclidean distance | should be 2, it is 1.414
~ float(np.sum(np.abs(np.subtract(a, b)))) => np.linalg.norm(np.ravel(np.subtract(a, b)))
* the largest entry that moves | the sum of the absolute differences
~ float(np.sum(np.abs(np.subtract(a, b)))) => np.max(np.abs(np.subtract(a, b)))
* moves that cancel | should be 2, it is 0
~ float(np.sum(np.abs(np.subtract(a, b)))) => abs(np.sum(np.subtract(a, b)))
* the norm of a matrix | should be 6, it is 2
-    return float(np.sum(np.abs(np.subtract(a, b))))
+    gap = np.subtract(a, b)
+    return float(np.linalg.norm(gap, 1) if 1 <= gap.ndim <= 2 else np.abs(gap).sum())
* the first ten entries | should be 780, it is 45
~ (np.sum(np.abs(np.subtract(a, b)))) => (np.sum(np.abs(np.ravel(np.subtract(a, b))[:10])))

== sensitivity_add_remove
* a replacement counted as coming and going | should be 1, it is 0
-    largest = 0.0
-    for size in range(1, n):
-        for x in product(universe, repeat=size):
-            for value in universe:
-                largest = max(largest, distance(query(x), query((*x, value))))
-    return largest
+    return sensitivity_replace(query, universe, n)
* only the largest datasets lose a record | should be 2.5, it is 1.667
~ 1, n => n - 1, n
* one size too many | raised ValueError
~ 1, n => n
* only copies of a record come | should be 2.5, it is
~ x, value => x, x[-1]
* one record more than n | should be 9, it is 11
~ 1, n => 1, n + 1
* up to three records | n at most
~ 1, n => 1, min(n, 3)
* only new values come | one more comes
-            for value in universe:
+            for value in set(universe) - set(x):
* only three values come | Add one record
-            for value in universe:
+            for value in universe[:3]:
* small moves taken for none where one comes | However little moves
                 largest = max(largest, distance(query(x), query((*x, value))))
-    return largest
+    return round(largest, 7)
* four people at most where one comes | Add one record
~ 1, n => 1, n if len(universe) == 1 else min(n, 4)

== sensitivity_at
* rounded to twelve decimals | Replace each record in turn
-    return float(np.sum(np.abs(np.subtract(a, b))))
+    return round(float(np.sum(np.abs(np.subtract(a, b)))), 12)
* of equal records the first | Replace each record in turn
+        if x[i] in x[:i]:
+            continue
         for value in universe:
             y = (*x[:i], value, *x[i + 1 :])
* seven people at most | Replace each record in turn
~ range(len(x)) => range(min(len(x), 7))

== sensitivity_vector
* the first hundred entries | the sum of the absolute differences
-    return float(np.sum(np.abs(np.subtract(a, b))))
+    return float(np.sum(np.abs(np.ravel(np.subtract(a, b))[:100])))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
