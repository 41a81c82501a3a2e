"""A file is written whole, and what is no file stays what it is."""

import os
import socket
import stat
import threading

import pytest

from autograder.classroom.course.folders import write_atomically

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")


@pytest.fixture
def null(tmp_path):
    """A device as /dev/null is one."""
    path = tmp_path / "null"
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    path.chmod(0o666)
    return path


def state(path):
    return stat.filemode(path.lstat().st_mode)


@needs_root
@pytest.mark.parametrize("is_link", [False, True])
def test_a_device_stays_a_device_with_its_rights(null, tmp_path, is_link):
    path = tmp_path / "link" if is_link else null
    if is_link:
        path.symlink_to(null)
    write_atomically(path, "points")
    assert state(null) == "crw-rw-rw-"
    assert path.is_symlink() == is_link
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link"] * is_link + ["null"]


def test_a_pipe_gets_the_content(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    write_atomically(path, "points")
    reader.join(10)
    assert read == ["points"]
    assert state(path).startswith("p")


def test_a_socket_is_refused(tmp_path):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(path))
        with pytest.raises(OSError, match="a disk or a socket"):
            write_atomically(path, "points")


def test_a_link_to_a_file_is_replaced_and_the_file_left_alone(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o600)
    link.symlink_to(file)
    write_atomically(link, "after")
    assert (file.read_text(), state(file)) == ("before", "-rw-------")
    assert (link.read_text(), state(link)) == ("after", "-rw-r--r--")
