"""Each lesson runs from top to bottom, and has the form in which all lessons are written."""

import ast
import functools
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
from tests.course.checks import source_of, with_checks, without_checks
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
    "Now you know",
    "Go on",
]
FURTHER = "Go further"  # a section before the last, folded, that a lesson may have
IN_SIGHT, LONGEST = 4, 79  # assertions that a lesson's reader sees, and the characters of one
NOTES = ["Ask the room", "Common mistakes", "When time is short"]
BLANK = re.compile(r"^check_blank\(\s*(\w+),", re.M)
ANSWER = re.compile(
    r"<details><summary>One answer</summary>\s+```python\n(.+?)```\s+</details>", re.S
)
EXPLORER = r"[A-Z]\w+\(\)"  # the whole source of its cell
SIGN = "### Would you sign it?"
LOSS_HISTOGRAM = {5, 7, 10, 11, 12, 14, 18}  # the picture that comes back, in these lessons
IMPORTS, DEFINITIONS = ast.Import | ast.ImportFrom, ast.ClassDef | ast.FunctionDef
SECONDS = 600  # until a cell is taken for endless

every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


@functools.cache
def notebook_of(path):
    """Return a lesson that many tests read, and none changes."""
    return nbformat.read(path, as_version=4)


def numbered(path, kind):
    """Return the cells of a kind with their numbers among all cells, counted from 0."""
    return [(n, cell) for n, cell in enumerate(notebook_of(path).cells) if cell.cell_type == kind]


def cells(path, kind):
    return [cell.source for _, cell in numbered(path, kind)]


def prose(path):
    return "\n\n".join(cells(path, "markdown"))


def code_of(path):
    return "\n".join(cells(path, "code"))


def section(path, name):
    """Return the text of a section below its heading, or "" if the lesson has none."""
    found = re.search(rf"^## {re.escape(name)}$(.*?)(?=^## |\Z)", prose(path), re.M | re.S)
    return found[1] if found else ""


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
            notebook = with_checks(notebook, path.stem)
            notebook.cells += [nbformat.v4.new_code_cell(source) for source in answers(path)]
            try:
                client = NotebookClient(notebook, timeout=SECONDS, resources=at(COURSE))
                return without_checks(client.execute())
            except CellExecutionError as error:
                raise AssertionError(f"with seeds that follow from {seed}:\n{error}") from None

        return once(tmp_path_factory, path.stem, run)

    return execute


@pytest.fixture(scope="session")
def executed(tried):
    def execute(path):
        notebook = tried(path)
        notebook.cells = notebook.cells[: len(notebook_of(path).cells)]
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


@every_lesson
def test_runs_and_shows_what_it_should(path, executed):
    """Its assertions and checks hold: `executed` fails where one does not."""
    notebook = executed(path)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    faults = [
        f"cell {n}: {fault}"
        for n, cell in enumerate(notebook.cells)
        if cell.cell_type == "code"
        for fault in (*faults_of_outputs(cell), *faults_of_an_explorer(cell))
    ]
    faults += faults_of_the_page(notebook, path)
    assert not faults, "\n".join(faults)


def faults_of_outputs(cell):
    """Return warnings, a cell that shows nothing, and what is shown as it is in memory, such as
    np.float64(0.3224945020420987) or <object at 0x7f...>.
    """
    body = ast.parse(cell.source).body
    defines = all(isinstance(node, DEFINITIONS) for node in body)
    if not cell.outputs and not isinstance(body[0], IMPORTS) and not defines:
        yield "it shows nothing"
    for output in cell.outputs:
        data = output.get("data", {})
        text = output.get("text") or data.get("text/plain", "")
        if output.output_type == "stream" and output.name == "stderr":
            yield f"it warns: {text}"
        if "image/png" not in data and re.search(r"np\.(float|int|bool)|<\S+ .*at 0x", text):
            yield f"it shows {text}"


