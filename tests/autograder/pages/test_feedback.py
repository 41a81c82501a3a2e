"""What a student gets back: everything that helps, nothing hidden, nothing that runs."""

import html.parser
import importlib.metadata
import json
import re
import shutil
import time

import pytest

from autograder.classroom.course.folders import CourseError
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.status import cautions
from autograder.pages import formulas, rendering
from autograder.pages.feedback import prepare_pages, write_feedback
from autograder.pages.formulas import formula
from autograder.wire.contract import Limits
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import WEAK

pytestmark = pytest.mark.usefixtures("one_room")

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


class Page(html.parser.HTMLParser):
    """The tags, attributes and visible text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]

    def handle_data(self, data):
        self.words.append(data)


def words(text):
    """All that is to be read on a page, in a row."""
    return " ".join(" ".join(Page(text).words).split())


def pages(course, tiny, notebooks):
    for student, notebook in notebooks.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook if isinstance(notebook, bytes) else as_bytes(notebook))
    handed = collect(course, "tiny", course.root / "submitted").submissions
    grade_class(course, tiny, handed, Graders(Limits(), WEAK, 1))
    written = list(write_feedback(course, tiny))
    return {path.parents[1].name: path.read_text(encoding="utf-8") for path in written}


def page(course, tiny, notebook):
    return pages(course, tiny, {"ann": notebook})["ann"]


def with_outputs(course, tiny, released, outputs, text="print()"):
    """The page of a submission whose first answer left these outputs."""
    page(course, tiny, answered(released, {**SOLUTIONS, "double": text}))
    path = course.autograded("ann", "tiny")
    notebook = json.loads(path.read_text())
    cell = next(c for c in notebook["cells"] if c["source"] == text)
    cell["outputs"] = outputs
    path.write_text(json.dumps(notebook))
    return next(write_feedback(course, tiny)).read_text(encoding="utf-8")


def test_points_messages_and_answers_are_there(course, tiny, released):
    answers = {**SOLUTIONS, "double": "def double(x):\n    return abs(2 * x)"}
    text = words(page(course, tiny, answered(released, answers)))
    assert "4 of 10 points" in text
    assert "a negative number is doubled too" in text
    assert "Waits for a human to grade it." in text
    assert text.count("2. The mean … of") == 1  # in the overview, and above its checks:
    assert text.count("2. The mean your answer ↓ … of") == 1
    assert "return" in text
    assert "abs" in text


def test_hidden_tests_and_tracebacks_are_not(course, tiny, released):
    answers = {**SOLUTIONS, "double": "def double(x):\n    print('called with', x)\n    return 0"}
    text = page(course, tiny, answered(released, answers))
    for hidden in ("SECRET_NUMBER", "7351", "14702", "HIDDEN TESTS", "Traceback", "called with -"):
        assert hidden not in text
    assert "SECRET_NUMBER" in course.autograded("ann", "tiny").read_text()


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<svg onload=alert(1)></svg>",
    '<iframe src="https://example.org"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](https://example.org/pixel.png)",
    '<style>body { background: url("https://example.org") }</style>',
    "<base href=https://example.org>",
    '<form action="https://example.org"><button>Submit</button></form>',
    "</pre></div></main><script>alert(1)</script>",
    '<math><mtext><table><mglyph><style><img src=x onerror="alert(1)">',
    '<meta http-equiv="refresh" content="0;url=https://example.org">',
    "\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07",
    "{{ 7919 * 7919 }}{% include 'x' %}",
]


@pytest.mark.parametrize("attack", HOSTILE)
def test_nothing_that_a_student_wrote_runs(course, tiny, released, attack):
    notebook = answered(released, {**SOLUTIONS, "why": attack})
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": attack})
    notebook["cells"].append({"cell_type": "raw", "metadata": {}, "source": attack})
    notebook["cells"][0]["source"] = attack  # in the place of the teacher's text
    data = {
        "text/html": attack,
        "image/svg+xml": attack,
        "text/markdown": attack,
        "application/javascript": "alert(1)",
        "text/plain": attack,
    }
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": {k: v}} for k, v in data.items()
    ]
    outputs.append({"output_type": "stream", "name": "stdout", "text": attack})
    outputs.append(
        {"output_type": "error", "ename": attack, "evalue": attack, "traceback": [attack]}
    )
    assert_harmless(page(course, tiny, notebook))
    path = course.autograded("ann", "tiny")
    kept = json.loads(path.read_text())
    kept["cells"][3]["outputs"] = outputs
    path.write_text(json.dumps(kept))
    assert_harmless(next(write_feedback(course, tiny)).read_text(encoding="utf-8"))


def assert_harmless(text):
    found = Page(text)
    forbidden = {"script", "iframe", "object", "embed", "form", "base", "link", "button", "math"}
    assert not forbidden & set(found.tags)
    assert found.tags.count("style") == 1
    assert found.tags.count("meta") == 5
    for tag, name, value in found.attributes:
        assert not name.startswith("on"), (tag, name, value)
        if name in ("href", "src"):
            assert value.startswith(("#", "data:image/")), (tag, name, value)
    assert "62710561" not in " ".join(found.words)
    assert "script-src 'none'" in text


def test_a_student_called_by_a_hostile_name(course, tiny, released):
    name = "&lt;script&gt;alert(1)' onclick='1"  # those with < and > are refused
    assert_harmless(pages(course, tiny, {name: released})[name])


def test_outputs_are_shown(course, tiny, released):
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["two\n", "lines"]},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": PIXEL}},
        {
            "output_type": "execute_result",
            "metadata": {},
            "data": {
                "text/html": "<style>x</style><table><tr><td colspan=2 style=a>5</td></table>"
            },
        },
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["\x1b[0;31mE\x1b[0m"]},
    ]
    text = with_outputs(course, tiny, released, outputs)
    assert "two\nlines" in text
    assert f"data:image/png;base64,{PIXEL}" in text
    assert '<td colspan="2">5</td>' in text
    assert '<span class="ansi-red">E</span>' in text


@pytest.mark.parametrize("data", ["", "not base64!", "PHNjcmlwdD4=", PIXEL[:-3] + "<b>"])
def test_a_picture_that_is_none_is_not_shown(course, tiny, released, data):
    outputs = [{"output_type": "display_data", "metadata": {}, "data": {"image/png": data}}]
    text = with_outputs(course, tiny, released, outputs)
    assert "A picture that can't be shown" in text
    assert "<img" not in text


def test_an_output_flood_has_an_end(course, tiny, released):
    outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 3_000_000}]
    text = with_outputs(course, tiny, released, outputs)
    assert len(text) < 200_000
    assert "more characters are not shown" in text


@pytest.mark.parametrize(
    "outputs",
    [
        [{}],
        [{"output_type": "stream"}],
        [{"output_type": "display_data", "data": {"text/plain": None}}],
        [{"output_type": "error"}],
        [{"output_type": "display_data", "data": {"text/html": ["a", "b"]}}],
    ],
)
def test_odd_outputs_are_survived(course, tiny, released, outputs):
    assert "</html>" in with_outputs(course, tiny, released, outputs)


def test_the_problem_sets_own_text_keeps_formulas_and_hints(course, tiny, released):
    assert '<svg role="img" aria-label="x^2"' in page(course, tiny, released)


def test_what_was_odd_is_said(course, tiny, released):
    said = pages(course, tiny, {"ann": b"{", "bob": b"\xef\xbb\xbf" + as_bytes(released)})
    assert "isn&#39;t JSON" in said["ann"]
    assert "byte-order mark" in said["bob"]
    assert "Nothing was filled in here." in said["bob"]


def test_what_was_stopped_is_said(course, tiny, released):
    looping = answered(released, {**SOLUTIONS, "double": "while True: pass"})
    text = page(course, tiny, looping)
    assert "<code>double</code> did not end and was stopped" in text
    assert 'href="#answer-double"' in text


def test_points_and_comments_given_by_hand_are_in_it(course, tiny, released):
    from nbgrader.api import Gradebook

    page(course, tiny, answered(released))
    with Gradebook(course.database) as book:
        book.find_grade("why", "tiny", "tiny", "ann").manual_score = 2.5
        book.find_comment(
            "why", "tiny", "tiny", "ann"
        ).manual_comment = "Say **why**, $x^2$.\nPlease <script>alert(1)</script>."
        book.db.commit()
    text = next(write_feedback(course, tiny)).read_text()
    assert "8.5<small> of 10 points" in text
    assert 'Say <strong>why</strong>, <span class="formula"><svg role="img"' in text
    assert "<br>\nPlease" in text
    assert "<script>alert" not in text
    assert "Waits for a human" not in text


def test_a_comment_is_written_once_and_reused_by_its_code(course, tiny, released):
    from nbgrader.api import Gradebook

    pages(course, tiny, {"ann": answered(released), "bob": answered(released)})
    course.comments("tiny").parent.mkdir()
    course.comments("tiny").write_text('unit = "Give **the unit**."\n[why]\nnoise = "Why so?"\n')
    with Gradebook(course.database) as book:
        book.find_comment("why", "tiny", "tiny", "ann").manual_comment = "Well.\n#unit\n #noise"
        book.find_comment("why", "tiny", "tiny", "bob").manual_comment = "#units\nNo #unit."
        book.find_comment("mean", "tiny", "tiny", "bob").manual_comment = "#noise"
        book.db.commit()
    ann, bob = (path.read_text() for path in write_feedback(course, tiny))
    assert "Well.<br>\nGive <strong>the unit</strong>.<br>\nWhy so?" in ann
    assert "#units<br>\nNo #unit." in bob
    assert "#noise" in bob
    (caution,) = (line for line in cautions(course, tiny) if "with a code" in line)
    assert caution.startswith("1 has a comment with a code that")
    assert caution.endswith(": bob")
    course.comments("tiny").write_text("[mena]\nnoise = 'Why so?'\n")
    with pytest.raises(CourseError, match=r"tiny has no cell 'mena' that .*; is 'mean' meant\?"):
        list(write_feedback(course, tiny))
    course.comments("tiny").write_text("unit = 3")
    with pytest.raises(CourseError, match="'unit' must be a word, and stand for a text"):
        list(write_feedback(course, tiny))
    course.comments("tiny").write_text("unit")
    with pytest.raises(CourseError, match=r"comments/tiny.toml can't be read"):
        list(write_feedback(course, tiny))


def test_named_students_only_and_unknown_ones_not_at_all(course, tiny, released):
    pages(course, tiny, {"ann": released, "bob": released})
    assert [p.parents[1].name for p in write_feedback(course, tiny, ["bob"])] == ["bob"]
    with pytest.raises(CourseError, match="no result of 'tiny' for eve"):
        list(write_feedback(course, tiny, ["eve"]))


def test_a_lost_notebook_names_the_student(course, tiny, released):
    page(course, tiny, released)
    course.autograded("ann", "tiny").unlink()
    with pytest.raises(CourseError, match="grade ann again"):
        list(write_feedback(course, tiny))


def test_one_damaged_notebook_costs_its_own_page_alone(course, tiny, released):
    pages(course, tiny, {"ann": released, "b\u200bob": released, "cyd": released})
    course.autograded("b\u200bob", "tiny").write_text('{"cells": [{"cell_type": 7}]}')
    for student in ("ann", "cyd"):
        course.feedback(student, "tiny").unlink()
    with pytest.raises(CourseError, match=r"no page for b\\u200bob: "):
        list(write_feedback(course, tiny))
    assert all(course.feedback(student, "tiny").exists() for student in ("ann", "cyd"))


def test_a_page_that_can_not_be_written_is_told_with_its_path(course, tiny, released):
    page(course, tiny, released)
    place = course.feedback("ann", "tiny")
    shutil.rmtree(place.parent)
    place.parent.write_text("in the way")
    with pytest.raises(
        CourseError, match=re.escape(f"no page for ann: [Errno 17] File exists: '{place.parent}'")
    ):
        list(write_feedback(course, tiny))


LONG = {
    "nested markup": {"text/html": "<b>" * 19_900},
    "unclosed markup": {"text/html": "<script>" * 7_000},
    "comments": {"text/html": "<!--" * 14_000},
    "brackets": {"text/markdown": "[" * 19_900},
    "quotations": {"text/markdown": "> " * 9_900},
    "blank lines": {"text/plain": "\n" * 1_000_000},
    "escapes": {"text/plain": "\x1b[3" * 200_000},
    "pictures": {"image/png": "A" * (4 << 20)},
}


@pytest.mark.parametrize("data", LONG.values(), ids=LONG)
def test_three_long_outputs_are_shown_in_seconds(course, tiny, released, data):
    """Processor time; nested markup took 20 seconds."""
    found = [{"output_type": "display_data", "data": data, "metadata": [1]}] * 3
    began = time.process_time()
    assert "</html>" in with_outputs(course, tiny, released, found)
    assert time.process_time() - began < 8


def test_a_page_has_an_end(course, tiny, released):
    found = [{"output_type": "stream", "name": "stdout", "text": "<" * 19_000}] * 400
    text = with_outputs(course, tiny, released, found)
    assert "the rest of it is not shown" in text
    assert len(text) < 20 << 20


def test_a_page_is_written_in_well_under_a_second(course, tiny, released):
    pages(course, tiny, {f"s{n}": answered(released) for n in range(10)})
    began = time.process_time()
    assert len(list(write_feedback(course, tiny))) == 10
    assert time.process_time() - began < 5  # 0.1 is usual; this is a fuse, not a benchmark


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"e^\varepsilon / (1 + e^\varepsilon)", True),
        (r"\begin{cases} 1 & x \le 2\\ 0 & \text{otherwise}\end{cases}", True),
        (r"\Pr[M(x) \in S] \le e^{\epsilon} \Pr[M(y) \in S]", True),
        (r"\unheardof{x}", False),
        ("", False),
        ("<script>", True),
    ],
)
def test_formulas_are_drawn_or_shown_as_they_are(tex, drawn):
    shown = formula(tex)
    assert ("<svg" in shown) == drawn
    assert "<script>" not in shown


def test_terminal_escapes_are_colours_or_nothing():
    shown = rendering.terminal("\x1b[1;32mgo\x1b[0m \x1b[2Jx\x1b]0;title\x07y\x1b[38;5;1mz & <b>")
    assert shown == '<pre><span class="ansi-green ansi-bold">go</span> xyz &amp; &lt;b&gt;</pre>'


@pytest.mark.parametrize("length", [100, 100_000])
def test_code_of_any_length_is_no_markup(length):
    shown = rendering.python("<script>".ljust(length))
    assert "&lt;" in shown
    assert "<script" not in shown


def test_a_message_keeps_its_code():
    assert rendering.prose("use `x < 1`") == "use <code>x &lt; 1</code>"


def test_formulas_are_drawn_once_for_all_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(formulas, "_svg_by_tex", {})
    path = tmp_path / "formulas.json"
    path.write_text('{"version": "of long ago", "drawn": {"x_1": "stale"}}')
    with formulas.kept_in(path):
        drawn = formula("x_1")
    assert "<svg" in drawn
    monkeypatch.setattr(formulas, "_svg_by_tex", {})
    monkeypatch.setattr(formulas, "_draw", None)  # nothing can be drawn any more
    with formulas.kept_in(path):
        assert formula("x_1") == drawn


DAMAGED = [
    "", "[]", '{"version": 1}', "\x00", "[" * 200_000,
    json.dumps({"version": importlib.metadata.version("dplab"), "drawn": ["y_2"]}),
    json.dumps({"version": importlib.metadata.version("dplab"), "drawn": {"y_2": 7}}),
]  # fmt: skip


@pytest.mark.parametrize("damaged", DAMAGED, ids=lambda text: text[:12])
@pytest.mark.parametrize("is_drawn_before", [False, True])
def test_a_damaged_file_of_formulas_is_made_anew(tmp_path, monkeypatch, damaged, is_drawn_before):
    monkeypatch.setattr(formulas, "_svg_by_tex", {})
    path = tmp_path / "formulas.json"
    path.write_text(damaged)
    assert formulas.is_damaged(path)
    if is_drawn_before:
        formula("y_2")
    with formulas.kept_in(path):
        assert "<svg" in formula("y_2")
    assert "<svg" in json.loads(path.read_text())["drawn"]["y_2"]
    assert not formulas.is_damaged(path)


def test_pages_are_written_where_formulas_can_not_be_kept(course, tiny, released):
    page(course, tiny, answered(released))
    course.formulas.unlink(missing_ok=True)
    course.formulas.mkdir()
    prepare_pages(course, tiny)
    assert list(write_feedback(course, tiny)) == [course.feedback("ann", "tiny")]
    assert formulas.is_damaged(course.formulas)


def test_a_page_keeps_by_which_the_exchange_knows_whose_it_is(course, tiny, released, tmp_path):
    page(course, tiny, answered(released))
    submitted = course.submitted("ann", "tiny").parent
    (submitted / "timestamp.txt").write_text("2026-11-02 18:00:00 UTC")
    (tmp_path / "grades").write_text("not for ann")
    (submitted / "submission_secret.txt").symlink_to(tmp_path / "grades")
    list(write_feedback(course, tiny))
    beside = course.feedback("ann", "tiny").parent
    assert (beside / "timestamp.txt").read_text() == "2026-11-02 18:00:00 UTC"
    assert not (beside / "submission_secret.txt").exists()
