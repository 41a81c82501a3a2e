"""Sparse vector: find the few answers of a stream above a threshold, and pay only for those.

The threshold gets noise once, and every answer gets noise of its own. The mechanism publishes
"above" or "below" for each, until `max_positives` are "above". All answers "below" cost nothing:
neighbours move all of them by at most the sensitivity, and a threshold that moves as far hides it.

Sources: Dwork, Naor, Reingold, Rothblum and Vadhan (2009); Dwork and Roth (2014), Section 3.6;
Lyu, Su and Li (2017), Algorithm 1, for these scales of noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.deprecated import OldName, old_arguments
from dplab.distributions import Finite
from dplab.guarantees import PureDP
from dplab.interaction import Curator, Refused, draw_privately
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.laplace_quadrature import log_cdf, noise_nodes
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation

MAX_TRANSCRIPTS = 10_000  # transcripts in a distribution

Transcript = tuple  # a tuple of replies: False for "below", True for "above"


@old_arguments(count="max_positives")
@dataclass(frozen=True)
class AboveThreshold(ExactMechanism):
    """A mechanism that compares answer_i + Lap(query_scale) with threshold + Lap(threshold_scale).

    `queries(data)` are the answers, in order, each of at most `sensitivity`; by default they are
    the data themselves. The output is a tuple of booleans, True for above, that ends after
    `max_positives` True or with the stream. `stream()` takes queries that come one by one. With
    epsilon_1 = threshold_share epsilon and epsilon_2 = epsilon - epsilon_1 the scales are

        threshold_scale = sensitivity / epsilon_1,
        query_scale = 2 max_positives sensitivity / epsilon_2,

    and half of that if neighbours move all answers in one direction (`monotone`). It is epsilon-DP.
    Raises ValueError for sensitivity or epsilon not above 0, or a share not between 0 and 1.

    >>> few = AboveThreshold(threshold=5, sensitivity=1, epsilon=20, max_positives=2)
    >>> few([3, 8, 2, 9, 9, 9], np.random.default_rng(0))
    (False, True, False, True)
    """

    queries: Callable[[Any], Any] = np.asarray
    _: KW_ONLY
    threshold: float
    sensitivity: float
    epsilon: float
    max_positives: int = 1
    monotone: bool = False
    threshold_share: float = 0.5
    neighbors: Neighbors = REPLACE_ONE
    count = OldName("max_positives")

    def __post_init__(self):
        arguments.settle(self, arguments.function, "queries")
        arguments.settle(self, arguments.flag, "monotone")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "threshold")
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", above=0)
        arguments.settle(self, arguments.number, "threshold_share", above=0, below=1)
        arguments.settle(self, arguments.whole, "max_positives", least=1)
        shares = (self.threshold_share * self.epsilon, self.query_epsilon)
        arguments.number("the smaller part of epsilon", min(shares), above=0)
        arguments.number("sensitivity / epsilon", self.sensitivity / self.epsilon, above=0)
        for scale in (self.threshold_scale, self.query_scale):  # only wrong variants have 0
            arguments.number("sensitivity / epsilon", scale)

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    @property
    def threshold_scale(self) -> float:
        """The scale of the threshold's noise, drawn once."""
        return self.sensitivity / (self.threshold_share * self.epsilon)

    @property
    def query_epsilon(self) -> float:
        """epsilon_2, the part of epsilon for the answers."""
        return (1 - self.threshold_share) * self.epsilon

    @property
    def query_scale(self) -> float:
        """The scale of each answer's noise."""
        move = (1 if self.monotone else 2) * self.sensitivity
        return self.max_positives * move / self.query_epsilon

    @property
    def limit(self) -> float:
        """The number of replies other than "below" that ends the stream."""
        return self.max_positives

    @property
    def replies(self) -> tuple:
        """All possible replies to one query."""
        return (False, True)

    def answers(self, data: Any) -> np.ndarray:
        """Return the true answers, shape (length of the stream,); ValueError unless finite."""
        return records.reals("queries(data)", self.queries(data)).ravel()

    def __call__(self, data: Any, rng: np.random.Generator) -> Transcript:
        answers = self.answers(data)
        arguments.generator("rng", rng)
        bar = self.threshold + self.threshold_scale * rng.laplace()
        noisy = answers + self.query_scale * rng.laplace(size=len(answers))
        return self.publish(noisy, bar)

    def stream(self) -> AboveThresholdStream:
        """Return the mechanism for queries that come one by one, chosen after the replies so far.

        >>> eager = AboveThreshold(threshold=2, sensitivity=1, epsilon=40).stream()
        >>> comparisons = eager([1, 1, 1, 1, 0], np.random.default_rng(0))
        >>> comparisons.ask(lambda data: data[0]), comparisons.ask(sum)
        (False, True)
        """
        return AboveThresholdStream(self)

    def publish(self, noisy: np.ndarray, bar: float) -> Transcript:
        """Return the transcript, given noisy answers and the noisy threshold."""
        is_above = noisy >= bar
        last = np.searchsorted(np.cumsum(is_above), self.limit)  # a limit of inf ends nothing
        return tuple(is_above[: last + 1].tolist())

    def log_reply(self, answer: float, reply: Any, noise: np.ndarray) -> np.ndarray:
        """Return log P[reply | noise on the threshold], elementwise in the noise."""
        distance = self.threshold + noise - answer
        return log_cdf(-distance if reply else distance, self.query_scale)

    def log_probability(self, data: Any, transcript: Transcript) -> float:
        """Return log P[transcript], to about 12 digits.

        It is log integral f(r) prod_i P[reply_i | r] dr over the noise r on the threshold. The
        replies may also be the beginning of a transcript.
        """
        answers = self.answers(data)[: len(transcript)]
        noise, logs = self._noise(answers)
        for answer, reply in zip(answers, transcript, strict=True):
            logs = logs + self.log_reply(answer, reply, noise)
        return float(np.logaddexp.reduce(logs))

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the transcript; ValueError above 10,000 transcripts."""
        answers = self.answers(data)
        noise, logs = self._noise(answers)
        alive: dict[Transcript, np.ndarray] = {(): logs}
        ended: dict[Transcript, np.ndarray] = {}
        for answer in answers:
            if len(ended) + len(alive) * len(self.replies) > MAX_TRANSCRIPTS:
                raise ValueError(f"queries(data) must have at most {MAX_TRANSCRIPTS} transcripts")
            terms = [(reply, self.log_reply(answer, reply, noise)) for reply in self.replies]
            longer = {(*t, reply): alive[t] + term for t in alive for reply, term in terms}
            ended |= {t: logs for t, logs in longer.items() if self.is_over(t)}
            alive = {t: logs for t, logs in longer.items() if t not in ended}
        integrals = [np.logaddexp.reduce(logs) for logs in (ended | alive).values()]
        return Finite(tuple(ended | alive), np.array(integrals))

    def is_over(self, transcript: Transcript) -> bool:
        """Return whether the stream ends with these replies."""
        return sum(reply is not False for reply in transcript) >= self.limit

    def _noise(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return nodes for the noise on the threshold, and log(weight times density) at each."""
        corners = tuple(sorted({0.0, *(answers - self.threshold)}))
        return noise_nodes(corners, self.threshold_scale, self.query_scale, len(answers))


