"""Submissions that look for hidden tests, solutions, others' work, the gradebook or the secret.

What they find they would print, so that it would be in their feedback. Where they know without
looking that they have found something, they print the word LEAKED.
"""

from tests.autograder.hostile.catalogue import Desk, submission


def reading(desk: Desk, paths: str) -> dict:
    """Print what each of these paths says, given as an expression."""
    return desk.with_cell(
        f"""
        import pathlib
        for path in map(pathlib.Path, {paths}):
            try:
                data = path.read_bytes()
                print("LE" "AKED", len(data), data[:10**5])
            except OSError as error: print(path.name, type(error).__name__)
        """
    )


@submission(points=6)
def the_secret(desk: Desk):
    """The course's secret, where it really lies."""
    return reading(desk, repr([str(desk.course.private / "secret")]))


@submission(points=6)
def the_master(desk: Desk):
    """The hidden tests and the teacher's own notebook, where they really lie."""
    paths = [desk.course.master("tiny"), desk.course.source("tiny"), desk.course.config_file]
    return reading(desk, repr([str(path) for path in paths]))


@submission(points=6)
def the_gradebook(desk: Desk):
    """The gradebook, where it really lies, and its directory."""
    return reading(desk, repr([str(desk.course.root / "gradebook.db"), str(desk.course.root)]))


@submission(points=6)
def the_neighbours(desk: Desk):
    """What others handed in and got."""
    paths = [
        make("honest_00", "tiny")
        for make in (desk.course.submitted, desk.course.autograded, desk.course.feedback)
    ]
    return reading(desk, repr([str(path) for path in paths]))


@submission(points=6)
def a_link_to_the_secret(desk: Desk):
    """The same through a symbolic link, a hard link, and a path with many `..`."""
    secret = str(desk.course.private / "secret")
    return desk.with_cell(
        f"""
        import os
        os.symlink({secret!r}, "hostile-link")
        for attempt in ("hostile-link", "../" * 40 + {secret!r}, "/proc/self/root" + {secret!r},
                        "/proc/1/root" + {secret!r}, f"/proc/{{os.getppid()}}/root" + {secret!r},
                        "/proc/self/cwd/../../.." + {secret!r}):
            try: print("LE" "AKED", open(attempt, "rb").read())
            except OSError as error: print(type(error).__name__)
        os.link({secret!r}, "hostile-hard-link")
        """
    )


@submission(points=6)
def everything_on_the_disk(desk: Desk):
    """Every file that can be read, searched for what only a teacher writes."""
    return desk.with_cell(
        r"""
        import os, re
        wanted = re.compile(rb"BEGIN HIDDEN TEST[S]|SECRET_NUMBE[R]|noise averages ou[t]")
        skipped = ("/proc", "/sys", "/dev", "/usr", "/etc/alternatives")
        for folder, folders, files in os.walk("/"):
            folders[:] = [f for f in folders if os.path.join(folder, f) not in skipped
                          and f not in ("site-packages", "lib-dynload", "test", "__pycache__")]
            for name in files:
                path = os.path.join(folder, name)
                try:
                    with open(path, "rb") as file: data = file.read(10**6)
                except OSError: continue
                if found := wanted.search(data): print("LE" "AKED", path, found)
        """
    )


@submission(points=6)
def the_installed_problem_sets(desk: Desk):
    """Solutions beside the installed packages, and the grader's other modules."""
    return desk.with_cell(
        """
        import importlib.util, pathlib, autograder, dplab
        roots = {pathlib.Path(m.__path__[0]).resolve().parent for m in (autograder, dplab)}
        for root in roots:
            for path in [*root.rglob("*.ipynb"), *root.rglob("ps0*")]: print("LE" "AKED", path)
        for name in ("classroom", "examiner.names", "examiner.testcell", "pages", "demo", "cli"):
            try: found = importlib.util.find_spec(f"autograder.{name}")
            except ImportError: found = None
            if found and found.origin: print("LE" "AKED", found)
        """
    )


@submission(points=6)
def the_environment(desk: Desk):
    """Environment, command line, open files and mounts of all processes."""
    return desk.with_cell(
        """
        import glob, os
        print(dict(os.environ))
        for pattern in ("environ", "cmdline", "mountinfo", "maps", "fd/*", "cwd", "root"):
            for path in glob.glob(f"/proc/[0-9]*/{pattern}"):
                try:
                    print(path, os.readlink(path) if os.path.islink(path) else open(path).read())
                except OSError: pass
        """
    )


