"""No message quotes the data or a number computed from them, and no refusal depends on them.

Every mechanism, and every public function that takes data, gets records with a secret mark. They
are searched for in dplab, so a new one fails here until it has an example.
"""

import importlib
import inspect
import pkgutil
import re
import traceback
import warnings
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import dplab
from dplab import PureDP, contributions, inference, learning, queries, synthesis
from dplab.accounting import sampled
from dplab.attacks import sparse_vector as wrong_streams
from dplab.budget import Budget, BudgetExceeded
from dplab.graphs import Graph
from dplab.interaction import Curator, Interaction, MechanismError
from dplab.learning import LOGISTIC, pac, risk
from dplab.learning.statistical_queries import noisy_count
from dplab.local.frequency_oracles import HadamardResponse, UnaryEncoding
from dplab.local.hashing import LocalHashing
from dplab.local.one_bit_means import OneBitMean
from dplab.local.shuffling import ShuffledResponse
from dplab.local_sensitivity import Median
from dplab.mechanism import Composed, Mechanism, PostProcessed
from dplab.mechanisms.inverse_sensitivity import (
    inverse_median,
    inverse_mode,
    inverse_sensitivity,
    median_changes,
    mode_changes,
)
from dplab.mechanisms.partition_selection import PartitionSelection
from dplab.mechanisms.pricing import revenue
from dplab.mechanisms.propose_test_release import ProposeTestRelease, propose_test_release
from dplab.mechanisms.sample_and_aggregate import SampleAndAggregate, split_evenly
from dplab.mechanisms.smooth_sensitivity import (
    CauchyMechanism,
    LogNormalMechanism,
    SmoothLaplaceMechanism,
    StudentMechanism,
)
from dplab.mechanisms.sparse_vector import PaidWhenAbove
from dplab.queries.linear import table_of
from dplab.release_service import BUGS, ClippedByBatch, ReleaseService, SameNoise, Unsplit
from dplab.synthesis.kernel import kernel_values
from dplab.synthesis.series import cosines
from dplab.theorems.groups import FamilyAlarm
from dplab.theorems.posterior import Confidant

MARK = 125_000 / 4 + 33 / 64
TEXT = "Zaphod"
SECRET = re.compile(rf"3\.?125\d|{33 / 64:.6f}|Zaphod|9{{20}}".replace("0.", ""), re.I)
ADDRESS = re.compile(r"\b0x[0-9a-f]+")  # of an object: may hold any digits
NUMBERS = (MARK, -MARK, np.nan, np.inf, -np.inf)
OTHERS = (TEXT, TEXT.encode(), None, True, 10**400 - 1, complex(MARK, MARK))
COMPUTED = (sum, min, max, np.mean, np.std, np.linalg.norm, lambda data: sum(data) / 2)

BITS = [0, 1, 1, 0]
SHARES = [0.0, 0.5, 1.0, 0.5]
ROWS = [[0.25, 0.5, 1.0], [0.5, -0.25, -1.0], [0.0, 0.125, 1.0], [-0.5, 0.5, -1.0]]
PAIRS = [[0, 0], [1, 1], [2, 1], [1, 0]]
CLASSES = [[0.25, 0.5, 0], [0.5, -0.25, 1], [0.0, 0.125, 2], [-0.5, 0.5, 1]]


def first(data):
    return data[0]


def three(data):
    return [data[0], data[1], 0.0]


def first_at(data, places):
    return [data[0]] * len(places)


def all_of(rows):
    return [True] * len(rows)


def zeros(points):
    return [0] * len(points)


COUNT = dplab.GeometricMechanism(first, 1, 0.5)
MEDIAN = Median(0, 1)
RESPONSE = dplab.RandomizedResponse(0.5)
HALVES = np.array([[1.0, 1, 0], [0, 1, 1]])
RISK = learning.RegularizedRisk(LOGISTIC, 4, 0.5)
NETWORK = learning.Network(2, 2, 3)
COUNTS = dplab.histogram((0, 1), epsilon=0.5, neighbors=dplab.ADD_REMOVE)
STREAM = {"threshold": 1.0, "sensitivity": 1.0, "epsilon": 1.0}
DESCENT = {"clip": 0.5, "noise_multiplier": 2.0, "steps": 2, "learning_rate": 0.5}
POISSON = {"rate": 0.5, "batch_size": 2, **DESCENT}
BANDED = {"batches": 2, "epochs": 2, "bands": 2, "batch_size": 2, "clip": 0.5}
BANDED |= {"noise_multiplier": 3.0, "learning_rate": 0.5}

