"""Check a whole course: report what is in order, what needs a look, and what is wrong.

The checks change nothing. A check that could not run says so: nothing is well unless it was seen.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.classroom.course import configuration, extensions, lock, required_packages
from autograder.classroom.course.folders import SECRET_BYTES, Course, CourseError, command
from autograder.classroom.course.nbgrader_import import version_of_tables
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.versions import NOTED, differences, installed
from autograder.classroom.gradebook.connection import open_gradebook, readable_errors, upgrade
from autograder.classroom.gradebook.records import OpenGradebook, late_rule
from autograder.classroom.grading import results
from autograder.classroom.intake import collection_record, groups, people
from autograder.classroom.running import machine_faults, status
from autograder.classroom.sets import set_variants
from autograder.classroom.sets.assignment import load, released
from autograder.wire.text import count_noun

WELL, LOOK, WRONG = "well", "look", "wrong"
NOT_RUN = "not run"  # the state of a check that could not run
LOW_DISK_BYTES, TOO_LOW_DISK_BYTES = 2 << 30, machine_faults.MIN_FREE_BYTES  # bytes of a disk
STALE_FILE_SECONDS = 600.0  # the age at which no command is writing a file any more
CLOCK_SECONDS = 600.0  # the clocks of two machines may differ by so much


@dataclass(frozen=True)
class Finding:
    """One thing about a course, and what to do about it."""

    about: str
    state: str
    text: str
    remedy: str = ""

    def as_json(self) -> dict:
        return asdict(self)


def look_over(
    course: Course, sandbox: Any, is_drawn: bool = True, fault: str = ""
) -> list[Finding]:
    """Return all findings. An error while looking is a finding, too.

    `sandbox` is the result of a probe, or None. `is_drawn` says whether the file of drawn formulas
    can be read. `fault` is the result of `self_test.find_fault`, about the processes that grade.
    """
    checks: tuple[tuple[str, Callable[[Course], Iterator[Finding]]], ...] = (
        ("folder", _folder), ("configuration", _configuration), ("configuration", _folders),
        ("gradebook", _gradebook), ("kernel", _kernel),
        ("isolation", lambda _: _isolation(sandbox)), ("processes", lambda _: _processes(fault)),
        ("machine", _machine), ("packages", _packages), ("clock", _clock),
        ("versions", _versions), ("secret", _secret),
        ("disk", _disk), ("exchange", _exchange), ("leftovers", _leftovers), ("work", _work),
        ("class", _class), ("students", _folder_names), ("varied", _varied),
        ("formulas", lambda course: _formulas(course, is_drawn)),
    )  # fmt: skip
    findings: list[Finding] = []
    for topic, check in checks:
        try:
            findings += check(course)
        except (CourseError, OSError) as error:
            findings.append(Finding(topic, WRONG, str(error)))
        except Exception as error:
            findings.append(Finding(topic, WRONG, f"this check failed: {error!r}"))
    return _drop_repeats(findings)


def _drop_repeats(findings: list[Finding]) -> list[Finding]:
    """Return each finding once, in its worst state: one damaged file fails several checks.

    A check of which nothing is left then has the state `NOT_RUN`.
    """
    by_text: dict[str, Finding] = {}
    for finding in findings:
        kept_finding = by_text.get(finding.text)
        if kept_finding is None or (finding.state == WRONG != kept_finding.state):
            by_text[finding.text] = finding
    kept_findings = list(by_text.values())
    topics = {finding.about for finding in kept_findings}
    for finding in findings:
        if finding.about not in topics:
            cause = by_text[finding.text].about
            text = f"this could not be checked, because of what is said about: {cause}"
            kept_findings.append(Finding(finding.about, NOT_RUN, text))
            topics.add(finding.about)
    return kept_findings


def _folder(course: Course) -> Iterator[Finding]:
    mode = stat.S_IMODE(course.root.stat().st_mode)
    if mode & 0o077:
        readers = "everybody" if mode & 0o007 else "your group"
        yield Finding(
            "folder", LOOK, f"{course.root} is open to {readers} on this machine",
            f"chmod 700 {shlex.quote(str(course.root))}, unless others are to grade in it",
        )  # fmt: skip
    for name in course.sets:
        if _released_versions(course, name) is None:
            text = f"students can't get {name}: no notebook can be read in release/{name}"
            yield Finding("folder", LOOK, text, command("release", course.root, name))
    available_sets = [name for name in course.sets if _released_versions(course, name) is not None]
    if available_sets:
        yield Finding("folder", WELL, f"{course.root}: {', '.join(available_sets)} released")
    elif not course.sets:
        remedy = command("release", course.root, "NAME")
        yield Finding("folder", LOOK, f"{course.root}: nothing was released yet", remedy)


def _configuration(course: Course) -> Iterator[Finding]:
    missing_settings = configuration.missing(course)
    for step in missing_settings:
        remedy = f"{command('release', '--adopt', course.root)}, which adds what is missing"
        text = f"{step.setting} lacks {step.ours}: {step.against}"
        yield Finding("configuration", WRONG, text, remedy)
    try:
        late_rule(course)
    except Exception as error:
        yield Finding("configuration", WRONG, f"the rule for late work can't be used: {error!r}")
    if not missing_settings:
        files = ", ".join(map(str, configuration.files(course)))
        yield Finding("configuration", WELL, f"nbgrader grades in two processes ({files})")
    _ = course.zone  # raises CourseError if there is no such time zone


def _folders(course: Course) -> Iterator[Finding]:
    for entry, remedy in configuration.renamed_folders(course):
        text = f"{entry}: only nbgrader's default names of folders are supported"
        yield Finding("configuration", WRONG, text, f"remove that entry and {remedy}")


def _gradebook(course: Course) -> Iterator[Finding]:
    from nbgrader import api
    from sqlalchemy import text

    if (file := _find_missing_gradebook(course)) is not None:  # opening would create it
        if course.sets:
            remedy = "restore it from a backup; without it the points given by hand are lost"
            yield Finding("gradebook", WRONG, f"{file} is missing", remedy)
        else:
            yield Finding("gradebook", NOT_RUN, "there is none yet; `release` makes one")
        return
    with open_gradebook(course) as book, readable_errors(course, "read"):
        version = book.db.execute(text("select version_num from alembic_version")).scalar()
        students, submissions = (  # works on old tables, too, which lack columns
            book.db.query(kind.id).count() for kind in (api.Student, api.SubmittedAssignment)
        )
        known_sets = {name for (name,) in book.db.query(api.Assignment.name)}
    newest = version_of_tables()
    if version != newest:
        yield Finding(
            "gradebook", WRONG, f"its tables are of version {version}, nbgrader's are {newest}",
            upgrade(course),
        )  # fmt: skip
    unknown_sets = sorted(set(course.sets) - known_sets)
    for name in unknown_sets:
        remedy = command("release", course.root, name)
        yield Finding("gradebook", WRONG, f"it doesn't know the released set {name}", remedy)
    summary = f"opens; {count_noun(students, 'student')}, {count_noun(submissions, 'submission')}"
    if version == newest and not unknown_sets:
        yield Finding("gradebook", WELL, f"{summary}, tables {version}")


def _find_missing_gradebook(course: Course) -> Path | None:
    """Return the path of a gradebook that is a file and is missing, or None."""
    prefix = "sqlite:///"
    file = Path(course.database.removeprefix(prefix))
    return file if course.database.startswith(prefix) and not file.exists() else None


def _kernel(course: Course) -> Iterator[Finding]:
    """Check the kernel python3, which nbgrader, formgrader and students must be able to start."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    install = "run 'python -m ipykernel install --sys-prefix'."
    try:
        spec = KernelSpecManager().get_kernel_spec("python3")
    except NoSuchKernel:
        text = "there is no Jupyter kernel called python3"
        yield Finding("kernel", WRONG, text, f"With the Python of the course, {install}")
        return
    program = spec.argv[0]
    if shutil.which(program) is None:  # another folder of kernels may come before Python's
        text = f"the kernel python3 starts {program}, which is missing"
        remedy = f"Remove the folder {spec.resource_dir}; if no kernel is left then, {install}"
        yield Finding("kernel", WRONG, text, remedy)
    else:
        yield Finding("kernel", WELL, f"python3 starts {program}")


