"""Two versions of a problem set that differ in a hidden number: what students see is the same."""

import json
from dataclasses import replace

import pytest

from autograder.sandbox.probing import probe
from autograder.wire.contract import Incident
from tests.autograder.hostile.catalogue import all_submissions
from tests.autograder.hostile.conftest import chosen_for, graded_in
from tests.autograder.hostile.portable import STRONG
from tests.autograder.tiny_assignment import TEXTS
from tests.sharing import once

pytestmark = [
    pytest.mark.skipif(not probe().strong, reason="the sandbox is weak here"),
]
# An even number in the place of an odd one, of as many digits.
OTHER = [
    (kind, name, text.replace("7351", "2468").replace("14702", "4936"), roles)
    for kind, name, text, roles in TEXTS
]
# What these show, and so whether it is too much, depends on when a thread, a timer or the garbage
# collector has its turn.
BY_CHANCE = ("hook_of_lines", "hook_of_garbage", "hook_of_a_timer", "hook_of_a_display")
ASKING = [found for found in all_submissions() if found.kind == "backflow"]


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Those who ask what a hidden test asked, graded with another number."""
    chosen = tuple(found for found in chosen_for("class.zip", STRONG) if found.kind == "backflow")

    def graded(folder):
        return graded_in(folder, "class.zip", chosen, STRONG, texts=OTHER)

    return once(tmp_path_factory, "other-number", graded)


def test_the_versions_differ_in_one_number():
    assert [text for _, _, text, _ in TEXTS] != [text for _, _, text, _ in OTHER]
    assert len(ASKING) > 40


@pytest.mark.parametrize("found", ASKING, ids=lambda found: found.name)
def test_results_pages_and_notebooks_are_the_same_to_the_byte(classes, other, found):
    both = (classes("class.zip"), other)
    results = [graded.results[found.student] for graded in both]
    kinds = {
        "incidents": [_incidents(result, found) for result in results],
        "notes": [result.notes for result in results],
        "cells": [[replace(cell, detail="") for cell in result.cells] for result in results],
    }  # `detail` is the teacher's
    if found.name in BY_CHANCE:
        assert "2468" not in other.page(found.student)
    else:
        kinds["pages"] = [graded.page(found.student) for graded in both]
        kinds["notebooks"] = [json.dumps(_cells(graded, found.student)) for graded in both]
    assert {kind: pair for kind, pair in kinds.items() if pair[0] != pair[1]} == {}


def _incidents(result, found):
    too_much = Incident.OUTPUT if found.name in BY_CHANCE else None
    return [incident for incident in result.incidents if incident.kind != too_much]


def _cells(graded, student: str) -> list[dict]:
    """Return the cells, without the text of the test that has the number."""
    cells = graded.notebook(student)["cells"]
    return [cell for cell in cells if "HIDDEN TESTS" not in cell["source"]]
