"""Sphinx's settings for the site: `build.py` copies this file beside the pages."""

import gc
import html
import re

import latex2mathml.exceptions
from docutils.nodes import SkipNode, Text, math, raw, row, section
from sphinx.addnodes import index
from sphinx.search.en import SearchEnglish
from sphinx.util import logging

from course.site.outline import FURTHER
from course.site.prose import HELD, mathml

_HELD = re.compile(f"{HELD}+")
_LESSON = re.compile(r"\d\d_")
_EXPLAINED = re.compile(r"glossary$|\d\d_")  # pages to which words of the glossary lead
SHARED = "A course in differential privacy that you can run, break and be graded on."
_CARD = '<meta name="twitter:card" content="summary_large_image" />\n'
logger = logging.getLogger(__name__)
gc.set_threshold(1_000_000)  # pages are made of cycles: to look through them is half of a build

project = "dplab"
author = "the dplab authors"
html_title = "dplab: differential privacy, run, broken and graded"
language = "en"

extensions = ["myst_nb"]
nb_execution_mode = "off"  # build.py has executed the lessons
nb_merge_streams = True  # or a kernel's pauses cut what one cell prints into boxes
nb_code_prompt_show = "show code"
nb_code_prompt_hide = "hide code"
nb_mime_priority_overrides = [("html", "text/html", 0)]
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 3
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "sphinx_book_theme"
html_static_path = ["static"]
html_css_files = ["dplab.css", "explorables.css"]
html_js_files = [("moving.js", {"defer": "defer"})]
html_favicon = "static/icon.svg"
html_context = {"default_mode": "auto"}
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],  # or hidden buttons there are taken for those that open the lists
    "show_navbar_depth": 1,
    "max_navbar_depth": 1,  # of the library a page lists the first, which leads to the others
    "collapse_navbar": True,  # what lies deeper is not gathered first, for each page anew
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def _inline(writer, node):
    formula, after = _mathml(node, "inline"), html.escape(node.get("after", ""))
    writer.body.append(f'<span class="formula">{formula}{after}</span>')
    raise SkipNode


def _display(writer, node):
    writer.body.append(f'<div class="math">{_mathml(node, "block")}</div>')
    raise SkipNode


def _mathml(node, display):
    """One that can't be turned into MathML is a warning, which names it."""
    tex = node.astext()
    try:
        return mathml(tex, display)
    except (LookupError, ValueError, latex2mathml.exceptions.NoAvailableTokensError) as error:
        logger.warning("no MathML for the formula %r: %r", tex, error, location=node)
        return f"<code>{html.escape(tex)}</code>"


def _hold(app, tree, name):
    """What follows a formula and must not begin a line goes with it."""
    for formula in tree.findall(math):
        after = formula.next_node(descend=False, siblings=True)
        if isinstance(after, Text) and (found := _HELD.match(after)):
            formula["after"] = found[0]
            after.parent.replace(after, Text(after[found.end() :]))


class Search(SearchEnglish):
    """Looks for the DP of DP-SGD, which is on every page, only where nothing longer is asked for.

    Sphinx takes a page for found that has as many words as are asked for with three letters or
    more, whichever it has. The course spells with z.
    """

    js_splitter_code = r"""
var splitQuery = (query) => {
  const spelt = query.replace(/(random|anonym)is/gi, "$1iz");
  const words = spelt.match(/[\p{Letter}\p{Number}_]+/gu) ?? [];
  const long = words.filter((word) => word.length > 2);
  return long.length ? long : words;
};"""


def _lead(app, tree, page):
    """In the search a word of the glossary leads to it, and to the lesson that explains the word.

    Those two come first: a lesson's title is a question, and seldom has the word.
    """
    for line in app.env.get_doctree("glossary").findall(row) if _EXPLAINED.match(page) else ():
        word, others, _, lesson = (cell.astext() for cell in line)
        if page == "glossary" or page.startswith(f"{lesson:>02}_"):
            names = {word, *others.split(", ")} - {"–"}
            spelt = [("ize", "ise"), ("-", " ")]
            names |= {name.replace(a, b) for name in names for a, b in spelt}
            entries = [("single", name, "", "main", None) for name in sorted(names)]
            tree.append(index(entries=entries))


def _fold(app, tree, page):
    """Fold the section "Go further" of a lesson: its heading opens it."""
    for part in tree.findall(section):
        if _LESSON.match(page) and part[0].astext() == FURTHER:
            begin = raw("", '<details class="further"><summary>', format="html")
            middle, end = (raw("", text, format="html") for text in ("</summary>", "</details>"))
            part.children = [begin, part[0], middle, *part[1:], end]


def _outdated(app, env, added, changed, removed):
    """What leads to a lesson stands in the glossary."""
    return [page for page in env.found_docs if "glossary" in changed and _EXPLAINED.match(page)]


def _share(app, page, template, context, tree):
    """Who shares a link shows a title, a sentence and a picture (Open Graph)."""
    base = app.config.html_baseurl
    picture = f"{base}_static/share.png" if base else context["pathto"]("_static/share.png", 1)
    given = {
        "og:type": "website",
        "og:site_name": project,
        "og:title": context.get("title") or html_title,
        "og:description": SHARED,
        "og:image": picture,
        "og:image:alt": "Coins fall on a class, and the teacher estimates who cheated",
    }
    tags = "".join(
        f'<meta property="{name}" content="{html.escape(html.unescape(text))}" />\n'
        for name, text in given.items()
    )
    context["metatags"] = context.get("metatags", "") + tags + _CARD


def setup(app):
    """Formulas become MathML, which browsers draw without a script or a font of ours."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.config.html_math_renderer = "mathml"
    app.connect("doctree-resolved", _hold)
    app.add_search_language(Search)
    app.connect("doctree-resolved", _lead)
    app.connect("doctree-resolved", _fold)
    app.connect("env-get-outdated", _outdated)
    app.connect("html-page-context", _share)
