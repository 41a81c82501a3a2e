r"""A graded notebook that is safe to open: what its student wrote can be looked at, nothing else.

Viewers, nbgrader's formgrader among them, show the text and the outputs of a notebook as they are.
HTML there is a page of the teacher's own server: a script in it reads the hidden tests. So

- text loses what markdown, HTML and TeX act upon, by a space put in between: `< b>`, `] (address)`,
  `\ href`. No viewer's idea of markdown has to be known for that, code stays readable, and formulas
  look as before, those with `<` and `&` too;
- of an output the kinds are kept that are listed below, each rebuilt from what is known to be
  harmless, and of its metadata the size of a picture.

Code, and what stands as it was released, isn't touched.
"""

from __future__ import annotations

import base64
import binascii
import functools
import re
from collections.abc import Callable, Collection, Iterable
from urllib.parse import unquote

from autograder.classroom import markup
from autograder.wire.contract import MESSAGES

TEXT_LIMIT = 20_000  # characters of one text
HTML_LIMIT = 60_000  # of one page among the outputs
PICTURE_LIMIT = 4 << 20  # bytes
WIDEST = 10_000  # pixels of a picture

# What viewers take long to show, some of them quadratically: characters in one notebook by kind,
# and the number of outputs.
CODE, OUTPUTS = "code", "outputs"
LIMITS = {
    CODE: 400_000, OUTPUTS: 1_000, "text/markdown": 100_000, "text/latex": 100_000,
    "text/html": 1_000_000, "image/svg+xml": 16 << 20,
}  # fmt: skip


class Room:
    """How much of each kind one notebook may still show."""

    def __init__(self) -> None:
        self._left = dict(LIMITS)

    def take(self, kind: str, wanted: int) -> int:
        """As much as is wanted, or what is left."""
        if kind not in self._left:
            return wanted
        given = min(wanted, self._left[kind])
        self._left[kind] -= given
        return given


def cells(found: Iterable[dict], theirs: Collection[str]) -> list[dict]:
    """The cells of a notebook. `theirs` are the texts of the problem set, which are kept."""
    room = Room()
    return [_cell(cell, theirs, room) for cell in found]


def _cell(cell: dict, theirs: Collection[str], room: Room) -> dict:
    made, source = dict(cell), cell["source"]
    pictures = made.pop("attachments", None)
    if cell["cell_type"] == "code":
        made["outputs"] = _outputs(cell["outputs"], room)
        if source not in theirs:
            made["source"] = shortened(source, room.take(CODE, len(source)), "# ")
        return made
    kept, names = _attachments(pictures)
    if source not in theirs:
        limit = room.take("text/markdown", min(len(source), TEXT_LIMIT))
        made["source"] = text(shortened(source, limit), names)
    return made | ({"attachments": kept} if kept else {})


def shortened(source: str, limit: int, before: str = "") -> str:
    """The text, with a last line that says so where some is left out."""
    if len(source) <= limit:
        return source
    return f"{source[:limit]}\n{before}… {len(source) - limit:,} more characters are not shown"


# In TeX: what leads elsewhere, sets styles, loads, defines other words anew, or moves far away.
_COMMANDS = (
    "href url require unicode class style cssId data bbox html[A-Z][a-z]* mmlToken includegraphics "
    "input include special tip tooltip texttip mathtip toggle action csname catcode def gdef edef "
    "xdef let futurelet renewcommand providecommand renewenvironment raise lower raisebox moveleft "
    "moveright llap rlap clap mathllap mathrlap mathclap Rule Space smash Tiny Huge "
    "fcolorbox definecolor pagecolor"
)
# A colour's name, its six digits, or its shares. It becomes a style as it is, so nothing else may
# be there; digits that begin with another one than 0 could be an argument, such as #1.
_COLOUR = r"\s*\{\s*(?:[a-zA-Z]+|#[a-fA-F0][a-fA-F0-9]{2,5})\s*\}|\s*\[[a-zA-Z]+\]\s*\{[0-9., ]+\}"
_TEX = re.compile(
    rf"\\(?=(?:{'|'.join(_COMMANDS.split())})(?![a-zA-Z]))"
    rf"|\\(?=(?:color|textcolor|colorbox)(?![a-zA-Z])(?!{_COLOUR}))"
    r"|\\(?=(?:[hmv]?skip|[hmv]space|m?kern|rule)\*?[\s{\[]*-)"  # backwards, over what is there
    r"|\\(?=\\\*?[ \t]*\[\s*-)"
)


