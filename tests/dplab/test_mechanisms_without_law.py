"""Mechanisms and conversations whose output has no known distribution use data under noise alone.

Every such class, and every function that takes a generator and epsilon, or a curator, has a case
below. `recorded_draws` compares its runs on neighbouring datasets and on entirely different ones:
the output depends on nothing but noisy answers, and the noise pays for the moves of the answers.
Nothing here is random.
"""

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import dplab
from dplab import REPLACE_ONE, ZCDP, ApproxDP, PureDP, learning, queries, synthesis
from dplab.accounting import sampled
from dplab.attacks import sparse_vector as wrong_streams
from dplab.budget import Budget
from dplab.guarantees import Guarantee
from dplab.interaction import Curator, Refused
from dplab.learning import LOGISTIC
from dplab.learning.statistical_queries import learn_conjunction
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.sparse_vector import AboveThreshold, PaidWhenAbove
from dplab.neighbors import Neighbors
from dplab.release_service import ReleaseService
from tests.dplab.recorded_draws import (
    RecordedDraws,
    compare,
    prices,
    recorded_samplers,
    spent_share,
)
from tests.dplab.test_secret_data import OTHER_PARTS, public

CELLS = (0, 1, 2)
CELL_DATA, FAR_CELLS = (0, 0, 1, 2), (2, 2, 2, 2)
HALVES = np.array([[1.0, 1, 0], [0, 1, 1]])
PEOPLE = ((9.0, -9.0, 1.0), (-9.0, 9.0, 1.0), (0.5, 0.0, -1.0))
DATA, FAR = tuple(PEOPLE[i] for i in (0, 2, 1, 2)), tuple(PEOPLE[i] for i in (1, 1, 1, 1))
DESCENT = {"clip": 0.5, "noise_multiplier": 2.0, "steps": 3, "learning_rate": 0.5}
POISSON = {"rate": 1.0, "batch_size": 2, **DESCENT}
BANDED = {"batches": 1, "epochs": 3, "bands": 2, "batch_size": 2, "clip": 0.5}
BANDED |= {"noise_multiplier": 3.0, "learning_rate": 0.5}
NETWORK_DATA = ((9.0, -9.0, 1.0), (-9.0, 9.0, 0.0), (0.5, 0.0, 2.0))


@dataclass
class Case:
    """A mechanism or a conversation, and data for it.

    `run(data, rng)` returns the output, and `promise(output)` is the guarantee. `far` are data of
    which no record is like the first ones.
    """

    run: Callable[[Any, Any], Any]
    promise: Callable[[Any], Guarantee]
    data: tuple
    far: tuple | None
    universe: tuple
    neighbors: Neighbors = REPLACE_ONE


def case(mechanism, data=CELL_DATA, far=FAR_CELLS, universe=CELLS, **options):
    promise = mechanism.guarantee
    return Case(mechanism, lambda _: promise, data, far, universe, mechanism.neighbors, **options)


def conversation(talk, total, data, far, universe, **options):
    """Return the case of `talk(curator)`; the output ends with the spent budget."""

    def run(data, rng):
        curator = Curator(np.array(data), Budget(total), rng)
        return talk(curator), curator.budget.spent

    return Case(run, lambda output: output[-1], data, far, universe, **options)


@dataclass(frozen=True)
class Only:
    """A relation in which each dataset has one neighbour, always the same."""

    neighbor: tuple

    def neighbors_of(self, *_):
        yield self.neighbor


def stream(kind=AboveThreshold, **options):
    """Return the case of a sparse vector, which is asked for its data's entries one by one."""
    mechanism = kind(threshold=2.0, sensitivity=2.0, epsilon=1.0, **options).stream()

    def run(data, rng):
        comparisons, replies = mechanism(data, rng), []
        with suppress(Refused):
            for i in range(len(data)):
                replies.append(comparisons.ask(lambda data, i=i: data[i]))
        return replies

    data, neighbor = (0.0, 0, 9, 0, 9, 9), (2.0, 2, 7, 2, 7, 7)
    return Case(run, lambda _: PureDP(1.0), data, (9.0,) * 6, (), Only(neighbor))