MECHANISMS = {  # public name: a mechanism, and data that it takes
    "CauchyMechanism": (CauchyMechanism(MEDIAN, 0.5), SHARES),
    "LogNormalMechanism": (LogNormalMechanism(MEDIAN, 0.5), SHARES),
    "ProposeTestRelease": (
        ProposeTestRelease(dplab.ExponentialMechanism("abc", three, 1, 0.5), first, 0.5, 1e-6),
        SHARES,
    ),
    "SampleAndAggregate": (
        SampleAndAggregate(first, 2, dplab.PrivateQuantile(0, 1, 0.5)),
        SHARES,
    ),
    "SmoothLaplaceMechanism": (SmoothLaplaceMechanism(MEDIAN, 0.5, delta=1e-6), SHARES),
    "StudentMechanism": (StudentMechanism(MEDIAN, 0.5), SHARES),
    "TeacherLabels": (learning.TeacherLabels(lambda part: zeros, [0.0, 1.0], 2, 2, 1.0), ROWS),
    "inverse_median": (inverse_median([0.0, 0.5, 1.0], epsilon=0.5), SHARES),
    "inverse_mode": (inverse_mode((0, 1), epsilon=0.5), BITS),
    "inverse_sensitivity": (inverse_sensitivity(first, (0, 1), 4, epsilon=0.5), BITS),
    "ProposeTestRelease of a median": (
        propose_test_release(MEDIAN, 1, epsilon=0.5, delta=1e-6),
        SHARES,
    ),
    "AboveThreshold": (dplab.AboveThreshold(**STREAM), SHARES[:2]),
    "AboveThresholdStream": (dplab.AboveThreshold(**STREAM).stream(), SHARES),
    "BandedTraining": (
        learning.BandedTraining(learning.LinearModel(LOGISTIC, 2), **BANDED),
        ROWS,
    ),
    "ClampedMechanism": (COUNT.clamp(0, 4), BITS),
    "ClippedByBatch": (ClippedByBatch(LOGISTIC, 4, **DESCENT), ROWS),
    "ClippedMean": (dplab.ClippedMean(0, 1, 4, 0.5), SHARES),
    "CoinSurvey": (dplab.CoinSurvey(0.5, 0.5), BITS),
    "Composed": (Composed(RESPONSE, RESPONSE), BITS),
    "Confidant": (Confidant(0.5), BITS[:2]),
    "DiscreteGaussianMechanism": (dplab.DiscreteGaussianMechanism(three, 1, 2, (1, 2)), BITS),
    "ExactSampledMechanism": (sampled(COUNTS.clamp(0, 1), rate=0.5), BITS[:2]),
    "ExponentialMechanism": (dplab.ExponentialMechanism("abc", three, 1, 0.5), SHARES),
    "ExponentialOverDatasets": (
        synthesis.ExponentialOverDatasets((0.0, 0.5, 1.0), 4, 2, 0.5),
        SHARES,
    ),
    "FactorizationMechanism": (
        queries.FactorizationMechanism(queries.Factorization(np.eye(2), HALVES), PureDP(0.5)),
        BITS,
    ),
    "FamilyAlarm": (FamilyAlarm(0.1, 0.001, 4), BITS),
    "GapSelection": (dplab.GapSelection("abc", three, 1, 0.5, 1e-6), SHARES),
    "GaussianMechanism": (dplab.GaussianMechanism(first, 1, 2), SHARES),
    "GeometricMechanism": (COUNT, BITS),
    "Interaction": (Interaction.of([RESPONSE, RESPONSE]), BITS),
    "KernelDensity": (synthesis.KernelDensity((0.2, 0.8), 4, 0.1, 0.5), SHARES),
    "LaplaceMechanism": (dplab.LaplaceMechanism(three, 1, 0.5), SHARES),
    "MWEM": (queries.MWEM(HALVES, 4, 2, PureDP(0.5)), BITS),
    "NameAndShame": (dplab.NameAndShame(0.25), BITS),
    "NoisyGradientDescent": (learning.NoisyGradientDescent(LOGISTIC, 4, **DESCENT), ROWS),
    "ObjectivePerturbation": (learning.ObjectivePerturbation(RISK, 0.5), ROWS),
    "OrEverything": (dplab.OrEverything(RESPONSE, 0.25), BITS),
    "PartitionSelection": (PartitionSelection(0.5, 1e-6), BITS),
    "PermuteAndFlip": (dplab.PermuteAndFlip("abc", three, 1, 0.5), SHARES),
    "PoissonTraining": (
        learning.PoissonTraining(learning.LinearModel(LOGISTIC, 2), **POISSON),
        ROWS,
    ),
    "PoissonTraining of a network": (learning.PoissonTraining(NETWORK, **POISSON), CLASSES),
    "PostProcessed": (PostProcessed(RESPONSE, tuple), BITS),
    "PrivateQuantile": (dplab.PrivateQuantile(0, 1, 0.5), SHARES),
    "RandomProjectionMechanism": (queries.RandomProjectionMechanism(HALVES, 4, 0.5), BITS),
    "RandomRows": (dplab.RandomRows(4, 2), BITS),
    "RandomizedResponse": (RESPONSE, BITS),
    "ReportNoisyMax": (dplab.ReportNoisyMax("abc", three, 1, 0.5), SHARES),
    "SampledMechanism": (
        sampled(queries.MWEM(HALVES, 2, 2, PureDP(0.5)), rate=0.5, by="without replacement"),
        BITS,
    ),
    "sampled": (sampled(RESPONSE, rate=0.5, by="without replacement"), BITS),
    "SameNoise": (SameNoise(COUNT, 7), BITS),
    "SnappingMechanism": (dplab.SnappingMechanism(first, 1, 0.5, 64), SHARES),
    "SphericalLaplaceMechanism of a risk": (
        dplab.SphericalLaplaceMechanism(RISK.minimizer, RISK.sensitivity, 0.5),
        ROWS,
    ),
    "SphericalLaplaceMechanism": (dplab.SphericalLaplaceMechanism(three, 1, 0.5), SHARES),
    "StabilityHistogram": (dplab.StabilityHistogram(0.5, 1e-6), BITS),
    "StableLearner": (learning.StableLearner(len, 2, 0.5, 1e-6), BITS),
    "TopDown": (synthesis.TopDown((1, 1, 2), 4, (0.5, 0.5, 0.5)), BITS),
    "Unsplit": (Unsplit(COUNT), BITS),
    "bernstein_mechanism": (synthesis.bernstein_mechanism(first_at, 1, 3, epsilon=0.5), SHARES),
    "HadamardResponse": (HadamardResponse(0.5, 2), BITS),
    "LocalHashing": (LocalHashing(0.5, 2), BITS),
    "OneBitMean": (OneBitMean(0.5), SHARES),
    "ShuffledResponse": (ShuffledResponse(0.5), BITS),
    "UnaryEncoding": (UnaryEncoding(0.5, 2), BITS),
    "histogram": (dplab.histogram((0, 1, 2), epsilon=0.5), BITS),
    "moments_mechanism": (inference.moments_mechanism(features=2, bound=1, rho=0.5), ROWS),
    "noisy_count": (noisy_count(all_of, epsilon=0.5), BITS),
    "pricing": (dplab.pricing([1.0, 2.0], epsilon=0.5), SHARES),
    "private_learner": (learning.private_learner(learning.thresholds(3), 0.5), PAIRS),
    "series_mechanism": (synthesis.series_mechanism(2, 4, epsilon=0.5), SHARES),
    "small_database": (queries.small_database(HALVES, 4, 2, epsilon=0.5), BITS),
    "strategy_mechanism": (queries.strategy_mechanism(HALVES, epsilon=0.5), BITS),
    "tree_mechanism": (queries.tree_mechanism(3, epsilon=0.5), BITS),
}
for wrong in ("QuietAnswers", "QuietThreshold", "ShownAnswers", "Unlimited", "Unscaled"):
    MECHANISMS[wrong] = (getattr(wrong_streams, wrong)(**STREAM), SHARES[:2])
