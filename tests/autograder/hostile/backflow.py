"""What a hidden test asked is told by all that a later cell, or the room, can do.

Each answers rightly and keeps what it was asked. Two versions of the problem set that differ in the
hidden number alone must show the same.
"""

from tests.autograder.hostile.catalogue import family
from tests.autograder.hostile.forgery import TOOLS

SUCCEEDED_BEFORE = frozenset(
    (
        "late_end",
        "late_exit",
        "late_memory",
        "late_loop",
        "late_loop_in_c",
        "late_flood",
        "late_forgery",
        "told_by_the_end",
        "told_by_an_open_line",
        "told_by_a_stop",
        "told_by_a_loop",
        "told_by_a_flood",
    )
)


KEEPS = "kept = [0]\ndef double(x):\n    kept.append(-x)\n    return 2 * x"
_NUMBER = "n = max(kept)\nn = n if n > 3 else 0\n"  # 0 where no hidden test has been run

_LATE = {
    "late_end": ("A bit is told by the end of the process.", "import os\nif n & 1: os._exit(1)"),
    "late_signal": (
        "Some bits are told by the number of a signal that isn't in Python's table.",
        "import os\nif n: os.kill(os.getpid(), 34 + n % 30)",
    ),
    "late_exit": ("A bit is told by an exit command.", "import sys\nif n & 1: sys.exit(n)"),
    "late_memory": ("A bit is told by a want of memory.", "x = bytearray(10**12) if n & 1 else 0"),
    "late_children": (
        "A bit is told by the memory of all processes.",
        "import os\nif n & 1:\n    for _ in range(8):\n"
        "        if os.fork() == 0: x = bytearray(10**9); os._exit(0)",
    ),
    "late_loop": ("A bit is told by a loop that is stopped.", "while n & 1: pass"),
    "late_loop_in_c": ("A bit is told by a loop that can't be stopped.",
                       "n & 1 and sum(range(10**13))"),
    "late_flood": ("A bit is told by output beyond the limit.", "if n & 1: print('x' * 10**7)"),
    "late_error": ("The number is an error's message, class and name.",
                   "if n: raise type(f'E{n}', (ValueError,), {})(n)"),
    "late_warning": ("The number is a warning.", "import warnings\nif n: warnings.warn(str(n))"),
    "late_forgery": ("A bit is told by a frame that breaks the rules.",
                     TOOLS + "\nif n & 1: raw(b'x' * 100)"),
    "late_sleep": ("The number is a time.", "import time\ntime.sleep(n / 10**4)"),
    "late_count": ("The number is a count of displays.", "for _ in range(n % 97): display(1)"),
    "late_size": ("The number is the length of the output.", "print('x' * n)"),
    "late_result": ("The number is the last line.", "n"),
    "late_figure": ("The number is the size of a figure.",
                    "import matplotlib.pyplot as plt\n"
                    "plt.figure(figsize=(1 + n % 5, 2)); plt.plot()"),
    "late_picture": ("The number is what a figure shows.",
                     "import matplotlib.pyplot as plt\nplt.title(str(n)); plt.show()"),
    "late_clearing": ("A bit is told by clearing what was shown.",
                      "print('shown')\nfrom IPython.display import clear_output\n"
                      "if n & 1: clear_output()"),
    "late_html": ("The number is a page.", "from IPython.display import HTML\nHTML(f'<b>{n}</b>')"),
    "late_thread": ("A thread tells the number when all cells are over.",
                    "import threading\nthreading.Timer(0.05, lambda: print(max(kept))).start()"),
    "late_history": ("The history of the shell is asked.", "%history -n\nprint(Out, In, dir())"),
    "late_answer": ("The answer's own cell is defined anew.",
                    "get_ipython().run_cell(f'print({n}); raise ValueError({n})'); None"),
    "late_file": ("The number is a file's name, and its time.",
                  "import os, glob\nopen(f'hostile-{n}', 'w').close()\nos.utime('.', (n, n))\n"
                  "print(glob.glob('/tmp/*/hostile*'), os.stat('.').st_mtime < 10**5)"),
}  # fmt: skip
family(
    __name__,
    6,
    lambda desk, source: desk.with_cell(_NUMBER + source, double=KEEPS),
    _LATE,
    SUCCEEDED_BEFORE,
)

