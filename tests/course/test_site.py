"""The site: built once from the lessons as they were executed, and opened in Chromium."""

import inspect
import itertools
import re
import threading
from functools import partial
from html import escape, unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest

import dplab
from course.site.build import build
from course.site.library import markdown
from course.site.lite import build_lite
from course.site.outline import FURTHER
from course.site.pyodide import copy_pyodide
from dplab import widgets
from tests.browser.lab import blank_page, chromium
from tests.course.test_lessons import (  # noqa: F401 - fixtures
    COURSE,
    EXPLORER,
    LESSONS,
    cells,
    executed,
    section,
    tried,
)
from tests.sharing import once

pytestmark = pytest.mark.browser
MOST_BYTES = 1_000_000  # of a page with all that it loads in the first screen
SCREENS = {1280: 800, 390: 844}
CUT = """[...document.querySelectorAll(".bd-article pre")]
  .filter((e) => e.scrollWidth > e.clientWidth).length"""
NAMES = [path.stem for path in LESSONS]
OTHERS = [
    "index",
    "map",
    "glossary",
    "guide",
    "search",
    "library/dplab.losses.loss",
    "library/dplab.mechanisms.laplace",
    "library/kept_names",
    "library/mechanisms",
    "ps02/ps02",
    "ps03/ps03",
]


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """A copy of Pyodide."""

    def made(folder):
        copy_pyodide(folder / "copy")
        return folder / "copy"

    return once(tmp_path_factory, "pyodide", made)


