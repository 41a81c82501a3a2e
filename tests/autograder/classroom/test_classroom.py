"""Collecting a class and grading it: every layout, every bad entry, nothing finished ever lost."""

import codecs
import contextlib
import dataclasses
import errno
import io
import json
import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
import unicodedata
import zipfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.results import find_all, save
from autograder.classroom.intake import choose_notebook, collect_class, collection_record, layouts
from autograder.classroom.running import workers
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.progress import Progress
from autograder.wire.contract import Incident, Limits
from tests.autograder.classroom.handing_in import write, zipped
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import STRONG, WEAK

GRADERS = Graders(Limits(), WEAK, jobs=2)


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


LAYOUTS = {
    "nbgrader's": "ann/tiny/tiny.ipynb",
    "flat in the student's folder": "ann/tiny.ipynb",
    "a file for each student": "ann.ipynb",
    "another name": "ann/homework final (2).ipynb",
    "another name, deeper": "ann/some/where/x.ipynb",
    "within the problem set's folder": "ann/tiny/mine.ipynb",
    "an outer folder": "submissions/ann/tiny.ipynb",
    "an outer folder of files": "submissions/ann.ipynb",
}


@pytest.mark.parametrize("as_zip", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_is_collected(course, tmp_path, notebook, layout, as_zip):
    files = {layout: notebook, layout.replace("ann", "bob"): notebook}
    files["__MACOSX/._ann.ipynb"] = files[".DS_Store"] = b"litter"
    source = zipped(tmp_path / "in.zip", files) if as_zip else write(tmp_path / "handed-in", files)
    found = collect_class.collect(course, "tiny", source)
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    assert found.refused == ()
    misnamed = layout.endswith((").ipynb", "x.ipynb", "mine.ipynb"))
    assert [n.kind for n in found.submissions[0].notes] == (["file name"] if misnamed else [])


def test_the_right_name_wins_and_other_files_are_mentioned(course, tmp_path, notebook):
    files = {"ann/tiny.ipynb": notebook, "ann/scratch.ipynb": b"{}", "ann/helper.py": b""}
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", files))
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    several, beside = found.submissions[0].notes
    assert several.needs_teacher
    assert "'ann/tiny.ipynb' was graded; ignored: 'ann/scratch.ipynb'" in several.message
    assert "ignored: 'helper.py'" in beside.message


def test_several_notebooks_of_other_names_are_left_to_the_teacher(course, tmp_path):
    files = {"ann/a.ipynb": b"{}", "ann/b.ipynb": b"{}", "bob.ipynb": b"{}"}
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", files))
    assert found.submissions[0].paths == {}
    assert "Several notebooks" in found.submissions[0].notes[0].message


def test_a_notebook_of_another_problem_set_is_no_submission(course, tmp_path, notebook):
    other = course.source("ps09")
    other.parent.mkdir(parents=True)
    other.write_bytes(b"{}")
    files = {"ann/ps09/ps09.ipynb": notebook, "bob/tiny/tiny.ipynb": notebook}
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", files))
    assert [handed.student for handed in found.submissions] == ["bob"]
    assert found.left_out == ("'ann': all notebooks are other problem sets'",)
    assert found.refused == ()


def test_each_submission_is_counted_once(course, tmp_path, notebook):
    """Graded, refused or left out, however many files it has."""
    course.source("ps09").parent.mkdir(parents=True)
    course.source("ps09").write_bytes(b"{}")
    files = {f"{who}/{file}": notebook for who in ("ann", "a*b", "x?") for file in ("x.ipynb", "y")}
    files |= {"bob/ps09/ps09.ipynb": notebook, "cyd.txt": b"", "dan/essay.docx": b"PK"}
    files |= {
        "teacher/tiny.ipynb": course.source("tiny").read_bytes(),
        "..\\eve.ipynb": notebook,
        "José/tiny.ipynb": notebook,
        "Jose\u0301/tiny.ipynb": notebook,
        "Jose\u0301/other.ipynb": notebook,
    }
    found = collect_class.collect(course, "tiny", zipped(tmp_path / "in.zip", files))
    assert [handed.student for handed in found.submissions] == ["José", "ann", "dan"]
    assert [line.partition(":")[0] for line in found.refused] == [
        "'..\\\\eve.ipynb'", "'cyd.txt'", "'a*b/x.ipynb' and 1 more", "'x?/x.ipynb' and 1 more",
        "'Jose\u0301/tiny.ipynb' and 1 more", "'teacher'",
    ]  # fmt: skip
    assert [line.partition(":")[0] for line in found.left_out] == ["'bob'"]


def test_a_folder_without_a_notebook_is_reported(course, tmp_path):
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", {"ann/essay.docx": b"PK"}))
    assert found.submissions[0].notes[0].message == "No notebook was handed in, but 'essay.docx'."


def test_notebooks_of_another_set_take_nobodys_place(course, tmp_path, notebook):
    other = json.loads(notebook)
    for cell in other["cells"]:
        marks = cell["metadata"].get("nbgrader", {"grade_id": "imports"})
        if marks["grade_id"] != "imports":  # which all sets have
            marks["grade_id"] += "_of_another"
    files = {f"{who}/x.ipynb": notebook for who in ("ann", "bob")}
    wanted = collect_class.CollectOptions(
        notebooks={"tiny": {"imports", "double", "mean", "double_small"}}
    )
    collect_class.collect(course, "tiny", write(tmp_path / "in", files), wanted)
    wrong = write(tmp_path / "wrong", {name: json.dumps(other).encode() for name in files})
    with pytest.raises(CourseError, match=r"none of the 2 notebooks in .* is one of 'tiny'"):
        collect_class.collect(course, "tiny", wrong, wanted)
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    one_right = write(tmp_path / "wrong", {"cyd/x.ipynb": notebook})
    found = collect_class.collect(course, "tiny", one_right, wanted)
    assert len(found.submissions) == 3


@pytest.mark.parametrize("behind", [".txt", ".json", ".TXT"])
def test_a_notebook_with_something_behind_its_name_is_one(course, tmp_path, notebook, behind):
    files = {f"ann/tiny.ipynb{behind}": notebook}
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", files))
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    assert [note.kind for note in found.submissions[0].notes] == ["file name"]
    found = collect_class.collect(
        course,
        "tiny",
        write(tmp_path / "flat", {f"bob{behind}": b""} | {f"cyd.ipynb{behind}": notebook}),
    )
    assert [handed.student for handed in found.submissions] == ["cyd"]


def test_a_link_is_not_followed(course, tmp_path, notebook):
    folder = write(tmp_path / "in", {"ann.ipynb": notebook})
    (folder / "eve.ipynb").symlink_to(course.source("tiny"))
    (folder / "fay").symlink_to(course.root / "source")
    (folder / "gus").mkdir()
    (folder / "gus" / "tiny").symlink_to(course.source("tiny").parent)
    everything = collect_class.collect(course, "tiny", folder)
    found = {h.student: h for h in everything.submissions}
    assert sorted(found) == ["ann", "eve", "gus"]
    assert found["eve"].paths == found["gus"].paths == {}
    assert "a link" in found["eve"].notes[0].message
    assert everything.refused == ("'fay': it is a link or not an ordinary file",)
    assert not course.submitted("eve", "tiny").exists()


def test_a_fifo_does_not_stop_the_class(course, tmp_path, notebook):
    folder = write(tmp_path / "in", {"ann.ipynb": notebook})
    os.mkfifo(folder / "eve.ipynb")
    found = {h.student: h for h in collect_class.collect(course, "tiny", folder).submissions}
    assert found["eve"].paths == {}
    assert found["ann"].paths


@pytest.mark.parametrize(
    "name",
    ["../evil.ipynb", "/etc/evil.ipynb", "a/../../evil.ipynb", "C:/evil.ipynb", "..\\evil.ipynb"],
)
def test_a_path_that_leads_out_of_the_archive_is_refused(course, tmp_path, notebook, name):
    source = zipped(tmp_path / "in.zip", {name: notebook, "ann.ipynb": notebook})
    found = collect_class.collect(course, "tiny", source)
    assert [handed.student for handed in found.submissions] == ["ann"]
    assert "leads out of the archive" in found.refused[0]
    assert not list(tmp_path.rglob("evil*"))


def test_a_link_in_an_archive_is_refused(course, tmp_path, notebook):
    path = zipped(tmp_path / "in.zip", {"ann.ipynb": notebook})
    link = zipfile.ZipInfo("eve.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    found = {h.student: h for h in collect_class.collect(course, "tiny", path).submissions}
    assert found["eve"].paths == {}
    assert "a link" in found["eve"].notes[0].message


def test_a_zip_bomb_is_read_up_to_the_limit(course, tmp_path, notebook, monkeypatch):
    monkeypatch.setattr(choose_notebook, "SIZE_LIMIT", 1 << 20)
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("eve.ipynb", b" " * (200 << 20))
        archive.writestr("ann.ipynb", notebook)
    assert path.stat().st_size < 1 << 20
    found = {h.student: h for h in collect_class.collect(course, "tiny", path).submissions}
    assert found["eve"].paths == {}
    assert "larger than the limit" in found["eve"].notes[0].message
    assert found["ann"].paths


def test_a_damaged_entry_leaves_the_others(course, tmp_path, notebook):
    path = zipped(tmp_path / "in.zip", {"eve.ipynb": b"x" * 500, "ann.ipynb": notebook})
    data = path.read_bytes()
    path.write_bytes(data.replace(b"x" * 500, b"x" * 499 + b"y"))  # the checksum is wrong now
    found = {h.student: h for h in collect_class.collect(course, "tiny", path).submissions}
    assert "can't be read" in found["eve"].notes[0].message
    assert found["ann"].paths


def test_twice_in_the_archive_is_noted(course, tmp_path, notebook):
    path = zipped(tmp_path / "in.zip", {"ann.ipynb": b"{}"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("ann.ipynb", notebook)
    handed = collect_class.collect(course, "tiny", path).submissions[0]
    assert handed.notes[0].kind == "duplicate"
    assert handed.paths["tiny"].read_bytes() == notebook


@pytest.mark.parametrize(
    ("written", "student"),
    [
        ("José".encode(), "José"),
        (unicodedata.normalize("NFD", "José").encode(), "José"),  # as the Finder of macOS has it
        ("דנה".encode(), "דנה"),
        ("José".encode("cp437"), "José"),
    ],
)
def test_names_of_an_archive_that_does_not_say_how_they_are_written(
    course, tmp_path, notebook, written, student
):
    path = zipped(tmp_path / "in.zip", {"n" * len(written) + "/tiny.ipynb": notebook})
    path.write_bytes(path.read_bytes().replace(b"n" * len(written) + b"/", written + b"/"))
    assert zipfile.ZipFile(path).infolist()[0].flag_bits == 0
    (handed,) = collect_class.collect(course, "tiny", path).submissions
    assert (handed.student, handed.paths["tiny"].read_bytes()) == (student, notebook)


@pytest.mark.parametrize("student", ["a*b", "[ab]", "a?", "{x}", "x" * 130, "tab\there"])
def test_names_that_nbgrader_would_take_for_patterns_are_refused(
    course, tmp_path, notebook, student
):
    source = zipped(tmp_path / "in.zip", {f"{student}/tiny.ipynb": notebook, "bob.ipynb": b"{}"})
    found = collect_class.collect(course, "tiny", source)
    assert [handed.student for handed in found.submissions] == ["bob"]
    assert "can't be a student's name" in found.refused[0]


def test_one_students_thousands_of_files_leave_the_others_theirs(
    course, tmp_path, notebook, monkeypatch
):
    """What is hidden doesn't count; beyond the limit notebooks and times are still looked at."""
    monkeypatch.setattr(layouts, "ENTRY_LIMIT", 20)
    files = {f"{name}/tiny/tiny.ipynb": notebook for name in ("ann", "zoe")}
    files["zoe/tiny/timestamp.txt"] = b"2026-11-01 12:00:00 UTC"
    hidden = {f"mal/.venv/{number}": b"" for number in range(50)}
    found = collect_class.collect(course, "tiny", zipped(tmp_path / "1.zip", {**hidden, **files}))
    assert [handed.student for handed in found.submissions] == ["ann", "zoe"]
    assert found.refused == ("'mal': only hidden files are in it",)
    many = {f"mal/{number}.txt": b"" for number in range(50)}
    found = collect_class.collect(course, "tiny", zipped(tmp_path / "2.zip", {**many, **files}))
    (told,) = found.refused
    assert told.startswith("'mal/20.txt' and what follows: 30 more than the 20 files")
    times = {handed.student: handed.timestamp for handed in found.submissions}
    assert times["ann"] != times["zoe"] == "2026-11-01 12:00:00 UTC"
    notebooks = {f"mal/{number}.ipynb": notebook for number in range(50)}
    with pytest.raises(CourseError, match="more than 20 notebooks"):
        collect_class.collect(course, "tiny", zipped(tmp_path / "3.zip", {**notebooks, **files}))


def test_a_path_too_long_for_the_system_costs_nobody_else_anything(course, tmp_path, notebook):
    ann = tmp_path / "in" / "ann" / "tiny"
    ann.mkdir(parents=True)
    (ann / "tiny.ipynb").write_bytes(notebook)
    here = os.open(tmp_path / "in", os.O_RDONLY)
    try:
        for name in ["mal", *["x" * 200] * 25]:
            os.mkdir(name, dir_fd=here)
            below = os.open(name, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("tiny.ipynb", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    found = collect_class.collect(course, "tiny", tmp_path / "in")
    assert "ann" in [handed.student for handed in found.submissions]


def test_a_folder_whose_name_is_no_text_ends_nothing(course, tmp_path, notebook):
    """As one from a system with another encoding: the gradebook could not hold the name."""
    write(tmp_path / "in", {"bob.ipynb": notebook})
    folder = os.fsencode(tmp_path / "in") + b"/J\xf6rg"
    os.mkdir(folder)
    Path(os.fsdecode(folder), "tiny.ipynb").write_bytes(notebook)
    found = collect_class.collect(course, "tiny", tmp_path / "in")
    assert [handed.student for handed in found.submissions] == ["bob"]
    assert "can't be a student's name" in found.refused[0]


DOMAIN = "CORP\\jdoe"


@pytest.mark.parametrize("name", [f"{DOMAIN}/tiny.ipynb", f"{DOMAIN}.ipynb"])
@pytest.mark.parametrize("pack", [write, zipped])
def test_a_user_of_a_domain_is_refused_with_the_reason(course, tmp_path, notebook, pack, name):
    found = collect_class.collect(
        course, "tiny", pack(tmp_path / "in", {name: notebook, "bob.ipynb": b"{}"})
    )
    assert [handed.student for handed in found.submissions] == ["bob"]
    assert "can't be a student's name: it has a backslash in it" in found.refused[0]


def test_backslashes_of_windows_lead_into_folders(course, tmp_path, notebook):
    info = zipfile.ZipInfo("ann\\tiny.ipynb")
    info.create_system = 0
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.writestr(info, notebook)
        archive.writestr("bob/tiny.ipynb", notebook)
    found = collect_class.collect(course, "tiny", tmp_path / "in.zip")
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]


@pytest.mark.parametrize("outer", ["", "all/"])
@pytest.mark.parametrize("as_zip", [False, True])
def test_no_folder_vanishes_without_a_word(course, tmp_path, notebook, outer, as_zip):
    files = {"ann/tiny.ipynb": notebook, "bob.ipynb": notebook, "hid/.git/x": b"", ".DS_Store": b""}
    folder = write(tmp_path / "in", {f"{outer}{name}": data for name, data in files.items()})
    (folder / outer / "gus" / "tiny").mkdir(parents=True)
    (folder / outer / "ann" / "drafts").mkdir()  # who handed in may have one
    source = shutil.make_archive(tmp_path / "packed", "zip", folder) if as_zip else folder
    found = collect_class.collect(course, "tiny", Path(source))
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]
    told = ["'gus': the folder is empty", "'hid': only hidden files are in it"]
    assert sorted(found.refused) == told


def test_a_folder_that_can_not_be_read_is_told(course, tmp_path, notebook, monkeypatch):
    folder = write(tmp_path / "in", {f"{who}/tiny.ipynb": notebook for who in ("ann", "eve")})
    real = os.scandir

    def scandir(path):
        if str(path).endswith("eve"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = collect_class.collect(course, "tiny", folder)
    assert found.refused == ("'eve': the folder can't be read: Permission denied",)


def test_names_in_any_script_are_welcome(course, tmp_path, notebook):
    files = {"Zoë Ångström.ipynb": notebook, "Дарья/tiny.ipynb": notebook, "李雷.ipynb": notebook}
    found = collect_class.collect(course, "tiny", zipped(tmp_path / "in.zip", files))
    assert {h.student for h in found.submissions} == {"Zoë Ångström", "Дарья", "李雷"}


@pytest.mark.parametrize("content", [None, b"not a zip", b""])
def test_what_is_neither_folder_nor_zip_is_an_error(course, tmp_path, content):
    path = tmp_path / "in.zip"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CourseError, match=r"in\.zip"):
        collect_class.collect(course, "tiny", path)


def test_an_empty_hand_in_is_an_error(course, tmp_path):
    with pytest.raises(CourseError, match="has no submission of 'tiny'"):
        collect_class.collect(course, "tiny", write(tmp_path / "in", {"readme.txt": b""}))


def test_the_time_of_submission_is_taken_from_nbgraders_file(course, tmp_path, notebook):
    files = {
        "ann/tiny/tiny.ipynb": notebook,
        "ann/tiny/timestamp.txt": b"2026-11-01 10:00:00 UTC\n",
        "bob/tiny/tiny.ipynb": notebook,
        "bob/tiny/timestamp.txt": b"yesterday, honestly",
        "cyd/tiny/tiny.ipynb": notebook,
        "cyd/tiny/timestamp.txt": codecs.BOM_UTF8 + b"2026-11-01 10:00:00 UTC\r\n",
        "eve/tiny/tiny.ipynb": notebook,
        "eve/tiny/timestamp.txt": b"5m." + b"9" * 40 + b"H",
    }
    found = collect_class.collect(course, "tiny", write(tmp_path / "in", files)).submissions
    times = {handed.student: handed.timestamp for handed in found}
    right = "2026-11-01 10:00:00 UTC"
    assert times == {"ann": right, "bob": "", "cyd": right, "eve": ""}
    ((), (told,), (), (also,)) = (handed.notes for handed in found)
    assert "timestamp.txt has the time 'yesterday, honestly', which can't be read" in told.message
    assert told.needs_teacher
    assert "which can't be read" in also.message


def hand_in(course, tmp_path, files):
    return collect_class.collect(course, "tiny", write(tmp_path / "in", files)).submissions


class Recorder(Progress):
    def __init__(self):
        self.seen = []

    def finished(self, result, kept):
        self.seen.append((result.student, kept))


@pytest.mark.usefixtures("one_room")
def test_a_class_is_graded_whatever_is_in_it(course, tiny, tmp_path, released, notebook):
    files = {
        "ann.ipynb": notebook,
        "bob.ipynb": b"{",
        "cyd.ipynb": as_bytes(answered(released, {"double": "import os; os._exit(3)"})),
        "dan.ipynb": as_bytes(released),
        "eva.ipynb": notebook,
    }
    results = grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS)
    assert [(r.student, r.points) for r in results] == [
        ("ann", 6),
        ("bob", 0),
        ("cyd", 0),
        ("dan", 0),
        ("eva", 6),
    ]
    died = results[2]
    assert died.incidents[0].kind == Incident.GRADER
    assert "in 2 attempts" in died.incidents[0].message
    assert [cell.points for cell in died.cells] == [None] * 4
    assert [r.needs_teacher for r in results] == [False, True, True, False, False]
    with OpenGradebook(course, "tiny") as gradebook:
        grades = gradebook.grades()
    assert grades["ann"]["double_negative"].points == 2
    assert grades["ann"]["why"].points is None
    assert grades["cyd"]["double_negative"].points is None
    assert grades["dan"]["double"].comment == "No response."
    for student in "ann", "bob", "cyd", "dan", "eva":
        json.loads(course.autograded(student, "tiny").read_text())


@pytest.mark.usefixtures("one_room")
def test_what_is_unchanged_is_kept(course, tiny, tmp_path, released, notebook):
    files = {"ann.ipynb": notebook, "bob.ipynb": notebook}
    first = grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS)
    recorder = Recorder()
    handed = hand_in(course, tmp_path, files)
    assert grade_class(course, tiny, handed, GRADERS, progress=recorder) == first
    assert recorder.seen == [("ann", True), ("bob", True)]

    changed = as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"}))
    recorder = Recorder()
    handed = hand_in(course, tmp_path, {**files, "bob.ipynb": changed})
    second = grade_class(course, tiny, handed, GRADERS, progress=recorder)
    assert recorder.seen == [("ann", True), ("bob", False)]
    assert [r.points for r in second] == [6, 3]

    for again, graders in (
        (True, GRADERS),
        (False, Graders(Limits(cell_seconds=1), WEAK, 2)),
        (False, Graders(Limits(), STRONG, 2)),
    ):
        recorder = Recorder()
        grade_class(course, tiny, handed, graders, again=again, progress=recorder)
        assert sorted(recorder.seen) == [("ann", False), ("bob", False)]


@pytest.mark.usefixtures("one_room")
@pytest.mark.parametrize("spoil", [b"", b"{", b"[]", None])
def test_a_spoilt_result_is_graded_again(course, tiny, tmp_path, notebook, spoil):
    handed = hand_in(course, tmp_path, {"ann.ipynb": notebook})
    grade_class(course, tiny, handed, GRADERS)
    if spoil is None:
        course.autograded("ann", "tiny").unlink()
    else:
        course.result("ann", "tiny").write_bytes(spoil)
    recorder = Recorder()
    assert grade_class(course, tiny, handed, GRADERS, progress=recorder)[0].points == 6
    assert recorder.seen == [("ann", False)]


@pytest.mark.usefixtures("one_room")
def test_an_interrupt_loses_nothing_that_is_finished(course, tiny, tmp_path, notebook):
    class Interrupting(Recorder):
        def finished(self, result, kept):
            super().finished(result, kept)
            if len(self.seen) == 2:
                raise KeyboardInterrupt

    files = {f"student{n}.ipynb": notebook for n in range(5)}
    handed = hand_in(course, tmp_path, files)
    with pytest.raises(KeyboardInterrupt):
        grade_class(course, tiny, handed, GRADERS, progress=Interrupting())
    assert len(find_all(course, "tiny")) == 2
    recorder = Recorder()
    grade_class(course, tiny, handed, GRADERS, progress=recorder)
    assert sorted(kept for _, kept in recorder.seen) == [False] * 3 + [True] * 2


RUN = """
import sys
from pathlib import Path
from autograder import cli
from autograder.examiner import sandboxed_runner
from tests.autograder.trusted_runner import TrustedRunner

class Slow(TrustedRunner):
    def run(self, cells, seed, files=()):
        import time
        time.sleep(0.3)
        return super().run(cells, seed, files)

sandboxed_runner.SandboxedRunner = Slow
cli.main(["grade", sys.argv[1], "tiny", sys.argv[2], "--jobs", "2", "--allow-weak-sandbox"])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_killed_command_loses_nothing_and_leaves_no_process(course, tmp_path, notebook, number):
    write(tmp_path / "in", {f"student{n:02}.ipynb": notebook for n in range(20)})
    command = [sys.executable, "-c", RUN, str(course.root), str(tmp_path / "in")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not find_all(course, "tiny") and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    said = process.communicate(timeout=300)[0].decode()
    finished = find_all(course, "tiny")
    assert 0 < len(finished) < 20, said
    assert all(result.points == 6 for result in finished)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert "the results so far are kept" in said
    _wait_until_gone(process.pid)
    with OpenGradebook(course, "tiny") as gradebook:
        assert set(gradebook.grades()) >= {result.student for result in finished}


def _wait_until_gone(group, seconds=60):
    deadline = time.monotonic() + seconds
    while left := _running_in(group):
        if time.monotonic() > deadline:
            pytest.fail(f"the command left processes behind: {left}")
        time.sleep(0.05)


def _running_in(group):
    """The processes of a group; not those that ended and only wait for their parent to look."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        with contextlib.suppress(ProcessLookupError):
            ended = process.info["status"] == psutil.STATUS_ZOMBIE
            if os.getpgid(process.pid) == group and not ended:
                found.append(process.info)
    return found


@pytest.mark.usefixtures("one_room")
def test_a_grade_given_by_hand_survives_a_regrading(course, tiny, tmp_path, notebook):
    handed = hand_in(course, tmp_path, {"ann.ipynb": notebook})
    grade_class(course, tiny, handed, GRADERS)
    _grade_by_hand(course, "ann", "why", 3.5)
    grade_class(course, tiny, handed, GRADERS, again=True)
    with OpenGradebook(course, "tiny") as gradebook:
        assert gradebook.grades()["ann"]["why"].points == 3.5


@pytest.mark.usefixtures("one_room")
def test_an_answer_graded_by_hand_waits_again_only_if_it_is_another(
    course, tiny, tmp_path, notebook
):
    handed = hand_in(course, tmp_path, {"ann/tiny/tiny.ipynb": notebook})
    grade_class(course, tiny, handed, GRADERS)
    assert _waits(course, "ann", "why")
    _grade_by_hand(course, "ann", "why", 3.5)
    grade_class(course, tiny, handed, GRADERS, again=True)
    assert not _waits(course, "ann", "why")
    other = notebook.replace(b"\n}", b"\n }") + b"\n"
    handed = hand_in(course, tmp_path / "again", {"ann/tiny/tiny.ipynb": other})
    grade_class(course, tiny, handed, GRADERS)
    assert _waits(course, "ann", "why")


@pytest.mark.usefixtures("one_room")
def test_an_answer_that_a_human_has_yet_to_see_waits_on(course, tiny, tmp_path, notebook):
    handed = hand_in(course, tmp_path, {"ann/tiny/tiny.ipynb": notebook})
    for again in (False, True):
        grade_class(course, tiny, handed, GRADERS, again=again)
        assert _waits(course, "ann", "why")


def _waits(course, student, cell):
    from nbgrader.api import Gradebook

    with Gradebook(course.database) as book:
        return book.find_grade(cell, "tiny", "tiny", student).needs_manual_grade


def _grade_by_hand(course, student, cell, points, extra=None):
    from nbgrader.api import Gradebook

    with Gradebook(course.database) as book:
        grade = book.find_grade(cell, "tiny", "tiny", student)
        grade.manual_score, grade.needs_manual_grade = points, False  # as formgrader has it
        grade.extra_credit = extra
        book.db.commit()


@pytest.fixture
def zero_when_late(course, tiny):
    from nbgrader.api import Gradebook

    with Gradebook(course.database) as book:
        book.update_or_create_assignment("tiny", duedate="2026-11-01 00:00:00 UTC")
    course.config_file.write_text(
        "c = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"
    )
    return Course.at(course.root)  # which reads the configuration anew


@pytest.mark.usefixtures("one_room")
def test_a_late_submission_is_penalised_as_the_course_says(
    zero_when_late, tiny, tmp_path, notebook
):
    from nbgrader.api import Gradebook

    course = zero_when_late
    times = {"ann": "2026-10-31 10:00:00 UTC", "bob": "2026-11-02 10:00:00 UTC"}
    files = {f"{student}/tiny/tiny.ipynb": notebook for student in times}
    files |= {f"{s}/tiny/timestamp.txt": moment.encode() for s, moment in times.items()}
    grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS)
    with Gradebook(course.database) as book:
        penalties = {
            s: book.find_submission_notebook("tiny", "tiny", s).late_submission_penalty
            for s in times
        }
    assert penalties == {"ann": None, "bob": 6.0}
    _grade_by_hand(course, "bob", "why", 3.5)  # "zero" takes what a human gave, too
    grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS, again=True)
    with Gradebook(course.database) as book:
        late = book.find_submission_notebook("tiny", "tiny", "bob")
        assert late.late_submission_penalty == late.score > 3.5


