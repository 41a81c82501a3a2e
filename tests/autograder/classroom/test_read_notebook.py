"""Whatever is handed in, `read` gives cells or a reason; `match` puts them in their place."""

import copy
import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom.grading import read_notebook
from autograder.classroom.grading.match_cells import match
from autograder.classroom.grading.read_notebook import Note, read
from autograder.wire.contract import Role
from tests.autograder.tiny_assignment import answered, as_bytes


def names(matched):
    return [cell.origin.name for cell in matched.cells if cell.origin]


def kinds(notes):
    return {note.kind for note in notes}


def matched(tiny, notebook):
    return match(tiny, read(as_bytes(notebook)).cells)


def by_name(notebook, name):
    return next(
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name
    )


IN_ORDER = [
    "imports",
    "double",
    "double_small",
    "double_negative",
    "mean",
    "mean_of_three",
    "why",
]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b'{"cells": [', "isn't JSON"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"%PDF-1.7", "PDF"),
        (b"import numpy as np\n", "Python script"),
        (b'{\n<<<<<<< HEAD\n"a": 1\n=======\n>>>>>>> b\n', "merge conflicts"),
        (b"[]", "not a notebook"),
        (b'"text"', "not a notebook"),
        (b"{}", "no list of cells"),
        (b'{"cells": {"a": 1}}', "not a list"),
        (b'{"cells": null}', "not a list"),
        (b"[" * 100_000, "isn't JSON"),
        (b'{"cells": [' + b",".join([b"{}"] * 2001) + b"]}", "2001 cells"),
        (b'{"worksheets": 7, "nbformat": 3}', "can't be upgraded"),
    ],
)
def test_what_is_no_notebook_gets_a_reason(data, reason):
    reading = read(data)
    assert not reading.readable
    assert reading.cells == ()
    assert reason in reading.notes[-1].message
    assert reading.notes[-1].needs_teacher


def test_an_enormous_file_is_refused_by_its_size(monkeypatch):
    monkeypatch.setattr(read_notebook, "SIZE_LIMIT", 1000)
    reading = read(b" " * 1001)
    assert not reading.readable
    assert "MiB" in reading.notes[0].message


@pytest.mark.parametrize(
    ("encode", "kind"),
    [
        (lambda text: text.encode("utf-8-sig"), "encoding"),
        (lambda text: text.encode("utf-16"), "encoding"),
        (lambda text: text.encode("utf-32-le"), "encoding"),
        (lambda text: text.encode("latin-1"), "encoding"),
        (lambda text: text.replace("\n", "\r\n").encode(), None),
    ],
)
def test_other_encodings_are_read_with_a_note(released, encode, kind):
    notebook = answered(released)
    by_name(notebook, "why")["source"] = "Zufälligkeit"
    text = json.dumps(notebook, ensure_ascii=False, indent=1)
    reading = read(encode(text))
    assert reading.readable
    assert kinds(reading.notes) == ({kind} if kind else set())
    assert [cell.source for cell in reading.cells] == [
        "".join(cell["source"]) for cell in notebook["cells"]
    ]


def test_windows_line_ends_within_cells_are_converted(released):
    notebook = answered(released, {"double": "def double(x):\r\n    return 2 * x"})
    reading = read(as_bytes(notebook))
    assert "def double(x):\n    return 2 * x" in [cell.source for cell in reading.cells]
    assert kinds(reading.notes) == {"line ends"}


def test_a_lone_surrogate_cannot_break_the_writing_of_files(released):
    notebook = answered(released, {"double": "x = '\ud800'"})
    source = next(c.source for c in read(as_bytes(notebook)).cells if c.source.startswith("x ="))
    assert source.encode("utf-8") == b"x = '?'"


def test_an_unknown_kernel_is_ignored_with_a_note(released):
    released["metadata"]["kernelspec"] = {"name": "julia-1.9", "language": "julia"}
    reading = read(as_bytes(released))
    assert reading.readable
    assert "julia-1.9" in reading.notes[0].message


def test_a_notebook_of_format_3_is_upgraded():
    cell = {"cell_type": "code", "input": "x = 1", "outputs": [], "language": "python"}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}}
    reading = read(as_bytes({**old, "worksheets": [{"cells": [cell], "metadata": {}}]}))
    assert [cell.source for cell in reading.cells] == ["x = 1"]
    assert kinds(reading.notes) == {"format"}


