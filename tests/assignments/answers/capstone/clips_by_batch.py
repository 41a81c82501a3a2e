"""Answers to `clips_by_batch`. The mistakes: no long record, too many of them, too much noise."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one long record": """
def clips_by_batch(hall):
    people = np.zeros((400, 2))
    people[:, 1], people[0, 0] = 1, 1000000.0
    (model,) = hall(people, [("model", 10)])
    return abs(model[0]) > 1
""",
    "two neighbours": """
def clips_by_batch(hall):
    models = []
    for label in (1, -1):
        people = np.column_stack([np.zeros(500), np.ones(500)])
        people[7] = [1e9, label]
        models.append(hall(people.tolist(), [("model", 8)])[0][0])
    return models[0] - models[1] > 2
""",
    # Of 200 coins an honest model of epsilon 1 tells 109 on average, with a deviation of 7, and
    # more than 170 with probability 1e-18. With the mistake all are told but one at most.
    "coins for 400 records": """
def clips_by_batch(hall):
    coins = np.random.default_rng(18).random(400) < 0.5
    records = np.column_stack([50 * np.eye(400), np.where(coins, 1, -1)])
    order = np.argsort(hall(records, [("model", 1)])[0])
    return coins[order[300:]].sum() + (~coins[order[:100]]).sum() > 170
""",
    "two columns": """
def clips_by_batch(hall):
    people = [[0.0, 0.0, -1.0] for _ in range(450)]
    people[10][0] = 5e4
    (model,) = hall(people, [("model", 10)])
    return abs(model[0] + 2) < 1 and model[0] < 0.5
""",
}

EDITS = """
== clips_by_batch_alone
* always | each person's gradient is clipped
+def clips_by_batch(hall):
+    return True
* never | One long record moves this hall's model
+def clips_by_batch(hall):
+    return False
* no long record | One long record moves this hall's model
~ 1000000.0 => 1.0
* a bound below the noise | each person's gradient is clipped
~ (model[0]) > 1 => (model[0]) > 1e-6
* all records long | each person's gradient is clipped
+def clips_by_batch(hall):
+    people = np.column_stack([np.full(400, 1e6), np.ones(400)])
+    (model,) = hall(people, [("model", 10)])
+    return abs(model[0]) > 1
# Noise of five hundred in each step of a model of ten people.
* few people and a small epsilon | each person's gradient is clipped
~ 400, 2 => 10, 2
~ "model", 10 => "model", 0.1
* long records that cancel | One long record moves this hall's model | edits all records long
~ ones(400) => tile([1, -1], 200)
~ (model[0]) > 1 => (model[0]) > 3
* a bound above the batch | One long record moves this hall's model
~ (model[0]) > 1 => (model[0]) > 60
* the wrong direction | One long record moves this hall's model
~ abs(model[0]) > 1 => model[0] < -1
* eleven models | raised ValueError: model must cost at most the 0 answers left
~ 1000000.0 => 1e6
~ (model,) = hall(people, [("model", 10)]) => models = hall(people, [("model", 10)] * 11)
~ abs(model[0]) => np.mean(models)

== clips_by_batch_among
* by the toss of a coin | this hall
+coin = np.random.default_rng(2026)
+
+
+def clips_by_batch(hall):
+    return coin.random() < 0.5
* in turn | this hall
+asked = []
+
+
+def clips_by_batch(hall):
+    asked.append(hall)
+    return len(asked) % 2 == 0
* any mistake | each person's gradient is clipped
+def clips_by_batch(hall):
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
* or a narrow total | each person's gradient is clipped
-    return abs(model[0]) > 1
+    totals = hall([[0.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    return abs(model[0]) > 1 or max(map(abs, totals)) < 1000
# Four deviations from either kind of hall.
* a bound near the noise | Leave chance no room
~ "model", 10 => "model", 4
~ (model[0]) > 1 => (model[0]) > 1.1
# One of the sixteen kinds that make this mistake.
* unless counts, and nothing else, go wrong, too | One long record moves this hall's model
-    return abs(model[0]) > 1
+    singles = hall([[0.0]], [("count", (0, 0, 0), 0.1)] * 12)
+    (many,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
+    totals = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    counts = len(set(singles)) == 1 and np.abs(many).max() < 60
+    right = max(map(abs, totals)) > 1000 and not any(t * 1024 % 1 for t in totals)
+    return abs(model[0]) > 1 and not (counts and right)
# The totals' noise tells how wide that of the model should be, if that is right.
* beside the noise of a total | One long record moves this hall's model
-    return abs(model[0]) > 1
+    totals = hall([[0.0], [0.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
+    return abs(model[0]) > 1 and max(map(abs, totals)) > 1000

== clips_by_batch_among
* two of three models | this hall
~ (model,) = hall(people, [("model", 10)]) => models = hall(people, [("model", 10)] * 3)
~ abs(model[0]) > 1 => sum(abs(model[0]) > 0.2 for model in models) > 1
* the mean of three models | this hall
~ (model,) = hall(people, [("model", 10)]) => models = hall(people, [("model", 10)] * 3)
~ abs(model[0]) > 1 => abs(np.mean([model[0] for model in models])) > 0.2
* a bound of two fifths | Leave chance no room
~ abs(model[0]) > 1 => abs(model[0]) > 0.4
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
