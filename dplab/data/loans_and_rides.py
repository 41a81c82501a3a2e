"""Two invented tables, like those of the attacks on Diffix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dplab import arguments, optional

if TYPE_CHECKING:
    import pandas as pd

CLIENTS = (((2000, 3000), 73), ((3000, 5000), 110), ((5000, 7000), 130), ((7000, 10_000), 142))
DIFFERENT_LATITUDES = 5_000  # few enough that each belongs to several rides
GROUP = 450  # rides that share three distances, each at a latitude of its own


def bank_loans(rng: np.random.Generator) -> pd.DataFrame:
    """Draw 455 clients of a bank, each with a loan: columns `client_id`, `status` ("C" or "A").

    Client numbers lie in four ranges of 73, 110, 130 and 142 clients, as in the attack of Cohen and
    Nissim; status C, a running loan without problems, has probability 1/2.

    Raises ValueError for other arguments.
    """
    arguments.generator("rng", rng)
    with optional.packages_for("These loans"):
        import pandas as pd

    ids = [
        np.sort(rng.choice(np.arange(low + 1, high), n, replace=False))
        for (low, high), n in CLIENTS
    ]
    clients = np.concatenate(ids)
    return pd.DataFrame({"client_id": clients, "status": rng.choice(["C", "A"], len(clients))})


def taxi_rides(groups: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw taxi rides, 450 for each of `groups` (from 1 to 300), one row a ride.

    - `ride`: a number for each
    - `pickup_latitude`: near 40.75, six decimals; about `groups` / 11 rides share each value
    - `trip_distance`: miles; a group of 450 has three values that no other group has
    - `payment_type`: "CSH" for one half, "CRD"
    - `passenger_count`: 1 to 6, most often 1
    - `ssn`: nine random digits, as text

    Within a group each ride has its own latitude, so latitudes tell its rides apart. In the whole
    table hardly any latitude belongs to a single ride. Raises ValueError for another
    number of groups.
    """
    arguments.generator("rng", rng)
    with optional.packages_for("These rides"):
        import pandas as pd

    groups = arguments.whole("groups", groups, least=1, most=300)
    n = groups * GROUP
    places = [rng.choice(DIFFERENT_LATITUDES, GROUP, replace=False) for _ in range(groups)]
    miles = rng.permutation(np.arange(50, 950))[: 3 * groups].reshape(groups, 3) / 100
    return pd.DataFrame(
        {
            "ride": np.arange(n),
            "pickup_latitude": np.round(40.75 + np.concatenate(places) / 1e6, 6),
            "trip_distance": np.concatenate([rng.choice(three, GROUP) for three in miles]),
            "payment_type": rng.choice(["CSH", "CRD"], n),
            "passenger_count": rng.choice(6, n, p=[0.7, 0.14, 0.05, 0.03, 0.05, 0.03]) + 1,
            "ssn": [f"{number:09d}" for number in rng.integers(10**9, size=n)],
        }
    )
