"""A student's folder: the lessons, an index of them, the problem sets as students get them.

    FOLDER/index.ipynb              what there is, and how far one is
    FOLDER/05_randomized_response.ipynb ...
    FOLDER/ps03/ps03.ipynb ...      without solutions and hidden tests
    FOLDER/library/dplab/           the library's text, to be read; what runs is what is installed

It can be laid out again when the course has changed: what the student has not touched is brought up
to date, and what she has written stays. `.dplab.json` keeps the digests of the files as they were
laid out.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.folders import CourseError, write_atomically
from autograder.desk import sets
from autograder.sandbox.layers import ONE_THREAD

_HERE = Path(__file__).resolve().parents[1]
_LESSONS = (_HERE / "course", _HERE.parent / "course")  # in a wheel, in the repository
_LIBRARY = _HERE.parent / "dplab"
_SUFFIXES = (".ipynb", ".md", ".png", ".svg", ".py")
_NOT_FOR_STUDENTS = ("images/grading/", "teachers/", "site/")  # notes, and what builds the site
_KEPT = ".dplab.json"
_SETTINGS = ".jupyter"
_LAB = {  # JupyterLab without nbgrader's menus for teachers, and without a question about news
    "page_config": {"disabledExtensions": {"@jupyter/nbgrader": True}},
    "default_setting_overrides": {
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}
    },
}
# Said when it starts, not kept in the folder, which another version may open.
# A shell of its own choice is started as a login shell, which may forget where `autograder` is.
_SHELL = (f"--ServerApp.terminado_settings=shell_command={os.environ.get('SHELL') or 'sh'}",)
LAB_OPTIONS = (
    "--ServerApp.kernel_websocket_connection_class=autograder.desk.no_delay.NoDelay",
    *(_SHELL if os.name == "posix" else ()),
)


@dataclass(frozen=True)
class Laid:
    """What became of a student's folder: paths in it, of files new, brought up to date, kept."""

    folder: Path
    new: tuple[str, ...]
    updated: tuple[str, ...]
    kept: tuple[str, ...]

    @property
    def index(self) -> Path:
        return self.folder / "index.ipynb"


def lay_out(folder: Path) -> Laid:
    """Put the course into `folder`; nothing that the student has written is touched.

    Raises CourseError for a folder that holds something else.
    """
    folder = Path(folder).expanduser().resolve()
    made_from, before = _kept(folder)
    now = _digest_of_sources()
    if made_from == now and all((folder / path).exists() for path in before):
        return Laid(folder, (), (), ())
    if not before:
        _keep(folder, "", {})  # the folder is ours from now on, also where this is interrupted
    what: dict[str, list[str]] = {"new": [], "updated": [], "kept": []}
    digests = {}
    for path, content in _files():
        there = folder / path
        digests[path] = hashlib.sha256(content).hexdigest()
        found = hashlib.sha256(there.read_bytes()).hexdigest() if there.exists() else None
        if found == digests[path]:
            continue
        if found is not None and digests[path] == before.get(path):
            continue  # what she wrote, into what is still the newest
        if found not in (None, before.get(path)):
            what["kept"].append(path)
            digests[path] = before.get(path, "")
            continue
        write_atomically(there, content)
        what["new" if found is None else "updated"].append(path)
    _keep(folder, now, digests)
    return Laid(folder, *(tuple(paths) for paths in what.values()))


def _keep(folder: Path, made_from: str, digests: dict[str, str]) -> None:
    text = json.dumps({"made from": made_from, "files": digests}, indent=1)
    write_atomically(folder / _KEPT, text)


def _kept(folder: Path) -> tuple[str, dict[str, str]]:
    """What was laid out the last time: the digest of what it was made from, and of each file.

    Where that is damaged or was lost, as hidden files are in copying, nothing is known: all that
    isn't as we would lay it out now counts as hers.
    """
    kept = folder / _KEPT
    if kept.exists():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            found = json.loads(kept.read_text(encoding="utf-8"))
            return str(found["made from"]), dict(found["files"])
        return "", {}
    is_ours = (folder / "library" / "dplab").is_dir()
    if folder.exists() and not is_ours and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} holds something else; the course needs a folder of its own")
    return "", {}


def _digest_of_sources() -> str:
    """Of all that a folder is made from, Python included: notebooks name its version."""
    total = hashlib.sha256(sys.version.encode())
    for folder in (_lessons(), sets.folder(), _LIBRARY, _HERE):
        for path in sorted(path for path in folder.rglob("*.*") if path.suffix in _SUFFIXES):
            total.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def _lessons() -> Path:
    for folder in _LESSONS:
        if folder.is_dir():
            return folder
    raise CourseError("this installation has no lessons: install dplab from its repository")


def _files() -> Iterator[tuple[str, bytes]]:
    """All of a student's folder: paths in it, with a slash on every system, and contents."""
    for path in sorted(_lessons().rglob("*")):
        name = path.relative_to(_lessons()).as_posix()
        if name.startswith((".", *_NOT_FOR_STUDENTS)) or "/." in name:
            continue
        if path.suffix == ".ipynb":
            yield name, _at_home(path.read_text(encoding="utf-8"))
        elif path.suffix in (".png", ".svg"):
            yield name, path.read_bytes()
        elif path.suffix == ".md":
            yield name, _with_links_inside(path.read_text(encoding="utf-8")).encode("utf-8")
    for name, content in sets.files():
        yield name, _at_home(content.decode("utf-8")) if name.endswith(".ipynb") else content
    for path in sorted(_LIBRARY.rglob("*.py")):
        yield f"library/dplab/{path.relative_to(_LIBRARY).as_posix()}", path.read_bytes()
    for name, settings in _LAB.items():
        yield f"{_SETTINGS}/labconfig/{name}.json", json.dumps(settings).encode("utf-8")


def _at_home(text: str) -> bytes:
    """A notebook with links that stay in the folder, and with the metadata that JupyterLab would
    give it on opening: without them a lesson that was only looked at counts as changed.
    """
    from ipykernel.ipkernel import IPythonKernel

    notebook = json.loads(_with_links_inside(text))
    notebook["metadata"]["language_info"] = dict(IPythonKernel.language_info)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _with_links_inside(text: str) -> str:
    """Links from the folder of lessons to other parts of the repository, as they are here."""
    text = re.sub(r"\]\(\.\./assignments/", "](", text)
    return re.sub(r"\]\(\.\./dplab/", "](library/dplab/", text)


def open_lab(laid: Laid) -> int:
    """Start JupyterLab at the index, without the menus of nbgrader's teachers; its exit status."""
    command = [sys.executable, "-m", "jupyterlab", *LAB_OPTIONS, str(laid.index)]
    return subprocess.call(command, env=lab_environment(laid.folder), cwd=laid.folder)


def lab_environment(folder: Path) -> dict[str, str]:
    """The environment of JupyterLab, its terminals and its cells: `autograder` is found there by
    its bare name, also where nobody has activated the environment that it is installed in. What
    explorers compute is small: a second core would rather help the browser.
    """
    before = os.environ
    programs = [sysconfig.get_path("scripts"), *filter(None, [before.get("PATH")])]
    search = [str(folder / _SETTINGS), *filter(None, [before.get("JUPYTER_CONFIG_PATH")])]
    added = {"PATH": os.pathsep.join(programs), "JUPYTER_CONFIG_PATH": os.pathsep.join(search)}
    return ONE_THREAD | dict(before) | added
