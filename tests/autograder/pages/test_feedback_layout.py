"""How a page of feedback is laid out: what to fix first, what is folded, what is printed."""

import json
import re
from pathlib import Path

import pytest

from autograder.classroom.course.folders import Course, write_atomically
from autograder.classroom.grading.read_notebook import unreadable
from autograder.classroom.grading.results import CellResult, Result
from autograder.classroom.sets.assignment import from_notebooks
from autograder.pages.feedback import render
from tests.autograder.pages.test_feedback import words
from tests.browser.lab import blank_page

ASSIGNMENTS = Path(__file__).parents[3] / "assignments"
MESSAGE = (
    "respond([[0, 1, 1], [1, 0, 0]], 1, rng), called 120 times, should be an array of shape "
    "(2, 3), it is a list. An answer that is the truth has probability 3/4 here."
)
MOST_PAGES = 4


@pytest.fixture
def tiny_page(course, tiny, released):
    """The page for points by test, of a result that nobody had to grade."""
    write_atomically(course.autograded("ann", "tiny"), json.dumps(released))

    def page(points, **more):
        exercises = {name: e.name for e in tiny.exercises for name in e.graded}
        cells = tuple(
            CellResult(
                c.name, exercises[c.name], points.get(c.name, c.points), c.points, f"why {c.name}"
            )
            for c in tiny.scored
        )
        return render(course, tiny, Result("ann", "tiny", "", "", cells, **more), {})

    return page


def test_what_wins_most_points_comes_first(tiny_page):
    text = words(tiny_page({"double_small": 0, "mean_of_three": 0}))
    to_fix = text[
        text.index("What to fix first") : text.index("Your notebook, as it ran ↓") + 9_999
    ]
    order = [
        "2. The mean your answer",
        "why mean_of_three",
        "1. Double it your answer",
        "why double_s",
    ]
    places = [to_fix.index(part) for part in order]
    assert places == sorted(places)


def test_within_an_exercise_it_is_so_too(tiny_page):
    text = words(tiny_page({"double_small": 0, "double_negative": 0}))
    assert text.index("why double_negative") < text.index("why double_small")


def test_what_passed_is_folded_and_nothing_is_left_out(tiny_page):
    page = tiny_page({"double_small": 0})
    folded = re.findall(r'<details class="passed">.*?</details>', page, re.DOTALL)
    assert any("1 check passed" in part and "double negative" in part for part in folded)
    assert not any("why double_small" in part for part in folded)
    right = words(tiny_page({}))
    assert "What to fix first" not in right
    assert "Exercise by exercise" in right


def test_the_contents_lead_to_each_exercise_with_its_points(tiny_page):
    page = tiny_page({"double_small": 0})
    contents = page[page.index('<nav class="contents"') : page.index("</nav>")]
    anchors = re.findall(r'href="#([\w-]+)"', contents)
    assert anchors == ["double", "mean", "why", "notebook"]
    assert all(f'id="{anchor}"' in page for anchor in anchors)
    assert "2 of 3" in words(contents)
    assert "width:66.7%" in contents


def test_an_untouched_exercise_says_so_once(tiny_page):
    page = tiny_page({"double_small": 0, "double_negative": 0}, unanswered=("double",))
    summary = page[: page.index('id="notebook"')]
    assert summary.count("Nothing was filled in here.") == 1
    assert "why double_small" not in summary


def test_a_file_that_cannot_be_read_gets_a_page_that_says_what_to_do(tiny_page):
    notes = (unreadable("the file is not a notebook: it isn't JSON"),)
    page = tiny_page(
        dict.fromkeys(("double_small", "double_negative", "mean_of_three"), 0), notes=notes
    )
    text = words(page)
    assert "The file is not a notebook" in text
    assert "What to do now" in text
    assert "autograder check tiny.ipynb" in text
    assert "What to fix first" not in text
    assert "as it ran" not in text


# In Chromium


@pytest.fixture(scope="module")
def browser():
    with blank_page() as page:
        yield page


def full_set(tmp_path, name):
    """The page of somebody who lost every point of a problem set of ours, with much to be said."""
    notebook = json.loads((ASSIGNMENTS / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    whole = from_notebooks(name, notebook, notebook)
    course = Course.at(tmp_path)
    write_atomically(course.autograded("ann", name), json.dumps(_as_run(notebook)))
    exercises = {graded: e.name for e in whole.exercises for graded in e.graded}
    cells = tuple(CellResult(c.name, exercises[c.name], 0, c.points, MESSAGE) for c in whole.scored)
    page = tmp_path / f"{name}.html"
    page.write_text(render(course, whole, Result("ann", name, "", "", cells), {}), encoding="utf-8")
    return page


def _as_run(notebook):
    cells = [cell | {"source": "".join(cell["source"])} for cell in notebook["cells"]]
    return notebook | {
        "cells": [c | ({"outputs": []} if c["cell_type"] == "code" else {}) for c in cells]
    }


@pytest.mark.browser
@pytest.mark.parametrize("name", ["ps03", "ps06"])  # those with most checks
def test_a_full_set_is_four_printed_pages_at_most(tmp_path, browser, name):
    browser.goto(full_set(tmp_path, name).as_uri())
    printed = browser.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= MOST_PAGES


@pytest.mark.browser
def test_a_phone_shows_it_without_scrolling_sideways(tmp_path, browser):
    browser.goto(full_set(tmp_path, "ps03").as_uri())
    try:
        browser.set_viewport_size({"width": 390, "height": 800})
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        browser.set_viewport_size({"width": 1280, "height": 800})
