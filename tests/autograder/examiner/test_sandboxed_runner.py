"""A notebook in two rooms: outputs as a kernel's, points as deserved, everything contained."""

from __future__ import annotations

import os
import pickle
import textwrap
import time
from pathlib import Path

import nbformat
import pytest
from matplotlib.pyplot import close, figure
from nbformat.v4 import new_code_cell, new_notebook

from autograder.examiner import verdicts
from autograder.examiner.needed_modules import find_needed_modules
from autograder.examiner.reports import join_reports
from autograder.examiner.sandboxed_runner import (
    CellRun,
    Incident,
    Limits,
    SandboxedRunner,
    _reports,
)
from autograder.sandbox import layers, probing
from tests.autograder.examiner.cells import (
    LIMITS,
    check,
    error_of,
    locked,
    outputs,
    student,
    text_of,
    written,
)

# --- honest notebooks -----------------------------------------------------------------------


def test_a_student_s_cell_shows_what_a_kernel_shows(rooms):
    found = outputs(
        rooms,
        student(
            """
            import sys, subprocess, matplotlib.pyplot as plt
            print("one"); print("two")
            print("careful", file=sys.stderr)
            display({"a": 1})
            plt.plot([1, 2])
            40 + 2
            """
        ),
    )
    kinds = [(output["output_type"], output.get("name")) for output in found]
    assert kinds == [
        ("stream", "stdout"),
        ("stream", "stderr"),
        ("display_data", None),
        ("execute_result", None),
        ("display_data", None),
    ]
    assert found[0]["text"] == "one\ntwo\n"
    assert found[3]["data"] == {"text/plain": "42"}
    assert found[3]["execution_count"] == 1
    assert found[4]["data"]["image/png"].startswith("iVBOR")


def test_an_error_is_shown_as_a_kernel_shows_it(rooms):
    found = outputs(rooms, student("x = 1"), student("def f():\n    return 1 / 0\nf()"))
    assert (found[0]["ename"], found[0]["evalue"]) == ("ZeroDivisionError", "division by zero")
    plain = "\n".join(found[0]["traceback"])
    assert "In[2]" in plain
    assert "\x1b[" in plain


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("!echo hello", "hello\n"),
        ("import os; os.system('echo hello');", "hello\n"),
        ("import subprocess; subprocess.run(['echo', 'hello']);", "hello\n"),
        ("import os; os.write(1, b'hello\\n');", "hello\n"),
        ("%time print('hello')", "hello\n"),
        ("files = !echo hello\nprint(files[0])", "hello\n"),
        ("import asyncio\nawait asyncio.sleep(0)\nprint('hello')", "hello\n"),
        ("%%bash\necho hello", "hello\n"),
        (
            "import multiprocessing.pool as p\nprint(*p.Pool(2).map(str.lower, ['HELLO']))",
            "hello\n",
        ),
        ("print('hel', end='')\nprint('lo')", "hello\n"),
    ],
)
def test_the_ways_to_say_hello(rooms, source, expected):
    assert expected in text_of(outputs(rooms, student(source)))


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline",
        "import ipywidgets; ipywidgets.interact(lambda x: x, x=3);",
        "from IPython.display import clear_output; clear_output(wait=True)",
        "h = display('a', display_id=True); h.update('b')",
        "import warnings; warnings.warn('careful')",
        "import pandas",
        "x = 1;",
        "",
        "# only a comment",
    ],
)
def test_what_notebooks_do_is_tolerated(rooms, source):
    assert error_of(rooms, student(source)) is None


def test_input_is_refused_clearly(rooms):
    assert "nobody can answer" in error_of(rooms, student("input('name?')"))


def test_all_outputs_are_valid_in_a_notebook(rooms):
    cells = [
        student("display({'a': 1}); print('x'); 1"),
        student("1/0"),
        student("import matplotlib.pyplot as plt; plt.plot([1])"),
        student(
            "from IPython.display import HTML, Image, JSON\ndisplay(HTML('<b>'), JSON({'a': 1}))"
        ),
        student("import sys; sys.stdout.write('\\ud800')"),
        check("1 / 0"),
    ]
    run = rooms.run(cells, b"")
    made = [
        new_code_cell(cell.source, outputs=written(cell_run))
        for cell, cell_run in zip(cells, run.cells, strict=True)
    ]
    notebook = nbformat.from_dict(new_notebook(cells=made))
    nbformat.validate(notebook)
    nbformat.writes(notebook).encode("utf-8")


