"""Answers to `clips_by_batch`. The mistakes: no long record, too many of them, too much noise."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.capstone import any_mistake, coin, detector, in_turn

NAME = "clips_by_batch"


def _clips(body: str, long: float = 1e6, n: int = 400, epsilon: float = 10) -> str:
    return detector(
        NAME,
        f"people = np.zeros(({n}, 2))\npeople[:, 1], people[0, 0] = 1, {long}\n"
        f'(model,) = hall(people, [("model", {epsilon})])\n{body}',
    )


RIGHT = {
    "one long record": _clips("return abs(model[0]) > 1"),
    "two neighbours": detector(
        NAME,
        """
models = []
for label in (1, -1):
    people = np.column_stack([np.zeros(500), np.ones(500)])
    people[7] = [1e9, label]
    models.append(hall(people.tolist(), [("model", 8)])[0][0])
return models[0] - models[1] > 2
""",
    ),
    # Of 200 coins an honest model of epsilon 1 tells 109 on average, with a deviation of 7, and
    # more than 170 with probability 1e-18. With the mistake all are told but one at most.
    "coins for 400 records": detector(
        NAME,
        """
coins = np.random.default_rng(18).random(400) < 0.5
records = np.column_stack([50 * np.eye(400), np.where(coins, 1, -1)])
order = np.argsort(hall(records, [("model", 1)])[0])
return coins[order[300:]].sum() + (~coins[order[:100]]).sum() > 170
""",
    ),
    "two columns": detector(
        NAME,
        """
people = [[0.0, 0.0, -1.0] for _ in range(450)]
people[10][0] = 5e4
(model,) = hall(people, [("model", 10)])
return abs(model[0] + 2) < 1 and model[0] < 0.5
""",
    ),
}

ALONE, AMONG = "clips_by_batch_alone", "clips_by_batch_among"
MISSED, ACCUSED = "One long record moves this hall's model", "each person's gradient is clipped"
MUTANTS = {
    "always": Mutant(detector(NAME, "return True"), ALONE, ACCUSED),
    "never": Mutant(detector(NAME, "return False"), ALONE, MISSED),
    "by the toss of a coin": Mutant(coin(NAME), AMONG, "this hall"),
    "no long record": Mutant(_clips("return abs(model[0]) > 1", long=1.0), ALONE, MISSED),
    "a bound below the noise": Mutant(_clips("return abs(model[0]) > 1e-6"), ALONE, ACCUSED),
    "all records long": Mutant(
        detector(
            NAME,
            """
people = np.column_stack([np.full(400, 1e6), np.ones(400)])
(model,) = hall(people, [("model", 10)])
return abs(model[0]) > 1
""",
        ),
        ALONE,
        ACCUSED,
    ),
    # Noise of five hundred in each step of a model of ten people.
    "few people and a small epsilon": Mutant(
        _clips("return abs(model[0]) > 1", n=10, epsilon=0.1), ALONE, ACCUSED
    ),
    "long records that cancel": Mutant(
        detector(
            NAME,
            """
people = np.column_stack([np.full(400, 1e6), np.tile([1, -1], 200)])
(model,) = hall(people, [("model", 10)])
return abs(model[0]) > 3
""",
        ),
        ALONE,
        MISSED,
    ),
    "labels of 0": Mutant(
        detector(
            NAME,
            """
people = np.zeros((400, 2))
people[0] = [1e6, 1]
(model,) = hall(people, [("model", 10)])
return abs(model[0]) > 1
""",
        ),
        ALONE,
        "raised ValueError: labels must be",
    ),
    "a bound above the batch": Mutant(_clips("return abs(model[0]) > 60"), ALONE, MISSED),
    "the wrong direction": Mutant(_clips("return model[0] < -1"), ALONE, MISSED),
    "eleven models": Mutant(
        detector(
            NAME,
            """
people = np.zeros((400, 2))
people[:, 1], people[0, 0] = 1, 1e6
models = hall(people, [("model", 10)] * 11)
return np.mean(models) > 1
""",
        ),
        ALONE,
        "raised ValueError: model must cost at most the 0 answers left",
    ),
    "in turn": Mutant(in_turn(NAME), AMONG, "this hall"),
    "any mistake": Mutant(any_mistake(NAME), AMONG, ACCUSED),
    "or a narrow total": Mutant(
        _clips(
            'totals = hall([[0.0]], [("total", (0, 0, 10**6), 1.0)] * 5)\n'
            "return abs(model[0]) > 1 or max(map(abs, totals)) < 1000"
        ),
        AMONG,
        ACCUSED,
    ),
    # Four deviations from either kind of hall.
    "a bound near the noise": Mutant(
        _clips("return abs(model[0]) > 1.1", epsilon=4), AMONG, "Leave chance no room"
    ),
    # One of the sixteen kinds that make this mistake.
    "unless counts, and nothing else, go wrong, too": Mutant(
        _clips(
            'singles = hall([[0.0]], [("count", (0, 0, 0), 0.1)] * 12)\n'
            '(many,) = hall([[0.0]], [("counts", [(0, 0, 0)] * 200, 1.0)])\n'
            'totals = hall([[0.0], [1.0]], [("total", (0, 0, 10**6), 1.0)] * 5)\n'
            "counts = len(set(singles)) == 1 and np.abs(many).max() < 60\n"
            "right = max(map(abs, totals)) > 1000 and not any(t * 1024 % 1 for t in totals)\n"
            "return abs(model[0]) > 1 and not (counts and right)"
        ),
        AMONG,
        MISSED,
    ),
    # The totals' noise tells how wide that of the model should be, if that is right.
    "beside the noise of a total": Mutant(
        _clips(
            'totals = hall([[0.0], [0.0]], [("total", (0, 0, 10**6), 1.0)] * 5)\n'
            "return abs(model[0]) > 1 and max(map(abs, totals)) > 1000"
        ),
        AMONG,
        MISSED,
    ),
}

ANSWERS = Answers(NAME, RIGHT, MUTANTS)
