"""Answers to the capstone. What detectors have in common is here: their right ways, and luck."""


def detector(name: str, body: str) -> str:
    """The text of a detector with these lines."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"\ndef {name}(hall):\n{lines}\n"


def any_mistake(name: str) -> str:
    """True of every hall that makes a mistake, whichever it is."""
    return detector(
        name,
        """
totals = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)
singles = hall([[0.0], [1.0]], [("count", (0, 0, 0), 0.1)] * 12)
(many,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
people = np.zeros((400, 2))
people[:, 1], people[0, 0] = 1, 1e6
(model,) = hall(people, [("model", 10)])
found = [
    any(total * 1024 % 1 for total in totals),
    max(map(abs, totals)) < 1000,
    len(set(singles)) == 1,
    np.abs(many).max() < 60,
    abs(model[0]) > 1,
]
return any(found)
""",
    )


def coin(name: str) -> str:
    """Has never seen a hall."""
    return f"""
coin = np.random.default_rng(2026)


def {name}(hall):
    return coin.random() < 0.5
"""


def in_turn(name: str) -> str:
    """Knows the first answers, and goes on like that."""
    return f"""
asked = []


def {name}(hall):
    asked.append(hall)
    return len(asked) % 2 == 0
"""