def test_counts_run_as_in_a_kernel(rooms):
    run = rooms.run([student("1"), student(""), student("2"), check("3")], b"")
    assert [cell.execution_count for cell in run.cells] == [1, None, 2, 3]


def test_tests_see_the_names_of_both_rooms(rooms):
    cells = [
        locked("import numpy as np\n%matplotlib inline\nlimit = 5"),
        student("def f(x):\n    return np.minimum(x, limit)"),
        check("def helper(x):\n    return f(x) + sum([limit])"),
        check("assert helper(np.arange(9)).max() == 10"),
    ]
    assert error_of(rooms, *cells) is None


def test_names_that_nobody_defines(rooms):
    assert error_of(rooms, check("nothing")) == "NameError: name 'nothing' is not defined"


def test_a_failed_test_names_its_line_and_shows_no_source(rooms):
    cell = check("x = 1\nhidden_answer = 1234\nassert hidden_answer == 5, 'wrong median'")
    (found,) = outputs(rooms, cell)
    assert (found["ename"], found["evalue"]) == ("AssertionError", "wrong median")
    shown = "\n".join(found["traceback"])
    assert "line 3" in shown
    assert "hidden_answer" not in shown
    assert os.path.dirname(layers.__file__) not in shown


def test_an_error_in_the_student_s_code_is_shown_with_their_own_lines_only(rooms):
    (found,) = outputs(
        rooms, student("def f(x):\n    return 1 / x"), check("hidden = 0\nf(hidden)")
    )
    shown = "\n".join(found["traceback"])
    assert found["ename"] == "ZeroDivisionError"
    assert "In[1]" in shown
    assert "hidden" not in shown
    assert "autograder" not in shown


@pytest.mark.parametrize("source", ["print(f(", "f(1)\n  g(2)", "f(hidden_1234,"])
def test_a_syntax_error_in_a_test_shows_no_source(rooms, source):
    (found,) = outputs(rooms, check(source))
    assert "hidden_1234" not in str(found)
    assert found["ename"] in ("SyntaxError", "IndentationError")


def test_the_last_value_of_a_test_is_its_partial_credit(rooms):
    (found,) = outputs(rooms, check("import numpy as np\nnp.float64(0.5)"))
    assert found["output_type"] == "execute_result"
    assert float(found["data"]["text/plain"]) == 0.5


def test_parts_of_a_test_have_points_and_messages_of_their_own(rooms):
    work = student(
        """
        def half(x):
            print("mine")
            return x / 2 if x else "nothing"
        """
    )
    test = """
        from autograder import checks
        points = checks.Points()
        with points.part(1.5):
            checks.call(half, 4).gives(2)
        with points.part(1):
            checks.call(half, 0).gives(0, "What is half of nothing?")
        with points.part(0.5):
            half(1, 2)
        points
        """
    result = next(o for o in outputs(rooms, work, check(test)) if "data" in o)
    assert result["data"]["text/plain"] == "1.5"
    type_message, error = result["data"]["application/vnd.dplab.messages+json"]
    assert type_message.startswith("half(0) should be a number, it is 'nothing'")
    assert error.startswith("TypeError: half() takes 1 positional argument")


def test_what_a_test_prints_and_draws_is_shown(rooms):
    found = outputs(
        rooms,
        student("import matplotlib.pyplot as plt\ndef f():\n    print('mine'); plt.plot([1, 2])"),
        check("import matplotlib.pyplot as plt\nprint('yours'); f(); plt.plot([3]);"),
    )
    assert text_of(found) == "yours\nmine\n"
    assert [output["output_type"] for output in found].count("display_data") == 2


def test_an_open_figure_of_the_process_that_grades_is_not_shown(rooms):
    figure()
    try:
        assert outputs(rooms, check("import matplotlib.pyplot as plt")) == []
    finally:
        close("all")


def test_warnings_of_a_test_do_not_cost_points(rooms):
    found = outputs(
        rooms, check("import warnings, sys\nwarnings.warn('x')\nprint(1, file=sys.stderr)")
    )
    assert [output["name"] for output in found] == ["stdout"]


def test_a_student_s_stderr_and_results_in_a_test_cannot_decide_points(rooms):
    found = outputs(
        rooms,
        student(
            """
            def f():
                import sys, warnings, IPython
                print("x", file=sys.stderr); warnings.warn("y")
                sys.displayhook(0.5)
                get_ipython().showtraceback((ValueError, ValueError(), None))
                get_ipython().run_cell("3")
            """
        ),
        check("f()"),
    )
    kinds = {(output["output_type"], output.get("name")) for output in found}
    assert kinds <= {("stream", "stdout"), ("display_data", None)}


