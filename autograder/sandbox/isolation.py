"""The system calls with which a forked child gives up rights before it runs a student's code.

Each step is taken if the kernel allows it. `autograder.sandbox.probing` reports the allowed steps.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import resource
import signal
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import kernel_files
from autograder.wire.contract import Limits

_libc = ctypes.CDLL(None, use_errno=True)

NEW_MOUNTS, NEW_IPC, NEW_PROCESSES, NEW_NETWORK = 0x20000, 0x8000000, 0x20000000, 0x40000000
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SUBREAPER, _NO_NEW_PRIVILEGES, _AMBIENT = 1, 4, 36, 38, 47
_CLEAR_ALL = 4  # of ambient capabilities
_READ_ONLY, _REMOUNT, _BIND, _RELATIVE_TIMES = 0x1, 0x20, 0x1000, 0x200000
_SAME_NUMBERS = 0xC0F  # flags with the same numbers in `statvfs` and `mount`
_PRIVATE_RECURSIVE, _BIND_RECURSIVE = 0x40000 | 0x4000, _BIND | 0x4000
_NO_SUID_NO_DEVICES, _NO_SUID_NO_PROGRAMS = 0x2 | 0x4, 0x2 | 0x8
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")  # that bubblewrap makes
_CAPABILITIES_VERSION = 0x20080522

_AF_UNIX, _AF_NETLINK, _NETLINK_ROUTE = 1, 16, 0  # the last gives the names of interfaces
# Commands of fcntl: first locks, by process or by open file. Linux's own commands begin with leases
# and notices about folders. Then come copies, pipes and seals, which stay allowed; then hints and
# newer commands.
_LOCKING, _LINUX_S_OWN, _HARMLESS, _HINTS = (6, 7, 37, 38), 1024, 1027, 1035
_SOL_SOCKET, _COOKIES = 1, (57, 71)  # numbers that count all sockets, or networks, of the machine
_NEW_USERS, _SHARED, _ANONYMOUS = 0x10000000, 0x1, 0x20
_OTHER_NUMBERING = 0x40000000  # the calls of x86_64 once more
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSE = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
_UNKNOWN = (_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)
_DONE = (_RETURN, 0, 0, 0x00050000)  # return 0 without any action
# Offsets in the data that a filter reads.
_CALL, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24, 32, 40, 48, 56)
_SET_FILTER, _SAME_SPEED = 1, 4
_NICE = 5


@dataclass(frozen=True)
class _Calls:
    """Numbers of an architecture's system calls, and seccomp's number for itself."""

    architecture: int
    seccomp: int
    socket: int
    getsockopt: int
    mmap: int
    forks: tuple[int, ...]  # clone, unshare: the first argument has flags
    newer_fork: int  # clone3: a filter can't see its flags; without it libraries use clone
    preadv2: int  # its flags can show the content of the page cache
    fadvise: int  # moves files into the page cache and out of it
    flock: int  # locks even read-only files, and other student processes see the lock
    fcntl: int  # locks too; also leases, notices about folders, and hints for files
    forbidden: dict[str, int]


# With these calls a student process could leave a trace for another one, look for such a trace,
# leave its core, or hold memory that no limit counts.
_X86_64 = _Calls(
    architecture=0xC000003E,
    seccomp=317,
    socket=41,
    getsockopt=55,
    mmap=9,
    forks=(56, 272),
    newer_fork=435,
    preadv2=327,
    fadvise=221,
    flock=73,
    fcntl=72,
    forbidden={
        **{"add_key": 248, "request_key": 249, "keyctl": 250},  # keyrings outlive a student process
        "io_uring_setup": 425,  # it bypasses this filter
        **{"msgget": 68, "semget": 64, "shmget": 29},  # System V's
        "mq_open": 240,  # a queue stays after its process has ended
        **{
            "inotify_init": 253,
            "inotify_init1": 294,
            "fanotify_init": 300,
        },  # notices when others open files
        **{"memfd_create": 319, "memfd_secret": 447},  # files that count for no process
        **{"mincore": 27, "cachestat": 451, "readahead": 187},  # the page cache
        "sched_setaffinity": 203,
        **{"sysinfo": 99, "syslog": 103},  # the machine's memory and processes; its kernel's log
        **{"perf_event_open": 298, "bpf": 321, "userfaultfd": 323},  # measure the work of others
    },
)
_AARCH64 = _Calls(
    architecture=0xC00000B7,
    seccomp=277,
    socket=198,
    getsockopt=209,
    mmap=222,
    forks=(220, 97),
    newer_fork=435,
    preadv2=286,
    fadvise=223,
    flock=32,
    fcntl=25,
    forbidden={
        **{"add_key": 217, "request_key": 218, "keyctl": 219},
        "io_uring_setup": 425,
        **{"msgget": 186, "semget": 190, "shmget": 194},
        "mq_open": 180,
        **{"inotify_init": 26, "inotify_init1": 26, "fanotify_init": 262},  # no inotify_init here
        **{"memfd_create": 279, "memfd_secret": 447},
        **{"mincore": 232, "cachestat": 451, "readahead": 213},
        "sched_setaffinity": 122,
        **{"sysinfo": 179, "syslog": 116},
        **{"perf_event_open": 241, "bpf": 280, "userfaultfd": 282},
    },
)
_CALLS = {"x86_64": _X86_64, "aarch64": _AARCH64}


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` name. Raises `OSError` if the kernel refuses."""
    _call("unshare", flags)


