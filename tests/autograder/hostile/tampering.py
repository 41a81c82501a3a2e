"""Submissions whose file, archive entry, cells or metadata are not what they should be."""

import io
import json
import zipfile

from tests.autograder.hostile.catalogue import WRONG, Desk, cell_of, own_cell, submission
from tests.autograder.tiny_assignment import as_bytes

TESTS = ("double_small", "double_negative", "mean_of_three")


def marks_of(notebook: dict) -> list[dict]:
    """nbgrader's marks of each cell that has some."""
    found = (cell["metadata"].get("nbgrader") for cell in notebook["cells"])
    return [marks for marks in found if marks]


@submission(points=3)
def points_raised(desk: Desk):
    """Each cell claims to be worth a thousand points, the imports too."""
    notebook = desk.answered(double=WRONG)
    for marks in marks_of(notebook):
        marks |= {"points": 1000, "grade": True}
    return notebook


@submission(points=3)
def points_that_are_none(desk: Desk):
    """Points that are negative, infinite, text or a list."""
    notebook = desk.answered(double=WRONG)
    odd = [-5, "1000", [], None, True, 1e308, {}]
    for marks, points in zip(marks_of(notebook), odd, strict=False):
        marks["points"] = points
    return notebook


@submission(points=6)
def points_that_are_no_json(desk: Desk):
    """NaN and infinity, which Python reads although JSON has none."""
    notebook = desk.answered()
    for marks in marks_of(notebook):
        marks["points"] = float("inf")
    return json.dumps(notebook).encode()


@submission(points=3)
def own_graded_cell(desk: Desk):
    """A cell of the student's own claims to be a test worth a thousand points."""
    notebook = desk.answered(double=WRONG)
    marks = {"grade": True, "grade_id": "bonus", "points": 1000, "locked": True, "solution": False}
    marks |= {"schema_version": 3, "cell_type": "code", "task": False}
    notebook["cells"].append(own_cell("code", "1000") | {"metadata": {"nbgrader": marks}})
    return notebook


@submission(points=3)
def tests_emptied(desk: Desk):
    """The tests' text is gone, their marks are there."""
    notebook = desk.answered(double=WRONG)
    for name in TESTS:
        cell_of(notebook, name)["source"] = ""
    return notebook


@submission(points=3)
def tests_rewritten(desk: Desk):
    """The tests assert what is true, and give points."""
    notebook = desk.answered(double=WRONG)
    for name in TESTS:
        cell_of(notebook, name)["source"] = "assert True\n1000"
    return notebook


@submission(points=3)
def tests_deleted(desk: Desk):
    """There are no tests any more."""
    notebook = desk.answered(double=WRONG)
    notebook["cells"] = [c for c in notebook["cells"] if "assert" not in c["source"]]
    return notebook


@submission(points=3)
def tests_made_text(desk: Desk):
    """The tests have become cells of text."""
    notebook = desk.answered(double=WRONG)
    for name in TESTS:
        cell_of(notebook, name)["cell_type"] = "markdown"
    return notebook


@submission(points=3)
def tests_made_answers(desk: Desk):
    """The tests' marks say that they are answers to be graded by hand."""
    notebook = desk.answered(double=WRONG)
    for name in TESTS:
        marks = cell_of(notebook, name)["metadata"]["nbgrader"]
        marks |= {"solution": True, "locked": False, "task": True, "cell_type": "markdown"}
    return notebook


@submission(points=3)
def tests_twice(desk: Desk):
    """Each test a second time, emptied, before and behind the first."""
    notebook = desk.answered(double=WRONG)
    copies = [json.loads(json.dumps(cell_of(notebook, name))) for name in TESTS]
    empty = [cell | {"source": "pass"} for cell in copies]
    notebook["cells"] = [*empty, *notebook["cells"], *empty]
    return notebook


@submission(points=6)
def tests_first(desk: Desk):
    """The tests stand before the answers that they examine."""
    notebook = desk.answered()
    notebook["cells"].sort(key=lambda cell: "assert" not in cell["source"])
    return notebook


@submission(points=6)
def cells_reversed(desk: Desk):
    """The whole notebook stands upside down."""
    notebook = desk.answered()
    notebook["cells"].reverse()
    return notebook


@submission(points=6)
def answers_twice(desk: Desk):
    """An answer, and behind it the stub with the same name, as copying leaves it."""
    notebook = desk.answered()
    stub = json.loads(json.dumps(cell_of(desk.released, "double")))
    notebook["cells"].append(stub)
    return notebook


@submission(points=3)
def answer_deleted(desk: Desk):
    """The cell of an answer is gone."""
    notebook = desk.answered()
    notebook["cells"].remove(cell_of(notebook, "double"))
    return notebook


@submission(points=6)
def marks_exchanged(desk: Desk):
    """Answers of each other's names: both functions are defined all the same."""
    notebook = desk.answered()
    first, second = (cell_of(notebook, name) for name in ("double", "mean"))
    first["metadata"], second["metadata"] = second["metadata"], first["metadata"]
    notebook["cells"].append(own_cell("code", f"{first['source']}\n{second['source']}"))
    for name in ("double", "mean"):
        cell_of(notebook, name)["source"] += "\n" + desk.solutions[name]
    return notebook


