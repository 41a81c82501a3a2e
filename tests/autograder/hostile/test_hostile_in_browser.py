"""The pages of the catalogue, opened in Chromium: nothing that a student wrote runs or loads."""

import pytest

from tests.browser.lab import CHROMIUM_ARGUMENTS, chromium

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def look(browser):
    """Opens an address; returns everything that the page does beyond being shown."""
    from playwright.sync_api import Error

    seen = []
    page = browser.new_page()
    page.on("dialog", lambda dialog: (seen.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: seen.append(f"request {request.url}"))
    page.on("popup", lambda popup: seen.append("popup"))

    def look(address: str) -> list[str]:
        seen.clear()
        page.goto(address, wait_until="load")
        page.wait_for_timeout(50)  # for what goes elsewhere by itself
        try:
            if page.evaluate("window.hostile") or page.title() == "hostile":
                seen.append("a script ran")
        except Error as error:  # so it is with a page that is about to go elsewhere
            seen.append(f"could not be asked: {error.message}")
        if page.url != address:
            seen.append(f"went to {page.url}")
        expected = (f"request {address}", "request data:image/")
        return [event for event in seen if not event.startswith(expected)]

    yield look
    page.close()


def test_nothing_runs_and_nothing_is_loaded(classes, look):
    graded = classes("class.zip")
    chosen = [found.student for found in graded.submissions if found.kind == "rendering"]
    pages = [graded.course.feedback(student, "tiny") for student in chosen]
    pages.append(graded.course.report("tiny"))
    happened = {str(path): look(path.as_uri()) for path in pages}
    assert {path: events for path, events in happened.items() if events} == {}
    assert len(pages) > 20


def test_what_would_run_is_seen(look, tmp_path):
    """The watch itself: the catalogue's own payloads, unescaped, do something."""
    payloads = (
        "<script>window.hostile=1</script>", "<img src=x onerror=alert(1)>",
        "<img src='https://example.org/x'>", "<title>hostile</title>",
        "<meta http-equiv=refresh content='0;url=about:blank'>",
    )  # fmt: skip
    for number, payload in enumerate(payloads):
        path = tmp_path / f"{number}.html"
        path.write_text(payload)
        # On a busy machine a page may not have come to it yet.
        assert any(look(path.as_uri()) for _ in range(20)), payload
