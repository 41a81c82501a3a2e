"""A Dask cluster of the tests' own: a scheduler and workers as processes, on loopback if not said
otherwise. All of them, and what they started, are gone afterwards."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

START_SECONDS = 300
_WITHOUT = "import sys; sys.modules.update(dict.fromkeys({names}))\n"
_RUN = "from distributed.cli.dask_{what} import main; main()"


class Processes:
    """A scheduler and the workers that are asked for, as a context manager.

    `within` are the words before a command that run it somewhere else; `settings` are environment
    variables of the scheduler.
    """

    def __init__(
        self, folder: Path, host: str = "127.0.0.1", within: Sequence[str] = (), **settings: str
    ) -> None:
        self._folder = folder
        self._options = ["--host", host, "--port", "0"]
        self._within = within
        self._settings = settings
        self._started: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> Processes:
        try:
            until = "Scheduler at:"
            self._start("scheduler", self._options, self._within, until, self._settings)
            line = next(line for line in self.log("scheduler").splitlines() if until in line)
            self.address = line.split()[-1]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        for process in reversed(self._started.values()):
            process.kill()
            process.wait(START_SECONDS)
        for process in self._started.values():
            with contextlib.suppress(AssertionError):  # its children tidy up, if they are let
                wait_until(lambda group=process.pid: not _exists(group), 10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def worker(
        self,
        name: str,
        threads: int = 1,
        host: str = "127.0.0.1",
        within: Sequence[str] = (),
        without: Sequence[str] = (),
        **environment: str,
    ) -> subprocess.Popen:
        """A worker that has joined the cluster, in which modules `without` can't be imported."""
        options = [self.address, "--host", host, "--nthreads", str(threads), "--no-nanny"]
        options += ["--local-directory", str(self._folder / name)]
        return self._start(name, options, within, "Registered to:", environment, without)

    def kill(self, name: str) -> None:
        """The process alone, not what it started."""
        self._started[name].kill()
        self._started[name].wait(START_SECONDS)

    def log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def _start(self, name, options, within, until, environment, without=()) -> subprocess.Popen:
        what = "scheduler" if name == "scheduler" else "worker"
        code = _WITHOUT.format(names=list(without)) + _RUN.format(what=what)
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [*within, sys.executable, "-c", code, *options, "--no-dashboard"],
                cwd=self._folder,  # where no module of ours lies
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | environment,
                start_new_session=True,
            )
        self._started[name] = process
        wait_until(lambda: until in self.log(name) or process.poll() is not None)
        assert process.poll() is None, self.log(name)
        return process


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], object], seconds: float = START_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(0.05)
