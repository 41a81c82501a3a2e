"""The reference solutions of problem set 3 pass, whatever the course's secret is."""

import pytest

from autograder.rehearsal import promises
from autograder.rehearsal.running import rehearse, source_cells
from tests.assignments.test_ps03 import NAME

SECRETS = 2_000


@pytest.mark.slow
def test_reference_solutions_pass_under_two_thousand_secrets():
    """The whole problem set, hidden tests included, each time with another secret.

    The secrets are fixed and the solutions draw from what a check hands them, so this passes
    always or never: no run of it fails by chance. Chance had its part once, when the secrets were
    chosen (and has it again where numpy changes its streams or a test its draws): by the union
    bound a solution fails under one of them with probability 2,000 times what the checks state,
    5e-6 at most. Two thousand passes don't prove what the checks state, only that a right
    solution fails with probability below 0.0015 (95%): they find bounds that are wrong by much.
    """
    cells = source_cells(NAME)
    for number in range(SECRETS):
        ran = rehearse(cells, secret=promises.secret(number))
        assert {name: one.message for name, one in ran.items() if one.message} == {}, number
        assert sum(one.points for one in ran.values()) == 50


def test_the_bound_that_is_stated_above_holds():
    failure = promises.failure_of(promises.checks_of(NAME, source_cells(NAME)))
    assert 0 < SECRETS * failure <= 5e-6


def test_no_two_secrets_are_alike():
    assert len({promises.secret(number) for number in range(SECRETS)}) == SECRETS
