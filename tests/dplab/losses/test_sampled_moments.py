"""How many nodes the rules take: what a Renyi divergence of a sample costs. Their values are in
`accounting/test_subsampling.py`.
"""

import numpy as np
import pytest

from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.losses.sampled_moments import _count_nodes, rule, rule_above_0


def nodes(found):
    assert len(found[0]) == len(found[1]) == len(np.unique(found[0]))
    return len(found[0])


@pytest.mark.parametrize("alpha", [2.0, 10.0, 25.0])
@pytest.mark.parametrize("shift", [0.3, 3.0, 1000.0])
def test_laplace_losses_take_20_nodes_a_nat_and_tenth_of_alpha(shift, alpha):
    """And a panel more; and one for each atom."""
    fine = max(1, alpha / 10)
    assert nodes(rule(LaplaceLoss(shift), alpha)) == 20 * (np.ceil(2 * shift * fine) + 1) + 2
    above = rule_above_0(LaplaceLoss(shift), alpha)
    assert nodes(above) == 20 * (np.ceil(shift * fine) + 1) + 1


@pytest.mark.parametrize(("alpha", "steep"), [(2.0, 40), (25.5, 2.4)])
def test_of_wide_laplace_losses_the_ends_alone_take_nodes(alpha, steep):
    """From 1,000 nats on: 120 at each, the upper end's last 60 / (alpha - 1/2) finer."""
    pieces = [120, 120 - steep, steep * max(1, alpha / 10)]
    panels = [np.ceil(round(piece, 9)) + 1 for piece in pieces]
    assert nodes(rule(LaplaceLoss(1000.5), alpha)) == 20 * sum(panels) + 2
    assert nodes(rule_above_0(LaplaceLoss(1000.5), alpha)) == 20 * sum(panels[1:]) + 1


@pytest.mark.parametrize(
    ("mu", "alpha", "step"), [(0.5, 3.0, 0.5), (1.0, 8.0, 0.5), (4.0, 2.0, 0.125)]
)
def test_normal_losses_take_two_nodes_a_deviation_and_a_nat(mu, alpha, step):
    """From 13 deviations below 0 to 13 above alpha mu; for losses above 0, 20 a nat of these."""
    z, _ = rule(GaussianLoss(mu), alpha)
    assert len(z) == (alpha * mu + 26) / step
    assert np.diff(z) == pytest.approx(step * mu)
    reach = (alpha * mu + 13 - mu / 2) * max(1, mu)
    assert nodes(rule_above_0(GaussianLoss(mu), alpha)) == 20 * (np.ceil(reach) + 1)


def test_where_hills_are_far_apart_they_alone_take_nodes():
    """13 deviations on each side: of 0, mu and alpha mu; of losses above 0 at alpha mu, or, for a
    small mu, up to 2 too.
    """
    assert nodes(rule(GaussianLoss(1000.0), 2.5)) == 3 * 26 * 2000
    assert nodes(rule(GaussianLoss(1.0), 2e6)) == 2 * 52 + 2
    assert nodes(rule_above_0(GaussianLoss(50.0), 100.0)) == 20 * (26 * 50 + 1)
    assert nodes(rule_above_0(GaussianLoss(0.5), 1e6)) == 20 * (27 + 15 + 1)
    assert nodes(rule_above_0(GaussianLoss(1.0), 1e6)) == 20 * 27


def test_hills_are_far_apart_where_there_would_be_2_million_nodes():
    for alpha, all_between in ((2**20 - 13.5, True), (2**20 - 13, False)):
        assert (len(rule(GaussianLoss(1.0), alpha)[0]) > 2**21) == all_between
    for mu, alpha in ((0.5, 209_689), (4.0, 6550)):
        for order, all_between in ((alpha, True), (alpha + 1, False)):
            assert (len(rule_above_0(GaussianLoss(mu), order)[0]) > 2e6) == all_between


def test_an_integral_has_2_to_the_21_panels_at_most():
    assert _count_nodes(2**21) == 2**21
    with pytest.raises(ValueError, match="more than 2097152 nodes"):
        _count_nodes(2**21 + 0.5)


@pytest.mark.parametrize("loss", [LaplaceLoss(0.5), LaplaceLoss(20.0), GaussianLoss(1.0)])
def test_the_nodes_have_the_mass_1_under_both_distributions(loss):
    """Those above 0 have the masses of a loss above 0."""
    z, log_q = rule(loss, 2.0)
    assert np.exp(log_q).sum() == pytest.approx(1, rel=1e-12)
    assert np.exp(log_q + z).sum() == pytest.approx(1, rel=1e-12)
    z, log_q = rule_above_0(loss, 2.0)
    p, q = loss.tails(0.0)
    assert np.exp(log_q).sum() == pytest.approx(q, rel=1e-12)
    assert np.exp(log_q + z).sum() == pytest.approx(p, rel=1e-12)
