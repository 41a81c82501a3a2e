"""Slides and handouts: what they take from a lesson, and how they look in Chromium."""

import base64
import re
from xml.etree import ElementTree

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.site import slides as command
from course.site.outline import Kind, outline
from course.site.prose import line, mathml, prose
from course.site.slides import slides
from dplab.widgets import ClassSurvey
from tests.browser.lab import blank_page
from tests.course.test_lessons import every_lesson, executed, tried  # noqa: F401 - fixtures
from tests.course.test_site import copy, site  # noqa: F401 - fixtures

LEAST_ON_SLIDE, LEAST_ON_PAPER = 24, 9.5  # pixels of 720, points


def picture(alt=""):
    png = ClassSurvey().picture.value
    return new_output(
        "display_data",
        data={"image/png": base64.b64encode(png).decode()},
        metadata={"image/png": {"alt": alt}} if alt else {},
    )


def cells():
    """Those of a lesson that has one of everything: texts, and code with its output."""
    return [
        "# 3. Is it so?\n\nOf [words](glossary.ipynb).\n\n**Is it?** (60 minutes)",
        "## Predict first\n\nA coin.\n\nChoose an answer to both before you scroll on.",
        ('first = Prediction("It is", ["so", "not so"])\nfirst', []),
        ('again = Prediction("And again it is", ["so", "not so"])\nagain', []),
        "## Play\n\nA picture.\n\n1. Move **n**,\n   far.\n2. Stop.\n\nMore of it.",
        ("ClassSurvey()", [picture("A class.")]),
        ('first.compare("so")\nprint(other.compare("so"))', []),
        "Of no use.\n\n## The promise, and its proof\n\nLet there be an $a$.\n\n"
        "**Theorem** (somebody). *It holds that\n\n$$a = b,$$\n\n"
        "*where $b$ is.*\n\nNothing of it.\n\n**Proof.** One half.",
        ("1 + 1", []),
        "The other half. $\\blacksquare$\n\nNo part of it.",
        "### A plot\n\nLook.",
        ('plt.plot()\nplt.title(f"Half of {n}")', [picture()]),
        "### Would you sign it?\n\nTwo.\n\n1. This.\n2. That.\n\nA tool helps.",
        "<details><summary>Claim 1</summary>\n\n**Sign.** Yes.\n</details>\n\n"
        "<details><summary>Claim 2</summary>\n\n**Don't sign.** No.\n</details>\n\n"
        "### After\n\nOn.",
        "## Check yourself\n\n<details><summary>Why?</summary>\n\nSo.\n</details>",
        "## Now you know\n\n- All.",
        "## Go further\n\n**Theorem.** *Only for those who want more.*\n\n**Proof.** By it.",
        ('plt.plot()\nplt.title("Further")', [picture()]),
        "## Go on\n\n- Away.",
    ]


def shape(tex):
    """A formula in letters, a thin space as one blank, and the signs that keep no distance."""
    row = ElementTree.fromstring(mathml(tex, "inline"))[0]
    parts = [" " if part.tag.endswith("mspace") else "".join(part.itertext()) for part in row]
    return "".join(parts), {part.text for part in row if part.get("lspace") == "0"}


@pytest.mark.parametrize(
    ("tex", "text", "close"),
    [
        (r"\log 3", "log 3", set()),
        (r"2\ln N / T", "2 ln N/T", set()),
        (r"k\ln(1/\delta)", "k ln(1/δ)", set()),
        (r"(a)\ln b", "(a) ln b", set()),
        (r"-\ln b", "−ln b", set()),
        (r"\log_2 T", "log2 T", set()),
        (r"\operatorname{Var}[z]", "Var[z]", {"Var"}),
        (r"a\min(b, c)", "a min(b,c)", {"min"}),
        (r"|\eta| > t", "|η|>t", {"|"}),
        (r"x\,\log y", "x log y", set()),
        (r"x y", "xy", set()),
    ],
)
def test_formulas_are_spaced_as_in_print(tex, text, close):
    assert shape(tex) == (text, close)


