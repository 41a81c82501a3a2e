"""Make nbgrader's exchange without a folder that everybody can read and write, and check it.

nbgrader asks for an exchange with the mode 777. Here the folder of a course has an owner, a group
of graders, and perhaps a group of students. A submission can be read by its student and by the
graders. The students' group protects the course's folder, and the graders' group all below it.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.wire.text import count_noun

ROOT_MODE = 0o755
COURSE_MODE, CLOSED_COURSE_MODE = 0o755, 0o750  # without and with a group of students
# Others can put a submission into `inbound` without listing it, and can read feedback whose secret
# name they know. The sticky bit keeps a submission from being renamed or removed by others.
MODES = {"outbound": 0o2755, "inbound": 0o3773, "feedback": 0o2751}
SUBMISSION_MODE = 0o770
COLLECT = "autograder.classroom.intake.checked_collect.CheckedCollect"
SETTINGS_FILE = "nbgrader_config.py"
_COURSE_SETTING = f"""
# Added by `autograder exchange`: collect each submission for the user who owns it, without links.
c = get_config()  # noqa: F821 - defined where nbgrader reads this file
c.ExchangeFactory.collect = "{COLLECT}"
"""
_SETTINGS = '''"""nbgrader's settings for all users of this machine. Copy this file to /etc/jupyter.

`autograder exchange` wrote it. With these settings students and graders need no exchange that
everybody can write to, and a student's work can be read by that student and the graders alone.
"""

import os

from nbgrader.exchange import default


class _AnyRoot:
    """Accept an exchange whose own folder is not writable for all."""

    def ensure_root(self):
        pass


class FetchAssignment(_AnyRoot, default.ExchangeFetchAssignment):
    def copy_files(self):
        super().copy_files()
        self.set_perms(self.dest_path, fileperms=0o600, dirperms=0o700)


class Submit(_AnyRoot, default.ExchangeSubmit):
    def copy_files(self):
        super().copy_files()
        submission = os.path.join(self.inbound_path, self.assignment_filename)
        os.chmod(submission, {submission_mode:#o})  # for the student and the graders


class FetchFeedback(_AnyRoot, default.ExchangeFetchFeedback):
    pass


class List(_AnyRoot, default.ExchangeList):
    pass


class ReleaseAssignment(_AnyRoot, default.ExchangeReleaseAssignment):
    pass


class ReleaseFeedback(_AnyRoot, default.ExchangeReleaseFeedback):
    pass


class Collect(_AnyRoot, default.ExchangeCollect):
    pass


c = get_config()  # noqa: F821 - defined where nbgrader reads this file
c.Exchange.root = {root!r}
c.ExchangeFactory.fetch_assignment = FetchAssignment
c.ExchangeFactory.submit = Submit
c.ExchangeFactory.fetch_feedback = FetchFeedback
c.ExchangeFactory.list = List
c.ExchangeFactory.release_assignment = ReleaseAssignment
c.ExchangeFactory.release_feedback = ReleaseFeedback
c.ExchangeFactory.collect = Collect
'''


@dataclass(frozen=True)
class Owners:
    """The user and the groups of a course's folder in the exchange."""

    user: int
    graders: int
    students: int | None  # None: all users of the machine can fetch and hand in

    @classmethod
    def find(cls, course: Course, graders: str | None, students: str | None) -> Owners:
        """Return the owner of the course folder, and the groups with these names.

        Without a name, the graders' group is the main group of the course's owner. Raises
        CourseError if a group doesn't exist, or if the groups would not work.
        """
        user = course.root.stat().st_uid
        account = _account(user)
        graders_id = _group_id(graders) if graders else account.pw_gid
        owners = cls(user, graders_id, _group_id(students) if students else None)
        owners._check_groups(account.pw_name)
        return owners

    def _check_groups(self, user: str) -> None:
        if self.students is None:
            return
        students = _group_name(self.students)
        if self.students == self.graders:
            raise CourseError(
                f"{students} can't be the group of both the students and the graders: the "
                "students could read all submissions. Name another group with --graders"
            )
        if outside := sorted(members(self.graders) - members(self.students) - {user}):
            commands = "; ".join(f"usermod -aG {students} {name}" for name in outside)
            raise CourseError(
                f"graders must be in the group {students}, too, or they can't enter the course's "
                f"folder in the exchange. Run as root: {commands}"
            )


