r"""Make a graded notebook safe to open: the student's text can be read, and does nothing.

Viewers, nbgrader's formgrader among them, show the text and the outputs of a notebook as they are.
HTML there is a page of the teacher's own server, so a script in it can read the hidden tests. So

- a space is put into each sign that markdown, HTML or TeX acts upon: `< b>`, `] (address)`,
  `\ href`. This works for any viewer's markdown. Code stays readable, and formulas look as before,
  also those with `<` and `&`;
- an output keeps the kinds that are listed below, each rebuilt from harmless parts. Its metadata
  keeps the size of a picture.

Code and unchanged text of the problem set stay as they are.
"""

from __future__ import annotations

import base64
import binascii
import functools
import re
from collections.abc import Callable, Collection, Iterable
from urllib.parse import unquote

from autograder.classroom.grading import sanitize_markup
from autograder.wire.contract import MESSAGES

TEXT_LIMIT = 20_000  # characters of one text
HTML_LIMIT = 60_000  # characters of one page among the outputs
PICTURE_LIMIT = 4 << 20  # bytes
MAX_PIXELS = 10_000  # pixels of the longer side of a picture

# Viewers take long to show these, some of them quadratic time. The limits are characters in one
# notebook by kind, and the number of outputs.
CODE, OUTPUTS = "code", "outputs"
LIMITS = {
    CODE: 400_000, OUTPUTS: 1_000, "text/markdown": 100_000, "text/latex": 100_000,
    "text/html": 1_000_000, "image/svg+xml": 16 << 20,
}  # fmt: skip


class DisplayBudget:
    """The amount of each kind of output that one notebook may still show."""

    def __init__(self) -> None:
        self._remaining = dict(LIMITS)

    def take(self, kind: str, amount: int) -> int:
        """Take the requested amount, or all that is left; return the amount taken."""
        if kind not in self._remaining:
            return amount
        granted = min(amount, self._remaining[kind])
        self._remaining[kind] -= granted
        return granted


def cells(raw_cells: Iterable[dict], teacher_texts: Collection[str]) -> list[dict]:
    """Return harmless cells of a notebook. `teacher_texts` are the texts of the set, which stay."""
    budget = DisplayBudget()
    return [_cell(cell, teacher_texts, budget) for cell in raw_cells]


def _cell(cell: dict, teacher_texts: Collection[str], budget: DisplayBudget) -> dict:
    safe_cell, source = dict(cell), cell["source"]
    pictures = safe_cell.pop("attachments", None)
    if cell["cell_type"] == "code":
        safe_cell["outputs"] = _outputs(cell["outputs"], budget)
        if source not in teacher_texts:
            safe_cell["source"] = shortened(source, budget.take(CODE, len(source)), "# ")
        return safe_cell
    safe_pictures, names = _attachments(pictures)
    if source not in teacher_texts:
        limit = budget.take("text/markdown", min(len(source), TEXT_LIMIT))
        safe_cell["source"] = text(shortened(source, limit), names)
    return safe_cell | ({"attachments": safe_pictures} if safe_pictures else {})


def shortened(source: str, limit: int, prefix: str = "") -> str:
    """Return the text up to the limit; if something is left out, a last line says how much."""
    if len(source) <= limit:
        return source
    return f"{source[:limit]}\n{prefix}… {len(source) - limit:,} more characters are not shown"


# TeX commands that lead elsewhere, set styles, load, redefine commands, or move text far away.
_COMMANDS = (
    "href url require unicode class style cssId data bbox html[A-Z][a-z]* mmlToken includegraphics "
    "input include special tip tooltip texttip mathtip toggle action csname catcode def gdef edef "
    "xdef let futurelet renewcommand providecommand renewenvironment raise lower raisebox moveleft "
    "moveright llap rlap clap mathllap mathrlap mathclap Rule Space smash Tiny Huge "
    "fcolorbox definecolor pagecolor"
)
# A colour's name, its six digits, or its shares. It becomes a style as it is, so nothing else is
# allowed. Digits whose first is not 0 could be an argument, such as #1.
_COLOUR = r"\s*\{\s*(?:[a-zA-Z]+|#[a-fA-F0][a-fA-F0-9]{2,5})\s*\}|\s*\[[a-zA-Z]+\]\s*\{[0-9., ]+\}"
_TEX = re.compile(
    rf"\\(?=(?:{'|'.join(_COMMANDS.split())})(?![a-zA-Z]))"
    rf"|\\(?=(?:color|textcolor|colorbox)(?![a-zA-Z])(?!{_COLOUR}))"
    r"|\\(?=(?:[hmv]?skip|[hmv]space|m?kern|rule)\*?[\s{\[]*-)"  # backwards, over what is there
    r"|\\(?=\\\*?[ \t]*\[\s*-)"
)


