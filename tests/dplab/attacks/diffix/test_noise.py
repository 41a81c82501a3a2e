import numpy as np
import pytest

from dplab.attacks.diffix import noise
from dplab.audit import goodness_of_fit
from dplab.continuous import Gaussian


def test_a_name_has_one_seed_and_another_salt_another():
    first, again, other = noise.seeds("salt", ["a", "a", "b"])
    assert first == again != other
    assert noise.seeds("pepper", ["a"])[0] != first


@pytest.mark.parametrize("purpose", [0, 1])
def test_numbers_of_names_are_standard_gaussians(purpose):
    """Fixed names, so no draw: the law fits as that of independent draws would."""
    seeds = noise.seeds("salt", [f"name {i}" for i in range(20_000)])
    assert goodness_of_fit(noise.normals(seeds, purpose), Gaussian(0, 1), failure=1e-9).passed


def test_numbers_for_two_purposes_are_uncorrelated():
    seeds = noise.seeds("salt", [f"name {i}" for i in range(20_000)])
    correlation = np.corrcoef(noise.normals(seeds, 1), noise.normals(seeds, 2))[0, 1]
    assert abs(correlation) < 6.2 / 20_000**0.5


def test_a_sets_seed_is_the_sum_of_its_members_seeds():
    people = noise.seeds("salt", [str(i) for i in range(450)])
    members = np.random.default_rng(3).random((20, 450)) < 0.5
    expected = [sum(int(seed) for seed in people[row]) % 2**64 for row in members]
    assert noise.set_seeds(members, people).tolist() == expected


def test_mixing_gives_the_published_stream():
    """Of SplitMix64 from 0, as its authors' code prints it."""
    found = noise.mix(np.uint64(0), np.arange(1, 4, dtype=np.uint64))
    assert found.tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_mixing_depends_on_both_and_on_their_order():
    a, b, c = noise.seeds("salt", ["a", "b", "c"])
    assert len({int(noise.mix(x, y)) for x, y in [(a, b), (b, a), (a, c), (c, b)]}) == 4


def test_every_character_of_a_salt_counts_up_to_64():
    long = "x" * 63
    assert noise.seeds(f"{long}a", ["a"]) != noise.seeds(f"{long}b", ["a"])
    assert noise.seeds(f"{long}ab", ["a"]) == noise.seeds(f"{long}ac", ["a"])


def test_the_least_of_all_seeds_has_a_number_too():
    """It is mixed to 64 bits of 0."""
    assert 0 < noise.uniforms(np.uint64(0), 0) < 2.0**-53
    assert -9 < noise.normals(np.uint64(0)) < -8
