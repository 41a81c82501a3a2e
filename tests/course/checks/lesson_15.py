"""The numbers of lesson 15."""

import numpy as np

from dplab.synthesis import ks_distance


def after_cell_17(people, least):
    """At ε = 10, the last, the error falls like n^(-2/3)."""
    slope = np.polyfit(np.log(people), np.log(least), 1)[0]
    assert abs(slope + 2 / 3) < 0.02


def after_cell_22(ours, theirs):
    """Shares are off by 0.1 with probability below 1e-10 (Chernoff)."""
    assert abs(ours - theirs.probabilities).max() < 0.1


def after_cell_25(x, synthetic):
    """They are off by 0.25 with probability below 1e-10 (Dvoretzky, Kiefer, Wolfowitz)."""
    assert ks_distance(x, synthetic) < 0.25


def after_cell_30(filled, p):
    """Of 1,000 empty cells or more: it fails with probability below 1e-12 (Hoeffding)."""
    assert abs(filled - p / (1 + p)) < 0.12


def after_cell_34(blocks):
    """The means leave these bounds with probability 1e-13."""
    assert abs(blocks[2] - 50) < 30 < blocks[1] - 30


def after_cell_37(village, occurring):
    """The last village is one with Zoe."""
    assert "Zoe" in village
    assert occurring.tolist() == ["Ann", "Bo", "Zoe"]


def after_cell_40(found):
    """P(9 full names) is below 1e-20, and that of 17 missing surnames is smaller."""
    assert found[0] >= 45
    assert found[1] <= 8


def after_cell_46(moved, spent):
    assert np.isclose(moved, 1 / 5)
    assert np.isclose(spent, 0.92782, atol=5e-6)


def after_cell_62(same):
    assert np.isclose(same.cdf(0.5), 0.5)


def after_cell_67(found, real):
    """Measured: in 40 towns it was 6.9 standard deviations away, 3e-12 by the normal law."""
    assert found[0.1] < found[1] < 1.1 * real


def after_c15a29f9(vendor, sixty_four, chosen):
    assert np.isclose(vendor.privacy_loss("aab", "abb").largest_log_ratio, 2)
    assert ks_distance(sixty_four, chosen) < 1e-9


def after_list_errors(slope):
    """Measured: in 30 runs it was 6.9 standard deviations away, 3e-12 by the normal law."""
    assert abs(slope + 5 / 9) < 0.1


def after_cell_58(published):
    assert (published.min() >= 0, published.sum()) == (True, 2000)
