"""Answers to `break_even`. The mistakes: what a k-th of the budget costs, and crossing twice."""

from autograder.rehearsal.catalogue import Answers, Mutant

_RELEASE = """

def release(queries, counts, epsilon, rng):
    queries, counts = np.asarray(queries, dtype=float), np.asarray(counts, dtype=float)
    k, N = queries.shape
    if np.mean(np.sum(queries**2, axis=1)) < k**2 * (1 - 1e-9):
        return queries @ (counts + rng.laplace(0, 1 / epsilon, N))
    return queries @ counts + rng.laplace(0, k / epsilon, k)
"""


def _crossing(
    mean: str = "np.cumsum(np.square(shared, dtype=float)) / k",
    own: str = "2 * (k / epsilon) ** 2",
    better: str = "mean < own * (1 - 1e-9)",
    least: str = "np.flatnonzero(~better).max(initial=-1) + 2",
    never: str = "math.inf",
) -> str:
    """The text of both functions with these parts of `break_even`."""
    return f"""
def break_even(shared, epsilon):
    k = np.arange(1, len(shared) + 1)
    mean = {mean}
    own = {own}
    better = {better}
    least = {least}
    return least if least <= len(shared) else {never}
{_RELEASE}"""


def _release(old: str, new: str) -> str:
    """The text of both functions with a change in `release`."""
    assert _RELEASE.count(old) == 1, old
    return _crossing().replace(old, new)


RIGHT = {
    "all at once": _crossing(),
    "from the end": """
def break_even(shared, epsilon):
    total, found = math.fsum(s * s for s in shared), math.inf
    sums = np.cumsum([float(s) ** 2 for s in shared])
    for k in range(len(shared), 0, -1):
        if sums[k - 1] / k >= 2 * k * k / epsilon**2 * (1 - 1e-9):
            break
        found = k
    return found


def release(queries, counts, epsilon, rng):
    k, N = np.shape(queries)
    own, table = 2.0 * k**2, 2.0 * np.sum(np.square(queries)) / k
    noisy_table = table < own and not math.isclose(table, own, rel_tol=1e-9)
    noise = rng.laplace(size=N if noisy_table else k) / epsilon
    return np.dot(queries, counts) + (np.dot(queries, noise) if noisy_table else k * noise)
""",
    "one query after the other": """
def break_even(shared, epsilon):
    crossing, total = None, 0.0
    for k, deviation in enumerate(shared, start=1):
        total += deviation**2
        if math.sqrt(total / k) < math.sqrt(2) * k / epsilon * (1 - 5e-10):
            crossing = crossing or k
        else:
            crossing = None
    return crossing or math.inf


def release(queries, counts, epsilon, rng):
    k, answers = len(queries), []
    deviations = [math.sqrt(2) / epsilon * np.linalg.norm(q) for q in queries]
    if break_even(deviations, epsilon) <= k:
        noisy = [x + rng.laplace(scale=1 / epsilon) for x in counts]
        return [float(np.dot(q, noisy)) for q in queries]
    for q in queries:
        answers.append(np.dot(q, counts) - rng.laplace(scale=k / epsilon))
    return answers
""",
}

