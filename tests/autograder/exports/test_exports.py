"""Exports: the gradebook's numbers, in the form that the other system reads, and nothing hidden."""

import csv
import datetime
import io
import json
import os
import re
import stat
from dataclasses import replace

import pytest
from click.testing import CliRunner
from nbgrader import api
from nbgrader.plugins import CsvExportPlugin

from autograder import cli
from autograder.classroom.course.folders import CourseError
from autograder.classroom.gradebook.grades import CellGrade
from autograder.classroom.grading import results
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.cell_roles import FORGEABLE
from autograder.exports import canvas
from autograder.exports.gradescope import results_json
from autograder.exports.standings import Standing, find_standings
from autograder.exports.write_exports import export
from autograder.pages.feedback import write_feedback
from autograder.pages.spreadsheets import escape_formulas
from autograder.wire.contract import Incident, Limits
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import STRONG

ROSTER = """\
Student,ID,SIS User ID,SIS Login ID,Root Account,Section,tiny (7731),Other (8),Final Score
    Points Possible,,,,,,10.00,5.00,(read only)
"Archer, Ann",101,S1,ANN,uni.edu,Tuesday,,3.00,60.00
"Brown, Bob",102,S2,b.brown,uni.edu,"Tuesday, late",,,
"Nobody, Nora",103,S3,nora,uni.edu,Tuesday,4.00,,
"Student, Test",999,,5f3e,uni.edu,Tuesday,,,
"""


@pytest.fixture
def graded(course, tiny, released, one_room):
    """ann is right and read by a human, bob is wrong and late, =cyd's name is a formula."""
    notebooks = {
        "ann": as_bytes(answered(released)),
        "bob": as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"})),
        "=cyd": b"not a notebook",
    }
    for student, data in notebooks.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    handed = collect(course, "tiny", course.root / "submitted").submissions
    grade_class(course, tiny, handed, Graders(Limits(), STRONG, 1))
    with api.Gradebook(course.database) as book:
        book.update_or_create_student("ann", first_name="Ann", last_name="@Archer", email="a@x.org")
        book.update_or_create_student("nora", first_name="Nora")  # handed nothing in
        why = book.find_grade("why", "tiny", "tiny", "ann")
        why.manual_score, why.needs_manual_grade = 3.5, False  # as formgrader has it
        book.find_grade("double_small", "tiny", "tiny", "ann").extra_credit = 0.2
        late = book.find_submission("tiny", "bob")
        late.timestamp = datetime.datetime(2026, 1, 2, 3, 4, 5)
        late.notebooks[0].late_submission_penalty = 1.1
        book.db.commit()
    return course


@pytest.fixture
def run(graded):
    def run(*options):
        arguments = ["export", str(graded.root), "tiny", "--format", *map(str, options)]
        return CliRunner().invoke(cli.main, arguments)

    return run


@pytest.fixture
def roster(tmp_path):
    def roster(text=ROSTER, encoding="utf-8"):
        path = tmp_path / "Grades.csv"
        path.write_text(text, encoding=encoding)
        return path

    return roster


def rows(path):
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def by_login(path):
    header, _, *people = rows(path)
    place = header.index("SIS Login ID")
    return {row[place].casefold(): row for row in people}


def test_points_are_the_gradebooks_now(graded, tiny):
    ann, bob = (s for s in find_standings(graded, tiny) if s.student in ("ann", "bob"))
    assert (ann.raw_score, ann.score) == (9.7, 9.7)  # 1 + 0.2 + 2 + 3 and 3.5 by hand
    assert (bob.raw_score, bob.penalty, bob.score) == (3, 1.1, 1.9)


def test_what_the_set_no_longer_asks_counts_for_nobody(graded, tiny):
    """The gradebook keeps the points of a cell that was taken out after grading."""
    fewer = replace(tiny, cells=tuple(cell for cell in tiny.cells if cell.name != "why"))
    ann = next(s for s in find_standings(graded, fewer) if s.student == "ann")
    assert "why" not in ann.cells
    assert ann.raw_score == 6.2


