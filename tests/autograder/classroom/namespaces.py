"""Hosts that are network namespaces, joined by a cable of their own. It takes root and iproute2."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Host:
    name: str
    namespace: str
    address: str

    @property
    def within(self) -> list[str]:
        """The words before a command that run it on this host."""
        named = ["unshare", "--uts", "sh", "-c", f'hostname {self.name} && exec "$@"', "sh"]
        return ["ip", "netns", "exec", self.namespace, *named]

    def unplug(self) -> None:
        _ip("-n", self.namespace, "link", "set", "cable", "down")


def problem() -> str:
    """Why there can be no such hosts on this machine; "" if there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not shutil.which("ip"):
        return "no iproute2 on this machine: apt-get install iproute2"
    name = f"dplab-{os.getpid()}-try"
    try:
        _ip("netns", "add", name)
    except subprocess.CalledProcessError as error:
        return f"no network namespace can be made here: {error.stderr.strip()}"
    _ip("netns", "del", name)
    return ""


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Named alpha and beta, each with a loopback and one end of the cable, and nothing else."""
    hosts = [
        Host(name, f"dplab-{os.getpid()}-{name}", f"10.213.77.{number}")
        for number, name in enumerate(("alpha", "beta"), start=1)
    ]
    with contextlib.ExitStack() as stack:
        for host in hosts:
            _ip("netns", "add", host.namespace)
            stack.callback(_ip, "netns", "del", host.namespace)
        ends = [("name", "cable", "netns", host.namespace) for host in hosts]
        _ip("link", "add", *ends[0], "type", "veth", "peer", *ends[1])
        for host in hosts:
            _ip("-n", host.namespace, "address", "add", f"{host.address}/24", "dev", "cable")
            for device in "lo", "cable":
                _ip("-n", host.namespace, "link", "set", device, "up")
        yield hosts[0], hosts[1]


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True, timeout=300)
