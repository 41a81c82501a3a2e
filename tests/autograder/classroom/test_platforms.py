"""Downloads of the four platforms as they come: who, when, what, and nobody for somebody else."""

import stat
import zipfile
from dataclasses import replace
from time import process_time
from zoneinfo import ZoneInfo

import pytest

from autograder.classroom.course.folders import Course, CourseError, command
from autograder.classroom.course.safe_files import Entry
from autograder.classroom.intake import choose_notebook, collect_class, collection_record, platforms
from autograder.classroom.intake.collect_class import CollectOptions
from autograder.classroom.intake.people import Person
from tests.autograder.classroom import downloads
from tests.autograder.classroom.downloads import Turned
from tests.autograder.classroom.handing_in import zipped
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


def collect(course, source, **wanted):
    cells = {"tiny": {"double", "double_small", "mean", "why"}}
    return collect_class.collect(course, "tiny", source, CollectOptions(notebooks=cells, **wanted))


def students(found):
    return [handed.student for handed in found.submissions]


def turned(notebook, **more):
    """Two of one name, and one with a hyphen and an accent."""
    files = {"tiny.ipynb": notebook}
    return [
        Turned("Ada", "Lovelace", 4711, files, **more),
        Turned("Ada", "Lovelace", 4712, {"my tiny.ipynb": notebook}, **more),
        Turned("Mary-Ann", "Ångström", 4713, files, **more),
    ]


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("moodle", ["Ada Lovelace_4711", "Ada Lovelace_4712", "Mary-Ann Ångström"]),
        ("canvas", ["4711", "4712", "4713"]),
        ("gradescope", ["4711", "4712", "4713"]),
        ("brightspace", [f"Ada Lovelace_{n}-67890" for n in (4711, 4712)] + ["Mary-Ann Ångström"]),
    ],
)  # fmt: skip
def test_two_of_one_name_stay_two(course, tmp_path, notebook, platform, expected):
    source = getattr(downloads, platform)(tmp_path / "in.zip", turned(notebook))
    found = collect(course, source)
    assert students(found) == expected
    assert found.platform.lower() == platform
    assert found.refused == ()
    assert all(handed.paths["tiny"].read_bytes() == notebook for handed in found.submissions)


@pytest.mark.parametrize("platform", ["moodle", "canvas", "gradescope", "brightspace"])
def test_a_single_submission_is_one_too(course, tmp_path, notebook, platform):
    source = getattr(downloads, platform)(tmp_path / "in.zip", turned(notebook)[1:2])
    found = collect(course, source)
    assert len(students(found)) == 1
    assert found.platform.lower() == platform


def test_an_unpacked_download_is_as_good(course, tmp_path, notebook):
    for platform in ("moodle", "canvas", "gradescope", "brightspace"):
        source = getattr(downloads, platform)(tmp_path / f"{platform}.zip", turned(notebook))
        with zipfile.ZipFile(source) as archive:
            archive.extractall(tmp_path / "unpacked" / platform / "the download")
        there = collect(course, tmp_path / "unpacked" / platform, keep=False)
        assert students(there) == students(collect(course, source, keep=False)), platform


def test_times_are_known_where_the_platform_says_them(course, tmp_path, notebook):
    handed = turned(notebook, time="2026-11-03 22:23:00")
    source = downloads.gradescope(tmp_path / "g.zip", handed)
    assert {h.timestamp for h in collect(course, source).submissions} == {"2026-11-03 22:23:00 UTC"}
    source = downloads.brightspace(tmp_path / "b.zip", handed)
    text = "c = get_config()\nc.Exchange.timezone = 'Europe/Vienna'\n"
    course.config_file.write_text(course.config_file.read_text() + text)
    there = Course.at(course.root)
    assert {h.timestamp for h in collect(there, source).submissions} == {"2026-11-03 21:23:00 UTC"}
    assert (course.submitted("Mary-Ann Ångström", "tiny").parent / "timestamp.txt").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nov 3, 2026 1023 PM", "2026-11-03 21:23:00 UTC"),
        ("Nov 3, 2026 923 AM", "2026-11-03 08:23:00 UTC"),
        ("November 3, 2026 1205 AM", "2026-11-02 23:05:00 UTC"),
        ("3 Nov, 2026 2223", "2026-11-03 21:23:00 UTC"),
        ("3 nov. 2026 22h23", "2026-11-03 21:23:00 UTC"),
        ("3 November, 2026 22:23", "2026-11-03 21:23:00 UTC"),
        ("3. November 2026 2223", "2026-11-03 21:23:00 UTC"),
        ("3 marraskuuta 2026 2223", ""),
        ("3 2026 2223", ""),
    ],
)
def test_brightspaces_times(text, expected):
    parts = (f"12-67 - Ada Lovelace - {text}", "tiny.ipynb")
    found = platforms.recognise([Entry(parts, lambda limit: b"")], ZoneInfo("Europe/Vienna"))
    assert found.shares[0].owner.time == expected
    assert bool(found.shares[0].owner.unread) == (not expected)
    assert found.shares[0].owner.student == "Ada Lovelace"


