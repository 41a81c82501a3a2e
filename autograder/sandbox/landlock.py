"""Landlock, Linux's sandbox without privileges: a process limits itself permanently.

After that it can open only the named files, and can't signal, trace or read other processes. With
bubblewrap it isn't needed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, with these numbers everywhere
_TELL_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE, _DEVICE = (1 << bit for bit in (0, 1, 2, 3, 14, 15))
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | _DEVICE
# Rights on files, rights on the network and scopes, by the first version that handles them.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: _DEVICE}
_NETWORK_RIGHTS = {4: 3}  # to bind and to connect
_SCOPES = {6: 3}  # abstract sockets, signals
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the kernel's version of Landlock, or 0 if it is missing or turned off."""
    return max(0, _libc.syscall(_CREATE, None, 0, _TELL_VERSION))


def fence_in(own: str, readable: Iterable[str]) -> list[str]:
    """Permanently limit writes to the folder `own`, and other reads and programs to `readable`.

    Returns the layers in force: "disk", and in newer kernels "signals", which can't reach other
    processes. Before that, the process must have set that it can't gain privileges.
    """
    kernel_version = version()
    if not kernel_version:
        return []
    files, network, scopes = (
        sum(right for first_version, right in rights.items() if first_version <= kernel_version)
        for rights in (_FILE_RIGHTS, _NETWORK_RIGHTS, _SCOPES)
    )
    attributes = struct.pack("QQQ", files, network, scopes)
    length = 24 if scopes else 16 if network else 8
    rules = _libc.syscall(_CREATE, attributes, length, 0)
    if rules < 0:
        return []
    _allow(rules, own, files)
    for path in readable:
        _allow(rules, path, _READ | _LIST | _EXECUTE)
    for path in _DEVICES:
        _allow(rules, path, files & (_READ | _WRITE | _TRUNCATE | _DEVICE))
    is_refused = _libc.syscall(_RESTRICT, rules, 0)
    os.close(rules)
    if is_refused:
        return []
    return ["disk", "signals"] if scopes else ["disk"]


def _allow(rules: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):
        place = os.open(path, os.O_PATH)
        rights &= ~0 if os.path.isdir(path) else _OF_FILES
        _libc.syscall(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, place), 0)
        os.close(place)
