"""Commands for a course in use: who waits for what, one student, one exercise, a look at it all."""

import contextlib
import datetime
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from autograder import cli, session
from autograder.classroom.course import extensions, lock
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.results import find, find_all
from autograder.classroom.intake import groups, people
from autograder.classroom.intake.people import Person
from autograder.classroom.releasing import release
from autograder.classroom.running import course_doctor
from autograder.sandbox import probing
from tests.autograder import tiny_assignment
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes, late_penalties
from tests.autograder.trusted_runner import STRONG, WEAK, probe_of


def run(*arguments, **more):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], **more)


@pytest.fixture(autouse=True)
def strong(monkeypatch, one_room):
    monkeypatch.setattr(probing, "Probe", probe_of(STRONG))


@pytest.fixture
def handed_in(tmp_path, released):
    folder = tmp_path / "handed-in"
    for student in ("ann", "bob"):
        (folder / student).mkdir(parents=True)
        (folder / student / "tiny.ipynb").write_bytes(as_bytes(answered(released)))
    return folder


@pytest.fixture
def graded(course, handed_in):
    done = run("grade", course.root, "tiny", handed_in, "--jobs", 1)
    assert done.exit_code == 0, done.output
    return course


def by_hand(course, student, points):
    with Gradebook(course.database) as book:
        grade = book.find_grade("why", "tiny", "tiny", student)
        grade.manual_score, grade.needs_manual_grade = points, False  # as formgrader has it
        book.db.commit()


def due(course, time="2026-11-01 12:00:00 UTC"):
    with Gradebook(course.database) as book:
        book.update_or_create_assignment("tiny", duedate=time)


def other_work(course):
    with course.submitted("ann", "tiny").open("a") as file:
        file.write("\n")


def no_work(course):
    course.submitted("ann", "tiny").unlink()


def result_of_another_version(course):
    path = course.result("ann", "tiny")
    path.write_text(path.read_text().replace('"sandbox"', '"walls"'))


def other_limits(course):
    path = course.result("ann", "tiny")
    path.write_text(path.read_text().replace('"cell_seconds"', '"seconds_of_a_cell"'))


# Grading some of it


