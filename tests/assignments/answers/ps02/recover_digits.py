"""Answers to `recover_digits`. The mistakes: places, clipping, a number put together wrong."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all places at once": """
def recover_digits(sets, ask):
    n = sets.shape[1]
    wide = np.column_stack([sets, np.ones(len(sets))])
    answers = np.column_stack([ask(place) for place in range(1, 10)])
    v = np.linalg.lstsq(wide, answers, rcond=None)[0]
    v = v[:n]
    digits = np.clip(np.round(v), 0, 9).astype(int)
    return digits @ 10 ** np.arange(8, -1, -1)
""",
    "place by place": """
def recover_digits(sets, ask):
    wide = np.hstack([np.ones((len(sets), 1)), sets])
    numbers = np.zeros(sets.shape[1], dtype=int)
    for place in range(1, 10):
        estimates = np.linalg.lstsq(wide, ask(place), rcond=None)[0][1:]
        digits = np.rint(estimates).astype(int)
        digits[digits > 9] = 9
        digits[digits < 0] = 0
        numbers = 10 * numbers + digits
    return numbers
""",
}

EDITS = """
== right
* texts
-    return digits @ 10 ** np.arange(8, -1, -1)
+    return [int("".join(map(str, row))) for row in digits]
* from the last place
~ 1, 10 => 9, 0, -1
~ 8, -1, -1 => 9

== recover_digits_exact
* read backwards | counts most
~ 8, -1, -1 => 9
* places from 0 | raised ValueError
~ 1, 10 => 9
* one digit only | has right
~ digits @ 10 ** np.arange(8, -1, -1) => digits[:, 0]
* eight digits | has right
~ 1, 10 => 1, 9
~ 8, -1 => 7, -1
* texts are returned | in its list is | edits texts
~ int("".join(map(str, row))) => "".join(map(str, row))
* digits added up | has right
~ digits @ 10 ** np.arange(8, -1, -1) => digits.sum(axis=1)
* single precision | Place 1 is the first digit and counts most
-    return digits @ 10 ** np.arange(8, -1, -1)
+    return digits.astype(np.float32) @ (10.0 ** np.arange(8, -1, -1)).astype("f4")
* no nine in front | Place 1 is the first digit and counts most
-    return digits @ 10 ** np.arange(8, -1, -1)
+    return np.minimum(digits @ 10 ** np.arange(8, -1, -1), 899_999_999)
* two people at least | Place 1 is the first digit and counts most
~ (8, -1, -1) => (8, -1, -1) * (n > 1)
* the number's length kept | Place 1 is the first digit and counts most | edits texts
~ (map(str, row)) => (map(str, row)).strip("0") or 0
* dplab's own | is off limits in an answer
+from dplab.attacks.diffix.reconstruction import estimates
+
+
+def recover_digits(sets, ask):
+    found = np.array([estimates(sets, ask(place)) for place in range(1, 10)])
+    return 10 ** np.arange(8, -1, -1) @ np.clip(np.round(found), 0, 9).astype(int)
* sets of 1 and -1, where they are | changes what it was given
+    sets *= 2
+    sets -= 1
     wide = np.column_stack([sets, np.ones(len(sets))])
~ v = v => v = 2 * v

== recover_digits_clipped
* not clipped | between 0 and 9
~ clip(np.round(v), 0, 9) => round(v)
* clipped above only | between 0 and 9
~ clip(np.round(v), 0, 9) => minimum(np.round(v), 9)
* modulo ten | between 0 and 9
~ clip(np.round(v), 0, 9).astype(int) => round(v).astype(int) % 10

== recover_digits_noisy
* cut off | rounded
~ round(v) => floor(v + 1e-6)
* no common number | has right
~ np.column_stack([sets, np.ones(len(sets))]) => sets.astype(float)
* the first answers only | has right
~ wide, answers => wide[: n + 9], answers[: n + 9]
* half of the answers | out of all the answers
~ wide, answers => wide[::2], answers[::2]
* the first thirty people | out of all the answers
~ (8, -1, -1) => (8, -1, -1) * (np.arange(n) < 30)
* the first thousand answers | out of all the answers
~ wide, answers => wide[:1000], answers[:1000]

== recover_digits_exact
* two sets more than people | As many sets as unknowns
~ digits @ 10 => digits * (len(sets) > n + 1) @ 10
* numbers in sixteen bits | has right
~ digits @ 10 ** np.arange(8, -1, -1) => (digits @ 10 ** np.arange(8, -1, -1)).astype(np.int16)

== recover_digits_noisy
* each set counts once | out of all the answers
-    n = sets.shape[1]
+    n, (kept, first) = sets.shape[1], np.unique(sets, axis=0, return_index=True)
~ np.column_stack([sets, np.ones(len(sets))]) => np.column_stack([kept, np.ones(len(kept))])
~ ask(place) for => ask(place)[first] for
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
