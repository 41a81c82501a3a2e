"""The generations of the curator: each answers the attack that beat the one before.

    honest    the truth                                beaten by asking twice (differencing)
    fresh     new noise for every question             beaten by asking often (averaging)
    sticky    the same noise for the same text         beaten by asking in other words
    layered   noise by condition and by set of people  beaten by Cohen and Nissim
    Cedar     no maths on isolating columns            beaten by Dick, Joseph and Schutzman
    Dogwood   no arithmetic inside bucketing functions not beaten here; not private either

Sources: Francis, Probst Eide and Munz (2017), and Aircloak's own documents for Cedar and Dogwood;
simplified (no joins, no GROUP BY; a range has a dynamic layer instead of ends that are snapped).
"""

from __future__ import annotations

from dataclasses import dataclass

from dplab import arguments
from dplab.attacks.diffix.conditions import ALLOWED
from dplab.attacks.diffix.sql import Query
from dplab.interaction import Refused

NOISES = ("none", "fresh", "sticky", "layered")
ISOLATING = 0.8  # least share of a column's values with a single person, for it to be isolating


@dataclass(frozen=True)
class Generation:
    """One generation of the curator.

    `noise` is "none", "fresh", "sticky" or "layered". `sigma` is the standard deviation of one
    draw, or of one layer. Curators with layers also suppress low counts and flatten outliers.

    Raises ValueError for other arguments.
    """

    name: str
    noise: str
    sigma: float
    maths_on_isolating: bool = True
    arithmetic_in_buckets: bool = True

    def __post_init__(self):
        arguments.settle(self, arguments.text, "name")
        arguments.one_of("noise", self.noise, NOISES)
        arguments.settle(self, arguments.number, "sigma", least=0)
        arguments.settle(self, arguments.flag, "maths_on_isolating", "arithmetic_in_buckets")

    def check(self, query: Query, isolating: frozenset[str]) -> None:
        """Raise `Refused` if this generation does not allow a condition."""
        for condition in query.conditions:
            if condition.maths and condition.column in isolating and not self.maths_on_isolating:
                raise Refused(
                    f"{condition.text}: no maths on {condition.column}, which is isolating; "
                    f"compare it with =, <>, IN or BETWEEN"
                )
            if condition.arithmetic and not self.arithmetic_in_buckets:
                raise Refused(
                    f"{condition.text}: no arithmetic inside floor, ceil or round; {ALLOWED}"
                )


NONE = Generation("honest", "none", 0.0)
FRESH = Generation("fresh", "fresh", 10**0.5)
STICKY = Generation("sticky", "sticky", 10**0.5)
LAYERED = Generation("layered", "layered", 1.0)
CEDAR = Generation("Cedar", "layered", 1.0, maths_on_isolating=False)
DOGWOOD = Generation(
    "Dogwood", "layered", 1.0, maths_on_isolating=False, arithmetic_in_buckets=False
)
GENERATIONS = (NONE, FRESH, STICKY, LAYERED, CEDAR, DOGWOOD)
