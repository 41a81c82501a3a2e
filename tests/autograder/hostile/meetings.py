"""Ways in which two runs at once could meet: what one does, and what the other sees of it.

For each bit of a number there is a short slot of time. In it the teller does `tell` if the bit is
set, and later lets go of what it `kept`; the listener notes what `hear` says. A way passes the
number if what was heard in the set slots differs from what was heard in the others.
"""

from __future__ import annotations

BITS = 10
SLOT_SECONDS, LONG_SLOT_SECONDS = 0.05, 0.15  # the latter for what takes much memory
START_SECONDS = 1.5  # until both runs are there

_TOOLS = """
import contextlib, ctypes, fcntl, glob, json, mmap, os, select, signal, socket
import struct, threading, time
libc = ctypes.CDLL(None, use_errno=True)
kept = []
path, folder = os.__file__, os.path.dirname(os.__file__)
others = sorted(glob.glob(folder + '/*.py'))
KEY = 0x686F7374
def call(number, *arguments):
    done = libc.syscall(number, *arguments)
    if done < 0: raise OSError(ctypes.get_errno(), 'refused')
    return done
def numbers(path):
    with open(path) as file: return [int(w) for w in file.read().replace('.', ' ').split()
                                     if w.isdigit()]
def sum_of(path, word):
    with open(path) as file: return sum(int(w) for line in file if line.startswith(word)
                                        for w in line.split() if w.isdigit())
def hold(size=64 << 20):
    kept.append(mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE))
def hold_files(count=200):
    kept.extend(open(path) for _ in range(count))
def have_threads(count=40):
    class Threads:
        def __init__(self):
            self.over = threading.Event()
            for _ in range(count): threading.Thread(target=self.over.wait).start()
        def close(self): self.over.set()
    kept.append(Threads())
def spin(seconds=.03):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass
def let_go():
    for thing in kept:
        if isinstance(thing, int): os.close(thing)
        else: thing.close()
    kept.clear()
def lock(command):
    file = open(path)
    kept.append(file)
    fcntl.fcntl(file, command, struct.pack('hhqqi4x', 0, 0, 0, 0, 0))
def is_locked(command):
    with open(path) as file:
        found = fcntl.fcntl(file, command, struct.pack('hhqqi4x', 1, 0, 0, 0, 0))
        return struct.unpack('hhqqi4x', found)[0] != 2
def page_of(path, flags=mmap.MAP_SHARED):
    with open(path) as file: made = mmap.mmap(file.fileno(), 4096, flags, mmap.PROT_READ)
    made[0]
    return made
libc.mmap.restype = ctypes.c_void_p
def mapped(path):
    with open(path) as file:
        where = libc.mmap(None, 4096, 1, 2, file.fileno(), ctypes.c_long(0))
    ctypes.string_at(where, 1)
    return where
def field_of_map(path, name):
    with open('/proc/self/smaps') as file:
        at = False
        for line in file:
            if line[0] in '0123456789abcdef': at = line.rstrip().endswith(path)
            if at and line.startswith(name): return int(line.split()[1])
    return -1
class Undo:
    def __init__(self, function, *arguments): self.close = lambda: function(*arguments)
def binds(family, kind, protocol, name):
    with socket.socket(family, kind, protocol) as s: s.bind(name)
    return 0
def connects(family, name):
    with socket.socket(family) as s: return s.connect_ex(name)
"""

