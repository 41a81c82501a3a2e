"""A student's folder: the lessons, an index of them, the problem sets as students get them.

    FOLDER/index.ipynb              the parts of the course, and the progress in each
    FOLDER/05_randomized_response.ipynb ...
    FOLDER/ps03/ps03.ipynb ...      without solutions and hidden tests
    FOLDER/library/dplab/           the library's text, to be read; the installed library runs

The folder can be laid out again when the course has changed. Files that the student has not touched
are updated, and files with the student's own text stay. `.dplab.json` keeps the digests of the
files as they were laid out.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import CourseError, write_atomically
from autograder.desk import student_sets
from autograder.sandbox.layers import ONE_THREAD

_HERE = Path(__file__).resolve().parents[1]
_LESSONS = (_HERE / "course", _HERE.parent / "course")  # in a wheel, in the repository
_LIBRARY = _HERE.parent / "dplab"
_SUFFIXES = (".ipynb", ".md", ".png", ".svg", ".py")
_NOT_FOR_STUDENTS = (  # notes, what builds the site, and pictures of the README
    "images/grading/", "images/moving/", "teachers/", "site/",
)  # fmt: skip
_DIGESTS_FILE = ".dplab.json"
_SETTINGS = ".jupyter"
_LAB = {  # JupyterLab without nbgrader's menus for teachers, and without a question about news
    "page_config": {"disabledExtensions": {"@jupyter/nbgrader": True}},
    "default_setting_overrides": {
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}
    },
}
# An option of the command, not a file in the folder, which another version may open.
# The shell that Jupyter chooses is a login shell, which may forget where `autograder` is.
_SHELL = (f"--ServerApp.terminado_settings=shell_command={os.environ.get('SHELL') or 'sh'}",)
LAB_OPTIONS = (
    "--ServerApp.kernel_websocket_connection_class=autograder.desk.no_delay.NoDelay",
    "--AsyncMappingKernelManager.kernel_manager_class=autograder.desk.kernels.CountingKernelManager",
    *(_SHELL if os.name == "posix" else ()),
)
ALLOW_ROOT = "--allow-root"  # the option without which JupyterLab doesn't start as root


@dataclass(frozen=True)
class StudentFolder:
    """A student's folder, and the paths in it of files that are new, updated or kept."""

    folder: Path
    new: tuple[str, ...]
    updated: tuple[str, ...]
    kept: tuple[str, ...]

    @property
    def index(self) -> Path:
        return self.folder / "index.ipynb"


def lay_out(folder: Path) -> StudentFolder:
    """Put the course into `folder`, and touch nothing that the student has written.

    Raises CourseError if the folder holds something else.
    """
    folder = Path(folder).expanduser().resolve()
    source_digest, old_digests = _read_digests(folder)
    new_source_digest = _digest_of_sources()
    if source_digest == new_source_digest and all((folder / path).exists() for path in old_digests):
        return StudentFolder(folder, (), (), ())
    if not old_digests:
        _write_digests(folder, "", {})  # marks the folder as ours, even if this is interrupted
    paths_by_fate: dict[str, list[str]] = {"new": [], "updated": [], "kept": []}
    digests = {}
    for path, content in _files():
        target = folder / path
        digests[path] = hashlib.sha256(content).hexdigest()
        digest_there = hashlib.sha256(target.read_bytes()).hexdigest() if target.exists() else None
        if digest_there == digests[path]:
            continue
        if digest_there is not None and digests[path] == old_digests.get(path):
            continue  # the student's own text, made from the newest version
        if digest_there not in (None, old_digests.get(path)):
            paths_by_fate["kept"].append(path)
            digests[path] = old_digests.get(path, "")
            continue
        write_atomically(target, content)
        paths_by_fate["new" if digest_there is None else "updated"].append(path)
    _write_digests(folder, new_source_digest, digests)
    return StudentFolder(folder, *(tuple(paths) for paths in paths_by_fate.values()))


