"""What a student's code can't reach: the network, the disk, other processes, the grader."""

from __future__ import annotations

import dataclasses
import errno
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from autograder.examiner.sandboxed_runner import Cell, Limits, Role, SandboxedRunner
from autograder.sandbox import layers, probing
from autograder.wire.waiting import process_of

LIMITS = Limits(cell_seconds=3.0, notebook_seconds=30.0, file_bytes=4 << 20, processes=32)
PROJECT = Path(layers.__file__).parents[2]


@pytest.fixture(scope="module")
def rooms():
    """Rooms with everything in force: required where CI is set, else skipped without."""
    found = probing.probe()
    if not found.strong and "CI" not in os.environ:
        pytest.skip(f"the sandbox is weak here:\n{found.describe()}")
    assert found.strong, found.describe()
    with SandboxedRunner(LIMITS, found) as rooms:
        yield rooms


@pytest.fixture(scope="module")
def portable_rooms():
    with SandboxedRunner(LIMITS, probing.probe(bubblewrap=False)) as rooms:
        yield rooms


def said(rooms, source):
    """What a student's cell prints, or its error."""
    cell = Cell(Role.STUDENT, textwrap.dedent(source), "work")
    (output,) = rooms.run([cell], b"").cells[0].shown
    return output["text"] if "text" in output else f"{output['ename']}: {output['evalue']}"


def test_the_network_is_out_of_reach(rooms):
    source = """
        import socket
        for address in (("127.0.0.1", 22), ("1.1.1.1", 53), ("192.168.1.1", 80)):
            try: socket.create_connection(address, 1); print("connected")
            except OSError as error: print(error.errno)
        print([name for _, name in socket.if_nameindex()])
    """
    assert said(rooms, source).endswith("['lo']\n")
    assert "connected" not in said(rooms, source)


def test_who_installs_something_does_not_wait_for_a_network(rooms):
    with SandboxedRunner(dataclasses.replace(LIMITS, cell_seconds=25.0), rooms.sandbox) as patient:
        told = said(patient, "!python -m pip install no-such-package 2>&1")
    assert "No matching distribution found" in told
    assert "Retrying" not in told


def test_a_unix_socket_of_the_machine_is_out_of_reach(rooms):
    source = (
        "import glob; print([*glob.glob('/run/**', recursive=True)][:20], *glob.glob('/var/*'))"
    )
    assert ".sock" not in said(rooms, source)
    assert "docker" not in said(rooms, source)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        str(Path.home() / ".bashrc"),
        str(PROJECT / "assignments"),
        str(PROJECT / "tests"),
        str(PROJECT / "pyproject.toml"),
        str(PROJECT / "autograder"),
        str(PROJECT / ".git"),
        "/proc/2/environ",
        "/proc/kcore",
        "/sys",
        "/var/log",
        "/srv",
    ],
)
def test_a_file_of_the_machine_is_out_of_reach(rooms, path):
    source = f"""
        import os
        path = {path!r}
        try: print(os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(1))
        except OSError as error: print(type(error).__name__)
    """
    assert said(rooms, source).strip() in ("FileNotFoundError", "PermissionError", "[]")


def test_a_course_folder_and_this_test_s_files_are_out_of_reach(rooms, tmp_path):
    secret = tmp_path / "gradebook.db"
    secret.write_text("points")
    secret.chmod(0o666)
    tmp_path.chmod(0o777)
    assert "FileNotFoundError" in said(rooms, f"open({str(secret)!r})")


def test_no_solution_lies_beside_the_grader_s_own_modules(rooms):
    source = """
        import autograder, pathlib
        root = pathlib.Path(autograder.__file__).parent
        print(*(file.relative_to(root) for file in root.rglob("*") if file.is_file()))
    """
    found = {name.partition("/")[0] for name in said(rooms, source).split()}
    assert found == {"__init__.py", *layers.ROOM_FOLDERS}


