"""Submissions that want more than their share of time, memory, processes, disk or output."""

from tests.autograder.hostile.catalogue import Desk, submission

RIGHT = "def double(x):\n    return 2 * x\n"


@submission(points=3)
def endless_loop(desk: Desk):
    """The answer's cell never ends."""
    return desk.answered(double="while True: pass")


@submission(points=3)
def loop_that_swallows_interruptions(desk: Desk):
    """Every interruption is caught, again and again: only the end of the process helps."""
    return desk.answered(
        double="""
        def again():
            while True:
                try: again()
                except BaseException: again()
        again()
        """
    )


@submission(points=3)
def loop_in_c(desk: Desk):
    """One instruction that lasts for hours."""
    return desk.answered(double=f"{RIGHT}sum(range(10**13))")


@submission(points=3)
def loop_with_blocked_signals(desk: Desk):
    """No signal can be delivered."""
    return desk.answered(
        double="""
        import signal
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True: pass
        """
    )


@submission(points=3)
def loop_without_alarm(desk: Desk):
    """The timer that would interrupt the cell is turned off, and its handler replaced."""
    return desk.answered(
        double="""
        import signal
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True: pass
        """
    )


@submission(points=3)
def loop_in_the_function(desk: Desk):
    """Each call of the function never ends."""
    return desk.answered(double="def double(x):\n    while True: pass")


@submission(points=4)
def slow_for_negative_numbers(desk: Desk):
    """Only what a hidden test asks takes forever."""
    return desk.answered(
        double="""
        def double(x):
            import time
            if x < 0: time.sleep(1000)
            return 2 * x
        """
    )


@submission(points=3)
def never_ending_result(desk: Desk):
    """The function returns an iterator without an end."""
    return desk.answered(
        double="def double(x):\n    import itertools\n    return itertools.count()"
    )


@submission(points=3)
def generator_that_sleeps(desk: Desk):
    """The result is lazy: to look at it takes forever."""
    return desk.answered(
        double="""
        def double(x):
            import time
            while True:
                time.sleep(1000)
                yield x
        """
    )


@submission(points=6)
def stopped_child(desk: Desk):
    """A child stops itself, and the notebook waits for it."""
    return desk.with_cell("!kill -STOP $$", at=2)


@submission(points=6)
def stopped_process(desk: Desk):
    """The process stops itself and its whole group, after everything is answered."""
    return desk.with_cell("import os, signal\nos.kill(0, signal.SIGSTOP)")


@submission(points=6)
def memory_piece_by_piece(desk: Desk):
    """A list that grows until there is no memory left."""
    return desk.with_cell("hoard = []\nwhile True: hoard.append(bytearray(10**8))", at=2)


@submission(points=6)
def memory_at_once(desk: Desk):
    """An array of eighty gigabytes."""
    return desk.with_cell("import numpy\nnumpy.ones(10**10)", at=2)


@submission(points=3)
def memory_in_the_function(desk: Desk):
    """Each call wants eighty gigabytes."""
    return desk.answered(double="def double(x):\n    return [x] * 10**10")


@submission(points=3)
def result_too_long_to_pass(desk: Desk):
    """The function returns a hundred megabytes."""
    return desk.answered(double="def double(x):\n    return b'x' * 10**8")


@submission(points=3)
def number_with_a_million_digits(desk: Desk):
    """The function returns an integer that takes hours to print."""
    return desk.answered(double="def double(x):\n    return 1 << 30_000_000")


@submission(points=3)
def millions_of_small_values(desk: Desk):
    """The function returns lists that are short on the way and long in memory."""
    return desk.answered(double="def double(x):\n    return [[]] * 4_000_000")


@submission(points=3)
def a_million_objects(desk: Desk):
    """The function returns more objects than the examiner will keep track of."""
    return desk.answered(double="def double(x):\n    return [object() for _ in range(1_100_000)]")


@submission(points=6)
def processes(desk: Desk):
    """A thousand processes."""
    return desk.with_cell(
        "import subprocess\np = [subprocess.Popen(['sleep', '27182']) for _ in range(1000)]", at=2
    )


@submission(points=6)
def fork_bomb(desk: Desk):
    """Processes that fork without end, after everything is answered."""
    return desk.with_cell("import os\nwhile True: os.fork()")


@submission(points=6)
def shell_bomb(desk: Desk):
    """The same, in a shell."""
    return desk.with_cell("!bomb() { bomb | bomb & }; bomb")


@submission(points=6)
def threads(desk: Desk):
    """A thousand threads."""
    return desk.with_cell(
        """
        import threading, time
        for _ in range(1000): threading.Thread(target=time.sleep, args=(1000,)).start()
        """,
        at=2,
    )


