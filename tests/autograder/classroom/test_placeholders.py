"""Other names in a problem set: where a name stands for the thing, and nowhere else."""

import ast
import builtins
import keyword

import hypothesis.strategies as st
import pytest
from hypothesis import given

from autograder.classroom.sets.name_placeholders import (
    insert_placeholders,
    replace_in_code,
    replace_in_text,
)

NAMES = {"slope": "rate", "zero_one": "two_three"}


@pytest.mark.parametrize(
    ("code", "renamed"),
    [
        ("slope(zero_one)", "rate(two_three)"),
        ("def slope(x, slope=slope): pass", "def rate(x, rate=rate): pass"),
        ("line.slope = slope.line", "line.slope = rate.line"),
        ("fit(slope=slope)", "fit(slope=rate)"),
        ("fit(slope for slope in x)", "fit(rate for rate in x)"),
        ("from lib.slope import slope", "from lib.slope import slope"),
        ("import slope as s", "import slope as s"),
        ("f'{slope}, the slope of {zero_one:.3f}'", "f'{rate}, the slope of {two_three:.3f}'"),
        ("f'zero_one {{slope}} {x.slope}'", "f'two_three {{slope}} {x.slope}'"),
        ("'slope or zero_one'  # slope, zero_one", "'slope or two_three'  # slope, two_three"),
        ("off('lib.zero_one')", "off('lib.zero_one')"),
        ("slopes + my_slope + zero_ones", "slopes + my_slope + zero_ones"),
        (
            "class slope:\n    def zero_one(self): pass",
            "class rate:\n    def two_three(self): pass",
        ),
        ("%matplotlib inline\nslope(", "%matplotlib inline\nrate("),
        ("\n\n  # only a comment\n", "\n\n  # only a comment\n"),
        ("", ""),
    ],
)
def test_code(code, renamed):
    assert replace_in_code(code, NAMES) == renamed


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("The slope is `slope(x)`, or zero_one.", "The slope is `rate(x)`, or two_three."),
        ("```python\nslope(1)\n```", "```python\nrate(1)\n```"),
        ("``a ` slope``", "``a ` rate``"),
        ("`x.slope`, `'slope'`, `my_slope`", "`x.slope`, `'slope'`, `my_slope`"),
        (r"$\zero_one$ and ${zero_one}$", r"$\zero_one$ and ${zero_one}$"),
        (
            "- Off limits: `slope` and\n  `lib.zero_one` of `lib`.\n- `slope`",
            "- Off limits: `slope` and\n  `lib.zero_one` of `lib`.\n- `rate`",
        ),
        ("no code at all", "no code at all"),
    ],
)
def test_text(text, renamed):
    assert replace_in_text(text, NAMES) == renamed


@given(st.text())
def test_without_names_nothing_changes(text):
    assert replace_in_code(text, {}) == text
    assert replace_in_text(text, {}) == text


IDENTIFIERS = st.from_regex(r"[a-z]{1,3}(_[a-z])?", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and not hasattr(builtins, name)
)


@given(st.lists(IDENTIFIERS, min_size=2, max_size=6, unique=True))
def test_code_under_other_names_does_the_same(names):
    """What is renamed computes what it did, and renamed back it is what it was."""
    function, *taken = names
    text = (
        f"def {function}({', '.join(taken)}):\n"
        f'    """{" ".join(taken)}"""\n'
        f"    return [f'{{{taken[0]}}} {taken[0]}', {', '.join(taken)}]\n"
    )
    new = {old: f"X{place}_{old}" for place, old in enumerate(names)}
    renamed = replace_in_code(text, new)
    assert replace_in_code(renamed, {one: old for old, one in new.items()}) == text
    scope: dict = {}
    exec(renamed, scope)
    values = list(range(len(taken)))
    assert scope[new[function]](*values)[1:] == values
    assert {node.id for node in ast.walk(ast.parse(renamed)) if isinstance(node, ast.Name)} <= {
        *new.values()
    }


def cell(kind, source, **marks):
    return {"cell_type": kind, "source": source, "metadata": {"nbgrader": marks} if marks else {}}


def test_what_a_function_takes_is_renamed_where_it_is_spoken_of():
    cells = [
        cell("markdown", "All of it: `slope`, `x_y`, `word`."),
        cell("code", "word = 1"),
        cell("markdown", "**Write `slope(x_y, word)`.**"),
        cell("markdown", "A hint about `word`."),
        cell("code", "def slope(x_y, word):\n    return word", solution=True),
        cell("code", "word = slope(1, 2)", grade=True),
        cell("raw", "slope"),
    ]
    choices = {"slope": ("a", "b"), "word": ("c", "d"), "x_y": ("e", "f"), "absent": ("g", "h")}
    marked = [
        one["source"] for one in insert_placeholders({"cells": cells, "x": 1}, choices)["cells"]
    ]
    assert marked == [
        "All of it: `{{slope: a|b}}`, `x_y`, `word`.",
        "word = 1",
        "**Write `{{slope}}({{x_y: e|f}}, {{word: c|d}})`.**",
        "A hint about `{{word}}`.",
        "def {{slope}}({{x_y}}, {{word}}):\n    return {{word}}",
        "word = {{slope}}(1, 2)",
        "slope",
    ]


def test_methods_take_arguments_too_and_what_cannot_be_read_has_none():
    cells = [
        cell("code", "class Fit:\n    def at(self, word): return word", solution=True),
        cell("code", "def slope(:", solution=True),
    ]
    marked = insert_placeholders(
        {"cells": cells}, dict.fromkeys(("word", "at", "slope"), ("a", "b"))
    )
    assert [one["source"] for one in marked["cells"]] == [
        "class Fit:\n    def at(self, {{word: a|b}}): return {{word}}",
        "def slope(:",
    ]
