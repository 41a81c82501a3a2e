"""Answers to `training_sensitivity`. The mistakes: greedy choices, gaps, lengths, the band."""

from tests.assignments.edits import read_answers

RIGHT = {
    "step by step": """
def training_sensitivity(strategy, gap, times):
    A = np.array(strategy, dtype=float)
    n = len(A)
    for i in range(n):
        for j in range(n):
            if A[i, j] != 0 and (i < j or i - j >= gap):
                raise ValueError("an entry outside of the band is not 0")
    squares = (A**2).sum(axis=0)
    best = np.zeros(n + 1)
    for _ in range(min(times, n)):
        fewer, best = best, np.zeros(n + 1)
        for j in range(1, n + 1):
            taken = squares[j - 1] + fewer[max(j - gap, 0)]
            best[j] = max(best[j - 1], taken)
    return float(np.sqrt(best[n]))
""",
    "recursion from the front": """
def training_sensitivity(strategy, gap, times):
    import functools

    A = np.asarray(strategy, dtype=float)
    n = A.shape[0]
    if np.any(np.triu(A, 1)) or np.any(np.tril(A, -gap)):
        raise ValueError("A is not banded")

    @functools.lru_cache(maxsize=None)
    def best(first, left):
        if first >= n or left == 0:
            return 0.0
        return max(best(first + 1, left), A[:, first] @ A[:, first] + best(first + gap, left - 1))

    return math.sqrt(best(0, min(times, n)))
""",
    "lists, by the last step": """
def training_sensitivity(strategy, gap, times):
    rows = [[float(entry) for entry in row] for row in strategy]
    n = len(rows)
    outside = [rows[i][j] for i in range(n) for j in range(n) if not 0 <= i - j < gap]
    if any(entry != 0 for entry in outside):
        raise ValueError("outside of the band")
    squares = [sum(row[j] ** 2 for row in rows) for j in range(n)]
    ends = list(squares)  # the best sum of sets whose last step is j
    best = max(ends)
    for _ in range(min(times, -(-n // gap)) - 1):
        highest, new = 0.0, []
        for j in range(n):
            if j >= gap:
                highest = max(highest, ends[j - gap])
            new.append(squares[j] + highest)
        ends = new
        best = max(best, *ends)
    return best**0.5
""",
}

