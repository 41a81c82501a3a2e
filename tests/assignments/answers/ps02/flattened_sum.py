"""Answers to `flattened_sum`. The mistakes: who is flattened, to what, and what the scale is of."""

from tests.assignments.edits import read_answers

RIGHT = {
    "what people count for": """
def flattened_sum(values, outliers, top):
    pass
    if min(values) < 0:
        raise ValueError("values must be at least 0")
    ordered = np.sort(values)[::-1]
    group = ordered[outliers : outliers + top]
    level = np.mean(group) if len(group) else 0.0
    counted = np.append([level] * min(outliers, len(ordered)), ordered[outliers:])
    scale = max(counted.mean(), level / 2)
    return counted.sum(), scale
""",
    "the sum, less what is cut, and what it becomes": """
def flattened_sum(values, outliers, top):
    if any(value < 0 for value in values):
        raise ValueError(f"values must be at least 0, not {min(values)}")
    ordered = sorted(map(float, values), reverse=True)
    cut, shown = ordered[:outliers], ordered[outliers : outliers + top]
    level = sum(shown) / max(1, len(shown))
    total = sum(ordered) - sum(cut) + len(cut) * level
    return [total, max(total / len(ordered), level / 2)]
""",
    "people by their places": """
def flattened_sum(values, outliers, top):
    counted = np.array(values, dtype=float)
    if (counted < 0).any():
        raise ValueError("somebody adds less than 0")
    places = np.argsort(-counted, kind="stable")
    shown = counted[places[outliers:][:top]]
    counted[places[:outliers]] = level = shown.mean() if shown.size else 0
    return np.array([counted.sum(), np.maximum(counted.mean(), level / 2)])
""",
    "the largest, one after the other": """
def flattened_sum(values, outliers, top):
    if min(values) < 0:
        raise ValueError
    rest = list(values)
    flat = 0
    while rest and flat < outliers:
        rest.remove(max(rest))
        flat += 1
    others, shown = rest.copy(), []
    while others and len(shown) < top:
        shown.append(max(others))
        others.remove(shown[-1])
    level = math.fsum(shown) / len(shown) if shown else 0
    total = math.fsum(rest) + flat * level
    mean = total / (len(rest) + flat)
    return (total, mean if 2 * mean > level else level / 2)
""",
    "the group shares what it adds": """
def flattened_sum(values, outliers, top):
    ordered = np.sort(np.array(values, dtype=float))
    if ordered[0] < 0:
        raise ValueError(f"{ordered[0]} is less than 0")
    group = ordered[::-1][outliers:][:top]
    level = group.sum() / (len(group) or 1)
    ordered[-(outliers + top) :] = level
    return ordered.sum(), max(ordered.sum() / len(ordered), level / 2)
""",
    "a heap, from the smallest on": """
from heapq import nlargest


def flattened_sum(values, outliers, top):
    values = np.asarray(values, dtype=float)
    if not np.all(values >= 0):
        raise ValueError("values must be at least 0")
    largest = nlargest(outliers + top, values)
    others = np.sort(values)[: max(0, len(values) - outliers)]
    level = np.mean(largest[outliers:]) if len(others) else 0
    total = others.sum() + (len(values) - len(others)) * level
    return total, max(total / len(values), 0.5 * level)
""",
}

