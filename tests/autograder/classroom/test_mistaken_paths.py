"""Arguments that can't be meant: nobody becomes a student by a slip of the teacher's."""

import shutil

import pytest

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.intake import collect_class, mistaken_paths
from tests.autograder.tiny_assignment import answered, as_bytes


@pytest.fixture
def handed_in(tmp_path, released):
    for student in ("ann", "bob"):
        path = tmp_path / "all" / "handed-in" / student / "tiny" / "tiny.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released)))
    return tmp_path / "all" / "handed-in"


def refusal(course, source):
    with pytest.raises(CourseError) as refused:
        collect_class.collect(course, "tiny", source)
    assert "Nothing was graded" in str(refused.value)
    assert not [path for path in (course.root / "submitted").glob("*") if path.name != "ann"]
    return str(refused.value)


def test_the_right_folder_is_the_right_one(course, handed_in):
    found = collect_class.collect(course, "tiny", handed_in)
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]


def test_one_too_high(course, handed_in):
    (handed_in.parent / "readme").mkdir()
    (handed_in.parent / "readme" / "x.ipynb").write_text("{}")
    assert f"a folder of 2 students. Nothing was graded; give {handed_in}" in refusal(
        course, handed_in.parent
    )


def test_one_too_high_with_a_class_of_one(course, handed_in):
    shutil.rmtree(handed_in / "bob")
    said = refusal(course, handed_in.parent)
    assert f"{handed_in.parent} has the folder 'handed-in', which has the folder 'ann'" in said
    assert f"give {handed_in} if it is 'ann'" in said


def test_a_teachers_notebook_is_nobodys(course, handed_in):
    shutil.copytree(course.root / "source" / "tiny", handed_in / "tiny-by-me")
    found = collect_class.collect(course, "tiny", handed_in)
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]
    assert found.refused == ("'tiny-by-me': a notebook with hidden tests in it is a teacher's",)
    assert not (course.root / "submitted" / "tiny-by-me").exists()


@pytest.mark.parametrize("place", ["ann", "ann/tiny"])
def test_one_too_deep(course, handed_in, place):
    said = refusal(course, handed_in / place)
    assert "the folder of a single student: 'tiny' is the problem set" in said


def test_the_course_itself_and_what_is_in_it(course, handed_in):
    collect_class.collect(course, "tiny", handed_in)
    shutil.rmtree(course.root / "submitted" / "bob")
    assert "a teacher's course folder with solutions" in refusal(course, course.root)
    assert "contains the course folder" in refusal(course, course.root.parent)
    for folder in ("source", "release", "source/tiny"):
        assert "so it contains no submissions" in refusal(course, course.root / folder)
    assert "--student ann" in refusal(course, course.root / "submitted" / "ann")
    assert collect_class.collect(course, "tiny", course.root / "submitted")


def test_another_course(course, tmp_path, handed_in):
    shutil.copytree(course.root, tmp_path / "other")
    assert "a teacher's course folder" in refusal(course, tmp_path / "other")
    shutil.copytree(course.root, handed_in / "copy", ignore=shutil.ignore_patterns(".autograder"))
    found = collect_class.collect(course, "tiny", handed_in)
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]
    assert found.refused == ("'copy': it is a teacher's course folder, not a student's",)


def test_a_student_can_not_stop_the_class_by_files_of_a_course(course, tmp_path, handed_in):
    (handed_in / "bob" / "gradebook.db").write_bytes(b"")
    (handed_in / "bob" / "source" / "tiny").mkdir(parents=True)
    (handed_in / "bob" / "source" / "tiny" / "tiny.ipynb").write_text("{}")
    found = collect_class.collect(course, "tiny", handed_in)
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]


def test_swapped_arguments(course, tmp_path, handed_in):
    for root, name, submissions in (
        (handed_in, "tiny", course.root),
        (tmp_path / "tiny", str(course.root), handed_in),
        (tmp_path / "tiny", str(course.root), None),
    ):
        with pytest.raises(CourseError, match="Were they swapped"):
            mistaken_paths.check_course(Course.at(root), name, submissions)
    mistaken_paths.check_course(course, "tiny", handed_in)
    mistaken_paths.check_course(Course.at(tmp_path / "new"), "tiny")


def test_a_folder_that_is_no_course_is_not_made_one(course, tmp_path, handed_in):
    for root in (course.root / "source", handed_in, course.root / "submitted"):
        root.mkdir(exist_ok=True)
        with pytest.raises(CourseError, match="is not a course folder: it has neither source/ nor"):
            mistaken_paths.check_course(Course.at(root), "tiny", handed_in)
    with pytest.raises(CourseError, match=f"; {course.root} is one"):
        mistaken_paths.check_course(Course.at(course.root / "source"), "tiny", handed_in)
