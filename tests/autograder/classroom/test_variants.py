"""A set varied for a course: one value everywhere, and last year's answers don't pass."""

import contextlib
import itertools
import json
import shutil
import sys

import nbformat
import pytest
from click.testing import CliRunner

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.releasing import release as releasing
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import set_variants, shipped_sets
from autograder.classroom.sets.assignment import load
from autograder.classroom.sets.set_variants import vary
from autograder.cli import main
from autograder.rehearsal.mutants import load_own_answers
from tests.autograder.tiny_assignment import answered, as_bytes, source_notebook
from tests.autograder.trusted_runner import TrustedRunner

CHOICES = [str(number) for number in range(3, 103)]
TEXTS = [
    (
        "markdown",
        "title",
        "# Take {{ratio: " + "|".join(CHOICES) + "}}\n\n{{who: Ada | Bo}} asks.",
        {},
    ),
    (
        "code",
        "times",
        "def times(x):\n    # {{who}} wants {{ratio}} times\n    ### BEGIN SOLUTION\n"
        "    return {{ratio}} * x\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "times_one",
        "assert times(1) == {{ratio}}, f'{{{times(1)}}} is not {{ratio}}'\n"
        "### BEGIN HIDDEN TESTS\nassert times(-2) == -2 * {{ratio}}\n### END HIDDEN TESTS",
        {"grade": True, "locked": True, "points": 2},
    ),
]


def course_with(root, texts=TEXTS, secret=b"a" * 32, names=("coin",)):
    folder = root / "source/coin"
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.ipynb").write_text(nbformat.writes(source_notebook(texts)))
    (folder / "data.csv").write_text("{{ratio}}")
    (root / ".autograder").mkdir()
    (root / ".autograder/secret").write_bytes(secret)
    return Course.at(root)


def texts_of(path):
    return "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)


def test_text_solution_stub_and_tests_have_the_same_value(tmp_path):
    course = course_with(tmp_path)
    varied = vary(course, "coin")
    ratio, who = varied.values["ratio"], varied.values["who"]
    assert ratio in CHOICES
    assert who in ("Ada", "Bo")
    assert varied.variants == 200
    text = texts_of(course.source("coin"))
    assert f"# Take {ratio}\n\n{who} asks." in text
    assert f"return {ratio} * x" in text
    assert f"times(1) == {ratio}, f'{{{{{{times(1)}}}}}} is not {ratio}'" in text
    assert f"times(-2) == -2 * {ratio}" in text
    assert "{{ratio" not in text
    assert "{{who" not in text
    assert (tmp_path / "source/coin/data.csv").read_text() == "{{ratio}}"
    assert "{{ratio}}" in texts_of(tmp_path / "templates/coin/coin.ipynb")
    release(course, "coin")
    released = texts_of(course.released("coin"))
    assert f"# {who} wants {ratio} times" in released
    assert f"return {ratio}" not in released


def test_a_course_always_gets_the_same_and_another_one_another(tmp_path):
    course = course_with(tmp_path / "one")
    first = vary(course, "coin").values
    assert vary(course, "coin").values == first
    again = course_with(tmp_path / "again", names=("a", "b"))
    assert vary(again, "coin").values == first
    others = {
        vary(course_with(tmp_path / f"{i}", secret=bytes([i]) * 32), "coin").values["ratio"]
        for i in range(12)
    }
    assert len(others) > 6  # the secrets are fixed: chance had its part once


def test_unlike_last_years_no_value_is_the_same_and_no_answer_passes(tmp_path):
    texts = [(k, n, t.replace("|".join(CHOICES), "3|4"), m) for k, n, t, m in TEXTS]
    last = course_with(tmp_path / "last", texts)
    before = vary(last, "coin").values
    this = course_with(tmp_path / "this", texts)
    now = vary(this, "coin", unlike=[last]).values
    assert {before[mark] == now[mark] for mark in before} == {False}
    assert vary(this, "coin").values == now
    release(this, "coin")
    released = json.loads(this.released("coin").read_text())
    points = []
    for ratio in (before["ratio"], now["ratio"]):
        work = answered(released, {"times": f"def times(x):\n    return {ratio} * x"})
        graded = grade(
            NotebookSubmission("ann", as_bytes(work), ""),
            load(this, "coin"),
            TrustedRunner(),
            b"secret",
        )
        points.append(graded.result.points)
    assert points == [0, 2]