def _isolation(sandbox: Any) -> Iterator[Finding]:
    if sandbox is None:
        text = "no sandbox could be tried, because no student process starts"
        yield Finding("isolation", NOT_RUN, text)
        return
    missing = [layer for layer in sandbox.layers if not layer.in_force]
    for layer in missing:
        yield Finding("isolation", WRONG, f"{layer.name}: {layer.explanation}", _sandbox_remedy())
    if not missing:
        names = ", ".join(layer.name for layer in sandbox.layers)
        yield Finding("isolation", WELL, f"the sandbox is complete: {names}")


def _sandbox_remedy() -> str:
    """Return the remedy for an incomplete sandbox."""
    if shutil.which("bwrap") is None:
        return "Install bubblewrap, on Debian by 'apt install bubblewrap', or grade elsewhere."
    return (
        "Allow bubblewrap to use user namespaces, on Ubuntu by 'sysctl -w "
        "kernel.apparmor_restrict_unprivileged_userns=0', in a container by its options; or grade "
        "elsewhere."
    )


def _processes(fault: str) -> Iterator[Finding]:
    if fault:
        yield Finding("processes", WRONG, f"nobody can be graded here: {fault}")
    else:
        yield Finding("processes", WELL, "a right answer gets its points under the limits")


def _machine(course: Course) -> Iterator[Finding]:
    faults = machine_faults.find_faults(has_zone=course.zone is not None)
    for fault in faults:
        yield Finding("machine", WRONG if fault.costs_points else LOOK, fault.text, fault.remedy)
    if not faults:
        text = "null device, temporary files, kernel and time zone are in order"
        yield Finding("machine", WELL, text)


