"""Entries of the class's zip that are not what an archive should have in it."""

import stat
import warnings
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.autograder.hostile.catalogue import Desk, submission


def with_mode(mode: int, content: bytes | None = None):
    """An entry with a mode of Unix, and perhaps another content."""

    def put(archive: ZipFile, name: str, data: bytes) -> None:
        entry = ZipInfo(name)
        entry.external_attr, entry.create_system = mode << 16, 3
        archive.writestr(entry, data if content is None else content)

    return put


def with_header(**changes: object):
    """An entry of whom the archive's directory says what isn't so."""

    def put(archive: ZipFile, name: str, data: bytes) -> None:
        archive.writestr(name, data)
        for field, change in changes.items():
            old = getattr(archive.getinfo(name), field)
            setattr(archive.getinfo(name), field, change(old) if callable(change) else change)

    return put


def beside(*names: str):
    """An entry, and others with the same content under other names."""

    def put(archive: ZipFile, name: str, data: bytes) -> None:
        for other in (name, *names):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of names that are there twice
                archive.writestr(other, data)

    return put


@submission(
    points=6,
    put=beside(
        "../hostile-escaped.ipynb", "/tmp/hostile-escaped.ipynb", "a/../../hostile-escaped.ipynb",
        "..\\hostile-escaped.ipynb", "C:\\hostile-escaped.ipynb", "//host/hostile-escaped.ipynb",
        "paths_that_lead_out/tiny/../../../hostile-escaped.ipynb", "./../hostile-escaped.ipynb",
    ),
)  # fmt: skip
def paths_that_lead_out(desk: Desk):
    """Entries that would be written outside of the archive's folder."""
    return desk.answered()


@submission(
    points=6,
    put=beside(
        "names_for_the_course/tiny/.autograder/secret", "names_for_the_course/gradebook.db",
        "names_for_the_course/nbgrader_config.py", "gradebook.db", ".autograder/secret",
        "nbgrader_config.py", "names_for_the_course/source/tiny/tiny.ipynb",
    ),
)  # fmt: skip
def names_for_the_course(desk: Desk):
    """Entries that are called like the course's own files."""
    return desk.answered(double="SOURCE = 1\ndef double(x):\n    return 2 * x")


@submission(points=0, put=with_mode(stat.S_IFLNK | 0o777, b"/etc/passwd"))
def link_in_an_archive(desk: Desk):
    """A symbolic link in the place of the notebook."""
    return desk.answered()


@submission(points=0, put=with_mode(stat.S_IFCHR | 0o666))
def device_in_an_archive(desk: Desk):
    """A device in the place of the notebook."""
    return desk.answered()


@submission(points=6, put=with_mode(stat.S_IFREG | 0o7777))
def set_uid(desk: Desk):
    """A notebook that would run as root, were it a program and somebody kept its mode."""
    return desk.answered()


@submission(points=6, put=beside("twice_in_the_archive/tiny/tiny.ipynb"))
def twice_in_the_archive(desk: Desk):
    """The same entry twice."""
    return desk.answered()


def wrong_before_right(archive: ZipFile, name: str, data: bytes) -> None:
    archive.writestr(name, b"{")
    beside()(archive, name, data)


@submission(points=6, put=wrong_before_right)
def corrected_in_the_archive(desk: Desk):
    """The same name twice: the later one is what unpacking would leave."""
    return desk.answered()


def bomb(archive: ZipFile, name: str, data: bytes) -> None:
    archive.writestr(name, bytes(1 << 29), ZIP_DEFLATED, 1)


@submission(points=0, put=bomb)
def zip_bomb(desk: Desk):
    """Half a gigabyte of zeros, packed."""
    return b""


@submission(points=0, put=with_header(CRC=lambda old: old ^ 1))
def wrong_checksum(desk: Desk):
    """An entry that was damaged on the way."""
    return desk.answered()


@submission(points=0, put=with_header(compress_size=lambda old: old // 2))
def truncated_entry(desk: Desk):
    """An entry that ends in the middle."""
    return desk.answered()


@submission(points=0, put=with_header(header_offset=lambda old: old + 10))
def misplaced_entry(desk: Desk):
    """An entry that isn't where the directory says."""
    return desk.answered()


@submission(points=0, put=with_header(flag_bits=lambda old: old | 1))
def encrypted_entry(desk: Desk):
    """An entry that wants a password."""
    return desk.answered()


@submission(points=0, put=with_header(compress_type=99))
def unknown_compression(desk: Desk):
    """An entry packed in a way that nobody knows."""
    return desk.answered()


@submission(points=0, put=with_header(file_size=lambda old: old // 2))
def shorter_than_it_is(desk: Desk):
    """An entry whose size is said to be half of what it is."""
    return desk.answered()


@submission(points=6, file="windows\\tiny\\tiny.ipynb")
def path_of_windows(desk: Desk):
    """An archive made by a program that writes backslashes."""
    return desk.answered()


@submission(points=6, put=beside("__MACOSX/littered/tiny/._tiny.ipynb", "littered/.DS_Store"))
def littered(desk: Desk):
    """What file managers leave behind."""
    return desk.answered()


@submission(points=6, file="two_notebooks/first.ipynb", put=beside("two_notebooks/second.ipynb"))
def two_notebooks(desk: Desk):
    """Two notebooks, neither of which has the right name: one is graded, and a human looks."""
    return desk.answered()


@submission(points=6, put=beside("two_with_one_right/scratch.ipynb", "two_with_one_right/x.py"))
def two_with_one_right(desk: Desk):
    """Another notebook beside the one that has the right name."""
    return desk.answered()


def in_a_neighbours_name(archive: ZipFile, name: str, data: bytes) -> None:
    archive.writestr(name, data)
    for other in ("honest_00 /tiny/tiny.ipynb", " honest_01/tiny.ipynb", "honest_02 .ipynb"):
        archive.writestr(other, data.replace(b"2 * x", b"-1 * x"))


@submission(points=6, put=in_a_neighbours_name)
def names_of_neighbours(desk: Desk):
    """Folders that are called like those of others, but for a space."""
    return desk.answered()


@submission(
    points=6, put=beside("x" * 300 + ".ipynb", "a*/tiny.ipynb", "{0}/tiny.ipynb", "?.ipynb")
)
def names_that_are_patterns(desk: Desk):
    """Names that are too long, or that nbgrader would take for patterns."""
    return desk.answered()
