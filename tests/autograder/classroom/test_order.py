"""The order of a class's runs: no hidden run begins before the last first run has ended.

The tests of the problem set write down when they run: they are in nobody's sandbox.
"""

import collections
import dataclasses
import json

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.grading import first_runs, multi_notebook
from autograder.classroom.grading.results import find_all
from autograder.classroom.intake import collect_class
from autograder.classroom.releasing.release import release
from autograder.classroom.running.cluster import Cluster
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.progress import Progress
from autograder.classroom.sets.assignment import load
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.autograder.classroom.dask_processes import Processes
from tests.autograder.tiny_assignment import SOLUTIONS, TEXTS, answered, as_bytes, write_source

STUDENTS = 6
SLOWLY = SOLUTIONS | {"double": f"import time\ntime.sleep(0.3)\n{SOLUTIONS['double']}"}
WRITE = "import os\nwith open({path!r}, 'a') as log: log.write('%d {word}\\n' % os.getpid())\n"


def _texts(log):
    """The tests of `tiny`, which write down where a run is."""

    def noting(name, text):
        first, hidden, last = (WRITE.format(path=log, word=w) for w in ("first", "hidden", "last"))
        if name == "double_negative":
            mark = "### BEGIN HIDDEN TESTS\n"
            return text.replace(mark, f"{first}{mark}{hidden}")
        return text + f"\n{last}" if name == "mean_of_three" else text

    return [(kind, name, noting(name, text), roles) for kind, name, text, roles in TEXTS]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def course(tmp_path, log):
    course = Course.at(tmp_path / "noting")
    write_source(course.root, texts=_texts(str(log)))
    release(course, "tiny")
    return course


@pytest.fixture
def handed_in(course, tmp_path):
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    (tmp_path / "in").mkdir()
    for number in range(STUDENTS):
        data = as_bytes(answered(released, SLOWLY))
        (tmp_path / "in" / f"student{number}.ipynb").write_bytes(data)
    return collect_class.collect(course, "tiny", tmp_path / "in").submissions


class Interrupting(Progress):
    """Interrupts when so many first runs, or so many submissions, are on the disk."""

    def __init__(self, first=0, finished=0):
        self._left = {"first": first, "finished": finished}

    def _count(self, what):
        self._left[what] -= 1
        if not self._left[what]:
            raise KeyboardInterrupt

    def first_run(self, student):
        self._count("first")

    def finished(self, result, kept):
        self._count("finished")


def _grade(course, handed_in, graders=None, jobs=2, **options):
    graders = graders or Graders(Limits(), probe(), jobs=jobs)
    return grade_class(course, load(course, "tiny"), handed_in, graders, **options)


def _runs(log):
    """The words that each run has written, first runs and hidden ones, in the order of their end;
    and whether all of the first runs come before the first word of a hidden test.
    """
    lines = [line.split() for line in log.read_text().splitlines()]
    words = collections.defaultdict(list)
    for process, word in lines:
        words[process].append(word)
    hidden = {process for process, said in words.items() if "hidden" in said}
    begun = min((n for n, (_, word) in enumerate(lines) if word == "hidden"), default=len(lines))
    late = [process for process, word in lines[begun:] if process not in hidden]
    return len(words) - len(hidden), len(hidden), late


def test_two_workers_make_all_first_runs_before_the_first_hidden_one(course, handed_in, log):
    results = _grade(course, handed_in)
    assert [result.points for result in results] == [6] * STUDENTS
    assert _runs(log) == (STUDENTS, STUDENTS, [])
    assert not course.first_runs("tiny").exists()


def test_a_cluster_makes_all_first_runs_before_the_first_hidden_one(
    course, handed_in, log, tmp_path
):
    with Processes(tmp_path) as dask:
        dask.worker("one")
        dask.worker("other")
        with Cluster(dask.address) as cluster:
            graders = Graders(Limits(), cluster.sandbox, jobs=1, cluster=cluster)
            results = _grade(course, handed_in, graders)
            assert sum(cluster.graded.values()) == STUDENTS
    assert [result.points for result in results] == [6] * STUDENTS
    assert _runs(log) == (STUDENTS, STUDENTS, [])


def test_an_interrupted_grading_makes_no_first_run_after_a_hidden_one(course, handed_in, log):
    with pytest.raises(KeyboardInterrupt):
        _grade(course, handed_in, progress=Interrupting(finished=2))
    assert len(find_all(course, "tiny")) == 2
    results = _grade(course, handed_in)
    assert [result.points for result in results] == [6] * STUDENTS
    first, hidden, late = _runs(log)
    assert (first, late) == (STUDENTS, [])
    assert hidden >= STUDENTS  # what was interrupted in its hidden run has another one
    assert not course.first_runs("tiny").exists()


