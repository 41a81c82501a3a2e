"""Read the downloads of learning platforms in their own layouts.

    Moodle       Ada Lovelace_123456_assignsubmission_file_/coin.ipynb, or all of it in one name
    Canvas       lovelaceada_LATE_4711_90001_coin.ipynb, and with anonymous grading
                 anon_aB3dE_90001_coin.ipynb or LATE_anon_aB3dE_90001_coin.ipynb
    Gradescope   submission_98765/coin.ipynb, and submission_metadata.yml, which says whose it is
    Brightspace  12345-67890 - Ada Lovelace - Nov 3, 2026 1023 PM/coin.ipynb, and index.html
    Blackboard   coin_alovelace_attempt_2026-11-03-22-23-00_x.ipynb, and one .txt for each attempt
    ILIAS        coin/Submissions/Lovelace_Ada_alovelace_4711/coin.ipynb, and a table; of teams
                 coin/Submissions/Team 17/Lovelace_Ada_alovelace_4711/coin.ipynb
    Sakai        coin/Lovelace, Ada(ada)/Submission attachment(s)/coin.ipynb, and timestamp.txt

A download counts as a platform's if most of its files have names of that platform's form. The other
files are refused. Text that students typed into a text field is left out.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from autograder.classroom.course import times
from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry
from autograder.classroom.grading.read_notebook import Note
from autograder.wire.text import count_noun

METADATA = "submission_metadata.yml"
MAX_METADATA_BYTES = 64 << 20  # bytes


@dataclass(frozen=True)
class Owner:
    """The student who owns a submission, as the platform describes the student."""

    student: str  # the id in the course, if there is no list of the class
    name: str = ""  # as people write it; Canvas joins last and first name
    number: str = ""  # the platform's number for the student; Moodle has a new one in each set
    email: str = ""
    time: str = ""  # when it was handed in, in UTC, if the platform says so
    late: bool = False  # marked as late, without a time
    unread: str = ""  # the platform's time, if it can't be read
    team: str = ""  # the platform's folder of the team for which the owner handed in


@dataclass(frozen=True)
class Share:
    """The files of one student in a download; their paths begin with the student."""

    owner: Owner
    files: tuple[Entry, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Download:
    """A platform's download by student. The teacher should look at `refused`, not at `remarks`."""

    platform: str
    shares: tuple[Share, ...]
    refused: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class _PlatformFile:
    """One file of one student. If there are several versions, the largest `rank` counts."""

    owner: Owner
    entry: Entry
    inner: tuple[str, ...]
    typed: bool = False  # a text from a text field, not a file
    rank: tuple = ()


def recognise(entries: list[Entry], zone: datetime.tzinfo | None = None) -> Download | None:
    """Return the download, or None if the files are in no platform's layout.

    Times without a zone are in `zone`, by default this machine's. Raises CourseError if the
    file that names the owners is missing, and if folders of teams name no member.
    """
    if any(entry.parts == (METADATA,) for entry in entries):
        return _gradescope(entries)
    if entries and all(re.fullmatch(r"submission_\d+", entry.parts[0]) for entry in entries):
        raise CourseError(
            f"these are Gradescope's folders without their {METADATA}, which names the students: "
            "give the zip as it was downloaded"
        )
    if _is_sakai(entries):
        return _sakai(entries, zone)
    _refuse_unknown_teams(entries)
    brightspace_entries = [entry for entry in entries if entry.parts != ("index.html",)]
    title = _title_in_blackboard(entries)
    for platform, read_entry, candidates in (
        ("Moodle", _moodle, entries),
        ("Canvas", _canvas, entries),
        ("Brightspace", lambda entry: _brightspace(entry, zone), brightspace_entries),
        ("Blackboard", lambda entry: _blackboard(entry, title, zone), entries),
        ("ILIAS", _ilias, [entry for entry in entries if len(entry.parts) > 1]),
    ):
        piece_of = {
            entry: piece for entry in candidates if (piece := _try_reading(read_entry, entry))
        }
        # A student's ambiguous file names don't make the download another platform's.
        unclear_count = sum(_is_unclear(platform, entry, zone) for entry in candidates)
        if 2 * len(piece_of) > len(candidates) - unclear_count:
            unknown_entries = [entry for entry in candidates if entry not in piece_of]
            return _download(
                platform, _without_shared_numbers(list(piece_of.values())), unknown_entries
            )
    return None


