import numpy as np
import pytest

from dplab.local.frequency_oracles import HadamardResponse
from dplab.local.hashing import LocalHashing
from dplab.local.heavy_hitters import heavy_hitters


def ask(values, oracles, bits, step, rng):
    """Split people into groups in turn, and return each group's answers about its prefixes."""
    levels = len(oracles)
    return [
        oracle(values[level::levels] >> (bits - step * (level + 1)), rng)
        for level, oracle in enumerate(oracles)
    ]


@pytest.mark.parametrize("kind", [LocalHashing, HadamardResponse])
def test_frequent_values_are_found_among_millions(kind):
    """4,000 people in a group at epsilon 6: an estimate's deviation is below 0.016 (Hadamard), and
    a share of 0.25 or more is 15 of them above 0."""
    rng, levels, step = np.random.default_rng(), 6, 4
    oracles = [kind(6.0, 1 << step * (level + 1)) for level in range(levels)]
    heavy = np.array([0xABCDEF, 0x123456, 0x000000])
    people = np.repeat(heavy, [12_000, 6_000, 6_000])
    answers = ask(rng.permutation(people), oracles, 24, step, rng)
    found = heavy_hitters(oracles, answers, step=step, keep=4)
    assert set(heavy) <= set(found)
    assert next(iter(found)) == 0xABCDEF
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert abs(found[0xABCDEF] - 0.5) < 0.15


def test_a_prefix_that_is_not_kept_is_not_looked_up():
    """Without noise to speak of: the first half of the bits decides."""
    oracles = [HadamardResponse(30.0, 4), HadamardResponse(30.0, 16)]
    answers = [oracles[0](np.full(500, 2), np.random.default_rng(1)), np.full(500, 0)]
    found = heavy_hitters(oracles, answers, step=2, keep=1)
    assert set(found) <= {8, 9, 10, 11}
    assert len(heavy_hitters(oracles[:1], answers[:1], step=2, keep=99)) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"oracles": []}, "oracles must not be empty"),
        ({"oracles": [HadamardResponse(1, 8)]}, r"oracles must be about 2\^step, .*, not \[8\]"),
        ({"answers": []}, "answers must not be empty"),
        ({"answers": [[0], [0]]}, "answers must be of 1 groups, not 2"),
        ({"step": 0}, "step must be a whole number"),
        ({"keep": 0}, "keep must be a whole number"),
    ],
)
def test_bad_arguments_are_named(change, message):
    right = {"oracles": [HadamardResponse(1, 4)], "answers": [[0, 1]], "step": 2, "keep": 1}
    with pytest.raises(ValueError, match=message):
        heavy_hitters(**{**right, **change})