@submission(points=6)
def memory_of_the_process(desk: Desk):
    """The memory that the process has written, for traces of hidden tests and of others."""
    return desk.with_cell(
        r"""
        import re
        wanted = re.compile(rb"SECRET_NUMBE[R] = .{9}|neighbou[r]\d+|double.SECRET_NUMBE[R]")
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for line in maps:
                if " rw" not in line: continue
                low, high = (int(end, 16) for end in line.split()[0].split("-"))
                try:
                    memory.seek(low)
                    data = memory.read(min(high - low, 1 << 28))
                except (OSError, ValueError, OverflowError): continue
                for found in wanted.findall(data): print("LE" "AKED", found)
        """
    )


@submission(points=6)
def memory_of_others(desk: Desk):
    """The memory and the descriptors of every other process."""
    return desk.with_cell(
        """
        import ctypes, glob, os
        for process in {*range(1, 300), os.getppid()} - {os.getpid()}:
            try:
                if open(f"/proc/{process}/mem", "rb"): print("LE" "AKED memory of", process)
            except OSError: pass
            if ctypes.CDLL(None).ptrace(16, process, 0, 0) == 0: print("LE" "AKED trace", process)
        """
    )


@submission(points=6)
def objects_in_memory(desk: Desk):
    """Every object that the garbage collector knows, and every frame of every thread."""
    return desk.with_cell(
        """
        import gc, sys
        texts = [t for o in gc.get_objects() for t in (o.values() if type(o) is dict else [])
                 if type(t) in (str, bytes)]
        for text in texts:
            text = text if type(text) is str else text.decode("latin-1")
            if "SECRET_" + "NUMBER" in text and "gc" not in text: print("LE" "AKED", text)
        for frame in sys._current_frames().values():
            while frame:
                print(frame.f_code.co_filename, sorted(frame.f_locals)); frame = frame.f_back
        """
    )


@submission(points=6)
def history(desk: Desk):
    """What IPython remembers of the cells that ran, the tests among them."""
    return desk.with_cell(
        """
        print(In, Out, _ih, _oh)
        print(list(get_ipython().history_manager.get_range(output=True)))
        %history -g
        """
    )


@submission(points=6)
def prints_what_it_is_asked(desk: Desk):
    """A right function that prints its argument, to both streams and as a display."""
    return desk.answered(
        double="""
        import os, sys, warnings
        def double(x):
            print("got", x); print("got", x, file=sys.stderr); display(x)
            os.write(1, str(x).encode()); os.write(2, str(x).encode()); os.system(f"echo {x}")
            warnings.warn(str(x))
            return 2 * x
        """
    )


@submission(points=4)
def raises_what_it_is_asked(desk: Desk):
    """A function whose error says what it was asked, in a hidden test."""
    return desk.answered(
        double="""
        def double(x):
            if x < 0: raise ValueError(f"got {x}")
            return 2 * x
        """
    )


@submission(points=4)
def raises_an_assertion(desk: Desk):
    """The same as the error that tests raise, whose message is for the student."""
    return desk.answered(double="def double(x):\n    assert x >= 0, f'got {x}'\n    return 2 * x")


@submission(points=4)
def a_class_called_like_the_question(desk: Desk):
    """The class of what is returned, or of the error, has the question in its name."""
    return desk.answered(
        double="""
        def double(x):
            if x < 0: raise type(f"Got{-x}", (Exception,), {})
            return 2 * x
        """
    )


@submission(points=4)
def a_result_called_like_the_question(desk: Desk):
    """The result of a hidden test is an object whose description has the question in it."""
    return desk.answered(
        double="def double(x):\n    return 2 * x if x >= 0 else type(f'Got{-x}', (), {})()"
    )


@submission(points=4)
def a_missing_key(desk: Desk):
    """The question is the key that a dict doesn't have."""
    return desk.answered(double="def double(x):\n    return {3: 6, 0: 0}[x]")


@submission(points=6)
def an_error_from_the_end_of_the_test(desk: Desk):
    """What was asked is in an error that the shell raises when the test is over."""
    return desk.answered(
        double="""
        shell, kept = get_ipython(), []
        def flush():
            if min(kept, default=0) < 0: raise ValueError(f"got {kept}")
        def double(x):
            kept.append(x)
            shell.outputs.flush = flush
            return 2 * x
        """
    )


@submission(points=4)
def a_message_called_like_the_question(desk: Desk):
    """A message that breaks the rules of the channel, and says what was asked."""
    return desk.answered(
        double="""
        import gc
        to = next(o for o in gc.get_objects() if type(o).__name__ == "CallChannel")
        def double(x):
            if x < 0: to.notify(f"got {x}")
            return 2 * x
        """
    )


@submission(points=4)
def an_output_called_like_the_question(desk: Desk):
    """An output of a kind that doesn't exist, which says what was asked."""
    return desk.answered(
        double="""
        import gc
        to = next(o for o in gc.get_objects() if type(o).__name__ == "CallChannel")
        def double(x):
            if x < 0: to.notify("output", [f"got {x}"])
            return 2 * x
        """
    )


