"""`autograder check`: what a student sees before handing in, and that no file stops it."""

import copy
import dataclasses
import json

import pytest
from click.testing import CliRunner

from autograder import cli, session
from autograder.classroom.course.versions import installed
from autograder.classroom.grading import called_functions, check_draft
from autograder.classroom.grading.draft import load
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.grading.match_cells import match
from autograder.classroom.grading.read_notebook import read
from autograder.classroom.grading.results import Result, describe_incident
from autograder.sandbox import probing
from autograder.wire.contract import Incident
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import STRONG, WEAK, TrustedRunner, probe_of

TEST = "double_small"
HINTS = (
    "## 1. Double it\n\n<details><summary>Hint 1</summary>\n\nAdd `x` to itself.\n</details>\n"
    "<details>\n<summary>Hint 2</summary>\nTwice.</details>\n<details><summary>Why?</summary>No"
    "</details>"
)


@pytest.fixture
def quick(monkeypatch, one_room):
    """No sandbox: all in one process."""
    monkeypatch.setattr(probing, "Probe", probe_of(STRONG))


def run(path, *options):
    return CliRunner().invoke(cli.main, ["check", str(path), *options])


@pytest.fixture
def check(tmp_path, quick):
    def check(notebook, *options):
        path = tmp_path / "mine.ipynb"
        path.write_bytes(notebook if isinstance(notebook, bytes) else as_bytes(notebook))
        return run(path, *options)

    return check


def cell(notebook, name):
    return next(c for c in notebook["cells"] if c["id"] == name)


def test_right_answers_pass(check, released):
    done = check(answered(released))
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Visible tests: 3 of 3, 6 of 6 points; more run when graded.\n")
    assert "2 of 2 visible tests passed" in done.output  # in one line for all of an exercise
    assert "passed  double" not in done.output
    assert "FAILED" not in done.output
    assert "Answered; a human will read it." in done.output


def in_worksheets(notebook):
    """The notebook in the format before 2015."""
    cells = []
    for cell in notebook["cells"]:
        old = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
        if cell["cell_type"] == "code":
            old |= {"input": cell["source"], "language": "python", "outputs": []}
        else:
            old |= {"source": cell["source"]}
        cells.append(old)
    sheets = [{"cells": cells, "metadata": {}}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}


def test_an_old_format_is_checked_as_it_is_graded(check, released):
    done = check(in_worksheets(answered(released)))
    assert "The notebook's format, 3, is old; it was upgraded." in done.output
    assert "Visible tests: 3 of 3, 6 of 6 points; more run when graded." in done.output
    assert done.exit_code == 0


def test_a_mistake_is_shown_with_its_message_where_it_is(check, released):
    wrong = {**SOLUTIONS, "double": "def double(x):\n    return x * x"}
    done = check(answered(released, wrong))
    assert done.exit_code == session.LOOK
    lines = done.output.splitlines()
    failed = next(i for i, line in enumerate(lines) if "FAILED" in line)
    assert lines[failed].split() == ["FAILED", "double", "small"]
    assert lines[failed + 1].strip() == "double(3) should be 6, it is 9"
    assert "1. Double it  2 of 3 points" in done.output  # the hidden half of a test isn't there
    assert "2. The mean  3 of 3 points" in done.output
    assert "Visible tests: 2 of 3, 5 of 6 points; more run when graded." in done.output


def test_an_answer_that_stops_is_named(check, released):
    done = check(answered(released, {**SOLUTIONS, "double": "def double(x)\n    return x"}))
    assert done.exit_code == session.LOOK
    assert "The answer's cell stopped: SyntaxError" in done.output


def test_what_is_untouched_is_not_answered_rather_than_wrong(check, released):
    done = check(answered(released, {"mean": SOLUTIONS["mean"]}))
    assert done.exit_code == session.LOOK
    assert "not answered yet" in done.output
    assert "Not answered yet." in done.output  # the written question
    assert "FAILED" not in done.output
    assert "Visible tests: 1 of 3, 3 of 6 points; more run when graded." in done.output


