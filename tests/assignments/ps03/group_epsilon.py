"""Answers to `group_epsilon` and `tight_chain`. The mistakes: delta's growth, and loose chains."""

from autograder.rehearsal.catalogue import Answers, Mutant

_SUM = "k * epsilon, delta * sum(math.exp(epsilon) ** j for j in range(k))"
_ALARM = """    first = math.exp(-k * epsilon) / 2
    alarms = [first * math.exp(j * epsilon) for j in range(k + 1)]
    return [[alarm, 1 - alarm] for alarm in alarms]
"""


def _both(promise: str = _SUM, chain: str = _ALARM) -> str:
    """The text of both functions: what the first returns, and the body of the second."""
    return f"""
def group_epsilon(epsilon, delta, k):
    return {promise}


def tight_chain(epsilon, k):
{chain}
"""


RIGHT = {
    "an alarm": _both(),
    "the chain followed, and k answers to a survey": """
def group_epsilon(epsilon, delta, k):
    total = 0
    for _ in range(k):
        total = total * math.exp(epsilon) + delta
    return [epsilon * k, total]


def tight_chain(epsilon, k):
    truth = 1 / (1 + math.exp(-epsilon))
    table = []
    for j in range(k + 1):
        truths = [1] * j + [0] * (k - j)
        table.append([
            math.prod(truth if x == y else 1 - truth for x, y in zip(truths, answers))
            for answers in product([0, 1], repeat=k)
        ])
    return table
""",
    "a closed form, and a count with noise": """
def group_epsilon(epsilon, delta, k):
    grown = k if epsilon == 0 else math.expm1(k * epsilon) / math.expm1(epsilon)
    return (k * epsilon, delta * grown)


def tight_chain(epsilon, k):
    counts = np.arange(k + 1)
    table = np.exp(-epsilon * np.abs(counts - counts[:, None]))
    table[:, 1:-1] *= (1 - np.exp(-epsilon)) / (1 + np.exp(-epsilon))
    table[:, [0, -1]] /= 1 + np.exp(-epsilon)
    return table
""",
    "arrays": """
def group_epsilon(epsilon, delta, k):
    return np.array([k * epsilon, delta * np.exp(epsilon * np.arange(k)).sum()])


def tight_chain(epsilon, k):
    quiet = 0.5 * np.exp(-epsilon * np.arange(k + 1))
    return np.column_stack([quiet, np.zeros(k + 1), 1 - quiet])
""",
}

_TOLD = "should be [2, 0.003718], it is "