@dataclass(frozen=True)
class StartedNetwork(learning.Network):
    """A network with fixed weights: a network's own start changes its draws one by one."""

    def start(self, rng):
        return np.linspace(-1, 1, self.size)


def ask_in_turn(curator):
    """Ask for all kinds of noise, and let each question depend on the answer before it."""
    ask, answer = curator.ask, curator.ask(dplab.LaplaceMechanism(np.sum, 2, 0.5))
    answer = ask(dplab.GeometricMechanism(lambda data: int(data[0]) + (answer > 3), 2, 0.25))
    answer = ask(dplab.GaussianMechanism(lambda data: data * (1 + (answer > 0)), 4, 8))
    scores = lambda data: [data[0], -data[0], answer.sum()]  # noqa: E731
    choice = ask(dplab.ExponentialMechanism("abc", scores, 2, 0.5))
    noise = dplab.DiscreteGaussianMechanism(lambda data: data == 2, 1, 2)
    return choice, ask(noise), curator.transcript


def ask_when_above(curator):
    paid = PaidWhenAbove(curator, AboveThreshold(threshold=0.5, sensitivity=2, epsilon=0.5))
    answer = dplab.LaplaceMechanism(lambda data: data[0], 2, 0.25)
    return [paid.ask(lambda data: data[0] - 1, answer) for _ in range(5)]


def learn_online(curator):
    learner = queries.OnlineWeights(curator, 3, 4, threshold=1, rho=0.25)
    answers = [learner.ask(query) for query in [*np.eye(3), *HALVES, *np.eye(3)]]
    assert curator.budget.spent.rho <= 0.25 / 2 * len(curator.transcript)
    return answers, learner.table, learner.updates


def ask_holdout(curator):
    training = np.array([[0.0, 1, 1], [0, 0, 1]])
    holdout = learning.Thresholdout(training, curator, n=4, threshold=0.1, sigma=0.5)
    answers = [holdout.ask(learning.agrees(i % 2)) for i in range(8)]
    assert curator.budget.spent.epsilon == 1 / (4 * 0.5) * len(curator.transcript)
    return answers


def service(ask, *bugs):
    def run(people, rng):
        hall = ReleaseService(people, Budget(ApproxDP(9.0, 0.1)), rng, bugs=bugs)
        return ask(hall), hall.curator.budget.spent

    return Case(run, lambda output: output[-1], DATA, FAR, PEOPLE)


def train(hall):
    return hall.model(epsilon=0.5)


def add_up(hall):
    total = hall.total((0, -9, 9), epsilon=0.5)
    return total, hall.total((0, -2 - (total > 0), 2), epsilon=0.25)


def count_people(hall):
    return [hall.count((0, low, 20), epsilon=0.5) for low in (0.0, 0.25, 0.0)]


def count_ranges(hall):
    return hall.counts([(0, 0, 20), (0, 0.25, 20), (1, -9, 0)], epsilon=0.5)


def count_steps(steps, rng):
    return list(queries.continual_counts(steps, 7, epsilon=0.5, rng=rng))


