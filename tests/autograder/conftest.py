"""A released course, made once and copied for each test that asks for it."""

import json
import shutil
import signal

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import assignment
from autograder.examiner.sandboxed_runner import Limits, SandboxedRunner
from autograder.sandbox.probing import probe
from tests.autograder import tiny_assignment
from tests.autograder.trusted_runner import TrustedRunner


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """What runs in the background of a shell ignores Ctrl-C, and so would the commands of tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def released_course(tmp_path_factory):
    course = Course.at(tmp_path_factory.mktemp("released") / "course")
    tiny_assignment.write_source(course.root)
    release(course, "tiny")
    return course


@pytest.fixture
def course(released_course, tmp_path):
    shutil.copytree(released_course.root, tmp_path / "course")
    return Course.at(tmp_path / "course")


@pytest.fixture
def tiny(course):
    return assignment.load(course, "tiny")


@pytest.fixture
def released(course):
    """The notebook that students got, as JSON."""
    return json.loads(course.released("tiny").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rooms():
    """The two rooms, with what this machine can put in force."""
    with SandboxedRunner(Limits(), probe()) as rooms:
        yield rooms


@pytest.fixture
def one_room(monkeypatch):
    """Workers run everything in one process of their own, so that tests need no sandbox."""
    monkeypatch.setattr("autograder.examiner.sandboxed_runner.SandboxedRunner", TrustedRunner)
