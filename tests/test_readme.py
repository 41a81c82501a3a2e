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
import yaml
from packaging.requirements import Requirement
from PIL import Image

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
STAND_INS = {
    # `python -m venv student` makes an environment whose own python installs nothing.
    "python": "#!/bin/sh\nmkdir -p student/bin\nprintf '#!/bin/sh\\n' > student/bin/python\n"
    'cp "$(dirname "$0")/autograder" student/bin\nchmod +x student/bin/*\n',
    "autograder": '#!/bin/sh\necho "$@"\n[ "$1" = course ] || exit "$STATUS"\n',
}
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
        assert (ROOT / path).stat().st_size < 150_000, path
        assert Image.open(ROOT / path).width >= 1_000, path


def test_binder_lays_out_the_folder_that_the_readme_opens():
    binder = ROOT / ".binder"
    assert (binder / "requirements.txt").read_text() == ".\n"  # the student's wheel
    assert os.access(binder / "postBuild", os.X_OK)
    *_, last = (binder / "postBuild").read_text().splitlines()
    assert last == "autograder course privacy --no-open"
    assert "open `privacy/index.ipynb` there" in README
    version = (binder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f'"{version}"' in (ROOT / ".github/workflows/tests.yml").read_text()


def test_colab_installs_what_it_lacks():
    """By our own bounds; the rest of what a student needs is there."""
    (cell,) = re.findall(r"```ipython\n(.*?)```", README, re.DOTALL)
    added = {Requirement(each) for each in shlex.split(cell.splitlines()[1])[3:]}
    needed = {Requirement(each).name: Requirement(each) for each in PROJECT["dependencies"]}
    assert {each.name for each in added} == {"highspy", "msgpack", "sqlglot"} <= set(needed)


def test_there_are_two_commands_each_on_one_line():
    demo, tests = COMMANDS
    assert "\n" not in demo + tests
    assert demo.endswith(".venv/bin/autograder demo")
    assert tests.endswith(".venv/bin/python -m pytest")


def test_continuous_integration_runs_the_readmes_test_command():
    assert (ROOT / ".ci/run").read_text().count(f"\n{COMMANDS[1]}\n") == 1


def test_the_workflow_tries_each_system_with_each_python():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    pythons = jobs["laptops"]["strategy"]["matrix"]["python"]
    assert jobs["laptops"]["strategy"]["matrix"]["system"] == [
        "ubuntu-latest", "macos-latest", "windows-latest",
    ]  # fmt: skip
    assert pythons == ["3.11", "3.12", "3.13"]
    assert jobs["checks"]["strategy"]["matrix"]["python"] == [pythons[0], pythons[-1]]
    assert PROJECT["requires-python"] == f">={pythons[0]}"
    assert jobs["everything"]["steps"][-1]["run"] == ".ci/run"
    assert jobs["everything"]["container"]["image"] == f"python:{pythons[0]}-bookworm"


def test_what_the_workflow_runs_with_the_wheel_works(tmp_path):
    """Its step as it stands, with stand-ins for the two programs that install and run."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    script = next(
        step["run"] for step in jobs["laptops"]["steps"] if "wheel" in step.get("name", "")
    )
    (tmp_path / "bin").mkdir()
    for name, text in STAND_INS.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path),
    }  # fmt: skip
    for status, ended in (("3", 0), ("0", 1), ("1", 1)):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path,
            env=environment | {"STATUS": status}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == ended, done.stderr
        assert done.stdout.splitlines() == [
            "course privacy --no-open", "check privacy/ps03/ps03.ipynb",
        ]  # fmt: skip


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: there is nothing to clone")
    clone = tmp_path_factory.mktemp("fresh") / "dplab"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    yield clone
    shutil.rmtree(clone)


@pytest.mark.slow
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