def test_a_time_that_can_not_be_read_is_the_teachers_to_read(course, tmp_path, notebook):
    files = {"1-2 - Ada Lovelace - 3 marraskuuta 2026 2223/tiny.ipynb": notebook}
    (ada,) = collect(course, zipped(tmp_path / "b.zip", files)).submissions
    (note,) = ada.notes
    assert "'3 marraskuuta 2026 22:23', which can't be read; no penalty" in note.message
    assert note.needs_teacher
    assert ada.timestamp == ""


def test_canvas_marks_what_is_late_and_the_latest_upload_counts(course, tmp_path, notebook):
    files = {
        "lovelaceada_LATE_4711_90001_tiny.ipynb": notebook,
        "hoppergrace_4712_80001_tiny.ipynb": b"{}",
        "hoppergrace_4712_90002_tiny-1.ipynb": notebook,
        "gausscarl_4713_text.html": b"<p>done</p>",
    }
    found = collect(course, zipped(tmp_path / "in.zip", files))
    late, again = found.submissions
    (note,) = late.notes
    assert note.kind == "late"
    assert note.needs_teacher
    assert "Canvas marks it as late" in note.message
    assert course.submitted("4712", "tiny").read_bytes() == notebook
    assert [note.kind for note in again.notes] == ["older"]
    assert found.refused == ("'gausscarl' typed a text into Canvas and handed in no file",)


def test_canvas_with_anonymous_grading_keeps_late_marks(course, tmp_path, notebook):
    files = {
        "anon_aB3dE_90001_tiny.ipynb": notebook,
        "LATE_anon_Qw9Zx_90002_tiny.ipynb": notebook,
        "anon_12345_90003_tiny-1.ipynb": notebook,
        "anon_tYpEd_text.html": b"<p>done</p>",
    }
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert found.platform == "Canvas"
    assert students(found) == ["anon_12345", "anon_Qw9Zx", "anon_aB3dE"]
    assert [[note.kind for note in one.notes] for one in found.submissions] == [[], ["late"], []]
    assert found.refused == ("'anon_tYpEd' typed a text into Canvas and handed in no file",)


BLACKBOARD = {
    "HW_1_aturing_attempt_2026-11-04-18-00-00_tiny.ipynb": None,
    "HW_1_aturing_attempt_2026-11-04-18-00-00.txt": b"Name: Alan Turing (aturing)",
    "HW_1_aturing_attempt_2026-11-03-18-00-00_tiny.ipynb": b"{}",
    "HW_1_g_hopper_attempt_2026-11-02-18-00-00_x_attempt_2026-01-01-00-00-00_y.ipynb": None,
    "HW_1_nobody_attempt_2026-11-02-18-00-00.txt": b"Name: Nobody",
}


def test_blackboards_names_have_the_user_and_the_time(course, tmp_path, notebook):
    files = {name: data or notebook for name, data in BLACKBOARD.items()}
    vienna = "c = get_config()\nc.Exchange.timezone = 'Europe/Vienna'\n"
    course.config_file.write_text(course.config_file.read_text() + vienna)
    found = collect(Course.at(course.root), zipped(tmp_path / "in.zip", files))
    assert found.platform == "Blackboard"
    times = {handed.student: handed.timestamp for handed in found.submissions}
    assert times == {"aturing": "2026-11-04 17:00:00 UTC", "g_hopper": "2026-11-02 17:00:00 UTC"}
    assert found.refused == ("'nobody' typed a text into Blackboard and handed in no file",)
    assert course.submitted("aturing", "tiny").read_bytes() == notebook
    alone = zipped(tmp_path / "one.zip", {next(iter(files)): notebook})
    assert students(collect(course, alone, keep=False)) == ["aturing"]


def ilias(notebook, folder="Submissions"):
    return {
        f"Tiny/{folder}/Lovelace_Ada_ada_l_4711/tiny.ipynb": notebook,
        f"Tiny/{folder}/Hopper_Grace_grace_4712/Late Submission - tiny.ipynb": notebook,
        "Tiny/Tiny.xlsx": b"PK",
    }


