"""What `pip install` brings a student: all of the course, nothing of its solutions, no grader.

The wheel is built here, and installed into an environment that has what it requires and nothing
else: copies of the packages at hand, so that no test downloads.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder.classroom.folders import Course
from autograder.commands.equipment import TEACH
from autograder.desk import sets
from tests.assignments.problem_sets import NAMES
from tests.autograder.tiny_assignment import answered, write_source
from tests.sharing import once

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GRADERS = {"nbgrader", "sqlalchemy", "alembic", "rapidfuzz"}
REGION = re.compile(r"BEGIN (?:SOLUTION|HIDDEN TESTS)[^\n]*\n(.*?)\n[^\n]*END ", re.DOTALL)
NEVER_RUN = {".pyi", ".dat", ".js", ".map", ".woff2"}  # half of all files
MARK = re.compile(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS|MARK SCHEME)")


def build(folder, *options):
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)


def built(folder):
    done = build(folder, "-t", "wheel")
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return once(tmp_path_factory, "wheel", built)


@pytest.fixture(scope="module")
def files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def text_of(name, content):
    """What is written in a file; of a notebook what stands in its cells."""
    text = content.decode("utf-8", errors="replace")
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def told(text):
    """The lines without their margins, to be found wherever they are indented."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.slow
def test_the_lessons_and_the_sets_are_in_it(files):
    lessons = {f"autograder/course/{path.name}" for path in ROOT.glob("course/*.ipynb")}
    released = {f"autograder/released/{name}/{name}.ipynb" for name in NAMES}
    assert {name for name in files if name.endswith(".ipynb")} == lessons | released
    pictures = {
        f"autograder/course/images/{path.name}" for path in ROOT.glob("course/images/*.png")
    }
    assert pictures <= set(files)
    assert "dplab/mechanism.py" in files


def test_the_sets_are_as_a_folder_of_the_repository_has_them(files):
    for name, content in sets.files():
        assert files[f"autograder/released/{name}"] == content


def test_nothing_of_the_teachers_is_in_it(files):
    assert {name.partition("/")[0] for name in files} == {
        "dplab", "autograder", f"dplab-{PROJECT['version']}.dist-info",
    }  # fmt: skip
    theirs = re.compile(
        r"teachers|grading/|sample_class|starter|demo\.py|GUIDE|/site/|assignments|tests/"
    )
    assert [name for name in files if theirs.search(name)] == []
    assert [
        name for name, content in files.items()
        if not name.endswith(".py") and MARK.search(text_of(name, content))
    ] == []  # fmt: skip


@pytest.mark.slow
def test_no_file_has_a_solution_or_a_hidden_test_in_it(files):
    """Whole regions: single lines of them occur in visible tests and in the library, too."""
    there = {name: told(text_of(name, content)) for name, content in files.items()}
    sought = 0
    for path in ROOT.glob("assignments/*/*.ipynb"):
        for region in REGION.findall(text_of(path.name, path.read_bytes())):
            body = told(region)
            if "\n" in body or len(body) > 60:
                sought += 1
                assert [name for name, text in there.items() if body in text] == [], body
    assert sought > 400


def test_an_archive_of_the_sources_is_refused(tmp_path):
    done = build(tmp_path, "-t", "sdist")
    assert done.returncode != 0
    assert "would have the solutions in it" in done.stderr
    assert list(tmp_path.iterdir()) == []


def requirements(text, extra=""):
    found = [Requirement(line) for line in text]
    return [each for each in found if not each.marker or each.marker.evaluate({"extra": extra})]


def closure(wanted):
    """The names of all distributions that these requirements bring."""
    found, waiting = {}, [(each.name, {*each.extras}) for each in wanted]
    while waiting:
        name, extras = waiting.pop()
        there = distribution(name)
        name = re.sub(r"[-_.]+", "-", there.metadata["Name"]).lower()
        if name in found and extras <= found[name]:
            continue
        found[name] = found.get(name, set()) | extras
        for extra in ("", *found[name]):
            brought = requirements(there.requires or (), extra)
            waiting += [(each.name, {*each.extras}) for each in brought]
    return set(found)


def of_the_wheel(files):
    metadata = files[f"dplab-{PROJECT['version']}.dist-info/METADATA"].decode().splitlines()
    return [line.partition(": ")[2] for line in metadata if line.startswith("Requires-Dist:")]


@pytest.mark.slow
def test_it_requires_no_grader(files):
    brought = closure(requirements(of_the_wheel(files)))
    assert {"numpy", "jupyterlab", "rich"} <= brought
    assert brought & GRADERS == set()
    assert closure(requirements(of_the_wheel(files), "teach")) >= GRADERS


def test_what_teachers_need_is_what_the_extra_has():
    modules = {"pyyaml": "yaml"}
    extra = [Requirement(each).name for each in PROJECT["optional-dependencies"]["teach"]]
    assert {modules.get(name, name) for name in extra} == set(TEACH)
    assert "dplab[site,teach]" in PROJECT["optional-dependencies"]["test"]


