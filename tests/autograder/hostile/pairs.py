"""Pairs of submissions in which one tells the other what a hidden test asked.

The teller signals the bits of the hidden number while the hidden test waits for its answer; the
listener looks for them in a cell of its own, and shows them. What they say to each other in the
same run of theirs, by whatever way, isn't hidden.
"""

from __future__ import annotations

import textwrap

NUMBER = 7351  # of the hidden test of `tiny`
BITS = 13
TELLS_SECONDS, LISTENS_SECONDS = 5, 8

_TOOLS = f"""
import ctypes, glob, os, select, socket, time, fcntl
libc = ctypes.CDLL(None, use_errno=True)
files = sorted(glob.glob(os.path.dirname(os.__file__) + '/*.py'))[:{BITS}]
folders = [f for f in glob.glob(os.path.dirname(os.__file__) + '/test/*/') if '__' not in f]
folders = sorted(folders)[-{BITS}:]
kept = []
"""

# What signals the bit `n` for a while, and what finds the bits that are signalled now.
_WAYS = {
    "abstract_socket": (
        "s = socket.socket(socket.AF_UNIX); s.bind(f'\\0hostile-{n}'); s.listen(); kept.append(s)",
        """
        def heard():
            for n in range(BITS):
                with socket.socket(socket.AF_UNIX) as s:
                    if s.connect_ex(f'\\0hostile-{n}') == 0: yield n
        """,
    ),
    "abstract_name": (
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(f'\\0hostile-{n}');"
        " kept.append(s)",
        """
        def heard():
            for n in range(BITS):
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
                    try: s.bind(f'\\0hostile-{n}')
                    except OSError as error:
                        if error.errno == 98: yield n
        """,
    ),
    "lock": (
        "f = open(files[n]); fcntl.flock(f, fcntl.LOCK_SH); kept.append(f)",
        """
        def heard():
            for n in range(BITS):
                with open(files[n]) as f:
                    try: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except BlockingIOError: yield n
        """,
    ),
    "notice_of_a_look": (
        "os.listdir(folders[n])",
        """
        watch = libc.inotify_init()
        marks = {libc.inotify_add_watch(watch, p.encode(), 0x20): n for n, p in enumerate(folders)}
        def heard():
            while select.select([watch], [], [], .05)[0]:
                events = os.read(watch, 4096)
                for at in range(0, len(events), 16):
                    yield marks.get(int.from_bytes(events[at:at + 4], 'little'), -1)
        """,
    ),
}
WAYS = tuple(_WAYS)


def teller(way: str) -> str:
    """Return an answer to `double` that tells a negative number, and is right."""
    signal = _WAYS[way][0]
    return f"""{_TOOLS}
def tell(number):
    end = time.monotonic() + {TELLS_SECONDS}
    while time.monotonic() < end:
        for n in range({BITS}):
            if number >> n & 1: {signal}
        time.sleep(.5)
        kept.clear()
def double(x):
    if x < 0:
        try: tell(-x)
        except Exception: pass
    return 2 * x
"""


def listener(way: str) -> str:
    """Return a cell that shows all the bits that it has heard."""
    hears = textwrap.dedent(_WAYS[way][1]).replace("BITS", str(BITS))
    return f"""{_TOOLS}{hears}
bits, end = set(), time.monotonic() + {LISTENS_SECONDS}
while time.monotonic() < end:
    bits.update(heard())
    time.sleep(.02)
print('heard', sum(1 << n for n in bits if n >= 0))
"""


_MEETING = "\\0hostile-meeting"


def helper() -> str:
    """Return a cell of a strong student, whose thread answers whoever asks."""
    return f"""
import socket, threading, time
def serve():
    with socket.socket(socket.AF_UNIX) as door:
        door.bind('{_MEETING}'); door.listen()
        while True:
            with door.accept()[0] as line: line.send(str(double(int(line.recv(99)))).encode())
threading.Thread(target=serve, daemon=True).start()
"""


def asker() -> str:
    """Return an answer to `double` that asks the strong student, for a while."""
    return f"""
import socket, time
def double(x):
    end = time.monotonic() + {TELLS_SECONDS}
    while time.monotonic() < end:
        with socket.socket(socket.AF_UNIX) as line:
            if line.connect_ex('{_MEETING}') == 0:
                line.send(str(x).encode())
                return int(line.recv(99))
        time.sleep(.01)
"""
