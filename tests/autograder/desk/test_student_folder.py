"""A student's folder: all of the course, nothing of the teacher's, and nothing of hers is lost."""

import errno
import json
import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from traitlets import import_item

from autograder import cli
from autograder.classroom.course.folders import CourseError
from autograder.desk import student_folder
from autograder.desk.student_folder import lay_out
from tests.assignments.problem_sets import NAMES

COURSE = Path(__file__).parents[3] / "course"
SMALL = {"01_one.ipynb": b"{}", "ps01/ps01.ipynb": b"[1]", "library/dplab/a.py": b"pass"}


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    return lay_out(tmp_path_factory.mktemp("student") / "privacy")


@pytest.fixture
def small(monkeypatch):
    """A course of three files, which a test may change."""
    files = dict(SMALL)
    monkeypatch.setattr(student_folder, "_files", lambda: iter(files.items()))
    monkeypatch.setattr(student_folder, "_digest_of_sources", lambda: str(sorted(files.items())))
    return files


def contents(folder):
    there = [path for path in folder.rglob("*") if path.is_file() and path.name != ".dplab.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in there}


def test_all_lessons_and_problem_sets_are_there(laid):
    assert laid.index.is_file()
    lessons = {path.name for path in COURSE.glob("*.ipynb")}
    assert {path.name for path in laid.folder.glob("*.ipynb")} == lessons
    sets = {path.parent.name for path in laid.folder.glob("*/*.ipynb")}
    assert sets == set(NAMES)


def test_nothing_of_the_teachers_is_there(laid):
    for path, content in contents(laid.folder).items():
        if not path.startswith("library/"):
            text = content.decode(errors="replace")
            assert "BEGIN SOLUTION" not in text
            assert "HIDDEN TESTS" not in text
            assert "nbgrader_config" not in path
            assert "gradebook" not in path
            assert "teacher" not in path
    for name in NAMES:
        notebook = nbformat.read(laid.folder / name / f"{name}.ipynb", as_version=4)
        assert "raise NotImplementedError" in "\n".join(cell.source for cell in notebook.cells)


def test_a_problem_set_notes_its_cells(laid):
    for name in NAMES:
        notebook = nbformat.read(laid.folder / name / f"{name}.ipynb", as_version=4)
        marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
        assert notebook.metadata.problem_set_cells == [mark.grade_id for mark in marks] != []


def test_links_stay_in_the_folder_and_lead_somewhere(laid):
    links = 0
    for path in [*laid.folder.glob("*.ipynb"), *laid.folder.glob("*.md")]:
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
            if "://" not in target:
                links += 1
                there = (path.parent / target).resolve()
                assert there.exists(), (path.name, target)
                assert there.is_relative_to(laid.folder), (path.name, target)
    assert links > 100


def test_a_notebook_is_valid_and_says_which_python_runs_it(laid):
    for path in [*laid.folder.glob("*.ipynb"), *laid.folder.glob("*/*.ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert notebook.metadata.kernelspec.name == "python3"
        assert notebook.metadata.language_info.version.startswith("3.")


def test_the_menus_of_teachers_are_off(laid):
    page = laid.folder / ".jupyter" / "labconfig" / "page_config.json"
    assert json.loads(page.read_text()) == {"disabledExtensions": {"@jupyter/nbgrader": True}}


def test_the_server_has_its_own_way_to_send_and_its_own_kernels():
    """What it does is seen in `tests.browser.test_student_folder`."""
    option, manager, *_ = student_folder.LAB_OPTIONS
    assert issubclass(import_item(manager.partition("=")[2]), ServerKernelManager)
    assert option.startswith("--ServerApp.kernel_websocket_connection_class=")
    assert issubclass(import_item(option.partition("=")[2]), ZMQChannelsWebsocketConnection)


def test_again_changes_nothing(small, tmp_path):
    first = lay_out(tmp_path / "a")
    assert (set(first.new), first.updated, first.kept) == (set(SMALL), (), ())
    again = lay_out(tmp_path / "a")
    assert (again.new, again.updated, again.kept) == ((), (), ())
    assert contents(tmp_path / "a") == SMALL


def test_what_is_untouched_is_brought_up_to_date_and_what_is_hers_stays(small, tmp_path):
    lay_out(tmp_path)
    (tmp_path / "ps01" / "ps01.ipynb").write_bytes(b"[hers]")
    (tmp_path / "notes.txt").write_bytes(b"hers, too")
    small |= {"01_one.ipynb": b"{1}"}
    assert lay_out(tmp_path).kept == ()  # there is nothing newer of it
    small |= {"01_one.ipynb": b"{2}", "ps01/ps01.ipynb": b"[2]", "ps02/ps02.ipynb": b"new"}
    again = lay_out(tmp_path)
    assert again.new == ("ps02/ps02.ipynb",)
    assert again.updated == ("01_one.ipynb",)
    assert again.kept == ("ps01/ps01.ipynb",)
    assert contents(tmp_path) == small | {"ps01/ps01.ipynb": b"[hers]", "notes.txt": b"hers, too"}
    small["ps01/ps01.ipynb"] = b"[3]"  # it stays hers, however often
    assert lay_out(tmp_path).kept == ("ps01/ps01.ipynb",)
    (tmp_path / "ps01" / "ps01.ipynb").rename(tmp_path / "mine.ipynb")
    assert lay_out(tmp_path).new == ("ps01/ps01.ipynb",)
    assert (tmp_path / "ps01" / "ps01.ipynb").read_bytes() == b"[3]"
    assert (tmp_path / "mine.ipynb").read_bytes() == b"[hers]"


def test_what_was_lost_comes_back(small, tmp_path):
    lay_out(tmp_path)
    (tmp_path / "01_one.ipynb").unlink()
    assert lay_out(tmp_path).new == ("01_one.ipynb",)
    assert contents(tmp_path) == SMALL


@pytest.mark.parametrize("spoilt", ["{", "[]", "{}", '{"made from": 1, "files": 2}', None])
def test_where_its_notes_are_spoilt_what_is_hers_stays(small, tmp_path, spoilt):
    lay_out(tmp_path)
    (tmp_path / "ps01" / "ps01.ipynb").write_bytes(b"[hers]")
    notes = tmp_path / ".dplab.json"
    notes.unlink() if spoilt is None else notes.write_text(spoilt)
    done = CliRunner().invoke(cli.main, ["course", str(tmp_path), "--no-open"])
    assert done.exit_code == 0, done.output
    assert "You have changed these files, which have a newer version: ps01/ps01" in done.output
    small |= {"01_one.ipynb": b"{1}"}
    assert lay_out(tmp_path).updated == ("01_one.ipynb",)  # of which we know again
    assert contents(tmp_path) == small | {"ps01/ps01.ipynb": b"[hers]"}


@pytest.mark.parametrize("writes", range(5))
def test_what_was_interrupted_is_gone_on_with(small, tmp_path, monkeypatch, writes):
    left, write = iter(range(writes)), student_folder.write_atomically

    def interrupted(path, content):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, content)

    with monkeypatch.context() as patched:
        patched.setattr(student_folder, "write_atomically", interrupted)
        with pytest.raises(OSError, match="No space left"):
            lay_out(tmp_path / "new")
    lay_out(tmp_path / "new")
    assert contents(tmp_path / "new") == SMALL
    small |= {"ps01/ps01.ipynb": b"[2]"}
    assert lay_out(tmp_path / "new").updated == ("ps01/ps01.ipynb",)


def test_a_folder_of_something_else_is_refused_and_left_alone(small, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(CourseError, match="holds something else"):
        lay_out(tmp_path)
    assert contents(tmp_path) == {"thesis.tex": b"mine"}
    with pytest.raises(CourseError, match="holds something else"):
        lay_out(tmp_path / "thesis.tex")


def test_a_wheel_without_lessons_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(student_folder, "_LESSONS", (tmp_path / "nowhere",))
    with pytest.raises(CourseError, match="has no lessons"):
        lay_out(tmp_path / "privacy")
    assert not (tmp_path / "privacy").exists()


def test_the_command_says_where_it_is_and_what_is_hers(small, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(student_folder, "open_lab", lambda laid, _: opened.append(laid.index) or 0)
    folder = tmp_path / "privacy"

    def run(*options):
        done = CliRunner().invoke(cli.main, ["course", str(folder), *options])
        assert done.exit_code == 0
        return done.output

    assert f"The course is in {folder} (3 files are new, 0 were updated)." in run("--no-open")
    assert not opened
    (folder / "01_one.ipynb").write_bytes(b"{hers}")
    small["01_one.ipynb"] = b"{2}"
    assert "You have changed these files, which have a newer version: 01_one.ipynb." in run()
    assert opened == [folder / "index.ipynb"]


def course(*options):
    return CliRunner().invoke(cli.main, ["course", *map(str, options)])


@pytest.mark.parametrize("dashes", [[], ["--"]])
def test_other_options_go_to_jupyterlab(small, tmp_path, monkeypatch, dashes):
    commands = []
    monkeypatch.setattr(student_folder.subprocess, "call", lambda c, **_: commands.append(c) or 0)
    assert course(tmp_path / "new", *dashes, "--port", "9999", "--allow-root").exit_code == 0
    assert commands[0][-3:] == ["--port", "9999", "--allow-root"]
    assert str(tmp_path / "new" / "index.ipynb") in commands[0]
    done = course(tmp_path / "new", "--no-open", *dashes, "--port", "9999")
    assert f"To open it: autograder course {tmp_path / 'new'} --port 9999" in done.output
    assert len(commands) == 1


def test_a_mistyped_option_and_a_folder_that_is_missing_are_told(small, tmp_path):
    done = course(tmp_path / "new", "--noopen")
    assert (done.exit_code, "is '--no-open' meant?" in done.output) == (2, True)
    done = course("--allow-root")
    assert (done.exit_code, "autograder course FOLDER --allow-root" in done.output) == (2, True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("is_root", "options", "status", "is_told"),
    [
        (True, [], 1, True),
        (True, [], 0, False),
        (True, ["--allow-root"], 1, False),
        (False, [], 1, False),
    ],
)
def test_root_is_told_the_command_that_works(
    small, tmp_path, monkeypatch, is_root, options, status, is_told
):
    monkeypatch.setattr(student_folder, "open_lab", lambda laid, options: status)
    monkeypatch.setattr(student_folder, "is_root", lambda: is_root)
    done = course(tmp_path / "new", *options)
    command = f"run: autograder course {tmp_path / 'new'} --allow-root"
    assert (done.exit_code, command in done.stderr) == (status, is_told)


def test_jupyterlab_finds_the_commands_where_no_environment_is_active(tmp_path, monkeypatch):
    """Its terminals and cells inherit what it is started with."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    environment = student_folder.lab_environment(tmp_path)
    done = subprocess.run(
        ["sh", "-c", "autograder --version"], env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.startswith("autograder, version")
    assert environment["PATH"].endswith("/usr/bin:/bin")


def test_cells_compute_on_one_core_unless_the_student_wants_more(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert student_folder.lab_environment(tmp_path)["OMP_NUM_THREADS"] == "1"
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert student_folder.lab_environment(tmp_path)["OMP_NUM_THREADS"] == "4"
