"""Calls of the kernel by which one run could tell another one a bit: none may answer.

Each says LEAKED where the call does.
"""

from tests.autograder.hostile.catalogue import family

SUCCEEDED_BEFORE = frozenset(
    (
        "resident_by_preadv2",
        "resident_by_high_priority",
        "resident_by_os",
        "resident_by_mincore",
        "read_ahead",
        "cookie_of_a_socket",
        "cookie_of_a_network",
        "secret_memory",
    )
)


_CALL = """
import ctypes, mmap, os, platform, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
here = platform.machine() == "x86_64"
path = os.__file__
file = os.open(path, os.O_RDONLY)
buffer = ctypes.create_string_buffer(4096)
def call(there, elsewhere, *arguments):
    return libc.syscall(there if here else elsewhere, *arguments)
class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
vector = IoVec(ctypes.addressof(buffer), 4096)
"""
_PREADV2 = "call(327, 286, file, ctypes.byref(vector), 1, 0, 0, {0}) >= 0"
_CHANNELS = {
    "resident_by_preadv2": ("Whether a page is in memory, by a read that doesn't wait.",
                            _PREADV2.format(8)),
    "resident_by_high_priority": ("The same, by a read that polls.", _PREADV2.format(1)),
    "resident_by_os": ("The same, through Python.",
                       "os.preadv(file, [bytearray(10)], 0, os.RWF_NOWAIT)"),
    "resident_by_mincore": ("The same, by a map of the file.",
                            "call(27, 232, ctypes.c_void_p(id(buffer) & ~4095), 4096,"
                            " buffer) == 0"),
    "resident_by_cachestat": ("The same, by the count of pages.",
                              "call(451, 451, file, buffer, buffer, 0) == 0"),
    "read_ahead": ("A page is put into memory.",
                   "call(187, 213, file, ctypes.c_long(0), 4096) == 0"),
    "cookie_of_a_socket": ("A number that counts all sockets of the machine.",
                           "socket.socket(socket.AF_UNIX).getsockopt(1, 57, 8)"),
    "cookie_of_a_network": ("A number that counts all networks of the machine.",
                            "socket.socket(socket.AF_UNIX).getsockopt(1, 71, 8)"),
    "another_core": ("The room leaves its core, and tells by which one.",
                     "os.sched_setaffinity(0, range(os.cpu_count()))"),
    "secret_memory": ("Memory that nobody counts.", "call(447, 447, 0) >= 0"),
    "counters_of_the_processor": ("What others do on the same core.",
                                  "call(298, 241, buffer, 0, -1, -1, 0) >= 0"),
    "programs_in_the_kernel": ("A program and a table in the kernel.",
                               "call(321, 280, 0, buffer, 48) >= 0"),
    "faults_of_pages": ("The time of others' writes.", "call(323, 282, 0) >= 0"),
    "rings_of_calls": ("Calls that no filter sees.", "call(425, 425, 1, buffer) >= 0"),
    "queues_of_messages": ("A queue that outlives its process.",
                           "call(240, 180, b'hostile', 0o102, 0o600, None) >= 0 and"
                           " os.path.exists('/dev/mqueue')"),
    "locks_of_files": ("Locks on files that others can read.",
                       "'hostile' in open('/proc/locks').read()"),
}  # fmt: skip
family(
    __name__,
    6,
    lambda desk, question: desk.with_cell(
        f"{_CALL}\ntry:\n    if {question}: print('LE' 'AKED')\n"
        "except (OSError, AttributeError) as error: print(type(error).__name__)"
    ),
    _CHANNELS,
    SUCCEEDED_BEFORE,
)
