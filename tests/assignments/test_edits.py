"""Answers that are written as edits: what they come to, and what is said where they don't apply."""

import re

import pytest

from tests.assignments.edits import EditError, read_answers

RIGHT = {
    "a sum": "\ndef double(x):\n    y = x\n    return x + y\n",
    "a product": "\ndef double(x):\n    return 2 * x\n",
}
WRONG = "== double_values\n* wrong | words"


def wrong_source(*lines, header=WRONG):
    return (
        read_answers("ps99/double.py", RIGHT, "\n".join([header, *lines])).mutants["wrong"].source
    )


def test_edits_are_applied_one_after_the_other():
    answers = read_answers(
        "answers/ps99/double.py",
        RIGHT,
        """
== right
* a difference
~ x + y => x - -y

== double_values
# Nobody can tell.
* the third power
| should be 4, it is 8
| edits a product
~ 2 * x => x**3

== double_zero
* nothing
+def double(x):
+    return 0
""",
    )
    assert answers.cell == "double"
    assert list(answers.right) == ["a sum", "a product", "a difference"]
    assert answers.right["a difference"] == "\ndef double(x):\n    y = x\n    return x - -y\n"
    power, nothing = answers.mutants.values()
    assert list(answers.mutants) == ["the third power", "nothing"]
    assert power.source == "\ndef double(x):\n    return x**3\n"
    assert (power.fails, power.says) == ("double_values", "should be 4, it is 8")
    assert nothing.source == "\ndef double(x):\n    return 0\n"
    assert (nothing.fails, nothing.says) == ("double_zero", "")


@pytest.mark.parametrize(
    ("lines", "source"),
    [
        (["~3 x => z"], "\ndef double(z):\n    y = z\n    return z + y\n"),
        (["~  + y =>"], "\ndef double(x):\n    y = x\n    return x\n"),
        (["-    y = x"], "\ndef double(x):\n    return x + y\n"),
        (
            ["+    x = 1", "     y = x"],
            "\ndef double(x):\n    x = 1\n    y = x\n    return x + y\n",
        ),
        (
            ["-    y = x", "+    y = 1", "@@", "-    return x + y", "+    return y"],
            "\ndef double(x):\n    y = 1\n    return y\n",
        ),
    ],
)
def test_a_replacement_and_a_patch(lines, source):
    assert wrong_source(*lines) == source


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["~ z => y"], "the text 'z' should occur 1 time(s), it occurs 0 time(s)"),
        (["~ x => z"], "the text 'x' should occur 1 time(s), it occurs 3 time(s)"),
        (["~2 x => z"], "the text 'x' should occur 2 time(s), it occurs 3 time(s)"),
        (["-    y = 1", "+    y = 2"], "'    y = 1\\n' should occur 1 time(s), it occurs 0"),
        (["-y = x"], "'y = x\\n' should occur 1 time(s), it occurs 0"),
        (["~ x + y"], "this line is no edit: '~ x + y'"),
        (["x + y => x"], "this line is no edit: 'x + y => x'"),
        ([], "its edits leave 'a sum' as it is"),
        (["     y = x"], "its edits leave 'a sum' as it is"),
    ],
)
def test_an_edit_that_does_not_apply_is_named(lines, says):
    where = "ps99/double.py: exercise double, answer 'wrong': "
    with pytest.raises(EditError, match=re.escape(where) + ".*" + re.escape(says)):
        wrong_source(*lines)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (f"{WRONG} | edits a quotient", "there is no answer 'a quotient' above it"),
        ("== double_values\n* a sum | words", "there is another answer with this name"),
    ],
)
def test_a_header_that_does_not_fit_is_named(header, says):
    with pytest.raises(EditError, match=says):
        wrong_source("~ x + y => x", header=header)