def _packages(course: Course) -> Iterator[Finding]:
    """Look for the packages of the course's requirements.txt, if it has one."""
    if missing := required_packages.find_missing(course):
        text = required_packages.describe_missing(missing)
        yield Finding("packages", WRONG, text, required_packages.install_command(course))
    elif count := len(required_packages.read(course)):
        text = f"{count_noun(count, 'package')} of requirements.txt installed"
        yield Finding("packages", WELL, text)


def _now() -> float:
    return time.time()


def _clock(course: Course) -> Iterator[Finding]:
    """Compare the clock with times that must lie in the past."""
    now = _now()
    remedy = "Set the clock of this machine, for example by 'timedatectl set-ntp true'."
    if now + CLOCK_SECONDS < Path(__file__).stat().st_mtime:
        clock_time = time.strftime("%Y-%m-%d %H:%M", time.gmtime(now))
        text = f"the clock says {clock_time} UTC, which was before this version was installed"
        yield Finding("clock", WRONG, text, remedy)
        return
    latest_time, path = max(_file_times(course), default=(0.0, course.root))
    if latest_time > now + CLOCK_SECONDS:
        text = f"{path} has a time {(latest_time - now) / 3600:.1f} hours in the future"
        note = " If the clock is right, a machine with a wrong clock wrote the file."
        yield Finding("clock", LOOK, text, remedy + note)
    else:
        yield Finding("clock", WELL, "no file of the course has a time in the future")


