"""Copies of the kernel's own files below /proc, which stand still.

The kernel counts there what the whole machine does: how many files are open, how much memory is
taken, which locks are held. One room could tell another by these counters. So each room sees
copies that were made once: a few files with content, and nothing in the others.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

PREFIX = "/tmp/kernel-"  # of folders with copies, which a room has no other use for
# Programs look here for the number of processors and for the size of the memory.
_COPIED = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version")


def copy(folder: str) -> dict[str, str]:
    """Fill `folder`; return which copy is to cover which file or folder of /proc."""
    empty_file, empty_folder = Path(folder, "file"), Path(folder, "folder")
    empty_file.touch(0o444)
    empty_folder.mkdir(0o555)
    covers = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() or entry.is_symlink():  # a process, or the way to the reader's own
            continue
        cover = empty_folder if entry.is_dir() else empty_file
        if entry.name in _COPIED:
            cover = Path(folder, entry.name)
            cover.write_bytes(Path(entry.path).read_bytes())
            cover.chmod(0o444)
        covers[entry.path] = str(cover)
    return covers


def new_folder() -> str:
    """Make the folder that `copy` is to fill; everybody may pass through it."""
    folder = tempfile.mkdtemp(prefix=os.path.basename(PREFIX), dir=os.path.dirname(PREFIX))
    os.chmod(folder, 0o755)
    return folder
