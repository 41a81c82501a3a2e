"""A JupyterHub with system users: what its students and graders do, and what others try.

`python -m tests.autograder.hub_walk FOLDER` runs as root in namespaces of its own, where the
changes to /etc and to the environment are seen by no other process. It prints what it saw as JSON.
"""

import contextlib
import fcntl
import json
import os
import pwd
import re
import secrets
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

from autograder.sandbox.probing import probe

HUB = "http://127.0.0.1:8000/hub/api"
TOKEN = secrets.token_hex(16)
STUDENTS, GRADERS = ("ann", "bob"), ("ada", "grace")
START_SECONDS = 60
RIGHT = {"toss": "def toss(p, rng):\n    return int(rng.random() < p)"}
GUIDE = Path(__file__).parents[2] / "autograder/GUIDE.md"
COURSE, EXCHANGE = Path("/home/privacy/course"), Path("/srv/exchange")
SETTINGS = """
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.db_url = "sqlite://"
c.Authenticator.allow_all = True
c.ConfigurableHTTPProxy.command = {proxy!r}
c.ConfigurableHTTPProxy.pid_file = "{folder}/proxy.pid"
c.JupyterHub.cookie_secret_file = "{folder}/cookie_secret"
c.Spawner.start_timeout = c.Spawner.http_timeout = {seconds}
c.JupyterHub.services.append({{"name": "walk", "api_token": {token!r}}})
c.JupyterHub.load_roles.append(
    {{"name": "walk", "services": ["walk"], "scopes": ["admin:users", "admin:servers", "tokens"]}}
)
"""


def guide_blocks(kind):
    """Return the blocks of this kind in the guide's section about a hub."""
    section = GUIDE.read_text(encoding="utf-8").split("\n## 12. JupyterHub\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{kind}\n(.*?)^```\n", section, re.MULTILINE | re.DOTALL)


def run(*words, user=None, cwd="/", **more):
    """Run a command, as that user with the user's groups, and return its whole output."""
    rights = {}
    if user:
        account = pwd.getpwnam(user)
        groups = os.getgrouplist(user, account.pw_gid)
        rights = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": groups}
        more["env"] = os.environ | {"HOME": account.pw_dir, "USER": user}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, check=False, **rights, **more,
    )  # fmt: skip
    return done.returncode, done.stdout


def need(*words, **more):
    code, text = run(*words, **more)
    if code:
        raise SystemExit(f"{words}:\n{text}")
    return text


def overlay(place, folder):
    """Let changes to `place` be seen in this namespace only."""
    upper, work = (
        folder / f"upper{place.replace('/', '-')}",
        folder / f"work{place.replace('/', '-')}",
    )
    upper.mkdir()
    work.mkdir()
    options = f"lowerdir={place},upperdir={upper},workdir={work}"
    need("mount", "-t", "overlay", "overlay", "-o", options, place)


def start_loopback():
    """Bring the network's only device up: no other process can reach the hub."""
    up, running = 1, 64
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", up | running))


def use_interpreter(interpreter, folder):
    """Let the environment use an interpreter that all users can run."""
    prefix = Path(sys.prefix)
    if interpreter == sys.executable:
        return
    overlay(str(prefix), folder)
    for name in ("python3", "python"):
        (prefix / "bin" / name).unlink()
        (prefix / "bin" / name).symlink_to(interpreter)
    settings = f"home = {Path(interpreter).parent}\ninclude-system-site-packages = false\n"
    (prefix / "pyvenv.cfg").write_text(settings)


def make_class(folder):
    """Follow the guide until there is an exchange, and return what the last step prints."""
    (folder / "home").mkdir()
    need("mount", "--bind", folder / "home", "/home")
    need("mount", "-t", "tmpfs", "-o", "mode=755", "none", "/srv")
    for name in (*STUDENTS, *GRADERS, "eve"):
        need("useradd", "--create-home", name)
    accounts, release, exchange = guide_blocks("sh")
    need("bash", "-ec", accounts)
    need("usermod", "-aG", "privacy-students", "bob")
    for home in Path("/home").iterdir():
        home.chmod(0o755)  # as some systems do
    need(f"{sys.prefix}/bin/autograder", "new", COURSE, "coin", user="privacy")
    need("bash", "-ec", release, user="privacy")
    with (COURSE / "nbgrader_config.py").open("a") as file:  # root must never run this file
        file.write("import os\nassert os.geteuid()\n")
    return need("bash", "-ec", exchange)


