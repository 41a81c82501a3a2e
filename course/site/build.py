"""Build the course's site, into a folder that any static host serves.

    python -m course.site.build [--pyodide COPY] [--address URL] FOLDER

From the student's folder, as `autograder course` lays it out: the lessons executed, problem sets
without solutions, the index; and the library's reference, the teacher's guide and notes. A lesson's
first explorer moves on its page. No page asks another host for anything. Warnings are errors.

In FOLDER/lite the lessons and problem sets run in the reader's browser. Its Python comes from
Pyodide's public distribution, or, with `--pyodide`, from a copy that goes into the site. The
address is the one from which FOLDER will be served: a page names it in its picture for those who
share a link.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.desk.student_folder import lay_out
from course.site import explorables
from course.site.cards import cards, write_stills
from course.site.keeping import (
    KEPT,
    contents,
    files,
    fingerprint,
    in_turn,
    made_once,
    mirror,
    whole_or_gone,
)
from course.site.kept_names import write_kept_names
from course.site.lesson_page import as_page, with_button
from course.site.lessons import execute, library_of
from course.site.library import write_library
from course.site.lite import address, build_lite
from course.site.mechanisms import write_mechanisms
from course.site.pyodide import PUBLIC, Incomplete, packages_of
from course.site.slides import linked
from course.site.style_rules import shrink_theme

HERE = Path(__file__).parent
COURSE = HERE.parent
ROOT = COURSE.parent
BESIDE = ("static", "waiting")  # folders of files that a page loads
_DISPLAY = re.compile(r"^([ \t]*)([^\n]*?)\$\$(.+?)\$\$[ \t]*", re.M | re.S)
_ICONS = re.compile(r"<(?:script|link)[^>]+fontawesome\.js[^>]*>(?:</script>)?")
_SEARCH = re.compile(
    r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>\s*'
)
_IMAGE = re.compile(r"<img (?![^>]*\bloading=)")
_TITLE = re.compile(r'(?:^|")# ((?:[^"\\\n]|\\")+)', re.M)  # in Markdown, and as a notebook has it
_IN_LAB = "Open a lesson and choose *Run*, *Run All Cells*: then its explorers move."
_ON_SITE = (
    "On a lesson's page its first explorer moves; *Run it here*, under the title, starts the rest."
)
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s:]+)\)")


def build(
    folder: Path,
    executed: Callable[[Path], NotebookNode] | None = None,
    pyodide: Path | None = None,
    kept: Path | None = None,
    public_address: str = "",
) -> Path:
    """Write the site; its first page.

    `executed` gives each lesson of `course` with its outputs; without it they are executed here.
    `pyodide` is a copy of Pyodide. In the folder `kept` lies what another build need not make
    again. `public_address` is where the site will be. Raises `pyodide.Incomplete` for a folder that
    is none, and `subprocess.CalledProcessError` where Sphinx warns of something.
    """
    if pyodide is not None:
        packages_of(pyodide)
    lessons = sorted(COURSE.glob("[0-9]*.ipynb"))
    done = {p: executed(p) for p in lessons} if executed else execute(lessons)
    with tempfile.TemporaryDirectory() as temporary:
        kept = kept or Path(temporary) / "kept"
        course, source = Path(temporary) / "course", Path(temporary) / "source"
        lay_out(course)
        shutil.copytree(course, source)
        shutil.copytree(HERE / "static", source / "static")
        _write_lessons({source / path.name: done[path] for path in done}, source, kept / "pages")
        _add_buttons(source, PUBLIC if pyodide is None else "this site")
        _write_pages(source, kept / "pages")
        for path in [*source.rglob("*.md"), *source.rglob("*.ipynb")]:
            _mend(path, source)
        _sphinx(source, folder, kept, public_address)
        _lighten(folder)
        build_lite(course, folder, pyodide, {path.name: done[path] for path in done})
    return folder / "index.html"


def _write_lessons(executed: dict[Path, NotebookNode], source: Path, kept: Path) -> None:
    """Each lesson's page, the pictures of its first explorer, its slides and its handout."""
    made_from = _makers()
    with ProcessPoolExecutor() as pool:
        for made in pool.map(partial(_lesson, made_from, kept), executed, executed.values()):
            shutil.copytree(made, source, dirs_exist_ok=True)


def _makers() -> str:
    """The fingerprint of what makes a lesson's page: not of style sheets and scripts beside it."""
    here = [path for path in files(HERE) if path.relative_to(HERE).parts[0] not in BESIDE]
    return fingerprint() + contents(HERE, here)


def _lesson(made_from: str, kept: Path, path: Path, executed: NotebookNode) -> Path:
    """A folder with all that the site has of a lesson, made where it isn't in `kept`."""

    def make(folder: Path) -> None:
        lesson, static = nbformat.read(path, as_version=4), folder / "static"
        page = as_page(lesson, executed, path.stem, static / "moving")
        page.cells.append(linked(executed, path.stem, static / "slides"))
        (folder / path.name).write_text(nbformat.writes(page), encoding="utf-8")

    text = made_from + library_of(executed) + path.read_text(encoding="utf-8")
    text += nbformat.writes(executed)
    return made_once(kept / path.stem, hashlib.sha256(text.encode()).hexdigest(), make)


