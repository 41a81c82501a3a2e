"""The numbers of lesson 23; what is random among them is so by the lesson's generator."""

import numpy as np


def after_cell_10(error, n):
    """What the text calls 96 people and 1.4."""
    assert np.isclose(n * error.response, 96, atol=0.1)
    assert np.isclose(n * error.curator, 1.4, atol=0.05)


def after_cell_10b(shuffled):
    """What the text calls 0.036 (50% to 50.9%)."""
    assert np.isclose(shuffled, 0.0357, atol=1e-4)
    assert np.isclose(1 / (1 + np.exp(-shuffled)), 0.509, atol=5e-4)


def after_cell_20(searched):
    """The crossover is 3 e^epsilon + 2."""
    assert [searched(e) for e in (0.5, 1.0)] == [6, 10]


def after_cell_28b(kinds, bits):
    """Hashing needs 8 bits for 64 categories, Hadamard 7."""
    assert [round(bits[name]) for name in kinds] == [6, 64, 8, 7]
    errors = [oracle.frequency_variance(0, 10_000) for oracle in kinds.values()]
    assert errors[0] > 4 * max(errors[1:])


def after_cell_32b(curator, alone, truth, oracle, people):
    """64 errors of the crowd, each with a deviation of 0.0068, fail at ten of them: below 1e-20.

    A curator's 64 errors are below 60 / 100,000, or one of 64 noises is above 60 with epsilon 1/2:
    below 1e-11.
    """
    deviation = oracle.frequency_variance(0, people) ** 0.5
    assert np.isclose(deviation, 0.00684, atol=1e-4)
    assert abs(alone - truth).max() < 10 * deviation
    assert abs(curator - truth).max() < 60 / people


def after_cell_35(chances):
    """Of 200,000 draws: a share of 0.06 is off by 0.0045, 8 deviations, with a chance below 1e-14.

    The right shares are sums of the law.
    """
    assert np.allclose(chances, [0.04581, 0.05613], atol=0.0045)


def after_cell_40(exact, bound):
    """The last row is that of 100,000 people."""
    assert np.isclose(exact, 0.0101, atol=2e-4)
    assert exact < bound < 0.016


def after_cell_43(chrome):
    """The paper's numbers, and the guesses that the text names."""
    assert np.isclose(chrome.epsilon(1), 0.5343, atol=1e-4)
    assert np.isclose(chrome.limit, 2.0433, atol=1e-4)
    assert np.isclose(1 / (1 + np.exp(-7 * chrome.epsilon(1))), 0.977, atol=1e-3)
    assert np.isclose(chrome.epsilon(7), 1.91, atol=0.005)


def after_cell_52(mine, n, truthful):
    """The claim's direction, and the other one. Without a delta nothing is gained."""
    assert np.isclose(mine.largest_log_ratio, 1)
    assert round(n * np.log10(truthful)) == -1360
    assert round(mine.epsilon(1e-6), 3) == 0.035
    assert np.isclose(mine.reverse().epsilon(1e-6), 0.0357, atol=1e-4)


def after_cell_62(found, new_words, number):
    """30,000 people in a group, errors of 0.005: a share of 0.1 and more is 18 of them above 0.

    No nonsense passes 0.09 with probability above 1e-60.
    """
    assert list(found)[:3] == [number(word) for word in new_words]


def after_cell_65(estimate, hours):
    """Eight standard errors: below 1e-14."""
    assert abs(estimate.value - hours.mean()) < 8 * estimate.standard_error


def after_cell_67(totals, secrets, modulus):
    """Exactly, as integers of 64 bits."""
    assert totals.sum() % modulus == secrets.sum()


def after_cell_71(rows):
    """The Hadamard matrix."""
    assert (rows @ rows.T == 8 * np.eye(8)).all()
