"""What `pip install` brings: the library; with `course` all of the course, and no solutions.

The wheel is built here, and installed into an environment that has what it requires and nothing
else: copies of the packages at hand, so that no test downloads.
"""

import csv
import email
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
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement

from autograder.classroom.course.folders import Course
from autograder.cli import main
from autograder.commands import requirements as command_requirements
from autograder.commands.requirements import RUNNING, STUDENT, TEACH
from autograder.desk import student_sets
from tests.assignments.problem_sets import NAMES
from tests.autograder.tiny_assignment import answered, write_source
from tests.sharing import once

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GRADERS = {"nbgrader", "sqlalchemy", "alembic", "rapidfuzz"}
REGION = re.compile(r"BEGIN (?:SOLUTION|HIDDEN TESTS)[^\n]*\n(.*?)\n[^\n]*END ", re.DOTALL)
NEVER_RUN = {".pyi", ".dat", ".js", ".map", ".woff2"}  # half of all files
IMPORTING = """
import importlib, json, pkgutil
import dplab
imported, missing = [], {}
for module in pkgutil.walk_packages(dplab.__path__, "dplab."):
    try:
        importlib.import_module(module.name)
        imported.append(module.name)
    except ImportError as error:
        missing[module.name] = str(error)
print(json.dumps([imported, missing]))
"""
MARK = re.compile(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS|MARK SCHEME)")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


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
    for name, content in student_sets.files():
        assert files[f"autograder/released/{name}"] == content


def test_nothing_of_the_teachers_is_in_it(files):
    assert {name.partition("/")[0] for name in files} == {
        "dplab", "autograder", f"dplab-{PROJECT['version']}.dist-info",
    }  # fmt: skip
    theirs = re.compile(
        r"teachers/|images/(grading|moving)/|sample_class|starter|demo\.py|GUIDE|/site/|assignments"
        r"|tests/|rehearsal/audit_range"
    )
    assert [name for name in files if theirs.search(name)] == []
    assert [
        name for name, content in files.items()
        if not name.endswith(".py") and MARK.search(text_of(name, content))
    ] == []  # fmt: skip


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
    assert "would contain the solutions" in done.stderr
    assert list(tmp_path.iterdir()) == []


def requirements(text, extra=""):
    """Return what an extra brings, also through other extras of dplab that it names."""
    found = [Requirement(line) for line in text]
    wanted = [each for each in found if not each.marker or each.marker.evaluate({"extra": extra})]
    named = [name for each in wanted if each.name == "dplab" for name in each.extras]
    brought = [each for name in named for each in requirements(text, name)]
    return [each for each in wanted if each.name != "dplab"] + brought


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


def test_the_library_alone_requires_numpy_and_scipy(files):
    assert closure(requirements(of_the_wheel(files))) == {"numpy", "scipy"}


def test_the_course_requires_no_grader(files):
    brought = closure(requirements(of_the_wheel(files), "course"))
    assert {"numpy", "jupyterlab", "rich"} <= brought
    assert brought & GRADERS == set()
    assert closure(requirements(of_the_wheel(files), "teach")) >= GRADERS


def test_commands_check_for_what_the_extras_have():
    modules = {"pyyaml": "yaml", "ipython": "IPython"}
    extras = PROJECT["optional-dependencies"]
    course, teach = (
        {modules.get(Requirement(each).name, Requirement(each).name) for each in extras[extra]}
        for extra in ("course", "teach")
    )
    assert teach == {"dplab", *TEACH}
    assert course >= {*RUNNING, *STUDENT["check"], *STUDENT["course"]}
    assert "dplab[course]" in extras["teach"]
    assert "dplab[course]" in extras["site"]
    assert "dplab[cluster,dp-accounting,postgresql,site,teach]" in extras["test"]


def test_all_files_give_the_same_version():
    version, citation = PROJECT["version"], yaml.safe_load(read("CITATION.cff"))
    assert str(citation["version"]) == version
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert re.search(r"^## \[(\d.*)\] - \d{4}-\d\d-\d\d$", read("CHANGELOG.md"), re.M)[1] == version
    assert re.findall(r"^autograder, version (.*)$", read("autograder/GUIDE.md"), re.M) == [version]
    assert re.findall(r"dplab-(.*?)-py3-none-any\.whl", read("README.md")) == [version]


def test_the_changelog_has_an_entry_to_add_to():
    """In the form of Keep a Changelog: versions, the newest first, and kinds of changes in them."""
    headings = re.findall(r"^(##+) (.*)$", read("CHANGELOG.md"), re.MULTILINE)
    versions = [heading for level, heading in headings if level == "##"]
    assert versions[0] == "[Unreleased]"
    dates = [re.fullmatch(r"\[\d+\.\d+\.\d+\] - (\S+)", each)[1] for each in versions[1:]]
    assert dates == sorted(dates, reverse=True)
    kinds = {heading for level, heading in headings if level == "###"}
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_metadata_say_what_it_is(files):
    folder = f"dplab-{PROJECT['version']}.dist-info"
    metadata = email.message_from_bytes(files[f"{folder}/METADATA"])
    assert metadata["License-Expression"] == "MIT AND CC-BY-4.0"
    assert metadata.get_all("License-File") == ["LICENSE", "LICENSE-TEXTS"]
    for name in ("LICENSE", "LICENSE-TEXTS"):
        assert files[f"{folder}/licenses/{name}"].decode() == read(name)
    assert metadata["Author"] == "The dplab authors"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "Typing :: Typed" in metadata.get_all("Classifier")
    assert "dplab/py.typed" in files


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


