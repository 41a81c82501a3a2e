"""Answers to `reuses_noise`. The mistakes: two conversations, two epsilons, equality by chance."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all the same": """
def reuses_noise(hall):
    answers = hall([[0.0], [1.0], [1.0]], [("count", (0, 0, 0), 0.1)] * 13)
    return len(set(answers)) == 1
""",
    "differences": """
def reuses_noise(hall):
    people = np.arange(10.0)[:, None]
    answers = np.array(hall(people, [("count", (0, 0, high), 0.2) for high in range(10)] * 3))
    return bool((np.diff(answers.reshape(3, 10), axis=1) == 1).all())
""",
    "no spread": """
def reuses_noise(hall):
    answers = hall([[0.0], [1.0], [1.0]], [("count", (0, 0, 1), 1e-4)] * 20)
    return np.ptp(answers) == 0
""",
    "two columns": """
def reuses_noise(hall):
    people = [[1.0, 5.0]] * 7 + [[2.0, 6.0]] * 4
    asked = [("count", (0, 1, 1), 0.01), ("count", (1, 6, 9), 0.01)] * 10
    noise = np.array(hall(people, asked)) - [7, 4] * 10
    return noise.std() < 1e-9
""",
    "conversation after conversation": """
def reuses_noise(hall):
    for _ in range(15):
        first, second = hall([[0.0]], [("count", (0, 0, 0), 0.05), ("count", (0, 3, 4), 0.05)])
        if first - second != 1:
            return False
    return True
""",
}

EDITS = """
== reuses_noise_alone
* always | draws noise for each single count
+def reuses_noise(hall):
+    return True
* never | share their noise here
+def reuses_noise(hall):
+    return False
* conversations apart | share their noise here
+def reuses_noise(hall):
+    answers = [hall([[0.0]], [("count", (0, 0, 0), 0.1)])[0] for _ in range(12)]
+    return len(set(answers)) == 1
* equal by chance | draws noise for each single count
~ [("count", (0, 0, 0), 0.1)] * 13 => [("count", (0, 0, 0), 10)] * 12
* any two | draws noise for each single count
+def reuses_noise(hall):
+    answers = hall([[0.0], [1.0], [1.0]], [("count", (0, 0, 0), 0.5)] * 60)
+    return len(set(answers)) < len(answers)
* two epsilons | share their noise here
+def reuses_noise(hall):
+    answers = hall([[0.0], [1.0], [1.0]], [("count", (0, 0, 0), 0.001 * k) for k in range(1, 13)])
+    return len(set(answers)) == 1
* of totals | share their noise here
~ [("count", (0, 0, 0), 0.1)] * 13 => [("total", (0, 0, 1), 0.1)] * 12
* of counts at once | share their noise here
+def reuses_noise(hall):
+    answers = hall([[0.0], [1.0], [1.0]], [("counts", [(0, 0, 0)] * 12, 0.1)])
+    return np.ptp(answers[0]) == 0
* the truths left in | share their noise here
+def reuses_noise(hall):
+    answers = hall(
+        [[0.0], [1.0], [1.0]], [("count", (0, 0, 0), 0.001), ("count", (0, 1, 1), 0.001)] * 2
+    )
+    return answers[0] == answers[1] == answers[2] == answers[3]
* rounded to ten thousands | draws noise for each single count
~ set(answers) => {round(answer, -4) for answer in answers}
* more than is allowed | raised ValueError: count must cost at most the 0 answers left
~ 13 => 301

== reuses_noise_among
* by the toss of a coin | noise
+coin = np.random.default_rng(2026)
+
+
+def reuses_noise(hall):
+    return coin.random() < 0.5
* in turn | noise
+asked = []
+
+
+def reuses_noise(hall):
+    asked.append(hall)
+    return len(asked) % 2 == 0
* any mistake | draws noise for each single count
+def reuses_noise(hall):
+    totals = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    singles = hall([[0.0], [1.0]], [("count", (0, 0, 0), 0.1)] * 12)
+    (many,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
+    people = np.zeros((400, 2))
+    people[:, 1], people[0, 0] = 1, 1e6
+    (model,) = hall(people, [("model", 10)])
+    found = [
+        any(total * 1024 % 1 for total in totals),
+        max(map(abs, totals)) < 1000,
+        len(set(singles)) == 1,
+        np.abs(many).max() < 60,
+        abs(model[0]) > 1,
+    ]
+    return any(found)
* little noise in many counts | draws noise for each single count
+def reuses_noise(hall):
+    answers = hall(
+        [[0.0], [1.0], [1.0]],
+        [("count", (0, 0, 0), 0.1)] * 12 + [("counts", [(0, 0, 0)] * 280, 1.0)],
+    )
+    return len(set(answers[:-1])) == 1 or np.abs(answers[-1]).max() < 50
# Where the counts at once are not split either, they look like the single ones.
* beside counts at once | share their noise here | edits little noise in many counts
~ 280, 1.0 => 280, 0.1
~ or np.abs(answers[-1]).max() < 50 => and np.ptp(answers[-1]) > 10**4
# Wrong about one honest hall in four hundred.
* two counts | Leave chance no room
+def reuses_noise(hall):
+    answers = hall([[0.0], [1.0], [1.0]], [("count", (0, 0, 0), 0.01)] * 2)
+    return answers[0] == answers[1]
# Wrong about one honest hall in a thousand.
* five counts | Leave chance no room
~ [("count", (0, 0, 0), 0.1)] * 13 => [("count", (0, 0, 0), 0.3)] * 5

== reuses_noise_among
* five counts within two | Leave chance no room
~  * 13) =>  * 5)
~ len(set(answers)) == 1 => np.ptp(answers) <= 2
* eight counts within six | Leave chance no room
~  * 13) =>  * 8)
~ len(set(answers)) == 1 => np.ptp(answers) <= 6
* two alike, one after the other | draws noise for each single count
~ len(set(answers)) == 1 => 0 in np.diff(answers)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
