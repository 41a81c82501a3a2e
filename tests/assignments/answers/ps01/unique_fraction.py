"""Answers to `unique_fraction`. The mistakes: other things counted, columns apart, values mixed."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a counter": """
def unique_fraction(rows, columns):
    if not rows or not all(column in rows[0] for column in columns):
        raise ValueError("no rows, or no such column")
    keys = [tuple(row[column] for column in columns) for row in rows]
    counts = Counter(keys)
    return sum(count == 1 for count in counts.values()) / len(rows)
""",
    "all against all": """
def unique_fraction(rows, columns):
    if len(rows) == 0:
        raise ValueError("no rows")
    for column in columns:
        if column not in rows[0]:
            raise ValueError(f"no column {column}")
    alone = 0
    for i, one in enumerate(rows):
        twins = 0
        for j, other in enumerate(rows):
            if i != j and all(one[column] == other[column] for column in columns):
                twins += 1
        if twins == 0:
            alone += 1
    return alone / len(rows)
""",
    "two sets": """
def unique_fraction(rows, columns):
    if not rows:
        raise ValueError("no rows")
    seen, again = set(), set()
    for row in rows:
        try:
            key = tuple(row[column] for column in columns)
        except KeyError as missing:
            raise ValueError(f"no column {missing}") from None
        (again if key in seen else seen).add(key)
    return (len(seen) - len(again)) / len(rows)
""",
    "narrowed column by column": """
def unique_fraction(rows, columns):
    if not rows or set(columns) - set(rows[0]):
        raise ValueError("no rows, or a column that isn't there")
    groups = [list(rows)]
    for column in columns:
        finer = []
        for group in groups:
            for value in {row[column] for row in group}:
                finer.append([row for row in group if row[column] == value])
        groups = finer
    return len([group for group in groups if len(group) == 1]) / len(rows)
""",
}

EDITS = """
== right
* the rows whose key is rare
-    return sum(count == 1 for count in counts.values()) / len(rows)
+    return np.mean([counts[key] == 1 for key in keys])

== unique_fraction_example
* the number of different keys | should be 0, it is 0.5
~ sum(count == 1 for count in counts.values()) => len(counts)
* a share of the keys | divide by the number of all rows
~ len(rows) => len(counts)
* not a share | should be 0.25, it is 1 | edits the rows whose key is rare
~ np.mean([counts[key] == 1 for key in keys]) => sum(count == 1 for count in counts.values())
* those who are not alone | should be 0, it is 1
~ return sum => return 1 - sum
* groups of two | should be 0, it is
~ count == 1 => count <= 2
* percent | should be 0.25, it is 25
~ return sum => return 100 * sum
* rounded to two decimals | and it is not rounded
-    return sum(count == 1 for count in counts.values()) / len(rows)
+    return round(sum(count == 1 for count in counts.values()) / len(rows), 2)
* dplab's own | is off limits in an answer
+import pandas as pd
+from dplab.attacks.linkage import unique_share
+
+
+def unique_fraction(rows, columns):
+    if not rows or not set(columns) <= set(rows[0]):
+        raise ValueError("no rows, or no such column")
+    if not columns:
+        return float(len(rows) == 1)
+    return unique_share(pd.DataFrame(rows, dtype=object), columns)
* columns sorted where they are | changes what it was given
+    columns.sort()
     if not rows or not all(column in rows[0] for column in columns):

