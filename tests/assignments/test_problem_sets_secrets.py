"""Reference solutions pass, whatever the course's secret is."""

import pytest

from autograder import checks
from autograder.rehearsal import error_rates
from autograder.rehearsal.run_trusted import rehearse, source_cells
from tests.assignments.problem_sets import NAMES
from tests.assignments.under_secrets import failures, of_chance
from tests.sharing import once

SECRETS = 3  # `python tests/benchmarks/course_secrets.py` takes 2,000


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def tests(name, tmp_path_factory):
    """The problem set's, with what they state."""
    return once(tmp_path_factory, f"tests-{name}", lambda _: checks_of(name))


def checks_of(name):
    return error_rates.checks_of(name, source_cells(name))


def test_reference_solutions_pass_under_three_secrets(name, tests):
    """Every test that draws something, each time with another secret; the test below has the first.

    The secrets are fixed and the solutions draw from what a check hands them, so this passes
    always or never: no run of it fails by chance. Chance had its part once, when the secrets were
    chosen (and has it again where numpy changes its streams or a test its draws): by the union
    bound a solution fails under one of them with probability 3 times what the checks state, 1e-7
    at most. Three passes don't prove what the checks state, only that a right solution fails with
    probability below 0.64 (95%): they find bounds that are wrong by much.
    """
    assert SECRETS * error_rates.failure_of(tests) <= 1e-7
    cells = source_cells(name)
    assert failures(cells, of_chance(cells, tests), range(1, SECRETS)) == []


def test_a_right_solution_passes_each_test_alone(name, tests):
    """So a wrong one that fails there fails for what it does, not for want of another test."""
    cells = source_cells(name)
    assert [found for one in tests for found in failures(cells, {one.name}, [0])] == []


def test_what_is_left_out_draws_nothing(name, tests, monkeypatch):
    """Every test that asks for a generator when it is run is among those that are tried."""
    cells = source_cells(name)
    others = {test.name for test in tests} - of_chance(cells, tests)
    asked, make = [], checks.generator
    monkeypatch.setattr(checks, "generator", lambda *labels: asked.append(1) or make(*labels))
    rehearse(cells, tests=others)
    assert asked == []


def test_no_two_secrets_are_alike():
    assert len({error_rates.secret(number) for number in range(2000)}) == 2000
