"""Answers to `half_sample` and `best_guesses`. The mistakes: who is drawn, and what is guessed."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _sample(
    halves: str = "list(itertools.combinations(range(n), n // 2))",
    seen: str = "tuple(bits[i] if i in half else -1 for i in range(n))",
    chance: str = "1 / len(halves)",
) -> str:
    """The text of `half_sample` with these halves, and with what is published of each."""
    return f"""
import itertools


def half_sample(bits):
    n = len(bits)
    halves = {halves}
    law = {{}}
    for half in halves:
        seen = {seen}
        law[seen] = law.get(seen, 0.0) + {chance}
    return law
"""


def _guesses(
    prior: str = "1 / len(laws)",
    right: str = "sum(max(row) for row in table) / n",
    sure: str = "max(max(row) / sum(row) for row in table)",
    known: str = "sum(table[0]) > 0",
    share: str = "share",
    surest: str = "max(sures)",
    seen: str = "seen",
    result: str = "share, surest",
) -> str:
    """The text of `best_guesses` with these parts: `table` has two sums for each person."""
    return f"""
def best_guesses(laws):
    n = len(next(iter(laws)))
    joint = {{}}
    for bits, law in laws.items():
        for seen, p in law.items():
            table = joint.setdefault({seen}, [[0.0, 0.0] for _ in range(n)])
            for i in range(n):
                table[i][bits[i]] += p * {prior}
    tables = [table for table in joint.values() if {known}]
    share = sum({right} for seen, table in joint.items() if {known})
    share = {share}
    sures = [{sure} for table in tables]
    surest = {surest}
    return {result}
"""


RIGHT = {
    "lists of two sums": _sample() + _guesses(),
    "arrays and masks": """
