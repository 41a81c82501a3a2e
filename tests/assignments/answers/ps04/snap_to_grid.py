"""Answers to `snap_to_grid`. The mistakes: halves the other way, a rounded sum, lost units."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the rest of a division": """
def snap_to_grid(values, grid):
    steps = np.asarray(values, dtype=float) / grid
    return (np.floor(steps) + (steps % 1 >= 0.5)) * grid
""",
    "floor and rest": """
def snap_to_grid(values, grid):
    steps = np.asarray(values) / grid
    whole = np.floor(steps)
    return np.where(steps - whole < 0.5, whole, whole + 1) * grid
""",
    "numpy's rounding, repaired": """
def snap_to_grid(values, grid):
    steps = np.array(values, dtype=float) / grid
    nearest = np.rint(steps)
    return (nearest + (steps - nearest == 0.5)) * grid
""",
    "fractions": """
def snap_to_grid(values, grid):
    def one(value):
        steps = Fraction(value) / Fraction(grid)
        return float(Fraction(grid) * math.floor(steps + Fraction(1, 2)))

    values = np.asarray(values, dtype=float)
    return np.array([one(v) for v in values.ravel().tolist()]).reshape(values.shape)
""",
    "the rest by division": """
def snap_to_grid(values, grid):
    whole, rest = np.divmod(np.asarray(values, dtype=float), grid)
    whole = np.floor(np.asarray(values, dtype=float) / grid)
    rest = np.asarray(values, dtype=float) / grid - whole
    return grid * (whole + np.heaviside(rest - 0.5, 1))
""",
}

EDITS = """
== snap_to_grid_halves
* numpy's rounding | should be [1, 2, 0, -1]
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.round(steps)
* halves away from zero | for negative values too
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.sign(steps) * np.floor(np.abs(steps) + 0.5)
* halves down | take the larger
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.ceil(steps - 0.5)
* a little below one half | Halfway between
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.floor(steps + 0.5 - 1e-12)
* numpy's rounding of many values | Halfway between
+def snap_to_grid(values, grid):
+    steps = np.asarray(values, dtype=float) / grid
+    return (
+        np.where(
+            steps.size < 1000,
+            (np.floor(steps) + (steps - np.floor(steps) >= 0.5)),
+            np.round(steps),
+        )
+        * grid
+    )
* numpy's rounding of one value | Halfway between | edits numpy's rounding of many values
-            steps.size < 1000,
-            (np.floor(steps) + (steps - np.floor(steps) >= 0.5)),
-            np.round(steps),
+            steps.size > 1, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), np.round(steps)
* numpy's rounding on coarse grids | Halfway between
+def snap_to_grid(values, grid):
+    steps = np.asarray(values, dtype=float) / grid
+    return (
+        np.where(grid < 64, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), np.round(steps))
+        * grid
+    )

== snap_to_grid_exact
* half a step added | should be 0, it is 1
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.floor(steps + 0.5)
* small whole numbers | should be
~ (np.floor(steps) + (steps % 1 >= 0.5)) => (np.floor(steps) + (steps % 1 >= 0.5)).astype(np.int32)
* rounded to nine digits first | Is something rounded
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.floor(np.round(steps, 9) + 0.5)
* half a step added below 0 | Adding 0.5 is | edits numpy's rounding of many values
-            steps.size < 1000,
-            (np.floor(steps) + (steps - np.floor(steps) >= 0.5)),
-            np.round(steps),
+            steps >= 0, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), np.floor(steps + 0.5)
* half a step added on other grids | Adding 0.5 is | edits numpy's rounding of many values
-            steps.size < 1000,
-            (np.floor(steps) + (steps - np.floor(steps) >= 0.5)),
-            np.round(steps),
+            grid == 1, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), np.floor(steps + 0.5)
* large ones taken for whole | Is something rounded | edits numpy's rounding of many values
-            steps.size < 1000,
-            (np.floor(steps) + (steps - np.floor(steps) >= 0.5)),
-            np.round(steps),
+            np.abs(steps) < 2.0**51, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), steps
* the values changed in place | Do the values stay as they are?
+def snap_to_grid(values, grid):
+    values = np.asarray(values, dtype=float)
+    steps = values / grid
+    if values.ndim:
+        values += grid
+    return (np.floor(steps) + (steps - np.floor(steps) >= 0.5)) * grid

== snap_to_grid_nearest
* always down | should be [0, 1
~ (np.floor(steps) + (steps % 1 >= 0.5)) * grid => np.floor(steps) * grid
* always up | should be [0, 1
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.ceil(steps)
* towards zero | should be [[-16
~ (np.floor(steps) + (steps % 1 >= 0.5)) => np.trunc(steps + 0.5)
* in steps, not in units | should be 0.25, it is 1
~ (np.floor(steps) + (steps % 1 >= 0.5)) * grid => np.floor(steps + 0.5)
* multiplied where a division was due | should be 0.25, it is 0
+def snap_to_grid(values, grid):
+    steps = np.asarray(values, dtype=float) * grid
+    below = np.floor(steps)
+    return (below + (steps - below >= 0.5)) / grid
* fine grids left alone | Count in steps of the grid | edits numpy's rounding on coarse grids
-        np.where(grid < 64, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), np.round(steps))
+        np.where(grid >= 2.0**-20, (np.floor(steps) + (steps - np.floor(steps) >= 0.5)), steps)
* dplab's own | dplab.mechanisms.snapping.snap is off limits in an answer
+from dplab.mechanisms.snapping import snap
+
+
+def snap_to_grid(values, grid):
+    return np.vectorize(lambda value: snap(float(value), grid), otypes=[float])(values)
* lists without lists in them | Count in steps of the grid
+def snap_to_grid(values, grid):
+    if isinstance(values, list):
+        return np.array([snap_to_grid(float(value), grid) for value in values])
+    steps = np.asarray(values, dtype=float) / grid
+    return (np.floor(steps) + (steps - np.floor(steps) >= 0.5)) * grid
* a list snapped in place | changes what it was given
+def snap_to_grid(values, grid):
+    steps = np.asarray(values, dtype=float) / grid
+    if isinstance(values, list):
+        values[:] = ((np.floor(steps) + (steps - np.floor(steps) >= 0.5)) * grid).tolist()
+    return (np.floor(steps) + (steps - np.floor(steps) >= 0.5)) * grid

== snap_to_grid_exact
* steps in whole numbers of 64 bits | Is something rounded on the way
-    return (np.floor(steps) + (steps % 1 >= 0.5)) * grid
+    return (np.floor(steps).astype(np.int64) + (steps % 1 >= 0.5)) * grid

== snap_to_grid_nearest
* numbers of 32 bits | Count in steps of the grid
~ dtype=float => dtype=np.float32
* whole numbers stay in eight bits | Count in steps of the grid
-    return (np.floor(steps) + (steps % 1 >= 0.5)) * grid
+    snapped = (np.floor(steps) + (steps % 1 >= 0.5)) * grid
+    return np.clip(snapped, -127, 127) if getattr(values, "dtype", 0) == np.int8 else snapped
* nothing has no shape | Count in steps of the grid
-    steps = np.asarray(values, dtype=float) / grid
+    steps = np.asarray(values, dtype=float) / grid
+    if steps.size == 0:
+        return np.array([])
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
