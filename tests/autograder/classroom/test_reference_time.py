"""The teacher's own solution has more time than answers have; running out is no wrong solution."""

import dataclasses
import re

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing import reference_time
from autograder.classroom.releasing.reference_run import SetRefused, try_solution
from autograder.classroom.releasing.release import release
from autograder.examiner.sandboxed_runner import Limits, SandboxedRunner
from autograder.rehearsal.stock_nbgrader import Kernel
from autograder.rehearsal.try_answers import ExerciseTrial
from autograder.sandbox.probing import probe
from autograder.wire.contract import Cell, CellRun, Incident, NotebookRun, Role, Verdict
from tests.autograder.tiny_assignment import TEXTS, write_source

LIMITS = Limits(cell_seconds=0.5, notebook_seconds=4.0, grace_seconds=0.5)
WORK = (
    "import time\nstart = time.process_time()\nwhile time.process_time() < start + {}:\n    pass\n"
)
BUSY, QUIET = 14.2, 0.3


@pytest.fixture(scope="module")
def hurried():
    with SandboxedRunner(LIMITS, probe()) as rooms:
        yield rooms


@pytest.fixture
def load(monkeypatch):
    """Imitate a machine with two cores, and this load."""

    def set_load(load):
        monkeypatch.setattr(reference_time, "_load", lambda: load)
        monkeypatch.setattr(reference_time, "_cores", lambda: 2)

    return set_load


def course_with(folder, **before):
    """The tiny set with some work before what some of its cells do."""
    texts = [(k, n, before.get(n, "") + t, m) for k, n, t, m in TEXTS]
    write_source(folder, texts=texts)
    return Course.at(folder)


def test_a_solution_as_quick_as_an_answer_must_be_is_released_without_a_word(tmp_path, rooms):
    notes = []
    release(course_with(tmp_path, double=WORK.format(0.6)), "tiny", rooms, tell=notes.extend)
    assert notes == []
    assert rooms.limits == Limits()


@pytest.mark.parametrize("slow", ["double", "double_small", "double_negative"])
def test_a_cell_that_needs_more_than_answers_have_is_released_with_a_warning(
    tmp_path, hurried, slow
):
    """A solution cell, a test, and one with a hidden part."""
    course, notes = course_with(tmp_path, **{slow: WORK.format(1.0)}), []
    release(course, "tiny", hurried, tell=notes.extend)
    (note,) = (note for note in notes if repr(slow) in note)
    assert re.match(rf"the cell {slow!r} of your own solution took \d+\.\d s, without", note)
    assert "answers have 0.5 s" in note
    assert re.search(r"--cell-seconds \d+0", note)


def test_a_notebook_that_needs_more_than_answers_have_is_released_with_a_warning(tmp_path, hurried):
    course, notes = course_with(tmp_path, double=WORK.format(0.4), mean=WORK.format(0.4)), []
    hurried.limits = dataclasses.replace(LIMITS, notebook_seconds=0.7)
    try:
        release(course, "tiny", hurried, tell=notes.extend)
    finally:
        hurried.limits = LIMITS
    assert any("a notebook has 0.7 s" in note and "--notebook-seconds 10" in note for note in notes)


@pytest.mark.parametrize(("slow", "busy"), [("double", True), ("double_small", False)])
def test_a_solution_that_runs_out_of_time_is_not_called_wrong(tmp_path, hurried, load, slow, busy):
    load(BUSY if busy else QUIET)
    course = course_with(tmp_path, **{slow: WORK.format(60)})
    with pytest.raises(SetRefused) as refused:
        release(course, "tiny", hurried)
    said = str(refused.value)
    stopped = f"the cell {slow!r} of your own solution was stopped after"
    assert re.search(rf"{stopped} [\d.]+ s of its own \([\d.]+ s by the clock\)", said)
    assert "answers have 0.5 s for a cell" in said
    assert f"load of this machine is {BUSY if busy else QUIET} on 2 cores" in said
    assert "--cell-seconds" in said
    assert ("try again when the machine is quiet" in said) is busy
    assert "points" not in said  # no test is said to fail
    assert "--accept" not in said
    assert hurried.limits == LIMITS


