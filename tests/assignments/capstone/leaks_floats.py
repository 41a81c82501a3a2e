"""Answers to `leaks_floats`. The mistakes: the grid, how fine floats are, and other bugs."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.capstone import any_mistake, coin, detector, in_turn

NAME = "leaks_floats"


def _leaks(body: str, asked: str = '[("total", (0, 0, 1), 1.0)] * 5') -> str:
    return detector(NAME, f"answers = hall([[0.0], [1.0]], {asked})\n{body}")


RIGHT = {
    "the rest by division": _leaks("return any(answer * 1024 % 1 != 0 for answer in answers)"),
    "dplab's own": f"""
from dplab.attacks.floating_point import finer_than_grid

{_leaks("return finer_than_grid(answers, 1 / 1024).any()")}
""",
    "as fractions": f"""
from fractions import Fraction

{_leaks("return max(Fraction(answer).denominator for answer in answers) > 1024")}
""",
    # On the grid some of 200 answers around 0 are equal but for a chance of e^-48, floats never.
    "none twice": _leaks(
        "return len(set(answers)) == len(answers)", '[("total", (0, 0, 1), 10)] * 200'
    ),
    "one at a time": detector(
        NAME,
        """
for _ in range(20):
    (answer,) = hall([[3, -1.0], [4, 1.0]], [("total", (1, -2, 3), 0.3)])
    if answer != round(answer * 1024) / 1024:
        return True
return False
""",
    ),
}

ALONE, AMONG = "leaks_floats_alone", "leaks_floats_among"
MISSED, ACCUSED = "so coarse itself", "This hall's totals are multiples"
MUTANTS = {
    "always": Mutant(detector(NAME, "return True"), ALONE, ACCUSED),
    "never": Mutant(detector(NAME, "return False"), ALONE, MISSED),
    "by the toss of a coin": Mutant(coin(NAME), AMONG, "1/1024"),
    "in turn": Mutant(in_turn(NAME), AMONG, "1/1024"),
    "whole numbers": Mutant(_leaks("return any(answer % 1 for answer in answers)"), ALONE, ACCUSED),
    "of the type float": Mutant(_leaks("return isinstance(answers[0], float)"), ALONE, ACCUSED),
    "a grid of thousandths": Mutant(
        _leaks("return any(abs(round(answer, 3) - answer) > 1e-9 for answer in answers)"),
        ALONE,
        ACCUSED,
    ),
    # Noise of scale 2e15: a float that large has no bits below 1/4.
    "a range as wide as can be": Mutant(
        _leaks(
            "return any(answer * 1024 % 1 for answer in answers)",
            '[("total", (0, -(10**9), 10**9), 1e-6)] * 5',
        ),
        ALONE,
        MISSED,
    ),
    "the grid of Laplace noise of scale 1": Mutant(
        f"""
from dplab.attacks.floating_point import finer_than_grid

{_leaks("return finer_than_grid(np.array(answers) + 4096.0).any()")}
""",
        ALONE,
        MISSED,
    ),
    "of counts": Mutant(
        _leaks(
            "return any(answer * 1024 % 1 for answer in answers)", '[("count", (0, 0, 1), 1.0)] * 5'
        ),
        ALONE,
        MISSED,
    ),
    "five answers, none twice": Mutant(
        _leaks("return len(set(answers)) > 1", '[("total", (0, 0, 10), 0.1)] * 5'), ALONE, ACCUSED
    ),
    # Near 10^9 floats are so coarse that one in eight thousand is on the grid.
    "a single total of a wide range": Mutant(
        _leaks("return answers[0] * 1024 % 1 != 0", '[("total", (0, 0, 10**9), 1.0)]'),
        AMONG,
        "Leave chance no room",
    ),
    "people who are no rows": Mutant(
        detector(NAME, 'return hall([0.0, 1.0], [("total", (0, 0, 1), 1.0)])[0] * 1024 % 1 != 0'),
        ALONE,
        "raised ValueError: people must be a list of rows, a row a person, not (2,)",
    ),
    "a range without brackets": Mutant(
        detector(NAME, 'return hall([[0.0]], [("total", 0, 0, 1, 1.0)])[0] * 1024 % 1 != 0'),
        ALONE,
        "raised ValueError: 'total' must have the parts and brackets that the table shows",
    ),
    "more than is allowed": Mutant(
        _leaks(
            "return any(answer * 1024 % 1 for answer in answers)",
            '[("total", (0, 0, 1), 1.0)] * 301',
        ),
        ALONE,
        "raised ValueError: total must cost at most the 0 answers left",
    ),
    "any mistake": Mutant(any_mistake(NAME), AMONG, ACCUSED),
    "anything about totals": Mutant(
        _leaks(
            "fine = any(answer * 1024 % 1 for answer in answers)\n"
            "return fine or max(map(abs, answers)) < 1000",
            '[("total", (0, 0, 10**6), 1.0)] * 5',
        ),
        AMONG,
        ACCUSED,
    ),
    # Noise as narrow as the data is told by its size, and then taken for the other mistake.
    "unless it follows the data": Mutant(
        _leaks(
            "fine = any(answer * 1024 % 1 for answer in answers)\n"
            "return fine and max(map(abs, answers)) > 1000",
            '[("total", (0, 0, 10**6), 1.0)] * 5',
        ),
        AMONG,
        MISSED,
    ),
    "the number of different remainders": Mutant(
        _leaks(
            "return len({answer * 1024 % 1 for answer in answers}) > 5",
        ),
        ALONE,
        MISSED,
    ),
}

ANSWERS = Answers(NAME, RIGHT, MUTANTS)
