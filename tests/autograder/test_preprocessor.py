"""nbgrader's own autograding in two rooms gives the points that stock nbgrader gives."""

from __future__ import annotations

import copy
import os
import stat
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

import autograder
from autograder.classroom.course.file_rights import keep_rights_of_links
from autograder.examiner.sandboxed_runner import Role
from autograder.preprocessor import TwoRooms, _runner, _with_roles
from autograder.redaction import show_as_text
from autograder.sandbox import probing
from autograder.wire.files import File

SHIPPED = Path(autograder.__file__).with_name("nbgrader_config.py")


def cell(name, source, *, points=None, solution=False, locked=True):
    graded = points is not None
    mark = {"grade": graded, "solution": solution, "locked": locked, "task": False}
    mark |= {"schema_version": 3, "grade_id": name} | ({"points": points} if graded else {})
    return new_code_cell(source, metadata={"nbgrader": mark})


SOLUTION = """def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION"""
HIDDEN = """assert double(2) == 4, "double of 2"
### BEGIN HIDDEN TESTS
assert double(-3) == -6, "hidden double"
### END HIDDEN TESTS"""
PARTIAL = """credit = [double(1) == 2, double(1) == 3]
2 * float(np.mean(credit))"""
SOURCE = new_notebook(
    cells=[
        new_markdown_cell("# A tiny problem set"),
        cell("imports", "import numpy as np\nlimit = 5"),
        cell("double", SOLUTION, solution=True, locked=False),
        cell("test_double", HIDDEN, points=3),
        cell("partial", PARTIAL, points=2),
        cell("essay", "# explain", points=4, solution=True, locked=False),
    ],
    metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
)
ANSWERS = {
    "honest": "def double(x):\n    print('doubling')\n    return 2 * x",
    "wrong": "def double(x):\n    return x + 2",
    "broken": "def double(x:\n",
}


def make_course(root, config):
    """A course with a released problem set and three submissions."""
    config.CourseDirectory.root = str(root)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    source = root / "source" / "tiny" / "tiny.ipynb"
    source.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(SOURCE, source)
    assert api.generate_assignment("tiny", create=True)["success"]
    for student, answer in ANSWERS.items():
        notebook = nbformat.read(root / "release" / "tiny" / "tiny.ipynb", as_version=4)
        notebook.cells[2].source = answer
        place = root / "submitted" / student / "tiny"
        place.mkdir(parents=True)
        nbformat.write(notebook, place / "tiny.ipynb")
    return api


def points(api, root):
    """Autograde everybody; points by student and cell."""
    found = {}
    for student in ANSWERS:
        done = api.autograde("tiny", student)
        assert done["success"], done["log"] + str(done.get("error"))
        with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
            grades = gradebook.find_submission_notebook("tiny", "tiny", student).grades
            found[student] = {g.name: (g.auto_score, g.needs_manual_grade) for g in grades}
    return found


def shipped_config():
    config = PyFileConfigLoader(SHIPPED.name, path=str(SHIPPED.parent)).load_config()
    config.TwoRooms.allow_weak_sandbox = True
    return config


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The same class graded by stock nbgrader and in two rooms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        found = {}
        for name, config in (("stock", Config()), ("rooms", shipped_config())):
            root = tmp_path_factory.mktemp(name)
            patch.chdir(root)
            api = make_course(root, config)
            found[name] = (root, points(api, root))
        yield found


def name_of(made):
    return made.metadata.get("nbgrader", {}).get("grade_id")


def outputs_of(notebook, name):
    return next(made.outputs for made in notebook.cells if name_of(made) == name)


def test_both_give_the_points_that_are_deserved(graded):
    expected = {
        "honest": {"test_double": (3, False), "partial": (1, False), "essay": (None, True)},
        "wrong": {"test_double": (0, False), "partial": (1, False), "essay": (None, True)},
        "broken": {"test_double": (0, False), "partial": (0, False), "essay": (None, True)},
    }
    for name in expected:  # an essay that was left as it is counts as nothing at once
        expected[name]["essay"] = graded["stock"][1][name]["essay"]
    assert graded["stock"][1] == expected
    assert graded["rooms"][1] == expected


