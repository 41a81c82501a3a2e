"""Answers to `layered_count`. The mistakes: which layers there are, how often, and for whom."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a set of layers": """
def layered_count(rows, conditions, noise, sigma):
    pass
    people = [i for i, row in enumerate(rows) if all(row[c] in v for c, v in conditions)]
    if len(people) < 2 or len(people) < 4 + noise(people) / 2:
        return None
    layers = set()
    for column, values in conditions:
        layers.add((column, tuple(sorted(set(values)))))
        for value in values:
            layers.add((column, value, tuple(people)))
    return len(people) + sigma * sum(noise(*layer) for layer in layers)
""",
    "masks and arrays": """
def layered_count(rows, conditions, noise, sigma):
    met = np.ones(len(rows), dtype=bool)
    for column, values in conditions:
        met &= np.isin(np.asarray(rows)[:, column], values)
    people = np.flatnonzero(met)
    if met.sum() < max(2, 4 + 0.5 * noise(people)):
        return None
    total, named = 0.0, []
    for column, values in conditions:
        wanted = np.unique(values)
        if (column, wanted.tolist()) not in named:
            named.append((column, wanted.tolist()))
            total += noise(column, wanted)
        for value in wanted:
            if (column, int(value)) not in named:
                named.append((column, int(value)))
                total += noise(column, value, people)
    return met.sum() + sigma * total
""",
    "draws by name": """
def layered_count(rows, conditions, noise, sigma):
    wanted = [(column, frozenset(values)) for column, values in conditions]
    people = frozenset(
        place for place in range(len(rows)) if all(rows[place][c] in v for c, v in wanted)
    )
    if len(people) <= 1 or 2 * (len(people) - 4) < noise(people):
        return
    static = {condition: noise(*condition) for condition in wanted}
    dynamic = {(c, v): noise(c, v, people) for c, values in wanted for v in values}
    return len(people) + sigma * math.fsum([*static.values(), *dynamic.values()])
""",
    "one condition after the other": """
def layered_count(rows, conditions, noise, sigma):
    people = list(range(len(rows)))
    for column, values in conditions:
        people = [i for i in people if rows[i][column] in values]
    n = len(people)
    answer = float(n)
    seen = set()
    for column, values in conditions:
        values = tuple(sorted(set(values)))
        for layer in [(column, values)] + [(column, value, tuple(people)) for value in values]:
            if layer not in seen:
                seen.add(layer)
                answer = answer + sigma * noise(*layer)
    enough = n >= 2 and n >= 4 + noise(people) / 2
    return answer if enough else None
""",
}

EDITS = """
== layered_count_layers
* static layers alone | one for each
~ in values => in []
* dynamic layers alone | a layer for its words
-        layers.add((column, tuple(sorted(set(values)))))
* the values together with the people | one for each value
~ value, tuple => tuple(sorted(set(values))), tuple
* a static layer for each value | a layer for its words
+            layers.add((column, value))
             layers.add((column, value, tuple(people)))
* a dynamic layer for the first value | one for each value
~ in values: => in values[:1]:
* the people of this condition alone | with all the people
~ tuple(people) => tuple(i for i, r in enumerate(rows) if r[column] in values)
* the people with this value | with all the people
~ tuple(people) => tuple(i for i in people if rows[i][column] == value)
* how many people | with all the people
~ value, tuple => value, len
* one layer for the set | one for each value
~ column, value, tuple(people) => tuple(people),
* no layer where nobody has the value | one for each value
~ in values => in {rows[i][column] for i in people} & set(values)
* any condition will do | Each condition
~ if all => if any
* a variance for a deviation | Each condition adds
~ sigma * sum => sigma**0.5 * sum
* the mean of the layers | Each condition adds
~ sum(noise(*layer) for layer in layers) => np.mean([noise(*layer) for layer in layers])
* one deviation for all layers | Each condition adds
~ (noise(*layer) for layer in layers) => (noise(*x) for x in layers) / len(layers) ** 0.5
* sigma forgotten | should be 4
~ + sigma * sum => + sum
* rounded | Each condition adds
-    return len(people) + sigma * sum(noise(*layer) for layer in layers)
+    return round(len(people) + sigma * sum(noise(*layer) for layer in layers))
* never below zero | sigma times their sum
-    return len(people) + sigma * sum(noise(*layer) for layer in layers)
+    return max(0, len(people) + sigma * sum(noise(*layer) for layer in layers))
* a hundred people at most | sigma times their sum
~ pass => rows = rows[:100]