_HOOKS = {
    "hook_behind_cells": ("An event tells the number behind each cell.",
                          "get_ipython().events.register('post_execute', lambda: print(kept))"),
    "hook_of_errors": ("The handler of errors tells the number.",
                       "get_ipython().set_custom_exc((Exception,), lambda *a, **k: print(kept))"),
    "hook_of_displays": ("What formats a result tells the number.",
                         "get_ipython().display_formatter.formatters['text/plain'].for_type("
                         "int, lambda o, p, c: p.text(str(kept)))"),
    "hook_of_printing": ("`print` tells the number.",
                         "import builtins\nplain = print\n"
                         "builtins.print = lambda *a: plain(kept, *a)"),
    "hook_of_lines": ("What traces lines tells the number.",
                      "import sys\ndef trace(*a): print(kept)\nsys.setprofile(trace)"),
    "hook_of_deletion": ("An object tells the number when it is deleted.",
                         "class Last:\n    def __del__(self): print(kept)\nlast = Last()"),
    "hook_of_the_end": ("What runs at the end tells the number.",
                        "import atexit\natexit.register(lambda: print(kept))"),
    "hook_of_forks": ("What runs in a child tells the number.",
                      "import os\nos.register_at_fork(after_in_child=lambda: print(kept))"),
    "hook_of_garbage": ("What collects garbage tells the number.",
                        "import gc\ngc.callbacks.append(lambda *a: print(kept))"),
    "hook_of_a_timer": ("A timer's signal tells the number, again and again.",
                        "import signal\nsignal.signal(signal.SIGVTALRM, lambda *a: print(kept))\n"
                        "signal.setitimer(signal.ITIMER_VIRTUAL, 0.01, 0.01)"),
    "hook_of_warnings": ("What shows warnings tells the number.",
                         "import warnings\nwarnings.showwarning = lambda *a, **k: print(kept)"),
    "hook_of_a_display": ("An earlier display is brought up to date by a thread.",
                          "import threading, time\nh = display('none yet', display_id=True)\n"
                          "def again():\n    while True: time.sleep(.05); h.update(str(kept))\n"
                          "threading.Thread(target=again, daemon=True).start()"),
}  # fmt: skip
family(
    __name__,
    6,
    lambda desk, source: desk.with_cell("1 + 1\n1 / 0", double=f"{KEEPS}\n{source}"),
    _HOOKS,
    SUCCEEDED_BEFORE,
)

_TELLS = {
    "told_by_a_number": ("A failure carries the number as a value.", "return x / 7"),
    "told_by_a_shape": ("A failure carries the number as a shape.", "return np.zeros((-x, 0))"),
    "told_by_a_type": ("A failure carries the number as the type of an array.",
                       "return np.zeros(1, dtype=f'U{-x}')"),
    "told_by_a_tuple": ("A failure carries the number as a tuple.", "return tuple(kept), x"),
    "told_by_a_key": ("A failure carries the number as a missing key.", "return {}[x]"),
    "told_by_a_stand_in": ("A failure carries the number as a class's name.",
                           "return type(f'N{-x}', (), {})()"),
    "told_by_a_group": ("A failure carries the number in a group of errors.",
                        "raise ExceptionGroup(str(x), [ValueError(x)])"),
    "told_by_a_note": ("A failure carries the number as a note.",
                       "e = ValueError(); e.add_note(str(x)); raise e"),
    "told_by_a_cause": ("A failure carries the number as its cause.",
                        "raise ValueError from KeyError(x)"),
    "told_by_a_stop": ("A failure carries the number in the grader's own stop.",
                       "from autograder.wire.alarm import CellTimeout; raise CellTimeout(str(x))"),
    "told_by_an_exit": ("A failure carries the number as the status of an exit.",
                        "import sys; sys.exit(x)"),
    "told_by_the_end": ("A failure carries the number as the status of the process.",
                        "import os; os._exit(-x % 256)"),
    "told_by_a_signal": ("A failure carries the number as a signal.",
                         "import os; os.kill(os.getpid(), 34 - x % 30); return 0"),
    "told_by_a_loop": ("A failure carries the number as the time until a stop.",
                       "while True: pass"),
    "told_by_memory": ("A failure carries the number as a want of memory.",
                       "return bytearray(10**12)"),
    "told_by_a_flood": ("The number is an output beyond the limit, and a right answer.",
                        "print(str(x) * 10**6); return 10**9"),
    "told_by_an_open_line": ("The number is said in a frame that breaks the rules.",
                             "import gc; next(o for o in gc.get_objects() if type(o).__name__"
                             " == 'CallChannel').notify(f'got {x}')"),
}  # fmt: skip
family(
    __name__,
    4,
    lambda desk, body: desk.answered(
        double=f"kept = []\ndef double(x):\n    kept.append(x)\n    if x < 0:\n        {body}\n"
        "    return 2 * x"
    ),
    _TELLS,
    SUCCEEDED_BEFORE,
)
