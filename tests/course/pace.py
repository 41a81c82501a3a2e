"""How long a lesson takes, by one rule for all: python -m tests.course.pace prints it.

180 words a minute, one minute for each cell of code, four for each proof, three for each thing to
do. A lesson of more than 75 minutes has two parts with a rest between them.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import nbformat

COURSE = Path(__file__).parents[2] / "course"
WORDS_A_MINUTE, CELL, PROOF, THING_TO_DO = 180, 1, 4, 3
IN_ONE_GO, STEP = 75, 5  # minutes; times are rounded to a multiple of the second
REST = "**A rest.**"


def minutes(cells: list) -> float:
    """Those of some cells of a lesson, in its order."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    words = sum(len(re.sub(r"\$\$?[^$]+\$\$?", "formula", text).split()) for text in texts)
    proofs = sum(text.count("**Proof.**") for text in texts)
    to_do = sum(len(re.findall(r"^\d+\. ", t, re.M)) for t in texts if t.startswith("## Try"))
    code = sum(cell.cell_type == "code" for cell in cells)
    return words / WORDS_A_MINUTE + CELL * code + PROOF * proofs + THING_TO_DO * to_do


def parts(path: Path) -> list[list]:
    """A lesson's cells, up to its rest and from there on; all of them where it has none."""
    cells = nbformat.read(path, as_version=4).cells
    rests = [n for n, cell in enumerate(cells) if cell.source.startswith(REST)]
    ends = [0, *rests, len(cells)]
    return [cells[a:b] for a, b in itertools.pairwise(ends)]


def rounded(time: float) -> int:
    return STEP * round(time / STEP)


def main() -> None:
    print(f"{'lesson':28} {'minutes':>8}   its parts")
    for path in sorted(COURSE.glob("[0-9]*.ipynb")):
        times = [minutes(part) for part in parts(path)]
        print(f"{path.stem:28} {sum(times):8.0f}   {', '.join(f'{time:.0f}' for time in times)}")


if __name__ == "__main__":
    main()
