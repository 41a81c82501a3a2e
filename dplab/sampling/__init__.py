"""Exact sampling with integers: random words, bounds of exp, inversion of a distribution function.

No float takes part. A law is given by its weights, as rigorous bounds in fixed point at any
precision; a uniform number is drawn 16 bits at a time, and only as far as the outcome needs.
"""

from dplab.sampling.bits import OPERATING_SYSTEM, OperatingSystemBits, Source
from dplab.sampling.inversion import Inversion, Weights
from dplab.sampling.samplers import bernoulli_exp, discrete_gaussian, discrete_laplace

__all__ = [
    "OPERATING_SYSTEM",
    "Inversion",
    "OperatingSystemBits",
    "Source",
    "Weights",
    "bernoulli_exp",
    "discrete_gaussian",
    "discrete_laplace",
]
