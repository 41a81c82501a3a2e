"""The page of the site that compares all mechanisms and shows each with an example.

Formula and source come from the docstring of the mechanism, or else from that of its module. The
picture, the guarantee and the cost come from the example in `mechanism_examples.py`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import re
from collections.abc import Iterator
from decimal import ROUND_CEILING, Context
from pathlib import Path
from textwrap import dedent

import dplab
from course.site.formula_text import typeset
from course.site.law_pictures import draw_mechanism
from course.site.library import escaped
from course.site.mechanism_examples import GROUPS, Example
from dplab.accounting import Bounds, Release, epsilon_bounds
from dplab.mechanism import Mechanism
from dplab.neighbors import AddRemoveOne, ReplaceOne
from dplab.release_service import Broken, ClippedByBatch

PAGE = "mechanisms"
PICTURES = "pictures"
DELTA, DELTA_TEXT = 1e-6, "10⁻⁶"
OTHER_PARTS = ("dplab.widgets", "dplab.interop")  # pictures, and mechanisms of other libraries
SAME = 1e-3  # relative; ends nearer than that are shown as one number
COUNTS = (1, 100)  # releases whose cost is shown
NEIGHBORS = {ReplaceOne: "replace one record", AddRemoveOne: "add or remove one record"}
BROKEN = (Broken, ClippedByBatch)  # they state a guarantee that they don't keep
ROUNDED = re.compile(r"\d+\.\d+(?:e[+-]?\d+)?")  # a float in a guarantee
ESCAPED_STAR = r"\*"
WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SOURCE = re.compile(r"\bSources?(?: of [^:.]+)?: (.+)", re.S)
INTRODUCTION = f"""
# All mechanisms

Each mechanism of the library has a section below: its formula, a picture of an example, what the
example guarantees and costs, the source, and the code.

- The **picture** shows the distributions of the output on two neighbours, x and y. If the library
  has no distribution of one number or one choice, the picture is a trade-off curve: how often the
  best test for one person misses, at each share of false alarms.
- The **guarantee** is that of the example, and so is the **cost**: the least ε at δ = {DELTA_TEXT}.
  The library certifies it. If it knows only an upper bound, there is a ≤.
""".strip()


def write_mechanisms(folder: Path) -> None:
    """Write the page and its pictures into `folder`."""
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    parts = [INTRODUCTION, comparison()]
    for caption, examples in GROUPS.items():
        parts.append(f"## {caption}")
        for name, example in examples.items():
            parts += _section(name, example, folder)
    parts += _broken_ones()
    (folder / f"{PAGE}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def kinds() -> dict[str, type[Mechanism]]:
    """Return all public mechanisms of the library by name, without abstract base classes."""
    for module in pkgutil.walk_packages(dplab.__path__, "dplab."):
        if not module.name.startswith(OTHER_PARTS):
            importlib.import_module(module.name)
    found = {
        kind.__name__: kind
        for kind in _below(Mechanism)
        if kind.__module__.startswith("dplab.")
        and not kind.__module__.startswith(OTHER_PARTS)
        and not kind.__name__.startswith("_")
        and not inspect.isabstract(kind)
    }
    return dict(sorted(found.items()))


def _below(kind: type) -> Iterator[type]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)


def is_broken(kind: type[Mechanism]) -> bool:
    """Return whether a mechanism is made to break the guarantee that it states."""
    return kind.__module__.startswith("dplab.attacks.") or issubclass(kind, BROKEN)


def formula(kind: type[Mechanism]) -> str:
    """Return the first block of its docstring, or of its module's, that is indented; or ""."""
    for text in _docstrings(kind):
        for block in re.split(r"\n\s*\n", text):
            if block.startswith("    "):
                return dedent(block)
    return ""


def source(kind: type[Mechanism]) -> str:
    """Return the text after "Source:" in its docstring or its module's, or ""."""
    for text in _docstrings(kind):
        for block in re.split(r"\n\s*\n", text):
            if found := _SOURCE.search(block):
                return " ".join(found[1].split())
    return ""


def _docstrings(kind: type) -> list[str]:
    module = inspect.getmodule(kind)
    return [inspect.cleandoc(thing.__doc__ or "") for thing in (kind, module)]


