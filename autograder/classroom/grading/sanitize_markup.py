"""Rebuild HTML and SVG that a student's code made, from a few elements that can do nothing.

The result is put together from a list of names. Only text, spans of table cells and the geometry
of drawings are copied. Elements are where HTML allows them, and all are closed. So every parser
reads the intended tree, and the result stays inside the element that a page puts it in. Both
functions take time linear in the length of their argument.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

DEPTH = 40  # nested elements; only the text of deeper ones remains
MAX_CELL_SPAN = 50  # columns or rows that a cell of a table may take


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ANYWHERE = _names("""
    b blockquote br code del details div dl em h1 h2 h3 h4 h5 h6 hr i ins kbd ol p pre s small span
    strong sub sup table u ul
""")
_INVISIBLE = _names("""
    embed head iframe math noembed noframes noscript object plaintext script select style svg
    template textarea title video audio xmp
""")  # these are left out with all their contents
_ROWS = _names("table thead tbody tfoot")
_PARENTS = {
    "caption": {"table"}, "thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"},
    "tr": _ROWS, "td": {"tr"}, "th": {"tr"}, "li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"},
    "summary": {"details"},
}  # fmt: skip
_STRICT = _ROWS | _names("tr ul ol dl")  # these contain only elements that need such a parent
_EMPTY = _names("br hr")

_TAG_START = re.compile(r"<(?=/?[a-zA-Z]|!--)")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_SPANS = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?(\d{1,4})\b", re.IGNORECASE)


def html_of(page: str, words: Callable[[str], str]) -> str:
    """Return the page reduced to its structure. Its text passes through `words`."""
    tree = _Tree(words)
    for slash, name, attributes, text in _tags(page):
        tree.say(text)
        if slash:
            tree.close(name)
        elif name:
            tree.open(name, attributes)
    return tree.finished()


def _tags(page: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield ("/" or "", name, attributes, text before) of each tag.

    Comments and invisible elements are left out. The last tag has no name.
    """
    place = 0
    while match := _TAG_START.search(page, place):
        start = match.start()
        text, place = page[place:start], start + 1
        if page.startswith("<!--", start):
            end = page.find("-->", start + 2)
            place = len(page) if end < 0 else end + 3
            yield "", "", "", text
        elif tag := _TAG.match(page, start):
            slash, name, place = tag[1], tag[2].lower(), tag.end()
            if name in _INVISIBLE and not slash:
                end_tag = re.compile(f"</{name}[^>]*>", re.IGNORECASE).search(page, place)
                place = end_tag.end() if end_tag else len(page)
            yield slash, name, tag[3], text
        else:
            yield "", "", "", f"{text}&lt;"
    yield "", "", "", page[place:]


class _Tree:
    """HTML while it is written, with the elements that are open."""

    def __init__(self, words: Callable[[str], str]) -> None:
        self._words = words
        self._parts: list[str] = []
        self._open: list[str] = []
        self._texts: list[str] = []

    def say(self, text: str) -> None:
        """Add text; all text between two elements passes through `words` as a whole."""
        self._texts.append(text)

    def open(self, name: str, attributes: str) -> None:
        if name in _PARENTS:
            if _PARENTS[name].isdisjoint(self._open):
                return
            while self._open[-1] not in _PARENTS[name]:
                self._end()
        elif name not in _ANYWHERE or (self._open and self._open[-1] in _STRICT):
            return
        if len(self._open) >= DEPTH:
            return
        self._flush()
        self._parts.append(f"<{name}{_spans(attributes) if name in ('td', 'th') else ''}>")
        if name not in _EMPTY:
            self._open.append(name)

    def close(self, name: str) -> None:
        if name in self._open:
            while self._end() != name:
                pass

    def _end(self) -> str:
        self._flush()
        self._parts.append(f"</{self._open[-1]}>")
        return self._open.pop()

    def _flush(self) -> None:
        text = html.unescape("".join(self._texts))
        self._parts.append(html.escape(self._words(text), quote=False))
        self._texts.clear()

    def finished(self) -> str:
        self._flush()
        while self._open:
            self._end()
        return "".join(self._parts)


def _spans(attributes: str) -> str:
    spans = {
        name.lower(): min(int(count), MAX_CELL_SPAN) for name, count in _SPANS.findall(attributes)
    }
    return "".join(f' {name}="{count}"' for name, count in spans.items())


