"""HTML and SVG that a student's code made -> the same, of a few elements that can do nothing.

What is written here is put together anew from a list of names; of the original only text, spans
of table cells and the geometry of drawings are copied. Elements stand where HTML allows them and
all are closed, so that every parser reads the tree that was meant and none gets out of the element
that a page puts it in. Both functions take time linear in the length of their argument.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

DEPTH = 40  # elements inside one another; of what is nested deeper the text remains
SPAN = 50  # columns or rows that a cell of a table may take


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_FREE = _names("""
    b blockquote br code del details div dl em h1 h2 h3 h4 h5 h6 hr i ins kbd ol p pre s small span
    strong sub sup table u ul
""")
_UNSEEN = _names("""
    embed head iframe math noembed noframes noscript object plaintext script select style svg
    template textarea title video audio xmp
""")  # with all that is in them
_ROWS = _names("table thead tbody tfoot")
_PARENTS = {
    "caption": {"table"}, "thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"},
    "tr": _ROWS, "td": {"tr"}, "th": {"tr"}, "li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"},
    "summary": {"details"},
}  # fmt: skip
_STRICT = _ROWS | _names("tr ul ol dl")  # here stand only those with a parent of their own
_EMPTY = _names("br hr")

_BEGUN = re.compile(r"<(?=/?[a-zA-Z]|!--)")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_SPANS = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?(\d{1,4})\b", re.IGNORECASE)


def html_of(page: str, words: Callable[[str], str]) -> str:
    """The page with nothing left in it but its structure. Its text passes through `words`."""
    written = _Tree(words)
    for closes, name, rest, between in _tags(page):
        written.say(between)
        if closes:
            written.close(name)
        elif name:
            written.open(name, rest)
    return written.finished()


def _tags(page: str) -> Iterator[tuple[str, str, str, str]]:
    """("/" or "", name, attributes, text before) of each tag; comments and what isn't seen are
    skipped. The last one has no name."""
    place = 0
    while begun := _BEGUN.search(page, place):
        start = begun.start()
        between, place = page[place:start], start + 1
        if page.startswith("<!--", start):
            end = page.find("-->", start + 2)
            place = len(page) if end < 0 else end + 3
            yield "", "", "", between
        elif tag := _TAG.match(page, start):
            closes, name, place = tag[1], tag[2].lower(), tag.end()
            if name in _UNSEEN and not closes:
                closed = re.compile(f"</{name}[^>]*>", re.IGNORECASE).search(page, place)
                place = closed.end() if closed else len(page)
            yield closes, name, tag[3], between
        else:
            yield "", "", "", f"{between}&lt;"
    yield "", "", "", page[place:]


class _Tree:
    """HTML as it is written, with the elements that are open."""

    def __init__(self, words: Callable[[str], str]) -> None:
        self._words = words
        self._parts: list[str] = []
        self._open: list[str] = []
        self._said: list[str] = []

    def say(self, text: str) -> None:
        """Text; what stands between two elements passes through `words` as a whole."""
        self._said.append(text)

    def open(self, name: str, rest: str) -> None:
        if name in _PARENTS:
            if _PARENTS[name].isdisjoint(self._open):
                return
            while self._open[-1] not in _PARENTS[name]:
                self._end()
        elif name not in _FREE or (self._open and self._open[-1] in _STRICT):
            return
        if len(self._open) >= DEPTH:
            return
        self._flush()
        self._parts.append(f"<{name}{_spans(rest) if name in ('td', 'th') else ''}>")
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
        text = html.unescape("".join(self._said))
        self._parts.append(html.escape(self._words(text), quote=False))
        self._said.clear()

    def finished(self) -> str:
        self._flush()
        while self._open:
            self._end()
        return "".join(self._parts)


def _spans(rest: str) -> str:
    found = {name.lower(): min(int(count), SPAN) for name, count in _SPANS.findall(rest)}
    return "".join(f' {name}="{count}"' for name, count in found.items())


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
_INSIDE = re.compile(r"#[\w.-]+|url\(#[\w.-]+\)")  # another part of the drawing, or a colour
_DANGER = re.compile(r"[<>&\\@{}]|url\(|javascript:|expression", re.IGNORECASE)
_ROOT = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_DRAWS_AGAIN = ("xlink:href", "clip-path", "marker-start", "marker-mid", "marker-end")
LONGEST_ID = 200
DRAWN = 20_000_000  # characters, those of a part counted as often as it is drawn


def svg_of(drawing: str) -> str | None:
    """The drawing, or None where it isn't one or would grow without end while it is drawn."""
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
        """Raises ValueError or ExpatError where the drawing can't be shown."""
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(drawing.encode("utf-8", "replace"), True)
        if not self._using.isdisjoint(self._used):
            raise ValueError("a part that is drawn again draws another: ten such make a billion")
        if sum(self._sizes.get(part, 0) for part in self._used) > DRAWN:
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
        kept = dict(_geometry(attributes))
        if name == "svg":
            kept = {key: value for key, value in kept.items() if _is_small(key, value)}
        target = attributes.get("href", attributes.get("xlink:href", ""))
        if target.startswith("#") and _INSIDE.fullmatch(target):
            kept["xlink:href"] = target
        self._open.append((kept.get("id", ""), self._length))
        if not name.endswith("Gradient") and (again := _drawn_again(kept)):
            self._used += again
            self._using.update(part for part, _ in self._open)
        words = "".join(f" {key}={quoteattr(value)}" for key, value in kept.items())
        self._write(f"<{name}{_ROOT if len(self._open) == 1 else ''}{words}>")

    def _end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        part, before = self._open.pop()
        self._write(f"</{name}>")
        self._sizes[part] = self._length - before

    def _text(self, data: str) -> None:
        if not self._skipping and self._open:
            self._write(escape(data))

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _geometry(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is kept of an element's attributes, its style among them."""
    declared = (pair.partition(":") for pair in attributes.get("style", "").split(";"))
    styled = {name.strip(): value.strip() for name, _, value in declared}
    for name, value in (attributes | styled).items():
        harmless = _INSIDE.fullmatch(value) or not _DANGER.search(value)
        if name in _ATTRIBUTES and harmless and (name != "id" or len(value) <= LONGEST_ID):
            yield name, value


# Pixels in a unit of length; a share is of the page.
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8}
_PIXELS |= {"em": 16.0, "ex": 8.0, "%": 100.0}
_LENGTH = re.compile(r"\+?(\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})([a-z%]*)")
WIDEST = 10_000  # pixels of a drawing
LONGEST_SIDE = 20  # times the other one


def _is_small(key: str, value: str) -> bool:
    """Whether an attribute of a drawing as a whole makes it no larger than a page can show."""
    if key in ("width", "height"):
        length = _LENGTH.fullmatch(value.strip())
        return length is not None and float(length[1]) * _PIXELS.get(length[2], WIDEST) <= WIDEST
    if key != "viewBox":
        return True
    try:
        *_, width, height = map(float, re.split(r"[\s,]+", value.strip()))
    except ValueError:
        return False
    return 0 < width <= LONGEST_SIDE * height and 0 < height <= LONGEST_SIDE * width


def _drawn_again(kept: dict[str, str]) -> list[str]:
    """The parts to which an element with these attributes refers."""
    found = (kept[name] for name in _DRAWS_AGAIN if "#" in kept.get(name, ""))
    return [value.partition("#")[2].rstrip(")") for value in found]
