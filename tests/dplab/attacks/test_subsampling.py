import numpy as np
import pytest

from dplab.attacks.subsampling import HalfSampleCurator, name_sampled
from dplab.mechanisms.catastrophe import RandomRows
from dplab.queries import random_queries


@pytest.fixture
def attacked():
    """400 bits, 1,600 queries; one draw, always the same."""
    rng = np.random.default_rng(38)
    secret, queries = rng.integers(2, size=400), random_queries(1600, 400, rng)
    curator = HalfSampleCurator.random(secret, rng)
    return curator, queries, name_sampled(queries, curator.ask(queries))


def test_whoever_is_named_has_the_bit_and_was_sampled(attacked):
    curator, _, named = attacked
    assert named.people.tolist() == np.flatnonzero(curator.sample & (curator.secret == 1)).tolist()
    assert len(named.people) > 70


def test_no_more_than_three_quarters_are_reconstructed(attacked):
    """All of the sampled half; of the others those whose bit is 0."""
    curator, _, named = attacked
    right = named.bits == curator.secret
    assert right[curator.sample].all()
    assert right[~curator.sample].tolist() == (curator.secret[~curator.sample] == 0).tolist()
    assert 0.65 < right.mean() < 0.85


def test_answers_are_off_by_the_sampling_error_only(attacked):
    curator, queries, _ = attacked
    errors = curator.ask(queries) - queries @ curator.secret
    assert curator.sample.sum() == 200
    assert abs(errors).max() < 5 * (200 / 2) ** 0.5


@pytest.mark.parametrize("kind", [bool, np.uint8])
def test_bits_of_a_small_type_are_counted(kind):
    curator = HalfSampleCurator(np.ones(600, dtype=kind), np.arange(600) < 300)
    assert curator.ask(np.ones((1, 600), dtype=kind)).tolist() == [600]


def test_guarantee_is_that_of_publishing_half_of_the_rows():
    curator = HalfSampleCurator.random([0, 1, 1, 0], np.random.default_rng(1))
    assert curator.guarantee == RandomRows(n=4, k=2).guarantee


@pytest.mark.parametrize("secret", [[0, 1, 0], [], [0, 2], [[0, 1]]])
def test_secrets_that_are_no_even_row_of_bits(secret):
    with pytest.raises(ValueError, match="secret must"):
        HalfSampleCurator.random(secret, np.random.default_rng(1))
