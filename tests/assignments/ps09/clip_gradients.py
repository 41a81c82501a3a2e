"""Answers to `clip_gradients`. The mistakes: whose norm it is, zeros, and what is short already."""

from autograder.rehearsal.catalogue import Answers, Mutant

_GRADIENTS = """
def logistic_gradients(w, x, y):
    return (-y * expit(-y * (x @ w)))[:, None] * x

"""


def _clip(body: str) -> str:
    """The text of both functions with this body of `clip_gradients`."""
    return f"{_GRADIENTS}\ndef clip_gradients(gradients, C):\n    {body}\n"


def _gradients(body: str) -> str:
    """The text of both functions with this body of `logistic_gradients`."""
    clip = "return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]"
    return f"""
def logistic_gradients(w, x, y):
    {body}


def clip_gradients(gradients, C):
    {clip}
"""


RIGHT = {
    "the norm, or C": _clip(
        "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
        "    return gradients * (C / np.maximum(norms, C))"
    ),
    "person by person": """
def logistic_gradients(w, x, y):
    gradients = np.zeros(x.shape)
    for i in range(len(y)):
        t = float(y[i]) * float(np.dot(x[i], w))
        pull = math.exp(-t) / (1 + math.exp(-t)) if t > 0 else 1 / (1 + math.exp(t))
        gradients[i] = -y[i] * x[i] * pull
    return gradients


def clip_gradients(gradients, C):
    clipped = np.array(gradients, dtype=float)
    for row in clipped:
        norm = math.hypot(*row)
        if norm > C:
            row *= C / norm
    return clipped
""",
    "where it is longer": _gradients(
        "t = y * (x @ w)\n"
        "    shares = np.where(t > 0, np.exp(-np.abs(t)), 1) / (1 + np.exp(-np.abs(t)))\n"
        "    return np.einsum('i,ij->ij', -y * shares, x)"
    ).replace(
        "    return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]",
        "    squares = np.sum(gradients**2, axis=1)\n"
        "    factors = np.ones(len(gradients))\n"
        "    longer = squares > C**2\n"
        "    factors[longer] = C / np.sqrt(squares[longer])\n"
        "    return factors[:, None] * gradients",
    ),
}