@pytest.mark.parametrize(
    ("tex", "parts"),
    [
        ("x'", ["mrow", "mi x", "mi ′"]),
        ("x''", ["mrow", "mi x", "mi ″"]),
        ("x'_i", ["msub", "mrow", "mi x", "mi ′", "mi i"]),
        ("x^2", ["msup", "mi x", "mn 2"]),
    ],
)
def test_a_prime_is_as_large_as_its_letter(tex, parts):
    _, *found = ElementTree.fromstring(mathml(tex, "inline"))[0].iter()
    names = [f"{part.tag.rpartition('}')[2]} {part.text or ''}".strip() for part in found]
    assert names == parts


def test_a_line_begins_with_no_full_stop():
    shown = prose('It has its $\\varepsilon$." And $x$, or $y$ so.')
    assert re.findall(r"</math>(.*?)</span>", shown) == [".&quot;", ","]
    assert shown.count("nowrap") == 2


def lesson(cells):
    made = [
        new_markdown_cell(cell)
        if isinstance(cell, str)
        else new_code_cell(cell[0], outputs=cell[1])
        for cell in cells
    ]
    return new_notebook(cells=made)


@pytest.fixture(scope="module")
def tiny():
    return outline(lesson(cells()))


def test_an_outline_has_a_lesson_s_parts_in_their_order(tiny):
    assert [part.kind.value for part in tiny.parts] == [
        *("question", "prediction", "prediction", "explorer", "outcome", "statement", "proof"),
        *("proof", "picture", "claim", "claim", "exercise", "summary"),
    ]


def test_an_outline_takes_each_part_as_it_stands(tiny):
    (first, again), (played,) = tiny.of(Kind.PREDICTION), tiny.of(Kind.EXPLORER)
    assert (first.text, first.choices) == ("A coin.\n\n**It is**", ("so", "not so"))
    assert again.text == "**And again it is**"
    assert (played.text, played.alt) == ("1. Move **n**,\n   far.\n2. Stop.", "A class.")
    (outcome,), (stated,) = tiny.of(Kind.OUTCOME), tiny.of(Kind.STATEMENT)
    assert (outcome.text, outcome.answer) == ("It is", "so\n\nOf no use.")
    assert stated.text == (
        "Let there be an $a$.\n\n**Theorem** (somebody). *It holds that\n\n$$a = b,$$\n\n"
        "*where $b$ is.*"
    )
    assert [part.text for part in tiny.of(Kind.PROOF)] == [
        "**Proof.** One half.",
        "The other half. $\\blacksquare$",
    ]
    assert [(part.text, part.answer) for part in tiny.of(Kind.CLAIM)] == [
        ("Two.\n\nThis.", "**Sign.** Yes."),
        ("That.", "**Don't sign.** No."),
    ]
    (plot,) = tiny.of(Kind.PICTURE)
    assert (plot.heading, plot.alt) == ("A plot", "Half of …")


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("It grows.\nIt falls $a.b$ Twice.\n\nMore.", "It grows. It falls $a.b$ Twice."),
        ("It grows. Here are all of them:", "It grows."),
        ("Here are all of them:\n\nIt grows.", ""),
        ("It grows. Look: it falls.", "It grows. Look: it falls."),
        ("### Next\n\nIt grows.", ""),
        ("**Theorem** (somebody). *It grows.*", ""),
        ("", ""),
    ],
)
def test_an_outcome_comes_with_what_is_said_of_it_at_once(below, told):
    asked = ('one = Prediction("It is", ["so"])\none', [])
    both = ('one.compare("no")\nprint(one.compare("so"))', [])
    first, last = outline(lesson([cells()[0], asked, both, below])).of(Kind.OUTCOME)
    assert (first.answer, last.answer) == ("no", f"so\n\n{told}" if told else "so")
    (alone,) = outline(lesson([cells()[0], asked, ("one.compare('so')", [])])).of(Kind.OUTCOME)
    assert alone.answer == "so"


def test_prose_stands_alone():
    shown = prose("See [it](there.ipynb) and [that](https://example.org); `$x$` is no $y$.")
    assert "See it and <a" in shown
    assert "<code>$x$</code>" in shown
    assert shown.count("<math") == 1
    aligned = prose("So\n$$\\begin{aligned}a &= b \\\\ &\\le c\\end{aligned}$$")
    assert "<mtable" in aligned
    assert "&amp;" not in aligned
    assert line("5. Did you cheat?") == "5. Did you cheat?"


