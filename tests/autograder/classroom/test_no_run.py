"""What the grader itself fails on costs nobody points: it waits, and the teacher is told."""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading import environment, results
from autograder.classroom.intake import collect_class
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.examiner import sandboxed_runner, self_test
from autograder.sandbox.probing import Probe
from autograder.wire.contract import CellRun, Incident, Limits, NotebookRun
from tests.autograder.tiny_assignment import answered, as_bytes
from tests.autograder.trusted_runner import WEAK, TrustedRunner


class Refusing(TrustedRunner):
    """No process can be opened in these."""

    def run(self, cells, seed, files=()):
        raise OSError("no room can be opened")


def grade_ann(course, tiny, data, again=False):
    path = course.submitted("ann", "tiny")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    handed = collect_class.CollectedSubmission("ann", {"tiny": path}, "digest")
    (result,) = grade_class(course, tiny, (handed,), Graders(Limits(), WEAK, jobs=1), again=again)
    return result


def grades_of(course):
    with OpenGradebook(course, "tiny") as gradebook:
        return gradebook.grades()


def test_a_run_without_a_first_cell_is_not_written_to_the_gradebook(
    course, tiny, released, monkeypatch
):
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", Refusing)
    result = grade_ann(course, tiny, as_bytes(answered(released)))
    assert {cell.points for cell in result.cells} == {None}
    assert result.needs_teacher
    assert not result.has_run
    assert "no room can be opened" in result.notes[-1].message
    assert grades_of(course) == {}
    assert not course.autograded("ann", "tiny").exists()


def test_the_points_that_were_there_stay_and_the_next_try_is_made(
    course, tiny, released, monkeypatch
):
    work = as_bytes(answered(released))
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", TrustedRunner)
    grade_ann(course, tiny, work)
    before, notebook = grades_of(course), course.autograded("ann", "tiny").read_bytes()
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", Refusing)
    assert not grade_ann(course, tiny, work, again=True).has_run
    assert grades_of(course) == before
    assert course.autograded("ann", "tiny").read_bytes() == notebook
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", TrustedRunner)
    assert grade_ann(course, tiny, work).points == 6


def test_a_result_says_in_which_environment_it_was_made(course, tiny, released, monkeypatch):
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", TrustedRunner)
    result = grade_ann(course, tiny, as_bytes(answered(released)))
    assert result.environment == environment.describe()
    assert result.environment["system"].startswith("Linux")
    assert results.find(course, "ann", "tiny") == result


def test_what_was_made_under_a_faulty_environment_is_graded_again(
    course, tiny, released, monkeypatch
):
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", TrustedRunner)
    result = grade_ann(course, tiny, as_bytes(answered(released)))
    assert results.is_complete(course, result)
    limited = result.environment | {"limits": {"address space": 4_000_000 << 10}}
    spoilt = replace(
        result, environment=limited, cells=tuple(replace(c, points=0.0) for c in result.cells)
    )
    results.save(course, spoilt)
    assert results.incomplete(course, "tiny") == ["ann"]
    assert grade_ann(course, tiny, as_bytes(answered(released))).points == 6


@pytest.mark.parametrize(
    ("allowed", "faulty"),
    [
        ({}, False),
        ({"open files": 1 << 20, "address space": 1 << 40}, False),
        ({"address space": 4_000_000 << 10}, True),
        ({"processor time": 99}, True),
        ({"a limit of the future": 0}, False),
    ],
)
def test_an_environment_is_faulty_where_a_limit_is_below_what_a_submission_may_use(allowed, faulty):
    assert environment.is_faulty({"limits": allowed}, asdict(Limits())) is faulty
    assert not environment.is_faulty({}, {})


# Before a class is graded, and in `doctor`


def test_a_sound_machine_has_no_fault():
    with Probe() as probe:
        assert self_test.find_fault(Limits(), probe.sandbox, probe.parent) == ""
        assert self_test.find_fault(Limits(), probe.sandbox, probe.parent) == ""  # it stays open


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (NotebookRun((CellRun(), CellRun())), "does not pass its test: The grader lost"),
        (NotebookRun((), (Incident(Incident.MEMORY, "an answer", ""),)), "was stopped: memory"),
    ],
)
def test_a_trial_that_fails_says_how(monkeypatch, run, told):
    monkeypatch.setattr(TrustedRunner, "run", lambda *arguments: run)
    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", TrustedRunner)
    assert told in self_test.find_fault(Limits(), WEAK)


def test_doctor_and_grade_say_that_nobody_can_be_graded(course, released, monkeypatch, tmp_path):
    monkeypatch.setattr(self_test, "find_fault", lambda *arguments: "no memory")
    done = CliRunner().invoke(cli.main, ["doctor", str(course.root), "--json"])
    found = [one for one in json.loads(done.stdout) if one["about"] == "processes"]
    assert [(one["state"], one["text"]) for one in found] == [
        ("wrong", "nobody can be graded here: no memory")
    ]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ann.ipynb").write_bytes(as_bytes(answered(released)))
    done = CliRunner().invoke(
        cli.main, ["grade", str(course.root), "tiny", str(folder), "--allow-weak-sandbox"]
    )
    assert done.exit_code == 1
    assert "nothing was graded, since a right answer would fail here: no memory" in done.output
    assert not course.result("ann", "tiny").exists()


def test_a_limit_on_the_address_space_is_told_before_anybody_is_graded(course, released, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ann.ipynb").write_bytes(as_bytes(answered(released)))
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4_000_000 << 10,) * 2)  # noqa: E731

    def command(*words):
        return subprocess.run(
            [sys.executable, "-m", "autograder", *map(str, words)],
            capture_output=True, text=True, timeout=200, preexec_fn=limit,
        )  # fmt: skip

    done = command("grade", course.root, "tiny", folder, "--allow-weak-sandbox")
    assert done.returncode == 1
    assert "of address space, and grading needs" in done.stderr
    assert "Traceback" not in done.stderr
    assert not course.result("ann", "tiny").exists()
    done = command("doctor", course.root, "--json")
    assert done.returncode == 1
    found = {(one["about"], one["state"]) for one in json.loads(done.stdout)}
    assert ("processes", "wrong") in found


def test_a_cluster_is_not_tried_on_this_machine(course, monkeypatch, tmp_path):
    from autograder.session import Session

    monkeypatch.setattr(self_test, "find_fault", lambda *arguments: "no memory")
    session = Session(course, "tiny", tmp_path, Limits())
    session._check_processes(SimpleNamespace(hosts={"alpha": 2}))