def test_what_is_wrong_before_the_time_runs_out_is_said_as_well(tmp_path, hurried, load):
    load(BUSY)
    before = {"double_small": "assert double(1) == 3\n", "mean": WORK.format(60)}
    with pytest.raises(SetRefused) as refused:
        release(course_with(tmp_path, **before), "tiny", hurried)
    said = str(refused.value)
    assert "the test 'double_small' gives your own solution 0 of 1 points" in said
    assert said.endswith("--accept double_small")
    assert "the cell 'mean' of your own solution was stopped" in said


def test_the_notebook_without_answers_has_the_time_that_answers_have(
    tmp_path, hurried, monkeypatch
):
    given, run = [], hurried.run
    monkeypatch.setattr(
        hurried, "run", lambda *all: given.append(hurried.limits.cell_seconds) or run(*all)
    )
    release(course_with(tmp_path), "tiny", hurried)
    assert given == [0.5 * reference_time.PATIENCE, 0.5]


CELLS = [Cell(Role.STUDENT, "x = 1", "a"), Cell(Role.EXAMINER, "assert x", "t")]
LATE = "not run: the notebook had used up its 24 s"


def test_a_notebook_that_runs_out_of_time_is_told_at_its_first_cell_not_run():
    lost = Verdict((), "ConnectionClosed", detail=LATE)
    shown = ({"output_type": "error", "evalue": LATE},)
    both = NotebookRun((CellRun(shown), CellRun(verdict=lost)))
    assert reference_time.stopped_cells(CELLS, both) == {
        0: "your own solution was stopped before the cell 'a'"
    }
    last = NotebookRun((CellRun(), CellRun(verdict=lost)))
    assert [*reference_time.stopped_cells(CELLS, last)] == [1]


def test_a_cell_that_ended_otherwise_was_not_stopped():
    died = Incident(Incident.DIED, "a", "by itself")
    assert reference_time.stopped_cells(CELLS, NotebookRun((CellRun(), CellRun()), (died,))) == {}
    late = Incident(Incident.TIMEOUT, "a", "after 3 s")
    run = NotebookRun((CellRun(own_seconds=3.1, seconds=9.4), CellRun()), (late,))
    (said,) = reference_time.stopped_cells(CELLS, run).values()
    assert said.endswith("was stopped after 3.1 s of its own (9.4 s by the clock)")


class BusyRooms:
    """Rooms in which a cell waits for a core, and is stopped until it has enough time."""

    def __init__(self, own_seconds):
        self.limits, self.given, self._own = LIMITS, [], own_seconds

    def run(self, cells, seed, files=()):
        self.given.append(self.limits.cell_seconds / LIMITS.cell_seconds)
        if self.given[-1] == reference_time.MORE_PATIENCE:
            return NotebookRun(tuple(CellRun(verdict=Verdict()) for _ in cells))
        late = Incident(Incident.TIMEOUT, cells[0].name, "after 3 s")
        return NotebookRun(tuple(CellRun(own_seconds=self._own) for _ in cells), (late,))


@pytest.mark.parametrize(("own_seconds", "is_again"), [(0.2, True), (3.0, False)])
def test_a_cell_that_only_waited_for_a_core_is_run_again(own_seconds, is_again):
    rooms = BusyRooms(own_seconds)
    code = [{"cell_type": "code", "source": "x = 1", "metadata": {}}]
    tried = try_solution(code, [], rooms)
    more = [reference_time.PATIENCE, reference_time.MORE_PATIENCE]
    assert rooms.given == (more if is_again else more[:1])
    assert bool(tried.troubles) is not is_again


def test_checks_gives_a_sets_own_solution_more_time_and_says_that_it_is_slow(tmp_path, hurried):
    course_with(tmp_path, double=WORK.format(1.0))
    (trial,) = ExerciseTrial.all_of(Course.at(tmp_path), "tiny")
    own = trial.try_own(hurried, b"")
    assert own.troubles == []
    assert any("the cell 'double' of your own solution took" in note for note in own.notes)


def test_a_kernel_of_stock_nbgrader_can_be_given_more_time():
    kernel = Kernel(2.0)
    with reference_time.more_time(kernel):
        assert kernel.limits.cell_seconds == 2.0 * reference_time.PATIENCE
    assert kernel.limits.cell_seconds == 2.0
