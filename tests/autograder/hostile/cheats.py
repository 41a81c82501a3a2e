"""Submissions whose `double` is wrong and which want its points all the same. The mean is right."""

from tests.autograder.hostile.catalogue import WRONG, Desk, cell_of, submission


def cheating(desk: Desk, source: str, double: str = WRONG, at: int | None = 2) -> dict:
    """A wrong `double`, and a cell of the student's own before everything else."""
    return desk.with_cell(source, at=at, double=double)


@submission(points=3)
def numpy_patched(desk: Desk):
    """numpy's comparisons say yes to everything."""
    return cheating(
        desk,
        """
        import numpy as np
        yes = lambda *a, **k: True
        np.isclose = np.allclose = np.array_equal = np.testing.assert_allclose = yes
        np.random.default_rng = np.abs = np.mean = yes
        """,
    )


@submission(points=3)
def builtins_patched(desk: Desk):
    """Builtin functions and exceptions are replaced."""
    return cheating(
        desk,
        """
        import builtins
        builtins.abs = builtins.sum = builtins.round = lambda *a: 0
        builtins.AssertionError = builtins.isinstance = builtins.all = lambda *a: True
        """,
        at=None,
    )


@submission(points=3)
def names_of_the_tests(desk: Desk):
    """Names that a test might use are taken beforehand."""
    return cheating(desk, "abs = assert_ = checks = lambda *a, **k: 0\nSECRET = 0", at=None)


@submission(points=3)
def modules_replaced(desk: Desk):
    """What will be imported as numpy, math or autograder is the student's."""
    return cheating(
        desk,
        """
        import sys, types
        class Agreeable(types.ModuleType):
            def __getattr__(self, name): return lambda *a, **k: True
        for name in ("numpy", "math", "autograder", "autograder.checks", "nbgrader"):
            sys.modules[name] = Agreeable(name)
        """,
        at=None,
    )


@submission(points=3)
def files_in_the_way(desk: Desk):
    """Files beside the notebook have the names of modules."""
    return cheating(
        desk,
        """
        import os, sys
        for name in ("numpy", "autograder", "sitecustomize", "usercustomize", "conftest"):
            open(f"{name}.py", "w").write("import os; os._exit(0)")
        sys.path.insert(0, os.getcwd())
        os.environ["PYTHONPATH"] = os.environ["PYTHONSTARTUP"] = os.getcwd()
        """,
    )


@submission(points=3)
def equal_to_everything(desk: Desk):
    """The function returns an object that agrees to every comparison."""
    return desk.answered(
        double="""
        class Yes:
            __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = lambda *a: True
            __bool__ = __contains__ = lambda *a: True
            __hash__ = None
        def double(x): return Yes()
        """
    )


@submission(points=3)
def equal_from_the_right(desk: Desk):
    """The same through arithmetic: whatever is done to the object gives the object."""
    return desk.answered(
        double="""
        class Yes:
            def _self(self, *a, **k): return self
            __eq__ = lambda *a: True
        for name in "add radd sub rsub mul rmul abs neg call getitem enter round".split():
            setattr(Yes, f"__{name}__", Yes._self)
        def double(x): return Yes()
        """
    )


@submission(points=3)
def converts_to_what_is_asked(desk: Desk):
    """An object that turns into a number, an array or a truth value when asked."""
    return desk.answered(
        double="""
        import numpy as np
        class Chameleon:
            __float__ = lambda self: 6.0
            __int__ = __index__ = lambda self: 6
            __array__ = lambda self, *a, **k: np.array(6)
            __eq__ = lambda self, other: True
        def double(x): return Chameleon()
        """
    )


@submission(points=3)
def number_that_lies(desk: Desk):
    """A subclass of int whose value is wrong and whose comparison is not."""
    return desk.answered(
        double="""
        class Liar(int):
            __eq__ = lambda *a: True
            __ne__ = lambda *a: False
            __hash__ = int.__hash__
            __index__ = __int__ = lambda self: 6
        def double(x): return Liar(-1)
        """
    )


@submission(points=3)
def float_that_lies(desk: Desk):
    """The same with a subclass of float and one of complex."""
    return desk.answered(
        double="""
        class Liar(float):
            __eq__ = lambda *a: True
            __sub__ = __rsub__ = __abs__ = lambda *a: 0.0
            __float__ = lambda self: 6.0
        class Worse(complex):
            __eq__ = lambda *a: True
        def double(x): return Liar(-1) if x else Worse(1)
        """
    )


