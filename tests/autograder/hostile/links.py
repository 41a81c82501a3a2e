"""Files in the class's folder that lead elsewhere, or are no files."""

import os
import socket
from pathlib import Path

from tests.autograder.hostile.catalogue import Desk, submission


def link_to(find):
    """A symbolic link to what `find` says, given the path of the link."""

    def put(path: Path, data: bytes) -> None:
        path.symlink_to(find(path))

    return put


def course_of(path: Path) -> Path:
    """The course's folder, which lies beside the class's."""
    return next(folder for folder in path.parents if (folder / "course").exists()) / "course"


@submission(points=0, put=link_to(lambda path: course_of(path) / "source/tiny/tiny.ipynb"))
def link_to_the_solution(desk: Desk):
    """The teacher's own notebook is handed in, by a link to it."""
    return b""


@submission(points=0, put=link_to(lambda path: path.parents[2] / "honest_00/tiny/tiny.ipynb"))
def link_to_a_neighbour(desk: Desk):
    """A neighbour's work is handed in, by a link to it."""
    return b""


@submission(points=0, put=link_to(lambda path: "/dev/zero"))
def link_to_a_device(desk: Desk):
    """A link to what has no end."""
    return b""


@submission(points=0, put=link_to(lambda path: path))
def link_to_itself(desk: Desk):
    """A link that leads to itself."""
    return b""


@submission(
    points=0,
    file="linked_folder/tiny",
    put=link_to(lambda path: course_of(path) / "source/tiny"),
)
def linked_folder(desk: Desk):
    """The teacher's folder is handed in, by a link to it."""
    return b""


def loop_of_folders(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    (path.parent / "again").symlink_to(path.parent)


@submission(points=6, put=loop_of_folders)
def folder_within_itself(desk: Desk):
    """A folder that is in itself, beside a right answer."""
    return desk.answered()


@submission(points=0, put=lambda path, data: os.mkfifo(path))
def pipe(desk: Desk):
    """A pipe, from which reading never ends."""
    return b""


def bind(path: Path, data: bytes) -> None:
    where = os.getcwd()
    os.chdir(path.parent)  # a socket's address is short
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(path.name)
    os.chdir(where)


@submission(points=0, put=bind)
def unix_socket(desk: Desk):
    """A socket in the place of the notebook."""
    return b""


@submission(points=0, put=lambda path, data: path.mkdir())
def folder_called_like_a_notebook(desk: Desk):
    """A folder in the place of the notebook."""
    return b""


def sparse(path: Path, data: bytes) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


@submission(points=0, put=sparse)
def terabyte(desk: Desk):
    """A file that is a terabyte long and takes no room."""
    return b""


@submission(points=6, put=lambda path, data: (path.write_bytes(data), path.chmod(0o7755)))
def set_uid_file(desk: Desk):
    """A notebook that is a program of root's."""
    return desk.answered()