def _file_times(course: Course) -> Iterator[tuple[float, Path]]:
    """Yield the times of the grader's own files. A teacher's files may come from elsewhere."""
    for path in (course.root / "gradebook.db", *course.private.rglob("*")):
        with contextlib.suppress(OSError):
            yield path.stat().st_mtime, path


def _versions(course: Course) -> Iterator[Finding]:
    own_versions, outdated_sets = installed(), []
    for name in course.sets:
        release_command = command("release", course.root, name)
        released_with = _released_versions(course, name)
        if released_with is None:
            text = f"the versions of {name} can't be compared: release/{name} has no notebook"
            yield Finding("versions", NOT_RUN, text, release_command)
            outdated_sets.append(name)
        elif version_differences := differences(released_with, own_versions):
            yield Finding(
                "versions", LOOK, f"{name} was released with {version_differences}", release_command
            )
            outdated_sets.append(name)
        try:
            load(course, name)
        except CourseError as error:
            yield Finding("versions", LOOK, str(error))
            outdated_sets.append(name)
    if not outdated_sets:
        yield Finding(
            "versions",
            WELL,
            ", ".join(f"{package} {version}" for package, version in own_versions.items()),
        )


def _released_versions(course: Course, name: str) -> dict[str, str] | None:
    """Return the versions noted in the released notebook, or None if there is no notebook."""
    try:
        path = next(iter(sorted(course.released(name).parent.glob("*.ipynb"))))
        return dict(json.loads(path.read_text(encoding="utf-8"))["metadata"].get(NOTED, {}))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def _secret(course: Course) -> Iterator[Finding]:
    path = course.secret_file
    has_results = any(course.root.glob(".autograder/results/*/*.json")) or any(
        course.root.glob("autograded/*/*/*.ipynb")
    )
    if not course.has_secret and has_results:
        text = f"{path} is missing, so submissions that are graded again get other random tests"
        yield Finding("secret", WRONG, text, "restore it from a backup")
    elif not course.has_secret:
        yield Finding("secret", LOOK, "the course has none yet; `release` makes one")
    elif stat.S_IMODE(path.stat().st_mode) & 0o077:
        remedy = f"chmod 600 {shlex.quote(str(path))}"
        yield Finding("secret", WRONG, f"others may read {path}", remedy)
    elif path.stat().st_size < SECRET_BYTES:
        yield Finding("secret", WRONG, f"{path} is damaged", "take it from a backup")
    else:
        yield Finding("secret", WELL, f"{path} is yours alone; keep a copy of it")


def _disk(course: Course) -> Iterator[Finding]:
    free = shutil.disk_usage(course.root).free
    text = f"{free / 2**30:.1f} GiB free where the course is"
    if free < LOW_DISK_BYTES:
        state = WRONG if free < TOO_LOW_DISK_BYTES else LOOK
        remedy = "Free some space: grading writes a few megabytes for each student."
        yield Finding("disk", state, text, remedy)
    else:
        yield Finding("disk", WELL, text)
    if not os.access(course.root, os.W_OK):
        remedy = f"Run 'chmod u+rwx {shlex.quote(str(course.root))}' as its owner; if its disk is "
        remedy += "read-only, copy the course to another one."
        yield Finding("disk", WRONG, f"{course.root} is not writable for you", remedy)


def _exchange(course: Course) -> Iterator[Finding]:
    """Check the exchange: students must be able to hand in there, and not to read others' work."""
    configured_root = course.config.Exchange.get("root", "")
    root = Path(configured_root or "/usr/local/share/nbgrader/exchange")
    remedy = command("exchange", course.root, root)
    is_ours = _has_closed_exchange(course)
    if not configured_root and not root.exists():
        yield Finding("exchange", WELL, "none, and none is configured")
    elif not root.is_dir():
        yield Finding("exchange", WRONG, f"{root} does not exist", remedy)
    elif not is_ours and stat.S_IMODE(root.stat().st_mode) & 0o777 != 0o777:
        mode = f"{stat.S_IMODE(root.stat().st_mode):o}"
        text = f"{root} has the mode {mode}: students can't hand in there"
        yield Finding("exchange", WRONG, text, remedy)
    elif not course.config.CourseDirectory.get("course_id", ""):
        text = f"{root} exists, but the course has no name in it"
        yield Finding("exchange", LOOK, text, "set c.CourseDirectory.course_id")
    elif is_ours:
        yield from _closed_exchange(course, root)
    else:
        text = f"everybody on this machine can write to {root}"
        yield Finding("exchange", LOOK, text, remedy)