def tex(source: str) -> str:
    r"""TeX without commands that do anything but typeset: `\href` becomes `\ href`."""
    return _TEX.sub(r"\\ ", source) if "\\" in source else source


# HTML, and addresses between <>; links, and what names them; entities, which could be any of these;
# fences whose content is a program; and headings: their words are their id, by which the formgrader
# finds the boxes for points. An invisible sign makes it another, and what underlines is indented.
_MARKDOWN = re.compile(
    r"(?P<tag><)(?=[A-Za-z/!?])|(?P<link>\])(?=[(\[:])|(?P<entity>&)(?=#|[A-Za-z][A-Za-z0-9]*;)"
    r"|(?P<fence>[`~]{3}[ \t]*)(?=mermaid)|(?P<heading>^[ \t>*+\-\d.):]*#{1,6})(?=[ \t]|$)"
    r"|(?P<underlined>\S[ \t]*\n[ \t>]*)(?=(?:=+|-+)[ \t]*$)",
    re.MULTILINE,
)
_PUT_IN = {"fence": "text ", "heading": " \u2060", "underlined": "    "}
_PICTURE = re.compile(r"!\[([^\[\]\n\\]{0,200})\]\(attachment:([^\s()<>]{1,300})\)")
_LONG_RUN = re.compile(r"([^\w\s])\1{99,}")


def text(source: str, pictures: dict[str, str] | None = None) -> str:
    """Markdown in which nothing is HTML, a link that leads elsewhere than it says, or a formula
    that does more than show itself. `pictures` has the new names of those that are attached, each
    of which is shown once.
    """
    left, parts, place = dict(pictures or {}), [], 0
    source = printed(source)
    for found in _PICTURE.finditer(source) if left else ():
        if name := left.pop(unquote(found[2]), None):
            parts += [_inert(source[place : found.start()]), f"![{_inert(found[1])}]"]
            parts.append(f"(attachment:{name})")
            place = found.end()
    return "".join([*parts, _inert(source[place:])])


def _inert(source: str) -> str:
    apart = _MARKDOWN.sub(lambda sign: sign[0] + _PUT_IN.get(sign.lastgroup or "", " "), source)
    return tex(_LONG_RUN.sub(lambda run: run[1] * 3 + " …", apart))


def _attachments(found: object) -> tuple[dict, dict[str, str]]:
    """The pasted pictures that are what they claim, and each one's new name by its old one."""
    kept: dict[str, dict] = {}
    names: dict[str, str] = {}
    for name, versions in found.items() if isinstance(found, dict) else ():
        shown = {
            kind: picture(kind, versions[kind]) for kind in _PICTURES if kind in _dict(versions)
        }
        if shown := {kind: data for kind, data in shown.items() if data}:
            names[name] = name if _PLAIN_NAME.fullmatch(name) else f"picture-{len(names) + 1}"
            kept[names[name]] = shown
    return kept, names


_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")


