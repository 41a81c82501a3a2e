"""Exact sampling with integers: random words, bounds of exp, inversion of a distribution function.

The samplers use no floats. A distribution is given by its weights, as rigorous bounds in fixed
point at any precision. A uniform number is drawn 16 bits at a time, and only until it decides the
outcome. Scales are exact: an int, a Fraction, a pair (numerator, denominator) of ints, or a float,
which counts as the binary fraction that it is. A draw costs a few nanoseconds. The table of a new
scale takes some milliseconds, and is stored. Time and memory depend on the draws: an attacker who
measures them finely learns something about the noise.
"""

from dplab.sampling.bernoulli import bernoulli_exp
from dplab.sampling.bits import OPERATING_SYSTEM, OperatingSystemBits, Source
from dplab.sampling.gaussian import discrete_gaussian
from dplab.sampling.inversion import Inversion, Weights
from dplab.sampling.laplace import discrete_laplace

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