def faults_of_an_explorer(cell):
    """Return what is missing from a picture that static viewers see before the controls."""
    if not re.fullmatch(EXPLORER, cell.source):
        return
    first, second = [*cell.outputs, {}, {}][:2]
    if "image/png" not in first.get("data", {}):
        yield "its first output is no picture"
    if not first.get("metadata", {}).get("image/png", {}).get("alt"):
        yield "its picture has no words for readers who can't see it"
    if "application/vnd.jupyter.widget-view+json" not in second.get("data", {}):
        yield "its second output is no explorer"


def faults_of_the_page(notebook, path):
    """Return what a page of HTML lacks, which has no kernel."""
    page, _ = HTMLExporter().from_notebook_node(notebook)
    pictures = re.findall(r'<img[^>]+alt="([^"]+)"[^>]+src="data:image/png', page)
    pictures += re.findall(r'<img[^>]+src="data:image/png[^>]+', page)
    explorers = re.findall(rf"^{EXPLORER}$", code_of(path), re.M)
    if not [source for source in cells(path, "code") if re.fullmatch(EXPLORER, source)]:
        yield "no cell is an explorer"
    if len(pictures) < len(explorers):
        yield f"{len(pictures)} pictures on the page for {len(explorers)} explorers"
    if "interactive(children" in page:
        yield "the page shows the text of an explorer"


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
        assert said[right].startswith("Right: the same answers as the library's"), said[right]
        assert len(others) >= 3, name
        assert all(said[source].startswith("At (") for source in others), name


def has_no_outputs(path):
    for n, cell in numbered(path, "code"):
        if cell.outputs or cell.execution_count:
            yield f"cell {n}: it is committed with its outputs"
    if "widgets" in notebook_of(path).metadata:
        yield "it is committed with the state of widgets"


def has_the_sections_in_order(path):
    found = re.findall(r"^## (.+)$", prose(path), re.M)
    if found not in (SECTIONS, [*SECTIONS[:-1], FURTHER, SECTIONS[-1]]):
        yield f"its sections are {found}"
    for n, cell in numbered(path, "markdown"):
        begins = cell.source.startswith(pace.FURTHER)
        if begins != cell.metadata.get("jp-MarkdownHeadingCollapsed", False):
            yield f"cell {n}: {FURTHER!r}, and no other heading, is folded in JupyterLab"


def opens_with_its_question(path):
    title, _, first = cells(path, "markdown")[0].partition("\n")
    if not re.fullmatch(rf"# {int(path.stem[:2])}\. .+\?", title):
        yield f"its title is {title!r}"
    if not re.search(r"\*\*[^*]+\?\*\* \(\d+ minutes(, in two parts)?\)", first):
        yield "cell 0: it has no question in bold letters with its minutes"


def says_its_time(path):
    """By the rule for all, also for its parts and in the index: `python -m tests.course.pace`."""
    times = [pace.minutes(part) for part in pace.parts(path)]
    whole = f"{pace.whole(times)}{', in two parts' if len(times) == 2 else ''}"
    said = re.search(r"\((\d+) minutes(, in two parts)?\)", prose(path))
    if not said or f"{said[1]}{said[2] or ''}" != whole:
        yield f"it does not say that it takes {whole}"
    if len(times) != (2 if sum(times) > pace.IN_ONE_GO else 1) or max(times) > pace.IN_ONE_GO:
        yield f"its parts take {times} minutes"
    if f"]({path.name}) | {whole} |" not in prose(COURSE / "index.ipynb"):
        yield f"the index does not say that it takes {whole}"
    rest = [source for source in cells(path, "markdown") if source.startswith(pace.REST)]
    parts = [re.findall(r"some (\d+) minutes; the second takes (\d+)\.", text) for text in rest]
    expected = [[tuple(str(pace.rounded(time)) for time in times)]] * (len(times) - 1)
    if parts != expected:
        yield f"its rest says {parts} instead of {expected}"