def test_an_oracle_of_a_test_keeps_its_secret(rooms):
    cells = [
        student(
            """
            def attack(oracle):
                import gc, sys
                seen = [repr(x) for x in gc.get_objects()] + [repr(sys._getframe(1).f_locals)]
                assert not any("terces"[::-1].upper() in x for x in seen)
                return sum(oracle(i) for i in range(10))
            """
        ),
        check(
            """
            secret = "SECRET" + str(4)
            assert attack(lambda i: i * len(secret)) == 45 * 7
            """
        ),
    ]
    assert error_of(rooms, *cells) is None


def test_a_call_for_each_argument_is_one_message(rooms):
    work = student(
        """
        asked = []
        def inverse(x):
            asked.append(x)
            return 1 / x
        """
    )
    test = """
        from autograder import checks
        from autograder.wire.channel import CallChannel
        sent, request = [], CallChannel.request
        CallChannel.request = lambda self, *words: sent.append(words[0]) or request(self, *words)
        for found, x in zip(checks.call_each(inverse, [(1,), (2,), (4,)]), (1, 2, 4)):
            found.gives(1 / x)
        half, none, quarter = checks.call_each(inverse, [(2,), (0,), (4,)])
        half.gives(0.5)
        none.raises(ZeroDivisionError)
        quarter.gives(0.25)
        assert sent.count("steps") == 2 and "call" not in sent, sent
        assert list(asked) == [1, 2, 4, 2, 0, 4]
        """
    assert error_of(rooms, work, check(test)) is None


def test_an_error_in_one_of_many_calls_is_shown_where_it_came_up(rooms):
    work = student("def inverse(x): return 1 / x")
    test = "from autograder import checks\nchecks.call_each(inverse, [(2,), (0,)])[1].gives(0)"
    run = rooms.run([work, check(test)], b"")
    assert "In the notebook's own code:" in run.cells[1].verdict.traceback


def test_steps_with_an_object_are_one_message_and_keep_their_own_errors(rooms):
    work = student(
        """
        class Account:
            def __init__(self): self.left = 2
            def pay(self, price):
                if price > self.left: raise ValueError("too much")
                self.left -= price
                return "paid"
            def leave(self): raise SystemExit
        """
    )
    test = """
        from autograder import checks
        from autograder.wire.channel import CallChannel
        account = Account()
        sent, request = [], CallChannel.request
        CallChannel.request = lambda self, *words: sent.append(words[0]) or request(self, *words)
        wanted = [("pay", 1.5), "left", ("pay", 1.5), ("leave",), "_x", "left", ("nothing", 1)]
        paid, left, refused, gone, hidden, still, missing = checks.steps(account, wanted)
        assert sent == ["steps"], sent
        assert (paid.result(), left.result(), still.result()) == ("paid", 0.5, 0.5)
        refused.raises(ValueError)
        assert gone.error.kind == "SystemExit"
        hidden.raises(AttributeError)
        missing.raises(AttributeError)
        assert [str(paid), str(left)] == ["pay(1.5)", "left"]
        """
    assert error_of(rooms, work, check(test)) is None


def test_objects_of_a_message_that_is_too_long_are_forgotten(rooms):
    work = student(
        """
        def many(): return [object() for _ in range(150_000)]
        def one(): return object()
        """
    )
    too_many = check("try: many()\nexcept MemoryError: pass", "too many")
    assert "more than 100,000 objects" in error_of(rooms, work, too_many)
    assert error_of(rooms, work, too_many, too_many, check("one()")) is None


def test_a_function_defined_again_is_the_new_one(rooms):
    first, second = student("def f(): return 1"), student("def f(): return 2", "again")
    tests = [check(f"assert f() == {value}", f"test {value}") for value in (1, 2)]
    run = rooms.run([first, tests[0], second, tests[1]], b"")
    assert not any(written(cell) for cell in run.cells)


def test_a_room_runs_where_its_worker_does(rooms):
    """Which is on one core, so that one student's threads don't slow the others down."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        found = outputs(rooms, student("import os; print(os.sched_getaffinity(0))"))
    finally:
        os.sched_setaffinity(0, cores)
    assert text_of(found) == f"{{{max(cores)}}}\n"


def test_both_rooms_share_one_core_while_a_notebook_runs(rooms):
    """On two they would wait for each other's to wake up at every message."""
    cores = os.sched_getaffinity(0)
    where = "import os\ndef where(): return sorted(os.sched_getaffinity(0))"
    asked = "import os\nassert where() == sorted(os.sched_getaffinity(0)) and len(where()) == 1"
    run = rooms.run([student(where), check(asked)], b"")
    assert not any(written(cell) for cell in run.cells)
    assert os.sched_getaffinity(0) == cores


