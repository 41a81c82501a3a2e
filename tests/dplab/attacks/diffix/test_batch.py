import dataclasses

import numpy as np
import pytest

from dplab.attacks.diffix import FRESH, GENERATIONS, LAYERED, NONE, STICKY, Batch, noise
from dplab.attacks.diffix.batch import OUTLIERS, THRESHOLD, TOP

PEOPLE = noise.seeds("salt", [str(i) for i in range(60)])


def batch(members, values, static=1, dynamic=1):
    m = len(members)
    return Batch(
        np.asarray(members, dtype=bool),
        PEOPLE[: len(values)],
        np.asarray(values, dtype=float),
        [f"question {j}" for j in range(m)],
        [tuple(f"static {j} {k}" for k in range(static)) for j in range(m)],
        [tuple(f"dynamic {k}" for k in range(dynamic)) for _ in range(m)],
    )


def random_members(m, n=60):
    return np.random.default_rng(8).random((m, n)) < 0.5


@pytest.mark.parametrize(("static", "dynamic"), [(1, 0), (0, 1), (2, 4)])
def test_k_layers_have_variance_k(static, dynamic):
    """The names are fixed. Rounding adds 1/12; 5,000 variances of a Gaussian miss by 0.13 less
    often than once in 10^9."""
    one = batch(random_members(5_000), np.ones(60), static, dynamic)
    errors = one.answers(LAYERED, "salt") - one.members @ one.values
    assert np.var(errors) / (static + dynamic + 1 / 12) == pytest.approx(1, abs=0.13)


def test_dynamic_layers_stay_with_the_set_and_static_ones_with_the_name():
    members = random_members(1)[[0, 0, 0]]
    same_set = batch(members, np.ones(60), static=0, dynamic=2)
    assert len(set(same_set.answers(LAYERED, "salt"))) == 1
    sets = noise.set_seeds(members, PEOPLE)
    assert len(set(batch(members, np.ones(60), static=1).layers("salt", sets))) == 3


@pytest.mark.parametrize(("size", "answered"), [(0, 0), (1, 0), (2, 0), (4, 0.5), (6, 1)])
def test_few_people_get_no_answer(size, answered):
    """The threshold is N(4, 1/2): below 2 or above 6 four deviations away."""
    rng, m = np.random.default_rng(4), 400
    members = np.array([rng.permutation(60) < size for _ in range(m)])
    given = ~np.isnan(batch(members, np.ones(60)).answers(LAYERED, "salt"))
    assert given.mean() == pytest.approx(answered, abs=0.16)
    if size < 2:
        assert not given.any()


def test_outliers_are_flattened_to_the_top_group_and_scale_follows():
    values = np.array([1e6, 50, 40, 30, 20, 10] + [1] * 54)
    one = batch(random_members(300) | (np.arange(60) < 6), values)
    sums, scale = one._flatten(noise.set_seeds(one.members, PEOPLE))
    assert (sums < 400).all()
    assert ((scale >= 10) & (scale <= 25)).all()


def test_one_or_two_outliers_are_flattened_to_a_top_group_of_one_to_three():
    """All six happen: each is missed in 400 sets with probability (5/6)^400 < 1e-31."""
    values = np.array([2.0**-k for k in range(60)])
    one = batch(random_members(400) | (np.arange(60) < 6), values)
    sums, _ = one._flatten(noise.set_seeds(one.members, PEOPLE))
    flattened = {
        (outliers, top): outliers * np.mean(values[outliers : outliers + top])
        for outliers in (1, 2)
        for top in (1, 2, 3)
    }
    excess = sums - one.members @ values
    expected = {k: added - values[: k[0]].sum() for k, added in flattened.items()}
    found = {k for k, each in expected.items() if np.isclose(excess, each).any()}
    assert found == set(flattened)
    assert all(any(np.isclose(x, each) for each in expected.values()) for x in excess)


def test_nobody_alone_is_answered_however_low_the_threshold():
    """A set whose seed is mixed to 64 bits of 0 has the lowest, which is below 0."""
    lowest = -int(noise._ODD) * THRESHOLD % 2**64
    assert noise.normals(np.uint64(lowest), THRESHOLD) < -8
    people = np.array([lowest, 1, lowest - 1], dtype=np.uint64)
    members = np.array([[1, 0, 0], [0, 1, 1]], dtype=bool)
    names = [("a",), ("b",)]
    asked = Batch(members, people, np.ones(3), ["a", "b"], names, names)
    assert np.isnan(asked.answers(LAYERED, "salt")).tolist() == [True, False]


def test_curators_have_the_noise_that_is_published():
    """One draw of variance 10, and layers of variance 1 from the fourth generation on."""
    assert [round(one.sigma**2, 9) for one in GENERATIONS] == [0, 10, 10, 1, 1, 1]


def test_each_purpose_has_numbers_of_its_own():
    assert len({THRESHOLD, OUTLIERS, TOP}) == 3


def test_without_outliers_nothing_is_flattened():
    one = batch(random_members(50), np.ones(60))
    sums, scale = one._flatten(noise.set_seeds(one.members, PEOPLE))
    assert (sums == one.members.sum(axis=1)).all()
    assert (scale == 1).all()


def test_noise_is_as_large_as_sigma_and_the_scale_say():
    one = batch(random_members(50), 100 * np.ones(60))
    layers = one.layers("salt", noise.set_seeds(one.members, PEOPLE))
    for sigma in (0.5, 1.0, 3.0):
        found = one.answers(dataclasses.replace(LAYERED, sigma=sigma), "salt")
        assert (found == np.round(one.members @ one.values + sigma * 100 * layers)).all()


def test_exact_and_fresh():
    one = batch(random_members(2000), np.ones(60))
    assert (one.answers(NONE, "salt") == one.members.sum(axis=1)).all()
    errors = one.answers(FRESH, "salt", np.random.default_rng(5)) - one.members.sum(axis=1)
    assert np.var(errors) == pytest.approx(10, rel=0.2)
    sticky = np.sqrt(10) * noise.normals(noise.seeds("salt", one.texts))
    assert (one.answers(STICKY, "salt") == np.round(one.members.sum(axis=1) + sticky)).all()
    assert FRESH.sigma == STICKY.sigma
    with pytest.raises(ValueError, match="rng must be a"):
        one.answers(FRESH, "salt")


def test_negative_contributions_are_an_error():
    with pytest.raises(ValueError, match="at least 0, not -1"):
        batch([[True]], [-1]).answers(LAYERED, "salt")
