"""A PostgreSQL cluster for the tests that need one, started once."""

import os

import pytest

from tests.autograder.classroom import postgresql


@pytest.fixture(scope="session")
def postgres():
    """Required where CI is set, else skipped without."""
    if postgresql.programs() is None:
        reason = "no PostgreSQL on this machine: apt-get install postgresql"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with postgresql.cluster() as cluster:
        yield cluster
