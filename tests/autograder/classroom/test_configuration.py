"""nbgrader's configuration as it would be loaded: what must be in it, and how it gets there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import autograder
from autograder.classroom.course import configuration
from autograder.classroom.course.folders import Course, CourseError
from autograder.cli import main
from tests.autograder.tiny_assignment import write_source

OURS = """\
c = get_config()
c.CourseDirectory.course_id = "mine"
"""
LISTS = """\
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
class Mine(NbGraderPreprocessor):
    pass
c = get_config()
c.Autograde.autograde_preprocessors = [Mine, Execute, "nbgrader.preprocessors.SaveAutoGrades"]
c.GenerateFeedback.preprocessors = ["nbgrader.preprocessors.GetGrades", "some.Other"]
"""
APPENDED = """\
c = get_config()
c.Autograde.autograde_preprocessors.append("some.Other")
c.GenerateFeedback.preprocessors.append("some.Other")"""
COMMENTED = """\
c = get_config()
# c.Autograde.autograde_preprocessors = ["autograder.preprocessor.TwoRooms"]
# c.GenerateFeedback.preprocessors = ["autograder.redaction.HiddenTestsLeftOut"]
"""


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder of Jupyter's search path that is ours alone."""
    folder = tmp_path / "jupyter"
    folder.mkdir()
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folder))
    return folder


@pytest.fixture
def root(tmp_path, elsewhere):
    (tmp_path / "course").mkdir()
    return tmp_path / "course"


@pytest.mark.parametrize("text", [OURS, LISTS, APPENDED, COMMENTED, ""])
def test_a_configuration_without_our_entries_is_refused_and_adopted(root, text):
    path = root / "nbgrader_config.py"
    path.write_text(text)
    with pytest.raises(CourseError, match="--adopt") as refused:
        configuration.check(Course.at(root))
    assert "HiddenTestsLeftOut" in str(refused.value)
    assert path.read_text() == text
    configuration.check(Course.at(root), adopt=True)
    assert path.read_text().startswith(text)
    configuration.check(Course.at(root))
    before = path.read_text()
    configuration.check(Course.at(root), adopt=True)
    assert path.read_text() == before


def test_the_lines_that_are_shown_are_those_that_are_needed(root):
    path = root / "nbgrader_config.py"
    path.write_text(LISTS)
    with pytest.raises(CourseError) as refused:
        configuration.check(Course.at(root))
    lines = [line[4:] for line in str(refused.value).splitlines() if line.startswith("    ")]
    path.write_text(LISTS + "\n".join(lines))
    configuration.check(Course.at(root))


def test_the_teachers_own_entries_stay_in_their_order(root):
    (root / "nbgrader_config.py").write_text(LISTS)
    configuration.check(Course.at(root), adopt=True)
    config = Course.at(root).config
    mine, rooms, save = config.Autograde.autograde_preprocessors
    assert (mine.__name__, rooms) == ("Mine", "autograder.preprocessor.TwoRooms")
    assert save == "nbgrader.preprocessors.SaveAutoGrades"
    assert config.GenerateFeedback.preprocessors == [
        "nbgrader.preprocessors.GetGrades", "autograder.redaction.HiddenTestsLeftOut", "some.Other",
    ]  # fmt: skip


SHIPPED = Path(autograder.__file__).parent / "nbgrader_config.py"
ROOMS = 'c = get_config()\nc.Autograde.autograde_preprocessors = ["autograder.preprocessor.{}"]\n'


def test_one_of_the_two_is_not_enough_nor_is_both_engines(root):
    path = root / "nbgrader_config.py"
    path.write_text(ROOMS.format("TwoRooms"))
    assert [step.converter for step in configuration.missing(Course.at(root))] == [
        "GenerateFeedback"
    ]
    path.write_text(
        "c = get_config()\nc.Autograde.autograde_preprocessors = "
        '["autograder.preprocessor.TwoRooms", "nbgrader.preprocessors.execute.Execute"]\n'
    )
    assert len(configuration.missing(Course.at(root))) == 2


def test_what_is_configured_elsewhere_counts(root, elsewhere):
    (root / "nbgrader_config.py").write_text(OURS)
    (elsewhere / "nbgrader_config.py").write_text(SHIPPED.read_text())
    course = Course.at(root)
    configuration.check(course)
    assert course.course_id == "mine"
    (root / "nbgrader_config.py").write_text(LISTS)
    assert len(configuration.missing(Course.at(root))) == 2


def test_a_json_file_that_undoes_it_is_named(root):
    (root / "nbgrader_config.py").write_text(OURS)
    text = json.dumps({"GenerateFeedback": {"preprocessors": ["some.Other"]}})
    (root / "nbgrader_config.json").write_text(text)
    with pytest.raises(CourseError, match=r"undoes them .*nbgrader_config\.json"):
        configuration.check(Course.at(root), adopt=True)


def test_a_course_whose_only_configuration_is_json_is_looked_at_too(root):
    steps = {"autograde_preprocessors": ["nbgrader.preprocessors.Execute"]}
    (root / "nbgrader_config.json").write_text(json.dumps({"Autograde": steps}))
    done = CliRunner().invoke(main, ["release", str(root), "coin"])
    assert done.exit_code == 1
    assert "nbgrader_config" in done.stderr
    assert not (root / "nbgrader_config.py").exists()
    assert not (root / "release").exists()