# Name: what tells a bit, what hears it, and what is done before, if anything. What follows the word
# `listener` there, the teller doesn't do.
_SOCKETS = {
    "abstract_name": (
        "s = socket.socket(socket.AF_UNIX); kept.append(s); s.bind(chr(0) + 'hostile')",
        "binds(socket.AF_UNIX, socket.SOCK_STREAM, 0, chr(0) + 'hostile')",
    ),
    "abstract_socket": (
        "s = socket.socket(socket.AF_UNIX); kept.append(s); s.bind(chr(0) + 'more'); s.listen()",
        "connects(socket.AF_UNIX, chr(0) + 'more')",
    ),
    "localhost": (
        "s = socket.socket(); kept.append(s); s.bind(('127.0.0.1', 8642)); s.listen()",
        "connects(socket.AF_INET, ('127.0.0.1', 8642))",
    ),
    "datagrams": (
        "s = socket.socket(type=socket.SOCK_DGRAM); kept.append(s); s.bind(('127.0.0.1', 8642))",
        "binds(socket.AF_INET, socket.SOCK_DGRAM, 0, ('127.0.0.1', 8642))",
    ),
    "netlink": (
        "s = socket.socket(16, socket.SOCK_RAW, 2); kept.append(s); s.bind((4321, 0))",
        "binds(16, socket.SOCK_RAW, 2, (4321, 0))",
    ),
    "netlink_of_routes": (
        "s = socket.socket(16, socket.SOCK_RAW, 0); kept.append(s); s.bind((4321, 0))",
        "binds(16, socket.SOCK_RAW, 0, (4321, 0))",
    ),
    "virtual_machine": (
        "s = socket.socket(40); kept.append(s); s.bind((2**32 - 1, 8642)); s.listen()",
        "connects(40, (1, 8642))",
    ),
    "socket_in_tmp": (
        "s = socket.socket(socket.AF_UNIX); kept.append(s); s.bind('/tmp/s'); s.listen();"
        " kept.append(Undo(os.remove, '/tmp/s'))",
        "connects(socket.AF_UNIX, '/tmp/s')",
    ),
    "socket_in_shm": (
        "s = socket.socket(socket.AF_UNIX); kept.append(s); s.bind('/dev/shm/s'); s.listen();"
        " kept.append(Undo(os.remove, '/dev/shm/s'))",
        "connects(socket.AF_UNIX, '/dev/shm/s')",
    ),
    "sockets_in_proc": ("kept.extend(socket.socketpair())", "sum_of('/proc/net/sockstat', '')"),
}
_FILES = {
    "file_in_tmp": (
        "open('/tmp/f', 'w').close(); kept.append(Undo(os.remove, '/tmp/f'))",
        "os.path.exists('/tmp/f')",
    ),
    "file_in_shm": (
        "open('/dev/shm/f', 'w').close(); kept.append(Undo(os.remove, '/dev/shm/f'))",
        "os.path.exists('/dev/shm/f')",
    ),
    "space_in_tmp": (
        "open('/tmp/g', 'wb').write(bytes(1 << 20)); kept.append(Undo(os.remove, '/tmp/g'))",
        "os.statvfs('/tmp').f_bfree",
    ),
    "space_in_shm": (
        "open('/dev/shm/g', 'wb').write(bytes(1 << 20));"
        " kept.append(Undo(os.remove, '/dev/shm/g'))",
        "os.statvfs('/dev/shm').f_bfree",
    ),
    "space_of_the_root": ("open('/x', 'w')", "os.statvfs('/').f_bfree"),
    "terminal": ("kept.extend(os.openpty())", "len(os.listdir('/dev/pts'))"),
    "time_of_a_file": (
        "open(others[3]).read(); os.utime(others[3])",
        "since('file', os.stat(others[3]).st_mtime + os.stat(others[3]).st_atime)",
    ),
    "time_of_a_folder": (
        "os.listdir(folder + '/json')",
        "since('folder', os.stat(folder + '/json').st_atime)",
    ),
    "time_of_a_device": ("os.utime('/dev/null')", "since('null', os.stat('/dev/null').st_mtime)"),
    "mode_of_a_file": ("os.chmod(path, 0o600)", "os.stat(path).st_mode"),
    "mode_of_a_device": ("os.chmod('/dev/null', 0o600)", "os.stat('/dev/null').st_mode"),
    "attribute_of_a_file": ("os.setxattr(path, 'user.x', b'1')", "len(os.listxattr(path))"),
    "links_of_a_file": ("os.link(path, '/tmp/l')", "os.stat(path).st_nlink"),
    "standard_output": ("os.write(1, b'x')", "os.fstat(1).st_size"),
    "standard_error": ("os.write(2, b'x')", "os.fstat(2).st_size"),
    "lock": (
        "f = open(path); kept.append(f); fcntl.flock(f, fcntl.LOCK_SH)",
        "fcntl.flock(open(path), fcntl.LOCK_EX | fcntl.LOCK_NB) or 0",
    ),
    "record_lock": ("lock(fcntl.F_SETLK)", "is_locked(fcntl.F_GETLK)"),
    "lock_of_an_open_file": ("lock(37)", "is_locked(36)"),
    "list_of_locks": ("lock(fcntl.F_SETLK)", "len(open('/proc/locks').read())"),
    "lease": (
        "f = open(path); kept.append(f); fcntl.fcntl(f, 1024, 0)",
        "len(open('/proc/locks').read())",
    ),
    "lease_of_an_open_file": ("kept.append(open(path))", "fcntl.fcntl(open(path), 1024, 1)"),
    "hint_at_a_file": (
        "fcntl.fcntl(open(path), 1036, struct.pack('Q', 3));"
        " kept.append(Undo(fcntl.fcntl, open(path), 1036, bytes(8)))",
        "struct.unpack('Q', fcntl.fcntl(open(path), 1035, bytes(8)))[0]",
    ),
    "notice_of_a_look": (
        "open(others[7]).read()",
        "len(select.select([watch], [], [], 0)[0] and os.read(watch, 4096))",
        "# listener\nwatch = libc.inotify_init()\n"
        "libc.inotify_add_watch(watch, others[7].encode(), 0x20)",
    ),
    "notice_of_all_looks": ("open(path).read()", "call(300, 0, 0)"),
    "notice_of_a_folder": (
        "os.listdir(folder + '/email')",
        "(len(noticed), noticed.clear())[0]",
        "# listener\nnoticed = []\n"
        "signal.signal(signal.SIGUSR1, lambda *_: noticed.append(1))\n"
        "watched = os.open(folder + '/email', os.O_RDONLY)\n"
        "fcntl.fcntl(watched, 10, signal.SIGUSR1)\n"
        "fcntl.fcntl(watched, 1026, 0x80000021)",
    ),
}
_MEMORY = {
    "shared_memory": (
        "f = libc.shm_open(b'/hostile', 0o102, 0o666); kept.append(f);"
        " kept.append(Undo(libc.shm_unlink, b'/hostile'))",
        "libc.shm_open(b'/hostile', 0, 0)",
    ),
    "memory_of_a_file": (
        "kept.append(os.memfd_create('hostile'))",
        "len(glob.glob('/proc/[0-9]*/fd/*'))",
    ),
    "shared_segment": ("call(29, KEY, 4096, 0o1666)", "call(29, KEY, 4096, 0)"),
    "semaphores": ("call(64, KEY, 1, 0o1666)", "call(64, KEY, 1, 0)"),
    "messages": ("call(68, KEY, 0o1666)", "call(68, KEY, 0)"),
    "queue": ("call(240, b'hostile', 0o102, 0o666, None)", "call(240, b'hostile', 0, 0, None)"),
    "limit_of_pipes": (
        "for _ in range(64):\n    kept.extend(p := os.pipe()); fcntl.fcntl(p[0], 1031, 1 << 20)",
        "(lambda p: (fcntl.fcntl(p[0], 1032), os.close(p[0]), os.close(p[1]))[0])(os.pipe())",
    ),
    "keyring_of_the_user": (
        "call(248, b'user', b'hostile', b'x', 1, -4)",
        "call(249, b'user', b'hostile', None, 0)",
    ),
    "keyring_of_the_session": (
        "call(248, b'user', b'hostile', b'x', 1, -3)",
        "call(250, 10, -3, b'user', b'hostile', 0)",
    ),
    "wakes_on_a_page": (  # of a file that both have mapped
        "for _ in range(40):\n    call(202, ctypes.c_void_p(where), 1, 99); time.sleep(.001)",
        "call(202, ctypes.c_void_p(where), 0, value, ctypes.byref(a_moment)) + 1",
        "where = mapped(others[9]); value = ctypes.c_uint.from_address(where).value\n"
        "a_moment = (ctypes.c_long * 2)(0, 20_000_000)",
    ),
    "share_of_a_page": (
        "kept.append(page_of(others[11]))",
        "field_of_map(others[11], 'Pss:')",
        "# listener\nmap = page_of(others[11])",
    ),
    "exclusive_page": (
        "kept.append(page_of(others[13]))",
        "struct.unpack('Q', os.pread(table, 8, where // 4096 * 8))[0] >> 56 & 1",
        "# listener\nwhere = mapped(others[13]); table = os.open('/proc/self/pagemap', 0)",
    ),
}
_PROCESSES = {
    "descriptors_of_others": ("kept.extend(os.pipe())", "len(glob.glob('/proc/[0-9]*/fd/*'))"),
    "list_of_processes": ("have_children()", "len(os.listdir('/proc'))"),
    "signals": (
        "for p in range(1, 200): signal_to(p)",
        "(len(noticed), noticed.clear())[0]",
        "# listener\nnoticed = []\nsignal.signal(signal.SIGUSR2, lambda *_: noticed.append(1))",
    ),
    "numbers_of_processes": ("have_children()", "sum(is_there(p) for p in range(2, 300))"),
    "handles": ("have_children()", "sum(can_open(p) for p in range(2, 300))"),
    "next_number": (
        "have_children()",
        "number_of_a_child() - next(counted)",
        "# listener\nimport itertools; counted = itertools.count()",
    ),
    "priorities": ("os.setpriority(os.PRIO_USER, 0, 15)", "os.getpriority(os.PRIO_PROCESS, 0)"),
    "core_of_others": ("os.sched_setaffinity(2, {0})", "len(os.sched_getaffinity(2))"),
    "memory_of_others": ("have_children()", "call(310, 3, None, 0, None, 0, 0)"),
    "traces": ("have_children()", "call(101, 16, 3, 0, 0)"),
    "limit_of_processes": ("have_threads()", "most_threads()"),
    "name_of_the_machine": ("libc.sethostname(b'told', 4)", "len(os.uname().nodename)"),
    "timers": ("new_timer()", "since('timer', new_timer())"),
    "setting": (
        "open('/proc/sys/kernel/ns_last_pid', 'w').write('5000')",
        "numbers('/proc/sys/kernel/ns_last_pid')[0] > 4000",
    ),
}
_COUNTERS = {
    "load": ("have_threads()", "int(open('/proc/loadavg').read().split()[3].split('/')[1])"),
    "threads_by_call": ("have_threads()", "information().count"),
    "files": ("hold_files()", "numbers('/proc/sys/fs/file-nr')[0]"),
    "memory": ("hold()", "sum_of('/proc/meminfo', 'AnonPages')"),
    "pages": ("hold()", "sum_of('/proc/vmstat', 'nr_anon_pages')"),
    "memory_by_call": ("hold()", "information().free"),
    "names": (
        "for n in range(2000): os.path.exists(f'{folder}/{os.urandom(8).hex()}')",
        "since('names', numbers('/proc/sys/fs/dentry-state')[0])",
    ),
    "switches": (
        "for _ in range(30): time.sleep(.001)",
        "since('switches', sum_of('/proc/stat', 'ctxt'))",
    ),
    "log_of_the_kernel": ("crash()", "call(103, 10, None, 0)"),
}
_NUMBERS = {  # that the kernel gives out machine-wide, one after the other
    "numbers_of_pipes": (
        "for _ in range(3000): s = os.pipe(); os.close(s[0]); os.close(s[1])",
        "since('pipe', number_of_a_pipe())",
    ),
    "numbers_of_sessions": (
        "for _ in range(20): of_a_new_session()",
        "since('session', of_a_new_session())",
    ),
    "numbers_of_handles": (
        "for _ in range(40): threading.Thread(target=int).start()",
        "since('handle', number_of_a_handle())",
    ),
}
_MORE_TOOLS = """
heard_before = {}
def since(name, now):
    before = heard_before.get(name, now); heard_before[name] = now
    return now - before
def signal_to(p):
    with contextlib.suppress(OSError): p == os.getpid() or os.kill(p, signal.SIGUSR2)
class Child:
    def __init__(self):
        self.number = os.fork()
        if not self.number: time.sleep(5); os._exit(0)
    def close(self): os.kill(self.number, 9); os.waitpid(self.number, 0)
def have_children(): kept.extend(Child() for _ in range(2))
def number_of_a_child():
    child = Child(); child.close()
    return child.number
def number_of_a_pipe():
    ends = os.pipe(); number = os.fstat(ends[0]).st_ino
    os.close(ends[0]); os.close(ends[1])
    return number
def of_a_new_session():
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid(); os.write(writing, open('/proc/self/autogroup', 'rb').read()); os._exit(0)
    os.waitpid(child, 0)
    number = int(os.read(reading, 99).split()[0].partition(b'-')[2])
    os.close(reading); os.close(writing)
    return number
def number_of_a_handle():
    child = Child(); handle = os.pidfd_open(child.number)
    number = os.fstat(handle).st_ino
    os.close(handle); child.close()
    return number
def new_timer():
    timer = ctypes.c_int(); call(222, 0, None, ctypes.byref(timer))
    return timer.value
def is_there(p):
    try: os.kill(p, 0); return True
    except ProcessLookupError: return False
    except OSError: return True
def can_open(p):
    try: os.close(os.pidfd_open(p)); return True
    except OSError: return False
def most_threads():
    over, count = threading.Event(), 0
    try:
        for count in range(60): threading.Thread(target=over.wait).start()
    except RuntimeError: pass
    over.set()
    return count
class SysInfo(ctypes.Structure):
    _fields_ = [('up', ctypes.c_long), ('loads', ctypes.c_ulong * 3), ('total', ctypes.c_ulong),
                ('free', ctypes.c_ulong), ('more', ctypes.c_ulong * 4), ('count', ctypes.c_ushort),
                ('rest', ctypes.c_byte * 64)]
def information():
    info = SysInfo(); call(99, ctypes.byref(info)); return info
def crash():
    child = os.fork()
    if child == 0: ctypes.string_at(8)
    os.waitpid(child, 0)
"""
# What no filter and no namespace shuts. All runs have Python's files in memory once: a thread may
# wait for another at any page of them, as it does to join one; and the kernel says of each page
# that a process has mapped whether others have, too. It also numbers pipes, sessions and processes.
OPEN = frozenset(("wakes_on_a_page", "share_of_a_page", "exclusive_page", *_NUMBERS))
# Where all runs belong to the teacher's own user: it has one number of pipes, and of processes.
OPEN_TO_ONE_USER = frozenset(("limit_of_pipes", "limit_of_processes"))
KINDS = {
    "sockets": _SOCKETS, "files": _FILES, "memory": _MEMORY, "processes": _PROCESSES,
    "counters": _COUNTERS, "numbers": _NUMBERS,
}  # fmt: skip