def environment(folder, wheel, wanted):
    """A virtual environment with the wheel and what it requires, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    scripts = folder / "venv" / Path(sysconfig.get_path("scripts")).name
    python = scripts / Path(sys.executable).name
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    here = Path(sysconfig.get_path("purelib"))
    folders = set()
    for file in (file for name in wanted for file in distribution(name).files or ()):
        if file.suffix in NEVER_RUN or {"..", "tests"} & set(file.parts):
            continue
        path, there = here / file, packages / file
        if there.parent not in folders:
            there.parent.mkdir(parents=True, exist_ok=True)
            folders.add(there.parent)
        _same(path, there)
    command = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    subprocess.run([*command, "--no-index", "--no-compile", wheel], check=True)
    return scripts


def _same(path, there):
    """A second name of the file, or a copy where a file system can't have one."""
    try:
        os.link(path, there)
    except FileNotFoundError:  # compiled by nobody yet
        return
    except OSError:
        shutil.copyfile(path, there)


def command(folder, wheel, wanted):
    """Gives `autograder` where that is installed, to somebody in a folder of her own."""
    scripts = environment(folder, wheel, closure(wanted))
    (folder / "home").mkdir()
    foreign = ("VIRTUAL", "PYTEST", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}

    def autograder(*arguments):
        return subprocess.run(
            [scripts / "autograder", *arguments], cwd=folder / "home",
            env=kept | {"HOME": str(folder / "home")}, capture_output=True, text=True, timeout=1800,
        )  # fmt: skip

    return autograder


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel, files):
    """`autograder` as a student has it."""
    wanted = requirements(of_the_wheel(files))
    return command(tmp_path_factory.mktemp("student"), wheel, wanted)


@pytest.fixture(scope="module")
def equipped(tmp_path_factory, wheel, files):
    """`autograder` from the same wheel with the extra `teach`, still without the repository."""
    wanted = requirements(of_the_wheel(files), "teach")
    return command(tmp_path_factory.mktemp("teacher"), wheel, wanted)


@pytest.fixture(scope="module")
def laid(installed):
    done = installed("course", "privacy", "--no-open")
    assert done.returncode == 0, done.stdout + done.stderr
    where = re.search(r"The course is in (.*?) \(", done.stdout)[1]
    return Path(where)


@pytest.mark.slow
def test_the_course_is_laid_out_without_the_repository(laid):
    names = {path.name for path in laid.glob("*.ipynb")}
    assert names == {path.name for path in ROOT.glob("course/*.ipynb")}
    assert {path.stem for path in laid.glob("*/*.ipynb")} == set(NAMES)
    assert (laid / "library" / "dplab" / "mechanism.py").is_file()


@pytest.mark.slow
def test_a_set_as_it_came_fails_its_tests_and_says_so(installed, laid):
    done = installed("check", str(laid / "ps04" / "ps04.ipynb"))
    assert done.returncode == 3, done.stdout + done.stderr
    assert "not answered yet" in done.stdout
    assert "other versions" not in done.stdout


@pytest.mark.slow
def test_a_set_with_right_answers_passes(installed, laid):
    """Those of the source; what its solution cells hold is put in."""
    source = json.loads((ROOT / "assignments" / "ps04" / "ps04.ipynb").read_text(encoding="utf-8"))
    hers = json.loads((laid / "ps04" / "ps04.ipynb").read_text(encoding="utf-8"))
    answers = {cell["id"]: cell["source"] for cell in source["cells"]}
    for cell in hers["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answers[cell["id"]]
    mine = laid / "mine.ipynb"
    mine.write_text(json.dumps(hers), encoding="utf-8")
    done = installed("check", str(mine))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100 of 100 points" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("grade", "c", "ps03"), ("release", "c", "ps03"), ("doctor", "c"), ("demo",)]
)
def test_a_teachers_command_says_in_one_line_what_it_needs(installed, arguments, laid):
    done = installed(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: 'autograder {arguments[0]}' is for teachers, and nbgrader ")
    assert line.endswith("pip install -e '.[teach]'")
    assert not (laid.parent / "c").exists()


@pytest.mark.slow
def test_with_the_extra_a_set_of_ones_own_is_released_and_graded(equipped, tmp_path):
    course = Course.at(tmp_path / "course")
    write_source(course.root)
    done = equipped("release", str(course.root), "tiny")
    assert done.returncode == 0, done.stdout + done.stderr
    hers = json.loads(course.released("tiny").read_text(encoding="utf-8"))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.ipynb").write_text(json.dumps(answered(hers)), encoding="utf-8")
    done = equipped("grade", str(course.root), "tiny", str(tmp_path / "in"), "--feedback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 graded" in done.stdout
    assert list((course.root / "feedback" / "ada").rglob("*.html"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("demo",), ("new", "course", "coin"), ("release", "course", "ps03"), ("checks",)]
)
def test_what_the_repository_alone_has_is_told(equipped, arguments):
    done = equipped(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the project's repository" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_help_is_given_to_everybody(installed):
    assert "--roster" in installed("grade", "--help").stdout
    assert installed("--version").stdout.strip().endswith(PROJECT["version"])


def test_every_file_is_in_the_record(files):
    record = files[f"dplab-{PROJECT['version']}.dist-info/RECORD"].decode()
    assert {row[0] for row in csv.reader(io.StringIO(record))} == set(files)
