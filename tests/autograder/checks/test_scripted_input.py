"""Lines typed for `input()`: in their order, and no more than there are."""

import builtins

import pytest

from autograder import checks

REAL = builtins.input


def greet():
    name = input("Name? ")
    return f"{name} is {int(input('Age? '))}"


def asks_until_a_number():
    while True:
        try:
            return int(input())
        except ValueError:
            print("again")


def swallows_all():
    try:
        return greet()
    except Exception:
        return "Ada is 36"


def test_lines_come_in_their_order_and_prompts_are_kept():
    with checks.scripted_input("Ada", "36", "never") as asked:
        assert checks.call(greet).result() == "Ada is 36"
        assert asked.prompts == ["Name? ", "Age? "]
    assert (asked.left, asked.lacked) == (1, False)
    assert builtins.input is REAL


@pytest.mark.parametrize(
    ("ask", "lines", "said"),
    [
        (greet, [], "no line was"),
        (greet, ["Ada"], "one line was"),
        (swallows_all, ["Ada"], "one line was"),
        (asks_until_a_number, ["x", "", "y"], "3 lines were"),
    ],
)
def test_a_question_too_many_fails_in_the_teacher_s_words_whatever_came_of_it(ask, lines, said):
    with pytest.raises(AssertionError) as error, checks.scripted_input(*lines, hint="Ask twice."):
        ask()
    assert str(error.value) == f"input() was called a time too many: {said} typed here. Ask twice."
    assert error.value.hint == "Ask twice."
    assert builtins.input is REAL


def test_an_error_of_another_kind_stays_what_it_is():
    with pytest.raises(ValueError, match="invalid literal"), checks.scripted_input("Ada", "old"):
        greet()
    assert builtins.input is REAL


@pytest.mark.parametrize("line", [3, None, "a\nb", b"a"])
def test_a_line_is_one_line_of_text(line):
    with (
        pytest.raises(ValueError, match="a line to type must be text"),
        checks.scripted_input(line),
    ):
        pass
    assert builtins.input is REAL
