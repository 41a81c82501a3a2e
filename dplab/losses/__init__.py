"""The privacy loss Z = log(p(Y) / q(Y)), Y ~ p: it determines every measure of privacy.

Take two distributions p and q, of a mechanism on two neighbouring datasets. The tails of Z give

    delta(epsilon) = P_p[Z > epsilon] - e^epsilon P_q[Z > epsilon]      (hockey stick)
    trade-off      = { (P_q[Z > t], P_p[Z > t]) : t }                    (Neyman-Pearson)
    Renyi          = log E_p[e^{(alpha - 1) Z}] / (alpha - 1)

Sources: Canonne, Kamath and Steinke (2020), Lemma 9, for delta as E[max(0, 1 - e^{epsilon - Z})];
Dong, Roth and Su (2022) for trade-off curves; Mironov (2017) for Renyi differential privacy.
"""

from dplab.deprecated import old_names
from dplab.losses.atoms import NO_LOSS, AtomicLoss, BinomialLoss
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.laplace import LaplaceLoss
from dplab.losses.loss import PrivacyLoss
from dplab.losses.replacement import replacement_loss
from dplab.losses.sampled import fixed_size_sampled_loss, poisson_sampled_loss
from dplab.losses.total import DiscretizedLoss, total_loss

__all__ = [
    "NO_LOSS",
    "AtomicLoss",
    "BinomialLoss",
    "DiscretizedLoss",
    "GaussianLoss",
    "LaplaceLoss",
    "PrivacyLoss",
    "fixed_size_sampled_loss",
    "poisson_sampled_loss",
    "replacement_loss",
    "total_loss",
]

__getattr__ = old_names(
    __name__,
    poisson_sampled="poisson_sampled_loss",
    sampled_without_replacement="fixed_size_sampled_loss",
)
