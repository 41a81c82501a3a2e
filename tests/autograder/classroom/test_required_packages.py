"""COURSE/requirements.txt: without its packages nothing is graded, and doctor names them."""

import zipfile

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course import required_packages
from autograder.classroom.running import course_doctor
from tests.autograder.tiny_assignment import answered, as_bytes

TEXT = """\
# for lesson 3
numpy>=2.0  # of any kind
--only-binary=:all:

no-such-package[extra]>=3 ; python_version > "3"
"""


@pytest.fixture
def requiring(course):
    (course.root / "requirements.txt").write_text(TEXT)
    return course


def test_comments_and_options_of_pip_are_no_packages(requiring, course):
    lines = ["numpy>=2.0", 'no-such-package[extra]>=3 ; python_version > "3"']
    assert required_packages.read(requiring) == lines
    assert required_packages.find_missing(requiring) == ["no-such-package"]
    (course.root / "requirements.txt").unlink()
    assert required_packages.read(course) == []


def test_nothing_is_graded_without_a_required_package(requiring, released, tmp_path):
    path = requiring.submitted("ann", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(answered(released)))
    done = CliRunner().invoke(cli.main, ["grade", str(requiring.root), "tiny"])
    assert done.exit_code == 1
    assert "names no-such-package, which is not installed" in done.stderr
    assert f"pip install -r {requiring.root / 'requirements.txt'}" in done.stderr
    assert not requiring.results("tiny").exists()


def test_doctor_names_missing_packages(requiring):
    (finding,) = course_doctor._packages(requiring)
    assert (finding.state, finding.about) == (course_doctor.WRONG, "packages")
    (requiring.root / "requirements.txt").write_text("numpy\nscipy\n")
    (finding,) = course_doctor._packages(requiring)
    assert (finding.state, finding.text) == (
        course_doctor.WELL,
        "2 packages of requirements.txt installed",
    )


def test_gradescope_installs_them(requiring):
    CliRunner().invoke(cli.main, ["gradescope", str(requiring.root), "tiny"])
    with zipfile.ZipFile(requiring.root / "export" / "tiny-autograder.zip") as archive:
        lines = archive.read("requirements.txt").decode().splitlines()
    assert lines[-2:] == required_packages.read(requiring)