def test_a_dry_run_says_what_would_be_graded_and_writes_nothing(course, handed_in, released):
    def listing():
        """All files; locking leaves one that is empty."""
        return {p: p.read_bytes() for p in course.root.rglob("*") if p.is_file()}

    before = listing()
    done = run("grade", course.root, "tiny", handed_in, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "2 would be graded, 0 kept. Nothing was written." in done.output
    assert listing() == before
    run("grade", course.root, "tiny", handed_in, "--jobs", 1)
    (handed_in / "bob/tiny.ipynb").write_bytes(as_bytes(released))
    done = run("grade", course.root, "tiny", handed_in, "--dry-run", "--json")
    actions = {one["student"]: one["action"] for one in json.loads(done.output)["students"]}
    assert actions == {"ann": "keep", "bob": "again"}
    assert find(course, "bob", "tiny").points == 6


def test_a_dry_run_shows_by_what_name_a_platform_knows_a_number(course, tmp_path, released):
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.writestr("lovelaceada_4711_90001_x.ipynb", as_bytes(answered(released)))
    done = run("grade", course.root, "tiny", tmp_path / "in.zip", "--dry-run")
    assert re.search(r"4711 +lovelaceada +grade", done.output)


def test_one_student_is_graded_again(graded, handed_in, released):
    before = {path: path.read_bytes() for path in graded.results("tiny").glob("ann.json")}
    (handed_in / "ann/tiny.ipynb").write_bytes(as_bytes(released))
    (handed_in / "bob/tiny.ipynb").write_bytes(as_bytes(released))
    done = run("grade", graded.root, "tiny", handed_in, "--student", "bob", "--jobs", 1)
    assert "1 graded" in done.output
    assert find(graded, "bob", "tiny").points == 0
    assert {path: path.read_bytes() for path in before} == before
    done = run("grade", graded.root, "tiny", "--student", "zoe")
    assert done.exit_code == 1
    assert "no submission of 'zoe'" in done.output
    done = run("grade", graded.root, "tiny", "--student", "bob", "--jobs", 1)
    assert "1 graded" in done.output  # unchanged, and asked for by name


def changed_tests(course):
    """Both exercises' tests ask for more than anybody answered."""
    texts = [
        (kind, name, text.replace("== 6", "== 7").replace("- 3)", "- 4)"), roles)
        for kind, name, text, roles in tiny_assignment.TEXTS
    ]
    shutil.rmtree(course.root / "source/tiny")
    tiny_assignment.write_source(course.root, texts=texts)
    release.release(course, "tiny")


@pytest.mark.parametrize("called", ["2", "mean", "mean_of_three"])
def test_one_exercise_is_graded_again_and_all_other_points_stay(graded, called):
    by_hand(graded, "ann", 4)
    changed_tests(graded)
    done = run("grade", graded.root, "tiny", "--exercise", called, "--jobs", 1)
    assert done.exit_code == 0, done.output
    points = {cell.name: cell.points for cell in find(graded, "ann", "tiny").cells}
    assert points == {"double_small": 1, "double_negative": 2, "mean_of_three": 0, "why": None}
    with Gradebook(graded.database) as book:
        assert book.find_submission("tiny", "ann").score == 3 + 4
    assert "2 were graded under an earlier release" in run("status", graded.root, "tiny").output
    assert "2 graded" in run("grade", graded.root, "tiny", "--jobs", 1).output
    assert find(graded, "ann", "tiny").points == 2
    run("grade", graded.root, "tiny", "--exercise", called, "--jobs", 1)
    assert "0 graded" in run("grade", graded.root, "tiny").output


def test_what_the_gradebook_has_lost_is_graded_again(graded, handed_in, released):
    copy = graded.root / "copy.db"
    shutil.copy(graded.root / "gradebook.db", copy)
    shutil.copytree(handed_in / "bob", handed_in / "cyd")
    run("grade", graded.root, "tiny", handed_in, "--jobs", 1)
    shutil.copy(copy, graded.root / "gradebook.db")
    done = run("grade", graded.root, "tiny", "--dry-run", "--json")
    actions = {one["student"]: one["action"] for one in json.loads(done.output)["students"]}
    assert actions == {"ann": "keep", "bob": "keep", "cyd": "again"}
    assert "1 graded" in run("grade", graded.root, "tiny", "--jobs", 1).output
    done = run("export", graded.root, "tiny", "--format", "csv", "--output", graded.root / "x.csv")
    assert done.exit_code == 0, done.output
    assert "cyd" in (graded.root / "x.csv").read_text()
    (graded.root / "gradebook.db").unlink()
    release.release(graded, "tiny")
    assert "3 graded" in run("grade", graded.root, "tiny", "--jobs", 1).output


@pytest.mark.parametrize("options", [("--again",), ("--dry-run",)])
def test_nobody_is_graded_without_a_gradebook(graded, options):
    (graded.root / "gradebook.db").unlink()
    kept = {path: path.read_bytes() for path in graded.private.rglob("*.json")}
    done = run("grade", graded.root, "tiny", "--jobs", 1, *options)
    assert done.exit_code == 1
    assert "the gradebook doesn't know 'tiny'" in " ".join(done.output.split())
    assert not (graded.root / "gradebook.db").exists()
    assert {path: path.read_bytes() for path in graded.private.rglob("*.json")} == kept


def test_a_verdict_whose_secret_is_gone_is_not_repeated_under_another(graded):
    secret = graded.private / "secret"
    secret.unlink()
    done = run("explain", graded.root, "tiny", "ann")
    assert done.exit_code == 1
    assert f"autograder grade {graded.root} tiny --again" in done.output.replace("\n", " ")
    assert not secret.exists()


def test_other_work_does_not_keep_the_points_of_the_work_before(graded, handed_in, released):
    (handed_in / "bob/tiny.ipynb").write_bytes(as_bytes(released))
    done = run("grade", graded.root, "tiny", handed_in, "--exercise", "2", "--jobs", 1)
    assert find(graded, "bob", "tiny").points == 0
    whole = [line for line in done.output.splitlines() if "All exercises were graded" in line]
    assert [line[-5:] for line in whole] == [": bob"]


def test_who_has_no_result_that_can_be_read_is_graded_in_whole_and_told(graded):
    before = find(graded, "ann", "tiny")
    graded.result("ann", "tiny").write_text("of another version")
    done = run("grade", graded.root, "tiny", "--exercise", "2", "--jobs", 1)
    assert done.output.rstrip().endswith(": ann")
    assert find(graded, "ann", "tiny").points == before.points
    assert "were graded, since" not in run("grade", graded.root, "tiny", "--exercise", "2").output


def test_what_counts_beside_the_tests_is_explained(zero_when_late, tmp_path, released):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    by_hand(course, "ann", 4)
    run("grade", course.root, "tiny", "--again", "--jobs", 1)
    done = run("explain", course.root, "tiny", "ann")
    assert "6 of 10 points by tests" in done.output
    assert "0 points, after a late penalty of 10; by hand: why" in done.output
    found = json.loads(run("explain", course.root, "tiny", "ann", "--json").stdout)
    assert found["gradebook"] == {"points": 0, "penalty": 10, "by_hand": ["why"]}
    assert found["released_again"] is False
    (course.root / "gradebook.db").unlink()
    assert "has no points for this submission" in run("explain", course.root, "tiny", "ann").output
    assert not (course.root / "gradebook.db").exists()  # nothing is written


def test_a_verdict_of_an_earlier_release_is_told_from_one_that_came_out_otherwise(graded):
    assert "released again" not in run("explain", graded.root, "tiny", "ann").output
    path = graded.source("tiny")
    path.write_text(path.read_text().replace("double(3) == 6", "double(4) == 8"))
    release.release(graded, "tiny")
    done = run("explain", graded.root, "tiny", "ann")
    assert "was released again after this grading; its tests may differ" in done.output


@pytest.mark.parametrize(
    ("name", "spoil", "message"),
    [
        ("tiny", no_work, "tiny.ipynb is gone; put the graded file back"),
        ("tiny", other_work, "has changed since it was graded (its SHA-256 differs)"),
        (
            "tiny",
            result_of_another_version,
            "ann.json can't be read: it is damaged, or of a version",
        ),
        ("tiny", other_limits, "'ann' was graded by a version that had other limits"),
        ("tinny", lambda _: None, "'tinny' has not been released in"),
    ],
)
def test_why_a_verdict_can_not_be_repeated_is_told(graded, name, spoil, message):
    spoil(graded)
    done = run("explain", graded.root, name, "ann")
    assert (done.exit_code, message in done.output) == (1, True), done.output
    assert len(done.output.splitlines()) == 1


def test_what_an_older_nbgrader_made_is_an_error_that_says_what_to_do(graded, tmp_path):
    """Its tables lack columns, and each command notices that at another place."""
    with contextlib.closing(sqlite3.connect(graded.root / "gradebook.db")) as book:
        book.execute("alter table student drop column lms_user_id")
        book.commit()
    (tmp_path / "class.csv").write_text("student_id,lms_user_id\nann,1\nbob,2\n")
    for command in (
        ("status", graded.root, "tiny"),
        ("export", graded.root, "tiny", "--format", "csv"),
        ("grade", graded.root, "tiny", "--jobs", 1, "--roster", tmp_path / "class.csv"),
        ("remove", graded.root, "bob", "--yes"),
    ):
        done = run(*command)
        assert done.exit_code == 1, (command, done.output)
        assert "an older nbgrader made it: cd " in done.output, (command, done.output)
        assert "nbgrader db upgrade" in done.output


def test_an_exercise_that_is_not_there_is_named_with_those_that_are(graded):
    done = run("grade", graded.root, "tiny", "--exercise", "7", "--jobs", 1)
    assert done.exit_code == 1
    assert "no exercise '7'; it has: 1 (double), 2 (mean), 3 (why)" in done.output


def test_points_for_a_program(course, handed_in):
    done = run("grade", course.root, "tiny", handed_in, "--json", "--jobs", 1)
    found = json.loads(done.stdout)
    assert found["max_points"] == 10
    assert [one["points"] for one in found["students"]] == [6, 6]
    assert found["students"][0]["exercises"] == {"double": 3, "mean": 3, "why": None}
    found = json.loads(run("explain", course.root, "tiny", "ann", "--json").stdout)
    assert found["same"] is True


def test_another_command_at_work_is_an_error_of_one_line(course, graded, handed_in, monkeypatch):
    def contents():
        files = (path for path in course.root.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in files if path != course.lock}

    before = contents()
    monkeypatch.setattr(lock, "_take", lambda handle: False)
    for command, *further in (
        ("grade", "tiny", handed_in),
        ("release", "tiny"),
        ("vary", "tiny"),
        ("extend", "tiny", "ann", "--withdraw"),
        ("remove", "ann", "--yes"),
        ("feedback", "tiny"),
        ("report", "tiny"),
        ("export", "tiny", "--format", "csv"),
    ):
        done = run(command, course.root, *further)
        assert done.exit_code == 1, command
        assert "is at work on" in done.output, command
        assert contents() == before, command


@pytest.mark.parametrize("command", ["release", "grade"])
def test_a_foreign_configuration_stops_the_command_until_it_is_adopted(course, handed_in, command):
    course.config_file.write_text("c = get_config()\nc.CourseDirectory.course_id = 'mine'\n")
    arguments = (command, course.root, "tiny", *([handed_in] if command == "grade" else []))
    done = run(*arguments)
    assert done.exit_code == 1
    assert "c.GenerateFeedback.preprocessors = [" in done.output
    assert find_all(course, "tiny") == []
    done = run(*arguments, "--adopt")
    assert done.exit_code == 0, done.output
    assert "'mine'" in course.config_file.read_text()
    assert run(*arguments).exit_code == 0


def test_arguments_that_were_swapped_make_nothing(course, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments in (("release", "tiny", "course"), ("grade", "tiny", "course", tmp_path)):
        done = run(*arguments)
        assert done.exit_code == 1
        assert "Were they swapped?" in done.output
    assert not (tmp_path / "tiny").exists()


# A large class


def test_a_large_class_prints_what_needs_a_look_and_says_what_it_left_out(
    course, tmp_path, released, monkeypatch
):
    monkeypatch.setattr("autograder.terminal.ROWS", 3)
    monkeypatch.setattr("autograder.listing.ROWS", 3)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(6):
        (folder / f"s{number}.ipynb").write_bytes(as_bytes(answered(released)) if number else b"{")
    done = run("grade", course.root, "tiny", folder, "--dry-run")
    assert "6 would be graded" in done.output
    done = run("grade", course.root, "tiny", folder, "--jobs", 1)
    assert done.exit_code == session.LOOK
    assert "5 of 6 need no look and are not shown" in done.output
    assert "s0" in done.output
    assert "s3" not in done.output
    for number in range(1, 5):
        by_hand(course, f"s{number}", 4)
    run("feedback", course.root, "tiny")
    done = run("status", course.root, "tiny")
    assert "4 others need nothing and are not shown" in done.output
    assert "s5" in done.output
    assert "s3" not in done.output
    assert "s3" in run("status", course.root, "tiny", "--all").output


# Status


def test_status_says_who_waits_for_what(graded, released):
    people.save_list(graded, (Person("ann", "Ann", "Archer"), Person("zoe", "Zoe", "Zed")))
    by_hand(graded, "ann", 4)
    run("feedback", graded.root, "tiny")
    graded.submitted("cyd", "tiny").parent.mkdir(parents=True)
    graded.submitted("cyd", "tiny").write_bytes(as_bytes(answered(released)))
    found = {one["student"]: one for one in json.loads(
        run("status", graded.root, "tiny", "--json").stdout
    )}  # fmt: skip
    waits = {student: one["waits_for"] for student, one in found.items()}
    assert waits == {"ann": "nothing", "bob": "a human", "cyd": "grading", "zoe": "hand-in"}
    assert found["ann"]["points"] == 10
    assert found["ann"]["name"] == "Ann Archer"
    text = run("status", graded.root, "tiny").output
    assert "3 of 4 handed in. Waiting: 1 for hand-in, 1 for grading, 1 for a human." in text
    (summary,) = json.loads(run("status", graded.root, "--json").stdout)
    assert (summary["students"], summary["handed_in"]) == (4, 3)
    assert "tiny" in run("status", graded.root).output


def test_status_knows_that_a_page_is_older_than_the_points_given_by_hand(graded):
    def waits():
        (ann, _) = json.loads(run("status", graded.root, "tiny", "--json").stdout)
        return ann["waits_for"]

    run("feedback", graded.root, "tiny")
    assert waits() == "a human"
    by_hand(graded, "ann", 4)
    assert waits() == "feedback"
    run("feedback", graded.root, "tiny")
    assert waits() == "nothing"
    by_hand(graded, "ann", 3)
    assert waits() == "feedback"


def test_new_words_behind_points_given_by_hand_wait_for_a_human(graded, released):
    by_hand(graded, "ann", 4)
    other = as_bytes(answered(released, {**tiny_assignment.SOLUTIONS, "why": "Other words."}))
    graded.submitted("ann", "tiny").write_bytes(other)
    assert run("grade", graded.root, "tiny", "--allow-weak-sandbox").exit_code in (0, 3)
    (ann, _) = json.loads(run("status", graded.root, "tiny", "--json").stdout)
    assert (ann["waits_for"], ann["points"]) == ("a human", 10)
    assert (
        "1 has a new answer behind points"
        in run("export", graded.root, "tiny", "--format", "csv").output
    )


def test_points_that_were_lowered_below_those_given_by_hand_are_told(graded):
    def outputs():
        export = run("export", graded.root, "tiny", "--format", "csv")
        others = [run(c, graded.root, "tiny") for c in ("status", "feedback", "report", "grade")]
        return [done.output for done in (export, *others)]

    by_hand(graded, "ann", 4)
    by_hand(graded, "bob", 3)
    path = graded.source("tiny")
    path.write_text(path.read_text().replace('"points": 4', '"points": 3'))
    release.release(graded, "tiny")
    early, (*late, graded_now) = outputs(), outputs()
    told = "2 were graded under an earlier release of tiny; run: autograder grade"
    assert [told in " ".join(text.split()) for text in early] == [True] * 4 + [False]
    above = "1 has more points by hand than why can give now; look again in formgrader: ann"
    assert all(above in " ".join(text.split()) for text in (*early, *late, graded_now))
    assert not any("earlier release" in text for text in late)
    assert "Failed: why" not in early[-1]
    found = json.loads(run("status", graded.root, "tiny", "--json").stdout)
    assert [one["waits_for"] for one in found] == ["a human", "nothing"]


def test_work_that_came_after_grading_is_told_before_points_leave(graded, released):
    """As with `nbgrader collect --update` on a hub, which puts newer work there."""
    graded.submitted("ann", "tiny").write_bytes(as_bytes(released))
    told = "1 handed in files that differ from those graded; run: autograder grade"
    for command in (("export", "--format", "csv"), ("feedback",), ("report",)):
        name, *options = command
        done = run(name, graded.root, "tiny", *options)
        assert told in " ".join(done.output.split())
    assert "other work" not in run("grade", graded.root, "tiny", "--jobs", 1).output


def test_a_course_whose_path_has_braces_is_told_of_too(course, tmp_path, released):
    there = Course.at(tmp_path / "{2026}")
    shutil.copytree(course.root, there.root)
    submitted = there.submitted("ann", "tiny")
    submitted.parent.mkdir(parents=True)
    submitted.write_bytes(as_bytes(answered(released)))
    run("grade", there.root, "tiny", "--jobs", 1)
    submitted.write_bytes(as_bytes(released))
    done = run("report", there.root, "tiny")
    assert done.exit_code == 0, done.output
    assert f"grade '{there.root}' tiny: ann" in " ".join(done.output.split())


def test_status_knows_what_was_graded_under_an_earlier_release(graded):
    path = graded.source("tiny")
    path.write_text(path.read_text().replace("double(3) == 6", "double(4) == 8"))
    release.release(graded, "tiny")
    found = json.loads(run("status", graded.root, "tiny", "--json").stdout)
    assert [one["waits_for"] for one in found] == ["grading", "grading"]
    findings = {(f.about, f.state, f.text) for f in course_doctor.look_over(graded, STRONG)}
    assert ("work", "look", "2 of tiny were graded under an earlier release") in findings


def test_status_of_a_set_that_was_changed_or_was_never_there(graded):
    with graded.source("tiny").open("a") as file:
        file.write("\n")
    assert "2 of 2 handed in" in run("status", graded.root, "tiny").output
    done = run("status", graded.root, "tinny")
    assert done.exit_code == 1
    assert "'tinny' was not released in" in done.output
    assert "released there: tiny" in done.output


def test_status_knows_what_changed_since_it_was_graded(graded, released):
    graded.submitted("bob", "tiny").write_bytes(as_bytes(released))
    found = json.loads(run("status", graded.root, "tiny", "--json").stdout)
    assert [one["waits_for"] for one in found] == ["a human", "grading"]


@pytest.mark.parametrize("typed", ["Ann Archer", "ANN", "a@x.org", "archer, ann"])
def test_who_is_meant_by_another_name_is_said(graded, typed):
    class_list = (Person("ann", "Ann", "Archer", "a@x.org"), Person("zoe", "Zoe", "Zed"))
    people.save_list(graded, class_list)
    for command in (
        ("remove", graded.root, typed),
        ("explain", graded.root, "tiny", typed),
        ("extend", graded.root, "tiny", typed, "--withdraw"),
        ("grade", graded.root, "tiny", "--student", typed),
    ):
        done = run(*command)
        assert done.exit_code == 1
        assert "'ann' is Ann Archer" in " ".join(done.output.split())


def test_a_set_of_almost_that_name_is_named(graded):
    for command in (("grade",), ("report",), ("export", "--format", "csv")):
        name, *options = command
        done = run(name, graded.root, "Tiny", *options)
        assert done.exit_code == 1
        said = " ".join(done.output.split())
        assert "it has: tiny; is 'tiny' meant?" in said
        assert "run:" not in said


def test_what_is_printed_to_be_copied_survives_a_shell(graded, tmp_path):
    course = Course.at(graded.root.rename(tmp_path / "c 20; ls"))
    course.source("tiny").write_text(course.source("tiny").read_text() + "\n")
    said = run("report", course.root, "tiny").output.partition("run: ")[2]
    assert shlex.split(said) == ["autograder", "release", str(course.root), "tiny"]
    assert str(course.root) in " ".join(shlex.split(
        run("extend", course.root, "tiny", "ann", "--until", "2026-11-03").output.partition(
            "first: "
        )[2]
    ))  # fmt: skip


# More time


@pytest.fixture
def zero_when_late(course):
    due(course)
    text = course.config_file.read_text()
    course.config_file.write_text(text + "c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    return course


def hand_in_late(course, folder, released, student="ann", time="2026-11-02 12:00:00 UTC"):
    path = folder / student / "tiny"
    path.mkdir(parents=True)
    (path / "tiny.ipynb").write_bytes(as_bytes(answered(released)))
    (path / "timestamp.txt").write_text(time)
    return run("grade", course.root, "tiny", folder, "--jobs", 1)


def penalty(course, student):
    with Gradebook(course.database) as book:
        submission = book.find_submission("tiny", student)
        return submission.late_submission_penalty, submission.extension


def test_more_time_takes_a_penalty_back_and_nbgrader_sees_it(zero_when_late, tmp_path, released):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    assert penalty(course, "ann") == (6, None)
    done = run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    assert done.output == "ann may hand in tiny until 2026-11-03 12:00:00 UTC; late penalty now 0\n"
    assert penalty(course, "ann") == (0, datetime.timedelta(days=2))
    run("grade", course.root, "tiny", "--again", "--jobs", 1)
    assert penalty(course, "ann") == (0, datetime.timedelta(days=2))
    done = run("extend", course.root, "tiny", "ann", "--withdraw")
    assert done.output == (
        "the extension of ann until 2026-11-03 12:00:00 UTC was taken back; tiny is due at "
        "2026-11-01 12:00:00 UTC; late penalty now 6\n"
    )
    assert penalty(course, "ann") == (6, None)


def test_what_is_lost_for_being_late_stands_beside_the_points(
    zero_when_late, tmp_path, released, monkeypatch
):
    course = zero_when_late
    (tmp_path / "in/bob").mkdir(parents=True)
    (tmp_path / "in/bob/tiny.ipynb").write_bytes(as_bytes(answered(released)))
    done = hand_in_late(course, tmp_path / "in", released)
    assert re.search(r"student +points +late +1 ", done.output)
    assert re.search(r"ann +6 +-6 +3 ", done.output)
    assert re.search(r"bob +6 +3 ", done.output)
    late = "1 submission loses points for being late, not subtracted in the table."
    assert late in done.output
    found = json.loads(run("grade", course.root, "tiny", "--json", "--jobs", 1).stdout)
    assert [(one["points"], one["late_penalty"]) for one in found["students"]] == [(6, 6), (6, 0)]
    run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    assert "late" not in run("grade", course.root, "tiny", "--jobs", 1).output
    run("extend", course.root, "tiny", "ann", "--withdraw")
    monkeypatch.setattr("autograder.terminal.ROWS", 1)
    done = run("grade", course.root, "tiny", "--jobs", 1)
    assert "1 submission loses points for being late" in done.output  # her line is not shown


def test_who_is_late_and_loses_nothing_is_not_said_to_lose(zero_when_late, tmp_path, released):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    with Gradebook(course.database) as book:  # as of a rule that takes nothing
        book.find_submission("tiny", "ann").notebooks[0].late_submission_penalty = 0.0
        book.db.commit()
    assert late_penalties(course, "tiny") == {}
    assert not re.search(r"\blate\b", run("grade", course.root, "tiny", "--jobs", 1).output)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("c.LateSubmissionPlugin.penalty_method = 'half'", "not the str 'half'"),
        ("c.AssignLatePenalties.plugin_class = 'no.such.Rule'", "could not be imported"),
        ("c.AssignLatePenalties.plugin_class = rule(lambda: 1 / 0)", "ZeroDivisionError"),
        ("c.AssignLatePenalties.plugin_class = rule(lambda: 'all')", "'all'"),
        ("c.AssignLatePenalties.plugin_class = rule(lambda: float('nan'))", "is no number"),
    ],
)
def test_a_rule_for_late_work_that_fails_is_one_line(course, tmp_path, released, rule, reason):
    due(course)
    hand_in_late(course, tmp_path / "in", released)
    with course.config_file.open("a") as file:
        file.write(
            "from nbgrader.plugins import BasePlugin\n"
            "def rule(penalty):\n"
            "    late = {'late_submission_penalty': lambda *_: penalty()}\n"
            "    return type('Rule', (BasePlugin,), late)\n" + rule + "\n"
        )
    for words in (("grade",), ("extend", "ann", "--until", "2026-11-01 18:00 UTC")):
        done = run(words[0], course.root, "tiny", *words[1:])
        assert done.exit_code == 1
        (line,) = [line for line in done.output.splitlines() if line.startswith("error: ")]
        assert "the rule for late work, of " in line
        assert "fails for 'ann', who has 6 points" in line
        assert reason in done.output
        assert "Traceback" not in done.output
    assert extensions.read_ends(course, "tiny") == {}


def test_other_work_without_a_time_has_not_that_of_the_work_before(
    zero_when_late, tmp_path, released
):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    (tmp_path / "in/ann/tiny/timestamp.txt").unlink()
    run("grade", course.root, "tiny", tmp_path / "in", "--again", "--jobs", 1)
    assert penalty(course, "ann") == (6, None)  # it is the same work
    other = answered(released, SOLUTIONS | {"mean": "import statistics\nmean = statistics.mean"})
    (tmp_path / "in/ann/tiny/tiny.ipynb").write_bytes(as_bytes(other))
    run("grade", course.root, "tiny", tmp_path / "in", "--jobs", 1)
    assert find(course, "ann", "tiny").points == 6  # which being late would cost
    assert penalty(course, "ann") == (0, None)
    for folder in (course.submitted("ann", "tiny"), course.autograded("ann", "tiny")):
        assert not folder.with_name("timestamp.txt").exists()


def test_more_time_may_be_given_before_anything_is_handed_in(zero_when_late, tmp_path, released):
    course = zero_when_late
    people.save_list(course, (Person("ann"),))
    done = run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    assert done.output == "ann may hand in tiny until 2026-11-03 12:00:00 UTC\n"
    hand_in_late(course, tmp_path / "in", released)
    assert penalty(course, "ann") == (0, datetime.timedelta(days=2))
    (one,) = json.loads(run("status", course.root, "tiny", "--json").stdout)
    assert one["extension"] == "2026-11-03 12:00:00 UTC"
    assert not one["late"]
    hand_in_late(course, tmp_path / "again", released, time="2026-11-03 12:00:01 UTC")
    assert penalty(course, "ann")[0] == 6


def test_nbgraders_own_autograde_counts_from_what_was_granted_before(zero_when_late, released):
    course = zero_when_late
    with course.config_file.open("a") as file:
        file.write("c.TwoRooms.allow_weak_sandbox = True\n")
    people.save_list(course, (Person("ann"), Person("bob")))
    run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    for student in ("ann", "bob"):
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released)))
        path.with_name("timestamp.txt").write_text("2026-11-02 12:00:00 UTC")
    command = [sys.executable, "-m", "nbgrader", "autograde", "tiny"]
    subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    assert penalty(course, "ann") == (0, datetime.timedelta(days=2))
    assert penalty(course, "bob") == (6, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody", "--until", "2026-11-03"), "no student 'nobody'"),
        (("ann", "--until", "soon"), "'soon' can't be read as a time"),
        (("ann", "--until", "03/04/2026"), "'03/04/2026' can't be read as a time"),
        (("ann", "--until", "2026-11-03 12:00 UTC"), "has no due date"),
    ],
)
def test_more_time_that_can_not_be_given(graded, arguments, message):
    done = run("extend", graded.root, "tiny", *arguments)
    assert done.exit_code == 1
    assert message in done.output
    assert extensions.read_ends(graded, "tiny") == {}