@pytest.mark.parametrize("version", ["\ud800", "\x1b]0;x\x07\u202e", "E" * 10**6, "4", [], {}])
def test_what_an_old_format_is_called_is_told_briefly_and_in_plain_signs(version):
    (note,) = read(json.dumps({"nbformat": version, "worksheets": []}).encode()).notes
    assert note.message.isprintable()
    assert len(note.message.encode("utf-8")) < 1000


def test_a_note_is_short_and_commands_nothing_whatever_it_is_made_of():
    note = Note("any", "one\ntwo \x1b[31m \u202e \ud800 é" + "x" * 10**6)
    assert note.message.startswith("one\ntwo \\x1b[31m \\u202e \\ud800 é")
    assert len(note.message) < 2100


@pytest.mark.parametrize("version", [2, 3])
def test_an_old_notebook_is_upgraded_without_a_look_at_its_outputs(version):
    """nbformat would take 20 s for these, and a gigabyte."""
    outputs = [{"output_type": "stream", "stream": "stdout", "text": ""}] * 200_000
    marks = {"nbgrader": {"grade_id": "double"}, "more": [{}] * 200_000}
    cell = {"cell_type": "code", "language": "python", "input": "x = 1"}
    cells = [cell | {"outputs": outputs, "metadata": marks}]
    old = {"nbformat": version, "metadata": {"name": "x"}, "worksheets": [{"cells": cells}]}
    data, began = as_bytes(old), time.process_time()
    (found,) = read(data).cells
    assert (found.source, found.claimed) == ("x = 1", "double")
    as_json, reading = time.process_time(), time.process_time() - began
    json.loads(data)
    assert reading < 20 * (time.process_time() - as_json)


