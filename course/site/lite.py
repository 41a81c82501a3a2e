"""The course in JupyterLite: JupyterLab and Python in the browser, nothing installed.

    SITE/lite/lab/index.html?path=05_randomized_response.ipynb

Lessons and released problem sets are its files, and dplab is loaded with its Python, which comes
from Pyodide's public distribution, or from a copy of it in the site.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import nbformat

from course.site.pyodide import packages_of
from course.site.wheels import OTHERS, course_wheel, installed_wheel

PLACE = "lite"  # in the site
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager")
LOADED = ("numpy", "scipy", "matplotlib", "pandas")  # before the first cell
_FROM_WORKER = "../../../../pypi"  # where Pyodide's worker finds the wheels of the site
_NOT_FILES = (".jupyter", ".dplab.json", "index.ipynb")


def address(notebook: str) -> str:
    """Where a notebook of the student's folder runs, from the site's root."""
    return f"{PLACE}/lab/index.html?path={notebook}"


def build_lite(course: Path, site: Path, pyodide: Path | None = None) -> None:
    """Write JupyterLite with the files of `course`, a student's folder, into `site`.

    `pyodide` is a copy of Pyodide; without it browsers load the public distribution. Raises
    `pyodide.Incomplete` for a folder that is none.
    """
    there = None if pyodide is None else packages_of(pyodide)
    with tempfile.TemporaryDirectory() as temporary:
        lite = Path(temporary)
        _files(course, lite / "files")
        (lite / "pypi").mkdir()
        wheels = [course_wheel(lite / "pypi")]
        wheels += [installed_wheel(package, lite / "pypi") for package in OTHERS]
        settings = {"litePluginSettings": {KERNEL: _kernel([w.name for w in wheels], there)}}
        settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
        (lite / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
        _build(lite, lite / "output")
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
