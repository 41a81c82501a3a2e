"""Random laws for property tests."""

import numpy as np
from hypothesis import strategies as st

from dplab.distributions import Finite

weights = st.floats(min_value=0.01, max_value=1.0)


@st.composite
def finite_laws(draw, size=4):
    """A law on range(size) with positive probabilities."""
    values = np.array(draw(st.lists(weights, min_size=size, max_size=size)))
    return Finite(tuple(range(size)), np.log(values / values.sum()))


@st.composite
def pairs_of_laws(draw, size=4):
    return draw(finite_laws(size)), draw(finite_laws(size))


epsilons = st.floats(min_value=0.01, max_value=5.0)
