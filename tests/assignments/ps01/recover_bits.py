"""Answers to `recover_bits`. The mistakes: too few answers, a wrong threshold, a group refused."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _each(
    times="limit // (2 * n)",
    group="list(range(n))",
    others="[i for i in range(n) if i != person]",
    gap="np.mean(ask(group, times)) - np.mean(ask(others, times))",
    bit="int(gap > 0.5)",
) -> str:
    """The text with some of its parts exchanged."""
    return f"""
def recover_bits(ask, n, least, limit):
    times = {times}
    bits = []
    for person in range(n):
        group = {group}
        others = {others}
        gap = {gap}
        bits.append({bit})
    return np.array(bits)
"""


RIGHT = {
    "all, and all but one": _each(),
    "the least group, and one more": """
def recover_bits(ask, n, least, limit):
    times, found = limit // (2 * n), np.zeros(n, dtype=int)
    for person in range(n):
        others = [(person + step) % n for step in range(1, least + 1)]
        with_person = sum(ask(others + [person], times)) / times
        without = sum(ask(others, times)) / times
        found[person] = round(min(max(with_person - without, 0), 1))
    return found
""",
    "everybody once for all": """
def recover_bits(ask, n, least, limit):
    times = limit // (n + 1)
    total = ask(list(range(n)), times).mean()
    rest = [ask([i for i in range(n) if i != person], times).mean() for person in range(n)]
    return (total - np.array(rest) > 1 / 2).astype(int)
""",
    "the differences, one by one": """
def recover_bits(ask, n, least, limit):
    pairs = limit // (2 * n)
    everybody = np.arange(n)
    gaps = [ask(everybody, pairs) - ask(np.delete(everybody, i), pairs) for i in range(n)]
    return [1 if np.mean(gap) > 0.5 else 0 for gap in gaps]
""",
    "in rounds": """
def recover_bits(ask, n, least, limit):
    everybody, sums, rounds = list(range(n)), np.zeros(n), 20
    times = limit // (2 * n * rounds)
    for _ in range(rounds):
        for i in everybody:
            rest = everybody[:i] + everybody[i + 1 :]
            sums[i] += np.mean(ask(everybody, times)) - np.mean(ask(rest, times))
    return np.where(sums > rounds / 2, 1, 0)
""",
    "times is a float": _each(times="np.floor(limit / (2 * n))"),
}

MUTANTS = {
    "the wrong way round": Mutant(
        _each(gap="np.mean(ask(others, times)) - np.mean(ask(group, times))"),
        "recover_bits_quiet",
        "should be [1, 0, 1, 1, 0], it is [0, 0, 0, 0, 0]",
    ),
    "zeros and ones exchanged": Mutant(
        _each(bit="int(gap < 0.5)"),
        "recover_bits_quiet",
        "should be [1, 0, 1, 1, 0], it is [0, 1, 0, 0, 1]",
    ),
    "the person alone": Mutant(
        _each(gap="np.mean(ask([person], times))"),
        "recover_bits_quiet",
        "raised ValueError: a group must have 2 different people or more",
    ),
    "the differences themselves": Mutant(
        _each(bit="gap"), "recover_bits_noisy", "Average as many answers as you may"
    ),
    "one answer each": Mutant(
        _each(times="1"), "recover_bits_noisy", "Average as many answers as you may"
    ),
    "twenty answers each": Mutant(
        _each(times="20"), "recover_bits_noisy", "Average as many answers as you may"
    ),
    "the first answers only": Mutant(
        _each(gap="ask(group, times)[0] - ask(others, times)[0]"),
        "recover_bits_noisy",
        "Average as many answers as you may",
    ),
    "each answer rounded to a bit": Mutant(
        _each(gap="np.mean(np.clip(np.round(ask(group, times) - ask(others, times)), 0, 1)) - 0.5"),
        "recover_bits_quiet",
        "it is [0, 0, 0, 0, 0]",
    ),
    "all answers for everybody": Mutant(
        _each(times="limit // 2"),
        "recover_bits_quiet",
        "raised RuntimeError: 1000 answers are given and no more",
    ),
    "answers for everybody's group forgotten": Mutant(
        _each(times="limit // n"),
        "recover_bits_quiet",
        "raised RuntimeError: 1000 answers are given and no more",
    ),
    "any more than nothing": Mutant(
        _each(bit="int(gap > 0)"), "recover_bits_noisy", "and then decide"
    ),
    "a whole one": Mutant(_each(bit="int(gap >= 1)"), "recover_bits_noisy", "and then decide"),
    "a share of the ones": Mutant(
        """