def test_scores_are_those_that_nbgrader_itself_exports(graded, run, tmp_path):
    assert run("csv", "--output", tmp_path / "ours.csv").exit_code == 0
    text = (tmp_path / "ours.csv").read_text(encoding="utf-8-sig")
    ours = {row["student_id"].lstrip("'"): row for row in csv.DictReader(io.StringIO(text))}
    plugin = CsvExportPlugin(to=str(tmp_path / "nbgraders.csv"))
    with api.Gradebook(graded.database) as book:
        plugin.export(book)
    lines = (tmp_path / "nbgraders.csv").read_text().splitlines()
    theirs = {row["student_id"]: row for row in csv.DictReader(lines)}
    assert set(theirs) - set(ours) == {"nora"}
    for student, row in ours.items():
        for name in ("raw_score", "late_submission_penalty", "score", "max_score"):
            assert float(row[name]) == pytest.approx(float(theirs[student][name])), (student, name)
        assert row["timestamp"] == theirs[student]["timestamp"]
    assert ours["bob"]["double_small"] == "0.0"
    assert ours["bob"]["why"] == ""


def test_a_penalty_takes_no_more_than_there_is():
    cells = {"double": CellGrade(2.0)}
    assert Standing("ann", cells, penalty=5.0).score == 0


def test_the_page_says_what_was_taken_away_as_exports_do(graded, tiny):
    (page,) = write_feedback(graded, tiny, ["bob"])
    text = page.read_text(encoding="utf-8")
    assert "Handed in late: 1.1 points were taken away." in text
    assert re.search(r'class="score">1\.9<small> of', text)
    (page,) = write_feedback(graded, tiny, ["ann"])
    assert "Handed in late" not in page.read_text(encoding="utf-8")


def test_who_is_not_graded_yet_is_named(graded, run, released):
    path = graded.submitted("dan", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(answered(released)))
    assert "1 handed in and is not graded yet: dan" in run("canvas").output


def test_canvas_reads_its_own_columns(graded, run):
    done = run("canvas")
    assert done.exit_code == 0, done.output
    path = graded.root / "export/tiny-canvas.csv"
    assert str(path) in done.output
    header, possible, *people = rows(path)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny"]
    assert possible == ["    Points Possible", "", "", "", "", "10.0"]
    assert ["'@Archer, Ann", "", "", "ann", "", "9.7"] in people
    assert ["bob", "", "", "bob", "", "1.9"] in people
    assert len(people) == 3  # nora's grade in Canvas, if she has one, stays
    assert "note: 1 has answers that wait for a human" in done.output
    assert "'=cyd'" in done.output  # of whom Canvas would have to guess
    assert "Canvas won't find the student" in done.output
    assert "roster" not in done.output  # of which nobody spoke


def test_a_roster_fills_in_who_is_who(graded, run, roster):
    done = run("canvas", "--roster", roster())
    assert done.exit_code == 0, done.output
    header, possible, *_ = rows(graded.root / "export/tiny-canvas.csv")
    assert header == ROSTER.splitlines()[0].split(",")[:7]  # with Canvas' id of the assignment
    assert possible == ["    Points Possible", "", "", "", "", "", "10.0"]
    people = by_login(graded.root / "export/tiny-canvas.csv")
    ann = ["Archer, Ann", "101", "S1", "ANN", "uni.edu", "Tuesday", "9.7"]
    assert people["ann"] == ann  # found by login, in whatever case
    assert people["bob"] == ["bob", "", "", "bob", "", "", "1.9"]  # there as b.brown
    assert "since no single row of the roster fits: =cyd, bob" in done.output
    assert "ann" not in done.output.replace("Canvas", "")