# --- what is loaded beforehand --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "loaded"),
    [
        ("from scipy.stats import norm", {"scipy.stats"}),
        ("def f(x):\n    from scipy import stats, special", {"scipy.stats", "scipy.special"}),
        ("if True:\n\timport pandas as pd", {"pandas"}),
        ("import matplotlib.pyplot as plt", {"matplotlib.pyplot"}),
        ("import scipy.signal", set()),
        ("'import scipy.stats'", set()),
        ("import __main__, antigravity", set()),
    ],
)
def test_of_what_an_answer_imports_the_large_modules_of_a_list_are_loaded(text, loaded):
    assert find_needed_modules([student(text)]) == loaded


# --- determinism ----------------------------------------------------------------------------

ENTROPY = """
import os, random, secrets, uuid, numpy as np, scipy.stats
print(random.random(), random.Random().random(), np.random.rand(), np.random.default_rng().random(),
      secrets.token_hex(4), os.urandom(4), uuid.uuid4(), hash("x"), scipy.stats.norm.rvs(),
      np.random.RandomState().rand(), random.SystemRandom().random())
"""


def test_the_same_seed_gives_the_same_randomness(rooms):
    cells = [
        student(ENTROPY),
        check("from autograder.checks import generator\nprint(generator().random())"),
    ]
    first, again, other = (
        [text_of(cell.shown) for cell in rooms.run(cells, seed).cells]
        for seed in (b"one", b"one", b"two")
    )
    assert first == again
    assert first[0] != other[0]
    assert first[1] != other[1]
    assert not set(first[0].split()[:8]) & set(other[0].split()[:7])


def test_the_same_seed_gives_a_locked_cell_the_same_generators(rooms):
    cells = [
        locked("from autograder.checks import generator\nfirst = generator().random()", "one"),
        check("first", "between"),
        locked("second = generator().random()", "two"),
        check("print(first, second)"),
    ]
    drawn = [text_of(rooms.run(some, b"one").cells[-1].shown).split() for some in (cells, cells)]
    assert drawn[0] == drawn[1]
    without = [cells[0], cells[2], cells[3]]
    assert text_of(rooms.run(without, b"one").cells[-1].shown).split() == drawn[0]
    assert len({*drawn[0]}) == 2


def test_a_test_that_was_stopped_leaves_nothing_in_the_run(rooms):
    leaves = """
        from autograder.wire.run import current_run
        current_run().student_calls, current_run().stated = 1, []
    """
    later = "from autograder.wire.run import current_run as c\nprint(c().student_calls, c().stated)"
    run = rooms.run([check(leaves, "stopped"), check(later)], b"")
    assert text_of(run.cells[-1].shown) == "0 None\n"


def test_each_generator_of_a_test_is_another(rooms):
    source = """
        from autograder.checks import generator as g
        print(g().random(), g().random(), g('a').random())
    """
    run = rooms.run([check(source, "one"), check(source, "two")], b"")
    draws = " ".join(text_of(cell.shown) for cell in run.cells).split()
    assert len(set(draws)) == 6


# --- cheats -----------------------------------------------------------------------------------

CHEATS = {
    "numpy patched": "import numpy as np\nnp.isclose = np.allclose = lambda *a, **k: True",
    "builtins patched": "import builtins\nbuiltins.abs = builtins.sum = lambda *a: 0",
    "agrees to everything": """
        class Yes(float):
            __eq__ = __lt__ = __gt__ = __le__ = __ge__ = lambda *a: True
            __sub__ = __rsub__ = lambda *a: 0.0
            __hash__ = float.__hash__
        def f(x): return Yes()
    """,
    "an object for a number": """
        class Yes:
            __eq__ = __lt__ = __gt__ = lambda *a: True
            __float__ = lambda self: 4.0
        def f(x): return Yes()
    """,
    "run_cell overridden": "shell = get_ipython()\nshell.run_cell = type(shell).run_cell = None",
    "input transformer": "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass'])",
    "examiner's names": "assert_close = abs = lambda *a, **k: None\n__builtins__['abs'] = 1",
    "np replaced": "class np:\n    isclose = staticmethod(lambda *a: True)",
    "exit": "import os\ndef f(x): os._exit(0)",
    "never returns": "def f(x):\n    while True: pass",
    "raises": "def f(x): raise SystemExit(0)",
}  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS.keys())
@pytest.mark.parametrize(
    "test", ["assert abs(f(2) - 4) < 1e-9", "assert f(2) == 4", "assert np.isclose(f(2), 4)"]
)
def test_a_cheat_gets_nothing(hurried, cheat, test):
    cells = [
        locked("import numpy as np"),
        student("def f(x): return -1"),
        student(cheat),
        check(test),
    ]
    assert error_of(hurried, *cells) is not None