def _account(user: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(user)
    except KeyError:
        raise CourseError(
            f"the course belongs to the user with the number {user}, and this machine has no such "
            "user; give it to one as root with: chown -R"
        ) from None


def _group_id(name: str) -> int:
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        raise CourseError(
            f"there is no group {name!r} on this machine; make it as root with: groupadd {name}"
        ) from None


def _group_name(group: int) -> str:
    try:
        return grp.getgrgid(group).gr_name
    except KeyError:
        return str(group)


def members(group: int) -> set[str]:
    """Return the names of the users in a group, also of those whose main group it is."""
    names = {account.pw_name for account in pwd.getpwall() if account.pw_gid == group}
    with contextlib.suppress(KeyError):
        names.update(grp.getgrgid(group).gr_mem)
    return names


def make(course: Course, root: Path, graders: str | None, students: str | None) -> Owners:
    """Make the course's folder in the exchange with its rights, and the settings for all users.

    An exchange that is there already gets the rights, and so do the submissions in it. Raises
    CourseError if the course has no name, or if the rights can't be set.
    """
    root = root.expanduser().resolve()
    owners = Owners.find(course, graders, students)
    name = _prepare_course(course)
    try:
        is_new = not root.exists()
        root.mkdir(parents=True, exist_ok=True)
        if is_new or stat.S_IMODE(root.stat().st_mode) & 0o022:
            root.chmod(ROOT_MODE)
        _make_folders(root / name, owners)
        text = _SETTINGS.format(root=str(root), submission_mode=SUBMISSION_MODE)
        write_atomically(root / SETTINGS_FILE, text)
    except PermissionError as error:
        raise CourseError(
            f"{error.filename or root}: you may not set these rights; run this command as root"
        ) from error
    return owners


def warn_of_readers(owners: Owners) -> list[str]:
    """Return a warning if the graders' group has others in it than the course's owner."""
    others = sorted(members(owners.graders) - {_user_name(owners.user)})
    if not others:
        return []
    return [
        f"{', '.join(others)} can read all submissions, as members of the group "
        f"{_group_name(owners.graders)}; if they are no graders, name another group with --graders"
    ]


def describe(owners: Owners) -> Iterator[str]:
    """Yield lines that say who can do what in the exchange."""
    user = _user_name(owners.user)
    yield f"release, collect: {user}"
    yield f"read submissions: {user} and the group {_group_name(owners.graders)}"
    if owners.students is None:
        yield "fetch, hand in:   all users of this machine"
    else:
        yield f"fetch, hand in:   the group {_group_name(owners.students)}"


def _make_folders(folder: Path, owners: Owners) -> None:
    """Make the four folders, first closed to all others, and then with their rights."""
    for path in (folder, *(folder / name for name in MODES)):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise CourseError(f"{path} is a link or a file; take it away")
        if path.exists() and path.stat().st_uid not in (owners.user, os.geteuid()):
            raise CourseError(
                f"{path} belongs to {_user_name(path.stat().st_uid)}, and the course to "
                f"{_user_name(owners.user)}; move the folder away and give the command again"
            )
        path.mkdir(mode=0o700, exist_ok=True)
    close_submissions(folder / "inbound", owners.graders)
    for name, mode in MODES.items():
        _set_rights(folder / name, owners.user, owners.graders, mode)
    if owners.students is None:
        _set_rights(folder, owners.user, owners.graders, COURSE_MODE)
    else:
        _set_rights(folder, owners.user, owners.students, CLOSED_COURSE_MODE)


def _set_rights(path: Path, user: int, group: int, mode: int) -> None:
    os.chown(path, user, group, follow_symlinks=False)
    path.chmod(mode)  # after `chown`, which takes the bit for the group away
    if stat.S_IMODE(path.stat().st_mode) != mode:
        raise PermissionError(0, "the system takes bits of the mode away", str(path))


def _user_name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def close_submissions(inbound: Path, graders: int) -> None:
    """Take the rights of others to submissions away, and give the folders to the graders' group."""
    for path, mode, group in open_submissions(inbound, graders):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise PermissionError(error.errno, error.strerror, str(path)) from error
        try:
            if group != graders:
                os.fchown(handle, -1, graders)
            os.fchmod(handle, mode & ~0o7007 | 0o070)
        finally:
            os.close(handle)


def open_submissions(inbound: Path, graders: int) -> Iterator[tuple[Path, int, int]]:
    """Yield path, mode and group of each submission that others may use, or graders may not."""
    for path in sorted(inbound.iterdir()):
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode):
            continue
        mode = stat.S_IMODE(status.st_mode)
        if mode & 0o007 or status.st_gid != graders:
            yield path, mode, status.st_gid


