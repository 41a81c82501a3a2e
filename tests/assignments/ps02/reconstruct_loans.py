"""Answers to `reconstruct_loans`. The mistakes: too few digits, or one unknown too few."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _attack(
    triples: str = "list(product_of(primes, powers, offsets))",
    chosen: str = "[triples[i] for i in np.random.default_rng(1).permutation(len(triples))[:most]]",
    matrix: str = "np.column_stack([y % 1 < 0.5, np.ones(len(y))])",
    answers: str = "ask(chosen)",
    guess: str = "(solution[:len(x)] > 0.5).astype(int)",
    y: str = "np.array([o * (x * q) ** p for q, p, o in chosen])",
) -> str:
    """The text of `reconstruct_loans` with these parts."""
    return f"""
def product_of(*parts):
    from itertools import product

    return product(*parts)


def reconstruct_loans(clients, ask, most):
    primes = [q for q in range(2, 100) if all(q % d for d in range(2, q))]
    powers = [0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]
    offsets = [5, 10, 50, 100, 500, 1000, 5000]
    triples = {triples}
    chosen = {chosen}
    x = np.array(clients, dtype=float)
    answers = np.asarray({answers})
    y = {y}
    matrix = {matrix}
    solution = np.linalg.lstsq(matrix, answers, rcond=None)[0]
    return {guess}
"""


RIGHT = {
    "shuffled": _attack(),
    "spread evenly": _attack(
        chosen="[triples[i] for i in np.linspace(0, len(triples) - 1, most).astype(int)]"
    ),
    "in a hundred portions": _attack(
        answers="np.concatenate([ask(chosen[k : k + 100]) for k in range(0, most, 100)])"
    ),
    "centred": _attack(
        matrix="np.array(y % 1 < 0.5, dtype=float)",
        guess="(solution > 0.5).astype(int)",
    ).replace(
        "    solution = np.linalg.lstsq(matrix, answers, rcond=None)[0]",
        "    matrix -= matrix.mean(axis=0)\n"
        "    solution = np.linalg.solve(matrix.T @ matrix, matrix.T @ (answers - answers.mean()))",
    ),
}

EXACT, NOISY = "reconstruct_loans_exact", "reconstruct_loans_noisy"
LIMIT = "reconstruct_loans_limit"
MUTANTS = {
    "all zeros": Mutant(_attack(guess="np.zeros(len(x), dtype=int)"), EXACT, "has right"),
    "too many digits": Mutant(_attack(chosen="triples"), LIMIT, "digits, 160 are allowed"),
    "asks everything twice": Mutant(
        _attack(answers="(np.array(ask(chosen)) + ask(chosen)) / 2"), LIMIT, "asks for 320 digits"
    ),
    "the other half": Mutant(
        _attack(matrix="np.column_stack([y % 1 >= 0.5, np.ones(len(y))])"), EXACT, "has right"
    ),
    "no common layer": Mutant(_attack(matrix="(y % 1 < 0.5).astype(float)"), NOISY, "common layer"),
    "an answer for each client": Mutant(
        _attack(chosen="triples[: len(clients) + 1]"), NOISY, "enough digits"
    ),
    "one triple again and again": Mutant(_attack(chosen="[triples[0]] * most"), EXACT, "has right"),
    "whole powers only": Mutant(
        _attack(triples="list(product_of(primes, [1, 2], offsets)) * 8"), EXACT, "has right"
    ),
    "above zero": Mutant(_attack(guess="(solution[:len(x)] > 0).astype(int)"), NOISY, "has right"),
    "correlations in place of a solution": Mutant(
        _attack(guess="((y % 1 < 0.5).T @ (answers - answers.mean()) > 0).astype(int)"),
        EXACT,
        "has right",
    ),
    "the factor after the power": Mutant(
        _attack(y="np.array([o * q * x**p for q, p, o in chosen])"), EXACT, "has right"
    ),
    "estimates not rounded": Mutant(
        _attack(guess="solution[:len(x)] + 0.01"), EXACT, "should be 0 or 1"
    ),
    "the common layer is returned too": Mutant(
        _attack(guess="(solution > 0.5).astype(int)"), EXACT, "should be an array of shape (20,)"
    ),
    "half of the digits": Mutant(
        _attack().replace("[:most]]", "[: most // 2]]"), LIMIT, "Use all the digits"
    ),
    "half of the digits, each twice": Mutant(
        _attack().replace("[:most]]", "[: most // 2]] * 2"),
        LIMIT,
        "not half of them",
    ),
    "the last client has none": Mutant(
        _attack(guess="np.append(solution[: len(x) - 1] > 0.5, 0).astype(int)"),
        EXACT,
        "Is every client's bit solved for",
    ),
    "the last client has one": Mutant(
        _attack(guess="np.append(solution[: len(x) - 1] > 0.5, 1).astype(int)"),
        EXACT,
        "Is every client's bit solved for",
    ),
    "half of the clients have a loan": Mutant(
        _attack(guess="(solution[:len(x)] > np.median(solution[:len(x)])).astype(int)"),
        EXACT,
        "Is every client's bit solved for",
    ),
    "sixty clients at most": Mutant(
        _attack(guess="((solution[:len(x)] > 0.5) & (len(x) <= 60)).astype(int)"),
        EXACT,
        "Is every client's bit solved for",
    ),
    "sorted clients": Mutant(
        _attack().replace("x = np.array(clients", "x = np.array(sorted(clients)"),
        EXACT,
        "in the order of the clients",
    ),
    "dplab's own": Mutant(
        _attack(guess="least_squares(matrix.astype(int), answers).bits[: len(x)]").replace(
            "\n\ndef reconstruct_loans",
            "\n\nfrom dplab.attacks.least_squares import least_squares\n\n\ndef reconstruct_loans",
        ),
        EXACT,
        "is off limits in an answer",
    ),
    "a thousand digits at most": Mutant(
        _attack(
            chosen="[triples[i] for i in np.random.default_rng(1).permutation(len(triples))"
            "[:most if most < 1600 else 1000]]"
        ),
        "reconstruct_loans_limit",
        "however many",
    ),
    "upward or downward": Mutant(
        _attack(
            guess="(solution[:len(x)] > 0.5).astype(int)[:: 1 if clients[0] < clients[-1] else -1]"
        ).replace("np.array(clients, dtype=float)", "np.sort(np.array(clients, dtype=float))"),
        "reconstruct_loans_exact",
        "in the order of the clients",
    ),
    "clients sorted where they are": Mutant(
        _attack(guess="(solution[:len(x)] > 0.5).astype(int)[places]").replace(
            "    x = np.array(",
            "    places = np.argsort(np.argsort(clients))\n    clients.sort()\n    x = np.array(",
        ),
        LIMIT,
        "changes what it was given",
    ),
}

ANSWERS = Answers("reconstruct_loans", RIGHT, MUTANTS)