@submission(points=6)
def descriptors(desk: Desk):
    """Every file descriptor that can be had, kept."""
    return desk.with_cell("kept = []\nwhile True: kept.append(open('/dev/null'))", at=2)


@submission(points=6)
def disk_in_one_file(desk: Desk):
    """A file without end, in every place that can be written."""
    return desk.with_cell(
        """
        for folder in (".", "/tmp", "/dev/shm", "/var/tmp"):
            try:
                with open(f"{folder}/hostile-file", "wb") as file:
                    while True: file.write(bytes(10**6))
            except OSError as error: print(error)
        """,
        at=2,
    )


@submission(points=6)
def disk_in_many_files(desk: Desk):
    """Files without number."""
    return desk.with_cell("for i in range(10**6): open(f'hostile-{i}', 'wb').close()", at=2)


@submission(points=6)
def disk_without_a_name(desk: Desk):
    """Files in memory, which no directory shows."""
    return desk.with_cell(
        """
        import os
        kept = [os.memfd_create(f"hostile-{i}") for i in range(4)]
        for file in kept:
            try:
                while True: os.write(file, bytes(10**7))
            except OSError as error: print(error)
        """,
        at=2,
    )


@submission(points=6)
def many_lines(desk: Desk):
    """A flood of lines."""
    return desk.with_cell("for i in range(10**6): print('flood')", at=2)


@submission(points=6)
def one_line(desk: Desk):
    """A flood without a line's end."""
    return desk.with_cell("print('flood' * 10**7)", at=2)


@submission(points=6)
def flood_by_a_child(desk: Desk):
    """A flood that another program writes."""
    return desk.with_cell("!head -c 200000000 /dev/zero | tr '\\0' x", at=2)


@submission(points=6)
def flood_into_descriptor(desk: Desk):
    """A flood past Python's own streams, until no more can be written."""
    return desk.with_cell("import os\nwhile True: os.write(1, b'flood' * 10**5)", at=2)


@submission(points=6)
def flood_in_tests(desk: Desk):
    """Each call of a right function prints for megabytes."""
    return desk.answered(double="def double(x):\n    print('flood' * 10**6)\n    return 2 * x")


@submission(points=6)
def gigantic_display(desk: Desk):
    """One rich output of fifty megabytes."""
    return desk.with_cell("display({'text/html': '<b>flood</b>' * 4_000_000}, raw=True)", at=2)


@submission(points=6)
def many_displays(desk: Desk):
    """A hundred thousand rich outputs."""
    return desk.with_cell("for i in range(10**5): display('flood')", at=2)


@submission(points=6)
def gigantic_figure(desk: Desk):
    """A figure of a hundred gigapixels."""
    return desk.with_cell(
        "import matplotlib.pyplot as plt\nplt.figure(figsize=(9000, 9000)); plt.plot([1, 2])", at=2
    )


@submission(points=6)
def background_process(desk: Desk):
    """A daemon of its own session, which would outlive the notebook."""
    return desk.with_cell(
        """
        import os, subprocess
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0: os.execvp("sleep", ["sleep", "27182"])
            os._exit(0)
        subprocess.Popen("trap '' HUP TERM INT; while :; do sleep 27182; done", shell=True);
        """,
        at=2,
    )


@submission(points=6)
def background_thread_that_prints(desk: Desk):
    """A thread that goes on printing into the cells that follow."""
    return desk.with_cell(
        """
        import threading, time
        def chatter():
            while True:
                print("chatter"); time.sleep(0.001)
        threading.Thread(target=chatter, daemon=True).start()
        """,
        at=2,
    )


@submission(points=6)
def sleep_in_an_import(desk: Desk):
    """A module of the student's own that never ends loading."""
    return desk.with_cell(
        """
        import sys
        open("slow.py", "w").write("import time; time.sleep(1000)")
        sys.path.insert(0, ".")
        import slow
        """,
        at=2,
    )


@submission(points=6)
def recursion(desk: Desk):
    """A recursion without an end."""
    return desk.with_cell("def again(): again()\nagain()", at=2)


@submission(points=6)
def endless_representation(desk: Desk):
    """The last line is an object that takes forever to be shown."""
    return desk.with_cell(
        """
        class Endless:
            def __repr__(self):
                while True: pass
        Endless()
        """,
        at=2,
    )


@submission(points=3)
def endless_error(desk: Desk):
    """An error whose message takes forever to be shown."""
    return desk.answered(
        double="""
        class Endless(Exception):
            def __str__(self):
                while True: pass
        raise Endless
        """
    )


@submission(points=6)
def backtracking(desk: Desk):
    """A regular expression that takes exponential time."""
    return desk.with_cell("import re\nre.match('(a+)+$', 'a' * 50 + 'b')")
