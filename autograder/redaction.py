"""nbgrader's own outputs: harmless notebooks, and feedback without hidden tests."""

from __future__ import annotations

import json
import mimetypes
import os
import re
from collections.abc import Collection
from pathlib import Path

from nbformat import from_dict
from nbformat.notebooknode import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.file_rights import keep_rights_of_links
from autograder.classroom.grading import sanitize
from autograder.classroom.grading.grade_notebook import explain
from autograder.classroom.sets.assignment import text_of
from autograder.wire.files import File


class HiddenTestsLeftOut(ClearHiddenTests):
    """The preprocessor that cuts hidden tests out of a graded notebook.

    It keeps only the message of a test cell's outputs, as the pages of `autograder feedback` do.
    Otherwise a student's function could print its arguments from a hidden test.
    """

    def preprocess(self, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        keep_rights_of_links()
        return super().preprocess(notebook, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, index: int
    ) -> tuple[NotebookNode, dict]:
        cell, resources = super().preprocess_cell(cell, resources, index)
        if cell.cell_type == "code" and CellMetadata.of(cell).test:
            cell.outputs = [
                _keep_only_message(output) for output in cell.outputs if _is_error(output)
            ]
        return cell, resources


def _is_error(output: NotebookNode) -> bool:
    return output.output_type == "error"


def _keep_only_message(output: NotebookNode) -> NotebookNode:
    text = explain([output])
    return NotebookNode(output | {"evalue": text, "traceback": [text]})


def make_harmless(notebook: NotebookNode, folder: CourseDirectory, names: dict) -> None:
    """Remove everything from a graded notebook that could act in the teacher's browser.

    That concerns text, outputs and metadata. The metadata that grading needs stays.
    """
    released = folder.format_path(folder.release_directory, ".", names["assignment"])
    released_texts = _read_released_texts(Path(released, f"{names['notebook']}.ipynb"))
    released_texts |= {cell.source for cell in notebook.cells if CellMetadata.of(cell).locked}
    for cell in notebook.cells:
        cell.metadata = from_dict({key: cell.metadata[key] for key in _keys_to_keep(cell.metadata)})
    notebook.cells = [from_dict(cell) for cell in sanitize.cells(notebook.cells, released_texts)]
    notebook.metadata = from_dict(_clean_language(notebook.metadata))


def _read_released_texts(released: Path) -> set[str]:
    """Return the texts of the released set, or none if it was released on another machine."""
    try:
        cells = json.loads(released.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return set()
    return {text_of(cell["source"]) for cell in cells}


def show_as_text(folder: Path, set_files: Collection[File]) -> None:
    """Rename a student's files that a browser would run, such as pages and drawings.

    nbgrader copies them to a folder that the teacher's own server shows. The problem set's own
    files, `set_files`, stay.
    """
    released_files = {(file.name, file.content) for file in set_files}
    for path in sorted(folder.rglob("*")):
        if not _is_page(path.name) or (path.is_dir() and not path.is_symlink()):
            continue
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or (name, path.read_bytes()) not in released_files:
            path.rename(_find_free_name(path))


def _is_page(name: str) -> bool:
    """Return whether a server would send a file of this name as HTML or XML, such as SVG."""
    kind = mimetypes.guess_type(name.lower())[0] or ""
    return "html" in kind or "xml" in kind or name.lower().endswith(_PAGE_ENDINGS)


_PAGE_ENDINGS = (".xht", ".xsl", ".xslt", ".shtml", ".mht", ".mhtml", ".svgz", ".xml")


def _find_free_name(path: Path) -> Path:
    """Return a path with `.txt` added that no other file has."""
    text_path = path.with_name(f"{path.name}.txt")
    return _find_free_name(text_path) if os.path.lexists(text_path) else text_path


_PLAIN_NAME = re.compile(r"[\w .+-]{1,60}")


def _keys_to_keep(metadata: dict) -> list[str]:
    """Return the key of nbgrader's metadata, if the cell has a name that nbgrader would give."""
    name = CellMetadata.of({"metadata": metadata}).grade_id
    return ["nbgrader"] if _PLAIN_NAME.fullmatch(name) else []


def _clean_language(metadata: dict) -> dict:
    """Return the names of kernel and language, or Python's for names that can't be shown."""
    return {
        key: names
        | {name: value for name, value in values.items() if _PLAIN_NAME.fullmatch(str(value))}
        for key, names in _PYTHON_METADATA.items()
        if isinstance(values := metadata.get(key), dict)
    }


_PYTHON_METADATA = {  # metadata that each notebook needs
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
    "language_info": {"name": "python"},
}
