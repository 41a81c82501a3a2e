"""Make copies of the kernel's files below /proc, which don't change any more.

In these files the kernel shows the state of the whole machine: the number of open files, the used
memory, the locks. A student process could send messages to another one by these counters. So each
student process sees copies that were made once: a few files with content, and empty ones.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

PREFIX = "/tmp/kernel-"  # of folders with copies
# Programs look here for the number of processors and for the size of the memory.
_COPIED = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version")


def copy(folder: str) -> dict[str, str]:
    """Fill `folder`; return the copy that covers each file or folder of /proc."""
    empty_file, empty_folder = Path(folder, "file"), Path(folder, "folder")
    empty_file.touch(0o444)
    empty_folder.mkdir(0o555)
    covers = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() or entry.is_symlink():  # a process, or a link to the reader's own
            continue
        cover = empty_folder if entry.is_dir() else empty_file
        if entry.name in _COPIED:
            cover = Path(folder, entry.name)
            cover.write_bytes(Path(entry.path).read_bytes())
            cover.chmod(0o444)
        covers[entry.path] = str(cover)
    return covers


def new_folder() -> str:
    """Make the folder for `copy`; everybody may enter it."""
    folder = tempfile.mkdtemp(prefix=os.path.basename(PREFIX), dir=os.path.dirname(PREFIX))
    os.chmod(folder, 0o755)
    return folder