def tex(source: str) -> str:
    r"""Return TeX in which only typesetting commands work: `\href` becomes `\ href`."""
    return _TEX.sub(r"\\ ", source) if "\\" in source else source


# HTML, and addresses between <>; links and their names; entities, which could be any of these;
# fences whose content is a program; and headings. The words of a heading are its id, by which the
# formgrader finds the boxes for points. An invisible sign changes it, and underlines are indented.
_MARKDOWN = re.compile(
    r"(?P<tag><)(?=[A-Za-z/!?])|(?P<link>\])(?=[(\[:])|(?P<entity>&)(?=#|[A-Za-z][A-Za-z0-9]*;)"
    r"|(?P<fence>[`~]{3}[ \t]*)(?=mermaid)|(?P<heading>^[ \t>*+\-\d.):]*#{1,6})(?=[ \t]|$)"
    r"|(?P<underlined>\S[ \t]*\n[ \t>]*)(?=(?:=+|-+)[ \t]*$)",
    re.MULTILINE,
)
_INSERTIONS = {"fence": "text ", "heading": " \u2060", "underlined": "    "}
_PICTURE = re.compile(r"!\[([^\[\]\n\\]{0,200})\]\(attachment:([^\s()<>]{1,300})\)")
_LONG_RUN = re.compile(r"([^\w\s])\1{99,}")


def text(source: str, pictures: dict[str, str] | None = None) -> str:
    """Return markdown without HTML, without misleading links, and with formulas that only show.

    `pictures` gives the new names of the attached pictures. Each of them is shown once.
    """
    new_names, parts, place = dict(pictures or {}), [], 0
    source = as_printed(source)
    for match in _PICTURE.finditer(source) if new_names else ():
        if name := new_names.pop(unquote(match[2]), None):
            parts += [_make_inert(source[place : match.start()]), f"![{_make_inert(match[1])}]"]
            parts.append(f"(attachment:{name})")
            place = match.end()
    return "".join([*parts, _make_inert(source[place:])])


def _make_inert(source: str) -> str:
    spaced_source = _MARKDOWN.sub(
        lambda match: match[0] + _INSERTIONS.get(match.lastgroup or "", " "), source
    )
    return tex(_LONG_RUN.sub(lambda match: match[1] * 3 + " …", spaced_source))


def _attachments(attachments: object) -> tuple[dict, dict[str, str]]:
    """Return the pasted pictures that are really pictures, and their new names by old name."""
    safe_pictures: dict[str, dict] = {}
    names: dict[str, str] = {}
    for name, versions in attachments.items() if isinstance(attachments, dict) else ():
        pictures = {
            kind: picture(kind, versions[kind]) for kind in _PICTURES if kind in _as_dict(versions)
        }
        if pictures := {kind: data for kind, data in pictures.items() if data}:
            names[name] = name if _PLAIN_NAME.fullmatch(name) else f"picture-{len(names) + 1}"
            safe_pictures[names[name]] = pictures
    return safe_pictures, names


_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")


