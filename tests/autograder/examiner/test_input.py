"""What student code asks by `input` is answered by the test that calls it, and by nobody else."""

from textwrap import dedent

import pytest

from autograder.wire.contract import Cell, Role
from tests.autograder.examiner.cells import (
    check,
    error_of,
    hidden,
    locked,
    outputs,
    student,
    text_of,
)

WORK = student("""
    def greet():
        print("hello")
        name = input("Name? ")
        print("hello", name)
        return f"{name} is {int(input('Age? '))}"

    def ask():
        return input()

    def careless():
        try:
            return greet()
        except EOFError:
            return "Ada is 36"

    def generated():
        while True:
            yield input()
    """)
PATCH = "from unittest.mock import patch\n"
SERVED = {
    "our own": """
        from autograder import checks
        with checks.scripted_input("Ada", "36") as asked:
            assert greet() == "Ada is 36"
        assert asked.prompts == ["Name? ", "Age? "]""",
    "lines": """
        with patch('builtins.input', side_effect=['Ada', '36']):
            assert greet() == 'Ada is 36'""",
    "one line": "with patch('builtins.input', return_value='36'): assert greet() == '36 is 36'",
    "a function": "with patch('builtins.input', lambda q: '3'): assert greet() == '3 is 3'",
    "by its object": """
        import builtins
        with patch.object(builtins, 'input', return_value='1') as asked: ask()
        asked.assert_called_once_with()""",
    "how often": """
        with patch('builtins.input', return_value='1') as asked: greet()
        assert asked.call_count == 2
        asked.assert_called_with('Age? ')""",
    "decorated": """
        @patch('builtins.input', side_effect=['Ada', '36'])
        def asked(mock): assert greet() == 'Ada is 36'
        asked()""",
    "in its place": """
        import builtins
        before, builtins.input = builtins.input, lambda prompt: '7'
        try: assert greet() == '7 is 7'
        finally: builtins.input = before""",
    "with what was printed": """
        import io, contextlib
        with patch('builtins.input', side_effect=['Ada', '36']):
            with contextlib.redirect_stdout(io.StringIO()) as said: greet()
        assert said.getvalue() == 'hello\\nhello Ada\\n', said.getvalue()""",
    "in the order in which all was printed": """
        import io, contextlib
        with contextlib.redirect_stdout(io.StringIO()) as said:
            with patch('builtins.input', lambda prompt: print(prompt) or '1'): greet()
        assert said.getvalue() == 'hello\\nName? \\nhello 1\\nAge? \\n', said.getvalue()""",
    "many calls": """
        from autograder import checks
        with checks.scripted_input(*'abc'):
            assert list(checks.draws(ask, count=3)) == ['a', 'b', 'c']""",
}


def source_of(name):
    return PATCH + dedent(SERVED[name])


@pytest.mark.parametrize("name", SERVED)
def test_a_test_types_what_is_asked_for(rooms, name):
    assert error_of(rooms, WORK, check(source_of(name))) is None


def test_it_does_so_in_a_hidden_test_and_in_one_that_runs_in_the_student_s_room(rooms):
    assert error_of(rooms, WORK, hidden(source_of("our own"))) is None
    for name in ("our own", "lines", "how often", "with what was printed"):
        source = source_of(name)
        assert error_of(rooms, WORK, Cell(Role.FORGEABLE, source, "test", source, 1.0)) is None


@pytest.mark.parametrize("function", ["greet", "careless"])
def test_a_question_too_many_is_told_in_the_teacher_s_words(rooms, function):
    source = (
        "from autograder import checks\nwith checks.scripted_input('Ada', hint='Ask once.'): {}()"
    )
    said = error_of(rooms, WORK, check(source.format(function)))
    assert said == (
        "AssertionError: input() was called a time too many: one line was typed here. Ask once."
    )
    assert error_of(rooms, WORK, hidden(source.format(function))) == "AssertionError: Ask once."
    said = error_of(
        rooms, WORK, check(f"{PATCH}with patch('builtins.input', side_effect=['A']): greet()")
    )
    assert said == "EOFError: input() was called more often than the test has lines"


@pytest.mark.parametrize(
    "cells",
    [
        [check("ask()")],
        [check(f"{PATCH}with patch('builtins.input', return_value='1'): pass\nask()")],
        [check(f"{PATCH}patch('builtins.input', return_value='1').start()", "first"),
         locked("x = 1"), student("ask()")],
        [locked(f"{PATCH}patch('builtins.input', return_value='1').start()\nask()")],
    ],
)  # fmt: skip
def test_nobody_answers_outside_of_it(rooms, cells):
    said = error_of(rooms, WORK, *cells)
    if cells[0].role is Role.BOTH:  # in its own room it has put that in place itself
        assert said is None
    else:
        assert "nobody can answer while a notebook is graded" in said


def test_an_answer_is_the_test_s_own_whatever_student_code_has_put_in_place(rooms):
    other = student("import builtins\nbuiltins.input = lambda prompt='': '99'")
    source = source_of("how often")
    assert "assert" in error_of(rooms, WORK, other, check(source)).lower()


def test_the_stand_in_for_the_lines_is_out_of_reach(rooms):
    reach = student("""
        import gc
        from autograder.wire.standins import StandIn
        def ask():
            line = input()
            return [repr(one) for one in gc.get_objects() if isinstance(one, StandIn)]
        """)
    test = f"{PATCH}with patch('builtins.input', side_effect=['a', 'b']): assert ask() == []"
    assert error_of(rooms, reach, check(test)) is None


def test_who_asks_without_end_is_stopped(rooms):
    endless = student("""
        def ask():
            for n in range(10**9):
                input("x" * 10_000)
        """)
    test = f"{PATCH}with patch('builtins.input', return_value='a') as asked: {{}}"
    said = error_of(rooms, endless, check(test.format("ask()")))
    assert said == "EOFError: input() was called more than 10,000 times by one test"
    test = test.format("\n    try: ask()\n    except EOFError: pass")
    longest = "assert {len(call.args[0]) for call in asked.call_args_list} == {1000}"
    assert error_of(rooms, endless, check(f"{test}\n{longest}")) is None


def test_prompts_are_shown_to_nobody(rooms):
    assert text_of(outputs(rooms, WORK, check(source_of("our own")))) == "hello\nhello Ada\n"
