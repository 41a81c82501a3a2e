"""An analyst who adapts: she asks a holdout about many ideas and keeps those that it likes.

The experiment of Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Science 349:636, in its
supplement: a vote of variables, chosen by what training set and holdout say of each, is checked on
the same holdout. `dplab.learning.holdout` has holdouts that can and cannot be fooled so,
`dplab.theorems.adaptive_gain` how far one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.interaction import Refused
from dplab.learning.holdout import Holdout, agrees, share


@dataclass(frozen=True)
class Vote:
    """Predict the label by a vote of variables, of which those in `flipped` vote the other way.

    As a query it says how right the vote is on each record: 1 or 0, and 1/2 for a tie.

    >>> Vote((0, 1), (False, True))(np.array([[1, 0, 1], [0, 0, 1], [0, 1, 1]])).tolist()
    [1.0, 0.5, 0.0]
    """

    variables: tuple[int, ...]
    flipped: tuple[bool, ...]

    def __call__(self, records: np.ndarray) -> np.ndarray:
        """How right the vote is on each record, shape (records,)."""
        right = (records[:, self.variables] == records[:, -1:]) != np.array(self.flipped, bool)
        return (1 + np.sign(2 * right.sum(axis=1) - len(self.variables))) / 2

    def best(self, size: int) -> Vote:
        """The vote of the first `size` variables."""
        return Vote(self.variables[:size], self.flipped[:size])


def vote_of_agreeing(training: np.ndarray, holdout: Holdout) -> Vote:
    """What an analyst who adapts finds: variables that predict on the training set and the holdout.

    She asks the holdout about each variable, and keeps those whose agreement with the label is off
    1/2 by 1 / (2 sqrt(n)) or more, to the same side on both sets; best on the training set first.
    Where the holdout refuses she keeps what she has.
    """
    variables, least = training.shape[1] - 1, 1 / (2 * np.sqrt(len(training)))
    known = np.array([share(agrees(j), training) for j in range(variables)]) - 1 / 2
    said = np.zeros(variables)  # 0 where nothing was answered
    with suppress(Refused):
        for j in range(variables):
            said[j] = holdout.ask(agrees(j)) - 1 / 2
    kept = (known * said > 0) & (abs(known) >= least) & (abs(said) >= least)
    order = [int(j) for j in np.argsort(-abs(known), kind="stable") if kept[j]]
    return Vote(tuple(order), tuple(bool(known[j] < 0) for j in order))


@dataclass(frozen=True, eq=False)
class Findings:
    """Votes of more and more variables: how right on the training set, as reported, and in truth.

    Arrays of shape (sizes,); `reported` is NaN from where the holdout refused. `vote` is that of
    all variables that were kept.
    """

    vote: Vote
    sizes: np.ndarray
    training: np.ndarray
    reported: np.ndarray
    fresh: np.ndarray


def adaptive_analysis(
    training: np.ndarray, holdout: Holdout, fresh: np.ndarray, sizes: Sequence[int]
) -> Findings:
    """Let an analyst choose by `vote_of_agreeing`, and ask the same holdout how right she is.

    Records are rows of 0/1, the label last; `sizes` are how many of her best variables vote.
    `fresh` records nobody has seen: the truth, nearly. Raises ValueError for a size below 1.
    """
    for size in sizes:
        arguments.whole("sizes", size, least=1)
    found = vote_of_agreeing(training, holdout)
    votes = [found.best(size) for size in sizes]
    reported = np.full(len(votes), np.nan)
    with suppress(Refused):
        for i, vote in enumerate(votes):
            reported[i] = holdout.ask(vote)
    known, true = (np.array([share(vote, some) for vote in votes]) for some in (training, fresh))
    return Findings(found, np.array(sizes), known, reported, true)


def make_records(
    n: int, variables: int, rng: np.random.Generator, *, telling: int = 0, agreement: float = 0.56
) -> np.ndarray:
    """n records of 0/1 variables and a label, bool of shape (n, variables + 1), the label last.

    The first `telling` variables have the label's value with probability `agreement`, the others
    with 1/2: they are coins. Raises ValueError unless 0 <= telling <= variables, all whole numbers,
    and 0 <= agreement <= 1.
    """
    n, variables = (
        arguments.whole("n", n, least=1),
        arguments.whole("variables", variables, least=1),
    )
    telling = arguments.whole("telling", telling, least=0, most=variables)
    agreement = arguments.number("agreement", agreement, least=0, most=1)
    records = rng.integers(2, size=(variables + 1, n), dtype=bool).T  # a variable's values together
    different = rng.random((n, telling)) >= agreement
    records[:, :telling] = records[:, -1:] ^ different
    return records
