"""Answers to `reuses_noise`. The mistakes: two conversations, two epsilons, equality by chance."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.capstone import any_mistake, coin, detector, in_turn

NAME = "reuses_noise"


def _reuses(body: str, asked: str = '[("count", (0, 0, 0), 0.1)] * 13') -> str:
    return detector(NAME, f"answers = hall([[0.0], [1.0], [1.0]], {asked})\n{body}")


RIGHT = {
    "all the same": _reuses("return len(set(answers)) == 1"),
    "differences": detector(
        NAME,
        """
people = np.arange(10.0)[:, None]
answers = np.array(hall(people, [("count", (0, 0, high), 0.2) for high in range(10)] * 3))
return bool((np.diff(answers.reshape(3, 10), axis=1) == 1).all())
""",
    ),
    "no spread": _reuses("return np.ptp(answers) == 0", '[("count", (0, 0, 1), 1e-4)] * 20'),
    "two columns": detector(
        NAME,
        """
people = [[1.0, 5.0]] * 7 + [[2.0, 6.0]] * 4
asked = [("count", (0, 1, 1), 0.01), ("count", (1, 6, 9), 0.01)] * 10
noise = np.array(hall(people, asked)) - [7, 4] * 10
return noise.std() < 1e-9
""",
    ),
    "conversation after conversation": detector(
        NAME,
        """
for _ in range(15):
    first, second = hall([[0.0]], [("count", (0, 0, 0), 0.05), ("count", (0, 3, 4), 0.05)])
    if first - second != 1:
        return False
return True
""",
    ),
}

ALONE, AMONG = "reuses_noise_alone", "reuses_noise_among"
MISSED, ACCUSED = "share their noise here", "draws noise for each single count"
MUTANTS = {
    "always": Mutant(detector(NAME, "return True"), ALONE, ACCUSED),
    "never": Mutant(detector(NAME, "return False"), ALONE, MISSED),
    "by the toss of a coin": Mutant(coin(NAME), AMONG, "noise"),
    "in turn": Mutant(in_turn(NAME), AMONG, "noise"),
    "conversations apart": Mutant(
        detector(
            NAME,
            'answers = [hall([[0.0]], [("count", (0, 0, 0), 0.1)])[0] for _ in range(12)]\n'
            "return len(set(answers)) == 1",
        ),
        ALONE,
        MISSED,
    ),
    "equal by chance": Mutant(
        _reuses("return len(set(answers)) == 1", '[("count", (0, 0, 0), 10)] * 12'), ALONE, ACCUSED
    ),
    "any two": Mutant(
        _reuses("return len(set(answers)) < len(answers)", '[("count", (0, 0, 0), 0.5)] * 60'),
        ALONE,
        ACCUSED,
    ),
    "two epsilons": Mutant(
        _reuses(
            "return len(set(answers)) == 1",
            '[("count", (0, 0, 0), 0.001 * k) for k in range(1, 13)]',
        ),
        ALONE,
        MISSED,
    ),
    "of totals": Mutant(
        _reuses("return len(set(answers)) == 1", '[("total", (0, 0, 1), 0.1)] * 12'), ALONE, MISSED
    ),
    "of counts at once": Mutant(
        _reuses("return np.ptp(answers[0]) == 0", '[("counts", [(0, 0, 0)] * 12, 0.1)]'),
        ALONE,
        MISSED,
    ),
    "the truths left in": Mutant(
        _reuses(
            "return answers[0] == answers[1] == answers[2] == answers[3]",
            '[("count", (0, 0, 0), 0.001), ("count", (0, 1, 1), 0.001)] * 2',
        ),
        ALONE,
        MISSED,
    ),
    "rounded to ten thousands": Mutant(
        _reuses(
            "return len({round(answer, -4) for answer in answers}) == 1",
        ),
        ALONE,
        ACCUSED,
    ),
    "any mistake": Mutant(any_mistake(NAME), AMONG, ACCUSED),
    "little noise in many counts": Mutant(
        _reuses(
            "return len(set(answers[:-1])) == 1 or np.abs(answers[-1]).max() < 50",
            '[("count", (0, 0, 0), 0.1)] * 12 + [("counts", [(0, 0, 0)] * 280, 1.0)]',
        ),
        AMONG,
        ACCUSED,
    ),
    # Where the counts at once are not split either, they look like the single ones.
    "beside counts at once": Mutant(
        _reuses(
            "return len(set(answers[:-1])) == 1 and np.ptp(answers[-1]) > 10**4",
            '[("count", (0, 0, 0), 0.1)] * 12 + [("counts", [(0, 0, 0)] * 280, 0.1)]',
        ),
        AMONG,
        MISSED,
    ),
    # Wrong about one honest hall in four hundred.
    "two counts": Mutant(
        _reuses("return answers[0] == answers[1]", '[("count", (0, 0, 0), 0.01)] * 2'),
        AMONG,
        "Leave chance no room",
    ),
    # Wrong about one honest hall in a thousand.
    "five counts": Mutant(
        _reuses("return len(set(answers)) == 1", '[("count", (0, 0, 0), 0.3)] * 5'),
        AMONG,
        "Leave chance no room",
    ),
    "more than is allowed": Mutant(
        _reuses("return len(set(answers)) == 1", '[("count", (0, 0, 0), 0.1)] * 301'),
        ALONE,
        "raised ValueError: count must cost at most the 0 answers left",
    ),
}

ANSWERS = Answers(NAME, RIGHT, MUTANTS)
