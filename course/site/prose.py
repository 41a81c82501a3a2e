"""Markdown of a lesson -> HTML that stands alone: formulas as MathML, links as their text."""

from __future__ import annotations

import re

import latex2mathml.converter
import mistune
from markupsafe import Markup

_FORMULA = re.compile(r"(?P<code>`[^`]*`)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$]+?)\$", re.S)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)\s]+\)")
_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000(\\d+)\ue001")
_markdown = mistune.create_markdown(escape=False, plugins=["table"])


def mathml(tex: str, display: str) -> str:
    """A formula, `display` being "inline" or "block".

    Raises what latex2mathml raises where it doesn't know a command. It lays out `split`, which is
    the same as `aligned`, alone.
    """
    known = tex.replace("{aligned}", "{split}")
    return latex2mathml.converter.convert(known, display=display)


def prose(text: str) -> Markup:
    """The HTML of some paragraphs. What a link leads to in the notebook's folder is left out."""
    drawn: list[str] = []

    def kept(found: re.Match) -> str:
        if found["code"]:
            return found["code"]
        display = "block" if found["display"] else "inline"
        tex = (found["display"] or found["inline"]).strip()
        drawn.append(mathml(tex, display))
        return _MARK.format(len(drawn) - 1)

    shown = str(_markdown(_FORMULA.sub(kept, _LINK.sub(r"\1", text))))
    return Markup(_MARKED.sub(lambda mark: drawn[int(mark[1])], shown))


def line(text: str) -> Markup:
    """The same for what stands within a line: a number at its beginning makes no list of it."""
    return Markup(re.sub(r"^<p>|</p>\s*$", "", prose(re.sub(r"^(\d+)\.", r"\1\.", text))))
