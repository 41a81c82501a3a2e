"""Private learning: algorithms that see the data only through noisy answers."""

from dplab.deprecated import old_names
from dplab.learning.adaptive_analyst import (
    Vote,
    adaptive_analysis,
    make_records,
    vote_of_agreeing,
)
from dplab.learning.correlated_noise import BandedTraining, CorrelatedNoise, training_sensitivity
from dplab.learning.gradient_descent import NoisyGradientDescent, clipped_sum
from dplab.learning.holdout import OrdinaryHoldout, Thresholdout, agrees, share
from dplab.learning.littlestone import MistakeGame, littlestone_dimension, threshold_dimension
from dplab.learning.mistakes import (
    first_consistent,
    halving,
    most_mistakes,
    play,
    standard_optimal,
)
from dplab.learning.networks import LinearModel, Model, Network
from dplab.learning.objective_perturbation import ObjectivePerturbation
from dplab.learning.pac import (
    cover,
    draw_sample,
    errors,
    intervals,
    private_learner,
    single_points,
    smallest_positive,
    thresholds,
)
from dplab.learning.private_training import PoissonTraining
from dplab.learning.risk import LOG_COSH, LOGISTIC, SQUARED, Objective, RegularizedRisk, clip_rows
from dplab.learning.stability import StableLearner, optimal_rule, rule_law, stable_error
from dplab.learning.teachers import TeacherLabels

__all__ = [
    "LOGISTIC",
    "LOG_COSH",
    "SQUARED",
    "BandedTraining",
    "CorrelatedNoise",
    "LinearModel",
    "MistakeGame",
    "Model",
    "Network",
    "NoisyGradientDescent",
    "Objective",
    "ObjectivePerturbation",
    "OrdinaryHoldout",
    "PoissonTraining",
    "RegularizedRisk",
    "StableLearner",
    "TeacherLabels",
    "Thresholdout",
    "Vote",
    "adaptive_analysis",
    "agrees",
    "clip_rows",
    "clipped_sum",
    "cover",
    "draw_sample",
    "errors",
    "first_consistent",
    "halving",
    "intervals",
    "littlestone_dimension",
    "make_records",
    "most_mistakes",
    "optimal_rule",
    "play",
    "private_learner",
    "rule_law",
    "share",
    "single_points",
    "smallest_positive",
    "stable_error",
    "standard_optimal",
    "threshold_dimension",
    "thresholds",
    "training_sensitivity",
    "vote_of_agreeing",
]

__getattr__ = old_names(__name__, Loss="Objective")