EDITS = """
== training_sensitivity_once
* rows for columns | longest column
~ (A**2).sum(axis=0) => (A**2).sum(axis=1)
* sums of absolute values | longest column
~ squares = (A**2).sum(axis=0) => squares = abs(A).sum(axis=0) ** 2
* the root forgotten | longest column
~ float(np.sqrt(best[n])) => float(best[n])
* the largest entry | longest column
~ squares = (A**2).sum(axis=0) => squares = (A**2).max(axis=0)
* the last column never counts | longest column
~ np.sqrt(best[n]) => np.sqrt(best[n - 1])
* the diagonal alone | longest column
~ (A**2).sum(axis=0) => np.diag(A) ** 2
* the first column | longest column
~ squares = (A**2).sum(axis=0) => squares = np.full(n, (A[:, 0] ** 2).sum())
* the spectral norm | longest column
~ return float(np.sqrt(best[n])) => return float(np.linalg.norm(A, 2))
* the whole matrix | longest column
~ return float(np.sqrt(best[n])) => return float(np.linalg.norm(A))
* the mean length of a column | longest column
~ return float(np.sqrt(best[n])) => return float(np.sqrt(squares.mean()))
* squares in the array's type | too large for the type
~ np.array(strategy, dtype=float) => np.array(strategy)
* arrays only | raised TypeError
~ A = np.array(strategy, dtype=float) => A = strategy
~ A[i, j] != 0 => strategy[i, j] != 0
* signs that cancel | longest column
~ squares = (A**2).sum(axis=0) => squares = A.sum(axis=0) ** 2
* squares in place | too large for the type
~ np.array(strategy, dtype=float) => np.asarray(strategy)
~ squares = (A**2).sum(axis=0) => A **= 2
~ taken = squares[j - 1] => taken = A[:, j - 1].sum()
* times is always one more | longest column
~ min(times, n) => min(times + 1, n)

== training_sensitivity_often
* the longest column, times often | largest sum of squared lengths
~ return float(np.sqrt(best[n])) => return float(np.sqrt(times * squares.max()))
* once | largest sum of squared lengths
~ return float(np.sqrt(best[n])) => return float(np.sqrt(squares.max()))
* lengths added up | largest sum of squared lengths
~ squares[j - 1] + fewer => np.sqrt(squares[j - 1]) + fewer
~ float(np.sqrt(best[n])) => float(best[n])
* a gap of one less | largest sum of squared lengths
~ fewer[max(j - gap, 0)] => fewer[max(min(j - gap + 1, j - 1), 0)]
* a gap of one more | largest sum of squared lengths
~ fewer[max(j - gap, 0)] => fewer[max(j - gap - 1, 0)]
* no gap | largest sum of squared lengths
~ fewer[max(j - gap, 0)] => fewer[j - 1]
* as often as the gap allows | largest sum of squared lengths
~ range(min(times, n)) => range(n)
* never twice | largest sum of squared lengths
~ range(min(times, n)) => range(1)
* one time less | largest sum of squared lengths
~ range(min(times, n)) => range(max(1, min(times, n) - 1))
* all of times or nothing | largest sum of squared lengths
~ fewer, best = best, np.zeros(n + 1) => fewer, best = best, np.full(n + 1, -1.0)
~ fewer[max(j - gap, 0)] => (fewer[j - gap] if j > gap else (0 if not fewer.any() else -1e9))
* the longest first | largest sum of squared lengths
-    best = np.zeros(n + 1)
-    for _ in range(min(times, n)):
-        fewer, best = best, np.zeros(n + 1)
-        for j in range(1, n + 1):
-            taken = squares[j - 1] + fewer[max(j - gap, 0)]
-            best[j] = max(best[j - 1], taken)
-    return float(np.sqrt(best[n]))
+    steps = []
+    for j in np.argsort(-squares):
+        if len(steps) < times and all(abs(j - i) >= gap for i in steps):
+            steps.append(j)
+    return float(np.sqrt(squares[steps].sum()))
* from the first step on, as soon as allowed | largest sum of squared lengths
-    best = np.zeros(n + 1)
-    for _ in range(min(times, n)):
-        fewer, best = best, np.zeros(n + 1)
-        for j in range(1, n + 1):
-            taken = squares[j - 1] + fewer[max(j - gap, 0)]
-            best[j] = max(best[j - 1], taken)
-    return float(np.sqrt(best[n]))
+    return float(np.sqrt(squares[::gap][:times].sum()))
* at regular times only | largest sum of squared lengths
-    best = np.zeros(n + 1)
-    for _ in range(min(times, n)):
-        fewer, best = best, np.zeros(n + 1)
-        for j in range(1, n + 1):
-            taken = squares[j - 1] + fewer[max(j - gap, 0)]
-            best[j] = max(best[j - 1], taken)
-    return float(np.sqrt(best[n]))
+    sums = [np.sort(squares[s::gap])[::-1][:times].sum() for s in range(min(gap, n))]
+    return float(np.sqrt(max(sums)))
* at regular times, one after the other | largest sum of squared lengths
-    best = np.zeros(n + 1)
-    for _ in range(min(times, n)):
-        fewer, best = best, np.zeros(n + 1)
-        for j in range(1, n + 1):
-            taken = squares[j - 1] + fewer[max(j - gap, 0)]
-            best[j] = max(best[j - 1], taken)
-    return float(np.sqrt(best[n]))
+    sums = [squares[s::gap][:times].sum() for s in range(n)]
+    return float(np.sqrt(max(sums)))
* a step is taken where it is longer than the next | largest sum of squared lengths
-            best[j] = max(best[j - 1], taken)
+            best[j] = taken if squares[j - 1] >= squares[j - 2] else max(best[j - 1], taken)
* the best of the last step only | largest sum of squared lengths
~ best[j] = max(best[j - 1], taken) => best[j] = taken
* at most ten times | largest sum of squared lengths
~ range(min(times, n)) => range(min(times, n, 10))
* at most three times | largest sum of squared lengths
~ range(min(times, n)) => range(min(times, n, 3))
* without the last column | largest sum of squared lengths
~ float(np.sqrt(best[n])) => float(np.sqrt(max(best[n - 1], squares[n - 1])))
* blocks of the gap | largest sum of squared lengths
-    best = np.zeros(n + 1)
-    for _ in range(min(times, n)):
-        fewer, best = best, np.zeros(n + 1)
-        for j in range(1, n + 1):
-            taken = squares[j - 1] + fewer[max(j - gap, 0)]
-            best[j] = max(best[j - 1], taken)
-    return float(np.sqrt(best[n]))
+    blocks = [squares[s : s + gap].max() for s in range(0, n, gap)]
+    return float(np.sqrt(sum(sorted(blocks)[-times:])))

== training_sensitivity_input
* anything goes | should raise ValueError
~ A[i, j] != 0 and (i < j or i - j >= gap) => False
* above the diagonal anything goes | should raise ValueError
~ (i < j or i - j >= gap) => i - j >= gap
* below the band anything goes | should raise ValueError
~ (i < j or i - j >= gap) => i < j
* a band of one more | should raise ValueError
~ i - j >= gap => i - j > gap
* the diagonal is refused | raised ValueError
~ i < j => i <= j
* negative entries pass | should raise ValueError
~ A[i, j] != 0 => A[i, j] > 0
* small entries pass | should raise ValueError
~ A[i, j] != 0 => abs(A[i, j]) > 1e-12
* the band on both sides | should raise ValueError
~ (i < j or i - j >= gap) => abs(i - j) >= gap
* the sum of what is outside | should raise ValueError
-    for i in range(n):
-        for j in range(n):
-            if A[i, j] != 0 and (i < j or i - j >= gap):
-                raise ValueError("an entry outside of the band is not 0")
+    if np.triu(A, 1).sum() + np.tril(A, -gap).sum() != 0:
+        raise ValueError("an entry outside of the band is not 0")
* a person who comes once may overlap | should raise ValueError
~ if A[i, j] != 0 => if times > 1 and A[i, j] != 0
* an error of another kind | should raise ValueError
~ raise ValueError("an entry => raise IndexError("an entry
* infinity where it should raise | should raise ValueError
~ raise ValueError("an entry outside of the band is not 0") => return math.inf
* the first column only | should raise ValueError
~ for j in range(n): => for j in range(1):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
