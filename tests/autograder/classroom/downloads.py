"""Downloads of learning platforms, made as the platforms make them."""

from __future__ import annotations

import datetime
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Turned:
    """What one student handed in: files by name. `number` is the platform's for the student."""

    first: str
    last: str
    number: int
    files: dict[str, bytes]
    time: str = "2026-10-31 10:00:00"  # in UTC
    late: bool = False  # as Canvas marks it

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        return f"{self.first}.{self.last}.{self.number}@example.org".lower()


def moodle(path: Path, turned: list[Turned], typed: tuple[Turned, ...] = ()) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for one in turned:
            for name, data in one.files.items():
                folder = f"{one.name}_{one.number}_assignsubmission_file_"
                archive.writestr(f"{folder}/{name}", data)
        for one in typed:
            folder = f"{one.name}_{one.number}_assignsubmission_onlinetext_"
            archive.writestr(f"{folder}/onlinetext.html", "<p>done</p>")
    return path


def canvas(path: Path, turned: list[Turned], typed: tuple[Turned, ...] = ()) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for upload, one in enumerate(turned, start=90_001):
            letters = "".join(c for c in f"{one.last}{one.first}".lower() if c.isalnum())
            late = "LATE_" if one.late else ""
            for name, data in one.files.items():
                archive.writestr(f"{letters}_{late}{one.number}_{upload}_{name}", data)
        for one in typed:
            archive.writestr(f"{one.last}{one.first}_{one.number}_text.html".lower(), "done")
    return path


def brightspace(path: Path, turned: list[Turned]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("index.html", "<html></html>")
        for one in turned:
            at = datetime.datetime.fromisoformat(one.time)
            hour = at.hour % 12 or 12
            when = f"{at:%b} {at.day}, {at.year} {hour}{at:%M %p}"
            for name, data in one.files.items():
                archive.writestr(f"{one.number}-67890 - {one.name} - {when}/{name}", data)
    return path


def gradescope(path: Path, turned: list[Turned]) -> Path:
    metadata = ""
    with zipfile.ZipFile(path, "w") as archive:
        for one in turned:
            folder = f"submission_{7_000_000 + one.number}"
            metadata += (
                f"{folder}:\n  :submitters:\n  - :name: {one.name}\n    :sid: '{one.number}'\n"
                f"    :email: {one.email}\n"
                "  :created_at: !ruby/object:ActiveSupport::TimeWithZone\n"
                f"    utc: {one.time}.527460000 Z\n"
                "    zone: !ruby/object:ActiveSupport::TimeZone\n"
                f"      name: Etc/UTC\n    time: {one.time}.527460000 Z\n  :score: 0.0\n"
            )
            for name, data in one.files.items():
                archive.writestr(f"assignment_42_export/{folder}/{name}", data)
        archive.writestr("assignment_42_export/submission_metadata.yml", metadata)
    return path
