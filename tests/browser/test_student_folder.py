"""The student's first quarter of an hour, by the README's words: from the command to a slider."""

import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from autograder.desk import progress
from tests.browser.lab import PATIENCE, READY, blank_page, chromium

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECONDS = 600  # for the folder to be laid out and JupyterLab to start
LESSON = "01_the_governor.ipynb"
PIDFD_GETFD = 438  # the number of the system call, on all architectures

pytestmark = pytest.mark.browser

CURRENT = "() => window.jupyterapp?.shell?.currentWidget?.context?.path"
ALL_RAN = """
() => Array.from(window.jupyterapp.shell.currentWidget.context.model.sharedModel.cells)
  .every(cell => cell.cell_type !== 'code' || cell.execution_count !== null)
"""
UNSAVED = "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
WRITTEN = "() => window.jupyterapp.shell.currentWidget.context.model.toString()"
TYPED = """
(line) => window.jupyterapp.serviceManager.terminals.startNew()
  .then((session) => session.send({type: "stdin", content: [line]}))
"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """The folder, and the address that JupyterLab would show to the student's browser."""
    chromium()  # before anything is started
    home = tmp_path_factory.mktemp("home")
    with_settings(home)
    (command,) = re.findall(r"autograder (course) ~/privacy\n", README)
    folder, environment = home / "privacy", surroundings(home)
    process = subprocess.Popen(
        [sys.executable, "-m", "autograder.cli", command, str(folder)],
        env=environment,
        cwd=home,
        start_new_session=True,
        stdout=(home / "log").open("w"),
        stderr=subprocess.STDOUT,
    )
    try:
        yield folder, shown_address(home, process)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=300)


def with_settings(home):
    """What is a matter of this test: who runs it, and that it looks into JupyterLab."""
    (home / "jupyter_server_config.json").write_text('{"ServerApp": {"allow_root": true}}')
    lab = {"LabApp": {"expose_app_in_browser": True, "news_url": ""}}
    (home / "jupyter_lab_config.json").write_text(json.dumps(lab))
    browser = home / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {home}/opened.new\n')
    browser.write_text(f"{browser.read_text()}mv {home}/opened.new {home}/opened\n")
    browser.chmod(0o755)


def surroundings(home):
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    return os.environ | dict.fromkeys(names, str(home)) | {"BROWSER": f"{home}/browser %s"}


def shown_address(home, process):
    deadline = time.monotonic() + SECONDS
    while not (home / "opened").exists():
        if time.monotonic() > deadline or process.poll() is not None:
            raise RuntimeError(f"JupyterLab did not open:\n{(home / 'log').read_text()}")
        time.sleep(0.2)
    opened = (home / "opened").read_text().removeprefix("file://")
    page = Path(opened).read_text(encoding="utf-8")  # it leads there, with the server's token
    return re.search(r'href="(http[^"]+)"', page).group(1).replace("&amp;", "&")


@pytest.fixture(scope="module")
def page():
    with blank_page() as page:
        yield page


def test_from_the_command_to_a_slider_that_moves(started, page):
    folder, address = started
    page.goto(address)
    page.wait_for_function(f"{CURRENT[6:]} === 'index.ipynb'")
    page.evaluate(READY)
    assert not page.evaluate(UNSAVED)
    menus = page.locator(".lm-MenuBar-itemLabel").all_inner_texts()
    assert "Kernel" in menus
    assert not {"Nbgrader", "Formgrader"} & set(menus)
    page.get_by_role("link", name="Which row is the governor?").first.click()
    page.wait_for_function(f"{CURRENT[6:]} === '{LESSON}'")
    page.evaluate(READY)
    assert not page.evaluate(UNSAVED)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    explorer = page.locator(".dplab-explorer").first
    explorer.wait_for()
    caption = explorer.locator("[role=status]")
    before = caption.inner_text()
    handle = explorer.locator(".noUi-handle").first
    handle.focus()
    for _ in range(3):
        handle.press("ArrowRight")
    expect(caption).not_to_have_text(before, timeout=PATIENCE)  # each sentence is an element anew
    page.wait_for_function(ALL_RAN, timeout=600_000)
    page.evaluate(SAVE)
    lesson = progress(folder).lessons[0]
    assert (lesson.name, lesson.words) == (LESSON, "complete")
    assert page.get_by_text("Jupyter news").count() == 0  # nobody asks the student first
    assert "sent at once" in {how_it_sends(one) for one in connections_of(address)}


def test_a_terminal_opens_in_the_folder_and_knows_the_command(started, page):
    folder, address = started
    page.goto(address)
    page.wait_for_function(f"{CURRENT[6:]} === 'index.ipynb'")
    page.evaluate(TYPED, "(pwd; command -v autograder) > now; mv now told\r")
    told, deadline = folder / "told", time.monotonic() + SECONDS
    while not told.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    where, command = told.read_text().split()
    assert Path(where) == folder
    assert Path(command).name == "autograder"


def connections_of(address):
    """The server's ends of what the browser has opened: copies of its sockets."""
    port = int(re.search(r":(\d+)/", address).group(1))
    (server,) = {
        one.pid
        for one in psutil.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN and one.laddr.port == port
    }
    process = os.pidfd_open(server)
    for one in psutil.Process(server).net_connections("tcp"):
        if one.status == psutil.CONN_ESTABLISHED and one.laddr.port == port:
            copied = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, process, one.fd, 0)
            assert copied >= 0, os.strerror(ctypes.get_errno())
            with socket.socket(fileno=copied) as connection:
                yield connection
    os.close(process)


def how_it_sends(connection):
    at_once = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    return "sent at once" if at_once else "sent when the last has arrived"


def test_a_problem_set_opens_without_solutions_and_unchanged(started, page):
    folder, address = started
    page.goto(address.replace("index.ipynb", "ps03/ps03.ipynb"))
    page.wait_for_function(f"{CURRENT[6:]} === 'ps03/ps03.ipynb'")
    page.evaluate(READY)
    assert not page.evaluate(UNSAVED)
    assert "SOLUTION" not in page.evaluate(WRITTEN)
    assert {part.words for part in progress(folder).problem_sets} == {"not begun"}
