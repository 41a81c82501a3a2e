"""The layers between a student's code and the machine: their description and their set-up.

With bubblewrap, all layers are in force. Without it there is only the portable sandbox, and grading
is refused unless the teacher says `--allow-weak-sandbox`. The portable sandbox has gaps. The tests
in `tests/autograder/hostile` show each of them, in `portable.py`:

On Linux 6.12 or newer Landlock keeps students' code from reading and writing other files than its
own, and from seeing and signalling other processes. It does not keep it from

- connecting to sockets that are files: an SSH agent, a desktop, a container service;
- changing the modes and times of your files, so that you can't open them any more;
- filling the disk below the temporary directory while it runs; its files are removed later;
- reading in /proc how much memory and processor time the whole machine uses, and so observing other
  runs.

On older kernels, or where Landlock is turned off, students' code is an ordinary process of yours
and can do what you can: read the course's secret, hidden tests, solutions, others' work and the
gradebook; change them, and any file of yours; end your processes, grading among them; and leave
files behind for the next student. Grade there only what you would also run yourself.

On both, limits of time, memory, processes and output hold, nothing keeps running, no internet
connection is possible (by seccomp, on x86-64 and ARM), and the tests stay in a process of their
own. With Landlock, honest work loses one thing: code that needs shared memory, such as the locks of
`multiprocessing`, fails.
"""

from __future__ import annotations

import functools
import importlib
import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Only Linux has all parts of the sandbox; on other systems nobody is graded.
CAN_FENCE = hasattr(os, "pidfd_open")
# Student code can read these folders, which contain no secrets: no solutions, no hidden tests, and
# no code that decides points.
ROOM_FOLDERS = ("checks", "sandbox", "student", "wire")
_AUTOGRADER = Path(__file__).resolve().parents[1]
_PACKAGES = "/run/packages"  # the place of dplab and these modules within bubblewrap
_SYSTEM = ("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec")
_MERGED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_READABLE = (
    *("/usr/share/zoneinfo", "/usr/share/fonts", "/usr/share/terminfo", "/usr/share/fontconfig"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/alternatives"),
)
_OWN_PROCESS = ("/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/filesystems")
_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
_SCRATCH_BYTES = 64 << 20


@dataclass(frozen=True)
class Layer:
    """One layer of the sandbox."""

    name: str
    in_force: bool
    explanation: str


@dataclass(frozen=True)
class Sandbox:
    """The isolation on this machine, found by probing. Grading for points needs a `strong` one."""

    layers: tuple[Layer, ...]
    bubblewrap: str | None
    other_user: bool
    own_files: bool
    keeps_processes_apart: bool = False  # each student process in its own namespace

    @property
    def strong(self) -> bool:
        return all(layer.in_force for layer in self.layers)

    @property
    def name(self) -> str:
        """The names of the layers in force, as stored with results."""
        return ", ".join(layer.name for layer in self.layers if layer.in_force)

    def describe(self) -> str:
        """Return a text with one line for each layer."""
        return "\n".join(
            f"{'in force' if layer.in_force else 'MISSING ':8}  {layer.name}: {layer.explanation}"
            for layer in self.layers
        )

    def command(self, *arguments: str) -> list[str]:
        """Return the command that runs Python with these arguments inside."""
        python = [sys.executable, "-s", "-P", *arguments]
        if self.bubblewrap is None:
            return python
        return [*_bubblewrap(self.bubblewrap), *python]

    def readable(self) -> list[str]:
        """Return the paths that Landlock leaves readable, if there is no own file system."""
        return [] if self.own_files else _readable()

    def environment(self, home: str) -> dict[str, str]:
        """Return all environment variables of the student process."""
        has_bubblewrap = self.bubblewrap is not None
        return {
            "HOME": home,
            "IPYTHONDIR": f"{home}/ipython",
            "LANG": "C.UTF-8",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "MPLCONFIGDIR": f"{home}/matplotlib",
            # Without a network, a cell that installs something must not wait for one.
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_RETRIES": "0",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": _PACKAGES if has_bubblewrap else f"{home}/packages",
            "TMPDIR": home,
            "USER": "student",
            **ONE_THREAD,
            **_KEEP_MEMORY,
        }


ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
# Otherwise glibc would return freed memory, and get it again, for each array above 128 KiB.
_KEEP_MEMORY = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(32 << 20))