STEPS = (1, 0, 1, 1, 0)
BITS = ((0, 0, 1), (1, 1, 1), (1, 0, 0))
ENTRIES = ((0.0, 1.0, 2.0), (2.0, 2.0, 2.0), (0.0, 1.0, 2.0))
TABLES = (4.0, 0.0, 0.0), (0.0, 3.0, 1.0)
CASES = {  # the public name first
    "MWEM": case(queries.MWEM(HALVES, 4, 3, PureDP(0.5))),
    "MWEM in rho": case(queries.MWEM(HALVES, 4, 3, ZCDP(0.5))),
    "MWEM, one round": case(queries.MWEM(HALVES, 4, 1, PureDP(0.5))),
    "TopDown": case(
        synthesis.TopDown((2, 2, 2), 4, (0.25, 0.5, 0.125)), (0, 1, 3, 6), (7, 7, 7, 0), (0, 7)
    ),
    "FactorizationMechanism": case(
        queries.FactorizationMechanism(queries.Factorization(np.eye(2), HALVES), PureDP(0.5))
    ),
    "FactorizationMechanism in rho": case(
        queries.FactorizationMechanism(
            queries.Factorization(np.eye(2), HALVES), ZCDP(0.5), REPLACE_ONE
        )
    ),
    "RandomProjectionMechanism": case(queries.RandomProjectionMechanism(HALVES, 4, 0.5)),
    "NoisyGradientDescent": case(
        learning.NoisyGradientDescent(LOGISTIC, 4, **DESCENT), DATA, FAR, PEOPLE
    ),
    "PoissonTraining": case(
        learning.PoissonTraining(learning.LinearModel(LOGISTIC, 2), **POISSON), DATA, FAR, PEOPLE
    ),
    "PoissonTraining of a network": case(
        learning.PoissonTraining(StartedNetwork(2, 2, 3), **POISSON),
        NETWORK_DATA,
        NETWORK_DATA[:1] * 3,
        NETWORK_DATA,
    ),
    "BandedTraining": case(
        learning.BandedTraining(learning.LinearModel(LOGISTIC, 2), **BANDED), DATA, FAR, PEOPLE
    ),
    "TeacherLabels": case(
        learning.TeacherLabels(
            lambda part: lambda points: [part[0]] * len(points), [[0.0]], 4, 3, 2
        )
    ),
    "SampledMechanism": case(
        sampled(queries.MWEM(HALVES, 4, 3, PureDP(0.5)), rate=1, by="without replacement")
    ),
    "StabilityHistogram": Case(  # its bins stay the same, and the order in which they occur
        dplab.StabilityHistogram(0.5, 1e-6),
        lambda _: PureDP(0.5),
        (0, 1) * 50,
        (0, *[1] * 99),
        (),
        Only((0, 1, 1, *(0, 1) * 48, 1)),
    ),
    "AboveThresholdStream": stream(),
    "AboveThresholdStream with three": stream(max_positives=3, threshold_share=0.25),
    "Curator": conversation(ask_in_turn, ZCDP(9.0), *ENTRIES),
    "PaidWhenAbove": conversation(ask_when_above, PureDP(9.0), *ENTRIES),
    "OnlineWeights": conversation(
        learn_online, ZCDP(9.0), *TABLES, (), neighbors=Only((3.0, 1.0, 0.0))
    ),
    "Thresholdout": conversation(
        ask_holdout, PureDP(99.0), tuple(BITS[i] for i in (0, 0, 0, 1)), (BITS[1],) * 4, BITS
    ),
    "learn_conjunction": conversation(
        partial(learn_conjunction, features=2, epsilon=0.5), PureDP(0.5), BITS, (BITS[2],) * 3, BITS
    ),
    "ReleaseService: counts one by one": service(count_people),
    "ReleaseService: counts at once": service(count_ranges),
    "ReleaseService: totals": service(add_up),
    "ReleaseService: a model": service(train),
    "continual_counts": Case(
        count_steps, lambda _: PureDP(0.5), STEPS, (9, 9, 9, 9, 9), (), Only((0, 0, 1, 1, 0))
    ),
}


