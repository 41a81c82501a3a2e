"""Answers to `digit_bit`. The mistakes: another order of the steps, or the other half."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _bits(formula: str) -> str:
    """The text of `digit_bit` with this formula in x, factor, power and offset."""
    return f"""
def digit_bit(numbers, factor, power, offset):
    x = np.asarray(numbers, dtype=float)
    return {formula}
"""


Y = "offset * (x * factor) ** power"

RIGHT = {
    "the equation": _bits(f"(np.floor({Y} + 0.5) == np.floor({Y})).astype(int)"),
    "the fraction": _bits(f"np.where(({Y}) % 1 < 0.5, 1, 0)"),
    "rounded": _bits(f"((2 * ({Y})).astype(np.int64) + 1) % 2"),
    "a loop": """
def digit_bit(numbers, factor, power, offset):
    bits = []
    for x in numbers:
        y = offset * math.pow(x * factor, power)
        bits.append(1 if math.floor(y + 0.5) == math.floor(y) else 0)
    return bits
""",
}

SETS, VALUES = "digit_bit_sets", "digit_bit_values"
MUTANTS = {
    "the other half": Mutant(_bits(f"(({Y}) % 1 >= 0.5).astype(int)"), VALUES, "should be [0]"),
    "the power before the factor": Mutant(
        _bits("((offset * factor * x**power) % 1 < 0.5).astype(int)"),
        SETS,
        "Multiply by the factor",
    ),
    "the offset inside the power": Mutant(
        _bits("((offset * x * factor) ** power % 1 < 0.5).astype(int)"), SETS, "Multiply by"
    ),
    "the offset added": Mutant(
        _bits("(((x * factor) ** power + offset) % 1 < 0.5).astype(int)"), VALUES, "should be [1]"
    ),
    "without the factor": Mutant(
        _bits("((offset * x**power) % 1 < 0.5).astype(int)"),
        SETS,
        "should be 0 in entry 0, it is 1",
    ),
    "without the power": Mutant(
        _bits("((offset * x * factor) % 1 < 0.5).astype(int)"), VALUES, "should be [0]"
    ),
    "the bit of the whole number": Mutant(
        _bits(f"np.floor({Y}).astype(np.int64) % 2"), VALUES, "should be"
    ),
    "floor and round": Mutant(
        _bits(f"(np.ceil({Y}) == np.floor({Y})).astype(int)"), VALUES, "should be [1]"
    ),
    "whole numbers": Mutant(
        """
def digit_bit(numbers, factor, power, offset):
    y = (np.asarray(numbers) * factor) ** int(power) * offset
    return (y % 1 < 0.5).astype(int)
""",
        VALUES,
        "should be [0]",
    ),
    "one bit for all": Mutant(
        _bits(f"int((({Y}) % 1 < 0.5).all())"), VALUES, "should be an array of shape (1,)"
    ),
    "half counts as below": Mutant(
        _bits(f"(({Y}) % 1 <= 0.5).astype(int)"), VALUES, "A fraction of exactly one half"
    ),
    "rounded to even": Mutant(
        _bits(f"(np.round({Y}) == np.floor({Y})).astype(int)"),
        VALUES,
        "A fraction of exactly one half",
    ),
    "the first two hundred": Mutant(
        _bits(f"((({Y}) % 1 < 0.5) & (np.arange(len(x)) < 200)).astype(int)"), SETS, "however many"
    ),
    "the first ten thousand": Mutant(
        _bits(f"((({Y}) % 1 < 0.5) & (np.arange(len(x)) < 10_000)).astype(int)"),
        SETS,
        "however many",
    ),
    "whole clients": Mutant(
        _bits(f"(({Y.replace('x *', 'np.floor(x) *')}) % 1 < 0.5).astype(int)"),
        SETS,
        "however many",
    ),
    "single precision": Mutant(
        _bits(f"(({Y.replace('x *', 'x.astype(np.float32) *')}) % 1 < 0.5).astype(int)"),
        SETS,
        "Multiply by the factor",
    ),
    "powers up to one": Mutant(
        _bits("(offset * (x * factor) ** min(power, 1) % 1 < 0.5).astype(int)"), SETS, "Multiply"
    ),
    "offsets up to a hundred": Mutant(
        _bits("(min(offset, 100) * (x * factor) ** power % 1 < 0.5).astype(int)"),
        SETS,
        "however many",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.diffix.digits import Digit


def digit_bit(numbers, factor, power, offset):
    return Digit("x", factor, power, offset).holds(numbers).astype(int)
""",
        VALUES,
        "is off limits in an answer",
    ),
    "numbers from one on": Mutant(
        _bits(f"({Y.replace('x', 'np.maximum(x, 1)')} % 1 < 0.5).astype(int)"),
        "digit_bit_sets",
        "Every factor, power",
    ),
    "numbers up to 9,900": Mutant(
        _bits(f"({Y.replace('x', 'np.minimum(x, 9900)')} % 1 < 0.5).astype(int)"),
        "digit_bit_sets",
        "Every factor, power",
    ),
    "powers up to 1.85": Mutant(
        _bits(f"({Y.replace('power', 'min(power, 1.85)')} % 1 < 0.5).astype(int)"),
        "digit_bit_sets",
        "Every factor, power",
    ),
    "factors up to 99": Mutant(
        _bits(f"({Y.replace('factor', 'min(factor, 99)')} % 1 < 0.5).astype(int)"),
        "digit_bit_sets",
        "Every factor, power",
    ),
    "small offsets are whole": Mutant(
        _bits(f"({Y.replace('offset', '(offset if offset > 99 else int(offset))')} % 1 < 0.5) * 1"),
        "digit_bit_sets",
        "Every factor, power",
    ),
}

ANSWERS = Answers("digit_bit", RIGHT, MUTANTS)