def test_a_number_without_a_lesson_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        command.main(["5", "77", str(tmp_path / "out")])
    assert "there is no lesson 77; there are 1 to 26" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_command_writes_both_pages_of_a_lesson(tmp_path, capsys, monkeypatch):
    cells = [
        new_markdown_cell("# 5. Did you cheat?"),
        new_code_cell("ClassSurvey()", outputs=[picture()]),
    ]
    monkeypatch.setattr(
        command, "execute", lambda paths: {p: new_notebook(cells=cells) for p in paths}
    )
    command.main(["5", str(tmp_path / "out")])
    names = ["05_randomized_response.handout.html", "05_randomized_response.slides.html"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert all(name in capsys.readouterr().out for name in names[:1])


@pytest.fixture(scope="module")
def page():
    with blank_page() as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.noted = []
        page.on("request", lambda asked: page.noted.append(asked.url))
        page.on("pageerror", lambda error: page.noted.append(str(error)))
        yield page


# Of each slide, laid out alone: the size of its letters, and what sticks out of the stage.
LAID_OUT = """
() => [...document.querySelectorAll(".slide")].map((slide) => {
  slide.style.cssText = "display: block; position: absolute; left: 0; top: 0; transform: none";
  const parts = "h1, h2, p, li, img, math, pre, table, .answer";
  const out = [...slide.querySelectorAll(parts)].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < 60 || box.top < 40 || box.right > 1220 || box.bottom > 672;
  });
  const size = parseFloat(getComputedStyle(slide.querySelector(".room")).fontSize);
  const broken = [...slide.querySelectorAll("img")].some((i) => i.height < 300 || !i.alt);
  slide.removeAttribute("style");
  return [size, out.map((part) => part.outerHTML.slice(0, 80)), broken];
})
"""
SHEETS = """
() => [...document.querySelectorAll(".content")].map((content) => {
  const box = content.getBoundingClientRect();
  const inside = [...content.querySelectorAll("*")].every((part) => {
    const its = part.getBoundingClientRect();
    return its.bottom <= box.bottom + 1 && its.right <= box.right + 1;
  });
  return [parseFloat(getComputedStyle(content).fontSize) * 0.75, inside];
})
"""


@pytest.mark.browser
@every_lesson
def test_slides_and_handout_of_a_lesson(path, site, page):  # noqa: F811
    deck, paper = (
        (site / f"_static/slides/{path.stem}.{kind}.html").resolve()
        for kind in ("slides", "handout")
    )
    page.noted.clear()
    page.goto(deck.as_uri())
    found = page.evaluate(LAID_OUT)
    assert len(found) >= 12  # a lesson of one class hour has 14
    assert [(n, out) for n, (_, out, _) in enumerate(found, 1) if out] == []
    assert [
        n for n, (size, _, broken) in enumerate(found, 1) if size < LEAST_ON_SLIDE or broken
    ] == []
    page.goto(paper.as_uri())
    assert [(size >= LEAST_ON_PAPER, inside) for size, inside in page.evaluate(SHEETS)] == [
        (True, True)
    ] * 2
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2
    assert [url for url in page.noted if not url.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_slides_move_by_keyboard_and_by_button(tiny, page, tmp_path):
    (tmp_path / "tiny.html").write_text(slides(tiny), encoding="utf-8")
    page.goto((tmp_path / "tiny.html").as_uri())
    number, shown = page.locator("nav output"), page.locator(".slide:visible")

    def pressed(*keys):
        for key in keys:
            page.keyboard.press(key)
        assert shown.count() == 1
        return number.inner_text()

    assert number.inner_text() == "1 / 12"
    assert pressed("ArrowLeft") == "1 / 12"
    assert pressed("ArrowRight", "Space", "PageDown", "ArrowDown") == "5 / 12"
    answer = page.locator(".current .answer")
    assert not answer.is_visible()
    assert pressed("ArrowRight") == "5 / 12"
    assert answer.inner_text() == "so\n\nOf no use."
    assert answer.is_visible()
    assert pressed("ArrowLeft") == "5 / 12"
    assert not answer.is_visible()
    assert pressed("End") == "12 / 12"
    assert pressed("ArrowRight") == "12 / 12"
    assert pressed("Home") == "1 / 12"
    assert pressed("Tab", "Tab", "Enter") == "2 / 12"
    page.get_by_role("button", name="Back").click()
    assert number.inner_text() == "1 / 12"
    page.goto((tmp_path / "tiny.html").as_uri() + "#4")
    assert number.inner_text() == "4 / 12"
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 12