MUTANTS = {
    "uphill": Mutant(
        _gradients("return (y * expit(-y * (x @ w)))[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "the label once only": Mutant(
        _gradients("return (-expit(-y * (x @ w)))[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "the probability of being right": Mutant(
        _gradients("return (-y * expit(y * (x @ w)))[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "labels 0 and 1": Mutant(
        _gradients("return (expit(x @ w) - y)[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "summed up": Mutant(
        _gradients("return (-y * expit(-y * (x @ w))) @ x"),
        "clip_gradients_gradients",
        "should be an array of shape (3, 2)",
    ),
    "an n-th of each": Mutant(
        _gradients("return (-y * expit(-y * (x @ w)))[:, None] * x / len(x)"),
        "clip_gradients_gradients",
        "for each person by herself",
    ),
    "infinity over infinity": Mutant(
        _gradients("e = np.exp(-y * (x @ w))\n    return (-y * e / (1 + e))[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "not beyond 30": Mutant(
        _gradients("return (-y * expit(-y * np.clip(x @ w, -3, 30)))[:, None] * x"),
        "clip_gradients_gradients",
        "Row i is -y_i x_i",
    ),
    "gradients of whole numbers": Mutant(
        _gradients(
            "found = np.zeros_like(x)\n"
            "    for i in range(len(x)):\n"
            "        found[i] = -y[i] * x[i] * expit(-y[i] * (x[i] @ w))\n"
            "    return found"
        ),
        "clip_gradients_gradients",
        "Features may be whole numbers",
    ),
    "every row at norm C": Mutant(
        _clip("return C * gradients / np.linalg.norm(gradients, axis=1, keepdims=True)"),
        "clip_gradients_values",
        "else as it is",
    ),
    "every number between -C and C": Mutant(
        _clip("return np.clip(gradients, -C, C)"), "clip_gradients_values", "by its own L2 norm"
    ),
    "the L1 norm": Mutant(
        _clip(
            "norms = np.abs(gradients).sum(axis=1, keepdims=True)\n"
            "    return gradients / np.maximum(1, norms / C)"
        ),
        "clip_gradients_values",
        "by its own L2 norm",
    ),
    "the norm of the whole array": Mutant(
        _clip("return gradients / max(1, np.linalg.norm(gradients) / C)"),
        "clip_gradients_property",
        "moves the sum of the clipped rows by more than C",
    ),
    "the largest norm for all": Mutant(
        _clip(
            "most = np.linalg.norm(gradients, axis=1).max(initial=0)\n"
            "    return gradients / max(1, most / C)"
        ),
        "clip_gradients_property",
        "moves the sum of the clipped rows by more than C",
    ),
    "the mean is clipped": Mutant(
        _clip(
            "mean = np.linalg.norm(gradients.mean(axis=0))\n    return gradients / max(1, mean / C)"
        ),
        "clip_gradients_property",
        "moves the sum of the clipped rows by more than C",
    ),
    "nothing is clipped": Mutant(
        _clip("return gradients + 0.0"),
        "clip_gradients_property",
        "moves the sum of the clipped rows by more than C",
    ),
    "the sum of squares": Mutant(
        _clip(
            "squares = np.sum(gradients**2, axis=1, keepdims=True)\n"
            "    return gradients / np.maximum(1, squares / C)"
        ),
        "clip_gradients_values",
        "by its own L2 norm",
    ),
    "columns": Mutant(
        _clip("return gradients / np.maximum(1, np.linalg.norm(gradients, axis=0) / C)"),
        "clip_gradients_values",
        "Each row",
    ),
    "long rows left out": Mutant(
        _clip("return gradients * (np.linalg.norm(gradients, axis=1, keepdims=True) <= C)"),
        "clip_gradients_values",
        "shortened to C",
    ),
    "1 for C": Mutant(
        _clip("return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1, keepdims=True))"),
        "clip_gradients_values",
        "shortened to C",
    ),
    "whole numbers remain whole": Mutant(
        _clip(
            "clipped = gradients.copy()\n"
            "    for i, norm in enumerate(np.linalg.norm(gradients, axis=1)):\n"
            "        if norm > C:\n"
            "            clipped[i] = gradients[i] * (C / norm)\n"
            "    return clipped"
        ),
        "clip_gradients_values",
        "Whole numbers are shortened to fractions",
    ),
    "not more than 1,000 rows": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    norms[1000:] = 0\n"
            "    return gradients * (C / np.maximum(norms, C))"
        ),
        "clip_gradients_values",
        "in units of their length",
    ),
    "a factor of at least a thousandth": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    return gradients * np.maximum(1e-3, C / np.maximum(norms, C))"
        ),
        "clip_gradients_values",
        "in units of their length",
    ),
    "zeros divided by zero": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    return gradients / norms * np.minimum(norms, C)"
        ),
        "clip_gradients_edges",
        "zeros too",
    ),
    "a little added to the norm": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    return gradients * np.minimum(1, C / (norms + 1e-6))"
        ),
        "clip_gradients_edges",
        "What has a norm of at most C stays",
    ),
    "exactly C is gone": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    shorter = np.where(norms > C, C / np.maximum(norms, C), 1)\n"
            "    return gradients * np.where(norms == C, 0, shorter)"
        ),
        "clip_gradients_edges",
        "What has a norm of at most C stays",
    ),
    "no empty batch": Mutant(
        _clip(
            "return np.array([row * min(1, C / max(C, np.linalg.norm(row))) for row in gradients])"
        ),
        "clip_gradients_edges",
        "Nobody is in the batch",
    ),
    "in the array that it is given": Mutant(
        _clip(
            "rows = np.asarray(gradients)\n"
            "    rows *= 0.5 * (1 + 1 / np.maximum(1, np.linalg.norm(rows, axis=1) / C))[:, None]\n"
            "    rows *= 1 / np.maximum(1, np.linalg.norm(rows, axis=1) / C)[:, None]\n"
            "    rows[:] = rows - 1e-7 * rows\n"
            "    return rows * (1 + 1e-7)"
        ),
        "clip_gradients_edges",
        "changes what it was given",
    ),
    "dplab's own": Mutant(
        _clip("import dplab.learning\n\n    return dplab.learning.clip_rows(gradients, C)"),
        "clip_gradients_values",
        "is off limits in an answer",
    ),
    "tiny rows are zeros": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    return np.where(norms < 1e-12, 0, gradients * (C / np.maximum(norms, C)))"
        ),
        "clip_gradients_edges",
        "zeros and tiny rows stay",
    ),
    "nine of ten rows": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients, axis=1, keepdims=True)\n"
            "    bound = np.maximum(C, np.quantile(norms, 0.1) if len(norms) > 1 else C)\n"
            "    return gradients * (bound / np.maximum(norms, bound))"
        ),
        "clip_gradients_values",
        "shortened to C",
    ),
    "shortened where they are": Mutant(
        _clip(
            "gradients /= np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]\n"
            "    return gradients"
        ),
        "clip_gradients_edges",
        "changes what it was given",
    ),
    "the norm of 499 features": Mutant(
        _clip(
            "norms = np.linalg.norm(gradients[:, :499], axis=1, keepdims=True)\n"
            "    return gradients * (C / np.maximum(norms, C))"
        ),
        "clip_gradients_values",
        "in units of their length",
    ),
}

ANSWERS = Answers("clip_gradients", RIGHT, MUTANTS)