def is_in_short_pieces(path):
    lengths = {n: lines_of_code(cell.source) for n, cell in numbered(path, "code")}
    if statistics.median(lengths.values()) > 4:
        yield "half of its code cells have more than 4 lines"
    for n, length in lengths.items():
        if length > 12:
            yield f"cell {n}: it has {length} lines of code"
    for part in re.split(r"\n\n|\n(?=\d\. |- )", prose(path)):
        if len(re.sub(r"\$[^$]+\$", "formula", part).split()) > 60:
            yield f"a paragraph has more than 60 words: {part[:80]!r}"


def asserts_what_it_claims(path):
    """In sight little and readable; the rest of ten or more are its checks."""
    seen = re.findall(r"^\s*assert .*", code_of(path), re.M)
    hidden = re.findall(r"^\s*assert ", source_of(path.stem), re.M)
    if len(seen) > IN_SIGHT or len(seen) + len(hidden) < 10:
        yield f"it has {len(seen)} assertions, and {len(hidden)} in its checks"
    for line in seen:
        if len(line) > LONGEST or not re.search(r"[^(\[{,]$", line):
            yield f"this assertion is not one readable line: {line!r}"
    theorems = len(re.findall(r"\*\*(?:Theorem|Proposition)\b", prose(path)))
    proofs = prose(path).count("**Proof.**")
    if theorems != proofs or proofs < 2:
        yield f"it has {theorems} theorems and {proofs} proofs"


def predictions(path):
    return re.findall(r"^(\w+) = Prediction\(", code_of(path), re.M)


def keeps_the_names_of_its_predictions(path):
    """A prediction whose name is assigned again fails when the reader runs its cells again."""
    nodes = list(ast.walk(ast.parse(code_of(path))))
    assigned = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    assigned += [n.name for n in nodes if isinstance(n, DEFINITIONS)]
    for name in predictions(path):
        if assigned.count(name) != 1:
            yield f"it assigns the name of the prediction {name!r} {assigned.count(name)} times"


def compares_predictions_after_an_explorer(path):
    code = code_of(path)
    names = predictions(path)
    if not names or code.count("= Prediction(") < 2:
        yield f"it asks for {code.count('= Prediction(')} predictions"
    explorer = code.find("()\n")
    for name in names:
        if explorer < 0 or code.find(f"{name}.compare(") <= explorer:
            yield f"the prediction {name!r} meets no outcome after an explorer"


def says_what_each_epsilon_does_to_a_guess(path):
    number = re.compile(r"(?:ε|\\varepsilon)(?: =|\$ =| near) ?\\?\d")
    for n, cell in numbered(path, "markdown"):
        if number.search(cell.source) and "%" not in cell.source:
            yield f"cell {n}: it gives an epsilon and no percentage"


def folds_five_answers_away(path):
    text = section(path, "Check yourself")
    begun, ended = text.count("<details><summary>"), text.count("</details>")
    if begun != ended or begun < 5:
        yield f"of its answers {begun} begin and {ended} end"
    if outside := re.sub(r"<details>.*?</details>", "", text, flags=re.S).strip():
        yield f"outside of its answers is {outside[:80]!r}"


def has_answers_that_go_on_from_what_a_blank_begins_with(path):
    """All that is written there, except for the dots, is in the folded answer as well."""
    begun = {name: source for source in cells(path, "code") for name in _yours(source)}
    own = ANSWER.findall(prose(path))
    if len(own) != len(blanks(path)):
        yield f"it has {len(own)} answers to {len(blanks(path))} blanks"
    for name, answer in zip(blanks(path), own, strict=False):
        functions = _yours(begun.get(name, ""))
        if list(functions) != [name]:
            yield f"no cell has {name!r} alone to write"
            continue
        written = {ast.dump(node) for node in ast.walk(ast.parse(answer))}
        kept = [node for node in functions[name].body if "Ellipsis" not in ast.dump(node)]
        if not {ast.dump(node) for node in (functions[name].args, *kept)} <= written:
            yield f"the answer for {name!r} does not go on from the blank"


def _yours(source: str) -> dict[str, ast.FunctionDef]:
    """The functions of a cell that the reader completes."""
    found = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
    return {node.name: node for node in found if "# yours" in source}


