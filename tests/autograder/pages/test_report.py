"""The class report: the numbers are right, and names and messages from outside stay text."""

import csv
import io
import json
import re
import shutil
import statistics
from dataclasses import replace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from nbgrader.api import Gradebook

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.read_notebook import Note
from autograder.classroom.grading.results import CellResult, Result
from autograder.classroom.intake import collection_record, people
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.intake.people import Person
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.status import HUMAN, StudentStatus
from autograder.pages import items, next_steps
from autograder.pages.answers import PUBLISHED
from autograder.pages.figures import draw_distribution, score_distribution
from autograder.pages.items import analyse, correlation
from autograder.pages.report import PAIRS, SUFFIXES, render, write_report
from autograder.pages.similarity import Pair
from autograder.pages.tables import alike_csv, points_csv
from autograder.sandbox.layers import Layer, Sandbox
from autograder.wire.contract import Incident, Limits
from tests.autograder.pages.test_feedback import Page, words
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import WEAK


@pytest.fixture
def graded(course, tiny, released, one_room):
    notebooks = {
        "ann": as_bytes(answered(released)),
        "bob": as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"})),
        "cyd": as_bytes(answered(released, {**SOLUTIONS, "double": "def double(x): return -x"})),
        "dan": b"not a notebook",
        "eve": as_bytes(answered(released, {**SOLUTIONS, "mean": "while True: pass"})),
    }
    for student, data in notebooks.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    handed = collect(course, "tiny", course.root / "submitted").submissions
    sandbox = Sandbox(tuple(Layer(n, True, "") for n in ("files", "network")), None, False, False)
    return grade_class(course, tiny, handed, Graders(Limits(), sandbox, 1))


def test_the_numbers_are_right(course, tiny, graded):
    collection_record.save_refused(course, "tiny", ("'../x.ipynb': its path leads out",))
    page = write_report(course, tiny)[0]
    text = words(page.read_text())
    assert [result.points for result in graded] == [6, 3, 3, 0, 3]
    assert "submissions 5 median of 10 3 mean 3.0 all points 0 to look at 2" in text
    assert "Sandbox in force: files, network" in text
    assert "Look at these first The file is not a notebook: it isn't JSON" in text
    assert "Not collected: '../x.ipynb': its path leads out" in text
    assert "mean did not end and was stopped" in text


def test_checks_count_who_lost_points_and_why(tiny, graded):
    rows = {item.name: item for item in analyse(tiny, graded)}
    double = rows["double_small"]
    assert (double.lost, double.scored) == (2, 4)  # dan's could not be read
    assert double.mean == pytest.approx(2 / 4)
    assert double.failure_rate == 0.5
    messages = dict(double.messages)
    assert messages == {"double(3) should be 6, it is 3": 2}  # 3 and -3 differ in a number only


def of_points(points, names=("double_small", "double_negative", "mean_of_three")):
    """A class in which each student has these points for these cells."""
    exercise = {"mean_of_three": "mean"}
    return [
        Result(
            f"s{number}",
            "tiny",
            "k",
            "c",
            tuple(
                CellResult(name, exercise.get(name, "double"), float(p), 3.0)
                for name, p in zip(names, own, strict=True)
            ),
        )
        for number, own in enumerate(points)
    ]


def test_discrimination_is_the_correlation_with_the_rest(tiny):
    graded = of_points([(3, 3, 0), (3, 2, 1), (0, 1, 3), (1, 0, 2), (0, 0, 3)])
    found = {item.name: item.discrimination for item in analyse(tiny, graded)}
    totals = [6, 6, 4, 3, 3]
    for column, name in enumerate(["double_small", "double_negative", "mean_of_three"]):
        own = [result.cells[column].points for result in graded]
        rest = [total - points for total, points in zip(totals, own, strict=True)]
        assert found[name] == pytest.approx(statistics.correlation(own, rest))
    assert found["why"] is None  # nobody has points for it