@pytest.mark.parametrize("until", ["2026-10-30 12:00 UTC", "2026-11-01 12:00 UTC"])
def test_more_time_is_more_than_everybody_has(zero_when_late, tmp_path, released, until):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    done = run("extend", course.root, "tiny", "ann", "--until", until)
    assert (done.exit_code, extensions.read_ends(course, "tiny")) == (1, {})
    assert "'tiny' is due at 2026-11-01 12:00:00 UTC" in done.output


def test_time_that_gives_no_more_than_all_have_is_told_so(zero_when_late):
    course = zero_when_late
    people.save_list(course, (Person("ann"),))

    def extension():
        (ann,) = json.loads(run("status", course.root, "tiny", "--json").stdout)
        return ann["extension"]

    withdraw = ("extend", course.root, "tiny", "ann", "--withdraw")
    all_are_due = "tiny is due at 2026-11-01 12:00:00 UTC\n"
    assert run(*withdraw).output == f"ann had no extension to take back; {all_are_due}"
    run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    assert extension() == "2026-11-03 12:00:00 UTC"
    for day in (3, 5):
        due(course, f"2026-11-0{day} 12:00:00 UTC")
        assert extension() == ""
    assert run(*withdraw).output == (
        "the extension of ann until 2026-11-03 12:00:00 UTC, which gave no more time, was taken "
        "back; tiny is "
        "due at 2026-11-05 12:00:00 UTC\n"
    )
    assert extensions.read_ends(course, "tiny") == {}


