"""The base class of explorers: controls, a figure that is drawn once, and artists that move.

An explorer is a subclass with five short methods:

    make_controls() -> the widgets, by name
    compute(...)    -> the view: everything the picture shows, from the controls' values by name
    build()         -> the axes, and the artists that will move
    move(view)      -> put the artists where the view says
    describe(view)  -> the same in a sentence, also for readers who can't see the picture

Axes, ticks and labels are drawn again only when their axis changes (see `layers`). A move draws the
artists over a copy of them and sends a PNG.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import ipywidgets
import numpy as np
import traitlets
from IPython.display import Image, display
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dplab.widgets import page, png, style
from dplab.widgets.layers import Layers

DPI = 144
MAX_WIDTH = 880  # the width of the picture, in CSS pixels
ROUND_NUMBERS = (1, 1.3, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8)  # nearly equal steps of the logarithm
Controls = dict[str, ipywidgets.Widget]  # widgets by name, in the order on the page
Artists = list[Artist]


class Explorer(ABC):
    """Controls above a picture that follows them."""

    size = (9.0, 3.7)  # inches
    seed: int  # seed of the random numbers that "again" draws anew, if any

    def __init__(self):
        self.controls: Controls = self.make_controls()
        self.figure = Figure(figsize=self.size)
        self.canvas = FigureCanvasAgg(self.figure)
        with style.context():
            self.figure.set_dpi(DPI)
            self.moving: tuple[Artist, ...] = tuple(self.build())
        for artist in self.moving:
            artist.set_animated(True)
        self.layers = Layers(self.canvas)
        self._busy = False
        self.picture = Picture(format="png")
        width = f"{MAX_WIDTH}px"
        self.picture.layout = ipywidgets.Layout(width="100%", max_width=width, margin="0")
        self.caption = ipywidgets.HTML()
        self.refresh()
        for control in self.controls.values():
            control.observe(self._on_change, names="value")

    @abstractmethod
    def make_controls(self) -> Controls:
        """Create the controls, by name, in the order in which they are shown."""

    @abstractmethod
    def compute(self, *args: Any, **values: Any) -> Any:
        """Compute the view from the values of the controls, by name; draw nothing."""

    @abstractmethod
    def build(self) -> Artists:
        """Draw the fixed parts of `self.figure`, and return the artists that will move."""

    @abstractmethod
    def move(self, view: Any) -> None:
        """Put the artists where the view says."""

    @abstractmethod
    def describe(self, view: Any) -> str:
        """Say in a sentence or two what the picture shows: its caption and alternative text."""

    def link(self, name: str) -> None:
        """Let other controls follow the changed control `name`. By default, none do."""
        return

    def view(self) -> Any:
        """Compute the values that the picture shows now."""
        return self.compute(**{name: control.value for name, control in self.controls.items()})

    def value(self, name: str) -> Any:
        """Return the value of the control `name`."""
        return self.controls[name].value

    def generator(self, again: int) -> np.random.Generator:
        """Return a generator that depends only on `seed` and on how often "again" was pressed."""
        return np.random.default_rng([self.seed, again])

    def refresh(self) -> None:
        """Recompute, redraw and send the picture and its caption; name the controls."""
        for control in self.controls.values():  # a name may depend on other controls
            control.tooltip = control.description  # without one the browser shows "null"
        view = self.view()
        self.move(view)
        picture, sentence = self.render(), self.describe(view)
        with self.picture.hold_sync():  # one message: the browser reloads the picture for each
            self.picture.value, self.picture.tooltip = picture, sentence
        self.caption.value = f'<div role="status" aria-live="polite">{sentence}</div>'

    def render(self) -> bytes:
        """Draw the moving artists over the fixed parts and return a PNG."""
        pixels, renderer = self.layers.draw(), self.canvas.get_renderer()
        for artist in self.moving:
            artist.draw(renderer)
        return png.quick(pixels[..., :3])

    def _on_change(self, change: dict[str, Any]) -> None:
        if self._busy:  # a linked control has followed: one picture for both
            return
        self._busy = True
        try:
            self.link(next(n for n, c in self.controls.items() if c is change["owner"]))
        finally:
            self._busy = False
        self.refresh()

    def panel(self) -> ipywidgets.Widget:
        """Return the controls, the picture and its caption as one widget."""
        controls = ipywidgets.Box(tuple(self.controls.values()))
        controls.layout = ipywidgets.Layout(flex_flow="row wrap", max_width=f"{MAX_WIDTH}px")
        panel = ipywidgets.VBox((controls, self.picture, self.caption))
        panel.add_class("dplab-explorer")
        return panel

    def _ipython_display_(self) -> None:
        display(Image(self.picture.value, width=MAX_WIDTH, alt=self.picture.tooltip))
        page.show(self.panel(), "To move this picture, run the lesson: Run, Run All Cells.")


class Picture(ipywidgets.Image):
    """An image whose `tooltip` is its alternative text."""

    # The front end reads a description before it sets the title of any view; an Image has none.
    description = traitlets.Unicode("").tag(sync=True)


class Again(ipywidgets.Button):
    """A button whose `value` counts its presses, so that it is a control like the others."""

    value = traitlets.Int(0)

    def __init__(self, description: str):
        super().__init__(description=description, layout=ipywidgets.Layout(width="auto"))
        self.on_click(lambda _: self.set_trait("value", self.value + 1))


def slider(label: str, value: float, least: float, most: float, step: float) -> ipywidgets.Widget:
    """Return a labelled slider from least to most; over whole numbers if all four are whole.

    `value` must be a whole number of steps above `least`; otherwise the browser changes it.
    """
    whole = all(isinstance(number, int) for number in (value, least, most, step))
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    return _lay_out(kind(description=label, value=value, min=least, max=most, step=step))


def log_slider(label: str, value: float, least: float, most: float) -> ipywidgets.Widget:
    """Return a labelled slider over round numbers from least to most, ten in each decade.

    If all three arguments are whole, it has only whole numbers, each once.
    """
    decades = range(-3, 7)
    numbers = [mantissa * 10.0**decade for decade in decades for mantissa in ROUND_NUMBERS]
    values = [
        float(f"{number:.2g}") for number in numbers if least <= number * 1.001 <= most * 1.01
    ]
    if all(isinstance(number, int) for number in (value, least, most)):
        values = list(dict.fromkeys(map(round, values)))
    options = [(f"{number:,.10g}", number) for number in values]
    return _lay_out(ipywidgets.SelectionSlider(description=label, value=value, options=options))


def choice(label: str, value: Any, options: Sequence[tuple[str, Any]]) -> ipywidgets.Widget:
    """Return a labelled slider over `options`, pairs of a name and a value."""
    return _lay_out(ipywidgets.SelectionSlider(description=label, value=value, options=options))


def _lay_out(control: ipywidgets.Widget) -> ipywidgets.Widget:
    control.style.description_width = "130px"
    control.layout.width = "420px"
    return control
