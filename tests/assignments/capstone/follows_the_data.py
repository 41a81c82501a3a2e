"""Answers to `follows_the_data`. The mistakes: a range that the people fill, too little room for
chance, and what noise in floats looks like."""

from autograder.rehearsal.catalogue import Answers, Mutant
from tests.assignments.capstone import any_mistake, coin, detector, in_turn

NAME = "follows_the_data"


def _follows(
    body: str, asked: str = '[("total", (0, 0, 10**6), 1.0)] * 5', people: str = "[[0.0], [1.0]]"
) -> str:
    return detector(NAME, f"answers = hall({people}, {asked})\n{body}")


RIGHT = {
    "far too near": _follows("return max(abs(answer - 1) for answer in answers) < 1000"),
    # With the mistake the noise of one table is wider than that of the other by a factor of 10^6;
    # without, the bound is above the promise by chance with probability 1e-15.
    "an audit of two neighbours": f"""
from dplab.audit import epsilon_lower_bound

{
        detector(
            NAME,
            '''
asked = [("total", (0, 0, 10**6), 0.01)] * 150
draws = [np.abs(hall([[0.0], [0.0], [last]], asked)) for last in (1.0, 1e6)]
return epsilon_lower_bound(*draws, failure=1e-15).epsilon > 0.01
''',
        )
    }
""",
    "two tables": detector(
        NAME,
        """
asked = [("total", (0, -(10**6), 10**6), 0.1)] * 60
narrow = hall([[5.0]] * 3, asked)
wide = hall([[5.0], [-1e6], [1e6]], asked)
return bool(np.median(np.abs(np.array(narrow) - 15)) < np.median(np.abs(np.array(wide) - 5)) / 50)
""",
    ),
    "two ranges": detector(
        NAME,
        """
people = [[-2.0], [1.5]]
asked = [("total", (0, -3, high), 0.5) for high in (10, 10**8) for _ in range(40)]
off = np.abs(np.array(hall(people, asked)) + 0.5)
return off[40:].mean() < 1000 * off[:40].mean()
""",
    ),
    "the likelier law": _follows(
        "answers = np.abs(np.array(answers) - 1)\n"
        "laws = [-np.log(scale) * len(answers) - answers.sum() / scale for scale in (1, 1e6)]\n"
        "return laws[0] > laws[1]"
    ),
}

ALONE, AMONG = "follows_the_data_alone", "follows_the_data_among"
MISSED, ACCUSED = "far less noise", "is as wide as the range asked for"
MUTANTS = {
    "always": Mutant(detector(NAME, "return True"), ALONE, ACCUSED),
    "never": Mutant(detector(NAME, "return False"), ALONE, MISSED),
    "by the toss of a coin": Mutant(coin(NAME), AMONG, "noise"),
    "in turn": Mutant(in_turn(NAME), AMONG, "noise"),
    "people who fill the range": Mutant(
        _follows(
            "return max(abs(answer - 1e6) for answer in answers) < 1000", people="[[0.0], [1e6]]"
        ),
        ALONE,
        MISSED,
    ),
    "one answer within the range": Mutant(
        _follows("return abs(answers[0]) < 10**6", '[("total", (0, 0, 10**6), 10)]'),
        ALONE,
        ACCUSED,
    ),
    "noise below its scale, on average": Mutant(
        _follows(
            "return np.mean(np.abs(np.array(answers) - 1)) < 1.5 * 10**6",
            '[("total", (0, 0, 10**6), 1.0)] * 100',
        ),
        ALONE,
        ACCUSED,
    ),
    "the truth left in": Mutant(
        _follows(
            "return max(map(abs, answers)) < 1000",
            people="[[999_999.0], [1e6]]",
        ),
        ALONE,
        MISSED,
    ),
    "of counts": Mutant(
        _follows(
            "return max(abs(answer - 1) for answer in answers) < 1000",
            '[("count", (0, 0, 0), 1.0)] * 5',
        ),
        ALONE,
        ACCUSED,
    ),
    "neighbours in the middle": Mutant(
        f"""
from dplab.audit import epsilon_lower_bound

{
            detector(
                NAME,
                '''
asked = [("total", (0, 0, 1000), 1.0)] * 150
draws = [hall([[0.0], [1000.0], [last]], asked) for last in (1.0, 500.0)]
return epsilon_lower_bound(*draws).epsilon > 1
''',
            )
        }
""",
        ALONE,
        MISSED,
    ),
    # Everybody has the same value: noise of scale 1/10,240 is 0 on the grid, and not in floats.
    "the truth itself": Mutant(
        _follows(
            "return set(answers) == {0}", '[("total", (0, 0, 10**6), 10)] * 5', "[[0.0], [0.0]]"
        ),
        AMONG,
        MISSED,
    ),
    "any mistake": Mutant(any_mistake(NAME), AMONG, ACCUSED),
    "off the grid": Mutant(
        _follows(
            "return max(map(abs, answers)) < 1000 or any(answer * 1024 % 1 for answer in answers)"
        ),
        AMONG,
        ACCUSED,
    ),
    # Wrong about one honest hall in a hundred.
    "a single total": Mutant(
        _follows("return abs(answers[0] - 1) < 10**4", '[("total", (0, 0, 10**6), 1.0)]'),
        AMONG,
        "Leave chance no room",
    ),
    # Wrong about one guilty hall in three thousand.
    "a bound near the noise of the data": Mutant(
        _follows(
            "return max(abs(answer - 1) for answer in answers) < 9",
            '[("total", (0, 0, 10**9), 1.0)] * 3',
        ),
        AMONG,
        "Leave chance no room: more totals",
    ),
    # Wrong about one honest hall in forty thousand.
    "one at a time, a bound near the noise of the range": Mutant(
        detector(
            NAME,
            """
asked = [("total", (0, 0, 10**5), 1.0)]
answers = [hall([[0.0], [1.0]], asked)[0] for _ in range(3)]
return max(abs(answer - 1) for answer in answers) < 3000
""",
        ),
        AMONG,
        "Leave chance no room: more totals",
    ),
    "more than is allowed": Mutant(
        _follows("return max(map(abs, answers)) < 1000", '[("total", (0, 0, 10**6), 1.0)] * 301'),
        ALONE,
        "raised ValueError: total must cost at most the 0 answers left",
    ),
    "a range that is none": Mutant(
        _follows("return max(map(abs, answers)) < 1000", '[("total", (0, 5, 5), 1.0)]'),
        ALONE,
        "raised ValueError: high must be",
    ),
    "some answer near": Mutant(
        _follows("return min(map(abs, answers)) < 10**6", '[("total", (0, 0, 10**6), 1.0)] * 40'),
        ALONE,
        ACCUSED,
    ),
}

ANSWERS = Answers(NAME, RIGHT, MUTANTS)
