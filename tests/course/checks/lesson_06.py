"""The numbers of lesson 6, *What exactly is promised?*, out of its reader's sight."""

import numpy as np

from dplab import ADD_REMOVE, REPLACE_ONE, ApproxDP, Finite, PureDP, RandomizedResponse
from dplab.graphs import EDGE, FRIENDS, NODE
from dplab.neighbors import sensitivity
from dplab.theorems import groups, no_powerful_test, posterior


def after_cell_16(clinic, recovered, smaller):
    ways = REPLACE_ONE, ADD_REMOVE
    steps = [[way.distance(clinic, y) for y in (recovered, smaller)] for way in ways]
    assert steps == [[1, np.inf], [2, 1]]


def after_cell_17(replaced, added):
    assert (replaced, added) == (2, 1)


def after_cell_23(found):
    assert np.isclose(found.by_events, found.by_outputs)
    assert len(found.log_ratios) == 2**8 - 1  # of 8 outputs


def after_cell_30(largest):
    assert np.isclose(largest, 0.13591, atol=1e-5)


def after_cell_12():
    """What the wedge shows of randomized response: it reaches the bound at all rates."""
    truths = [RandomizedResponse(1).distribution(bit) for bit in (1, 0)]
    assert no_powerful_test.roc(*truths, PureDP(1)).is_attained.all()


def after_cell_34(chain):
    assert np.isclose(chain.ends[0].largest_log_ratio, 6 * 0.3)


def after_cell_39(smallest_epsilon, survey, noisy):
    for mechanism, way in ((survey, REPLACE_ONE), (noisy, REPLACE_ONE), (noisy, ADD_REMOVE)):
        assert np.isclose(smallest_epsilon(mechanism, way, (0, 1), n=4), 0.7)


def after_cell_41(belief, with_her, without_her):
    """Epsilon bounds the factor that her own answer adds, and not the change of the belief."""
    assert np.allclose((with_her, without_her), (0.953, 0.881), atol=5e-4)
    assert belief.largest_log_change > 1 > belief.largest_log_factor


def after_cell_50(rates, powers, bound, you, without_you):
    """By Hoeffding's inequality each of the 98 shares is within 0.03 of its probability, except
    with probability 2 exp(-2 * 20000 * 0.03^2) < 5e-16. The bound has slope e^0.3 < 1.36 at most,
    so 0.071 is enough: a false failure has probability below 1e-13.
    """
    assert len(you) == len(without_you) == 20_000
    assert 2 * len(rates) == 98
    assert (powers <= bound + 0.071).all()


def after_cell_54(losses):
    assert np.isclose(max(losses), 4 * 0.25)


def after_cell_57(power_at_5):
    assert power_at_5 > 0.99


def after_846ae2c1(confidant, audited):
    """The audit, and the first verdict's prior."""
    assert np.isclose(audited, 1)
    prior = Finite.of({(1, 0): 1e-4, (0, 1): 1 - 1e-4})
    moved = posterior.beliefs(confidant, prior, person=0, default=None).largest_log_factor
    assert np.isclose(moved, 1.9994, atol=5e-5)


def after_cell_21(QUERIES):
    """By brute force, over all 64 graphs of four people."""
    for query in QUERIES:
        for relation in (EDGE, NODE):
            exact = query.sensitivity(relation, n=4)
            assert sensitivity(query, relation, FRIENDS, n=4) == exact


def after_63d46d83(whole, two_each):
    assert (whole, two_each) == (4, 2)


def after_cell_46(few, town, EDGE_COUNT):
    assert few(town, 199) == EDGE_COUNT(town)


def after_72b23102(network, gone, release):
    """What the verdict on Anna says."""
    assert EDGE.distance(network, gone) == 99
    assert np.isclose(release.privacy_loss(network, gone).largest_log_ratio, 9.9)


def after_cell_36():
    for k, factor in ((2, 3.71828), (5, 85.791), (10, 12818.3)):
        alarm = groups.FamilyAlarm(epsilon=1, delta=1e-5, n=k)
        needed = alarm.privacy_loss((1,) * k, (0,) * k).delta(k)
        assert np.isclose(needed, ApproxDP(1, 1e-5).group(k).delta)
        assert np.isclose(needed / 1e-5, factor, rtol=1e-5)
