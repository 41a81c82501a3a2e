"""Explorables: pictures that the browser draws, on the first page and above four lessons.

    python -m course.site.explorables

Their scripts are in `static/explorables`. The command draws by Node what a page shows without a
script: one picture for each, in the folder `drawn`.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = HERE / "static" / "explorables"
DRAWN = HERE / "drawn"
LESSONS = {
    "bits": "02_reconstruction",
    "scores": "04_membership",
    "coins": "05_randomized_response",
    "bells": "07_laplace",
}
NAMES = {
    "bits": "Secret bits are read out of noisy answers",
    "scores": "Scores of people who took part and of people who did not",
    "coins": "Coins fall on a class",
    "bells": "Two bells of Laplace noise are pulled apart",
}
WIDTH = 560  # pixels of a picture that is drawn without a script
DRAW = """
import { picture } from "./common.js";
const drawn = {};
for (const name of %s) {
  const { model } = await import(`./${name}.js`);
  const state = model.start();
  model.rest(state);
  drawn[name] = [model.sentence(state), picture(model, state, %d)];
}
console.log(JSON.stringify(drawn));
"""
_TITLE = re.compile("<title>(.*?)</title>", re.S)


def run_script(text: str, node: str = "node") -> str:
    """Run a module beside the explorables' scripts in Node, and return what it prints.

    Raises `subprocess.CalledProcessError` where it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path in SCRIPTS.glob("*.js"):
            shutil.copy(path, folder)
        Path(folder, "package.json").write_text('{"type": "module"}', encoding="utf-8")
        Path(folder, "run.js").write_text(text, encoding="utf-8")
        command = [node, str(Path(folder, "run.js"))]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def draw(node: str = "node") -> dict[str, str]:
    """Return the picture of each explorable at rest, as SVG with its caption as title."""
    drawn = json.loads(run_script(DRAW % (json.dumps(list(LESSONS)), WIDTH), node))
    return {name: _titled(*drawn[name]) for name in LESSONS}


def _titled(caption: str, svg: str) -> str:
    title = f"<title>{html.escape(caption)}</title>"
    return svg.replace('aria-hidden="true">', f'role="img">{title}', 1) + "\n"


def figure(name: str) -> str:
    """Return the HTML of an explorable; without a script it is its picture at rest."""
    svg = (DRAWN / f"{name}.svg").read_text(encoding="utf-8").strip()
    label = html.escape(NAMES[name])
    return (
        f'<figure class="explorable" data-model="{name}">'
        f'<div class="stage" role="group" aria-label="{label}">{svg}</div>'
        f'<button type="button" hidden>Stop</button>'
        f"<figcaption>{_TITLE.search(svg)[1]}</figcaption></figure>"
        '<link rel="modulepreload" href="_static/explorables/common.js">'
        f'<link rel="modulepreload" href="_static/explorables/{name}.js">'
        '<script type="module" src="_static/explorables/start.js"></script>'
    )


def of_lesson(name: str) -> str:
    """Return the HTML of the explorable that opens a lesson, "" where it has none."""
    return next((figure(model) for model, lesson in LESSONS.items() if lesson == name), "")


def main() -> None:
    for name, svg in draw().items():
        path = DRAWN / f"{name}.svg"
        path.write_text(svg, encoding="utf-8")
        print(f"{path}: {len(svg) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