@pytest.fixture(scope="session")
def site(tmp_path_factory, executed, copy):  # noqa: F811
    def made(folder):
        build(folder / "site", executed, copy)
        return folder / "site"

    return once(tmp_path_factory, "site", made)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    chromium()  # before anything is started
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address):
    with blank_page() as page:
        page.asked, page.got, page.errors = [], [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("response", lambda r: page.got.append(int(r.headers.get("content-length", 0))))
        page.on("console", lambda m: m.type == "error" and page.errors.append(m.text))
        yield page


def opened(page, address, name):
    for seen in (page.asked, page.got, page.errors):
        seen.clear()
    page.goto(f"{address}/{name}.html", wait_until="networkidle")
    return page


@pytest.mark.parametrize("name", NAMES + OTHERS)
def test_a_page_is_light_asks_nobody_else_and_is_no_wider_than_a_phone(page, address, name):
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, address, name)
    assert not [url for url in page.asked if not url.startswith((address, "data:"))]
    assert not page.errors
    assert sum(page.got) < MOST_BYTES
    if name in NAMES:
        first_screen_asks_and_moves(page)
        for part in page.locator(".bd-article details").all():
            part.evaluate("(part) => { part.open = true }")
        assert page.evaluate(CUT.replace("pre", ".cell_input pre")) == 0  # of 100 characters
        first_explorer_moves_at_once(page)
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate("scrollTo(0, 0)")
        for button in page.locator("figure.opening button").all():
            button.click()  # it was stopped
        first_screen_asks_and_moves(page)
        panels_are_below_each_other(page)
    page.set_viewport_size({"width": 360, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def first_screen_asks_and_moves(page):
    """The question and most of a picture that moves without a click, with what moves it."""
    height = page.viewport_size["height"]
    question, figure = page.locator("h1 + p strong").first, page.locator(".bd-article figure").first
    assert question.inner_text().endswith("?")
    assert bottom(question) < height
    picture = figure.locator(".picture:visible, .stage").first.bounding_box()
    assert height - picture["y"] > 0.5 * picture["height"]
    if figure.get_attribute("data-model"):
        return  # an explorable: tests/course/test_first_page.py
    assert bottom(figure.locator("input").first) < height
    before = figure.locator("output").first.inner_text()
    page.wait_for_function(
        "([figure, before]) => figure.querySelector('output').textContent !== before",
        arg=[figure.element_handle(), before],
    )


def bottom(part):
    box = part.bounding_box()
    return box["y"] + box["height"]


def panels_are_below_each_other(page):
    """Each explorer on a phone: all panels between the edges of the screen, and readable."""
    boxes = page.evaluate(
        """[...document.querySelectorAll("figure.moving")].map((figure) =>
          [...figure.querySelectorAll(".picture")].filter((part) => part.offsetParent !== null)
            .map((part) => {
              const { left, right, top, bottom } = part.getBoundingClientRect();
              const width = part.style.getPropertyValue("--w");
              const letters = part.querySelector("img").offsetWidth / width;
              return { left, right, top, bottom, letters };
            }))"""
    )
    assert boxes
    for panels in boxes:
        assert panels
        assert min(panel["left"] for panel in panels) >= 0
        assert max(panel["right"] for panel in panels) <= 390
        assert all(a["bottom"] <= b["top"] for a, b in itertools.pairwise(panels))
        assert min(panel["letters"] for panel in panels) > 0.4


def first_explorer_moves_at_once(page):
    figure = page.locator("figure.moves").first
    if figure.locator("button").count() and figure.locator("button").inner_text() == "Stop":
        figure.locator("button").click()
    whole, change = (figure.locator(f".wide {what}") for what in ("img:not(.change)", ".change"))
    slider, said = figure.locator("input").first, figure.locator("[role=status]")
    before, sentence = change.get_attribute("src"), said.inner_text()
    assert whole.get_attribute("alt") == sentence
    slider.focus()
    low, high = (int(slider.get_attribute(end) or 0) for end in ("min", "max"))
    value = int(slider.input_value())
    for _ in range(10):  # neighbouring places can say the same
        slider.press("ArrowLeft" if value - low > high - value else "ArrowRight")
        if said.inner_text() != sentence and change.get_attribute("src") != before:
            break
    page.wait_for_function("(image) => image.hidden || image.complete", arg=change.element_handle())
    assert change.get_attribute("src") != before
    assert whole.evaluate("(image) => image.naturalWidth") >= 1200
    assert said.inner_text() != sentence
    shown = figure.locator("output").first.inner_text()
    assert slider.get_attribute("aria-valuetext") == shown


def test_what_moves_stops_where_it_is_touched_and_rests_where_that_is_asked_for(page, address):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    opened(page, address, "12_square_root_of_k")
    figure = page.locator("figure.opening")
    button, slider, value = (figure.locator(what) for what in ("button", "input", "output"))
    at_rest = value.inner_text()
    page.wait_for_timeout(1200)
    assert value.inner_text() == at_rest
    page.emulate_media(reduced_motion="no-preference")
    button.click()
    page.wait_for_function(
        "(text) => document.querySelector('.opening output').textContent !== text", arg=at_rest
    )
    assert button.inner_text() == "Stop"
    slider.press("ArrowRight")
    assert button.inner_text() == "Play"
    touched = value.inner_text()
    page.wait_for_timeout(1200)
    assert value.inner_text() == touched


def test_the_slider_that_moves_is_the_one_that_the_text_names_first(site):
    """No other control of the explorer, but a button, is named earlier in the section "Play"."""
    wrong = []
    for path in LESSONS:
        tasks = re.split(r"^\d+\. ", section(path, "Play"), flags=re.M)[1:]
        kind = next(c for c in cells(path, "code") if re.fullmatch(EXPLORER, c))
        controls = getattr(widgets, kind[:-2])().controls
        named = {c.description: first_task(tasks, n, c) for n, c in controls.items() if is_moved(c)}
        figure = (site / f"{path.stem}.html").read_text(encoding="utf-8").split("moving moves")[1]
        moves = re.findall("<label><span>(.+?)</span>", figure.split("</figure>")[0])
        if min(named.get(unescape(label), 99) for label in moves) > min(named.values()):
            wrong.append((path.stem, moves, named))
    assert wrong == []


def is_moved(control):
    return hasattr(control, "options") or hasattr(control, "step")  # and no button


def first_task(tasks, name, control):
    """The number of the first task that names a control: by a word, its letter or an option in bold
    letters, or plainly by its first word. 99 if none does.
    """
    label = control.description
    options = [str(o[0] if isinstance(o, tuple) else o) for o in getattr(control, "options", ())]
    words = [w.removesuffix("s") for w in re.findall(r"\w{4,}", label.lower())]
    words = [w for w in words if w not in ("privacy", "promised", "los", "look", "share", "each")]
    letters = [letter for letter in [name, *re.findall(r"\b\w\b", label)] if len(letter) == 1]
    for number, task in enumerate(tasks):
        spans = re.findall(r"\*\*(.{2,}?)\*\*", task.lower())
        bold = " ".join(spans)
        if any(re.search(rf"\b{re.escape(word)}s?\b", bold) for word in words):
            return number
        if any(o.lower().startswith(span) for o in options for span in spans):
            return number
        if any(f"**{letter}**" in task or f"${letter}$" in task for letter in letters):
            return number
        if words and re.search(rf"\b{re.escape(words[0])}s?\b", task.lower()):
            return number
    return 99


def test_code_is_folded_on_a_lesson_and_open_on_a_set(site):
    for name, folds in {"05_randomized_response": True, "ps03/ps03": False}.items():
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        assert text.count('<div class="cell_input') > 5
        assert (text.count('<details class="admonition hide') > 5) == folds, name
        assert ("show code" in text) == folds, name


def test_further_reading_is_folded_behind_its_heading(site):
    wanted = {path.stem for path in LESSONS if section(path, FURTHER)}
    texts = {name: (site / f"{name}.html").read_text(encoding="utf-8") for name in NAMES}
    folded = r'<details class="further"><summary><h2>Go further<(?:(?!</details>).)*</details>'
    assert {name for name, text in texts.items() if re.search(folded, text, re.S)} == wanted


def test_a_prediction_waits_for_a_choice(page, address):
    opened(page, address, "05_randomized_response")
    verdict = page.locator("[data-compares=innocent]")
    assert "certain" not in verdict.inner_text()
    page.get_by_label("no surer than before").check()
    assert verdict.inner_text().startswith("You predicted “no surer than before”; it is “certain”")
    page.get_by_label("certain", exact=True).check()
    assert verdict.inner_text() == "You predicted “certain”, and so it is."


def test_pages_are_dark_where_that_is_asked_for(page, address):
    opened(page, address, "07_laplace")
    ground = "getComputedStyle(document.body).backgroundColor"
    filters = "getComputedStyle(document.querySelector('.moving .wide')).filter"
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    light = page.evaluate(ground)
    assert page.evaluate(filters) == "none"
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(ground) != light
    assert "invert" in page.evaluate(filters)


def test_pictures_of_mechanisms_are_dark_where_that_is_asked_for_and_have_a_text(page, address):
    opened(page, address, "library/mechanisms")
    count = page.locator("img.law").count()
    assert count > 30
    assert page.locator("img.law[alt*=' ']").count() == count
    look = ("filter", "background-color", "padding-left")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert styles(page, "img.law", *look) == {("none", "rgb(255, 255, 255)", "0px")}
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    ((shown, ground, padding),) = styles(page, "img.law", *look)
    assert "invert" in shown
    assert (ground, padding) == ("rgb(255, 255, 255)", "0px")  # inverted


def styles(page, selector, *names, part=""):
    """What is computed of these properties for each element, once each."""
    found = page.evaluate(
        """([selector, names, part]) => [...document.querySelectorAll(selector)].map(
          (e) => names.map((name) => getComputedStyle(e, part || null).getPropertyValue(name)))""",
        [selector, names, part],
    )
    return {tuple(values) for values in found}


def test_at_night_what_a_cell_shows_is_on_the_page_s_ground(page, address):
    opened(page, address, "14_bounded_range")
    page.add_style_tag(content="* { transition: none !important }")  # a theme is there at once
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    ours = ".output.text_html:has(.moving, .prediction, [data-compares])"
    ((letters,),) = styles(page, ".bd-article", "color")
    assert styles(page, ours, "background-color", "color", "padding-left") == {
        ("rgba(0, 0, 0, 0)", letters, "0px")
    }
    assert styles(
        page, ".cell_output img:not(.moving img)", "background-color", "padding-left"
    ) == {
        ("rgb(255, 255, 255)", "0px")  # inverted
    }


@pytest.fixture
def paper(page):
    page.set_viewport_size({"width": 700, "height": 900})
    yield page
    page.emulate_media(media="screen")


def test_on_paper_no_line_of_code_is_cut(paper, address):
    opened(paper, address, "07_laplace")
    paper.emulate_media(media="print")
    assert paper.evaluate(CUT) == 0
    paper.emulate_media(media="screen")
    assert paper.evaluate(CUT) > 0


def test_on_paper_stands_only_what_is_of_use_there(paper, address):
    opened(paper, address, "05_randomized_response")
    paper.get_by_label("no surer than before").check()
    paper.emulate_media(media="print")
    for gone in (".moving input", ".moving .more", ".run-here", "[data-compares=crowd]"):
        assert styles(paper, gone, "display") == {("none",)}
    for kept in (".moving figcaption", ".moving output", "[data-compares=innocent]"):
        assert ("none",) not in styles(paper, kept, "display")
    # A cell goes to the next page with its frame, and one longer than a page is parted.
    assert styles(paper, ".cell_input", "break-inside") == {("avoid",)}
    assert styles(paper, ".cell_input [class*=highlight]", "break-inside") == {("auto",)}


PRINTED = """
() => addEventListener("beforeprint", () => { window.printed = [
  document.documentElement.dataset.theme,
  document.querySelectorAll(".bd-article details:not([open])").length,
] })
"""


def test_paper_is_light_and_nothing_on_it_is_shut(page, address):
    opened(page, address, "05_randomized_response")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.locator("details summary").first.click()
    page.evaluate(PRINTED)
    page.pdf()
    assert page.evaluate("window.printed") == ["light", 0]
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".bd-article details[open]").count() == 1


def test_on_a_phone_what_is_wide_shows_its_beginning_and_says_so(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, "05_randomized_response")
    beginnings = page.evaluate(
        """[...document.querySelectorAll("div.math")].filter((e) => e.scrollWidth > e.clientWidth)
          .map((e) => e.firstChild.getBoundingClientRect().left - e.getBoundingClientRect().left)"""
    )
    assert beginnings
    assert min(beginnings) >= 0
    ((hint,),) = styles(page, "div.cell_output[tabindex]", "content", part="::before")
    assert "sideways" in hint
    page.set_viewport_size({"width": 1280, "height": 900})
    assert styles(page, "div.cell_output", "content", part="::before") == {("none",)}


def test_a_full_stop_stays_with_its_formula(site):
    text = (site / "05_randomized_response.html").read_text(encoding="utf-8")
    assert re.search(r"</math>[.,:]+</span>", text)
    assert not re.search(r"</math></span>[.,:]", text)


def test_letters_of_another_style_are_characters_of_their_own(site):
    text = "".join((site / f"{name}.html").read_text(encoding="utf-8") for name in NAMES)
    assert set(re.findall('mathvariant="(.+?)"', text)) == {"normal"}  # all that Chromium knows
    assert set("𝔼ℕℝ𝒩𝒳") <= set(text)


def test_what_a_cell_prints_is_in_one_box(site):
    for name in NAMES:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        assert not re.search(r'</pre></div>\n</div>\n<div class="output stream', text), name


def found(page, address, query):
    """The pages that a search finds, the first one first."""
    page.goto(f"{address}/search.html?q={query}")
    page.locator(".search-summary:not(:empty)").wait_for()
    links = "(links) => links.map((link) => link.getAttribute('href').split('.html')[0])"
    return page.locator("#search-results li a").evaluate_all(links)


@pytest.mark.parametrize(
    ("word", "lesson"),
    [
        ("DP-SGD", "18_private_training"),
        ("k-anonymity", "01_the_governor"),
        ("permute and flip", "14_bounded_range"),
        ("randomised response", "05_randomized_response"),
    ],
)
def test_a_word_of_the_glossary_leads_to_it_and_to_its_lesson(page, address, word, lesson):
    pages = found(page, address, word)
    assert set(pages[:2]) == {"glossary", lesson}
    assert len(pages) < 40


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("DP-SGD", ["SGD"]),
        ("DP", ["DP"]),
        ("a randomised response", ["randomized", "response"]),
        ("--", []),
    ],
)
def test_short_words_are_looked_for_only_alone_and_spelling_does_not_matter(
    page, address, query, words
):
    page.goto(f"{address}/search.html")
    assert page.evaluate("(query) => splitQuery(query)", query) == words