def test_a_test_that_expects_an_error_is_not_passed_by_a_closed_room(rooms):
    cells = [
        student("import os\ndef f(x): os._exit(0)"),
        check("try:\n    f(-1)\nexcept Exception:\n    pass\nelse:\n    raise AssertionError"),
        check("try:\n    f(-1)\nexcept BaseException:\n    pass"),
    ]
    run = rooms.run(cells, b"")
    assert [written(cell)[-1]["ename"] for cell in run.cells[1:]] == ["ConnectionClosed"] * 2


def test_an_error_is_explained_once(rooms):
    work = """
        class Loud(Exception):
            def _render_traceback_(self):
                print("explained")
                return ["Loud"]
        raise Loud
        """
    found = outputs(rooms, student(work))
    assert text_of(found) == "explained\n"
    assert error_of(rooms, student(work)) == "Loud: "


# --- hostile and broken -----------------------------------------------------------------------


def test_an_error_while_a_cell_is_being_finished_is_no_forged_answer(rooms):
    """Which would cost the notebook its room, and every other one."""
    loud = """
        import sys
        def f(x):
            return 2 * x
        get_ipython().events.callbacks["post_execute"].append(lambda: sys.exit("loud"))
        """
    run = rooms.run([student(textwrap.dedent(loud)), check("assert f(2) == 4")], b"")
    assert run.incidents == ()
    assert written(run.cells[0])[-1]["evalue"] == "loud"
    assert "error" not in [output["output_type"] for output in written(run.cells[1])]
    assert is_untouched(rooms)


@pytest.mark.parametrize("error", ["ValueError", "KeyboardInterrupt", "ConnectionClosed"])
@pytest.mark.parametrize("asked", ["run", "finish"])
def test_an_error_in_what_a_room_does_for_a_cell_is_the_cell_s(rooms, asked, error):
    """A thread of the notebook's can raise one there, and so end the room, or leave it."""
    interrupted = f"""
        import gc
        class ConnectionClosed(BaseException): pass
        def f(x): return 2 * x
        def handler(*arguments): raise {error}("late")
        for found in gc.get_objects():
            if type(found).__name__ == "CallChannel":
                found._handlers["{asked}"] = handler
        """
    cells = [student(interrupted), student("x = 1"), check("assert f(2) == 4", "first"),
             student("import os; os._exit(1)"), check("assert f(2) == 4")]  # fmt: skip
    run = rooms.run(cells, b"")
    assert [not cell.verdict.losses for cell in run.cells if cell.verdict] == [True, True]
    died = [] if asked == "run" else [Incident.DIED]
    assert [incident.kind for incident in run.incidents] == died
    assert is_untouched(rooms)


FORGED = {
    "an error for a cell": ["error", "N", "ValueError", "x", 0],
    "a timeout for a cell": ["error", "N", "CellTimeout", "x", 0],
    "a strange answer": ["reply", "N", {"a": [1, 2]}],
    "two answers": ["reply", "N", None],
    "an answer to come": ["reply", "N+1", True],
    "an output that is none": ["output", ["spell", 1]],
    "an output without data": ["output", ["display", 5, None, None]],
    "an output in the wrong place": ["output", 5],
    "an error output that is none": ["output", ["error", 1, 2, 3]],
    "deep data": ["output", ["display", {"a/json": eval("[" * 90 + "]" * 90)}, {}, None]],
    "a request to run": ["run", 1, "print(1)", 1],
    "a number as a name": [5, 5],
}


