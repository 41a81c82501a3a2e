"""Submissions that end, break or damage the process that runs them."""

from tests.autograder.hostile.catalogue import Desk, submission


@submission(points=3)
def sys_exit(desk: Desk):
    """`sys.exit` in an answer."""
    return desk.answered(double="import sys\nsys.exit(0)")


@submission(points=3)
def quit_in_the_function(desk: Desk):
    """The function leaves with `SystemExit`."""
    return desk.answered(double="def double(x):\n    raise SystemExit(0)")


@submission(points=3)
def an_error_that_no_file_can_hold(desk: Desk):
    """The function's error is a lone surrogate, which can't be written as UTF-8."""
    return desk.answered(double="def double(x):\n    raise ValueError('\\ud800')")


@submission(points=6)
def quit_at_the_end(desk: Desk):
    """`quit()` after everything is answered."""
    return desk.with_cell("quit()")


@submission(points=3)
def os_exit(desk: Desk):
    """The process ends in the first answer, with the status of success."""
    return desk.answered(double="import os\nos._exit(0)")


@submission(points=3)
def os_exit_in_the_function(desk: Desk):
    """The process ends when a test calls."""
    return desk.answered(double="import os\ndef double(x):\n    os._exit(0)")


@submission(points=4)
def os_exit_in_a_hidden_test(desk: Desk):
    """The process ends when a hidden test calls."""
    return desk.answered(
        double="""
        import os
        def double(x):
            if x < 0: os._exit(0)
            return 2 * x
        """
    )


@submission(points=3)
def os_exit_after_the_first_exercise(desk: Desk):
    """What was examined before the process ended keeps its points."""
    return desk.answered(mean="import os\nos.abort()")


@submission(points=3)
def segmentation_fault(desk: Desk):
    """Memory that isn't there is read."""
    return desk.answered(double="import ctypes\nctypes.string_at(0)")


@submission(points=3)
def stack_overflow(desk: Desk):
    """A recursion in C that overflows the stack."""
    return desk.answered(
        double="""
        import sys
        sys.setrecursionlimit(10**9)
        value = ()
        for _ in range(10**6): value = (value,)
        hash(value)
        """
    )


@submission(points=3)
def kill_everybody(desk: Desk):
    """Parent, siblings, the group and every process that there may be."""
    return desk.answered(
        double="""
        import os, signal
        for target in (os.getppid(), 1, 0, -1, *range(2, 70_000), os.getpid()):
            for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
                try: os.kill(target, number)
                except OSError: pass
        os._exit(1)
        """
    )


@submission(points=3)
def close_everything(desk: Desk):
    """All descriptors are closed, the channel to the tests among them."""
    return desk.answered(double="import os\nos.closerange(0, 1024)")


@submission(points=6)
def close_standard_streams(desk: Desk):
    """Descriptors 0, 1, 2 and Python's own streams are closed or gone."""
    return desk.with_cell(
        """
        import os, sys
        for stream in (sys.stdin, sys.stdout, sys.stderr): stream.close()
        sys.stdin = sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None
        for number in (0, 1, 2): os.close(number)
        """
    )


@submission(points=3)
def keyboard_interrupt(desk: Desk):
    """The function raises what Ctrl-C raises."""
    return desk.answered(double="def double(x):\n    raise KeyboardInterrupt")


@submission(points=3)
def stop_iteration(desk: Desk):
    """The function raises what ends loops silently."""
    return desk.answered(double="def double(x):\n    raise StopIteration")


@submission(points=3)
def generator_exit(desk: Desk):
    """The function raises what no `except Exception` catches."""
    return desk.answered(double="def double(x):\n    raise GeneratorExit")


@submission(points=3)
def error_that_cannot_be_shown(desk: Desk):
    """The error's message, name and arguments raise errors in turn."""
    return desk.answered(
        double="""
        class Spiteful(Exception):
            args = property(lambda self: 1 / 0)
            __str__ = __repr__ = lambda self: 1 / 0
        def double(x):
            raise Spiteful
        raise Spiteful
        """
    )


@submission(points=3)
def group_of_errors(desk: Desk):
    """A tree of ten thousand errors."""
    return desk.answered(
        double="""
        def double(x):
            errors = [ValueError(i) for i in range(100)]
            raise ExceptionGroup("many", [ExceptionGroup("more", errors) for _ in range(100)])
        """
    )


@submission(points=3)
def error_that_leads_to_itself(desk: Desk):
    """A chain of causes without an end."""
    return desk.answered(
        double="""
        def double(x):
            first, second = ValueError("a"), ValueError("b")
            first.__cause__, second.__cause__ = second, first
            raise first
        """
    )


@submission(points=3)
def no_builtins(desk: Desk):
    """All builtin functions are deleted."""
    return desk.answered(double="import builtins\nbuiltins.__dict__.clear()")


@submission(points=3)
def no_channel(desk: Desk):
    """Every attribute of every object that talks to the tests is deleted."""
    return desk.answered(
        double="""
        import gc
        for thing in gc.get_objects():
            if type(thing).__module__.startswith("autograder"):
                getattr(thing, "__dict__", {}).clear()
        """
    )


@submission(points=6)
def forked_notebook(desk: Desk):
    """From here on two processes run the notebook."""
    return desk.with_cell("import os\nos.fork()", at=2)


@submission(points=6)
def exit_handlers(desk: Desk):
    """What runs at the end of a process never ends."""
    return desk.with_cell(
        "import atexit, time\natexit.register(time.sleep, 1000)\natexit.register(exit)", at=2
    )


@submission(points=6)
def thread_that_interrupts(desk: Desk):
    """A thread raises an error in the main one after everything is answered."""
    return desk.with_cell(
        """
        import ctypes, threading, time
        main = threading.get_ident()
        def disturb():
            for _ in range(1000):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(main), ctypes.py_object(KeyboardInterrupt))
                time.sleep(0.001)
        threading.Thread(target=disturb, daemon=True).start()
        time.sleep(0.1)
        """
    )


@submission(points=6)
def kill_everybody_else(desk: Desk):
    """All processes that the user may kill, at one stroke, which spares the one that strikes."""
    return desk.with_cell("import os, signal\nos.kill(-1, signal.SIGKILL)", at=2)


@submission(points=6)
def deaf_channel(desk: Desk):
    """The channel to the tests is shut in one direction: nothing more can be said."""
    return desk.with_cell(
        """
        import gc, socket
        to = next(o for o in gc.get_objects() if type(o).__name__ == "CallChannel")
        to._frames._socket.shutdown(socket.SHUT_WR)
        """,
        at=2,
    )


@submission(points=3)
def broken_pipe(desk: Desk):
    """The function writes to a pipe without a reader."""
    return desk.answered(
        double="""
        import os
        reading, writing = os.pipe()
        os.close(reading)
        def double(x):
            os.write(writing, b"x")
            return 2 * x
        """
    )


@submission(points=0)
def format_that_is_no_text(desk: Desk):
    """An old format that is called by half a character: the reason couldn't be written into any
    file. Succeeded before: nobody of the class was graded."""
    return b'{"nbformat": "\\ud800", "worksheets": []}'