BEHIND_A_SERVICE = {"AsWideAsTheData"}  # its service checks the people: see the test of the service
IN_OTHER_TESTS = {"from_opendp"}  # needs OpenDP: see tests/dplab/interop/test_opendp.py

THETA = np.array([0.5, -0.5])
WEIGHTS = NETWORK.start(np.random.default_rng(1))
AGES = synthesis.Columns(categories={"bit": (0, 1)}, bins={"age": (0, 0.5, 1)})
FUNCTIONS = {  # public name: the function of the data alone, and data that it takes
    "Columns.count": (lambda data: AGES.count({"bit": data, "age": data}), BITS),
    "LinearModel.clipped_sum": (
        lambda data: learning.LinearModel(LOGISTIC, 2).clipped_sum(THETA, data, 1.0),
        ROWS,
    ),
    "MistakeGame.consistent": (learning.MistakeGame(learning.thresholds(3)).consistent, PAIRS),
    "Median.__call__": (MEDIAN, SHARES),
    "Median.at_distance": (MEDIAN.at_distance, SHARES),
    "median_changes": (lambda data: median_changes(data, [0, 1]), SHARES),
    "mode_changes": (lambda data: mode_changes(data, (0, 1)), BITS),
    "split_evenly": (lambda data: split_evenly(data, 2), BITS),
    "Network.accuracy": (partial(NETWORK.accuracy, WEIGHTS), CLASSES),
    "Network.classify": (partial(NETWORK.classify, WEIGHTS), CLASSES),
    "Network.clipped_sum": (lambda data: NETWORK.clipped_sum(WEIGHTS, data, 1.0), CLASSES),
    "Network.gradients": (partial(NETWORK.gradients, WEIGHTS), CLASSES),
    "Network.losses": (partial(NETWORK.losses, WEIGHTS), CLASSES),
    "Objective.evaluate": (partial(LOGISTIC.evaluate, THETA), ROWS),
    "RegularizedRisk.gradient": (partial(RISK.gradient, THETA), ROWS),
    "RegularizedRisk.hessian": (partial(RISK.hessian, THETA), ROWS),
    "RegularizedRisk.minimizer": (RISK.minimizer, ROWS),
    "RegularizedRisk.split": (RISK.split, ROWS),
    "best_bound": (partial(contributions.best_bound, epsilon=0.5), BITS),
    "bound_error": (
        lambda data: contributions.bound_error(data, 1, epsilon=0.5).total,
        BITS,
    ),
    "choose_rows": (
        lambda data: contributions.choose_rows(data, 1, np.random.default_rng()),
        BITS,
    ),
    "clip_rows": (learning.clip_rows, ROWS),
    "clipped_sum": (lambda data: learning.clipped_sum(data, [1.0] * 4, clip=1.0), ROWS),
    "continual_counts": (
        lambda data: list(
            queries.continual_counts(data, 5, epsilon=0.5, rng=np.random.default_rng())
        ),
        BITS,
    ),
    "noisy_running_sums": (
        lambda data: list(
            queries.noisy_running_sums(
                data,
                queries.banded_factorization(4, 2),
                sigma=2.0,
                rng=np.random.default_rng(),
            )
        ),
        BITS,
    ),
    "cosines": (lambda data: cosines(data, 3), SHARES),
    "errors": (partial(learning.errors, learning.thresholds(3)), PAIRS),
    "examples": (lambda data: pac.examples(data, 3), PAIRS),
    "kernel_values": (lambda data: kernel_values(data, data, 0.5), SHARES),
    "ks_distance": (lambda data: synthesis.ks_distance(data, SHARES), SHARES),
    "revenue": (lambda data: revenue(data, [1.0]), SHARES),
    "row_lengths": (lambda data: risk.row_lengths(np.array(data)), ROWS),
    "share": (lambda data: learning.share(lambda rows: np.array(rows)[:, 0], data), ROWS),
    "smallest_positive": (lambda data: learning.smallest_positive(data, 3), PAIRS),
    "split": (lambda data: risk.split(data, LOGISTIC.labels), ROWS),
    "table_of": (lambda data: table_of(data, 3), BITS),
}
NEVER_REFUSE = {"Total.sum", "Vote.__call__"}  # they take checked arrays
DATA_NAMES = {"data", "records", "sample", "rows", "bids", "people"}
# The caller sees all the data.
OTHER_PARTS = ("widgets", "attacks", "audit", "audit_range", "data", "theorems")