@pytest.mark.parametrize("message", FORGED.values(), ids=FORGED.keys())
@pytest.mark.parametrize("where", ["in a cell", "in a test"])
def test_a_forged_message_wins_nothing(rooms, message, where):
    forge = f"""
        import gc
        def f(x):
            channel = [o for o in gc.get_objects() if type(o).__name__ == "CallChannel"][0]
            number = {message!r}[1]
            # the examiner has asked for this cell: start is a notice, run or name, call follow
            asked = {{"in a cell": 1, "in a test": 4}}[{where!r}]
            known = {{"N": asked, "N+1": asked + 1}}
            channel._send(channel._encode([known.get(p) or p if type(p) is str else p
                                           for p in {message!r}]))
            return -1
        """
    cells = [student(textwrap.dedent(forge) + ("f(1)" if where == "in a cell" else ""))]
    run = rooms.run([*cells, check("assert f(2) == 4"), check("assert f(2) == 4")], b"")
    assert [written(cell)[-1]["output_type"] for cell in run.cells[1:]] == ["error", "error"]
    assert Incident.GRADER not in [incident.kind for incident in run.incidents]
    assert is_untouched(rooms)


def is_untouched(rooms):
    """The next notebook in the same rooms gets what it deserves."""
    cells = [student("def f(x): return 2 * x\nprint('hi')"), check("assert f(2) == 4\nprint('ok')")]
    run = rooms.run(cells, b"")
    return [text_of(cell.shown) for cell in run.cells] == ["hi\n", "ok\n"] and not run.incidents


CRASHES = {
    "os._exit": "import os; os._exit(0)",
    "segmentation fault": "import ctypes; ctypes.string_at(0)",
    "abort": "import os; os.abort()",
    "kill everything": """
        import os
        for target in (-1, 0, 1, os.getpid(), os.getppid(), *range(2, 100)):
            try: os.kill(target, 9)
            except OSError: pass
        os._exit(1)
    """,
    "close all descriptors": "import os; os.closerange(0, 256)",
    "scribble on the channel": """
        import os
        for n in range(3, 60):
            try: os.write(n, b'\\0\\0\\0\\1x')
            except OSError: pass
    """,
}
# What is interrupted within the cell; the cells after it are run.
INTERRUPTED = {
    "endless loop": "while True: pass",
    "sleep": "import time; time.sleep(100)",
    "a loop that swallows interruptions once": """
        try:
            while True: pass
        except BaseException: pass
    """,
    "waits for a child": "!sleep 100",
    "waits for input": "import os, sys; os.read(0, 1); sys.stdin.read()\n!sleep 100",
    "sys.exit": "import sys; sys.exit(3)",
    "quit": "quit()",
    "memory": "x = bytearray(10**10)",
    "memory in numpy": "import numpy as np; np.ones(10**10)",
    "file": "open('big', 'wb').write(b'x' * 10**8)",
    "many files": "for i in range(10**6): open(f'f{i}', 'wb')",
    "descriptors": "f = []\nwhile True: f.append(open('/dev/null'))",
    "processes": "import subprocess\np = [subprocess.Popen(['sleep', '100']) for _ in range(1000)]",
    "threads": """
        import threading, time
        for _ in range(1000): threading.Thread(target=time.sleep, args=(100,)).start()
    """,
    "recursion": "def f(): f()\nf()",
}  # fmt: skip
FLOODS = {
    "many lines": "for i in range(10**5): print('x' * 20)",
    "one line": "print('x' * 10**7)",
    "in pieces": "import sys\nfor i in range(10**5): sys.stdout.write('xxxxx')",
    "by a child": "!head -c 5000000 /dev/zero | tr '\\0' x",
    "by descriptor": "import os\nfor i in range(70): os.write(1, b'x' * 100000)",
    "in a display": "display({'text/html': 'x' * 10**7}, raw=True)",
    "many displays": "for i in range(20000): display(i)",
}


@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES.keys())
def test_a_crash_ends_one_notebook_and_says_where(rooms, crash):
    cells = [student("a = 1"), student(crash, "crash"), student("b = 2"), check("assert a == 1")]
    run = rooms.run(cells, b"")
    assert written(run.cells[0]) == []
    (incident,) = run.incidents
    assert incident.cell == "crash"
    if incident.kind == Incident.PROTOCOL:  # whoever forges a message gets no other room
        for cell in run.cells[2:]:
            assert "the cell crash ended the notebook" in written(cell)[-1]["evalue"]
    else:
        assert [written(cell) for cell in run.cells[2:]] == [[], []]
    assert is_untouched(rooms)