def _has_closed_exchange(course: Course) -> bool:
    """Return whether the configuration has settings of `autograder exchange`."""
    if not course.config.ExchangeFactory:
        return False
    from autograder.classroom.course import exchange  # only systems with groups have this module

    return exchange.is_made_for(course) or exchange.has_settings(course)


def _closed_exchange(course: Course, root: Path) -> Iterator[Finding]:
    """Check an exchange that `autograder exchange` made."""
    from autograder.classroom.course import exchange

    remedy = exchange.command_for(course, root)
    faults = list(exchange.find_faults(course, root))
    for fault in faults:
        yield Finding("exchange", WRONG, fault, remedy)
    if not exchange.is_made_for(course):
        text = "nbgrader collects without looking at who owns a submission"
        yield Finding("exchange", WRONG, text, remedy)
    elif not exchange.has_settings(course):
        text = "nbgrader does not read the settings for all users, so students can't hand in"
        settings = shlex.quote(str(root / exchange.SETTINGS_FILE))
        yield Finding("exchange", WRONG, text, f"sudo cp {settings} /etc/jupyter")
    elif not faults:
        yield Finding("exchange", WELL, f"{root}, as {course.course_id}")


def _leftovers(course: Course) -> Iterator[Finding]:
    """Find files of an interrupted command. They do no harm: the next run completes its work."""
    holder, is_active = lock.holder(course)
    if is_active:
        yield Finding("leftovers", LOOK, f"{holder or 'another command'} is at work now")
    elif holder is not None:
        advice = f"autograder {holder.command.split()[0]} continues where it stopped"
        yield Finding("leftovers", LOOK, f"{holder} was interrupted", advice)
    unfinished_paths = [
        path for path in course.root.rglob(".new-*") if path.is_file() and _is_old(path)
    ]
    if unfinished_paths:
        text = f"{len(unfinished_paths)} half-written files, for example {unfinished_paths[0]}"
        yield Finding("leftovers", LOOK, text, "they can be removed")
    if not (is_active or holder or unfinished_paths):
        yield Finding("leftovers", WELL, "none")


def _work(course: Course) -> Iterator[Finding]:
    """Compare students' work with its results, autograded notebooks and the gradebook."""
    if not course.sets:
        yield Finding("work", NOT_RUN, "nothing was released yet, so there is no work")
        return
    is_well = True
    for name in course.sets:
        grade = command("grade", course.root, name)
        try:
            without_points = _find_without_points(course, name)
        except (CourseError, OSError):  # the finding about the gradebook or the class says why
            is_well, without_points = False, []
            text = f"the points of {name} could not be compared with the gradebook's"
            yield Finding("work", NOT_RUN, text)
        for problem, students, remedy in (
            ("were collected and not graded", results.ungraded(course, name), grade),
            ("have changed since they were graded", status.changed(course, name), grade),
            ("have no notebook in autograded", results.incomplete(course, name), grade),
            ("were graded under an earlier release", _outdated(course, name), grade),
            ("were graded, but have no submission in the gradebook", without_points, _REGRADE),
            (
                "were graded, but have no files in the folder submitted any more",
                status.gone(course, name),
                _RESTORE,
            ),
        ):
            if students:
                is_well = False
                yield Finding("work", LOOK, f"{len(students)} of {name} {problem}", remedy)
    if is_well:
        yield Finding("work", WELL, "all collected work is graded, and none has changed since")