@pytest.mark.parametrize(
    ("student", "about"),
    [
        ("101", {}),
        ("s1", {}),
        ("ann", {}),
        ("x", {"lms_user_id": "101"}),
        ("102", {"lms_user_id": "101"}),  # what the teacher entered comes first
        ("x", {"email": "Ann"}),
    ],
)
def test_a_student_is_found_by_any_id(tiny, roster, student, about):
    standing = Standing(student, {}, **about)
    text, warnings = canvas.canvas(tiny, [standing], canvas.read_roster(roster()))
    assert '"Archer, Ann",101,S1,ANN' in text
    assert warnings == []


def test_what_is_not_clear_is_not_guessed(tiny, roster):
    twins = ROSTER + '"Archer, Anna",104,S4,ann,uni.edu,Monday,,,\n'
    text, warnings = canvas.canvas(tiny, [Standing("ann", {})], canvas.read_roster(roster(twins)))
    assert text.splitlines()[-1] == "ann,,,ann,,,0.0"
    assert warnings[0].endswith("no single row of the roster fits: ann")
    both = [Standing("ann", {}), Standing("101", {})]
    text, warnings = canvas.canvas(tiny, both, canvas.read_roster(roster()))
    assert "S1" not in text
    (warning,) = warnings
    assert warning.endswith("since they share a row of the roster: ann, 101")


def test_a_row_for_each_section_is_still_one_student(tiny, roster):
    text = ROSTER + '"Archer, Ann",101,S1,ANN,uni.edu,Tuesday,,,\n'
    _, warnings = canvas.canvas(tiny, [Standing("ann", {})], canvas.read_roster(roster(text)))
    assert warnings == []


def test_a_roster_of_other_countries_and_course_settings_is_read(tiny, roster):
    text = ROSTER.replace("Student,ID", "LastName,FirstName,ID").replace("Archer, Ann", "Ärcher")
    text = text.replace('"Ärcher"', "Ärcher,Ann").replace('"Tuesday, late"', "Tuesday")
    text = text.replace('"Brown, Bob"', "Brown,Bob").replace('"Nobody, Nora"', "Nobody,Nora")
    text = text.replace('"Student, Test"', "Student,Test").replace("Possible,", "Possible,,")
    found = canvas.read_roster(roster(text.replace(",", ";"), encoding="utf-8-sig"))
    text, warnings = canvas.canvas(tiny, [Standing("ann", {}), Standing("zoe", {})], found)
    assert "Ärcher,Ann,101,S1,ANN,uni.edu,Tuesday,0.0" in text
    assert text.splitlines()[-1] == "zoe,,,,zoe,,,0.0"
    (warning,) = warnings
    assert warning.endswith("since no single row of the roster fits: zoe")


def test_what_canvas_has_otherwise_is_told(tiny, roster):
    other = canvas.read_roster(roster(ROSTER.replace("10.00", "100.00")))
    _, warnings = canvas.canvas(tiny, [Standing("ann", {})], other)
    assert warnings == ["tiny has 100.00 points in Canvas and 10 here; points aren't scaled"]
    other = canvas.read_roster(roster(ROSTER.replace("tiny (7731)", "tiny too (7731)")))
    text, warnings = canvas.canvas(tiny, [Standing("ann", {})], other)
    (warning,) = warnings
    assert warning.startswith("the roster has no column 'tiny', or several; Canvas will ask")
    assert text.splitlines()[0].endswith(",Section,tiny")


def test_rows_of_a_roster_that_are_nobody_are_no_student(tiny, roster):
    text = ROSTER + '"Ghost, Gus",,,gus,uni.edu,Monday,,,\nshort\n'
    text, warnings = canvas.canvas(tiny, [Standing("gus", {})], canvas.read_roster(roster(text)))
    assert text.splitlines()[-1] == "gus,,,gus,,,0.0"
    (warning,) = warnings
    assert warning.endswith("since no single row of the roster fits: gus")


