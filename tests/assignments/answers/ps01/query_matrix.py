"""Answers to `query_matrix`. The mistakes: any for all, the table turned, missing attributes."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all keys": """
def query_matrix(people, conditions):
    rows = [[int(all(k in p and p[k] == c[k] for k in c)) for p in people] for c in conditions]
    return np.array(rows)
""",
    "loops": """
def query_matrix(people, conditions):
    matrix = np.zeros((len(conditions), len(people)), dtype=int)
    for j, condition in enumerate(conditions):
        for i, person in enumerate(people):
            matrix[j, i] = 1
            for attribute, value in condition.items():
                if attribute not in person or person[attribute] != value:
                    matrix[j, i] = 0
    return matrix
""",
    "a default that nobody has": """
def query_matrix(people, conditions):
    nothing = object()
    def row(condition):
        return [
            float(all(person.get(key, nothing) == value for key, value in condition.items()))
            for person in people
        ]
    return [row(condition) for condition in conditions]
""",
}

EDITS = """
== right
* items
~ all(k in p and p[k] == c[k] for k in c) => c.items() <= p.items()

== query_matrix_example
* the table turned | A row for each condition | edits items
~ array(rows) => array(rows).T[::-1]
* everybody for the empty condition only if written so | A row for each condition | edits items
~ c.items => len(c) > 0 and c.items
* nobody for the empty condition | A row for each condition
~ all(k in p and p[k] == c[k] for k in c) => any(k in p and p[k] == v for k, v in c.items())
* how many match | A row for each condition | edits items
~ c.items() <= p.items() => sum(k in p and p[k] == v for k, v in c.items()) or not c
* the people, not the matrix | it is an array of shape (3,)
+def query_matrix(people, conditions):
+    return [sum(c.items() <= p.items() for p in people) for c in conditions]
* what is missing written into the people | changes what it was given
~ k in p and p[k] => p.setdefault(k, math.nan)

== query_matrix_town
* any for all | must have every
~ all => any
* the last attribute decides | must have every value | edits items
~ c.items() <= p.items() => ([True] + [k in p and p[k] == v for k, v in c.items()])[-1]
* the same attributes and no more | and no other matters
~ all(k in p and p[k] == c[k] for k in c) => c == p or not c
* two attributes at most | must have every value
~ k in c => k in list(c)[:2]
# Some 50 entries are wrong.
* five attributes at most | However many people
~ k in c => k in list(c)[:5]
* the first ten thousand people | However many people
~ all => i < 10_000 and all
~ p in people => i, p in enumerate(people)
* the first hundred conditions | However many people
~ all => j < 100 and all
~ c in conditions => j, c in enumerate(conditions)
* not many people in many conditions | However many people, conditions and attributes
~ c[k] for k in c => v for k, v in c.items()
~ array(rows) => array(rows) * (len(people) * len(conditions) <= 400_000)

== query_matrix_missing
* an error for who lacks an attribute | KeyError
~ k in p and p => p
* None for what is missing | Who lacks an attribute doesn't have its value
~ k in p and p[k] => p.get(k)
* missing is as good as there | should be [[0, 0]]
~ k in p and p[k] => p.get(k, c[k])
* false values forgotten | should be [[0, 1]]
~ k in p => p.get(k)
* the same object, not an equal value | Values are the same if they are equal
~ [k] == c => [k] is c
* the same type, too | Values are the same if they are equal
~ p and => p and type(p[k]) is type(c[k]) and
* written alike | Values are the same if they are equal
~ p[k] == c[k] => str(p[k]) == str(c[k])
* as good as equal | Values are the same if they are equal
+def query_matrix(people, conditions):
+    rows = [
+        [
+            int(
+                all(
+                    k in p
+                    and (
+                        p[k] == c[k]
+                        or isinstance(p[k], float)
+                        and isinstance(c[k], float)
+                        and math.isclose(p[k], c[k])
+                    )
+                    for k in c
+                )
+            )
+            for p in people
+        ]
+        for c in conditions
+    ]
+    return np.array(rows)
* hashes in place of values | Values are the same if they are equal
~ p[k] == c[k] => hash(p[k]) == hash(c[k])
* an empty string for what is missing | Who lacks an attribute doesn't have its value
~ k in p and p[k] => p.get(k, "")
* minus one for what is missing | Who lacks an attribute doesn't have its value
~ k in p and p[k] => p.get(k, -1)
* spaces around values | whatever their type | edits as good as equal
-                    and (
-                        p[k] == c[k]
-                        or isinstance(p[k], float)
-                        and isinstance(c[k], float)
-                        and math.isclose(p[k], c[k])
-                    )
-                    for k in c
+                    and (p[k].strip() == v.strip() if type(p[k]) is type(v) is str else p[k] == v)
+                    for k, v in c.items()
* the first sixteen letters | whatever their type
+def query_matrix(people, conditions):
+    rows = [
+        [
+            int(
+                all(
+                    k in p and (p[k][:16] == v[:16] if type(p[k]) is type(v) is str else p[k] == v)
+                    for k, v in c.items()
+                )
+            )
+            for p in people
+        ]
+        for c in conditions
+    ]
+    return np.array(rows)

== query_matrix_missing
* a column of numbers is a column of floats | whatever their type
+def query_matrix(people, conditions):
+    def same(one, other):
+        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
+            return float(one) == float(other)
+        return one == other
+
+    return [[int(all(k in p and same(p[k], c[k]) for k in c)) for p in people] for c in conditions]
* the value of any attribute | Who lacks an attribute
+def query_matrix(people, conditions):
+    rows = [[int(set(c.values()) <= set(p.values())) for p in people] for c in conditions]
+    return np.array(rows)

== query_matrix_town
* the first 299 conditions | However many people
~ all => j < 299 and all
~ c in conditions => j, c in enumerate(conditions)
* at most seven attributes | However many people
~ k in c => k in list(c)[:7]
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