def test_what_was_run_before_an_interrupt_is_not_run_again(course, handed_in, log):
    with pytest.raises(KeyboardInterrupt):
        _grade(course, handed_in, progress=Interrupting(first=3))
    kept = sorted(course.first_runs("tiny").iterdir())
    assert len(kept) == 3
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    log.unlink()
    _grade(course, handed_in)
    assert _runs(log) == (STUDENTS - 3, STUDENTS, [])


def test_grading_again_begins_anew(course, handed_in, log):
    with pytest.raises(KeyboardInterrupt):
        _grade(course, handed_in, progress=Interrupting(first=3))
    log.unlink()
    _grade(course, handed_in, again=True)
    assert _runs(log) == (STUDENTS, STUDENTS, [])


@pytest.mark.parametrize("damage", ["changed", "cut", "another's"])
def test_what_was_changed_since_it_was_sealed_is_run_again(course, handed_in, log, damage):
    with pytest.raises(KeyboardInterrupt):
        _grade(course, handed_in, progress=Interrupting(first=3))
    one, other, _ = sorted(course.first_runs("tiny").iterdir())
    sealed = one.read_bytes()
    other_data = {"changed": sealed[:-1] + b"!", "cut": sealed[:9], "another's": other.read_bytes()}
    one.write_bytes(other_data[damage])
    log.unlink()
    results = _grade(course, handed_in)
    assert [result.points for result in results] == [6] * STUDENTS
    assert _runs(log) == (STUDENTS - 2, STUDENTS, [])


SUBMISSIONS = {
    "right": {},
    "wrong_where_it_is_hidden": {"double": "def double(x):\n    return 2 * abs(x)"},
    "wrong": {"mean": "def mean(values):\n    print('0'); return 0"},
    "ends_its_process": {"mean": "import os\nos._exit(1)"},
    "ends_in_a_test": {"mean": "import os\ndef mean(values): os._exit(1)"},
    "never_ends": {"mean": "while True: pass"},
}


@pytest.mark.parametrize("answers", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_runs_made_apart_come_to_what_both_come_to(course, answers):
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    whole = multi_notebook.Submission(
        "ann", (as_bytes(answered(released, SOLUTIONS | answers)),), "key"
    )
    tiny, secret = load(course, "tiny"), b"secret"
    from autograder.examiner.sandboxed_runner import SandboxedRunner

    with SandboxedRunner(Limits(cell_seconds=2), probe()) as rooms:
        both = multi_notebook.make_runs(whole, tiny, rooms, secret)
        first = multi_notebook.make_runs(
            dataclasses.replace(whole, first_only=True), tiny, rooms, secret
        )
        assert isinstance(first, multi_notebook.FirstRuns)
        sealed = dataclasses.replace(whole, sealed=first.sealed)
        apart = multi_notebook.make_runs(sealed, tiny, rooms, secret)
    assert apart.result.seconds > 0
    times = dict.fromkeys(("seconds", "student_seconds"), 0.0)
    assert dataclasses.replace(apart.result, **times) == dataclasses.replace(both.result, **times)
    assert apart.notebooks == both.notebooks


def test_without_hidden_tests_one_run_is_enough(tmp_path):
    course = Course.at(tmp_path / "plain")
    write_source(course.root, texts=[one for one in TEXTS if one[1] != "double_negative"])
    release(course, "tiny")
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    data = as_bytes(answered(released, SOLUTIONS))
    whole = multi_notebook.Submission("ann", (data,), "key", first_only=True)
    from autograder.examiner.sandboxed_runner import SandboxedRunner

    with SandboxedRunner(Limits(), probe()) as rooms:
        found = multi_notebook.make_runs(whole, load(course, "tiny"), rooms, b"secret")
    assert isinstance(found, multi_notebook.GradedSubmission)
    assert found.result.points == 4


def test_a_seal_holds_for_one_submission_and_one_secret():
    sealed = first_runs.seal([None], ("ann", "tiny", "content", "key"), b"secret")
    assert first_runs.unseal(sealed, ("ann", "tiny", "content", "key"), b"secret") == (None,)
    assert first_runs.unseal(sealed, ("bob", "tiny", "content", "key"), b"secret") is None
    assert first_runs.unseal(sealed, ("ann", "tiny", "content", "other"), b"secret") is None
    assert first_runs.unseal(sealed, ("ann", "tiny", "content", "key"), b"another") is None
    assert first_runs.unseal(b"", ("ann", "tiny", "content", "key"), b"secret") is None