== layered_count_once
* the last condition on a column | add each layer once
-    pass
+    conditions = list(dict(conditions).items())
* values in their order | in increasing order
~ ((column, tuple(sorted(set(values))))) => ((column, tuple(dict.fromkeys(values))))
* values twice | in increasing order, each once
~ ((column, tuple(sorted(set(values))))) => ((column, tuple(sorted(values))))
* a layer each time it is named | add each layer once
-    pass
~ layers = set() => layers = []
~ add((column, tuple(sorted(set(values))))) => append((column, sorted(set(values))))
~ in values => in sorted(set(values))
~ add((column, value, tuple(people))) => append((column, value, people))
* a layer for each repeated value | add each layer once
-    pass
~ layers = set() => layers = []
~ add((column, tuple(sorted(set(values))))) => append((column, sorted(set(values))))
~ add((column, value, tuple(people))) => append((column, value, people))
* conditions once, values not | add each layer once
-    pass
@@
-    layers = set()
+    conditions = dict.fromkeys((c, tuple(sorted(set(v)))) for c, v in conditions)
+    layers = []
~ add((column, tuple(sorted(set(values))))) => append((column, sorted(set(values))))
~ in values => in sorted(set(values))
~ add((column, value, tuple(people))) => append((column, value, people))
* four conditions at most | add each layer once
-    pass
+    conditions = conditions[:4]
* a layer is known by its values | should be
-    pass
+    first = {tuple(sorted(set(v))): (c, v) for c, v in reversed(conditions)}
@@
-    return len(people) + sigma * sum(noise(*layer) for layer in layers)
+    return len(people) + sigma * (
+        sum(noise(*one) for one in first.values())
+        + sum(noise(*one) for one in layers if len(one) == 3)
+    )
* compared with the condition before alone | should be
+def layered_count(rows, conditions, noise, sigma):
+    people = [i for i, row in enumerate(rows) if all(row[c] in v for c, v in conditions)]
+    if len(people) < 2 or len(people) < 4 + noise(people) / 2:
+        return None
+    kept = []
+    for column, values in conditions:
+        if not kept or kept[-1] != (column, sorted(set(values))):
+            kept.append((column, sorted(set(values))))
+    layers = {(column, value) for column, values in kept for value in values}
+    total = sum(noise(*one) for one in kept) + sum(noise(*one, people) for one in layers)
+    return len(people) + sigma * total
* values sorted where they are | changes what it was given
-    pass
+    for _, values in conditions: values.sort()

== layered_count_suppressed
* never suppressed | is not None
-    if len(people) < 2 or len(people) < 4 + noise(people) / 2:
+    if False:
* only one person suppressed | is not None
~ 2 or len(people) < 4 + noise(people) / 2 => 2
* four people always enough | is not None
~ 2 or len(people) < 4 + noise(people) / 2 => 4
* one person may be enough | fewer than 2 people
~ if len(people) < 2 or => if
* three people at least | else there is
~ 2 or => 3 or
* suppressed at the threshold | else there is
~ (people) < 4 => (people) <= 4
* a threshold of deviation one | None
~ (people) / 2 => (people)
* a quarter of the deviation | None
~ (people) / 2 => (people) / 4
* the noise the other way round | None
~ 4 + noise => 4 - noise
* a whole threshold | else there is
~ 4 + noise(people) / 2 => round(4 + noise(people) / 2)
* zero in place of None | is not None
~ return None => return 0.0
* the noisy count decides | else there is
~ 2 or len(people) < 4 + noise(people) / 2 => 2
-    return len(people) + sigma * sum(noise(*layer) for layer in layers)
+    answer = len(people) + sigma * sum(noise(*layer) for layer in layers)
+    least = 4 + noise(people) / 2
+    return answer if answer >= least else None
* the threshold of the words | None
~ (people) / 2 => (conditions[0][0], people) / 2
* all rows are counted | is not None
~ (people) < 2 or len(people) => (rows) < 2 or len(rows)

== layered_count_once
* values in the order of their sizes | should be
~ sorted(set(values)) => sorted(set(values), key=abs)
* values in the order of the alphabet | should be
~ sorted(set(values)) => sorted(set(values), key=str)

== layered_count_layers
* no layer for nought | sigma times their sum
~ in values: => in filter(None, values):
* nineteen values at most | sigma times their sum
~ in values: => in sorted(set(values))[:19]:

== layered_count_suppressed
* a millionth short is enough | is not None
~ 4 + noise(people) / 2 => 4 + noise(people) / 2 - 1e-6
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