def test_words_are_found(page, address):
    page.goto(f"{address}/search.html?q=permute+and+flip")
    page.locator("#search-results li a").first.wait_for()
    assert page.locator("#search-results li a[href*='14_bounded_range']").count()


def test_an_excerpt_is_of_the_article_and_what_is_looked_for_can_be_read(page, address):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}/search.html?q=permute+and+flip", wait_until="networkidle")
    excerpts = page.locator("#search-results .context").all_inner_texts()
    assert len(excerpts) > 5
    assert not [e for e in excerpts if re.search("Contents|Light Dark|System Settings", e)]
    left = "(e) => e.getBoundingClientRect().left"
    icon = page.locator(".bd-search-container .fa-magnifying-glass").evaluate(
        "(e) => e.getBoundingClientRect().right"
    )
    field = page.locator(".bd-search-container input")
    inside = float(field.evaluate("(e) => getComputedStyle(e).paddingLeft").removesuffix("px"))
    assert field.evaluate(left) + inside > icon


@pytest.mark.parametrize("width", [390, 1000, 1280])
def test_there_is_one_way_to_search_and_it_is_in_sight(page, address, width):
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, address, "21_fooling_yourself")
    shown = [
        button for button in page.locator("button.search-button__button").all() if seen(button)
    ]
    assert len(shown) == 1
    shown[0].click()
    assert page.locator("#pst-search-dialog input").is_visible()
    page.keyboard.press("Escape")


