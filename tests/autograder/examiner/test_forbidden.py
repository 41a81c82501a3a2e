"""What is off limits for an answer, in the rooms: to student code alone, and while it is tested."""

import pytest

from tests.autograder.examiner.cells import check, error_of, locked, student

SETUP = locked("""
    from autograder import checks
    from dplab import RandomizedResponse
    checks.forbidden("dplab.RandomizedResponse")
    """)


def test_an_answer_that_calls_what_is_off_limits_is_told_so(rooms):
    work = student("def f(): return RandomizedResponse(epsilon=1.0).epsilon")
    said = error_of(rooms, SETUP, work, check("checks.call(f).gives(1)"))
    assert "the exercise asks you to write this yourself: dplab.RandomizedResponse" in said


ANSWERS = {
    "a function": "from dplab import histogram as f",
    "a class": "f = RandomizedResponse",
    "a method": "f = RandomizedResponse(1.0).distribution",
    "within another": "import functools\nfrom dplab import histogram\n"
    "f = functools.partial(histogram)",
    "for each entry": "import numpy as np\nf = np.vectorize(RandomizedResponse, otypes=[object])",
    "two calls away": "import functools\nf = functools.lru_cache(RandomizedResponse)",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
@pytest.mark.parametrize(
    "call", ["checks.call(f, 1)", "checks.call_each(f, [(1,)])[0]", "checks.repeat(f, 1, count=2)"]
)
def test_what_is_off_limits_is_no_answer_itself(rooms, answer, call):
    setup = locked(
        "from autograder import checks\nfrom dplab import RandomizedResponse\n"
        "checks.forbidden('dplab.RandomizedResponse', 'dplab.histogram')"
    )
    said = error_of(rooms, setup, student(answer), check(f"{call}.result()"))
    assert "the exercise asks you to write this yourself: dplab." in said


def test_a_notebook_may_play_with_it_and_a_test_may_use_it(rooms):
    work = student("coin = RandomizedResponse(epsilon=1.0)\ndef f(oracle): return oracle()")
    test = check(
        """
        def oracle():
            return RandomizedResponse(epsilon=2.0).epsilon

        checks.call(f, oracle).gives(2)
        """
    )
    assert error_of(rooms, SETUP, work, test) is None
