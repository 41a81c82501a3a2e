"""Text, code and outputs of notebooks -> HTML in which nothing that a student wrote can run.

Text is escaped. Of HTML that code printed a few elements are kept, without attributes. SVG appears
as an image (scripts in images don't run), other pictures only if they are what they claim. What is
long is shortened, so that no submission takes long to show.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from functools import lru_cache

import bleach
import mistune
from markupsafe import Markup
from mistune.plugins.math import math as _math
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.classroom import harmless, markup
from autograder.classroom.harmless import PICTURE_LIMIT, TEXT_LIMIT, joined
from autograder.pages.formulas import formula

_TAGS = frozenset(
    re.findall(
        r"\w+",
        "a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd "
        "li ol p pre s span strong sub summary sup table tbody td tfoot th thead tr u ul",
    )
)
_CELL_SPANS = {"td": ["colspan", "rowspan"], "th": ["colspan", "rowspan"]}


def _allowed(tag: str, name: str, value: str) -> bool:
    """The attributes that a text of the teacher's may keep."""
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "#", "mailto:"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/png;base64,"))
    return name in _CELL_SPANS.get(tag, ())


class _Math:
    """A mistune plugin: formulas become marks in the text, to be put back after cleaning."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __call__(self, markdown) -> None:
        _math(markdown)
        markdown.renderer.register("inline_math", lambda r, text: self._keep(text, False))
        markdown.renderer.register("block_math", lambda r, text: self._keep(text, True))

    def _keep(self, text: str, display: bool) -> str:
        self.drawn.append(formula(text, display))
        return f"\ue000{len(self.drawn) - 1}\ue001"

    def put_back(self, text: str) -> str:
        return re.sub("\ue000(\\d+)\ue001", lambda mark: self.drawn[int(mark[1])], text)


@lru_cache(maxsize=1024)
def teachers_markdown(text: str) -> Markup:
    """Markdown of the problem set: formulas are drawn, simple HTML (hints to unfold) is kept."""
    kept = _Math()
    plugins = ["table", "strikethrough", kept]
    shown = mistune.create_markdown(escape=False, plugins=plugins)(_without_marks(text))
    clean = bleach.clean(shown, tags=_TAGS, attributes=_allowed, strip=True)
    return Markup(kept.put_back(clean))


_plain_markdown = mistune.create_markdown(escape=True, plugins=["table", "strikethrough"])


def students_markdown(text: str, pictures: dict | None = None) -> Markup:
    """Markdown that a student wrote: HTML in it is shown, not used; pasted pictures appear."""
    shown = markup.html_of(_plain_markdown(_shortened(text)), str)
    found = [
        picture(data, kind)
        for versions in (pictures or {}).values()
        for kind, data in versions.items()
    ]
    return Markup(shown + "".join(found))


def _without_marks(text: str) -> str:
    return text.replace("\ue000", "").replace("\ue001", "")


def heading(text: str) -> Markup:
    """The text of a heading of the problem set, with its formulas, without the heading itself."""
    return Markup(re.sub(r"</?h1>", "", teachers_markdown(f"# {text}")).strip())


def prose(text: str) -> Markup:
    """A message: escaped, with `code` between backticks set as code."""
    return Markup(re.sub(r"`([^`\n]{1,200})`", r"<code>\1</code>", html.escape(text)))


_formatter, _lexer = HtmlFormatter(nowrap=True), PythonLexer()


@lru_cache(maxsize=4096)
def python(source: str, highlighted: bool = True) -> Markup:
    """Highlighted code. What is longer than any answer is only escaped."""
    if not highlighted or len(source) > TEXT_LIMIT:
        return Markup(f'<pre class="code">{html.escape(_shortened(source))}</pre>')
    return Markup(f'<pre class="code">{highlight(source, _lexer, _formatter)}</pre>')


_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_OTHER_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-ln-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def terminal(text: str) -> Markup:
    """Text as a terminal shows it: the eight colours and bold, other escapes dropped."""
    parts, style = [], ""
    pieces = _SGR.split(_shortened(text))
    for number, piece in enumerate(pieces):
        if number % 2:
            style = _style(piece)
        elif clean := html.escape(_OTHER_ESCAPES.sub("", piece)):
            parts.append(f'<span class="{style}">{clean}</span>' if style else clean)
    return Markup(f"<pre>{''.join(parts)}</pre>")


def _style(codes: str) -> str:
    found = [int(code) for code in codes.split(";") if code.isdigit() and len(code) < 4]
    if 38 in found or 48 in found:  # 256 colours: not needed, and their arguments are no codes
        return ""
    names = [f"ansi-{_COLOURS[c % 10]}" for c in found if 30 <= c <= 37 or 90 <= c <= 97]
    return " ".join(names[-1:] + ["ansi-bold"] * (1 in found))


def _shortened(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n… {len(text) - TEXT_LIMIT:,} more characters are not shown"


def picture(data: object, kind: str) -> str:
    """An `img` with the picture inside it, or a line saying that there is none."""
    encoded = harmless.picture(kind, data)
    if not encoded:
        return "<p class=aside>A picture that can't be shown.</p>"
    return f'<img alt="figure" src="data:{kind};base64,{encoded}">'


def drawing(svg: str) -> Markup:
    """An SVG as an image, in which no script runs."""
    raw = svg.encode("utf-8", "replace")[:PICTURE_LIMIT]
    encoded = base64.b64encode(raw).decode("ascii")
    return Markup('<img alt="figure" src="data:image/svg+xml;base64,{}">').format(encoded)


def outputs(found: Iterable[dict]) -> Markup:
    """The outputs of a cell of the student's."""
    return Markup("").join(_output(output) for output in found)


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
    if page and len(page) <= harmless.HTML_LIMIT:
        return cleaned(page)
    if "text/markdown" in data:
        return students_markdown(joined(data["text/markdown"]))
    return terminal(joined(data.get("text/plain")))


def cleaned(page: str) -> Markup:
    """HTML that code printed (tables, mostly), with nothing left in it but its structure."""
    return Markup(harmless.page(page))


@lru_cache(maxsize=1)
def styles() -> str:
    """The style sheet of highlighted code, for light and for dark pages."""
    light = HtmlFormatter(style="xcode").get_style_defs("pre.code")
    dark = HtmlFormatter(style="github-dark").get_style_defs("pre.code")
    both = f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
    return re.sub(r" */\*.*?\*/", "", both)