def _write_digests(folder: Path, source_digest: str, digests: dict[str, str]) -> None:
    text = json.dumps({"made from": source_digest, "files": digests}, indent=1)
    write_atomically(folder / _DIGESTS_FILE, text)


def _read_digests(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the digest of the sources and of each file when the folder was last laid out.

    The record may be damaged, or lost in copying, as hidden files are. Then each file that differs
    from the newest version counts as the student's.
    """
    path = folder / _DIGESTS_FILE
    if path.exists():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            record = json.loads(path.read_text(encoding="utf-8"))
            return str(record["made from"]), dict(record["files"])
        return "", {}
    is_ours = (folder / "library" / "dplab").is_dir()
    if folder.exists() and not is_ours and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} holds something else; name a new folder for the course")
    return "", {}


def _digest_of_sources() -> str:
    """Return a digest of all sources of a folder, and of Python, whose version notebooks name."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in (_lessons(), student_sets.folder(), _LIBRARY, _HERE):
        for path in sorted(path for path in folder.rglob("*.*") if path.suffix in _SUFFIXES):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _lessons() -> Path:
    for folder in _LESSONS:
        if folder.is_dir():
            return folder
    raise CourseError("this installation has no lessons; install dplab from its repository")


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield a student's files: paths in the folder, with a slash on every system, and contents."""
    for path in sorted(_lessons().rglob("*")):
        name = path.relative_to(_lessons()).as_posix()
        if name.startswith((".", *_NOT_FOR_STUDENTS)) or "/." in name:
            continue
        if path.suffix == ".ipynb":
            yield name, _localize(path.read_text(encoding="utf-8"))
        elif path.suffix in (".png", ".svg"):
            yield name, path.read_bytes()
        elif path.suffix == ".md":
            yield name, _localize_links(path.read_text(encoding="utf-8")).encode("utf-8")
    for name, content in student_sets.files():
        yield name, _localize(content.decode("utf-8")) if name.endswith(".ipynb") else content
    for path in sorted(_LIBRARY.rglob("*.py")):
        yield f"library/dplab/{path.relative_to(_LIBRARY).as_posix()}", path.read_bytes()
    for name, settings in _LAB.items():
        yield f"{_SETTINGS}/labconfig/{name}.json", json.dumps(settings).encode("utf-8")


def _localize(text: str) -> bytes:
    """Return a notebook with links that stay in the folder, and with JupyterLab's metadata.

    JupyterLab adds this metadata when it opens a notebook. Without it, a lesson that was only
    looked at would count as changed.
    """
    from ipykernel.ipkernel import IPythonKernel

    notebook = json.loads(_localize_links(text))
    notebook["metadata"]["language_info"] = dict(IPythonKernel.language_info)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _localize_links(text: str) -> str:
    """Turn links from the lessons to other parts of the repository into links in the folder."""
    text = re.sub(r"\]\(\.\./assignments/", "](", text)
    return re.sub(r"\]\(\.\./dplab/", "](library/dplab/", text)


def open_lab(laid: StudentFolder, options: Sequence[str] = ()) -> int:
    """Start JupyterLab at the index, without nbgrader's menus for teachers; return its status.

    `options` are more options of JupyterLab.
    """
    command = [sys.executable, "-m", "jupyterlab", str(laid.index), *LAB_OPTIONS, *options]
    return subprocess.call(command, env=lab_environment(laid.folder), cwd=laid.folder)


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def lab_environment(folder: Path) -> dict[str, str]:
    """Return the environment of JupyterLab, its terminals and its cells.

    The bare name `autograder` works there, even if nobody has activated its environment. Explorers
    compute little: a second core helps the browser more.
    """
    inherited = os.environ
    program_path = [sysconfig.get_path("scripts"), *filter(None, [inherited.get("PATH")])]
    config_path = [str(folder / _SETTINGS), *filter(None, [inherited.get("JUPYTER_CONFIG_PATH")])]
    settings = {
        "PATH": os.pathsep.join(program_path),
        "JUPYTER_CONFIG_PATH": os.pathsep.join(config_path),
    }
    return ONE_THREAD | dict(inherited) | settings