def comparison() -> str:
    """Return the table of all mechanisms; a long name may be broken before a capital letter."""
    lines = ["| Mechanism | Answers | Neighbours | Guarantee | Noise |", "|---|---|---|---|---|"]
    for examples in GROUPS.values():
        for name, example in examples.items():
            mechanism = example.run()["mechanism"]
            cells = (
                f"[{WORD_START.sub('<wbr>', name)}](#{name.lower()})",
                example.answers,
                _neighbors(mechanism),
                _guarantee(mechanism),
                example.noise,
            )
            lines.append(f"| {' | '.join(cells)} |")
    table = "\n".join(lines)
    return f"```{{table}}\n:class: mechanisms\n\n{table}\n```"


def _section(name: str, example: Example, folder: Path) -> Iterator[str]:
    names = example.run()
    mechanism = names["mechanism"]
    kind = type(mechanism)
    picture, text = draw_mechanism(mechanism, names["x"], names["y"])
    (folder / PICTURES / f"{name}.png").write_bytes(picture)
    yield f"### {name}"
    yield f"{_first_line(kind)} {_link(kind, 'All of its documentation')}."
    yield f'<p class="law-formula">{typeset(formula(kind))}</p>'
    options = f":alt: {text}\n:class: law\n:loading: lazy"
    yield f"```{{image}} {PICTURES}/{name}.png\n{options}\n```"
    yield (
        f"- **Neighbours:** {_neighbors(mechanism)}\n"
        f"- **Guarantee:** {_guarantee(mechanism)}\n"
        f"- **Cost at δ = {DELTA_TEXT}:** {cost(mechanism)}\n"
        f"- **Source:** {escaped(source(kind)).replace(ESCAPED_STAR, '*')}"  # a title is in italics
    )
    yield f"```python\n{example.code}\n```"


def _first_line(kind: type) -> str:
    return escaped(inspect.cleandoc(kind.__doc__ or "").partition("\n")[0])


def _link(kind: type, text: str) -> str:
    return f"[{text}]({kind.__module__}.md#class-{kind.__name__.lower()})"


def _neighbors(mechanism: Mechanism) -> str:
    return NEIGHBORS[type(mechanism.neighbors)]


def _guarantee(mechanism: Mechanism) -> str:
    return f"`{ROUNDED.sub(lambda number: f'{float(number[0]):.4g}', repr(mechanism.guarantee))}`"


def cost(mechanism: Mechanism) -> str:
    """Return the cost of one and of 100 releases, in words."""
    costs = [epsilon_bounds([Release(mechanism, count)], delta=DELTA) for count in COUNTS]
    if all(bounds.lower == math.inf for bounds in costs):
        return "no finite ε, because this δ is too small"
    one, many = map(tell_epsilon, costs)
    return f"{one} for one release, {many} for {COUNTS[1]} releases"


def tell_epsilon(bounds: Bounds) -> str:
    """Return an epsilon with four digits, rounded up; the lower end if it is the mechanism's.

    >>> tell_epsilon(Bounds(0.49999, 0.50001)), tell_epsilon(Bounds(0.0, 2.5))
    ('ε = 0.5001', 'ε ≤ 2.5')
    """
    if bounds.upper == math.inf:
        return "no finite ε" if bounds.lower == math.inf else f"ε ≥ {bounds.lower:.4g}"
    top = f"{Context(prec=4, rounding=ROUND_CEILING).create_decimal(bounds.upper).normalize():f}"
    if bounds.lower_of == "guarantee":  # the mechanism may cost less
        return f"ε ≤ {top}"
    if bounds.upper <= bounds.lower * (1 + SAME):
        return f"ε = {top}"
    return f"ε ≤ {top}" if bounds.lower == 0 else f"{bounds.lower:.4g} ≤ ε ≤ {top}"


def _broken_ones() -> Iterator[str]:
    yield "## Mechanisms that break their guarantee"
    yield (
        "Each of these states a guarantee and does not keep it. Lessons and problem sets attack "
        "them, and audits find them. Never use one."
    )
    broken = [kind for kind in kinds().values() if is_broken(kind)]
    yield "\n".join(f"- {_link(kind, kind.__name__)}: {_first_line(kind)}" for kind in broken)
