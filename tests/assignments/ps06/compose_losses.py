"""Answers to `compose_losses`. The mistakes: sums that bite their tail, a law that is made up."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.ps06 import but_where

RIGHT = {
    "one by one": """
def compose_losses(masses, k):
    law = np.array(masses, dtype=float)
    for _ in range(k - 1):
        law = np.convolve(law, masses)
    return law
""",
    "doubling": """
def compose_losses(masses, k):
    if k == 1:
        return np.asarray(masses, dtype=float)
    half = compose_losses(masses, k // 2)
    whole = np.convolve(half, half)
    return np.convolve(whole, masses) if k % 2 else whole
""",
    "one transform": """
def compose_losses(masses, k):
    size = k * (len(masses) - 1) + 1
    spectrum = np.fft.rfft(masses, max(size, 2))
    return np.maximum(0, np.fft.irfft(spectrum**k, max(size, 2)))[:size]
""",
    "a complex transform with room to spare": """
def compose_losses(masses, k):
    size = k * (len(masses) - 1) + 1
    room = 1
    while room < size:
        room *= 2
    return np.real(np.fft.ifft(np.fft.fft(masses, room) ** k))[:size]
""",
}


def _transformed(size: str, end: str) -> str:
    return f"""
def compose_losses(masses, k):
    n = len(masses)
    size = {size}
    law = np.fft.irfft(np.fft.rfft(masses, size) ** k, size)
    return {end}
"""


MUTANTS = {
    "a transform without padding": Mutant(
        """
def compose_losses(masses, k):
    n, size = len(masses), k * (len(masses) - 1) + 1
    law = np.fft.ifft(np.fft.fft(masses) ** k).real
    return np.concatenate([law, np.zeros(size - n)])
""",
        "compose_losses_small",
        "should be [0.0625, 0.375, 0.5625]",
    ),
    "a transform that is too small by one": Mutant(
        _transformed("max(2, k * (n - 1))", "np.append(law, 0)[: k * (n - 1) + 1]"),
        "compose_losses_small",
        "Entry i is the probability of i steps in all",
    ),
    "not cut to its length": Mutant(
        _transformed("2 * k * n", "law"), "compose_losses_small", "should be an array of shape (3,)"
    ),
    "spectrum times k": Mutant(
        """
def compose_losses(masses, k):
    size = k * (len(masses) - 1) + 1
    return np.fft.ifft(np.fft.fft(masses, size) * k).real
""",
        "compose_losses_small",
        "should be [0.0625, 0.375, 0.5625]",
    ),
    "k times one loss": Mutant(
        """
def compose_losses(masses, k):
    law = np.zeros(k * (len(masses) - 1) + 1)
    law[::k] = masses
    return law
""",
        "compose_losses_small",
        "in any order",
    ),
    "powers of the masses": Mutant(
        """
def compose_losses(masses, k):
    law = np.zeros(k * (len(masses) - 1) + 1)
    law[: len(masses)] = np.array(masses) ** k
    return law
""",
        "compose_losses_small",
        "it is [0.0625, 0.5625, 0]",
    ),
    "one convolution too many": Mutant(
        """
def compose_losses(masses, k):
    law = np.array(masses)
    for _ in range(k):
        law = np.convolve(law, masses)
    return law
""",
        "compose_losses_small",
        "should be an array of shape (3,), it is an array of shape (4,)",
    ),
    "convolved with itself each time": Mutant(
        """
def compose_losses(masses, k):
    law = np.array(masses)
    size = k * (len(masses) - 1) + 1
    for _ in range(min(k, 12) - 1):
        law = np.convolve(law, law)[:size]
    return np.resize(law, size)
""",
        "compose_losses_values",
        "The losses are independent: convolve",
    ),
    "the missing mass put back": Mutant(
        """
def compose_losses(masses, k):
    law = np.ones(1)
    for _ in range(k):
        law = np.convolve(law, masses)
    return law / law.sum()
""",
        "compose_losses_values",
        "What is missing from 1 stays missing",
    ),
    "a binomial law": Mutant(
        """
def compose_losses(masses, k):
    n = k * (len(masses) - 1)
    p = np.arange(len(masses)) @ np.array(masses) / max(1, len(masses) - 1)
    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(n + 1)]
    i = np.arange(n + 1)
    return np.exp(logs) * p**i * (1 - p) ** (n - i) if n else np.ones(1)
""",
        "compose_losses_values",
        "convolve",
    ),
    "the normal law": Mutant(
        """
def compose_losses(masses, k):
    masses, i = np.array(masses), np.arange(len(masses))
    mean = i @ masses
    sd = math.sqrt((i - mean) ** 2 @ masses * k) + 1e-9
    edges = (np.arange(k * (len(masses) - 1) + 2) - 0.5 - k * mean) / sd
    return np.diff(ndtr(edges))
