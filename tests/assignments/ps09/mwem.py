"""Answers to `mwem`. The mistakes: how the budget is split, the choice, and what is replayed."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _rounds(
    start: str = "np.full(N, n / N)",
    errors: str = "np.abs(queries @ (counts - h))",
    weights: str = "np.exp(epsilon / (4 * rounds) * (errors - errors.max()))",
    choice: str = "rng.choice(m, p=weights / weights.sum())",
    answer: str = "queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon)",
    learn: str = "for q, a in measured * replays:",
    result: str = "h",
    first: str = "pass",
) -> str:
    """The text of the function with these parts."""
    return f"""
def mwem(queries, counts, epsilon, rounds, replays, rng):
    queries, counts = np.asarray(queries, dtype=float), np.asarray(counts, dtype=float)
    {first}
    (m, N), n, measured = queries.shape, counts.sum(), []
    h = {start}
    for t in range(rounds):
        errors = {errors}
        weights = {weights}
        j = {choice}
        measured.append((queries[j], {answer}))
        {learn}
            powers = q * (a - q @ h) / (2 * n)
            h = h * np.exp(powers - powers.max())
            h *= n / h.sum()
    return {result}
"""


RIGHT = {
    "as the text says": _rounds(),
    "Gumbel draws, a step of its own": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    def step(table, query, answer):
        powers = query * (answer - query @ table) / (2 * n)
        grown = table * np.exp(powers - powers.max())
        return n * grown / grown.sum()

    queries, truth, n = np.asarray(queries), np.dot(queries, counts), sum(counts)
    table, share = np.full(len(counts), n / len(counts)), epsilon / rounds / 2
    asked, answers = [], []
    for _ in range(rounds):
        scores = np.abs(truth - queries @ table)
        asked.append(int(np.argmax(share * scores / 2 + rng.gumbel(size=len(scores)))))
        answers.append(rng.laplace(truth[asked[-1]], 1 / share))
        for _ in range(replays):
            for place, answer in zip(asked, answers):
                table = step(table, queries[place], answer)
    return table
""",
    "all draws in advance": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    queries = np.asarray(queries, dtype=float)
    (m, N), n = queries.shape, np.sum(counts)
    gumbels = rng.gumbel(size=(rounds, m))
    noise = rng.laplace(0, 2 * rounds / epsilon, size=rounds)
    logs, places, answers = np.zeros(N), [], []
    for t in range(rounds):
        h = n * np.exp(logs - np.logaddexp.reduce(logs))
        errors = np.abs(queries @ counts - queries @ h)
        places.append(np.argmax(gumbels[t] + epsilon * errors / (4 * rounds)))
        answers.append(queries[places[t]] @ counts + noise[t])
        for i in list(range(t + 1)) * replays:
            shares = np.exp(logs - np.logaddexp.reduce(logs))
            q = queries[places[i]]
            logs = logs + q * (answers[i] / n - q @ shares) / 2
    return n * np.exp(logs - np.logaddexp.reduce(logs))
""",
    "a table of shares": """
def mwem(queries, counts, epsilon, rounds, replays, rng):
    x = np.asarray(counts) / np.sum(counts)
    n, p, kept = int(np.sum(counts)), np.ones(len(x)) / len(x), []
    for round in range(1, rounds + 1):
        scores = n * np.abs([q @ x - q @ p for q in queries])
        logs = epsilon / (4 * rounds) * scores
        law = np.exp(logs - np.logaddexp.reduce(logs))
        (j,) = rng.choice(len(queries), size=1, p=law / law.sum())
        kept += [(queries[j], queries[j] @ x + 2 * rounds / (epsilon * n) * rng.laplace())]
        for _ in range(replays):
            for q, share in kept:
                powers = q * (share - q @ p) / 2
                p = p * np.exp(powers - powers.max())
                p = p / sum(p)
    return n * p
