"""What is off limits for an answer, in the rooms: to student code alone, and while it is tested."""

from tests.autograder.examiner.cells import check, error_of, locked, student

SETUP = locked("""
    from autograder import checks
    from dplab import RandomizedResponse
    checks.off_limits("dplab.RandomizedResponse")
    """)


def test_an_answer_that_calls_what_is_off_limits_is_told_so(rooms):
    work = student("def f(): return RandomizedResponse(epsilon=1.0).epsilon")
    said = error_of(rooms, SETUP, work, check("checks.call(f).gives(1)"))
    assert "the exercise asks you to write this yourself: dplab.RandomizedResponse" in said


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