def test_an_id_of_canvas_is_given_where_no_roster_says_it_is_none(tiny, roster):
    standing = Standing("gus", {}, lms_user_id="555")
    assert canvas.canvas(tiny, [standing])[0].splitlines()[-1] == "gus,555,,gus,,0.0"
    text, _ = canvas.canvas(tiny, [standing], canvas.read_roster(roster()))
    assert text.splitlines()[-1] == "gus,,,gus,,,0.0"


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("    Points", "    Manual Posting,,,,,,Manual Posting,,\n    Points", 1),
        (ROSTER.splitlines()[1] + "\n", "", 0),
        ("100.00", "(read only)", 0),
    ],
)
def test_the_row_of_possible_points_is_found_where_it_is(tiny, roster, before, after, count):
    text = ROSTER.replace("10.00", "100.00").replace(before.replace("10.00", "100.00"), after)
    _, warnings = canvas.canvas(tiny, [Standing("ann", {})], canvas.read_roster(roster(text)))
    assert len(warnings) == count


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no column 'ID' and 'Section'"),
        (b"name,points\nann,3\n", "is not a gradebook exported from Canvas"),
        (b"Student,ID,Section\n\xff\xfe\n", "is not a CSV file in UTF-8"),
        (b"\x00\x01", "is not a gradebook exported from Canvas"),
        (b'Student,ID,Section\n"A, Ann",1.01E+16,S\n', "shortened a number to 1.01E+16"),
        (None, "there is no roster"),
    ],
)
def test_a_bad_roster_is_named_and_nothing_is_written(graded, run, tmp_path, data, message):
    path = tmp_path / "Grades.csv"
    if data is not None:
        path.write_bytes(data)
    done = run("canvas", "--roster", path)
    assert done.exit_code == 1
    assert message in done.output
    assert "Grades.csv" in done.output
    assert not (graded.root / "export").exists()


def test_moodle_gets_ids_and_a_grade(graded, run):
    done = run("moodle")
    assert done.exit_code == 0, done.output
    header, *people = rows(graded.root / "export/tiny-moodle.csv")
    assert header[:2] == ["Username", "ID number"]
    assert header[-1] == "tiny"
    assert ["ann", "", "'@Archer", "Ann", "a@x.org", "9.7"] in people
    assert ["bob", "", "", "", "", "1.9"] in people
    assert "'=cyd'" in done.output  # Moodle won't know her by this name
    assert "Moodle won't find the student" in done.output


def test_brightspace_gets_user_names_points_and_its_mark(graded, run):
    assert run("brightspace").exit_code == 0
    with (graded.root / "export/tiny-brightspace.csv").open(encoding="utf-8") as file:
        rows = {row["Username"]: row for row in csv.DictReader(file)}
    assert rows["ann"]["tiny Points Grade"] == "9.7"
    assert {row["End-of-Line Indicator"] for row in rows.values()} == {"#"}
    assert "=cyd" not in rows  # a formula for a spreadsheet


@pytest.mark.parametrize("to", ["canvas", "moodle", "brightspace", "csv"])
def test_no_cell_is_a_formula(graded, tiny, to, roster):
    with api.Gradebook(graded.database) as book:
        book.update_or_create_student("ann", first_name="\t=1+1", last_name="＝cmd", email="+1")
        book.update_or_create_student("bob", first_name="-1", lms_user_id="@SUM(A1)")
    paths = roster(ROSTER.replace("Archer, Ann", "=HYPERLINK(1)")) if to == "canvas" else None
    (path,) = export(graded, tiny, to, roster=paths).paths
    for row in rows(path):
        for cell in row:
            assert not cell.startswith(tuple("=+-@\t\r\n＝＋－＠")), row


def test_a_harmless_text_stays_and_numbers_do(graded):
    assert [escape_formulas(v) for v in ("O'Neil", "a=b", -1.5, None)] == [
        "O'Neil",
        "a=b",
        -1.5,
        None,
    ]


