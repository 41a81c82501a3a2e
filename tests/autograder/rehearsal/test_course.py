"""Rehearsals of anybody's problem set: right answers, mutants kept beside it, slips made up."""

import ast
import json
import shutil

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.releasing.release import release
from autograder.examiner.sandboxed_runner import Limits, SandboxedRunner
from autograder.rehearsal import mutants
from autograder.rehearsal.make_mutants import slips
from autograder.rehearsal.try_answers import ExerciseTrial, try_all, work
from autograder.sandbox.probing import probe
from tests.autograder.tiny_assignment import TEXTS, write_source

ANSWERS = """
from autograder.rehearsal.catalogue import Answers, Mutant

ANSWERS = Answers(
    "double",
    right={"a sum": "def double(x):\\n    return x + x"},
    mutants={
        "no minus": Mutant("def double(x):\\n    return abs(2 * x)", "double_negative"),
        "loops": Mutant("def double(x):\\n    while True: pass", "double_small"),
        "exits": Mutant("import os\\nos._exit(0)", "double_small"),
    },
)
"""
IDLE = "assert 1 + 1 == 2"


def course_with(tmp_path, answers=ANSWERS, texts=TEXTS):
    write_source(tmp_path, texts=texts)
    folder = tmp_path / "answers/tiny"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(answers)
    return Course.at(tmp_path)


@pytest.fixture(scope="module")
def hurried():
    with SandboxedRunner(Limits(cell_seconds=1.0, grace_seconds=0.5), probe()) as rooms:
        yield rooms


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "200"}).invoke(cli.main, ["checks", *map(str, arguments)])
    return done.exit_code, " ".join(done.output.split())


def test_the_command_tries_answers_and_slips_in_rooms(tmp_path):
    course_with(tmp_path)
    code, text = run(tmp_path, "tiny", "--cell-seconds", "1")
    assert code == 0, text
    assert "double_negative no minus 1 of 1" in text
    assert "loops 1 of 1" in text
    assert "exits 1 of 1" in text
    assert "3 of 3 mutants were always found (1 secret)" in text
    assert "slips made up in its solutions" in text
    assert "loses a point by chance with probability at most 0." in text


def test_without_names_all_of_the_course_are_tried(tmp_path):
    write_source(tmp_path)
    write_source(tmp_path, "other")
    code, text = run(tmp_path, "--slips", "1")
    assert code == 0, text
    assert f"no answers of your own in {tmp_path}/answers/tiny" in text
    assert "other: how probably" in text
    assert "2 problem sets" in text


def test_each_notebook_of_a_set_is_tried_and_told_to_programs(tmp_path):
    course = course_with(tmp_path)
    source = course.source("tiny")
    shutil.copy(source, source.with_name("second.ipynb"))
    (tmp_path / "answers/tiny/second").mkdir()
    shutil.move(tmp_path / "answers/tiny/double.py", tmp_path / "answers/tiny/second/double.py")
    arguments = [str(tmp_path), "tiny", "--slips", "0", "--cell-seconds", "1", "--json"]
    done = CliRunner().invoke(cli.main, ["checks", *arguments])
    second, first = json.loads(done.stdout)
    assert [second["assignment"], first["assignment"]] == ["tiny/second", "tiny/tiny"]
    found = {one["mutant"]: (one["check"], one["found"]) for one in second["mutants"]}
    assert found == {
        "no minus": ("double_negative", 1),
        "loops": ("double_small", 1),
        "exits": ("double_small", 1),
    }
    assert first["mutants"] == []
    assert first["checks_that_find_nothing"] == ["double_small", "double_negative", "mean_of_three"]
    assert done.exit_code == 3


CASES = {
    "a right answer that loses": (
        ANSWERS.replace("return x + x", "return x + 2"), TEXTS,
        "the right answer 'a sum' to double fails double_small: double(3) should be 6, it is 5",
    ),
    "a mutant that passes": (
        ANSWERS.replace('abs(2 * x)", "double_negative"', '2 * x", "double_negative"'), TEXTS,
        "double_negative no minus 0 of 1",
    ),
    "a test that finds nothing": (
        ANSWERS.replace('"double_small"', '"double_negative"'),
        [(k, n, IDLE if n == "double_small" else t, m) for k, n, t, m in TEXTS],
        "double_small took points from no wrong answer",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_as_it_should_be_is_said(tmp_path, case):
    answers, texts, says = CASES[case]
    course_with(tmp_path, answers, texts)
    code, text = run(tmp_path, "tiny", "--cell-seconds", "1")
    assert says in text
    assert code == 3


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (ANSWERS.replace('"double",', '"treble",'), "'a sum' is for the solution cell 'treble'"),
        (ANSWERS.replace('"double_negative"', '"gone"'), "names the test 'gone'"),
        (ANSWERS.replace("cell", "").replace("ANSWERS =", "OTHER ="), "no module with ANSWERS"),
        ("ANSWERS = 3", "ANSWERS is no catalogue"),
        ("import no_such_module", "can't be imported: ModuleNotFoundError"),
    ],
)
def test_answers_that_are_none_are_named(tmp_path, answers, says):
    course_with(tmp_path, answers)
    code, text = run(tmp_path, "tiny")
    assert code == 1
    assert says in text


