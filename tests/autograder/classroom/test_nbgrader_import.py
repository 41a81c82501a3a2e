"""nbgrader without what grading never uses is still nbgrader."""

import subprocess
import sys

SCRIPT = """
import sys, tarfile
from pathlib import Path
from autograder.classroom.course import nbgrader_import
from nbgrader import api, utils

heavy = {"jsonschema", "nbformat", "notebook", "requests", "setuptools"}
print(*sorted(heavy & set(sys.modules)))

Path("inside.txt").write_text("here")
with tarfile.open("archive.tar", "w") as archive:
    archive.add("inside.txt", "unpacked.txt")
utils.unpack_archive("archive.tar", ".")
print(Path("unpacked.txt").read_text())

import nbgrader.auth.jupyterhub as hub
print(issubclass(hub.requests.ConnectionError, OSError))

import nbformat, nbformat.notebooknode
rules = {"grade": True, "solution": True, "points": 2}
cell = nbformat.v4.new_code_cell("1", metadata={"nbgrader": rules})
same = nbgrader_import.from_dict(dict(cell))
print(type(cell) is nbformat.notebooknode.NotebookNode)
print(utils.determine_grade(same) == utils.determine_grade(cell) == (None, 2))
"""


def test_what_is_left_out_comes_when_it_is_asked_for(tmp_path):
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["", "here", "True", "True", "True"]


def test_a_grammar_of_web_addresses_is_never_loaded(tmp_path):
    """jsonschema from 4.25 on imports this package if it can, and that takes seconds."""
    (tmp_path / "rfc3987_syntax.py").write_text("print('loaded')")
    script = (
        "from autograder.classroom.course import nbgrader_import\n"
        "from nbgrader.preprocessors import ClearSolutions\n"
        "try: import rfc3987_syntax\n"
        "except ImportError: print('left out')"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert (done.stdout, done.stderr) == ("left out\n", "")