def test_an_installed_copy_of_the_problem_sets_is_masked(tmp_path, monkeypatch):
    installed = tmp_path / "site-packages"
    (installed / "autograder" / "assignments").mkdir(parents=True)
    (installed / "autograder" / "assignments" / "ps03.ipynb").write_text("solution")
    monkeypatch.setattr("site.getsitepackages", lambda: [str(installed)])
    layers._bubblewrap.cache_clear()
    path = probing.probe().bubblewrap
    if path is None:
        pytest.skip("no bubblewrap")
    command = [*layers._bubblewrap(path), "/bin/ls", "-R", str(installed)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    layers._bubblewrap.cache_clear()
    assert "autograder" in listed
    assert "assignments" not in listed


def test_a_python_below_tmp_and_a_careful_umask_weaken_nothing(monkeypatch):
    if probing.probe().bubblewrap is None:
        pytest.skip("no bubblewrap")
    installed, before = layers._installed, os.umask(0o077)
    try:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            packages = Path(folder, "lib", "packages")
            packages.mkdir(parents=True)
            monkeypatch.setattr(layers, "_installed", lambda: {*installed(), str(packages)})
            layers._bubblewrap.cache_clear()
            with probing.Probe(cold=True) as probe:
                found = probe.sandbox
    finally:
        os.umask(before)
        layers._bubblewrap.cache_clear()
    assert found == probing.probe()


WRITING = """
    import os
    written = []
    for folder in ("/", "/usr", "/usr/bin", "/etc", "/run", "/dev", "/run/packages", {prefix!r},
                   "/var", "/proc", "/home", "/root", {numpy!r}):
        try: open(os.path.join(folder, "x"), "w"); written.append(folder)
        except OSError: pass
    print(written)
"""


def test_nothing_can_be_written_but_the_room_s_own_directory(rooms):
    import numpy

    source = WRITING.format(prefix=f"{sys.prefix}/lib", numpy=os.path.dirname(numpy.__file__))
    assert said(rooms, source) == "[]\n"


def test_the_directory_is_empty_private_and_gone_afterwards(rooms):
    source = """
        import os, tempfile
        places = (".", tempfile.gettempdir(), os.path.expanduser("~"))
        def found(place): return sorted(set(os.listdir(place)) - PYTHON)
        print(*map(found, places))
        print(open("/dev/shm/x", "w").write("1"), open("x", "w").write("1"), found("."))
    """
    # Where the tests' own Python is installed below /tmp, the way to it is there.
    parts = Path(sys.prefix).parts
    way = {parts[2]} if parts[1] == "tmp" else set()
    source = source.replace("PYTHON", repr(way))
    for _ in range(2):
        assert said(rooms, source) == "[] [] []\n1 1 ['x']\n"


def test_no_message_queue_is_left_behind(rooms, portable_rooms):
    source = """
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        queue = libc.mq_open(b"/left", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666, None)
        print("made" if queue >= 0 else os.strerror(ctypes.get_errno()))
    """
    for each in rooms, portable_rooms:
        assert said(each, source) == f"{os.strerror(errno.EPERM)}\n"


@pytest.mark.parametrize("kind", ["ipc", "mnt", "net", "pid"])
def test_a_run_has_namespaces_of_its_own_in_those_of_its_fork_server(rooms, kind):
    """System calls that need one are refused besides: either wall would do."""
    said(rooms, "print(1)")  # a server is there
    sock, handle = rooms.open([], b"")
    try:
        room = psutil.Process(process_of(handle))
        places = (f"/proc/{process}/ns/{kind}" for process in ("self", room.ppid(), room.pid))
        assert len(set(map(os.readlink, places))) == 3
    finally:
        rooms.close_room()
        sock.close()
        os.close(handle)


def test_what_the_kernel_tells_of_the_whole_machine_is_a_copy(rooms):
    source = """
        import os
        own = os.stat("/proc/self").st_dev
        plain = [entry.path for entry in os.scandir("/proc") if not entry.name.isdigit()
                 and not entry.is_symlink() and entry.stat().st_dev == own]
        print(plain, os.listdir("/proc/sys"), os.path.getsize("/proc/vmstat"))
        for path in ("/proc/meminfo", "/proc/vmstat", "/proc/sys/x"):
            try: open(path, "a"); print("written")
            except OSError: pass
        import psutil
        print(psutil.virtual_memory().total > 0, psutil.cpu_count() > 0, psutil.boot_time() > 0)
    """
    assert said(rooms, source) == "[] [] 0\nTrue True True\n"


def test_devices_work_and_nobody_changes_their_times(rooms):
    source = """
        import os
        for name in ("null", "zero", "full", "random", "urandom", "tty"):
            try: os.utime(f"/dev/{name}"); print("changed")
            except OSError: pass
        print(open("/dev/null", "w").write("x"), open("/dev/null").read(),
              open("/dev/zero", "rb").read(2), len(open("/dev/urandom", "rb").read(2)))
    """
    assert said(rooms, source) == "1  b'\\x00\\x00' 2\n"


def test_a_room_has_terminals_of_its_own(rooms):
    source = """
        import os
        ours, theirs = os.openpty()
        os.write(ours, b"told\\n")
        print(os.listdir("/dev/pts"), os.read(theirs, 9), os.ttyname(theirs))
    """
    assert said(rooms, source) == "['0', 'ptmx'] b'told\\n' /dev/pts/0\n"


def test_the_disk_cannot_be_filled(rooms):
    source = """
        import os
        try:
            for i in range(100): open(f"f{i}", "wb").write(b"x" * 1_000_000)
        except OSError as error: print(error.errno)
        print(sum(os.path.getsize(f) for f in os.listdir(".")) < 5_000_000)
    """
    assert said(rooms, source) == "28\nTrue\n"


def test_the_environment_tells_nothing(rooms, monkeypatch):
    monkeypatch.setenv("COURSE_TOKEN", "1234")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    listed = said(rooms, "import os; print(*os.environ)").split()
    assert "COURSE_TOKEN" not in listed
    assert "NBGRADER_EXECUTION" not in listed
    assert not any("GRADER" in name for name in listed)


def test_no_other_process_is_seen(rooms):
    assert said(rooms, "import os; print(os.getpid(), os.getppid())") == "1 0\n"
    assert (
        said(rooms, "import os; print([p for p in os.listdir('/proc') if p.isdigit()])")
        == "['1']\n"
    )


def test_there_are_no_privileges(rooms):
    source = """
        import os
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        print(*(status[name].strip() for name in ("CapEff", "CapPrm", "CapAmb", "NoNewPrivs")))
        for use in (os.setuid, 1), (os.chroot, "/tmp"), (os.mknod, "n", 0o60666, 2049):
            try: use[0](*use[1:]); print("possible")
            except OSError: pass
        import ctypes
        libc = ctypes.CDLL(None)
        print(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None), libc.umount2(b"/tmp", 2))
    """
    nothing = "0" * 16
    assert said(rooms, source) == f"{nothing} {nothing} {nothing} 1\n-1 -1\n"


def test_descriptors_of_the_grader_are_not_inherited(rooms):
    source = """
        import os
        found = []
        for number in os.listdir("/proc/self/fd"):
            try: found.append(os.readlink(f"/proc/self/fd/{number}").split(":")[0])
            except OSError: pass
        names = {"output" if name.startswith("/tmp/#") else name for name in found}
        print(*sorted(names), found.count("socket"))
    """
    assert said(rooms, source) == "/dev/null output socket 1\n"


def test_limits_are_set(rooms):
    source = """
        import resource as r
        kinds = r.RLIMIT_CORE, r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_NPROC
        print(*(r.getrlimit(kind)[1] for kind in kinds))
    """
    *others, processes = map(int, said(rooms, source).split())
    assert others == [0, 100, LIMITS.file_bytes]
    # The limit of processes counts those of the room's own making.
    assert LIMITS.processes < processes <= LIMITS.processes + 8


# --- without bubblewrap ---------------------------------------------------------------------


def test_without_bubblewrap_the_sandbox_says_that_it_is_weak():
    found = probing.probe(bubblewrap=False)
    assert not found.strong
    assert "MISSING   network" in found.describe()
    assert "MISSING   scratch" in found.describe()


def test_without_bubblewrap_the_limits_hold_and_the_directory_is_private(portable_rooms):
    assert said(portable_rooms, "import os; print(os.listdir('.'))") == "[]\n"
    assert said(portable_rooms, "x = bytearray(10**11)") == "MemoryError: "
    home = said(portable_rooms, "import os; print(os.getcwd())").strip()
    assert not os.path.exists(home)
    assert "GRADER" not in said(portable_rooms, "import os; print(*os.environ)")


def test_without_bubblewrap_nothing_outlives_a_room(portable_rooms):
    source = """
        import subprocess
        for command in (["sleep", "27182"], ["sh", "-c", "trap '' TERM HUP; sleep 27182 & wait"]):
            subprocess.Popen(command, start_new_session=True)
        print("started")
    """
    assert said(portable_rooms, source) == "started\n"
    running = [path.read_text() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not any("27182" in command for command in running)


DESCENDANTS = """
import os, subprocess, sys, time
from autograder.sandbox import forkserver, isolation, processes
isolation.protect_server()
script = "import os, time\\nfor i in range(4):\\n os.fork() or os.setsid()\\ntime.sleep(16180)"
subprocess.Popen([sys.executable, "-c", script])
before, ends = 0, time.monotonic() + 300
while before < 8 and time.monotonic() < ends:
    before = len(processes.running(processes.below(os.getpid())))
forkserver._kill_the_rest(None)
print(before, len(processes.running(processes.below(os.getpid()))))
"""


def test_all_descendants_are_found_and_killed_where_there_is_no_process_namespace():
    command = [sys.executable, "-c", DESCENDANTS]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=True, cwd=PROJECT
    )
    before, after = map(int, done.stdout.split())
    assert before >= 8
    assert after == 0


def test_a_probe_is_quick():
    probing.probe.cache_clear()
    began = time.monotonic()
    probing.probe()
    assert time.monotonic() - began < 30  # 0.2 is usual; this is a fuse, not a benchmark
