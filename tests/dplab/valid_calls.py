"""Arguments of public functions of dplab: an example of each, and which values are allowed."""

import math
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

import dplab
from dplab import REPLACE_ONE, ZCDP, ApproxDP, Finite, PureDP, learning, queries
from dplab.accounting import Release
from dplab.attacks import census_block
from dplab.attacks.differencing import CautiousCurator
from dplab.attacks.diffix.digits import Digit, power_digits
from dplab.attacks.diffix.engine import SQLite
from dplab.attacks.diffix.generations import STICKY, Generation
from dplab.audit_range import AuditRange
from dplab.budget import Budget
from dplab.data import surnames
from dplab.distributions import Distribution
from dplab.graphs import Graph
from dplab.interaction import Curator, Interaction
from dplab.local.frequency_oracles import FrequencyOracle, HadamardResponse
from dplab.local_sensitivity import LocalQuery, Median
from dplab.losses import GaussianLoss, PrivacyLoss
from dplab.losses.atoms import AtomicLoss
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.mechanisms.discrete import LatticeMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.release_service import Total
from dplab.theorems.post_processing import StochasticMatrix


@dataclass(frozen=True)
class Domain:
    """One valid value of an argument, and a predicate for the others."""

    example: Any
    accepts: Callable[[Any], bool]

    def __or__(self, other):
        return Domain(self.example, lambda value: self.accepts(value) or other.accepts(value))

    def like(self, example):
        return Domain(example, self.accepts)


def is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def is_array_of_floats(value):
    return not isinstance(value, np.ma.MaskedArray) and np.asarray(value).dtype.kind in "biuf"


def real(example, least=-math.inf, most=math.inf, above=None, below=None):
    """Finite real numbers in an interval."""

    def accepts(value):
        if not is_number(value) or abs(value) > 1e308 or value != value:
            return False
        return (
            least <= value <= most
            and (above is None or value > above)
            and (below is None or value < below)
        )

    return Domain(example, accepts)


def whole(example, least=0, most=math.inf):
    def accepts(value):
        return isinstance(value, int | np.integer) and is_number(value) and least <= value <= most

    return Domain(example, accepts)


def array(
    example, least=-math.inf, most=math.inf, ndim=None, whole=False, kinds="iuf", empty=False
):
    """Arrays, or nested lists, of finite numbers in an interval."""

    def accepts(value):
        if isinstance(value, str | bytes | np.ma.MaskedArray | Mapping):
            return False
        entries = np.asarray(value)
        return (
            (entries.dtype.kind in kinds or (empty and entries.size == 0))
            and (ndim is None or entries.ndim == ndim)
            and (empty or entries.size > 0)
            and bool(np.isfinite(entries).all() and (entries >= least).all())
            and bool((entries <= most).all())
            and not (whole and (entries != np.floor(entries)).any())
        )

    return Domain(example, accepts)


def one(example, *classes):
    """Instances of a class."""
    return Domain(example, lambda value: isinstance(value, classes or type(example)))


def function(example):
    return Domain(example, callable)


def choice(*allowed):
    return Domain(
        allowed[0], lambda value: isinstance(value, type(allowed[0])) and value in allowed
    )


def anything(example):
    return Domain(example, lambda value: True)


def is_oracle(value):
    return isinstance(value, FrequencyOracle) and value.k == 4


def is_hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


def real_or_inf(example, least=-math.inf):
    return real(example, least=least) | Domain(None, lambda value: value is np.inf)


def sequence(example, accepts_entry=is_hashable, empty=False):
    """Sequences of entries of one kind."""

    def accepts(value):
        return (
            isinstance(value, Sequence | np.ndarray | set | dict)
            and not isinstance(value, str | bytes | np.ma.MaskedArray)
            and (empty or len(value) > 0)
            and all(map(accepts_entry, value))
        )

    return Domain(example, accepts)


NONE = Domain(None, lambda value: value is None)
FLAG = one(False, bool, np.bool_)
TEXT = one("age", str)


def probability(example=0.25):
    return real(example, least=0, most=1)


def distribution(example):
    return one(example, Distribution)


GAUSS = GaussianLoss(1.0)
COIN = Finite.of({0: 0.25, 1: 0.75})
RESPONSE = dplab.RandomizedResponse(0.5)
COUNT = dplab.GeometricMechanism(sum, 1, 0.5)
STREAM = {"threshold": 1.0, "sensitivity": 1.0, "epsilon": 1.0}
QUERIES = np.array([[1.0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1]])
ANSWERS = np.array([1.0, 2, 1, 2])
TABLE = pd.DataFrame({"age": [20, 30, 30], "sex": ["F", "M", "M"]})
ROWS = np.array([[0.25, 0.5, 1.0], [0.5, -0.25, -1.0], [0.0, 0.125, 1.0], [-0.5, 0.5, -1.0]])
GAME = learning.MistakeGame(learning.thresholds(3))
CLASS = learning.thresholds(3)
PAIRS = np.array([[0, 0], [1, 1], [2, 1], [1, 0]])
RISK = learning.RegularizedRisk(learning.LOGISTIC, 4, 0.5)
PEOPLE = surnames.Residents(np.array([0, 1, 1]), np.array([0, 1, 0]), np.array([0, 0, 1]))
KINDS = [(age, sex) for age in (30, 40) for sex in "FM"]
STATISTICS = census_block.publish([(30, "F"), (40, "F"), (40, "M")], [{}])


def first(data):
    return data[0]


def curator(data=(0, 1, 1, 0), total=None):
    return Curator(data, Budget(total or PureDP(50.0)), np.random.default_rng(1))


def is_statistic(value):
    return isinstance(value, census_block.Statistic)