WRONG = {  # public name: a case that the comparison must refuse, and why
    "SameNoise": (service(count_people, "reused noise"), "another generator"),
    "Unsplit": (service(count_ranges, "unsplit budget"), "spends"),
    "AsWideAsTheData": (service(add_up, "data-dependent bound"), "the scale of noise depends"),
    "ClippedByBatch": (service(train, "clipping by batch"), "spends"),
    "QuietThreshold": (stream(wrong_streams.QuietThreshold), "has no noise"),
    "QuietAnswers": (stream(wrong_streams.QuietAnswers), "has no noise"),
    "Unlimited": (stream(wrong_streams.Unlimited), "spends"),
    "Unscaled": (stream(wrong_streams.Unscaled, max_positives=3), "spends"),
}
VARIANTS = [variant.__name__ for variant in wrong_streams.VARIANTS]
NOT_HERE = {
    "Comparisons",  # the output of AboveThresholdStream
    "Holdout",  # a protocol
    "OrdinaryHoldout",  # a curator that promises nothing
    "OpenDPMechanism",  # another library draws its noise
}


def largest_share(case):
    """Return the share of its promise that a case spends at most; fail where data show."""
    if case.far is not None:
        compare(case.run, case.data, case.far)
    shares = [0.0]
    for neighbor in case.neighbors.neighbors_of(case.data, case.universe):
        output, pairs = compare(case.run, case.data, neighbor)
        shares.append(spent_share(prices(pairs), case.promise(output)))
    assert max(shares) <= 1 + 1e-9, f"it spends {max(shares)} of what it states"
    return max(shares)


@pytest.mark.parametrize("name", CASES)
def test_data_are_used_under_noise_that_pays_for_them(name):
    assert largest_share(CASES[name]) >= 0.5  # the neighbours are far enough apart to tell


@pytest.mark.parametrize("name", WRONG)
def test_a_mechanism_that_shows_more_is_refused(name):
    case, why = WRONG[name]
    with pytest.raises((AssertionError, pytest.fail.Exception), match=why):
        largest_share(case)


def test_everything_without_a_law_has_a_case():
    classes = {
        name
        for name, kind in public(inspect.isclass, *OTHER_PARTS)
        if not inspect.isabstract(kind) and (is_without_law(kind) or is_asked(kind))
    }
    functions = {
        name
        for name, function in public(inspect.isfunction, *OTHER_PARTS)
        if "curator" in parameters_of(function) or {"rng", "epsilon"} <= parameters_of(function)
    }
    names = {re.split("[:, ]", name)[0] for name in [*CASES, *WRONG]} - set(VARIANTS)
    assert (classes | functions) - NOT_HERE == names


def is_without_law(kind):
    return issubclass(kind, Mechanism) and not issubclass(kind, ExactMechanism)


def is_asked(kind):
    return hasattr(kind, "ask") or "budget" in parameters_of(kind.__init__)


def parameters_of(function):
    return set(inspect.signature(function).parameters)


@pytest.mark.parametrize(
    ("training", "coin"),
    [
        (
            learning.NoisyGradientDescent(LOGISTIC, 4, **DESCENT, batch=2),
            ("choice", (4, 2), {"replace": False, "shuffle": False}),
        ),
        (
            learning.PoissonTraining(learning.LinearModel(LOGISTIC, 2), **POISSON | {"rate": 0.5}),
            ("random",),
        ),
    ],
)
def test_each_step_of_a_training_draws_a_batch_and_adds_its_own_noise(training, coin):
    """The price of a step supposes a random batch, and noise of the same scale in every step."""
    draws = RecordedDraws()
    with recorded_samplers():
        training(DATA, draws)
    assert draws.coins == [coin] * training.steps
    assert [draw.law for draw in draws.draws] == ["normal"] * training.steps
    assert {draw.scale for draw in draws.draws} == {training.clip * training.noise_multiplier}
    compare(training, DATA, FAR)
    moves = [
        np.linalg.norm(other.place - draw.place)
        for neighbor in training.neighbors.neighbors_of(DATA, PEOPLE)
        if len(neighbor) == 4 or neighbor[:3] == DATA[:3]  # so that each record keeps its coin
        for draw, other in compare(training, DATA, neighbor)[1]
    ]
    records = 2 if training.neighbors == REPLACE_ONE else 1
    assert max(moves) == pytest.approx(records * training.clip)
