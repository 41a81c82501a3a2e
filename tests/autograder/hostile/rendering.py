"""Right answers that come with something which would run, load or mislead in feedback or report."""

import base64

from tests.autograder.hostile.catalogue import Desk, own_cell, submission

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


@submission(points=6, file="<img src=x onerror=alert(1)>.ipynb")
def name_with_html(desk: Desk):
    """The student's name is an element that runs something."""
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