_SHAPES = _names("""
    circle clipPath defs desc ellipse g line linearGradient marker path polygon polyline
    radialGradient rect stop svg symbol text title tspan use
""")
_ATTRIBUTES = _names("""
    clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity fill-rule
    font-family font-size font-style font-weight fx fy gradientTransform gradientUnits height id
    letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth offset
    opacity orient points preserveAspectRatio r refX refY rx ry stop-color stop-opacity stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-opacity stroke-width text-anchor text-decoration transform viewBox visibility width x
    x1 x2 y y1 y2
""")
_INTERNAL = re.compile(r"#[\w.-]+|url\(#[\w.-]+\)")  # another part of the drawing, or a colour
_DANGER = re.compile(r"[<>&\\@{}]|url\(|javascript:|expression", re.IGNORECASE)
_ROOT = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_REFERRING = ("xlink:href", "clip-path", "marker-start", "marker-mid", "marker-end")
MAX_ID_CHARACTERS = 200
MAX_DRAWN_CHARACTERS = 20_000_000  # characters; a part counts as often as it is drawn


def svg_of(drawing: str) -> str | None:
    """Return the drawing, or None if it isn't one or would grow without end while it is drawn."""
    try:
        return _Drawing().read(drawing)
    except (expat.ExpatError, ValueError):
        return None


class _Drawing:
    """Writes a drawing's shapes as a parser finds them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._open: list[tuple[str, int]] = []  # id, and the length before it
        self._skipping = 0  # elements that are open and not shown, one inside the other
        self._using: set[str] = set()  # the parts that contain a reference
        self._used: list[str] = []
        self._sizes: dict[str, int] = {}

    def read(self, drawing: str) -> str:
        """Rebuild a drawing; raise ValueError or ExpatError if it can't be shown."""
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(drawing.encode("utf-8", "replace"), True)
        if not self._using.isdisjoint(self._used):
            raise ValueError("a part that is drawn again draws another: ten such make a billion")
        if sum(self._sizes.get(part, 0) for part in self._used) > MAX_DRAWN_CHARACTERS:
            raise ValueError("too much to draw")
        return "".join(self._parts)

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal:
            raise ValueError("the drawing defines words of its own")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._skipping or name not in _SHAPES or (not self._open and name != "svg"):
            self._skipping += 1
            return
        if len(self._open) > DEPTH:
            raise ValueError("nested too deep")
        geometry = dict(_geometry(attributes))
        if name == "svg":
            geometry = {key: value for key, value in geometry.items() if _is_small(key, value)}
        target = attributes.get("href", attributes.get("xlink:href", ""))
        if target.startswith("#") and _INTERNAL.fullmatch(target):
            geometry["xlink:href"] = target
        self._open.append((geometry.get("id", ""), self._length))
        if not name.endswith("Gradient") and (references := _find_references(geometry)):
            self._used += references
            self._using.update(part for part, _ in self._open)
        text = "".join(f" {key}={quoteattr(value)}" for key, value in geometry.items())
        self._write(f"<{name}{_ROOT if len(self._open) == 1 else ''}{text}>")

    def _end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        part, start = self._open.pop()
        self._write(f"</{name}>")
        self._sizes[part] = self._length - start

    def _text(self, data: str) -> None:
        if not self._skipping and self._open:
            self._write(escape(data))

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _geometry(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the attributes to keep, of an element and of its style."""
    declarations = (pair.partition(":") for pair in attributes.get("style", "").split(";"))
    style = {name.strip(): value.strip() for name, _, value in declarations}
    for name, value in (attributes | style).items():
        is_harmless = _INTERNAL.fullmatch(value) or not _DANGER.search(value)
        is_short = name != "id" or len(value) <= MAX_ID_CHARACTERS
        if name in _ATTRIBUTES and is_harmless and is_short:
            yield name, value


# Pixels in a unit of length; a percentage is of the page.
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8}
_PIXELS |= {"em": 16.0, "ex": 8.0, "%": 100.0}
_LENGTH = re.compile(r"\+?(\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})([a-z%]*)")
MAX_PX = 10_000  # pixels of a drawing
MAX_SIDE_RATIO = 20  # a side may be at most so many times the other one


def _is_small(key: str, value: str) -> bool:
    """Return whether a page can show a whole drawing that has this attribute."""
    if key in ("width", "height"):
        length = _LENGTH.fullmatch(value.strip())
        return length is not None and float(length[1]) * _PIXELS.get(length[2], MAX_PX) <= MAX_PX
    if key != "viewBox":
        return True
    try:
        *_, width, height = map(float, re.split(r"[\s,]+", value.strip()))
    except ValueError:
        return False
    return 0 < width <= MAX_SIDE_RATIO * height and 0 < height <= MAX_SIDE_RATIO * width


def _find_references(attributes: dict[str, str]) -> list[str]:
    """Return the parts to which an element with these attributes refers."""
    references = (attributes[name] for name in _REFERRING if "#" in attributes.get(name, ""))
    return [value.partition("#")[2].rstrip(")") for value in references]