NUMBERS = array([0.25, 0.5, 1.0])
PROMISE = one(ApproxDP(0.5, 1e-6), dplab.guarantees.Guarantee)
MATRIX = array(QUERIES, ndim=2) | one(None, queries.LinearQueries)
NAMES = {  # the domain of all arguments of this name, unless CALLS has another one
    "K": whole(2, least=1),
    "alive": whole(7, most=15),
    "alpha": real(2.0, above=1),
    "alphas": array([2.0, 3.0], least=1),
    "answers": array(ANSWERS, ndim=1),
    "arithmetic_in_buckets": FLAG,
    "bandwidth": real(0.5, above=0),
    "batch": whole(2, least=1, most=4) | NONE,
    "batch_size": real(2.0, above=0),
    "bound": real(64.0, above=0),
    "canaries": whole(20, least=1),
    "candidates": sequence("abc") | TEXT,
    "cells": whole(3, least=1),
    "classes": whole(3, least=2),
    "clip": real(1.0, above=0),
    "column": TEXT,
    "columns": sequence(["age"], lambda entry: entry in TABLE, empty=True),
    "confidence": real(0.75, above=0.5, below=1),
    "coefficients": NUMBERS,
    "count": whole(1),
    "counts": array([3, 1], least=0),
    "curator": one(curator(), Curator),
    "d": whole(5, least=1),
    "data": anything((0, 1)),
    "delta": real(1e-6, least=0, most=1),
    "dimensions": array([1, 4], least=1, ndim=1, whole=True, kinds="iu"),
    "domain": whole(5, least=1),
    "edges": array([0.0, 0.5, 1.0], ndim=1),
    "epsilon": real(0.5, above=0),
    "epsilons": array([0.0, 0.5, 1.0], least=0),
    "error": real(1.0, least=0),
    "eta": real(0.5, least=0),
    "failure": real(0.05, above=0, below=1),
    "false_positive_rate": array(0.25, least=0, most=1),
    "features": whole(2, least=1),
    "frequencies": array([0.25, 0.5], least=0, most=1),
    "fresh": array(PAIRS % 2),
    "function": function(first),
    "game": one(GAME),
    "gap": real(1.0, above=0),
    "gamma": real(0.5, least=0),
    "generation": one(STICKY, Generation),
    "graph": one(Graph.of(3, [(0, 1)])),
    "grid": real(1, above=0),
    "group": whole(1, least=0),
    "guesses": whole(10, least=1, most=20),
    "high": real(1.0),
    "hypotheses": array(CLASS, least=0, most=1, ndim=2, kinds="biuf"),
    "install": TEXT,
    "k": whole(2, least=1),
    "kappa": real(2.0, above=1),
    "ks": array([1, 10], least=1, ndim=1, whole=True, kinds="iu"),
    "learner": function(learning.halving),
    "learning_rate": real(0.5, above=0),
    "least": whole(1, least=1, most=2),
    "limit": whole(10, least=1),
    "lipschitz": Domain(1.0, lambda value: is_number(value) and value > 0),
    "location": real(0.0),
    "loss": one(GAUSS, PrivacyLoss),
    "low": real(0.0),
    "lower": real(0.0),
    "m": whole(3, least=1),
    "maths_on_isolating": FLAG,
    "max_positives": whole(1, least=1),
    "mean": real(0.0),
    "measured": array(ANSWERS, ndim=1),
    "mechanism": one(RESPONSE, Mechanism),
    "member_scores": NUMBERS,
    "model": one(learning.LinearModel(learning.LOGISTIC, 2), learning.Model),
    "monotone": FLAG,
    "n": whole(4, least=1),
    "name": TEXT,
    "neighbors": one(REPLACE_ONE, *map(type, (REPLACE_ONE, dplab.ADD_REMOVE))),
    "noise_multiplier": real(2.0, above=0),
    "norm": real(1.0, above=0),
    "objective": one(learning.LOGISTIC),
    "outputs": NUMBERS,
    "outsider_scores": NUMBERS,
    "p": distribution(COIN),
    "person": whole(1, most=3),
    "point": whole(1, most=2),
    "points": whole(3, least=1),
    "positives": whole(2),
    "negatives": whole(2),
    "promise": PROMISE,
    "q": distribution(Finite.of({0: 0.5, 1: 0.5})),
    "queries": MATRIX,
    "query": function(first),
    "quiet": probability(0.05),
    "radius": real(0.0, least=0),
    "rate": probability(),
    "records": array(ROWS, ndim=2),
    "relation": one(REPLACE_ONE, *map(type, (REPLACE_ONE, dplab.ADD_REMOVE))),
    "releases": sequence([Release(COUNT, 2)], lambda entry: isinstance(entry, Release)),
    "replays": whole(2, least=1),
    "rho": real(0.5, least=0),
    "right": whole(9, most=10),
    "rng": one(np.random.default_rng(1), np.random.Generator),
    "rounds": whole(2, least=1),
    "rule": array([0, 1, 1], least=0, most=1, ndim=1, kinds="biuf", whole=True),
    "sample": array(PAIRS, ndim=2),
    "scale": real(1.0, above=0),
    "scores": function(first),
    "seconds": real(10.0, above=0),
    "sensitivity": real(1.0, above=0),
    "shape": array((2, 3), least=1, ndim=1, whole=True, kinds="iu"),
    "share": probability(0.5),
    "sigma": real(1.0, least=0),
    "size": whole(2, least=1),
    "smoothness": real(0.25, above=0),
    "statistic": choice("sum", "mean", "count"),
    "steps": whole(2, least=1),
    "strategy": array(QUERIES, ndim=2),
    "success": real(0.75, above=0.5, most=1),
    "t": array([0.25, 0.5]),
    "table": one(TABLE),
    "target": PROMISE.like(ApproxDP(1.0, 1e-6)),
    "theta": probability(0.5),
    "threshold": real(1.0),
    "threshold_share": real(0.5, above=0, below=1),
    "thresholds": whole(3, least=1),
    "total": PROMISE.like(PureDP(1.0)),
    "trade_off": function(lambda alpha: 1 - alpha),
    "training": array(PAIRS % 2),
    "universe": sequence((0, 1)) | one("ab", str),
    "upper": real(1.0),
    "user": TEXT,
    "values": NUMBERS,
    "variance": real(20.0, above=0),
    "weights": array([0.25, 0.5, 0.25], least=0, most=1, ndim=1),
    "x": NUMBERS,
}
KNOWN = one(RESPONSE, Mechanism, PrivacyLoss, dplab.guarantees.Guarantee)
RATIONAL = Domain(1, lambda value: is_number(value) and 0 <= value < math.inf)  # exact: any size
EXACT_NUMBER = Domain(0, lambda value: is_number(value) and abs(value) < math.inf)
RATIONAL_TO_1 = real(0.5, least=0, most=1) | one(Fraction(1, 2))
ROWS_OF_PEOPLE = ROWS
DATA = array([0.25, 0.5, 1.0], kinds="biuf")
ROWS_OF_DATA = Domain(PAIRS, lambda value: np.ndim(value) > 0 and DATA.accepts(value))
ARRAY_1D = array([0.25, 0.5, 1.0], ndim=1)
BITS = array([0, 1, 1], least=0, most=1, ndim=1, kinds="biuf", whole=True)
FINITE = one(COIN, Finite)
EXACT = one(RESPONSE, ExactMechanism)
POPULATION = Finite.of({0: 0.5, 1: 0.5})
AN_ARRAY = array(np.array([0.25, 0.5, 1.0]))
LINEAR = {"queries": array(QUERIES, ndim=2), "answers": array(ANSWERS, ndim=1)}
ZERO_ONE = {"queries": array(QUERIES, least=0, most=1, ndim=2, kinds="biuf")}
THRESHOLD = one(dplab.AboveThreshold(**STREAM), dplab.AboveThreshold)
MEDIAN_QUERY = one(Median(0, 1), LocalQuery)
SMOOTH = {
    "query": MEDIAN_QUERY,
    "epsilon": real(0.5, above=0, most=100),
    "beta": real(0.01, above=0) | NONE,
}
LEARNER = {"game": one(GAME), "alive": whole(7, most=7), "point": whole(1, most=2)}
SIZE = whole(2) | NONE | sequence((2, 2), empty=True)
ATOMS = one(RESPONSE.worst_case, AtomicLoss)
HOLDOUT = Domain(learning.OrdinaryHoldout(PAIRS % 2), lambda value: hasattr(value, "ask"))
RULE = Domain([0, 1, 1], BITS.accepts)
SAMPLED = {
    "mechanism": one(dplab.GaussianMechanism(sum, 1, 2, neighbors=dplab.ADD_REMOVE), Mechanism),
    "by": choice("poisson", "fixed size"),
    "neighbors": one(dplab.ADD_REMOVE, *map(type, (REPLACE_ONE, dplab.ADD_REMOVE))) | NONE,
    "size": NONE,
    "delta": real(1e-5, above=0, below=1),
}
CLONES = {"local_epsilon": real(0.5, above=0), "is_binary": FLAG}
CALLS: dict[str, dict[str, Domain]] = {  # domains of the arguments of one function
    "accounting.dominating_pairs.worst_trade_off": {"mechanism": KNOWN},
    "accounting.queries.most_queries": {"mechanism": KNOWN},
    "accounting.releases.Release": {"mechanism": KNOWN},
    "accounting.optimal.optimal_delta": {"epsilon": real(0.5, least=0)},
    "accounting.loss_distribution.delta_bounds": {"epsilon": real(0.5, least=0)},
    "accounting.renyi.RenyiCurve": {
        "orders": array((2.0, 3.0), ndim=1),
        "epsilons": array((0.5, 0.75), least=0, ndim=1),
    },
    "accounting.renyi.simple_epsilon": {"promise": PROMISE.like(ZCDP(0.5))},
    "accounting.subsampling.sampled": SAMPLED,
    "accounting.subsampling.SampledMechanism": SAMPLED,
    "accounting.trade_off.promised_trade_off": {"alpha": array(0.5, least=0, most=1)},
    "accounting.trade_off.delta_from_trade_off": {"epsilon": real(0.5, least=0)},
    "audit_range.ranges.AuditRange": {
        "key": Domain("a key", lambda value: isinstance(value, str | bytes) and len(value) > 0)
    },
    "audit_range.witness.Witness": dict.fromkeys(("x", "y", "event", "epsilon"), anything((0, 1))),
    "audit_range.witness.verify": {
        "release": one(AuditRange("a key").releases[1]),
        "witness": anything(()),  # what is none is refused in words, not by an error
    },
    "attacks.averaging.right_with": {"pairs": array(3, least=0)},
    "attacks.averaging.FreshNoise": {"bits": BITS},
    "attacks.averaging.guess_bits": {"differences": NUMBERS},
    "attacks.box_least_squares.box_least_squares": LINEAR,
    "attacks.census_block.Statistic": {
        "group": one({1: "F"}, Mapping),
        "count": whole(3),
        "mean": real(30.0) | NONE,
        "median": real(30.0) | NONE,
        "digits": whole(1),
    },
    "attacks.census_block.publish": {
        "block": sequence([(30, "F"), (40, "M")], lambda entry: isinstance(entry, Sized)),
        "groups": sequence([{}], lambda entry: isinstance(entry, Mapping), empty=True),
    },
    "attacks.census_block.consistent_blocks": {
        "tables": sequence(STATISTICS, is_statistic),
        "kinds": sequence(KINDS, lambda entry: isinstance(entry, tuple)),
    },
    "attacks.contrary_curator.ContraryCurator": {"secret": BITS},
    "attacks.differencing.CautiousCurator": {"values": ARRAY_1D},
    "attacks.differencing.difference": {
        "with_person": NUMBERS.like(3.0),
        "without_person": NUMBERS.like(2.0),
        "sizes": array((4, 3), least=0, ndim=1) | NONE,
    },
    "attacks.differencing.attack": {
        "curator": one(CautiousCurator(np.arange(5.0), 1)),
        "person": whole(1, most=4),
    },
    "attacks.diffix.averaging.reword": {
        "question": TEXT.like("SELECT count(*) FROM t WHERE age <> 7"),
        "k": whole(2, least=1),
    },
    "attacks.diffix.curator.DiffixCurator": {
        "engine": Domain(SQLite({"t": TABLE}), lambda value: hasattr(value, "rows")),
        "table": TEXT.like("t"),
        "salt": TEXT,
        "rng": one(np.random.default_rng(1)) | NONE,
    },
    "attacks.diffix.digits.members": {
        "digits": sequence(power_digits("latitude", 2), lambda entry: isinstance(entry, Digit)),
        "values": ARRAY_1D,
    },
    "attacks.diffix.digits.power_digits": {"low": real(5.0), "high": real(8.0)},
    "attacks.diffix.engine.SQLite": {"tables": one({"t": TABLE}, Mapping)},
    "attacks.diffix.engine.DuckDB": {"tables": one({"t": TABLE}, Mapping)},
    "attacks.diffix.generations.Generation": {
        "noise": choice("sticky", "fresh", "none", "layered")
    },
    "attacks.diffix.reconstruction.estimates": {"members": LINEAR["queries"]},
    "attacks.diffix.simulator.Simulator": {
        "question": TEXT.like("SELECT count(*) FROM t"),
        "users": sequence(["a", "b"], lambda entry: True),
        "values": array([1.0, 2.0], ndim=1),
        "salt": TEXT,
    },
    "attacks.diffix.sql.parse": {"text": TEXT.like("SELECT count(*) FROM t")},
    "attacks.exhaustive.consistent_datasets": {**LINEAR, "error": real(1.0, least=0)},
    "attacks.exhaustive.MidpointCurator": {"secret": BITS.like([0, 1, 1, 0]), "error": whole(1)},
    "attacks.floating_point.finer_than_grid": {"grid": real(0.5, above=0)},
    "attacks.floating_point.replay": {"k": array([1, 2], least=1, whole=True)},
    "attacks.floating_point.impossible": {"law": distribution(dplab.Laplace(0, 1))},
    "attacks.floating_point.giveaway": {
        "law": distribution(dplab.Laplace(0, 1)),
        "other": distribution(dplab.Laplace(1, 1)),
    },
    "attacks.hadamard.hadamard_attack": {"answers": array(ANSWERS, ndim=1)},
    "attacks.inference.risk": {
        "counts": array([[3, 1], [2, 2]], ndim=2),
        "smokes": choice(1, 0) | FLAG,
    },
    "attacks.inference.swap_residents": {"residents": one(PEOPLE)},
    "attacks.inference.lonely": {"residents": one(PEOPLE)},
    "attacks.linear_program.feasible_point": LINEAR,
    "attacks.linear_program.minimum_slack": LINEAR,
    "attacks.linear_program.least_absolute": LINEAR,
    "attacks.least_squares.least_squares": {"queries": MATRIX},
    "attacks.linkage.expected_unique_share": {"cells": real(3.0, least=1)},
    "attacks.linkage.link": {"named_table": one(TABLE)},
    "attacks.membership.Population": {"frequencies": array([0.25, 0.5], least=0, most=1, ndim=1)},
    "attacks.membership.tracing_power": {"false_positive_rate": probability()},
    "attacks.membership.half_sample_power": {
        "n": whole(4, least=2),
        "false_positive_rate": probability(),
    },
    "attacks.membership_calibrated.confidences": {"objectives": array([0.25, 0.5], least=0)},
    "attacks.membership_calibrated.true_positive_rate_at": {"false_positive_rate": probability()},
    "attacks.membership_calibrated.train_shadows": {
        "train": function(lambda records, rng: records.sum()),
        "score": function(lambda model, records: records.sum(axis=1)),
        "count": whole(4, least=2),
    },
    "attacks.model_membership.advantage": {},
    "attacks.sparse_vector.QuietAnswers": {"queries": function(np.asarray)},
    "attacks.sparse_vector.QuietThreshold": {"queries": function(np.asarray)},
    "attacks.sparse_vector.Unlimited": {"queries": function(np.asarray)},
    "attacks.sparse_vector.Unscaled": {"queries": function(np.asarray)},
    "attacks.sparse_vector.ShownAnswers": {"queries": function(np.asarray), "edges": ARRAY_1D},
    "attacks.sparse_vector.transcript_loss": {"mechanism": THRESHOLD},
    "attacks.subsampling.name_sampled": {"queries": MATRIX},
    "attacks.wild_answers.wild_answers": {
        "queries": array(QUERIES, ndim=2),
        "secret": array([0, 1, 1], ndim=1, kinds="biuf"),
    },
    "audit.canaries.audit_by_canaries": {
        "first": array(np.ones(20)),
        "second": array(np.zeros(20)),
        "mechanism": function(LaplaceMechanism(np.asarray, 1, 1.0)),
        "score": function(np.asarray),
        "guesses": whole(4, least=2, most=20),
    },
    "audit.exact.exact_epsilon": {"mechanism": EXACT, "n": whole(2, least=1)},
    "audit.exact.exact_delta": {
        "mechanism": EXACT,
        "n": whole(2, least=1),
        "epsilon": real(0.5, least=0),
    },
    "audit.goodness_of_fit.goodness_of_fit": {
        "law": distribution(dplab.Laplace(0, 1)),
        "sample": Domain([0.5, -1.0], is_array_of_floats),
    },
    "audit.statistical.epsilon_lower_bound": {"outputs_x": NUMBERS, "outputs_y": NUMBERS},
    "budget.Budget": {"total": PROMISE.like(PureDP(1.0))},
    "budget.Odometer": {"smallest": one(ZCDP(0.5))},
    "continuous.LaplaceVector": {"locations": AN_ARRAY},
    "continuous.SphericalLaplace": {"center": AN_ARRAY},
    "continuous.GaussianVector": {
        "mean": AN_ARRAY,
        "covariance": array(1.0, least=0),
    },
    "continuous.Gaussian": {"sigma": real(1.0, above=0)},
    "continuous.StudentT": {"degrees": real(1.0, above=0)},
    "continuous.LaplaceLogNormal": {"sigma": real(0.5, above=0, most=3)},
    "discrete.DiscreteGaussian": {"sigma": RATIONAL, "location": EXACT_NUMBER, "grid": RATIONAL},
    "discrete.DiscreteLaplace": {"scale": RATIONAL, "location": EXACT_NUMBER, "grid": RATIONAL},
    "distributions.Finite": {
        "outcomes": sequence((0, 1)) | one("ab", str),
        "log_probabilities": array(np.log([0.5, 0.5]), most=0, ndim=1),
    },
    "distributions.Product": {
        "factors": sequence((COIN, COIN), lambda entry: isinstance(entry, Distribution))
    },
    "distributions.enumerate_law": {"law": FINITE},
    "divergences.hockey_stick": {"epsilon": real(0.5)},
    "graphs.GraphQuery": {
        "answer": function(len),
        "edge": function(int),
        "node": function(int),
    },
    "graphs.project": {"degree": whole(1)},
    "guarantees.ApproxDP": {"epsilon": real(0.5, least=0)},
    "guarantees.PureDP": {"epsilon": real(0.5, least=0)},
    "guarantees.RenyiDP": {"epsilon": real(0.5, least=0)},
    "inference.intervals.NoisyCount": {"noise": distribution(dplab.Laplace(0, 4))},
    "inference.intervals.bootstrap_interval": {
        "estimate": real(0.5),
        "estimates": ARRAY_1D,
        "alpha": real(0.05, above=0, below=1),
    },
    "inference.proportion_test.ProportionTest": {"alpha": real(0.05, above=0, below=1)},
    "inference.proportion_test.smooth_count": {"count": array([3, 1], whole=True)},
    "inference.regression.moments_mechanism": {
        "bound": real(1.0, least=1e-100, most=1e100),
        "rho": real(0.5, above=0),
    },
    "inference.regression.regress": {
        "moments": array([2.0, 1.0, 4.0], ndim=1),
        "n": whole(4, least=2),
    },
    "inference.synthetic_tables.synthetic_error": {
        "variance": real(1.0, least=0),
        "synthetic_people": whole(3, least=1),
        "n": whole(40, least=1),
    },
    "interaction.Curator": {"budget": one(Budget(PureDP(1.0)), Budget)},
    "learning.adaptive_analyst.vote_of_agreeing": {"holdout": HOLDOUT},
    "learning.adaptive_analyst.adaptive_analysis": {
        "holdout": HOLDOUT,
        "sizes": array([1], least=1, most=1, ndim=1, whole=True),
    },
    "learning.adaptive_analyst.make_records": {
        "variables": whole(2, least=1),
        "telling": whole(0, most=2),
        "agreement": probability(0.56),
    },
    "learning.gradient_descent.clipped_sum": {
        "x": array([[0.5, 1.0], [0.25, 0.5]], ndim=2),
        "slopes": array([0.5, 1.0], ndim=1),
    },
    "learning.correlated_noise.CorrelatedNoise": {
        "bands": whole(2, least=1),
        "sigma": real(1.0, above=0),
    },
    "learning.correlated_noise.training_sensitivity": {
        "batches": whole(2, least=1),
        "epochs": whole(2, least=1),
        "bands": whole(2, least=1),
    },
    "learning.correlated_noise.BandedTraining": {
        "batches": whole(2, least=1),
        "epochs": whole(2, least=1),
        "bands": whole(2, least=1),
        "delta": real(1e-6, above=0, below=1),
    },
    "learning.gradient_descent.NoisyGradientDescent": {"delta": real(1e-6, above=0, below=1)},
    "learning.holdout.share": {
        "query": function(lambda records: np.zeros(len(records))),
        "records": ROWS_OF_DATA,
    },
    "learning.holdout.Thresholdout": {"training": ROWS_OF_DATA},
    "learning.holdout.OrdinaryHoldout": {"records": ROWS_OF_DATA},
    "learning.holdout.agrees": {"variable": whole(1)},
    "learning.mistakes.first_consistent": LEARNER,
    "learning.mistakes.halving": LEARNER,
    "learning.mistakes.standard_optimal": LEARNER,
    "learning.networks.Network": {"units": whole(2, least=1)},
    "learning.objective_perturbation.ObjectivePerturbation": {"risk": one(RISK)},
    "learning.pac.draw_sample": {"rule": RULE},
    "learning.private_training.PoissonTraining": {"delta": real(1e-6, above=0, below=1)},
    "learning.risk.Objective": {
        "value": function(np.abs),
        "slope": function(np.abs),
        "curvature": function(np.abs),
        "labels": array((-1.0, 1.0), ndim=1) | NONE,
    },
    "contributions.bike_rides": {"riders": whole(3, least=1)},
    "contributions.rank_rows": {"owners": anything(["Ada", "Bo", "Ada"])},
    "contributions.choose_rows": {
        "owners": anything(["Ada", "Bo", "Ada"]),
        "bound": whole(1),
    },
    "contributions.bounding_query": {
        "table": TEXT.like("rides"),
        "unit": TEXT.like("rider") | sequence(["rider"], lambda entry: isinstance(entry, str)),
        "bound": whole(1),
        "dialect": choice("sqlite", "duckdb", "postgres"),
    },
    "contributions.bound_error": {"rows": array([3, 1], least=0), "bound": whole(1)},
    "contributions.best_bound": {"rows": array([3, 1], least=0, whole=True)},
    "deployments.rappor_epsilon": {
        "f": probability(0.5),
        "p": probability(0.5),
        "q": probability(0.75),
        "hashes": whole(2, least=1),
    },
    "deployments.find_deployment": {"word": one("Wikimedia", str)},
    "learning.risk.clip_rows": {"rows": array(ROWS, ndim=2)},
    "learning.risk.RegularizedRisk": {"regularizer": real(0.5, above=0)},
    "learning.stability.StableLearner": {
        "learner": function(len),
        "parts": whole(2, least=1),
        "epsilon": RATIONAL,
        "delta": real(1e-6, above=0, below=1),
    },
    "learning.teachers.TeacherLabels": {
        "learner": function(lambda part: lambda points: [0] * len(points)),
        "points": array([[0.25], [0.5]]),
        "parts": whole(2, least=1),
        "classes": whole(3, least=2, most=10**8),
        "sigma": real(1.0, above=0),
    },
    "learning.stability.rule_law": {
        "learner": function(lambda sample: len(sample)),
        "n": whole(2, least=1),
    },
    "losses.atoms.BinomialLoss": {
        "losses": array((-0.5, 0.5), ndim=1),
        "p": array((0.25, 0.75), ndim=1),
        "q": array((0.75, 0.25), ndim=1),
    },
    "losses.gaussian.GaussianLoss": {"mu": real(1.0, least=0)},
    "losses.laplace.LaplaceLoss": {"shift": real(1.0, least=0)},
    "losses.total.total_loss": {
        "losses": sequence([GAUSS], lambda entry: isinstance(entry, PrivacyLoss), empty=True)
    },
    "mechanisms.catastrophe.OrEverything": {"mechanism": EXACT},
    "mechanisms.catastrophe.RandomRows": {"k": whole(2, most=4)},
    "mechanisms.catastrophe.Everything": {
        "data": sequence((0, 1), lambda entry: True, empty=True) | TEXT
    },
    "local.frequency_oracles.HadamardResponse": {"k": whole(3, least=2)},
    "local.frequency_oracles.UnaryEncoding": {"k": whole(3, least=2), "symmetric": FLAG},
    "local.hashing.LocalHashing": {"k": whole(3, least=2), "g": choice(3, 7) | NONE},
    "local.heavy_hitters.heavy_hitters": {
        "oracles": sequence([HadamardResponse(1, 4)], lambda entry: is_oracle(entry)),
        "answers": sequence([[0, 1]], lambda entry: np.ndim(entry) == 1),
        "step": whole(2, least=2, most=2),
        "keep": whole(2, least=1, most=2**16),
    },
    "local.memoised_response.MemoisedResponse": {
        "f": real(0.5, above=0, below=1),
        "p": real(0.5, above=0, below=1),
        "q": real(0.75, above=0, below=1),
        "hashes": whole(1, least=1),
    },
    "local.one_bit_means.OneBitMean": {"low": real(0.0), "high": real(1.0)},
    "local.shuffling.clones_delta": CLONES,
    "local.shuffling.clones_epsilon": CLONES,
    "local.shuffling.shuffled_laws": {"ones": whole(2), "zeros": whole(2)},
    "local.shuffling.shuffled_loss": {"ones": whole(2), "zeros": whole(2)},
    "mechanisms.discrete.GeometricMechanism": {
        "sensitivity": RATIONAL,
        "epsilon": RATIONAL,
        "grid": RATIONAL,
    },
    "mechanisms.discrete.DiscreteGaussianMechanism": {
        "sensitivity": RATIONAL,
        "sigma": RATIONAL,
        "grid": RATIONAL,
    },
    "mechanisms.discrete.ClampedMechanism": {
        "mechanism": one(COUNT, LatticeMechanism),
        "lower": EXACT_NUMBER,
        "upper": EXACT_NUMBER.like(4),
    },
    "mechanisms.gap_selection.GapSelection": {
        "top": whole(1, least=1, most=2),
        "delta": real(1e-6, above=0, below=1),
    },
    "mechanisms.gaussian.analytic_sigma": {"epsilon": real(0.5, least=0)},
    "theorems.l1_against_l2.crossover": {"epsilon": real(0.5, least=0)},
    "mechanisms.gaussian.GaussianMechanism": {
        "epsilon": real(0.5, least=0) | NONE,
        "sigma": real(3.0, above=0),
    },
    "mechanisms.histogram.StabilityHistogram": {"epsilon": RATIONAL},
    "mechanisms.histogram.histogram": {
        "bins": sequence((0, 1)) | one("ab", str),
        "epsilon": RATIONAL,
    },
    "mechanisms.laplace.ClippedMean": {"lower": real(0.0), "upper": real(1.0)},
    "mechanisms.noisy_max.ReportNoisyMax": {"noise": choice("laplace", "exponential", "gumbel")},
    "mechanisms.partition_selection.PartitionSelection": {
        "delta": real(1e-6, above=0, below=1),
        "bound": whole(1, least=1),
    },
    "mechanisms.pricing.revenue": {
        "bids": array([0.25, 0.5], kinds="biuf", empty=True),
        "prices": NUMBERS,
    },
    "mechanisms.pricing.pricing": {"prices": array([0.5, 1.0], least=0, ndim=1)},
    "mechanisms.quantiles.PrivateQuantile": {"q": probability(0.5)},
    "mechanisms.inverse_sensitivity.inverse_sensitivity": {"n": whole(3, least=1, most=1000)},
    "mechanisms.inverse_sensitivity.inverse_median": {"candidates": array([0.0, 1.0], ndim=1)},
    "mechanisms.inverse_sensitivity.median_changes": {"candidates": array([0.0, 1.0], ndim=1)},
    "mechanisms.propose_test_release.OrNothing": {
        "law": distribution(COIN),
        "log_chance": real(-1.0, most=0),
    },
    "mechanisms.propose_test_release.ProposeTestRelease": {
        "release": EXACT,
        "distance": function(len),
        "test_epsilon": real(0.5, above=0),
        "delta": real(1e-6, above=0, below=0.5),
    },
    "mechanisms.propose_test_release.propose_test_release": {
        "query": MEDIAN_QUERY,
        "bound": real(0.5, above=0),
        "delta": real(1e-6, above=0, below=0.5),
    },
    "mechanisms.sample_and_aggregate.split_evenly": {"parts": whole(2, least=1)},
    "mechanisms.sample_and_aggregate.SampleAndAggregate": {
        "estimator": function(len),
        "parts": whole(2, least=1),
        "mechanism": EXACT,
    },
    "mechanisms.smooth_sensitivity.cauchy_epsilon": {
        "x": real(0.0),
        "y": real(1.0),
        "scale_x": real(1.0, above=0),
        "scale_y": real(2.0, above=0),
    },
    "mechanisms.smooth_sensitivity.CauchyMechanism": SMOOTH,
    "mechanisms.smooth_sensitivity.StudentMechanism": SMOOTH
    | {"degrees": real(3.0, least=1, most=1e6)},
    "mechanisms.smooth_sensitivity.SmoothLaplaceMechanism": SMOOTH
    | {"delta": real(1e-6, above=0, below=1)},
    "mechanisms.smooth_sensitivity.LogNormalMechanism": SMOOTH
    | {"sigma": real(0.5, above=0, most=3)},
    "mechanisms.randomized_response.CoinSurvey": {"yes": probability(1.0)},
    "mechanisms.sparse_vector.AboveThreshold": {"queries": function(np.asarray)},
    "mechanisms.sparse_vector.Comparisons": {"mechanism": THRESHOLD},
    "mechanisms.sparse_vector.AboveThresholdStream": {"mechanism": THRESHOLD},
    "mechanisms.sparse_vector.PaidWhenAbove": {"stretch": THRESHOLD},
    "moments.absolute_moment": {"k": real(2.0, least=1)},
    "neighbors.pairs": {"n": whole(2, least=1)},
    "neighbors.sensitivity": {
        "norm": Domain(1, lambda value: value in (1, 2, np.inf)),
        "query": function(len),
        "n": whole(2, least=1),
    },
    "neighbors.half_range": {"scores": function(len), "n": whole(2, least=1)},
    "piecewise_constant.PiecewiseConstant": {
        "edges": array(np.array([0.0, 0.5, 1.0]), ndim=1),
        "log_heights": array(np.array([0.0, 0.0]), ndim=1),
    },
    "queries.factorization.Factorization": {
        "recovery": array(np.eye(2), ndim=2),
        "strategy": array(np.eye(2), ndim=2),
    },
    "queries.factorization.FactorizationMechanism": {
        "factorization": one(queries.Factorization(np.eye(2), np.eye(2)))
    },
    "queries.families.IntervalQueries": {
        "starts": array([0, 1], ndim=1, whole=True, least=0, most=4),
        "stops": array([2, 3], ndim=1, whole=True, least=0, most=4),
    },
    "queries.families.ConjunctionQueries": {
        "attributes": array(PAIRS % 2, least=0, most=1, ndim=2, kinds="biuf")
    },
    "queries.families.HadamardQueries": {"n": whole(4, least=1)},
    "queries.families.MarginalQueries": {"k": whole(1, least=0)},
    "queries.online.OnlineWeights": {"curator": one(curator((1, 1, 2)), Curator)},
    "queries.projection.nearest_table": {"queries": MATRIX},
    "queries.random_projection.RandomProjectionMechanism": {
        "projection": array(None, ndim=2) | NONE
    },
    "queries.rare_jumps.RareJumpNoise": {
        "directions": array(np.eye(3), ndim=2),
        "slope": real(1.0, above=0),
    },
    "queries.small_database.small_database": ZERO_ONE,
    "queries.optimal_factors.optimal_factors": {
        "workload": array(QUERIES, ndim=2),
        "error": choice("largest", "mean"),
        "gap": real(0.1, above=0),
    },
    "queries.optimal_factors.error_bound": {
        "workload": array(np.eye(2), ndim=2),
        "row_weights": array([1.0, 2.0], ndim=1, least=0),
        "column_weights": array([1.0, 2.0], ndim=1, least=0),
    },
    "queries.optimal_factors.causal_factors": {
        "factorization": one(queries.square_root_factorization(2))
    },
    "queries.running_counts.banded_factorization": {"bands": whole(2, least=1)},
    "queries.running_sums.step_noise": {"factorization": one(queries.square_root_factorization(2))},
    "queries.running_sums.stream_loss": {
        "factorization": one(queries.square_root_factorization(2)),
        "sigma": real(1.0, above=0),
    },
    "queries.running_sums.noisy_running_sums": {
        "steps": sequence([0.5, 1], is_number, empty=True),
        "factorization": one(queries.square_root_factorization(2)),
        "sigma": real(1.0, above=0),
        "rng": one(np.random.default_rng(1), np.random.Generator),
    },
    "queries.factorization.answers_from": {"workload": array(QUERIES, ndim=2)},
    "queries.factorization.strategy_deviations": {"workload": array(QUERIES, ndim=2)},
    "queries.factorization.table_sensitivity": {
        "queries": array(QUERIES, ndim=2),
        "norm": choice(1, 2),
    },
    "queries.tree.tree_mechanism": {"epsilon": RATIONAL},
    "queries.tree.tree_thresholds": {"nodes": array(np.arange(7.0), ndim=1)},
    "queries.tree.continual_counts": {
        "steps": sequence([0, 1], lambda entry: entry in (0, 1), empty=True),
        "rng": one(np.random.default_rng(1), np.random.Generator),
        "epsilon": RATIONAL,
    },
    "queries.weights.multiplicative_weights_update": {
        "table": array([1.0, 2, 1], least=0, ndim=1),
        "query": array([0.0, 1, 1], ndim=1),
        "answer": real(2.0),
    },
    "release_service.ReleaseService": {
        "people": array(ROWS_OF_PEOPLE),
        "budget": one(Budget(PureDP(1.0)), Budget),
        "bugs": sequence((), empty=True),
    },
    "release_service.Total": {"column": whole(0), "in_floats": FLAG},
    "release_service.SameNoise": {"mechanism": one(COUNT, Mechanism), "seed": whole(7)},
    "release_service.AsWideAsTheData": {"total": one(Total(0, 0.0, 1.0, 0.5, False))},
    "release_service.Unsplit": {"mechanism": one(COUNT)},
    "sampling.bernoulli.bernoulli_exp": {"x": EXACT_NUMBER.like(1), "size": SIZE},
    "sampling.gaussian.discrete_gaussian": {"size": SIZE, "sigma": RATIONAL},
    "sampling.laplace.discrete_laplace": {"size": SIZE, "scale": RATIONAL},
    "sampling.inversion.Inversion": {"weights": function(int), "decode": function(int)},
    "synthesis.bernstein.bernstein_mechanism": {"function": function(lambda data, t: t)},
    "synthesis.bernstein.bernstein_polynomial": {"t": array([0.25, 0.5], least=0, most=1)},
    "synthesis.columns.Columns": {
        "categories": one({"sex": ["F", "M"]}, Mapping),
        "bins": one({"age": (0.0, 50.0, 100.0)}, Mapping),
    },
    "synthesis.datasets.ks_distance": {"z": DATA, "x": DATA},
    "synthesis.datasets.ExponentialOverDatasets": {
        "grid": array((0.0, 0.5, 1.0), ndim=1),
        "k": whole(2, least=1),
    },
    "synthesis.density.histogram_density": {
        "counts": array([1, 2], ndim=1),
        "edges": array([0.0, 0.5, 1.0], ndim=1),
    },
    "synthesis.kernel.KernelDensity": {
        "points": array((0.25, 0.75)),
        "sigma": real(1.0, above=0),
    },
    "synthesis.series.series_curve": {
        "coefficients": ARRAY_1D,
        "x": array([0.25, 0.5]),
    },
    "synthesis.top_down.TopDown": {
        "shape": array((1, 2, 2), least=1, ndim=1, whole=True),
        "rhos": array((0.5, 0.5, 0.5), least=0, ndim=1),
    },
    "theorems.adaptive_gain.adaptive_gain": {"k": array([1, 3], least=1, whole=True)},
    "theorems.adaptive_streams.adaptive_losses": {
        "strategy": array(np.eye(2), ndim=2),
        "differs": function(lambda seen, t: np.ones(len(seen), bool)),
        "sigma": real(1.0, above=0),
        "runs": whole(3, least=1),
    },
    "theorems.adaptive_streams.silent_step_delta": {"n": whole(4, least=2), "adaptive": FLAG},
    "theorems.amplification.amplify": {"r": distribution(POPULATION)},
    "theorems.bit_guessing.best_reconstruction": {"mechanism": EXACT, "n": whole(2, least=1)},
    "theorems.bounded_range.extremal_pair": {"largest": real(0.25, least=0, most=0.5)},
    "theorems.catastrophes.exposure": {
        "mechanism": EXACT,
        "data": sequence((0, 1)),
        "other": anything(1),
    },
    "theorems.catastrophes.chance_of_naming": {
        "n": array(3, least=0),
        "delta": array(0.25, least=0, most=1),
    },
    "theorems.composition.transcript_losses": {
        "interaction": one(Interaction.of([RESPONSE])),
        "x": anything((0, 1)),
        "y": anything((1, 1)),
    },
    "theorems.concentrated.renyi_line": {"loss": one(GAUSS, PrivacyLoss)},
    "theorems.discrepancy.partial_discrepancy": ZERO_ONE,
    "theorems.discrepancy.least_private_error": {**ZERO_ONE, "failure": probability(0.0)},
    "theorems.exponential_coin.exponential_coin": {"gamma": RATIONAL_TO_1},
    "theorems.exponential_coin.toss": {"gamma": RATIONAL_TO_1},
    "theorems.gaussian_range.SigmaFormula": {"factor": real(1.0), "top": real(1.0)},
    "theorems.generalization.generalization_bound": {"promise": PROMISE.like(PureDP(0.5))},
    "theorems.generalization.generalization": {
        "mechanism": EXACT,
        "population": FINITE.like(POPULATION),
        "n": whole(2, least=1),
    },
    "theorems.groups.chain": {
        "mechanism": EXACT,
        "datasets": sequence([(0, 0), (0, 1)], lambda entry: isinstance(entry, tuple)),
    },
    "theorems.groups.FamilyAlarm": {"epsilon": real(0.1, above=0), "first": real(0.0, least=0)},
    "theorems.gumbel_trick.gumbel_trick": {"log_weights": NUMBERS},
    "theorems.histogram_risk.histogram_risk": {
        "cdf": function(lambda x: x),
        "ms": array([1, 2], least=1, ndim=1, whole=True),
    },
    "theorems.interval_length.least_counts": {"alpha": real(0.05, above=0, below=1)},
    "theorems.interval_length.geometric_counts": {"alpha": real(0.05, above=0, below=1)},
    "theorems.l1_against_l2.norms": {"v": NUMBERS},
    "theorems.l1_against_l2.noise": {"moved": whole(3, least=1)},
    "theorems.loss_tails.MomentBound": {
        "moment": real_or_inf(1.0),
        "k": real(2.0, least=1),
    },
    "theorems.loss_tails.VarianceBound": {
        "mean": real_or_inf(0.0),
        "variance": real_or_inf(1.0, least=0),
    },
    "theorems.loss_tails.SubgaussianBound": {"rho": real_or_inf(0.5, least=0)},
    "queries.linear.LinearQueries": {"m": whole(3)},
    "queries.linear.SubsetQueries": {
        "packed": Domain(np.array([[1, 2, 3]], np.uint8), lambda value: False),
        "n": whole(7, least=1, most=8),
    },
    "theorems.loss_tails.loss_tails": {"k": real(4.0, least=1)},
    "theorems.loss_tails.RenyiBound": {"divergence": real_or_inf(1.0)},
    "theorems.loss_walk.loss_walk": {"loss": ATOMS},
    "theorems.no_powerful_test.roc": {"points": whole(5, least=2)},
    "theorems.nonnegative_counts.clamped_bias": {
        "counts": array([0, 3], least=0, whole=True),
        "noise": distribution(dplab.Laplace(0, 4)),
    },
    "theorems.permute_and_flip.compare": {"scores": ARRAY_1D, "rate": real(1.0, above=0)},
    "theorems.pointwise_delta.excess": {"epsilon": real(0.5, least=0)},
    "theorems.pointwise_delta.with_serial_number": {"law": FINITE},
    "theorems.post_processing.StochasticMatrix": {
        "inputs": sequence((0, 1)) | one("ab", str),
        "outputs": sequence((0, 1)) | one("ab", str),
        "matrix": array(np.eye(2), least=0, most=1, ndim=2),
    },
    "theorems.post_processing.PostProcessing": {
        "p": FINITE,
        "q": FINITE,
        "channel": one(StochasticMatrix((0, 1), (0, 1), np.eye(2))),
    },
    "theorems.posterior.beliefs": {
        "mechanism": EXACT,
        "prior": FINITE.like(Finite.of({(0, 0): 0.5, (1, 1): 0.5})),
        "person": whole(1, most=1),
        "default": anything(0),
    },
    "theorems.posterior.Confidant": {"epsilon": real(0.5, above=0)},
    "theorems.private_pac.failure_rate": {"alpha": real(0.1, above=0, most=1)},
    "theorems.private_pac.examples_enough": {
        "hypotheses": whole(5, least=1),
        "alpha": real(0.1, above=0, most=1),
    },
    "theorems.private_pac.two_point_success": {"n": whole(4)},
    "theorems.private_pac.fewest_examples": {"success": real(0.75, above=0, below=1)},
    "theorems.private_pac.private_learning": {
        "target": RULE,
        "alpha": real(0.1, above=0, most=1),
    },
    "theorems.private_risk.excess_risk": {
        "radius": real(1.0, above=0),
        "steps": whole(2, least=1) | NONE,
    },
    "theorems.pure_is_concentrated.pure_is_concentrated": {"loss": ATOMS},
    "theorems.pure_is_pointwise.all_events": {"p": FINITE, "q": FINITE.like(POPULATION)},
    "theorems.query_release.query_release_rates": {"k": whole(4, least=1)},
    "theorems.ramsey.two_steps_on": {"q": probability(0.5)},
    "theorems.ramsey.normality": {"hits": array([[0, 0], [0.5, 0.0]], least=0, most=1, ndim=2)},
    "theorems.ramsey.gap_law": {
        "positions": array([0, 2], least=0, most=5, ndim=1, whole=True),
        "labels": array([0, 1], least=0, most=1, ndim=1, kinds="biuf"),
    },
    "theorems.ramsey.middle_gap": {"domain": whole(5, least=1)},
    "theorems.ramsey.colourings_without_triangle": {"n": whole(3, least=1)},
    "theorems.reconstruction_law.collapsed_share": {"c": array(0.5, least=0)},
    "theorems.reconstruction_law.contrary_share": {"c": array(0.5, least=0)},
    "theorems.reconstruction_law.noise_gain": {"queries": array(QUERIES, ndim=2)},
    "theorems.reconstruction_law.reconstruction_law": {
        "queries": array(QUERIES, ndim=2),
        "sigmas": array([0.5, 1.0], least=0, ndim=1),
    },
    "theorems.representation_dimension.representation_failure": {
        "target": whole(1, most=2),
        "rules": whole(2, least=1),
    },
    "theorems.utility_tail.utility_tail": {
        "mechanism": one(dplab.ExponentialMechanism("ab", lambda data: (1, 0), 1, 0.5)),
        "t": array([0.5, 1.0], least=0),
    },
}
