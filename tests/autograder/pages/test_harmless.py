"""What a student wrote does nothing in any viewer, and an honest answer looks as before."""

import html.parser
import io
import json
import time

import matplotlib as mpl
import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from autograder.checks.points import MESSAGES
from autograder.classroom.grading import sanitize, sanitize_markup
from autograder.redaction import make_harmless
from tests.autograder.pages.test_feedback import PIXEL


def display(data, metadata=None):
    return {"output_type": "display_data", "data": data, "metadata": metadata or {}}


def shown(data, metadata=None):
    return sanitize.output(display(data, metadata))


def page(text):
    return sanitize.page(text)


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("<script>x</script>", "< script>x< /script>"),
        ("a <b and <!-- c <?d", "a < b and < !-- c < ?d"),
        ("<javascript:x>", "< javascript:x>"),
        ("[a](javascript:x)", "[a] (javascript:x)"),
        ("![a][b]\n\n[b]: https://example.org", "![a] [b]\n\n[b] : https://example.org"),
        ("&#60;b&lt;c", "& #60;b& lt;c"),
        ("```mermaid\nx\n```", "```text mermaid\nx\n```"),
        ("# why", "# \u2060 why"),
        ("> - ## why", "> - ## \u2060 why"),
        ("why\n---", "why\n    ---"),
        (r"$\href{a}{b}$ $\\url{a}$", r"$\ href{a}{b}$ $\\ url{a}$"),
        (r"$\htmlId{a}{b}\require{c}$", r"$\ htmlId{a}{b}\ require{c}$"),
        (r"$\hspace{-9em}\kern -9em \\[-9em]$", r"$\ hspace{-9em}\ kern -9em \ \[-9em]$"),
        ("a\u202eb\x1b]0;c\x07\x00", "a\\u202eb"),
        ("*" * 500, "*** …"),
    ],
)
def test_what_would_do_something_is_taken_apart(written, made):
    assert sanitize.text(written) == made


@pytest.mark.parametrize(
    "written",
    [
        r"$a < b \leq c$, $x & y$ and \\(p < 1\\)",
        "$$\\begin{cases} a & b \\\\ c & d \\end{cases}$$",
        "**bold** _it_ `code` 3 < 4 & 5 > 2", "- a\n- b\n\n1. c\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        r"$\hrefx \Pr[M(x) \in T] \le e^{\varepsilon}$ \hspace{1em} $\newcommand{\eps}{\epsilon}$",
        "a line\n\n---\n\n> quoted\n\n```python\nx = [1, 2]\nprint(x)\n```",
        "R&D, AT&T é 日本 👍🏽",
    ],
)  # fmt: skip
def test_what_does_nothing_stays_as_it_is(written):
    assert sanitize.text(written) == written


@pytest.mark.parametrize("formula", [r"$a<b&c$", r"\\(x<y\\)", "$$a\n=\nb$$", r"$f[0](x), [0]: y$"])
def test_a_formula_changes_by_spaces_alone(formula):
    assert "".join(sanitize.text(formula).split()) == "".join(formula.split())


SIGNS = st.text("<>!?/[]()&#;:\\$`~*_-= \n\tabhrefscipt\"'1\x00\x1b\u202e\u200b")


@given(SIGNS)
def test_no_text_has_anything_left_that_a_viewer_acts_upon(written):
    made = sanitize.text(written)
    for sign in ("<a", "<s", "</", "<!", "<?", "](", "][", "]:", "&#", "\\href", "\x00", "\u202e"):
        assert sign not in made
    assert made.count("a") == sanitize.as_printed(written).count("a")  # words are kept


