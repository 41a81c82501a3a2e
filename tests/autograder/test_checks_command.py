"""`autograder checks`: what checks state is added up, and power is measured, not claimed."""

import math

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.folders import CourseError
from autograder.classroom.sets import shipped_sets
from autograder.rehearsal import error_rates, mutants
from autograder.rehearsal.mutants import NamedMutant
from autograder.rehearsal.run_trusted import rehearse, source_cells
from tests.assignments.problem_sets import NAMES, problem_set


def cell(name, source, points=None):
    """A solution cell, or a test if it has points."""
    graded = points is not None
    marks = {"grade_id": name, "grade": graded, "solution": not graded}
    marks |= {"points": points} if graded else {}
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": marks}}


SURE = "assert answer() == 1"
BOUNDS = """
from autograder import checks
checks.expect_between(answer(), 0, 2, "the answer", failure=1e-10)
checks.expect_between(answer(), 0.5, 2, "the answer again", failure=3e-10)
"""
HALF = """
from autograder import checks
draw = checks.generator().random()
assert answer() == 1 or draw < 0.5, draw
"""
CELLS = [
    cell("answer", "def answer():\n    return 1"),
    cell("sure", SURE, 1),
    cell("bounds", BOUNDS, 2),
    cell("half", HALF, 3),
]


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "200"}).invoke(cli.main, ["checks", *arguments])
    return done.exit_code, " ".join(done.output.split())


def test_stated_probabilities_are_added_up():
    by_name = {check.name: check for check in error_rates.checks_of("it", CELLS)}
    assert [check.failure for check in by_name.values()] == [0, pytest.approx(4e-10), 0]
    assert error_rates.failure_of(by_name.values()) == pytest.approx(4e-10)
    assert [part.what for part in by_name["bounds"].stated] == ["the answer", "the answer again"]


def test_power_is_the_share_of_secrets_under_which_a_mutant_was_found():
    """The secrets are fixed, so chance had its part once: P[outside 400 to 600] is 2e-10."""
    two = "def answer():\n    return 2"
    wrong = [NamedMutant("two", "answer", two, "half"), NamedMutant("too", "answer", two, "sure")]
    sometimes, always = error_rates.powers(CELLS, wrong, 1000)
    assert 400 < sometimes.found < 600
    assert sometimes.measured - 0.05 < sometimes.at_least < sometimes.measured
    assert always.found == 1000
    assert always.at_least == pytest.approx(0.05 ** (1 / 1000))
    never = error_rates.powers(
        CELLS, [NamedMutant("right", "answer", CELLS[0]["source"], "sure")], 7
    )
    assert (never[0].found, never[0].at_least) == (0, 0.0)


def test_a_secret_decides_every_draw():
    wrong = {"answer": "def answer():\n    return 0"}
    said = [
        rehearse(CELLS, wrong, error_rates.secret(i), {"half"})["half"].message for i in range(40)
    ]
    again = [
        rehearse(CELLS, wrong, error_rates.secret(i), {"half"})["half"].message for i in range(40)
    ]
    assert said == again
    assert len(set(said)) > 5  # each of those below 1/2 is a number of its own


def test_the_tests_asked_for_are_run_and_nothing_behind_them():
    behind = cell("behind", "raise SystemExit")
    assert [*rehearse([*CELLS, behind], tests={"half", "sure"})] == ["sure", "half"]


def test_a_problem_set_whose_own_solution_fails_is_named():
    broken = [cell("answer", "def answer():\n    return 0"), *CELLS[1:]]
    with pytest.raises(CourseError, match="the set's own solution fails the test sure: Assert"):
        error_rates.checks_of("it", broken)


def test_a_mutant_must_name_a_test_that_is_there():
    with pytest.raises(CourseError, match="'lost' names the test 'gone', which isn't there"):
        error_rates.powers(CELLS, [NamedMutant("lost", "answer", "", "gone")], 1)


def test_a_cell_that_examines_nothing_must_not_fail():
    locked = cell("imports", "import no_such_module")
    locked["metadata"]["nbgrader"]["solution"] = False
    with pytest.raises(RuntimeError, match="not graded failed: ModuleNotFoundError"):
        rehearse([locked, *CELLS])


def test_the_command_lists_every_check_and_every_mutant():
    code, text = run("ps03", "--secrets", "2")
    assert code == 0, text
    own = error_rates.checks_of("ps03", source_cells("ps03"))
    for check in own:
        assert check.name in text
    for answers in problem_set("ps03").answers.values():
        for name in answers.mutants:
            assert name in text
    total = sum(len(answers.mutants) for answers in problem_set("ps03").answers.values())
    assert f"{total} of {total} mutants were always found (2 secrets)" in text
    assert f"Each power is at least {math.sqrt(0.05):.4f}" in text
    stated = float(text.rpartition("at most ")[2].rstrip("."))
    assert error_rates.failure_of(own) == pytest.approx(stated, rel=0.1)
    assert error_rates.failure_of(own) <= stated * (1 + 1e-12)


def test_where_the_catalogue_is_not_installed_it_says_so(monkeypatch, tmp_path):
    folder = tmp_path / "autograder" / "assignments"
    (folder / "ps03").mkdir(parents=True)
    (folder / "ps03" / "ps03.ipynb").write_bytes(
        (shipped_sets.FOLDERS[0] / "ps03" / "ps03.ipynb").read_bytes()
    )
    monkeypatch.setattr(shipped_sets, "FOLDERS", (folder, tmp_path / "assignments"))
    code, text = run("--secrets", "1")
    assert code == 0, text
    assert "respond_law" in text
    assert "aren't installed here, so no power was measured. Name their folder" in text


def test_a_catalogue_is_found_by_its_path(tmp_path):
    folder = tmp_path / "wrong" / "ps03"
    folder.mkdir(parents=True)
    (folder / "one.py").write_text(
        "from types import SimpleNamespace as Made\n"
        "wrong = Made(source='debias = abs', fails='debias_values')\n"
        "ANSWERS = Made(cell='debias', mutants={'only one': wrong})\n"
    )
    assert mutants.find(tmp_path / "wrong", "ps03") == [
        NamedMutant("only one", "debias", "debias = abs", "debias_values")
    ]
    code, text = run("ps03", "--mutants", str(tmp_path / "wrong"), "--secrets", "1")
    assert code == 0, text
    assert "1 of 1 mutants were always found" in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no module with ANSWERS and mutants"),
        ("ANSWERS = 3", "ANSWERS is no catalogue"),
        ("1 / 0", "can't be imported: ZeroDivisionError"),
    ],
)
def test_a_catalogue_that_is_none_is_named(tmp_path, text, says):
    name = f"set{len(text)}"  # modules of one name would be taken for one
    (tmp_path / name).mkdir()
    (tmp_path / name / f"broken{len(text)}.py").write_text(text)
    with pytest.raises(CourseError, match=says):
        mutants.find(tmp_path, name)


def test_an_unknown_problem_set_is_named():
    code, text = run("ps99")
    assert code == 1
    assert f"there is no problem set 'ps99' with tests among ours ({', '.join(NAMES)})" in text


def test_help_has_an_example():
    code, text = run("--help")
    assert code == 0
    assert "Example: autograder checks ps03" in text
