"""An exchange in which students can hand in, and can't read the work of others."""

import grp
import os
import pwd
import stat

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.classroom.course import exchange
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.intake.checked_collect import CheckedCollect
from autograder.classroom.running import course_doctor
from tests.autograder.test_cli import run

NAME = "+tiny+2026-11-30 10:00:00.000000 UTC+abc"
ME = pwd.getpwuid(os.getuid()).pw_name
GROUP = grp.getgrgid(os.getgid()).gr_name


@pytest.fixture
def named(course, monkeypatch):
    """A course with a name in the exchange, and with the settings that a hub has."""
    folder = course.root.parent / "jupyter"
    folder.mkdir()
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder))
    with course.config_file.open("a") as file:
        file.write("c.CourseDirectory.course_id = 'privacy'\n")
    return Course.at(course.root)


@pytest.fixture
def root(named, tmp_path):
    """The exchange of that course, made under a umask that closes new folders."""
    before = os.umask(0o077)
    try:
        exchange.make(named, tmp_path / "exchange", None, None)
    finally:
        os.umask(before)
    settings = (tmp_path / "exchange/nbgrader_config.py").read_text()
    (tmp_path / "jupyter/nbgrader_config.py").write_text(settings)
    return tmp_path / "exchange"


def mode(path):
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


def doctor(course):
    """The findings about the exchange: state, text and remedy."""
    findings = course_doctor._exchange(Course.at(course.root))
    return [(finding.state, finding.text, finding.remedy) for finding in findings]


def test_nobody_else_can_list_or_change_submissions(root, named):
    folders = {path.name: mode(path) for path in (root / "privacy").iterdir()}
    assert folders == {"outbound": "2755", "inbound": "3773", "feedback": "2751"}
    assert mode(root) == mode(root / "privacy") == "755"
    assert doctor(named) == [("well", f"{root}, as privacy", "")]


def test_the_command_says_who_can_do_what(named, tmp_path):
    done = run("exchange", named.root, tmp_path / "exchange")
    assert "fetch, hand in:   all users of this machine" in done.stdout
    assert f"sudo cp {tmp_path}/exchange/nbgrader_config.py /etc/jupyter" in done.stderr


@pytest.mark.parametrize(
    ("path", "wrong"),
    [("", 0o777), ("privacy", 0o777), ("privacy/inbound", 0o777), ("privacy/outbound", 0o777),
     ("privacy/inbound", 0o3777), ("privacy/inbound", 0o3770), ("privacy/feedback", 0o755),
     (f"privacy/inbound/{ME}{NAME}", 0o777)],
)  # fmt: skip
def test_the_doctor_sees_wrong_rights_and_the_command_mends_them(root, named, path, wrong):
    (root / path).mkdir(exist_ok=True)
    (root / path).chmod(wrong)
    ((state, text, remedy),) = doctor(named)
    assert state == "wrong"
    assert str(root / path) in text
    assert remedy == f"autograder exchange {named.root} {root}"
    exchange.make(named, root, None, None)
    assert doctor(named) == [("well", f"{root}, as privacy", "")]


def test_the_doctor_asks_for_the_settings(root, named):
    (root.parent / "jupyter/nbgrader_config.py").write_text(
        f"c = get_config()\nc.Exchange.root = '{root}'\n"
    )
    ((state, text, remedy),) = doctor(named)
    assert (state, remedy) == ("wrong", f"sudo cp {root}/nbgrader_config.py /etc/jupyter")
    assert "settings" in text


def test_an_exchange_that_all_can_write_to_needs_a_look(course, tmp_path):
    with course.config_file.open("a") as file:
        file.write(f"c.CourseDirectory.course_id = 'a'\nc.Exchange.root = '{tmp_path / 'all'}'\n")
    (tmp_path / "all").mkdir()
    (tmp_path / "all").chmod(0o777)
    ((state, _, remedy),) = doctor(course)
    assert (state, remedy) == ("look", f"autograder exchange {course.root} {tmp_path / 'all'}")


def test_old_submissions_are_closed(named, tmp_path):
    old = tmp_path / "exchange/privacy/inbound" / f"ann{NAME}"
    old.mkdir(parents=True)
    old.chmod(0o777)
    (tmp_path / "exchange").chmod(0o777)
    exchange.make(named, tmp_path / "exchange", None, None)
    assert (mode(old), mode(tmp_path / "exchange")) == ("770", "755")


def test_the_setting_is_added_once(root, named):
    exchange.make(Course.at(named.root), root, None, None)
    assert named.config_file.read_text().count(exchange.COLLECT) == 1


@pytest.mark.parametrize(
    ("graders", "students", "message"),
    [("no-such-group", None, "groupadd no-such-group"), (GROUP, GROUP, "Name another group")],
)
def test_groups_that_do_not_work_are_refused(named, tmp_path, graders, students, message):
    with pytest.raises(CourseError, match=message):
        exchange.make(named, tmp_path / "exchange", graders, students)
    assert not (tmp_path / "exchange").exists()


