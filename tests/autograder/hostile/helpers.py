"""Points for answers that aren't there, through what tests take from the notebook: helpers that
they define for each other, modules, and the value of a last line.
"""

from tests.autograder.hostile.catalogue import Desk, family

SUCCEEDED_BEFORE = frozenset(
    (
        "a_module_that_is_a_class",
        "a_module_that_is_an_object",
        "a_module_that_is_a_mock",
        "a_module_of_its_own",
        "last_line_not_a_number",
        "last_line_negative",
        "last_line_infinite",
        "last_line_fraction",
        "last_line_numpy",
        "a_test_looped_for_its_helper",
        "a_helper_of_its_own",
        "a_helper_in_builtins",
        "a_helper_for_every_name",
        "the_checks_of_its_own",
        "points_of_its_own",
        "a_test_left_for_its_helper",
        "a_test_failed_for_its_helper",
        "a_test_ended_for_its_helper",
    )
)


def _parts(desk: Desk, source: str, answers: dict[str, str]) -> dict:
    """Other answers, and a cell of the student's own before all of them."""
    return desk.with_cell(source, at=3, **answers)


_NO_SCALE = {"scale": "def scale(values, factor):\n    return None"}
_FAKE = "class {0}:\n    isclose = allclose = sqrt = staticmethod(lambda *a, **k: True)"
_MODULES = {
    "a_module_that_is_a_class": ("numpy and math are classes of the notebook's.",
                                 f"{_FAKE.format('np')}\n{_FAKE.format('math')}"),
    "a_module_that_is_an_object": ("numpy and math are objects of the notebook's.",
                                   "import types\nnp = math = types.SimpleNamespace("
                                   "isclose=lambda *a: True, allclose=lambda *a: True)"),
    "a_module_that_is_a_mock": ("numpy and math are mocks, which have every attribute.",
                                "from unittest.mock import MagicMock\nnp = math = MagicMock()"),
    "a_module_of_its_own": ("numpy and math are modules that the notebook has made.",
                            "import types\nnp = math = types.ModuleType('math')\n"
                            "math.isclose = math.allclose = lambda *a: True"),
}  # fmt: skip
family(
    __name__,
    6,
    lambda desk, source: _parts(desk, source, {"near": "def near(x):\n    return 99"}),
    _MODULES,
    SUCCEEDED_BEFORE,
    problem_set="parts",
)

_LINES = {
    "last_line_not_a_number": ("What the last line computes is not a number.",
                               "float('nan') if x == 4 else 0"),
    "last_line_negative": ("What the last line computes is less than nothing.",
                           "1e300 if x == 4 else 0"),
    "last_line_infinite": ("What the last line computes is negative and infinite.",
                           "-math.inf if x == 4 else 0"),
    "last_line_fraction": ("What the last line computes is a negative fraction.",
                           "__import__('fractions').Fraction(99, 7) if x == 4 else 0"),
    "last_line_numpy": ("What the last line computes is a scalar of numpy's, not a number.",
                        "np.float32('nan') if x == 4 else 0"),
    "last_line_zero": ("What the last line computes is nothing, as a negative zero.",
                       "4.0 if x == 4 else 0"),
    "last_line_object": ("What the last line computes with is an object with its own arithmetic.",
                         "type('Two', (), {'__sub__': lambda s, o: 0, '__abs__': abs})()"),
    "last_line_text": ("What the last line computes with is text.", "'2' if x == 4 else 0"),
}  # fmt: skip
family(
    __name__,
    6,
    lambda desk, value: desk.answered(near=f"def near(x):\n    return {value}"),
    _LINES,
    SUCCEEDED_BEFORE,
    problem_set="parts",
)

_HELPERS = {
    "a_helper_of_its_own": ("The helper that tests share is defined by the notebook, too.",
                            "def expect(*a): pass"),
    "a_helper_in_builtins": ("The helper is put among Python's own functions.",
                             "import builtins\nbuiltins.expect = lambda *a: None"),
    "a_helper_for_every_name": ("Whatever a test asks for by name is a function that agrees.",
                                "import gc\n"
                                "room = next(o for o in gc.get_objects()\n"
                                "            if type(o).__name__ == 'StudentServer')\n"
                                "yes = lambda *a, **k: 0\nkept = room.channel._handlers['name']\n"
                                "def name(wanted):\n    try: return kept(wanted)\n"
                                "    except NameError: return yes\n"
                                "room.channel._handlers['name'] = name"),
    "the_checks_of_its_own": ("The module of checks and its points are the notebook's.",
                              "class checks:\n    Points = generator = Scripted = call = "
                              "staticmethod(lambda *a, **k: None)"),
    "points_of_its_own": ("The points that the test counts are a number of the notebook's.",
                          "points = 3\nLARGE = 0"),
}  # fmt: skip
family(
    __name__,
    4,
    lambda desk, source: _parts(desk, source, _NO_SCALE),
    _HELPERS,
    SUCCEEDED_BEFORE,
    problem_set="parts",
)

_STOPPED = {
    "a_test_ended_for_its_helper": ("The test that defines the helper is ended with the process.",
                                    "import os; os._exit(1)"),
    "a_test_looped_for_its_helper": ("The test that defines the helper is stopped in a loop.",
                                     "while True: pass"),
    "a_test_left_for_its_helper": ("The test that defines the helper is left by `SystemExit`.",
                                   "raise SystemExit"),
    "a_test_failed_for_its_helper": ("The test that defines the helper fails before its hidden "
                                     "part, which defines a number.", "return [0 * factor]"),
}  # fmt: skip


def _ends_the_test(desk: Desk, how: str) -> dict:
    """`scale` fails in the first test, and is wrong in the second."""
    body = f"def scale(values, factor):\n    if values == [1, 2]:\n        {how}\n    return [-1]"
    source = "LARGE = -1\ndef expect(*a): pass"
    return _parts(desk, source, {"scale": body})


family(__name__, 4, _ends_the_test, _STOPPED, SUCCEEDED_BEFORE, problem_set="parts")