def test_a_set_whose_own_solution_fails_is_named(tmp_path):
    texts = [(k, n, "assert double(3) == 7" if n == "double_small" else t, m)
             for k, n, t, m in TEXTS]  # fmt: skip
    course_with(tmp_path, texts=texts)
    code, text = run(tmp_path, "tiny")
    assert code == 1
    assert "tiny: the test 'double_small' gives your own solution 0 of 1 points" in text


@pytest.mark.parametrize("name", ["nothing", "../tiny"])
def test_an_unknown_set_of_a_course_is_named(tmp_path, name):
    course_with(tmp_path)
    code, text = run(tmp_path, name)
    assert code == 1
    assert name in text


def test_answers_are_never_released(tmp_path):
    course = course_with(tmp_path)
    release(course, "tiny")
    released = [path.name for path in (course.root / "release").rglob("*") if path.is_file()]
    assert released == ["tiny.ipynb"]


def test_two_sets_may_have_modules_of_one_name(tmp_path):
    for name, cell in (("one", "a"), ("two", "b")):
        (tmp_path / name).mkdir()
        text = ANSWERS.replace('"double",', f'"{cell}",')
        (tmp_path / name / "random.py").write_text(text)
    assert {mutant.cell for mutant in mutants.find(tmp_path, "one")} == {"a"}
    assert {mutant.cell for mutant in mutants.find(tmp_path, "two")} == {"b"}


def test_a_slip_is_found_by_the_tests_of_its_own_exercise(tmp_path, hurried):
    write_source(tmp_path)
    (trial,) = ExerciseTrial.all_of(Course.at(tmp_path), "tiny")
    found = try_all(trial, work(trial, [], [], 50), hurried, 1)
    by_cell = {one.cell: set() for one in found.proposed}
    for one in found.proposed:
        by_cell[one.cell] |= {*one.found_by}
    assert by_cell == {"double": {"double_small", "double_negative"}, "mean": {"mean_of_three"}}
    assert found.survivors == []
    assert set(found.finds) == set(trial.tests)


def test_a_set_with_files_is_tried_with_them(tmp_path, hurried):
    texts = [(k, n, t.replace("return 2 * x", "return x * int(open('two.txt').read())"), m)
             for k, n, t, m in TEXTS]  # fmt: skip
    write_source(tmp_path, texts=texts)
    (tmp_path / "source/tiny/two.txt").write_text("2")
    assert ExerciseTrial.all_of(Course.at(tmp_path), "tiny")[0].lost(hurried, {}, b"") == {}


def test_a_notebook_that_is_none_is_named(tmp_path):
    write_source(tmp_path).write_text("{}")
    with pytest.raises(CourseError, match=r"tiny\.ipynb is no notebook"):
        ExerciseTrial.all_of(Course.at(tmp_path), "tiny")


SOURCE = '''
def f(x: int = 3, *, flag=True):
    """The first 7 primes."""
    if x < 0 and flag:
        raise ValueError(f"{x} is below {0}")
    total = 1.5 * g(x, -1) + max(x, 2)
    total += x
    while x in (1, 2):
        break
    return total
'''


def changes():
    return {(slip.before, slip.after) for slip in slips(SOURCE, 1000)}


@pytest.mark.parametrize(
    "change",
    [
        ("3", "4"), ("3", "2"), ("True", "False"), ("x < 0", "x <= 0"), ("x < 0", "x >= 0"),
        ("x < 0 and flag", "x < 0 or flag"), ("1.5", "3.0"), ("g(x, -1)", "g(-1, x)"),
        ("-1", "1"), ("total += x", "total -= x"), ("total += x", "pass"), ("break", "pass"),
        ("x in (1, 2)", "x not in (1, 2)"),
        ("1.5 * g(x, -1) + max(x, 2)", "1.5 * g(x, -1) - max(x, 2)"),
    ],
)  # fmt: skip
def test_slips_are_what_a_hand_does(change):
    assert change in changes()


def test_what_is_no_slip_is_left_alone():
    found = changes()
    assert not any("primes" in before for before, _ in found)
    assert all(f"is below {{{0}}}" in slip.source or "below" not in slip.source
               for slip in slips(SOURCE, 1000))  # fmt: skip
    assert ("max(x, 2)", "max(2, x)") not in found
    assert ("int", "pass") not in found


def test_each_slip_is_one_change_of_a_whole_program():
    original = ast.unparse(ast.parse(SOURCE))
    found = slips(SOURCE, 1000)
    assert len({slip.source for slip in found}) == len(found)
    for slip in found:
        assert slip.source != original
        ast.parse(slip.source)
        assert slip.before in str(slip)


def test_some_of_many_slips_are_the_same_each_time():
    few = slips(SOURCE, 5)
    assert len(few) == 5
    assert few == slips(SOURCE, 5)
    assert [slip.line for slip in few] == sorted(slip.line for slip in few)
    assert slips("def f(:", 5) == []
    assert slips("%matplotlib inline\nx = 1 + 2", 50)
