"""TeX formulas -> inline SVG, drawn by matplotlib's mathtext: no script, no font, no network.

Drawing the formulas of a problem set takes most of a second. `kept_in` remembers them in a file.
"""

from __future__ import annotations

import contextlib
import html
import importlib.metadata
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.classroom.course.folders import write_atomically

SIZE = 10.0  # units of an em

# Commands that mathtext knows only by another name.
_ALIASES = {
    "le": r"\leq", "ge": r"\geq", "ne": r"\neq", "tfrac": r"\frac", "lvert": "|", "rvert": "|",
    "lVert": r"\|", "rVert": r"\|", "bigl": "", "bigr": "", "big": "", "Bigl": "", "Bigr": "",
    "ldots": r"\dots", "colon": ":", "lbrace": r"\{", "rbrace": r"\}",
}  # fmt: skip
_COMMAND = re.compile(r"\\(" + "|".join(_ALIASES) + r")(?![A-Za-z])")


_svg_by_tex: dict[str, str | None] = {}


def formula(tex: str, display: bool = False) -> str:
    """Return HTML of one formula, or the TeX itself if mathtext doesn't know a command."""
    kind = "formula display" if display else "formula"
    if tex not in _svg_by_tex:
        _svg_by_tex[tex] = _draw(tex)
    if _svg_by_tex[tex] is None:
        return f'<code class="{kind}">{html.escape(tex)}</code>'
    return f'<span class="{kind}">{_svg_by_tex[tex]}</span>'


@contextlib.contextmanager
def kept_in(path: Path) -> Iterator[None]:
    """Take formulas from a file inside this context, and add the new ones to it at the end.

    If the file is lost, all formulas are drawn again, so pages can still be written.
    """
    version = importlib.metadata.version("dplab")
    record = _read_file(path)
    svgs = record["drawn"] if record and record["version"] == version else None
    _svg_by_tex.update(svgs or {})
    old_count = len(_svg_by_tex)
    yield
    if len(_svg_by_tex) > old_count or svgs is None:
        with contextlib.suppress(OSError):
            write_atomically(path, json.dumps({"version": version, "drawn": _svg_by_tex}))


def is_damaged(path: Path) -> bool:
    """Return whether the file of `kept_in` exists and can't be read."""
    return path.exists() and _read_file(path) is None


def _read_file(path: Path) -> dict[str, Any] | None:
    """Return the formulas and the version that drew them, or None if they can't be read."""
    with contextlib.suppress(
        OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError
    ):
        record = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(svg, str | None) for svg in record["drawn"].values()):
            return {"version": record["version"], "drawn": record["drawn"]}
    return None


def _draw(tex: str) -> str | None:
    known_tex = _COMMAND.sub(lambda match: _ALIASES[match[1]] + " ", tex.strip())
    try:
        return _draw_cases(known_tex)
    except (ValueError, RuntimeError, AttributeError):  # the last for a formula without ink
        return None


_CASES = re.compile(r"(.*?)\\begin\{cases\}(.*?)\\end\{cases\}(.*)", re.DOTALL)


def _draw_cases(tex: str) -> str:
    """Draw a formula, which may have one distinction of cases."""
    match = _CASES.fullmatch(tex)
    if match is None:
        return _svg(tex)
    prefix, cases, suffix = (part.strip() for part in match.groups())
    rows = [row.split("&") for row in cases.split(r"\\") if row.strip()]
    cells = "".join(f"<span>{_svg(cell.strip())}</span>" for row in rows for cell in row)
    style = f"grid-template-columns:repeat({max(map(len, rows))},auto)"
    grid = f'<span class="cases" style="{style}">{cells}</span>'
    return (_svg(prefix) if prefix else "") + grid + (_svg(suffix) if suffix else "")


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


def _outline(path: Any) -> str:
    words = []
    for vertices, code in path.iter_segments(curves=True, simplify=False):
        letter = _LETTERS[int(code)]
        points = "" if letter == "Z" else " ".join(f"{v:.2f}" for v in _flip(vertices))
        words.append(letter + points)
    return "".join(words)


def _flip(vertices: Iterable[float]) -> Iterator[float]:
    """Yield the numbers with the second axis reversed, since SVG's points down."""
    return (v if i % 2 == 0 else -v for i, v in enumerate(vertices))
