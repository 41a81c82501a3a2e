"""A small bank, and a curator in front of it."""

from functools import cache

import numpy as np
import pandas as pd

from dplab.attacks.diffix import DiffixCurator, SQLite

CLIENTS = np.arange(2000, 2040)
LOANS = pd.DataFrame(
    {
        "client_id": CLIENTS,
        "status": ["C", "A"] * 20,
        "amount": np.arange(40) * 10,
        "zip": [f"{i % 10}0115" for i in range(40)],
        "region": ["north", "south", "east", "west"] * 10,
    }
)
RUNNING = "SELECT count(DISTINCT client_id) FROM loans WHERE status = 'C'"


@cache
def bank(engine):
    """The loans in a database that nobody writes to."""
    return engine({"loans": LOANS})


def curator(generation, engine=SQLite, salt="salt", rng=None):
    return DiffixCurator(bank(engine), "loans", "client_id", generation, salt=salt, rng=rng)
