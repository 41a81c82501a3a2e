"""Reference solutions pass and wrong answers fail, whatever the course's secret is."""

import pytest

from autograder import checks
from autograder.rehearsal import promises
from autograder.rehearsal.running import rehearse, source_cells
from tests.assignments.problem_sets import NAMES
from tests.benchmarks.course_secrets import failures, of_chance
from tests.benchmarks.mutant_secrets import AT_A_TIME, escapes, most_secrets, mutants

SECRETS = 30  # `python tests/benchmarks/course_secrets.py` takes 2,000
SECRETS_OF_MUTANTS = 10  # `python tests/benchmarks/mutant_secrets.py FILE` takes 1,000


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_reference_solutions_pass_under_thirty_secrets(name):
    """Every test that draws something, each time with another secret.

    The secrets are fixed and the solutions draw from what a check hands them, so this passes
    always or never: no run of it fails by chance. Chance had its part once, when the secrets were
    chosen (and has it again where numpy changes its streams or a test its draws): by the union
    bound a solution fails under one of them with probability 30 times what the checks state,
    2e-7 at most. Thirty passes don't prove what the checks state, only that a right solution
    fails with probability below 0.1 (95%): they find bounds that are wrong by much.
    """
    assert failures(name, range(SECRETS)) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_answer_escapes_under_ten_secrets(name):
    """None for which the secret makes a difference; that the others fail is tested elsewhere.

    Fixed secrets, and answers that draw from what a check hands them: always or never.
    """
    wrong = mutants([name])
    most = most_secrets(wrong)
    assert [
        f"{label} under {secret}"
        for label, place in wrong.items()
        if most[label] > AT_A_TIME
        for start in range(0, SECRETS_OF_MUTANTS, AT_A_TIME)
        for secret in escapes(*place, start)
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_right_solution_passes_each_test_alone(name):
    """So a wrong one that fails there fails for what it does, not for want of another test."""
    cells = source_cells(name)
    for check in promises.checks_of(name, cells):
        alone = rehearse(cells, secret=promises.secret(0), tests={check.name})
        assert alone[check.name].message == ""


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_that_is_stated_above_holds(name):
    failure = promises.failure_of(promises.checks_of(name, source_cells(name)))
    assert SECRETS * failure <= 2e-7


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_left_out_draws_nothing(name, monkeypatch):
    """Every test that asks for a generator when it is run is among those that are tried."""
    cells = source_cells(name)
    others = {check.name for check in promises.checks_of(name, cells)} - of_chance(name)
    asked, make = [], checks.generator
    monkeypatch.setattr(checks, "generator", lambda *labels: asked.append(1) or make(*labels))
    rehearse(cells, tests=others)
    assert asked == []


def test_no_two_secrets_are_alike():
    assert len({promises.secret(number) for number in range(2000)}) == 2000
