"""A class graded on a Dask cluster of real processes: as here, whatever becomes of the workers."""

import contextlib
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from autograder import cli, demo, session
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.versions import differences, versions
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.multi_notebook import GradedSubmission, Submission
from autograder.classroom.grading.results import find_all
from autograder.classroom.intake import collect_class
from autograder.classroom.releasing.release import release
from autograder.classroom.running import cluster as clusters
from autograder.classroom.running import dask_worker, workers
from autograder.classroom.running.cluster import Cluster, weakest
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.dask_worker import WorkerPool
from autograder.classroom.running.progress import Progress
from autograder.classroom.running.workers import Task
from autograder.classroom.sets.assignment import load
from autograder.sandbox.layers import Layer
from autograder.sandbox.probing import probe
from autograder.wire.contract import Incident, Limits
from tests.autograder.classroom import namespaces
from tests.autograder.classroom.dask_processes import Processes, wait_until
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

HERE = socket.gethostname()
LIMITS = Limits()
# Of the sample class: what can be said of their work is said of others' too.
ALIKE = {"ada", "bela", "dora", "emil", "fatima", "milo", "pia"}
SLOWLY = {**SOLUTIONS, "double": f"import time\ntime.sleep(0.4)\n{SOLUTIONS['double']}"}


@pytest.fixture
def dask(tmp_path):
    with Processes(tmp_path) as started:
        yield started


@pytest.fixture
def handed_in(course, tmp_path, released):
    """Twelve right answers that take their time."""
    (tmp_path / "in").mkdir()
    for number in range(12):
        (tmp_path / "in" / f"student{number:02}.ipynb").write_bytes(
            as_bytes(answered(released, SLOWLY))
        )
    return collect_class.collect(course, "tiny", tmp_path / "in").submissions


class Watcher(Progress):
    """Notes what is finished; `when(watcher)` is called after each result, `every` at each tick."""

    def __init__(self, when=lambda watcher: None, every=lambda: None):
        self.seen, self._when, self._every = [], when, every

    def finished(self, result, kept):
        self.seen.append((result.student, kept))
        self._when(self)

    def tick(self):
        self._every()


def graders(cluster, limits=None):
    return Graders(limits or Limits(), cluster.sandbox, jobs=1, cluster=cluster)


def grade_on(cluster, course, handed_in, watcher=None, again=False):
    tiny = load(course, "tiny")
    return grade_class(course, tiny, handed_in, graders(cluster), again=again, progress=watcher)


def grade_by_command(course, source, address, *options):
    arguments = ["grade", str(course.root), "tiny", str(source), "--cluster", address, *options]
    return CliRunner().invoke(cli.main, arguments)


def _below(process):
    """The processes that a worker has started, and those that they have."""
    return psutil.Process(process.pid).children(recursive=True)


def _alive(worker):
    """Without those that have ended, whether or not their parent has asked how."""
    alive = []
    for process in _below(worker):
        with contextlib.suppress(psutil.NoSuchProcess):
            alive += [process] * (process.status() != psutil.STATUS_ZOMBIE)
    return alive


def _gone(processes):
    return not psutil.wait_procs(processes, timeout=300)[1]


def _verdicts(results):
    """All that must be the same wherever a class is graded."""
    return [
        (r.student, r.cells, r.unanswered, r.notes, [(i.kind, i.cell) for i in r.incidents])
        for r in results
    ]


def test_a_class_gets_the_points_and_messages_that_it_gets_here(tmp_path, dask):
    course = Course.at(tmp_path / "course")
    release(course, "ps03")
    demo.hand_in(course, course.root / "handed-in")
    shutil.copytree(course.root, tmp_path / "here")
    here = Course.at(tmp_path / "here")
    for name in "one", "other":
        dask.worker(name)
    ps03, local = load(course, "ps03"), probe()

    def handed_in_to(course):
        found = collect_class.collect(course, "ps03", course.root / "handed-in").submissions
        return tuple(handed for handed in found if handed.student not in ALIKE)

    handed_in = handed_in_to(course)
    with Cluster(dask.address) as cluster:
        assert cluster.hosts == {HERE: 2}
        assert cluster.sandbox.layers == local.layers
        there = grade_class(course, ps03, handed_in, graders(cluster, LIMITS))
        assert cluster.graded == {HERE: len(handed_in)}
    (here.private / "secret").write_bytes(course.secret())
    results = grade_class(here, ps03, handed_in_to(here), Graders(LIMITS, local, jobs=2))

    assert len(there) == len(handed_in) == 9
    assert _verdicts(there) == _verdicts(results)
    assert [r.limits for r in there] == [asdict(LIMITS)] * 9
    watcher = Watcher()
    grade_class(course, ps03, handed_in, Graders(LIMITS, local, 1), progress=watcher)
    assert all(kept for _, kept in watcher.seen)  # by this machine, which would grade just so