@submission(points=3)
def array_that_lies(desk: Desk):
    """A subclass of an array that overrides every operation."""
    return desk.answered(
        double="""
        import numpy as np
        class Liar(np.ndarray):
            __eq__ = lambda *a: True
            __array_ufunc__ = lambda *a, **k: np.True_
            __array_function__ = lambda *a, **k: True
            __array_finalize__ = lambda *a: None
            __bool__ = lambda *a: True
            tobytes = lambda *a: b"\\0" * 8
        def double(x): return np.array([-1]).view(Liar)
        """
    )


@submission(points=3)
def array_of_liars(desk: Desk):
    """An array of Python objects that agree to everything."""
    return desk.answered(
        double="""
        import numpy as np
        class Yes:
            __eq__ = lambda *a: True
        def double(x): return np.array([Yes()], dtype=object)
        """
    )


@submission(points=3)
def string_that_lies(desk: Desk):
    """Strings, lists and dicts that agree to everything."""
    return desk.answered(
        double="""
        class Text(str):
            __eq__ = lambda *a: True
        class Items(list):
            __eq__ = lambda *a: True
            __iter__ = lambda self: iter([6])
        def double(x): return Text("6") if x else Items()
        """
    )


@submission(points=3)
def class_that_lies_about_itself(desk: Desk):
    """An object that says that its class is int."""
    return desk.answered(
        double="""
        class Six:
            __class__ = property(lambda self: int)
            __eq__ = lambda *a: True
            __module__ = "builtins"
        Six.__name__ = Six.__qualname__ = "int"
        def double(x): return Six()
        """
    )


@submission(points=3)
def the_function_itself(desk: Desk):
    """The function returns itself: what the test holds is a stand-in."""
    return desk.answered(double="def double(x): return double")


@submission(points=3)
def infinite_and_undefined(desk: Desk):
    """Not a number, which is neither more nor less than anything."""
    return desk.answered(double="def double(x): return float('nan')")


@submission(points=3)
def empty_array(desk: Desk):
    """An array without entries, of which everything is true."""
    return desk.answered(double="import numpy as np\ndef double(x): return np.array([])")


@submission(points=3)
def input_transformer(desk: Desk):
    """IPython is to replace what it runs."""
    return cheating(
        desk,
        """
        shell = get_ipython()
        shell.input_transformers_cleanup.append(lambda lines: ["pass"])
        shell.input_transformers_post.append(lambda lines: ["pass"])
        """,
        at=None,
    )


@submission(points=3)
def tree_transformer(desk: Desk):
    """Assertions are to be taken out of the syntax tree."""
    return cheating(
        desk,
        """
        import ast
        class NoAssertions(ast.NodeTransformer):
            def visit_Assert(self, node): return ast.Pass()
        get_ipython().ast_transformers.append(NoAssertions())
        """,
    )


@submission(points=3)
def run_cell_overridden(desk: Desk):
    """The shell runs nothing from here on, and says that all went well."""
    return cheating(
        desk,
        """
        from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
        InteractiveShell.run_cell = lambda self, *a, **k: ExecutionResult(None)
        get_ipython().run_cell = get_ipython().run = lambda *a, **k: None
        """,
        at=None,
    )


@submission(points=3)
def errors_swallowed(desk: Desk):
    """Handlers of errors that say that there was none."""
    return cheating(
        desk,
        """
        import sys
        quiet = lambda *a, **k: None
        get_ipython().set_custom_exc((BaseException,), quiet)
        sys.excepthook = get_ipython().showtraceback = get_ipython()._showtraceback = quiet
        """,
    )


@submission(points=0)
def events(desk: Desk):
    """What runs around each cell hides one of Python's own names: a human decides on that test."""
    return cheating(
        desk,
        """
        def cheat(*a):
            get_ipython().user_ns["assert"] = get_ipython().user_ns["abs"] = lambda x: 0
        for event in ("pre_run_cell", "post_run_cell", "pre_execute", "post_execute"):
            get_ipython().events.register(event, cheat)
        """,
    )


@submission(points=3)
def tags_that_skip(desk: Desk):
    """Tags and metadata that make executors skip the tests."""
    notebook = desk.answered(double=WRONG)
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove-cell"]
        cell["metadata"]["deletable"] = cell["metadata"]["trusted"] = True
    notebook["metadata"]["execution"] = {"allow_errors": True, "skip": True}
    return notebook


@submission(points=3)
def expects_an_error(desk: Desk):
    """The test's own cell is said to be one in which errors are expected."""
    notebook = desk.answered(double=WRONG)
    cell_of(notebook, "double_small")["metadata"]["tags"] = ["raises-exception"]
    return notebook


@submission(points=3)
def assertions_off(desk: Desk):
    """Python is told to leave assertions out."""
    return cheating(
        desk,
        """
        import os, sys, ctypes
        os.environ["PYTHONOPTIMIZE"] = "2"
        ctypes.c_int.in_dll(ctypes.pythonapi, "Py_OptimizeFlag").value = 2
        """,
    )


