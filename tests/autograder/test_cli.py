"""The commands as a teacher types them: what they say, their exit codes, no tracebacks."""

import errno
import io
import json
import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from autograder import cli, session
from autograder.classroom.grading.results import find_all
from autograder.sandbox import probing
from autograder.wire.contract import Limits
from tests.autograder.tiny_assignment import answered, as_bytes, write_source
from tests.autograder.trusted_runner import STRONG, WEAK, probe_of


def run(*arguments):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])


@pytest.fixture
def strong(monkeypatch):
    monkeypatch.setattr(probing, "Probe", probe_of(STRONG))


@pytest.fixture
def handed_in(tmp_path, released):
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for student in ("ann", "bob"):
        (folder / f"{student}.ipynb").write_bytes(as_bytes(answered(released)))
    return folder


@pytest.mark.parametrize("command", cli.main.commands)
def test_every_command_explains_itself_with_an_example(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "Example:" in done.output
    assert f"autograder {command}" in done.output
    assert command in run("--help").output


def test_exit_codes_are_documented():
    text = run("grade", "--help").output
    for code in (0, 1, 2, 3, 4, 130):
        assert re.search(rf"^ +{code}  +\w", text, re.MULTILINE)


def test_version():
    assert run("--version").output.endswith(f"version {version('dplab')}\n")


def test_a_course_from_release_to_report(tmp_path, handed_in, strong, one_room):
    course = tmp_path / "a{class}" / "spring"
    write_source(course)
    done = run("release", course, "tiny")
    assert done.exit_code == 0, done.output
    assert str(course) in done.output.replace("\n", "")
    assert "3 exercises, 10 points" in done.output
    done = run("grade", course, "tiny", handed_in, "--jobs", 1)
    assert done.exit_code == 0, done.output
    assert "in force" in done.output
    assert "2 graded" in done.output
    assert "2 have answers that wait for a human" in done.output
    done = run("grade", course, "tiny")  # what is in COURSE/submitted
    assert "0 graded" in done.output
    assert "2 unchanged and kept" in done.output
    done = run("feedback", course, "tiny")
    assert "2 pages of feedback" in done.output
    assert "ann/tiny/tiny.html" in done.output
    done = run("report", course, "tiny")
    assert done.output.split() == [
        str(course / "report/tiny.html"),
        str(course / "report/tiny.csv"),
        str(course / "report/tiny/checks.csv"),
        str(course / "report/tiny/alike.csv"),
    ]
    assert (course / "report/tiny.html").exists()


def test_grading_writes_feedback_where_it_is_asked_for(course, handed_in, strong, one_room):
    done = run("grade", course.root, "tiny", handed_in, "--feedback")
    assert done.exit_code == 0, done.output
    assert "2 pages of feedback" in done.output
    assert all(course.feedback(student, "tiny").exists() for student in ("ann", "bob"))


@pytest.fixture
def one_without_page(course, handed_in, strong, one_room):
    """Of two who are graded; a file is in the way of a folder."""
    (course.root / "feedback").mkdir()
    (course.root / "feedback/ann").write_text("")
    return course


def test_a_page_that_can_not_be_written_is_a_note_beside_grades(one_without_page, handed_in):
    course = one_without_page
    done = run("grade", course.root, "tiny", handed_in, "--feedback", "--jobs", 1)
    assert done.exit_code == 3, done.output
    assert "2 graded" in done.output
    assert "note: no page for ann: " in done.output
    assert "one page of feedback" in done.output
    assert course.feedback("bob", "tiny").exists()
    done = run("feedback", course.root, "tiny")
    assert (done.exit_code, "note: no page for ann: " in done.output) == (3, True)
    done = run("feedback", course.root, "tiny", "ann")
    assert (done.exit_code, "error: no page for ann: " in done.output) == (1, True)


def test_grades_stand_where_no_page_can_be_written(one_without_page, handed_in):
    course = one_without_page
    (handed_in / "bob.ipynb").unlink()
    done = run("grade", course.root, "tiny", handed_in, "--feedback", "--jobs", 1, "--json")
    assert done.exit_code == 3, done.output
    assert [one["points"] for one in json.loads(done.stdout)["students"]] == [6]
    note = "note: the class was graded, but no feedback was written: no page for ann: "
    assert note in done.stderr


def test_a_problem_set_for_a_course_is_a_course_forgotten(tmp_path):
    done = CliRunner().invoke(cli.main, ["release", str(tmp_path / "ps03")])
    assert done.exit_code != 0
    assert "autograder release COURSE ps03" in " ".join(done.output.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("br[ack]et", ("release", "ps03")),
        ("what?", ("vary", "ps03")),
        ("st*r", ("new", "coin")),
        ("new", ("release", "ps99")),
        ("new", ("release", "ps03", "ps99")),
        ("new", ("release", "../ps03")),
    ],
)
def test_a_course_that_is_refused_is_not_begun(tmp_path, folder, words):
    command, *names = words
    done = run(command, tmp_path / folder, *names)
    assert done.exit_code == 1
    assert done.output.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("grade", "tiny"), ("status",), ("doctor",), ("report", "tiny")])
