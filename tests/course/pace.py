"""How long a lesson takes, by one rule for all, and what it holds: python -m tests.course.pace.

180 words a minute, one minute for each cell of code, four for each proof, three for each thing to
do: a numbered question, a claim to sign, something to try, a function to write. A part has at most
60 minutes; a lesson of more has two parts, with a rest between them. What stands under "Go further"
is folded, for whoever wants more, and isn't counted; nor is what is folded for teachers.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import nbformat

COURSE = Path(__file__).parents[2] / "course"
WORDS_A_MINUTE, CELL, PROOF, THING_TO_DO = 180, 1, 4, 3
IN_ONE_GO, STEP = 60, 5  # minutes; times are rounded to a multiple of the second
REST = "**A rest.**"
FURTHER, AFTER = "## Go further", "## Go on"  # begin the cells that are folded, and those behind
FOLDED = re.compile(r"<details>.*?</details>", re.S)
FOR_TEACHERS = re.compile(r"<details><summary>For teachers.*?</details>", re.S)
BLANK = r"check_blank\("  # begins the cell that checks what the reader has written


def words(cells: list) -> int:
    """Those of the text, a formula counting as one."""
    texts = [FOR_TEACHERS.sub("", c.source) for c in cells if c.cell_type == "markdown"]
    return sum(len(re.sub(r"\$\$?[^$]+\$\$?", "formula", text).split()) for text in texts)


def things_to_do(cells: list) -> int:
    """The numbered items in sight, and the functions to write."""
    texts = [FOLDED.sub("", cell.source) for cell in cells if cell.cell_type == "markdown"]
    numbered = sum(len(re.findall(r"^\d+\. ", text, re.M)) for text in texts)
    return numbered + sum(bool(re.match(BLANK, cell.source)) for cell in cells)


def minutes(cells: list) -> float:
    """Those of some cells of a lesson, in its order."""
    proofs = sum(c.source.count("**Proof.**") for c in cells if c.cell_type == "markdown")
    code = sum(cell.cell_type == "code" for cell in cells)
    reading = words(cells) / WORDS_A_MINUTE
    return reading + CELL * code + PROOF * proofs + THING_TO_DO * things_to_do(cells)


def further(cells: list) -> list:
    """The cells under "Go further"; none in a lesson without it."""
    begins = [n for n, cell in enumerate(cells) if cell.source.startswith(FURTHER)]
    ends = [n for n, cell in enumerate(cells) if cell.source.startswith(AFTER)]
    return cells[begins[0] : ends[0]] if begins else []


def parts(path: Path) -> list[list]:
    """A lesson's cells, up to its rest and from there on; all of them where it has none.

    Those under "Go further" are in no part.
    """
    cells = nbformat.read(path, as_version=4).cells
    folded = {cell.id for cell in further(cells)}
    cells = [cell for cell in cells if cell.id not in folded]
    rests = [n for n, cell in enumerate(cells) if cell.source.startswith(REST)]
    ends = [0, *rests, len(cells)]
    return [cells[a:b] for a, b in itertools.pairwise(ends)]


def rounded(time: float) -> int:
    return STEP * round(time / STEP)


def whole(times: list[float]) -> int:
    """Return a lesson's minutes: the sum of its parts' minutes as the reader is told them."""
    return sum(rounded(time) for time in times)


COUNTED = {  # by what stands in the source of a cell, anywhere
    "proofs": r"\*\*Proof\.\*\*",
    "explorers": r"\A[A-Z]\w+\(\)\Z",
    "predictions": r"= Prediction\(",
    "blanks": rf"\A{BLANK}",
    "claims": r"<summary>Claim \d",
    "folded": r"<details>",
    "assertions": r"(?m)^\s*assert ",
}


def main() -> None:
    heads = ["words", "code", "to do", *COUNTED]
    print(f"{'lesson':26} {'minutes':>7} " + " ".join(f"{h:>{len(h)}}" for h in heads), end="")
    print("  parts, and further")
    total = 0.0
    for path in sorted(COURSE.glob("[0-9]*.ipynb")):
        cells = [cell for part in parts(path) for cell in part]
        times = [minutes(part) for part in parts(path)]
        code = sum(cell.cell_type == "code" for cell in cells)
        found = (sum(len(re.findall(p, c.source)) for c in cells) for p in COUNTED.values())
        numbers = zip([words(cells), code, things_to_do(cells), *found], heads, strict=True)
        row = " ".join(f"{number:{len(head)}}" for number, head in numbers)
        more = minutes(further(nbformat.read(path, as_version=4).cells))
        said = ", ".join(f"{time:.0f}" for time in times)
        print(f"{path.stem:26} {sum(times):7.0f} {row}  {said} + {more:.0f}")
        total += sum(times)
    print(f"{total / 60:.1f} hours")


if __name__ == "__main__":
    main()