def _sphinx(source: Path, folder: Path, kept: Path, public_address: str = "") -> None:
    """Turn Markdown and notebooks into pages; those that have not changed are not read again.

    All are written anew where one has another title, or a place of its own: each page lists them.
    One that was here before, and is no more, is taken from the folder.
    """
    ours, titles = fingerprint(HERE), _titles(source)
    context = hashlib.sha256(f"{ours}{titles}".encode()).hexdigest()
    for gone in _titles(kept / "source").keys() - titles.keys():
        (folder / f"{gone}.html").unlink(missing_ok=True)
    mirror(source, kept / "source")
    with whole_or_gone(kept / "trees", ours) as trees:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(trees)]
        command += ["-D", f"html_baseurl={public_address}"]
        command += ["-D", f"html_context.made_from={context}", str(kept / "source"), str(folder)]
        subprocess.run(command, check=True)


def _add_buttons(source: Path, python: str) -> None:
    """Lessons and problem sets say that they run in the browser, and where its Python is from."""
    for path in [*source.glob("[0-9]*.ipynb"), *source.glob("*/*.ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        up = "../" * len(path.relative_to(source).parent.parts)
        with_button(notebook, up + address(path.relative_to(source).as_posix()), python)
        path.write_text(nbformat.writes(notebook), encoding="utf-8")


def _write_pages(source: Path, kept: Path) -> None:
    """The map of questions, the library, the teacher's guide and notes, and the first page."""
    index = nbformat.read(source / "index.ipynb", as_version=4)
    index.cells = [cell for cell in index.cells if cell.cell_type == "markdown"]
    for cell in index.cells:
        cell.source = cell.source.replace(_IN_LAB, _ON_SITE)
    nbformat.write(index, source / "map.ipynb")
    (source / "index.ipynb").unlink()
    shutil.rmtree(source / "library")  # the text of it, in the place of which come its pages
    write_library(source / "library")
    made_from = fingerprint(HERE, ROOT / "dplab")
    mechanisms = made_once(kept / "mechanisms", made_from, write_mechanisms)
    shutil.copytree(mechanisms, source / "library", dirs_exist_ok=True)
    write_kept_names(source / "library")
    shutil.copy(ROOT / "autograder" / "GUIDE.md", source / "guide.md")
    no_answers = shutil.ignore_patterns("questions")
    shutil.copytree(COURSE / "teachers", source / "teachers", ignore=no_answers)
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
        "The library": [
            "ten_things_to_do.md",
            "library/mechanisms.md",
            "library/dplab.md",
            "library/kept_names.md",
        ],
    }
    titles = {Path(name).stem: _title(source / name) for name in lessons}
    stills = write_stills(source / "static" / "moving", source / "static" / "cards")
    text = (HERE / "first_page.md").read_text(encoding="utf-8")
    text = text.replace("<!-- coins -->", explorables.figure("coins"))
    parts = [text.replace("<!-- cards -->", cards(titles, stills))]
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


def _titles(source: Path) -> dict[str, str]:
    """The first heading of each page, by its place and name on the site."""
    pages = sorted([*source.rglob("*.md"), *source.rglob("*.ipynb")])
    return {p.relative_to(source).with_suffix("").as_posix(): _title(p) for p in pages}


def _title(path: Path) -> str:
    found = _TITLE.search(path.read_text(encoding="utf-8"))
    return found[1] if found else ""


def _lighten(folder: Path) -> None:
    """Leave out what a page loads and does not need, and load pictures when they come in sight.

    The theme's icons as a script are 1.5 MB, and it has them as a font too. Only the page of the
    search looks into the index, 350 kB. Most of the theme's rules are for what no page has.
    """
    (folder / ".buildinfo.bak").unlink(missing_ok=True)
    for path in folder.rglob("*.html"):
        text = _ICONS.sub("", path.read_text(encoding="utf-8"))
        text = text if path.name == "search.html" else _SEARCH.sub("", text)
        text = _IMAGE.sub('<img loading="lazy" ', text)
        path.write_text(text, encoding="utf-8")
    for path in (folder / "_static" / "scripts").glob("fontawesome.js*"):
        path.unlink()
    for path in (folder / "_static").glob("*.html"):  # templates of the theme's, and no pages
        path.unlink()
    shrink_theme(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, metavar="COPY", help="made by course.site.pyodide")
    parser.add_argument("--address", default="", metavar="URL", help="from which it is served")
    given = parser.parse_args()
    try:
        pyodide = given.pyodide and given.pyodide.resolve()
        with in_turn():
            print(
                build(
                    given.folder.resolve(), pyodide=pyodide, kept=KEPT, public_address=given.address
                )
            )
    except Incomplete as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
