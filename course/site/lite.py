"""The course in JupyterLite: JupyterLab and Python in the browser, nothing installed.

    SITE/lite/lab/index.html?path=05_randomized_response.ipynb

Lessons and released problem sets are its files, and dplab is loaded with its Python, which comes
from Pyodide's public distribution, or from a copy of it in the site. Lessons come with their
outputs. A bar says what loads; then the cells down to the first explorer run.
"""

from __future__ import annotations

import base64
import copy
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from course.site.lesson_page import WIDGET
from course.site.pyodide import packages_of
from course.site.wheels import OTHERS, course_wheel, installed_wheel
from dplab.widgets.png import light

PLACE = "lite"  # in the site
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager")
LOADED = ("numpy", "scipy", "matplotlib", "pandas")  # before the first cell
_FROM_WORKER = "../../../../pypi"  # where Pyodide's worker finds the wheels of the site
_WAITING = Path(__file__).parent / "waiting" / "waiting.html"
_NOTE = re.compile(r'<p class="dplab-note">(.*?)</p>', re.S)
_TO_RUN = "*These results were computed beforehand. To compute them here: Run, Run All Cells.*"
_NOT_FILES = (".jupyter", ".dplab.json", "index.ipynb")


def address(notebook: str) -> str:
    """Where a notebook of the student's folder runs, from the site's root."""
    return f"{PLACE}/lab/index.html?path={notebook}"


def build_lite(
    course: Path,
    site: Path,
    pyodide: Path | None = None,
    executed: dict[str, NotebookNode] | None = None,
) -> None:
    """Write JupyterLite with the files of `course`, a student's folder, into `site`.

    `executed` has lessons with their outputs, by the names of their files.

    `pyodide` is a copy of Pyodide; without it browsers load the public distribution. Raises
    `pyodide.Incomplete` for a folder that is none.
    """
    there = None if pyodide is None else packages_of(pyodide)
    with tempfile.TemporaryDirectory() as temporary:
        lite = Path(temporary)
        _files(course, lite / "files")
        for name, notebook in (executed or {}).items():
            place = lite / "files" / name
            lesson = with_outputs(nbformat.read(place, as_version=4), notebook)
            # In whole strings: JupyterLab's contents of a notebook take no lists of lines.
            place.write_text(nbformat.writes(lesson, split_lines=False), encoding="utf-8")
        (lite / "pypi").mkdir()
        wheels = [course_wheel(lite / "pypi")]
        wheels += [installed_wheel(package, lite / "pypi") for package in OTHERS]
        settings = {"litePluginSettings": {KERNEL: _kernel([w.name for w in wheels], there)}}
        settings["exposeAppInBrowser"] = True  # to the bar, which asks it what is there
        settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
        (lite / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
        _build(lite, lite / "output")
        _add_bar(lite / "output" / "lab" / "index.html")
        if pyodide is not None:
            shutil.copytree(pyodide, lite / "output" / "static" / "pyodide")
        shutil.rmtree(site / PLACE, ignore_errors=True)
        shutil.move(lite / "output", site / PLACE)


def _files(course: Path, folder: Path) -> None:
    """What a student has, with the index as a page to read: it counts files on a disk."""
    shutil.copytree(course, folder, ignore=shutil.ignore_patterns(*_NOT_FILES))
    index = nbformat.read(course / "index.ipynb", as_version=4)
    index.cells = [cell for cell in index.cells if cell.cell_type == "markdown"]
    nbformat.write(index, folder / "index.ipynb")


def with_outputs(lesson: NotebookNode, executed: NotebookNode) -> NotebookNode:
    """Return a lesson as it is opened: with the outputs of its cells, and how to run them here.

    A widget needs a kernel that has made it. Its still picture and its note need none.
    """
    for cell, done in zip(lesson.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs = list(filter(None, map(_without_widget, done.outputs)))
            cell.execution_count = done.execution_count
    lesson.cells.insert(1, new_markdown_cell(_TO_RUN, id="to-run"))
    return lesson


def _without_widget(output: NotebookNode) -> NotebookNode | None:
    """Return an output for a notebook that no kernel has run: a light picture, a note as text."""
    output = copy.deepcopy(output)
    data = output.get("data", {})
    if WIDGET in data:
        return None
    if note := _NOTE.search(data.get("text/html", "")):
        return new_output("display_data", data={"text/markdown": f"*{note[1]}*"})
    if "image/png" in data:
        data["image/png"] = base64.b64encode(light(base64.b64decode(data["image/png"]))).decode()
    return output


def _add_bar(page: Path) -> None:
    """Let JupyterLab's page say what it loads."""
    text = page.read_text(encoding="utf-8")
    bar = _WAITING.read_text(encoding="utf-8")
    page.write_text(text.replace("</body>", f"{bar}</body>", 1), encoding="utf-8")


def _kernel(wheels: list[str], there: set[str] | None) -> dict:
    """The settings of the kernel: what it loads, and from where."""
    packages = [name for name in LOADED if there is None or name in there]
    packages += [f"{_FROM_WORKER}/{name}" for name in wheels]
    settings: dict = {"loadPyodideOptions": {"packages": packages}}
    if there is not None:
        settings |= {"pyodideUrl": "./static/pyodide/pyodide.mjs", "disablePyPIFallback": True}
    return settings


def _build(lite: Path, folder: Path) -> None:
    """JupyterLite's own command, with no extension but those that the lessons use."""
    installed = Path(sysconfig.get_path("data")) / "share" / "jupyter" / "labextensions"
    extensions = [f"--LiteBuildConfig.federated_extensions={installed / e}" for e in EXTENSIONS]
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--ignore-sys-prefix"]
    command += ["--no-sourcemaps", "--no-libarchive", "--log-level=WARN", "--apps=lab", *extensions]
    command += [f"--lite-dir={lite}", f"--output-dir={folder}"]
    subprocess.run(command, check=True, cwd=lite, stdout=subprocess.DEVNULL)