def marked(data):
    """Yield data with a secret entry, and whether it is a number, for the first record."""
    for secret in NUMBERS + OTHERS:
        if not isinstance(data[0], list):
            yield [secret, *data[1:]]
            continue
        for place in (0, -1):
            row = list(data[0])
            row[place] = secret
            yield [row, *data[1:]]


def misshapen(data):
    """Return secret data of another shape than `data`."""
    one = [MARK] * len(data[0]) if isinstance(data[0], list) else MARK
    whole = [one] * len(data)
    return [
        whole[:-1],
        [*whole, one],
        [whole],
        [[[one]], *data[1:]],
        [{TEXT: MARK}, *data[1:]],
        [[], *data[1:]],
        [[MARK, TEXT], *data[1:]],
        np.array([whole]),
        MARK,
        TEXT,
        {MARK: TEXT},
        [],
        None,
    ]


def spoken(error):
    """Return all that an error, its causes and its notes say, and its formatted tracebacks."""
    words = "".join(traceback.format_exception(error))
    while error is not None:
        words += f"\n{error!s} {error!r} {error.args!r} {getattr(error, '__notes__', '')!r}"
        words += "".join(traceback.format_exception(error, chain=False))
        error = error.__cause__ or error.__context__
    return words


def listen(call):
    """Return what a call says in an error or in warnings; "" if it says nothing."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            call()
        except Exception as error:
            heard_error = spoken(error)
        else:
            heard_error = ""
    return heard_error + "\n".join(str(warning.message) for warning in heard)


def computed(data):
    """Return numbers that are computed from the data, as texts; only large ones are telling."""
    with suppress(Exception), np.errstate(all="ignore"):
        values = [float(function(data)) for function in COMPUTED]
        return [repr(value)[:7] for value in values if 1000 < abs(value) < 1e300]
    return []


def assert_silent(words, data, name):
    words = ADDRESS.sub("", words)
    found = SECRET.findall(words) + [number for number in computed(data) if number in words]
    assert not found, f"{name} says {found} in: {words[-3000:]}"


def modules(*without):
    for module in pkgutil.walk_packages(dplab.__path__, "dplab."):
        if module.name.split(".")[1] not in without:
            yield importlib.import_module(module.name)


def public(kind, *without):
    """Yield the public functions or classes of dplab's modules."""
    for module in modules("widgets", *without):
        for name, value in vars(module).items():
            is_own = getattr(value, "__module__", "") == module.__name__
            if is_own and kind(value) and not name.startswith("_"):
                yield name, value


