"""nbgrader's formgrader on a class that `autograder grade` has graded.

Beside two honest students the class has all those of the catalogue who attack whoever looks at
their work: in the formgrader nothing of theirs may run, load or stand in the way.
"""

import json
import re

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.grading import results
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.releasing.release import release
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.autograder import tiny_assignment
from tests.autograder.hostile.catalogue import Desk, all_submissions
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.browser.lab import blank_page, chromium, jupyter_lab

pytestmark = pytest.mark.browser

PICTURE = """
%matplotlib inline
import matplotlib.pyplot as plt
plt.plot([0, 1], [0, 2])
plt.show()
print("double of 4 is", double(4))
"""
CLASS = {
    "ann": SOLUTIONS | {"double": SOLUTIONS["double"] + PICTURE},
    "bob": SOLUTIONS | {"mean": "def mean(values):\n    return 0"},
}
HOSTILE = [found for found in all_submissions() if found.kind == "rendering"]
ELEMENT = "<img src=x onerror=alert(1)>.ipynb"  # a name that is refused
PATIENCE = 120_000  # milliseconds for a page, on a busy machine
BOXES = ("double_small", "double_negative", "mean_of_three", "why")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    course = Course.at(tmp_path_factory.mktemp("teacher") / "course")
    tiny_assignment.write_source(course.root)
    release(course, "tiny")
    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    files = {
        f"{student}/tiny/tiny.ipynb": as_bytes(answered(released, answers))
        for student, answers in CLASS.items()
    }
    files |= {found.file: found.data(Desk(released, course)) for found in HOSTILE}
    files[ELEMENT] = as_bytes(released)
    handed_in = course.root.parent / "handed_in"
    for name, data in files.items():
        (handed_in / name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / name).write_bytes(data)
    found = collect(course, "tiny", handed_in)
    assert len(found.refused) == 1
    assert ELEMENT in found.refused[0]
    grade_class(course, load(course, "tiny"), found.submissions, Graders(Limits(), probe(), 2))
    return course


@pytest.fixture(scope="module")
def page(course, tmp_path_factory):
    chromium()  # before anything is started
    with (
        jupyter_lab(course.root, tmp_path_factory.mktemp("settings")) as address,
        blank_page() as page,
    ):
        page.base = f"{address}/formgrader"
        page.set_default_timeout(PATIENCE)
        yield page


@pytest.fixture(scope="module")
def numbers(course) -> dict[str, str]:
    """Student -> the formgrader's number of the submission."""
    from nbgrader.api import Gradebook

    with Gradebook(course.database) as book:
        found = book.notebook_submissions("tiny", "tiny")
        return {submission.student.id: submission.id for submission in found}


def test_the_scores_of_the_class_are_shown(page, numbers):
    page.goto(f"{page.base}/gradebook/tiny/tiny")
    page.wait_for_selector(f"text=Submission #{len(numbers)}")
    rows = page.locator("tbody tr").all_inner_texts()
    assert len(rows) == len(HOSTILE) + len(CLASS)
    scores = sorted({row.split("\t")[2].strip() for row in rows})
    assert scores == ["0 / 10", "3 / 10", "6 / 10"]  # four points wait for a human


def test_a_submission_is_shown_with_its_outputs(page):
    page.goto(f"{page.base}/manage_submissions/tiny")
    page.wait_for_selector("text=ann")
    page.goto(f"{page.base}/manage_students/ann/tiny")
    page.wait_for_selector("tbody a")
    page.click("tbody a")
    page.wait_for_selector("text=double of 4 is 8")
    assert page.locator(
        ".jp-RenderedImage img, .output_png img, img[src^='data:image/png']"
    ).count()
    assert page.locator("input.score").count() == 4


LOADED = "[...document.querySelectorAll('input.score')].some(box => box.placeholder)"
ELEMENTS = """
() => {
  const counts = {};
  const active = "script style link meta base form iframe object embed input button select textarea"
    + " video audio svg math template plaintext noscript";
  for (const name of active.split(" ")) counts[name] = document.getElementsByTagName(name).length;
  const notebook = document.getElementById("notebook");
  const all = [...document.querySelectorAll("#notebook *")];
  return {
    counts,
    handlers: all.filter(e => [...e.attributes].some(a => /^on/i.test(a.name)) ).length,
    styled: all.filter(e => getComputedStyle(e).position === "fixed").length,
    links: all.filter(e => e.hasAttribute("href")).map(e => e.getAttribute("href")),
    boxes: %s.map(name => document.getElementById(name)?.className || "none"),
    outside: document.querySelectorAll("#notebook-container > .cell").length
      - document.querySelectorAll(".cell").length,
    ran: Boolean(window.hostile) || document.title === "hostile",
  };
}
""" % json.dumps(BOXES)  # noqa: UP031 - braces are JavaScript's


