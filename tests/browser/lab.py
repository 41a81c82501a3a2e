"""A real JupyterLab in a real Chromium, for tests that look at what the student sees."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.desk.student_folder import LAB_OPTIONS, lab_environment

PATIENCE = 120_000  # milliseconds, on a busy machine
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No page gets anything from another machine; what it asks for is still seen. (With Playwright's
    # own routes each request waits to be let through, and nothing is taken from the cache.)
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


def chromium() -> str:
    """The path of the machine's Chromium: of the one without windows, which costs less, where it is
    there. A test that asks for it skips where there is none.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    found = next(filter(None, map(shutil.which, names)), None)
    return found or pytest.skip("no chromium here: apt-get install chromium-headless-shell")


@contextmanager
def jupyter_lab(folder: Path, private: Path) -> Iterator[str]:
    """Serve `folder` as `autograder course` does, and yield the address; other settings and logs
    live in `private`.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    settings = {name: str(private / name.lower()) for name in names}
    for path in settings.values():
        Path(path).mkdir(parents=True)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--expose-app-in-browser", *LAB_OPTIONS]
    command += ["--ip=127.0.0.1", f"--port={port}", f"--ServerApp.root_dir={folder}"]
    command += ["--IdentityProvider.token=", "--ServerApp.password=", "--LabApp.news_url="]
    with (private / "lab.log").open("w") as log:
        environment = lab_environment(folder) | settings
        server = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api", server, private / "lab.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=600)


def _wait_for(address: str, server: subprocess.Popen, log: Path, seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not answer within {seconds} s:\n{log.read_text()}")


@contextmanager
def blank_page() -> Iterator:
    """A page in a Chromium of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(PATIENCE)
        yield page
        browser.close()


READY = """
async () => {
  const page = window.jupyterapp.shell.currentWidget;
  await page.context.ready;
  await page.sessionContext.ready;
  await page.sessionContext.session.kernel.info;
}
"""
RUN_ALL = """
async () => {
  const page = window.jupyterapp.shell.currentWidget;
  await page.context.ready;
  await page.sessionContext.ready;
  await page.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
}
"""


@contextmanager
def open_notebook(address: str, name: str) -> Iterator:
    """Open a notebook in Chromium, run all its cells and yield the Playwright page."""
    with blank_page() as page:
        run_in(page, address, name)
        yield page


OPENED = """
async (path) => {
  const { commands, shell } = window.jupyterapp;
  const id = shell.currentWidget?.sessionContext?.session?.kernel?.id;
  shell.currentWidget?.dispose();
  await commands.execute("docmanager:open", { path, kernel: id && { id } });
}
"""


def run_next(page, name: str) -> None:
    """In a page of JupyterLab put a notebook in the place of the one that is open, and run it.

    JupyterLab itself, most of what a page takes to load, stays; so does the kernel.
    """
    page.evaluate(OPENED, name)
    page.wait_for_function(
        "(name) => window.jupyterapp.shell.currentWidget?.context?.path === name", arg=name
    )
    page.evaluate(RUN_ALL)


def run_in(page, address: str, name: str) -> None:
    """Open a notebook in this page and run all its cells."""
    page.goto(f"{address}/lab/tree/{name}?reset")
    page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext !== undefined")
    page.evaluate(RUN_ALL)
