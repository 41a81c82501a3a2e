"""The theme's style sheet without the rules for classes that no page has.

It is made for every kind of page. The site's pages wait for it, so that a smaller one is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

THEME = Path("_static/styles/pydata-sphinx-theme.css")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_WORD = re.compile(r"-?[A-Za-z_][\w-]*")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_BRACKETS = re.compile(r"\([^()]*\)")
_PARTED = re.compile(r",(?![^(\[]*[)\]])")  # selectors, but not what is within one
_STRING = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
_MARK = re.compile(rf"[{{}};]|url\((?:{_STRING}|[^)]*)\)|{_STRING}")
_GROUP = ("@media", "@supports", "@layer", "@container")


def shrink_theme(site: Path) -> None:
    """Leave out rules for classes that are in no page and no script of the site."""
    words: set[str] = set()
    for path in [*site.rglob("*.html"), *(site / "_static").rglob("*.js")]:
        if "lite" not in path.relative_to(site).parts:
            words.update(_WORD.findall(path.read_text(encoding="utf-8")))
    sheet = site / THEME
    sheet.write_text(needed(sheet.read_text(encoding="utf-8"), words), encoding="utf-8")


def needed(css: str, words: set[str]) -> str:
    """Return the rules of a style sheet whose classes are all among the words."""
    return "".join(_needed(_COMMENT.sub("", css), words))


def _needed(css: str, words: set[str]) -> Iterator[str]:
    for head, body in _rules(css):
        name = head.strip()
        if name.startswith(_GROUP):
            inside = needed(body, words)
            if inside.strip():
                yield f"{head}{{{inside}}}"
        elif not body or name.startswith("@"):
            yield f"{head}{{{body}}}" if body else f"{head};"
        elif kept := [one for one in _PARTED.split(name) if _is_needed(one, words)]:
            yield f"{','.join(kept)}{{{body}}}"


def _is_needed(selector: str, words: set[str]) -> bool:
    """Whether all its classes are there. Those in brackets, as in :is(.a, .b), needn't be."""
    outside, count = selector, 1
    while count:
        outside, count = _BRACKETS.subn("", outside)
    return words.issuperset(_CLASS.findall(outside))


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and within the outermost braces; a statement without has no body."""
    depth, begun, opened = 0, 0, 0
    for mark in _MARK.finditer(css):
        if mark[0] == "{":
            depth, opened = depth + 1, opened if depth else mark.start()
        elif mark[0] == "}":
            depth -= 1
            if depth == 0:
                yield css[begun:opened], css[opened + 1 : mark.start()]
                begun = mark.end()
        elif mark[0] == ";" and depth == 0:
            yield css[begun : mark.start()], ""
            begun = mark.end()