== unique_fraction_together
* the first column only | Everybody's pair of values is rare
~ [column] for column in columns => [column] for column in columns[:1]
* alone in some column by itself | none of the single values is
+def unique_fraction(rows, columns):
+    if not rows or not all(column in rows[0] for column in columns):
+        raise ValueError("no rows, or no such column")
+    counts = [Counter(row[column] for row in rows) for column in columns]
+    alone = [
+        any(counts[j][row[column]] == 1 for j, column in enumerate(columns)) for row in rows
+    ]
+    return sum(alone) / len(rows)
* the order of the values lost | which value stands in which column
~ tuple => frozenset
* values sorted | 1 and 2 are not 2 and 1
~ (row[column] for column in columns) => (sorted((row[column] for column in columns), key=str))
* values joined | Do not join the values
~ tuple(row[column] for column in columns) => "".join(str(row[column]) for column in columns)
* values joined by commas | others may join to the same
~ tuple(row[column] for column in columns) => ", ".join(str(row[column]) for column in columns)
* all values made strings | 1 and '1' are two values
~ row[column] => str(row[column])
* numbers rounded to two decimals | Numbers that differ by little differ
~ row[column] for column => round(row[c], 2) if isinstance(row[c], float) else row[c] for c
* the type is part of the value | 1 and 1.0 are equal
~ row[column] => (type(row[column]), row[column])
* numbers made floats | Numbers that differ by little differ
~ row[column] for column => v if isinstance(v, str) else float(v) for v
~ v in columns => v in map(row.get, columns)
* written alike | 1 and 1.0 are equal
~ row[column] => repr(row[column])
* hashes in place of values | -1 and -2
~ tuple(row[column] for column in columns) => hash(tuple(row[column] for column in columns))
* small and capital letters alike | Strings are equal if every character is
~ row[column] for column => v.strip().lower() if isinstance(v, str) else v for v
~ v in columns => v in map(row.get, columns)
* a table of this size is known already | 1 and '1' are two values
+_known = {}
+
+
+def unique_fraction(rows, columns):
+    if not rows or not all(column in rows[0] for column in columns):
+        raise ValueError("no rows, or no such column")
+    counts = Counter(tuple(row[column] for column in columns) for row in rows)
+    return _known.setdefault(
+        (len(rows), tuple(columns)), sum(count == 1 for count in counts.values()) / len(rows)
+    )
* nothing is as good as 0 | whatever their type
~ [column] => [column] or 0
* signs lost | whatever their type
~ row[column] => v if isinstance(v := row[column], str) else abs(v)
* the first twenty letters | whatever their type
~ row[column] => v[:20] if isinstance(v := row[column], str) else v
* values in the order of each row | the column of its name
~ row[column] for column => v for c, v in row.items() if c

== unique_fraction_limits
* all columns there are | Who knows nothing of two people
~ [column] for column in columns => .values()
* no rows are nobody alone | There are no rows
+def unique_fraction(rows, columns):
+    keys = [tuple(row[column] for column in columns) for row in rows]
+    counts = Counter(keys)
+    return sum(count == 1 for count in counts.values()) / max(len(rows), 1)
* a column that isn't there is None | There is no such column
~ rows or not all(column in rows[0] for column in columns) => rows
~ rows, or no such column => rows
~ [column] => .get(column)
* without columns all are alone | Who knows nothing of two people
~ len(rows) => len(rows) if columns else 1.0
* the last column alone is looked for | raised KeyError
~ not all(column in rows[0] for column in columns) => (columns and columns[-1] not in rows[0])
* no columns, no look at the rows | There are no rows
+    if not columns:
+        return float(len(rows) == 1)
     if not rows or not all(column in rows[0] for column in columns):

== unique_fraction_town
* neighbouring rows only | Compare every row with all others
-    counts = Counter(keys)
-    return sum(count == 1 for count in counts.values()) / len(rows)
+    alone = 0
+    for i, key in enumerate(keys):
+        if key not in keys[max(i - 1, 0) : i] + keys[i + 1 : i + 2]:
+            alone += 1
+    return alone / len(rows)
# Twins of the first are last: fewer are alone, surely.
* the first thousand rows | in tables of any size
+    rows = rows[:1000]
     keys = [tuple(row[column] for column in columns) for row in rows]
* no more than four columns | by every column asked for
~ [column] for column in columns => [column] for column in columns[:4]

* counts in eight bits | of two, of three or of hundreds
~ count == 1 => count % 256 == 1
* a twin takes its twin away | Compare every row with all others
+def unique_fraction(rows, columns):
+    if not rows or not all(column in rows[0] for column in columns):
+        raise ValueError("no rows, or no such column")
+    alone = set()
+    for row in rows:
+        alone ^= {tuple(row[column] for column in columns)}
+    return len(alone) / len(rows)
* all of 1,100 rows but the last | in tables of any size
+    rows = rows[:1099]
     keys = [tuple(row[column] for column in columns) for row in rows]

== unique_fraction_limits
* the first seven columns are looked for | One is no column
-    if not rows or not all(column in rows[0] for column in columns):
+    columns = columns[:7]
+    if not rows or not all(column in rows[0] for column in columns):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
