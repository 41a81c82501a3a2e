"""A prediction: chosen before the experiment runs, and compared with its outcome afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets
from IPython.display import Markdown, display

from dplab import arguments
from dplab.widgets import page


class Prediction:
    """A question with a few answers; `choice` is the reader's answer, None at first.

    >>> guess = Prediction("Heads or tails?", ["heads", "tails"])
    >>> guess.choice is None
    True
    >>> guess.verdict("tails")
    'Choose your answer to *Heads or tails?* first: the comparison waits for it.'
    >>> guess.control.value = "heads"
    >>> guess.verdict("tails")
    'You predicted **heads**; it is **tails**. What did you not expect?'
    """

    def __init__(self, question: str, answers: Sequence[str]):
        self.question, self.answers = question, tuple(answers)
        self.control = ipywidgets.RadioButtons(
            options=self.answers, index=None, layout={"width": "auto"}
        )
        self.control.tooltip = question

    @property
    def choice(self) -> str | None:
        """The answer that the reader chose, None before a choice."""
        return self.control.value

    def verdict(self, truth: str) -> str:
        """Compare the choice with the true answer, in a sentence of Markdown.

        Without a choice, for example after all cells ran at once, it doesn't tell the truth.
        """
        arguments.one_of("truth", truth, self.answers)
        if self.choice is None:
            return f"Choose your answer to *{self.question}* first: the comparison waits for it."
        if self.choice == truth:
            return f"You predicted **{truth}**, and so it is."
        return f"You predicted **{self.choice}**; it is **{truth}**. What did you not expect?"

    def compare(self, truth: str) -> None:
        """Show the verdict, and update it when the reader chooses or changes the answer."""
        output = display(Markdown(self.verdict(truth)), display_id=True)
        self.control.observe(lambda _: output.update(Markdown(self.verdict(truth))), names="value")

    def _ipython_display_(self) -> None:
        display(Markdown(f"**{self.question}**"))
        page.show(self.control, f"Run this cell to choose: {' · '.join(self.answers)}")