def test_an_extension_can_be_taken_back_where_nothing_is_due_any_more(
    zero_when_late, tmp_path, released
):
    course = zero_when_late
    hand_in_late(course, tmp_path / "in", released)
    run("extend", course.root, "tiny", "ann", "--until", "2026-11-03 12:00 UTC")
    due(course, None)
    done = run("extend", course.root, "tiny", "ann", "--withdraw")
    assert (done.exit_code, "tiny has no due date; late penalty now 0" in done.output) == (0, True)
    assert penalty(course, "ann") == (0, None)


@pytest.mark.parametrize("options", [(), ("--until", "2026-11-03", "--withdraw")])
def test_more_time_is_given_or_taken_back(graded, options):
    assert run("extend", graded.root, "tiny", "ann", *options).exit_code == 2


# Taking a student out


def mentions(root, name):
    return [path for path in root.rglob("*") if path.is_file() and name in path.read_bytes()]


def test_a_student_is_taken_out_everywhere(graded, handed_in):
    shutil.copytree(handed_in / "bob", handed_in / "wiltrud")
    (handed_in / "wiltrud" / "x.ipynb").write_text("{}")
    (handed_in / "wiltrud .ipynb").write_text("{}")  # which is refused, and told
    run("grade", graded.root, "tiny", handed_in, "--feedback", "--jobs", 1)
    people.save_list(graded, (Person("wiltrud", "Wiltrud", "W"), Person("bob")))
    due(graded)
    run("extend", graded.root, "tiny", "wiltrud", "--until", "2026-12-01")
    with Gradebook(graded.database) as book:  # enough to leave empty pages in the file
        book.find_comment("why", "tiny", "tiny", "wiltrud").manual_comment = "x" * 100_000
        book.db.commit()
    run("report", graded.root, "tiny")
    for system in ("csv", "gradescope"):
        run("export", graded.root, "tiny", "--format", system)
        final = graded.root / "export" / f"final-{system}"
        run("export", graded.root, "tiny", "--format", system, "--output", final)
    groups.save(graded, "tiny", {"wiltrud": "red", "bob": "red"})
    assert len(mentions(graded.root, b"wiltrud")) > 8
    done = run("remove", graded.root, "wiltrud", input="n\n")
    assert done.exit_code == 1
    assert find(graded, "wiltrud", "tiny")
    done = run("remove", graded.root, "wiltrud", input="y\n")
    assert done.exit_code == 0, done.output
    assert mentions(graded.root, b"wiltrud") == []
    assert mentions(graded.root, b"Wiltrud") == []
    with contextlib.closing(sqlite3.connect(graded.root / "gradebook.db")) as book:
        assert book.execute("pragma freelist_count").fetchone() == (0,)
    assert [result.student for result in find_all(graded, "tiny")] == ["ann", "bob"]
    assert b"bob" in graded.report("tiny").read_bytes()
    assert people.load_list(graded) == (Person("bob"),)
    assert groups.find(graded, "tiny") == {"bob": "red"}
    assert run("remove", graded.root, "wiltrud", "--yes").exit_code == 1