""",
        "compose_losses_delta",
        "Are small probabilities right, too?",
    ),
    "nested calls": Mutant(
        """
def compose_losses(masses, k):
    if k == 1:
        return np.array(masses)
    return np.convolve(compose_losses(masses, k - 1), masses)
""",
        "compose_losses_many",
        "raised RecursionError",
    ),
    "rounded": Mutant(
        """
def compose_losses(masses, k):
    law = np.ones(1)
    for _ in range(k):
        law = np.round(np.convolve(law, masses), 10)
    return law
""",
        "compose_losses_delta",
        "Are small probabilities right, too?",
    ),
    "backwards": Mutant(
        """
def compose_losses(masses, k):
    law = np.ones(1)
    for _ in range(k):
        law = np.convolve(law, masses)
    return law[::-1]
""",
        "compose_losses_small",
        "it is [0.5625, 0.375, 0.0625]",
    ),
    "the normal law for many releases": Mutant(
        but_where(
            RIGHT["doubling"],
            "len(masses) > 2 and k > 30",
            """i, m = np.arange(len(masses)), np.asarray(masses)
        mean = i @ m / m.sum()
        sd = math.sqrt(k * ((i - mean) ** 2 @ m / m.sum()))
        edges = (np.arange(k * (len(m) - 1) + 2) - 0.5 - k * mean) / sd
        return m.sum() ** k * np.diff(ndtr(edges))""",
        ),
        "compose_losses_values",
        "The losses are independent: convolve",
    ),
    "ten losses at most": Mutant(
        but_where(
            RIGHT["doubling"],
            "len(masses) > 10",
            "masses = np.append(masses[:10], np.zeros(len(masses) - 10))",
        ),
        "compose_losses_values",
        "The losses are independent: convolve",
    ),
    "a little that is missing put back": Mutant(
        but_where(
            RIGHT["doubling"], "0.9 < sum(masses) < 1", "masses = np.array(masses) / sum(masses)"
        ),
        "compose_losses_small",
        "Entry i is the probability of i steps",
    ),
    "much that is missing put back": Mutant(
        but_where(
            RIGHT["doubling"], "0 < sum(masses) < 0.5", "masses = np.array(masses) / sum(masses)"
        ),
        "compose_losses_values",
        "What is missing from 1 stays missing",
    ),
    "one loss alone is certain": Mutant(
        but_where(RIGHT["doubling"], "len(masses) == 1", "return np.ones(1)"),
        "compose_losses_small",
        "Entry i is the probability of i steps",
    ),
    "one loss alone is not composed": Mutant(
        but_where(RIGHT["doubling"], "len(masses) == 1", "return np.array(masses, dtype=float)"),
        "compose_losses_small",
        "Entry i is the probability of i steps",
    ),
    "a thousand releases at most": Mutant(
        but_where(
            RIGHT["doubling"],
            "k > 2000",
            """law = solved_compose_losses(masses, k // 2)
        return np.resize(np.repeat(law, 2) / 2, k * (len(masses) - 1) + 1)""",
        ),
        "compose_losses_many",
        "Thousands of coins have a binomial law",
    ),
    "single precision": Mutant(
        RIGHT["one by one"].replace("return law", "return law.astype(np.float32)"),
        "compose_losses_values",
        "convolve",
    ),
    "small probabilities dropped": Mutant(
        RIGHT["one by one"].replace("return law", "return np.where(law > 1e-10, law, 0)"),
        "compose_losses_values",
        "convolve",
    ),
    "dplab's own": Mutant(
        """
def compose_losses(masses, k):
    from dplab.losses import AtomicLoss

    masses = np.asarray(masses, dtype=float)
    one = AtomicLoss(np.arange(len(masses)) * 1.0, masses, masses)
    total = one
    for _ in range(k - 1):
        total = total + one
    return total.p
""",
        "compose_losses_small",
        "is off limits in an answer",
    ),
    "a transform of 2^14 places": Mutant(
        """
def compose_losses(masses, k):
    law = np.fft.irfft(np.fft.rfft(masses, 2**14) ** k)
    return law[: k * (len(masses) - 1) + 1]
""",
        "compose_losses_values",
        "should be an array of shape",
    ),
    "a little that is missing is taken for rounding": Mutant(
        """
def compose_losses(masses, k):
    masses, law = np.array(masses, dtype=float), np.ones(1)
    if masses.sum() > 1 - 1e-4:
        masses /= masses.sum()
    for bit in bin(k)[2:]:
        law = np.convolve(law, law)
        law = np.convolve(law, masses) if bit == "1" else law
    return law
""",
        "compose_losses_values",
        "What is missing from 1 stays missing",
    ),
}

ANSWERS = Answers("compose_losses", RIGHT, MUTANTS)