def programs(folder, wheel, wanted):
    """Return a function that runs a program of an environment, in a folder of its user's own."""
    scripts = environment(folder, wheel, closure(wanted))
    (folder / "home").mkdir()
    foreign = ("VIRTUAL", "PYTEST", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}

    def run(program, *arguments):
        return subprocess.run(
            [scripts / program, *arguments], cwd=folder / "home",
            env=kept | {"HOME": str(folder / "home")}, capture_output=True, text=True, timeout=1800,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def library(tmp_path_factory, wheel, files):
    """A program where the library alone is installed, with NumPy and SciPy."""
    wanted = requirements(of_the_wheel(files))
    return programs(tmp_path_factory.mktemp("library"), wheel, wanted)


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel, files):
    """`autograder` as a student has it."""
    wanted = requirements(of_the_wheel(files), "course")
    return partial(programs(tmp_path_factory.mktemp("student"), wheel, wanted), "autograder")


@pytest.fixture(scope="module")
def equipped(tmp_path_factory, wheel, files):
    """`autograder` from the same wheel with the extra `teach`, still without the repository."""
    wanted = requirements(of_the_wheel(files), "teach")
    return partial(programs(tmp_path_factory.mktemp("teacher"), wheel, wanted), "autograder")


def test_with_numpy_and_scipy_most_modules_can_be_imported(library):
    done = library("python", "-c", IMPORTING)
    assert done.returncode == 0, done.stderr
    imported, missing = json.loads(done.stdout)
    assert {"dplab.attacks.linear_program", "dplab.theorems.ramsey"} <= set(imported)
    assert len(imported) > 100
    needs = r"(\S+) needs the package \w+, which is not installed: pip install 'dplab\[(.*)\]'"
    assert dict(re.fullmatch(needs, message).groups() for message in missing.values()) == {
        "dplab.attacks.diffix": "course",
        "dplab.interop.sklearn": "scikit-learn",
        "dplab.widgets": "course",
    }
    assert len(missing) == 3


def test_the_library_alone_runs_the_lines_of_the_readme(library):
    code, shown = re.search(
        r"```python\n(.*?)```\n+```text\n(.*?)```", read("README.md"), re.S
    ).groups()
    done = library("python", "-c", code)
    assert (done.stderr, done.stdout) == ("", shown)


@pytest.mark.parametrize(
    ("call", "package"),
    [
        ("data.make_town(9, np.random.default_rng(1))", "pandas"),
        ("data.fair_survey()", "pandas"),
        ("data.household_incomes()", "statsmodels"),
        ("data.breast_cancer()", "sklearn"),
    ],
)
def test_the_library_alone_names_what_a_function_lacks(library, call, package):
    imports = "import numpy as np; from dplab import data"
    done = library("python", "-c", f"{imports}; {call}")
    *_, last = done.stderr.splitlines()
    assert last.startswith("dplab.optional.Absent: ")
    assert f" the package {package}, which is not installed: pip install 'dplab[course]'" in last


@pytest.mark.parametrize(
    "arguments", [("--help",), ("check", "ps03.ipynb"), ("grade", "c", "ps03")]
)
@pytest.mark.parametrize("program", [("autograder",), ("python", "-m", "autograder")])
def test_the_command_says_in_one_line_what_to_install(library, program, arguments):
    done = library(*program, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(
        r"error: the command autograder needs the package \w+, which is not installed; "
        r"run: pip install 'dplab\[course\]'", line
    )  # fmt: skip


def test_a_students_command_says_in_one_line_what_it_needs(monkeypatch):
    """Where some packages of the extra are there by chance, and others are not."""
    find = command_requirements.find_spec
    gone = {"psutil", "jupyterlab"}
    monkeypatch.setattr(
        command_requirements, "find_spec", lambda name: None if name in gone else find(name)
    )
    for command, package in (("check", "psutil"), ("course", "jupyterlab")):
        done = CliRunner().invoke(main, [command, "folder"])
        assert done.exit_code == 1
        assert f"'autograder {command}' needs the package {package}, which is not" in done.output
        assert done.output.rstrip().endswith("pip install 'dplab[course]'")


@pytest.fixture(scope="module")
def laid(installed):
    done = installed("course", "privacy", "--no-open")
    assert done.returncode == 0, done.stdout + done.stderr
    where = re.search(r"The course is in (.*?) \(", done.stdout)[1]
    return Path(where)


def test_the_course_is_laid_out_without_the_repository(laid):
    names = {path.name for path in laid.glob("*.ipynb")}
    assert names == {path.name for path in ROOT.glob("course/*.ipynb")}
    assert {path.stem for path in laid.glob("*/*.ipynb")} == set(NAMES)
    assert (laid / "library" / "dplab" / "mechanism.py").is_file()


def test_a_set_as_it_came_fails_its_tests_and_says_so(installed, laid):
    done = installed("check", str(laid / "ps04" / "ps04.ipynb"))
    assert done.returncode == 3, done.stdout + done.stderr
    assert "not answered yet" in done.stdout
    assert "other versions" not in done.stdout


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
    assert line.startswith(
        f"error: 'autograder {arguments[0]}' is for teachers and needs the package nbgrader,"
    )
    assert line.endswith("pip install -e '.[teach]'")
    assert not (laid.parent / "c").exists()


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
