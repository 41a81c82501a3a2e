"""A lesson as a page: executed, its first explorer moving, its predictions waiting for a choice."""

from __future__ import annotations

import ast
import hashlib
import html
import json
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ipywidgets
import nbformat
import numpy as np
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import dplab
from course.site.keeping import KEPT, contents, files, fingerprint, made_once
from course.site.outline import titled
from dplab import widgets
from dplab.widgets.png import light

ERRORS_ONLY = "--IPKernelApp.log_level=50"
SECONDS = 300  # until a cell is taken for endless
FRAMES = 21  # of the first explorer, through the range of a slider
FEW = 5  # positions of a slider: with fewer, it is passed over for another
WEIGHT = 500_000  # bytes of all its pictures, about
EXPLORER = re.compile(r"[A-Z]\w+\(\)")
WIDGET = "application/vnd.jupyter.widget-view+json"
SLIDERS = (ipywidgets.IntSlider, ipywidgets.FloatSlider, ipywidgets.SelectionSlider)
ELSEWHERE = "The other controls move where the lesson runs: press “Run it here” above."


def execute(paths: list[Path]) -> dict[Path, nbformat.NotebookNode]:
    """Execute notebooks on all cores; of what has not changed since, outputs have been kept."""
    with ProcessPoolExecutor() as pool:
        return dict(zip(paths, pool.map(partial(_executed, fingerprint()), paths), strict=True))


def _executed(packages: str, path: Path) -> nbformat.NotebookNode:
    text, place = path.read_text(encoding="utf-8"), KEPT / "executed" / path.stem

    def key(notebook: nbformat.NotebookNode) -> str:
        return hashlib.sha256((packages + text + library_of(notebook)).encode()).hexdigest()

    for kept in place.glob(f"*/{path.name}"):
        notebook = nbformat.read(kept, as_version=4)
        if key(notebook) == kept.parent.name:
            return notebook
    notebook = _run(nbformat.reads(text, as_version=4), path.parent)
    made_once(place, key(notebook), lambda folder: nbformat.write(notebook, folder / path.name))
    return notebook


