"""Who is tried in the portable sandbox, and whom it can't contain, by name, with the reason.

A test fails where one of these is contained after all and, with Landlock, where another one isn't.
What the lists come to is told to teachers in `autograder.sandbox.layers`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.autograder.hostile.catalogue import Submission

STRONG = "strong"  # everything in force: bubblewrap, on this machine
FENCED = "fenced"  # no bubblewrap, but Landlock that holds back signals: Linux 6.12 or newer
PLAIN = "plain"  # neither: an ordinary process of the teacher's own user

_SOCKETS = "sockets of the machine that are files, an agent's or a desktop's, can be connected to"
_MODES = "who may do what with a file can be changed by its owner, who is the teacher's own user"
_READS = "a process of the teacher's own user reads what the teacher can read"
_WRITES = "a process of the teacher's own user writes where the teacher can write"
_OTHERS = "a process of the teacher's own user reaches all others of this user"

WITHOUT_BUBBLEWRAP = {"the_network": _SOCKETS, "the_gradebook_emptied": _MODES}
WITHOUT_LANDLOCK = {
    "the_secret": _READS,
    "the_master": _READS,
    "the_gradebook": _READS,
    "the_neighbours": _READS,
    "a_link_to_the_secret": _READS,
    "everything_on_the_disk": _READS,
    "the_installed_problem_sets": _READS,
    "the_environment": _OTHERS,
    "memory_of_others": _OTHERS,
    "kill_everybody_else": _OTHERS,
    "processes_of_others": _OTHERS,
    "kept_in_a_file": _WRITES,
    "disk_in_one_file": _WRITES,
    "the_gradebook_rewritten": _WRITES,
    "work_of_others_rewritten": _WRITES,
    "the_configuration_rewritten": _WRITES,
    "files_in_the_home": _WRITES,
    "rooms_of_others": _WRITES,
}
# They find what isn't theirs, and hurt nobody else: they can be tried together.
SPIES = (
    "the_network", "the_secret", "the_master", "the_gradebook", "the_neighbours",
    "a_link_to_the_secret", "everything_on_the_disk", "the_installed_problem_sets",
    "the_environment",
)  # fmt: skip

# Other walls are met by who asks the system for something, or is ended by it: all of these kinds
# but for a few, and a few of the others. What is left happens in Python, in messages between the
# rooms, and on pages.
_AT_THE_WALLS = ("channels", "crashes", "forgery", "invented", "leaks", "meddling", "resources")
# A cell that its own alarm interrupts, or that is ended at its deadline as `loop_without_alarm` is;
# a value or an output that is too much for the examiner.
_BEFORE_THE_WALLS = (
    "a_million_objects", "backtracking", "endless_error", "endless_loop", "endless_representation",
    "gigantic_display", "loop_in_c", "loop_in_the_function", "loop_that_swallows_interruptions",
    "many_displays", "many_lines", "millions_of_small_values", "result_too_long_to_pass",
)  # fmt: skip
_MORE_AT_THE_WALLS = (
    "all_in_one_timed_cell", "assertions_off", "asynchronous", "cleared_by_a_thread",
    "clock_turned_back", "dies_too_often", "draws", "draws_for_a_window", "empty_outputs",
    "ends_three_times", "files_in_the_way", "files_of_its_own", "forged_clearings", "forged_errors",
    "hook_of_a_display", "hook_of_a_timer", "hook_of_forks", "knows_that_it_is_graded",
    "late_children", "late_end", "late_file", "late_forgery", "late_history", "late_signal",
    "late_thread", "magics", "many_hands", "names", "of_another_machine", "own_alarm", "own_bomb",
    "own_crash", "own_debugger_afterwards", "own_download", "own_end", "own_environment",
    "own_folder", "own_forks", "own_module", "own_precision", "own_signal", "own_threads", "pages",
    "pipes", "random_patched", "saved_by_kaggle", "shell_commands", "short_lives",
    "short_lives_that_nobody_waits_for", "signals", "slip_abort", "slip_crash", "slip_end",
    "slip_forks", "slip_memory", "slip_signal", "slow_imports", "spinning_children",
    "spinning_programs", "spinning_sessions", "spinning_weights", "threads_that_spin",
    "timed_answer", "told_by_a_signal", "told_by_the_end", "traced", "verdicts_on_the_line",
    "yields",
)  # fmt: skip
# How Python asks the system for something.
ASKING = re.compile(
    r"(?:import\w*|from)\W+(?:\w+, *)*(?:asyncio|concurrent|ctypes|fcntl|mmap|multiprocessing|os|"
    r"pathlib|resource|shutil|signal|socket|subprocess|tempfile|threading)\b|\bopen\("
)


def is_tried(sandbox: str, found: Submission) -> bool:
    """Whether the submission is graded in the sandbox, which is to contain it."""
    if sandbox == STRONG:
        return True
    meets_walls = found.kind in _AT_THE_WALLS or found.name in _MORE_AT_THE_WALLS
    return meets_walls and found.name not in {*_BEFORE_THE_WALLS, *uncontained(sandbox)}


def uncontained(sandbox: str) -> dict[str, str]:
    """Whom it can't contain, and why."""
    return {
        STRONG: {},
        FENCED: WITHOUT_BUBBLEWRAP,
        PLAIN: WITHOUT_BUBBLEWRAP | WITHOUT_LANDLOCK,
    }[sandbox]
