"""Answers to `report`. The mistakes: what the budget buys, the order of the counts, and what is
left undone that costs nothing.

The errors of such strategies over many towns, and with which probability each of them is on the
other side of a bound, are printed by `python tests/benchmarks/capstone.py`.
"""

from autograder.rehearsal.catalogue import Answers, Mutant


def _report(body: str, sigma: str = "math.sqrt(tables / rho)") -> str:
    """Normal noise in each count, and these lines."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def report(ask, shape, n, rho):
    queries = np.asarray(MarginalQueries(shape, 2))
    tables = math.comb(len(shape), 2)
    answers = ask(queries, {sigma})
{lines}
"""


# Least squares over all answers, among tables that add up to n.
LEAST_SQUARES = """
even = np.full(math.prod(shape), n / math.prod(shape))
inverse = np.linalg.pinv(queries @ queries.T, 1e-9, hermitian=True)
change = queries.T @ inverse @ (answers - queries @ even)
found = queries @ (even + change - change.mean())
"""

RIGHT = {
    "projection": _report("return queries @ nearest_table(queries, answers, n)"),
    "tables of three, projected": """
def report(ask, shape, n, rho):
    k = min(3, len(shape))
    three = MarginalQueries(shape, k)
    sigma = (math.comb(len(shape), k) / rho) ** 0.5
    answers = ask(np.asarray(three), sigma)
    return list(MarginalQueries(shape, 2) @ nearest_table(np.asarray(three), answers, n))
""",
    "the total, and table after table": """
def report(ask, shape, n, rho):
    pairs = list(combinations(range(len(shape)), 2))
    queries = np.asarray(MarginalQueries(shape, 2)).astype(float)
    ends = np.cumsum([shape[a] * shape[b] for a, b in pairs])[:-1]
    sigma = math.sqrt(len(pairs) / rho)
    (people,) = ask([[1] * math.prod(shape)], 0.001)  # that costs nothing
    answers = np.concatenate([ask(table.tolist(), sigma) for table in np.split(queries, ends)])
    return queries @ nearest_table(queries, answers, round(people), steps=300)
""",
    # The strategy with the least noise on average: the fourth root of W'W.
    "other questions": """
from scipy.spatial.distance import pdist

from dplab.queries.projection import to_simplex


def report(ask, shape, n, rho):
    wanted = np.asarray(MarginalQueries(shape, 2)).astype(float)
    squares, directions = np.linalg.eigh(wanted.T @ wanted)
    kept = squares > 1e-9 * squares.max()
    strategy = (directions[:, kept] * squares[kept] ** 0.25).T
    sigma = pdist(strategy.T).max() / math.sqrt(2 * rho)
    answers = ask(strategy, sigma * (1 + 1e-9))
    pace = 1 / np.linalg.norm(strategy, 2) ** 2
    table = ahead = np.full(math.prod(shape), n / math.prod(shape))
    for step in range(400):
        before = table
        table = to_simplex(ahead - pace * strategy.T @ (strategy @ ahead - answers), n)
        ahead = table + step / (step + 3) * (table - before)
    return wanted @ table
""",
}