def test_the_autograded_notebook_has_the_outputs(graded):
    root = graded["rooms"][0]
    notebook = nbformat.read(root / "autograded" / "honest" / "tiny" / "tiny.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert outputs_of(notebook, "test_double")[0].text == "doubling\n"  # not in hidden tests
    notebook = nbformat.read(root / "autograded" / "wrong" / "tiny" / "tiny.ipynb", as_version=4)
    assert outputs_of(notebook, "test_double")[0].evalue == "hidden double"


def test_the_gradebook_and_not_the_notebook_says_what_is_a_test(graded):
    root = graded["rooms"][0]
    notebook = nbformat.read(root / "submitted" / "wrong" / "tiny" / "tiny.ipynb", as_version=4)
    test = copy.deepcopy(next(made for made in notebook.cells if name_of(made) == "test_double"))
    test.source = "pass"
    test.metadata.nbgrader.update(locked=False, solution=True, grade=False)
    own = new_code_cell("1", metadata={"nbgrader": {"grade_id": "mine", "locked": True}})
    names = {"db_url": f"sqlite:///{root / 'gradebook.db'}"}
    names |= {"notebook": "tiny", "assignment": "tiny"}
    cells = _with_roles([notebook.cells[1], own, test, test], names)
    roles = [Role.BOTH, Role.STUDENT, Role.EXAMINER, Role.STUDENT]
    assert [made.role for made in cells] == roles
    assert "hidden double" in cells[2].source


def test_a_weak_sandbox_is_refused(monkeypatch):
    weak = probing.probe(bubblewrap=False)
    monkeypatch.setattr("autograder.preprocessor.probe", lambda: weak)
    _runner.cache_clear()
    with pytest.raises(RuntimeError, match="allow_weak_sandbox"):
        _runner(None, False)


def test_the_shipped_configuration_replaces_execute_and_nothing_else():
    from nbgrader.converters import Autograde

    stock = Autograde.autograde_preprocessors.default()
    named = shipped_config().Autograde.autograde_preprocessors
    shipped = [name.rpartition(".")[2] for name in named]
    assert shipped == [TwoRooms.__name__, *(kind.__name__ for kind in stock[1:])]


SCRIPT = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
BESIDE = ["page.html", "PAGE.HTM", "drawing.svg", "deep/page.xhtml", "feed.xml", "notes.txt"]


def test_pages_and_drawings_of_a_student_s_are_kept_as_text(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source" / "tiny").mkdir(parents=True)
    (tmp_path / "source" / "tiny" / "figure.svg").write_text("<svg/>")
    api = make_course_with(tmp_path, BESIDE)
    done = api.autograde("tiny", "honest")
    assert done["success"], done["log"]
    assert api.generate_feedback("tiny", "honest")["success"]
    kept = {f"{name}.txt" for name in BESIDE[:-1]} | {"notes.txt", "figure.svg"}
    for folder, own in ("autograded", "tiny.ipynb"), ("feedback", "tiny.html"):
        place = tmp_path / folder / "honest" / "tiny"
        files = {p.relative_to(place).as_posix(): p for p in place.rglob("*") if p.is_file()}
        assert files.keys() == kept | {own}
        assert files["figure.svg"].read_text() == "<svg/>"
        assert files["page.html.txt"].read_text() == SCRIPT


def make_course_with(root, names):
    """A course in whose submissions files of these names lie beside the notebook."""
    api = make_course(root, shipped_config())
    for name in [*names, "figure.svg"]:
        path = root / "submitted" / "honest" / "tiny" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(SCRIPT)
    return api


def test_a_file_that_is_as_the_problem_set_has_it_stays(tmp_path):
    (tmp_path / "a.svg").write_text("<svg/>")
    (tmp_path / "b.svg").write_text(SCRIPT)
    (tmp_path / "b.svg.txt").write_text("taken")
    (tmp_path / "c.html").symlink_to(tmp_path / "a.svg")
    show_as_text(tmp_path, [File("a.svg", b"<svg/>"), File("b.svg", b"<svg/>")])
    there = {path.name for path in tmp_path.iterdir()}
    assert there == {"a.svg", "b.svg.txt", "b.svg.txt.txt", "c.html.txt"}


def test_nbgrader_changes_no_rights_through_a_link(tmp_path):
    target, folder = tmp_path / "target", tmp_path / "release" / "tiny"
    folder.mkdir(parents=True)
    (folder / "file").write_text("")
    for path in target, folder / "file":
        path.touch()
        path.chmod(0o600)
    (folder / "link").symlink_to(target)
    converter = GenerateAssignment(coursedir=CourseDirectory(root=str(tmp_path)))
    keep_rights_of_links()
    converter.set_permissions("tiny", ".")
    assert stat.filemode(target.stat().st_mode) == "-rw-------"
    assert stat.filemode((folder / "file").stat().st_mode) == "-rw-r--r--"
