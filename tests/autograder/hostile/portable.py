"""What the portable sandbox can't contain, by the name of the submission, with the reason.

The list is exact: a test fails where one of these is contained after all, and where another one
isn't. It is for kernels with Landlock that holds back signals (Linux 6.12 or newer).
"""

UNCONTAINED = {
    "the_network": "sockets of the machine that are files, such as an agent's or a desktop's, can "
    "be connected to by whoever may open them: Landlock doesn't know of connecting",
}
