"""What students and teachers do on macOS or Windows, and what is refused there."""

import re
import subprocess
import sys

import nbformat
import pytest

from autograder.classroom.grading import check_draft
from autograder.classroom.grading.draft import load
from autograder.pages import check_output
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set
from tests.autograder.elsewhere import NAMES as TAKEN
from tests.autograder.elsewhere import surroundings

CODE = """
import os, signal, socket
{}
"""


@pytest.fixture(scope="module")
def away(tmp_path_factory):
    """Runs Python as on another system, with these arguments."""
    environment = surroundings(tmp_path_factory.mktemp("elsewhere"))

    def run(*arguments, **keywords):
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, env=environment, capture_output=True, check=False)

    return run


def half_right(name, folder):
    """A notebook as a student has it, every second answer of which is wrong."""
    ours = problem_set(name)
    answers = dict(ours.own)
    for exercise in ours.exercises[1::2]:
        answers[exercise] = next(iter(ours.answers[exercise].mutants.values())).source
    path = folder / f"{name}.ipynb"
    nbformat.write(harness.released(name, answers), path)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_check_says_the_same(name, away, rooms, tmp_path):
    path = half_right(name, tmp_path)
    checked = check_draft.check(load(path), rooms)
    assert checked.passed == (name == "range")  # whose visible tests only ask for the right form
    expected = check_output.lines(checked, show_hints=True)
    done = away("-m", "autograder.cli", "check", path, "--hints")
    assert done.returncode == (0 if checked.passed else 3), done.stderr.decode()
    said = done.stdout.decode("cp1252").splitlines()
    assert said[0] == "(Your code runs with a weaker sandbox on this machine than in grading.)"
    printed = "\n".join(map(str, expected)).encode("cp1252", errors="replace").decode("cp1252")
    assert "\n".join(said[1:]).split() == printed.split()


def test_a_folder_of_the_course_is_laid_out(away, tmp_path):
    done = away("-m", "autograder.cli", "course", tmp_path / "privacy", "--no-open")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "privacy" / "index.ipynb").is_file()
    assert (tmp_path / "privacy" / "ps03" / "ps03.ipynb").is_file()


def test_a_problem_set_is_released_after_its_own_solution_was_tried(away, tmp_path):
    done = away("-m", "autograder.cli", "release", tmp_path / "course", "ps03")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "course" / "release" / "ps03" / "ps03.ipynb").is_file()


def test_grading_is_refused_and_says_where_it_works(away, course, tmp_path):
    none = tmp_path / "none"
    for arguments in (["demo", "--folder", none], ["grade", course.root, "tiny", tmp_path]):
        done = away("-m", "autograder.cli", *arguments)
        assert done.returncode == 1
        assert "grading needs Linux" in done.stderr.decode()
    assert not none.exists()


def test_lessons_need_nothing_that_is_missing(away):
    """All modules of the library, and the explorers, load there."""
    code = """
        import importlib, pkgutil, dplab
        for module in pkgutil.walk_packages(dplab.__path__, "dplab."):
            importlib.import_module(module.name)
    """
    done = away("-c", re.sub(r"^ {8}", "", code, flags=re.MULTILINE))
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize(
    "line",
    [
        "os.fork()",
        "signal.setitimer(0, 1)",
        "socket.AF_UNIX",
        "import fcntl",
        "from resource import setrlimit",
        "os.open('/proc/self/stat', 0)",
        "open('/proc/self/stat', 'rb')",
        "open(os.devnull)",
    ],
)
def test_the_other_system_lacks_what_it_should(line, away):
    done = away("-c", CODE.format(line))
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1].split(":")[0] in {
        "AttributeError", "FileNotFoundError", "ImportError", "ModuleNotFoundError", "ValueError",
    }  # fmt: skip


def test_what_is_taken_away_is_here():
    """Else a slip of the pen would take away nothing."""
    import importlib

    missing = {
        f"{module}.{name}"
        for module, names in TAKEN.items()
        for name in names.split()
        if not hasattr(importlib.import_module(module), name)
    }
    assert missing <= {"select.kqueue"}
