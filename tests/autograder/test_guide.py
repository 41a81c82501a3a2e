"""The guide keeps its word: its blocks are run in their order and print what it shows."""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from autograder.classroom.course.folders import Course
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.results import find_all
from autograder.sandbox.probing import probe
from tests.sharing import once

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "autograder/GUIDE.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
# Where this machine can't shut code in completely, what the guide says is tried without.
WEAKLY = """autograder() {
    local more=()
    if [ "$1" = grade ]; then more=(--allow-weak-sandbox); fi
    command autograder "$@" "${more[@]}"
}
"""


def blocks(kind):
    return [text for name, text in FENCED.findall(GUIDE) if name == kind]


def steps():
    """Each block of commands with the output that is shown right below it, or None."""
    found = list(FENCED.finditer(GUIDE))
    for block, following in pairwise([*found, None]):
        if block[1] == "bash":
            shown = following and following[1] == "text" and following.start() == block.end()
            yield block[2], following[2] if shown else None


STEPS = list(steps())


def environment(home):
    """As of somebody who has activated this environment, and nothing else."""
    kept = {name: os.environ[name] for name in ("LANG", "CI") if name in os.environ}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return kept | {"HOME": str(home), "PATH": path, "COLUMNS": "100", "TMPDIR": str(home)}


def bash(commands, folder, home, **more):
    """Run them as one script that ends where a command fails."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", commands if probe().strong else WEAKLY + commands],
        cwd=folder, env=environment(home) | more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", timeout=1800,
    )  # fmt: skip


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """The folder in which the whole guide was followed, what each block printed, as far as the
    first one that failed, and what came of that. The folder stays as it is.
    """
    return once(tmp_path_factory, "guide", _follow)


def _follow(home):
    home = home.resolve()  # as commands print it
    commands = "".join(f"{block}echo '=== {i}'\n" for i, (block, _) in enumerate(STEPS))
    done = bash(commands, home, home)
    parts = re.split(r"^=== \d+\n", done.stdout, flags=re.MULTILINE)
    return home, parts[:-1], f"exit code {done.returncode}:\n{parts[-1]}"


@pytest.fixture(scope="module")
def teaching(followed):
    return followed[0] / "teaching"


def comparable(text, home):
    """Lines without what may differ: folders, times, what aligns, digits of small probabilities."""
    text = text.replace(str(home), "/home/ada").replace("\ufeff", "")
    text = re.sub(r"\d+\.\d s( \(\d+ ms each\))?", "(time)", text)
    text = re.sub(r" \d+\.\d\d\b", " (time)", text)
    text = re.sub(r"─+|\d(\.\d+)?(?=e-\d)", "#", text)
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def agrees(printed, shown):
    """Whether the lines are those shown; a line of three dots stands for any lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(agrees(printed[i:], shown[1:]) for i in range(len(printed) + 1))
    return bool(printed) and printed[0] == shown[0] and agrees(printed[1:], shown[1:])


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_a_block_prints_what_is_shown(followed, number):
    home, texts, rest = followed
    assert number < len(texts), rest
    shown = STEPS[number][1]
    if shown is None:
        return
    found, expected = comparable(texts[number], home), comparable(shown, home)
    if not probe().strong and "Sandbox:" in expected:
        pytest.skip("the sandbox's lines are other ones on this machine")
    assert agrees(found, expected), "\n".join(found)


def test_lines_are_compared():
    shown = comparable("a 3.1 s (20 ms each)\n...\nb  1.25 x\n", Path("/none"))
    assert agrees(comparable("a  0.2 s (7 ms each)\n1\n2\nb 0.50   x", Path("/none")), shown)
    assert not agrees(comparable("a 0.2 s (7 ms each)\nb 0.50 y", Path("/none")), shown)
    assert not agrees(comparable("a 0.2 s (7 ms each)\nb 0.50 x\nc", Path("/none")), shown)


def test_the_blocks_are_there():
    assert len(STEPS) > 10
    assert sum(shown is not None for _, shown in STEPS) > 8


def test_installing_is_the_readmes_command_and_tested_with_it():
    first = blocks("sh")[0].splitlines()[0]
    assert first in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_that_the_guide_points_to_exists():
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", GUIDE)
    assert links
    assert [link for link in links if not (ROOT / "autograder" / link).exists()] == []


def test_points_are_those_that_the_guide_explains(teaching):
    results = {
        result.student: result for result in find_all(Course.at(teaching / "course"), "coin")
    }
    assert {student: result.points for student, result in results.items()} == {
        "ann": 6, "bob": 4, "eve": 0,
    }  # fmt: skip


def test_feedback_comes_back_through_the_exchange(teaching):
    (page,) = (teaching / "student/coin/feedback").glob("*/coin.html")
    (written,) = (teaching / "hub/feedback").glob("*/coin/coin.html")
    assert page.read_bytes() == written.read_bytes()


