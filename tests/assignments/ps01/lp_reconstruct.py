"""Answers to `lp_reconstruct`. The mistakes: too few or poor questions, half a program, no bits."""

from autograder.rehearsal.catalogue import Answers, Mutant

_RANDOM = "rng.integers(2, size=(limit, n))"
_BOTH = "np.block([[queries, -ones], [-queries, -ones]]), np.concatenate([answers, -answers])"
_BOUNDS = "[(0, 1)] * n + [(0, None)]"
_ROUND = "(best > 0.5).astype(int)"


def _program(queries=_RANDOM, rows=_BOTH, bounds=_BOUNDS, guess=_ROUND, answers="ask(queries)"):
    """The text of the function with some of its parts exchanged."""
    return f"""
def lp_reconstruct(ask, n, limit, rng):
    queries = {queries}
    answers = {answers}
    ones = np.ones((len(queries), 1))
    rows, room = {rows}
    cost = np.append(np.zeros(n), 1.0)
    best = linprog(cost, rows, room, bounds={bounds}).x[:n]
    return {guess}
"""


RIGHT = {
    "minimum slack": _program(),
    "minimum slack by the interior point, rounded": _program(guess="np.round(best)").replace(
        ").x[:n]", ', method="highs-ipm").x[:n]'
    ),
    "one question at a time, and least squares": """
def lp_reconstruct(ask, n, limit, rng):
    queries = rng.integers(2, size=(limit, n))
    answers = np.concatenate([ask(queries[j : j + 50]) for j in range(0, limit, 50)])
    best = np.linalg.lstsq(queries, answers, rcond=None)[0]
    return (best > 0.5).astype(int)
""",
    "the slack above and below": """
def lp_reconstruct(ask, n, limit, rng):
    queries = (rng.random((limit, n)) < 0.5).astype(float)
    answers = ask(queries)
    rows = np.zeros((2 * limit, n + 1))
    rows[:limit, :n], rows[limit:, :n], rows[:, n] = queries, -queries, -1
    cost = [0] * n + [1]
    limits = [(0, 1)] * n + [(0, None)]
    found = linprog(cost, A_ub=rows, b_ub=[*answers, *(-answers)], bounds=limits)
    return [int(b >= 0.5) for b in found.x[:-1]]
""",
}

MUTANTS = {
    "everybody, always": Mutant(
        _program(queries="np.ones((limit, n), dtype=int)"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "fewer questions than people": Mutant(  # half as many would be enough half of the time
        _program(queries="rng.integers(2, size=(n // 4, n))"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "each person alone": Mutant(
        _program(queries="np.tile(np.eye(n, dtype=int), (limit // n, 1))"),
        "lp_reconstruct_noisy",
        "Ask for random subsets",
    ),
    "each person once": Mutant(
        _program(queries="np.eye(n, dtype=int)"), "lp_reconstruct_noisy", "of the bits of 80 people"
    ),
    "thresholds": Mutant(
        _program(queries="np.tile(np.tri(n, dtype=int), (limit // n, 1))"),
        "lp_reconstruct_noisy",
        "Ask for random subsets",
    ),
    "as many questions as people": Mutant(
        _program(queries="rng.integers(2, size=(n + 2, n))"),
        "lp_reconstruct_noisy",
        "as many as you may",
    ),
    "a tenth more than the limit": Mutant(
        _program(queries="rng.integers(2, size=(limit + limit // 10, n))"),
        "lp_reconstruct_exact",
        "raised RuntimeError",
    ),
    "signs": Mutant(
        _program(queries="rng.choice([-1, 1], size=(limit, n))"),
        "lp_reconstruct_exact",
        "raised ValueError",
    ),
    "errors above only": Mutant(
        _program(rows="np.hstack([queries, -ones]), answers"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "the slack with the wrong sign": Mutant(
        _program(
            rows="np.block([[queries, ones], [-queries, ones]]), "
            "np.concatenate([answers, -answers])"
        ),
        "lp_reconstruct_noisy",
        "TypeError",
    ),
    "not rounded": Mutant(
        _program(guess="best"), "lp_reconstruct_rules", "should be 0 or 1 in every entry"
    ),
    "the slack among the bits": Mutant(
        _program(guess="np.append(best > 0.5, 0).astype(int)"),
        "lp_reconstruct_exact",
        "should be an array of shape (20,), it is an array of shape (21,)",
    ),
    "bits not between 0 and 1": Mutant(
        _program(bounds="[(None, None)] * n + [(0, None)]", guess="np.round(best)"),
        "lp_reconstruct_rules",
        "should be 0 or 1 in every entry",
    ),
    "an error of at most one": Mutant(
        _program(bounds="[(0, 1)] * n + [(0, 1)]"), "lp_reconstruct_noisy", "TypeError"
    ),
    "turned over": Mutant(
        _program(guess="(best < 0.5).astype(int)"), "lp_reconstruct_exact", "Without noise"
    ),
    "the last bit is never told": Mutant(
        _program(guess="np.append((best > 0.5)[:-1], 0).astype(int)"),
        "lp_reconstruct_rules",
        "Everybody's bit",
    ),
    "fifty people at most": Mutant(
        _program(guess="((best > 0.5) * (n <= 50)).astype(int)"),
        "lp_reconstruct_noisy",
        "Ask for random subsets",
    ),
    "at most ninety people": Mutant(
        _program(guess="((best > 0.5) * (n <= 90)).astype(int)"),
        "lp_reconstruct_rules",
        "Everybody's bit",
    ),
    "one in ten unsure": Mutant(
        _program(guess="(best > 0.5).astype(int) ^ (np.arange(n) % 10 == 9)"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "the last ones of many unsure": Mutant(
        _program(guess="(best > 0.5).astype(int) * (np.arange(n) < 96)"),
        "lp_reconstruct_rules",
        "Everybody's bit",
    ),
    "two people at least": Mutant(
        _program(guess="(best > 0.5).astype(int) if n > 1 else np.zeros(1)"),
        "lp_reconstruct_rules",
        "Everybody's bit",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.linear_program import minimum_slack


def lp_reconstruct(ask, n, limit, rng):
    queries = random_queries(limit, n, rng)
    return minimum_slack(queries, ask(queries)).bits
""",
        "lp_reconstruct_exact",
        "is off limits in an answer",
    ),
    "dplab's own, with least squares": Mutant(
        """
from dplab.attacks.least_squares import least_squares


def lp_reconstruct(ask, n, limit, rng):
    queries = random_queries(limit, n, rng)
    return least_squares(queries, ask(queries)).bits
""",
        "lp_reconstruct_exact",
        "is off limits in an answer",
    ),
    "neither few people nor many": Mutant(
        _program(guess="((best > 0.5) * (not 30 < n < 80)).astype(int)"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "three to seven people": Mutant(
        _program(guess="((best > 0.5) * (not 2 < n < 8)).astype(int)"),
        "lp_reconstruct_exact",
        "Without noise only the secret fits",
    ),
    "numpy's global generator": Mutant(
        _program(queries="np.random.randint(2, size=(limit, n))"),
        "lp_reconstruct_rules",
        "one seed",
    ),
}

ANSWERS = Answers("lp_reconstruct", RIGHT, MUTANTS)