def platform_of(entry: Entry) -> str:
    """Return the platform that names single files like this one, or ""."""
    title = _title_in_blackboard([entry])
    readers = {"Moodle": _moodle, "Canvas": _canvas}
    readers |= {"Brightspace": lambda entry: _brightspace(entry, None)}
    readers |= {"Blackboard": lambda entry: _blackboard(entry, title, None)}
    return next(
        (platform for platform, read_entry in readers.items() if _try_reading(read_entry, entry)),
        "",
    )


def _try_reading(
    read_entry: Callable[[Entry], _PlatformFile | None], entry: Entry
) -> _PlatformFile | None:
    """Read a file name that a student may have chosen; return None if it can't be read."""
    try:
        return read_entry(entry)
    except Exception:
        return None


def _is_unclear(platform: str, entry: Entry, zone: datetime.tzinfo | None) -> bool:
    """Return whether the owner or the time of a file could be read in two ways."""
    if platform == "Moodle":
        return _is_unclear_in_moodle(entry.parts[0])
    return platform == "Brightspace" and _is_unclear_in_brightspace(entry, zone)


_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>.*)")


def _is_unclear_in_moodle(name: str) -> bool:
    match = _MOODLE.fullmatch(name)
    return bool(match and _MOODLE.fullmatch(match["rest"]))


def _moodle(entry: Entry) -> _PlatformFile | None:
    match = _MOODLE.fullmatch(entry.parts[0])
    if not match or _is_unclear_in_moodle(entry.parts[0]):
        return None
    file_name = match["rest"].removeprefix("_")
    inner = (*filter(None, [file_name]), *entry.parts[1:])
    name = " ".join(match["name"].split())
    owner = Owner(name, name, match["number"])
    return _PlatformFile(owner, entry, inner or (entry.parts[0],), typed=match["kind"] != "file")


_CANVAS = re.compile(r"(?P<name>[^_/]+)_(?:(?P<late>LATE)_)?(?P<number>\d+)_(?P<rest>.+)")
_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?anon_(?:LATE_)?(?P<number>[A-Za-z0-9]{4,8})_(?P<rest>.+)", re.ASCII
)
_UPLOAD = re.compile(r"(?P<upload>\d+)_(?P<file>.+)")
_TYPED = ("text.html", "link.html", "media.html")


def _canvas(entry: Entry) -> _PlatformFile | None:
    if len(entry.parts) > 1:
        return None
    anonymous_match = _ANONYMOUS.fullmatch(entry.parts[0])
    match = anonymous_match or _CANVAS.fullmatch(entry.parts[0])
    upload = _UPLOAD.fullmatch(match["rest"]) if match else None
    if not match or not (upload or match["rest"] in _TYPED):
        return None
    number, is_late = match["number"], "LATE_" in entry.parts[0][: match.start("number")]
    if anonymous_match:
        owner = Owner(f"anon_{number}", "", number, late=is_late)
    else:
        owner = Owner(number, match["name"], number, late=bool(match["late"]))
    if upload is None:
        return _PlatformFile(owner, entry, (match["rest"],), typed=True)
    # Canvas adds -1, -2 to the name of a file that is handed in again.
    file = re.sub(r"-\d+(\.ipynb)$", r"\1", upload["file"], flags=re.IGNORECASE)
    return _PlatformFile(owner, entry, (file,), rank=(int(upload["upload"]),))


_BRIGHTSPACE = re.compile(
    r"(?P<first>\d+)-(?P<second>\d+) ?- (?P<name>.+?) ?- "
    r"(?P<time>[^-]*\d{4}[^-]*?)(?: - (?P<file>.+))?"
)


_BRIGHTSPACE_FOLDER = re.compile(  # a name may have a time in it: the last is the platform's
    r"(?P<first>\d+)-(?P<second>\d+) ?- (?P<name>.+) ?- (?P<time>[^-]*\d{4}[^-]*)"
)


def _brightspace(entry: Entry, zone: datetime.tzinfo | None) -> _PlatformFile | None:
    if _is_unclear_in_brightspace(entry, zone):
        return None
    is_folder = len(entry.parts) > 1
    match = (_BRIGHTSPACE_FOLDER if is_folder else _BRIGHTSPACE).fullmatch(entry.parts[0])
    if not match:
        return None
    file = None if is_folder else match["file"]
    inner = (*filter(None, [file]), *entry.parts[1:])
    name = " ".join(match["name"].split())
    number = f"{match['first']}-{match['second']}"
    owner = with_time(Owner(name, name, number), _with_colon(match["time"]), zone)
    return _PlatformFile(owner, entry, inner or (entry.parts[0],), rank=(owner.time,))