def test_checks_that_tell_nothing_or_the_wrong_thing_are_flagged(tiny, course):
    graded = of_points([(3, 0, 0), (3, 0, 1), (3, 0, 3)])
    remarks = {item.name: item.remark for item in analyse(tiny, graded)}
    assert remarks["double_small"] == "nobody fails"
    assert remarks["double_negative"] == "everybody fails"
    graded = of_points([(3, 3, 0), (3, 2, 1), (0, 1, 3), (0, 0, 2)])
    remarks = {item.name: item.remark for item in analyse(tiny, graded)}
    assert remarks == {
        "double_small": "",
        "double_negative": "",
        "mean_of_three": "negative",
        "why": "",
    }
    text = words(render(tiny, graded, [], {}))
    assert "mean_of_three : students who lose points here do better elsewhere" in text


def test_a_correlation_of_what_does_not_vary_is_none():
    assert correlation([1, 1, 1], [0, 1, 2]) is None
    assert correlation([0, 1], [2, 2]) is None
    assert correlation([1], [1]) is None
    assert correlation([0, 1, 2], [0, 1, 2]) == pytest.approx(1)
    assert correlation([0, 1, 2], [4, 2, 0]) == pytest.approx(-1)


def test_what_was_left_untouched_says_nothing_about_checks(tiny, graded):
    empty = replace(graded[0], student="zoe", unanswered=("double", "mean", "why"))
    assert empty.untouched
    assert items.attempts([*graded, empty]) == [r for r in graded if r.student != "dan"]
    left_out = f"2 of {len(graded) + 1} submissions are left out here"
    assert left_out in words(render(tiny, [*graded, empty], [], {}))


def test_a_class_that_tried_nothing_has_a_report(tiny, graded):
    dan = next(result for result in graded if result.student == "dan")
    assert "1 of 1 submissions are left out" in words(render(tiny, [dan], [], {}))


def test_what_waits_for_a_human_is_no_loss(tiny):
    """Of four answers in words one has 1 of 4 points, and three wait."""
    given = (1.0, None, None, None)
    results = [
        Result(f"s{n}", "tiny", "", "", (CellResult("why", "why", points, 4.0),))
        for n, points in enumerate(given)
    ]
    text = words(render(tiny, results, [], {}))
    assert "2. The mean 1 100% 1.0 / 4 why why 1 100% 1.0 / 4" in text
    assert "Answers that wait for a human are left out, too." in text
    assert "all points some none waits for a human" in text
    waiting = words(render(tiny, results[1:], [], {}))
    assert "2. The mean 0 0% – / 4 why why 0 0% – / 4" in waiting


def test_late_penalties_stand_beside_the_points_that_lack_them(course, tiny, graded):
    before = words(write_report(course, tiny)[0].read_text())
    assert "late penalt" not in before
    with Gradebook(course.database) as book:
        late = book.find_submission_notebook("tiny", "tiny", "ann")
        late.late_submission_penalty = 1.2
        book.db.commit()
    page, table, *_ = write_report(course, tiny)
    text = words(page.read_text())
    assert "points before late penalties. 1 student has one: see Students" in text
    assert "ann 6 − 1.2 late" in text
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [(r["points"], r["late_penalty"]) for r in rows[:2]] == [("6.0", "1.2"), ("3.0", "0.0")]


def test_who_has_more_than_all_points_is_drawn_too():
    bars = words(score_distribution([11.0, 8.0, 4.0], 8.0)).partition("submissions ")[2]
    assert bars == "1 2 median 8"


@pytest.mark.parametrize("max_points", [5.0, 8.0, 40.0])
@pytest.mark.parametrize("points", [[5.0] * 30, [0.0], [4.0, 5.0], [1.0, 5.0, 5.0, 2.0]])
def test_the_label_and_the_line_of_the_median_cross_no_number_of_a_bar(points, max_points):
    figure = draw_distribution(points, max_points)
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    (axes,), (line,) = figure.axes, figure.axes[0].lines
    *numbers, label = [text.get_window_extent(renderer) for text in axes.texts]
    drawn_line = line.get_window_extent(renderer).padded(1.0)
    assert numbers
    for number in numbers:
        assert not number.overlaps(label)
        assert not number.overlaps(drawn_line)
        assert number.y1 <= axes.get_window_extent(renderer).y1


def with_note(student, message, needs_teacher=True):
    return replace(_result(student), notes=(Note("late", message, needs_teacher),))