EDITS = """
== flattened_sum_total
* nobody is flattened | count for the mean of the next ones
~ np.append([level] * min(outliers, len(ordered)), ordered[outliers:]) => ordered
* those flattened are left out | should be 17.5, it is 13
~ = np.append([level] * min(outliers, len(ordered)), ordered[outliers:]) => = ordered[outliers:]
* one is flattened | count for the mean of the next ones
~ pass => outliers = 1
* two are flattened | should be 17.5
~ pass => outliers = 2
* a top group of one | should be 17.5, it is 18
~ pass => top = 1
* a top group of two at most | count for the mean of the next ones
-    pass
+    top = min(top, 2)
* the top group begins at the top | count for the mean of the next ones
~ outliers : outliers + top => :top
* those flattened are in the top group | count for the mean of the next ones
~ outliers : => :
* the group ends at its size | count for the mean of the next ones
~ outliers : outliers + top => outliers:top
* one more in the group | count for the mean of the next ones
~ outliers + top => outliers + top + 1
* the largest of the group | count for the mean of the next ones
~ np.mean(group) if len(group) else 0.0 => max(group, default=0)
* the least of the group | count for the mean of the next ones
~ np.mean(group) if len(group) else 0.0 => min(group, default=0)
* the group's median | count for the mean of the next ones
~ mean(group) => median(group)
* the group's sum | count for the mean of the next ones
~ np.mean(group) if len(group) else 0.0 => sum(group)
* a whole mean | should be 17.5, it is 17
~ np.mean(group) if len(group) else 0.0 => sum(group) // max(1, len(group))
* the mean of all others | count for the mean of the next ones
~ np.mean(group) => ordered[outliers:].mean()
* everybody is cut at the mean | count for the mean of the next ones
~ append([level] * min(outliers, len(ordered)), ordered[outliers:]) => minimum(ordered, level)
* those who add the same go together | count for the mean of the next ones
~ [outliers : outliers + top] => [ordered < ordered[: outliers][-1]][:top]
-    counted = np.append([level] * min(outliers, len(ordered)), ordered[outliers:])
+    counted = np.where(ordered >= ordered[:outliers][-1], level, ordered)
* each number once | count for the mean of the next ones
~ pass => values = list(set(values))
* in the order in which they come | should be 17.5
~ sort(values)[::-1] => array(values)
* the least are flattened | count for the mean of the next ones
~ (values)[::-1] => (values)
* whole values | count for the mean of the next ones
~ sort(values) => sort(values).astype(int)
* a rounded sum | should be 17.5, it is 18
~ counted.sum() => round(counted.sum())
* two decimals | count for the mean of the next ones
~ counted.sum(), scale => round(counted.sum(), 2), scale
* a thousand people at most | count for the mean of the next ones
~ pass => values = values[:1000]
# Of ten thousand, who are always among those drawn, nearly all add something of their own.
* nobody is flattened of many who differ | count for the mean of the next ones
-    pass
+    outliers = 0 if len(set(values)) > 50 else outliers
* the sum alone | should be an array
~ (), scale => ()
* the scale first | should be 17.5, it is 3.5
~ return counted.sum(), scale => return (scale, counted.sum())

== flattened_sum_scale
* those who add something | The mean over all people
-    pass
+    values = [value for value in values if value] or [0]
* the mean alone | should be 5, it is 4
~ max(counted.mean(), level / 2) => counted.mean()
* half of the group alone | should be 3.5, it is 2.25
~ = max(counted.mean(), level / 2) => = level / 2
* the smaller one | The mean over all people
~ scale = max => scale = min
* the group's mean, not half | should be 3.5, it is 4.5
~ level / 2 => level
* half of the largest | The mean over all people
~ level / 2 => max(group, default=0) / 2
* half of the largest that was | The mean over all people
~ level / 2 => ordered[0] / 2
* the mean before | The mean over all people
~ counted.mean() => np.mean(values)
* the mean of those who are not flattened | should be 3.5, it is 3.25
~ counted.mean() => np.mean(ordered[outliers:] if len(group) else 0)
* the flattened count for nothing in the mean | The mean over all people
~ counted.mean() => ordered[outliers:].sum() / len(ordered)
* both added | The mean over all people
~ max(counted.mean(), level / 2) => counted.mean() + level / 2
* a scale of 1 at least | The mean over all people
~ counted.mean => 1, counted.mean
* a rounded scale | should be 3.5, it is 4
~ max(counted.mean(), level / 2) => round(max(counted.mean(), level / 2))
* a deviation | The mean over all people
~ counted.mean => counted.std
* a scale of seven decimals | half of the top group's mean
~ max(counted.mean(), level / 2) => round(max(counted.mean(), level / 2), 7)

== flattened_sum_few
* the group's size in any case | of those who are in it
~ np.mean(group) if len(group) else 0.0 => sum(group) / top
* no mean of nobody | of those who are in it
~ (group) if len(group) else 0.0 => (group)
* the group by its places | raised IndexError
~ ordered[outliers : outliers + top] => [ordered[outliers + i] for i in range(top)]
~ (group) if len(group) else 0.0 => (group)
* nobody is flattened where few are left | of those who are in it
~ else 0.0 => == top else ordered[0]
* one is left as they are | of those who are in it
~ 0.0 => ordered[-1]
* one is no group where two are asked for | of those who are in it
~ else 0.0 => >= min(top, 2) else 0.0
* two for each other | of those who are in it
-    pass
+    outliers = min(outliers, max(1, len(values) - 1))
* suppressed | it is None
-    pass
+    if len(values) < 2: return None

== flattened_sum_input
* less than 0 adds less | below 0 first
~ min(values) < 0 => False
* less than 0 is 0 | should raise ValueError
-    pass
+    values = np.maximum(values, 0)
* the sum below 0 | should raise ValueError
~ min(values) => sum(values)
* the first below 0 | should raise ValueError
~ min(values) => values[0]
* below -1 at least | should raise ValueError
~ (values) < 0 => (values) < -1e-6
* another error | raised TypeError
~ ValueError => TypeError
* nothing is refused | raised ValueError
~ (values) < 0 => (values) <= 0
* the values sorted | changes what it was given
~ pass => values.sort()
* flattened where they are | changes what it was given
+def flattened_sum(values, outliers, top):
+    if min(values) < 0:
+        raise ValueError("values must be at least 0")
+    places = sorted(range(len(values)), key=lambda i: -values[i])
+    group = [values[i] for i in places[outliers : outliers + top]]
+    level = sum(group) / max(1, len(group))
+    for i in places[:outliers]:
+        values[i] = level
+    return sum(values), max(sum(values) / len(values), level / 2)
* hardly below 0 is 0 | Look for a value below 0
-    pass
+    values = [0 if -1e-10 < v < 0 else v for v in values]

== flattened_sum_total
* whole numbers stay whole | should be 17.5, it is 17
-    counted = np.append([level] * min(outliers, len(ordered)), ordered[outliers:])
+    counted = ordered.copy()
+    counted[:outliers] = level
* sums in 32 bits | for what they add
-    return counted.sum(), scale
+    return counted.astype(np.int32).sum(dtype=np.int32) + (counted % 1).sum(), scale
* sums in the type of the values | for what they add
-    return counted.sum(), scale
+    rest = ordered[outliers:].sum(dtype=ordered.dtype)
+    return rest + level * min(outliers, len(ordered)), scale

== flattened_sum_few
* people who add the same are one | of those who are in it
-    pass
+    values = values if len(values) > 5 else sorted(set(values))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
