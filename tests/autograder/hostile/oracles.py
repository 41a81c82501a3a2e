"""Answers to an exercise whose tests hand over an oracle: a function that stays with the examiner.

A secret number below 16 is to be found with four questions, for 1 point in a visible and 2 in a
hidden test. Both look at what comes back, and count.
"""

from tests.autograder.hostile.catalogue import Desk, submission

ORACLE = """
def examine(secret):
    asked = []
    def at_least(number):
        asked.append(number)
        if len(asked) > 4:
            raise RuntimeError("you may ask four questions")
        return secret >= number
    found = find(at_least)
    assert len(asked) <= 4, "four questions are enough"
    assert isinstance(found, int) and found == secret, "that is not the secret number"
"""
TEXTS = [
    ("markdown", "title", "# An oracle\n\n`find(at_least)` finds a number below 16.", {}),
    ("code", "imports", "import numpy as np", {"locked": True}),
    (
        "code",
        "find",
        "def find(at_least):\n    ### BEGIN SOLUTION\n    low = 0\n    for step in (8, 4, 2, 1):\n"
        "        low += step * at_least(low + step)\n    return low\n    ### END SOLUTION",
        {"solution": True},
    ),
    ("code", "find_five", f"{ORACLE}\nexamine(5)", {"grade": True, "locked": True, "points": 1}),
    (
        "code",
        "find_others",
        "### BEGIN HIDDEN TESTS\nfor secret_of_the_test in (0, 7, 10, 15):\n"
        "    examine(secret_of_the_test)\n### END HIDDEN TESTS",
        {"grade": True, "locked": True, "points": 2},
    ),
]
SOLUTIONS = {
    "find": "def find(at_least):\n    low = 0\n    for step in (8, 4, 2, 1):\n"
    "        low += step * at_least(low + step)\n    return low"
}


@submission(points=0, problem_set="oracle")
def one_question_for_each(desk: Desk):
    """All sixteen questions are asked."""
    return desk.answered(find="def find(at_least):\n    return sum(map(at_least, range(1, 16)))")


@submission(points=0, problem_set="oracle")
def one_question_too_many(desk: Desk):
    """A fifth question, whose error is swallowed, before a right answer."""
    return desk.answered(
        find="""
        def find(at_least):
            low = 0
            for step in (8, 4, 2, 1): low += step * at_least(low + step)
            try: at_least(low)
            except BaseException: pass
            return low
        """
    )


@submission(points=0, problem_set="oracle")
def questions_of_many_threads(desk: Desk):
    """All questions are asked at once, so that the count might come too late."""
    return desk.answered(
        find="""
        from concurrent.futures import ThreadPoolExecutor
        def quietly(at_least, number):
            try: return at_least(number)
            except Exception: return False
        def find(at_least):
            with ThreadPoolExecutor(15) as pool:
                return sum(pool.map(lambda number: quietly(at_least, number), range(1, 16)))
        """
    )


@submission(points=0, problem_set="oracle")
def questions_of_children(desk: Desk):
    """Questions are asked by children, over the same channel."""
    return desk.answered(
        find="""
        import os
        def find(at_least):
            for number in range(1, 16):
                reading, writing = os.pipe()
                if os.fork() == 0:
                    try: os.write(writing, bytes([at_least(number)]))
                    finally: os._exit(0)
                os.close(writing)
                if os.read(reading, 1) != b"\\1": return number - 1
            return 15
        """
    )


@submission(points=0, problem_set="oracle")
def the_oracle_itself(desk: Desk):
    """The oracle is returned: in the examiner's room it is the examiner's own function again."""
    return desk.answered(find="def find(at_least):\n    return at_least")


@submission(points=0, problem_set="oracle")
def the_oracle_in_a_list(desk: Desk):
    """The same within other values."""
    return desk.answered(find="def find(at_least):\n    return [{'number': (at_least,)}]")


