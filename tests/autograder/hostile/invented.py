"""Submissions that turn what Python, numpy and the kernel offer against the room they run in.

They want points for a wrong `double`, more time, or the words of a hidden test.
"""

from tests.autograder.hostile.catalogue import WRONG, Desk, family
from tests.autograder.hostile.forgery import TOOLS

# Wrong answers: no trick in the student's process gives them points.
_CHEATS = {
    "opens_for_the_grader": (
        "`open`, `len` and `isinstance` agree with whoever asks.",
        "import builtins\nplain = builtins.open\n"
        "builtins.open = lambda *a, **k: plain('/dev/null', 'w+')\n"
        "builtins.len = lambda x: 6\nbuiltins.isinstance = lambda *a: True",
    ),
    "profiled": (
        "A profiler changes what every frame returns and knows.",
        "import ctypes, sys\ndef profile(frame, event, value):\n"
        "    for name in ('value', 'answer', 'result', 'error', 'verdict'):\n"
        "        if name in frame.f_locals: frame.f_locals[name] = 2 * 3\n"
        "    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)\n"
        "sys.setprofile(profile)",
    ),
    "ledger_rewritten": (
        "The garbage collector finds what keeps objects for the tests, and `double` in it is"
        " replaced when it has been examined.",
        "import gc\ndef swap():\n    for o in gc.get_objects():\n"
        "        if type(o).__name__ in ('ObjectTable', 'CallChannel', 'StudentServer'):\n"
        "            for name, value in list(vars(o).items()) if hasattr(o, '__dict__') else ():\n"
        "                if isinstance(value, dict) and value:\n"
        "                    for key in list(value):\n"
        "                        if callable(value[key]): value[key] = lambda *a, **k: 6\n"
        "swap()",
    ),
    "compares_by_metaclass": (
        "A class whose `__instancecheck__` and `__eq__` say yes is returned.",
        "class Yes(type):\n    __instancecheck__ = __subclasscheck__ = lambda *a: True\n"
        "    __eq__ = lambda *a: True\n    __hash__ = lambda s: 6\n"
        "class Number(int, metaclass=Yes):\n"
        "    __eq__ = lambda *a: True\n    __ne__ = lambda *a: False\n    __hash__ = lambda s: 6\n"
        "    __class__ = property(lambda s: int)\n    __reduce_ex__ = lambda s, p: (int, ('6',))",
        "def double(x):\n    return Number(-1)",
    ),
    "packed_by_the_student": (
        "msgpack is patched: every number that is packed is 6.",
        "import msgpack\nplain = msgpack.packb\n"
        "def six(o):\n    return [six(x) for x in o] if isinstance(o, (list, tuple)) else"
        " 6 if o == -1 else o\n"
        "msgpack.packb = lambda o, **k: plain(six(o), **k)",
    ),
    "packer_subclassed": (
        "The module that the channel packs with is replaced where it is imported.",
        "import sys\nfor m in list(sys.modules.values()):\n"
        "    if getattr(m, '__name__', '').startswith('autograder.wire'):\n"
        "        for n in ('packed', 'pack', 'encode', 'to_plain'):\n"
        "            if hasattr(m, n): setattr(m, n, lambda *a, **k: b'\\x06')",
    ),
    "dplab_replaced": (
        "The course's own package agrees with everybody.",
        "import sys, types\nclass Kind(types.ModuleType):\n"
        "    def __getattr__(self, name):\n        if name.startswith('__'): raise AttributeError\n"
        "        return lambda *a, **k: 6\n"
        "for n in [n for n in sys.modules if n.startswith(('dplab', 'autograder'))]:\n"
        "    sys.modules[n] = Kind(n)",
    ),
    "warnings_as_answers": (
        "What shows warnings ends the test as if it had passed.",
        "import warnings\ndef show(*a, **k): raise SystemExit(0)\n"
        "warnings.showwarning = warnings.warn = show",
        "import warnings\ndef double(x):\n    warnings.warn('6')\n    return -1",
    ),
    "numpy_of_another_mind": (
        "numpy's state: errors are raised, numbers are printed as 6, seeds don't hold.",
        "import numpy as np\nnp.seterr(all='raise')\n"
        "np.set_printoptions(formatter={'all': lambda x: '6'})\n"
        "np.random.seed = lambda *a: None",
        "def double(x):\n    return np.array(-1)",
    ),
    "answered_by_a_child": (
        "A child of the process answers in its place, rightly for what it has seen.",
        f"{TOOLS}\nkept = []",
        "def double(x):\n    if os.fork() == 0:\n"
        "        try: channel().notify('reply', 6)\n        except BaseException: pass\n"
        "        frame(['reply', 1, 6]); os._exit(0)\n    os.wait()\n    return -1",
    ),
    "answers_on_the_line": (
        "The socket of the channel is written to, with each number that may be asked for.",
        TOOLS,
        "def double(x):\n"
        "    for n in range(200): frame(['reply', n, 6]); frame({'reply': n, 'value': 6})\n"
        "    return -1",
    ),
    "channel_changed_for_a_pipe": (
        "The descriptor of the channel is replaced by a socket to the student's own thread.",
        "import os, socket, threading\nours, theirs = socket.socketpair()\n"
        "for n in os.listdir('/proc/self/fd'):\n    try:\n"
        "        if os.readlink(f'/proc/self/fd/{n}').startswith('socket:') and int(n) not in"
        " (ours.fileno(), theirs.fileno()):\n"
        "            line = os.dup(int(n)); os.dup2(theirs.fileno(), int(n))\n"
        "    except OSError: pass\n"
        "def between(reading, writing):\n    while True:\n"
        "        data = reading(65536)\n        if not data: return\n"
        "        writing(data.replace(b'\\xff', b'\\x06'))\n"
        "threading.Thread(target=between, args=(lambda n: os.read(line, n), ours.sendall),"
        " daemon=True).start()\n"
        "threading.Thread(target=between, args=(ours.recv, lambda d: os.write(line, d)),"
        " daemon=True).start()",
        "def double(x):\n    return -1",
    ),
    "raises_what_agrees": (
        "The error's class says that it is any other, its text that the test passed.",
        "class Any(type):\n    __instancecheck__ = __subclasscheck__ = lambda *a: True\n"
        "class Error(Exception, metaclass=Any):\n"
        "    def __str__(self): raise SystemExit(0)\n    __repr__ = __str__",
        "def double(x):\n    raise Error('passed')",
    ),
    "answers_by_its_deletion": (
        "An object that is deleted behind the answer says another one.",
        "import sys\nclass Late:\n    def __del__(self):\n"
        "        frame = sys._getframe()\n        while frame:\n"
        "            for n, v in list(frame.f_locals.items()):\n"
        "                if v == -1: frame.f_locals[n] = 6\n            frame = frame.f_back",
        "def double(x):\n    late = Late()\n    return -1",
    ),
    "small_numbers_changed": (
        "The integer -1 itself is written over in memory: it is 6 from now on.",
        "import ctypes",
        "def double(x):\n    ctypes.c_uint32.from_address(id(-1) + 24).value = 6\n"
        "    ctypes.c_ssize_t.from_address(id(-1) + 16).value = 1\n    return -1",
    ),
    "code_of_other_frames": (
        "The code of the functions up the stack is replaced by code that says 6.",
        "import sys, gc, types",
        "def double(x):\n    frame = sys._getframe(1)\n    while frame:\n"
        "        for f in gc.get_referrers(frame.f_code):\n"
        "            if isinstance(f, types.FunctionType) and 'examined' in f.__module__:\n"
        "                try: f.__code__ = (lambda *a, **k: 6).__code__\n"
        "                except (ValueError, AttributeError): pass\n"
        "        frame = frame.f_back\n    return -1",
    ),
}  # fmt: skip