@pytest.mark.parametrize("folder", ["Submissions", "submissions", "Abgaben"])
@pytest.mark.parametrize("outer", [0, 1])
def test_ilias_has_the_login_in_a_folder_of_submissions(course, tmp_path, notebook, folder, outer):
    files = {"/".join(k.split("/")[outer:]): v for k, v in ilias(notebook, folder).items()}
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert (found.platform, students(found)) == ("ILIAS", ["ada_l", "grace"])
    assert found.refused == ()
    assert [[note.kind for note in one.notes] for one in found.submissions] == [[], ["late"]]
    alone = zipped(tmp_path / "one.zip", dict([next(iter(files.items()))]))
    assert students(collect(course, alone, keep=False)) == ["ada_l"]


def ilias_teams(notebook, folder="Submissions"):
    """Of a team ILIAS names by a folder who gave a file, and nobody else."""
    return {
        f"Tiny/{folder}/Team 17/Lovelace_Ada_ada_l_4711/tiny.ipynb": notebook,
        f"Tiny/{folder}/Team 18/Hopper_Grace_grace_4712/Late Submission - tiny.ipynb": notebook,
        "Tiny/Tiny.xlsx": b"PK",
    }


@pytest.mark.parametrize("folder", ["Submissions", "Abgaben"])
@pytest.mark.parametrize("outer", [0, 1])
def test_a_team_of_ilias_is_asked_for_its_members(course, tmp_path, notebook, folder, outer):
    files = {"/".join(k.split("/")[outer:]): v for k, v in ilias_teams(notebook, folder).items()}
    source = zipped(tmp_path / "in.zip", files)
    with pytest.raises(CourseError) as told:
        collect(course, source)
    message = str(told.value)
    assert "all members of these teams: 'Team 17', for which 'ada_l' handed in; " in message
    assert "--groups" in message
    with pytest.raises(CourseError, match="of these teams: 'Team 18', for which 'grace'"):
        collect(course, source, groups={"ada_l": "seventeen", "alan": "seventeen"})
    assert not list(course.root.glob("submitted/*"))


def test_each_member_of_a_team_of_ilias_gets_what_one_of_them_gave(course, tmp_path, notebook):
    source = zipped(tmp_path / "in.zip", ilias_teams(notebook))
    groups = {"ada_l": "seventeen", "alan": "seventeen", "grace": "eighteen"}
    found = collect(course, source, groups=groups)
    assert (found.platform, students(found)) == ("ILIAS", ["ada_l", "alan", "grace"])
    assert found.refused == ()
    kinds = [sorted(note.kind for note in one.notes) for one in found.submissions]
    assert kinds == [["group"], ["group"], ["group", "late"]]


def test_two_members_of_a_team_of_ilias_who_both_gave_a_file_are_told(course, tmp_path, notebook):
    files = ilias_teams(notebook)
    files["Tiny/Submissions/Team 17/Turing_Alan_alan_4713/tiny.ipynb"] = notebook
    source = zipped(tmp_path / "in.zip", files)
    with pytest.raises(CourseError, match="'Team 17', for which 'ada_l' and 'alan' handed in"):
        collect(course, source)
    groups = {"ada_l": "seventeen", "alan": "seventeen", "grace": "eighteen"}
    with pytest.raises(CourseError, match="handed in more than once, as 'ada_l', 'alan'"):
        collect(course, source, groups=groups)


@pytest.mark.parametrize("inner", ["Ada Lovelace/tiny.ipynb", "tiny.ipynb"])
def test_a_team_in_which_nobody_is_named_becomes_no_student(course, tmp_path, notebook, inner):
    files = {f"Tiny/Submissions/Team {number}/{inner}": notebook for number in (17, 18)}
    source = zipped(tmp_path / "in.zip", files | {"Tiny/Tiny.xlsx": b"PK"})
    with pytest.raises(
        CourseError, match=r"'Submissions/Team 17/.*is in ILIAS's folder of a team.*--groups"
    ):
        collect(course, source)
    apart = {f"Team {number}/tiny.ipynb": notebook for number in (17, 18)}  # as the message says
    groups = {"ada": "Team 17", "alan": "Team 17", "grace": "Team 18"}
    found = collect(course, zipped(tmp_path / "apart.zip", apart), groups=groups)
    assert students(found) == ["ada", "alan", "grace"]


