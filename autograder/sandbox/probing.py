"""Find out which sandbox works on this machine, by starting a student process in it."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
from collections.abc import Iterator
from typing import ClassVar

from autograder.sandbox.fork_client import WarmParent
from autograder.sandbox.layers import CAN_FENCE, Layer, Sandbox
from autograder.wire.contract import Limits

_EMPTY_PROCESS_LIMITS = Limits(
    cpu_seconds=60, memory_bytes=1 << 30, file_bytes=1 << 20, open_files=64, processes=16
)


class Probe:
    """A search for the strongest sandbox that works here; `parent` is a warm parent within it.

    The first candidate starts to warm up at once. Its student process starts only when `sandbox` is
    read, so there is time for other work in between. Use it as a context manager.

    With `bubblewrap=False`, act as on a machine without it. With `cold`, the parent only probes.
    """

    hosts: ClassVar[dict[str, int]] = {}  # other machines that grade: none
    graded: ClassVar[dict[str, int]] = {}
    lost_workers: ClassVar[list[str]] = []

    def __init__(self, bubblewrap: bool = True, cold: bool = False) -> None:
        if not CAN_FENCE:
            raise OSError(
                "grading needs Linux, whose sandbox can hold students' code back; on another "
                "system use a virtual machine, a container, or WSL. Your own notebook you can "
                "check anywhere: autograder check NOTEBOOK"
            )
        path = shutil.which("bwrap") if bubblewrap else None
        self._problem = "bwrap is not installed" if bubblewrap else "not used"
        self._candidates = _candidates(path)
        self._cold = cold
        self.parent = self._start()

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *exception: object) -> None:
        self.parent.stop()

    def _start(self) -> WarmParent:
        self._candidate = next(self._candidates)
        return WarmParent(self._candidate, cold=self._cold)

    @functools.cached_property
    def sandbox(self) -> Sandbox:
        """The layers in force in an empty process. Raises `OSError` if no process can start."""
        while True:
            try:
                sock, process = self.parent.open(b"", _EMPTY_PROCESS_LIMITS)
                sock.close()
                os.close(process)
                names = self.parent.layers
                self.parent.close_room()
                return _describe(self._candidate, names, self._problem)
            except OSError as error:
                self.parent.stop()
                self._try_next_candidate(str(error))

    def _try_next_candidate(self, why: str) -> None:
        if self._candidate.bubblewrap is not None:
            self._problem = why.splitlines()[-1]
        try:
            self.parent = self._start()
        except StopIteration:
            message = f"no process for student code can be started on this machine: {why}"
            raise OSError(message) from None


@functools.cache
def probe(bubblewrap: bool = True) -> Sandbox:
    """Return the sandbox that a `Probe` finds, without a warm parent."""
    with Probe(bubblewrap, cold=True) as probing:
        return probing.sandbox


def _candidates(path: str | None) -> Iterator[Sandbox]:
    """Yield the possible sandboxes, the strongest first."""
    for bubblewrap in (path, None) if path is not None else (None,):
        for other_user in (True, False) if os.geteuid() == 0 else (False,):
            yield Sandbox((), bubblewrap, other_user, own_files=bubblewrap is not None)


def _describe(sandbox: Sandbox, names: tuple[str, ...], problem: str) -> Sandbox:
    has_bubblewrap = sandbox.bubblewrap is not None
    bubblewrap_text = "by bubblewrap" if has_bubblewrap else f"needs bubblewrap ({problem})"
    has_namespace = "processes" in names
    fence = "by Landlock" if "disk" in names else bubblewrap_text
    layers = (
        Layer(
            "files", has_bubblewrap or "disk" in names, f"only Python's own and its own, {fence}"
        ),
        Layer("network", has_bubblewrap, f"none, {bubblewrap_text}"),
        Layer("scratch", "files" in names, "a private temporary directory of limited size"),
        Layer("processes", has_namespace or "signals" in names, "sees and signals only its own"),
        Layer(
            "user",
            "user" in names or (has_bubblewrap and os.geteuid() != 0),
            "no privileges: another user, or a user namespace",
        ),
        Layer("limits", "limits" in names, "processor time, memory, processes, file size"),
        Layer("memory", "memory" in names, "a limit for all processes of a notebook together"),
        Layer(
            "calls", "calls" in names, "none that shows other processes or uses uncounted memory"
        ),
    )
    return dataclasses.replace(sandbox, layers=layers, keeps_processes_apart=has_namespace)