def test_graders_outside_of_the_students_group_are_named(monkeypatch):
    groups = {1: {"ada", "grace", "teacher"}, 2: {"ann", "grace"}}
    monkeypatch.setattr(exchange, "members", groups.get)
    monkeypatch.setattr(exchange, "_group_name", {1: "graders", 2: "students"}.get)
    with pytest.raises(CourseError, match=r"usermod -aG students ada$"):
        exchange.Owners(0, 1, 2)._check_groups("teacher")


@pytest.mark.parametrize(("options", "count"), [((), 1), (("--graders", GROUP), 0)])
def test_others_in_the_owners_group_are_named(named, tmp_path, monkeypatch, options, count):
    monkeypatch.setattr(exchange, "members", lambda group: {ME, "ann"})
    done = run("exchange", named.root, tmp_path / "exchange", *options)
    assert done.stderr.count("ann can read all submissions") == count


def test_a_course_of_no_user_is_refused(named, tmp_path, monkeypatch):
    monkeypatch.setattr(exchange.pwd, "getpwuid", {}.__getitem__)
    with pytest.raises(CourseError, match="no such user"):
        exchange.make(named, tmp_path / "exchange", None, None)


@pytest.mark.parametrize("name", ["", "..", "a/b"])
def test_a_course_needs_a_name_that_a_folder_can_have(course, tmp_path, name):
    with course.config_file.open("a") as file:
        file.write(f"c.CourseDirectory.course_id = {name!r}\n")
    with pytest.raises(CourseError, match=r"CourseDirectory\.course_id"):
        exchange.make(Course.at(course.root), tmp_path / "exchange", None, None)


def test_a_link_in_the_exchange_is_not_followed(named, tmp_path):
    (tmp_path / "exchange").mkdir()
    (tmp_path / "other").mkdir(mode=0o700)
    (tmp_path / "exchange/privacy").symlink_to(tmp_path / "other")
    with pytest.raises(CourseError, match="is a link"):
        exchange.make(named, tmp_path / "exchange", None, None)
    assert mode(tmp_path / "other") == "700"


def collect(course, root, **settings):
    """Collect as the course's nbgrader does, and return the files of each student."""
    config = Config(Course.at(course.root).config)
    config.CourseDirectory.root = str(course.root)
    config.CourseDirectory.assignment_id = "tiny"
    config.CourseDirectory.merge(settings)
    CheckedCollect(coursedir=CourseDirectory(config=config), config=config).start()
    files = (path for path in course.root.glob("submitted/*/tiny/**/*") if path.is_file())
    folder = course.root / "submitted"
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def submission(root, student=ME, name=NAME):
    folder = root / "privacy/inbound" / f"{student}{name}"
    (folder / "data").mkdir(parents=True)
    (folder / "tiny.ipynb").write_text("mine")
    (folder / "data/numbers.csv").write_text("1")
    return folder


WHOLE = {f"{ME}/tiny/tiny.ipynb": "mine", f"{ME}/tiny/data/numbers.csv": "1"}


def test_a_submission_is_collected_for_the_user_who_owns_it(root, named):
    submission(root, "somebody-else")
    assert collect(named, root) == WHOLE


def test_an_older_submission_counts_if_a_newer_one_is_a_link(root, named, tmp_path):
    submission(root)
    newer = root / "privacy/inbound" / f"{ME}{NAME.replace('10:00', '11:00')}"
    newer.symlink_to(tmp_path)
    assert collect(named, root) == WHOLE


def forge_link(folder, secret):
    (folder / "tiny.ipynb").unlink()
    (folder / "tiny.ipynb").symlink_to(secret)


def forge_folder_link(folder, secret):
    (folder / "more").symlink_to(secret.parent)


def forge_submission_link(folder, secret):
    folder.rename(folder.parent.parent / "away")
    folder.symlink_to(secret.parent)


def forge_pipe(folder, secret):
    os.mkfifo(folder / "pipe")


def forge_time(folder, secret):
    folder.rename(folder.with_name(f"{ME}+tiny+tomorrow+abc"))


def forge_size(folder, secret):
    (folder / "large").write_bytes(bytes(3000))


FORGERIES = [
    forge_link, forge_folder_link, forge_submission_link, forge_pipe, forge_time, forge_size
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_submission_is_left_out(root, named, forge, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/tiny.ipynb").write_text("the solution")
    forge(submission(root), tmp_path / "secret/tiny.ipynb")
    assert collect(named, root, max_dir_size=2) == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files of another user")
def test_a_file_of_another_user_is_left_out(root, named):
    folder = submission(root)
    os.chown(folder / "tiny.ipynb", 12345, 12345)
    assert collect(named, root) == {}