LAYOUTS = dict(
    re.fullmatch(r"(\w+) +(.*?)(?:, and submission_metadata.yml)?", line).groups()
    for line in next(text for text in blocks("text") if text.startswith("Moodle")).splitlines()
)
METADATA = "submission_98765:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '4711'\n"


@pytest.mark.parametrize(
    ("platform", "student"),
    [("Moodle", "Ada Lovelace"), ("Canvas", "4711"), ("Brightspace", "Ada Lovelace"),
     ("Gradescope", "4711")],
)  # fmt: skip
def test_a_download_is_taken_as_the_guide_writes_it(teaching, tmp_path, platform, student):
    with ZipFile(tmp_path / "download.zip", "w") as download:
        download.write(teaching / "handed-in/ann/coin.ipynb", LAYOUTS[platform])
        if platform == "Gradescope":
            download.writestr("assignment_42_export/submission_metadata.yml", METADATA)
    shutil.copytree(teaching / "course", tmp_path / "other")
    (tmp_path / "other/.autograder/people.json").unlink()
    command = "autograder grade other coin download.zip --dry-run --json"
    done = bash(f"{command} || test $? = 3", tmp_path, tmp_path)
    found = json.loads(done.stdout)
    assert found["platform"] == platform
    assert [one["student"] for one in found["students"]] == [student]


@pytest.fixture
def repository(teaching, tmp_path):
    """What stands in a repository for continuous integration."""
    shutil.copytree(teaching / "course/source", tmp_path / "source")
    for student in ("ann", "bob"):
        shutil.copytree(teaching / "handed-in" / student, tmp_path / "handed-in" / student)
    return tmp_path


def workflow(name):
    """The commands of a step of the workflow."""
    (job,) = yaml.safe_load(blocks("yaml")[0])["jobs"].values()
    return next(step["run"] for step in job["steps"] if step.get("name") == name)


def test_the_workflow_grades_as_the_course_does(repository, teaching):
    secret = (teaching / "course/.autograder/secret").read_bytes()
    encoded = {"COURSE_SECRET": base64.b64encode(secret).decode()}
    done = bash(workflow("Grade"), repository, repository, **encoded)
    assert done.returncode == 0, done.stdout
    done = bash(workflow("Report"), repository, repository)
    assert done.returncode == 0, done.stdout
    for path in ("feedback/ann/coin/coin.html", "report/coin.html", "export/coin-csv.csv"):
        assert (repository / path).exists()
    assert Course.at(repository).secret() == secret
    there, here = (cells_of(folder) for folder in (repository, teaching / "course"))
    assert there == {student: here[student] for student in there}
    (repository / "handed-in/zoe.ipynb").write_text("{")
    assert bash(workflow("Grade"), repository, repository, **encoded).returncode == 3


def cells_of(folder):
    return {result.student: result.cells for result in find_all(Course.at(folder), "coin")}


def test_the_gradebook_is_in_postgresql_by_the_guides_line(teaching, tmp_path):
    from tests.autograder.classroom import postgresql

    if postgresql.programs() is None:
        reason = "no PostgreSQL on this machine: apt-get install postgresql"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    (line,) = (block for block in blocks("python") if "db_url" in block)
    (url,) = re.findall(r'"(.*)"', line)
    with postgresql.cluster() as server:
        line = line.replace(url, server.create("guide"))
        (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\n{line}")
        commands = f"cp -r {teaching}/course/source .; autograder release --adopt . coin\n"
        commands += f"autograder grade . coin {teaching}/late"
        done = bash(commands, tmp_path, tmp_path)
        assert done.returncode == 0, done.stdout
        with OpenGradebook(Course.at(tmp_path), "coin") as gradebook:
            assert gradebook.grades()["joy"]["toss_law"].points == 4
        assert not (tmp_path / "gradebook.db").exists()


CLUSTER = """
trap 'kill $(jobs -p); wait' EXIT
{scheduler} --host 127.0.0.1 --port {port} --dashboard-address 127.0.0.1:0 &
until (echo > /dev/tcp/127.0.0.1/{port}) 2> /dev/null; do sleep 0.2; done
{worker} --no-dashboard &
{grade} --again --cell-seconds 2
"""


def test_a_cluster_grades_by_the_guides_lines(teaching, tmp_path):
    *_, block = blocks("sh")
    scheduler, worker, grade = (line.partition("#")[0] for line in block.splitlines())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines = CLUSTER.format(scheduler=scheduler, worker=worker, grade=grade, port=port)
    here = shutil.copytree(teaching, tmp_path / "teaching", symlinks=True)
    done = bash(lines.replace("alpha:8786", f"127.0.0.1:{port}"), here, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Graded: 3 on" in done.stdout
    assert cells_of(here / "course") == cells_of(teaching / "course")
