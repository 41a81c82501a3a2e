"""Any batch is collected or refused with a message: names, times, archives, notebooks, lists."""

import contextlib
import csv
import io
import json
import re
import shutil
import zipfile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.intake import collect_class, people
from autograder.classroom.intake.collect_class import CollectOptions
from autograder.classroom.intake.people import Person
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.wire.contract import Limits
from tests.autograder.tiny_assignment import answered, as_bytes
from tests.autograder.trusted_runner import WEAK, TrustedRunner

HONEST = "hon", "joy", "kim"
CELLS = {"tiny": ("double", "double_small", "mean", "why")}
pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name")
FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

_WORDS = st.sampled_from(
    ["tiny", "ann", "LATE", "anon", "4711", "90001", "aB3dE", "assignsubmission", "file", "attempt",
     "2026-11-04-18-00-00", "Nov 3, 2026 1023 PM", "Submission attachment(s)", "submissions", "red",
     "timestamp.txt", "submission_metadata.yml", "..", ".", "CORP\\jdoe", "Jose\u0301", "\u202e",
     "Lovelace, Ada(ada)", "x" * 130, ".git", "{}", "*", "gradebook.db", "source", "\x00", ""]
)  # fmt: skip
_JOINS = st.sampled_from(["/", "_", "-", " - ", " "])
_ENDS = st.sampled_from(
    [".ipynb", "/tiny.ipynb", "/tiny/tiny.ipynb", ".txt", "/", "", ".ipynb.txt"]
)


@st.composite
def names(draw):
    """A path in an archive, of the pieces that platforms, layouts and attacks are made of."""
    words = draw(st.lists(_WORDS | st.text(max_size=5), min_size=1, max_size=5))
    joins = [draw(_JOINS) for _ in words[1:]]
    path = words[0] + "".join(join + word for join, word in zip(joins, words[1:], strict=True))
    return path + draw(_ENDS)


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
_KEYS = st.sampled_from(
    ["cells", "metadata", "source", "cell_type", "worksheets", "nbgrader", "grade_id", "nbformat",
     "input", "attachments", "kernelspec", "name", "id", "language", "level"]
)  # fmt: skip
_VALUES = st.recursive(
    _LEAVES | st.sampled_from(["code", "heading", "double"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=20,
)
_OBJECTS = st.dictionaries(_KEYS, _VALUES, max_size=6)
_CELLS = st.lists(_OBJECTS, max_size=4)
_NOTEBOOKS = _OBJECTS | st.builds(lambda cells: {"cells": cells}, _CELLS)
_OLD = st.builds(lambda cells: {"nbformat": 3, "worksheets": [{"cells": cells}]}, _CELLS)
CONTENTS = st.binary(max_size=40) | (_NOTEBOOKS | _OLD).map(lambda made: json.dumps(made).encode())


@pytest.fixture(scope="module")
def notebook(released_course):
    return as_bytes(answered(json.loads(released_course.released("tiny").read_text())))


@pytest.fixture(scope="module")
def spare(released_course, tmp_path_factory):
    """A course of which nothing is kept from one example to the next."""
    root = tmp_path_factory.mktemp("any") / "course"
    shutil.copytree(released_course.root, root)
    return Course.at(root)


def archive_of(path, files, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in files:
            with contextlib.suppress(UnicodeEncodeError):  # which no archive could hold
                archive.writestr(zipfile.ZipInfo(name or "x"), data, compression)
    return path


def collect(course, path, **wanted):
    for folder in ("submitted", "autograded"):
        shutil.rmtree(course.root / folder, ignore_errors=True)
    shutil.rmtree(course.private / "collected", ignore_errors=True)
    return collect_class.collect(course, "tiny", path, CollectOptions(notebooks=CELLS, **wanted))


def honest(notebook):
    return [(f"{who}/tiny/tiny.ipynb", notebook) for who in HONEST]


LISTED = tuple(Person(who, who.title(), "Doe", f"{who}@example.org") for who in (*HONEST, "ann"))


@FEW
@given(
    strange=st.lists(st.tuples(names(), CONTENTS), max_size=4),
    people=st.sampled_from([(), LISTED]),
    groups=st.sampled_from([{}, {"ann": "red", "bob": "red"}]),
)
@example(strange=[("eve/tiny/timestamp.txt", b"5m." + b"9" * 40 + b"H")], people=(), groups={})
@example(strange=[("\x00.ipynb", b"")], people=(), groups={})
@example(strange=[("1-2 - x - " + "1" * 30_000 + "-/x.ipynb", b"")], people=(), groups={})
def test_whatever_one_student_hands_in_the_others_are_collected(
    spare, notebook, tmp_path, strange, people, groups
):
    """A message for all is right only where it asks whose a name is."""
    path = archive_of(tmp_path / "in.zip", [*honest(notebook), *strange])
    question = ""
    try:
        found = collect(spare, path, people=people, groups=groups)
    except CourseError as error:
        question = str(error)
    if question:
        assert re.search(r"[Nn]othing was|of Gradescope", question), question
        return
    handed = {one.student: one for one in found.submissions}
    assert set(HONEST) <= set(handed)
    assert not any(one.failure for one in found.submissions)
    untouched = set(HONEST) - {name.partition("/")[0].strip() for name, _ in strange}
    for who in untouched:
        assert handed[who].paths["tiny"].read_bytes() == notebook
    inside = [path for path in spare.root.parent.rglob("*.ipynb") if spare.root not in path.parents]
    assert inside == []


@FEW
@given(
    compression=st.sampled_from([zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]),
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8),
)
def test_a_damaged_archive_is_collected_as_far_as_it_can_be_read(
    spare, notebook, tmp_path, compression, places
):
    path = archive_of(tmp_path / "in.zip", honest(notebook), compression)
    data = bytearray(path.read_bytes())
    for place, value in places:
        data[int(place * (len(data) - 1))] = value
    path.write_bytes(data)
    with contextlib.suppress(CourseError):
        assert not any(one.failure for one in collect(spare, path).submissions)


@FEW
@given(table=st.lists(st.lists(_WORDS | st.text(max_size=8), max_size=5), max_size=5))
def test_any_list_of_a_class_is_read_or_refused_with_a_message(tmp_path, table):
    text = io.StringIO()
    csv.writer(text).writerows([["Username", "First name", "Email address", "ID"], *table])
    (tmp_path / "class.csv").write_bytes(text.getvalue().encode("utf-8", "surrogatepass"))
    with contextlib.suppress(CourseError):
        assert people.read(tmp_path / "class.csv")


@settings(FEW, max_examples=10)
@given(data=CONTENTS)
def test_whatever_a_notebook_has_in_it_the_class_is_graded(spare, notebook, tmp_path, data):
    path = archive_of(tmp_path / "in.zip", [*honest(notebook), ("eve/tiny.ipynb", data)])
    handed_in = collect(spare, path).submissions
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.examiner.sandboxed_runner.SandboxedRunner", TrustedRunner)
        graders = Graders(Limits(), WEAK, jobs=1)
        results = grade_class(spare, load(spare, "tiny"), handed_in, graders)
    points = {result.student: result.points for result in results}
    assert points == {"eve": 0, **dict.fromkeys(HONEST, 6)}
    assert not any(result.not_graded for result in results)