def protect_server() -> None:
    """Protect the warm parent's memory and descriptors, and make orphans its children."""
    _call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)
    _call("prctl", _SET_SUBREAPER, 1, 0, 0, 0)


@contextlib.contextmanager
def own_process_namespace() -> Iterator[bool]:
    """Let a child that is forked inside be the first process of a process namespace.

    It sees no other process, and when it dies, all processes in the namespace die. It must not
    leave the context. Yields True if there is such a namespace.
    """
    with contextlib.ExitStack() as stack:
        try:
            home = os.open("/proc/self/ns/pid", os.O_RDONLY)
            stack.callback(os.close, home)
            unshare(NEW_PROCESSES)
        except OSError:
            yield False
        else:
            yield True
            _call("setns", home, NEW_PROCESSES)


def prepare_mounts() -> dict[str, str] | None:
    """Make the mounts that all student processes inherit.

    Devices become read-only, so that nobody can change their times, which everybody sees. The
    kernel's files below /proc are copied to a read-only folder; see `kernel_files`.
    Returns the copies that `own_mounts` mounts, None if this process may not mount.
    """
    folder = kernel_files.new_folder()
    try:
        for name in _DEVICES:
            _make_read_only(f"/dev/{name}")
        _call("mount", b"tmpfs", folder.encode(), b"tmpfs", _NO_SUID_NO_DEVICES, b"size=1m")
        covers = kernel_files.copy(folder)
        _make_read_only(folder)
    except OSError:
        return None
    return covers


def _make_read_only(place: str) -> None:
    """Make a mount read-only; data written to a device still reaches the device."""
    old_flags = os.statvfs(place).f_flag
    flags = old_flags & _SAME_NUMBERS | (_RELATIVE_TIMES if old_flags & os.ST_RELATIME else 0)
    _call("mount", None, place.encode(), None, _REMOUNT | _BIND | _READ_ONLY | flags, None)