def _prepare_course(course: Course) -> str:
    """Return the course's name in the exchange, and let its configuration check submissions.

    A configuration is a program. If root gives the command, it runs as the course's owner.
    """
    user = course.root.stat().st_uid
    if os.geteuid() != 0 or user == 0:
        return prepare(course)
    account = _account(user)
    groups = os.getgrouplist(account.pw_name, account.pw_gid)
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(course.root)],
        user=user, group=account.pw_gid, extra_groups=groups,
        env=os.environ | {"HOME": account.pw_dir, "USER": account.pw_name}, cwd="/",
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        raise CourseError(done.stderr.strip() or f"{account.pw_name} can't run {sys.executable}")
    return _check_course_name(done.stdout.strip().splitlines()[-1:], course)


def prepare(course: Course) -> str:
    """Return the course's name, and add the setting for `collect` to its configuration."""
    name = course.config.CourseDirectory.get("course_id", "")
    _check_course_name([name] if name else [], course)
    if course.config.ExchangeFactory.get("collect", "") != COLLECT:
        path = course.config_file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
        write_atomically(path, text + _COURSE_SETTING, mode=mode)
    return name


def _check_course_name(names: list[str], course: Course) -> str:
    if not names:
        raise CourseError(
            f"the course has no name in the exchange: write c.CourseDirectory.course_id = "
            f"'{course.root.name}', or another name, into {course.config_file}"
        )
    (name,) = names
    if not isinstance(name, str) or name.startswith(".") or "/" in name or "\0" in name:
        raise CourseError(f"c.CourseDirectory.course_id = {name!r} can't be a folder's name")
    return name


def command_for(course: Course, root: Path) -> str:
    """Return the command that makes this exchange, for a shell, with the groups it has now."""
    words = ["autograder", "exchange", str(course.root), str(root)]
    folder = root / course.course_id
    if folder.is_dir() and stat.S_IMODE(folder.stat().st_mode) == CLOSED_COURSE_MODE:
        words += ["--students", _group_name(folder.stat().st_gid)]
    return shlex.join(words)


def is_made_for(course: Course) -> bool:
    """Return whether the course's configuration says that this module made its exchange."""
    return bool(course.config.ExchangeFactory.get("collect", "") == COLLECT)


def find_faults(course: Course, root: Path) -> Iterator[str]:
    """Yield a sentence for each wrong right in the exchange, and for missing settings."""
    folder = root / course.course_id
    if stat.S_IMODE(root.stat().st_mode) & 0o022:
        yield f"{root} is not only for its owner to write to"
    if not folder.is_dir():
        yield f"{folder} does not exist"
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode not in (COURSE_MODE, CLOSED_COURSE_MODE):
        yield f"{folder} has the mode {mode:o}, and should have {COURSE_MODE:o}"
    for name, expected in MODES.items():
        path = folder / name
        if not path.is_dir() or path.is_symlink():
            yield f"{path} does not exist"
        elif (found_mode := stat.S_IMODE(path.stat().st_mode)) != expected:
            yield f"{path} has the mode {found_mode:o}, and should have {expected:o}"
    yield from _find_open_work(folder, mode == CLOSED_COURSE_MODE)


def _find_open_work(folder: Path, is_closed: bool) -> Iterator[str]:
    inbound = folder / "inbound"
    if not inbound.is_dir() or not os.access(inbound, os.R_OK | os.X_OK):
        return
    graders = inbound.stat().st_gid
    if is_closed and graders == folder.stat().st_gid:
        yield f"the group {_group_name(graders)} can enter the course and read all submissions"
    if paths := [path for path, *_ in open_submissions(inbound, graders)]:
        count = count_noun(len(paths), "submission")
        yield f"the rights of {count} are too wide, for example of {paths[0]}"


def has_settings(course: Course) -> bool:
    """Return whether nbgrader, as the course loads it, has the settings for all users."""
    return bool(getattr(course.config.ExchangeFactory.get("submit"), "__name__", "") == "Submit")


if __name__ == "__main__":
    try:
        print(prepare(Course.at(sys.argv[1])))
    except (CourseError, OSError) as failure:
        sys.exit(str(failure))
