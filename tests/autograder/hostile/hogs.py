"""Submissions that want more than their share in ways of their own, beside honest neighbours.

What they are asked they have answered: they deserve their points, and so do their neighbours.
"""

from tests.autograder.hostile.catalogue import Desk, family, submission
from tests.autograder.hostile.forgery import TOOLS

_SPIN = """
import os, time
def spin(count, what=lambda: None):
    for _ in range(count):
        try:
            if os.fork() == 0:
                while True: what()
        except OSError: break
    time.sleep(1)
"""
_AT_THE_END = {
    "spinning_children": ("Sixty children that spin.", f"{_SPIN}spin(60)"),
    "spinning_sessions": (
        "Each child has a session, and so a weight, of its own.",
        f"{_SPIN}\ndef alone():\n    try: os.setsid()\n    except OSError: pass\nspin(40, alone)",
    ),
    "spinning_weights": (
        "Children that ask for more weight, in all ways there are.",
        f"{_SPIN}\ndef heavy():\n"
        "    for act in (lambda: os.nice(-20), lambda: os.setpriority(os.PRIO_USER, 0, -20),\n"
        "                lambda: open('/proc/self/autogroup', 'w').write('-20'),\n"
        "                lambda: open('/proc/self/autogroup', 'w').write('0'),\n"
        "                lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))):\n"
        "        try: act()\n        except OSError: pass\nspin(20, heavy)",
    ),
    "short_lives": (
        "Children that live for a moment, one after the other: what they used is their parent's.",
        "import os, time\nt = time.time()\nwhile time.time() - t < 1.5:\n    process = os.fork()\n"
        "    if process == 0: sum(range(10**6)); os._exit(0)\n    os.waitpid(process, 0)",
    ),
    "short_lives_that_nobody_waits_for": (
        "The same, and the parent doesn't care.",
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nt = time.time()\n"
        "while time.time() - t < 1.5:\n    try:\n"
        "        if os.fork() == 0: sum(range(10**6)); os._exit(0)\n    except OSError: pass",
    ),
    "yields": (
        "Children that give their core away all the time.",
        f"{_SPIN}spin(20, os.sched_yield)",
    ),
    "pages": (
        "Children that map, touch and give back memory all the time.",
        f"{_SPIN}import mmap\nspin(8, lambda: mmap.mmap(-1, 1 << 20).write(bytes(1 << 20)))",
    ),
    "signals": (
        "Children that send each other signals all the time.",
        f"{_SPIN}import signal\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\n"
        "spin(10, lambda: os.killpg(0, signal.SIGUSR1))",
    ),
    "pipes": (
        "Children that write to each other all the time.",
        f"{_SPIN}r, w = os.pipe()\nspin(10, lambda: (os.write(w, b'x' * 4096), os.read(r, 4096)))",
    ),
    "names": (
        "Children that make and remove files all the time.",
        f"{_SPIN}spin(10, lambda: (open(f'{{os.getpid()}}', 'w').close(),"
        " os.remove(str(os.getpid()))))",
    ),
    "threads_that_spin": (
        "Threads that spin outside of Python's lock.",
        "import hashlib, threading\ndef spin():\n    while True: hashlib.sha256(bytes(1 << 20))\n"
        "for _ in range(30): threading.Thread(target=spin, daemon=True).start()",
    ),
    "spinning_programs": (
        "Other programs that spin.",
        "import subprocess\n"
        "for _ in range(10): subprocess.Popen(['sh', '-c', 'while :; do :; done'])",
    ),
    "empty_outputs": (
        "Outputs of no characters, which alternate between two streams.",
        f"{TOOLS}import time\n"
        "two = [msgpack.packb(['output', ['stream', n, '']]) for n in ('stdout', 'stderr')]\n"
        "data = b''.join(struct.pack('>I', len(x)) + x for x in two) * 1000\n"
        "sock, t = channel()._frames._socket, time.time()\n"
        "while time.time() - t < 1: sock.sendall(data)",
    ),
    "forged_errors": (
        "A hundred and fifty error outputs of four megabytes.",
        f"{TOOLS}\nlines = 200 * ['x' * 20_000]\n"
        "for _ in range(150): channel().notify('output', ['error', 'E', 'v', lines])",
    ),
    "forged_clearings": (
        "As many notices as there is time for, all of which empty the output.",
        f"{TOOLS}import time\nx = msgpack.packb(['output', ['clear', False]])\n"
        "data = (struct.pack('>I', len(x)) + x) * 2000\n"
        "sock, t = channel()._frames._socket, time.time()\n"
        "while time.time() - t < 1: sock.sendall(data)",
    ),
    "bold_letters": (
        "A megabyte of signs that change the colour of nothing.",
        "print('\\x1b[1;31m\\x1b[0m' * 80_000)",
    ),
    "many_small_cells_of_output": (
        "Displays of a hundred kinds each.",
        "for n in range(300): display({f'text/x-{i}': 'x' for i in range(100)}, raw=True)",
    ),
}
family(__name__, 6, lambda desk, source: desk.with_cell(source), _AT_THE_END)

_TEXTS = {
    "a_text_of_blank_lines": ("An answer of blank lines.", "\n" * 3_000_000),
    "a_text_of_brackets": ("An answer of nothing but brackets.", "[" * 500_000 + "](" * 200_000),
    "a_text_of_quotes": ("An answer of quotes within quotes.", "> " * 300_000 + "x"),
    "a_text_of_stars": ("An answer of stars.", "*a **b " * 200_000),
    "a_text_of_fences": ("An answer of fences.", "```\n~~~\n" * 100_000),
    "a_text_of_tables": ("An answer that is a table.", "|" * 5_000 + "\n" + "|-" * 5_000),
    "a_text_of_formulas": ("An answer of formulas.", "$x_1^{2}$ " * 100_000),
}


def _written(desk: Desk, text: str) -> dict:
    return desk.answered(why=f"x{text}x")


family(__name__, 6, _written, _TEXTS)


@submission(points=6)
def cells_that_all_answer(desk: Desk):
    """Fifteen hundred cells, each of which defines the same function."""
    notebook = desk.answered()
    plain = next(c for c in notebook["cells"] if c["source"].startswith("def double"))
    extra = {**plain, "metadata": {}, "source": "# another\n" + plain["source"]}
    notebook["cells"] += [{**extra, "id": f"x{n}"} for n in range(1_500)]
    return notebook


@submission(points=3)
def asks_for_all_numbers(desk: Desk):
    """Answers that are short on the way and long to look at."""
    return desk.answered(double="def double(x):\n    return range(10**15)")
