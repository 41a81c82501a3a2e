"""Functions that make mechanisms: they pass the neighbours on, and keep to the number of records.

Nothing here is random.
"""

import inspect

import numpy as np
import pytest

import dplab
from dplab import ADD_REMOVE, REPLACE_ONE, queries, synthesis
from dplab.interaction import draw_privately
from dplab.mechanism import Mechanism
from dplab.queries.linear import table_of
from tests.dplab.test_secret_data import HALVES, OTHER_PARTS, public

MAKERS = {  # public name: a function of the neighbours alone
    "DiscreteGaussianMechanism.for_zcdp": lambda relation: dplab.DiscreteGaussianMechanism.for_zcdp(
        sum, sensitivity=1, rho=0.5, neighbors=relation
    ),
    "GaussianMechanism.for_epsilon": lambda relation: dplab.GaussianMechanism.for_epsilon(
        sum, sensitivity=1, epsilon=0.5, delta=1e-6, neighbors=relation
    ),
    "GaussianMechanism.for_zcdp": lambda relation: dplab.GaussianMechanism.for_zcdp(
        sum, sensitivity=1, rho=0.5, neighbors=relation
    ),
    "bernstein_mechanism": lambda relation: synthesis.bernstein_mechanism(
        lambda data, t: t * sum(data), 1, 3, epsilon=0.5, neighbors=relation
    ),
    "histogram": lambda relation: dplab.histogram((0, 1), epsilon=0.5, neighbors=relation),
    "pricing": lambda relation: dplab.pricing([1.0, 2.0], epsilon=0.5, neighbors=relation),
    "strategy_mechanism": lambda relation: queries.strategy_mechanism(
        HALVES, epsilon=0.5, neighbors=relation
    ),
    "tree_mechanism": lambda relation: queries.tree_mechanism(3, epsilon=0.5, neighbors=relation),
}
HAVE_OWN_TESTS = {"sampled", "from_opendp"}  # they fit only some relations


def has_neighbors(function):
    return "neighbors" in inspect.signature(function).parameters


def test_every_maker_that_takes_neighbors_is_here():
    found = {
        name
        for name, function in public(inspect.isfunction, *OTHER_PARTS)
        if str(inspect.signature(function).return_annotation).endswith("Mechanism")
        and has_neighbors(function)
    }
    for name, kind in public(inspect.isclass, *OTHER_PARTS):
        if issubclass(kind, Mechanism):
            methods = inspect.getmembers_static(kind, lambda value: isinstance(value, classmethod))
            found |= {f"{name}.{key}" for key, value in methods if has_neighbors(value.__func__)}
    assert found - HAVE_OWN_TESTS == set(MAKERS)


@pytest.mark.parametrize("relation", [ADD_REMOVE, REPLACE_ONE])
@pytest.mark.parametrize("name", MAKERS)
def test_a_mechanism_promises_for_the_given_neighbors(name, relation):
    assert MAKERS[name](relation).neighbors == relation


@pytest.mark.parametrize(
    "mechanism",
    [
        queries.small_database(HALVES, 4, 2, epsilon=0.5),
        queries.MWEM(HALVES, 4, 2, dplab.PureDP(0.5)),
        queries.RandomProjectionMechanism(HALVES, 4, 0.5),
        synthesis.TopDown((1, 1, 3), 4, (0.5, 0.5, 0.5)),
        synthesis.series_mechanism(2, 4, epsilon=0.5),
        dplab.ClippedMean(0, 1, 4, 0.5),
    ],
)
def test_data_have_the_public_number_of_records(mechanism):
    """With more records or fewer, each would move the answer by more than the noise hides."""
    rng = np.random.default_rng()
    mechanism([0, 1, 1, 0], rng)
    for n in (0, 3, 5, 8):
        with pytest.raises(ValueError, match="data must"):
            mechanism([1] * n, rng)
        if n:
            with pytest.raises(RuntimeError, match="failed on the data"):
                draw_privately(mechanism, lambda n=n: mechanism([1] * n, rng))


def test_a_cell_holds_any_number_of_records():
    """Counts that a byte or two bytes can't hold: a cut at 255 would be exact for most tables."""
    for count in (255, 256, 257, 65_536, 70_001):
        assert table_of(np.repeat([0, 2], [count, 3]), 4).tolist() == [count, 0, 3, 0]