def recover_bits(ask, n, least, limit):
    times = limit // (2 * n)
    gaps = []
    for person in range(n):
        others = [i for i in range(n) if i != person]
        gaps.append(np.mean(ask(list(range(n)), times)) - np.mean(ask(others, times)))
    return (np.array(gaps) > np.mean(gaps)).astype(int)
""",
        "recover_bits_all_alike",
        "Somebody has the bit if the person's own count is nearer to 1 than to 0",
    ),
    "rounded up to the limit": Mutant(
        _each(times="math.ceil(limit / (2 * n))"),
        "recover_bits_all_alike",
        "raised RuntimeError: 30011 answers are given and no more",
    ),
    "half of the people": Mutant(
        _each().replace("for person in range(n)", "for person in range(n // 2)"),
        "recover_bits_quiet",
        "should be an array of shape (5,), it is an array of shape (2,)",
    ),
    "the number of ones": Mutant(
        _each().replace("return np.array(bits)", "return sum(bits)"),
        "recover_bits_quiet",
        "should be an array of shape (5,), it is one number",
    ),
    "a quarter of the answers": Mutant(
        _each(times="limit // (8 * n)"), "recover_bits_noisy", "at least half of the answers"
    ),
    "five hundred answers a group": Mutant(
        _each(times="min(500, limit // (2 * n))"),
        "recover_bits_noisy",
        "at least half of the answers",
    ),
    "the first half of the answers": Mutant(
        _each(gap="np.subtract(*(np.mean(ask(g, times)[times // 2 :]) for g in (group, others)))"),
        "recover_bits_noisy",
        "every answer counts",
    ),
    "the last thousand answers": Mutant(
        _each(gap="np.mean(ask(group, times)[-1000:]) - np.mean(ask(others, times)[-1000:])"),
        "recover_bits_noisy",
        "every answer counts",
    ),
    "all answers but one in ten": Mutant(
        _each(gap="np.subtract(*(np.mean(ask(g, times)[times // 10 :]) for g in (group, others)))"),
        "recover_bits_noisy",
        "every answer counts",
    ),
    "up to twenty people": Mutant(
        _each(bit="int(gap > 0.5) if n <= 20 else 0"), "recover_bits_noisy", "every answer counts"
    ),
    "half of the bits at most": Mutant(
        _each().replace(
            "return np.array(bits)", "return np.array(bits) if sum(bits) <= n / 2 else 0 * gap"
        ),
        "recover_bits_quiet",
        "should be an array",
    ),
    "everybody else left out if few may be asked about": Mutant(
        _each(group="list(range(n)) if least > 1 else [person, (person + 1) % n]"),
        "recover_bits_all_alike",
        "Somebody has the bit if the person's own count is nearer to 1 than to 0",
    ),
    "dplab decides": Mutant(
        """
from dplab.attacks.averaging import guess_bits


def recover_bits(ask, n, least, limit):
    times, everybody = limit // (2 * n), np.arange(n)
    gaps = [ask(everybody, times) - ask(np.delete(everybody, i), times) for i in everybody]
    return guess_bits(np.transpose(gaps))
""",
        "recover_bits_quiet",
        "is off limits in an answer",
    ),
    "at most 2,500 answers a group": Mutant(
        _each(times="min(limit // (2 * n), 2500)"), "recover_bits_noisy", "Ask for at least half"
    ),
    "at most a hundred thousand answers": Mutant(
        _each(times="min(limit, 100_000) // (2 * n)"), "recover_bits_noisy", "Ask for at least half"
    ),
    "of two people one has the bit": Mutant(
        _each().replace("return", "if n == 2:\n        bits[1] = 1 - bits[0]\n    return"),
        "recover_bits_noisy",
        "every answer counts alike",
    ),
}

ANSWERS = Answers("recover_bits", RIGHT, MUTANTS)
