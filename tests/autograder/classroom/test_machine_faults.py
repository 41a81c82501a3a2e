"""Plant faults in an environment, and see that `doctor` finds each and says what to do about it."""

import errno
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.running import machine_faults
from tests.autograder.tiny_assignment import answered, as_bytes


@dataclass
class Start:
    """How the command is started: its environment, and its hard limits by kind."""

    environment: dict[str, str] = field(default_factory=dict)
    limits: dict[int, int] = field(default_factory=dict)
    umask: int = 0o077

    def prepare(self):
        """Set up the process that is about to become the command."""
        os.umask(self.umask)
        for kind, most in self.limits.items():
            resource.setrlimit(kind, (most, most))


@dataclass(frozen=True)
class Fault:
    """A fault as it is planted, and the words that doctor's text and its remedy must have."""

    name: str
    plant: object
    about: str  # of the finding, "" where the command can't even start
    text: str
    remedy: str


def run(command, start, *words):
    return subprocess.run(
        [sys.executable, "-m", "autograder", command, *map(str, words)],
        capture_output=True, text=True, timeout=200, preexec_fn=start.prepare,
        env=os.environ | start.environment,
    )  # fmt: skip


def limit(kind, most):
    return lambda folder, course, start: start.limits.update({kind: most})


def no_bubblewrap(folder, course, start):
    start.environment["PATH"] = str(folder)


def no_user_namespaces(folder, course, start):
    program = folder / "bwrap"
    program.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1"
    )
    program.chmod(0o755)
    start.environment["PATH"] = f"{folder}:{os.environ['PATH']}"


def umask_of_777(folder, course, start):
    start.umask = 0o777


def shadowed_module(folder, course, start):
    (folder / "random.py").write_text("raise RuntimeError('not the module of Python')\n")
    before = os.environ.get("PYTHONPATH", "")
    start.environment["PYTHONPATH"] = f"{folder}:{before}"


def file_of_the_future(folder, course, start):
    moment = time.time() + 86_400
    os.utime(course.root / "gradebook.db", (moment, moment))


def missing_folder_for_temporary_files(folder, course, start):
    start.environment["TMPDIR"] = str(folder / "gone")


def kernel_whose_program_is_gone(folder, course, start):
    kernel = folder / "kernels/python3"
    kernel.mkdir(parents=True)
    spec = {"argv": [str(folder / "python")], "display_name": "x", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    start.environment["JUPYTER_PATH"] = str(folder)


def unknown_zone_of_the_machine(folder, course, start):
    start.environment["TZ"] = "Mars/Olympus"


def unknown_zone_of_the_course(folder, course, start):
    with course.config_file.open("a") as file:
        file.write("c.Exchange.timezone = 'Mars/Olympus'\n")


PLANTED = [
    Fault("address space", limit(resource.RLIMIT_AS, 4_000_000 << 10), "processes",
          "limits a process to 3.81 GiB of address space", "ulimit -Hv unlimited"),
    Fault("processor time", limit(resource.RLIMIT_CPU, 60), "processes",
          "limits a process to 60 s of processor time", "ulimit -Ht unlimited"),
    Fault("open files", limit(resource.RLIMIT_NOFILE, 20), "processes",
          "limits a process to 20 open files", "ulimit -Hn unlimited"),
    Fault("processes", limit(resource.RLIMIT_NPROC, 20), "processes",
          "limits a process to 20 processes", "ulimit -Hu unlimited"),
    Fault("file size", limit(resource.RLIMIT_FSIZE, 1 << 20), "processes",
          "limits a process to files of 1 MiB", "ulimit -Hf unlimited"),
    Fault("umask", umask_of_777, "", "the umask of this shell is 777", "run 'umask 077'"),
    Fault("shadowed module", shadowed_module, "",
          "random.py hides a module of Python's own", "rename it"),
    Fault("no bubblewrap", no_bubblewrap, "isolation",
          "needs bubblewrap (bwrap is not installed)", "Install bubblewrap"),
    Fault("no user namespaces", no_user_namespaces, "isolation",
          "No permissions to create new namespace", "Allow bubblewrap"),
    Fault("clock behind", file_of_the_future, "clock",
          "gradebook.db has a time 24.0 hours in the future", "Set the clock"),
    Fault("temporary folder", missing_folder_for_temporary_files, "machine",
          "TMPDIR names", "Make that folder"),
    Fault("kernel program", kernel_whose_program_is_gone, "kernel",
          "which is missing", "Remove the folder"),
    Fault("TZ", unknown_zone_of_the_machine, "machine",
          "there is no time zone 'Mars/Olympus'", "Set TZ to"),
    Fault("zone of the course", unknown_zone_of_the_course, "configuration",
          "there is no time zone 'Mars/Olympus'", "'Europe/Vienna'"),
]  # fmt: skip


def in_order(course):
    course.root.chmod(0o700)
    return course


def check_told(findings, fault):
    """See that one finding names the fault, and that its remedy is in sentences."""
    told = [one for one in findings if one["about"] == fault.about and fault.text in one["text"]]
    assert told, findings
    assert told[0]["state"] in ("look", "wrong")
    said = f"{told[0]['text']} {told[0]['remedy']}"
    assert fault.remedy in said
    assert re.search(r"[A-Za-z]+ .+\w", told[0]["remedy"] or told[0]["text"])


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_doctor_finds_what_is_wrong_with_the_process_that_it_starts_in(course, tmp_path, fault):
    start, folder = Start(), tmp_path / "planted"
    folder.mkdir()
    fault.plant(folder, in_order(course), start)
    done = run("doctor", start, course.root, "--json")
    assert done.returncode in (1, 3), done.stdout
    assert "Traceback" not in done.stderr
    if fault.about:
        check_told(json.loads(done.stdout), fault)
    else:
        assert fault.text in done.stderr
        assert fault.remedy in done.stderr


# What only the system could plant: the function that asks it answers so


def full_disk(monkeypatch, course, folder):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1 << 20))