@pytest.mark.parametrize(
    "text", ["c = get_config(", "c = get_config()\nc.GenerateFeedback.preprocessors = 3"]
)
def test_a_file_that_can_not_be_read_is_named(root, text):
    (root / "nbgrader_config.py").write_text(text)
    with pytest.raises(CourseError, match=r"nbgrader_config\.py"):
        configuration.check(Course.at(root), adopt=True)
    assert (root / "nbgrader_config.py").read_text() == text


def test_a_class_that_another_file_defines_can_not_be_named_and_nothing_is_left(root, elsewhere):
    (elsewhere / "nbgrader_config.py").write_text(LISTS)
    (root / "nbgrader_config.py").write_text(OURS)
    with pytest.raises(CourseError, match="'Mine' is not defined"):
        configuration.check(Course.at(root), adopt=True)
    assert (root / "nbgrader_config.py").read_text() == OURS


def test_the_older_name_of_the_feedback_settings_counts(root):
    text = SHIPPED.read_text() + '\nc.Feedback.preprocessors = ["some.Other"]\n'
    (root / "nbgrader_config.py").write_text(text)
    (step,) = configuration.missing(Course.at(root))
    assert step.converter == "GenerateFeedback"


FOLDERS = {
    "source_directory = 'assignments'": "rename {root}/assignments to 'source'",
    "release_directory = '../released'": "rename {root}/../released to 'release'",
    "submitted_directory = '/srv/submitted'": "rename /srv/submitted to 'submitted'",
    "autograded_directory = 'graded'": "rename {root}/graded to 'autograded'",
    "feedback_directory = 'returned'": "rename {root}/returned to 'feedback'",
    "directory_structure = '{student_id}/{nbgrader_step}/{assignment_id}'": "order the folders as",
}


@pytest.mark.parametrize("entry", FOLDERS)
@pytest.mark.parametrize(
    "command", ["release {root}", "grade {root} tiny", "release --adopt {root}"]
)
def test_a_course_with_folders_of_other_names_is_refused(root, entry, command):
    (root / "nbgrader_config.py").write_text(f"{SHIPPED.read_text()}\nc.CourseDirectory.{entry}\n")
    write_source(root)
    if command.startswith("grade"):
        kept = root / ".autograder" / "released" / "tiny.json"
        kept.parent.mkdir(parents=True)
        kept.write_text("{}")
    before = {*root.rglob("*")}
    done = CliRunner().invoke(main, command.format(root=root).split())
    assert done.exit_code == 1
    message = " ".join(done.stderr.split())
    assert f"CourseDirectory.{entry.partition(' ')[0]} = " in message
    assert FOLDERS[entry].format(root=root) in message
    assert {*root.rglob("*")} - {root / ".autograder" / "lock"} == before


def test_that_is_refused_too_where_the_course_has_no_configuration_of_its_own(root, elsewhere):
    text = "c = get_config()\nc.CourseDirectory.source_directory = 'assignments'\n"
    (elsewhere / "nbgrader_config.py").write_text(text)
    done = CliRunner().invoke(main, ["release", str(root), "tiny"])
    assert done.exit_code == 1
    assert str(elsewhere / "nbgrader_config.py") in done.stderr


def test_folders_by_their_own_names_are_as_good_as_none(root):
    entries = ["source_directory = 'source'", f"feedback_directory = {str(root / 'feedback')!r}",
               "directory_structure = '{nbgrader_step}/{student_id}/{assignment_id}/'"]  # fmt: skip
    lines = "".join(f"\nc.CourseDirectory.{entry}" for entry in entries)
    (root / "nbgrader_config.py").write_text(SHIPPED.read_text() + lines)
    configuration.check(Course.at(root))
    assert configuration.renamed_folders(Course.at(root)) == ()


def test_a_folder_that_is_a_link_is_called_one(root, elsewhere):
    (root / "nbgrader_config.py").write_text(SHIPPED.read_text())
    (root / "submitted").symlink_to(elsewhere)
    with pytest.raises(CourseError, match="/submitted is a link; put a folder there"):
        configuration.renamed_folders(Course.at(root))


@pytest.mark.parametrize("text", [OURS, APPENDED])
def test_nbgrader_itself_loads_what_we_say_it_loads(root, text):
    (root / "nbgrader_config.py").write_text(text)
    configuration.check(Course.at(root), adopt=True)
    code = (
        "from nbgrader.apps import AutogradeApp, GenerateFeedbackApp\n"
        "from nbgrader.converters import Autograde, GenerateFeedback\n"
        "app = AutogradeApp(); app.initialize([])\n"
        "print([str(s) for s in app.config.Autograde.autograde_preprocessors])\n"
        "print([str(s) for s in app.config.GenerateFeedback.preprocessors])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=os.environ, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    config = Course.at(root).config
    lists = (config.Autograde.autograde_preprocessors, config.GenerateFeedback.preprocessors)
    assert done.stdout.splitlines() == [str([str(step) for step in steps]) for steps in lists]
