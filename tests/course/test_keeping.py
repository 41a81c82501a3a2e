"""What a second build of the site does: only what has changed, and all of what that changes."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from threading import Thread

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.desk.student_folder import lay_out
from course.site import build, keeping, lessons
from course.site.keeping import fingerprint, made_once, mirror, whole_or_gone

PAGES = {"index", "one", "two"}
LONG_AGO = 1_000_000_000
SPHINX = ("myst_nb.sphinx_ext", "sphinx_book_theme", "sphinx.cmd.build")


def write(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text)


@pytest.fixture
def source(tmp_path):
    """A site of three pages, under the settings of the course's."""
    folder = tmp_path / "source"
    shutil.copytree(build.HERE / "static", folder / "static")
    shutil.copy(build.HERE / "conf.py", folder)
    listed = "```{toctree}\n:caption: Pages\n\none\ntwo\n```"
    write(folder, index=f"# A site\n\n{listed}\n", one="# One\n\nGrey.\n", two="# Two\n\nBlue.\n")
    return folder


@pytest.fixture(autouse=True)
def forked(monkeypatch):
    """Sphinx in a fork of this process, which has loaded it: to load it takes longer than pages.

    Not where this file is loaded: every process of the tests does that, and few come to its tests.
    """
    *_, sphinx = (import_module(name) for name in SPHINX)

    def run(command, check):
        assert check
        assert command[1:3] == ["-m", "sphinx"]
        child = get_context("fork").Process(target=lambda: sys.exit(sphinx.main(command[3:])))
        child.start()
        child.join()
        if child.exitcode:
            raise subprocess.CalledProcessError(child.exitcode, command)

    monkeypatch.setattr(build.subprocess, "run", run)


def built(source, name="site"):
    folder = source.with_name(name)
    build._sphinx(source, folder, source.with_name("kept"))
    return folder


def written(source):
    """Which pages a further build writes."""
    folder = source.with_name("site")
    before = {page: page.stat().st_mtime_ns for page in folder.glob("*.html")}
    built(source)
    return {page.stem for page, time in before.items() if page.stat().st_mtime_ns > time} & PAGES


def test_pages_are_read_by_sphinx_as_they_were_where_nothing_has_changed(tmp_path):
    """Nothing is drawn in them that is another each time."""
    made = [tmp_path / "one", tmp_path / "two"]
    for folder in made:
        lay_out(folder)
        build._add_buttons(folder, "this site")
        build._write_pages(folder, folder.with_name(f"kept_{folder.name}"))
    one, two = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*.[im]*")} for f in made)
    assert {Path("05_randomized_response.ipynb"), Path("ps03/ps03.ipynb")} <= one.keys()
    assert one == two


def test_only_what_has_changed_is_written(source):
    folder = built(source)
    assert written(source) == set()
    write(source, one="# One\n\nGreen.\n")
    assert written(source) == {"one", "index"}  # which lists it
    assert "Green." in (folder / "one.html").read_text()
    assert "green" in (folder / "searchindex.js").read_text()
    assert '"grey":[]' in (folder / "searchindex.js").read_text()
    assert "blue" in (folder / "searchindex.js").read_text()


def test_another_title_is_on_all_pages(source):
    folder = built(source)
    write(source, one="# Another one\n\nGrey.\n")
    built(source)
    for page in folder.glob("*.html"):
        assert "Another one" in page.read_text(), page.name


def test_the_title_of_a_notebook_is_its_own_line(tmp_path):
    path, again = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    lesson = new_notebook(cells=[new_markdown_cell('# 1. "So"?\n\nText.'), new_code_cell("# no")])
    nbformat.write(lesson, path)
    lesson.cells[0].source = lesson.cells[0].source.replace("Text", "Other")
    again.write_text(json.dumps(lesson, ensure_ascii=False))  # as a mended page is written
    assert build._title(path) == build._title(again) == r"1. \"So\"?"


def test_a_new_page_is_listed_on_all(source):
    folder = built(source)
    index = (source / "index.md").read_text().replace("two\n", "two\nthree\n")
    write(source, index=index, three="# Number three\n\nRed.\n")
    built(source)
    for page in folder.glob("*.html"):
        assert "Number three" in page.read_text(), page.name


