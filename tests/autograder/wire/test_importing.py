"""What lies beside this project is out of reach of a course's code, and back afterwards."""

import sys

import tests.sharing  # noqa: F401 - a module within a folder of the project
from autograder.wire.importing import leave_out_the_project_for_block


def test_folders_of_the_project_and_all_within_them_are_left_out():
    before, path = dict(sys.modules), sys.path[:]
    assert {"tests", "tests.sharing"} <= before.keys()
    with leave_out_the_project_for_block():
        inside = {name.partition(".")[0] for name in sys.modules}
        assert "tests" not in inside
        assert {"autograder", "pytest"} <= inside
    assert sys.modules == before
    assert sys.path == path
