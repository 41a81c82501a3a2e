"""The README keeps its word: its lines print what it shows, its commands do what it says."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from PIL import Image

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "autograder/GUIDE.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```bash\n(python3 -m venv .*?)\n```", README, flags=re.DOTALL)


def test_the_lines_of_python_print_what_is_shown():
    code, shown = re.search(r"```python\n(.*?)```\n+```text\n(.*?)```", README, re.DOTALL).groups()
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown
    assert len([line for line in code.splitlines() if line.strip()]) == 12


def test_every_file_that_the_readme_points_to_exists():
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_section_of_the_guide_that_the_readme_points_to_exists():
    anchors = re.findall(r"\]\(autograder/GUIDE\.md#([^)]+)\)", README)
    headings = re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE)
    assert anchors
    known = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}
    assert set(anchors) <= known


def test_every_lesson_and_problem_set_stands_in_the_readme():
    made = [*ROOT.glob("course/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
    assert made
    assert [path for path in made if path.relative_to(ROOT).as_posix() not in README] == []


def test_every_benchmark_has_its_line():
    there = (ROOT / "tests/benchmarks/README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+\.py)`", there, re.MULTILINE)
    made = {path.name for path in ROOT.glob("tests/benchmarks/*.py")}
    assert made
    assert made - set(named) == set()


def test_pictures_are_light_and_have_words():
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)
    assert len(pictures) == 3
    for words, path in pictures:
        assert len(words.split()) > 8, path
        limit = 1_000_000 if path.endswith(".gif") else 150_000
        assert (ROOT / path).stat().st_size < limit, path
        assert Image.open(ROOT / path).width >= 1_000, path


def test_the_readme_begins_with_a_picture_that_moves():
    first = re.search(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert first.start() < README.index("## ")
    assert Image.open(ROOT / first[1]).n_frames > 10


def test_binder_lays_out_the_folder_that_the_guide_opens():
    binder = ROOT / ".binder"
    assert (binder / "requirements.txt").read_text() == ".[course]\n"
    assert os.access(binder / "postBuild", os.X_OK)
    *_, last = (binder / "postBuild").read_text().splitlines()
    assert last == "autograder course privacy --no-open"
    assert "open `privacy/index.ipynb` there" in GUIDE
    version = (binder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f'"{version}"' in (ROOT / ".github/workflows/tests.yml").read_text()


def test_colab_installs_what_it_lacks():
    """By our own bounds; the rest of what a student needs is there."""
    (cell,) = re.findall(r"```ipython\n(.*?)```", GUIDE, re.DOTALL)
    added = {Requirement(each) for each in shlex.split(cell.splitlines()[1])[3:]}
    needed = {Requirement(each) for each in PROJECT["optional-dependencies"]["course"]}
    assert {each.name for each in added} == {"msgpack", "sqlglot"}
    assert added <= needed


def test_students_install_the_extra_course():
    """By each of the ways that the README names, and not the library alone."""
    student = README.partition("## For the student")[2].partition("### The site")[0]
    given = re.findall(r"pip install (?:-q )?(\"[^\"]+\"|'[^']+'|[^\s`]+)", student)
    version = PROJECT["version"]
    assert [each.strip("'\"") for each in given] == [
        ".[course]",
        ".[course]",
        f"dplab-{version}-py3-none-any.whl[course]",
    ]


def test_there_are_two_commands_each_on_one_line():
    demo, tests = COMMANDS
    assert "\n" not in demo + tests
    assert demo.endswith(".venv/bin/autograder demo")
    assert tests.endswith(".venv/bin/python -m pytest")


def test_continuous_integration_runs_the_readmes_test_command():
    assert (ROOT / ".ci/run").read_text().count(f"\n{COMMANDS[1]}\n") == 1


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: there is nothing to clone")
    clone = tmp_path_factory.mktemp("fresh") / "dplab"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    yield clone
    shutil.rmtree(clone)


class TestFreshClone:
    """Both commands in a fresh clone, with an environment that knows nothing of this one.

    What the first installs the second needs as well, and adds to it.
    """

    def run(self, command, clone, **environment):
        foreign = ("VIRTUAL_ENV", "PYTEST", "PYTHON")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(foreign)}
        # Most of what is installed isn't imported here: pip needn't compile it all beforehand.
        kept |= {"TMPDIR": str(clone.parent), "PIP_COMPILE": "0"}
        return subprocess.run(
            command, shell=True, cwd=clone, env=kept | environment, timeout=1800,
            capture_output=True, text=True,
        )  # fmt: skip

    def test_the_first_command_grades_the_sample_class(self, clone):
        result = self.run(COMMANDS[0], clone)
        assert result.returncode == 0, result.stdout + result.stderr
        (report,) = clone.parent.glob("**/report/ps03.html")
        assert "ps03" in report.read_text(encoding="utf-8")

    def test_the_second_command_passes_tests(self, clone):
        """Running all of them here would recurse; a few of both halves stand for the rest."""
        few = "tests/dplab/test_guarantees.py tests/autograder/test_console.py"
        result = self.run(COMMANDS[1], clone, PYTEST_ADDOPTS=few)
        assert result.returncode == 0, result.stdout + result.stderr
        assert re.search(r"\d+ passed", result.stdout.splitlines()[-1])