def has_right_and_wrong_claims(path):
    """Nothing says which claims are wrong before their folded verdicts."""
    if prose(path).count(SIGN) != 1:
        yield f"it has {prose(path).count(SIGN)} times {SIGN!r}"
        return
    claims, *verdicts = re.split(r"^##+ ", prose(path).split(SIGN)[1], flags=re.M)[0].split(
        "<details><summary>"
    )
    count = len(re.findall(r"^\d\. ", claims, re.M))
    if count != len(verdicts) or count < 2:
        yield f"it has {count} claims and {len(verdicts)} verdicts"
    told = [re.search(r"</summary>\s+\*\*(Sign|Don't sign)\.\*\*", text) for text in verdicts]
    if {word and word[1] for word in told} != {"Sign", "Don't sign"}:
        yield f"its verdicts are {[word and word[1] for word in told]}"


def has_a_hint_for_each_thing_to_try(path):
    things = re.split(r"^(?=\d\. )", section(path, "Try"), flags=re.M)[1:]
    if len(things) < 3:
        yield f"it has {len(things)} things to try"
    for thing in things:
        if thing.count("<details><summary>A hint</summary>") != 1:
            yield f"this thing to try has not one hint: {thing[:60]!r}"


def shows_the_histogram_of_the_loss_where_it_comes_back(path):
    shows = "loss_histogram(" in code_of(path)
    if shows != (int(path.stem[:2]) in LOSS_HISTOGRAM):
        yield f"it shows {'a' if shows else 'no'} histogram of the loss"


def says_in_three_lines_what_one_now_knows(path):
    lines = section(path, "Now you know").strip().splitlines()
    if len(lines) != 3:
        yield f"it says in {len(lines)} lines what you now know"
    for line in lines:
        if not line.startswith("- ") or len(line.split()) > 35:
            yield f"this line is no item of at most 35 words: {line!r}"


def has_notes_for_its_teacher(path):
    place = COURSE / "teachers" / f"{path.stem}.md"
    notes = place.read_text(encoding="utf-8") if place.exists() else ""
    title = cells(path, "markdown")[0].split("\n", 1)[0]
    if not notes.startswith(f"{title}: for its teacher\n"):
        yield f"the notes for its teacher do not begin with {title!r}"
    if (found := re.findall(r"^## (.+)$", notes, re.M)) != NOTES:
        yield f"the sections of the notes for its teacher are {found}"
    if len(notes.split()) > 350:
        yield f"the notes for its teacher have {len(notes.split())} words"


def leads_to_files_that_exist(path):
    targets = re.findall(r"\]\(([^)]+)\)", prose(path))
    local = [target for target in targets if "://" not in target]
    if not any("assignments" in target for target in local):
        yield "no link leads to an assignment"
    for target in local:
        if not (COURSE / target).exists():
            yield f"a link leads to {target}, which does not exist"


def needs_no_network_and_no_path_of_one_machine(path):
    for n, cell in numbered(path, "code"):
        if found := re.search(r"https?:|requests|urllib|/home/|/root/", cell.source):
            yield f"cell {n}: it has {found[0]!r}"


RULES = [
    has_no_outputs,
    has_the_sections_in_order,
    opens_with_its_question,
    says_its_time,
    is_in_short_pieces,
    asserts_what_it_claims,
    keeps_the_names_of_its_predictions,
    compares_predictions_after_an_explorer,
    says_what_each_epsilon_does_to_a_guess,
    folds_five_answers_away,
    has_answers_that_go_on_from_what_a_blank_begins_with,
    has_right_and_wrong_claims,
    has_a_hint_for_each_thing_to_try,
    shows_the_histogram_of_the_loss_where_it_comes_back,
    says_in_three_lines_what_one_now_knows,
    has_notes_for_its_teacher,
    leads_to_files_that_exist,
    needs_no_network_and_no_path_of_one_machine,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_lesson_breaks(rule):
    """Each rule yields what is wrong with one lesson."""
    faults = [f"lesson {path.stem[:2]}, {fault}" for path in LESSONS for fault in rule(path)]
    assert not faults, "\n".join(faults)
