"""Honest work and honest slips: what is right keeps its points, whatever stands beside it."""

from tests.autograder.hostile.catalogue import Desk, cell_of, family, own_cell, submission
from tests.autograder.tiny_assignment import SOLUTIONS

_FIRST = {
    "own_errors_from_warnings": ("Warnings are made errors.",
                                 "import warnings\nwarnings.simplefilter('error')"),
    "own_display_cleared": ("A display is cleared and brought up to date, as progress is shown.",
                            "from IPython.display import clear_output\n"
                            "h = display('0%', display_id='p')\nclear_output(wait=True)\n"
                            "h.update('50%'); clear_output(); h.update('100%')"),
    "own_floating_errors": ("numpy is told to raise.", "np.seterr(all='raise')"),
    "own_recursion": ("Python may recurse far.", "import sys\nsys.setrecursionlimit(10**5)"),
    "own_alarm": ("A time limit of the student's own, with the same signal as the grader's.",
                  "import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\n"
                  "signal.alarm(30)\nsignal.alarm(0)"),
    "own_printing": ("Everything is printed with a time.",
                     "import builtins, functools\n"
                     "builtins.print = functools.partial(print, 'log:')"),
    "own_streams": ("Python's streams are replaced.",
                    "import io, sys\nsys.stdout = sys.stderr = io.StringIO()"),
    "own_folder": ("The working directory is another one.",
                   "import os\nos.makedirs('a/b'); os.chdir('a/b')"),
    "own_environment": ("The environment is empty.", "import os\nos.environ.clear()"),
    "own_module": ("A module is written and imported.",
                   "%%writefile own_tools.py\ndef twice(x): return 2 * x"),
    "own_locale": ("Numbers are written as in another country.",
                   "import locale\ntry: locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')\n"
                   "except locale.Error: pass"),
    "own_precision": ("numpy and pandas print three digits.",
                      "np.set_printoptions(precision=3)\n%precision 3"),
    "own_debugger": ("A debugger is left in a cell.", "import pdb; pdb.set_trace()"),
    "own_debugger_afterwards": ("The last error is looked at in a debugger.", "%debug"),
    "own_download": ("A file is fetched, or else made.",
                     "import urllib.request, urllib.error\n"
                     "try: urllib.request.urlopen('https://example.com/x', timeout=1)\n"
                     "except urllib.error.URLError: data = [1]\ndata"),
    "own_threads": ("A thread runs on until the end.",
                    "import threading, time\nthreading.Thread(target=time.sleep, args=(3600,),"
                    " daemon=True).start()"),
    "own_plain_exit": ("An exit, a failed assertion and a question to nobody.",
                       "import sys\nsys.exit('done')"),
    "own_assertion": ("An assertion of the student's own fails.", "assert 1 == 2"),
    "own_question": ("A question to nobody, in a function of the student's own.",
                     "def ask(): return int(input('n? '))\nask()"),
    "own_newer_words": ("A cell in a newer Python, 3.15, than the grader's.", "lazy import json"),
    "own_classes_called_so": ("Own classes have names of Python's and the grader's.",
                              "class SystemExit(Exception): pass\n"
                              "class CellTimeout(Exception): pass\nraise CellTimeout('mine')"),
    "own_metadata": ("A display whose metadata is a list.",
                     "get_ipython().display_pub.publish({'text/plain': 'x'}, metadata=[1])"),
    "own_numbers": ("A display whose metadata has NaN.",
                    "display({'text/plain': 'x'}, raw=True, metadata={'a': float('nan')})"),
    "own_end": ("The notebook ends its own process in a cell beside the answers.",
                "import os\nos._exit(0)"),
    "own_crash": ("A cell beside the answers ends in a segmentation fault.",
                  "import ctypes\nctypes.string_at(0)"),
    "own_signal": ("A cell beside the answers ends by a signal that has no name.",
                   "import os\nos.kill(os.getpid(), 40)"),
    "own_bomb": ("A cell beside the answers wants all memory.", "x = [0] * 10**12"),
    "own_forks": ("A cell beside the answers forks without end.",
                  "import os\nfor _ in range(500): os.fork() or os._exit(0)"),
}  # fmt: skip
family(__name__, 6, lambda desk, source: desk.with_cell(source, at=2), _FIRST)