@submission(points=4)
def visible_tests_by_heart(desk: Desk):
    """A table of what the visible tests ask for."""
    return desk.answered(double="def double(x):\n    return {3: 6, 0: 0}.get(x, -1)")


@submission(points=4)
def answers_in_their_order(desk: Desk):
    """The answers of the visible tests, in the order in which they are asked for."""
    return desk.answered(double="answers = iter([6, 0])\ndef double(x):\n    return next(answers)")


@submission(points=3)
def looks_up_the_stack(desk: Desk):
    """The expected value is sought in the frames of whoever calls."""
    return desk.answered(
        double="""
        import sys
        def double(x):
            frame, found = sys._getframe(), []
            while frame:
                found += [v for v in {**frame.f_globals, **frame.f_locals}.values()
                          if type(v) is int]
                frame = frame.f_back
            return found[0] if x == 3 else max(found)
        """
    )


@submission(points=3)
def knows_that_it_is_graded(desk: Desk):
    """Where it is graded the notebook tries to have no tests at all."""
    return cheating(
        desk,
        """
        import os, sys
        graded = any(name.startswith("autograder") for name in sys.modules)
        graded |= "room" in os.uname().nodename or os.environ.get("USER") == "student"
        if graded:
            shell = get_ipython()
            for name in dir(shell):
                if name.startswith("run_"):
                    setattr(shell, name, lambda *a, **k: None)
            for name in [name for name in shell.user_ns if "test" in name or name == "abs"]:
                del shell.user_ns[name]
        """,
        at=None,
    )


@submission(points=3)
def right_in_later_cells_only(desk: Desk):
    """After its tests the function is made right, and a copy of a test is run on it."""
    return desk.with_cell("def double(x): return 2 * x\nassert double(3) == 6", double=WRONG)


@submission(points=3)
def partial_credit(desk: Desk):
    """The function shows the points that it wants for the test."""
    return desk.answered(
        double="""
        import sys
        def double(x):
            sys.displayhook(3.0)
            get_ipython().run_cell("3.0")
            display(3.0)
            print("3.0")
            return -1
        """
    )


@submission(points=3)
def calls_what_it_is_given(desk: Desk):
    """The argument is looked into, changed, and called."""
    return desk.answered(
        double="""
        def double(x):
            for name in dir(x):
                try: getattr(x, name)(x)
                except Exception: pass
            try: x()
            except TypeError: pass
            return [x]
        """
    )


@submission(points=3)
def code_in_memory(desk: Desk):
    """Every function in memory that could compare is made to say yes."""
    return cheating(
        desk,
        """
        import gc, types
        yes = (lambda *a, **k: True).__code__
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and not thing.__code__.co_freevars:
                if str(thing.__module__).startswith(("autograder.checks", "numpy.testing")):
                    thing.__code__ = yes
        """,
    )


@submission(points=3)
def scipy_patched(desk: Desk):
    """scipy's tests of hypotheses never reject, and its laws have all the same density."""
    return cheating(
        desk,
        """
        import scipy.special, scipy.stats
        from types import SimpleNamespace
        yes = lambda *a, **k: SimpleNamespace(pvalue=1.0, statistic=0.0)
        for name in ("kstest", "chisquare", "binomtest", "ttest_1samp", "anderson", "norm"):
            setattr(scipy.stats, name, yes)
        scipy.special.ndtr = scipy.special.bdtr = lambda *a: 1.0
        """,
    )


@submission(points=3)
def random_patched(desk: Desk):
    """Every source of randomness gives what the student chose."""
    return cheating(
        desk,
        """
        import os, random, secrets
        os.urandom = lambda n: bytes(n)
        random.random = random.uniform = lambda *a: 0.5
        random.seed = secrets.token_bytes = lambda *a: None
        random.SystemRandom = random.Random
        """,
    )


@submission(points=3)
def clock_turned_back(desk: Desk):
    """Time stands still, for whoever asks, while the function takes forever."""
    return cheating(
        desk,
        """
        import signal, time
        time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
        signal.setitimer = signal.alarm = lambda *a: (0.0, 0.0)
        """,
        double="def double(x):\n    while True: pass",
    )


@submission(points=3)
def traced(desk: Desk):
    """Every line and call is traced, and results are exchanged on their way."""
    return cheating(
        desk,
        """
        import sys, threading
        def trace(frame, event, argument):
            if "x" in frame.f_locals: frame.f_locals["x"] = -0.5
            return trace
        sys.settrace(trace), sys.setprofile(trace), threading.settrace(trace)
        """,
    )