@pytest.mark.parametrize("source", INTERRUPTED.values(), ids=INTERRUPTED.keys())
def test_a_cell_that_goes_too_far_is_stopped_and_the_next_is_run(hurried, source):
    began = time.monotonic()
    run = hurried.run([student(source), student("1 + 1"), check("assert True")], b"")
    assert time.monotonic() - began < 60
    if "except BaseException" not in source:
        assert "error" in [output["output_type"] for output in written(run.cells[0])]
    assert [output["output_type"] for output in written(run.cells[1])] == ["execute_result"]
    assert written(run.cells[2]) == []
    assert is_untouched(hurried)


@pytest.mark.parametrize("source", FLOODS.values(), ids=FLOODS.keys())
def test_a_flood_is_cut(rooms, source):
    run = rooms.run([student(source, "flood"), student("print('dry')")], b"")
    assert len(str(written(run.cells[0]))) < 1.2 * LIMITS.output_bytes + 200 * 2_000
    assert "the rest is left out" in text_of(written(run.cells[0]))
    assert Incident.OUTPUT in [incident.kind for incident in run.incidents]
    assert text_of(written(run.cells[1])) == "dry\n"
    assert is_untouched(rooms)


@pytest.mark.parametrize(
    "stubborn",
    [
        "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass",
        "def f():\n  while True:\n    try: f()\n    except BaseException: f()\nf()",
        "import os, signal; signal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
        "sum(range(10**12))",
    ],
    ids=["ignored", "swallowed", "reset", "blocked", "in C"],
)
def test_what_cannot_be_interrupted_is_killed_at_the_deadline(hurried, stubborn):
    began = time.monotonic()
    run = hurried.run([student(stubborn, "loop"), student("1"), check("x")], b"")
    assert time.monotonic() - began < 60
    assert "the cell loop" in written(run.cells[0])[-1]["evalue"]
    assert written(run.cells[1])[-1]["output_type"] == "execute_result"
    assert written(run.cells[2])[-1]["evalue"] == "name 'x' is not defined"
    assert run.incidents[0].cell == "loop"
    assert is_untouched(hurried)


def test_a_recursion_without_limit_ends_by_its_memory_or_by_its_time(hurried):
    source = "import sys; sys.setrecursionlimit(10**9)\ndef f(): f()\nf()"
    run = hurried.run([student(source)], b"")
    assert written(run.cells[0])[-1]["output_type"] == "error"
    assert is_untouched(hurried)


def test_a_stopped_room_is_killed_at_the_deadline(hurried):
    # The first process of a namespace cannot be stopped from within; a child of it can.
    source = "import os, signal, subprocess\nos.kill(os.getpid(), signal.SIGSTOP)\n!kill -STOP $$"
    began = time.monotonic()
    hurried.run([student(source)], b"")
    assert time.monotonic() - began < 60
    assert is_untouched(hurried)


def test_a_student_s_loop_in_a_test_costs_that_test_only(hurried):
    cells = [
        student("def slow(): \n    while True: pass\ndef f(): return 1"),
        check("slow()", "slow"),
        check("assert f() == 1"),
    ]
    run = hurried.run(cells, b"")
    assert written(run.cells[1])[-1]["ename"] == "CellTimeout"
    assert written(run.cells[2]) == []
    assert [(i.kind, i.cell) for i in run.incidents] == [(Incident.TIMEOUT, "slow")]


def test_a_step_that_never_ends_is_stopped_with_its_cell(hurried):
    work = student("def loop(x): \n    while x: pass")
    each = "from autograder import checks\nchecks.call_each(loop, [(0,), (1,), (0,)])"
    run = hurried.run([work, check(each), check("assert loop(0) is None")], b"")
    assert written(run.cells[1])[-1]["ename"] == "CellTimeout"
    assert written(run.cells[2]) == []


def test_a_test_s_own_loop_costs_that_test_only(hurried):
    run = hurried.run([check("while True: pass", "loop"), check("1")], b"")
    assert written(run.cells[0])[-1]["ename"] == "CellTimeout"
    assert written(run.cells[1])[-1]["output_type"] == "execute_result"


def test_a_test_that_blocks_in_one_instruction_is_given_up(monkeypatch):
    monkeypatch.setattr("autograder.examiner.sandboxed_runner.SLACK_SECONDS", 2.0)
    limits = Limits(cell_seconds=1, notebook_seconds=2, grace_seconds=0.2)  # 5 s in all
    with SandboxedRunner(limits, probing.probe()) as rooms:
        run = rooms.run([student("1"), check("sum(range(10**12))", "stuck"), student("2")], b"")
    assert written(run.cells[0])[-1]["output_type"] == "execute_result"
    assert "stuck" in written(run.cells[1])[-1]["evalue"]
    assert written(run.cells[2])[-1]["output_type"] == "error"
    assert run.incidents[-1].kind == Incident.GRADER