def test_the_last_student_takes_the_report_along(graded):
    run("report", graded.root, "tiny")
    groups.save(graded, "tiny", {"ann": "red", "bob": "red"})
    for student in ("ann", "bob"):
        assert run("remove", graded.root, student, "--yes").exit_code == 0
    assert not graded.report("tiny").exists()
    assert not graded.groups("tiny").exists()


def test_the_reports_of_sets_whose_names_begin_alike_stay(graded):
    for name in ("tiny-2", "tiny"):
        graded.report(name).parent.mkdir(exist_ok=True)
        graded.report(name).write_text("ann")
    shutil.copytree(graded.root / "source/tiny", graded.root / "source/tiny-2")
    (graded.root / "source/tiny-2/tiny.ipynb").rename(graded.source("tiny-2"))
    release.release(graded, "tiny-2")
    shutil.copytree(graded.root / "submitted/bob/tiny", graded.root / "submitted/bob/tiny-2")
    (graded.root / "submitted/bob/tiny-2/tiny.ipynb").rename(graded.submitted("bob", "tiny-2"))
    run("grade", graded.root, "tiny-2", "--jobs", 1)
    for student in ("ann", "bob"):
        assert run("remove", graded.root, student, "--yes").exit_code == 0
        assert graded.report("tiny-2").exists() == (student == "ann")
        assert graded.report("tiny").exists() == (student == "ann")