def ask(mechanism, data):
    """Return the curator and the error, if any, of one question."""
    total = type(mechanism.guarantee)
    most = {"delta": 0.9, "epsilon": 100.0, "rho": 100.0}
    budget = Budget(total(*[most[name] for name in vars(mechanism.guarantee)]))
    curator = Curator(data, budget, np.random.default_rng())
    try:
        curator.ask(mechanism)
    except Exception as error:
        return curator, error
    return curator, None


def test_every_mechanism_has_an_example():
    classes = {
        name
        for name, kind in public(inspect.isclass)
        if issubclass(kind, Mechanism) and not inspect.isabstract(kind)
    }
    makers = {
        name
        for name, function in public(inspect.isfunction)
        if str(inspect.signature(function).return_annotation).endswith("Mechanism")
    }
    tested = {name.split(" ")[0] for name in MECHANISMS} | BEHIND_A_SERVICE | IN_OTHER_TESTS
    assert tested == classes | makers


def test_every_function_of_data_has_an_example():
    found = set()
    for name, function in public(inspect.isfunction, *OTHER_PARTS):
        if DATA_NAMES & set(inspect.signature(function).parameters):
            found.add(name)
    for name, kind in public(inspect.isclass, *OTHER_PARTS):
        if (
            issubclass(kind, Mechanism)
            or inspect.isabstract(kind)
            or getattr(kind, "_is_protocol", False)
        ):
            continue
        for method, function in vars(kind).items():
            is_public = inspect.isfunction(function) and not re.match("_(?!_call__)", method)
            if is_public and DATA_NAMES & set(inspect.signature(function).parameters):
                found.add(f"{name}.{method}")
    assert found <= set(FUNCTIONS) | NEVER_REFUSE