FORM, CONSISTENT = "report_form", "report_consistent"
BUDGET, TOGETHER, BEST = "report_budget", "report_together", "report_best"
PROJECTED = "return queries @ nearest_table(queries, answers, n)"
MUTANTS = {
    "the whole table": Mutant(
        _report("return nearest_table(queries, answers, n)"),
        FORM,
        "should be an array of shape (16,)",
    ),
    "a table for each pair": Mutant(
        _report(
            "ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]\n"
            f"found = {PROJECTED[7:]}\n"
            "return {k: table for k, table in enumerate(np.split(found, ends))}"
        ),
        FORM,
        "should be numbers, it is",
    ),
    "the graded shape": Mutant(
        _report(PROJECTED).replace("    queries =", "    shape = SHAPE\n    queries ="),
        FORM,
        "raised ValueError: queries must be",
    ),
    "sensitivity 1": Mutant(
        _report(PROJECTED, "math.sqrt(1 / (2 * rho))"), FORM, "price must be at most ZCDP"
    ),
    "all of rho for each table": Mutant(
        """
def report(ask, shape, n, rho):
    queries = np.asarray(MarginalQueries(shape, 2))
    ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]
    answers = np.concatenate([ask(table, (1 / rho) ** 0.5) for table in np.split(queries, ends)])
    return queries @ nearest_table(queries, answers, n)
""",
        FORM,
        "price must be at most ZCDP",
    ),
    "a guess for a small town": Mutant(
        _report(
            "if n < 400:\n"
            "    return queries @ np.full(len(queries.T), n / len(queries.T))\n"
            f"{PROJECTED}"
        ),
        FORM,
        "in deviations of normal noise",
    ),
    "a guess for four attributes": Mutant(
        _report(
            "if len(shape) == 4:\n"
            "    return queries @ np.full(len(queries.T), n / len(queries.T))\n"
            f"{PROJECTED}"
        ),
        FORM,
        "in deviations of normal noise",
    ),
    "a guess for a small budget": Mutant(
        _report(
            "if rho < 0.02 and len(shape) > 2:\n"
            "    return queries @ np.full(len(queries.T), n / len(queries.T))\n"
            f"{PROJECTED}"
        ),
        FORM,
        "in deviations of normal noise",
    ),
    "a guess for small towns of three attributes": Mutant(
        _report(
            "if n < 150 and len(shape) > 2:\n"
            "    return queries @ np.full(len(queries.T), n / len(queries.T))\n"
            f"{PROJECTED}"
        ),
        FORM,
        "in deviations of normal noise",
    ),
    "out of order": Mutant(_report(f"{PROJECTED}[::-1]"), FORM, "in deviations of normal noise"),
    "always tables of three": Mutant(
        """
def report(ask, shape, n, rho):
    three = np.asarray(MarginalQueries(shape, 3))
    answers = ask(three, math.sqrt(math.comb(len(shape), 3) / rho))
    return MarginalQueries(shape, 2) @ nearest_table(three, answers, n)
""",
        FORM,
        "raised ValueError: k must be",
    ),
    "nothing asked": Mutant(
        """
def report(ask, shape, n, rho):
    even = np.full(math.prod(shape), n / math.prod(shape))
    return MarginalQueries(shape, 2) @ even
""",
        BUDGET,
        "the error over 12 towns",
    ),
    "rounded to whole people": Mutant(
        _report(f"return np.round({PROJECTED[7:]})"), CONSISTENT, "over n, in report"
    ),
    "negative people": Mutant(
        _report(f"{LEAST_SQUARES}return found"), CONSISTENT, "No count may be below 0."
    ),
    "negative people of six attributes": Mutant(
        _report(
            "if len(shape) == 6 and shape != SHAPE:\n"
            "    return queries @ np.linalg.lstsq(queries, answers, rcond=None)[0]\n"
            f"{PROJECTED}"
        ),
        CONSISTENT,
        "over n, in report",
    ),
    "each table by itself": Mutant(
        _report(
            "found = np.maximum(answers, 1e-9)\n"
            "ends = np.cumsum([a * b for a, b in combinations(shape, 2)])[:-1]\n"
            "return np.concatenate([n * t / t.sum() for t in np.split(found, ends)])"
        ),
        CONSISTENT,
        "must be the same",
    ),
    "cut off at 0": Mutant(
        _report(f"{LEAST_SQUARES}return np.maximum(found, 0)"), CONSISTENT, "adds up to n"
    ),
    "five hundred people": Mutant(
        _report("return queries @ nearest_table(queries, answers, 500)"),
        CONSISTENT,
        "adds up to n",
    ),
    "a noisy table": Mutant(
        """
def report(ask, shape, n, rho):
    cells = ask(np.eye(math.prod(shape)), rho**-0.5)
    return MarginalQueries(shape, 2) @ cells
""",
        BUDGET,
        "the error over 12 towns",
    ),
    "the L1 sensitivity": Mutant(
        _report("return answers", "2 * tables / math.sqrt(2 * rho)"),
        BUDGET,
        "the error over 12 towns",
    ),
    "half of the budget": Mutant(
        _report("return answers", "math.sqrt(2 * tables / rho)"), BUDGET, "the error over 12 towns"
    ),
    "the graded budget": Mutant(
        _report(PROJECTED, "math.sqrt(tables / RHO)"), BUDGET, "the error over 4 towns at rho = 1"
    ),
    # In a town of two kinds its error is above 24, unless noise of deviation 2.4 reaches 100.
    "attributes that don't depend": Mutant(
        """
def report(ask, shape, n, rho):
    single = np.asarray(MarginalQueries(shape, 1))
    shares = np.maximum(ask(single, math.sqrt(len(shape) / rho)), 0.01) / n
    table = np.ones(1)
    for share in np.split(shares, np.cumsum(shape)[:-1]):
        table = np.outer(table, share / share.sum()).ravel()
    return MarginalQueries(shape, 2) @ (n * table)
""",
        BUDGET,
        "the error over 4 towns at rho = 1",
    ),
    "normal noise in each count": Mutant(
        _report("return answers"), TOGETHER, "the error over 16 towns"
    ),
    "three quarters of the noise in vain": Mutant(
        _report(f"{LEAST_SQUARES}return found", "1.5 * math.sqrt(tables / rho)"),
        TOGETHER,
        "the error over 16 towns",
    ),
    "least squares alone": Mutant(
        _report("return queries @ np.linalg.lstsq(queries, answers, rcond=None)[0]"),
        BEST,
        "the error over 16 towns",
    ),
    "least squares, n known": Mutant(
        _report(f"{LEAST_SQUARES}return found"), BEST, "the error over 16 towns"
    ),
    "the nearest table, hardly looked for": Mutant(
        _report("return queries @ nearest_table(queries, answers, n, steps=2)"),
        BEST,
        "the error over 16 towns",
    ),
}

ANSWERS = Answers("report", RIGHT, MUTANTS)