def test_buttons_open_the_list_of_pages_and_of_headings(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, "05_randomized_response")
    for button, inside in (("primary", "6. What exactly is promised?"), ("secondary", "Measure")):
        entry = page.locator(f"#pst-{button}-sidebar-modal a", has_text=inside).first
        assert not entry.is_visible()
        page.locator(f".bd-header-article .{button}-toggle").click()
        entry.wait_for()
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.locator(".bd-sidebar-primary").is_visible()
    page.locator(".bd-header-article .primary-toggle").click()
    page.locator(".bd-sidebar-primary").wait_for(state="hidden")


def seen(part):
    """Whether a click in the middle of it would meet it."""
    return part.evaluate("""(e) => {
      const box = e.getBoundingClientRect();
      return e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    }""")


def test_the_first_page_says_how_to_install_and_the_map_what_moves(site):
    page = (site / "index.html").read_text(encoding="utf-8")
    first = unescape(re.sub("<[^>]+>", "", page))
    for command in ("bin/pip install -q '.[course]'", "bin/autograder course ~/privacy"):
        assert f".venv/{command}\n" in first
    assert 'href="#install-it"' in page
    index = (site / "map.html").read_text(encoding="utf-8")
    assert "Run All Cells" not in index
    assert "its first explorer moves" in index