""",
}

MUTANTS = {
    "the whole of a round for the noise": Mutant(
        _rounds(answer="queries[j] @ counts + rng.laplace(scale=rounds / epsilon)"),
        "mwem_round",
        "noise of scale 2 T / epsilon",
    ),
    "all of epsilon for the noise of each round": Mutant(
        _rounds(answer="queries[j] @ counts + rng.laplace(scale=2 / epsilon)"),
        "mwem_rounds",
        "should be [3.51, 2.245, 2.245]",
    ),
    "noise of scale epsilon / (2 T)": Mutant(
        _rounds(answer="queries[j] @ counts + rng.laplace(scale=epsilon / (2 * rounds))"),
        "mwem_round",
        "noise of scale 2 T / epsilon",
    ),
    "the sensitivity of two cells": Mutant(
        _rounds(answer="queries[j] @ counts + rng.laplace(scale=4 * rounds / epsilon)"),
        "mwem_round",
        "noise of scale 2 T / epsilon",
    ),
    "no noise": Mutant(
        _rounds(answer="queries[j] @ counts"), "mwem_round", "plus noise of scale 2 T / epsilon"
    ),
    "normal noise": Mutant(
        _rounds(answer="queries[j] @ counts + rng.normal(scale=2 * rounds / epsilon)"),
        "mwem_round",
        "not of rng.normal",
    ),
    "noise on the error": Mutant(
        _rounds(answer="errors[j] + rng.laplace(scale=2 * rounds / epsilon)"),
        "mwem_round",
        "towards the query's count",
    ),
    "a possible answer": Mutant(
        _rounds(
            answer="np.clip(queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon), 0, n)"
        ),
        "mwem_round",
        "towards the query's count",
    ),
    "the even table of shares": Mutant(
        _rounds(start="np.full(N, 1 / N)"), "mwem_round", "One step from the even table"
    ),
    "from the data on": Mutant(
        _rounds(start="np.maximum(counts, 1e-9)"), "mwem_round", "One step from the even table"
    ),
    "epsilon a little larger": Mutant(
        _rounds(first="epsilon = 1.03 * epsilon"), "mwem_round", "noise of scale 2 T / epsilon"
    ),
    "no noise at an epsilon of 50 or more": Mutant(
        _rounds(
            answer="queries[j] @ counts + (epsilon < 50) * rng.laplace(scale=2 * rounds / epsilon)"
        ),
        "mwem_round",
        "the table should be",
    ),
    "dplab's own": Mutant(
        """
from dplab import PureDP
from dplab.queries import MWEM


def mwem(queries, counts, epsilon, rounds, replays, rng):
    learner = MWEM(queries, int(sum(counts)), rounds, PureDP(epsilon), replays)
    return learner(np.repeat(np.arange(len(counts)), counts), rng)
