"""Answers to `debias`. The mistakes: half of the line, the wrong line, or not entry by entry."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _line(formula: str) -> str:
    """The text of `debias` with this formula in y, p and q."""
    return f"""
def debias(answers, epsilon):
    y = np.asarray(answers)
    p = np.exp(epsilon) / (1 + np.exp(epsilon))
    q = 1 - p
    return {formula}
"""


RIGHT = {
    "through two points": _line("(y - q) / (p - q)"),
    "the formula as it stands": """
def debias(answers, epsilon):
    shifted = np.array(answers) - 1 / (1 + math.exp(epsilon))
    return shifted * (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
""",
    "a loop": """
def debias(answers, epsilon):
    answers = np.asarray(answers)
    result = np.zeros(answers.shape)
    for place, y in np.ndenumerate(answers):
        if y == 1:
            result[place] = np.exp(epsilon) / (np.exp(epsilon) - 1)
        else:
            result[place] = -1 / (np.exp(epsilon) - 1)
    return result
""",
    "two values": """
def debias(answers, epsilon):
    no, yes = np.linalg.solve(
        np.array([[np.exp(epsilon), 1], [1, np.exp(epsilon)]]) / (1 + np.exp(epsilon)), [0, 1]
    )
    return np.where(np.array(answers) > 0.5, yes, no)
""",
    "hyperbolic": """
def debias(answers, epsilon):
    return (np.asarray(answers, dtype=float) - 0.5) / np.tanh(epsilon / 2) + 0.5
""",
}

MUTANTS = {
    "only stretched": Mutant(_line("y / (p - q)"), "debias_values", "should be [1.5, -0.5]"),
    "only shifted": Mutant(_line("y - q"), "debias_values", "it is [0.75, -0.25]"),
    "shifted by the probability of the truth": Mutant(
        _line("(y - p) / (p - q)"), "debias_values", "it is [0.5, -1.5]"
    ),
    "stretched the wrong way": Mutant(
        _line("(y - q) * (p - q)"), "debias_values", "First subtract the probability of a lie"
    ),
    "stretched before the shift": Mutant(
        _line("y / (p - q) - q"), "debias_values", "it is [1.75, -0.25]"
    ),
    "divided by the probability of the truth": Mutant(
        _line("(y - q) / p"), "debias_unbiased", "when the truth is 1"
    ),
    "a sign": Mutant(_line("(y - q) / (q - p)"), "debias_values", "it is [-1.5, 0.5]"),
    "clipped": Mutant(
        _line("np.clip((y - q) / (p - q), 0, 1)"), "debias_unbiased", "should be 0, it is"
    ),
    "rounded to a truth": Mutant(
        _line("np.round((y - q) / (p - q))"), "debias_values", "should be [1.5, -0.5]"
    ),
    "the probability that the truth is 1": Mutant(
        _line("np.where(y == 1, p, q)"), "debias_unbiased", "Solve for the line"
    ),
    "whole numbers": Mutant(
        """
def debias(answers, epsilon):
    answers = np.asarray(answers)
    result = np.zeros_like(answers)
    lie = 1 / (1 + np.exp(epsilon))
    result[...] = (answers - lie) / (1 - 2 * lie)
    return result
""",
        "debias_values",
        "it is [1, 0]",
    ),
    "from the mean of all answers": Mutant(
        _line("(y - y.mean()) / (p - q) + y.mean()"), "debias_values", "should be [-1, 2, 2]"
    ),
    "one number for all": Mutant(
        _line("((y - q) / (p - q)).mean()"),
        "debias_values",
        "should be an array of shape (2,), it is one number",
    ),
    "divided by the number of people": Mutant(
        _line("(y - q) / (p - q) / len(y)"), "debias_values", "it is [0.75, -0.25]"
    ),
    "epsilon fixed at log(3)": Mutant(_line("2 * y - 0.5"), "debias_unbiased", "epsilon = 1.000"),
    "right for small epsilon only": Mutant(
        _line("(y - 0.5) * 2 / epsilon + 0.5"), "debias_unbiased", "epsilon = 1.000"
    ),
    "the shape lost": Mutant(
        """
def debias(answers, epsilon):
    lie = 1 / (1 + np.exp(epsilon))
    return np.array([(y - lie) / (1 - 2 * lie) for y in np.ravel(answers)])
""",
        "debias_shape",
        "should be an array of shape (2, 3), it is an array of shape (6,)",
    ),
    "changed in place": Mutant(
        """
def debias(answers, epsilon):
    lie = 1 / (1 + np.exp(epsilon))
    answers = np.asarray(answers, dtype=float)
    answers -= lie
    answers /= 1 - 2 * lie
    return answers
""",
        "debias_shape",
        "changes what it was given",
    ),
    # Right where a test usually looks.
    "no epsilon below 0.1": Mutant(
        _line("(y - q) / max(p - q, np.tanh(0.05))"), "debias_unbiased", "for every epsilon"
    ),
    "as they are for large epsilon": Mutant(
        _line("np.where(epsilon >= 10, y, (y - q) / (p - q))"),
        "debias_unbiased",
        "for every epsilon",
    ),
    "as they are for the largest epsilon": Mutant(
        _line("np.where(epsilon >= 18, y, (y - q) / (p - q))"),
        "debias_unbiased",
        "for every epsilon",
    ),
    "an epsilon 3% too large": Mutant(
        _line("(y - 0.5) / np.tanh(0.515 * epsilon) + 0.5"),
        "debias_values",
        "should be [1.5, -0.5]",
    ),
    "rounded to two digits": Mutant(
        _line("np.round((y - q) / (p - q), 2)"), "debias_unbiased", "the expected estimate"
    ),
    "rounded to eight digits": Mutant(
        _line("np.round((y - q) / (p - q), 8)"), "debias_unbiased", "round nothing"
    ),
    "single precision": Mutant(
        _line("((y - q) / (p - q)).astype(np.float32)"),
        "debias_unbiased",
        "the expected estimate",
    ),
    "at most 20": Mutant(
        _line("np.clip((y - q) / (p - q), -20, 20)"), "debias_unbiased", "for every epsilon"
    ),
    "clipped for more than a thousand": Mutant(
        _line("(y - q) / (p - q) if y.size < 1000 else np.clip((y - q) / (p - q), 0, 1)"),
        "debias_shape",
        "arrays of any shape and size",
    ),
    "as if all the rest were the first ten thousand": Mutant(
        _line("np.resize(((y - q) / (p - q)).ravel()[:10000], y.shape)"),
        "debias_shape",
        "arrays of any shape and size",
    ),
    "tables become rows in four dimensions": Mutant(
        _line("((y - q) / (p - q)).reshape(y.shape if y.ndim < 4 else (len(y), -1))"),
        "debias_shape",
        "arrays of any shape and size",
    ),
    "dplab's own": Mutant(
        """
def debias(answers, epsilon):
    return RandomizedResponse(epsilon).debias(np.asarray(answers, dtype=int))
""",
        "debias_values",
        "off limits",
    ),
}

ANSWERS = Answers("debias", RIGHT, MUTANTS)