def test_unlike_several_courses_no_value_is_one_of_theirs(tmp_path):
    texts = [(k, n, t.replace("Ada | Bo", "Ada | Bo | Cy | Di"), m) for k, n, t, m in TEXTS]
    others = [course_with(tmp_path / f"{i}", texts, bytes([i]) * 32) for i in range(3)]
    theirs = [vary(other, "coin").values for other in others]
    this = course_with(tmp_path / "this", texts)
    where = [word for other in others for word in ("--unlike", str(other.root))]
    done = CliRunner().invoke(main, ["vary", str(this.root), "coin", *where, "--json"])
    values = json.loads(done.stdout)["values"]
    assert all(values[mark] != of[mark] for mark in values for of in theirs)
    assert vary(this, "coin").values == values  # whose are taken is remembered


def test_where_other_courses_have_all_values_the_mark_is_named(tmp_path):
    texts = [(k, n, t.replace("|".join(CHOICES), "3|4"), m) for k, n, t, m in TEXTS]
    first = course_with(tmp_path / "first", texts)
    vary(first, "coin")
    second = course_with(tmp_path / "second", texts)
    vary(second, "coin", unlike=[first])
    third = course_with(tmp_path / "third", texts)
    with pytest.raises(CourseError, match="the other courses have all values of 'ratio': 3, 4"):
        vary(third, "coin", unlike=[first, second])
    assert not (third.root / "templates").exists()


def test_marks_of_one_name_have_values_of_their_own_in_each_set(tmp_path):
    """The secret is fixed: one of a hundred has the same value twice."""
    course = course_with(tmp_path)
    shutil.copytree(tmp_path / "source/coin", tmp_path / "source/toss")
    assert vary(course, "coin").values["ratio"] != vary(course, "toss").values["ratio"]


def stopped_at(place, course):
    """Vary the set, interrupted where the module comes to its line of that number; whether it
    came so far."""
    left = place

    def line(frame, event, argument):
        nonlocal left
        if frame.f_code.co_filename != set_variants.__file__:
            return None
        left -= event == "line"
        if left == 0:
            left -= 1
            raise KeyboardInterrupt
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        set_variants.vary(course, "coin")
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


PLAIN = [(k, n, t.replace("{{who: Ada | Bo}}", "Ada"), m) for k, n, t, m in TEXTS]
PLAIN = [(k, n, t.replace("{{ratio: " + "|".join(CHOICES) + "}}", "3"), m) for k, n, t, m in PLAIN]
PLAIN = [(k, n, t.replace("{{ratio}}", "3").replace("{{who}}", "Ada"), m) for k, n, t, m in PLAIN]


@pytest.mark.parametrize("texts", [TEXTS, PLAIN], ids=["with marks", "as of ours"])
@pytest.mark.parametrize("is_again", [False, True], ids=["the first time", "again"])
def test_what_an_interrupt_leaves_is_not_released_and_gone_on_with(
    tmp_path, monkeypatch, texts, is_again
):
    monkeypatch.setattr(shipped_sets, "other_names", lambda name: {"times": ("twice", "thrice")})
    whole = course_with(tmp_path / "whole", texts)
    varied = texts_of(vary(whole, "coin").paths[0])
    for place in itertools.count(1):
        course = course_with(tmp_path / f"{place}", texts)
        before, template = texts_of(course.source("coin")), course.root / "templates/coin"
        if is_again:
            vary(course, "coin")
            (template / "data.csv").write_text("changed")
        is_stopped = stopped_at(place, course)
        with contextlib.suppress(CourseError):
            set_variants.check_replaced(course, "coin")
            now = texts_of(course.source("coin"))
            assert now == varied or (now == before and not template.exists())
            assert (
                not is_again or course.source("coin").with_name("data.csv").read_text() == "changed"
            )
        vary(course, "coin")
        set_variants.check_replaced(course, "coin")
        assert texts_of(course.source("coin")) == varied
        assert not [*course.root.glob("*/.*-coin")]
        if not is_stopped:
            break
    assert place > 100