def closed_course(monkeypatch, course, folder):
    real = os.access
    closed = lambda path, mode, **more: (  # noqa: E731
        False if str(path) == str(course.root) and mode & os.W_OK else real(path, mode, **more)
    )
    monkeypatch.setattr(os, "access", closed)


def null_device_of_root_alone(monkeypatch, course, folder):
    status = SimpleNamespace(st_mode=0o020644, st_rdev=os.makedev(1, 3))
    monkeypatch.setattr(machine_faults, "_status", lambda path: status)


def plain_file_for_null_device(monkeypatch, course, folder):
    (folder / "null").write_bytes(b"")
    monkeypatch.setattr(os, "devnull", str(folder / "null"))


def no_null_device(monkeypatch, course, folder):
    monkeypatch.setattr(machine_faults, "_status", lambda path: None)


def kernel_without_schedstat(monkeypatch, course, folder):
    monkeypatch.setattr(machine_faults, "_SCHEDSTAT", str(folder / "schedstat"))


def kernel_without_pidfd(monkeypatch, course, folder):
    def refuse(process):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)


def no_jupyter_kernel(monkeypatch, course, folder):
    from jupyter_client import kernelspec

    def refuse(self, name):
        raise kernelspec.NoSuchKernel(name)

    monkeypatch.setattr(kernelspec.KernelSpecManager, "get_kernel_spec", refuse)


def clock_of_2001(monkeypatch, course, folder):
    monkeypatch.setattr("autograder.classroom.running.course_doctor._now", lambda: 1e9)


def no_temporary_folder(monkeypatch, course, folder):
    def refuse():
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *words, **more: refuse())