_NOT_PRINTED = re.compile(
    r"\x1b\[[0-9;]{0,40}m|\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)?"
    "|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def printed(source: str) -> str:
    """Text with the colours of a terminal, but none of its other commands; signs that turn the
    direction of writing are shown by their number."""
    return _NOT_PRINTED.sub(_as_printed, source)


def _as_printed(found: re.Match) -> str:
    sign = found[0]
    if sign > "\u2000":
        return f"\\u{ord(sign):04x}"
    return sign if len(sign) > 2 and sign[1] == "[" and sign[-1] == "m" else ""


def _outputs(found: list[dict], room: Room) -> list[dict]:
    """What decides points, in a test, is kept, whatever the number of outputs."""
    kept = [one for one in found if _decides(one) or room.take(OUTPUTS, 1)]
    shown = [output(one, room) for one in kept]
    if len(kept) < len(found):
        text = f"[{len(found) - len(kept):,} more outputs are not shown]\n"
        shown.append({"output_type": "stream", "name": "stdout", "text": text})
    return shown


def _decides(found: dict) -> bool:
    return found.get("output_type") in ("error", "execute_result") or found.get("name") == "stderr"


def output(found: dict, room: Room | None = None) -> dict:
    """An output of the same type, of which any viewer can show everything."""
    kind = found.get("output_type")
    if kind == "stream":
        name = "stderr" if found.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": printed(joined(found.get("text")))}
    if kind == "error":
        lines = found.get("traceback")
        shown = {name: printed(joined(found.get(name))) for name in ("ename", "evalue")}
        trace = [printed(joined(line)) for line in lines] if isinstance(lines, list) else []
        return {"output_type": kind, **shown, "traceback": trace}
    data = _data(_dict(found.get("data")), room or Room())
    made: dict[str, object] = {"output_type": "display_data", "data": data}
    made["metadata"] = _sizes(_dict(found.get("metadata")), data)
    if kind == "execute_result":
        count = found.get("execution_count")
        made |= {"output_type": kind, "execution_count": count if type(count) is int else None}
    return made


def joined(value: object) -> str:
    """An output's text, which a notebook holds as a string or as a list of lines."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return value if isinstance(value, str) else "" if value is None else str(value)


def _dict(value: object) -> dict:
    return value if isinstance(value, dict) else {}


def _data(found: dict, room: Room) -> dict:
    """The representations that are kept, or a line of text that says what there was."""
    kept = {}
    for kind in _KEPT.keys() & found.keys():
        size = len(joined(found[kind]))
        if size <= _LONGEST.get(kind, size) and room.take(kind, size) == size:
            kept[kind] = _KEPT[kind](found[kind])
    kept = {kind: kept[kind] for kind in found if kept.get(kind)}
    if kept or not found:
        return kept
    kinds = ", ".join(printed(str(kind))[:60] for kind in list(found)[:3])
    return {"text/plain": f"[{kinds}: not shown; it is too long, or could do more than be seen]"}


def _sizes(metadata: dict, data: dict) -> dict:
    """Width and height of pictures, where they are small numbers."""
    kept: dict[str, dict] = {}
    for kind in _PICTURES.keys() & data.keys():
        wanted = {name: _dict(metadata.get(kind)).get(name) for name in ("width", "height")}
        sizes = {name: n for name, n in wanted.items() if type(n) is int and 0 < n <= WIDEST}
        kept |= {kind: sizes} if sizes else {}
    return kept


def page(source: str) -> str:
    """HTML that code made, with its structure alone: tables, mostly."""
    return markup.html_of(source, lambda said: tex(printed(said)))


_PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}


def picture(kind: str, found: object) -> str:
    """A picture's base64, or nothing where it isn't what it claims, or would fill the memory."""
    try:
        raw = base64.b64decode("".join(joined(found).split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    right = raw.startswith(_PICTURES[kind]) and len(raw) <= PICTURE_LIMIT
    if not right or max(_size(kind, raw)) > WIDEST:
        return ""
    return base64.b64encode(raw).decode("ascii")


def _size(kind: str, raw: bytes) -> tuple[int, int]:
    """Width and height, as the picture's header says."""
    if kind == "image/png":
        return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")
    if kind == "image/gif":
        return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")
    frame = _FRAME.search(raw)
    if frame is None:
        return 0, 0
    return int.from_bytes(frame[1], "big"), int.from_bytes(frame[2], "big")


_FRAME = re.compile(rb"\xff[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf].{3}(..)(..)", re.DOTALL)


def _messages(found: object) -> list[str]:
    return [printed(joined(said)) for said in found] if isinstance(found, list) else []


_LONGEST = {
    "text/html": HTML_LIMIT, "text/markdown": TEXT_LIMIT, "text/latex": TEXT_LIMIT,
    "image/svg+xml": PICTURE_LIMIT,
}  # fmt: skip
_KEPT: dict[str, Callable] = {
    "text/plain": lambda found: printed(joined(found)),
    "text/latex": lambda found: tex(printed(joined(found))),
    "text/markdown": lambda found: text(joined(found)),
    "text/html": lambda found: page(joined(found)),
    "image/svg+xml": lambda found: markup.svg_of(joined(found)),
    **{kind: functools.partial(picture, kind) for kind in _PICTURES},
    MESSAGES: _messages,
}