def test_equal_remarks_are_one_with_all_its_students(tiny):
    results = [with_note(f"s{n:02}", "It is late.") for n in range(18)]
    results += [with_note("zoe", "It is later."), with_note("yan", "It is odd.", False)]
    text = words(render(tiny, results, [], {}))
    assert text.count("It is late.") == 2  # among the first things to look at, and all that is odd
    assert "It is late. 18 students: s00, s01, s02" in text
    assert "s09 8 more s10, s11" in text
    assert "It is later. zoe" in text
    assert text.count("It is odd.") == 1


def test_what_was_stopped_is_one_line_for_all_whom_it_concerns(tiny):
    stop = Incident(Incident.TIMEOUT, "mean", "after 2 s")
    results = [replace(_result(name), incidents=(stop, stop)) for name in ("ann", "bob")]
    text = words(render(tiny, results, [], {}))
    assert text.count("mean did not end") == 1
    assert "2 students: ann, bob timeout" in text


def test_a_failure_of_the_grader_is_said_where_one_looks_first(tiny):
    lost = Incident(Incident.GRADER, "mean", "The verdict was lost.")
    text = words(render(tiny, [replace(_result("ann"), incidents=(lost,))], [], {}))
    assert "Look at these first The verdict was lost. ann" in text


def test_students_have_the_names_of_the_class_list(course, tiny, graded):
    with Gradebook(course.database) as book:
        book.update_or_create_student("eve", first_name="Eve", last_name="E")
        book.update_or_create_student("dan", first_name="Old", last_name="Name")
    people.save_list(course, (Person("dan", "Dan", "<b>"), Person("ann", "ann")))
    page = write_report(course, tiny)[0].read_text()
    text = words(page)
    assert "(line 1: Expecting value). Dan <b> (dan)" in text
    assert "Eve E (eve) timeout" in text
    assert "ann (ann)" not in text
    assert "<b>)" not in page


def steps_of(course, tiny):
    text = words(write_report(course, tiny)[0].read_text())
    return text.partition("What to do next ")[2].partition(" Look at these first")[0]


def test_the_report_says_what_to_do_next(course, tiny, graded):
    steps = steps_of(course, tiny)
    assert steps.startswith(
        "One submission to look at, listed below 4 answers to grade by hand: open"
    )
    assert f"cd {course.root} && jupyter lab" in steps
    assert f"One page of feedback to write autograder feedback {course.root} tiny" in steps
    course.submitted("ann", "tiny").write_bytes(b"{}")
    assert steps_of(course, tiny).startswith(
        f"One submission to grade autograder grade {course.root} tiny"
    )


def test_if_nothing_waits_the_next_step_is_to_export(course, tiny, graded, monkeypatch):
    monkeypatch.setattr(next_steps.status, "of_class", lambda course, name: [])
    (step,) = next_steps.find_steps(course, "tiny", [], 0, 0)
    assert step.command == f"autograder export {course.root} tiny --format csv"
    entry = StudentStatus("ann", waits_for=HUMAN)
    monkeypatch.setattr(next_steps.status, "of_class", lambda course, name: [entry])
    (step,) = next_steps.find_steps(course, "tiny", [], 0, 0)
    assert step.text.startswith("points given by hand to look at again, of one student")


def test_own_code_and_overhead_are_told_apart(tiny):
    graded = [replace(_result("ann"), seconds=3.0, student_seconds=2.75)]
    graded += [replace(_result("bob"), seconds=1.0, student_seconds=0.5)] * 2
    text = words(render(tiny, graded, [], {}))
    assert "students' own code 3.75 s 0.50 s" in text
    assert "the autograder around it 1.25 s 0.50 s" in text
    assert "together 5.00 s 1.00 s" in text
    assert "The slowest: ann 3.00 s (2.75 s own code)" in text


def test_near_duplicates_are_listed_with_links_and_not_as_an_accusation(tiny, graded):
    pairs = {"double": [Pair("ann", "b b", 0.87, 90.0)], "mean": [Pair("ann", "b b", 1.0, 100.0)]}
    page = render(tiny, graded, [], pairs)
    text = words(page)
    assert "a list to look at, not an accusation" in text
    assert "ann notebook b b notebook 1. Double it 87% 2. The mean 100%" in text
    assert 'href="../feedback/b%20b/tiny/tiny.html"' in page
    assert 'href="../autograded/b%20b/tiny/tiny.ipynb"' in page
    text = words(render(tiny, graded, [], {}))
    assert "no two students' answers share structure that few others have" in text