def test_a_worker_killed_on_the_way_loses_nothing(course, dask, handed_in):
    dask.worker("one")
    killed = dask.worker("other")
    left = []

    def kill_once(watcher):
        if len(watcher.seen) == 3:
            left.extend(_below(killed))
            killed.kill()

    watcher = Watcher(kill_once)
    with Cluster(dask.address) as cluster:
        results = grade_on(cluster, course, handed_in, watcher)
        assert len(cluster.lost_workers) == 1
    students = [handed.student for handed in handed_in]
    assert sorted(watcher.seen) == [(student, False) for student in students]
    assert [(r.student, r.points) for r in results] == [(student, 6) for student in students]
    with OpenGradebook(course, "tiny") as gradebook:
        assert sorted(gradebook.grades()) == students
    assert left
    assert _gone(left)


def test_what_kills_every_worker_is_set_aside(course, tmp_path, handed_in):
    """Dask is told to try once more never; usually it tries three more workers."""
    with Processes(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as dask:
        first = dask.worker("first")
        with Cluster(dask.address) as cluster:

            def kill_at_work():
                processing = cluster.client.processing().values()
                names = [key.rpartition("-")[2] for keys in processing for key in keys]
                if first.poll() is None and any(map(str.isdigit, names)):  # submissions
                    first.kill()
                    first.wait()
                    dask.worker("second")

            results = grade_on(cluster, course, handed_in, Watcher(every=kill_at_work))
    aside = [result for result in results if result.needs_teacher]
    assert 1 <= len(aside) <= clusters.SUBMISSIONS_PER_THREAD
    assert all("that tried it died" in result.notes[0].message for result in aside)
    assert {result.points for result in results if result not in aside} == {6}
    assert {result.incidents[0].kind for result in aside} == {Incident.GRADER}


def test_an_interrupt_keeps_what_is_finished_and_ends_the_children(course, dask, handed_in):
    worker = dask.worker("one", threads=2)

    def interrupt(watcher):
        if len(watcher.seen) == 2:
            raise KeyboardInterrupt

    with Cluster(dask.address) as cluster, pytest.raises(KeyboardInterrupt):
        grade_on(cluster, course, handed_in, Watcher(interrupt))
    assert len(find_all(course, "tiny")) == 2
    wait_until(lambda: not _alive(worker), 20)
    watcher = Watcher()
    with Cluster(dask.address) as cluster:
        grade_on(cluster, course, handed_in, watcher)
    assert sorted(kept for _, kept in watcher.seen) == [False] * 10 + [True] * 2


def _other_numpy(folder):
    """A folder in which Python first finds a numpy that isn't the one in use here."""
    information = folder / "numpy-9.9.9.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 9.9.9\n")
    return {"PYTHONPATH": str(folder)}


def _other_sources(folder):
    """Copies of dplab and the grader, one with a line more."""
    for name in "dplab", "autograder":
        source = Path(sys.modules[name].__file__).parent
        shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "dplab" / "mechanism.py").open("a") as file:
        file.write("\n# another version\n")
    return {"PYTHONPATH": str(folder)}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (_other_numpy, f"numpy 9.9.9, here {versions()['numpy']}"),
        (_other_sources, r"sources of dplab .* digest (?!DIGEST)\w+, here DIGEST"),
    ],
)
def test_other_versions_are_refused_before_anything_is_graded(
    course, dask, tmp_path, handed_in, changed, said
):
    dask.worker("right")
    dask.worker("wrong", **changed(tmp_path / "changed"))
    done = grade_by_command(course, tmp_path / "in", dask.address)
    assert done.exit_code == 1
    digest = list(versions().values())[-1]
    line = rf"the Dask worker tcp://\S+ can't be used: {HERE} has other versions .*: "
    assert re.search(line + said.replace("DIGEST", digest), done.stderr), done.output
    assert len(done.stderr.strip().splitlines()) == 1
    assert not find_all(course, "tiny")


@pytest.mark.parametrize(
    ("environment", "said"),
    [(_other_numpy, "other versions than this machine: numpy 9.9.9"), (None, "a weaker sandbox")],
)
def test_a_worker_that_joins_later_is_looked_at_too(
    course, dask, tmp_path, handed_in, environment, said
):
    dask.worker("right")
    changed = environment(tmp_path / "changed") if environment else {"PATH": "/nowhere"}

    def join(watcher):
        if len(watcher.seen) == 1:
            dask.worker("wrong", **changed)

    watcher = Watcher(join)
    message = rf"{HERE} has {said}.*the results so far are kept"
    with Cluster(dask.address) as cluster, pytest.raises(CourseError, match=message):
        grade_on(cluster, course, handed_in, watcher)
    assert 1 <= len(watcher.seen) == len(find_all(course, "tiny")) < 12


