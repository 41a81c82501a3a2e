"""A lesson as a page: its question, what moves, and the rest, with code folded.

The first explorer moves twice: it opens the page, and it is where the text about it is.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell, new_output

from course.site import explorables
from course.site.controls import first_named
from course.site.explorer_figure import figure
from course.site.frames import Frames, write_frames
from course.site.outline import titled
from dplab import widgets

EXPLORER = re.compile(r"[A-Z]\w+\(\)")
QUESTION = re.compile(r"\*\*[^*]+\?\*\* \(\d+ minutes[^)]*\)")
WIDGET = "application/vnd.jupyter.widget-view+json"
MOVING = "_static/moving"  # the site's folder of pictures


def as_page(
    lesson: nbformat.NotebookNode, executed: nbformat.NotebookNode, name: str, pictures: Path
) -> nbformat.NotebookNode:
    """Return the page of a lesson, with the outputs of the same cells executed.

    Pictures of its explorers go to `pictures` / `name`.
    """
    opening, text, play = explorables.of_lesson(name), "", True
    for cell, done in zip(lesson.cells, executed.cells, strict=True):
        if cell.cell_type != "code":
            text = cell.source
            continue
        is_explorer = bool(EXPLORER.fullmatch(cell.source))
        fold(cell, "remove-input" if is_explorer else "hide-input")
        if is_explorer:
            frames, address = _frames(cell.source[:-2], name, pictures, text if play else None)
            cell.outputs = [_html(figure(frames, address, again=play and not opening))]
            opening = opening or figure(frames, address, opens=True)
            play = False
        else:
            cell.outputs = list(_outputs(done))
            alt = titled(cell.source) or "a plot of what the cell computes"
            cell.metadata["mystnb"] = {"image": {"alt": alt}}
    lesson.cells[:1] = _opened(lesson.cells[0], opening)
    return lesson


def fold(cell: nbformat.NotebookNode, how: str) -> None:
    """Fold the code of a cell away, behind words that open it; of an explorer leave it out."""
    cell.metadata["tags"] = [*cell.metadata.get("tags", []), how]


def _frames(kind: str, name: str, pictures: Path, play: str | None) -> tuple[Frames, str]:
    """Write an explorer's pictures; return what a page shows of it, and where the pictures are.

    `play` is the text above the first explorer, which moves; others are still.
    """
    explorer = getattr(widgets, kind)
    named = [] if play is None else first_named(play, explorer().controls)
    place = name if play is not None else f"{name}/{kind}"
    return write_frames(explorer, named, pictures / place), f"{MOVING}/{place}"


def _opened(cell: nbformat.NotebookNode, opening: str) -> list[nbformat.NotebookNode]:
    """Return a lesson's first cells: its title and question, what moves, and how it comes to it."""
    title, _, story = cell.source.partition("\n")
    if question := QUESTION.search(story):
        story = story.replace(question[0], "")
        title = f"{title}\n\n{question[0]}"
    texts = {"question": title, "opening": opening, "story": story.strip()}
    return [new_markdown_cell(text, id=key) for key, text in texts.items() if text]


def with_button(notebook: nbformat.NotebookNode, address: str, source: str) -> None:
    """Say below what moves, or below the title, how to run it here, and who is asked for Python."""
    button = (
        f'<p class="run-here"><a href="{html.escape(address)}">Run it here</a> <span>in this '
        f"browser: nothing is installed, and what you write stays in it. Python comes from "
        f"{source}, some 50 MB the first time.</span></p>"
    )
    cell = new_markdown_cell(button, id="run-here")  # by chance, it would be a new page each time
    above = [number for number, one in enumerate(notebook.cells) if one.get("id") == "opening"]
    notebook.cells.insert(max(above, default=0) + 1, cell)


def _outputs(cell: nbformat.NotebookNode) -> Iterator[nbformat.NotebookNode]:
    """A cell's outputs, with a prediction and what it is compared with in plain HTML."""
    question, verdict = _prediction(cell.source), _compared(cell.source)
    for output in cell.outputs:
        data = output.get("data", {})
        if WIDGET in data or "dplab-note" in data.get("text/html", ""):
            continue
        text = data.get("text/markdown", "")
        if question and text.startswith("**"):
            yield _html(question)
        elif verdict and text.startswith("Choose your answer"):
            yield _html(verdict)
        else:
            yield output


def _prediction(source: str) -> str:
    """The choice that a cell asks for; empty if it asks for none."""
    for node in ast.parse(source).body:
        call = getattr(node, "value", None)
        if isinstance(node, ast.Assign) and _calls(call, "Prediction"):
            name = node.targets[0].id
            question, answers = (ast.literal_eval(argument) for argument in call.args)
            choices = "".join(
                f'<label><input type="radio" name="{name}" value="{html.escape(answer)}"> '
                f"{html.escape(answer)}</label>"
                for answer in answers
            )
            legend = f"<legend>{html.escape(question)}</legend>"
            marks = f'class="prediction" data-prediction="{name}"'
            return f"<fieldset {marks}>{legend}{choices}</fieldset>"
    return ""


def _compared(source: str) -> str:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "compare":
            if not isinstance(node.args[0], ast.Constant):
                return ""
            name, truth = node.func.value.id, html.escape(node.args[0].value)
            return (
                f'<p role="status" data-compares="{name}" data-truth="{truth}">Choose your answer '
                f"at the beginning of the lesson first: the comparison waits for it.</p>"
            )
    return ""


def _calls(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == name


def _html(text: str) -> nbformat.NotebookNode:
    return new_output("display_data", data={"text/html": text, "text/plain": ""})