def _with_colon(time: str) -> str:
    """Return the time with its colon, which a folder's name can't have: 923 PM is 9:23 PM."""
    return re.sub(r"(\d{4},? )(\d\d?)(\d\d)( ?[AP]M)?$", r"\1\2:\3\4", " ".join(time.split()))


def _is_unclear_in_brightspace(entry: Entry, zone: datetime.tzinfo | None) -> bool:
    """Return whether a single file has two times in its name: one may be the student's."""
    nobody = Owner("")
    pieces = entry.parts[0].split(" - ") if len(entry.parts) == 1 else []
    return sum(bool(with_time(nobody, _with_colon(piece), zone).time) for piece in pieces) > 1


_BLACKBOARD = re.compile(
    r"(?P<start>.+?)_attempt_(?P<day>\d{4}-\d\d-\d\d)-(?P<time>\d\d-\d\d-\d\d)"
    r"(?:_(?P<file>.+)|\.txt)"
)


def _title_in_blackboard(entries: list[Entry]) -> str:
    """Return the title of the column: the common start of all file names, before the user's name.

    The title may have a `_` in it, and so may a user's name.
    """
    matches = [_BLACKBOARD.fullmatch(entry.parts[0]) for entry in entries]
    starts = {match["start"] for match in matches if match}
    if len(starts) == 1:
        return next(iter(starts)).rpartition("_")[0] + "_"
    pairs = zip(min(starts, default=""), max(starts, default=""), strict=False)
    common = "".join(
        sign for sign, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)
    )
    return common[: common.rfind("_") + 1]


def _blackboard(entry: Entry, title: str, zone: datetime.tzinfo | None) -> _PlatformFile | None:
    match = _BLACKBOARD.fullmatch(entry.parts[0]) if len(entry.parts) == 1 else None
    user = match["start"].removeprefix(title) if match else ""
    if not match or not user:
        return None
    time = f"{match['day']} {match['time'].replace('-', ':')}"
    owner = with_time(Owner(user, user, user), time, zone)
    inner = (match["file"] or entry.parts[0],)
    return _PlatformFile(owner, entry, inner, typed=not match["file"], rank=(time,))


_ILIAS = re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>.+)_(?P<number>\d+)")
_SUBMISSIONS = ("submissions", "abgaben")
_TEAM_IN_ILIAS = re.compile(r"Team \d+", re.IGNORECASE)
_LATE_IN_ILIAS = re.compile(r"(?:late submission|versp(?:ä|ae|a)tete abgabe) - ", re.IGNORECASE)


def _ilias(entry: Entry) -> _PlatformFile | None:
    if len(entry.parts) < 3 or entry.parts[0].casefold() not in _SUBMISSIONS:
        return None
    team = entry.parts[1] if _TEAM_IN_ILIAS.fullmatch(entry.parts[1]) else ""
    depth = 2 if team else 1  # a team's folder names only the members who handed in a file
    match = _ILIAS.fullmatch(entry.parts[depth])
    if not match or len(entry.parts) < depth + 2:
        return None
    late_prefix = _LATE_IN_ILIAS.match(entry.parts[-1])
    file = entry.parts[-1][late_prefix.end() if late_prefix else 0 :]
    name = f"{match['first']} {match['last']}"
    owner = Owner(match["login"], name, match["number"], late=bool(late_prefix), team=team)
    return _PlatformFile(
        owner, entry, (*entry.parts[depth + 1 : -1], file), rank=(bool(late_prefix),)
    )


def _refuse_unknown_teams(entries: list[Entry]) -> None:
    """Raise CourseError if most files are in ILIAS's folders of teams that name no member.

    A name counts only in a form that `_ilias` can read. Otherwise each team would become a
    student, or all teams together.
    """
    inner_entries = [entry for entry in entries if len(entry.parts) > 1]
    teams = [
        entry
        for entry in inner_entries
        if entry.parts[0].casefold() in _SUBMISSIONS
        and _TEAM_IN_ILIAS.fullmatch(entry.parts[1])
        and not _try_reading(_ilias, entry)
    ]
    if teams and 2 * len(teams) > len(inner_entries):
        raise CourseError(
            f"{quoted(teams[0].name)} is in ILIAS's folder of a team, which names no member as "
            "Lastname_Firstname_login_number. Nothing was graded. Give a folder in which each team "
            "has a folder and, by --groups, a CSV file with the columns student_id and group; the "
            "name of a group is that of its folder"
        )