def test_nothing_stays_in_a_report_that_cannot_be_written_anew(graded):
    run("report", graded.root, "tiny")
    source = graded.source("tiny")
    source.write_text(source.read_text().replace("numpy", "numpy "))
    done = run("remove", graded.root, "bob", "--yes")
    assert done.exit_code == 0
    assert "the report of tiny was removed and could not be written again" in done.output
    assert "has changed since it was released" in done.output
    assert mentions(graded.root / "report", b"bob") == []


def test_what_was_refused_of_others_stays(graded, handed_in):
    for name in ("bobby>.ipynb", "jim-bob>.ipynb", "bob>.ipynb"):
        (handed_in / name).write_text("{}")
    run("grade", graded.root, "tiny", handed_in, "--jobs", 1)
    (path,) = (graded.private / "refused").glob("*.json")
    assert len(json.loads(path.read_text())) == 3
    run("remove", graded.root, "bob", "--yes")
    first, second = sorted(json.loads(path.read_text()))
    assert "bobby" in first
    assert "jim-bob" in second


@pytest.mark.parametrize("student", ["nobody", "..", "../source", "", "."])
def test_nobody_else_is_taken_out(graded, student):
    done = run("remove", graded.root, student, "--yes")
    assert done.exit_code == 1
    assert "there is no student" in done.output
    assert graded.source("tiny").exists()


@pytest.mark.parametrize("kept", ["extensions", "groups", "refused", "collected"])
def test_nobody_is_taken_out_by_half_where_something_can_not_be_looked_through(graded, kept):
    run("report", graded.root, "tiny")
    (graded.private / kept).mkdir(exist_ok=True)
    (graded.private / kept / "tiny.json").write_text('{"bob": [')

    def there():
        return {path for path in graded.root.rglob("*") if b"bob" in bytes(path)}

    before = there()
    done = run("remove", graded.root, "bob", "--yes")
    assert done.exit_code == 1
    assert f"{kept}/tiny.json is damaged" in done.output
    assert len(done.output.splitlines()) == 1
    assert there() == before
    assert graded.report("tiny").exists()
    assert find(graded, "bob", "tiny").points == 6


def test_what_is_damaged_is_given_again_as_the_message_says(graded, tmp_path):
    due(graded)
    (tmp_path / "class.csv").write_text("id,name\nann,Ann A\nbob,Bob B\n")
    more = ("extend", graded.root, "tiny", "ann", "--until", "2026-12-01")
    listed = ("grade", graded.root, "tiny", "--roster", tmp_path / "class.csv", "--jobs", 1)
    extensions_file = graded.extensions / "tiny.json"
    for command, path in ((listed, graded.people), (more, extensions_file)):
        assert run(*command).exit_code == 0
        path.write_text("{")
        done = run(*command)
        assert done.exit_code == 1
        assert "move it out of the way" in done.output
        path.rename(path.with_suffix(".damaged"))
        assert run(*command).exit_code == 0
    assert len(people.load_list(graded)) == 2
    assert len(extensions.read_ends(graded, "tiny")) == 1


# Doctor


def states(course):
    done = run("doctor", course.root, "--json")
    found = json.loads(done.stdout)
    return done.exit_code, {(one["about"], one["state"]) for one in found}, found


@pytest.fixture
def private(graded):
    graded.root.chmod(0o700)
    return graded


def test_a_course_in_order_is_well(private):
    code, found, _ = states(private)
    assert {state for _, state in found} == {"well"}, found
    assert code == 0
    done = run("doctor", private.root)
    assert "LOOK" not in done.output
    assert "the sandbox is complete" in done.output


def foreign(course):
    course.config_file.write_text("c = get_config()\n")


def renamed(course):
    with course.config_file.open("a") as file:
        file.write("c.CourseDirectory.source_directory = 'assignments'\n")


def broken(course):
    course.config_file.write_text("c = get_config(\n")


def no_gradebook(course):
    (course.root / "gradebook.db").write_bytes(b"this is no database, but long enough")


def old_tables(course):
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as book:
        book.execute("update alembic_version set version_num = 'older'")
        book.execute("alter table student drop column lms_user_id")
        book.commit()


def forgotten_set(course):
    with Gradebook(course.database) as book:
        book.remove_assignment("tiny")


