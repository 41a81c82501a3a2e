"""The page around a widget: a still picture without a kernel, dark colours, names of controls.

A widget lives as long as its kernel. In a notebook that is opened again, JupyterLab shows an error
instead of the widget. Our style sheet hides the error and shows a note instead, below the still
picture that was saved with the notebook. It has to be a style sheet: no script of ours runs there.

While the widget lives, a script names its controls for screen readers. ipywidgets writes a label
beside a slider, but names neither its handle nor its number, and no group of radio buttons. The
handle of a slider over words announces the number of the word instead of the word.
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
      const text = label.textContent || label.title;
      for (const part of label.parentElement.querySelectorAll(
        ".noUi-handle, :scope > .widget-readout, :scope > .widget-radio-box")) {
        if (part.matches(".widget-readout")) part.setAttribute("role", "textbox");
        if (part.matches(".widget-radio-box")) part.setAttribute("role", "radiogroup");
        part.setAttribute("aria-label", text);
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
    """Display a widget, and after it the `note` that replaces it when its kernel is gone.

    A picture displayed just before the widget is its still picture: it is visible only when the
    widget isn't. In
    JupyterLab's dark theme, pictures in the notebook get a dark ground and keep their hues.
    """
    widget.add_class("dplab-live")
    display(widget)
    display(HTML(f'{STYLE}<p class="dplab-note">{note}</p>{NAMES}'))