def test_everything_that_is_asked_is_tested_below():
    found = {name for name, kind in public(inspect.isclass, *OTHER_PARTS) if hasattr(kind, "ask")}
    found -= {"Holdout"}  # a protocol
    assert found == {
        "Comparisons",
        "Curator",
        "OnlineWeights",
        "OrdinaryHoldout",
        "PaidWhenAbove",
        "Thresholdout",
    }


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_curator_answers_whatever_the_entries_are(name):
    mechanism, data = MECHANISMS[name]
    for secret in [data, *marked(data)]:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            curator, error = ask(mechanism, secret)
        assert error is None, (secret, spoken(error))
        assert not heard
        assert len(curator.transcript) == 1


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_that_fails_costs_its_price_and_says_only_its_name(name):
    mechanism, data = MECHANISMS[name]
    price = ask(mechanism, data)[0].budget.spent
    for secret in misshapen(data):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            curator, error = ask(mechanism, secret)
        assert not heard
        assert curator.budget.spent == price
        assert not SECRET.search(ADDRESS.sub("", repr(curator) + repr(mechanism)))
        if error is None:
            continue
        assert isinstance(error, MechanismError)
        assert error.__cause__ is error.__context__ is None
        assert str(error).startswith(f"{type(mechanism).__name__} failed on the data")
        assert_silent(spoken(error), secret, name)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_called_directly_quotes_no_data(name):
    mechanism, data = MECHANISMS[name]
    mechanism(data, np.random.default_rng())
    calls = [lambda secret: mechanism(secret, np.random.default_rng())]
    for method, function in inspect.getmembers_static(type(mechanism), inspect.isfunction):
        parameters = list(inspect.signature(function).parameters)
        if method[0] != "_" and parameters[1:] == ["data"]:
            calls.append(getattr(mechanism, method))
    for secret in [*marked(data), *misshapen(data)]:
        for call in calls:
            assert_silent(listen(partial(call, secret)), secret, name)