@submission(points=0, problem_set="oracle")
def internals_of_the_oracle(desk: Desk):
    """The secret is sought in what belongs to a function: its closure, code and globals."""
    return desk.answered(
        find="""
        def find(at_least):
            for name in ("__closure__", "__code__", "__globals__", "__self__", "__wrapped__",
                         "func_closure", "__defaults__", "__dict__", "cell_contents"):
                for look in (getattr, lambda o, n: object.__getattribute__(o, n),
                             lambda o, n: o._channel.request("getattr", o, n)):
                    try: print("LE" "AKED", [cell.cell_contents for cell in look(at_least, name)])
                    except BaseException as error: print(type(error).__name__)
            return -1
        """
    )


@submission(points=0, problem_set="oracle")
def oracle_of_the_forger(desk: Desk):
    """The oracle's number is used for its neighbours: other objects of the examiner's."""
    return desk.answered(
        find="""
        def find(at_least):
            theirs = at_least._channel.ledger._theirs
            for number in range(30):
                try:
                    theirs[id(at_least)] = number
                    print(at_least, [at_least[i] for i in range(3)], at_least(1))
                except BaseException as error: print(type(error).__name__)
            return -1
        """
    )


@submission(points=0, problem_set="oracle")
def question_that_is_an_object(desk: Desk):
    """The question is an object of the student's, which hears what it is compared with."""
    return desk.answered(
        find="""
        heard = []
        class Ear(int):
            __le__ = __ge__ = __lt__ = __gt__ = __eq__ = lambda self, x: heard.append(x) or True
        class Listener:
            __le__ = __ge__ = __lt__ = __gt__ = __eq__ = lambda self, x: heard.append(x) or True
        def find(at_least):
            for ear in (Ear(3), Listener()):
                try: at_least(ear)
                except Exception: pass
            return heard[0] if heard else -1
        """
    )


@submission(points=0, problem_set="oracle")
def question_that_is_an_array(desk: Desk):
    """One question about all numbers at once: an array is compared elementwise. It is one."""
    return desk.answered(
        find="""
        import numpy as np
        def find(at_least):
            return (at_least(np.arange(1, 16)).sum(),)
        """
    )


@submission(points=1, problem_set="oracle")
def oracle_that_is_kept(desk: Desk):
    """The first test's oracle is asked in the place of the second's."""
    return desk.answered(
        find="""
        kept = []
        def find(at_least):
            kept.append(at_least)
            low = 0
            for step in (8, 4, 2, 1):
                low += step * kept[0](low + step) if len(kept) == 1 else kept[-2](low) * 0
            return low
        """
    )


@submission(points=0, problem_set="oracle")
def oracle_that_calls_back(desk: Desk):
    """While the oracle is asked, it is asked again, without an end."""
    return desk.answered(
        find="""
        def find(at_least):
            class Again(int):
                def __index__(self): return at_least(self)
                __le__ = __index__
            try: return find(at_least)
            finally: at_least(Again(3))
        """
    )


@submission(points=0, problem_set="oracle")
def oracle_that_is_copied(desk: Desk):
    """Copies and pickles of the oracle, each with a count of its own."""
    return desk.answered(
        find="""
        import copy, pickle
        def find(at_least):
            found = 0
            for number in range(1, 16):
                for make in (copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))):
                    try: found = max(found, number * bool(make(at_least)(number)))
                    except Exception as error: print(type(error).__name__)
            return found
        """
    )


@submission(points=3, problem_set="oracle")
def right_in_three_questions(desk: Desk):
    """Honest, and in another style: the oracle is passed on, wrapped and asked lazily."""
    return desk.answered(
        find="""
        from functools import lru_cache, reduce
        def find(at_least):
            ask = lru_cache(lambda number: bool(at_least(number)))
            return reduce(lambda low, step: low + step * ask(low + step), (8, 4, 2, 1), 0)
        """
    )
