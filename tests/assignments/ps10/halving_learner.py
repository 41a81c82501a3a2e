"""Answers to `halving_learner`. The mistakes: ties, who falls, when, and an empty rest."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _learner(
    vote: str = "int(2 * votes.sum() > len(votes))",
    fall: str = "alive = alive[votes == y]",
    start: str = "np.array(table)",
    before: str = "pass",
) -> str:
    """The learner with these parts."""
    return f"""
def halving_learner(table, points, labels):
    alive, predictions = {start}, []
    for x, y in zip(points, labels):
        {before}
        votes = alive[:, x]
        predictions.append({vote})
        {fall}
    return predictions
"""


RIGHT = {
    "the rows that are left": _learner(),
    "lists": """
def halving_learner(table, points, labels):
    alive, predictions = [list(row) for row in table], []
    for x, y in zip(points, labels):
        ones = sum(1 for row in alive if row[x])
        zeros = len(alive) - ones
        predictions.append(1 if ones > zeros else 0)
        alive = [row for row in alive if row[x] == y]
    return predictions
""",
    "a mask": """
def halving_learner(table, points, labels):
    table = np.asarray(table, dtype=bool)
    alive, found = np.ones(len(table), dtype=bool), np.zeros(len(points), dtype=int)
    for i in range(len(points)):
        column = table[:, points[i]]
        ones, zeros = np.sum(alive & column), np.sum(alive & ~column)
        found[i] = ones > zeros
        alive &= column == bool(labels[i])
    return found
""",
    "the mean": _learner("float(len(votes) > 0 and np.mean(votes) > 0.5)"),
}

_VALUES, _FEW, _ORDER = (f"halving_learner_{part}" for part in ("values", "mistakes", "order"))
_TIE, _EMPTY = "a tie gives 0", "If no row is left"
_FALL, _FIRST = "let every row fall that was wrong", "Predict first"

MUTANTS = {
    "a tie gives 1": Mutant(_learner("int(2 * votes.sum() >= len(votes) > 0)"), _VALUES, _TIE),
    "1 when no row is left": Mutant(
        _learner("int(2 * votes.sum() > len(votes) or len(votes) == 0)"), _VALUES, _EMPTY
    ),
    "only after a mistake": Mutant(
        _learner(fall="alive = alive[votes == y] if predictions[-1] != y else alive"),
        _VALUES,
        _TIE,
    ),
    "nobody falls": Mutant(_learner(fall="pass"), _FEW, _FALL),
    "begins again when nobody is left": Mutant(
        _learner(before="alive = alive if len(alive) else np.array(table)"), _VALUES, _EMPTY
    ),
    "the last one stays": Mutant(
        _learner(fall="alive = alive[votes == y] if (votes == y).any() else alive"),
        _VALUES,
        _EMPTY,
    ),
    "the first that is left": Mutant(_learner("int(votes[0]) if len(votes) else 0"), _FEW, _FALL),
    "equal rows have one vote": Mutant(
        _learner(start="np.unique(np.array(table), axis=0)"), _VALUES, _TIE
    ),
    "the wrong ones stay": Mutant(_learner(fall="alive = alive[votes != y]"), _VALUES, _TIE),
    "looks first": Mutant(
        """
def halving_learner(table, points, labels):
    alive, predictions = np.array(table), []
    for x, y in zip(points, labels):
        alive = alive[alive[:, x] == y]
        votes = alive[:, x]
        predictions.append(int(2 * votes.sum() > len(votes)))
    return predictions
""",
        _ORDER,
        _FIRST,
    ),
    "a row that is right about all": Mutant(
        """
def halving_learner(table, points, labels):
    table, points = np.array(table), np.array(points, dtype=int)
    right = (table[:, points] == np.array(labels)).all(axis=1)
    row = table[np.argmax(right)] if right.any() else table[0]
    return row[points].tolist()
""",
        _ORDER,
        _FIRST,
    ),
    "ties follow the label": Mutant(
        _learner("int(y) if 2 * votes.sum() == len(votes) else int(2 * votes.sum() > len(votes))"),
        _ORDER,
        _FIRST,
    ),
    "all votes, weighted by a half for each mistake": Mutant(
        """
def halving_learner(table, points, labels):
    table, weights, predictions = np.array(table), np.ones(len(table)), []
    for x, y in zip(points, labels):
        predictions.append(int(2 * weights @ table[:, x] > weights.sum()))
        weights = np.where(table[:, x] == y, weights, weights / 2)
    return predictions
""",
        _VALUES,
        _EMPTY,
    ),
    "the labels are mistaken for mistakes": Mutant(
        _learner(fall="alive = alive[votes == (predictions[-1] ^ y)]"), _VALUES, _TIE
    ),
    "the first hundred rows": Mutant(_learner(start="np.array(table)[:100]"), _VALUES, _TIE),
    "all rows but the thousandth": Mutant(_learner(start="np.array(table)[:999]"), _VALUES, _TIE),
    "a table seen before": Mutant(
        """
known = {}


def halving_learner(table, points, labels):
    alive, predictions = np.array(table), []
    key = alive.tobytes(), len(points)
    for x, y in zip(points, labels):
        votes = alive[:, x]
        predictions.append(int(2 * votes.sum() > len(votes)))
        alive = alive[votes == y]
    return known.setdefault(key, predictions)
""",
        _VALUES,
        _TIE,
    ),
    "for a hundred rounds": Mutant(
        _learner(fall="alive = alive[votes == y] if len(predictions) < 100 else alive"),
        _VALUES,
        _TIE,
    ),
    "dplab's": Mutant(
        """
def halving_learner(table, points, labels):
    from dplab.learning import MistakeGame, halving

    game = MistakeGame(np.array(table, dtype=bool))
    alive, predictions = game.alive, []
    for x, y in zip(points, labels):
        predictions.append(halving(game, alive, x))
        alive = game.split(alive, x)[y]
    return predictions
""",
        _VALUES,
        "off limits",
    ),
    "no answer about columns from 190 on": Mutant(
        _learner("int(2 * votes.sum() > len(votes) and x < 190)"), _VALUES, _TIE
    ),
}

ANSWERS = Answers("halving_learner", RIGHT, MUTANTS)
