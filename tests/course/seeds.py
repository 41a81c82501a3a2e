"""A lesson with other seeds: what it asserts of random things must hold under any."""

from __future__ import annotations

import re

import nbformat
import numpy as np

SEED = re.compile(r"(?<=default_rng\()\d+(?=\))")


def reseeded(notebook: nbformat.NotebookNode, seed: int) -> nbformat.NotebookNode:
    """The notebook with each literal seed of a generator replaced by one that follows from `seed`.

    Seeds that were equal stay equal.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = SEED.sub(lambda found: str(_other(int(found[0]), seed)), cell.source)
    return notebook


def _other(old: int, seed: int) -> int:
    return int(np.random.SeedSequence([old, seed]).generate_state(1)[0])
