"""System calls by which a room could tell another one something, or leave its core."""

import os
import platform
import textwrap

import pytest

from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.sandbox.isolation import _CALLS
from autograder.sandbox.probing import probe

CALLS = _CALLS.get(platform.machine())


@pytest.fixture(scope="module", params=["strong", "portable"])
def rooms(request):
    found = probe(bubblewrap=request.param == "strong")
    with SandboxedRunner(Limits(cell_seconds=20, grace_seconds=1), found) as rooms:
        yield rooms


def said(rooms, source):
    cell = Cell(Role.STUDENT, textwrap.dedent(source), "work")
    shown = rooms.run([cell], b"").cells[0].shown
    return "".join(output.get("text", str(output)) for output in shown)


@pytest.mark.parametrize("name", sorted(CALLS.forbidden) if CALLS else [])
def test_a_forbidden_call_is_refused(rooms, name):
    source = f"""
        import ctypes, errno
        libc = ctypes.CDLL(None, use_errno=True)
        done = libc.syscall({CALLS.forbidden[name]}, 0, 0, 0, 0, 0, 0)
        print(done, errno.errorcode[ctypes.get_errno()])
    """
    assert said(rooms, source) == "-1 EPERM\n"


def test_a_lock_on_a_file_is_answered_and_nobody_sees_it(rooms):
    source = """
        import fcntl, os
        one, other = open(os.__file__), open(os.__file__)
        fcntl.flock(one, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        print("both")
    """
    assert said(rooms, source) == "both\n"


def test_locks_of_records_are_answered_and_nobody_sees_them(rooms):
    source = """
        import fcntl, os, sqlite3, struct
        with open(os.__file__) as file:
            for command in (fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38):  # the last of an open file
                fcntl.fcntl(file, command, struct.pack("hhqqi4x", 0, 0, 0, 0, 0))
        with open(os.__file__) as file:
            print(struct.unpack("hhqqi4x", fcntl.fcntl(file, 36, struct.pack("hhqqi4x", 1,
                                                       0, 0, 0, 0)))[0] == fcntl.F_UNLCK)
        book = sqlite3.connect("book.db")
        book.execute("create table t (x)"); book.execute("insert into t values (3)"); book.commit()
        print(sqlite3.connect("book.db").execute("select * from t").fetchall())
    """
    assert said(rooms, source) == "True\n[(3,)]\n"


def test_leases_notices_and_hints_are_refused_and_what_is_a_process_s_own_is_not(rooms):
    source = """
        import fcntl, os
        file = os.open(os.__file__, os.O_RDONLY)
        for command in (1024, 1025, 1026, 1035, 1036, 1038, 1039, 1040, 4000):
            try: fcntl.fcntl(file, command, 0); print(command)
            except PermissionError: pass
        pipe = os.pipe()[1]
        print(fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 0) > 0, fcntl.fcntl(pipe, 1032) > 0)
        print(fcntl.fcntl(file, fcntl.F_GETFD), fcntl.fcntl(file, fcntl.F_GETFL) >= 0)
    """
    assert said(rooms, source) == "True True\n1 True\n"


def test_every_architecture_refuses_the_same():
    x86, arm = _CALLS["x86_64"], _CALLS["aarch64"]
    assert list(x86.forbidden) == list(arm.forbidden)


def test_a_read_that_would_tell_what_is_cached_is_refused_and_a_plain_one_is_not(rooms):
    source = """
        import os
        descriptor = os.open(os.__file__, os.O_RDONLY)
        print(os.preadv(descriptor, [bytearray(10)], 0), os.pread(descriptor, 10, 0) != b"")
        try: os.preadv(descriptor, [bytearray(10)], 0, os.RWF_NOWAIT)
        except PermissionError: print("refused")
    """
    assert said(rooms, source) == "10 True\nrefused\n"


def test_advice_about_the_page_cache_is_taken_and_ignored(rooms):
    source = f"""
        import ctypes, os
        descriptor = os.open(os.__file__, os.O_RDONLY)
        print(os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED))
        print(ctypes.CDLL(None).syscall({CALLS.fadvise if CALLS else 0}, -1, 0, 0, 99))
    """
    assert said(rooms, source) == "None\n0\n"


def test_a_room_cannot_leave_its_core_and_may_ask_for_it(rooms):
    source = """
        import os
        print(len(os.sched_getaffinity(0)) > 0)
        try: os.sched_setaffinity(0, range(64))
        except PermissionError: print("refused")
    """
    assert said(rooms, source) == "True\nrefused\n"


def test_sockets_have_options_and_no_cookies(rooms):
    source = """
        import socket
        ours, theirs = socket.socketpair()
        print(ours.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE))
        for cookie in (57, 71):
            try: ours.getsockopt(socket.SOL_SOCKET, cookie, 8)
            except PermissionError: print("refused")
        try: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)  # tells of all sockets
        except PermissionError: print("refused")
        print(socket.if_nameindex() is not None)
    """
    assert said(rooms, source) == "1\nrefused\nrefused\nrefused\nTrue\n"


def test_a_room_weighs_less_than_the_grader(rooms):
    source = "import os; print(os.nice(0), open('/proc/self/autogroup').read())"
    nice, group = said(rooms, source).split(maxsplit=1)
    assert int(nice) == min(os.nice(0) + 5, 19)
    assert group.strip().endswith(" nice 5")


def test_numerics_and_threads_work_all_the_same(rooms):
    source = """
        import threading, subprocess, multiprocessing, tempfile
        import numpy as np, scipy.linalg
        print(np.linalg.norm(scipy.linalg.inv(np.eye(50)) - np.eye(50)) < 1e-9)
        thread = threading.Thread(target=print, args=("thread",))
        thread.start(); thread.join()
        print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout, end="")
        with tempfile.TemporaryFile() as file:
            file.write(b"x"); file.flush(); print(file.tell())
    """
    assert said(rooms, source) == "True\nthread\nchild\n1\n"
