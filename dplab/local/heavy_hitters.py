"""Heavy hitters: the frequent ones among far too many categories to ask about each.

Nobody can look at 2^48 estimates, and the largest noise of so many would hide a frequent value. So
let prefixes grow. Split the people into groups. The first group answers about the first bits of its
values, the second about more bits, and so on. A value can't be more frequent than its prefix. So
the next group's answers are looked up only for prefixes that continue a frequent one. Each person
answers once, for epsilon. The price is that a group is smaller than the crowd.

Sources: Bassily, Nissim, Stemmer and Thakurta, Practical locally private heavy hitters (2017);
Wang, Li and Jha, Locally differentially private heavy hitter identification (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplab import arguments
from dplab.local.frequency_oracles import FrequencyOracle

MAX_KEPT = 2**16  # prefixes of one level


def heavy_hitters(
    oracles: Sequence[FrequencyOracle], answers: Sequence[Any], *, step: int, keep: int
) -> dict[int, float]:
    """Return the `keep` values of the largest estimated shares, the largest first.

    Oracle l, from 0, is about prefixes of (l + 1) step bits, so its k is 2^((l + 1) step), and
    answers[l] are those of its group. A prefix of step bits more is looked up if its own prefix was
    among the `keep` best. Raises ValueError for other oracles, and if there is none.

    >>> from dplab.local.hashing import LocalHashing
    >>> oracles = [LocalHashing(5.0, k=4), LocalHashing(5.0, k=16)]
    >>> values, rng = np.array([13] * 3000 + [2] * 1000), np.random.default_rng(1)
    >>> answers = [oracles[0](values[::2] >> 2, rng), oracles[1](values[1::2], rng)]
    >>> shares = heavy_hitters(oracles, answers, step=2, keep=2)
    >>> [(value, round(share, 1)) for value, share in shares.items()]
    [(13, 0.7), (2, 0.3)]
    """
    oracles = arguments.instances("oracles", oracles, FrequencyOracle)
    answers = arguments.sequence("answers", answers)
    step = arguments.whole("step", step, least=1, most=16)
    keep = arguments.whole("keep", keep, least=1, most=MAX_KEPT)
    if len(answers) != len(oracles):
        raise ValueError(f"answers must be of {len(oracles)} groups, not {len(answers)}")
    sizes = [oracle.k for oracle in oracles]
    if sizes != [1 << step * (level + 1) for level in range(len(oracles))]:
        raise ValueError(f"oracles must be about 2^step, 2^(2 step), ... prefixes, not {sizes}")
    prefixes: np.ndarray = np.zeros(1, dtype=np.int64)
    for oracle, group in zip(oracles, answers, strict=True):
        longer = (prefixes[:, None] << step) + np.arange(1 << step, dtype=np.int64)
        shares = oracle.frequencies(group, longer.ravel())
        best = np.argsort(-shares, kind="stable")[:keep]
        prefixes, shares = longer.ravel()[best], shares[best]
    return dict(zip(prefixes.tolist(), shares.tolist(), strict=True))
