"""Markdown of a lesson -> HTML that stands alone: formulas as MathML, links as their text."""

from __future__ import annotations

import re
import unicodedata
from xml.etree import ElementTree

import latex2mathml.converter
import mistune
from markupsafe import Markup

_FORMULA = re.compile(r"(?P<code>`[^`]*`)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$]+?)\$", re.S)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)\s]+\)")
_MARK = "\ue000{}\ue001"
HELD = '[.,;:!?)"”]'  # what must not begin a line, behind a formula
_MARKED = re.compile(f"\ue000(\\d+)\ue001((?:{HELD}|&quot;)*)")
_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_ROWS = {f"{_MATHML}{tag}" for tag in ("math", "mrow", "mtd", "msqrt", "mstyle")}
_INDEXED = {f"{_MATHML}{tag}" for tag in ("msub", "msup", "msubsup", "munder")}
_PRIMED = {f"{_MATHML}{tag}" for tag in ("msup", "msubsup")}
_SIGN, _SPACE = f"{_MATHML}mo", f"{_MATHML}mspace"
_WORDS, _APART = {f"{_MATHML}mi", _SIGN}, {_SIGN, _SPACE}
_NAME = re.compile(r"[A-Za-z]{2,}")
_CLOSE = re.compile(r"[A-Za-z]{2,}|[|‖]")  # signs to which MathML gives room, and TeX none
ElementTree.register_namespace("", _MATHML[1:-1])
_markdown = mistune.create_markdown(escape=False, plugins=["table"])


def mathml(tex: str, display: str) -> str:
    """A formula, `display` being "inline" or "block".

    Raises what latex2mathml raises where it doesn't know a command. It lays out `split`, which is
    the same as `aligned`, alone.
    """
    known = tex.replace("{aligned}", "{split}")
    formula = ElementTree.fromstring(latex2mathml.converter.convert(known, display=display))
    for part in list(formula.iter()):
        style = part.get("mathvariant", "normal")
        if style != "normal":
            part.text = "".join(_letter(letter, style) for letter in part.text or "")
            del part.attrib["mathvariant"]
        if part.tag == _SIGN and _CLOSE.fullmatch(part.text or ""):
            part.attrib |= {"lspace": "0", "rspace": "0"}
        elif part.tag in _PRIMED and part[-1].text in ("′", "″"):
            _raise_prime(part)
        elif part.tag in _ROWS:
            part[:] = _spaced(part)
    return ElementTree.tostring(formula, encoding="unicode")


def _raise_prime(part: ElementTree.Element) -> None:
    """A prime beside its letter, where it is high already: as an index it is a speck."""
    base, *below, prime = part
    row = ElementTree.Element(f"{_MATHML}mrow")
    row[:] = [base, prime]
    part.tag = f"{_MATHML}{'msub' if below else 'mrow'}"
    part[:] = [row, *below] if below else [base, prime]


def _letter(letter: str, style: str) -> str:
    """The character for a double-struck E: Chromium ignores such a style of a plain one."""
    name = unicodedata.name(letter).replace("LATIN", style).replace("LETTER ", "")
    try:
        return unicodedata.lookup(f"MATHEMATICAL {name}")
    except KeyError:  # as with R, which is older
        return unicodedata.lookup(name)


def _spaced(row: ElementTree.Element) -> list[ElementTree.Element]:
    """Its parts with thin spaces around names such as log, as TeX has them."""
    parts: list[ElementTree.Element] = []
    for part in row:
        if parts and (
            (_is_function(part) and (parts[-1].tag not in _APART or parts[-1].text in (*")]",)))
            or (_is_function(parts[-1]) and part.tag not in _APART)
        ):
            parts.append(ElementTree.Element(_SPACE, width="0.167em"))
        parts.append(part)
    return parts


def _is_function(part: ElementTree.Element) -> bool:
    """A name of two letters or more, perhaps with an index."""
    name = part[0] if part.tag in _INDEXED else part
    return name.tag in _WORDS and bool(_NAME.fullmatch(name.text or ""))


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
    return Markup(_MARKED.sub(lambda mark: unbroken(drawn[int(mark[1])], mark[2]), shown))


def unbroken(formula: str, after: str) -> str:
    """A formula in a line, and what must not begin the next one."""
    return f'<span style="white-space: nowrap">{formula}{after}</span>' if after else formula


def line(text: str) -> Markup:
    """The same for what stands within a line: a number at its beginning makes no list of it."""
    return Markup(re.sub(r"^<p>|</p>\s*$", "", prose(re.sub(r"^(\d+)\.", r"\1\.", text))))