def test_a_worker_without_dplab_is_named(course, dask, tmp_path, handed_in):
    dask.worker("bare", without=["autograder", "dplab"])
    done = grade_by_command(course, tmp_path / "in", dask.address)
    assert done.exit_code == 1
    said = r"error: the Dask worker tcp://\S+ can't be used: it has no dplab 0\.\d+\.\d+ \("
    assert re.match(said, done.stderr), done.output
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_weaker_sandbox_on_one_worker_stops_grading_unless_allowed(
    course, dask, tmp_path, handed_in
):
    dask.worker("strong")
    dask.worker("weak", PATH="/nowhere")  # where bubblewrap isn't
    done = grade_by_command(course, tmp_path / "in", dask.address)
    assert done.exit_code == session.WEAK
    assert f"missing on {HERE}" in done.output
    assert "Nothing was graded" in done.output
    assert not find_all(course, "tiny")
    done = grade_by_command(course, tmp_path / "in", dask.address, "--allow-weak-sandbox")
    assert done.exit_code == 0, done.output
    assert f"Graded: 12 on {HERE}" in done.output


def test_a_cluster_without_workers_is_an_error(course, dask, tmp_path, handed_in, monkeypatch):
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1.0)
    done = grade_by_command(course, tmp_path / "in", dask.address)
    assert done.exit_code == 1
    assert f"cluster {dask.address} has no workers; start some" in done.stderr


def _closed_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        pytest.param(_closed_port(), "Connection refused", id="closed port"),
        ("tcp://127.0.0.1", "missing port"),
        ("somewhere:else", "invalid literal"),
        ("smoke://127.0.0.1:1", "unknown address scheme"),
    ],
)
def test_a_wrong_address_is_an_error_of_one_line(course, tmp_path, handed_in, address, reason):
    done = grade_by_command(course, tmp_path / "in", address)
    assert done.exit_code == 1
    assert f"no Dask scheduler answers at {address!r}" in done.stderr
    assert reason in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_what_is_no_scheduler_is_an_error(course, dask, tmp_path, handed_in, monkeypatch):
    dask.worker("one")
    (line,) = (line for line in dask.log("one").splitlines() if "Start worker at:" in line)
    done = grade_by_command(course, tmp_path / "in", line.split()[-1])
    assert done.exit_code == 1
    assert done.stderr.strip().endswith("a Worker answers there")
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        done = grade_by_command(course, tmp_path / "in", address)
    assert done.exit_code == 1
    assert done.stderr.strip().endswith("no answer within 1 s")


def test_jobs_and_a_cluster_exclude_each_other(course, tmp_path, handed_in):
    done = grade_by_command(course, tmp_path / "in", "tcp://127.0.0.1:1", "--jobs", "2")
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("lost", "message"),
    [
        ("one", r"has had no worker for 2 s"),
        ("scheduler", r"the Dask scheduler tcp://\S+ was lost"),
    ],
)
def test_grading_ends_when_nobody_is_left(course, dask, handed_in, monkeypatch, lost, message):
    monkeypatch.setattr(clusters, "NO_WORKER_SECONDS", 2.0)
    dask.worker("one")

    def kill_once(watcher):
        if len(watcher.seen) == 2:
            dask.kill(lost)

    message += ".*the results so far are kept"
    watcher = Watcher(kill_once)
    with Cluster(dask.address) as cluster, pytest.raises(CourseError, match=message):
        grade_on(cluster, course, handed_in, watcher)
    assert 2 <= len(watcher.seen) == len(find_all(course, "tiny")) < 12


def test_a_scheduler_that_does_not_answer_is_told_of_as_one_that_is_gone(dask, monkeypatch):
    dask.worker("one")
    with Cluster(dask.address) as cluster:
        monkeypatch.setattr(clusters, "ANSWER_SECONDS", 2.0)
        dask.kill("scheduler")
        with pytest.raises(CourseError, match=r"was lost; the results so far are kept"):
            cluster.threads()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_can_be_interrupted(course, dask, tmp_path, handed_in, number):
    dask.worker("one")
    process = _grading(course, tmp_path / "in", dask.address)
    wait_until(lambda: find_all(course, "tiny"))
    process.send_signal(number)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == cli.INTERRUPTED
    assert said == "interrupted; the results so far are kept; run it again to go on\n"
    assert 1 <= len(find_all(course, "tiny")) < 12


