"""The workflows, the hooks and the citation are valid, and do what the documents say of them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (GITHUB / "CONTRIBUTING.md").read_text(encoding="utf-8")
EVERYDAY = ".venv/bin/python -m pytest"
SCRIPTS = Path(sys.executable).parent
SUBSTITUTES = {
    # `python -m venv student` makes an environment whose own python installs nothing.
    "python": "#!/bin/sh\nmkdir -p student/bin\n"
    "printf '#!/bin/sh\\necho \"$@\"\\n' > student/bin/python\n"
    'cp "$(dirname "$0")/autograder" student/bin\nchmod +x student/bin/*\n',
    "autograder": '#!/bin/sh\necho "$@"\n[ "$1" = course ] || exit "$STATUS"\n',
}


def read(name):
    return yaml.safe_load((GITHUB / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))


def jobs_of(name):
    return read(name)["jobs"]


def triggers_of(name):
    return read(name)[True]  # what YAML reads in the word `on`


def check(program, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", program, *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"]
)
def test_workflows_follow_the_schema(schema):
    assert {path.stem for path in WORKFLOWS} == {"exhaustive", "release", "site", "tests"}
    check("check_jsonschema", "--builtin-schema", schema, *WORKFLOWS)


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("citation-file-format", "CITATION.cff"),
        ("dependabot", ".github/dependabot.yml"),
        ("github-actions", ".github/actions/prepare/action.yml"),
    ],
)
def test_other_files_follow_their_schemas(schema, file):
    check("check_jsonschema", "--builtin-schema", f"vendor.{schema}", ROOT / file)


def test_zizmor_finds_nothing():
    """Among others: actions without a commit, kept credentials, `${{ }}` in commands of a shell."""
    done = subprocess.run(
        [SCRIPTS / "zizmor", "--offline", "--no-progress", GITHUB], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for path in (*WORKFLOWS, GITHUB / "actions/prepare/action.yml"):
        assert f"completed {path}" in done.stderr


@pytest.mark.parametrize("name", [path.stem for path in WORKFLOWS])
def test_a_workflow_may_only_read_and_runs_once_at_a_time(name):
    workflow = read(name)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"]


@pytest.mark.parametrize("name", [path.stem for path in WORKFLOWS])
def test_no_job_keeps_the_credentials_of_its_checkout(name):
    steps = [step for job in jobs_of(name).values() for step in job.get("steps", [])]
    checkouts = [step for step in steps if "/checkout@" in step.get("uses", "")]
    assert checkouts
    assert [step for step in checkouts if step["with"]["persist-credentials"] is not False] == []


def test_a_change_is_tested_once():
    assert triggers_of("tests") == {"push": {"branches": ["main"]}, "pull_request": None}


def test_everyday_tests_run_on_each_python():
    jobs = jobs_of("tests")
    job, matrix = jobs["everyday"], jobs["everyday"]["strategy"]["matrix"]
    assert matrix["include"] == [{"python": "3.14", "may-fail": True}]
    assert matrix["may-fail"] == [False]
    assert job["continue-on-error"] == "${{ matrix.may-fail }}"
    assert job["container"]["image"] == "python:${{ matrix.python }}-bookworm"
    assert jobs["ci"]["container"]["image"] == "python:3.11-bookworm"
    assert jobs["ci"]["steps"][-1]["run"] == ".ci/run"
    pythons = ["3.11", *matrix["python"]]
    assert PROJECT["requires-python"] == f">={pythons[0]}"
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert named == pythons == jobs["laptops"]["strategy"]["matrix"]["python"]


@pytest.mark.parametrize(
    ("workflow", "job", "options"),
    [
        ("tests", "everyday", ""),
        ("tests", "bounds", ""),
        ("tests", "random-order", " -p randomly"),
        ("exhaustive", "exhaustive", " --exhaustive"),
    ],
)
def test_a_job_runs_all_tests_of_its_tier(workflow, job, options):
    """In a container where the sandbox can make namespaces, and with what `.ci/run` installs."""
    described = jobs_of(workflow)[job]
    *_, last = described["steps"][-1]["run"].split(" && ")
    assert last == EVERYDAY + options
    assert described["container"]["options"] == "--privileged"
    assert {"uses": "./.github/actions/prepare"} in described["steps"]


def test_jobs_install_the_same_packages_as_the_script():
    action = (GITHUB / "actions/prepare/action.yml").read_text(encoding="utf-8")
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    lists = [re.findall(r"no-install-recommends \\\n +(.*?) >", text) for text in (action, script)]
    assert lists[0] == lists[1]
    assert len(lists[0]) == 1


def test_both_ends_of_the_ranges_are_tested():
    job = jobs_of("tests")["bounds"]
    assert job["strategy"]["matrix"]["resolution"] == ["lowest-direct", "highest"]
    (step,) = (step for step in job["steps"] if "RESOLUTION" in step.get("env", {}))
    assert "--resolution \"$RESOLUTION\" -e '.[test]'" in step["run"]
    for extra, packages in PROJECT["optional-dependencies"].items():
        if extra != "peers":
            assert [each for each in packages if not re.search("[>=]=|^dplab", each)] == []


def test_exhaustive_tests_run_at_night_and_before_a_release():
    assert {"schedule", "workflow_call"} <= set(triggers_of("exhaustive"))
    release = jobs_of("release")
    assert release["tests"]["uses"] == "./.github/workflows/exhaustive.yml"
    assert set(release["publish"]["needs"]) == {"tests", "build"}


def test_the_site_is_published_after_all_tests():
    jobs = jobs_of("tests")
    assert triggers_of("site") == {"workflow_call": None}
    assert jobs["site"]["uses"] == "./.github/workflows/site.yml"
    assert jobs["site"]["if"] == "github.event_name == 'push'"
    assert set(jobs["site"]["needs"]) == set(jobs) - {"site"}


def test_the_workflow_tries_each_system_with_each_python():
    jobs = jobs_of("tests")
    matrix = jobs["laptops"]["strategy"]["matrix"]
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    ends = [matrix["python"][0], matrix["python"][-1]]
    assert jobs["checks"]["strategy"]["matrix"]["python"] == ends


@pytest.mark.parametrize(("status", "ended"), [("3", 0), ("0", 1), ("1", 1)])
def test_what_the_workflow_runs_with_the_wheel_works(tmp_path, status, ended):
    """Run the step's own commands; two small scripts replace what installs and what grades."""
    steps = jobs_of("tests")["laptops"]["steps"]
    script = next(step["run"] for step in steps if "wheel" in step.get("name", ""))
    (tmp_path / "bin").mkdir()
    for name, text in SUBSTITUTES.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path, text=True,
        env=os.environ | {"PATH": path, "RUNNER_TEMP": str(tmp_path), "STATUS": status},
        capture_output=True,
    )  # fmt: skip
    assert done.returncode == ended, done.stderr
    assert done.stdout.splitlines() == [
        "-m pip install .[course]", "course privacy --no-open", "check privacy/ps03/ps03.ipynb",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tag", "heading", "ended"),
    [("v1.2.3", "## [1.2.3] - 2026-01-31", 0), ("v1.2.4", "## [1.2.3] - 2026-01-31", 1),
     ("v1.2.3", "## [1.2.3]", 1), ("v1.2.3", "## [1x2.3] - 2026-01-31", 1)],
)  # fmt: skip
def test_a_tag_that_is_not_the_version_is_refused(tmp_path, tag, heading, ended):
    steps = jobs_of("release")["build"]["steps"]
    script = next(step["run"] for step in steps if "TAG" in step.get("env", {}))
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"TAG": tag})
    assert done.returncode == ended


