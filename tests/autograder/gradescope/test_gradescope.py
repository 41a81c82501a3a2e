"""The zip for Gradescope, laid out as its documentation says, and run as it runs there."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.gradescope import run
from autograder.gradescope.package import requirements
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

# What "Autograder Specifications" lets a results.json have.
FIELDS = {
    "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
    "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
TEST_FIELDS = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
    "tags", "visibility", "extra_data",
}  # fmt: skip
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
RIGHT = {"double": 3.0, "mean": 3.0}  # points that no human has to give
SPY = """\
import pathlib, os
def double(x):
    found = []
    for place in (ROOT / "source/course/.autograder/secret", ROOT / "submission_metadata.json",
                  ROOT / "source/course/source/tiny/tiny.ipynb", ROOT / "results"):
        try:
            found.append(os.listdir(place) if place.is_dir() else place.read_bytes())
        except OSError:
            pass
    raise ValueError(f"seen: {found}")
"""


def made_zip(course, *options):
    done = CliRunner().invoke(cli.main, ["gradescope", str(course.root), "tiny", *options])
    assert done.exit_code == 0, done.output
    return course.root / "export" / "tiny-autograder.zip"


@pytest.fixture
def box(course, tmp_path):
    """The folder that is /autograder there."""
    root = tmp_path / "autograder"
    for name in ("submission", "results"):
        (root / name).mkdir(parents=True)
    users = [{"email": "ann@x.org", "id": 7, "name": "Ann"}, {"email": "bob@x.org", "id": 8}]
    (root / "submission_metadata.json").write_text(json.dumps({"users": users}))
    os.symlink(sys.prefix, root / "python")
    return root


def unpacked(path, root):
    with zipfile.ZipFile(path) as archive:
        archive.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "run_autograder").chmod(0o755)


def graded(root, path=os.environ["PATH"]):
    """Run the script as Gradescope does; what it printed, and the results, None without any."""
    done = subprocess.run(
        [root / "run_autograder"], cwd=root, capture_output=True, text=True,
        env={**os.environ, "PATH": path}, check=False,
    )  # fmt: skip
    results = root / "results" / "results.json"
    assert (done.returncode == 0) == results.exists(), done.stdout + done.stderr
    return done.stdout + done.stderr, json.loads(results.read_text()) if results.exists() else None


def test_zip_has_what_the_documentation_asks_for_and_only_the_teacher_reads_it(course):
    path = made_zip(course)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        assert {"setup.sh", "run_autograder", "requirements.txt"} <= names
        scripts = [archive.read(name).decode() for name in ("setup.sh", "run_autograder")]
        assert all(script.startswith("#!/usr/bin/env bash\n") for script in scripts)
        rights = archive.getinfo("run_autograder").external_attr >> 16
        assert rights & stat.S_IXUSR
    for script in scripts:
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    assert not [name for name in names if "submitted" in name or "results/" in name]


def test_requirements_name_packages_of_grading_and_of_no_other_extra():
    names = {line.split(">")[0].split("<")[0].split("[")[0] for line in requirements()}
    assert {"numpy", "click", "nbgrader", "bleach"} <= names
    assert not names & {"dplab", "pytest", "distributed", "sphinx"}


def test_one_submission_after_the_other_gets_its_points(course, box, released):
    unpacked(made_zip(course), box)
    answers = {"right": SOLUTIONS, "wrong": {**SOLUTIONS, "double": "double = abs"}}
    found = {}
    for name, answer in answers.items():
        (box / "submission" / "homework.ipynb").write_bytes(as_bytes(answered(released, answer)))
        printed, results = graded(box)
        assert "in force" in printed
        assert results.keys() <= FIELDS
        for test in results["tests"]:
            assert test.keys() <= TEST_FIELDS
            assert test["visibility"] in VISIBILITIES
        assert "7351" not in json.dumps(results)  # of a hidden test
        found[name] = results
    assert found["right"]["score"] == sum(RIGHT.values())
    assert found["wrong"]["score"] == RIGHT["mean"]
    hidden = [test for test in found["wrong"]["tests"] if test["visibility"] == "after_published"]
    assert [test["status"] for test in hidden] == ["failed"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "No notebook"),
        ({"essay.txt": b"done"}, "essay.txt"),
        ({"tiny.ipynb": b"### BEGIN HIDDEN TESTS"}, "No notebook of this problem set"),
    ],
    ids=["nothing", "an essay", "no notebook"],
)
def test_files_without_the_notebook_get_nothing_and_are_told_why(course, box, files, said):
    unpacked(made_zip(course), box)
    for name, content in files.items():
        (box / "submission" / name).write_bytes(content)
    _, results = graded(box)
    assert results["score"] == 0.0
    assert said in json.dumps(results)


def test_a_fault_of_the_grader_leaves_no_results(course, box, released):
    unpacked(made_zip(course), box)
    (box / "submission" / "tiny.ipynb").write_bytes(as_bytes(answered(released)))
    (box / "results" / "results.json").write_text('{"score": 9}')  # of an earlier run
    (box / "source" / "course" / ".autograder" / "released" / "tiny.json").write_text("{}")
    printed, results = graded(box)
    assert results is None
    assert "is damaged" in printed


def test_weaker_sandbox_needs_the_teacher_s_word_and_still_hides_the_tests(
    course, box, released, tmp_path
):
    tools = tmp_path / "tools"  # a machine without bubblewrap
    tools.mkdir()
    for name in ("bash", "env", "dirname"):
        os.symlink(shutil.which(name), tools / name)
    spy = f"from pathlib import Path\nROOT = Path({str(box)!r})\n{SPY}"
    notebook = as_bytes(answered(released, {**SOLUTIONS, "double": spy}))
    (box / "submission" / "tiny.ipynb").write_bytes(notebook)
    unpacked(made_zip(course), box)
    printed, results = graded(box, str(tools))
    assert results is None
    assert "--allow-weak-sandbox" in printed
    unpacked(made_zip(course, "--allow-weak-sandbox"), box)
    if os.geteuid() != 0:
        return  # without another user only Landlock would hide the files
    _, results = graded(box, str(tools))
    assert results["score"] == RIGHT["mean"]
    assert "seen: []" in json.dumps(results)
    rights = {name: stat.S_IMODE((box / name).stat().st_mode) for name in run.PRIVATE}
    assert not any(mode & 0o077 for mode in rights.values()), rights


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"users": [{"email": "a+b@x.org"}]}', "a-b-x.org"),
        ('{"users": []}', run.NOBODY),
        ('{"users": [{"email": "../../etc"}]}', run.NOBODY),
        ("no json", run.NOBODY),
        ("[]", run.NOBODY),
    ],
)
def test_student_has_a_name_that_a_folder_can_have(tmp_path, text, name):
    path = Path(tmp_path / "metadata.json")
    path.write_text(text)
    assert run._student(path) == name
    assert run._student(tmp_path / "none.json") == run.NOBODY
