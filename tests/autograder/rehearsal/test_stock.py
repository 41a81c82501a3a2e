"""Stock nbgrader beside the rooms: each test that differs is named, and why."""

import json

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.examiner import verdicts
from autograder.rehearsal.stock_nbgrader import Kernel
from autograder.wire.contract import Cell, Role
from autograder.wire.files import File
from tests.autograder.tiny_assignment import TEXTS, write_source
from tests.sharing import once

SAME = "x = [3]\nassert double(3) == 6\nassert double(x) is not x"
DUNDER = "assert mean.__code__ and mean([1, 2, 6]) == 3, 'no'"
ANSWERS = """
from autograder.rehearsal.catalogue import Answers, Mutant

ANSWERS = Answers(
    "double",
    right={"a sum": "def double(x):\\n    return x + x"},
    mutants={
        "itself": Mutant("def double(x):\\n    return x if type(x) is list else 2 * x", FAILS),
    },
)
""".replace("FAILS", "'double_small'")


def _sets(folder):
    """A course of a set with two tests that differ, and one of a set with none."""
    changed = {"double_small": SAME, "mean_of_three": DUNDER}
    texts = [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]
    write_source(folder / "differs", texts=texts)
    write_source(folder / "same")
    (folder / "differs" / "answers" / "tiny").mkdir(parents=True)
    (folder / "differs" / "answers" / "tiny" / "double.py").write_text(ANSWERS)
    return str(folder / "differs"), str(folder / "same")


def _compared(folder):
    """What `checks` says of both."""
    differs, same = _sets(folder)
    options = ["--stock", "--slips", "0"]
    return (
        _command("checks", differs, "tiny", *options),
        _command("checks", same, "tiny", *options, "--json"),
    )


def _command(*arguments):
    with alembic_in_process():
        found = CliRunner(env={"COLUMNS": "300"}).invoke(cli.main, arguments)
    return found.exit_code, found.output


ACCEPTED = ("--accept", "double_small", "--accept", "mean_of_three")


def _released(folder):
    """What `release` says of both."""
    differs, same = _sets(folder)
    return {
        "moved": _command("release", differs, "tiny"),
        "accepted": _command("release", differs, "tiny", *ACCEPTED),
        "every answer": _command("release", differs, "tiny", "--stock", *ACCEPTED),
        "fine": _command("release", same, "tiny"),
        "asked for": _command("release", same, "tiny", "--stock"),
    }


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    return once(tmp_path_factory, "beside stock", _compared)


def test_a_test_that_differs_is_named_with_what_the_lint_knows_or_with_what_both_said(compared):
    code, said = compared[0]
    assert code == 1  # its own solution fails in the rooms
    assert "tiny: stock nbgrader gives other points:" in said
    own = "mean_of_three, your own solution: 0 in two processes, 3 in stock nbgrader"
    assert f"{own}\n    line 1, mean.__code__: names with an underscore" in said
    itself = "double_small, wrong answer 'itself': 1 in two processes, 0 in stock nbgrader"
    assert f"{itself}\n    line 3, double(x) is not x: values are copied" in said
    assert "no answer" not in said
    assert "double_small, right answer" not in said


def test_where_none_differs_that_is_said(compared):
    code, said = compared[1]
    (found,) = json.loads(said[said.index("[{") :])
    assert found["differs_from_stock"] == []
    assert code == 3  # the tests that found nothing, as no slip was made up


def test_our_own_sets_are_not_compared():
    code, said = _command("checks", "--stock")
    assert code == 2
    assert "name its folder" in said


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return once(tmp_path_factory, "released beside stock", _released)


OWN = "mean_of_three, your own solution: 0 in two processes, 3 in stock nbgrader\n    line"
ITSELF = "double_small, wrong answer 'itself': 1 in two processes, 0 in stock nbgrader\n    line"


def test_tests_that_differ_are_moved_and_not_compared(released):
    code, said = released["moved"]
    assert code == 0
    assert "the test 'double_small' runs in the student's process" in said
    assert "the test 'mean_of_three' runs in the student's process" in said
    assert OWN not in said
    assert ITSELF not in said


def test_a_set_with_an_accepted_test_is_compared_and_released(released):
    code, said = released["accepted"]
    assert code == 0
    assert OWN in said
    assert "\nreleased tiny (" in said
    assert ITSELF not in said


def test_the_answers_kept_beside_a_set_are_compared_where_that_is_asked_for(released):
    code, said = released["every answer"]
    assert code == 0
    assert OWN in said
    assert ITSELF in said


def test_a_set_without_troubles_costs_no_kernel(released):
    code, said = released["fine"]
    assert code == 0
    assert said.startswith("released tiny (")
    code, said = released["asked for"]
    assert code == 0
    assert said.startswith("tiny: stock nbgrader gives 2 answers the same points.")


def test_without_a_kernel_a_set_is_released_and_that_is_said(tmp_path, monkeypatch):
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    def none(self, name):
        raise NoSuchKernel(name)

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", none)
    write_source(tmp_path)
    code, said = _command("release", str(tmp_path), "tiny", "--stock")
    assert code == 0
    assert said.startswith("note: stock nbgrader can't be tried: No such kernel named python3")
    assert "\nreleased tiny (" in said


def test_a_kernel_gives_what_nbgraders_rule_reads_from_its_outputs():
    tests = {
        "x == 1": None,
        "0.5": "0.5",
        "import sys; print('warned', file=sys.stderr)": "Warning",
        "1 / 0": "ZeroDivisionError",
        "assert open('data.txt').read() == 'kept'": None,
        "print('shown')": None,
        "while True: pass": "KeyboardInterrupt",
        "import os; os._exit(1)": "GraderError",
        "x": "GraderError",
    }
    cells = [Cell(Role.STUDENT, "x = 1", "work")]
    cells += [Cell(Role.EXAMINER, source, f"test {n}") for n, source in enumerate(tests)]
    run = Kernel(2.0).run(cells, b"", [File("data.txt", b"kept")])
    assert run.cells[0].verdict is None
    for source, made in zip(tests, run.cells[1:], strict=True):
        outputs = verdicts.outputs(made.verdict, 1)
        said = [o.get("ename") or o["data"]["text/plain"] for o in outputs]
        wanted = tests[source]
        assert said == ([] if wanted is None else [wanted]) or said == ["True"], source