@dataclass(frozen=True)
class AboveThresholdStream(Mechanism):
    """The mechanism `AboveThreshold` for queries one by one; its output is a `Comparisons`.

        reply_i = query_i(data) + Lap(query_scale) >= threshold + Lap(threshold_scale)

    All its replies together keep the guarantee, whatever the queries are. `mechanism.queries` is
    not used. Each query is a function of the data with at most `mechanism.sensitivity`.

    Raises ValueError for other arguments.
    """

    mechanism: AboveThreshold

    def __post_init__(self):
        arguments.instance("mechanism", self.mechanism, AboveThreshold)

    @property
    def guarantee(self) -> PureDP:
        return self.mechanism.guarantee

    @property
    def neighbors(self) -> Neighbors:
        return self.mechanism.neighbors

    def __call__(self, data: Any, rng: np.random.Generator) -> Comparisons:
        return Comparisons(self.mechanism, data, rng)


class Comparisons:
    """Replies to queries one by one, by one noisy threshold, until `max_positives` are "above".

    Use `AboveThreshold.stream`.

    Raises ValueError for other arguments.
    """

    def __init__(self, mechanism: AboveThreshold, data: Any, rng: np.random.Generator):
        arguments.instance("mechanism", mechanism, AboveThreshold)
        arguments.generator("rng", rng)
        self._mechanism, self._data, self._rng = mechanism, data, rng
        self._bar = mechanism.threshold + mechanism.threshold_scale * rng.laplace()
        self._replies: list = []
        self._above = 0

    @property
    def transcript(self) -> Transcript:
        """All replies so far."""
        return tuple(self._replies)

    def ask(self, query: Callable[[Any], float]) -> Any:
        """Return whether query(data) is above; raise Refused after the last reply.

        Raises MechanismError if the query fails, as `Curator.ask` does.
        """
        if self._above >= self._mechanism.limit:
            raise Refused(
                f"all {self._mechanism.max_positives} answers above the threshold were given"
            )
        answer = draw_privately(
            self._mechanism, lambda: records.number("query(data)", query(self._data))
        )
        noisy = np.array([answer + self._mechanism.query_scale * self._rng.laplace()])
        (reply,) = self._mechanism.publish(noisy, self._bar)
        self._above += reply is not False
        self._replies.append(reply)
        return reply