def _slot(kind: str) -> float:
    return LONG_SLOT_SECONDS if kind in ("counters", "numbers") else SLOT_SECONDS


def seconds(kind: str) -> float:
    """Return how long the two cells of this kind take."""
    return START_SECONDS + len(KINDS[kind]) * (BITS + 1) * _slot(kind)


def teller(kind: str, start: float, number: int) -> str:
    """Return a cell that tells the number by each way of the kind, one after the other."""
    slot = _slot(kind)
    ways = {name: (way[0], way[2] if len(way) > 2 else "") for name, way in KINDS[kind].items()}
    return f"""{_TOOLS}{_MORE_TOOLS}
for at, (tell, before) in enumerate({ways!r}.values()):
    base = {start} + at * {(BITS + 1) * slot}
    time.sleep(max(0, base - time.time()))
    with contextlib.suppress(Exception): exec(before.partition('# listener')[0])
    for bit in range({BITS}):
        time.sleep(max(0, base + (bit + 1) * {slot} - time.time()))
        if {number} >> bit & 1:
            try: exec(tell)
            except Exception: pass
        time.sleep(max(0, base + (bit + 1.9) * {slot} - time.time()))
        with contextlib.suppress(Exception): let_go()
"""


def listener(kind: str, start: float) -> str:
    """Return a cell that shows, as JSON, what it heard in each slot by each way of the kind."""
    slot = _slot(kind)
    ways = {name: (way[1], way[2] if len(way) > 2 else "") for name, way in KINDS[kind].items()}
    return f"""{_TOOLS}{_MORE_TOOLS}
heard = {{}}
def listen(hear):
    try: return float(eval(hear))
    except OSError as error: return -float(error.errno or 0)
    except Exception as error: return -1000.0
for at, (name, (hear, before)) in enumerate({ways!r}.items()):
    base, heard[name] = {start} + at * {(BITS + 1) * slot}, []
    time.sleep(max(0, base - time.time()))
    with contextlib.suppress(Exception): exec(before)
    listen(hear)  # what counts from here on
    for bit in range({BITS}):
        time.sleep(max(0, base + (bit + 1.5) * {slot} - time.time()))
        heard[name].append(listen(hear))
print(json.dumps(heard))
"""


def share_told(heard: list[float], number: int) -> float:
    """Return the share of bits that the best threshold tells right, from what was heard of each."""
    bits = [bool(number >> bit & 1) for bit in range(BITS)]
    shares = []
    for limit in heard:
        right = sum((value >= limit) == bit for value, bit in zip(heard, bits, strict=True))
        shares += [right / BITS, 1 - right / BITS]
    return max(shares)


def tells(heard: list[float], number: int) -> bool:
    """Whether a threshold separates what was heard of set bits from what was heard of others."""
    return share_told(heard, number) == 1
