import numpy as np
import pytest

from dplab.sampling import OPERATING_SYSTEM, bits
from tests.dplab.sampling.scripted import Script


def test_words_of_both_sources_have_all_their_bits():
    """64 bits of 200 words are all seen as 0 and as 1: false-failure probability below 1e-50."""
    for source in (np.random.default_rng(), OPERATING_SYSTEM):
        drawn = bits.words(source, 200)
        assert drawn.dtype == np.uint64
        assert int(np.bitwise_or.reduce(drawn)) == (1 << 64) - 1
        assert int(np.bitwise_and.reduce(drawn)) == 0
        assert bits.words(source, 0).shape == (0,)


def test_a_seed_repeats_and_the_operating_system_does_not():
    """Two equal runs of 4 words from the system have probability 2^-256."""
    first, again = (bits.words(np.random.default_rng(3), 4) for _ in range(2))
    assert (first == again).all()
    assert (bits.words(OPERATING_SYSTEM, 4) != bits.words(OPERATING_SYSTEM, 4)).any()


def test_cells_are_the_quarters_of_words():
    cells = bits.cells(Script([0x0004_0003_0002_0001, 0x9]), 5)
    assert cells.tolist() == [1, 2, 3, 4, 9]


@pytest.mark.parametrize(("size", "words"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (12, 3)])
def test_four_cells_are_a_word(size, words):
    source = Script([(1 << 64) - 1] * 3)
    assert bits.cells(source, size).tolist() == [(1 << 16) - 1] * size
    assert source.used == words


def test_integers_have_as_many_bits_as_asked_for():
    assert bits.integer(Script([(1 << 64) - 1] * 2), 100) == (1 << 100) - 1
    assert bits.integer(Script([0, 1 << 63]), 65) == 1 << 64


def test_other_sources_are_refused():
    with pytest.raises(ValueError, match="rng must be a numpy Generator or OperatingSystemBits"):
        bits.words(np.random.RandomState(0), 3)