@pytest.mark.usefixtures("one_room")
def test_extra_credit_counts_for_the_late_penalty(zero_when_late, tiny, tmp_path, notebook):
    from nbgrader.api import Gradebook

    course = zero_when_late
    files = {"bob/tiny/tiny.ipynb": notebook, "bob/tiny/timestamp.txt": b"2026-11-02 10:00:00 UTC"}
    grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS)
    for cell, points, extra in (("why", 3.5, 2), ("double_small", None, 1)):
        _grade_by_hand(course, "bob", cell, points, extra)
        grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS, again=True)
        with Gradebook(course.database) as book:
            late = book.find_submission_notebook("tiny", "tiny", "bob")
            assert late.late_submission_penalty == late.score
    _grade_by_hand(course, "bob", "why", None, 2)  # nbgrader leaves it out until there are points
    grade_class(course, tiny, hand_in(course, tmp_path, files), GRADERS, again=True)
    with Gradebook(course.database) as book:
        late = book.find_submission_notebook("tiny", "tiny", "bob")
        assert late.late_submission_penalty == late.score > 0


def test_refused_entries_are_kept_for_the_report(course):
    collection_record.save_refused(course, "tiny", ("'../x': no",))
    assert collection_record.find_refused(course, "tiny") == ["'../x': no"]
    assert collection_record.find_refused(course, "other") == []
    course.refused("tiny").write_text("[")
    with pytest.raises(CourseError, match=r"refused/tiny\.json is damaged .* autograder grade"):
        collection_record.find_refused(course, "tiny")