def _find_without_points(course: Course, name: str) -> list[str]:
    """Return the students with a result of which the gradebook knows nothing.

    Raises CourseError if the gradebook can't be read.
    """
    if (file := _find_missing_gradebook(course)) is not None:
        raise CourseError(f"{file} is missing")
    with OpenGradebook(course, name) as gradebook:
        known_students = gradebook.arrivals().keys()
    graded_results = [result for result in results.find_all(course, name) if not result.not_graded]
    return [result.student for result in graded_results if result.student not in known_students]


_REGRADE = "grade the set again, which writes them into the gradebook"
_RESTORE = "restore it from a backup; the points stay"


def _outdated(course: Course, name: str) -> list[str]:
    return status.outdated(course, released(course, name))


def _class(course: Course) -> Iterator[Finding]:
    """Check the course's data about the class. Reading damaged data raises an error."""
    class_list, is_well = people.load_list(course), True
    for name in course.sets:
        for read_data in (groups.find, extensions.read_ends, collection_record.find_refused):
            try:
                read_data(course, name)
            except CourseError as error:
                is_well = False
                yield Finding("class", WRONG, str(error))
        if collection_record.is_damaged(course, name):
            text = f"{course.collected(name)} is damaged: the record of late work is lost"
            is_well = False
            yield Finding("class", LOOK, text, "grade the platform's download once more")
    students = count_noun(len(class_list), "student")
    if is_well:
        yield Finding("class", WELL, f"{students} on its list" if class_list else "it has no list")


def _is_old(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime > STALE_FILE_SECONDS
    return False


def _folder_names(course: Course) -> Iterator[Finding]:
    """Find students with the name of a folder of the course or of a problem set."""
    folders = {*configuration.FOLDERS, "course", course.root.name}
    names = {path.name for path in (course.root / "submitted").glob("*/")}
    names |= {student for name in course.sets for student in collection_record.find(course, name)}
    suspects = sorted(names & ({*course.sources, *course.sets} | folders))
    for suspect in suspects:
        remedy = command("remove", course.root, suspect)
        yield Finding("students", LOOK, f"{quoted(suspect)} may be a folder, not a student", remedy)
    if any(collection_record.is_damaged(course, name) for name in course.sets):
        text = "the names of students who handed in can't all be read"
        yield Finding("students", NOT_RUN, text)
    elif not suspects:
        yield Finding("students", WELL, f"{len(names)} handed in")


def _varied(course: Course) -> Iterator[Finding]:
    """Check the values drawn for sets. Without them a set can't be released or varied again."""
    names, is_well = set_variants.names(course), True
    for name in names:
        try:
            if students := _find_without_notebook(course, name):
                is_well = False
                text = f"{name}: no notebook was written for {', '.join(students)}"
                yield Finding("varied", LOOK, text, command("release", course.root, name))
        except CourseError as error:
            is_well = False
            yield Finding("varied", WRONG, str(error))
    if is_well:
        yield Finding("varied", WELL, ", ".join(names) or "no problem set was varied")


def _find_without_notebook(course: Course, name: str) -> list[str]:
    """Return the students on the class list without a notebook of a set with variants.

    Raises CourseError if the record of the set's values is damaged.
    """
    if not set_variants.find_choices(course, name) or name not in course.sets:
        return []
    students = (person.student for person in people.load_list(course))
    return [
        quoted(student)
        for student in students
        if not course.released_to(student, name).parent.is_dir()
    ]


def _formulas(course: Course, is_drawn: bool) -> Iterator[Finding]:
    if not is_drawn:
        remedy = f"rm -r {shlex.quote(str(course.formulas))}; the next pages make it again"
        text = f"{course.formulas} is damaged: formulas are drawn once more for pages"
        yield Finding("formulas", LOOK, text, remedy)