def own_mounts(size: int, user: int | None, covers: Mapping[str, str] | None) -> bool:
    """Mount a fresh /tmp and /dev/shm of `size` bytes together, and this namespace's own /proc.

    In /proc the `covers` hide the kernel's files about the whole machine. If Python or its packages
    are installed below /tmp, they are mounted there again. Returns whether all mounts succeeded.
    """
    if covers is None:
        return False
    owner = "" if user is None else f",uid={user},gid={user}"
    try:
        unshare(NEW_MOUNTS | NEW_IPC | NEW_NETWORK)  # NEW_NETWORK for abstract socket names
        _call("mount", None, b"/", None, _PRIVATE_RECURSIVE, None)
        with contextlib.suppress(OSError):  # optional: the namespace isolates without it
            _call("mount", b"proc", b"/proc", b"proc", _NO_SUID_NO_DEVICES, None)
        for place, cover in covers.items():
            with contextlib.suppress(FileNotFoundError):  # the kernel removed the file
                _call("mount", cover.encode(), place.encode(), None, _BIND, None)
        # With shared terminals, student processes could see each other, and send messages.
        _call("mount", b"devpts", b"/dev/pts", b"devpts", _NO_SUID_NO_PROGRAMS, b"ptmxmode=0666")
        descriptors = {place: os.open(place, os.O_PATH) for place in _installed_below("/tmp/")}
        for folder, share in ((b"/tmp", size), (b"/dev/shm", size // 4)):
            options = f"size={share},nr_inodes=10000,mode=0755{owner}".encode()
            _call("mount", b"tmpfs", folder, b"tmpfs", _NO_SUID_NO_DEVICES, options)
        for place, descriptor in descriptors.items():
            _mount_again(place, descriptor, user)
        # Both read as zeros, but no limit counts memory that is mapped from /dev/zero.
        _call("mount", b"/dev/full", b"/dev/zero", None, _BIND_RECURSIVE, None)
    except OSError:
        return False
    return True


def _installed_below(folder: str) -> list[str]:
    """Return the mount points below the folder, without nested ones."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    places = sorted({line.split()[4].replace("\\040", " ") for line in lines})
    # The warm parent's own settings: each student process has new ones.
    settings = os.environ.get("MPLCONFIGDIR", folder)
    mount_points: list[str] = []
    for place in places:
        is_nested = mount_points and place.startswith(f"{mount_points[-1]}/")
        is_own = place.startswith((f"{settings}/", kernel_files.PREFIX))
        if place.startswith(folder) and not is_own and not is_nested:
            mount_points.append(place)
    return mount_points


def _mount_again(place: str, descriptor: int, user: int | None) -> None:
    source = f"/proc/self/fd/{descriptor}"
    is_folder = os.path.isdir(source)
    with acting_as(user):  # the owner of /tmp: root without capabilities may not write there
        umask = os.umask(0o022)  # with a teacher's umask of 077, the user could not open the folder
        os.makedirs(place if is_folder else os.path.dirname(place), exist_ok=True)
        if not is_folder:
            Path(place).touch()
        os.umask(umask)
    _call("mount", source.encode(), place.encode(), None, _BIND_RECURSIVE, None)
    os.close(descriptor)


@contextlib.contextmanager
def acting_as(user: int | None) -> Iterator[None]:
    """Access files and other processes as `user`, if given, without a change of the real user."""
    if user is not None:
        os.setegid(user)
        os.seteuid(user)
    try:
        yield
    finally:
        if user is not None:
            os.seteuid(0)
            os.setegid(0)


def drop_privileges(user: int | None) -> None:
    """Become `user`, if given, permanently, and give up every capability."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call("prctl", _AMBIENT, _CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    _call("prctl", _SET_DUMPABLE, 1, 0, 0, 0)


def refuse_calls() -> bool:
    """Refuse system calls for messages to other student processes and for uncounted resources.

    With these calls, a student process could send a message to another one, leave its core, or hold
    memory that no limit counts. Sockets beyond this machine's file system are refused, because a
    network namespace remembers them for a minute. User namespaces are refused, because a process
    could mount a file system of any size in memory there. Returns False if the kernel refuses.
    """
    if platform.machine() not in _CALLS:
        return False
    calls = _CALLS[platform.machine()]
    program = b"".join(struct.pack("HBBI", *step) for step in _filter(calls))
    code = ctypes.create_string_buffer(program)
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    return _libc.syscall(calls.seccomp, _SET_FILTER, _SAME_SPEED, header) == 0


_Step = tuple[int, int, int, int]  # operation, steps to skip if true and if false, operand


def _filter(calls: _Calls) -> list[_Step]:
    program = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, calls.architecture), _REFUSE]
    program += [(_LOAD, 0, 0, _CALL), (_AT_LEAST, 0, 1, _OTHER_NUMBERING), _REFUSE]
    for number in calls.forbidden.values():
        program += _when(number, _REFUSE)
    program += _when(calls.newer_fork, _UNKNOWN)
    program += _when(calls.fadvise, _DONE)
    program += _when(calls.flock, _DONE)
    is_locking = [step for name in _LOCKING for step in ((_EQUAL, 0, 1, name), _DONE)]
    is_kept = ((_AT_LEAST, 1, 0, _LINUX_S_OWN), _ALLOW, (_AT_LEAST, 0, 2, _HARMLESS))
    is_hint = ((_AT_LEAST, 1, 0, _HINTS), _ALLOW, _REFUSE)
    program += _when(calls.fcntl, _argument(1), *is_locking, *is_kept, *is_hint)
    program += _when(calls.preadv2, _argument(5), (_EQUAL, 1, 0, 0), _REFUSE, _ALLOW)
    for number in calls.forks:
        program += _when(number, _argument(0), (_ANY_BIT, 0, 1, _NEW_USERS), _REFUSE, _ALLOW)
    is_shared = ((_ANY_BIT, 0, 2, _ANONYMOUS), (_ANY_BIT, 0, 1, _SHARED))
    program += _when(calls.mmap, _argument(3), *is_shared, _REFUSE, _ALLOW)
    is_cookie = [step for name in _COOKIES for step in ((_EQUAL, 0, 1, name), _REFUSE)]
    is_option = (_argument(1), (_EQUAL, 1, 0, _SOL_SOCKET), _ALLOW, _argument(2))
    program += _when(calls.getsockopt, *is_option, *is_cookie, _ALLOW)
    is_local = ((_EQUAL, 0, 1, _AF_UNIX), _ALLOW, (_EQUAL, 1, 0, _AF_NETLINK), _REFUSE)
    is_route = (_argument(2), (_EQUAL, 1, 0, _NETLINK_ROUTE), _REFUSE, _ALLOW)
    return [*program, *_when(calls.socket, _argument(0), *is_local, *is_route), _ALLOW]