@submission(points=3)
def test_called_like_an_answer(desk: Desk):
    """A test's mark is given to an empty cell, and the test's text to nobody."""
    notebook = desk.answered(double=WRONG)
    marks = cell_of(notebook, "double_small")["metadata"]
    notebook["cells"].remove(cell_of(notebook, "double_small"))
    notebook["cells"].insert(0, own_cell("code", "pass") | {"metadata": marks})
    return notebook


@submission(points=6)
def identifiers_gone(desk: Desk):
    """The marks are there and have no names."""
    notebook = desk.answered()
    for marks in marks_of(notebook):
        marks["grade_id"] = ""
    return notebook


@submission(points=6)
def identifiers_that_are_none(desk: Desk):
    """Names that are numbers, lists, paths or patterns."""
    notebook = desk.answered()
    odd = [5, [], None, "../../x", "*", "\x00", "x" * 10**5, {"a": 1}]
    for marks, name in zip(marks_of(notebook), odd, strict=False):
        marks["grade_id"] = name
    return notebook


@submission(points=6)
def schema_of_the_future(desk: Desk):
    """Marks of a version that nbgrader doesn't know."""
    notebook = desk.answered()
    for number, marks in enumerate(marks_of(notebook)):
        marks["schema_version"] = [99, 1, "three", None, -1, {}][number % 6]
    return notebook


@submission(points=6)
def imports_rewritten(desk: Desk):
    """The locked imports were changed into something that breaks what follows."""
    notebook = desk.answered()
    cell_of(notebook, "imports")["source"] = "raise SystemExit\nnp = None"
    return notebook


@submission(points=6)
def marks_of_other_types(desk: Desk):
    """Metadata that are lists, numbers and text."""
    notebook = desk.answered()
    notebook["metadata"] = ["x"]
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = ([], "x", 5, None, {"nbgrader": "x"}, {"nbgrader": [1]})[number % 6]
    return notebook


@submission(points=6)
def cells_that_are_none(desk: Desk):
    """Among the cells stand numbers, text and lists."""
    notebook = desk.answered()
    notebook["cells"] = [None, *notebook["cells"], 5, "x", [], {}, {"cell_type": 5, "source": 5}]
    return notebook


@submission(points=6)
def format_of_the_future(desk: Desk):
    """A notebook of a format that nobody has defined."""
    return desk.answered() | {"nbformat": 99, "nbformat_minor": "x", "metadata": None}


@submission(points=0)
def many_cells(desk: Desk):
    """A hundred thousand cells."""
    notebook = desk.answered()
    notebook["cells"] += [own_cell("code", "1")] * 100_000
    return notebook


@submission(points=0)
def large_file(desk: Desk):
    """A file of forty megabytes, which an archive makes small."""
    return as_bytes(desk.answered(why="x" * (40 << 20)))


@submission(points=0)
def deep_json(desk: Desk):
    """A million lists, each in the other."""
    return b'{"cells": ' + b"[" * 10**6 + b"]" * 10**6 + b"}"


@submission(points=0)
def number_of_a_million_digits(desk: Desk):
    """JSON with an integer that Python refuses to read."""
    return b'{"cells": [], "nbformat": ' + b"9" * 10**6 + b"}"


@submission(points=0)
def no_json(desk: Desk):
    """Bytes that are nothing at all."""
    return bytes(range(256)) * 100


@submission(points=0)
def empty_file(desk: Desk):
    """A file without content."""
    return b""


@submission(points=0)
def half_a_file(desk: Desk):
    """A file whose upload was cut off."""
    data = as_bytes(desk.answered())
    return data[: len(data) // 2]


@submission(points=0)
def merge_conflict(desk: Desk):
    """A notebook with unresolved conflicts of git."""
    return b"<<<<<<< HEAD\n" + as_bytes(desk.answered()) + b"\n=======\n{}\n>>>>>>> main\n"


@submission(points=0)
def untouched(desk: Desk):
    """The release as it was."""
    return desk.released


@submission(points=0, file="zipped/homework.zip")
def zip_of_one(desk: Desk):
    """A truncated archive in the place of a notebook."""
    return b"PK\x03\x04" + bytes(200)


@submission(points=6, file="a_folder/too/deep/to/be/true/my solution (1) FINAL.IPYNB")
def deep_folder(desk: Desk):
    """A notebook far down, and of another name."""
    return desk.answered()


def stripped(notebook: dict) -> dict:
    """Without any mark by which a cell could claim to be one of the problem set's."""
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"] = {}
    return notebook


@submission(points=6)
def merged_into_one(desk: Desk):
    """All marks are lost, and the answers stand in one cell."""
    notebook = stripped(desk.answered())
    parts = ["import numpy as np", desk.solutions["double"], desk.solutions["mean"]]
    notebook["cells"] = [own_cell("code", "\n\n".join(parts))]
    return notebook


@submission(points=3)
def stripped_and_renamed(desk: Desk):
    """All marks are lost, and one answer has another name: that one can't be recognised."""
    return stripped(desk.answered(double="def twice(number):\n    return 2 * number"))


@submission(points=6, file="zip_in_a_zip/tiny.zip")
def zip_in_a_zip(desk: Desk):
    """A good archive in the place of a notebook: the notebook in it is graded."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tiny.ipynb", as_bytes(desk.answered()))
    return packed.getvalue()