def gradescope(course, student):
    path = course.root / f"export/tiny-gradescope/{student}/results.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_gradescope_gets_a_file_for_each_student(graded, run):
    done = run("gradescope")
    assert done.exit_code == 0, done.output
    assert "3 files, for example" in done.output
    ann, bob = gradescope(graded, "ann"), gradescope(graded, "bob")
    assert ann["score"] == 9.7
    assert bob["score"] == 1.9
    assert "Handed in late: 1.1 points were taken away." in bob["output"]
    assert "Handed in late" not in ann["output"]
    assert "The file is not a notebook" in gradescope(graded, "=cyd")["output"]
    for found in (ann, bob):
        assert [test["max_score"] for test in found["tests"]] == [1, 2, 3, 4]
        assert [test["number"] for test in found["tests"]] == ["1.1", "1.2", "2.1", "3.1"]
    small, _, mean, why = bob["tests"]
    assert small["name"] == "1. Double it: double small"
    assert (small["score"], small["status"]) == (0, "failed")
    assert small["output"] == "double(3) should be 6, it is 3"
    assert (mean["score"], mean["status"], mean["output"]) == (3, "passed", "")
    assert why["output"] == "Waits for a human to grade it."
    assert "status" not in why
    assert ann["tests"][3]["score"] == 3.5


def test_nothing_tells_how_long_a_submission_ran(graded, tiny):
    """A secret that a hidden test hands over could be slept for."""
    standing = next(s for s in find_standings(graded, tiny) if s.student == "bob")
    result = results.find(graded, "bob", "tiny")
    slower = replace(result, seconds=result.seconds + 7, student_seconds=9.0)
    assert results_json(tiny, standing, slower) == results_json(tiny, standing, result)
    kept = results_json(tiny, standing, result)
    assert not [word for word in ("time", "seconds", "memory") if f'{word}"' in kept]


def test_gradescope_is_not_told_what_became_of_hidden_tests(graded, tiny):
    """Students see this at once, and could hand in again."""
    standing = next(s for s in find_standings(graded, tiny) if s.student == "bob")
    result = results.find(graded, "bob", "tiny")
    lost = Incident(Incident.HIDDEN, "double_mean", "the hidden tests were stopped")
    told = results_json(tiny, standing, replace(result, incidents=(*result.incidents, lost)))
    assert told == results_json(tiny, standing, result)
    slow = Incident(Incident.TIMEOUT, "double", "after 3 s")
    told = json.loads(results_json(tiny, standing, replace(result, incidents=(slow,))))
    assert "`double` did not end and was stopped after 3 s." in told["output"]


def test_gradescope_shows_hidden_checks_when_grades_are_published(graded, tiny):
    export(graded, tiny, "gradescope")
    shown = [test["visibility"] for test in gradescope(graded, "bob")["tests"]]
    assert shown == ["visible", "after_published", "visible", "visible"]


@pytest.mark.parametrize("to", ["canvas", "moodle", "brightspace", "gradescope", "csv"])
def test_nothing_of_a_hidden_test_is_exported(graded, tiny, to):
    for path in export(graded, tiny, to).paths:
        text = path.read_text(encoding="utf-8")
        for secret in ("7351", "14702", "SECRET_NUMBER", "HIDDEN TESTS", "assert", "return 2 * x"):
            assert secret not in text


def test_what_nbgrader_graded_alone_is_exported_too(graded, tiny):
    graded.result("bob", "tiny").unlink()
    export(graded, tiny, "gradescope")
    assert gradescope(graded, "bob")["score"] == 1.9
    assert gradescope(graded, "bob")["tests"][0]["output"] == ""