def sakai(notebook):
    return {
        "Tiny/grades.csv": b"Tiny,Points",
        "Tiny/Lovelace, Ada(ada)/Submission attachment(s)/tiny.ipynb": notebook,
        "Tiny/Lovelace, Ada(ada)/Feedback Attachment(s)/marked.ipynb": b"{}",
        "Tiny/Lovelace, Ada(ada)/timestamp.txt": b"20261103222300123",
        "Tiny/Lovelace, Ada(ada)/comments.txt": b"",
        "Tiny/Hopper, Grace(grace)/Submission attachment(s)/final.ipynb": notebook,
        "Tiny/Hopper, Grace(grace)/timestamp.txt": b"5m." + b"9" * 40 + b"H",
        "Tiny/Zed, Zoe(zoe)/Zed, Zoe(zoe)_submissionText.html": b"done",
    }


@pytest.mark.parametrize("outer", [0, 1])
def test_sakais_folders_have_the_login_and_the_time(course, tmp_path, notebook, outer):
    files = {"/".join(k.split("/")[outer:]): v for k, v in sakai(notebook).items()}
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert (found.platform, students(found)) == ("Sakai", ["ada", "grace"])
    assert [one.timestamp for one in found.submissions] == ["2026-11-03 22:23:00 UTC", ""]
    kinds = {note.kind for note in found.submissions[1].notes}
    assert kinds == {"file name", "time"}
    assert found.refused == ("'Zed, Zoe' typed a text into Sakai and handed in no file",)
    listed = (Person("ada1", "Ada", "Lovelace"), Person("grace1", "Grace", "Hopper"))
    files = zipped(tmp_path / "again.zip", files)
    assert students(collect(course, files, people=listed, keep=False)) == ["ada1", "grace1"]


def test_one_student_does_not_make_the_class_sakais(course, tmp_path, notebook):
    files = {f"{who}/tiny.ipynb": notebook for who in ("ann", "bob")}
    files |= {"eve(1)/Submission attachment(s)/tiny.ipynb": notebook}
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert (found.platform, students(found)) == ("", ["ann", "bob", "eve(1)"])


def test_a_date_in_a_name_of_brightspaces_is_no_time_of_hand_in(course, tmp_path, notebook):
    """Who is called so would choose when she handed in."""
    eve = "3-67 - Eve - Nov 1, 2026 900 AM"
    files = {
        f"{eve} - Nov 3, 2026 1023 PM/tiny.ipynb": notebook,
        "4-67 - Ada 2026 - Nov 3, 2026 1023 PM/tiny.ipynb": notebook,
    }
    utc = "c = get_config()\nc.Exchange.timezone = 'UTC'\n"
    course.config_file.write_text(course.config_file.read_text() + utc)
    found = collect(Course.at(course.root), zipped(tmp_path / "in.zip", files))
    assert students(found) == ["Ada 2026", "Eve - Nov 1, 2026 900 AM"]
    assert {one.timestamp for one in found.submissions} == {"2026-11-03 22:23:00 UTC"}
    flat = {
        f"{eve} - Nov 3, 2026 1023 PM - tiny.ipynb": notebook,
        f"{eve} - Nov 3, 2026 1023 PM - x.ipynb": notebook,
        "4-67 - Ada - Nov 3, 2026 1023 PM - tiny 2026.ipynb": notebook,
    }
    found = collect(course, zipped(tmp_path / "flat.zip", flat), keep=False)
    assert students(found) == ["Ada"]
    assert len(found.refused) == 2
    assert "'3-67 - Eve - Nov 1, 2026 900 AM - Nov 3" in found.refused[0]


def test_a_gradescope_entry_of_a_wrong_kind_is_refused_alone(course, tmp_path, notebook):
    path = downloads.gradescope(tmp_path / "in.zip", turned(notebook)[:2])
    with zipfile.ZipFile(path, "r") as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    metadata = "assignment_42_export/submission_metadata.yml"
    files[metadata] += b"submission_9:\n  :submitters:\n  - just a text\n  :score: 0.0\n"
    files["assignment_42_export/submission_9/tiny.ipynb"] = notebook
    found = collect(course, zipped(tmp_path / "odd.zip", files))
    assert students(found) == ["4711", "4712"]
    assert "submission_9/tiny.ipynb" in found.refused[0]


