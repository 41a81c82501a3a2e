"""TeX formulas -> inline SVG, drawn by matplotlib's mathtext: no script, no font, no network.

Drawing the formulas of a problem set takes most of a second. `kept_in` remembers them in a file.
"""

from __future__ import annotations

import contextlib
import html
import importlib.metadata
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.classroom.folders import write_atomically

SIZE = 10.0  # units of an em

# Commands that mathtext knows by another name only.
_ALIASES = {
    "le": r"\leq", "ge": r"\geq", "ne": r"\neq", "tfrac": r"\frac", "lvert": "|", "rvert": "|",
    "lVert": r"\|", "rVert": r"\|", "bigl": "", "bigr": "", "big": "", "Bigl": "", "Bigr": "",
    "ldots": r"\dots", "colon": ":", "lbrace": r"\{", "rbrace": r"\}",
}  # fmt: skip
_COMMAND = re.compile(r"\\(" + "|".join(_ALIASES) + r")(?![A-Za-z])")


_drawn: dict[str, str | None] = {}


def formula(tex: str, display: bool = False) -> str:
    """HTML of one formula; where mathtext doesn't know a command, the TeX itself."""
    kind = "formula display" if display else "formula"
    if tex not in _drawn:
        _drawn[tex] = _draw(tex)
    if _drawn[tex] is None:
        return f'<code class="{kind}">{html.escape(tex)}</code>'
    return f'<span class="{kind}">{_drawn[tex]}</span>'


@contextlib.contextmanager
def kept_in(path: Path) -> Iterator[None]:
    """Meanwhile no formula is drawn that is in the file already; those that are new are added.

    Without the file all are drawn: whatever becomes of it, pages can be written.
    """
    version = importlib.metadata.version("dplab")
    kept = _kept(path)
    drawn = kept["drawn"] if kept and kept["version"] == version else None
    _drawn.update(drawn or {})
    before = len(_drawn)
    yield
    if len(_drawn) > before or drawn is None:
        with contextlib.suppress(OSError):
            write_atomically(path, json.dumps({"version": version, "drawn": _drawn}))


def is_damaged(path: Path) -> bool:
    """Whether something else is there than what `kept_in` keeps."""
    return path.exists() and _kept(path) is None


def _kept(path: Path) -> dict[str, Any] | None:
    """The version that drew the formulas, and these; None where they can't be read."""
    with contextlib.suppress(
        OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError
    ):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(svg, str | None) for svg in kept["drawn"].values()):
            return {"version": kept["version"], "drawn": kept["drawn"]}
    return None


def _draw(tex: str) -> str | None:
    known = _COMMAND.sub(lambda found: _ALIASES[found[1]] + " ", tex.strip())
    try:
        return _with_cases(known)
    except (ValueError, RuntimeError, AttributeError):  # the last for a formula without ink
        return None


_CASES = re.compile(r"(.*?)\\begin\{cases\}(.*?)\\end\{cases\}(.*)", re.DOTALL)


def _with_cases(tex: str) -> str:
    """A formula with one distinction of cases, or with none."""
    found = _CASES.fullmatch(tex)
    if found is None:
        return _svg(tex)
    before, cases, after = (part.strip() for part in found.groups())
    rows = [row.split("&") for row in cases.split(r"\\") if row.strip()]
    cells = "".join(f"<span>{_svg(cell.strip())}</span>" for row in rows for cell in row)
    style = f"grid-template-columns:repeat({max(map(len, rows))},auto)"
    grid = f'<span class="cases" style="{style}">{cells}</span>'
    return (_svg(before) if before else "") + grid + (_svg(after) if after else "")


def _svg(tex: str) -> str:
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser
    from matplotlib.textpath import TextPath

    font = FontProperties(size=SIZE, math_fontfamily="stix")
    width, height, depth, _, _ = MathTextParser("path").parse(f"${tex}$", dpi=72, prop=font)
    path = TextPath((0, 0), f"${tex}$", size=SIZE, prop=font)
    box = f"0 {-(height - depth):.2f} {width:.2f} {height:.2f}"
    style = (
        f"width:{width / SIZE:.3f}em;height:{height / SIZE:.3f}em;"
        f"vertical-align:{-depth / SIZE:.3f}em"
    )
    label = html.escape(tex, quote=True)
    return (
        f'<svg role="img" aria-label="{label}" viewBox="{box}" style="{style}">'
        f'<path d="{_outline(path)}"/></svg>'
    )


_LETTERS = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}  # matplotlib's path codes in SVG's words


def _outline(path) -> str:
    words = []
    for vertices, code in path.iter_segments(curves=True, simplify=False):
        letter = _LETTERS[int(code)]
        points = "" if letter == "Z" else " ".join(f"{v:.2f}" for v in _flipped(vertices))
        words.append(letter + points)
    return "".join(words)


def _flipped(vertices):
    """SVG's second axis points down."""
    return (v if i % 2 == 0 else -v for i, v in enumerate(vertices))
