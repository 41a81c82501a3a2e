"""Run the arms race on 48 people: each curator against each attack, with more and more questions.

Everybody has a loan, running (1) or not (0). There are four attacks, each with its question:

    same pair    count the running loans, with and without person i, again and again
    reworded     the same pair, each time in other words
    number       count those of half of the people, chosen by digits of powers of client numbers
    latitude     the same by the latitude of their homes, a column that isolates nobody

The seed and the salt are fixed, so the results are always the same. Against layered noise, one pair
gives the right bit for Phi(1/2 / sqrt 6) = 58% of the people, on average over salts: six of the
eight layers of noise differ within a pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from dplab.attacks.diffix import noise
from dplab.attacks.diffix.averaging import reword
from dplab.attacks.diffix.batch import Batch
from dplab.attacks.diffix.digits import Digit, cohen_nissim_digits, members, power_digits
from dplab.attacks.diffix.generations import GENERATIONS, Generation
from dplab.attacks.diffix.reconstruction import estimates
from dplab.attacks.diffix.simulator import Simulator
from dplab.attacks.diffix.sql import parse

PEOPLE = 48
QUESTIONS = tuple(2**k for k in range(1, 11))  # per person
ATTACKS = ("same pair", "reworded", "number", "latitude")
QUESTION = "SELECT count(DISTINCT client_id) FROM loans WHERE status = 'C'"
SALT, SEED = "curator", 2020
MAX_DIGIT_QUESTIONS = 64  # per person, for the attacks by digits: there are 3,500 digits


@dataclass(frozen=True, eq=False)
class Outcome:
    """The people whose bit an attack got right, or the refusal of its questions.

    `right` is True or False, shape (10, 48), a row for each of `QUESTIONS`. `refused` is True if
    the curator refuses the questions; then `right` is False everywhere.
    """

    right: np.ndarray
    refused: bool

    @property
    def shares(self) -> np.ndarray:
        """The share of the people whose bit is right, shape (10,); 1/2, a guess, if refused."""
        return np.full(len(QUESTIONS), 0.5) if self.refused else self.right.mean(axis=1)


@dataclass(frozen=True, eq=False)
class Town:
    """48 people: client numbers, latitudes and secret bits, shape (48,) each."""

    clients: np.ndarray
    latitudes: np.ndarray
    secret: np.ndarray


@cache
def town() -> Town:
    """Draw the people of the race, always the same."""
    rng = np.random.default_rng(SEED)
    clients = np.sort(rng.choice(np.arange(2000, 3000), PEOPLE, replace=False))
    latitudes = np.round(40.75 + rng.choice(5000, PEOPLE, replace=False) / 1e6, 6)
    return Town(clients, latitudes, rng.integers(2, size=PEOPLE))


@cache
def outcome(generation: Generation, attack: str) -> Outcome:
    """Run `attack`, one of `ATTACKS`, against a curator, one of `GENERATIONS`."""
    if attack in ("number", "latitude"):
        return _attack_by_digits(generation, attack)
    if generation.noise == "layered":  # the later restrictions don't concern these questions
        generation = next(item for item in GENERATIONS if item.noise == "layered")
    return _attack_by_pairs(generation, attack)


@cache
def _attack_by_pairs(generation: Generation, attack: str) -> Outcome:
    """Average the differences of k pairs for each person; a mean above 1/2 is a one."""
    people, rng = town(), np.random.default_rng(SEED)
    differences = np.array([_differences(generation, attack, i, rng) for i in range(PEOPLE)])
    counts = np.array(QUESTIONS) // 2
    means = np.cumsum(differences, axis=1)[:, counts - 1] / counts
    return Outcome(people.secret == (means > 0.5).T, refused=False)


def _differences(
    generation: Generation, attack: str, i: int, rng: np.random.Generator
) -> np.ndarray:
    """Ask all pairs of questions: the answer with person i minus that without, shape (512,)."""
    people, n_pairs = town(), QUESTIONS[-1] // 2
    question = f"{QUESTION} AND client_id <> {people.clients[i]}"
    running = people.secret == 1
    with_i, without_i = running, running & (np.arange(PEOPLE) != i)
    answers = []
    for text, asked_about in ((QUESTION, with_i), (question, without_i)):
        texts = reword(text, "client_id", n_pairs) if attack == "reworded" else [text] * n_pairs
        answers.append(_ask(generation, text, texts, asked_about, rng))
    return answers[0] - answers[1]


def _ask(
    generation: Generation,
    text: str,
    texts: list[str],
    matching: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Answer `texts`: each is `text`, or has one more condition that excludes nobody."""
    static, dynamic = _list_layers(text)
    extra = [(part.removeprefix(f"{text} AND "),) if part != text else () for part in texts]
    people = noise.seeds(SALT, [str(client) for client in town().clients[matching]])
    batch = Batch(
        np.ones((len(texts), len(people)), dtype=bool),
        people,
        np.ones(len(people)),
        texts,
        [(*static, *conditions) for conditions in extra],
        [(*dynamic, *conditions) for conditions in extra],
    )
    return batch.answers(generation, SALT, rng)


@cache
def _list_layers(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a question's static and dynamic layers, cached for 49 questions."""
    query = parse(text)
    return query.static_layers, query.dynamic_layers


def _attack_by_digits(generation: Generation, attack: str) -> Outcome:
    """Ask q questions per person about sets by digits; estimate all bits from the answers."""
    if not generation.maths_on_isolating and (
        attack == "number" or not generation.arithmetic_in_buckets
    ):
        return Outcome(np.zeros((len(QUESTIONS), PEOPLE), dtype=bool), refused=True)
    return Outcome(np.array(list(_guess(generation, attack))) == town().secret, refused=False)


def _guess(generation: Generation, attack: str) -> Iterator[np.ndarray]:
    people, running = town(), town().secret == 1
    digits, sets = _sets(attack)
    clients = people.clients[running]
    curator = Simulator(QUESTION, clients, np.ones(running.sum()), generation, SALT)
    answers = curator.answers(digits, sets[:, running], np.random.default_rng(SEED))
    for questions in QUESTIONS:
        m = PEOPLE * min(questions, MAX_DIGIT_QUESTIONS)
        yield estimates(sets[:m], answers[:m]) > 0.5


@cache
def _sets(attack: str) -> tuple[list[Digit], np.ndarray]:
    m, rng = PEOPLE * MAX_DIGIT_QUESTIONS, np.random.default_rng(SEED)
    if attack == "number":
        digits, values = cohen_nissim_digits("client_id"), town().clients
    else:
        digits, values = power_digits("latitude", m), town().latitudes
    digits = [digits[place] for place in rng.permutation(len(digits))[:m]]
    return digits, members(digits, values)