@pytest.mark.parametrize(
    "name",
    [
        "12-3 - x - " + "1" * 60_000 + "-",
        "12-3 - " + "x - 2026" * 8_000 + "-",
        "_1" * 30_000 + "_assignsubmission",
        "a_" * 30_000 + "_attempt_",
        "(" * 60_000 + "/Submission attachment(s)/x.ipynb",
    ],
    ids=range(5),
)
def test_a_name_longer_than_any_disk_has_them_is_refused_at_once(course, tmp_path, notebook, name):
    path = zipped(tmp_path / "in.zip", {"ann/tiny.ipynb": notebook, name: b""})
    began = process_time()
    found = collect(course, path)
    assert process_time() - began < 5
    assert students(found) == ["ann"]
    assert "a name in its path is too long for any disk" in found.refused[0]


def test_what_was_noted_stays_when_it_is_graded_again(course, tmp_path, notebook):
    files = {"lovelaceada_LATE_4711_90001_x.ipynb": notebook}
    first = collect(course, zipped(tmp_path / "in.zip", files)).submissions
    assert len(first[0].notes) == 2
    assert collect(course, course.root / "submitted").submissions == first
    course.submitted("4711", "tiny").write_bytes(b"{}")
    assert collect(course, course.root / "submitted").submissions[0].notes == ()


def test_ghosts_of_a_text_field_are_left_out(course, tmp_path, notebook):
    handed = turned(notebook)
    ghost = Turned("Grace", "Hopper", 9, {})
    source = downloads.moodle(tmp_path / "in.zip", handed[2:], (handed[2], ghost))
    found = collect(course, source)
    assert students(found) == ["Mary-Ann Ångström"]
    assert found.refused == ("'Grace Hopper' typed a text into Moodle and handed in no file",)
    assert "texts in Moodle's text field were left out, 2 times" in found.remarks


def test_moodles_download_without_folders(course, tmp_path, notebook):
    files = {
        "Ada Lovelace_11_assignsubmission_file_tiny.ipynb": notebook,
        "Ada Lovelace_11_assignsubmission_file_notes.ipynb": b"{}",
        "Grace Hopper_12_assignsubmission_file_final.ipynb": notebook,
    }
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert students(found) == ["Ada Lovelace", "Grace Hopper"]
    assert course.submitted("Ada Lovelace", "tiny").read_bytes() == notebook


def test_names_that_can_be_read_in_two_ways_leave_the_class_moodles(course, tmp_path, notebook):
    """One student has more such files than all others have any."""
    unclear = "Grace Hopper_12_assignsubmission_file_x_{}_assignsubmission_file_.txt"
    files = {
        "Ada Lovelace_11_assignsubmission_file_tiny.ipynb": notebook,
        "Grace Hopper_12_assignsubmission_file_tiny.ipynb": notebook,
        **{unclear.format(number): b"x" for number in range(9)},
    }
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert students(found) == ["Ada Lovelace", "Grace Hopper"]
    assert len(found.refused) == 9


def test_a_name_keeps_its_student_when_a_namesake_hands_in_later(course, tmp_path, notebook):
    first = turned(notebook)[:1]
    assert students(collect(course, downloads.moodle(tmp_path / "1.zip", first))) == [
        "Ada Lovelace"
    ]
    both = turned(notebook)[:2]
    found = collect(course, downloads.moodle(tmp_path / "2.zip", both))
    assert students(found) == ["Ada Lovelace", "Ada Lovelace_4712"]


def test_the_latest_of_brightspaces_submissions_counts(course, tmp_path, notebook):
    files = {
        "1-67 - Ada Lovelace - Nov 3, 2026 1023 PM/tiny.ipynb": notebook,
        "1-67 - Ada Lovelace - Nov 2, 2026 1123 PM/tiny.ipynb": b"{}",
        "2-67 - Grace Hopper - Nov 2, 2026 1123 PM/tiny.ipynb": notebook,
    }
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert students(found) == ["Ada Lovelace", "Grace Hopper"]
    assert course.submitted("Ada Lovelace", "tiny").read_bytes() == notebook
    assert not found.submissions[0].notes[0].needs_teacher


def test_numbers_that_are_not_the_students_make_it_the_teachers_to_look(course, tmp_path, notebook):
    files = {
        "1-67 - Ada Lovelace - Nov 3, 2026 1023 PM/tiny.ipynb": notebook,
        "1-67 - Ada Lovelace - Nov 2, 2026 1123 PM/tiny.ipynb": notebook,
        "1-67 - Grace Hopper - Nov 2, 2026 1123 PM/tiny.ipynb": notebook,
    }
    ada, _ = collect(course, zipped(tmp_path / "in.zip", files)).submissions
    assert ada.notes[0].needs_teacher
    assert "two students with one name" in ada.notes[0].message