def test_an_id_that_leads_elsewhere_writes_nothing_there(graded, tiny):
    with api.Gradebook(graded.database) as book:
        book.db.query(api.SubmittedAssignment).filter_by(student_id="bob").update(
            {"student_id": book.update_or_create_student("../../bob").id}
        )
        book.db.commit()
    written = export(graded, tiny, "gradescope")
    assert len(written.paths) == 2
    assert any("'../../bob' can't be the name of a folder" in text for text in written.warnings)
    assert not list(graded.root.rglob("bob/results.json"))


def test_output_goes_where_it_was_asked_for(graded, run, tmp_path):
    assert run("moodle", "--output", tmp_path / "deep/er/m.csv").exit_code == 0
    assert len(rows(tmp_path / "deep/er/m.csv")) == 4
    assert run("gradescope", "--output", tmp_path / "g").exit_code == 0
    assert (tmp_path / "g/ann/results.json").exists()
    assert not (graded.root / "export").exists()


@pytest.mark.parametrize("to", ["csv", "gradescope"])
@pytest.mark.parametrize(
    "own", ["gradebook.db", "source/tiny/tiny.ipynb", "submitted", ".autograder/x", "templates/x"]
)
def test_an_export_takes_no_place_of_the_course(graded, run, to, own):
    before = {path: path.read_bytes() for path in graded.root.rglob("*") if path.is_file()}
    done = run(to, "--output", graded.root / "export/.." / own)
    assert done.exit_code == 1
    assert "belongs to the course itself; name a file in" in done.output.replace("\n", " ")
    kept = {path: path.read_bytes() for path in graded.root.rglob("*") if path.is_file()}
    assert {path.name for path in kept.keys() ^ before.keys()} <= {"lock"}
    assert all(kept[path] == data for path, data in before.items() if path.name != "lock")


ERRORS = [
    (("csv", "--output", "{tmp}"), 1, "is a folder; name a file in it"),
    (("gradescope", "--output", "{tmp}/file"), 1, "is a file; name a folder"),
    (("moodle", "--roster", "{tmp}/file"), 1, "leave --roster out for moodle"),
    (("excel",), 2, "'excel' is not one of"),
]


@pytest.mark.parametrize(("options", "code", "message"), ERRORS)
def test_a_mistake_is_named(run, tmp_path, options, code, message):
    (tmp_path / "file").write_text("")
    done = run(*(option.format(tmp=tmp_path) for option in options))
    assert done.exit_code == code
    assert message in done.output
    assert "Traceback" not in done.output


def test_before_grading_there_is_nothing_to_export(course, tiny):
    with pytest.raises(CourseError, match="grade first"):
        export(course, tiny, "csv")
    assert not (course.root / "export").exists()


@pytest.mark.parametrize("to", ["canvas", "brightspace"])
def test_a_table_of_points_that_could_be_forged_goes_with_them(graded, tiny, tmp_path, to):
    """Of an earlier version of the set; another file beside stays."""
    marked = f"{FORGEABLE}\n{tiny.followed_cells['double_small'].released}"
    cells = [
        replace(cell, source=marked, released=marked) if cell.name == "double_small" else cell
        for cell in tiny.cells
    ]
    names = ["a-could-be-forged.csv", "a.csv", "b-could-be-forged.csv"]
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / names[-1]).write_text("another")
    export(graded, replace(tiny, cells=tuple(cells)), to, folder / "a.csv")
    assert sorted(path.name for path in folder.iterdir()) == names
    export(graded, tiny, to, folder / "a.csv")
    assert sorted(path.name for path in folder.iterdir()) == names[1:]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_an_export_to_a_device_leaves_it_as_it_is(graded, tmp_path):
    null = tmp_path / "null"
    os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    null.chmod(0o666)
    words = ["export", graded.root, "tiny", "--format", "csv", "--output", null]
    done = CliRunner().invoke(cli.main, list(map(str, words)))
    assert done.exit_code == 0, done.output
    assert stat.filemode(null.lstat().st_mode) == "crw-rw-rw-"
