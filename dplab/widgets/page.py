"""The page around a widget: a still picture where nothing runs, and colours for a dark theme.

A widget lives as long as its kernel. In a notebook that is opened again JupyterLab shows an error
in its place; then a note stands there instead, below the still picture that was saved with it. A
style sheet does it, since nothing of ours runs on such a page.
"""

from __future__ import annotations

import ipywidgets
from IPython.display import HTML, display

_OUTPUT = ".jp-OutputArea-child"
STYLE = f"""<style>
{_OUTPUT}:has(.jp-RenderedImage):has(+ {_OUTPUT} .dplab-live) {{display: none}}
{_OUTPUT}:has(.dplab-live) + {_OUTPUT}:has(.dplab-note) {{display: none}}
{_OUTPUT}:not(:has(.dplab-live)):has(+ {_OUTPUT} .dplab-note) {{display: none}}
.dplab-note {{font-style: italic; margin: 0 0 1em}}
body[data-jp-theme-light="false"] :is(.dplab-live, .jp-Notebook:has(.dplab-note) .jp-RenderedImage)
  img {{filter: invert(0.93) hue-rotate(180deg)}}
</style>"""


def show(widget: ipywidgets.DOMWidget, note: str) -> None:
    """Display a widget, and behind it the `note` that stands in its place where it is gone.

    A picture that is displayed just before is its still: it shows where the widget doesn't. In
    JupyterLab's dark theme pictures of the notebook have a dark ground, and keep their hues.
    """
    widget.add_class("dplab-live")
    display(widget)
    display(HTML(f'{STYLE}<p class="dplab-note">{note}</p>'))