@functools.cache
def _bubblewrap(path: str) -> tuple[str, ...]:
    command = [path, "--die-with-parent", "--new-session", "--hostname", "room"]
    command += ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--cap-drop", "ALL"]
    if os.geteuid() != 0:
        # Under another number bubblewrap would set up a second user namespace. A process inside
        # could not leave its process namespace.
        command += ["--unshare-user", "--uid", "0", "--gid", "0"]
    for capability in _CAPABILITIES:
        command += ["--cap-add", capability]
    binds = _outermost(_system_files() | _python_files()) | _own_packages()
    # Without these lines, bubblewrap would make folders that only root may read.
    for folder in _ancestors(binds.values()):
        command += ["--perms", "0755", "--dir", folder]
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += ["--size", str(_SCRATCH_BYTES), "--perms", "0755", "--tmpfs", "/tmp"]
    for source, place in binds.items():
        command += ["--ro-bind", source, place]
    for name in _MERGED:
        if os.path.islink(name):
            command += ["--symlink", os.readlink(name), name]
    for folder in _installed():
        if os.path.isdir(f"{folder}/autograder"):  # it may hold the problem sets
            command += ["--tmpfs", f"{folder}/autograder"]
    return (*command, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp")


@functools.cache
def _readable() -> list[str]:
    files = _outermost(_system_files() | _python_files())
    return [*files, *_MERGED, *_own_packages(), *_OWN_PROCESS]


def _system_files() -> set[str]:
    return {*_SYSTEM, *_READABLE, *(name for name in _MERGED if not os.path.islink(name))}


def _python_files() -> set[str]:
    """Return the paths of the interpreter, its library and the installed packages."""
    paths = sysconfig.get_paths()
    files = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")} | _installed()
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}:
        files |= {f"{prefix}/{name}" for name in ("bin", "lib", "lib64", "pyvenv.cfg")}
    return files


def _installed() -> set[str]:
    return {*site.getsitepackages(), *([site.getusersitepackages()] * bool(site.ENABLE_USER_SITE))}


def _outermost(paths: set[str]) -> dict[str, str]:
    """Return the existing paths that lie in no other path, each mapped to itself."""
    outer: list[Path] = []
    for path in sorted(map(Path, paths)):
        if path.exists() and not any(path.is_relative_to(outer_path) for outer_path in outer):
            outer.append(path)
    return {str(path): str(path) for path in outer}


def link_packages(home: str) -> None:
    """Link the packages that would be mounted if there were a separate file system."""
    for source, place in _modules(f"{home}/packages").items():
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.symlink(source, place)


def _modules(folder: str) -> dict[str, str]:
    """Return the targets of dplab and of the readable folders, by source."""
    (dplab,) = importlib.import_module("dplab").__path__
    names = {str(_AUTOGRADER / name): name for name in ("__init__.py", *ROOM_FOLDERS)}
    binds = {source: f"{folder}/autograder/{name}" for source, name in names.items()}
    return {dplab: f"{folder}/dplab", **binds}


def _own_packages() -> dict[str, str]:
    binds = _modules(_PACKAGES)
    fonts = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "matplotlib"
    for listing in fonts.glob("fontlist-*.json"):  # matplotlib needs a second to make it
        binds[str(listing)] = f"/tmp/matplotlib/{listing.name}"
    return binds


def _ancestors(places: Iterable[str]) -> list[str]:
    return sorted(
        {str(folder) for place in places for folder in Path(place).parents} - {"/", "/tmp"}
    )