def _cheating(desk: Desk, source: str, double: str = WRONG) -> dict:
    return desk.with_cell(source, at=2, double=double)


# What they get beside the mean: the visible test, whose number they say; or nothing more, since the
# cells after them can't be run.
_ONE_MORE, _ONE_ONLY, _NOTHING = (
    ("channel_changed_for_a_pipe",),
    ("small_numbers_changed",),
    ("opens_for_the_grader", "ledger_rewritten", "answers_on_the_line"),
)
_POINTS = dict.fromkeys(_ONE_MORE, 4) | dict.fromkeys(_ONE_ONLY, 1) | dict.fromkeys(_NOTHING, 0)
for _name, _parts in _CHEATS.items():
    family(__name__, _POINTS.get(_name, 3), _cheating, {_name: _parts})

# Right answers, that end badly or try to hear what isn't theirs: all points, and nothing told.
_HONEST_POINTS = {
    "deleted_at_the_end": (
        "An object's end, at the process's, prints for ever.",
        "import atexit, sys\nclass Last:\n    def __del__(self):\n        while True: print('x')\n"
        "atexit.register(lambda: print('LE' 'AKED'))\nsys.last = Last()",
    ),
    "hook_of_threads": (
        "What shows errors of threads goes through all frames.",
        "import sys, threading\ndef hook(a):\n    for f in sys._current_frames().values():\n"
        "        while f:\n"
        "            if '73' + '51' in str(f.f_locals): print('LE' 'AKED')\n"
        "            f = f.f_back\n"
        "threading.excepthook = hook\nt = threading.Thread(target=lambda: 1 / 0)\n"
        "t.start(); t.join()",
    ),
    "frames_up_to_the_secret": (
        "The frames of the room are searched for what a hidden test has.",
        "import sys\nf, found = sys._getframe(), False\nwhile f:\n"
        "    found |= 'SECRET_' + 'NUMBER' in {**f.f_globals, **f.f_locals}\n    f = f.f_back\n"
        "if found: print('LE' 'AKED')",
    ),
    "text_of_the_tests": (
        "All strings in memory are searched for the hidden test's message.",
        "import gc\nwanted = 'a negative number' + ' is doubled too'\n"
        "for o in gc.get_objects():\n    try:\n"
        "        for r in gc.get_referents(o):\n"
        "            if type(r) is str and wanted in r and len(r) < 10**4 and r is not wanted"
        " and 'gc.get' not in r: print('LE' 'AKED')\n"
        "    except Exception: pass",
    ),
    "priorities_of_the_kernel": (
        "Limits, niceness and the process's own settings are changed.",
        "import ctypes, os, resource\nlibc = ctypes.CDLL(None)\n"
        "for kind in range(16):\n    try: resource.setrlimit(kind, (resource.RLIM_INFINITY,) * 2)\n"
        "    except (OSError, ValueError): pass\n    else:\n"
        "        if kind in (0, 6, 7, 9): print('LE' 'AKED')\n"
        "try: os.nice(-20); print('LE' 'AKED')\nexcept OSError: pass\n"
        "for option in range(70): libc.prctl(option, 0, 0, 0, 0) if option not in (22, 59) else 0",
    ),
    "generator_without_an_end": (
        "A result that is iterated for ever, and one whose text never ends.",
        "import itertools\nclass Deep:\n    def __repr__(self): return f'<{self!r}>'\n"
        "try: repr(Deep())\nexcept RecursionError: pass\nitertools.count()",
    ),
    "huge_integers": (
        "Numbers of a hundred thousand digits, as text.",
        "import sys\nsys.set_int_max_str_digits(0)\nn = 10 ** 10**5\nlen(str(n)[:10])",
    ),
    "alarm_switched_off": (
        "The timer is switched off and its signal is ignored, while nothing takes long.",
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
        "signal.signal(signal.SIGALRM, signal.SIG_IGN)",
    ),
    "excepthooks": (
        "All hooks of errors end the process.",
        "import os, sys, threading\n"
        "sys.excepthook = sys.unraisablehook = lambda *a: os._exit(0)\n"
        "threading.excepthook = sys.excepthook",
    ),
}  # fmt: skip
family(__name__, 6, lambda desk, source: desk.with_cell(source), _HONEST_POINTS)

