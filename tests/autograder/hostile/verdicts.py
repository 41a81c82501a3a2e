"""Whatever is sent beside a verdict, before, behind and in the place of it. `double` is wrong."""

from tests.autograder.hostile.catalogue import WRONG, Desk, family, submission
from tests.autograder.hostile.cheats import cheating
from tests.autograder.hostile.forgery import TOOLS

SUCCEEDED_BEFORE = frozenset(("cleared_behind_each_cell",))


_EVENT = "get_ipython().events.register({0!r}, lambda *a: {1})"
_CLEAR = "__import__('IPython').display.clear_output()"
_BEFORE_ALL = {
    "cleared_behind_each_cell": (
        "An event empties each cell's outputs when it is over.",
        _EVENT.format("post_execute", _CLEAR),
    ),
    "cleared_behind_each_run": (
        "The same at the end of a run.",
        _EVENT.format("post_run_cell", _CLEAR),
    ),
    "cleared_before_each_cell": (
        "The same before each cell.",
        _EVENT.format("pre_execute", _CLEAR),
    ),
    "cleared_by_a_thread": (
        "A thread empties outputs all the time.",
        "import threading, time\nfrom IPython.display import clear_output\ndef again():\n"
        "    while True: clear_output(); time.sleep(0.01)\n"
        "threading.Thread(target=again, daemon=True).start()",
    ),
    "cleared_when_more_comes": (
        "Outputs are to be emptied as soon as something follows.",
        _EVENT.format("post_execute", "__import__('IPython').display.clear_output(wait=True)"),
    ),
    "a_result_behind_each_cell": (
        "An event shows a result of three points behind each cell.",
        _EVENT.format("post_execute", "get_ipython().displayhook(3)"),
    ),
    "an_error_behind_each_cell": (
        "An event raises an error behind each cell.",
        _EVENT.format("post_execute", "1 / 0"),
    ),
    "a_flood_behind_each_cell": (
        "An event writes more than a cell may behind each cell.",
        _EVENT.format("post_execute", "print('3' * 10**7)"),
    ),
    "results_shown_as_points": (
        "What shows a last line says three points, in all forms.",
        "import sys\nsys.displayhook = lambda *a: print(3)\n"
        "get_ipython().display_formatter.format = lambda *a, **k: ({'text/plain': '3'}, {})",
    ),
    "messages_of_the_grader_displayed": (
        "Displays of the kind in which the grader keeps messages.",
        "from IPython.display import display\ndisplay({'application/vnd.dplab.messages+json': [],"
        " 'text/plain': '3'}, raw=True)",
    ),
    "a_shell_that_never_fails": (
        "The shell's record of errors says that there was none.",
        "type(get_ipython()).showtraceback = lambda *a, **k: None",
    ),
    "a_room_that_agrees": (
        "The answers of the room are all six.",
        "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'ObjectTable':\n"
        "        type(o)._call = lambda *a, **k: 6",
    ),
    "exceptions_that_are_none": (
        "Errors of the room are described as warnings.",
        "import autograder.wire.channel as wire\n"
        "wire.describe_error = lambda error: ('UserWarning', '')",
    ),
}
family(__name__, 3, lambda desk, source: cheating(desk, source), _BEFORE_ALL, SUCCEEDED_BEFORE)

_ANSWERS = {
    "clears_in_the_call": (
        "The function empties the outputs.",
        "from IPython.display import clear_output\n    clear_output(); clear_output(True)",
    ),
    "floods_in_the_call": ("The function writes more than a cell may.", "print('6' * 10**7)"),
    "shows_points_in_the_call": (
        "The function shows a result, an error and a display.",
        "shell = get_ipython()\n    for output in (['result', {'text/plain': '3'}, {}],"
        " ['error', 'E', '', []],\n                   ['display', {'text/plain': '3'}, {}, 'x'],"
        " ['update', {'text/plain': '3'}, {}, 'x']):\n        shell.outputs.show(output)",
    ),
    "a_class_named_like_a_stop": (
        "The function raises errors that are called like the grader's own.",
        "raise type('CellTimeout', (BaseException,), {})('after 10 s')",
    ),
    "a_class_named_like_an_exit": (
        "The function raises an error that is called `SystemExit`.",
        "raise type('SystemExit', (Exception,), {})('0')",
    ),
    "a_class_named_like_the_end": (
        "The function raises an error that is called `ConnectionClosed`.",
        "raise type('ConnectionClosed', (Exception,), {'kind': 'grader'})('x')",
    ),
    "the_grader_s_own_stop": (
        "The function raises the error by which cells are stopped.",
        "from autograder.wire.alarm import CellTimeout\n    raise CellTimeout('2 points')",
    ),
    "an_error_with_hints": (
        "The error has all that the grader's own have.",
        "e = AssertionError('x'); e.hint = 'x'; e.remote_number = 1; e.losses = []\n    raise e",
    ),
    "an_error_of_the_test_s_file": (
        "The error says that the test's own text has a mistake.",
        "raise SyntaxError('x', ('<double_small>', 1, 0, '', 1, 0))",
    ),
    "an_error_without_a_name": (
        "The error's class has no name.",
        "raise type('', (Exception,), {})",
    ),
    "an_error_of_two": (
        "A group of errors, one of which ends loops.",
        "raise ExceptionGroup('x', [StopIteration(6), AssertionError()])",
    ),
    "points_of_the_grader_s_class": (
        "The function returns points of the grader's own class.",
        "from autograder.checks.points import Points\n    p = Points(); p.earned = 3; return p",
    ),
    "a_verdict_of_the_grader_s_class": (
        "The function returns a verdict of the grader's own class.",
        "from autograder.wire.contract import Verdict\n    return Verdict()",
    ),
    "a_warning_as_a_value": ("The function returns what tests skip.", "return NotImplemented"),
}
family(
    __name__,
    3,
    lambda desk, body: desk.answered(double=f"def double(x):\n    {body}\n    return -1"),
    _ANSWERS,
    SUCCEEDED_BEFORE,
)


@submission(points=0)
def never_says_that_it_is_done(desk: Desk):
    """The room doesn't answer when a test is over. Failed before, too."""
    return cheating(
        desk,
        "import gc, time\nroom = next(o for o in gc.get_objects()"
        " if type(o).__name__ == 'StudentServer')\n"
        "room.channel._handlers['finish'] = lambda: time.sleep(10**6)",
    )


@submission(points=0)
def verdicts_on_the_line(desk: Desk):
    """Frames that say what a verdict would. Failed before, too."""
    return cheating(
        desk,
        TOOLS + "\nframe(['verdict', [], '', [], None, ''])\nframe(['report', 3, {'verdict': []}])",
    )


@submission(points=0)
def dies_too_often(desk: Desk):
    """More ends of the process than there are new rooms, before anything is examined. Failed
    before, too.
    """
    notebook = cheating(desk, "import os; os._exit(0)", WRONG)
    notebook["cells"][2:2] = [dict(notebook["cells"][2]) for _ in range(4)]
    return notebook
