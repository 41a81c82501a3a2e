"""Write the zip of a problem set from which Gradescope makes its autograder.

Gradescope unpacks it to /autograder/source, runs `setup.sh` once, and for each submission
`run_autograder`. See its documentation, "Autograder Specifications".
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import distribution
from pathlib import Path

from autograder.classroom.course import required_packages
from autograder.classroom.course.folders import Course, CourseError, command, write_atomically
from autograder.classroom.releasing.release import release
from autograder.classroom.sets.assignment import Assignment
from autograder.wire.contract import Limits

SETTINGS = "settings.json"
EXTRA = "teach"  # the extra whose packages grading needs
PACKAGES = ("autograder", "dplab")
SCRIPT_RIGHTS, FILE_RIGHTS = 0o755, 0o644
_OWN_GRADEBOOK = '\n\nc.CourseDirectory.db_url = ""  # of the course on Gradescope\n'

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder.
set -eu
apt-get update
apt-get install -y bubblewrap
for version in 3.13 3.12 3.11; do
  if apt-get install -y "python$version" "python$version-venv"; then break; fi
done
"python$version" -m venv /autograder/python
/autograder/python/bin/pip install -r /autograder/source/requirements.txt
PYTHONPATH=/autograder/source/packages /autograder/python/bin/python -m autograder --version
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope copies this file to /autograder, and runs it there for each submission.
set -eu
root="$(cd "$(dirname "$0")" && pwd)"
export PYTHONPATH="$root/source/packages"
exec "$root/python/bin/python" -m autograder.gradescope.run "$root"
"""


def write_zip(
    course: Course, assignment: Assignment, limits: Limits, weak_allowed: bool, path: Path
) -> None:
    """Write the zip for a released problem set, readable for the teacher alone.

    It has the hidden tests and the course's secret, with which a submission gets the same points
    there as here. Raises CourseError if the path is a folder, or if each student has a variant.
    """
    if assignment.variants is not None:
        raise CourseError(
            f"{assignment.name!r} has a variant for each student, drawn from the id on the class "
            "list. Gradescope knows students by their e-mail addresses alone, so it can't tell "
            "whose variant to use. Download the submissions from Gradescope and grade them here, "
            f"or run: {command('vary', course.root, assignment.name, '--common')}"
        )
    if path.is_dir():
        raise CourseError(f"{path} is a folder; name a file in it")
    settings = {"name": assignment.name, "weak_allowed": weak_allowed, "limits": asdict(limits)}
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".new-{path.name}")
    new.touch(mode=0o600)
    try:
        with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, "setup.sh", SETUP, SCRIPT_RIGHTS)
            _add(archive, "run_autograder", RUN, SCRIPT_RIGHTS)
            _add(
                archive,
                "requirements.txt",
                "\n".join([*requirements(), *required_packages.read(course), ""]),
            )
            _add(archive, SETTINGS, json.dumps(settings, indent=1))
            for name, content in (*_packages(), *_course_files(course, assignment)):
                _add(archive, name, content)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def requirements() -> list[str]:
    """Return what pip must install for grading: the library's needs, and those of its extra."""
    lines = distribution("dplab").requires or []
    extras, names = set[str](), {"", EXTRA}
    while names:  # an extra may name another one of ours
        extras |= names
        ours = [re.match(r"dplab\[([\w,-]+)\]", line) for line in lines if _extra_of(line) in names]
        names = {name for match in ours if match for name in match[1].split(",")} - extras
    own = [line for line in lines if _extra_of(line) in extras and not line.startswith("dplab[")]
    return [line.split(";")[0].strip() for line in own]


def _extra_of(line: str) -> str:
    """Return the extra that a requirement belongs to; "" if all installations have it."""
    match = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", line)
    return match[1] if match else ""


def _packages() -> Iterator[tuple[str, bytes]]:
    """Yield the files of our packages, and the text by which Python knows their version."""
    for package in PACKAGES:
        (folder,) = map(Path, importlib.import_module(package).__path__)
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"packages/{package}/{file.relative_to(folder).as_posix()}", file.read_bytes()
    installed = distribution("dplab")
    metadata = installed.read_text("METADATA") or ""
    yield f"packages/dplab-{installed.version}.dist-info/METADATA", metadata.encode()


def _course_files(course: Course, assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a course with this problem set alone, and with no student in it.

    Its gradebook is new. Raises CourseError if another version of the grader released the set.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Course.at(Path(folder) / "course")
        course.secret()  # made now if the course has none yet
        paths = [course.secret_file, course.varied(assignment.name)]
        paths += [course.config_file, course.config_file.with_suffix(".json")]
        for path in paths:
            if path.exists():
                write_atomically(copy.root / path.relative_to(course.root), path.read_bytes())
        with copy.config_file.open("a", encoding="utf-8") as configuration:
            configuration.write(_OWN_GRADEBOOK)
        shutil.copytree(course.source(assignment.name).parent, copy.source(assignment.name).parent)
        if release(copy, assignment.name).digest != assignment.digest:
            name = command("release", course.root, assignment.name)
            raise CourseError(f"another version of dplab released {assignment.name}; run: {name}")
        for file in sorted(copy.root.rglob("*")):
            if file.is_file() and file not in (copy.lock, copy.formulas):
                yield f"course/{file.relative_to(copy.root).as_posix()}", file.read_bytes()


def _add(
    archive: zipfile.ZipFile, name: str, content: str | bytes, rights: int = FILE_RIGHTS
) -> None:
    """Add a file of 1980: the same files give the same zip."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | rights) << 16
    archive.writestr(entry, content)