def test_hints_of_failing_exercises_are_shown_on_request(check, released):
    cell(released, "heading-1")["source"] = HINTS
    cell(released, "heading-2")["source"] += "\n<details><summary>Hint</summary>Sum.</details>"
    wrong = answered(released, {**SOLUTIONS, "double": "double = abs"})
    done = check(wrong)
    assert "--hints" in done.output
    assert "Add `x` to itself." not in done.output
    done = check(wrong, "--hints")
    assert done.exit_code == session.LOOK
    for text in ("Hint 1", "Add `x` to itself.", "Hint 2", "Twice."):
        assert text in done.output
    assert "Sum." not in done.output  # its exercise is right
    assert "Why?" not in done.output
    assert "--hints" not in check(answered(released)).output


def test_hints_are_shown_to_exercises_begun_without_tex(check, released):
    cell(released, "heading-1")["source"] = HINTS.replace("Twice.", r"It is $2^{10}\cdot x_i$.")
    cell(released, "heading-2")["source"] += "\n<details><summary>Hint</summary>Sum.</details>"
    done = check(released, "--hints")
    assert "Twice." not in done.output
    assert "--hints shows hints to an exercise once you have written an answer" in done.output
    assert "--hints" not in check(released).output
    done = check(answered(released, {"double": "double = abs"}), "--hints")
    assert "It is 2¹⁰· x_i." in done.output
    assert "Sum." not in done.output  # its exercise isn't begun


def test_a_test_without_points_can_fail(check, released):
    cell(released, "mean_of_three")["metadata"]["nbgrader"]["points"] = 0
    done = check(answered(released, {**SOLUTIONS, "mean": "def mean(values):\n    return 0"}))
    assert done.exit_code == session.LOOK
    assert "the mean of 1, 2, 6 is 3" in done.output
    assert "Visible tests: 2 of 3, 3 of 3 points; more run when graded." in done.output


def test_a_changed_test_is_told(check, released):
    notebook = answered(released, {**SOLUTIONS, "double": "double = abs"})
    cell(notebook, "double_small")["source"] = "assert True"
    done = check(notebook)
    assert "'double_small' has been changed. Grading uses the original." in done.output
    assert "changed" not in check(answered(released)).output


def test_what_was_stopped_is_told_of_cells_that_are_no_tests(tmp_path, released):
    """Of a test it stands below the test's title."""

    class Stopping(TrustedRunner):
        def run(self, cells, seed, files=()):
            stops = [Incident(Incident.TIMEOUT, name, "after 10 s") for name in ("mean", TEST)]
            return dataclasses.replace(super().run(cells, seed, files), incidents=tuple(stops))

    path = tmp_path / "mine.ipynb"
    path.write_bytes(as_bytes(answered(released)))
    (remark,) = check_draft.check(load(path), Stopping()).remarks
    assert remark.startswith("`mean` did not end")


@pytest.mark.parametrize(
    ("answer", "subject"),
    [
        ("def double(x):\n    return 0", "`double`"),
        ("%time\ndouble = lambda x: 0", "`double`"),
        ("class double:\n    pass\n\n\nhelp_ = 1", "`double`"),
        ("pass", f"`{TEST}`"),
        (f"def d{'o' * 99}uble(x): pass", f"`{TEST}`"),
    ],
)
def test_a_test_that_was_stopped_is_told_by_the_function(tmp_path, released, answer, subject):
    class Stopping(TrustedRunner):
        def run(self, cells, seed, files=()):
            stops = (Incident(Incident.TIMEOUT, TEST, "after 10 s"),)
            return dataclasses.replace(super().run(cells, seed, files), incidents=stops)

    path = tmp_path / "mine.ipynb"
    path.write_bytes(as_bytes(answered(released, {**SOLUTIONS, "double": answer})))
    draft = load(path)
    submission = NotebookSubmission("ann", draft.data, "key")
    result = grade(submission, draft.assignment, Stopping(), b"secret").result
    told = [
        describe_incident(i)
        for r in (result, Result.from_json(result.to_json()))
        for i in r.incidents
    ]
    assert told == [f"{subject} did not end and was stopped after 10 s."] * 2


