"""Stock nbgrader beside the rooms: each test that differs is named, and why."""

import json

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.quick_nbgrader import alembic_at_hand
from autograder.examiner import verdicts
from autograder.rehearsal.stock import Kernel
from autograder.wire.contract import Cell, Role
from autograder.wire.files import File
from tests.autograder.tiny_assignment import TEXTS, write_source
from tests.sharing import once

pytestmark = pytest.mark.slow

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


def _compared(folder):
    """What the command says of a set with two tests that differ, and of one with none."""
    changed = {"double_small": SAME, "mean_of_three": DUNDER}
    texts = [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]
    write_source(folder / "differs", texts=texts)
    write_source(folder / "same")
    (folder / "differs" / "answers" / "tiny").mkdir(parents=True)
    (folder / "differs" / "answers" / "tiny" / "double.py").write_text(ANSWERS)
    options = ["--stock", "--slips", "0"]
    return (
        _command(str(folder / "differs"), "tiny", *options),
        _command(str(folder / "same"), "tiny", *options, "--json"),
    )


def _command(*arguments):
    with alembic_at_hand():
        found = CliRunner(env={"COLUMNS": "300"}).invoke(cli.main, ["checks", *arguments])
    return found.exit_code, found.output


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    return once(tmp_path_factory, "beside stock", _compared)


def test_a_test_that_differs_is_named_with_what_the_lint_knows_or_with_what_both_said(compared):
    code, said = compared[0]
    assert code == 1  # its own solution fails in the rooms
    assert "tiny: stock nbgrader gives other points:" in said
    own = "mean_of_three, your own solution: 0 in two rooms, 3 under stock nbgrader"
    assert f"{own}\n    here: AttributeError: the function mean has no attribute" in said
    assert "    stock: passed" in said
    itself = "double_small, wrong answer 'itself': 1 in two rooms, 0 under stock nbgrader"
    assert f"{itself}\n    line 3, double(x) is not x: values are copied" in said
    assert "no answer" not in said
    assert "double_small, right answer" not in said


def test_where_none_differs_that_is_said(compared):
    code, said = compared[1]
    (found,) = json.loads(said[said.index("[{") :])
    assert found["differs_from_stock"] == []
    assert code == 3  # the tests that found nothing, as no slip was made up


def test_our_own_sets_are_not_compared():
    code, said = _command("--stock")
    assert code == 2
    assert "name its folder" in said


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