def test_of_very_many_pairs_the_page_shows_the_first(tiny, graded):
    pairs = [Pair(f"a{n}", f"b{n}", 0.9, 100.0 - n) for n in range(PAIRS + 5)]
    text = words(render(tiny, graded, [], {"double": pairs}))
    assert f"a{PAIRS - 1} notebook" in text
    assert f"a{PAIRS} notebook" not in text
    assert "5 more pairs are in tiny/alike.csv" in text
    assert len(alike_csv({"double": pairs}).splitlines()) == PAIRS + 6


LONG = """
def mean(values):
    {total}, {count} = 0.0, 0
    for {value} in values:
        if {value} != {value}:
            raise ValueError("a number is missing")
        {total} = {total} + float({value})
        {count} = {count} + 1
    return {total} / {count} if {count} > 0 else 0.0
"""


def alike_rows(course, tiny, released, answers):
    """The table of near-duplicates, for a class with these answers to one exercise."""
    for student, text in answers.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released, {**SOLUTIONS, "mean": text})))
    handed = collect(course, "tiny", course.root / "submitted").submissions
    grade_class(course, tiny, handed, Graders(Limits(), WEAK, 1))
    *_, table = write_report(course, tiny)
    return list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))


def test_near_duplicates_come_from_the_autograded_notebooks(course, tiny, released, one_room):
    """Two share a long answer under other names; the rest wrote the short one."""
    long = LONG.format(value="value", total="total", count="count")
    renamed = LONG.format(value="each", total="s", count="n")
    answers = {"ann": long, "bob": renamed} | {f"s{n}": SOLUTIONS["mean"] for n in range(8)}
    rows = alike_rows(course, tiny, released, answers)
    assert [(r["exercise"], r["first"], r["second"]) for r in rows] == [("mean", "ann", "bob")]
    course.autograded("bob", "tiny").unlink()
    *_, table = write_report(course, tiny)
    assert len(table.read_text(encoding="utf-8-sig").splitlines()) == 1


def test_who_has_the_published_solution_is_listed_with_it(course, tiny, released, one_room):
    """Under other names; it leads to no student's page."""
    own = json.loads(course.source("tiny").read_text())
    cell = next(c for c in own["cells"] if c["id"] == "mean")
    long = LONG.format(value="value", total="total", count="count")
    cell["source"] = f"### BEGIN SOLUTION\n{long}\n### END SOLUTION"
    course.source("tiny").write_text(json.dumps(own))
    copied = LONG.format(value="each", total="s", count="n")
    answers = {"bob": copied} | {f"s{n}": SOLUTIONS["mean"] for n in range(8)}
    rows = alike_rows(course, tiny, released, answers)
    assert [(r["exercise"], r["first"], r["second"]) for r in rows] == [("mean", "bob", PUBLISHED)]
    page = course.report("tiny").read_text()
    assert f"bob notebook {PUBLISHED}" in words(page)
    assert "source/" not in "".join(re.findall('href="([^"]*)"', page))


def test_answers_of_another_course_are_compared_with_the_class_alone(
    course, tiny, released, one_room, tmp_path
):
    """Two of last year's students have the same answer, and one of this year's has it again."""
    shutil.copytree(course.root, tmp_path / "last")
    last = Course.at(tmp_path / "last")
    long = LONG.format(value="value", total="total", count="count")
    others = {f"s{n}": SOLUTIONS["mean"] for n in range(8)}
    alike_rows(last, tiny, released, {"old": long, "older": long} | others)
    renamed = LONG.format(value="each", total="s", count="n")
    assert alike_rows(course, tiny, released, {"bob": renamed} | others) == []
    page, *_, table = write_report(course, tiny, [last])
    rows = csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig")))
    assert {(row["first"], row["second"]) for row in rows} == {
        ("bob", f"{student}, in {last.root}") for student in ("old", "older")
    }
    assert f"feedback/old, in {last.root}" not in page.read_text()
    with pytest.raises(CourseError, match="no other class's 'tiny' was graded in"):
        write_report(course, tiny, [course])