def test_of_a_test_only_its_visible_part_names_functions(tiny, released):
    """A hidden part may call functions of other exercises."""
    source = tiny.followed_cells["double_negative"]
    hidden = dataclasses.replace(
        source, source=source.source.replace("double", "mean"), released="1"
    )
    cells = tuple(hidden if c.name == source.name else c for c in tiny.cells)
    changed = dataclasses.replace(tiny, cells=cells)
    matched = match(changed, read(as_bytes(answered(released))).cells).cells
    stop = Incident(Incident.TIMEOUT, source.name, "after 10 s")
    assert called_functions.name_functions([stop], changed, matched) == (stop,)
    (named,) = called_functions.name_functions([stop], tiny, matched)
    assert named.functions == ("double",)


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (["double"], "missing: 'double'. Get it again and copy your answers into it."),
        (["imports", "double_small"], "missing: 'imports', 'double_small'. Get it again"),
    ],
)
def test_cells_that_are_gone_are_told(check, released, gone, told):
    notebook = answered(released)
    assert "missing" not in check(notebook).output
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] not in gone]
    assert told in " ".join(check(notebook).output.split())


@pytest.mark.parametrize(
    ("gone", "first", "second"),
    [
        (["double"], ["double_small", "double_negative"], ["mean_of_three"]),
        (["mean"], ["double_small", "double_negative"], ["mean_of_three"]),
        (["double", "mean"], ["double_small", "double_negative"], ["mean_of_three"]),
        (["double", "double_small"], ["double_negative"], ["mean_of_three"]),
        (["double_negative", "mean"], ["double_small"], ["mean_of_three"]),
        (["double_negative"], ["double_small"], ["mean_of_three"]),
        (["imports", "double_small"], ["double_negative"], ["mean_of_three"]),
    ],
)
def test_tests_stand_under_their_own_exercise_when_its_answer_is_gone(
    check, released, gone, first, second
):
    notebook = answered(released)
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] not in gone]
    (found,) = json.loads(check(notebook, "--json").stdout)
    tests = {
        one["exercise"]: [t["test"] for t in one["tests"]]
        for one in found["exercises"]
        if one["tests"]
    }
    assert tests == {"1. Double it": first, "2. The mean": second}


@pytest.mark.parametrize("noted", [3, "x", None, {}, [3, None, ["x"], "\ud800" * 99], ["z"] * 9])
def test_strange_names_of_cells_stop_nothing(check, released, noted):
    notebook = answered(released)
    notebook["metadata"]["problem_set_cells"] = noted
    assert check(notebook).exit_code == 0


def test_other_versions_than_those_of_grading_are_told(check, released):
    notebook = answered(released)
    assert notebook["metadata"]["graded_with"] == installed()
    assert "other versions" not in check(notebook).output
    notebook["metadata"]["graded_with"] |= {"numpy": "1.0", "Python": "3.99"}
    here = installed()
    told = f"Note: Grading uses other versions: Python 3.99, here {here['Python']}; numpy 1.0, here"
    done = check(notebook)
    assert told in done.output
    assert done.exit_code == 0
    del notebook["metadata"]["graded_with"]["numpy"]
    assert "numpy none, here" in check(notebook).output


def test_a_teachers_source_is_called_one(check, course, tiny):
    done = check(json.loads(course.source(tiny.name).read_text(encoding="utf-8")))
    assert "This is a teacher's source, with hidden tests." in done.output
    assert "`autograder release` tries its solutions" in " ".join(done.output.split())


@pytest.mark.parametrize(
    "noted", [3, "x", None, [], {"numpy": {"a": "\ud800" * 99}}, {"Python": None}]
)
def test_strange_versions_stop_nothing(check, released, noted):
    notebook = answered(released)
    notebook["metadata"]["graded_with"] = noted
    assert check(notebook).exit_code == 0


def test_of_copies_the_one_counts_that_grading_takes(check, tiny, released):
    """The last changed one of an answer, wherever it stands, and the first one of a test."""
    stub = copy.deepcopy(cell(released, "double"))
    notebook = answered(released)
    cells = notebook["cells"]
    place, end = cells.index(cell(notebook, "double")), len(cells)
    wrong = stub | {"source": "def double(x):\n    return 0"}
    second = cell(notebook, "mean_of_three") | {"source": "assert False"}
    passed = []
    for extra, where in [
        *[(wrong, place), (wrong, place + 1), (wrong, end)],
        *[(stub, place), (stub, place + 1), (stub, end)],
        (second, end),
    ]:
        copied = {**notebook, "cells": _with(cells, where, extra)}
        graded = grade(
            NotebookSubmission("ann", as_bytes(copied), "key"), tiny, TrustedRunner(), b"secret"
        ).result
        scores = {score.name: score for score in graded.cells}
        passed.append(scores["double_small"].full and scores["mean_of_three"].full)
        assert (check(copied).exit_code == 0) == passed[-1], (extra["source"], where)
    assert passed == [True, False, False, True, False, True, True]


