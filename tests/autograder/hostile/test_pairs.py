"""Two hostile submissions at once: what one learns of a hidden test, the other never shows."""

import json
import re
from dataclasses import dataclass

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.results import find
from autograder.classroom.intake import collect_class
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.sandbox.probing import Probe, probe
from autograder.wire.contract import Limits
from tests.autograder.hostile import pairs
from tests.autograder.hostile.catalogue import Desk, own_cell
from tests.autograder.tiny_assignment import as_bytes

pytestmark = pytest.mark.skipif(not probe().strong, reason="the sandbox is weak here")


@dataclass(frozen=True)
class Pair:
    """Two students who are graded at once."""

    course: Course
    desk: Desk

    def graded(self, folder, **notebooks) -> dict[str, str]:
        """Return the outputs of each student's notebook as they are shown."""
        folder.mkdir()
        for student, notebook in notebooks.items():
            (folder / f"{student}.ipynb").write_bytes(as_bytes(notebook))
        handed_in = collect_class.collect(self.course, "tiny", folder).submissions
        limits = Limits(cell_seconds=20)
        with Probe() as found:  # whose fork server both workers take copies of
            graders = Graders(limits, found.sandbox, jobs=2, parent=found.parent)
            grade_class(self.course, load(self.course, "tiny"), handed_in, graders)
        return {student: self._outputs(student) for student in notebooks}

    def _outputs(self, student: str) -> str:
        cells = json.loads(self.course.autograded(student, "tiny").read_text())["cells"]
        return json.dumps([cell.get("outputs") for cell in cells])


@pytest.fixture
def pair(course, released):
    return Pair(course, Desk(released, course))


@pytest.mark.parametrize("way", pairs.WAYS)
def test_a_hidden_run_tells_the_first_run_of_another_nothing(pair, tmp_path, way):
    shown = pair.graded(
        tmp_path / "in",
        ann=pair.desk.answered(double=pairs.teller(way)),
        bob=pair.desk.with_cell(pairs.listener(way)),
    )
    heard = [int(number) for number in re.findall(r"heard (\d+)", shown["bob"])]
    assert pairs.NUMBER not in heard
    assert heard in ([0], [])  # a refused call is an error


def test_a_run_cannot_ask_the_run_of_another_for_an_answer(pair, tmp_path):
    strong = pair.desk.with_cell(pairs.helper(), at=4)
    source = f"import time\ntime.sleep({pairs.TELLS_SECONDS})"  # so that it is there in time
    strong["cells"].append(own_cell("code", source))
    pair.graded(tmp_path / "in", ann=strong, bob=pair.desk.answered(double=pairs.asker()))
    assert find(pair.course, "ann", "tiny").points == 6
    assert find(pair.course, "bob", "tiny").points == 3  # of the other exercise