_SLIPS = {
    "slip_input": ("The function asks somebody who isn't there.", "return int(input())"),
    "slip_exit": ("The function leaves by `sys.exit`.", "import sys; sys.exit(1)"),
    "slip_assert": ("The function asserts plainly.", "assert x > 10**9"),
    "slip_end": ("The function ends the process.", "import os; os._exit(1)"),
    "slip_crash": ("The function reads memory that isn't there.",
                   "import ctypes; ctypes.string_at(0)"),
    "slip_abort": ("The function aborts.", "import os; os.abort()"),
    "slip_signal": ("The function ends by a signal that has no name.",
                    "import os; os.kill(os.getpid(), 50)"),
    "slip_loop_in_c": ("The function loops where nothing interrupts it.",
                       "return sum(range(10**13))"),
    "slip_loop": ("The function loops.", "\n    while True: pass"),
    "slip_memory": ("The function wants all memory.", "return [0] * 10**12"),
    "slip_forks": ("The function forks without end.",
                   "import os\n    while True: os.fork()"),
    "slip_recursion": ("The function recurses without end.", "return double(x) + 1"),
    "slip_name": ("The function needs a helper that isn't there.", "return later_helper(x)"),
    "slip_newer_words": ("The answer is in a newer Python, 3.15, than the grader's.",
                         "lazy import json; return 2 * x"),
    "slip_breakpoint": ("A breakpoint is left in the function.", "breakpoint(); return 2 * x + 1"),
}  # fmt: skip
family(
    __name__,
    3,
    lambda desk, body: desk.answered(double=f"def double(x):\n    {body}"),
    _SLIPS,
)


def _at_the_end(desk: Desk, source: str) -> dict:
    """The stubs as they were released, and one cell behind everything."""
    notebook = desk.answered()
    stubs = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell["source"]
             for cell in desk.released["cells"]}  # fmt: skip
    for name in ("double", "mean"):
        text = stubs[name]
        cell_of(notebook, name)["source"] = text if isinstance(text, str) else "".join(text)
    notebook["cells"].append(own_cell("code", source))
    return notebook


_CELLS = {
    "all_in_one_cell_at_the_end": ("All answers stand in one cell at the end.",
                                   f"{SOLUTIONS['double']}\n\n{SOLUTIONS['mean']}"),
    "all_in_one_cell_and_decorated": ("The same, with decorators and helpers behind.",
                                      "from functools import lru_cache\n@lru_cache\n"
                                      "def double(x):\n    return helper(x)\n\n"
                                      "mean_ = sum\n\ndef mean(values):\n"
                                      "    return mean_(values) / len(values)\n\n"
                                      "def helper(x):\n    return x + x"),
    "all_in_one_timed_cell": ("The same, timed.",
                              f"%%time\n{SOLUTIONS['double']}\n\n{SOLUTIONS['mean']}"),
}  # fmt: skip
family(__name__, 6, _at_the_end, _CELLS)


def _three(archive, name: str, data: bytes) -> None:
    """With two more of the student's, and a notebook of somebody whose name begins with a dot."""
    for other in (name, "three_files/old.ipynb", "three_files/tiny (1).ipynb", ".x/tiny.ipynb"):
        archive.writestr(other, data if other in (name, ".x/tiny.ipynb") else b"{}")


@submission(points=6, file="folder_named_so/tiny.ipynb/mine.ipynb")
def folder_named_so(desk: Desk):
    """A folder is called like the notebook, which lies in it."""
    return desk.answered()


@submission(points=6, file="three_files/tiny.ipynb", put=_three)
def three_files(desk: Desk):
    """Three files of one student: the one with the right name is graded, and the teacher told."""
    return desk.answered()


@submission(points=6)
def helper_in_the_next_cell(desk: Desk):
    """A helper is defined between the answer and its tests."""
    notebook = desk.answered(double="def double(x):\n    return helper(x)")
    place = notebook["cells"].index(cell_of(notebook, "double")) + 1
    notebook["cells"].insert(place, own_cell("code", "def helper(x):\n    return 2 * x"))
    return notebook


@submission(points=6)
def ends_three_times(desk: Desk):
    """Three cells beside the answers end the process, each in its way."""
    notebook = desk.answered()
    for source in ("import os; os.abort()", "import os; os._exit(3)", "sum(range(10**13))"):
        notebook["cells"].insert(5, own_cell("code", source))
    return notebook
