"""In JupyterLab one line says how many visible tests of an exercise passed."""

import asyncio
import json
import os
from types import SimpleNamespace

import pytest

from autograder.desk import visible_tests
from autograder.desk.kernels import CountingKernelManager
from autograder.desk.visible_tests import TestCounter as Counter
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

SECONDS = 120  # for a kernel to start or to answer, on a busy machine


class Display:
    """The lines below cells: `display` adds one, and a handle changes it."""

    def __init__(self):
        self.lines = []

    def __call__(self, content, raw, display_id):
        place = len(self.lines)
        self.lines.append(content["text/plain"])
        return SimpleNamespace(update=lambda c, raw: self.lines.__setitem__(place, c["text/plain"]))


@pytest.fixture
def lines(monkeypatch):
    display = Display()
    monkeypatch.setattr("IPython.display.display", display)
    return display.lines


@pytest.fixture
def run(tmp_path, released):
    path = tmp_path / "tiny.ipynb"
    path.write_bytes(as_bytes(released))
    counter = Counter(path)

    def run(*cells, passed=True, silent=False):
        for cell in cells:
            info = SimpleNamespace(cell_id=cell, silent=silent)
            counter.note_run(SimpleNamespace(info=info, success=passed))

    return run


def test_the_last_test_of_an_exercise_says_how_many_passed(run, lines):
    run("imports", "double", "double_small", "unknown", None)
    assert lines == []
    run("double_negative")
    assert lines == ["Visible tests: 2 of 2; more run when graded."]
    run("mean", "mean_of_three")
    assert lines[1:] == [
        "Visible tests: 1 of 1; more run when graded. In the whole notebook: 3 of 3."
    ]


def test_a_test_that_fails_is_not_counted_and_says_nothing_itself(run, lines):
    run("double_small", passed=False)
    run("double_negative")
    assert lines == ["Visible tests: 1 of 2; more run when graded."]
    run("double_small")  # the line that is there is put right
    assert lines == ["Visible tests: 2 of 2; more run when graded."]
    run("mean_of_three", passed=False)
    assert len(lines) == 1


def test_another_answer_has_passed_no_test_yet(run, lines):
    run("double_small", "double_negative", "double")
    run("double_small", silent=True)
    run("double_negative")
    assert lines[-1] == "Visible tests: 1 of 2, 1 not run with this answer; more run when graded."


@pytest.mark.parametrize("text", [None, "", "[]", '{"cells": 3}', '{"cells": [{"metadata": 1}]}'])
def test_a_notebook_without_tests_stops_nothing(tmp_path, lines, text):
    path = tmp_path / "mine.ipynb"
    if text is not None:
        path.write_text(text)
    info = SimpleNamespace(cell_id="double_small", silent=False)
    Counter(path).note_run(SimpleNamespace(info=info, success=True))
    assert lines == []


def test_without_a_notebook_nothing_is_counted(monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    visible_tests.load_ipython_extension(None)  # registers nothing


def test_a_kernel_of_the_course_says_it(tmp_path, released):
    """A real kernel, which is asked as JupyterLab asks it."""
    path = tmp_path / "tiny.ipynb"
    path.write_bytes(as_bytes(answered(released, SOLUTIONS)))
    texts = asyncio.run(shown_by_kernel(path, tmp_path))
    assert texts == [
        "Visible tests: 2 of 2; more run when graded.",
        "Visible tests: 1 of 1; more run when graded. In the whole notebook: 3 of 3.",
    ]


async def shown_by_kernel(path, folder):
    """Run all code cells of a notebook, and return the texts below them."""
    manager = CountingKernelManager(connection_file=str(folder / "kernel.json"))
    private = {"JPY_SESSION_NAME": str(path), "IPYTHONDIR": str(folder)}
    await manager.start_kernel(env=os.environ | private)
    client = manager.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=SECONDS)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        return [text for cell in code for text in await texts_below(client, cell)]
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)


async def texts_below(client, cell):
    content = {"code": "".join(cell["source"]), "silent": False, "store_history": True}
    request = client.session.msg("execute_request", content, metadata={"cellId": cell["id"]})
    client.shell_channel.send(request)
    texts = []
    while True:
        message = await client.get_iopub_msg(timeout=SECONDS)
        if message["parent_header"].get("msg_id") != request["header"]["msg_id"]:
            continue
        content = message["content"]
        assert message["msg_type"] != "error", content
        if message["msg_type"] == "display_data":
            texts.append(content["data"]["text/plain"])
        if content.get("execution_state") == "idle":
            return texts
