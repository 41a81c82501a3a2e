"""The course in JupyterLite: lessons and problem sets under Pyodide, in Node and in Chromium.

A run tries a few of them, drawn anew and named by the test; `tests/benchmarks/lite.py` tries all.
"""

import ast
import base64
import hashlib
import json
import re
import secrets
import subprocess
import sys
import zipfile

import nbformat
import pytest

from autograder.desk.student_folder import lay_out
from course.site import lite, pyodide, wheels
from course.site.compiled import add_compiled
from course.site.lesson_page import with_button
from dplab.data import shipped
from tests.browser.lab import blank_page
from tests.course.lite_page import failures, moved, opened_by_the_button, run_all
from tests.course.node import ASSIGNMENTS, cells_of, node, solved, under_pyodide
from tests.course.test_lessons import EXPLORER, LESSONS, executed, tried  # noqa: F401 - fixtures
from tests.course.test_site import address, copy, site  # noqa: F401 - fixtures

QUICK = ("05", "07", "10", "11", "12", "13", "16")  # lessons of few seconds under Pyodide
QUICK_SETS = ("ps03", "ps04", "ps05", "ps06", "ps07", "ps08", "ps09", "ps10", "ps11", "ps12")
KERNEL = {"IPython", "traitlets", "comm"}  # what JupyterLite's kernel itself brings

in_the_site = [pytest.mark.browser]


def drawn(names):
    name = secrets.choice(names)
    print("drawn:", name)
    return name


@pytest.fixture(scope="module")
def course_wheel(tmp_path_factory):
    return wheels.course_wheel(tmp_path_factory.mktemp("wheel"))


