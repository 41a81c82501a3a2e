"""Feedback and report for everybody: axe-core finds nothing against them in Chromium."""

import pytest

from autograder.pages.feedback import write_feedback
from autograder.pages.report import write_report
from tests.autograder.pages.test_report import graded  # noqa: F401 - a fixture
from tests.browser.accessible import violations
from tests.browser.lab import blank_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page():
    with blank_page() as page:
        yield page


def test_feedback_and_report_keep_the_rules(course, tiny, graded, page):  # noqa: F811
    pages = {path.parents[1].name: path for path in write_feedback(course, tiny)}
    written = [pages["ann"], pages["eve"], write_report(course, tiny)[0]]  # all right, stopped
    for path in written:
        page.goto(path.as_uri())
        page.evaluate(
            "document.querySelectorAll('details').forEach((part) => { part.open = true })"
        )
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert violations(page) == [], f"{path.name}, {theme}"


def test_what_breaks_a_rule_is_found(page):
    page.set_content(
        "<html lang=en><title>x</title><p style='color: #aaa'>pale</p><button></button>"
    )
    assert [found.partition(":")[0] for found in violations(page)] == [
        "button-name",
        "color-contrast",
    ]