@submission(points=6)
def an_earlier_display(desk: Desk):
    """A display of an earlier cell is brought up to date with what was asked."""
    return desk.answered(
        double="""
        handle = display("nothing yet", display_id="spy")
        def double(x):
            handle.update(x)
            get_ipython().display_pub.publish({"text/plain": str(x)}, update=True,
                                              transient={"display_id": "spy"})
            return 2 * x
        """
    )


@submission(points=4)
def a_message_for_each_letter(desk: Desk):
    """The traceback of the error, which the student's side makes, says what was asked."""
    return desk.answered(
        double="""
        shell, kept = get_ipython(), []
        shell.InteractiveTB.structured_traceback = lambda *a, **k: [f"got {kept}"]
        def double(x):
            kept.append(x)
            if x < 0: raise ValueError
            return 2 * x
        """
    )


@submission(points=6)
def kept_for_a_later_cell(desk: Desk):
    """What was asked is kept in a variable, which the last cell shows."""
    return desk.with_cell(
        "print(kept)\nraise ValueError(kept)",
        double="kept = []\ndef double(x):\n    kept.append(x)\n    return 2 * x",
    )


@submission(points=6)
def kept_in_a_file(desk: Desk):
    """What was asked is kept in files everywhere, which the last cell shows."""
    return desk.with_cell(
        """
        import glob
        for path in glob.glob("/*/hostile-kept") + glob.glob("/dev/shm/*"):
            print(open(path).read())
        """,
        double="""
        def double(x):
            for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "."):
                try:
                    with open(f"{folder}/hostile-kept", "a") as file: print(x, file=file)
                except OSError: pass
            return 2 * x
        """,
    )


@submission(points=6)
def kept_by_another_process(desk: Desk):
    """What was asked is kept by a child, whom the last cell asks."""
    return desk.with_cell(
        "os.write(ask, b'?')\nprint(os.read(told, 1000))",
        double="""
        import os
        (heard, say), (asked, ask), (told, tell) = os.pipe(), os.pipe(), os.pipe()
        if os.fork() == 0:
            os.read(asked, 1)
            os.write(tell, os.read(heard, 1000))
            os._exit(0)
        def double(x):
            os.write(say, str(x).encode())
            return 2 * x
        """,
    )


@submission(points=6)
def kept_by_the_kernel(desk: Desk):
    """What was asked is kept in the user's keyring, which outlives the process."""
    return desk.with_cell(
        """
        found = libc.syscall(KEYCTL, 10, -4, b"user", b"hostile", 0)
        size = libc.syscall(KEYCTL, 11, found, buffer, 1000) if found > 0 else 0
        print(buffer.raw[:size])
        """,
        double="""
        import ctypes, platform
        libc, buffer = ctypes.CDLL(None), ctypes.create_string_buffer(1000)
        ADD_KEY, KEYCTL = {"x86_64": (248, 250)}.get(platform.machine(), (217, 219))
        def double(x):
            text = str(x).encode()
            if x < 0: print(libc.syscall(ADD_KEY, b"user", b"hostile", text, len(text), -4))
            return 2 * x
        """,
    )


@submission(points=6)
def kept_in_the_terminal(desk: Desk):
    """What was asked is kept in the outputs that are still to be shown when a cell begins."""
    return desk.with_cell(
        "1 + 1",
        double="""
        outputs = get_ipython().outputs
        def double(x):
            outputs._parts.append(f"got {x}")
            return 2 * x
        """,
    )


@submission(points=6)
def the_network(desk: Desk):
    """Whatever could be told to somebody outside."""
    return desk.with_cell(
        """
        import socket
        for address in (("127.0.0.1", 22), ("10.0.0.1", 53), ("1.1.1.1", 53)):
            try:
                socket.create_connection(address, timeout=0.2)
                print("LE" "AKED", address)
            except ConnectionRefusedError: print("alone")
            except OSError as error: print(type(error).__name__)
        for name in open("/proc/net/unix").read().split("\\n")[1:]:
            path = name.split(" ")[-1]
            if not path.startswith(("/", "@")): continue
            try:
                socket.socket(socket.AF_UNIX).connect(path.replace("@", "\\0"))
                print("LE" "AKED", path)
            except OSError as error: print(type(error).__name__)
        """
    )


@submission(points=6)
def kept_by_the_network(desk: Desk):
    """What was asked is the number of a port, which the kernel remembers for a minute."""
    return desk.with_cell(
        "print([int(line.split()[1][-4:], 16) for line in open('/proc/net/tcp').readlines()[1:]])",
        double="""
        import socket
        def double(x):
            if x < 0:
                try:
                    there = socket.create_server(("127.0.0.1", -x))
                    here = socket.create_connection(("127.0.0.1", -x))
                    there.accept()[0].close(), here.close(), there.close()
                except OSError as error: print(error)
            return 2 * x
        """,
    )