@pytest.mark.parametrize("name", MECHANISMS)
def test_laws_of_secret_data_are_compared_without_quoting_them(name):
    mechanism, data = MECHANISMS[name]
    if not isinstance(mechanism, dplab.ExactMechanism):
        return
    secret = next(marked(data))
    calls = [
        lambda: mechanism.privacy_loss(secret, data),
        lambda: mechanism.privacy_loss(data, secret),
        lambda: PostProcessed(mechanism, str).distribution(secret),
        lambda: dplab.privacy_loss(mechanism.distribution(secret), dplab.Gaussian(0, 1)),
    ]
    for call in calls:
        assert_silent(listen(call), secret, name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_data_quotes_none(name):
    function, data = FUNCTIONS[name]
    function(data)
    for secret in [*marked(data), *misshapen(data)]:
        assert_silent(listen(partial(function, secret)), secret, name)


def test_an_error_within_a_mechanism_leaves_nothing():
    """The error of a query that quotes the data, with a cause and a note."""

    def quote(data):
        try:
            float(data[0])
        except ValueError as error:
            error.add_note(str(data))
            raise KeyError(*data) from error

    curator, error = ask(dplab.GeometricMechanism(quote, 1, 0.5), [TEXT, MARK])
    assert_silent(spoken(error), [MARK], "Curator")
    assert curator.budget.spent == PureDP(0.5)
    curator.budget.pay(PureDP(99.5))
    with pytest.raises(BudgetExceeded) as refusal:
        curator.ask(COUNT)
    assert_silent(spoken(refusal.value), [MARK], "Curator")


def test_the_sum_off_the_grid_is_rounded():
    incomes = [31250.5, 48999.25, 120000.0]  # their sum is 200249.75
    mechanism = dplab.GeometricMechanism(sum, 1, 1000)
    curator = Curator(incomes, Budget(PureDP(1e6)), np.random.default_rng())
    assert curator.ask(mechanism) == 200250  # noise of 1/2000: not 0 with probability e^-1000
    halves = [curator.ask(dplab.GeometricMechanism(lambda _, x=x: x, 1, 1000)) for x in (-0.5, 0.5)]
    assert halves == [0, 1]


@pytest.mark.parametrize("secret", [*NUMBERS, *OTHERS])
def test_comparisons_reply_whatever_the_entries_are(secret):
    data = [secret, *SHARES]
    curator = Curator(data, Budget(PureDP(100.0)), np.random.default_rng())
    stretch = dplab.AboveThreshold(**{**STREAM, "threshold": 1e9})
    comparisons = curator.ask(stretch.stream())
    paid = PaidWhenAbove(curator, stretch)
    assert comparisons.ask(first) in (False, True)
    paid.ask(first, COUNT)
    for ask_wrongly in (comparisons.ask, lambda query: paid.ask(query, COUNT)):
        with pytest.raises(MechanismError) as failure:
            ask_wrongly(lambda data: {"": 0}[data[0]])
        assert_silent(spoken(failure.value), data, "Comparisons")
        assert failure.value.__context__ is None


@pytest.mark.parametrize("secret", NUMBERS)
def test_holdouts_and_learners_quote_no_record(secret):
    rows = np.array(ROWS)
    rows[0, 0] = secret
    curator = Curator(rows, Budget(PureDP(100.0)), np.random.default_rng())
    holdout = learning.Thresholdout(ROWS, curator, n=4, threshold=0.1, sigma=0.5)
    assert np.isfinite(holdout.ask(lambda rows: np.asarray(rows)[:, 0]))
    assert_silent(repr(learning.OrdinaryHoldout(rows)), rows, "OrdinaryHoldout")
    table = Curator(rows[0], Budget(dplab.ZCDP(1.0)), np.random.default_rng())
    learner = partial(queries.OnlineWeights, table, 3, 4, threshold=1, rho=0.1)
    words = listen(learner)
    assert "must" in words
    assert_silent(words, rows[0], "OnlineWeights")


def test_the_law_of_a_model_shows_no_record():
    rows = [[MARK / 1e6, 0.0, 1.0], *ROWS[1:]]
    law = learning.ObjectivePerturbation(RISK, 0.5).distribution(rows)
    assert_silent(repr(law), rows, "the law")


def service(people, bugs=()):
    budget = Budget(dplab.ApproxDP(900.0, 0.9))
    return ReleaseService(people, budget, np.random.default_rng(), bugs=bugs)


@pytest.mark.parametrize("bug", [None, *BUGS])
def test_the_release_service_answers_whatever_the_entries_are(bug):
    for secret in (MARK, -MARK, 1e300):
        people = np.array([[secret, secret], *[[0.0, 1.0]] * 3])
        hall = service(people, [bug] if bug else [])
        answers = [
            lambda hall=hall: hall.count((0, 0, 1), epsilon=1),
            lambda hall=hall: hall.counts([(0, 0, 1)], epsilon=1),
            lambda hall=hall: hall.total((0, 0, 1), epsilon=1),
            lambda hall=hall: hall.model(epsilon=1),
        ]
        assert [listen(answer) for answer in answers] == [""] * 4


def test_the_release_service_and_graphs_quote_no_record_when_they_take_it():
    for secret in [*marked(ROWS), *misshapen(ROWS)]:
        assert_silent(listen(partial(service, secret)), secret, "ReleaseService")
    words = listen(lambda: Graph.of(3, [(0, int(MARK))]))
    assert "edges must join" in words
    assert_silent(words, [], "Graph")