_SAKAI = re.compile(r"(?P<name>.+)\((?P<login>[^()]+)\)")
_ATTACHMENTS = "Submission attachment(s)"
_SAKAI_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{3}")


def _is_sakai(entries: list[Entry]) -> bool:
    """Return whether most folders have students' files in the subfolder that Sakai uses."""
    folders = {entry.parts[0] for entry in entries if len(entry.parts) > 1}
    student_folders = {
        entry.parts[0]
        for entry in entries
        if len(entry.parts) > 2 and entry.parts[1] == _ATTACHMENTS
    }
    return 2 * sum(bool(_SAKAI.fullmatch(folder)) for folder in student_folders) > len(folders)


def _sakai(entries: list[Entry], zone: datetime.tzinfo | None) -> Download:
    """Return the students' files, without the teacher's comments, points and feedback."""
    stamps = {entry.parts[0]: entry for entry in entries if entry.parts[1:] == ("timestamp.txt",)}
    pieces, unknown_entries = [], []
    for entry in entries:
        match = _SAKAI.fullmatch(entry.parts[0])
        if not match and len(entry.parts) > 1:
            unknown_entries.append(entry)
        elif match and (entry.parts[1:2] == (_ATTACHMENTS,) or _is_typed_in_sakai(entry)):
            owner = Owner(match["login"], match["name"].strip(), match["login"])
            owner = _with_stamp(owner, stamps.get(entry.parts[0]), zone)
            is_typed = _is_typed_in_sakai(entry)
            pieces.append(
                _PlatformFile(owner, entry, entry.parts[2:] or entry.parts[1:], typed=is_typed)
            )
    return _download("Sakai", pieces, unknown_entries)


def _is_typed_in_sakai(entry: Entry) -> bool:
    return len(entry.parts) == 2 and entry.parts[1].endswith("submissionText.html")


def _with_stamp(owner: Owner, stamp: Entry | None, zone: datetime.tzinfo | None) -> Owner:
    """Return the owner with the time in Sakai's file, which is in UTC if it is all digits."""
    if stamp is None:
        return owner
    try:
        text = stamp.read(100).decode("utf-8-sig", "backslashreplace").strip()
    except Exception as error:
        return dataclasses.replace(owner, unread=str(error) or repr(error))
    if match := _SAKAI_TIME.fullmatch(text):
        text = "{}-{}-{} {}:{}:{} UTC".format(*match.groups())
    return with_time(owner, text, zone)


def with_time(owner: Owner, text: str, zone: datetime.tzinfo | None) -> Owner:
    """Return the owner with the time, or with its text in `unread` if it can't be read."""
    try:
        return dataclasses.replace(owner, time=f"{times.exact(text, zone)} UTC")
    except ValueError:
        return dataclasses.replace(owner, unread=text)


def _gradescope(entries: list[Entry]) -> Download:
    metadata = _metadata(next(entry for entry in entries if entry.parts == (METADATA,)))
    pieces, unknown_entries = [], []
    for entry in entries:
        if entry.parts == (METADATA,):
            continue
        record = metadata.get(entry.parts[0])
        try:
            owners = _submitters(entry.parts[0], record) if isinstance(record, dict) else []
        except Exception:  # a value may have a wrong type
            owners = []
        if not owners:
            unknown_entries.append(entry)
        rank = (owners[0].time if owners else "", entry.parts[0])
        pieces += [
            _PlatformFile(owner, entry, entry.parts[1:] or entry.parts, rank=rank)
            for owner in owners
        ]
    return _download("Gradescope", pieces, unknown_entries)


