"""Wheels for Python in a browser: dplab with what lessons and test cells import, and some others.

No installer and no network: the course's own wheel is made of the modules at hand, another's of the
files that are installed, so that a browser runs the versions that the lessons are run with.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

from dplab.data.shipped import FILES, TABLES, shipped

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ("comm", "ipywidgets", "msgpack", "sqlglot")  # not, or not always, in Pyodide's own
CAN_DO_WITHOUT = ("msgpack",)  # its compiled parts, for which it has a substitute
PARTS = ("dplab", "autograder/checks", "autograder/wire")  # what lessons and test cells import
_COMPILED = (".so", ".pyd", ".dylib", ".pyc")
_PLAIN = b"Wheel-Version: 1.0\nGenerator: dplab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
NEEDS = ("numpy", "scipy", "matplotlib", "pandas", *OTHERS)


class NotPlainPython(ValueError):
    """An installed package has compiled parts, which no browser can load."""


def course_wheel(folder: Path) -> Path:
    """Write dplab's wheel for browsers into `folder`: the library, its tables, the checks."""
    name = f"dplab-{version('dplab')}"
    files = dict(_modules())
    files |= {
        f"dplab/data/{TABLES.name}/{table}": shipped(table).read_bytes() for table in sorted(FILES)
    }
    needs = "".join(f"Requires-Dist: {package}\n" for package in NEEDS)
    files[f"{name}.dist-info/METADATA"] = (
        f"Metadata-Version: 2.1\nName: dplab\nVersion: {version('dplab')}\n{needs}".encode()
    )
    files[f"{name}.dist-info/WHEEL"] = _PLAIN
    return _write(folder / f"{name}-py3-none-any.whl", files, f"{name}.dist-info/RECORD")


def installed_wheel(package: str, folder: Path) -> Path:
    """Write the wheel of an installed package in plain Python. Raises NotPlainPython."""
    found = distribution(package)
    files = dict(_installed(found))
    compiled = [name for name in files if Path(name).suffix in _COMPILED]
    if compiled and package not in CAN_DO_WITHOUT:
        raise NotPlainPython(f"{package} {found.version} has {compiled[0]}, which no browser loads")
    info = next(name for name in files if name.endswith(".dist-info/RECORD")).rpartition("/")[0]
    for name in (f"{info}/RECORD", *compiled):
        del files[name]
    files[f"{info}/WHEEL"] = _PLAIN
    path = folder / f"{package}-{found.version}-py3-none-any.whl"
    return _write(path, files, f"{info}/RECORD")


def _modules() -> Iterator[tuple[str, bytes]]:
    yield "autograder/__init__.py", (ROOT / "autograder" / "__init__.py").read_bytes()
    for part in PARTS:
        for path in sorted(p for p in (ROOT / part).rglob("*.*") if p.suffix not in _COMPILED):
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _installed(found: Distribution) -> Iterator[tuple[str, bytes]]:
    """The files of a package that are imported, or say what it is; no scripts, nothing compiled."""
    for file in found.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            yield file.as_posix(), Path(str(found.locate_file(file))).read_bytes()


def _write(path: Path, files: dict[str, bytes], record: str) -> Path:
    """The same files give the same bytes: the site's copy changes only with them."""
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            digest = (
                base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            )
            lines.append(f"{name},sha256={digest},{len(content)}\n")
            archive.writestr(_entry(name), content)
        archive.writestr(_entry(record), "".join([*lines, f"{record},,\n"]))
    return path


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # of 1980
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