def test_a_release_publishes_one_wheel_and_no_password():
    jobs = jobs_of("release")
    assert triggers_of("release") == {"push": {"tags": ["v*"]}}
    commands = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert "python -m build --wheel" in commands
    assert "python -m twine check --strict dist/*.whl" in commands
    assert jobs["publish"]["environment"] == "release"
    assert jobs["publish"]["permissions"] == {"attestations": "write", "id-token": "write"}
    assert "secrets." not in (GITHUB / "workflows/release.yml").read_text(encoding="utf-8")


def test_contributing_gives_the_three_commands():
    commands = re.search(r"```bash\n(.*?)```", CONTRIBUTING, re.DOTALL)[1].splitlines()
    setting_up, everyday, exhaustive = commands
    assert everyday == EVERYDAY
    assert f"{setting_up} && {everyday}" in README
    assert exhaustive == f"{everyday} --exhaustive"


def test_hooks_find_nothing_to_change_in_notebooks(tmp_path):
    """So the hooks keep what problem sets need, and no notebook was saved with outputs."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"]: hook for repo in config["repos"] for hook in repo["hooks"]}
    assert set(hooks) == {"ruff-check", "ruff-format", "nbstripout", "mypy"}
    notebooks = [*ROOT.glob("course/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
    copies = {shutil.copy(path, tmp_path): path for path in notebooks}
    assert len(copies) == len(notebooks) > 30
    program, *options = hooks["nbstripout"]["entry"].removeprefix("python -m ").split()
    check(program, *options, *copies)
    assert [
        path for copy, path in copies.items() if Path(copy).read_bytes() != path.read_bytes()
    ] == []
