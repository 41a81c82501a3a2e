"""Exact sampling with integers: random words, bounds of exp, inversion of a distribution function.

No float takes part. A law is given by its weights, as rigorous bounds in fixed point at any
precision; a uniform number is drawn 16 bits at a time, and only as far as the outcome needs.
Scales are taken exactly: an int, a Fraction, a pair (numerator, denominator) of ints, or a float
for the binary fraction that it is. A draw costs a few nanoseconds; the table of a new scale is made
in some milliseconds, and kept. Time and memory depend on the draws: who can measure them finely
learns something about the noise.
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