def _metadata(entry: Entry) -> dict:
    """Return the content of the file, with Ruby's objects as plain values."""
    import yaml  # type: ignore[import-untyped]

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    def plain(loader: Any, _: Any, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", plain)
    try:
        content = yaml.load(entry.read(MAX_METADATA_BYTES), Loader)
    except Exception as error:
        raise CourseError(f"{METADATA} of Gradescope can't be read: {error}") from error
    if not isinstance(content, dict):
        raise CourseError(f"{METADATA} of Gradescope lists no submissions")
    return {str(key): value for key, value in content.items()}


def _submitters(folder: str, record: dict) -> list[Owner]:
    """Return the owners of a submission: all members of a group."""
    time = record.get(":created_at")
    if isinstance(time, dict):
        time = time.get("utc") or time.get("time")
    owners = []
    for submitter in record.get(":submitters") or []:
        name, sid, email = (
            str(submitter.get(key) or "").strip() for key in (":name", ":sid", ":email")
        )
        if student := sid or email or name:
            number = folder.removeprefix("submission_")
            owner = Owner(student, name, sid or email or number, email)
            owners.append(with_time(owner, str(time), datetime.UTC) if time else owner)
    return owners


def _without_shared_numbers(pieces: list[_PlatformFile]) -> list[_PlatformFile]:
    """Remove the numbers if two names share one: then they don't identify students."""
    names = defaultdict(set)
    for piece in pieces:
        names[piece.owner.number].add(_fold_name(piece.owner.name))
    if all(len(names_with_number) == 1 for names_with_number in names.values()):
        return pieces
    return [
        dataclasses.replace(piece, owner=dataclasses.replace(piece.owner, number=""))
        for piece in pieces
    ]


def _download(
    platform: str, pieces: list[_PlatformFile], unknown_entries: Iterable[Entry]
) -> Download:
    """Sort the files by owner. Owners with equal names get the platform's number as a suffix."""
    by_owner: dict[tuple[str, str], list[_PlatformFile]] = defaultdict(list)
    for piece in pieces:
        by_owner[_fold_name(piece.owner.student), piece.owner.number].append(piece)
    namesakes = Counter(student for student, _ in by_owner)
    shares, refused, notes = [], [], []
    for (student, number), own_pieces in sorted(by_owner.items()):
        owner = max(own_pieces, key=_rank).owner
        if namesakes[student] > 1:
            owner = dataclasses.replace(owner, student=f"{owner.student}_{number}")
            notes.append(
                f"several students have the name {_name(owner)}; one is now {quoted(owner.student)}"
            )
        files = [piece for piece in own_pieces if not piece.typed]
        if not files:
            refused.append(f"{_name(owner)} typed a text into {platform} and handed in no file")
            continue
        shares.append(_share(owner, files))
    typed_count = sum(piece.typed for piece in pieces)
    if typed_count and platform != "Blackboard":  # Blackboard adds a text to each submission
        notes.append(
            f"texts in {platform}'s text field were left out, {count_noun(typed_count, 'time')}"
        )
    refused += [
        f"{quoted(entry.name)}: this is not how {platform} names files" for entry in unknown_entries
    ]
    return Download(platform, tuple(shares), tuple(refused), tuple(notes))


def _name(owner: Owner) -> str:
    return quoted(owner.name or owner.student)


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _rank(piece: _PlatformFile) -> tuple:
    return piece.rank


def _share(owner: Owner, pieces: list[_PlatformFile]) -> Share:
    """Return the latest version of each file, or the latest submission if each is a folder."""
    latest_piece = max(pieces, key=_rank)
    has_folder = len(latest_piece.entry.parts) > 1  # the platform gives each submission a folder
    if has_folder:
        current_pieces = [
            piece for piece in pieces if piece.entry.parts[0] == latest_piece.entry.parts[0]
        ]
    else:
        by_file: dict[tuple[str, ...], _PlatformFile] = {}
        for piece in sorted(pieces, key=_rank):
            by_file[piece.inner] = piece
        current_pieces = list(by_file.values())
    notes = []
    if len(current_pieces) < len(pieces) and (
        has_folder or any(piece.entry.notebook for piece in pieces)
    ):
        older_names = sorted(piece.entry.name for piece in pieces if piece not in current_pieces)
        text = "Handed in more than once; the latest counts, not "
        text += ", ".join(quoted(name) for name in older_names[:3])
        text += "." if owner.number else ", unless these are two students with one name."
        notes = [Note("older", text, needs_teacher=not owner.number)]
    files = (
        dataclasses.replace(
            piece.entry, parts=(owner.student, *piece.inner), origin=piece.entry.name
        )
        for piece in current_pieces
    )
    return Share(owner, tuple(files), tuple(notes))
