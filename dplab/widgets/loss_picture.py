"""Explorer: one picture of the privacy loss, and every measure of privacy read off it.

Z = log p/q has one law under p and another under q, and q's is e^{-z} times p's. What p has above
e^epsilon q, where Z > epsilon, is delta(epsilon); the ends of Z are pure epsilon and bounded range;
its soft maximum at order alpha is the Renyi divergence; threshold tests give the trade-off curve.
"""

from __future__ import annotations

import ipywidgets
import numpy as np

from dplab.widgets.explorer import Explorer, log_slider, slider
from dplab.widgets.loss_panels import Delta, Errors, Law, Ruler
from dplab.widgets.loss_view import (
    GAUSSIAN,
    STRENGTHS,
    LossView,
    loss_of,
    number,
    strength_in_words,
)


class LossPicture(Explorer):
    """The law of the privacy loss with delta, range, Renyi and rho; delta(epsilon) and errors."""

    size = (9.0, 5.4)

    def make_controls(self):
        return {
            "mechanism": ipywidgets.RadioButtons(
                options=list(STRENGTHS), description="Mechanism:", layout={"width": "420px"}
            ),
            "strength": slider(STRENGTHS[GAUSSIAN], 1.0, 0.2, 3.0, 0.1),
            "epsilon": slider("Read δ at ε", 1.0, 0.0, 4.0, 0.1),
            "alpha": log_slider("Rényi order α", 4.0, 1.3, 100.0),
        }

    def link(self, name):
        self.controls["strength"].description = STRENGTHS[self.value("mechanism")]

    def view(self):
        loss = loss_of(self.value("mechanism"), self.value("strength"))
        return LossView(loss, self.value("epsilon"), self.value("alpha"))

    def build(self):
        place = {"left": 0.075, "right": 0.985, "bottom": 0.1, "top": 0.935}
        grid = self.figure.add_gridspec(2, 2, width_ratios=(1.55, 1), hspace=0.42, **place)
        left = grid[:, 0].subgridspec(3, 1, height_ratios=(0.02, 1, 0.28), hspace=0.06)
        self.law = Law(self.figure.add_subplot(left[1]))
        self.ruler = Ruler(self.figure.add_subplot(left[2], sharex=self.law.axes))
        self.delta = Delta(self.figure.add_subplot(grid[0, 1]))
        self.errors = Errors(self.figure.add_subplot(grid[1, 1]))
        self.panels = (self.law, self.ruler, self.delta, self.errors)
        return [artist for panel in self.panels for artist in panel.artists]

    def move(self, view):
        for panel in self.panels:
            panel.move(view)

    def describe(self, view):
        told = strength_in_words(self.value("mechanism"), self.value("strength"))
        pure = view.loss.largest_log_ratio
        ends = (
            "The loss has no bound" if pure == np.inf else f"The loss is at most {pure:.2f}: pure ε"
        )
        return (
            f"{told}. At ε = {view.epsilon:.1f} (a 50% guess "
            f"becomes at most {1 / (1 + np.exp(-view.epsilon)):.0%}) δ is {view.delta:.3g}, and "
            f"the loss exceeds ε with probability {view.above:.3g}. {ends}. Its mean is "
            f"{number(view.mean)}, D at α = {view.alpha:g} is {number(view.renyi)}, "
            f"ρ is {number(view.rho)}."
        )
