"""Many linear queries at once, as one value: `queries @ x` are their answers.

A query gives a weight to each person, or to each cell of a table. Its answer is the weighted sum:
how many of these people have the bit? A matrix of shape (m, n) with a row for each query is such a
value. A family that is too large to be stored defines only how to multiply (`linear`). A
`scipy.sparse.linalg.LinearOperator` is such a value, too. Attacks ask these queries, and mechanisms
such as `tree` answer them.
"""

from dplab.queries.factorization import (
    Factorization,
    FactorizationMechanism,
    answers_from,
    strategy_deviations,
    strategy_mechanism,
    table_sensitivity,
)
from dplab.queries.families import (
    ConjunctionQueries,
    HadamardQueries,
    IntervalQueries,
    MarginalQueries,
)
from dplab.queries.linear import LinearQueries, SubsetQueries, random_queries
from dplab.queries.online import OnlineWeights
from dplab.queries.optimal_factors import (
    OptimalFactors,
    causal_factors,
    error_bound,
    optimal_factors,
)
from dplab.queries.projection import nearest_table
from dplab.queries.random_projection import RandomProjectionMechanism, random_projection
from dplab.queries.rare_jumps import RareJumpNoise
from dplab.queries.running_counts import (
    banded_factorization,
    square_root_coefficients,
    square_root_factorization,
    tree_factorization,
)
from dplab.queries.running_sums import noisy_running_sums, step_noise, stream_loss
from dplab.queries.small_database import small_database
from dplab.queries.tree import continual_counts, tree_mechanism, tree_thresholds
from dplab.queries.weights import MWEM, multiplicative_weights_update

__all__ = [
    "MWEM",
    "ConjunctionQueries",
    "Factorization",
    "FactorizationMechanism",
    "HadamardQueries",
    "IntervalQueries",
    "LinearQueries",
    "MarginalQueries",
    "OnlineWeights",
    "OptimalFactors",
    "RandomProjectionMechanism",
    "RareJumpNoise",
    "SubsetQueries",
    "answers_from",
    "banded_factorization",
    "causal_factors",
    "continual_counts",
    "error_bound",
    "multiplicative_weights_update",
    "nearest_table",
    "noisy_running_sums",
    "optimal_factors",
    "random_projection",
    "random_queries",
    "small_database",
    "square_root_coefficients",
    "square_root_factorization",
    "step_noise",
    "strategy_deviations",
    "strategy_mechanism",
    "stream_loss",
    "table_sensitivity",
    "tree_factorization",
    "tree_mechanism",
    "tree_thresholds",
]
