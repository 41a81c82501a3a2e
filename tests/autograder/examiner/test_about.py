"""Docstrings and signatures of a student's functions, in plain tests as teachers write them."""

import inspect

import hypothesis.strategies as st
import pytest
from hypothesis import given

from autograder.wire.signatures import describe_signature, restore_signature
from tests.autograder.examiner.cells import check, error_of, student

WORK = student('''
def told(x, scale=1.5, *more, shift, **others):
    """Say what it does."""
    return x

def silent(x: int) -> int:
    return x

class Account:
    """Money of somebody's."""
    def __init__(self, owner, balance=0):
        self.owner = owner
    def pay(self, amount):
        "Take it away."

def asked(ask):
    return [ask.__doc__, str(ask)]

def signed(ask):
    import inspect
    return str(inspect.signature(ask))
''')
PASS = [
    "assert told.__doc__ == 'Say what it does.'",
    "assert silent.__doc__ is None",
    "import inspect\nassert inspect.getdoc(told) == 'Say what it does.'",
    'assert Account.__doc__ == "Money of somebody\'s."',
    "assert Account('Ada').pay.__doc__ == 'Take it away.'",
    "import inspect\nassert list(inspect.signature(told).parameters) == "
    "['x', 'scale', 'more', 'shift', 'others']",
    "import inspect\nassert inspect.signature(told).parameters['scale'].default == 1.5",
    "import inspect\nassert str(inspect.signature(told)) == "
    "'(x, scale=1.5, *more, shift, **others)'",
    "from inspect import signature\nassert str(signature(Account)) == '(owner, balance=0)'",
    "import inspect\nassert inspect.signature(told).bind(1, shift=2).arguments == "
    "{'x': 1, 'shift': 2}",
    "import inspect\nassert inspect.getfullargspec(told).kwonlyargs == ['shift']",
    "import functools\nassert functools.wraps(told)(lambda x: x).__doc__ == 'Say what it does.'",
    "import numpy as np\nassert np.vectorize(silent)([1, 2]).tolist() == [1, 2]",
    "def ask(x, secret=17):\n    'What nobody must read.'\nassert asked(ask)[0] is None",
]
FAIL = [
    "assert silent.__doc__",
    "assert 'Stands' in told.__doc__",
    "import inspect\nassert inspect.getdoc(silent)",
    "import inspect\nassert 'y' in inspect.signature(told).parameters",
    "import inspect\nassert len(inspect.signature(silent).parameters) == 2",
    "import inspect\nassert str(inspect.signature(told)).startswith('(*args')",
]


@pytest.mark.parametrize("source", PASS)
def test_it_passes_as_in_one_process(rooms, source):
    assert error_of(rooms, WORK, check(source)) is None


@pytest.mark.parametrize("source", FAIL)
def test_it_fails_as_in_one_process(rooms, source):
    assert error_of(rooms, WORK, check(source)).startswith("AssertionError")


def test_annotations_are_refused_in_words(rooms):
    error = error_of(rooms, WORK, check("assert silent.__annotations__ == {}"))
    assert "the function silent has no attribute '__annotations__' to be read from here" in error


def test_a_tests_function_says_nothing_of_itself(rooms):
    """Its default may be what the student is to find."""
    source = "def ask(x, secret=17):\n    return x\nassert '17' not in signed(ask)"
    assert error_of(rooms, WORK, check(source)) is None


@given(
    st.recursive(
        st.none() | st.text(max_size=5) | st.integers(-3, 9) | st.floats(),
        lambda inner: st.lists(inner, max_size=4),
        max_leaves=12,
    )
)
def test_what_is_no_description_is_refused(answer):
    """Whatever the student's room sends: a docstring and a signature, or an error of two kinds."""
    try:
        text, signature = restore_signature(answer)
    except (TypeError, ValueError):
        return
    assert text is None or type(text) is str
    assert signature is None or type(signature) is inspect.Signature


@pytest.mark.parametrize(
    "function",
    [lambda: 0, lambda a, /, b=1, *c, d, e=None, **f: 0, inspect.signature, dict, int.from_bytes],
)
def test_what_is_described_is_restored(function):
    text, signature = restore_signature(describe_signature(function))
    assert text == function.__doc__
    try:
        expected = inspect.signature(function)
    except ValueError:
        assert signature is None
        return
    plain = [one.replace(annotation=one.empty) for one in expected.parameters.values()]
    assert list(signature.parameters.values()) == plain