class PaidWhenAbove:
    """Comparisons by `stretch` until an answer is above; then a noisy answer, and a new stretch.

    A stretch of comparisons is paid for when it begins. Each "below" in it costs nothing more, and
    each "above" pays for the noisy answer. Nothing is compared unless the curator's budget can pay
    for that answer, too. So a refusal draws nothing, and reveals nothing of the data. `stretch` has
    max_positives 1; its `queries` are not used.

    Raises ValueError for other arguments.
    """

    def __init__(self, curator: Curator, stretch: AboveThreshold):
        arguments.instance("curator", curator, Curator)
        arguments.instance("stretch", stretch, AboveThreshold)
        self._curator, self._stretch = curator, stretch.stream()
        self._comparisons: Comparisons | None = None  # holds the threshold noise of this stretch

    def ask(self, gap: Callable[[Any], float], answer: Mechanism) -> Any:
        """Return a draw of `answer` if gap(data) is above the threshold, None if it is below.

        If the budget can't pay for a comparison and the answer that may follow, raises the error of
        `Curator.check`, before anything is paid or drawn.
        """
        if self._comparisons is None:
            self._curator.check(self._stretch, answer)
            self._comparisons = self._curator.ask(self._stretch)
        self._curator.check(answer)
        if not self._comparisons.ask(gap):
            return None
        self._comparisons = None
        return self._curator.ask(answer)


@old_arguments(count="max_positives")
def best_share(max_positives: int, *, monotone: bool = False) -> float:
    """Return the share of epsilon for the threshold that minimises the variance of a comparison.

    With c = max_positives it is 1 / (1 + (2 c)^{2/3}), for monotone answers 1 / (1 + c^{2/3}).
    Source: Lyu, Su and Li (2017), Section 4.2. Raises ValueError unless c is a whole number from 1
    on.

    >>> round(best_share(1), 4), best_share(1, monotone=True)
    (0.3865, 0.5)
    """
    arguments.flag("monotone", monotone)
    most = arguments.whole("max_positives", max_positives, least=1)
    return float(1 / (1 + (most if monotone else 2 * most) ** (2 / 3)))