# No points are won by time: the cell is stopped, and with it what its answer would have got.
_ENDLESS = "def double(x):\n    while True: pass"
_TIMES = {
    "waits_for_its_time": (
        "The time that the process has waited for a core is forged, and so its allowance.",
        "import gc\nfor o in gc.get_objects():\n"
        "    if type(o).__name__ in ('Waiting', 'Allowance'):\n"
        "        for n in list(vars(o)):\n"
        "            if isinstance(getattr(o, n), float): setattr(o, n, 1e9)",
    ),
    "clock_of_the_alarm": (
        "The clock that the alarm reads stands still.",
        "import time\ntime.monotonic = time.perf_counter = time.time = lambda: 0.0",
    ),
    # It gets several times its time by the clock, asleep: see `autograder.wire.waiting`.
    "sleeps_as_if_it_waited": (
        "Children that are ready to run for moments make sleep look like waiting for a core.",
        "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        while True:\n"
        "            end = time.monotonic() + .001\n            while time.monotonic() < end:\n"
        "                pass\n            time.sleep(.03)",
        "def double(x):\n    time.sleep(100)",
    ),
}
family(
    __name__,
    3,
    lambda desk, source, double=_ENDLESS: desk.with_cell(source, at=2, double=double),
    _TIMES,
)