def test_many_cells_may_take_longer_together_than_one_may(monkeypatch):
    monkeypatch.setattr("autograder.examiner.sandboxed_runner.SLACK_SECONDS", 0.0)
    monkeypatch.setattr("autograder.examiner.sandboxed_runner.LOOK_SECONDS", 0.1)
    limits = Limits(
        cell_seconds=2.0, notebook_seconds=60, grace_seconds=0.5
    )  # given up after 7 s without a report
    with SandboxedRunner(limits, probing.probe()) as rooms:
        run = rooms.run([check("import time; time.sleep(0.9)", f"cell {n}") for n in range(9)], b"")
    assert [written(cell) for cell in run.cells] == [[]] * 9
    assert run.incidents == ()


def test_what_was_reported_before_the_examiner_ended_in_a_report_counts():
    cells = [check("1", "first"), check("2", "second")]
    done = CellRun(execution_count=1, verdict=verdicts.PASSED)
    first, second = (pickle.dumps((number, done, [])) for number in (0, 1))
    run = join_reports(_reports(first + second[:-5]), cells)
    assert run.cells[0] == done
    assert "in the cell second" in written(run.cells[1])[0]["evalue"]
    assert [incident.cell for incident in run.incidents] == ["second"]


def test_a_notebook_has_a_time_limit_of_its_own():
    with SandboxedRunner(Limits(cell_seconds=3, notebook_seconds=3), probing.probe()) as rooms:
        run = rooms.run([student("import time; time.sleep(1.6)")] * 4, b"")
    errors = [bool(written(cell)) for cell in run.cells]
    assert errors == [False, True, True, True]
    assert "not run" in written(run.cells[-1])[-1]["evalue"]


def test_a_fork_bomb_is_contained(hurried):
    began = time.monotonic()
    hurried.run([student("import os\nwhile True: os.fork()")], b"")
    assert time.monotonic() - began < 60
    assert is_untouched(hurried)


def test_a_forked_notebook_goes_on_once(rooms):
    cells = [
        student("import os\nif os.fork() == 0: print('child')"),
        student("1"),
        check("assert 1"),
    ]
    run = rooms.run(cells, b"")
    assert "execute_result" in [output["output_type"] for output in written(run.cells[1])]
    assert written(run.cells[2]) == []
    assert is_untouched(rooms)


def test_nothing_outlives_its_cell_s_notebook(rooms):
    source = "import subprocess; subprocess.Popen(['sleep', '31415'], start_new_session=True);"
    rooms.run([student(source)], b"")
    running = [path.read_text() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not any("31415" in command for command in running)


def test_a_dead_fork_server_is_replaced(rooms):
    rooms._parent._process.kill()
    rooms._parent._process.wait()
    assert is_untouched(rooms)


def test_a_closed_pair_of_rooms_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    rooms = SandboxedRunner(LIMITS, probing.probe())
    assert is_untouched(rooms)
    process = rooms._parent._process.pid
    rooms.close()
    assert not os.path.exists(f"/proc/{process}")
    assert os.listdir(tmp_path) == []


def test_the_student_s_own_time_is_told_apart_where_both_rooms_share_a_core(rooms):
    work = student(
        """
        import time
        def busy(seconds):
            end = time.process_time() + seconds
            while time.process_time() < end:
                pass
        """
    )
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        run = rooms.run([work, check("for _ in range(5): busy(0.05)")], b"").cells[1]
    finally:
        os.sched_setaffinity(0, cores)
    assert 0.25 <= run.student_seconds <= run.seconds


# --- pictures ---------------------------------------------------------------------------------


def test_a_test_may_show_why_it_failed_and_a_student_may_not(rooms):
    work = student(
        """
        import numpy as np
        from IPython.display import SVG, display
        def draws(n, rng):
            display(SVG("<svg xmlns='http://www.w3.org/2000/svg'><text>forged</text></svg>"))
            return rng.integers(2, size=n) * 0
        """
    )
    test = """
        from autograder import checks
        from dplab import Finite
        sample = checks.call(draws, 400, checks.generator()).numbers()
        checks.expect_law(sample, Finite.of({0: 0.5, 1: 0.5}), "the draws")
        """
    run = rooms.run([work, check(test)], b"").cells
    assert run[0].picture == ""
    assert "expected" in run[1].picture
    assert "forged" not in run[1].picture
