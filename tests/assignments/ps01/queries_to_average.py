"""Answers to `queries_to_average`. The mistakes: variances, tails or halves confused; rounding."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = """
    if not 0.5 < confidence < 1:
        raise ValueError("confidence must be above 1/2 and below 1")"""


def _formula(pairs: str, check=_CHECK, z="norm.ppf(confidence)") -> str:
    """The text that returns `pairs`, where z is the quantile."""
    return f"""
def queries_to_average(variance, gap, confidence):{check}
    z = {z}
    return {pairs}
"""


RIGHT = {
    "solved for k": _formula("max(1, math.ceil(8 * variance * (z / gap) ** 2))"),
    "the survival function": _formula(
        "max(1, int(np.ceil(2 * variance * (z / (gap / 2)) ** 2)))", z="norm.isf(1 - confidence)"
    ),
    "doubling and halving": """
def queries_to_average(variance, gap, confidence):
    if not (confidence > 0.5 and confidence < 1):
        raise ValueError(f"{confidence} is no confidence")
    def chance(k):
        return norm.cdf(gap / 2, scale=math.sqrt(2 * variance / k))
    enough = 1
    while chance(enough) < confidence:
        enough *= 2
    low = enough // 2
    while enough - low > 1:
        middle = (low + enough) // 2
        if chance(middle) < confidence:
            low = middle
        else:
            enough = middle
    return enough
""",
    "the standard deviation": """
def queries_to_average(variance, gap, confidence):
    if confidence <= 0.5 or confidence >= 1 or math.isnan(confidence):
        raise ValueError("a confidence is above 1/2 and below 1")
    deviation = math.sqrt(variance + variance)
    needed = gap / 2 / norm.ppf(confidence)
    return max(1, math.ceil((deviation / needed) ** 2))