def _run(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Execute it; its metadata then say which modules of the library were loaded in the end."""
    notebook.cells.append(new_code_cell(_TELL))
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(
        notebook, timeout=SECONDS, resources=resources, extra_arguments=[ERRORS_ONLY]
    ).execute()
    (output,) = notebook.cells.pop().outputs
    loaded = output.data[_LOADED]  # in one piece; what is printed may come in several
    notebook.metadata["dplab"] = {"loaded": loaded}
    return notebook


_LOADED = "application/vnd.dplab.loaded+json"
_TELL = f"""
import os, sys
from IPython.display import display

home = os.path.dirname(sys.modules["dplab"].__file__)
names = [name for name in sys.modules if name.partition(".")[0] == "dplab"]
loaded = sorted(os.path.relpath(sys.modules[name].__file__, home) for name in names)
display({{"{_LOADED}": loaded}}, raw=True)
"""


def library_of(executed: nbformat.NotebookNode) -> str:
    """The fingerprint of what a notebook has run of the library, and of all in it that is no code;
    of the whole library, where it isn't known what has run.
    """
    home = Path(dplab.__file__).parent
    loaded = executed.metadata.get("dplab", {}).get("loaded")
    if loaded is None:
        return contents(home, files(home))
    no_code = [path for path in files(home) if path.suffix != ".py"]
    return contents(home, [*no_code, *(home / name for name in loaded)])


def as_page(
    lesson: nbformat.NotebookNode, executed: nbformat.NotebookNode, name: str, pictures: Path
) -> nbformat.NotebookNode:
    """What a page shows of a lesson, with the outputs of the same cells executed.

    Pictures of its first explorer go to `pictures` / `name`.
    """
    moves = True
    for cell, done in zip(lesson.cells, executed.cells, strict=True):
        if cell.cell_type != "code":
            continue
        if EXPLORER.fullmatch(cell.source):
            explorer = getattr(widgets, cell.source[:-2])()
            figure = moving(explorer, name, pictures) if moves else still(explorer)
            cell.outputs, moves = [_html(figure)], False
        else:
            cell.outputs = list(_outputs(done))
            alt = titled(cell.source) or "a plot of what the cell computes"
            cell.metadata["mystnb"] = {"image": {"alt": alt}}
    return lesson


def with_button(notebook: nbformat.NotebookNode, address: str, source: str) -> None:
    """Put under the title what leads to the notebook where it runs, and who is asked for Python."""
    button = (
        f'<p class="run-here"><a href="{html.escape(address)}">Run it here</a> <span>in this '
        f"browser: nothing is installed, and what you write stays in it. Python comes from "
        f"{source}, some 50 MB the first time.</span></p>"
    )
    cell = new_markdown_cell(button, id="run-here")  # by chance, it would be a new page each time
    notebook.cells.insert(1, cell)


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


@dataclass(frozen=True)
class Frame:
    """One position of a control: what its readout says, the picture's address, the caption."""

    value: str
    picture: str
    caption: str


def moving(explorer: widgets.explorer.Explorer, name: str, pictures: Path) -> str:
    """A figure whose slider moves through pictures of the range of the explorer's main slider."""
    label, control = _main_slider(explorer)
    fit = WEIGHT // len(light(explorer.picture.value))
    here, values = control.value, list(_positions(control, min(FRAMES, max(FEW, fit))))
    frames = []
    (pictures / name).mkdir(parents=True, exist_ok=True)
    for number, (shown, value) in enumerate(values):
        explorer.controls[label].value = value
        (pictures / name / f"{number:02}.png").write_bytes(light(explorer.picture.value))
        address = f"_static/moving/{name}/{number:02}.png"
        frames.append(Frame(shown, address, explorer.picture.tooltip))
    start = next(n for n, (_, value) in enumerate(values) if value == here)
    first = frames[start]
    data = json.dumps([vars(frame) for frame in frames]).replace("<", "\\u003c")
    return (
        f'<figure class="moving"><img src="{first.picture}" alt="{html.escape(first.caption)}">'
        f"<label>{html.escape(control.description)}"
        f'<input type="range" min="0" max="{len(frames) - 1}" value="{start}" '
        f'aria-valuetext="{first.value}"><output>{first.value}</output></label>'
        f'<figcaption><span role="status" aria-live="polite">{html.escape(first.caption)}</span> '
        f'<span class="more">{ELSEWHERE}</span></figcaption>'
        f'<script type="application/json">{data}</script></figure>'
    )


def _main_slider(explorer: widgets.explorer.Explorer) -> tuple[str, ipywidgets.Widget]:
    """The first that has more than a few positions, or else the first."""
    sliders = [(n, c) for n, c in explorer.controls.items() if isinstance(c, SLIDERS)]
    many = [(n, c) for n, c in sliders if len(list(_positions(c, FRAMES))) >= FEW]
    return (many or sliders)[0]


def still(explorer: widgets.explorer.Explorer) -> str:
    """Its first picture, and what makes it move."""
    import base64

    picture = base64.b64encode(light(explorer.picture.value)).decode()
    caption = html.escape(explorer.picture.tooltip)
    return (
        f'<figure class="moving"><img src="data:image/png;base64,{picture}" alt="{caption}">'
        f'<figcaption>{caption} <span class="more">It moves where the lesson runs: press “Run it '
        f"here” above.</span></figcaption></figure>"
    )


def _positions(control: ipywidgets.Widget, most: int) -> Iterator[tuple[str, object]]:
    """As a person reads them, and as the control has them; where it stands now is among them."""
    if isinstance(control, ipywidgets.SelectionSlider):
        options = [o if isinstance(o, tuple) else (str(o), o) for o in control.options]
        here = next(n for n, (_, value) in enumerate(options) if value == control.value)
        yield from (options[n] for n in _spread(len(options), here, most))
        return
    count = round((control.max - control.min) / control.step) + 1
    here = round((control.value - control.min) / control.step)
    for n in _spread(count, here, most):
        value = control.value if n == here else control.min + n * control.step
        value = value if isinstance(control, ipywidgets.IntSlider) else float(f"{value:.10g}")
        yield f"{value:.6g}", value


def _spread(count: int, here: int, most: int) -> list[int]:
    """At most so many of the places, the ends and `here` among them."""
    chosen = np.linspace(0, count - 1, min(count, most)).round().astype(int)
    chosen[np.abs(chosen - here).argmin()] = here
    return sorted(set(chosen.tolist()))


def _html(text: str) -> nbformat.NotebookNode:
    return new_output("display_data", data={"text/html": text, "text/plain": ""})