def unpacked(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


class TestUnderPyodide:
    pytestmark = in_the_site

    @pytest.mark.parametrize("lessons", [LESSONS[:16], LESSONS[16:]], ids=["1-16", "17-26"])
    def test_every_lesson_runs_in_node_or_says_why_not(self, copy, site, lessons, tmp_path):  # noqa: F811
        there = site / "lite"
        notebooks = {path.stem: cells_of(there / "files" / path.name) for path in lessons}
        ran = under_pyodide(copy, (there / "pypi").glob("*.whl"), notebooks, tmp_path)
        assert ran.keys() == notebooks.keys()
        assert [one for one in ran.values() if not one.is_as_expected] == []

    def test_a_solved_set_runs_in_node(self, copy, site, tmp_path):  # noqa: F811
        name, there = drawn(QUICK_SETS), site / "lite"
        untouched = cells_of(there / "files" / name / f"{name}.ipynb")
        notebooks = {"solved": solved(name), "untouched": untouched}
        ran = under_pyodide(copy, (there / "pypi").glob("*.whl"), notebooks, tmp_path)
        assert ran["solved"].said is None, name
        assert "is not written yet: put your code into its cell" in ran["untouched"].said

    @pytest.mark.parametrize("lessons", [QUICK[:3], QUICK[3:5], QUICK[5:]], ids="-".join)
    def test_a_lesson_runs_in_the_browser_by_its_button(self, site, address, lessons):  # noqa: F811
        name = drawn([path.stem for path in LESSONS if path.stem.startswith(lessons)])
        with blank_page() as page:
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            opened_by_the_button(page, address, name)
            assert failures(page) == []
            assert moved(page)
            assert run_all(page) == []
            assert moved(page)
        assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]
        assert [url for url in asked if url.startswith(f"{address}/lite/static/pyodide/")]

    def test_the_files_are_a_student_s(self, site, tmp_path):  # noqa: F811
        lay_out(tmp_path / "course")
        there, students = site / "lite" / "files", tmp_path / "course"
        names = {path.relative_to(students) for path in students.rglob("*.ipynb")}
        assert {path.relative_to(there) for path in there.rglob("*.ipynb")} == names
        for name in names - {(students / "index.ipynb").relative_to(students)}:
            assert cells_of(there / name) == cells_of(students / name), name
        assert cells_of(there / "index.ipynb") == []

    def test_a_lesson_has_its_pictures_and_says_how_to_run_it(self, site):  # noqa: F811
        for path in LESSONS:
            notebook = nbformat.read(site / "lite" / "files" / path.name, as_version=4)
            assert "Run, Run All Cells" in notebook.cells[1].source
            texts = [
                output.get("data", {}) for c in notebook.cells for output in c.get("outputs", ())
            ]
            assert not [data for data in texts if lite.WIDGET in data]
            (first, *_) = [c for c in notebook.cells if re.fullmatch(EXPLORER, c.source)]
            picture, note = first.outputs
            assert "image/png" in picture.data
            assert "Run, Run All Cells" in note.data["text/markdown"]
            as_written = json.loads((site / "lite" / "files" / path.name).read_text())["cells"]
            outputs = [o for cell in as_written for o in cell.get("outputs", ())]
            shown = [
                o["data"]["text/markdown"] for o in outputs if "text/markdown" in o.get("data", {})
            ]
            assert {type(text) for text in shown} == {str}  # lists stop JupyterLab's contents

    def test_what_each_start_imports_is_compiled(self, copy):  # noqa: F811
        archives = [*copy.glob("*.whl"), copy / "python_stdlib.zip"]
        names = {name for path in archives for name in zipfile.ZipFile(path).namelist()}
        for folder, module in (
            ("IPython/core", "interactiveshell"),
            ("matplotlib", "pyplot"),
            ("pandas/core", "frame"),
            ("scipy/optimize", "__init__"),
        ):
            assert f"{folder}/{module}.py" in names
            assert [n for n in names if n.startswith(f"{folder}/__pycache__/{module}.cpython-")]
        assert {"json/__init__.py", "json/__init__.pyc", "pyodide/code.pyc"} <= names

    def test_the_lock_file_has_the_wheels_as_they_are(self, copy):  # noqa: F811
        """Compiled ones too: a browser refuses a wheel that is another than its digest says."""
        for entry in json.loads((copy / pyodide.LOCK).read_text())["packages"].values():
            wheel = (copy / entry["file_name"]).read_bytes()
            assert entry["sha256"] == hashlib.sha256(wheel).hexdigest(), entry["name"]

    def test_what_is_imported_is_there(self, copy, course_wheel, tmp_path):  # noqa: F811
        """The modules that lessons and sets import, in a Python that has the copy's alone."""
        lock = json.loads((copy / pyodide.LOCK).read_text())["packages"]
        allowed = {name for entry in lock.values() for name in entry["imports"]}
        allowed |= {*wheels.OTHERS, "dplab", "autograder"} | KERNEL
        statements = {
            ast.unparse(node)
            for path in [*LESSONS, *ASSIGNMENTS.glob("*/*.ipynb")]
            for cell in cells_of(path)
            for node in ast.walk(ast.parse(cell))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        script = tmp_path / "imports.py"
        script.write_text(ALONE.format(allowed=allowed, text="\n".join(sorted(statements))))
        folder = unpacked(course_wheel, tmp_path / "wheel")
        done = subprocess.run(
            [sys.executable, str(script), str(folder)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


ALONE = """
import sys
from importlib.machinery import PathFinder

HERE, ALLOWED = sys.argv[1], {allowed!r}
sys.path = [HERE, *(p for p in sys.path if "site-packages" in p or "/lib/python" in p)]

class Alone:
    "Finds what is allowed; what else is installed is not there."
    @staticmethod
    def find_spec(name, path=None, target=None):
        if "." in name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        inside = spec is not None and "site-packages" in (spec.origin or "")
        if inside and name not in ALLOWED and not name.startswith("_"):
            raise ModuleNotFoundError(f"{{name}} is not in a browser", name=name)
        return None

sys.meta_path.insert(0, Alone)
import dplab
assert dplab.__file__.startswith(HERE), dplab.__file__
{text}
"""


def test_the_wheel_has_what_is_imported_and_nothing_that_grades(course_wheel):
    with zipfile.ZipFile(course_wheel) as archive:
        names = archive.namelist()
        text = b"".join(archive.read(name) for name in names)
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {
        "dplab",
        "autograder",
    }
    parts = {name.split("/")[1] for name in names if name.startswith("autograder/")}
    assert parts == {"__init__.py", "checks", "wire"}
    assert b"BEGIN HIDDEN" not in text
    assert b"BEGIN SOLUTION" not in text
    assert not [name for name in names if name.endswith(wheels._COMPILED)]


def test_the_wheel_s_record_is_true_and_its_bytes_are_the_same_again(course_wheel, tmp_path):
    assert wheels.course_wheel(tmp_path).read_bytes() == course_wheel.read_bytes()
    with zipfile.ZipFile(course_wheel) as archive:
        record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
        lines = archive.read(record).decode().splitlines()
        assert {line.split(",")[0] for line in lines} == set(archive.namelist())
        for name, digest, size in (line.split(",") for line in lines if not line.endswith(",,")):
            content = archive.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
            assert (digest, size) == (f"sha256={expected.rstrip('=')}", str(len(content)))


def test_the_wheel_has_the_tables(course_wheel, tmp_path):
    tables = unpacked(course_wheel, tmp_path) / "dplab" / "data" / "tables"
    assert {path.name for path in tables.iterdir()} == set(shipped.FILES)
    for path in tables.iterdir():
        assert path.read_bytes() == shipped.shipped(path.name).read_bytes()


def test_another_package_s_wheel_is_what_is_installed(tmp_path):
    wheel = wheels.installed_wheel("msgpack", tmp_path)
    names = zipfile.ZipFile(wheel).namelist()
    assert "msgpack/fallback.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyd"))]
    code = "import msgpack; print(msgpack.__file__, msgpack.Packer.__module__)"
    environment = {"PYTHONPATH": str(unpacked(wheel, tmp_path / "there"))}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, check=True
    )
    assert str(tmp_path).encode() in done.stdout
    assert b"msgpack.fallback" in done.stdout