def test_a_page_under_another_name_is_linked_so_on_all(source):
    folder = built(source)
    (source / "one.md").rename(source / "once.md")
    write(source, index=(source / "index.md").read_text().replace("one\n", "once\n"))
    built(source)
    linked = set(re.findall(r'href="(\w+)\.html"', (folder / "two.html").read_text()))
    assert "once" in linked
    assert "one" not in linked
    assert {page.stem for page in folder.glob("*.html")} >= {"index", "once", "two"}
    assert not (folder / "one.html").exists()


def test_another_folder_gets_all_pages(source):
    built(source)
    again = built(source, "another")
    assert {page.stem for page in again.glob("*.html")} >= PAGES


def test_what_was_warned_of_is_warned_of_again(source, capfd):
    built(source)
    write(source, one="# One\n\n[a](nowhere.md)\n", two="# Two\n\n$\\left x$\n")
    for _ in range(2):
        with pytest.raises(subprocess.CalledProcessError):
            built(source)
        warned = capfd.readouterr().err
        assert "'nowhere.md'" in warned
        assert "no MathML" in warned
    write(source, one="# One\n\nGrey.\n", two="# Two\n\nBlue.\n")
    built(source)


def test_a_lesson_is_made_again_where_it_its_outputs_or_the_code_are_others(tmp_path):
    path, kept = tmp_path / "01_one.ipynb", tmp_path / "kept"
    shown = [new_output("stream", text="1\n")]
    lesson = new_notebook(
        cells=[new_markdown_cell("# 1. One?\n\n**Is it?**"), new_code_cell("print(1)")]
    )
    nbformat.write(lesson, path)
    lesson.cells[1].outputs = shown
    first = build._lesson("code", kept, path, lesson)
    assert {p.name for p in (first / "static" / "slides").iterdir()} == {
        "01_one.slides.html",
        "01_one.handout.html",
    }
    marks = first / "mark"
    marks.write_text("as it was")
    assert build._lesson("code", kept, path, lesson) == first
    assert marks.exists()
    others = [build._lesson("other code", kept, path, lesson)]
    shown[0]["text"] = "2\n"
    others.append(build._lesson("code", kept, path, lesson))
    assert "2" in (others[1] / path.name).read_text()
    path.write_text(path.read_text().replace("1. One", "1. Won"))
    others.append(build._lesson("code", kept, path, lesson))
    assert len({first, *others}) == 4
    assert list((kept / "01_one").iterdir()) == others[-1:]


