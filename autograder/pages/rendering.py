"""Text, code and outputs of notebooks -> HTML in which nothing that a student wrote can run.

Text is escaped. HTML that code printed keeps only a few elements, without attributes. SVG appears
as an image (scripts in images don't run). Other pictures appear only if their data have the stated
type. Long texts are shortened, so that no submission takes long to show.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import bleach
import mistune
from markupsafe import Markup
from mistune.plugins.math import math as _math
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.classroom.grading import sanitize, sanitize_markup
from autograder.classroom.grading.sanitize import PICTURE_LIMIT, TEXT_LIMIT, joined
from autograder.pages.formulas import formula

_TAGS = frozenset(
    re.findall(
        r"\w+",
        "a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd "
        "li ol p pre s span strong sub summary sup table tbody td tfoot th thead tr u ul",
    )
)
_CELL_SPANS = {"td": ["colspan", "rowspan"], "th": ["colspan", "rowspan"]}


def _is_allowed(tag: str, name: str, value: str) -> bool:
    """Return whether the teacher's text may keep this attribute."""
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "#", "mailto:"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/png;base64,"))
    return name in _CELL_SPANS.get(tag, ())


class _Math:
    """A mistune plugin that replaces formulas by private characters while the text is cleaned."""

    def __init__(self) -> None:
        self.formulas: list[str] = []

    def __call__(self, markdown: Any) -> None:
        _math(markdown)
        markdown.renderer.register("inline_math", lambda r, text: self._keep(text, False))
        markdown.renderer.register("block_math", lambda r, text: self._keep(text, True))

    def _keep(self, text: str, display: bool) -> str:
        self.formulas.append(formula(text, display))
        return f"\ue000{len(self.formulas) - 1}\ue001"

    def put_back(self, text: str) -> str:
        return re.sub("\ue000(\\d+)\ue001", lambda match: self.formulas[int(match[1])], text)


@lru_cache(maxsize=1024)
def teachers_markdown(text: str) -> Markup:
    """Convert Markdown of the problem set; draw formulas, keep simple HTML (hints to unfold)."""
    math = _Math()
    plugins = ["table", "strikethrough", math]
    page = mistune.create_markdown(escape=False, plugins=plugins)(_remove_private(text))
    clean = bleach.clean(page, tags=_TAGS, attributes=_is_allowed, strip=True)
    return Markup(math.put_back(clean))


_plain_markdown = mistune.create_markdown(escape=True, plugins=["table", "strikethrough"])


def students_markdown(text: str, pictures: dict | None = None) -> Markup:
    """Convert Markdown of a student; show HTML in it as text, and pasted pictures."""
    page = sanitize_markup.html_of(_plain_markdown(_shortened(text)), str)
    images = [
        picture(data, kind)
        for versions in (pictures or {}).values()
        for kind, data in versions.items()
    ]
    return Markup(page + "".join(images))


def _remove_private(text: str) -> str:
    return text.replace("\ue000", "").replace("\ue001", "")


def heading(text: str) -> Markup:
    """Return the text of a problem set's heading with its formulas, without the element `h1`."""
    return Markup(re.sub(r"</?h1>", "", teachers_markdown(f"# {text}")).strip())


def prose(text: str) -> Markup:
    """Escape a message, and set `code` between backticks as code."""
    return Markup(re.sub(r"`([^`\n]{1,200})`", r"<code>\1</code>", html.escape(text)))


_formatter, _lexer = HtmlFormatter(nowrap=True), PythonLexer()


@lru_cache(maxsize=4096)
def python(source: str, highlighted: bool = True) -> Markup:
    """Highlight code. Code that is longer than any answer is only escaped."""
    if not highlighted or len(source) > TEXT_LIMIT:
        return Markup(f'<pre class="code">{html.escape(_shortened(source))}</pre>')
    return Markup(f'<pre class="code">{highlight(source, _lexer, _formatter)}</pre>')


_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_OTHER_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-ln-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def terminal(text: str) -> Markup:
    """Show text as a terminal does, with eight colours and bold; drop other escapes."""
    parts, style = [], ""
    pieces = _SGR.split(_shortened(text))
    for number, piece in enumerate(pieces):
        if number % 2:
            style = _style(piece)
        elif clean := html.escape(_OTHER_ESCAPES.sub("", piece)):
            parts.append(f'<span class="{style}">{clean}</span>' if style else clean)
    return Markup(f"<pre>{''.join(parts)}</pre>")


def _style(codes: str) -> str:
    numbers = [int(code) for code in codes.split(";") if code.isdigit() and len(code) < 4]
    if 38 in numbers or 48 in numbers:  # one of 256 colours: not needed, its arguments are no codes
        return ""
    names = [f"ansi-{_COLOURS[c % 10]}" for c in numbers if 30 <= c <= 37 or 90 <= c <= 97]
    return " ".join(names[-1:] + ["ansi-bold"] * (1 in numbers))


def _shortened(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n… {len(text) - TEXT_LIMIT:,} more characters are not shown"


def picture(data: object, kind: str) -> str:
    """Return an `img` that contains the picture, or a line that says it can't be shown."""
    encoded = sanitize.picture(kind, data)
    if not encoded:
        return "<p class=aside>A picture that can't be shown.</p>"
    return f'<img alt="figure" src="data:{kind};base64,{encoded}">'


def drawing(svg: str) -> Markup:
    """Return an SVG as an image, in which no script runs."""
    raw = svg.encode("utf-8", "replace")[:PICTURE_LIMIT]
    encoded = base64.b64encode(raw).decode("ascii")
    return Markup('<img alt="figure" src="data:image/svg+xml;base64,{}">').format(encoded)


def outputs(cell_outputs: Iterable[dict]) -> Markup:
    """Return the outputs of a student's cell as HTML."""
    return Markup("").join(_output(output) for output in cell_outputs)


def _output(output: dict) -> Markup:
    kind = output.get("output_type")
    if kind == "stream":
        css = "stream stderr" if output.get("name") == "stderr" else "stream"
        return Markup('<div class="{}">{}</div>').format(css, terminal(joined(output.get("text"))))
    if kind == "error":
        trace = "\n".join(map(joined, output.get("traceback", ()))) or joined(output.get("evalue"))
        return Markup('<div class="error">{}</div>').format(terminal(trace))
    return Markup('<div class="rich">{}</div>').format(_rich(output.get("data", {})))


def _rich(data: dict) -> Markup:
    for kind in ("image/png", "image/jpeg", "image/gif"):
        if kind in data:
            return Markup(picture(data[kind], kind))
    if "image/svg+xml" in data:
        return drawing(joined(data["image/svg+xml"]))
    page = joined(data.get("text/html"))
    if page and len(page) <= sanitize.HTML_LIMIT:
        return cleaned(page)
    if "text/markdown" in data:
        return students_markdown(joined(data["text/markdown"]))
    return terminal(joined(data.get("text/plain")))


def cleaned(page: str) -> Markup:
    """Reduce HTML that code printed, mostly tables, to its structure."""
    return Markup(sanitize.page(page))


@lru_cache(maxsize=1)
def styles() -> str:
    """Return the style sheet of highlighted code, for light and for dark pages."""
    light = HtmlFormatter(style="xcode").get_style_defs("pre.code")
    dark = HtmlFormatter(style="github-dark").get_style_defs("pre.code")
    css = f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
    return re.sub(r" */\*.*?\*/", "", css)