def half_sample(bits):
    n = len(bits)
    drawn = [mask for mask in product((0, 1), repeat=n) if sum(mask) == n / 2]
    return {tuple(np.where(mask, bits, -1).tolist()): 1 / math.comb(n, n // 2) for mask in drawn}


def best_guesses(laws):
    secrets = np.array(list(laws))
    seen = {y: k for k, y in enumerate({y: 0 for law in laws.values() for y in law})}
    p = np.zeros((len(secrets), len(seen)))
    for row, law in zip(p, laws.values()):
        for y, chance in law.items():
            row[seen[y]] = chance
    p = p[:, p.sum(axis=0) > 0] / len(secrets)
    ones, zeros = secrets.T @ p, (1 - secrets).T @ p
    best = np.maximum(ones, zeros)
    return np.array([best.sum(axis=1).mean(), (best / p.sum(axis=0)).max()])
""",
    "one person after the other": """
from collections import defaultdict


def half_sample(bits):
    law, n = {}, len(bits)
    for drawn in combinations(range(n), n // 2):
        published = [-1] * n
        for i in drawn:
            published[i] = bits[i]
        law[tuple(published)] = math.factorial(n // 2) ** 2 / math.factorial(n)
    return law


def best_guesses(laws):
    n, shares, surest = len(list(laws)[0]), [], 0.5
    for i in range(n):
        chance = {0: defaultdict(float), 1: defaultdict(float)}
        for bits in laws:
            for y in laws[bits]:
                chance[bits[i]][y] += laws[bits][y]
        seen = set(chance[0]) | set(chance[1])
        right = 0.0
        for y in seen:
            larger = max(chance[0][y], chance[1][y])
            right += larger
            if larger > 0:
                surest = max(surest, larger / (chance[0][y] + chance[1][y]))
        shares.append(right / 2**n)
    return [sum(shares) / n, surest]
""",
}

LAW, SHARE, SURE = "half_sample_law", "half_sample_share", "half_sample_sure"


def _law(says: str, **parts: str) -> Mutant:
    return Mutant(_sample(**parts) + _guesses(), LAW, says)


def _share(says: str, **parts: str) -> Mutant:
    return Mutant(_sample() + _guesses(**parts), SHARE, says)


def _sure(says: str, **parts: str) -> Mutant:
    return Mutant(_sample() + _guesses(**parts), SURE, says)


MUTANTS = {
    "a coin for each person": _law(
        "should have the probability",
        halves="[h for k in range(n + 1) for h in itertools.combinations(range(n), k)]",
    ),
    "the first half": _law("should have the probability", halves="[range(n // 2)]"),
    "neighbours in the row": _law(
        "should have the probability 0.1667",
        halves="[range(k, k + n // 2) for k in range(n // 2 + 1)]",
    ),
    "one of each two": _law(
        "has no probability for",
        halves="list(itertools.product(*[(i, i + 1) for i in range(0, n, 2)]))",
    ),
    "a person may be drawn twice": _law(
        "should have the probability",
        halves="list(itertools.product(range(n), repeat=n // 2))",
    ),
    "zero for who is not drawn": _law(
        "has no probability for", seen="tuple(bits[i] if i in half else 0 for i in range(n))"
    ),
    "the drawn bits alone": _law(
        "has no probability for", seen="tuple(bits[i] for i in range(n) if i in half)"
    ),
    "the drawn in front": _law(
        "has no probability for",
        seen="tuple(bits[i] for i in half) + (-1,) * (n - n // 2)",
    ),
    "doubled, as the counts are": _law(
        "has no probability for", seen="tuple(2 * bits[i] if i in half else -1 for i in range(n))"
    ),
    "every half for sure": _law("sum to 2", chance="1.0"),
    "as many halves as secrets": _law("sum to", chance="1 / 2**n"),
    "twenty halves at most": _law(
        "Exactly half of the people are drawn",
        halves="list(itertools.combinations(range(n), n // 2))[:20]",
    ),
    "all bits right at once": _share(
        "the better guess is right",
        right="math.prod(max(row) / sum(row) for row in table) * sum(table[0])",
    ),
    "how many bits are right": _share("should be 0.75", right="sum(max(row) for row in table)"),
    "no prior": _share("should be 0.75", prior="1"),
    "a half for each secret": _share("should be 0.75", prior="0.5"),
    "every publication as likely": _share(
        "the better guess is right",
        right="sum(max(row) / sum(row) for row in table) / n",
        share="share / len(tables)",
    ),
    "guesses one": _share("the better guess is right", right="sum(row[1] for row in table) / n"),
    "the first person's": _share("given all that is published", right="max(table[0])"),
    "the luckiest person's": _share(
        "given all that is published",
        share="max(sum(max(table[i]) for table in tables) for i in range(n))",
    ),
    "one guess for all": _share(
        "the better guess is right",
        right="max(sum(row[b] for row in table) for b in (0, 1)) / n",
    ),
    "the likeliest secret": Mutant(
        _sample()
        + """
def best_guesses(laws):
    n = len(next(iter(laws)))
    seen = {y for law in laws.values() for y in law}
    share = 0.0
    for y in seen:
        guess = max(laws, key=lambda bits: laws[bits].get(y, 0.0))
        for bits, law in laws.items():
            share += law.get(y, 0.0) * sum(a == b for a, b in zip(guess, bits)) / n
    return share / len(laws), real_guesses(laws)[1]


"""
        + _guesses().replace("def best_guesses", "def real_guesses"),
        SHARE,
        "against the sum of three",
    ),
    "believes what is published": _share(
        "against the sum of three",
        right="sum(row[seen[i]] if i < len(seen) and seen[i] in (0, 1) else max(row)"
        " for i, row in enumerate(table)) / n",
    ),
    "guesses without looking": _share("the better guess is right", share="0.5"),
    "three quarters": _share("the share of right guesses against nothing", share="0.75"),
    "rounded to three decimals": _share("over all secrets", share="round(share, 3)"),
    "what the first law names": Mutant(
        _sample()
        + _guesses().replace(
            "        for seen, p in law.items():\n",
            "        for seen, p in law.items():\n"
            "            if seen not in next(iter(laws.values())):\n                continue\n",
        ),
        SHARE,
        "the better guess is right",
    ),
    "publications in any order": _share("the better guess is right", seen="tuple(sorted(seen))"),
    "how sure on average": _sure("how sure a guess can become", surest="sum(sures) / len(sures)"),
    "how sure in expectation": _sure("against half of two in clear", surest="share"),
    "the least sure": _sure("whether any of two is 1", surest="min(sures)"),
    "how sure of a one": _sure(
        "whether any of two is 1", sure="max(row[1] / sum(row) for row in table)"
    ),
    "how sure of the first": _sure("the second bit", sure="max(table[0]) / sum(table[0])"),
    "how sure of all": _sure(
        "against half of two in clear", sure="math.prod(max(row) / sum(row) for row in table)"
    ),
    "the joint probability": _sure(
        "how sure a guess can become", sure="max(max(row) for row in table)"
    ),
    "the likeliest publication": _sure(
        "whether any of two is 1",
        surest="max(zip([sum(table[0]) for table in tables], sures))[1]",
    ),
    "nothing rare counts": _sure("however rarely", known="sum(table[0]) > 1e-8"),
    "a thousandth is never": _sure("however rarely", known="sum(table[0]) > 1e-3"),
    "what can't be published": _sure("what can't be published does not", known="True"),
    "always sure": _sure("how sure a guess can become", surest="1.0"),
    "sure, rounded": _sure("how sure a guess can become", surest="round(max(sures), 3)"),
    "sure of one secret": _sure(
        "flipped",
        surest="1.0 if len(joint) > 2 else max(sures)",
    ),
    "the two exchanged": _share("should be 0.75, it is 1", result="surest, share"),
    "dplab's own": Mutant(
        """
from dplab import RandomRows


def half_sample(bits):
    n = len(bits)
    law = RandomRows(n, n // 2).distribution(tuple(enumerate(bits)))
    return {
        tuple(dict(rows).get(i, -1) for i in range(n)): p
        for rows, p in zip(law.outcomes, law.probabilities.tolist())
    }
"""
        + _guesses(),
        LAW,
        "is off limits in an answer",
    ),
    "secrets in the order of counting": Mutant(
        _sample()
        + _guesses().replace(
            "laws.items()", "zip(itertools.product((0, 1), repeat=n), laws.values())"
        ),
        "half_sample_share",
        "Each person's better guess",
    ),
    "hashes of what is published": Mutant(
        _sample() + _guesses(seen="hash(seen)"), "half_sample_share", "Each person's better guess"
    ),
    "digits of what is published": Mutant(
        _sample() + _guesses(seen="''.join(map(str, seen))"),
        "half_sample_share",
        "Each person's better guess",
    ),
    "bytes of what is published": Mutant(
        _sample() + _guesses(seen="tuple(part % 256 for part in seen)"),
        "half_sample_share",
        "Each person's better guess",
    ),
    "nothing rarer than 1e-13": _sure("however rarely", known="sum(table[0]) > 1e-13"),
    "laws that name everything in the end": Mutant(
        _sample()
        + """
def best_guesses(laws):
    n, right, sure = len(next(iter(laws))), 0.0, 0.0
    for seen in {seen for law in laws.values() for seen in law}:
        for i in range(n):
            sums = [0.0, 0.0]
            for bits, law in laws.items():
                sums[bits[i]] += law.setdefault(seen, 0.0)
            right += max(sums) / len(laws) / n
            sure = max(sure, max(sums) / (sum(sums) or 1))
    return right, sure
""",
        SHARE,
        "changes what it was given",
    ),
}

ANSWERS = Answers("half_sample", RIGHT, MUTANTS)