def open_secret(course):
    (course.private / "secret").chmod(0o644)


def short_secret(course):
    (course.private / "secret").write_bytes(b"x")


def no_exchange(course):
    with course.config_file.open("a") as file:
        file.write(f"c.Exchange.root = '{course.root}/exchange'\n")


def closed_exchange(course):
    no_exchange(course)
    (course.root / "exchange").mkdir(mode=0o755)


def open_folder(course):
    course.root.chmod(0o755)


def changed_source(course):
    with course.source("tiny").open("a") as file:
        file.write("\n")


def other_versions(course):
    text = course.released("tiny").read_text()
    there = json.loads(text)["metadata"]["graded_with"]["numpy"]
    course.released("tiny").write_text(text.replace(f'"numpy": "{there}"', '"numpy": "1.0"'))


def ungraded(course):
    course.result("ann", "tiny").unlink()


def half_written(course):
    import os

    path = course.root / "feedback" / ".new-abc"
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    os.utime(path, (0, 0))


def interrupted(course):
    import os

    handle = os.open(course.lock, os.O_RDWR | os.O_CREAT)
    lock._write(handle, json.dumps(vars(lock.Holder("grade tiny", "ada", "host", 1, 0.0))))
    os.close(handle)


def ghost(course):
    shutil.copytree(course.root / "submitted" / "ann", course.root / "submitted" / "tiny")


def lost_gradebook(course):
    (course.root / "gradebook.db").unlink()


def torn_gradebook(course):
    with (course.root / "gradebook.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"x" * 25)


def no_zone(course):
    with course.config_file.open("a") as file:
        file.write("c.Exchange.timezone = 'Nowhere/At_all'\n")


def no_rule_for_late_work(course):
    with course.config_file.open("a") as file:
        file.write("c.LateSubmissionPlugin.penalty_method = 'half'\n")


def nothing_for_students(course):
    course.released("tiny").unlink()


def no_secret(course):
    course.secret_file.unlink()


def not_autograded(course):
    course.autograded("ann", "tiny").unlink()


OF_CLASS = {
    "people.json": "wrong",
    "groups/tiny.json": "wrong",
    "extensions/tiny.json": "wrong",
    "refused/tiny.json": "wrong",
    "collected/tiny.json": "look",
}


def spoilt_of_class(path):
    def spoilt(course):
        (course.private / path).parent.mkdir(exist_ok=True)
        (course.private / path).write_text("{")

    return spoilt


def damaged_release(course):
    """Which `versions` meets first, as something to look at; it is worse than that."""
    course.master("tiny").write_text("{")


def damaged_formulas(course):
    course.formulas.write_text("{")


def damaged_values(course):
    course.varied("coin").parent.mkdir()
    course.varied("coin").write_text("{")


def lost_values(course):
    shutil.copytree(course.source("tiny").parent, course.template("tiny"))


SPOILT = [
    (damaged_formulas, "formulas", "look"),
    (damaged_values, "varied", "wrong"),
    (lost_values, "varied", "wrong"),
    (damaged_release, "work", "wrong"),
    (foreign, "configuration", "wrong"),
    (renamed, "configuration", "wrong"),
    (broken, "configuration", "wrong"),
    (no_gradebook, "gradebook", "wrong"),
    (old_tables, "gradebook", "wrong"),
    (forgotten_set, "gradebook", "wrong"),
    (open_secret, "secret", "wrong"),
    (short_secret, "secret", "wrong"),
    (no_exchange, "exchange", "wrong"),
    (closed_exchange, "exchange", "wrong"),
    (open_folder, "folder", "look"),
    (changed_source, "versions", "look"),
    (other_versions, "versions", "look"),
    (ungraded, "work", "look"),
    (half_written, "leftovers", "look"),
    (interrupted, "leftovers", "look"),
    (ghost, "students", "look"),
    (lost_gradebook, "gradebook", "wrong"),
    (torn_gradebook, "gradebook", "wrong"),
    (no_zone, "configuration", "wrong"),
    (no_rule_for_late_work, "configuration", "wrong"),
    (nothing_for_students, "folder", "look"),
    (no_secret, "secret", "wrong"),
    (other_work, "work", "look"),
    (no_work, "work", "look"),
    (not_autograded, "work", "look"),
    *((spoilt_of_class(path), "class", state) for path, state in OF_CLASS.items()),
]


@pytest.mark.parametrize("spoil", [damaged_values, lost_values])
def test_what_was_drawn_is_not_well_where_that_of_one_set_is_lost(private, spoil):
    spoil(private)
    _, found, _ = states(private)
    assert {state for about, state in found if about == "varied"} == {"wrong"}


@pytest.mark.parametrize(
    ("spoil", "about", "state"), SPOILT, ids=lambda v: getattr(v, "__name__", "")
)
def test_what_is_spoilt_is_found_and_told_what_to_do_about(private, spoil, about, state):
    spoil(private)
    code, found, all_found = states(private)
    assert (about, state) in found, all_found
    assert code == (1 if any(s == "wrong" for _, s in found) else session.LOOK)
    told = next(one for one in all_found if (one["about"], one["state"]) == (about, state))
    assert told["text"]
    assert "Traceback" not in run("doctor", private.root).output


def test_tables_of_an_older_nbgrader_are_told_from_a_gradebook_that_is_damaged(graded):
    old_tables(graded)
    done = run("doctor", graded.root)
    assert "its tables are of version older" in done.output
    assert "nbgrader db upgrade" in done.output


def gradebook_elsewhere(course):
    with course.config_file.open("a") as file:
        file.write(f"c.CourseDirectory.db_url = 'sqlite:///{course.root}/other.db'\n")


NOT_RUN = [  # what is spoilt, and the checks that can't run then
    (no_gradebook, {"work"}),
    (lost_gradebook, {"work"}),
    (gradebook_elsewhere, {"work"}),
    (forgotten_set, {"work"}),
    (nothing_for_students, {"versions"}),
    (damaged_release, {"versions"}),
    (spoilt_of_class("people.json"), set()),
    (spoilt_of_class("collected/tiny.json"), {"students"}),
]


@pytest.mark.parametrize(("spoil", "topics"), NOT_RUN)
def test_a_check_that_could_not_run_is_never_well(private, spoil, topics):
    _, whole, _ = states(private)
    spoil(private)
    code, found, _ = states(private)
    assert {topic for topic, state in found if state == "not run"} == topics
    worse = {topic for topic, state in found if state != "well"}
    assert not {topic for topic, state in found if state == "well"} & worse
    assert {topic for topic, _ in found} == {topic for topic, _ in whole}  # none is left out
    assert code != 0
    assert not (private.root / "other.db").exists()


def test_a_check_that_fails_itself_is_wrong_and_stops_no_other(private, monkeypatch):
    monkeypatch.setattr(course_doctor, "_disk", lambda course: 1 / 0)
    code, found, all_found = states(private)
    assert (code, ("disk", "wrong") in found, ("varied", "well") in found) == (1, True, True)
    assert any("this check failed: ZeroDivisionError" in one["text"] for one in all_found)


def test_points_that_the_gradebook_lost_are_not_well(private):
    with Gradebook(private.database) as book:
        book.remove_submission("tiny", "ann")
    _, _, found = states(private)
    texts = [one["text"] for one in found if (one["about"], one["state"]) == ("work", "look")]
    assert texts == ["1 of tiny were graded, but have no submission in the gradebook"]
    assert run("grade", private.root, "tiny", "--jobs", 1).exit_code in (0, session.LOOK)
    assert ("work", "well") in states(private)[1]


@pytest.mark.parametrize("part", ["source", "source/tiny", "submitted/ann", ".autograder"])
@pytest.mark.parametrize("command", ["doctor", "status"])
def test_a_folder_inside_of_a_course_is_no_course(private, part, command):
    done = run(command, private.root / part)
    assert done.exit_code == 1
    assert f"a folder of the course {private.root}, and no course itself" in done.output


@pytest.mark.parametrize("kept", ["people", "collected/tiny", "extensions/tiny", "secret"])
def test_what_can_not_be_read_at_all_ends_no_look(private, kept):
    path = private.private / (kept if kept == "secret" else f"{kept}.json")
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)
    code, found, _ = states(private)
    assert code == 1
    assert ("gradebook", "well") in found
    assert ("class", "wrong") in found or ("secret", "wrong") in found


