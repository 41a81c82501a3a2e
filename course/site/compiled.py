"""Compiled modules in an archive, beside their text.

Python in the browser keeps nothing: it compiles what it imports anew, every time that it starts,
and that is half of its start. `compile.mjs` runs this in the Python that is to import them, since
one version of Python can't use what another has compiled.
"""

from __future__ import annotations

import importlib.util
import marshal
import zipfile
from collections.abc import Container
from pathlib import Path

_NEVER_CHECKED = (1).to_bytes(4, "little")  # against its text, of which unpacking changes the time


def add_compiled(archive: Path, root: str, imported: Container[str]) -> None:
    """Add what those modules of an archive compile to whose files, under `root`, are `imported`.

    From a wheel they are unpacked, and from the standard library's .zip imported as they lie there.
    """
    with zipfile.ZipFile(archive, "a") as files:
        for name in files.namelist():
            if name.endswith(".py") and (path := f"{root}/{name}") in imported:
                unpacked = importlib.util.cache_from_source(name)
                entry = zipfile.ZipInfo(f"{name}c" if archive.suffix == ".zip" else unpacked)
                entry.compress_type = zipfile.ZIP_DEFLATED
                files.writestr(entry, _compiled(files.read(name), path))


def _compiled(text: bytes, path: str) -> bytes:
    code = compile(text, path, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + _NEVER_CHECKED + importlib.util.source_hash(text)
    return head + marshal.dumps(code)
