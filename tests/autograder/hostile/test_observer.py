"""Whoever says that nothing is left can see what is."""

import subprocess
import sys

from tests.autograder.hostile.observer import MARK, observe_apart

LEAVES_A_SLEEPER = "import subprocess; subprocess.Popen(['sleep', '29.875']); print('said')"


def test_a_process_that_a_command_leaves_is_found(tmp_path):
    seen = observe_apart([[sys.executable, "-c", LEAVES_A_SLEEPER]], tmp_path, 60)
    assert (seen.said, seen.ended, seen.left_running) == ("said\n", [0], ["sleep 29.875 "])


def test_what_else_runs_below_the_tests_is_no_rest(tmp_path):
    with subprocess.Popen(["sleep", "60"]) as other:
        seen = observe_apart([["true"]], tmp_path, 60)
        other.kill()
    assert (seen.ended, seen.left_running, seen.left_behind) == ([0], [], [])


def test_a_file_that_a_command_leaves_is_found(tmp_path):
    seen = observe_apart([["touch", str(tmp_path / f"{MARK}file")]], tmp_path, 60)
    assert seen.left_behind == [str(tmp_path / f"{MARK}file")]
