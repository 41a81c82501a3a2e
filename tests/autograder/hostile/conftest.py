"""The whole catalogue, graded once for all the tests that look at what came of it."""

import functools
import json
import re
from pathlib import Path

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.classroom.sets.assignment import text_of
from tests import tiers
from tests.autograder import tiny_assignment
from tests.autograder.hostile import cross_section, oracles, parts
from tests.autograder.hostile.catalogue import all_submissions
from tests.autograder.hostile.classroom import GradedNotebook, grade
from tests.autograder.hostile.portable import STRONG, is_tried
from tests.autograder.tiny_assignment import write_source
from tests.sharing import once

CLASSES = ("class.zip", "class", "endless.zip", "ps03.zip", "oracle.zip", "parts.zip")
# Those who take all the time that a cell is given. They are given less.
ENDLESS = {
    "backtracking", "clock_turned_back", "disk_in_many_files", "endless_error", "endless_loop",
    "endless_representation", "ends_three_times", "flood_by_a_child", "fork_bomb",
    "half_a_message", "kill_everybody", "loop_in_c", "loop_in_the_function",
    "loop_that_swallows_interruptions", "loop_with_blocked_signals", "loop_without_alarm",
    "many_displays", "many_lines", "memory_piece_by_piece", "never_says_that_it_is_done",
    "sleep_in_an_import", "slip_forks", "slip_loop", "slip_loop_in_c", "spinning_children",
    "spinning_sessions", "spinning_weights", "stolen_messages", "stopped_child",
    "stopped_process", "trickle", "waits_for_its_time", "clock_of_the_alarm",
    "sleeps_as_if_it_waited",
}  # fmt: skip
SECONDS = {"class.zip": 4, "endless.zip": 1}  # for a cell; else 10
TEXTS = {"tiny": tiny_assignment.TEXTS, "oracle": oracles.TEXTS, "parts": parts.TEXTS}
SOLUTIONS = {
    "tiny": tiny_assignment.SOLUTIONS,
    "oracle": oracles.SOLUTIONS,
    "parts": parts.SOLUTIONS,
}


def class_of(submission) -> str:
    """In which class the submission is graded."""
    if submission.problem_set != "tiny":
        return f"{submission.problem_set}.zip"
    if submission.name in ENDLESS:
        return "endless.zip"
    return "class" if submission.kind in ("links", "unlucky") else "class.zip"


def ps03_solutions(course: Course) -> dict[str, str]:
    """The teacher's own answers."""
    cells = json.loads(course.source("ps03").read_text(encoding="utf-8"))["cells"]
    return {
        cell["metadata"]["nbgrader"]["grade_id"]: re.sub(
            r"^ *### (BEGIN|END) SOLUTION\n?", "", text_of(cell["source"]), flags=re.MULTILINE
        )
        for cell in cells
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }


def pytest_collection_modifyitems(config, items):
    """Put tests of one class together: workers then begin with different ones, and need not wait
    until another one has graded theirs. Leave out what is not of the everyday tier.
    """
    tiers.leave_out(config, items, _is_kept)
    here = [n for n, item in enumerate(items) if item.path.name == "test_hostile.py"]
    for place, item in zip(here, sorted((items[n] for n in here), key=_graded_for), strict=True):
        items[place] = item


def _graded_for(item) -> tuple[str, str]:
    """The sandbox and the class whose grading a test looks at, as far as its parameters say."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    name = class_of(given["found"]) if "found" in given else given.get("name", "")
    return given.get("sandbox", STRONG), name


def _is_kept(item) -> bool:
    """Whether a test belongs to the everyday tier, by the submission or class that it looks at."""
    if not item.nodeid.startswith("tests/autograder/hostile/"):
        return True
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("sandbox", STRONG) != STRONG:
        return False
    if "found" in parameters:
        return cross_section.is_everyday(parameters["found"])
    return "classes" not in item.fixturenames or "sandbox" in parameters


@pytest.fixture(scope="session")
def classes(tmp_path_factory):
    """Each class by its name and sandbox, graded when it is first asked for."""

    @functools.cache
    def graded_class(name: str, sandbox: str = STRONG) -> GradedNotebook:
        chosen = chosen_for(name, sandbox)
        grade_there = functools.partial(graded_in, name=name, chosen=chosen, sandbox=sandbox)
        return once(tmp_path_factory, f"{sandbox}-{name}", grade_there)

    return graded_class


def chosen_for(name: str, sandbox: str) -> tuple:
    """Return the submissions of the class that the sandbox is to contain and the tier has."""
    return tuple(
        found
        for found in all_submissions()
        if class_of(found) == name and is_tried(sandbox, found) and _is_of_the_tier(found)
    )


def _is_of_the_tier(submission) -> bool:
    return tiers.is_exhaustive() or cross_section.is_everyday(submission)


def graded_in(
    folder: Path, name: str, chosen: tuple, sandbox: str, seconds: float = 0, texts: list = ()
) -> GradedNotebook:
    """Grade these students, of the class of this name, and nobody else. `texts` is another version
    of their problem set.
    """
    course, problem_set = Course.at(folder / "course"), chosen[0].problem_set
    if problem_set != "ps03":
        write_source(course.root, problem_set, texts or TEXTS[problem_set])
    release(course, problem_set)
    course.secret()
    solutions = SOLUTIONS[problem_set] if problem_set in SOLUTIONS else ps03_solutions(course)
    released = json.loads(course.released(problem_set).read_text(encoding="utf-8"))
    seconds = seconds or SECONDS.get(name, 10)
    return grade(course, released, solutions, chosen, folder / name, seconds, sandbox)
