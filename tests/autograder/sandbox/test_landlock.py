"""The fence of Landlock: what a process that has put it up can still open, change and signal."""

import os
import subprocess
import sys
import textwrap

import pytest

from autograder.sandbox import landlock

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
FENCED = """
import ctypes, os, signal, sys
from autograder.sandbox import landlock
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no new privileges
own, readable, other = sys.argv[1:]
layers = landlock.fence_in(own, [readable, sys.prefix, sys.base_prefix, "/usr", "/lib", "/lib64"])
def attempt(act):
    try: return act()
    except OSError as error: return type(error).__name__
"""


@pytest.fixture
def fenced(tmp_path):
    """Runs code behind a fence; `own` may be written, `readable` be read, `other` neither."""
    folders = [tmp_path / name for name in ("own", "readable", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "file").write_text(folder.name)

    def run(source: str) -> list[str]:
        code = FENCED + textwrap.dedent(source)
        command = [sys.executable, "-c", code, *map(str, folders)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    return run


def test_only_what_is_named_can_be_read(fenced):
    source = """
        for folder in (own, readable, other):
            print(attempt(lambda: open(f"{folder}/file").read()))
            print(attempt(lambda: len(os.listdir(folder))))
    """
    assert fenced(source) == ["own", "1", "readable", "1", "PermissionError", "PermissionError"]


def test_only_what_is_its_own_can_be_changed(fenced):
    source = """
        for folder in (own, readable, other):
            for act in (lambda: open(f"{folder}/new", "w").write("x"),
                        lambda: os.truncate(f"{folder}/file", 0),
                        lambda: os.mkdir(f"{folder}/folder"), lambda: os.remove(f"{folder}/file")):
                print(attempt(act))
    """
    assert fenced(source) == ["1", "None", "None", "None"] + 8 * ["PermissionError"]


def test_links_lead_nowhere(fenced):
    source = """
        os.symlink(f"{other}/file", f"{own}/link")
        print(attempt(lambda: open(f"{own}/link").read()))
        print(attempt(lambda: os.link(f"{other}/file", f"{own}/hard")))
        print(attempt(lambda: os.rename(f"{other}/file", f"{own}/moved")))
    """
    assert set(fenced(source)) <= {"PermissionError", "OSError"}


def test_a_child_is_fenced_in_too(fenced):
    source = """
        import subprocess
        print(subprocess.run(["cat", f"{other}/file"], stderr=subprocess.DEVNULL).returncode)
    """
    assert fenced(source) == ["1"]


def test_signals_and_traces_stay_within(fenced):
    source = """
        print(layers[1:], attempt(lambda: os.kill(os.getppid(), 0)))
        print(ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0))
        child = os.fork()
        if child == 0: signal.pause()
        print(attempt(lambda: os.kill(child, signal.SIGKILL)), os.waitpid(child, 0)[1])
    """
    if landlock.version() < 6:
        pytest.skip("this kernel's Landlock lets signals out")
    assert fenced(source) == ["['signals']", "PermissionError", "-1", "None", "9"]


def test_where_there_is_none_nothing_is_claimed(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert landlock.fence_in("/", []) == []
    assert os.listdir("/")