MUTANTS = {
    "one epsilon for all": Mutant(
        _both(_SUM.replace("k * epsilon", "epsilon", 1)),
        "group_epsilon_pure",
        "should be [1.5, 0], it is [0.5, 0]",
    ),
    "epsilon to the power k": Mutant(
        _both(_SUM.replace("k * epsilon", "epsilon ** k", 1)),
        "group_epsilon_pure",
        "it is [0.125, 0]",
    ),
    "the factor in the place of epsilon": Mutant(
        _both(_SUM.replace("k * epsilon", "math.exp(k * epsilon)", 1)),
        "group_epsilon_pure",
        "should be [1.5, 0], it is [4.482, 0]",
    ),
    "the square root of k": Mutant(
        _both(_SUM.replace("k * epsilon", "math.sqrt(k) * epsilon", 1)),
        "group_epsilon_pure",
        "Each of the k steps multiplies",
    ),
    "epsilon alone": Mutant(
        _both("k * epsilon"), "group_epsilon_pure", "should be an array of shape (2,)"
    ),
    "delta unchanged": Mutant(
        _both("k * epsilon, delta"), "group_epsilon_delta", _TOLD + "[2, 0.001]"
    ),
    "k deltas": Mutant(
        _both("k * epsilon, k * delta"), "group_epsilon_delta", _TOLD + "[2, 0.002]"
    ),
    "the simpler formula": Mutant(
        _both("k * epsilon, k * math.exp((k - 1) * epsilon) * delta"),
        "group_epsilon_delta",
        _TOLD + "[2, 0.005437]",
    ),
    "the last step alone": Mutant(
        _both("k * epsilon, math.exp((k - 1) * epsilon) * delta"),
        "group_epsilon_delta",
        _TOLD + "[2, 0.002718]",
    ),
    "one step too many": Mutant(
        _both(_SUM.replace("range(k)", "range(k + 1)")),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "steps from one": Mutant(
        _both(_SUM.replace("range(k)", "range(1, k + 1)")),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "cut off at 1": Mutant(
        _both("k * epsilon, min(1, delta * sum(math.exp(j * epsilon) for j in range(k)))"),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "the closed form at epsilon 0": Mutant(
        _both(
            "k * epsilon, delta * math.expm1(k * epsilon) / math.expm1(epsilon) if delta else 0.0"
        ),
        "group_epsilon_delta",
        "Follow the chain",
    ),
    "k rows": Mutant(
        _both(chain=_ALARM.replace("range(k + 1)", "range(k)")),
        "group_epsilon_tight",
        "the number of rows of tight_chain(1.000, 2) should be 3, it is 2",
    ),
    "one row": Mutant(
        _both(chain="    return [math.exp((j - k) * epsilon) / 2 for j in range(k + 1)]"),
        "group_epsilon_tight",
        "the number of dimensions",
    ),
    "rows that don't sum to one": Mutant(
        _both(chain="    return [[math.exp(j * epsilon), 1] for j in range(k + 1)]"),
        "group_epsilon_tight",
        "the sum of each row",
    ),
    "a negative probability": Mutant(
        _both(
            chain="    p = [0.9 * math.exp(j * epsilon) for j in range(k + 1)]\n"
            "    return [[one, 1 - one] for one in p]"
        ),
        "group_epsilon_tight",
        "has no negative entry",
    ),
    "too sure at the end": Mutant(
        _both(chain=_ALARM.replace("math.exp(-k * epsilon) / 2", "math.exp(-k * epsilon) * 0.99")),
        "group_epsilon_tight",
        "of two neighbours in tight_chain(1.000, 2)",
    ),
    "back and forth": Mutant(
        _both(
            chain="    p = 1 / (1 + math.exp(epsilon))\n"
            "    return [[p, 1 - p] if j % 2 else [1 - p, p] for j in range(k + 1)]"
        ),
        "group_epsilon_tight",
        "between the ends of tight_chain(1.000, 2) should be 2, it is 0",
    ),
    "a normalised count": Mutant(
        _both(
            chain="    counts = np.arange(k + 1)\n"
            "    table = np.exp(-epsilon * np.abs(counts - counts[:, None]))\n"
            "    return table / table.sum(axis=1, keepdims=True)"
        ),
        "group_epsilon_tight",
        "of two neighbours in tight_chain(1.000, 2) should be 1, it is",
    ),
    "epsilon for all of them": Mutant(
        _both(chain=_ALARM.replace("j * epsilon", "j * epsilon / k")),
        "group_epsilon_tight",
        "between the ends of tight_chain(1.000, 2) should be 2, it is 1",
    ),
    # Right where a test usually looks.
    "the simpler formula for large groups": Mutant(
        _both(
            "k * epsilon, delta * (k * math.exp((k - 1) * epsilon) if k > 20 else "
            "sum(math.exp(j * epsilon) for j in range(k)))"
        ),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "tiny deltas forgotten": Mutant(
        _both(_SUM.replace("delta * sum", "(delta > 1e-12) * delta * sum")),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "the group's delta in twelve digits": Mutant(
        _both(
            _SUM.replace(
                "delta * sum(math.exp(epsilon) ** j for j in range(k))",
                "round(delta * sum(math.exp(epsilon) ** j for j in range(k)), 12)",
            )
        ),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "small epsilons forgotten": Mutant(
        _both(_SUM.replace("math.exp(epsilon) ** j", "math.exp(epsilon * (epsilon > 0.005)) ** j")),
        "group_epsilon_delta",
        "the delta of an early step",
    ),
    "an epsilon of 3 at most": Mutant(
        _both(_SUM.replace("k * epsilon", "k * min(epsilon, 3)", 1)),
        "group_epsilon_pure",
        "Each of the k steps multiplies",
    ),
    "fifty people at most": Mutant(
        _both(_SUM.replace("k * epsilon", "min(k, 50) * epsilon", 1)),
        "group_epsilon_pure",
        "Each of the k steps multiplies",
    ),
    "an epsilon in hundredths": Mutant(
        _both(_SUM.replace("k * epsilon", "k * round(epsilon, 2)", 1)),
        "group_epsilon_pure",
        "Each of the k steps multiplies",
    ),
    "an alarm that is too sure for small epsilon": Mutant(
        _both(chain=_ALARM.replace("math.exp(-k * epsilon) / 2", "math.exp(-k * epsilon) * 0.6")),
        "group_epsilon_tight",
        "a factor of e^epsilon at most",
    ),
    "loose for four and more": Mutant(
        _both(chain=_ALARM.replace("j * epsilon", "min(j, 3) * epsilon")),
        "group_epsilon_tight",
        "all steps the same way",
    ),
    "loose for large epsilon": Mutant(
        _both(chain="    epsilon = min(epsilon, 2)\n" + _ALARM),
        "group_epsilon_tight",
        "all steps the same way",
    ),
    "loose for small epsilon": Mutant(
        _both(chain="    epsilon = epsilon * (epsilon > 0.02)\n" + _ALARM),
        "group_epsilon_tight",
        "all steps the same way",
    ),
    "rounded to six digits": Mutant(
        _both(chain=_ALARM.replace("[alarm, 1 - alarm]", "[round(alarm, 6), 1 - round(alarm, 6)]")),
        "group_epsilon_tight",
        "between the ends of tight_chain(1.000, 2)",
    ),
    "dplab's own": Mutant(
        _both(
            "(lambda group: (group.epsilon, group.delta))"
            '(__import__("dplab").ApproxDP(epsilon, delta).group(k))'
        ),
        "group_epsilon_pure",
        "off limits",
    ),
}

ANSWERS = Answers("group_epsilon", RIGHT, MUTANTS)