@pytest.fixture(scope="module")
def look(page, numbers):
    """Opens a submission; returns what there is on the page, and what it asks for."""
    seen = []
    page.on("dialog", lambda dialog: (seen.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("popup", lambda popup: seen.append("popup"))
    page.on("request", lambda request: seen.append(request.url))

    def look(student: str) -> dict:
        number = numbers[student]
        seen.clear()
        answer = page.goto(f"{page.base}/submissions/{number}/", wait_until="load")
        page.wait_for_function(LOADED)
        asked = {url.replace(number, "ID") for url in seen if not url.startswith("data:image/")}
        return {"status": answer.status, "asked": asked} | page.evaluate(ELEMENTS)

    return look


@pytest.fixture(scope="module")
def honest(look) -> dict:
    return look("bob")


@pytest.mark.parametrize(
    "found", [found for found in HOSTILE if found.points], ids=lambda found: found.name
)
def test_nothing_of_a_student_s_runs_loads_or_stands_in_the_way(look, honest, found):
    seen = look(found.student)
    strange = [link for link in seen["links"] if not re.match(r"https?://|mailto:|#", link)]
    assert strange == []
    assert seen | {"links": honest["links"]} == honest


@pytest.mark.parametrize(
    "payload",
    [
        "<script>window.hostile=1</script>", "<img src=x onerror='1'>",
        "<img src='https://example.org/x'>", "<form></form>", "<p id='why'>",
        "<i style='position:fixed'>", "<a href='javascript:1'>", "</div></div></div></div></div>",
    ],
)  # fmt: skip
def test_what_would_do_something_is_seen(course, look, honest, payload):
    """The watch itself: what is written into the graded notebook as it is does something."""
    path = course.autograded("ann", "tiny")
    before = path.read_text(encoding="utf-8")
    notebook = json.loads(before)
    notebook["cells"][0]["source"] = payload
    path.write_text(json.dumps(notebook), encoding="utf-8")
    try:
        seen = look("ann")
    finally:
        path.write_text(before, encoding="utf-8")
    assert {**seen, "links": []} != {**honest, "links": []} or "javascript:1" in seen["links"]


TALKATIVE = SOLUTIONS | {
    "double": "def double(x):\n    print('double of', x)\n    return abs(2 * x)"
}


@pytest.fixture(scope="module")
def autograded(course, page):
    """cam's points, who hands in last, after *Autograde* was pressed beside her name."""
    from nbgrader.api import Gradebook

    released = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    path = course.submitted("cam", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(answered(released, TALKATIVE)))
    page.goto(f"{page.base}/manage_submissions/tiny")
    page.locator("tbody tr", has_text="cam").locator(".autograde a").click()
    page.wait_for_selector("text=/Success|There was an error/")
    assert page.locator("text=Successfully autograded 'tiny' for student 'cam'").count()
    with Gradebook(course.database) as book:
        grades = book.find_submission_notebook("tiny", "tiny", "cam").grades
        return {g.name: None if g.needs_manual_grade else g.auto_score for g in grades}


def test_its_button_gives_the_points_that_autograder_grade_gives(course, autograded):
    assert autograded == {"double_small": 1, "double_negative": 0, "mean_of_three": 3, "why": None}
    found = collect(course, "tiny", course.root / "submitted").submissions
    cams = [handed for handed in found if handed.student == "cam"]
    grade_class(course, load(course, "tiny"), cams, Graders(Limits(), probe(), 1))
    here = results.find(course, "cam", "tiny").cells
    assert autograded == {cell.name: cell.points for cell in here}


def test_its_button_writes_feedback_without_a_hidden_test(course, page, autograded):
    page.goto(f"{page.base}/manage_assignments")
    page.locator("tbody tr", has_text="tiny").locator(".generate-feedback a").click()
    page.wait_for_selector("text=/Success|There was an error/")
    assert page.locator("text=Successfully generated feedback of 'tiny'").count()
    pages = {
        path.parents[1].name: path.read_text(encoding="utf-8")
        for path in course.root.glob("feedback/*/tiny/tiny.html")
    }
    assert {"ann", "bob", "cam"} <= set(pages)
    assert "a negative number is doubled too" in pages["cam"]
    for text in pages.values():
        assert not re.search("7351|14702|SECRET_NUMBER", text)
