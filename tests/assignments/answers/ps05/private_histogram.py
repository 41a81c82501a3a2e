"""Answers to `private_histogram`. The mistakes: the budget split, one noise, bins forgotten."""

from tests.assignments.edits import read_answers

RIGHT = {
    "bincount": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors not in ('replace', 'add') or not epsilon > 0:
        raise ValueError("bad neighbors or epsilon")
    counts = np.bincount(np.asarray(records, dtype=int), minlength=bins)
    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
    noise = rng.laplace(scale=scale, size=bins)
    return counts + noise
""",
    "a loop over bins": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    if neighbors == "replace":
        sensitivity = 2
    elif neighbors == "add":
        sensitivity = 1
    else:
        raise ValueError("unknown neighbors")
    records = list(records)
    noisy = []
    for j in range(bins):
        noisy.append(records.count(j) + rng.laplace(0, sensitivity / epsilon))
    return noisy
""",
    "by the inverse distribution function": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    moves = {"replace": 2, "add": 1}
    if neighbors not in moves or epsilon <= 0:
        raise ValueError("bad argument")
    counts, _ = np.histogram(records, bins=np.arange(bins + 1) - 0.5)
    u = rng.uniform(-0.5, 0.5, bins)
    return counts - moves[neighbors] / epsilon * np.sign(u) * np.log1p(-2 * np.abs(u))
""",
    "a table of who is where": """
def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors != "replace" and neighbors != "add" or not epsilon > 0:
        raise ValueError
    table = np.array(records)[:, None] == np.arange(bins)
    width = (1 + (neighbors == "replace")) / epsilon
    return table.sum(axis=0) + width * rng.laplace(size=bins)
""",
    "a helper called noise": """
def noise(bins, scale, rng):
    return rng.laplace(scale=scale, size=bins)


def private_histogram(records, bins, epsilon, neighbors, rng):
    if neighbors not in ("replace", "add") or epsilon <= 0:
        raise ValueError("neighbors must be 'replace' or 'add', and epsilon above 0")
    counts = np.bincount(np.array(records, dtype=int), minlength=bins)
    return counts + noise(bins, (2 if neighbors == "replace" else 1) / epsilon, rng)
""",
}

EDITS = """
== right
* a difference of exponentials
~ laplace(scale=scale, size=bins) => exponential(scale, (2, bins))
~ counts + noise => counts + noise[0] - noise[1]
* an exponential with a sign
~ laplace(scale=scale, size=bins) => exponential(scale, bins) * rng.choice([-1.0, 1.0], bins)
* noise used up from its end
~ (scale=scale, size=bins) => (scale=scale, size=bins).tolist()
~ counts + noise => np.array([count + noise.pop() for count in counts])
* all that goes up, then all that goes down | edits an exponential with a sign
~ * rng.choice([-1.0, 1.0], bins) => - [rng.exponential(scale) for _ in range(bins)]

== private_histogram_law
* one person moves one count | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ {'replace': 2, 'add': 1}[neighbors] => 1
* the budget split among the bins | however many bins there are
~ 'replace', 'add' => "replace", "add"
~ {'replace': 2, 'add': 1}[neighbors] => bins
* the scale upside down | times what it should be
~ 'replace', 'add' => "replace", "add"
~ {'replace': 2, 'add': 1}[neighbors] / epsilon => epsilon / {"replace": 2, "add": 1}[neighbors]
* normal noise | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ laplace(scale=scale, size=bins) => normal(0, 2**0.5 * scale, bins)
* the scale taken for the deviation | the noise is 0.7071 times what it should be
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ scale, size => scale / 2**0.5, size
* one noise for all bins | one draw of the noise serves more than one number
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ scale, size=bins => scale
* noise on one side | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ laplace(scale=scale, size=bins) => exponential(scale, bins)
* neighbouring bins share their noise | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ rng.laplace(scale=scale, size=bins) => np.repeat(rng.laplace(scale=scale, size=bins), 2)[:bins]
* cut off at zero | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ return counts + noise => return np.maximum(0, counts + noise)
* rounded | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => np.round(counts + noise)
* no noise for one bin | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise * (bins > 1)
* no noise for one person | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise * (len(records) != 1)
* no noise for more than 5,000 people | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise * (len(records) <= 5000)
* no noise for epsilon of 5 and more | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise * (epsilon < 5)
* epsilon is at least 0.1 | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ / epsilon => / max(epsilon, 0.1)
* epsilon three percent too large | the noise is 0.9709 times what it should be
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ / epsilon => / (1.03 * epsilon)
* noise cut off at thirty scales | The noise has no largest value
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.clip(rng.laplace(scale=scale, size=bins), -30 * scale, 30 * scale)
* the same noise again after 1,023 bins | one draw of the noise serves more than one number
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.resize(rng.laplace(scale=scale, size=min(bins, 1023)), bins)
* the same noise again after 3,001 bins | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.resize(rng.laplace(scale=scale, size=min(bins, 3001)), bins)
* two bins have opposite noise | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + (noise if bins != 2 else noise[0] * np.array([1, -1]))
* the second half has the opposite noise | one draw of the noise serves more than one number
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ (scale=scale, size=bins) => (scale=scale, size=-(-bins // 2))
~ counts + noise => counts + np.concatenate([noise, -noise])[:bins]
* the noises of more than ten bins sum to zero | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise - noise.mean() * (bins > 10)
* two decimals | How far do all counts together move
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => np.round(counts + noise, 2)
* the same noise again after 16,384 bins | is not its true value plus the noise drawn for it
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.resize(rng.laplace(scale=scale, size=min(bins, 2**14)), bins)
* two bins share the noise that squares of normal numbers make | counts share their noise
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.repeat(
+        [scale / 2, -scale / 2]
+        @ (rng.normal(size=(2, 2, bins)) ** 2).sum(axis=1).reshape(2, -1)[:, : (bins + 1) // 2],
+        2,
+    )[:bins]
* half the noise for up to ten bins | bins = 1: the noise is 0. | edits an exponential with a sign
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ ([-1.0, 1.0], bins) => ([-1.0, 1.0], bins) * (0.5 if bins <= 10 else 1)
* an exponential with a sign, three percent smaller | bins = 20000: the noise is 0.97
| edits an exponential with a sign
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ scale, bins => scale / 1.03, bins
* one sign for two bins of many | the signs of noise go together | edits an exponential with a sign
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ ([-1.0, 1.0], bins) => ([-1.0, 1.0], bins)[np.arange(bins) // (1 + (bins > 100))]

== private_histogram_relation
* two counts always | more would be a waste
~ 'replace', 'add' => "replace", "add"
~ {'replace': 2, 'add': 1}[neighbors] => 2
* the relations mixed up | With these neighbours
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add': 1 => "replace": 1, "add": 2
* noise cut off at twenty scales | The noise has no largest value
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.clip(rng.laplace(scale=scale, size=bins), -20 * scale, 20 * scale)

== private_histogram_source
* empty bins without noise | Draw one number for each bin, whatever is in it.
| edits a difference of exponentials
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ rng.exponential(scale, (2, bins)) => np.where(counts > 0, rng.laplace(scale=scale, size=bins), 0)
~ [0] - noise[1] =>
* noise drawn for each record | Draw one number for each bin, whatever is in it.
~ 'replace', 'add' => "replace", "add"
-    scale = {'replace': 2, 'add': 1}[neighbors] / epsilon
-    noise = rng.laplace(scale=scale, size=bins)
+    scale = {"replace": 2, "add": 1}[neighbors] / epsilon
+    noise = np.array([rng.laplace(scale=scale, size=max(c, 1)).mean() for c in counts])
* a generator of its own | gives the same result for two seeds
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ rng.laplace => np.random.default_rng(1).laplace
* the global generator | gives two results for one seed
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ rng.laplace => np.random.laplace
* no noise for large counts | Draw one number for each bin, whatever is in it.
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => counts + noise * (counts <= 1000)

== private_histogram_shape
* the last empty bins missing | should be an array of shape (4,), it is an array of shape (3,)
+def private_histogram(records, bins, epsilon, neighbors, rng):
+    if neighbors not in ("replace", "add") or not epsilon > 0:
+        raise ValueError("bad argument")
+    counts = np.bincount(np.asarray(records, dtype=int))
+    return counts + rng.laplace(scale=(1 + (neighbors == "replace")) / epsilon, size=len(counts))
* only bins that occur | it is an array of shape (2,) | edits the last empty bins missing
~ counts = np => _, counts = np
~ bincount(np.asarray(records, dtype=int)) => unique(records, return_counts=True)
* shares in place of counts | should be [1, 0, 2, 0]
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ counts + noise => (counts + noise) / len(records)
* dplab's mechanism | off limits
+def private_histogram(records, bins, epsilon, neighbors, rng):
+    from dplab import LaplaceMechanism
+
+    if neighbors not in ("replace", "add"):
+        raise ValueError("neighbors")
+
+    def counts(data):
+        return np.bincount(np.asarray(data, dtype=int), minlength=bins)
+
+    return LaplaceMechanism(counts, 1 + (neighbors == "replace"), epsilon)(records, rng)
* counts up to 15,000 | a noisy count is far from its count
~ 'replace', 'add' => "replace", "add"
~ 'replace': 2, 'add' => "replace": 2, "add"
~ return counts => return np.minimum(counts, 15_000)

== private_histogram_input
* neighbors whatever the case | neighbors is 'replace' or 'add'.
~ neighbors not in ('replace', 'add') => neighbors.lower() not in ("replace", "add")
~ {'replace': 2, 'add': 1}[neighbors] => {"replace": 2, "add": 1}[neighbors.lower()]
* any relation | neighbors is 'replace' or 'add'.
~ if neighbors not in ('replace', 'add') or => if
~ {'replace': 2, 'add': 1}[neighbors] => (1 + (neighbors == "replace"))
* any epsilon | epsilon must be above 0.
~ ('replace', 'add') or not epsilon > 0 => ("replace", "add")
~ 'replace': 2, 'add' => "replace": 2, "add"
~ / epsilon => / np.float64(epsilon)
~ rng.laplace(scale=scale, size=bins) => scale * rng.laplace(size=bins)

== private_histogram_shape
* counts in eight bits | a noisy count is far from its count
~ return counts + noise => return counts % 256 + noise
* people who are alike count once | empty bins included
-    counts = np.bincount(np.asarray(records, dtype=int), minlength=bins)
+    counts = np.bincount(np.unique(np.asarray(records, dtype=int)), minlength=bins)
* the last of 20,000 bins is left out | far from its count
~ return counts + noise => return counts * (np.arange(bins) < 19_999) + noise

== private_histogram_input
* the name may be said twice | neighbors is 'replace' or 'add'.
-    if neighbors not in ('replace', 'add') or not epsilon > 0:
+    neighbors = neighbors[: len(neighbors) // 2] if neighbors == "addadd" else neighbors
+    if neighbors not in ('replace', 'add') or not epsilon > 0:
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