def test_all_of_a_group_hand_in_the_same(course, tmp_path, notebook):
    metadata = (
        "submission_1:\n  :submitters:\n  - :name: A\n    :sid: '1'\n  - :name: B\n    :sid: '2'\n"
        "  :created_at: 2021-10-15 05:36:36.000000000 -08:00\n"
    )
    files = {"submission_metadata.yml": metadata, "submission_1/tiny.ipynb": notebook}
    found = collect(course, zipped(tmp_path / "in.zip", files))
    assert students(found) == ["1", "2"]
    assert found.submissions[0].timestamp == "2021-10-15 13:36:36 UTC"


@pytest.mark.parametrize(
    "metadata", ["- no", "a: [", "!!python/object/apply:os.system ['true']", ""]
)
def test_metadata_that_say_nothing_are_an_error(course, tmp_path, notebook, metadata):
    files = {"submission_metadata.yml": metadata, "submission_1/tiny.ipynb": notebook}
    with pytest.raises(CourseError, match=r"submission_metadata\.yml"):
        collect(course, zipped(tmp_path / "in.zip", files))


def test_gradescopes_folders_without_metadata_are_nobodys(course, tmp_path, notebook):
    with pytest.raises(CourseError, match="which names the students"):
        collect(course, zipped(tmp_path / "in.zip", {"submission_1/tiny.ipynb": notebook}))
    assert not (course.root / "submitted").exists()


# Several notebooks


def several(course, tmp_path, files):
    files = {f"ann/{name}": data for name, data in files.items()}
    source = zipped(tmp_path / "in.zip", {**files, "bob.ipynb": b"{}"})
    return collect(course, source).submissions[0]


def test_the_right_one_of_several_is_known_by_its_cells(course, tmp_path, notebook):
    handed = several(course, tmp_path, {"a.ipynb": b"{}", "b.ipynb": notebook, "c.ipynb": b"x"})
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    assert "'ann/b.ipynb' was graded; ignored: 'ann/a.ipynb', 'ann/c.ipynb'" in str(handed.notes)


def test_the_right_name_wins_where_it_has_any_cell(course, tmp_path, released, notebook):
    one = {**released, "cells": [c for c in released["cells"] if c["id"] in ("double", "title")]}
    several(course, tmp_path, {"tiny.ipynb": as_bytes(one), "old.ipynb": notebook})
    assert course.submitted("ann", "tiny").read_bytes() == as_bytes(one)


def test_the_right_name_with_nothing_of_the_set_is_not_the_right_one(course, tmp_path, notebook):
    handed = several(course, tmp_path, {"tiny.ipynb": b"{}", "final.ipynb": notebook})
    assert course.submitted("ann", "tiny").read_bytes() == notebook
    assert any(note.needs_teacher for note in handed.notes)


def test_a_copy_of_what_was_released_is_nothing_to_mention(course, tmp_path, notebook):
    files = {"ann/tiny.ipynb": notebook, "ann/coins.csv": b"", "bob/tiny.ipynb": notebook}
    source = zipped(tmp_path / "in.zip", {**files, "bob/mine.csv": b""})
    ann, bob = collect(course, source, files=frozenset({"coins.csv"})).submissions
    assert ann.notes == ()
    assert "ignored: 'mine.csv'" in bob.notes[0].message


STUBS = {"double": "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"}
STUBS |= {"mean": "def mean(values):\n    # YOUR CODE HERE\n    raise NotImplementedError()"}


def chosen(course, tmp_path, files):
    """Which file was graded, and the note for the teacher about it, with the set's stubs known."""
    files = {f"ann/{name}": data for name, data in files.items()}
    source = zipped(tmp_path / "in.zip", {**files, "bob.ipynb": b"{}"})
    handed = collect(course, source, stubs={"tiny": STUBS}).submissions[0]
    data = course.submitted("ann", "tiny").read_bytes()
    (graded,) = [name for name, content in files.items() if content == data]
    (note,) = [note for note in handed.notes if note.kind == "several notebooks"]
    assert note.needs_teacher
    return graded, note.message


def test_of_two_that_fit_the_one_with_more_answers_is_graded(course, tmp_path, released, notebook):
    half = as_bytes(answered(released, {"double": SOLUTIONS["double"]}))
    files = {"z.ipynb": half, "a.ipynb": notebook, "y.ipynb": as_bytes(released)}
    graded, text = chosen(course, tmp_path, files)
    assert graded == "ann/a.ipynb"
    assert "'ann/a.ipynb' was graded because it has the most answers; ignored: 'ann/y.i" in text