FAKED = [
    Fault("full disk", full_disk, "disk", "0.0 GiB free where the course is", "Free some space"),
    Fault("full temporary disk", full_disk, "machine", "has 1 MiB left", "Free some space"),
    Fault("closed course", closed_course, "disk", "is not writable for you", "chmod u+rwx"),
    Fault("null device mode", null_device_of_root_alone, "machine",
          "has the mode 644", "chmod 666"),
    Fault("null device file", plain_file_for_null_device, "machine",
          "is not the null device", "mknod -m 666"),
    Fault("no null device", no_null_device, "machine", "is missing", "mknod -m 666"),
    Fault("no schedstat", kernel_without_schedstat, "machine",
          "does not say how long a process waited", "while nothing else runs"),
    Fault(
        "no pidfd", kernel_without_pidfd, "machine", "no working system call pidfd", "Linux 5.3"
    ),
    Fault("no Jupyter kernel", no_jupyter_kernel, "kernel",
          "no Jupyter kernel called python3", "ipykernel install"),
    Fault("clock in the past", clock_of_2001, "clock",
          "before this version was installed", "Set the clock"),
    Fault("no temporary folder", no_temporary_folder, "machine",
          "No usable temporary directory", "Make a folder"),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAKED, ids=lambda fault: fault.name)
def test_doctor_finds_what_is_wrong_with_the_system(course, tmp_path, monkeypatch, fault):
    folder = tmp_path / "planted"
    folder.mkdir()
    fault.plant(monkeypatch, in_order(course), folder)
    done = CliRunner().invoke(cli.main, ["doctor", str(course.root), "--json"])
    assert done.exit_code in (1, 3), done.output
    check_told(json.loads(done.stdout), fault)


def test_a_sound_environment_has_no_finding(course):
    done = run("doctor", Start(), in_order(course).root, "--json")
    found = json.loads(done.stdout)
    assert [one for one in found if one["state"] != "well"] == []
    assert done.returncode == 0
    assert {"machine", "clock"} <= {one["about"] for one in found}


@pytest.mark.parametrize("zone", ["Europe/Vienna", ":Europe/Vienna", "CET-1CEST", "UTC", ""])
def test_a_zone_that_the_system_knows_is_no_fault(course, zone):
    done = run("doctor", Start(environment={"TZ": zone}), in_order(course).root, "--json")
    assert done.returncode == 0, done.stdout


# Before `grade` writes anything


def everything_in(course):
    """Every file by its content, without the lock, which each command leaves."""
    files = (path for path in course.root.rglob("*") if path.is_file() and path != course.lock)
    return {path: path.read_bytes() for path in files}


@pytest.fixture
def handed_in(tmp_path, released):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ann.ipynb").write_bytes(as_bytes(answered(released)))
    return folder


COSTLY = {"address space", "processor time", "open files", "processes", "file size", "umask",
          "no bubblewrap", "no user namespaces", "shadowed module", "TZ",
          "zone of the course"}  # fmt: skip


@pytest.mark.parametrize(
    "fault", [fault for fault in PLANTED if fault.name in COSTLY], ids=lambda fault: fault.name
)
def test_grade_refuses_before_it_writes_anything(course, tmp_path, handed_in, fault):
    start, folder = Start(), tmp_path / "planted"
    folder.mkdir()
    fault.plant(folder, course, start)
    before = everything_in(course)
    done = run("grade", start, course.root, "tiny", handed_in)
    assert done.returncode in (1, 4), done.stdout + done.stderr
    assert fault.text in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert everything_in(course) == before


COSTLY_AND_FAKED = {"full temporary disk", "null device mode", "null device file",
                    "no null device", "no pidfd", "no temporary folder"}  # fmt: skip


@pytest.mark.parametrize(
    "fault", [fault for fault in FAKED if fault.name in COSTLY_AND_FAKED], ids=lambda f: f.name
)
def test_grade_refuses_on_a_faulty_system(course, tmp_path, handed_in, monkeypatch, fault):
    folder = tmp_path / "planted"
    folder.mkdir()
    before = everything_in(course)
    fault.plant(monkeypatch, course, folder)
    done = CliRunner().invoke(
        cli.main, ["grade", str(course.root), "tiny", str(handed_in), "--allow-weak-sandbox"]
    )
    assert done.exit_code == 1, done.output
    assert fault.text in done.output
    assert everything_in(course) == before


def test_a_fault_that_costs_no_points_keeps_nobody_from_grading(
    course, tmp_path, handed_in, monkeypatch
):
    start = Start()
    missing_folder_for_temporary_files(tmp_path, course, start)
    done = run("grade", start, course.root, "tiny", handed_in, "--allow-weak-sandbox")
    assert "1 graded" in done.stdout, done.stdout + done.stderr
