"""What the portable sandbox can't contain, by the name of the submission, with the reason.

A test fails where one of these is contained after all and, with Landlock, where another one isn't.
What the lists come to is told to teachers in `autograder.sandbox.layers`.
"""

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


def uncontained(sandbox: str) -> dict[str, str]:
    """Whom it can't contain, and why."""
    return {
        STRONG: {},
        FENCED: WITHOUT_BUBBLEWRAP,
        PLAIN: WITHOUT_BUBBLEWRAP | WITHOUT_LANDLOCK,
    }[sandbox]