def test_marks_are_not_released(tmp_path):
    course = course_with(tmp_path)
    with pytest.raises(
        CourseError, match=r"placeholders with several values: run: autograder vary .* coin"
    ):
        releasing.release(course, "coin")
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("mark", ["{{ratio}}", "{{rato}}", "{{ratio: 3}}", "{{ who }}"])
def test_marks_that_come_after_drawing_are_not_released(tmp_path, mark):
    course = course_with(tmp_path)
    vary(course, "coin")
    path = course.source("coin")
    path.write_text(path.read_text().replace("asks", mark))
    with pytest.raises(CourseError, match=r"for which nothing was drawn: write it into .*temp"):
        releasing.release(course, "coin")
    assert not (tmp_path / "release").exists()
    path.write_text(path.read_text().replace(mark, "{{n}}"))  # a formula's, perhaps
    assert releasing.release(course, "coin").max_points == 2


def test_what_was_changed_since_is_not_overwritten(tmp_path):
    course = course_with(tmp_path)
    vary(course, "coin")
    path = course.source("coin")
    path.write_text(path.read_text().replace("asks", "wonders"))
    with pytest.raises(CourseError, match="has been changed since it was varied"):
        vary(course, "coin")
    assert "wonders" in path.read_text()


@pytest.mark.parametrize("left", [".DS_Store", "__pycache__/helpers.cpython-311.pyc"])
def test_what_programs_leave_there_is_no_change(tmp_path, left):
    course = course_with(tmp_path)
    values = vary(course, "coin").values
    path = tmp_path / "source/coin" / left
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    assert vary(course, "coin").values == values


def test_a_template_that_was_changed_is_not_released_as_it_was(tmp_path):
    course = course_with(tmp_path)
    vary(course, "coin")
    template = tmp_path / "templates/coin/coin.ipynb"
    template.write_text(template.read_text().replace("asks", "wonders"))
    with pytest.raises(CourseError, match=r"changed since .* varied; run: autograder vary .* coin"):
        releasing.release(course, "coin")
    vary(course, "coin")
    releasing.release(course, "coin")
    assert "wonders" in texts_of(course.released("coin"))


def test_a_changed_template_is_varied_again(tmp_path):
    course = course_with(tmp_path)
    values = vary(course, "coin").values
    template = tmp_path / "templates/coin/coin.ipynb"
    template.write_text(template.read_text().replace("asks", "wonders"))
    (tmp_path / "templates/coin/data.csv").unlink()
    assert vary(course, "coin").values == values
    assert "wonders" in texts_of(course.source("coin"))
    assert sorted(p.name for p in (tmp_path / "source/coin").iterdir()) == ["coin.ipynb"]
    assert [p.name for p in (tmp_path / "source").iterdir()] == ["coin"]


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("no marks, but a {set} and {{x}}", "has a placeholder such as"),
        ("{{ratio: 3|3}}", "the values of 'ratio' must be different"),
        ("{{ratio: 3|}}", "the values of 'ratio' must be different"),
        ("{{ratio: 3|4}} and {{ratio: 3|5}}", "'ratio' has other values here than before"),
        ("{{ratio: 3|4}} and {{ratio: 3}}", r"\{\{ratio\}\} has no values; is 'ratio' meant"),
        ("{{ratio: 3|4}} and {{my-size: 3|4}}", r"'\{\{my-size: 3\|4\}\}' is no placeholder"),
        ("{{ratio: 3|4}} and {{my size: 3|4}}", r"'\{\{my size: 3\|4\}\}' is no placeholder"),
        ("{{ratio: 3|4}} and {{2nd: 3|4}}", r"'\{\{2nd: 3\|4\}\}' is no placeholder"),
        ("{{ratio: 3|4}} and {{set: {3}|{4}}}", r"'\{\{set: \{3\}\|\{4\}\}\}' is no placeholder"),
        ("{{ratio: 3|4}} and {{size: 3|\n4}}", r"'\{\{size: 3\|' is no placeholder"),
        ("{{ratio: 3|4}} and {{ratoi}}", r"\{\{ratoi\}\} has no values; is 'ratio' meant"),
    ],
)
def test_marks_that_say_two_things_are_refused_and_nothing_moves(tmp_path, title, says):
    course = course_with(tmp_path, [("markdown", "title", title, {})])
    before = course.source("coin").read_bytes()
    with pytest.raises(CourseError, match=says):
        vary(course, "coin")
    assert course.source("coin").read_bytes() == before
    assert not (tmp_path / "templates").exists()


