"""A curator like Diffix, in all its generations, and the attack that beats each.

`sql` and `conditions` define the allowed questions, `generations` the questions that each curator
refuses, `noise` and `batch` the noise. `engine` and `curator` put that in front of a real database,
`simulator` answers thousands of questions at once. The attacks are in `averaging`,
`digits` and `reconstruction`.
"""

from dplab import optional
from dplab.deprecated import old_names

with optional.packages_for("dplab.attacks.diffix"):
    from dplab.attacks.diffix.averaging import reword
    from dplab.attacks.diffix.batch import Batch
    from dplab.attacks.diffix.conditions import Condition
    from dplab.attacks.diffix.curator import DiffixCurator
    from dplab.attacks.diffix.digits import Digit, cohen_nissim_digits, members, power_digits
    from dplab.attacks.diffix.engine import DuckDB, SQLite
    from dplab.attacks.diffix.generations import (
        CEDAR,
        DOGWOOD,
        FRESH,
        GENERATIONS,
        LAYERED,
        NONE,
        STICKY,
        Generation,
    )
    from dplab.attacks.diffix.reconstruction import estimates
    from dplab.attacks.diffix.simulator import Simulator
    from dplab.attacks.diffix.sql import Query, parse

__all__ = [
    "CEDAR",
    "DOGWOOD",
    "FRESH",
    "GENERATIONS",
    "LAYERED",
    "NONE",
    "STICKY",
    "Batch",
    "Condition",
    "DiffixCurator",
    "Digit",
    "DuckDB",
    "Generation",
    "Query",
    "SQLite",
    "Simulator",
    "cohen_nissim_digits",
    "estimates",
    "members",
    "parse",
    "power_digits",
    "reword",
]

__getattr__ = old_names(__name__, Curator="DiffixCurator")
