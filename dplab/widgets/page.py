"""The page around a widget: a still picture where nothing runs, colours for a dark theme, names.

A widget lives as long as its kernel. In a notebook that is opened again JupyterLab shows an error
in its place; then a note stands there instead, below the still picture that was saved with it. A
style sheet does it, since nothing of ours runs on such a page.

While it lives, a screen reader is told what each control is: ipywidgets puts a name beside a slider
that it does not give to the handle, nor to the number behind it, nor to a group of radio buttons;
and of a slider over words the handle says the number of the word.
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
.dplab-live .widget-readout {{flex-shrink: 0}}
body[data-jp-theme-light="false"] :is(.dplab-live, .jp-Notebook:has(.dplab-note) .jp-RenderedImage)
  img {{filter: invert(0.93) hue-rotate(180deg)}}
</style>"""
NAMES = """<script>
(() => {
  if (window.dplabNames) return;
  const name = (live) => {
    for (const label of live.querySelectorAll(".widget-label")) {
      const said = label.textContent || label.title;
      for (const part of label.parentElement.querySelectorAll(
        ".noUi-handle, :scope > .widget-readout, :scope > .widget-radio-box")) {
        if (part.matches(".widget-readout")) part.setAttribute("role", "textbox");
        if (part.matches(".widget-radio-box")) part.setAttribute("role", "radiogroup");
        part.setAttribute("aria-label", said);
      }
      const [handle, other] = label.parentElement.querySelectorAll(".noUi-handle");
      const readout = label.parentElement.querySelector(":scope > .widget-readout");
      if (handle && readout && !other) handle.setAttribute("aria-valuetext", readout.textContent);
    }
    for (const image of live.querySelectorAll("img")) image.alt = image.title;
  };
  const all = () => document.querySelectorAll(".dplab-live").forEach(name);
  window.dplabNames = new MutationObserver(all);
  window.dplabNames.observe(document.body,
    {childList: true, subtree: true, attributes: true, attributeFilter: ["title"]});
  all();
})();
</script>"""


def show(widget: ipywidgets.DOMWidget, note: str) -> None:
    """Display a widget, and behind it the `note` that stands in its place where it is gone.

    A picture that is displayed just before is its still: it shows where the widget doesn't. In
    JupyterLab's dark theme pictures of the notebook have a dark ground, and keep their hues.
    """
    widget.add_class("dplab-live")
    display(widget)
    display(HTML(f'{STYLE}<p class="dplab-note">{note}</p>{NAMES}'))