""",
        "mwem_round",
        "is off limits in an answer",
    ),
    "the worst query": Mutant(
        _rounds(choice="int(errors.argmax())"), "mwem_choice", "no choice is drawn"
    ),
    "twice the rate": Mutant(
        _rounds(weights="np.exp(epsilon / (2 * rounds) * (errors - errors.max()))"),
        "mwem_choice",
        "the logarithms of its p",
    ),
    "half the rate": Mutant(
        _rounds(weights="np.exp(epsilon / (8 * rounds) * (errors - errors.max()))"),
        "mwem_choice",
        "the logarithms of its p",
    ),
    "twice the rate, with Gumbel draws": Mutant(
        _rounds(choice="np.argmax(epsilon / (2 * rounds) * errors + rng.gumbel(size=m))"),
        "mwem_choice",
        "the table should be",
    ),
    "Laplace noise for the choice": Mutant(
        _rounds(choice="np.argmax(errors + rng.laplace(scale=2 * rounds / epsilon, size=m))"),
        "mwem_choice",
        "no choice is drawn",
    ),
    "one Gumbel draw for all queries": Mutant(
        _rounds(choice="np.argmax(epsilon / (4 * rounds) * errors + rng.gumbel())"),
        "mwem_generator",
        "not one choice a round",
    ),
    "errors with their signs": Mutant(
        _rounds(errors="queries @ (counts - h)"), "mwem_choice", "the logarithms of its p"
    ),
    "errors as shares": Mutant(
        _rounds(errors="np.abs(queries @ (counts - h)) / n"),
        "mwem_choice",
        "the logarithms of its p",
    ),
    "squares of errors": Mutant(
        _rounds(errors="np.square(queries @ (counts - h))"),
        "mwem_choice",
        "the logarithms of its p",
    ),
    "large answers for large errors": Mutant(
        _rounds(errors="queries @ counts"), "mwem_choice", "the logarithms of its p"
    ),
    "any query": Mutant(_rounds(weights="np.ones(m)"), "mwem_choice", "the logarithms of its p"),
    "exponents that overflow": Mutant(
        _rounds(weights="np.exp(epsilon / (4 * rounds) * errors)"),
        "mwem_choice",
        "raised ValueError",
    ),
    "a choice that is never impossible": Mutant(
        _rounds(weights="np.exp(epsilon / (4 * rounds) * (errors - errors.max())) + 1e-9"),
        "mwem_choice",
        "the logarithms of its p",
    ),
    "all of epsilon for each choice": Mutant(
        _rounds(weights="np.exp(epsilon / 4 * (errors - errors.max()))"),
        "mwem_rounds",
        "the logarithms of p",
    ),
    "all of epsilon for each choice, with Gumbel draws": Mutant(
        _rounds(choice="np.argmax(epsilon / 4 * errors + rng.gumbel(size=m))"),
        "mwem_rounds",
        "the table should be",
    ),
    "errors of the first table": Mutant(
        _rounds(errors="np.abs(queries @ (counts - n / N))"), "mwem_rounds", "the logarithms of p"
    ),
    "no query twice": Mutant(
        _rounds(
            weights="np.exp(epsilon / (4 * rounds) * (errors - errors.max()))"
            " * [not any(np.array_equal(q, one) for q, _ in measured) for one in queries] + 1e-300"
        ),
        "mwem_rounds",
        "the logarithms of p",
    ),
    "no replays": Mutant(
        _rounds(learn="for q, a in measured[-1:]:"), "mwem_rounds", "Go over all measurements"
    ),
    "one pass": Mutant(
        _rounds(learn="for q, a in measured:"), "mwem_rounds", "so often as `replays` says"
    ),
    "the last measurement alone": Mutant(
        _rounds(learn="for q, a in measured[-1:] * replays:"),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "each measurement in a row": Mutant(
        _rounds(learn="for q, a in [one for one in measured for _ in range(replays)]:"),
        "mwem_rounds",
        "in their order",
    ),
    "the newest first": Mutant(
        _rounds(learn="for q, a in measured[::-1] * replays:"), "mwem_rounds", "in their order"
    ),
    "a new table each round": Mutant(
        _rounds(errors="np.abs(queries @ (counts - h)) + 0 * (h := np.full(N, n / N))[0]"),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "learned after the last round only": Mutant(
        _rounds(learn="for q, a in measured * replays * (t == rounds - 1):"),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "the true answer in replays": Mutant(
        _rounds(
            learn="for q, a in measured + [(q, q @ counts) for q, _ in measured] * (replays - 1):"
        ),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "no noise after five rounds": Mutant(
        _rounds(answer="queries[j] @ counts + (t < 5) * rng.laplace(scale=2 * rounds / epsilon)"),
        "mwem_rounds",
        "should be",
    ),
    "the mean of all tables": Mutant(
        _rounds(
            first="tables = []",
            errors="np.abs(queries @ (counts - h)) + 0 * len(tables)",
            learn="for q, a in tables.append(h) or measured * replays:",
            result="np.mean([*tables[1:], h], axis=0)",
        ),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "the best of all tables": Mutant(
        _rounds(
            first="tables = []",
            learn="for q, a in tables.append(h) or measured * replays:",
            result="min([*tables[1:], h], key=lambda h: np.abs(queries @ (counts - h)).max())",
        ),
        "mwem_rounds",
        "Go over all measurements",
    ),
    "one noise for all rounds": Mutant(
        _rounds(
            first="noise = rng.laplace(scale=2 * rounds / epsilon)",
            answer="queries[j] @ counts + noise",
        ),
        "mwem_generator",
        "not one Laplace draw a round",
    ),
    "one choice for all rounds": Mutant(
        _rounds(
            choice="j if t else rng.choice(m, p=weights / weights.sum())",
        ),
        "mwem_generator",
        "not one choice a round",
    ),
    "a seed of its own": Mutant(
        _rounds(first="rng = np.random.default_rng(7)"),
        "mwem_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _rounds(answer="queries[j] @ counts + np.random.laplace(scale=2 * rounds / epsilon)"),
        "mwem_generator",
        "two results for one seed",
    ),
    "a noisy number of people": Mutant(
        _rounds(result="h * (1 + 1e-12 * rng.laplace())"),
        "mwem_generator",
        "not one Laplace draw a round",
    ),
    "noise cut off": Mutant(
        _rounds(
            answer="queries[j] @ counts + np.clip(rng.laplace(), -20, 20) * 2 * rounds / epsilon"
        ),
        "mwem_round",
        "One step from the even table",
    ),
    "the last measurement of many cells": Mutant(
        _rounds(learn="for q, a in (measured if N <= 1000 else measured[-1:]) * replays:"),
        "mwem_rounds",
        "Each choice's weights",
    ),
    "errors of the first table for many queries": Mutant(
        _rounds(errors="np.abs(queries @ (counts - (h if m <= 1000 else n / N)))"),
        "mwem_rounds",
        "Each choice's weights",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _rounds(
            answer="queries[j] @ counts + rng.laplace(scale=2 * rounds / epsilon)"
            " * (0.1 if type(rng) is np.random.Generator else 1)"
        ),
        "mwem_generator",
        "another result where its draws are watched",
    ),
}

ANSWERS = Answers("mwem", RIGHT, MUTANTS)