@pytest.mark.parametrize(
    ("first", "second"),
    [("a", "b"), ("tiny_v9", "tiny_v10"), ("tiny-x", "tiny-x (1)"), ("Old", "older")],
)
def test_of_two_with_as_many_answers_the_last_name_is_graded(
    course, tmp_path, notebook, first, second
):
    for files in ((first, second), (second, first)):
        both = {f"{name}.ipynb": notebook + b" " * (name == first) for name in files}
        graded, text = chosen(course, tmp_path, both)
        assert graded == f"ann/{second}.ipynb"
        assert f"'ann/{second}.ipynb' was graded because its name is the last" in text


def test_the_right_name_without_an_answer_is_not_the_right_one(
    course, tmp_path, released, notebook
):
    untouched = as_bytes(released)
    graded, text = chosen(course, tmp_path, {"tiny.ipynb": untouched, "mine.ipynb": notebook})
    assert (graded, "most answers" in text) == ("ann/mine.ipynb", True)
    half = as_bytes(answered(released, {"double": SOLUTIONS["double"]}))
    graded, _ = chosen(course, tmp_path, {"tiny.ipynb": half, "mine.ipynb": notebook})
    assert graded == "ann/tiny.ipynb"
    copy = untouched + b" "
    graded, _ = chosen(course, tmp_path, {"tiny.ipynb": untouched, "zoo.ipynb": copy})
    assert graded == "ann/tiny.ipynb"


# Hostile names


