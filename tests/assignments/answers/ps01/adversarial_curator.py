"""Answers to `adversarial_curator`. The mistakes: noise, one side only, errors too large."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the midpoint": """
def adversarial_curator(secret, queries, error):
    secret, queries = np.asarray(secret), np.asarray(queries)
    decoy = secret.copy()
    decoy[np.flatnonzero(secret == 1)[: 2 * error]] = 0
    decoy[np.flatnonzero(secret == 0)[: 2 * error]] = 1
    truth, other = queries @ secret, queries @ decoy
    return queries @ (secret + decoy) / 2
""",
    "loops": """
def adversarial_curator(secret, queries, error):
    change, ones, zeros = [0] * len(secret), 2 * error, 2 * error
    for i, bit in enumerate(secret):
        if bit == 1 and ones > 0:
            change[i], ones = -1, ones - 1
        elif bit == 0 and zeros > 0:
            change[i], zeros = 1, zeros - 1
    return [
        sum(q * (b + c / 2) for q, b, c in zip(query, secret, change)) for query in queries
    ]
""",
}

EDITS = """
== right
* the last ones and zeros
~ (secret == 1)[: 2 * error] => (secret == 1)[-2 * error :]
~ : 2 * error => -2 * error :
* as near to the decoy as may be
~ queries @ (secret + decoy) / 2 => np.clip(other, truth - error, truth + error)
* whole numbers
~ queries @ (secret + decoy) / 2 => np.round(queries @ (secret + decoy) / 2)

== adversarial_curator_doubt
* the truth | No guess that fits all answers
~ queries @ (secret + decoy) / 2 => truth * 1.0
* only the ones | No guess that fits all answers
~ (secret == 0)[: 2 * error] => (secret == 0)[:0]
* half as many | No guess that fits all answers
~2 : 2 * error => :error
* always too high | No guess that fits all answers
~ queries @ (secret + decoy) / 2 => truth + error
* always too low | No guess that fits all answers
~ queries @ (secret + decoy) / 2 => truth - error
* the truth from thirteen people on | From few people and from many
~ queries @ (secret + decoy) => truth if len(secret) > 12 else (truth + other)
* the truth from two hundred people on | From few people and from many
~ queries @ (secret + decoy) => truth if len(secret) > 200 else (truth + other)
* errors of three at most | From few people and from many
~ (secret == 1)[: 2 * error] => (secret == 1)[: min(2 * error, 6)]
~ : 2 * error => : min(2 * error, 6)
* errors of two at most | From few people and from many
~ (secret == 1)[: 2 * error] => (secret == 1)[: min(2 * error, 4)]
~ : 2 * error => : min(2 * error, 4)
* the truth for more than a thousand questions | From few people and from many
~ queries @ (secret + decoy) => truth if len(truth) > 1000 else (truth + other)
* the truth about everybody in a large table | From few people and from many
~ queries @ (secret + decoy) / 2 => np.where(queries.sum(axis=1) > 12, truth, (truth + other) / 2)
* another decoy for every question | No guess that fits all answers
+def adversarial_curator(secret, queries, error):
+    secret, queries, answers = np.asarray(secret), np.asarray(queries), []
+    for query in queries:
+        decoy, turn = secret.copy(), int(query.sum())
+        for bit in (0, 1):
+            decoy[np.roll(np.flatnonzero(secret == bit), turn)[: 2 * error]] = 1 - bit
+        answers.append(query @ (secret + decoy) / 2)
+    return answers
* the truth where errors are neither few nor many
| wrong in 4 E bits must fit all answers, for any error
~ queries @ (secret + decoy) => (truth + (truth if 3 < error < 100 else other))
* a little of everybody is flipped | wrong in 4 E bits must fit all answers, for any error
+    if len(secret) > 12:
+        ones, zeros = secret.sum(), (1 - secret).sum()
+        decoy = secret - 2 * error * (secret / ones - (1 - secret) / zeros)
     truth, other = queries @ secret, queries @ decoy
* the truth in the largest tables | However many are asked about
~ queries @ (secret + decoy) => (truth + (truth if queries.size > 300_000 else other))
* the truth for one of many | However many are asked about
~ queries @ (secret + decoy) => (truth + np.where(np.arange(len(queries)) == 717, truth, other))
* whole numbers, bit by bit | raised TypeError
~ queries @ (secret + decoy) => ((queries & secret) + (queries & decoy)).sum(axis=1)

== adversarial_curator_one_by_one
* random noise | got another answer when it came with others
~ queries @ (secret + decoy) / 2 => truth + np.random.uniform(-error, error, len(truth))
* above and below in turn | got another answer
~ queries @ (secret + decoy) / 2 => truth + error * (-1.0) ** np.arange(len(truth))
* the decoy is drawn at each call | got another answer
+def adversarial_curator(secret, queries, error):
+    secret, queries = np.asarray(secret), np.asarray(queries)
+    decoy = secret.copy()
+    for bit in (0, 1):
+        decoy[np.random.permutation(np.flatnonzero(secret == bit))[: 2 * error]] = 1 - bit
+    return queries @ (secret + decoy) / 2
* the truth after five thousand questions | comes again among many others
-    return queries @ (secret + decoy) / 2
+    return np.where(np.arange(len(truth)) < 5000, (truth + other) / 2, truth)
* the truth from the thirtieth call on | another answer
+_calls = []
+
+
+def adversarial_curator(secret, queries, error):
+    secret, queries = np.asarray(secret), np.asarray(queries)
+    _calls.append(1)
+    decoy = secret.copy()
+    for bit in (0, 1):
+        decoy[np.flatnonzero(secret == bit)[: 2 * error]] = 1 - bit
+    return queries @ (secret + (secret if len(_calls) > 30 else decoy)) / 2

== adversarial_curator_honest
* the decoy's counts | is off by more than the error
~ queries @ (secret + decoy) / 2 => other
* ones are lost, none are gained | more than
~ (secret == 1)[: 2 * error] => (secret == 1)[: 4 * error]
~ : 2 * error => :0
* too many | more than
~2 : 2 * => : 4 *
* the opposite of everybody | more than
+def adversarial_curator(secret, queries, error):
+    queries, secret = np.asarray(queries), np.asarray(secret)
+    return queries.sum(axis=1) / 2
* a little more than the error | more than
~ queries @ (secret + decoy) / 2 => (truth + other) / 2 + 0.001
* dplab's own | is off limits in an answer
+from dplab.attacks.exhaustive import MidpointCurator
+
+
+def adversarial_curator(secret, queries, error):
+    return MidpointCurator(secret, error).ask(queries)

== adversarial_curator_doubt
* counts in eight bits | is off by more than E
~ np.asarray(secret), np.asarray(queries) => np.int8(secret), np.int8(queries)
* a decoy among the first half of the people | wrong in 4 E bits
-    decoy = secret.copy()
+    decoy, half = secret.copy(), len(secret) // 2
-    decoy[np.flatnonzero(secret == 1)[: 2 * error]] = 0
-    decoy[np.flatnonzero(secret == 0)[: 2 * error]] = 1
+    for bit in (0, 1):
+        decoy[np.flatnonzero(secret[:half] == bit)[: 2 * error]] = 1 - bit
* errors of ninety-nine at most | From few people and from many
+    error = min(error, 99)
     secret, queries = np.asarray(secret), np.asarray(queries)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