def test_an_old_notebook_of_too_many_cells_is_refused_before_it_is_upgraded():
    cells = [{"cell_type": "code", "language": "python", "input": "x = 1", "outputs": []}] * 90_000
    reading = read(as_bytes({"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}))
    assert not reading.readable
    assert "at most 2000 are accepted" in reading.notes[-1].message


def test_a_file_of_millions_of_lists_is_refused_before_it_takes_memory():
    data = b'{"cells": [' + b"[]," * 3_000_000 + b"[]]}"
    tracemalloc.start()
    try:
        reading = read(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "more than 2,000,000 lists" in reading.notes[-1].message
    assert peak < 3 * len(data)


@pytest.mark.parametrize(
    "cell", [3, None, "code", [], {"source": 7}, {"source": ["a", 7]}, {"source": {"a": 1}}]
)
def test_what_is_no_cell_is_left_out_and_the_rest_is_read(released, cell):
    released["cells"].insert(1, cell)
    reading = read(as_bytes(released))
    assert len(reading.cells) == len(released["cells"]) - 1
    assert "cell 2" in reading.notes[0].message
    assert reading.notes[0].needs_teacher


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "source", "metadata", "nbgrader", "grade_id", "id", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_read_never_raises(data):
    assert isinstance(read(data).readable, bool)


@given(st.lists(JSON, max_size=4))
def test_read_never_raises_on_a_list_of_anything(cells):
    for cell in read(json.dumps({"cells": cells}).encode()).cells:
        cell.source.encode("utf-8")


def test_an_honest_notebook_keeps_its_order_without_a_note(tiny, released):
    found = matched(tiny, answered(released))
    assert names(found) == IN_ORDER
    assert found.notes == ()


def test_roles_points_and_tests_come_from_the_problem_set(tiny, released):
    notebook = answered(released)
    test = by_name(notebook, "double_negative")
    test["source"] = "pass"
    test["cell_type"] = "raw"
    test["metadata"]["nbgrader"].update(points=100, solution=True, grade=False)
    by_name(notebook, "imports")["source"] = "import evil as np"
    found = {c.origin.name: c for c in matched(tiny, notebook).cells if c.origin}
    assert "SECRET_NUMBER" in found["double_negative"].plain.source
    assert found["double_negative"].role is Role.EXAMINER
    assert found["double_negative"].plain.cell_type == "code"
    assert found["double_negative"].origin.points == 2
    assert found["imports"].plain.source == "import numpy as np"
    assert found["imports"].role is Role.BOTH


def test_a_deleted_test_is_put_back_where_it_belongs(tiny, released):
    notebook = answered(released)
    notebook["cells"].remove(by_name(notebook, "double_small"))
    found = matched(tiny, notebook)
    assert names(found) == IN_ORDER
    assert kinds(found.notes) == {"restored"}


def test_a_renamed_test_is_recognised_by_its_text(tiny, released):
    notebook = answered(released)
    cell = by_name(notebook, "double_small")
    cell["metadata"]["nbgrader"]["grade_id"] = "something-else"
    cell["id"] = "new"
    found = matched(tiny, notebook)
    assert names(found) == IN_ORDER
    assert kinds(found.notes) == {"recognised"}


def test_a_notebook_without_any_metadata_is_still_matched(tiny, released):
    notebook = answered(released)
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    found = matched(tiny, notebook)
    answers = {c.origin.name: c.plain.source for c in found.cells if c.origin}
    assert "return 2 * x" in answers["double"]
    assert "np.sum" in answers["mean"]
    assert names(found).index("double_negative") > names(found).index("double")


def test_a_test_moved_before_its_answer_runs_after_it(tiny, released):
    notebook = answered(released)
    cells = notebook["cells"]
    cells.insert(0, cells.pop(cells.index(by_name(notebook, "double_negative"))))
    found = matched(tiny, notebook)
    assert names(found) == IN_ORDER
    assert kinds(found.notes) == {"moved"}


def test_in_a_notebook_turned_upside_down_tests_still_follow_answers(tiny, released):
    notebook = answered(released)
    notebook["cells"].reverse()
    order = names(matched(tiny, notebook))
    assert order[0] == "imports"
    assert order.index("double") < order.index("double_small") < order.index("double_negative")
    assert order.index("mean") < order.index("mean_of_three")


def test_of_a_duplicated_answer_the_last_changed_one_is_graded(tiny, released):
    notebook = answered(released)
    cells = notebook["cells"]
    index = cells.index(by_name(notebook, "double"))
    first = {**copy.deepcopy(cells[index]), "source": "def double(x): return 7"}
    stub = by_name(released, "double")
    cells[index : index + 1] = [first, cells[index], stub]
    found = matched(tiny, notebook)
    graded = next(c for c in found.cells if c.origin and c.origin.name == "double")
    assert "return 2 * x" in graded.plain.source
    assert [c.plain.source for c in found.cells if not c.origin].count(first["source"]) == 1
    assert [note.needs_teacher for note in found.notes if note.kind == "duplicate"] == [True]


def test_a_missing_answer_is_not_replaced_by_the_stub(tiny, released):
    notebook = answered(released)
    notebook["cells"].remove(by_name(notebook, "double"))
    notebook["cells"].append(
        {"cell_type": "code", "metadata": {}, "source": "double = lambda x: 2 * x", "outputs": []}
    )
    found = matched(tiny, notebook)
    texts = [cell.plain.source for cell in found.cells]
    assert not any("NotImplementedError" in text for text in texts)
    assert texts.index("double = lambda x: 2 * x") < names_and_texts(found).index("double_small")
    assert {"missing"} == kinds(found.notes)


def names_and_texts(found):
    return [cell.origin.name if cell.origin else cell.plain.source for cell in found.cells]


def test_a_grade_id_that_the_problem_set_lacks_makes_a_student_cell(tiny, released):
    cell = copy.deepcopy(by_name(released, "double_small"))
    cell["metadata"]["nbgrader"]["grade_id"] = "bonus"
    cell["source"] = "assert True"
    notebook = answered(released)
    notebook["cells"].append(cell)
    found = matched(tiny, notebook)
    assert found.cells[-1].role is Role.STUDENT
    assert found.cells[-1].origin is None


@given(order=st.permutations(range(10)), keep=st.sets(st.integers(0, 9)))
def test_every_test_is_there_once_and_after_the_answers_before_it(order, keep):
    tiny_assignment, notebook = _PAIR
    cells = [notebook["cells"][i] for i in order if i in keep]
    order = names(match(tiny_assignment, read(as_bytes({"cells": cells})).cells))
    tests = ["double_small", "double_negative", "mean_of_three"]
    assert [name for name in order if name in tests] == tests
    for answer, test in (("double", "double_small"), ("mean", "mean_of_three")):
        if answer in order:
            assert order.index(answer) < order.index(test)


@pytest.fixture(autouse=True, scope="module")
def _pair(released_course):
    from autograder.classroom.sets.assignment import load

    text = released_course.released("tiny").read_text(encoding="utf-8")
    _PAIR[:] = [load(released_course, "tiny"), answered(json.loads(text))]


_PAIR: list = []