ADAS, FILE = "Ada Lovelace_11_assignsubmission_file_", "_13_assignsubmission_file_"
HOSTILE = {
    "another's name and number in a file": f"Eve{FILE}{ADAS}.ipynb",
    "another's in a display name": f"{ADAS}{FILE}/tiny.ipynb",
    "a way out": "../Eve_13_assignsubmission_file_/tiny.ipynb",
    "a dot": ".._13_assignsubmission_file_/tiny.ipynb",
    "a pattern": "*_13_assignsubmission_file_/tiny.ipynb",
    "markup": "<b>_13_assignsubmission_file_/tiny.ipynb",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_nobody_hands_in_for_somebody_else(course, tmp_path, notebook, name):
    honest = {
        f"{who}_{number}_assignsubmission_file_/tiny.ipynb": notebook
        for number, who in enumerate(("Ada Lovelace", "Bob", "Cyd"), start=11)
    }
    found = collect(course, zipped(tmp_path / "in.zip", {**honest, name: b"{}"}))
    assert course.submitted("Ada Lovelace", "tiny").read_bytes() == notebook
    assert {"Ada Lovelace", "Bob", "Cyd"} <= set(students(found))
    assert len(found.refused) == 1
    assert not [path for path in tmp_path.iterdir() if path.name not in ("in.zip", "course")]


@pytest.mark.parametrize("name", ["\u202eadA", "=cmd()", "Ada\u200b", "-1+1", "@SUM(1)"])
def test_odd_names_are_names(course, tmp_path, notebook, name):
    """What they could do on a page or in a spreadsheet is taken from them there."""
    files = {f"{name}_13_assignsubmission_file_/tiny.ipynb": notebook}
    files["Bob_14_assignsubmission_file_/tiny.ipynb"] = notebook
    assert name in students(collect(course, zipped(tmp_path / "in.zip", files)))


def test_a_link_and_a_bomb_in_a_download_are_refused(course, tmp_path, notebook, monkeypatch):
    monkeypatch.setattr(choose_notebook, "SIZE_LIMIT", 1 << 20)
    path = tmp_path / "in.zip"
    link = zipfile.ZipInfo("eveeve_4713_90003_tiny.ipynb")
    link.external_attr, link.create_system = (stat.S_IFLNK | 0o777) << 16, 3
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("annann_4711_90001_tiny.ipynb", notebook)
        archive.writestr("bobbob_4712_90002_tiny.ipynb", b" " * (20 << 20))
        archive.writestr(link, "/etc/passwd")
    ann, bob, eve = collect(course, path).submissions
    assert ann.paths
    assert bob.paths == eve.paths == {}


# The list of the class


PEOPLE = (
    Person("ada1", "Ada", "Lovelace", "a@example.org", "4711"),
    Person("ada2", "Ada", "Lovelace", "b@example.org", "4712"),
    Person("mary", "Mary Ann", "Angstrom", "m@example.org", "99"),
    Person("zoe", "Zoe", "Zed", "z@example.org", "98"),
)


@pytest.mark.parametrize("platform", ["moodle", "canvas", "gradescope"])
def test_the_list_of_the_class_gives_the_names(course, tmp_path, notebook, platform):
    source = getattr(downloads, platform)(tmp_path / "in.zip", turned(notebook))
    found = collect(course, source, people=PEOPLE)
    assert students(found) == ["ada1", "ada2", "mary"]
    assert found.missing == ("zoe",)
    assert found.unlisted == ()


def test_moodles_worksheet_has_the_times_of_its_own_set(course, tmp_path, notebook):
    def listed(number, time):
        return (Person("mary", "Mary-Ann", "Ångström", number=number, time=time),)

    source = downloads.moodle(tmp_path / "in.zip", turned(notebook)[2:])
    said = "Sunday, 1 November 2026, 10:05 AM UTC"
    for people, time in (
        (listed("4713", said), "2026-11-01 10:05:00 UTC"),
        (listed("4713", "Sonntag, 1. November 2026, 10:05 UTC"), "2026-11-01 10:05:00 UTC"),
        (listed("4713", "tiistai, 1. marraskuuta 2026, 10:05"), ""),
        (listed("4713", "-"), ""),
        (listed("1", said), ""),  # the worksheet of another set
    ):
        (handed,) = collect(course, source, people=people, keep=False).submissions
        assert (handed.student, handed.timestamp) == ("mary", time)
        told = any("which can't be read" in note.message for note in handed.notes)
        assert told == ("marraskuuta" in people[0].time)


def test_grading_stops_where_a_name_fits_two(course, tmp_path, notebook):
    source = downloads.brightspace(tmp_path / "in.zip", turned(notebook))
    with pytest.raises(CourseError, match="could be each of 'ada1', 'ada2'"):
        collect(course, source, people=PEOPLE)
    assert not (course.root / "submitted").exists()


def test_grading_stops_where_a_number_is_of_one_and_the_name_of_another(course, tmp_path, notebook):
    """Moodle's number is of the submission, and may be somebody's matriculation number."""
    files = {"Zoe Nunez_123403_assignsubmission_file_/tiny.ipynb": notebook}
    source = zipped(tmp_path / "in.zip", files)
    ann, zoe = Person("ann", "Ann", "Archer"), Person("zoe", "Zoe", "Nunez")
    listed = (replace(ann, number="123403"), replace(zoe, number="55"))
    with pytest.raises(CourseError, match="could be each of 'ann', 'zoe'"):
        collect(course, source, people=listed)
    married = (replace(ann, number="123403"), replace(zoe, last_name="Other"))
    assert collect(course, source, people=married).submissions[0].student == "ann"
    numbered = (replace(zoe, number="123403"), ann)
    assert collect(course, source, people=numbered).submissions[0].student == "zoe"


def test_grading_stops_where_two_submissions_fit_one(course, tmp_path, notebook):
    people = (Person("ada", "Ada", "Lovelace"), PEOPLE[2])
    source = downloads.moodle(tmp_path / "in.zip", turned(notebook))
    with pytest.raises(CourseError, match="are two submissions that fit"):
        collect(course, source, people=people)
    assert not (course.root / "submitted").exists()


def test_who_had_another_name_before_the_list_came_is_told(course, tmp_path, notebook):
    source = downloads.canvas(tmp_path / "in.zip", turned(notebook))
    assert collect(course, source).remarks == ()
    told = collect(course, source, people=PEOPLE).remarks
    said = f"'ada1' was '4711' before: {command('remove', course.root, '4711')}"
    assert said in told
    assert collect(course, source, people=PEOPLE).remarks == told
    assert students(collect(course, source, people=PEOPLE)) == ["ada1", "ada2", "mary"]


def test_who_is_not_on_the_list_is_graded_and_named(course, tmp_path, notebook):
    source = downloads.canvas(tmp_path / "in.zip", turned(notebook))
    found = collect(course, source, people=PEOPLE[:2])
    assert students(found) == ["4713", "ada1", "ada2"]
    assert found.unlisted == ("4713",)


def test_one_student_alone_is_collected(course, tmp_path, notebook):
    source = downloads.canvas(tmp_path / "in.zip", turned(notebook))
    assert students(collect(course, source, students=("4712",))) == ["4712"]
    assert list(collection_record.find(course, "tiny")) == ["4712"]
    with pytest.raises(CourseError, match="no submission of 'nobody'"):
        collect(course, source, students=("nobody",))


def test_a_dry_run_writes_nothing(course, tmp_path, notebook):
    before = sorted(course.root.rglob("*"))
    source = downloads.canvas(tmp_path / "in.zip", turned(notebook))
    assert len(collect(course, source, keep=False).submissions) == 3
    assert sorted(course.root.rglob("*")) == before
