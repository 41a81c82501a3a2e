"""The container of the README, built and run: by podman, from a base made of Debian's packages.

Needs `apt-get install podman runc debootstrap`, and to be root. The packages of Python are loaded
beforehand, by this machine's own pip.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.gradescope.package import requirements

ROOT = Path(__file__).parents[2]
TOOLS = ("podman", "runc", "debootstrap")
HAS_TOOLS = all(map(shutil.which, TOOLS)) and os.geteuid() == 0
# A machine that is a container itself can't raise these, and has no network of its own to give.
NESTED = ("--network", "host", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4000:4000")
BASE, IMAGE = "localhost/dplab-test-base", "localhost/dplab-test"


def podman(*arguments):
    command = ["podman", "--runtime", shutil.which("runc"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def readme_options():
    """What the README's command gives `docker run`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^docker build .* && docker run (.*) dplab$", text, re.M)
    return re.findall(r"--(?:cap-add|security-opt)[ =]\S+", command)


def made_base(folder):
    """Import a small Debian, of the archive from which this machine has its packages."""
    sources = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(ORIGIN)"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    archives = [line.split() for line in sources.splitlines() if line.endswith(" Debian")]
    site, release = next(a[:2] for a in archives if "-" not in a[1])
    subprocess.run(["debootstrap", "--variant=minbase", release, folder, site], check=True)
    archive = folder.with_suffix(".tar")
    subprocess.run(["tar", "-C", folder, "-cf", archive, "."], check=True)
    podman("import", archive, BASE)


def load_wheels(folder):
    """Load what grading needs, for the Python of the base."""
    policy = ["apt-cache", "policy", "python3"]
    said = subprocess.run(policy, capture_output=True, text=True, check=True).stdout
    version = re.search(r"Candidate: (\d+\.\d+\.\d+)", said)[1]
    command = [sys.executable, "-m", "pip", "download", "-q", "-d", folder]
    command += ["--only-binary=:all:", "--python-version", version]
    needed = [*requirements(), "hatchling>=1.27", "editables"]
    subprocess.run([*command, *needed], check=True)


def test_readme_names_one_command_for_a_container():
    assert readme_options() == ["--cap-add SYS_ADMIN", "--cap-add NET_ADMIN"]


@pytest.mark.tools
@pytest.mark.skipif(not HAS_TOOLS, reason=f"needs root and {', '.join(TOOLS)}")
def test_container_is_built_and_grades_the_demo_in_the_whole_sandbox(tmp_path):
    wheels, context = tmp_path / "wheels", tmp_path / "context"
    subprocess.run(["git", "clone", "-q", ROOT, context], check=True)
    load_wheels(wheels)
    made_base(tmp_path / "base")
    loaded = ["--volume", f"{wheels}:/wheels:ro", "--env", "PIP_NO_INDEX=1"]
    loaded += ["--env", "PIP_FIND_LINKS=/wheels", "--build-arg", f"BASE={BASE}"]
    podman("build", *NESTED, *loaded, "-t", IMAGE, context)
    try:
        options = " ".join(readme_options()).split()
        mounted = ["--volume", f"{tmp_path}:/work"]
        printed = podman("run", "--rm", *NESTED, *options, *mounted, IMAGE)
    finally:
        podman("rmi", "-f", IMAGE, BASE)
    assert "The demo took" in printed
    assert "in force  network" in printed
    assert "MISSING" not in printed
    assert (tmp_path / "demo" / "report" / "ps03.html").exists()
