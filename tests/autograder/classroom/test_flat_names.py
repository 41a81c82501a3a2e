"""A flat name is a student only if the rest of the batch agrees."""

import pytest

from autograder.classroom.course.folders import CourseError
from autograder.classroom.intake import collect_class
from autograder.classroom.intake.collect_class import CollectOptions
from autograder.classroom.intake.people import Person
from tests.autograder.classroom.handing_in import zipped
from tests.autograder.tiny_assignment import answered, as_bytes


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


def collect(course, tmp_path, notebook, names, **wanted):
    source = zipped(tmp_path / "in.zip", {f"{name}.ipynb": notebook for name in names})
    return collect_class.collect(
        course, "tiny", source, CollectOptions(notebooks={"tiny": ()}, **wanted)
    )


@pytest.mark.parametrize(
    ("names", "asks"),
    [
        (["tiny_ann", "tiny_bob"], "the 2 notebooks have 'tiny_' at the beginning: is it a part"),
        (["tiny-ann"], "the notebook has 'tiny-' at the beginning"),
        (["ann_Tiny", "bob_Tiny"], "'_Tiny' at the end"),
        (["HW 3 - ann", "HW 3 - bob"], "'HW 3 - ' at the beginning"),
        (["export_ann", "export_bob", "export_cyd"], "'export_' at the beginning"),
        (["ann (1)", "bob (1)"], r"' \(1\)' at the end"),
        (["ann_90001", "bob_90002"], "notebooks have a number in them, as 'ann_90001'"),
        (["x_90001_ann", "y_90002_bob", "z_90003_cyd"], "have a number in them"),
    ],
)
def test_what_all_names_share_stops_with_a_question(course, tmp_path, notebook, names, asks):
    with pytest.raises(CourseError, match=asks) as asked:
        collect(course, tmp_path, notebook, names)
    assert "Nothing was graded; give each notebook the name of its student" in str(asked.value)
    assert not (course.root / "submitted").exists()


@pytest.mark.parametrize(
    "names",
    [
        ["ann", "bob"],
        ["ann"],
        ["Ada Lovelace", "Ada Hopper"],
        ["1234567", "1234568", "1234569"],
        ["s1234567", "s1234568", "s1234569"],
        ["student00", "student01", "student02"],
        ["ann_1999", "bob"],
        ["tina", "tinyann"],
        ["jean-luc", "jean-paul", "ann"],
    ],
)
def test_names_that_agree_are_students(course, tmp_path, notebook, names):
    found = collect(course, tmp_path, notebook, names)
    assert [handed.student for handed in found.submissions] == sorted(names)


def test_names_on_the_list_of_the_class_are_students(course, tmp_path, notebook):
    names = ["tiny_ann", "tiny_bob", "tiny_cyd"]
    found = collect(course, tmp_path, notebook, names, people=(Person("Tiny_Ann"),))
    assert len(found.submissions) == 3


@pytest.mark.parametrize(
    ("name", "platform"),
    [
        ("LATE_anon_Qw9Zx_90002_tiny", "Canvas"),
        ("lovelaceada_4711_90001_tiny", "Canvas"),
        ("hw_ada_attempt_2026-11-03-22-23-00_x", "Blackboard"),
        ("Ada Lovelace_12_assignsubmission_file_tiny", "Moodle"),
        ("1-67 - Ada - Nov 3, 2026 1023 PM - tiny", "Brightspace"),
    ],
)
def test_one_platform_name_among_others_is_no_student(course, tmp_path, notebook, name, platform):
    found = collect(course, tmp_path, notebook, ["ann", "bob", name])
    assert [handed.student for handed in found.submissions] == ["ann", "bob"]
    said = f"'{name}.ipynb': it is called as {platform} names files, and most others aren't"
    assert found.refused == (said,)
