"""A problem set whose visible tests need a hidden one is not released."""

import pytest

from autograder.classroom.folders import Course, CourseError
from autograder.classroom.release import release
from autograder.examiner.rooms import Limits, Rooms
from autograder.sandbox.probing import probe
from tests.autograder.tiny_assignment import TEXTS, write_source

HELPER = "### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS\n{visible}"


@pytest.fixture(scope="module")
def rooms():
    with Rooms(Limits(), probe()) as rooms:
        yield rooms


def texts_with(source):
    """The tiny problem set with another text of its second test."""
    return [(kind, name, source if name == "double_negative" else text, marks)
            for kind, name, text, marks in TEXTS]  # fmt: skip


@pytest.mark.parametrize(
    ("hidden", "visible", "said"),
    [
        ("number = 3", "assert double(number) == 6", "name 'number' is not defined"),
        ("def twice(f): return f(3)", "assert twice(double) == 6", "'twice' is not defined"),
        ("pass", "assert double(3) == 7, 'seven'", "seven"),
    ],
)
def test_a_visible_test_that_fails_with_the_reference_is_refused(
    tmp_path, rooms, hidden, visible, said
):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts_with(HELPER.format(hidden=hidden, visible=visible)))
    with pytest.raises(
        CourseError, match="'double_negative' fails with your own solution"
    ) as error:
        release(course, "tiny", rooms)
    assert said in str(error.value)
    assert not course.released("tiny").exists()
    assert not course.master("tiny").exists()


def test_a_name_of_a_hidden_region_that_a_later_visible_test_needs_is_missed_there(tmp_path, rooms):
    texts = texts_with("### BEGIN HIDDEN TESTS\nseven = 7\n### END HIDDEN TESTS")
    texts = [(k, n, "assert mean([seven]) == 7" if n == "mean_of_three" else t, m)
             for k, n, t, m in texts]  # fmt: skip
    write_source(tmp_path, texts=texts)
    with pytest.raises(CourseError, match="'mean_of_three'"):
        release(Course.at(tmp_path), "tiny", rooms)


def test_a_problem_set_that_stands_by_itself_is_released(tmp_path, rooms):
    write_source(tmp_path)
    assert release(Course.at(tmp_path), "tiny", rooms).max_points == 10
