"""Answers to `flattened_sum`. The mistakes: who is flattened, to what, and what the scale is of."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _flattened(
    group: str = "ordered[outliers : outliers + top]",
    level: str = "np.mean(group) if len(group) else 0.0",
    counted: str = "np.append([level] * min(outliers, len(ordered)), ordered[outliers:])",
    scale: str = "max(counted.mean(), level / 2)",
    before: str = "pass",
    answer: str = "counted.sum(), scale",
    bad: str = "min(values) < 0",
) -> str:
    """The text of the function with these parts."""
    return f"""
def flattened_sum(values, outliers, top):
    {before}
    if {bad}:
        raise ValueError("values must be at least 0")
    ordered = np.sort(values)[::-1]
    group = {group}
    level = {level}
    counted = {counted}
    scale = {scale}
    return {answer}
"""


RIGHT = {
    "what people count for": _flattened(),
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

TOTAL, SCALE = "flattened_sum_total", "flattened_sum_scale"
FEW, INPUT = "flattened_sum_few", "flattened_sum_input"
_NEXT, _MEAN = "count for the mean of the next ones", "The mean over all people"
_LEFT, _FIRST, _KEPT = "of those who are in it", "below 0 first", "changes what it was given"
MUTANTS = {
    "nobody is flattened": Mutant(_flattened(counted="ordered"), TOTAL, _NEXT),
    "those flattened are left out": Mutant(
        _flattened(counted="ordered[outliers:]"), TOTAL, "should be 17.5, it is 13"
    ),
    "one is flattened": Mutant(_flattened(before="outliers = 1"), TOTAL, _NEXT),
    "two are flattened": Mutant(_flattened(before="outliers = 2"), TOTAL, "should be 17.5"),
    "a top group of one": Mutant(_flattened(before="top = 1"), TOTAL, "should be 17.5, it is 18"),
    "a top group of two at most": Mutant(_flattened(before="top = min(top, 2)"), TOTAL, _NEXT),
    "the top group begins at the top": Mutant(_flattened(group="ordered[:top]"), TOTAL, _NEXT),
    "those flattened are in the top group": Mutant(
        _flattened(group="ordered[: outliers + top]"), TOTAL, _NEXT
    ),
    "the group ends at its size": Mutant(_flattened(group="ordered[outliers:top]"), TOTAL, _NEXT),
    "one more in the group": Mutant(
        _flattened(group="ordered[outliers : outliers + top + 1]"), TOTAL, _NEXT
    ),
    "the largest of the group": Mutant(_flattened(level="max(group, default=0)"), TOTAL, _NEXT),
    "the least of the group": Mutant(_flattened(level="min(group, default=0)"), TOTAL, _NEXT),
    "the group's median": Mutant(
        _flattened(level="np.median(group) if len(group) else 0.0"), TOTAL, _NEXT
    ),
    "the group's sum": Mutant(_flattened(level="sum(group)"), TOTAL, _NEXT),
    "a whole mean": Mutant(
        _flattened(level="sum(group) // max(1, len(group))"), TOTAL, "should be 17.5, it is 17"
    ),
    "the mean of all others": Mutant(
        _flattened(level="ordered[outliers:].mean() if len(group) else 0.0"), TOTAL, _NEXT
    ),
    "everybody is cut at the mean": Mutant(
        _flattened(counted="np.minimum(ordered, level)"), TOTAL, _NEXT
    ),
    "those who add the same go together": Mutant(
        _flattened(
            group="ordered[ordered < ordered[: outliers][-1]][:top]",
            counted="np.where(ordered >= ordered[:outliers][-1], level, ordered)",
        ),
        TOTAL,
        _NEXT,
    ),
    "each number once": Mutant(_flattened(before="values = list(set(values))"), TOTAL, _NEXT),
    "in the order in which they come": Mutant(
        _flattened().replace("np.sort(values)[::-1]", "np.array(values)"), TOTAL, "should be 17.5"
    ),
    "the least are flattened": Mutant(
        _flattened().replace("np.sort(values)[::-1]", "np.sort(values)"), TOTAL, _NEXT
    ),
    "whole values": Mutant(
        _flattened().replace("np.sort(values)", "np.sort(values).astype(int)"), TOTAL, _NEXT
    ),
    "a rounded sum": Mutant(
        _flattened(answer="round(counted.sum()), scale"), TOTAL, "should be 17.5, it is 18"
    ),
    "two decimals": Mutant(_flattened(answer="round(counted.sum(), 2), scale"), TOTAL, _NEXT),
    "a thousand people at most": Mutant(_flattened(before="values = values[:1000]"), TOTAL, _NEXT),
    # Of ten thousand, who are always among those drawn, nearly all add something of their own.
    "nobody is flattened of many who differ": Mutant(
        _flattened(before="outliers = 0 if len(set(values)) > 50 else outliers"), TOTAL, _NEXT
    ),
    "those who add something": Mutant(
        _flattened(before="values = [value for value in values if value] or [0]"), SCALE, _MEAN
    ),
    "the sum alone": Mutant(_flattened(answer="counted.sum()"), TOTAL, "should be an array"),
    "the scale first": Mutant(
        _flattened(answer="(scale, counted.sum())"), TOTAL, "should be 17.5, it is 3.5"
    ),
    "the mean alone": Mutant(_flattened(scale="counted.mean()"), SCALE, "should be 5, it is 4"),
    "half of the group alone": Mutant(
        _flattened(scale="level / 2"), SCALE, "should be 3.5, it is 2.25"
    ),
    "the smaller one": Mutant(_flattened(scale="min(counted.mean(), level / 2)"), SCALE, _MEAN),
    "the group's mean, not half": Mutant(
        _flattened(scale="max(counted.mean(), level)"), SCALE, "should be 3.5, it is 4.5"
    ),
    "half of the largest": Mutant(
        _flattened(scale="max(counted.mean(), max(group, default=0) / 2)"), SCALE, _MEAN
    ),
    "half of the largest that was": Mutant(
        _flattened(scale="max(counted.mean(), ordered[0] / 2)"), SCALE, _MEAN
    ),
    "the mean before": Mutant(_flattened(scale="max(np.mean(values), level / 2)"), SCALE, _MEAN),
    "the mean of those who are not flattened": Mutant(
        _flattened(scale="max(np.mean(ordered[outliers:] if len(group) else 0), level / 2)"),
        SCALE,
        "should be 3.5, it is 3.25",
    ),
    "the flattened count for nothing in the mean": Mutant(
        _flattened(scale="max(ordered[outliers:].sum() / len(ordered), level / 2)"), SCALE, _MEAN
    ),
    "both added": Mutant(_flattened(scale="counted.mean() + level / 2"), SCALE, _MEAN),
    "a scale of 1 at least": Mutant(
        _flattened(scale="max(1, counted.mean(), level / 2)"), SCALE, _MEAN
    ),
    "a rounded scale": Mutant(
        _flattened(scale="round(max(counted.mean(), level / 2))"), SCALE, "should be 3.5, it is 4"
    ),
    "a deviation": Mutant(_flattened(scale="max(counted.std(), level / 2)"), SCALE, _MEAN),
    "the group's size in any case": Mutant(_flattened(level="sum(group) / top"), FEW, _LEFT),
    "no mean of nobody": Mutant(_flattened(level="np.mean(group)"), FEW, _LEFT),
    "the group by its places": Mutant(
        _flattened(
            group="[ordered[outliers + i] for i in range(top)]",
            level="np.mean(group)",
        ),
        FEW,
        "raised IndexError",
    ),
    "nobody is flattened where few are left": Mutant(
        _flattened(level="np.mean(group) if len(group) == top else ordered[0]"), FEW, _LEFT
    ),
    "one is left as they are": Mutant(
        _flattened(level="np.mean(group) if len(group) else ordered[-1]"), FEW, _LEFT
    ),
    "one is no group where two are asked for": Mutant(
        _flattened(level="np.mean(group) if len(group) >= min(top, 2) else 0.0"), FEW, _LEFT
    ),
    "two for each other": Mutant(
        _flattened(before="outliers = min(outliers, max(1, len(values) - 1))"), FEW, _LEFT
    ),
    "suppressed": Mutant(_flattened(before="if len(values) < 2: return None"), FEW, "it is None"),
    "less than 0 adds less": Mutant(_flattened(bad="False"), INPUT, _FIRST),
    "less than 0 is 0": Mutant(
        _flattened(before="values = np.maximum(values, 0)"), INPUT, "should raise ValueError"
    ),
    "the sum below 0": Mutant(_flattened(bad="sum(values) < 0"), INPUT, "should raise ValueError"),
    "the first below 0": Mutant(_flattened(bad="values[0] < 0"), INPUT, "should raise ValueError"),
    "below -1 at least": Mutant(
        _flattened(bad="min(values) < -1e-6"), INPUT, "should raise ValueError"
    ),
    "another error": Mutant(
        _flattened().replace("raise ValueError", "raise TypeError"), INPUT, "raised TypeError"
    ),
    "nothing is refused": Mutant(_flattened(bad="min(values) <= 0"), INPUT, "raised ValueError"),
    "the values sorted": Mutant(
        _flattened(before="values.sort()"), INPUT, "changes what it was given"
    ),
    "flattened where they are": Mutant(
        """
def flattened_sum(values, outliers, top):
    if min(values) < 0:
        raise ValueError("values must be at least 0")
    places = sorted(range(len(values)), key=lambda i: -values[i])
    group = [values[i] for i in places[outliers : outliers + top]]
    level = sum(group) / max(1, len(group))
    for i in places[:outliers]:
        values[i] = level
    return sum(values), max(sum(values) / len(values), level / 2)
""",
        INPUT,
        _KEPT,
    ),
    "hardly below 0 is 0": Mutant(
        _flattened(before="values = [0 if -1e-10 < v < 0 else v for v in values]"),
        "flattened_sum_input",
        "Look for a value below 0",
    ),
    "a scale of seven decimals": Mutant(
        _flattened(scale="round(max(counted.mean(), level / 2), 7)"),
        "flattened_sum_scale",
        "half of the top group's mean",
    ),
}

ANSWERS = Answers("flattened_sum", RIGHT, MUTANTS)
