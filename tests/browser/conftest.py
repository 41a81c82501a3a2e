"""In the everyday tier one lesson is opened, and formgrader's first page."""

from tests import tiers
from tests.browser.test_lessons_in_browser import WHOLE


def pytest_collection_modifyitems(config, items):
    tiers.leave_out(config, items, _is_kept)


def _is_kept(item) -> bool:
    if not item.nodeid.startswith("tests/browser/"):
        return True
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if "lesson" in parameters:
        return parameters["lesson"] == WHOLE
    return item.name == "test_the_scores_of_the_class_are_shown"