def test_the_tables_say_what_the_page_says(course, tiny, graded):
    page, points, checks, alike = write_report(course, tiny)
    folder = course.report("tiny").parent
    assert [str(path.relative_to(folder)) for path in (page, points, checks, alike)] == [
        "tiny.html",
        "tiny.csv",
        "tiny/checks.csv",
        "tiny/alike.csv",
    ]
    rows = list(csv.DictReader(io.StringIO(checks.read_text(encoding="utf-8-sig"))))
    assert [row["check"] for row in rows] == [cell.name for cell in tiny.scored]
    assert rows[0]["failure_rate"] == "0.5"


def test_sets_whose_names_begin_alike_share_no_file(course):
    names = ("coin", "coin-checks", "coin-alike", "coin.csv", "checks")
    paths = [course.report(name, suffix) for name in names for suffix in SUFFIXES]
    assert len(set(paths)) == len(paths)


def test_the_page_links_to_feedback_and_runs_nothing(course, tiny, graded):
    page = write_report(course, tiny)[0]
    text = page.read_text()
    assert 'href="../feedback/ann/tiny/tiny.html"' in text
    assert "script-src 'none'" in text
    found = Page(text)
    assert "script" not in found.tags
    assert found.tags.count("svg") == 3


def test_the_table_has_a_line_for_each_student(course, tiny, graded):
    table = write_report(course, tiny)[1]
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [row["student"] for row in rows] == ["ann", "bob", "cyd", "dan", "eve"]
    assert rows[0]["points"] == "6.0"
    assert rows[0]["double_negative"] == "2.0"
    assert rows[0]["why"] == ""
    assert rows[3]["needs_teacher"] == "yes"


def _result(student, note="", message=""):
    notes = (Note("odd", note),) if note else ()
    incident = Incident(Incident.DIED, "double", message)
    cells = (CellResult("double_small", "double", 0.0, 1.0, message),)
    return Result(student, "tiny", "k", "c", cells, notes=notes, incidents=(incident,))


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>"])
def test_what_comes_from_outside_stays_text(tiny, text):
    page = render(
        tiny, [_result(text, text, text)], [text], {"double": [Pair(text, text, 1.0, 99.0)]}
    )
    found = Page(page)
    assert not {"script", "img"} & set(found.tags)
    assert page.count(text.replace("<", "&lt;").replace(">", "&gt;")) >= 4


def test_a_name_in_a_link_is_quoted(tiny):
    page = render(tiny, [_result('a" onclick="x/../b')], [], {})
    assert 'href="../feedback/a%22%20onclick%3D%22x%2F..%2Fb/tiny/tiny.html"' in page


def test_a_name_is_shown_with_all_its_signs(tiny):
    page = render(tiny, [_result("\u202ebo\u200bb")], [], {})
    assert "\u202e" not in page
    assert page.count(r"\u202ebo\u200bb") >= 3


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@x", "\tx", "\uff1d1", "\uff0d1", "\n=1", "\ufeff=1"]
)
def test_a_spreadsheet_takes_no_text_for_a_formula(tiny, name):
    table = io.StringIO(points_csv(tiny, [_result(name, note=name)]), newline="")
    cell = list(csv.reader(table))[1][0]
    assert all(line.startswith("'") for line in cell.split("\n"))
    assert cell.replace("'", "") == name


def test_a_class_of_one_and_a_class_without_time_can_be_drawn(tiny):
    assert "<svg" in render(tiny, [_result("ann")], [], {})
    large = [replace(_result(f"s{n}"), seconds=0.1 + n) for n in range(400)]
    assert len(render(tiny, large, [], {})) < 2_000 * len(large)


def test_without_results_there_is_no_report(course, tiny):
    with pytest.raises(CourseError, match="grade first"):
        write_report(course, tiny)


def test_the_teacher_reads_what_was_kept_from_students(tiny):
    told, kept = "a negative number is doubled too", "double(-7351) should be -14702, it is 7351"
    cells = (
        CellResult("double_small", "double", 0, 1, "wrong", detail="wrong"),
        CellResult("double_negative", "double", 0, 2, told, detail=kept),
    )
    results = [Result(name, "tiny", "", "", cells) for name in ("ann", "bob")]
    small, negative = analyse(tiny, results)[:2]
    assert negative.withheld == ((kept, 2),)
    assert small.withheld == ()
    page = render(tiny, results, [], {})
    assert page.count("messages of its hidden part, which students don't see") == 1
    assert kept in words(page)