def test_a_mark_that_is_none_is_not_released_where_nothing_was_varied(tmp_path):
    course = course_with(tmp_path, [("markdown", "title", "{{my-size: 3|4}}", {}), *TEXTS[1:]])
    path = course.source("coin")
    path.write_text(path.read_text().replace("{{who}}", "She").replace("{{ratio}}", "3"))
    with pytest.raises(CourseError, match="has placeholders with several values"):
        releasing.release(course, "coin")


def test_a_mark_has_a_name_in_any_language(tmp_path):
    course = course_with(tmp_path, [("markdown", "title", "{{ärger: 3|4}} {{学生}} {{ärger}}", {})])
    value = vary(course, "coin").values["ärger"]
    assert texts_of(course.source("coin")) == f"{value} {{{{学生}}}} {value}"


def test_braces_that_are_no_marks_stay(tmp_path):
    title = r"{{ratio: 3|4}} $x^{{n}}$ {{\epsilon}} {{1: 2}} {{}} {ratio} {{a: b}} {{b: {c}}} | {d}"
    course = course_with(tmp_path, [("markdown", "title", title, {})])
    varied = vary(course, "coin")
    assert varied.unset_placeholders == ("{{n}}", "{{a}}")
    value = varied.values["ratio"]
    assert texts_of(course.source("coin")) == title.replace("{{ratio: 3|4}}", value)


def test_the_command_says_what_it_drew(tmp_path):
    course_with(tmp_path / "course")
    done = CliRunner().invoke(main, ["vary", str(tmp_path / "course"), "coin"])
    assert done.exit_code == 0, done.output
    assert "1 of 200 variants" in done.output
    assert "stay as they are in files that are no notebooks: data.csv" in done.stderr
    told = CliRunner().invoke(main, ["vary", str(tmp_path / "course"), "coin", "--json"])
    assert f"ratio: {json.loads(told.stdout)['values']['ratio']}\n" in done.output
    done = CliRunner().invoke(
        main, ["vary", str(tmp_path / "course"), "coin", "--unlike", str(tmp_path / "course")]
    )
    assert "can't be varied unlike itself" in done.stderr
    done = CliRunner().invoke(main, ["vary", str(tmp_path / "course"), "../coin"])
    assert "can't be the name" in done.stderr


def test_answers_may_mention_marks(tmp_path):
    course = course_with(tmp_path)
    folder = tmp_path / "answers/coin"
    folder.mkdir(parents=True)
    (folder / "times.py").write_text(
        "from autograder.rehearsal.catalogue import Answers, Mutant\n"
        "right = 'def times(x): return {{ratio}} * x'\n"
        "wrong = 'def times(x): return {{ratio}} + x, {{other}}'\n"
        "ANSWERS = Answers('times', {'plain': right}, {'added': Mutant(wrong, 'times_one')})\n"
    )
    ratio = vary(course, "coin").values["ratio"]
    right, wrong = load_own_answers(course, "coin")
    assert [one.source for one in right] == [f"def times(x): return {ratio} * x"]
    assert [one.source for one in wrong] == [f"def times(x): return {ratio} + x, {{{{other}}}}"]
    assert load_own_answers(course, "other") is None


def test_one_of_ours_gets_its_marks_and_a_course(tmp_path):
    root = tmp_path / "course"
    done = CliRunner().invoke(main, ["vary", str(root), "ps03", "--json"])
    assert done.exit_code == 0, done.output
    new = json.loads(done.stdout)["values"]["debias"]
    assert new in shipped_sets.other_names("ps03")["debias"]
    assert "{{debias: " in texts_of(root / "templates/ps03/ps03.ipynb")
    assert f"def {new}(" in texts_of(root / "source/ps03/ps03.ipynb")
    assert not Course.at(root).released("ps03").exists()
    other = CliRunner().invoke(main, ["vary", str(tmp_path / "2"), "ps03", "--unlike", str(root)])
    assert other.exit_code == 0, other.output
    drawn = Course.at(tmp_path / "2").private / "varied" / "ps03.json"
    last = json.loads((root / ".autograder/varied/ps03.json").read_text())["values"]
    assert not last.items() & json.loads(drawn.read_text())["values"].items()


