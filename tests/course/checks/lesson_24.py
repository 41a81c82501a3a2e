"""The numbers of lesson 24; what is random among them is so by the lesson's generator."""

import numpy as np


def after_outcome(fresh, best):
    """Fresh noise by its closed form; the best as the text says."""
    assert np.isclose(fresh.largest_error(), 32**0.5)
    assert round(best.error, 1) == round(best.bound, 1) == 1.9


def after_by_hand(off):
    """Deviations of 100,000 draws are right within 0.3% times 7: below 1e-11."""
    assert np.allclose(off, [1, 1.25**0.5], rtol=0.02)


def after_memory(root):
    """The rows that the text reads aloud."""
    inverse = np.linalg.inv(root.strategy)
    assert np.allclose(inverse[2, :3], [-1 / 8, -1 / 2, 1])


def after_bounds_code(thirds, root, tree):
    """What the text says of two counts, and what the picture says of 32."""
    assert np.isclose(thirds, 2 / 3**0.5)
    assert round(tree.largest_error(), 1) == 5.5
    assert round(root.largest_error(), 1) == 2.2


def after_adaptive_code(losses, A):
    """A normal mean of 20,000: 0.5 within 8 deviations, 1e-15; the variance within 9, 1e-18."""
    assert np.allclose(np.linalg.norm(A, axis=0), 1)
    assert abs(losses.mean() - 0.5) < 8 / 20_000**0.5
    assert abs(losses.var() - 1) < 9 * 2**0.5 / 20_000**0.5


def after_stream(shown, came, turned):
    """Each count is off by 5 noises of the row's length: 8 deviations, 32 times, below 1e-13."""
    far = 8 * 5 * np.linalg.norm(turned.recovery, axis=1)
    assert (abs(np.array(shown) - np.cumsum(came)) < far).all()


def after_bands_picture(bands, moved, noise):
    """The least noise is at 20 bands, as many as batches; fresh noise has more than three times."""
    product = moved * noise
    assert bands[product.argmin()] == 20
    assert product[0] > 3 * product.min()


def after_sampled(fresh, banded, sampled):
    """All three cost what the text says."""
    for one in (fresh, banded, sampled):
        assert 1.99 < one.guarantee.epsilon <= 2


def after_train(shares):
    """Means of four runs have a deviation below 0.02 over seeds: six of them."""
    assert abs(shares["fresh"] - 0.75) < 0.12
    assert abs(shares["bands"] - 0.89) < 0.12
    assert shares["fresh"] + 0.02 < shares["bands"]


def after_silent(J):
    """One of 100 in 100,000 runs: 1,000 with a deviation of 31.5, of which 300 are nine."""
    assert abs((J == 40).mean() - 0.01) < 0.003


def after_sign_code(one, four, root):
    """What the verdicts say: twice, and 3.9 against 2.5."""
    assert np.isclose(four, 2 * one)
    assert round(np.linalg.norm(root.strategy[:, :3].sum(axis=1)), 1) == 3.9
    assert round(3**0.5 * np.linalg.norm(root.strategy[:, 0]), 1) == 2.5


def after_root_bounds(low, reached, high):
    """The theorem's ends, for the last n."""
    assert low < reached < high < low + 1.1


def after_turn_code(before, after):
    """Turning keeps all lengths and angles, and makes A triangular."""
    assert np.allclose(before.T @ before, after.T @ after)
    assert not np.triu(after, 1).any()


def after_mean_code(mean, best):
    """The mean's best is no worse in the mean than the best for the worst count."""
    assert mean.bound <= mean.error <= best.factorization.root_mean_error()


def after_scaled_code(scaled, root):
    """Scaling the columns helps the mean."""
    assert scaled.root_mean_error() < root.root_mean_error()


def after_everybody_code(whole):
    """It costs what the text says."""
    assert 1.99 < whole.guarantee.epsilon <= 2