def _when(call: int, *steps: _Step) -> list[_Step]:
    """Return the steps for this call only; the last step decides."""
    return [(_EQUAL, 0, len(steps), call), *steps]


def _argument(number: int) -> _Step:
    return _LOAD, 0, 0, _ARGUMENTS[number]


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    _call("prctl", _SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def weigh_less() -> None:
    """Let the grader go first if it wants the core.

    Kernels that group a session's processes weigh these groups, and ignore `nice` between them. So
    the whole group gets less weight.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(_NICE))
    os.nice(_NICE)


def address_space() -> int:
    """Return the address space of this process in bytes, as `RLIMIT_AS` counts it."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def set_limits(limits: Limits, own_user: bool) -> None:
    """Limit this process and its children; with `own_user`, they share their user with nobody.

    Raises `OSError` if the system's own limits are below `limits`.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, value in (
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_AS, address_space() + limits.memory_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
    ):
        set_limit(kind, value)
    require_limit(resource.RLIMIT_NPROC, limits.processes)
    value = limits.processes + (1 if own_user else _tasks_of_this_user())
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (value, value))


def set_limit(kind: int, value: int) -> None:
    """Set a limit permanently.

    Raises `OSError` if the system allows less than `value`. Less memory, for example, would cost
    points that the same submission gets elsewhere.
    """
    require_limit(kind, value)
    resource.setrlimit(kind, (value, value))


def require_limit(kind: int, value: int) -> None:
    """Raise `OSError` with a remedy if the system allows less than `value`."""
    hard = resource.getrlimit(kind)[1]
    if hard == resource.RLIM_INFINITY or hard >= value:
        return
    limit = _LIMITS[kind]
    raise OSError(
        f"this system limits a process to {limit.told(hard)}, and grading needs "
        f"{limit.told(value)}; raise the limit with `ulimit -H{limit.option} unlimited`, or start "
        "the grader where nobody has lowered it"
    )


@dataclass(frozen=True)
class _Limit:
    """The name of a limit, its text with a unit, and the option of `ulimit` that sets it."""

    name: str
    text: str
    unit: int
    option: str

    def told(self, value: int) -> str:
        return self.text.format(value / self.unit)


_LIMITS = {
    resource.RLIMIT_CPU: _Limit("processor time", "{:.4g} s of processor time", 1, "t"),
    resource.RLIMIT_AS: _Limit("address space", "{:.2f} GiB of address space", 1 << 30, "v"),
    resource.RLIMIT_FSIZE: _Limit("file size", "files of {:.4g} MiB", 1 << 20, "f"),
    resource.RLIMIT_NOFILE: _Limit("open files", "{:.4g} open files", 1, "n"),
    resource.RLIMIT_NPROC: _Limit("processes", "{:.4g} processes", 1, "u"),
}


def hard_limits() -> dict[str, int]:
    """Return the limits that the system sets to this process, by name, in bytes or numbers."""
    limits = {limit.name: resource.getrlimit(kind)[1] for kind, limit in _LIMITS.items()}
    return {name: value for name, value in limits.items() if value != resource.RLIM_INFINITY}


def _tasks_of_this_user() -> int:
    """Return the number of this user's other processes and threads: the limit counts them too."""
    tasks, user = 0, str(os.getuid())
    for entry in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # it has ended
            fields = dict(line.split(":", 1) for line in entry.read_text().splitlines())
            if fields["Uid"].split()[0] == user:
                tasks += int(fields["Threads"])
    return tasks
