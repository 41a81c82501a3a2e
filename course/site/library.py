"""The library's reference: a page for each module, written from its docstrings."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import dplab
from course.site.mechanism_examples import EXAMPLES

_OVERVIEWS = {
    "dplab": (
        "The page [All mechanisms](mechanisms.md) compares the mechanisms and has a picture of "
        "each. [Names that are kept](kept_names.md) lists the calls that stay from version 1.0 on."
    ),
    "dplab.mechanisms": (
        "The page [All mechanisms](mechanisms.md) compares them and has a picture of each."
    ),
}
_QUOTED = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([*_<>\[\]$|\\~^#{}])")


def write_library(folder: Path) -> None:
    """Write the pages into `folder`: that of `dplab` leads to all others."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = [dplab, *map(importlib.import_module, _names())]
    for module in modules:
        (folder / f"{module.__name__}.md").write_text(page(module), encoding="utf-8")


def _names() -> Iterator[str]:
    for found in pkgutil.walk_packages(dplab.__path__, "dplab."):
        if not found.name.rpartition(".")[2].startswith("_"):
            yield found.name


def page(module: ModuleType) -> str:
    """One module: where it belongs, what it says of itself, its parts, classes and functions."""
    parts = [f"# {module.__name__}"]
    if above := module.__name__.rpartition(".")[0]:
        parts.append(f"A part of [{above}]({above}.md).")
    parts.append(markdown(inspect.getdoc(module) or ""))
    parts.append(_OVERVIEWS.get(module.__name__, ""))
    if hasattr(module, "__path__"):
        inside = [name for name in _names() if name.rpartition(".")[0] == module.__name__]
        parts.append("\n".join(f"- [{name}]({name}.md): {_first_line(name)}" for name in inside))
        parts.append("```{toctree}\n:hidden:\n\n" + "\n".join(inside) + "\n```")
    for name, thing in _own(vars(module), module.__name__):
        parts += _described(name, thing, 2)
    return "\n\n".join(part for part in parts if part) + "\n"


def _first_line(module: str) -> str:
    return escaped((inspect.getdoc(importlib.import_module(module)) or "").partition("\n")[0])


def _own(names: dict, module: str) -> list[tuple[str, object]]:
    """Public classes and functions that are defined there, in the order of the text."""
    found = [
        (name, thing)
        for name, thing in names.items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isroutine(thing))
        and getattr(thing, "__module__", "") == module
    ]
    return found


def _described(name: str, thing: object, level: int) -> Iterator[str]:
    kind = "class " if inspect.isclass(thing) else ""
    yield f"{'#' * level} {kind}{name}"
    if signature := _signature(name, thing):
        yield f"```python\n{signature}\n```"
    yield markdown(_docstring(thing))
    if name in EXAMPLES:
        yield f"[Formula, picture, guarantee and cost](mechanisms.md#{name.lower()})"
    if inspect.isclass(thing):
        for inner, member in vars(thing).items():
            if not inner.startswith("_") and (text := _docstring(member)):
                yield f"**{escaped(_signature(inner, member) or inner)}**\n\n{markdown(text)}"


def _signature(name: str, thing: object) -> str:
    thing = getattr(thing, "__func__", thing)
    if not callable(thing):
        return name
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    shown = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
    return f"{name}{shown}"


def _docstring(thing: object) -> str:
    """Its own text; none for what a dataclass writes of itself, or a base or a type has said."""
    thing = getattr(thing, "__func__", getattr(thing, "fget", None) or thing)
    text = getattr(thing, "__doc__", None) or getattr(getattr(thing, "func", None), "__doc__", None)
    if not isinstance(text, str) or text.startswith(f"{getattr(thing, '__name__', '')}("):
        return ""
    if text == type(thing).__doc__:  # of a default value, such as float's
        return ""
    return inspect.cleandoc(text)


def markdown(docstring: str) -> str:
    """A docstring as Markdown: examples and formulas on lines of their own are left as they are."""
    blocks = re.split(r"\n\s*\n", docstring)
    return "\n\n".join(_block(block) for block in blocks)


def _block(block: str) -> str:
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```"
    if block.startswith("    "):
        return f"```text\n{dedent(block)}\n```"
    before, mark, example = block.partition("\n>>>")
    return escaped(before) + (f"\n\n```pycon\n>>>{example}\n```" if mark else "")


def escaped(text: str) -> str:
    """Return the text with nothing of it Markdown, except for code between backticks."""
    parts = _QUOTED.split(text)
    return "".join(part if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in parts)