def _grading(course, source, address, within=()):
    """The command, running."""
    command = [*within, sys.executable, "-m", "autograder.cli", "grade", str(course.root), "tiny"]
    return subprocess.Popen(
        [*command, str(source), "--cluster", address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def hosts():
    """Required where CI is set, else skipped where they can't be."""
    if reason := namespaces.problem():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with namespaces.two_hosts() as pair:
        yield pair


def test_two_hosts_grade_a_class(course, tmp_path, hosts, handed_in):
    alpha = hosts[0]
    with Processes(tmp_path, alpha.address, alpha.within) as dask:
        for host in hosts:
            dask.worker(host.name, host=host.address, within=host.within)
        process = _grading(course, tmp_path / "in", dask.address, alpha.within)
        said, errors = process.communicate(timeout=900)
    assert process.returncode == 0, said + errors
    assert "Workers: 1 on alpha, 1 on beta" in said
    counts = re.search(r"Graded: (\d+) on alpha, (\d+) on beta", said)
    assert sum(map(int, counts.groups())) == 12
    assert [result.points for result in find_all(course, "tiny")] == [6] * 12


def test_a_host_unplugged_on_the_way_loses_nothing(course, tmp_path, hosts, handed_in):
    """Dask is told to give a silent worker up after 5 seconds; usually it waits for minutes."""
    alpha, beta = hosts
    settings = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s"}
    with Processes(tmp_path, alpha.address, alpha.within, **settings) as dask:
        for host in hosts:
            dask.worker(host.name, host=host.address, within=host.within)
        process = _grading(course, tmp_path / "in", dask.address, alpha.within)
        wait_until(lambda: len(find_all(course, "tiny")) >= 3)
        beta.unplug()
        said, errors = process.communicate(timeout=900)
    assert process.returncode == 0, said + errors
    assert "12 graded" in said
    assert [result.points for result in find_all(course, "tiny")] == [6] * 12


def _task(assignment, limits):
    return Task(assignment, b"s" * 32, limits, probe())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_child_that_dies_or_is_silent_is_replaced(tiny, released, monkeypatch, number):
    monkeypatch.setattr(workers, "GRACE_SECONDS", 1.0)
    before = set(psutil.Process().children(recursive=True))  # of other tests, for the session
    mine = WorkerPool("test", versions())
    assert mine.inspect() == (HERE, probe().layers)
    (child,) = set(psutil.Process().children()) - before
    child.send_signal(number)
    work = Submission("ann", (as_bytes(answered(released)),), "key")
    host, graded = mine(_task(tiny, Limits(notebook_seconds=9)), pickle.dumps(work))
    assert (host, graded.result.points) == (HERE, 6)
    assert not child.is_running()
    others = list(set(psutil.Process().children(recursive=True)) - before)
    assert others
    del mine
    assert _gone(others)


def test_a_submission_that_no_child_survives_is_set_aside(tiny, released, monkeypatch):
    def kill(child, task, work):
        child.process.kill()
        return grade(child, task, work)

    grade = dask_worker._Child.grade
    monkeypatch.setattr(dask_worker._Child, "grade", kill)
    work = Submission("ann", (as_bytes(answered(released)),), "key")
    _, graded = WorkerPool("test", versions())(_task(tiny, Limits()), pickle.dumps(work))
    assert isinstance(graded, GradedSubmission)
    assert graded.result.needs_teacher
    assert "(exit code -9)" in graded.result.incidents[0].message
    assert "in 2 attempts" in graded.result.incidents[0].message


def test_a_pool_is_one_for_all_threads_of_a_process():
    mine = WorkerPool("test", versions())
    there = pickle.loads(pickle.dumps(mine))
    assert there is not mine  # which was not made by an order
    assert pickle.loads(pickle.dumps(mine)) is there
    assert pickle.loads(pickle.dumps(WorkerPool("another", versions()))) is not there


def test_a_layer_counts_that_is_in_force_everywhere():
    files, missing = Layer("files", True, "by bubblewrap"), Layer("files", False, "needs it")
    limits = Layer("limits", True, "memory")
    found = weakest([("alpha", (files, limits)), ("beta", (missing, limits))])
    assert found.layers == (Layer("files", False, "missing on beta: needs it"), limits)
    assert not found.strong
    assert weakest([("alpha", (files, limits))]).layers == (files, limits)


def test_versions_differ_by_name():
    here = {"Python": "3.12", "numpy": "2.4", "scipy": "1.17"}
    assert differences(here, here) == ""
    there = {"Python": "3.11", "scipy": "1.17"}
    assert differences(there, here) == "Python 3.11, here 3.12; numpy none, here 2.4"
    assert set(versions()) >= {"Python", "dplab", "nbgrader", "numpy", "scipy"}
