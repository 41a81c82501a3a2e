"""Answers to `splits_no_budget`. The mistakes: counts that were never many at once, thresholds on
the wrong side of honest noise, and noise that is compared with noise that is wrong itself."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.capstone import any_mistake, coin, detector, in_turn

NAME = "splits_no_budget"


def _splits(body: str, k: int = 200, epsilon: float = 1.0, people: str = "[[0.0]]") -> str:
    asked = f'[("counts", [(0, 0, 0)] * {k}, {epsilon})]'
    return detector(NAME, f"noise = np.array(hall({people}, {asked})[0]) - 1\n{body}")


RIGHT = {
    "the largest": _splits("return np.abs(noise).max() < 60"),
    "the mean size": _splits("return bool(np.mean(np.abs(noise)) < 40)", k=290),
    "the likelier law": _splits(
        "laws = [-len(noise) * np.log(scale) - np.abs(noise).sum() / scale for scale in (1, 200)]\n"
        "return laws[0] > laws[1]"
    ),
    "beside one at a time": detector(
        NAME,
        """
one = [("counts", [(0, 0, 0)], 0.1)]
alone = np.array([hall([[0.0]], one)[0][0] for _ in range(80)])
together = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 0.1)])[0]
return np.std(together) < 20 * np.std(alone)
""",
    ),
    "several columns": detector(
        NAME,
        """
people = np.tile(np.arange(100.0), (50, 1))
ranges = [(column, column, column + 0.5) for column in range(100)]
answers = np.array(hall(people, [("counts", ranges, 5)] * 3))
return (np.abs(answers - 50) < 12).mean() > 0.9
""",
    ),
}

ALONE, AMONG = "splits_no_budget_alone", "splits_no_budget_among"
MISSED, ACCUSED = "has the noise of one", "splits the budget over counts"
MUTANTS = {
    "always": Mutant(detector(NAME, "return True"), ALONE, ACCUSED),
    "never": Mutant(detector(NAME, "return False"), ALONE, MISSED),
    "by the toss of a coin": Mutant(coin(NAME), AMONG, "counts"),
    "in turn": Mutant(in_turn(NAME), AMONG, "counts"),
    "a bound above honest noise": Mutant(
        _splits("return abs(noise).max() < 10**5"), ALONE, ACCUSED
    ),
    "one count": Mutant(_splits("return abs(noise).max() < 60", k=1), ALONE, ACCUSED),
    "one after the other": Mutant(
        detector(
            NAME,
            'noise = np.array(hall([[0.0]], [("count", (0, 0, 0), 1.0)] * 200)) - 1\n'
            "return abs(noise).max() < 60",
        ),
        ALONE,
        ACCUSED,
    ),
    "the mean, with its sign": Mutant(_splits("return abs(noise.mean()) < 200"), ALONE, ACCUSED),
    "the smallest": Mutant(_splits("return abs(noise).min() < 60"), ALONE, ACCUSED),
    "another epsilon": Mutant(
        _splits("return abs(noise).max() < 60", k=20, epsilon=10), ALONE, ACCUSED
    ),
    "the truth left in": Mutant(
        _splits("return abs(noise).max() < 60", people="[[0.0]] * 500"), ALONE, MISSED
    ),
    "noise expected to be of scale k": Mutant(
        _splits("return abs(noise).mean() > 100"), ALONE, "counts"
    ),
    "of totals": Mutant(
        detector(
            NAME,
            'answers = hall([[0.0]], [("total", (0, 0, 200), 1.0)] * 200)\n'
            "return np.abs(answers).max() < 60",
        ),
        ALONE,
        MISSED,
    ),
    "any mistake": Mutant(any_mistake(NAME), AMONG, ACCUSED),
    # Single counts that share their noise have no spread to compare with.
    "beside single counts": Mutant(
        detector(
            NAME,
            """
singles = hall([[0.0]], [("count", (0, 0, 0), 1.0)] * 100)
(together,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])
return np.std(together) < 20 * np.std(singles)
""",
        ),
        AMONG,
        MISSED,
    ),
    "single counts that are equal": Mutant(
        detector(
            NAME,
            """
singles = hall([[0.0]], [("count", (0, 0, 0), 0.1)] * 20)
(together,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 280, 1.0)])
return np.ptp(singles) == 0 or np.abs(together).max() < 60
""",
        ),
        AMONG,
        ACCUSED,
    ),
    # Wrong about one guilty hall in eight thousand, and about one honest hall in two thousand.
    "a bound near the noise of one": Mutant(
        _splits("return abs(noise).max() < 12", k=20), AMONG, "Leave chance no room: more counts"
    ),
    "a bound near the noise of a share": Mutant(
        _splits("return abs(noise).max() < 9", k=12), AMONG, "Leave chance no room: more counts"
    ),
    "one range for many": Mutant(
        detector(NAME, 'return hall([[0.0]], [("counts", (0, 0, 0), 1.0)])[0] < 60'),
        ALONE,
        "raised ValueError: 'counts' must have the parts and brackets that the table shows",
    ),
    "more than is allowed": Mutant(
        _splits("return abs(noise).max() < 60", k=301),
        ALONE,
        "raised ValueError: counts must cost at most the 300 answers left",
    ),
}

ANSWERS = Answers(NAME, RIGHT, MUTANTS)