def test_jupyterlite_is_built_without_a_word(tmp_path, capfd):
    from autograder.desk.student_folder import lay_out

    lay_out(tmp_path / "privacy")
    build_lite(tmp_path / "privacy", tmp_path / "site")
    assert (tmp_path / "site" / "lite" / "lab" / "index.html").exists()
    assert capfd.readouterr() == ("", "")


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.found += [given[key] for key in ("href", "src") if given.get(key)]
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}


def links(path):
    reader = Links()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def test_every_link_leads_somewhere(site):
    pages = {path.resolve(): links(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.found:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages[target].names if target in pages else {anchor}
            if not target.exists() or (anchor and anchor not in known):
                broken.append(f"{path.relative_to(site.resolve())}: {link}")
    assert broken == []


def test_no_solution_and_no_hidden_test_is_on_it(site):
    secret = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)")
    hidden = [p for p in site.rglob("*.*") if p.suffix in (".html", ".js", ".txt", ".ipynb")]
    assert len(hidden) > 100
    found = [p.name for p in hidden if secret.search(p.read_text(encoding="utf-8"))]
    assert set(found) <= {"guide.html", "searchindex.js"}  # which says what such marks are


def test_the_library_s_pages_name_everything_public(site):
    text = "".join(p.read_text(encoding="utf-8") for p in (site / "library").glob("*.html"))
    missing = [
        name for name in dplab.__all__ if f">{name}<" not in text and f" {name}<" not in text
    ]
    assert missing == []


def test_the_library_s_pages_say_nothing_that_is_python_s_own(site):
    pages = [p.read_text(encoding="utf-8") for p in (site / "library").glob("*.html")]
    for kind in (bool, float, int, str, tuple):
        assert not [p for p in pages if escape(inspect.getdoc(kind).splitlines()[0]) in p], kind


def test_the_library_s_first_page_says_what_each_module_is(site):
    text = (site / "library/dplab.html").read_text(encoding="utf-8")
    assert inspect.getdoc(dplab.mechanism).splitlines()[0] in text


def test_all_formulas_are_mathematics(site):
    for name in NAMES:
        assert "<math" in (site / f"{name}.html").read_text(encoding="utf-8")


def test_a_docstring_is_shown_as_it_is_meant():
    shown = markdown("A law of *x* and y_1, `a * b`.\n\n    x^2\n\n>>> 1 + 1\n2")
    law, formula, example = shown.split("\n\n")
    assert law == "A law of \\*x\\* and y\\_1, `a * b`."
    assert formula == "```text\nx^2\n```"
    assert example == "```pycon\n>>> 1 + 1\n2\n```"


def test_students_get_nothing_that_builds_the_site(tmp_path):
    from autograder.desk.student_folder import lay_out

    lay_out(tmp_path / "privacy")
    assert not (tmp_path / "privacy" / "site").exists()
    assert (COURSE / "site" / "build.py").exists()


def test_what_moves_on_a_page_is_light_and_has_many_positions_where_there_are(site):
    moving = site / "_static/moving"
    found = {path.stem: list((moving / path.stem).glob("*.webp")) for path in LESSONS}
    assert {name: len(pictures) for name, pictures in found.items() if len(pictures) < 5} == {}
    for name, pictures in found.items():
        assert sum(picture.stat().st_size for picture in pictures) < 450_000, name