def test_a_compiled_package_makes_no_wheel(tmp_path):
    with pytest.raises(wheels.NotPlainPython, match=r"numpy .* has .*\.so, which no browser"):
        wheels.installed_wheel("numpy", tmp_path)
    assert list(tmp_path.iterdir()) == []


class TestAddCompiled:
    """In a Python that is told another text than the compiled module is from."""

    TEXT = "def said():\n    return 'compiled'\n"

    def archive(self, path, *imported):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("one.py", self.TEXT)
            archive.writestr("part/__init__.py", self.TEXT)
            archive.writestr("other.py", self.TEXT)
            archive.writestr("not_python.so", b"\0")
        add_compiled(path, "/there", {f"/there/{name}" for name in imported})
        return path

    def run(self, place, code):
        code = f"import sys; sys.path.insert(0, {str(place)!r}); {code}"
        command = [sys.executable, "-B", "-S", "-c", code]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    def test_a_wheel_s_are_imported_instead_of_their_text(self, tmp_path):
        wheel = self.archive(tmp_path / "a.whl", "one.py", "part/__init__.py", "not_python.so")
        folder = unpacked(wheel, tmp_path / "unpacked")
        for path in folder.rglob("*.py"):
            path.write_text(path.read_text().replace("compiled", "text"))
        code = "import one, part, other; print(one.said(), part.said(), other.said(), "
        code += "one.said.__code__.co_filename)"
        assert self.run(folder, code) == ["compiled", "compiled", "text", f"{folder}/one.py"]

    def test_the_library_s_are_imported_from_its_archive_with_their_text_beside(self, tmp_path):
        library = self.archive(tmp_path / "a.zip", "one.py", "part/__init__.py")
        code = "import one, part, other, inspect; print(one.__file__, part.__file__, "
        code += "other.__file__, *inspect.getsource(one.said).split())"
        there = [f"{library}/{name}" for name in ("one.pyc", "part/__init__.pyc", "other.py")]
        assert self.run(library, code) == [*there, *self.TEXT.split()]


def test_without_node_a_copy_is_as_it_came_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pyodide.shutil, "which", lambda name: None)
    pyodide._compile(tmp_path)
    assert "There is no Node: each start will compile" in capsys.readouterr().err


def test_a_copy_that_cannot_be_compiled_is_none(tmp_path):
    node()
    with pytest.raises(pyodide.Incomplete, match=r"Node could not compile(.|\n)*pyodide\.mjs"):
        pyodide._compile(tmp_path)


def test_python_is_asked_of_the_public_distribution_or_of_the_site_alone():
    public = lite._kernel(["a.whl"], None)
    assert public == {"loadPyodideOptions": {"packages": [*lite.LOADED, "../../../../pypi/a.whl"]}}
    local = lite._kernel(["a.whl"], set(lite.LOADED))
    assert local["pyodideUrl"] == "./static/pyodide/pyodide.mjs"
    assert local["disablePyPIFallback"]


def test_a_button_leads_to_the_notebook_and_names_who_is_asked():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title")])
    with_button(notebook, lite.address("ps03/ps03.ipynb"), pyodide.PUBLIC)
    assert [cell.source.split()[0] for cell in notebook.cells] == ["#", "<p"]
    assert 'href="lite/lab/index.html?path=ps03/ps03.ipynb"' in notebook.cells[1].source
    assert "cdn.jsdelivr.net" in notebook.cells[1].source


def test_a_folder_that_is_no_copy_is_refused_before_anything_is_built(tmp_path):
    (tmp_path / "pyodide.mjs").touch()
    command = [sys.executable, "-m", "course.site.build", "--pyodide", str(tmp_path)]
    done = subprocess.run(
        [*command, str(tmp_path / "site")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"{tmp_path} is no copy of Pyodide: it has no pyodide.asm.mjs, pyodide.asm.wasm, "
        "python_stdlib.zip, pyodide-lock.json"
    )
    assert not (tmp_path / "site").exists()


def test_a_copy_is_not_made_over_a_folder(tmp_path):
    with pytest.raises(pyodide.Incomplete, match=f"{tmp_path} exists already"):
        pyodide.copy_pyodide(tmp_path)


def test_a_copy_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fail(requirements, folder):
        raise pyodide.Incomplete("no index")

    monkeypatch.setattr(pyodide, "_download", fail)
    with pytest.raises(pyodide.Incomplete, match="no index"):
        pyodide.copy_pyodide(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_a_package_brings_all_that_it_needs():
    packages = {
        "a": {"depends": ["B_c"]},
        "b-c": {"depends": ["d", "a"]},
        "d": {"depends": []},
        "e": {"depends": []},
    }
    assert list(pyodide.with_all_they_need(("a",), packages)) == ["a", "b-c", "d"]
    with pytest.raises(pyodide.Incomplete, match="knows no package f"):
        pyodide.with_all_they_need(("e", "f"), packages)
