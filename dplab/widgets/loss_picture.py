"""Explorer: one picture of the privacy loss, and every measure of privacy that it shows.

Z = log p/q has one distribution under p and another under q; the distribution under q is e^{-z}
times the distribution under p. The excess of p over e^epsilon q, where Z > epsilon, is
delta(epsilon). The ends of Z are pure epsilon and bounded range. The soft maximum of Z at order
alpha is the Renyi divergence. Threshold tests give the trade-off curve.

The picture opens with the distribution alone. A control adds the panels of the other measures.
"""

from __future__ import annotations

from typing import Any

import ipywidgets

from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.loss_panels import Delta, Errors, Law, Ruler
from dplab.widgets.loss_view import (
    GAUSSIAN,
    STRENGTHS,
    LossView,
    chance,
    loss_of,
)
from dplab.widgets.words import at_most, guess, rough

Panel = Law | Ruler | Delta | Errors
LEVELS = {  # how many levels of the picture are shown
    "the law of the loss": 1,
    "and its range, Rényi divergence and ρ": 2,
    "and δ(ε), and the errors of tests": 3,
}


class LossPicture(Explorer):
    """The distribution of the loss with delta, range, Renyi and rho; delta(epsilon) and errors."""

    size = (9.0, 5.4)

    def make_controls(self) -> Controls:
        return {
            "mechanism": ipywidgets.RadioButtons(
                options=list(STRENGTHS), description="Mechanism:", layout={"width": "420px"}
            ),
            "strength": slider(STRENGTHS[GAUSSIAN], 1.0, 0.2, 3.0, 0.1),
            "epsilon": slider("Read δ at ε", 1.0, 0.0, 4.0, 0.1),
            "alpha": log_slider("Rényi order α", 4.0, 1.3, 100.0),
            "shown": ipywidgets.RadioButtons(
                options=list(LEVELS), description="Show:", layout={"width": "420px"}
            ),
        }

    def link(self, name: str) -> None:
        self.controls["strength"].description = STRENGTHS[self.value("mechanism")]
        if name == "alpha" and self.level == 1:  # show the effect of alpha
            self.controls["shown"].value = list(LEVELS)[1]
            name = "shown"
        if name == "shown":
            with style.context():
                self._lay_out()

    @property
    def level(self) -> int:
        """The number of levels: 1 for the distribution, 2 with the ruler, 3 with all panels."""
        return LEVELS[self.value("shown")]

    def compute(
        self, mechanism: str, strength: float, epsilon: float, alpha: float, **_: Any
    ) -> LossView:
        return LossView(loss_of(mechanism, strength), epsilon, alpha)

    def build(self) -> Artists:
        place = {"left": 0.075, "right": 0.985, "bottom": 0.1, "top": 0.935}
        grid = self.figure.add_gridspec(2, 2, width_ratios=(1.55, 1), hspace=0.42, **place)
        left_grid = grid[:, 0].subgridspec(3, 1, height_ratios=(0.02, 1, 0.28), hspace=0.06)
        self.law = Law(self.figure.add_subplot(left_grid[1]))
        self.ruler = Ruler(self.figure.add_subplot(left_grid[2], sharex=self.law.axes))
        self.delta = Delta(self.figure.add_subplot(grid[0, 1]))
        self.errors = Errors(self.figure.add_subplot(grid[1, 1]))
        self.panels: tuple[Panel, ...] = (self.law, self.ruler, self.delta, self.errors)
        self.places = [panel.axes.get_position() for panel in self.panels]
        self._lay_out()
        return [artist for panel in self.panels for artist in panel.artists]

    @property
    def panels_shown(self) -> tuple[Panel, ...]:
        return self.panels[: (1, 2, 4)[self.level - 1]]

    def _lay_out(self) -> None:
        """Show the panels of this level, and let the left ones fill the free space."""
        for panel, place in zip(self.panels, self.places, strict=True):
            is_visible = panel in self.panels_shown
            panel.axes.set_visible(is_visible)
            for artist in panel.artists:
                artist.set_visible(is_visible)
            x, y, width, height = place.bounds
            if self.level < 3 and panel in (self.law, self.ruler):
                width = self.places[2].x1 - x
            if self.level == 1 and panel is self.law:
                y, height = self.places[1].y0, place.y1 - self.places[1].y0
            panel.axes.set_position((x, y, width, height))
        self.law.axes.tick_params(labelbottom=self.level == 1)
        self.law.axes.set_xlabel("privacy loss z (in nats)" if self.level == 1 else "")

    def move(self, view: LossView) -> None:
        for panel in self.panels_shown:
            panel.move(view)

    def describe(self, view: LossView) -> str:
        promise = f"A 50% guess becomes {at_most(view.epsilon)}"
        exception = f"apart from a δ of {chance(view.delta)}"
        if view.tail_probability == 0:
            return f"{promise}, and δ is 0: no loss is above {view.loss.largest_log_ratio:.1f}."
        if self.level == 2:
            divergence = f"The Rényi divergence of order {view.alpha:g} is {rough(view.renyi, 3)}"
            return f"{promise}, {exception}. {divergence}."
        return (
            f"{promise}, {exception}. The loss exceeds ε with "
            f"probability {chance(view.tail_probability)}; the guess then typically becomes "
            f"{guess(view.typical_beyond)}."
        )
