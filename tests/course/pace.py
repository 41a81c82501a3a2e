"""How long a lesson takes, by one rule for all, and what it holds: python -m tests.course.pace.

180 words a minute, one minute for each cell of code, four for each proof, three for each thing to
do: to try, or to write. A lesson of more than 75 minutes has two parts with a rest between them.
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
BLANK = r"check_blank\("  # begins the cell that checks what the reader has written


def words(cells: list) -> int:
    """Those of the text, a formula counting as one."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return sum(len(re.sub(r"\$\$?[^$]+\$\$?", "formula", text).split()) for text in texts)


def minutes(cells: list) -> float:
    """Those of some cells of a lesson, in its order."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    proofs = sum(text.count("**Proof.**") for text in texts)
    to_do = sum(len(re.findall(r"^\d+\. ", t, re.M)) for t in texts if t.startswith("## Try"))
    to_do += sum(bool(re.match(BLANK, cell.source)) for cell in cells)
    code = sum(cell.cell_type == "code" for cell in cells)
    return words(cells) / WORDS_A_MINUTE + CELL * code + PROOF * proofs + THING_TO_DO * to_do


def parts(path: Path) -> list[list]:
    """A lesson's cells, up to its rest and from there on; all of them where it has none."""
    cells = nbformat.read(path, as_version=4).cells
    rests = [n for n, cell in enumerate(cells) if cell.source.startswith(REST)]
    ends = [0, *rests, len(cells)]
    return [cells[a:b] for a, b in itertools.pairwise(ends)]


def rounded(time: float) -> int:
    return STEP * round(time / STEP)


COUNTED = {  # by what stands in the source of a cell, anywhere
    "proofs": r"\*\*Proof\.\*\*",
    "explorers": r"\A[A-Z]\w+\(\)\Z",
    "predictions": r"= Prediction\(",
    "blanks": rf"\A{BLANK}",
    "claims": r"<summary>Claim \d",
    "folded": r"<details>",
}


def main() -> None:
    heads = ["words", "code", *COUNTED]
    print(f"{'lesson':26} {'minutes':>7} " + " ".join(f"{h:>{len(h)}}" for h in heads) + "  parts")
    for path in sorted(COURSE.glob("[0-9]*.ipynb")):
        cells, times = nbformat.read(path, as_version=4).cells, [minutes(p) for p in parts(path)]
        code = sum(cell.cell_type == "code" for cell in cells)
        found = (sum(len(re.findall(p, c.source)) for c in cells) for p in COUNTED.values())
        numbers = zip([words(cells), code, *found], heads, strict=True)
        row = " ".join(f"{number:{len(head)}}" for number, head in numbers)
        print(f"{path.stem:26} {sum(times):7.0f} {row}  {', '.join(f'{t:.0f}' for t in times)}")


if __name__ == "__main__":
    main()
