"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket that nobody shares.

It is made with the programs that Debian installs (`apt-get install postgresql`), and leaves the
machine's own clusters alone. The server refuses to run as root, so that root runs it as another.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OPTIONS = "-c listen_addresses='' -c unix_socket_directories={folder} -c fsync={fsync}"


@dataclass(frozen=True)
class Cluster:
    """A server that runs. Its databases have names of ASCII letters, digits and underscores."""

    folder: Path
    programs: Path
    user: str | None

    def url(self, database: str) -> str:
        """As nbgrader wants it in `c.CourseDirectory.db_url`."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def create(self, database: str, template: str = "template0") -> str:
        """Make a database, or copy one that nobody is connected to; returns its URL."""
        self.execute(f"create database {database} template {template}")
        return self.url(database)

    def execute(self, statement: str, database: str = "postgres") -> list[tuple]:
        import psycopg

        where = f"host={self.folder} user=postgres dbname={database}"
        with psycopg.connect(where, autocommit=True) as connection:
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def start(self, fsync: bool) -> None:
        options = _OPTIONS.format(folder=self.folder, fsync="on" if fsync else "off")
        self._run("pg_ctl", "start", "-w", "-o", options, "-l", str(self.folder / "log"))

    def stop(self) -> None:
        """At once, as when the machine loses its power."""
        self._run("pg_ctl", "stop", "-m", "immediate")

    def initialise(self) -> None:
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")

    def _run(self, program: str, *arguments: str) -> None:
        """As the cluster's user; what it says is shown where it fails."""
        command = [str(self.programs / program), "-D", str(self.folder / "data"), *arguments]
        with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open as long as the server
            done = subprocess.run(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                **_other_user(self.user),
            )
            said.seek(0)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)} failed:\n{said.read()}")


def _other_user(name: str | None) -> dict:
    if name is None:
        return {}
    found = pwd.getpwnam(name)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def programs() -> Path | None:
    """The folder of the newest installed server's programs, None if there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4])
    )
    on_path = shutil.which("initdb")
    if not found and on_path:
        found = [Path(on_path).resolve()]
    return found[-1].parent if found else None


@contextlib.contextmanager
def cluster(fsync: bool = False) -> Iterator[Cluster]:
    """A new cluster, which is gone afterwards; with `fsync` as safe, and slow, as a real one."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = None if os.geteuid() else "postgres" if "postgres" in names else "nobody"
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # a socket's path has to be short
    if user is not None:
        shutil.chown(folder, user)
    made = Cluster(folder, programs(), user)
    try:
        made.initialise()
        made.start(fsync)
        yield made
    finally:
        with contextlib.suppress(RuntimeError):  # it has ended, or has never begun
            made.stop()
        shutil.rmtree(folder)