class Tree(html.parser.HTMLParser):
    """Checks that elements are closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.seen, self.words = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert {name for name, _ in attributes} <= {"colspan", "rowspan"}
        assert all(1 <= len(value) <= 2 for _, value in attributes)
        assert len(self.open) <= sanitize_markup.DEPTH
        self.seen.append(tag)
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


TAGS = (
    "a b i li ul ol table tr td th thead tbody caption div p script style svg img details dl dt x"
)
PIECES = st.sampled_from(
    [f"<{name}>" for name in TAGS.split()]
    + [f"</{name}>" for name in TAGS.split()]
    + [
        "<td colspan=9 onclick=x>",
        "<b onclick='<i>'>",
        "<!--",
        "-->",
        "<",
        ">",
        "&lt;",
        "text",
        "<a ",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_html_is_a_tree_of_a_few_elements(written):
    found = Tree(page(written))
    allowed = set(TAGS.split()) - {"a", "script", "style", "svg", "img", "x"}
    assert set(found.seen) <= allowed


def test_a_table_stays_a_table():
    frame = (
        "<table border='1' class='d'><thead><tr style='x'><th></th><th>a &lt; b</th></tr></thead>"
    )
    made = page(f"{frame}<tbody><tr><th>0</th><td colspan='2'>1</td></tr></tbody></table>")
    assert made == (
        "<table><thead><tr><th></th><th>a &lt; b</th></tr></thead>"
        '<tbody><tr><th>0</th><td colspan="2">1</td></tr></tbody></table>'
    )


@pytest.mark.parametrize(
    "hidden", ["<script>a", "<style>a</style>", "<!-- a -->", "<svg><title>a</title></svg>"]
)
def test_what_is_not_seen_is_gone(hidden):
    assert "a" not in page(f"<b>{hidden}")


@pytest.mark.parametrize(
    "split", [r"$\hr<x>ef{a}$", r"$\hr<!-- -->ef{a}$", "$&bsol;href{a}$", r"$\hr</b>ef{a}$"]
)
def test_no_formula_is_put_together_from_pieces(split):
    assert r"\href" not in "".join(Tree(page(split)).words)


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({"application/javascript": "x", "text/plain": "a"}, {"text/plain": "a"}),
        ({"text/html": "<b onclick=x>a</b>"}, {"text/html": "<b>a</b>"}),
        ({"text/latex": r"$\href{a}$"}, {"text/latex": r"$\ href{a}$"}),
        ({"text/markdown": ["<b>", "a"]}, {"text/markdown": "< b>a"}),
        ({"image/png": PIXEL}, {"image/png": PIXEL}),
        ({"image/png": 'x" onerror="y', "text/plain": "a"}, {"text/plain": "a"}),
        ({"text/plain": "\x1b[31ma\x1b[2J\x07"}, {"text/plain": "\x1b[31ma"}),
        ({MESSAGES: ["a", 1], "text/plain": "2.0"}, {MESSAGES: ["a", "1"], "text/plain": "2.0"}),
        ("x", {}),
    ],
)
def test_of_an_output_the_harmless_is_kept(data, kept):
    assert shown(data)["data"] == kept


def test_what_is_left_out_is_named():
    (said,) = shown({"application/vnd.vega.v5+json": {"data": []}})["data"].values()
    assert said.startswith("[application/vnd.vega.v5+json: not shown")


def test_an_output_larger_than_what_is_left_for_a_notebook_is_left_out():
    room = sanitize.DisplayBudget()
    size = sanitize.TEXT_LIMIT - 1  # so that a little is left after the largest that still fit
    many = display({"text/markdown": "a" * size})
    kept = [sanitize.output(many, room)["data"] for _ in range(7)]
    assert ["text/markdown" in data for data in kept] == 5 * [True] + 2 * [False]
    assert "text/markdown: not shown; it is too long" in kept[5]["text/plain"]


SIZED = {"image/png": {"width": 30, "height": 20}}


@pytest.mark.parametrize(
    ("metadata", "kept"),
    [
        ({"image/png": {"width": 30, "height": 20, "x": 1}}, SIZED),
        ({"image/png": {"width": "1 onload=x"}}, {}),
        ({"filenames": {"image/png": "https://example.org"}, "isolated": True}, {}),
        ([1], {}),
        ("x", {}),
        ({"image/png": "x"}, {}),
    ],
)  # fmt: skip
def test_of_metadata_the_size_of_pictures_is_kept(metadata, kept):
    assert shown({"image/png": PIXEL}, metadata)["metadata"] == kept


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["output_type", "data", "metadata", "text", "name", "traceback",
                             "text/html", "image/png", "image/svg+xml", "ename"]), inner),
    ).filter(lambda value: isinstance(value, dict)),
    st.sampled_from(["stream", "error", "display_data", "execute_result", "x"]),
)  # fmt: skip
def test_any_output_becomes_one_that_nbformat_accepts(found, kind):
    made = sanitize.output({**found, "output_type": kind})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[])])
    notebook.cells[0].outputs = [nbformat.from_dict(made)]
    nbformat.validate(notebook)
    assert made["output_type"] in (kind, "display_data")


def test_a_drawing_of_matplotlib_s_keeps_its_shapes():
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "path"}):
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([1, 2, 3], [2, 1, 4], "o-", label="$x^2$")
        axes.legend()
        figure.savefig(file, format="svg")
    made = shown({"image/svg+xml": file.getvalue()})["data"]["image/svg+xml"]
    for element in ("<path", "<use", "<clipPath", "<g"):
        assert made.count(element) == file.getvalue().count(element) > 0
    assert 'stroke="#1f77b4"' in made


@pytest.mark.parametrize(
    "evil",
    [
        "<svg onload='x'><script>x</script><rect onclick='x'/></svg>",
        "<svg><foreignObject><b>x</b></foreignObject><image href='https://x'/></svg>",
        "<svg><a href='javascript:x'><set to='x'/></a><style>@import 'x'</style></svg>",
        "<svg><rect style='fill: url(https://x); position: fixed' fill='url(//x)'/></svg>",
        "<svg xmlns:s='http://www.w3.org/2000/svg'><s:script>x</s:script></svg>",
        "<svg><use href='https://x#a'/><use href='data:image/svg+xml,x'/></svg>",
    ],
)
def test_a_drawing_only_draws(evil):
    made = sanitize_markup.svg_of(evil)
    for sign in ("script", "on", "https://x", "//x", "x<", "position", "data:", "<a"):
        assert sign not in made.replace("http://www.w3.org", "")


BIG_PART = "<svg><path id='a' d='" + "0" * 200_000 + "'/>"


@pytest.mark.parametrize(
    "endless",
    [
        "<svg><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>", "<svg>" * 50 + "</svg>" * 50,
        BIG_PART + "<use href='#a'/>" * 200 + "</svg>", "<svg", "",
    ],
)  # fmt: skip
def test_a_drawing_has_an_end(endless):
    assert sanitize_markup.svg_of(endless) is None


def test_pictures_of_too_many_pixels_are_left_out():
    wide = sanitize.base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\xff" * 8).decode()
    assert "image/png" not in shown({"image/png": wide, "text/plain": "a"})["data"]


def test_pasted_pictures_are_shown_once_and_under_plain_names():
    cell = {
        "cell_type": "markdown",
        "metadata": {},
        "source": "![a](attachment:my%20i.png) ![b](attachment:my%20i.png) ![c](attachment:x)",
        "attachments": {"my i.png": {"image/png": PIXEL, "text/html": "x"}, "x": {"a": "b"}},
    }
    (made,) = sanitize.cells([cell], ())
    assert made["attachments"] == {"picture-1": {"image/png": PIXEL}}
    assert made["source"] == (
        "![a](attachment:picture-1) ![b] (attachment:my%20i.png) ![c] (attachment:x)"
    )


def test_what_stands_as_released_and_code_are_kept_to_the_byte():
    text = "<details>hint</details> [a](https://example.org)\r\n# b &lt; &#60; \\href{x}"
    kept = [
        {"cell_type": "markdown", "source": text, "metadata": {}},
        {"cell_type": "code", "source": f"'''{text}'''", "metadata": {}, "outputs": []},
    ]
    assert sanitize.cells(kept, {text}) == kept


def test_what_decides_points_is_kept_however_many_outputs_there_are():
    flood = [{"output_type": "stream", "name": "stdout", "text": "a"}] * 5_000
    error = {"output_type": "error", "ename": "E", "evalue": "b", "traceback": []}
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": [*flood, error]}
    (made,) = sanitize.cells([cell], ())
    assert len(made["outputs"]) == sanitize.LIMITS[sanitize.OUTPUTS] + 2
    assert error in made["outputs"]
    assert "4,000 more outputs are not shown" in made["outputs"][-1]["text"]


@pytest.mark.parametrize(
    ("kind", "sign"),
    [
        ("html", "<b>"), ("html", "<script>"), ("html", "<!--"), ("html", "<"), ("html", "&#"),
        ("html", '<a b="'), ("html", "<table><b>"), ("html", "<ul><li>"), ("text", "["),
        ("text", "\n"), ("text", "\\["), ("text", "&"), ("text", "> "), ("text", "a \n"),
        ("text", "![a](attachment:"), ("text", "#"), ("text", "\x1b["), ("text", "\x1b]"),
        ("svg", "<g>"), ("svg", "<g id='a'/>"), ("svg", "<use href='#a'/>"),
    ],
)  # fmt: skip
def test_work_grows_with_length_alone(kind, sign):
    """Many times a limit, which took minutes where it was quadratic. Processor time counts."""
    long = sign * (400_000 // len(sign))
    work = {
        "html": page,
        "text": lambda t: sanitize.text(t, {"x": "x"}),
        "svg": sanitize_markup.svg_of,
    }[kind]
    began = time.process_time()
    work(f"<svg>{long}</svg>" if kind == "svg" else long)
    assert time.process_time() - began < 20


class Folder:
    release_directory = "release"

    def __init__(self, root):
        self.root = root

    def format_path(self, folder, student, name):
        return str(self.root / folder / name)


def test_under_nbgrader_alone_metadata_is_dropped_and_the_teacher_s_text_kept(tmp_path):
    teacher = "# Tiny <b>bold</b>"
    path = tmp_path / "release/tiny/tiny.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cells": [{"source": [teacher]}]}))
    marks = {"grade_id": "why", "locked": False}
    evil = {"tags": ["x"], "alt": '" onload="x'}
    cells = [
        nbformat.v4.new_markdown_cell(teacher, metadata=evil),
        nbformat.v4.new_markdown_cell("<i>", metadata={"nbgrader": marks, **evil}),
        nbformat.v4.new_code_cell("1", metadata={"nbgrader": {"grade_id": "<i>"}}),
    ]
    cells[2].outputs = [nbformat.v4.new_output("display_data", {"text/html": "<i onclick=x>"})]
    about = {"kernelspec": {"name": "python3", "display_name": "<i>"}, "title": "<i>"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=about)
    make_harmless(notebook, Folder(tmp_path), {"assignment": "tiny", "notebook": "tiny"})
    assert [cell.source for cell in notebook.cells] == [teacher, "< i>", "1"]
    assert [cell.metadata for cell in notebook.cells] == [{}, {"nbgrader": marks}, {}]
    assert notebook.cells[2].outputs[0].data["text/html"] == "<i></i>"
    assert notebook.metadata == {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.validate(notebook)


SIZES = {
    'width="1e9" height="10"': 'height="10"',
    'width="1000000000" height="10"': 'height="10"',
    'width="10" height="1000000in"': 'width="10"',
    'width="460.8pt" height="345.6pt" viewBox="0 0 460.8 345.6"':
        'width="460.8pt" height="345.6pt" viewBox="0 0 460.8 345.6"',
    'width="100%" viewBox="0,0,1,1000000"': 'width="100%"',
    'width="100%" viewBox="0 0 1 0"': 'width="100%"',
    'width="100%" viewBox="0 0 nan 1"': 'width="100%"',
    'width="9q"': "",
    'style="width: 1e9px; height: 20px"': 'height="20px"',
}  # fmt: skip


@pytest.mark.parametrize("given", SIZES)
def test_a_drawing_is_no_larger_than_a_page_can_show(given):
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {given}><rect width="9"/></svg>'
    opening = sanitize_markup.svg_of(drawing).partition(">")[0]
    assert opening.partition('1999/xlink"')[2].strip() == SIZES[given]


COLOURS = [
    r"\color{red;background:url(//example.org)} x", r"\textcolor{red;x:y}{z}", r"\color #123",
    r"\colorbox{url(a)}{z}", r"\fcolorbox{red}{url(a)}{z}", r"\definecolor{a}{rgb}{url(b)}",
    r"\newcommand{\c}[1]{\color{#1}} \c{url(a)}", r"\newcommand{\c}[1]{\color{#123}}",
    r"\color{\c}", r"\color[rgb]{1,0,url(a)}", r"\color{expression(1)}",
]  # fmt: skip


@pytest.mark.parametrize("written", COLOURS)
def test_a_colour_in_a_formula_is_no_style(written):
    assert r"\ " in sanitize.tex(written)


@pytest.mark.parametrize(
    "written",
    [r"\color{red} x", r"\textcolor{ blue }{y}", r"\color[rgb]{0, .5,1}", r"\color{#ff0}"],
)
def test_a_plain_colour_stays(written):
    assert sanitize.tex(written) == written