def test_a_lesson_runs_again_where_it_or_what_it_loads_is_another(tmp_path, monkeypatch):
    library, path = tmp_path / "dplab", tmp_path / "01_one.ipynb"
    library.mkdir()
    for name in ("__init__.py", "laplace.py", "mwem.py", "look.mplstyle"):
        (library / name).write_text(name)
    nbformat.write(new_notebook(cells=[new_code_cell("1")]), path)
    runs = []

    def run(notebook, folder):
        runs.append(folder)
        notebook.metadata["dplab"] = {"loaded": ["__init__.py", "laplace.py"]}
        return notebook

    monkeypatch.setattr(lessons, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(lessons, "_run", run)
    monkeypatch.setattr(lessons.dplab, "__file__", str(library / "__init__.py"))

    def runs_again(packages="packages"):
        before = len(runs)
        assert lessons._executed(packages, path).cells[0].source in path.read_text()
        assert len(list((tmp_path / "kept" / "executed" / "01_one").iterdir())) == 1
        return len(runs) > before

    assert [runs_again(), runs_again()] == [True, False]
    (library / "mwem.py").write_text("another")
    (library / "new.py").write_text("new")
    assert not runs_again()
    for name in ("laplace.py", "__init__.py", "look.mplstyle", "table.csv"):
        (library / name).write_text("another")
        assert [runs_again(), runs_again()] == [True, False], name
    (library / "laplace.py").unlink()
    assert [runs_again(), runs_again()] == [True, False]
    nbformat.write(new_notebook(cells=[new_code_cell("2")]), path)
    assert [runs_again(), runs_again()] == [True, False]
    assert [runs_again("newer"), runs_again("newer")] == [True, False]


def test_a_lesson_says_what_it_has_loaded_in_the_end(tmp_path):
    cells = [
        new_code_cell("import dplab"),
        new_code_cell("def late(): import dplab.queries.weights"),
    ]
    notebook = new_notebook(cells=[*cells, new_code_cell("late()\n3")])
    done = lessons._run(notebook, tmp_path)
    assert [cell.source for cell in done.cells[:2]] == [cell.source for cell in cells]
    assert len(done.cells) == 3
    assert done.cells[2].outputs[0].data["text/plain"] == "3"
    loaded = set(done.metadata["dplab"]["loaded"])
    assert {"__init__.py", "mechanism.py", "queries/__init__.py", "queries/weights.py"} <= loaded
    home = Path(lessons.dplab.__file__).parent
    others = {"widgets/laplace_pair.py", "attacks/linear_program.py"}
    assert not others & loaded
    assert all((home / name).is_file() for name in loaded | others)


def test_made_once(tmp_path):
    def make(folder):
        (folder / "a").write_text("a")

    def fail(folder):
        (folder / "a").write_text("half")
        raise OSError("no space left")

    place = tmp_path / "place"
    with pytest.raises(OSError, match="no space left"):
        made_once(place, "key", fail)
    assert not list(place.iterdir())
    assert (made_once(place, "key", make) / "a").read_text() == "a"
    assert (made_once(place, "key", fail) / "a").read_text() == "a"
    assert made_once(place, "other", make).name == "other"
    assert [path.name for path in place.iterdir()] == ["other"]


def test_builds_take_turns_and_who_waits_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "KEPT", tmp_path / "kept")
    told, done = io.StringIO(), []
    monkeypatch.setattr("sys.stderr", told)

    def another():
        with keeping.in_turn():
            done.append("another")

    other = Thread(target=another)
    with keeping.in_turn():
        assert told.getvalue() == ""
        other.start()
        for _ in range(6_000):  # a minute
            if told.getvalue().endswith("\n"):
                break
            time.sleep(0.01)
        assert "begins when that has ended" in told.getvalue()
        other.join(0.2)
        done.append("one")
    other.join()
    assert done == ["one", "another"]


def test_mirror(tmp_path):
    source, there = tmp_path / "source", tmp_path / "there"
    for name, text in {"a": "a", "b/c": "c", "b/d": "d"}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    mirror(source, there)
    for name in ("a", "b/c", "b/d"):
        os.utime(there / name, (LONG_AGO, LONG_AGO))
    (source / "a").write_text("e")  # of the same size, and as old
    os.utime(source / "a", (LONG_AGO, LONG_AGO))
    (source / "b" / "c").touch()
    (source / "b" / "d").unlink()
    mirror(source, there)
    assert {p.relative_to(there).as_posix() for p in there.rglob("*") if p.is_file()} == {
        "a",
        "b/c",
    }
    assert (there / "a").read_text() == "e"
    assert (there / "a").stat().st_mtime > LONG_AGO
    assert (there / "b" / "c").stat().st_mtime == LONG_AGO


def test_whole_or_gone(tmp_path):
    def grown(key):
        with whole_or_gone(tmp_path / "place", key) as folder:
            (folder / str(len(list(folder.iterdir())))).touch()
        return len(list((tmp_path / "place" / key).iterdir()))

    assert [grown("a"), grown("a"), grown("b"), grown("a")] == [1, 2, 1, 1]
    with pytest.raises(KeyboardInterrupt), whole_or_gone(tmp_path / "place", "a"):
        raise KeyboardInterrupt
    assert grown("a") == 1


def test_a_fingerprint_is_of_names_and_contents(tmp_path):
    def of(**files):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, text in files.items():
            path = folder / re.sub("__", "/", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return fingerprint(folder)

    assert of(a="1", b="2") == of(b="2", a="1")
    assert len({of(a="1", b="2"), of(a="1", c="2"), of(a="1", b="3"), of(a="1"), of(d__a="1")}) == 5
