"""Sphinx's settings for the site: `build.py` copies this file beside the pages."""

import gc
import html
import re

import latex2mathml.exceptions
from docutils.nodes import SkipNode, Text, math
from sphinx.util import logging

from course.site.prose import HELD, mathml

_HELD = re.compile(f"{HELD}+")
logger = logging.getLogger(__name__)
gc.set_threshold(1_000_000)  # pages are made of cycles: to look through them is half of a build

project = "dplab"
author = "the dplab authors"
html_title = "dplab: differential privacy, run, broken and graded"
language = "en"

extensions = ["myst_nb"]
nb_execution_mode = "off"  # build.py has executed the lessons
nb_mime_priority_overrides = [("html", "text/html", 0)]
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 3
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "sphinx_book_theme"
html_static_path = ["static"]
html_css_files = ["dplab.css"]
html_js_files = ["moving.js"]
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


def setup(app):
    """Formulas become MathML, which browsers draw without a script or a font of ours."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.config.html_math_renderer = "mathml"
    app.connect("doctree-resolved", _hold)
