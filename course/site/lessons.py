"""The lessons executed; of a lesson that has not changed since, the outputs have been kept."""

from __future__ import annotations

import hashlib
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

import dplab
from course.site.keeping import KEPT, contents, files, fingerprint, made_once

ERRORS_ONLY = "--IPKernelApp.log_level=50"
SECONDS = 300  # until a cell is taken for endless


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
