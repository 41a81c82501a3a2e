"""A whole term through each platform's own files: nobody is lost, and no point is another one."""

import pytest

from autograder.sandbox.probing import probe
from tests.autograder import term
from tests.sharing import once


@pytest.mark.parametrize("platform", term.PLATFORMS, ids=lambda platform: platform.name)
def test_a_term_loses_no_student_and_no_point(tmp_path, tmp_path_factory, platform):
    adopted = once(tmp_path_factory, "adopted course", term.adopted)
    weakly = () if probe().strong else ("--allow-weak-sandbox",)
    outcome = term.Term(tmp_path, platform, adopted, weakly)()
    assert outcome.collected == len(outcome.expected) == term.STUDENTS
    assert outcome.namesakes == 2
    assert outcome.late == len(term.LATE)
    assert outcome.lost == []
    assert outcome.different == [], (outcome.expected, outcome.booked, outcome.exported)


def test_the_table_shows_what_is_lost_and_what_differs():
    outcome = term.Outcome("moodle", 1, 2, 3, {"a": 1.0, "b": 2.0}, {"a": 1.0}, {"a": 2.0})
    assert (outcome.lost, outcome.different) == (["b"], ["a", "b"])
    assert term.table([outcome]).splitlines()[1].split() == ["moodle", "2", "1", "2", "3", "1", "2"]