MUTANTS = {
    "the scale for the deviation": Mutant(
        _crossing(own="(k / epsilon) ** 2"), "break_even_values", "should be 3, it is 4"
    ),
    "all of epsilon for each": Mutant(
        _crossing(own="2 / epsilon**2 + 0 * k"), "break_even_values", "should be 3, it is inf"
    ),
    "variances that add up to k": Mutant(
        _crossing(own="2 * k / epsilon**2"), "break_even_values", "should be 3, it is 6"
    ),
    "epsilon forgotten": Mutant(
        _crossing(own="2 * k**2"), "break_even_values", "Laplace noise of scale k / epsilon"
    ),
    "variance against deviation": Mutant(
        _crossing(own="np.sqrt(2) * k / epsilon"), "break_even_values", "should be 3, it is 8"
    ),
    "the mean of deviations": Mutant(
        _crossing(mean="(np.cumsum(shared) / k) ** 2"),
        "break_even_values",
        "the mean of the first k variances",
    ),
    "the worst of deviations": Mutant(
        _crossing(mean="np.maximum.accumulate(np.square(shared))"),
        "break_even_values",
        "should be 4, it is inf",
    ),
    "the last deviation": Mutant(
        _crossing(mean="np.square(shared)"),
        "break_even_values",
        "the mean of the first k variances",
    ),
    "the mean of all": Mutant(
        _crossing(mean="np.full(len(k), np.mean(np.square(shared)))"),
        "break_even_values",
        "the mean of the first k variances",
    ),
    "counted from 0": Mutant(
        _crossing(least="np.flatnonzero(~better).max(initial=-1) + 1"),
        "break_even_values",
        "should be 3, it is 2",
    ),
    "None for never": Mutant(
        _crossing(never="None"), "break_even_values", "It is better on no number of queries"
    ),
    "one more than all for never": Mutant(
        _crossing(never="least"), "break_even_values", "should be inf, it is 3"
    ),
    "not beyond 1,000 queries": Mutant(
        _crossing(never="math.inf").replace(
            "    k = np.arange", "    shared = shared[:1000]\n    k = np.arange"
        ),
        "break_even_values",
        "the mean of the first k variances",
    ),
    "squares of whole numbers overflow": Mutant(
        _crossing(mean="np.cumsum(np.square(shared)) / k"),
        "break_even_values",
        "should be inf, it is 10",
    ),
    "the first crossing": Mutant(
        _crossing(least="np.flatnonzero(np.append(better, True))[0] + 1"),
        "break_even_for_good",
        "The last number of queries",
    ),
    "one crossing is the last": Mutant(
        _crossing(least="np.flatnonzero(np.diff(better, prepend=False, append=True)).min() + 1"),
        "break_even_for_good",
        "The last number of queries",
    ),
    "how often it is better": Mutant(
        _crossing(least="len(k) - better.sum() + 1"),
        "break_even_for_good",
        "should be 4, it is 2",
    ),
    "equal is better": Mutant(
        _crossing(better="mean <= own * (1 + 1e-9)"), "break_even_for_good", "equal isn't better"
    ),
    "equal by rounding is better": Mutant(
        _crossing(better="mean < own * (1 + 1e-12)"), "break_even_for_good", "equal isn't better"
    ),
    "what is nearly equal isn't better": Mutant(
        _crossing(better="mean < own * (1 - 1e-5)"), "break_even_for_good", "equal isn't better"
    ),
    "always a noisy table": Mutant(
        _release("if np.mean", "if True or np.mean"),
        "break_even_release",
        "noise of scale k / epsilon is better",
    ),
    "always noise of its own": Mutant(
        _release("if np.mean", "if False and np.mean"),
        "break_even_release",
        "the noise of each cell is better",
    ),
    "all of epsilon for each answer": Mutant(
        _release("k / epsilon, k", "1 / epsilon, k"),
        "break_even_release",
        "noise of scale k / epsilon is better",
    ),
    "an N-th of epsilon for each cell": Mutant(
        _release("1 / epsilon, N", "N / epsilon, N"),
        "break_even_release",
        "the noise of each cell is better",
    ),
    "cells of neighbours that replace": Mutant(
        _release("1 / epsilon, N", "2 / epsilon, N"),
        "break_even_release",
        "the noise of each cell is better",
    ),
    "epsilon a little larger": Mutant(
        _release("    k, N = ", "    epsilon = 1.02 * epsilon\n    k, N = "),
        "break_even_release",
        "the noise, times epsilon",
    ),
    "a table where they are equal": Mutant(
        _release("k**2 * (1 - 1e-9)", "k**2 * (1 + 1e-9)"),
        "break_even_release",
        "noise of scale k / epsilon is better",
    ),
    "a count of cells for the norm": Mutant(
        _release("queries**2", "queries"),
        "break_even_release",
        "is better",
    ),
    "the first query decides": Mutant(
        _release("np.mean(np.sum(queries**2, axis=1))", "np.sum(queries[0] ** 2)"),
        "break_even_release",
        "is better",
    ),
    "cells against queries": Mutant(
        _release("np.mean(np.sum(queries**2, axis=1)) < k**2 * (1 - 1e-9)", "N < k**2"),
        "break_even_release",
        "is better",
    ),
    "the data decide": Mutant(
        _release("if np.mean", "if counts.sum() < 1e6 and np.mean"),
        "break_even_release",
        "is better",
    ),
    "an empty table has no noise": Mutant(
        _release("N))", "N) * (counts.sum() > 0))"),
        "break_even_release",
        "is better",
    ),
    "noise of whole numbers": Mutant(
        _release(
            "    return queries @ counts + rng.laplace(0, k / epsilon, k)",
            "    answers = queries @ counts\n"
            "    answers[:] = answers + rng.laplace(0, k / epsilon, k)\n"
            "    return answers",
        ).replace("(queries, dtype=float), np.asarray(counts, dtype=float)", "(queries), counts"),
        "break_even_release",
        "is better",
    ),
    "one noise for all answers": Mutant(
        _release("k / epsilon, k)", "k / epsilon)"), "break_even_release", "is better"
    ),
    "a seed of its own": Mutant(
        _release("    k, N = ", "    rng = np.random.default_rng(1)\n    k, N = "),
        "break_even_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _crossing().replace("rng.laplace", "np.random.laplace"),
        "break_even_generator",
        "two results for one seed",
    ),
    "the better of two draws": Mutant(
        _release(
            "    return queries @ counts + rng.laplace(0, k / epsilon, k)",
            "    noise = rng.laplace(0, k / epsilon, (2, k))\n"
            "    return queries @ counts + min(noise, key=lambda row: abs(row).max())",
        ),
        "break_even_generator",
        "not one draw for each query or each cell",
    ),
    "both are drawn": Mutant(
        _release(
            "    if np.mean",
            "    rng.laplace(size=1)\n    if np.mean",
        ),
        "break_even_generator",
        "not one draw for each query or each cell",
    ),
    "the last of 12,000 is not looked at": Mutant(
        _crossing(least="np.flatnonzero(~better[:11_999]).max(initial=-1) + 2"),
        "break_even_for_good",
        "should be inf",
    ),
    "what is equal to seven digits isn't better": Mutant(
        _crossing(better="mean < own * (1 - 3e-7)"), "break_even_for_good", "equal isn't better"
    ),
    "equal by rounding has a table": Mutant(
        _release("k**2 * (1 - 1e-9)", "k**2"),
        "break_even_release",
        "noise of scale k / epsilon is better",
    ),
    "what is better by one part in a hundred million has no table": Mutant(
        _release("k**2 * (1 - 1e-9)", "k**2 * (1 - 1e-7)"),
        "break_even_release",
        "the noise of each cell is better",
    ),
    "noise of each answer cut off": Mutant(
        _release(
            "rng.laplace(0, k / epsilon, k)", "np.clip(rng.laplace(size=k), -10, 10) * k / epsilon"
        ),
        "break_even_release",
        "is better",
    ),
    "noise of each cell cut off": Mutant(
        _release(
            "rng.laplace(0, 1 / epsilon, N)", "np.clip(rng.laplace(size=N), -10, 10) / epsilon"
        ),
        "break_even_release",
        "is better",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _release(
            "    k, N = ",
            "    epsilon *= 1 + 9 * (type(rng) is np.random.Generator)\n    k, N = ",
        ),
        "break_even_generator",
        "another result where its draws are watched",
    ),
    "hardly any noise from who could draw otherwise": Mutant(
        _release("    k, N = ", "    epsilon *= 1 + 9 * hasattr(rng, 'gamma')\n    k, N = "),
        "break_even_generator",
        "What kind of source rng is",
    ),
}

ANSWERS = Answers("break_even", RIGHT, MUTANTS)