def test_a_copy_of_ours_that_was_interrupted_is_no_set(tmp_path, monkeypatch):
    def interrupted(ours, new, **_):
        new.mkdir()
        (new / "capstone.ipynb").write_text('{"cells": [')
        raise KeyboardInterrupt

    course = Course.at(tmp_path)
    (tmp_path / "source/capstone").mkdir(parents=True)  # which may be there already, empty
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copytree", interrupted)
        with pytest.raises(KeyboardInterrupt):
            shipped_sets.copy_to(course, "capstone")
    assert course.sources == ()
    shipped_sets.copy_to(course, "capstone")
    assert texts_of(course.source("capstone"))
    assert [path.name for path in (tmp_path / "source").iterdir()] == ["capstone"]


def test_what_is_in_the_way_of_ours_is_named(tmp_path):
    (tmp_path / "source/ps03").mkdir(parents=True)
    (tmp_path / "source/ps03/notes.txt").write_text("mine")
    with pytest.raises(CourseError, match="source/ps03 has no notebook in it, and is in the way"):
        shipped_sets.copy_to(Course.at(tmp_path), "ps03")


def test_a_changed_copy_of_ours_keeps_its_changes(tmp_path):
    course = Course.at(tmp_path)
    shipped_sets.copy_to(course, "ps03")
    path = course.source("ps03")
    path.write_text(path.read_text().replace("Everybody in the room", "Everybody on the boat"))
    new = vary(course, "ps03").values["debias"]
    assert "Everybody on the boat" in texts_of(path)
    assert f"def {new}(" in texts_of(path)


def test_a_course_is_not_made_for_a_set_that_is_nowhere(tmp_path):
    done = CliRunner().invoke(main, ["vary", str(tmp_path / "course"), "coin"])
    assert "there is no course folder" in done.stderr
    course = course_with(tmp_path / "other")
    with pytest.raises(CourseError, match="there is no problem set 'toss': put yours at"):
        vary(course, "toss")
    assert not (tmp_path / "course").exists()
    assert not (tmp_path / "other/source/toss").exists()


def torn(path):
    path.write_text(path.read_text()[:99])


def a_folder(path):
    path.unlink()
    path.mkdir()


def of_another_kind(**parts):
    return lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | parts))


DAMAGED = {
    "torn": torn,
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(99)),
    "a list": lambda path: path.write_text("[]"),
    "nothing": lambda path: path.write_text("{}"),
    "deep": lambda path: path.write_text("[" * 200_000),
    "a folder": a_folder,
    "numbers drawn": of_another_kind(values={"ratio": 7}),
    "a list of values": of_another_kind(values=["7"]),
    "a list of others": of_another_kind(unlike=[7]),
    "no digests": of_another_kind(digests={}),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_set_of_which_is_lost_what_was_drawn_is_neither_released_nor_varied(tmp_path, damage):
    course = course_with(tmp_path)
    drawn = vary(course, "coin").values
    damage(course.varied("coin"))
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    for attempt in (release, vary):
        with pytest.raises(CourseError, match=r"coin\.json is (damaged|missing)") as told:
            attempt(course, "coin")
        assert "\n" not in str(told.value)
    after = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    config = {course.config_file: course.config_file.read_bytes()}  # what makes a folder a course
    assert after == before | config
    for path in (course.varied("coin"), course.source("coin").parent):  # as the message says
        if path.exists():
            path.rename(tmp_path / f"away-{path.name}")
    assert vary(course, "coin").values == drawn


def test_ours_is_not_released_in_the_place_of_one_that_was_varied(tmp_path):
    course = course_with(tmp_path)
    vary(course, "ps04")
    shutil.rmtree(tmp_path / "source/ps04")
    with pytest.raises(CourseError, match="has no source that was varied from it: run: "):
        release(course, "ps04")
    assert not (tmp_path / "release").exists()
    assert not (tmp_path / "source/ps04").exists()
    vary(course, "ps04")
    release(course, "ps04")