def test_looking_at_a_folder_that_is_no_course_changes_nothing(tmp_path):
    done = run("doctor", tmp_path, "--json")
    found = {(one["about"], one["state"]) for one in json.loads(done.stdout)}
    assert {("folder", "look"), ("configuration", "wrong"), ("gradebook", "not run")} <= found
    assert ("work", "not run") in found
    assert list(tmp_path.iterdir()) == []


def test_one_spoilt_file_is_told_once(private):
    broken(private)
    _, _, found = states(private)
    (told,) = [one for one in found if "nbgrader_config.py" in one["text"]]
    assert (told["about"], told["state"]) == ("configuration", "wrong")
    assert "has changed since it was released" not in str(found)


def test_whose_work_is_gone_keeps_the_points_and_waits_for_no_grading(graded):
    no_work(graded)
    (ann, _) = json.loads(run("status", graded.root, "tiny", "--json").stdout)
    assert (ann["points"], ann["waits_for"]) == (6, "a human")
    done = run("status", graded.root, "tiny")
    note = "note: 1 was graded, but has no files in the folder submitted any more: ann"
    assert note in done.output
    assert "that differ from" not in done.output


def test_a_torn_gradebook_is_one_line_wherever_it_is_read(graded):
    torn_gradebook(graded)
    for words in (("export", "tiny", "--format", "csv"), ("remove", "ann", "--yes")):
        done = run(words[0], graded.root, *words[1:])
        assert done.exit_code == 1
        assert "gradebook.db can't be" in done.output
        assert "Traceback" not in done.output
        assert isinstance(done.exception, SystemExit)


def test_a_weak_sandbox_and_a_full_disk_are_found(private, monkeypatch):
    monkeypatch.setattr(probing, "Probe", probe_of(WEAK))
    monkeypatch.setattr(
        course_doctor.shutil, "disk_usage", lambda path: SimpleNamespace(free=1 << 20)
    )
    _, found, _ = states(private)
    assert {("isolation", "wrong"), ("disk", "wrong")} <= found


def test_a_kernel_that_is_not_there_is_found(private, monkeypatch):
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    spec = SimpleNamespace(argv=["/nowhere/python"], resource_dir="/nowhere")
    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", lambda self, name: spec)
    assert ("kernel", "wrong") in states(private)[1]

    def none(self, name):
        raise NoSuchKernel(name)

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", none)
    assert ("kernel", "wrong") in states(private)[1]


# Completion

OURS = [f"ps{number:02}" for number in range(1, 11)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("grade {course} t", ["tiny"]),
        ("status {course} t", ["tiny"]),
        ("explain {course} tiny a", ["ann"]),
        ("grade {course} tiny --student b", ["bob"]),
        ("remove {course} b", ["bob"]),
        ("vary {course} t", ["tiny"]),
        ("vary {course} ps0", OURS[:9]),
        ("vary {course} --unlike other ca", ["capstone"]),
        ("checks {course} t", ["tiny"]),
        ("checks {course} tiny t", ["tiny"]),
        ("checks {course} ps", []),
        ("checks ps0", OURS[:9]),
        ("checks ps01 ca", ["capstone"]),
        ("checks --stock {course} t", ["tiny"]),
        ("checks {course} --secrets 5 t", ["tiny"]),
    ],
)
def test_the_shell_completes_names(graded, words, expected):
    assert completed(words.format(course=graded.root)) == [f"plain,{name}" for name in expected]


def test_the_shell_completes_a_course_where_no_set_of_ours_begins_so(graded):
    assert completed(f"checks {graded.root}") == [f"dir,{graded.root}"]
    assert completed("checks ps01 none") == []


def completed(words):
    line = f"autograder {words}"
    environment = {
        "_AUTOGRADER_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    done = CliRunner().invoke(cli.main, [], env=environment, prog_name="autograder")
    return done.output.split()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3.11.2026 12:00 UTC", (2026, 11, 3, 12, 0, 0)),
        ("3. 11. 2026 12:00 UTC", (2026, 11, 3, 12, 0, 0)),
        ("2026-11-03 12:00 UTC", (2026, 11, 3, 12, 0, 0)),
        ("2026-11-03 12:00:00.527460 UTC", (2026, 11, 3, 12, 0, 0)),
        ("2026-11-03 00:00 UTC", (2026, 11, 3, 0, 0, 0)),
        ("Nov 3, 2026 10:23 PM +01:00", (2026, 11, 3, 21, 23, 0)),
    ],
)
def test_a_time_is_the_one_that_is_meant(tmp_path, text, meant):
    assert extensions.read_time(text, Course.at(tmp_path)) == datetime.datetime(*meant)


def test_a_day_alone_is_all_of_it(tmp_path):
    last = datetime.datetime(2026, 11, 3, 23, 59, 59).astimezone(datetime.UTC)
    for text in ("3.11.2026", "2026-11-03", "Nov 3, 2026"):
        assert extensions.read_time(text, Course.at(tmp_path)) == last.replace(tzinfo=None)


def test_a_zone_that_is_not_known_is_no_other_one(tmp_path):
    with pytest.raises(CourseError, match="can't be read as a time"):
        extensions.read_time("2026-11-03 12:00 QQT", Course.at(tmp_path))