def test_an_archive_in_memory_is_what_the_tests_think(tmp_path):
    """The name with a backslash reaches the reader as it was written, so its test can fail."""
    path = zipped(tmp_path / "x.zip", {"..\\evil": b""})
    assert zipfile.ZipFile(io.BytesIO(path.read_bytes())).infolist()[0].filename == "..\\evil"


def test_what_the_grader_failed_on_is_tried_again_next_time(course, tiny, one_room, tmp_path):
    released = json.loads(course.released("tiny").read_text())
    (tmp_path / "handed").mkdir()
    (tmp_path / "handed/cyd.ipynb").write_bytes(as_bytes(answered(released)))
    handed_in = collect_class.collect(course, "tiny", tmp_path / "handed").submissions
    (result,) = grade_class(course, tiny, handed_in, GRADERS)
    failed = Incident(Incident.GRADER, "", "its worker died twice")
    save(course, dataclasses.replace(result, cells=(), incidents=(failed,)))
    (again,) = grade_class(course, tiny, handed_in, GRADERS)
    assert again.points == result.points > 0


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can't be chosen here")
def test_workers_are_spread_over_the_cores_one_each():
    cores = sorted(os.sched_getaffinity(0))
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        chosen = pool.submit(_cores_of_workers, len(cores) + 1).result()
    assert chosen == [[core] for core in [*cores, cores[0]]]


def _cores_of_workers(count):
    """Where the first workers stay; to be called in a process of its own."""
    everywhere, found = os.sched_getaffinity(0), []
    for number in range(count):
        os.sched_setaffinity(0, everywhere)
        workers._stay_on_one_core(number)
        found.append(sorted(os.sched_getaffinity(0)))
    return found