@pytest.mark.parametrize(("folder", "sign"), [("what?", "?"), ("100%20s", "%20")])
def test_a_course_that_was_moved_where_none_can_be_says_so(course, words, folder, sign):
    command, *names = words
    there = course.root.rename(course.root.with_name(folder))
    done = run(command, there, *names)
    assert (done.exit_code, f"can't have {sign} in it" in done.output) == (1, True)
    assert list(there.parent.iterdir()) == [there]  # no gradebook under a part of the name


def test_an_interrupt_tells_of_grading_where_something_was_graded(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.desk.student_folder.lay_out", interrupted)
    done = run("course", tmp_path)
    assert (done.exit_code, done.output) == (cli.INTERRUPTED, "interrupted\n")
    monkeypatch.setattr(session.Session, "grade", interrupted)
    output = run("grade", tmp_path, "tiny").output
    assert output.endswith("; the results so far are kept; run it again to go on\n")


def test_a_full_disk_is_told_with_the_file_that_had_no_room(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fdopen", lambda handle, _: (os.close(handle), Full())[1])
    done = run("course", tmp_path / "new", "--no-open")
    assert done.exit_code == 1
    assert done.output == f"error: {tmp_path}/new/.dplab.json: No space left on device\n"


def test_a_full_disk_is_told_before_anything_is_done(course, handed_in, monkeypatch):
    def write(handle, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("autograder.classroom.course.lock.os.write", write)
        done = run("grade", course.root, "tiny", handed_in)
    assert done.output == f"error: {course.lock}: No space left on device\n"
    assert done.exit_code == 1


@pytest.mark.parametrize("umask", [0o777, 0o400])
def test_a_umask_that_takes_the_rights_of_its_owner_is_told(course, handed_in, umask):
    before = os.umask(umask)
    try:
        done = run("grade", course.root, "tiny", handed_in)
    finally:
        after = os.umask(before)
    assert after == umask
    assert done.exit_code == 1
    assert done.output.startswith(f"error: the umask of this shell is {umask:03o}, so you could")


@pytest.mark.parametrize("text", ["raise RuntimeError('mine')", "x = 1"])
def test_a_file_that_hides_a_module_of_pythons_is_named(tmp_path, text):
    (tmp_path / "random.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "--version"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {tmp_path}/random.py hides a module of Python's own (")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_release_without_a_name_releases_what_is_there(tmp_path):
    write_source(tmp_path)
    write_source(tmp_path, ".ipynb_checkpoints")  # of a notebook that lay beside the sets
    done = run("release", tmp_path)
    assert done.exit_code == 0
    assert done.output.startswith("released tiny")


@pytest.mark.parametrize("bad", [b"{", b"", None])
def test_a_submission_that_needs_a_look_changes_the_exit_code(
    course, handed_in, strong, one_room, bad
):
    if bad is None:
        (handed_in / "readme.txt").write_text("what is this")
    else:
        (handed_in / "eve.ipynb").write_bytes(bad)
    done = run("grade", course.root, "tiny", handed_in)
    assert done.exit_code == session.LOOK
    assert ("not collected: 'readme.txt'" if bad is None else "eve") in done.output
    counts = "Of what was handed in: 2 collected, 1 not collected, 0 left out."
    assert (counts in done.output) == (bad is None)
    assert len(find_all(course, "tiny")) == 2 + (bad is not None)


def test_a_weak_sandbox_stops_grading_unless_it_is_allowed(
    course, handed_in, one_room, monkeypatch
):
    monkeypatch.setattr(probing, "Probe", probe_of(WEAK))
    done = run("grade", course.root, "tiny", handed_in)
    assert done.exit_code == session.WEAK
    assert "MISSING" in done.output
    assert "--allow-weak-sandbox" in done.output
    assert find_all(course, "tiny") == []
    done = run("grade", course.root, "tiny", handed_in, "--allow-weak-sandbox")
    assert done.exit_code == 0
    assert "MISSING" in done.output
    assert len(find_all(course, "tiny")) == 2


def test_limits_reach_the_graders(course, handed_in, strong, monkeypatch):
    seen = []
    monkeypatch.setattr(session.Session, "grade", lambda self, *_: seen.append(self.limits))
    run("grade", course.root, "tiny", handed_in, "--cell-seconds", "2", "--notebook-seconds", "9")
    assert seen == [Limits(cell_seconds=2, notebook_seconds=9)]


ERRORS = [
    (("grade", "{tmp}/none", "tiny", "{tmp}"), "there is no course folder"),
    (("grade", "{course}", "other", "{tmp}"), "has not been released"),
    (("grade", "{course}", "tiny", "{tmp}/none.zip"), "doesn't exist"),
    (("grade", "{course}", "tiny", "{tmp}/empty"), "has no submission of 'tiny'"),
    (("grade", "{course}", "../x", "{tmp}"), "can't be the name of a problem set"),
    (("feedback", "{course}", "tiny"), "has been graded"),
    (("feedback", "{course}", "tiny", "eve"), "no result of 'tiny' for eve"),
    (("report", "{course}", "tiny"), "grade first"),
    (("release", "{course}", "ps99"), "there is no problem set 'ps99'"),
    (("release", "/proc/none/course", "ps03"), "/proc/none"),
    (("demo", "--folder", "{course}"), "isn't empty"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_a_teachers_mistake_is_one_line(course, tmp_path, strong, arguments, message):
    (tmp_path / "empty").mkdir()
    done = run(*(a.format(tmp=tmp_path, course=course.root) for a in arguments))
    assert done.exit_code == 1
    assert done.output.startswith("error: ")
    assert message in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("grade",),
        ("grade", "a", "b", "--jobs", "0"),
        ("grade", "a", "b", ""),
        ("grade", "a", "b", "--cluster", ""),
        ("nothing",),
        ("release",),
    ],
)
def test_a_mistyped_command_is_exit_code_2(arguments):
    assert run(*arguments).exit_code == 2


def test_the_command_starts_fast_enough_to_ask_for_help():
    """`--help` loads neither nbgrader nor numpy."""
    code = (
        "import sys; from autograder import cli\n"
        "heavy = {'nbgrader', 'numpy', 'matplotlib', 'sqlalchemy', 'IPython'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_only_lists_loads_no_mathematics(course):
    """`status` and the like are given often, and say what others have reckoned."""
    code = (
        "import sys; from autograder.cli import main\n"
        f"main(['status', {str(course.root)!r}, 'tiny'], standalone_mode=False)\n"
        "sys.exit(', '.join({'numpy', 'IPython', 'matplotlib'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_damaged_gradebook_is_named(course, handed_in, strong, one_room):
    (course.root / "gradebook.db").write_bytes(b"this is no database, but it is long enough")
    done = run("grade", course.root, "tiny", handed_in)
    assert done.exit_code == 1
    assert "gradebook" in done.output
    assert "Traceback" not in done.output