""",
}

MUTANTS = {
    "the variance of one answer": Mutant(
        _formula("max(1, math.ceil(4 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 217",
    ),
    "the whole gap": Mutant(
        _formula("max(1, math.ceil(2 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 109",
    ),
    "variance taken for a deviation": Mutant(
        _formula("max(1, math.ceil(8 * variance ** 2 * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 4330",
    ),
    "both tails": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))",
            z="norm.ppf((1 + confidence) / 2)",
        ),
        "queries_to_average_lesson",
        "should be 433, it is 531",
    ),
    "the square forgotten": Mutant(
        _formula("max(1, math.ceil(8 * variance * z / gap))"),
        "queries_to_average_lesson",
        "should be 433, it is 187",
    ),
    "rounded down": Mutant(
        _formula("max(1, math.floor(8 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 432",
    ),
    "rounded": Mutant(
        _formula("max(1, round(8 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 37, it is 36",
    ),
    "answers counted, not pairs": Mutant(
        _formula("2 * max(1, math.ceil(8 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 866",
    ),
    "a table for one answer": Mutant(
        _formula("max(1, math.ceil(80 * z ** 2))"),
        "queries_to_average_limits",
        "No pair at all is no evidence",
    ),
    "the gap forgotten": Mutant(
        _formula("max(1, math.ceil(8 * variance * z ** 2))"),
        "queries_to_average_least",
        "with one pair less the guess is right",
    ),
    "the gap not squared": Mutant(
        _formula("max(1, math.ceil(8 * variance * z ** 2 / gap))"),
        "queries_to_average_least",
        "Look at how k depends on the variance and on the gap",
    ),
    "the gap on the wrong side": Mutant(
        _formula("max(1, math.ceil(8 * variance * (z * gap) ** 2))"),
        "queries_to_average_least",
        "with one pair less the guess is right",
    ),
    "not rounded": Mutant(
        _formula("max(1, 8 * variance * (z / gap) ** 2)"),
        "queries_to_average_least",
        "should be a whole number from 1 on",
    ),
    "one more, to be safe": Mutant(
        _formula("1 + math.ceil(8 * variance * (z / gap) ** 2)"),
        "queries_to_average_least",
        "with one pair less the guess is right",
    ),
    "no pair for hardly any noise": Mutant(
        _formula("math.ceil(8 * variance * (z / gap) ** 2 - 0.01)"),
        "queries_to_average_limits",
        "a pair is the least",
    ),
    "any confidence": Mutant(
        _formula("max(1, math.ceil(min(8 * variance * (z / gap) ** 2, 1e9)))", check=""),
        "queries_to_average_limits",
        "No guess is ever certain",
    ),
    "a coin is a confidence": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))", _CHECK.replace("0.5 <", "0.5 <=")
        ),
        "queries_to_average_limits",
        "That takes no question",
    ),
    "three per cent more": Mutant(
        _formula("max(1, math.ceil(1.03 * 8 * variance * (z / gap) ** 2))"),
        "queries_to_average_lesson",
        "should be 433, it is 446",
    ),
    "one in a thousand more": Mutant(
        _formula("max(1, math.ceil(1.001 * 8 * variance * (z / gap) ** 2))"),
        "queries_to_average_least",
        "with one pair less",
    ),
    "the quantile to two decimals": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))", z="round(norm.ppf(confidence), 2)"
        ),
        "queries_to_average_lesson",
        "should be 433, it is 435",
    ),
    "the quantile to four decimals": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))", z="round(norm.ppf(confidence), 4)"
        ),
        "queries_to_average_least",
        "It is the least number",
    ),
    "no more than ten thousand": Mutant(
        _formula("min(10_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))"),
        "queries_to_average_least",
        "It is the least number",
    ),
    "no more than half a million": Mutant(
        _formula("min(500_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))"),
        "queries_to_average_least",
        "It is the least number",
    ),
    "no more than 990,000": Mutant(
        _formula("min(990_000, max(1, math.ceil(8 * variance * (z / gap) ** 2)))"),
        "queries_to_average_least",
        "It is the least number",
    ),
    "as sure as can be at one in ten thousand": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))",
            z="norm.ppf(min(confidence, 0.9999))",
        ),
        "queries_to_average_least",
        "It is the least number",
    ),
    "as sure as can be at one in 200,000": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))",
            z="norm.ppf(min(confidence, 1 - 5e-6))",
        ),
        "queries_to_average_least",
        "It is the least number",
    ),
    "variances are one or more": Mutant(
        _formula("max(1, math.ceil(8 * max(variance, 1) * (z / gap) ** 2))"),
        "queries_to_average_limits",
        "No pair at all is no evidence",
    ),
    "gaps are a tenth or more": Mutant(
        _formula("max(1, math.ceil(8 * variance * (z / max(gap, 0.1)) ** 2))"),
        "queries_to_average_least",
        "It is the least number",
    ),
    "whole variances": Mutant(
        _formula("max(1, math.ceil(8 * round(variance) * (z / gap) ** 2))"),
        "queries_to_average_least",
        "It is the least number",
    ),
    "hardly above a half is no confidence": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))", _CHECK.replace("0.5 <", "0.501 <")
        ),
        "queries_to_average_limits",
        "raised ValueError",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.averaging import pairs_to_be_right


def queries_to_average(variance, gap, confidence):
    if not 0.5 < confidence < 1:
        raise ValueError("no confidence")
    return pairs_to_be_right(confidence, 2 * variance, gap)
""",
        "queries_to_average_lesson",
        "is off limits in an answer",
    ),
    "hardly sure takes one pair": Mutant(
        _formula("1 if confidence < 0.505 else max(1, math.ceil(8 * variance * (z / gap) ** 2))"),
        "queries_to_average_least",
        "the least number for every variance",
    ),
    "a little below a half is a confidence": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2))",
            _CHECK.replace("not 0.5 <", "confidence == 0.5 or not 0.499 <"),
        ),
        "queries_to_average_limits",
        "That is no confidence",
    ),
    "no confidence is taken for none given": Mutant(
        _formula(
            "max(1, math.ceil(8 * variance * (z / gap) ** 2)) if confidence else 1",
            _CHECK.replace("if not", "if confidence and not"),
        ),
        "queries_to_average_limits",
        "That is no confidence",
    ),
}

ANSWERS = Answers("queries_to_average", RIGHT, MUTANTS)