def ask(url, token=TOKEN, method="GET", **body):
    """Return the status and the answer of the hub or of a server."""
    data = json.dumps(body).encode() if body else b"" if method == "POST" else None
    headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            text = answer.read().decode()
            return answer.status, json.loads(text) if text[:1] in ("{", "[") else text
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait_for(url, token=TOKEN, statuses=(200,)):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if ask(url, token)[0] in statuses:
                return
        time.sleep(0.3)
    raise SystemExit(f"{url} did not answer: {ask(url, token)}")


@contextlib.contextmanager
def hub(folder, proxy):
    (services,) = guide_blocks("python")
    text = SETTINGS.format(folder=folder, proxy=proxy, token=TOKEN, seconds=START_SECONDS)
    (folder / "jupyterhub_config.py").write_text(services + text)
    with (folder / "hub.log").open("w") as log:
        process = subprocess.Popen(
            [f"{sys.prefix}/bin/python", "-m", "jupyterhub", "-f", folder / "jupyterhub_config.py"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=os.environ | {"CONFIGPROXY_AUTH_TOKEN": secrets.token_hex(16)},
        )  # fmt: skip
        try:
            wait_for(f"{HUB}/users")
            yield
        finally:
            process.terminate()
            process.wait()


def token_of(user):
    if ask(f"{HUB}/users/{user}")[0] == 404:
        ask(f"{HUB}/users/{user}", method="POST")
    status, answer = ask(f"{HUB}/users/{user}/tokens", method="POST", note="walk")
    if status != 201:
        raise SystemExit(f"no token for {user}: {answer}")
    return answer["token"]


class Student:
    """A student's own server on the hub."""

    def __init__(self, user):
        self.user, self.token = user, token_of(user)
        self.url = f"http://127.0.0.1:8000/user/{user}"
        ask(f"{HUB}/users/{user}/server", method="POST")

    def wait(self):
        wait_for(f"{self.url}/api/status", self.token)

    def assignments(self, action):
        """Click as in JupyterLab's list of assignments; return nbgrader's answer."""
        url, body = f"{self.url}/assignments/{action}", {"course_id": "privacy"}
        return ask(url, self.token, "POST", assignment_id="coin", **body)[1]

    def answer(self, answers):
        """Write the answers into the notebook, as JupyterLab saves it."""
        url = f"{self.url}/api/contents/coin/coin.ipynb"
        notebook = ask(url, self.token)[1]["content"]
        for cell in notebook["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = answers.get(name, cell["source"])
        return ask(url, self.token, "PUT", type="notebook", format="json", content=notebook)[0]


class Grader:
    """A grader in the course's server, a service of the hub."""

    def __init__(self, user):
        self.token = token_of(user)
        self.url = "http://127.0.0.1:8000/services/privacy"

    def formgrader(self, action):
        url = f"{self.url}/formgrader/api/assignment/coin/{action}"
        return ask(url, self.token, "POST")[1]

    def type(self, command):
        """Type the command into a terminal of the server; return the terminal's text."""
        import websocket

        status, terminal = ask(f"{self.url}/api/terminals", self.token, "POST")
        if status != 200:
            raise SystemExit(f"no terminal: {terminal}")
        address = f"{self.url}/terminals/websocket/{terminal['name']}".replace("http", "ws")
        header = {"Authorization": f"token {self.token}"}
        connection = websocket.create_connection(address, header=header, timeout=200)
        try:
            connection.send(json.dumps(["stdin", f"{command}; echo 'end' 'of' $?\r"]))
            text = ""
            while "end of " not in text:
                kind, *rest = json.loads(connection.recv())
                text += rest[0] if kind == "stdout" else ""
            return text
        finally:
            connection.close()


def attempts(submission):
    """Return commands that someone may try, by name."""
    course = EXCHANGE / "privacy"
    return {
        "enter the course": f"cd {course}",
        "list submissions": f"ls {course}/inbound",
        "read a submission": f"cat '{submission}/coin.ipynb'",
        "remove a submission": f"mv '{submission}' '{submission}2'",
        "list feedback": f"ls {course}/feedback",
        "change the release": f"touch {course}/outbound/coin/x",
        "make a course": f"mkdir {EXCHANGE}/other",
        "read the work": "cat /home/ann/coin/coin.ipynb",
        "read the copy": "cat /home/ann/.local/share/jupyter/nbgrader_cache/privacy/*/*",
        "read the course": f"ls {COURSE}/source",
        "fetch": f"cat {course}/outbound/coin/coin.ipynb",
    }


def successes(user):
    """Return the attempts in which the user succeeds."""
    (submission,) = (EXCHANGE / "privacy/inbound").glob("ann+*")
    tried = attempts(submission).items()
    return sorted(name for name, words in tried if run("sh", "-c", words, user=user)[0] == 0)


def forge(student, other):
    """Hand in a student's work under another student's name, as the newest of all."""
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    name = f"{other}+coin+{moment}+forged"
    inbound = EXCHANGE / "privacy/inbound"
    need("sh", "-c", f"cp -r ~/coin '{inbound}/{name}'", user=student)
    need("chmod", "755", inbound / name, user=student)


def walk(seen):
    program = f"{sys.prefix}/bin/autograder"
    weak = "" if probe().strong else "--allow-weak-sandbox"
    ann, bob = map(Student, STUDENTS)
    ada, grace = map(Grader, GRADERS)
    wait_for(f"{ada.url}/formgrader/api/status", ada.token)
    seen["strangers"] = [
        ask(f"{ada.url}/formgrader/api/status", token_of(user))[0] for user in ("bob", "eve")
    ]
    seen["release"] = ada.formgrader("release")
    for student in (ann, bob):
        student.wait()
        student.assignments("fetch")
    seen["saved"] = [ann.answer(RIGHT), bob.answer({})]
    seen["submitted"] = [student.assignments("submit") for student in (ann, bob)]
    seen["collect"] = ada.formgrader("collect")
    seen["grade"] = ada.type(f"{program} grade ~/course coin --feedback {weak}")
    seen["release_feedback"] = grace.formgrader("release_feedback")
    seen["can"] = {user: successes(user) for user in ("ann", "bob", "eve", "privacy")}
    seen["doctor"] = grace.type(f"{program} doctor ~/course --json >doctor.json")
    found = json.loads(Path("/home/privacy/doctor.json").read_text())
    seen["doctor"] = [one for one in found if one["about"] == "exchange"]
    for student in (ann, bob):
        student.assignments("fetch_feedback")
    pages = {user: Path("/home", user).glob("coin/feedback/*/*.html") for user in STUDENTS}
    seen["feedback"] = {user: [page.read_text() for page in found] for user, found in pages.items()}
    forge("bob", "ann")
    bob.answer(RIGHT)
    bob.assignments("submit")
    collect = f"cd ~/course && {sys.prefix}/bin/nbgrader collect coin --update"
    export = f"{program} export . coin --format csv --output ~/points.csv"
    seen["again"] = grace.type(f"{collect} && {program} grade . coin {weak} && {export}")
    seen["points"] = Path("/home/privacy/points.csv").read_text()


def main(folder, interpreter, proxy):
    need("mount", "-t", "tmpfs", "-o", "mode=755", "none", folder / "private")
    start_loopback()
    overlay("/etc", folder / "private")
    use_interpreter(interpreter, folder / "private")
    os.environ["PATH"] = f"{sys.prefix}/bin:{os.environ['PATH']}"
    seen = {"exchange": make_class(folder)}
    try:
        with hub(folder, json.loads(proxy)):
            walk(seen)
    finally:
        (folder / "seen.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
