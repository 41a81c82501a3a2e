"""Each lesson runs from top to bottom, and has the form in which all lessons are written."""

import ast
import importlib
import re
import secrets
import statistics
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter

from tests.course import pace
from tests.course.seeds import reseeded
from tests.sharing import once

COURSE = Path(__file__).parents[2] / "course"
LESSONS = sorted(COURSE.glob("[0-9]*.ipynb"))
SECTIONS = [
    "Predict first",
    "Play",
    "The promise, and its proof",
    "In code",
    "Measure",
    "Where it fails or is misread",
    "Try",
    "Check yourself",
    "What you now know",
    "Go on",
]
NOTES = ["Ask the room", "What goes wrong", "When time is short"]
BLANK = re.compile(r"^check_blank\(\s*(\w+),", re.M)
ANSWER = re.compile(
    r"<details><summary>One answer</summary>\s+```python\n(.+?)```\s+</details>", re.S
)
SIGN = "### Would you sign it?"
LOSS_HISTOGRAM = {5, 7, 10, 11, 12, 14, 18}  # the picture that comes back, in these lessons
IMPORTS, DEFINITIONS = ast.Import | ast.ImportFrom, ast.ClassDef | ast.FunctionDef
SECONDS = 600  # until a cell is taken for endless

every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells(path, kind):
    notebook = nbformat.read(path, as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def prose(path):
    return "\n\n".join(cells(path, "markdown"))


def lines_of_code(source):
    return sum(bool(line.strip()) for line in source.splitlines())


@pytest.fixture(scope="session")
def tried(tmp_path_factory):
    """A lesson executed, and behind its end the answers to its blanks: once, however many look.

    Its seeds are fresh ones: what it asserts holds under all, each lesson fails with probability
    1e-9 or less.
    """

    def execute(path):
        def run(_):
            seed = secrets.randbits(32)
            notebook = reseeded(nbformat.read(path, as_version=4), seed)
            notebook.cells += [nbformat.v4.new_code_cell(source) for source in answers(path)]
            try:
                return NotebookClient(notebook, timeout=SECONDS, resources=at(COURSE)).execute()
            except CellExecutionError as error:
                raise AssertionError(f"with seeds that follow from {seed}:\n{error}") from None

        return once(tmp_path_factory, path.stem, run)

    return execute


@pytest.fixture(scope="session")
def executed(tried):
    def execute(path):
        notebook = tried(path)
        notebook.cells = notebook.cells[: len(nbformat.read(path, as_version=4).cells)]
        return notebook

    return execute


def blanks(path):
    """The cells that check what the reader completes, by the name of the function."""
    found = {}
    for source in cells(path, "code"):
        if name := BLANK.search(source):
            found[name[1]] = source
    return found


def wrong_answers(path):
    """Three or more, by the name of the function."""
    return importlib.import_module(f"tests.course.blanks.lesson_{path.stem[:2]}").WRONG


def answers(path):
    """The lesson's own answer to each blank, and then wrong ones, each with its check behind it."""
    own = ANSWER.findall(prose(path))
    for (name, check), answer in zip(blanks(path).items(), own, strict=True):
        for source in (answer, *wrong_answers(path).get(name, ())):
            yield f"{source}\n\n{check}"


def at(folder):
    return {"metadata": {"path": str(folder)}}


def test_there_are_lessons_numbered_in_reading_order():
    assert {path.stem[:2] for path in LESSONS} >= {"01", "05", "07"}
    assert all(re.fullmatch(r"\d\d_[a-z_]+", path.stem) for path in LESSONS)


@pytest.mark.slow
@every_lesson
def test_runs_and_its_assertions_hold(path, executed):
    code = [cell for cell in executed(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


@pytest.mark.slow
@every_lesson
def test_warns_of_nothing(path, executed):
    notebook = executed(path)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [o.text for o in outputs if o.output_type == "stream" and o.name == "stderr"]


@pytest.mark.slow
@every_lesson
def test_every_cell_shows_something(path, executed):
    """But those that only define, or begin with what is imported."""
    code = [cell for cell in executed(path).cells if cell.cell_type == "code"]
    silent = [ast.parse(cell.source).body for cell in code if not cell.outputs]
    assert not [
        ast.unparse(body)
        for body in silent
        if not isinstance(body[0], IMPORTS) and not all(isinstance(x, DEFINITIONS) for x in body)
    ]


@pytest.mark.slow
@every_lesson
def test_nothing_is_shown_as_it_lies_in_memory(path, executed):
    """No np.float64(0.3224945020420987), no <object at 0x7f...>."""
    notebook = executed(path)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs
    ]
    shown = [
        text for o, text in zip(outputs, texts, strict=True) if "image/png" not in o.get("data", {})
    ]
    assert not [text for text in shown if re.search(r"np\.(float|int|bool)|<\S+ .*at 0x", text)]


@pytest.mark.slow
@every_lesson
def test_static_viewers_see_a_picture_before_the_controls(path, executed):
    notebook = executed(path)
    explorers = [
        cell.outputs
        for cell in notebook.cells
        if cell.cell_type == "code" and re.fullmatch(r"[A-Z]\w+\(\)", cell.source)
    ]
    assert explorers
    for outputs in explorers:
        assert "image/png" in outputs[0].data
        assert "50% guess" in outputs[0].metadata["image/png"]["alt"]
        assert "application/vnd.jupyter.widget-view+json" in outputs[1].data


@pytest.mark.slow
@every_lesson
def test_html_page_shows_pictures_without_a_kernel(path, executed):
    notebook = executed(path)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    pictures = re.findall(r'<img[^>]+alt="([^"]+)"[^>]+src="data:image/png', page)
    pictures += re.findall(r'<img[^>]+src="data:image/png[^>]+', page)
    assert len(pictures) >= len(re.findall(r"^[A-Z]\w+\(\)$", "\n".join(cells(path, "code")), re.M))
    assert "interactive(children" not in page


@every_lesson
def test_committed_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not [cell.source for cell in code if cell.outputs or cell.execution_count]
    assert "widgets" not in notebook.metadata


@every_lesson
def test_has_the_sections_in_order(path):
    assert re.findall(r"^## (.+)$", prose(path), re.M) == SECTIONS


@every_lesson
def test_opens_with_its_question(path):
    title, first = cells(path, "markdown")[0].split("\n", 1)
    assert re.fullmatch(rf"# {int(path.stem[:2])}\. .+\?", title)
    assert re.search(r"\*\*[^*]+\?\*\* \(\d+ minutes(, in two parts)?\)", first)


@every_lesson
def test_says_how_long_it_takes_by_the_rule_for_all(path):
    """Its parts, too, and the index: `python -m tests.course.pace` counts."""
    times = [pace.minutes(part) for part in pace.parts(path)]
    whole = f"{pace.rounded(sum(times))}{', in two parts' if len(times) == 2 else ''}"
    said = re.search(r"\((\d+) minutes(, in two parts)?\)", prose(path))
    assert f"{said[1]}{said[2] or ''}" == whole
    assert len(times) == (2 if sum(times) > pace.IN_ONE_GO else 1)
    assert max(times) <= pace.IN_ONE_GO
    assert f"]({path.name}) | {whole} |" in prose(COURSE / "index.ipynb")
    rest = [source for source in cells(path, "markdown") if source.startswith(pace.REST)]
    parts = [re.findall(r"some (\d+) minutes; the second takes (\d+)\.", text) for text in rest]
    assert parts == [[tuple(str(pace.rounded(time)) for time in times)]] * (len(times) - 1)


@every_lesson
def test_code_cells_are_short(path):
    lengths = [lines_of_code(source) for source in cells(path, "code")]
    assert statistics.median(lengths) <= 4
    assert max(lengths) <= 12


@every_lesson
def test_paragraphs_are_short(path):
    paragraphs = re.split(r"\n\n|\n(?=\d\. |- )", prose(path))
    assert not [p for p in paragraphs if len(re.sub(r"\$[^$]+\$", "formula", p).split()) > 60]


@every_lesson
def test_asserts_what_it_claims(path):
    code = "\n".join(cells(path, "code"))
    assert len(re.findall(r"^\s*assert ", code, re.M)) >= 10
    assert prose(path).count("**Theorem") == prose(path).count("**Proof.**") >= 2


@every_lesson
def test_every_prediction_meets_its_outcome_later(path):
    code = "\n".join(cells(path, "code"))
    names = re.findall(r"^(\w+) = Prediction\(", code, re.M)
    assert names
    for name in names:
        assert code.index(f"{name}.compare(") > code.index("()\n")  # after an explorer


@every_lesson
def test_says_what_each_epsilon_does_to_a_guess(path):
    number = re.compile(r"(?:ε|\\varepsilon)(?: =|\$ =| near) ?\\?\d")
    bare = [text for text in cells(path, "markdown") if number.search(text) and "%" not in text]
    assert not bare


@every_lesson
def test_answers_are_folded_away(path):
    section = prose(path).split("## Check yourself")[1].split("## What you now know")[0]
    assert section.count("<details><summary>") == section.count("</details>") >= 4
    outside = re.sub(r"<details>.*?</details>", "", section, flags=re.S)
    assert not outside.strip()


@pytest.mark.slow
@every_lesson
def test_has_a_blank_whose_check_takes_right_answers_and_no_wrong_ones(path, tried):
    """As released it says that nothing is written yet; its own folded answer passes; of three
    wrong answers each is told what is wrong.
    """
    wrong = wrong_answers(path)
    assert wrong
    assert set(wrong) == set(blanks(path))
    outputs = {cell.source: cell.get("outputs", []) for cell in tried(path).cells}
    said = {source: "".join(o.get("text", "") for o in outs) for source, outs in outputs.items()}
    for check in blanks(path).values():
        assert "is yours to write: it returns nothing yet." in said[check]
    tries = list(answers(path))
    for name, check in blanks(path).items():
        right, *others = [source for source in tries if source.endswith(check)]
        assert said[right].startswith("Right: as the library has it"), said[right]
        assert len(others) >= 3, name
        assert all(said[source].startswith("At (") for source in others), name


@every_lesson
def test_answers_go_on_from_what_the_blank_begins_with(path):
    """All that is written there, but for the dots, is in the folded answer as well."""
    begun = {name: source for source in cells(path, "code") for name in _yours(source)}
    for name, answer in zip(blanks(path), ANSWER.findall(prose(path)), strict=True):
        written = {ast.dump(node) for node in ast.walk(ast.parse(answer))}
        (function,) = _yours(begun[name]).values()
        kept = [node for node in function.body if "Ellipsis" not in ast.dump(node)]
        assert ast.dump(function.args) in written
        assert all(ast.dump(node) in written for node in kept), name


def _yours(source: str) -> dict[str, ast.FunctionDef]:
    """The functions of a cell that the reader completes."""
    found = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
    return {node.name: node for node in found if "# yours" in source}


@every_lesson
def test_has_claims_of_which_the_reader_finds_the_wrong_ones(path):
    """Right ones and wrong ones, and nothing says which before their folded verdicts."""
    assert prose(path).count(SIGN) == 1
    section = re.split(r"^##+ ", prose(path).split(SIGN)[1], flags=re.M)[0]
    claims, *verdicts = section.split("<details><summary>")
    assert len(re.findall(r"^\d\. ", claims, re.M)) == len(verdicts) >= 2
    told = [re.search(r"</summary>\s+\*\*(Sign|Don't sign)\.\*\*", text) for text in verdicts]
    assert {word[1] for word in told} == {"Sign", "Don't sign"}


@every_lesson
def test_each_thing_to_try_has_a_hint(path):
    section = prose(path).split("## Try")[1].split("## Check yourself")[0]
    things = re.split(r"^(?=\d\. )", section, flags=re.M)[1:]
    assert len(things) >= 3
    assert all(thing.count("<details><summary>A hint</summary>") == 1 for thing in things)


@every_lesson
def test_shows_the_histogram_of_the_loss_where_it_comes_back(path):
    shows = "loss_histogram(" in "\n".join(cells(path, "code"))
    assert shows == (int(path.stem[:2]) in LOSS_HISTOGRAM)


@every_lesson
def test_asks_for_two_predictions_and_five_answers(path):
    assert "\n".join(cells(path, "code")).count("= Prediction(") >= 2
    section = prose(path).split("## Check yourself")[1].split("## What you now know")[0]
    assert section.count("<details><summary>") >= 5


@every_lesson
def test_says_in_three_lines_what_one_now_knows(path):
    section = prose(path).split("## What you now know")[1].split("## Go on")[0]
    lines = section.strip().splitlines()
    assert len(lines) == 3
    assert all(line.startswith("- ") and len(line.split()) <= 35 for line in lines)


@every_lesson
def test_its_teacher_has_notes(path):
    notes = (COURSE / "teachers" / f"{path.stem}.md").read_text(encoding="utf-8")
    title = cells(path, "markdown")[0].split("\n", 1)[0]
    assert notes.startswith(f"{title}: for its teacher\n")
    assert re.findall(r"^## (.+)$", notes, re.M) == NOTES
    assert len(notes.split()) <= 350


@every_lesson
def test_links_lead_to_files_that_exist(path):
    targets = re.findall(r"\]\(([^)]+)\)", prose(path))
    local = [target for target in targets if "://" not in target]
    assert any("assignments" in target for target in local)
    assert not [target for target in local if not (COURSE / target).exists()]


@every_lesson
def test_needs_no_network_and_no_path_of_one_machine(path):
    code = "\n".join(cells(path, "code"))
    assert not re.search(r"https?:|requests|urllib|/home/|/root/", code)
