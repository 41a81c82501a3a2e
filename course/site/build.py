"""Build the course's site, into a folder that any static host serves.

    python -m course.site.build [--pyodide COPY] FOLDER

From the student's folder, as `autograder course` lays it out: the lessons executed, problem sets
without solutions, the index; and the library's reference, the teacher's guide and notes. A lesson's
first explorer moves on its page. No page asks another host for anything. Warnings are errors.

In FOLDER/lite the lessons and problem sets run in the reader's browser. Its Python comes from
Pyodide's public distribution, or, with `--pyodide`, from a copy that goes into the site.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.desk.laying_out import lay_out
from course.site.lessons import as_page, execute, with_button
from course.site.library import write_library
from course.site.lite import address, build_lite
from course.site.pyodide import PUBLIC, Incomplete, packages_of
from course.site.slides import linked

HERE = Path(__file__).parent
COURSE = HERE.parent
ROOT = COURSE.parent
KEPT = HERE / ".executed"  # lessons that haven't changed since they were executed
_DISPLAY = re.compile(r"^([ \t]*)([^\n]*?)\$\$(.+?)\$\$[ \t]*", re.M | re.S)
_ICONS = re.compile(r"<(?:script|link)[^>]+fontawesome\.js[^>]*>(?:</script>)?")
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s:]+)\)")


def build(
    folder: Path,
    executed: Callable[[Path], NotebookNode] | None = None,
    pyodide: Path | None = None,
) -> Path:
    """Write the site; its first page.

    `executed` gives each lesson of `course` with its outputs; without it they are executed here.
    `pyodide` is a copy of Pyodide. Raises `pyodide.Incomplete` for a folder that is none, and
    `subprocess.CalledProcessError` where Sphinx warns of something.
    """
    if pyodide is not None:
        packages_of(pyodide)
    executed = executed or execute(sorted(COURSE.glob("[0-9]*.ipynb")), KEPT).__getitem__
    with tempfile.TemporaryDirectory() as temporary:
        course, source, trees = (Path(temporary) / name for name in ("course", "source", "trees"))
        lay_out(course)
        shutil.copytree(course, source)
        shutil.copytree(HERE / "static", source / "static")
        for path in sorted(source.glob("[0-9]*.ipynb")):
            lesson, done = nbformat.read(path, as_version=4), executed(COURSE / path.name)
            page = as_page(lesson, done, path.stem, source / "static" / "moving")
            page.cells.append(linked(done, path.stem, source / "static" / "slides"))
            path.write_text(nbformat.writes(page), encoding="utf-8")
        _add_buttons(source, PUBLIC if pyodide is None else "this site")
        _write_pages(source)
        for path in [*source.rglob("*.md"), *source.rglob("*.ipynb")]:
            _mend(path, source)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(trees)]
        subprocess.run([*command, str(source), str(folder)], check=True)
        _lighten(folder)
        build_lite(course, folder, pyodide)
    return folder / "index.html"


def _add_buttons(source: Path, python: str) -> None:
    """Lessons and problem sets say that they run in the browser, and where its Python is from."""
    for path in [*source.glob("[0-9]*.ipynb"), *source.glob("*/*.ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        up = "../" * len(path.relative_to(source).parent.parts)
        with_button(notebook, up + address(path.relative_to(source).as_posix()), python)
        path.write_text(nbformat.writes(notebook), encoding="utf-8")


def _write_pages(source: Path) -> None:
    """The map of questions, the library, the teacher's guide and notes, and the first page."""
    index = nbformat.read(source / "index.ipynb", as_version=4)
    index.cells = [cell for cell in index.cells if cell.cell_type == "markdown"]
    nbformat.write(index, source / "map.ipynb")
    (source / "index.ipynb").unlink()
    shutil.rmtree(source / "library")  # the text of it, in the place of which come its pages
    write_library(source / "library")
    shutil.copy(ROOT / "autograder" / "GUIDE.md", source / "guide.md")
    shutil.copytree(COURSE / "teachers", source / "teachers")
    shutil.copy(HERE / "conf.py", source)
    (source / "index.md").write_text(_first_page(source), encoding="utf-8")


def _first_page(source: Path) -> str:
    """What the course is, and all pages in their order."""
    lessons = [path.name for path in sorted(source.glob("[0-9]*.ipynb"))]
    sets = [f"{path.parent.name}/{path.name}" for path in sorted(source.glob("*/*.ipynb"))]
    notes = [f"teachers/{path.name}" for path in sorted(source.glob("teachers/*.md"))]
    trees = {
        "The course": ["map.ipynb", "glossary.ipynb", "map_of_the_field.md"],
        "Lessons": lessons,
        "Problem sets": sets,
        "For teachers": ["guide.md", *notes],
        "The library": ["library/dplab.md"],
    }
    parts = [(HERE / "first_page.md").read_text(encoding="utf-8")]
    for caption, pages in trees.items():
        names = "\n".join(pages)
        parts.append(f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {caption}\n\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def _mend(path: Path, source: Path) -> None:
    """Make a page's Markdown the site's: links that lead somewhere, formulas that stand apart."""

    def mended(text: str) -> str:
        return _apart(_LINK.sub(lambda found: _link(found, path, source), text))

    content = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        path.write_text(mended(content), encoding="utf-8")
        return
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = mended("".join(cell["source"]))
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def _link(found: re.Match, path: Path, source: Path) -> str:
    """The same link to a page of the site; what is not on it stays as text."""
    text, (place, _, anchor) = found[1], found[2].partition("#")
    if place == "index.ipynb":
        return f"[{text}](map.ipynb)"
    if module := re.fullmatch(r"(?:library/)?dplab/(.+?)(?:/__init__)?(?:\.py)?/?", place):
        name = "dplab." + module[1].replace("/", ".")
        if (source / "library" / f"{name}.md").exists():
            return f"[{text}](/library/{name}.md)"
    if not place or (path.parent / place).is_file():
        return f"[{text}]({place}{'#' * bool(anchor)}{anchor})"
    return text


def _apart(text: str) -> str:
    """Displayed formulas as blocks of their own, which they need not be in a notebook."""

    def block(found: re.Match) -> str:
        indent, before, formula = found[1], found[2], " ".join(found[3].split())
        lead = f"{indent}{before}".rstrip()
        return f"{lead}\n\n{indent}$$\n{indent}{formula}\n{indent}$$\n\n{indent}"

    return _DISPLAY.sub(block, text)


def _lighten(folder: Path) -> None:
    """Leave out the theme's icons as a script, 1.5 MB, which it has as a font too."""
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(_ICONS.sub("", text), encoding="utf-8")
    for path in (folder / "_static" / "scripts").glob("fontawesome.js*"):
        path.unlink()
    for path in (folder / "_static").glob("*.html"):  # templates of the theme's, and no pages
        path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, metavar="COPY", help="made by course.site.pyodide")
    given = parser.parse_args()
    try:
        print(build(given.folder.resolve(), pyodide=given.pyodide and given.pyodide.resolve()))
    except Incomplete as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
