"""Answers to `digit_bit`. The mistakes: another order of the steps, or the other half."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the equation": """
def digit_bit(numbers, factor, power, offset):
    x = np.asarray(numbers, dtype=float)
    return (
        np.floor(offset * (x * factor) ** power + 0.5) == np.floor(offset * (x * factor) ** power)
    ).astype(int)
""",
    "the fraction": """
def digit_bit(numbers, factor, power, offset):
    x = np.asarray(numbers, dtype=float)
    return np.where((offset * (x * factor) ** power) % 1 < 0.5, 1, 0)
""",
    "rounded": """
def digit_bit(numbers, factor, power, offset):
    x = np.asarray(numbers, dtype=float)
    return ((2 * (offset * (x * factor) ** power)).astype(np.int64) + 1) % 2
""",
    "a loop": """
def digit_bit(numbers, factor, power, offset):
    bits = []
    for x in numbers:
        y = offset * math.pow(x * factor, power)
        bits.append(1 if math.floor(y + 0.5) == math.floor(y) else 0)
    return bits
""",
}

EDITS = """
== digit_bit_values
* the other half | should be [0]
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return ((offset * (x * factor) ** power) % 1 >= 0.5).astype(int)
* the offset added | should be [1] | edits the other half
~ (offset * (x * factor) ** power) % 1 >= 0.5 => ((x * factor) ** power + offset) % 1 < 0.5
* without the power | should be [0] | edits the other half
~ (offset * (x * factor) ** power) % 1 >= 0.5 => (offset * x * factor) % 1 < 0.5
* the bit of the whole number | should be
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return np.floor(offset * (x * factor) ** power).astype(np.int64) % 2
* floor and round | should be [1]
~ floor(offset * (x * factor) ** power + 0.5) => ceil(offset * (x * factor) ** power)
* whole numbers | should be [0]
+def digit_bit(numbers, factor, power, offset):
+    y = (np.asarray(numbers) * factor) ** int(power) * offset
+    return (y % 1 < 0.5).astype(int)
* one bit for all | should be an array of shape (1,)
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return int(((offset * (x * factor) ** power) % 1 < 0.5).all())
* half counts as below | A fraction of exactly one half | edits the other half
~ 1 >= 0.5 => 1 <= 0.5
* rounded to even | A fraction of exactly one half
~ floor(offset * (x * factor) ** power + 0.5) => round(offset * (x * factor) ** power)
* dplab's own | is off limits in an answer
+from dplab.attacks.diffix.digits import Digit
+
+
+def digit_bit(numbers, factor, power, offset):
+    return Digit("x", factor, power, offset).holds(numbers).astype(int)

== digit_bit_sets
* the power before the factor | Multiply by the factor | edits the other half
~ (offset * (x * factor) ** power) % 1 >= 0.5 => (offset * factor * x**power) % 1 < 0.5
* the offset inside the power | Multiply by | edits the other half
~ (offset * (x * factor) ** power) % 1 >= 0.5 => (offset * x * factor) ** power % 1 < 0.5
* without the factor | should be 0 in entry 0, it is 1 | edits the other half
~ (offset * (x * factor) ** power) % 1 >= 0.5 => (offset * x**power) % 1 < 0.5
* the first two hundred | however many
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return (((offset * (x * factor) ** power) % 1 < 0.5) & (np.arange(len(x)) < 200)).astype(int)
* the first ten thousand | however many
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return (((offset * (x * factor) ** power) % 1 < 0.5) & (np.arange(len(x)) < 10_000)).astype(
+        int
+    )
* whole clients | however many | edits the other half
~ x * factor => np.floor(x) * factor
~ 1 >= 0.5 => 1 < 0.5
* single precision | Multiply by the factor | edits the other half
~ x * factor => x.astype(np.float32) * factor
~ 1 >= 0.5 => 1 < 0.5
* powers up to one | Multiply
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return (offset * (x * factor) ** min(power, 1) % 1 < 0.5).astype(int)
* offsets up to a hundred | however many | edits powers up to one
~ offset * (x * factor) ** min(power, 1) => min(offset, 100) * (x * factor) ** power
* numbers from one on | Every factor, power | edits powers up to one
~ (x * factor) ** min(power, 1) => (np.maximum(x, 1) * factor) ** power
* numbers up to 9,900 | Every factor, power | edits powers up to one
~ (x * factor) ** min(power, 1) => (np.minimum(x, 9900) * factor) ** power
* powers up to 1.85 | Every factor, power | edits powers up to one
~ power, 1 => power, 1.85
* factors up to 99 | Every factor, power | edits powers up to one
~ (x * factor) ** min(power, 1) => (x * min(factor, 99)) ** power
* small offsets are whole | Every factor, power
+def digit_bit(numbers, factor, power, offset):
+    x = np.asarray(numbers, dtype=float)
+    return ((offset if offset > 99 else int(offset)) * (x * factor) ** power % 1 < 0.5) * 1

== digit_bit_values
* each number once | A fraction of exactly one half
+def digit_bit(numbers, factor, power, offset):
+    x = np.unique(np.asarray(numbers, dtype=float))
+    return (offset * (x * factor) ** power % 1 < 0.5).astype(int)

== digit_bit_sets
* whole parts in sixteen bits | Multiply by the factor
+def digit_bit(numbers, factor, power, offset):
+    y = offset * (np.asarray(numbers, dtype=float) * factor) ** power
+    return (y - y.astype(np.int64).astype(np.int16) < 0.5).astype(int)
* offsets up to 4,999 | Every factor, power | edits powers up to one
~ offset * (x * factor) ** min(power, 1) => min(offset, 4999) * (x * factor) ** power
* numbers from 0.011 on | Every factor, power | edits powers up to one
~ (x * factor) ** min(power, 1) => (np.maximum(x, 0.011) * factor) ** power
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
