"""An analyst who adapts: she asks a holdout about many ideas and keeps those that it confirms.

This is the experiment in the supplement of Dwork, Feldman, Hardt, Pitassi, Reingold and Roth
(2015), Science 349:636. An analyst chooses variables by the answers of a training set and a
holdout, lets them vote, and checks the vote on the same holdout. `dplab.learning.holdout` has one
holdout that she fools and one that she doesn't; `dplab.theorems.adaptive_gain` bounds her success.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.interaction import Refused
from dplab.learning.holdout import Holdout, agrees, share


@dataclass(frozen=True)
class Vote:
    """A vote of variables on the label; variables marked in `flipped` vote the other way.

    As a query it returns for each record 1 if the vote is right, 0 if wrong, 1/2 for a tie.

    >>> Vote((0, 1), (False, True))(np.array([[1, 0, 1], [0, 0, 1], [0, 1, 1]])).tolist()
    [1.0, 0.5, 0.0]
    """

    variables: tuple[int, ...]
    flipped: tuple[bool, ...]

    def __call__(self, records: np.ndarray) -> np.ndarray:
        """Return 1, 0 or 1/2 for each record: right, wrong or a tie; shape (records,)."""
        right = (records[:, self.variables] == records[:, -1:]) != np.array(self.flipped, bool)
        return (1 + np.sign(2 * right.sum(axis=1) - len(self.variables))) / 2

    def best(self, size: int) -> Vote:
        """Return the vote of the first `size` variables."""
        return Vote(self.variables[:size], self.flipped[:size])


def _require_holdout(holdout: Any) -> None:
    if not hasattr(holdout, "ask") or isinstance(holdout, type):
        raise ValueError(f"holdout must be a Holdout, not {arguments.show(holdout)}")


def vote_of_agreeing(training: np.ndarray, holdout: Holdout) -> Vote:
    """Return the vote of the variables that predict the label on training set and holdout.

    An analyst asks the holdout about each variable. She keeps those whose agreement with the label
    differs from 1/2 by 1 / (2 sqrt(n)) or more, to the same side on both sets; best on the training
    set first. When the holdout refuses, she stops asking.

    Raises ValueError for other arguments.
    """
    training = arguments.reals("training", training, ndim=2, may_be_bool=True)
    _require_holdout(holdout)
    variables, least = training.shape[1] - 1, 1 / (2 * np.sqrt(len(training)))
    train_gap = np.array([share(agrees(j), training) for j in range(variables)]) - 1 / 2
    holdout_gap = np.zeros(variables)  # 0 for variables without an answer
    with suppress(Refused):
        for j in range(variables):
            holdout_gap[j] = holdout.ask(agrees(j)) - 1 / 2
    fits = (train_gap * holdout_gap > 0) & (abs(train_gap) >= least) & (abs(holdout_gap) >= least)
    order = [int(j) for j in np.argsort(-abs(train_gap), kind="stable") if fits[j]]
    return Vote(tuple(order), tuple(bool(train_gap[j] < 0) for j in order))


@dataclass(frozen=True, eq=False)
class Findings:
    """The shares of records on which votes of growing size are right.

    `training`, `reported` and `fresh` are the share on the training set, the holdout's answer and
    the share on fresh records, of shape (sizes,). `reported` is NaN after the holdout has refused.
    `vote` is the vote of all variables that the analyst kept.
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

    Records are rows of 0/1, the label last. Each of `sizes` is a number of best variables that
    vote. Nobody has seen the `fresh` records, so a share of them is nearly the true one. Raises
    ValueError for a size below 1.
    """
    counts = arguments.wholes("sizes", sizes, least=1)
    training = np.asarray(
        arguments.reals("training", training, ndim=2, may_be_bool=True), dtype=bool
    )
    _require_holdout(holdout)
    fresh = arguments.reals("fresh", fresh, ndim=2, may_be_bool=True)
    full_vote = vote_of_agreeing(training, holdout)
    votes = [full_vote.best(count) for count in counts]
    reported = np.full(len(votes), np.nan)
    with suppress(Refused):
        for i, vote in enumerate(votes):
            reported[i] = holdout.ask(vote)
    shares = [np.array([share(vote, records) for vote in votes]) for records in (training, fresh)]
    return Findings(full_vote, counts, shares[0], reported, shares[1])


def make_records(
    n: int, variables: int, rng: np.random.Generator, *, telling: int = 0, agreement: float = 0.56
) -> np.ndarray:
    """Draw n records of 0/1 variables and a label, bool of shape (n, variables + 1), label last.

    The first `telling` variables have the label's value with probability `agreement`. The others
    are coins: they have it with probability 1/2. Raises ValueError unless 0 <= telling <=
    variables, all whole numbers, and 0 <= agreement <= 1.
    """
    n, variables = arguments.shape(("n", n), ("variables", variables))
    telling = arguments.whole("telling", telling, least=0, most=variables)
    agreement = arguments.number("agreement", agreement, least=0, most=1)
    arguments.generator("rng", rng)
    records = rng.integers(2, size=(variables + 1, n), dtype=bool).T  # each variable is contiguous
    different = rng.random((n, telling)) >= agreement
    records[:, :telling] = records[:, -1:] ^ different
    return records