_NOT_PRINTED = re.compile(
    r"\x1b\[[0-9;]{0,40}m|\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)?"
    "|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def as_printed(source: str) -> str:
    """Return text with a terminal's colours, but none of its other commands.

    Signs that turn the direction of writing are shown by their number.
    """
    return _NOT_PRINTED.sub(_escape_character, source)


def _escape_character(match: re.Match) -> str:
    sign = match[0]
    if sign > "\u2000":
        return f"\\u{ord(sign):04x}"
    return sign if len(sign) > 2 and sign[1] == "[" and sign[-1] == "m" else ""


def _outputs(outputs: list[dict], budget: DisplayBudget) -> list[dict]:
    """Return harmless outputs; outputs that decide the points of a test are always kept."""
    selected = [raw for raw in outputs if _decides_points(raw) or budget.take(OUTPUTS, 1)]
    safe_outputs = [output(raw, budget) for raw in selected]
    if len(selected) < len(outputs):
        text = f"[{len(outputs) - len(selected):,} more outputs are not shown]\n"
        safe_outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    return safe_outputs


def _decides_points(raw: dict) -> bool:
    return raw.get("output_type") in ("error", "execute_result") or raw.get("name") == "stderr"


def output(raw: dict, budget: DisplayBudget | None = None) -> dict:
    """Return an output of the same type that any viewer can safely show."""
    kind = raw.get("output_type")
    if kind == "stream":
        name = "stderr" if raw.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": as_printed(joined(raw.get("text")))}
    if kind == "error":
        lines = raw.get("traceback")
        texts = {name: as_printed(joined(raw.get(name))) for name in ("ename", "evalue")}
        trace = [as_printed(joined(line)) for line in lines] if isinstance(lines, list) else []
        return {"output_type": kind, **texts, "traceback": trace}
    data = _data(_as_dict(raw.get("data")), budget or DisplayBudget())
    safe: dict[str, object] = {"output_type": "display_data", "data": data}
    safe["metadata"] = _sizes(_as_dict(raw.get("metadata")), data)
    if kind == "execute_result":
        count = raw.get("execution_count")
        safe |= {"output_type": kind, "execution_count": count if type(count) is int else None}
    return safe


def joined(value: object) -> str:
    """Return an output's text, which a notebook holds as a string or as a list of lines."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return value if isinstance(value, str) else "" if value is None else str(value)


def _as_dict(value: object) -> dict:
    return value if isinstance(value, dict) else {}


def _data(representations: dict, budget: DisplayBudget) -> dict:
    """Return the representations that are kept, or a line of text that names the others."""
    safe = {}
    for kind in _REBUILD.keys() & representations.keys():
        size = len(joined(representations[kind]))
        if size <= _LONGEST.get(kind, size) and budget.take(kind, size) == size:
            safe[kind] = _REBUILD[kind](representations[kind])
    safe = {kind: safe[kind] for kind in representations if safe.get(kind)}
    if safe or not representations:
        return safe
    kinds = ", ".join(as_printed(str(kind))[:60] for kind in list(representations)[:3])
    return {"text/plain": f"[{kinds}: not shown; it is too long, or could do more than be seen]"}


def _sizes(metadata: dict, data: dict) -> dict:
    """Return the width and height of pictures, if they are small numbers."""
    sizes_by_kind: dict[str, dict] = {}
    for kind in _PICTURES.keys() & data.keys():
        numbers = {name: _as_dict(metadata.get(kind)).get(name) for name in ("width", "height")}
        sizes = {name: n for name, n in numbers.items() if type(n) is int and 0 < n <= MAX_PIXELS}
        sizes_by_kind |= {kind: sizes} if sizes else {}
    return sizes_by_kind


def page(source: str) -> str:
    """Return only the structure of HTML that code made: tables, mostly."""
    return sanitize_markup.html_of(source, lambda words: tex(as_printed(words)))


_PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}


def picture(kind: str, encoded: object) -> str:
    """Return a picture's base64, or "" if it is another kind of file or too large."""
    try:
        raw = base64.b64decode("".join(joined(encoded).split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    is_valid = raw.startswith(_PICTURES[kind]) and len(raw) <= PICTURE_LIMIT
    if not is_valid or max(_size(kind, raw)) > MAX_PIXELS:
        return ""
    return base64.b64encode(raw).decode("ascii")


def _size(kind: str, raw: bytes) -> tuple[int, int]:
    """Return the width and height that the picture's header gives."""
    if kind == "image/png":
        return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")
    if kind == "image/gif":
        return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")
    frame = _FRAME.search(raw)
    if frame is None:
        return 0, 0
    return int.from_bytes(frame[1], "big"), int.from_bytes(frame[2], "big")


_FRAME = re.compile(rb"\xff[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf].{3}(..)(..)", re.DOTALL)


def _messages(messages: object) -> list[str]:
    return (
        [as_printed(joined(message)) for message in messages] if isinstance(messages, list) else []
    )


_LONGEST = {
    "text/html": HTML_LIMIT, "text/markdown": TEXT_LIMIT, "text/latex": TEXT_LIMIT,
    "image/svg+xml": PICTURE_LIMIT,
}  # fmt: skip
_REBUILD: dict[str, Callable] = {
    "text/plain": lambda raw: as_printed(joined(raw)),
    "text/latex": lambda raw: tex(as_printed(joined(raw))),
    "text/markdown": lambda raw: text(joined(raw)),
    "text/html": lambda raw: page(joined(raw)),
    "image/svg+xml": lambda raw: sanitize_markup.svg_of(joined(raw)),
    **{kind: functools.partial(picture, kind) for kind in _PICTURES},
    MESSAGES: _messages,
}