def _with(cells, place, cell):
    return [*cells[:place], cell, *cells[place:]]


def test_the_file_stays_and_nothing_else_appears(check, released, tmp_path):
    before = set(tmp_path.iterdir()) | {tmp_path / "mine.ipynb"}
    data = as_bytes(answered(released))
    assert check(data).exit_code == 0
    assert (tmp_path / "mine.ipynb").read_bytes() == data
    assert set(tmp_path.iterdir()) == before


def test_a_notebook_by_an_old_editor_is_read(check, released):
    notebook = answered(released)
    for each in notebook["cells"]:
        each["source"] = "".join(each["source"]).replace("\n", "\r\n")
    data = b"\xef\xbb\xbf" + json.dumps(notebook, indent=1).replace("\n", "\r\n").encode()
    done = check(data)
    assert done.exit_code == 0, done.output
    assert "byte-order mark" in done.output


def test_latin_letters_are_read(check, released):
    notebook = answered(released, {**SOLUTIONS, "why": "Parce que ça s'équilibre."})
    done = check(json.dumps(notebook, ensure_ascii=False).encode("latin-1"))
    assert done.exit_code == 0, done.output


BAD = [
    (b"", "the file is empty"),
    (b"{", "isn't JSON"),
    (b'{"cells": [', "isn't JSON"),
    (b"PK\x03\x04rest", "a zip archive"),
    (b"%PDF-1.7", "a PDF"),
    (b"import numpy as np\n", "a Python script"),
    (b"[]", "not a notebook"),
    (b"{}", "no list of cells"),
    (b'{"cells": 3}', "not a list"),
    (b'{"cells": []}', "has no tests in it"),
    (b'{"cells": [3, null, {"metadata": 1}]}', "has no tests in it"),
    (b'{"nbformat": 3, "metadata": {}, "worksheets": [{"cells": []}]}', "has no tests in it"),
    (b"\x00\x01\x02", "not a notebook"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_what_is_no_problem_set_is_one_line(check, data, message):
    done = check(data)
    assert done.exit_code == 1
    assert done.output.startswith("error: ")
    assert message.lower() in done.output.lower()
    assert "mine.ipynb" in done.output
    assert len(done.output.splitlines()) == 1


def test_a_notebook_that_lost_its_marks_is_no_success(check, released):
    for each in released["cells"]:
        each["metadata"] = {}
    done = check(answered(released))
    assert done.exit_code == 1
    assert "If it is a problem set, an editor has removed the metadata" in done.output


def test_a_path_that_leads_nowhere_is_named(tmp_path, quick):
    assert "there is no notebook" in run(tmp_path / "none.ipynb").output
    done = run(tmp_path)
    assert done.exit_code == 1
    assert "has no notebook in it" in done.output


STRANGE = [
    {"points": "many"},
    {"points": float("nan")},
    {"points": float("inf")},
    {"points": 10**400},
    {"points": -3},
    {"points": None},
    {"checksum": 7},
    {"schema_version": [], "cell_type": {}},
    {"locked": "yes"},
]


@pytest.mark.parametrize("marks", STRANGE)
def test_strange_marks_stop_nothing(check, released, marks):
    cell(released, "mean_of_three")["metadata"]["nbgrader"] |= marks
    done = check(answered(released))
    assert done.exit_code == 0, done.output
    most = 3 if "points" in marks else 6
    assert f"Visible tests: 3 of 3, {most} of {most} points; more run when graded." in done.output


@pytest.mark.parametrize("metadata", [None, 3, {"nbgrader": []}, {"nbgrader": {"grade_id": []}}])
def test_a_cell_that_lost_its_marks_is_an_extra_cell(check, released, metadata):
    notebook = answered(released)
    cell(notebook, "double_small")["metadata"] = metadata
    done = check(notebook)
    assert done.exit_code == 0, done.output
    assert "Visible tests: 2 of 2, 5 of 5 points; more run when graded." in done.output


def test_a_weak_sandbox_is_no_obstacle(tmp_path, released, one_room, monkeypatch):
    monkeypatch.setattr(probing, "Probe", probe_of(WEAK))
    path = tmp_path / "mine.ipynb"
    path.write_bytes(as_bytes(answered(released)))
    done = run(path)
    assert done.exit_code == 0, done.output
    assert "Your code runs with a weaker sandbox on this machine than in grading." in done.output
    assert done.output.count("weaker sandbox") == 1


def test_the_same_notebook_gives_the_same_result(tmp_path, released):
    released["cells"][0]["source"] = "# Tiny"
    path = tmp_path / "mine.ipynb"
    path.write_bytes(as_bytes(answered(released)))
    seeds = []

    class Listening(TrustedRunner):
        def run(self, cells, seed, files=()):
            seeds.append(seed)
            return super().run(cells, seed, files)

    for _ in range(2):
        assert check_draft.check(load(path), Listening()).passed
    assert seeds[0] == seeds[1]


def test_in_two_rooms_nobody_talks_the_tests_round(tmp_path, released):
    """The real thing: what the student patches is not what the tests use, and loops end."""
    talk = "import builtins\nbuiltins.abs = lambda value: 0\ndef mean(values):\n    return 7"
    path = tmp_path / "mine.ipynb"
    path.write_bytes(as_bytes(answered(released, {**SOLUTIONS, "mean": talk})))
    done = run(path)
    assert done.exit_code == session.LOOK, done.output
    assert "the mean of 1, 2, 6 is 3" in done.output
    assert "Visible tests: 2 of 3, 3 of 6 points; more run when graded." in done.output


def test_programs_are_told_the_same(check, released):
    wrong = {**SOLUTIONS, "double": "def double(x):\n    return x * x"}
    done = check(answered(released, wrong), "--json")
    assert done.exit_code == session.LOOK
    (told,) = json.loads(done.stdout)
    assert (told["notebook"], told["passed"]) == ("mine.ipynb", False)
    tests = {t["test"]: (t["passed"], t["points"]) for e in told["exercises"] for t in e["tests"]}
    assert tests == {
        "double_small": (False, 0),
        "double_negative": (True, 2),
        "mean_of_three": (True, 3),
    }


def test_all_notebooks_of_a_folder_are_checked(tmp_path, quick, released):
    (tmp_path / "a.ipynb").write_bytes(as_bytes(answered(released)))
    (tmp_path / "b.ipynb").write_bytes(as_bytes(released))
    done = run(tmp_path)
    assert done.exit_code == session.LOOK
    assert done.output.index("a.ipynb") < done.output.index("6 of 6 points")
    assert done.output.index("b.ipynb") < done.output.index("0 of 6 points")
    by_hand = [c for c in released["cells"] if c["id"] in ("title", "why")]
    (tmp_path / "c.ipynb").write_bytes(as_bytes(released | {"cells": by_hand}))
    assert "Visible tests: 0 of 0" in run(tmp_path).output
    (tmp_path / "empty").mkdir()
    assert "has no notebook in it" in run(tmp_path / "empty").output


def test_in_a_folder_what_is_only_hers_is_left_out_and_told(tmp_path, quick, released):
    hers = released | {"cells": [], "metadata": {}}
    (tmp_path / "Untitled.ipynb").write_bytes(as_bytes(hers))
    assert "has no notebook with tests in it" in run(tmp_path).output
    (tmp_path / "a.ipynb").write_bytes(as_bytes(answered(released)))
    done = run(tmp_path)
    assert (done.exit_code, "6 of 6 points" in done.stdout) == (0, True)
    assert done.stderr == "note: Untitled.ipynb has no tests in it, so it was not checked\n"
    spoilt = answered(released) | {"cells": [c | {"metadata": {}} for c in released["cells"]]}
    (tmp_path / "b.ipynb").write_bytes(as_bytes(spoilt))  # which lost its marks
    done = run(tmp_path)
    assert (done.exit_code, "b.ipynb has no tests in it. If it is" in done.output) == (1, True)
