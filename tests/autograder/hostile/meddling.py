"""Submissions that write where the teacher's, the grader's or others' things really lie.

Each gives a wrong `double`. Where they know the place they write to it; elsewhere they search.
"""

from tests.autograder.hostile.catalogue import WRONG, Desk, submission
from tests.autograder.hostile.observer import MARK

TOOLS = """
import glob, os, pathlib, sqlite3, sys
def spoil(*paths, text="hostile-"):
    for path in paths:
        try:
            with open(path, "w") as file: file.write(text)
        except OSError as error: print(type(error).__name__)
"""


def meddling(desk: Desk, source: str, points: str = WRONG) -> dict:
    return desk.with_cell(f"{TOOLS}\n{source}", at=2, double=points)


@submission(points=3)
def the_gradebook_rewritten(desk: Desk):
    """All points are raised in the database, now and whenever somebody writes to it."""
    return meddling(
        desk,
        f"""
import time
book = {str(desk.course.root / "gradebook.db")!r}
for _ in range(10):
    if os.path.exists(book): break  # the first result makes it
    time.sleep(0.1)
for statement in ("update grade set auto_score = 1000, manual_score = 1000",
                  "create trigger hostile after insert on grade begin "
                  "update grade set manual_score = 1000; end"):
    try:
        with sqlite3.connect(f"file:{{book}}?mode=rw", uri=True, timeout=0.1) as database:
            database.execute(statement)
    except sqlite3.Error as error: print(error)
""",
    )


@submission(points=3)
def the_gradebook_emptied(desk: Desk):
    """The database is cut off, replaced and removed."""
    book = str(desk.course.root / "gradebook.db")
    return meddling(
        desk,
        f"""
spoil({book!r}, {book + "-journal"!r}, {book + "-wal"!r})
for act in (os.remove, lambda path: os.truncate(path, 0), lambda path: os.chmod(path, 0)):
    try: act({book!r})
    except OSError as error: print(type(error).__name__)
""",
    )


@submission(points=3)
def work_of_others_rewritten(desk: Desk):
    """What neighbours handed in, and what they got for it."""
    course = desk.course
    files = [
        str(find("honest_00", "tiny"))
        for find in (course.submitted, course.autograded, course.feedback)
    ]
    return meddling(desk, f"spoil(*{files!r}, *glob.glob({str(course.private) + '/*/*'!r}))")


@submission(points=3)
def the_configuration_rewritten(desk: Desk):
    """nbgrader's configuration, the course's secret, the master and the release."""
    course = desk.course
    files = [course.config_file, course.private / "secret", course.master("tiny")]
    files += [course.source("tiny"), course.released("tiny")]
    return meddling(desk, f"spoil(*{[str(path) for path in files]!r})")


@submission(points=3)
def files_beside_the_grader(desk: Desk):
    """New modules beside those of the grader, of Python and of the packages."""
    return meddling(
        desk,
        f"""
import autograder, dplab, numpy
for module in (autograder, dplab, numpy, os):
    folder = pathlib.Path(module.__file__).resolve().parent
    spoil(folder / "{MARK}module.py", text="# {MARK}")
for folder in sys.path: spoil(f"{{folder}}/{MARK}module.py", text="# {MARK}")
""",
    )


@submission(points=3)
def files_in_the_home(desk: Desk):
    """What a shell, Python or a desktop would run when the teacher comes back."""
    return meddling(
        desk,
        f"""
import pwd
homes = {{"/home", "/root", os.path.expanduser("~root"), *glob.glob("/home/*")}}
try: homes.add(pwd.getpwuid(os.getuid()).pw_dir)
except KeyError: pass
for home in homes:
    spoil(f"{{home}}/{MARK}profile", f"{{home}}/.config/autostart/{MARK}profile")
""",
    )


@submission(points=3)
def rooms_of_others(desk: Desk):
    """Files in the rooms and workshops of others: everywhere where temporary files lie."""
    return meddling(
        desk,
        f"""
for root in {{"/tmp", "/var/tmp", "/dev/shm", {str(desk.course.root.parent)!r}}}:
    for folder, folders, files in os.walk(root):
        if folder.startswith(os.getcwd()): continue
        spoil(f"{{folder}}/{MARK}guest", f"{{folder}}/matplotlibrc", f"{{folder}}/numpy.py")
        for name in files:
            if not name.startswith("{MARK}"): spoil(f"{{folder}}/{{name}}")
""",
    )


@submission(points=3)
def processes_of_others(desk: Desk):
    """Each process that can be seen is slowed, unpinned, limited and told to stop."""
    return meddling(
        desk,
        """
import resource, signal
for process in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    if process in (os.getpid(), 1): continue
    for act in (lambda: os.kill(process, signal.SIGTERM),
                lambda: os.sched_setaffinity(process, [0]),
                lambda: os.setpriority(os.PRIO_PROCESS, process, 19),
                lambda: resource.prlimit(process, resource.RLIMIT_NOFILE, (3, 3)),
                lambda: resource.prlimit(process, resource.RLIMIT_FSIZE, (0, 0))):
        try: act()
        except OSError as error: print(type(error).__name__)
""",
    )
