"""Marks in the place of names: the functions of a problem set and what they take, called otherwise.

A function's name is a mark wherever it stands for the function: in all code, in code within text,
and, where it has an underscore and so can't be a word, anywhere. What a function takes is one in
the cell that defines it and in the text above that cell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

import parso
from parso.python.tree import Name

from autograder.classroom.assignment import text_of
from autograder.classroom.marks import Marks

_CODE = re.compile(r"(`+)(.+?)\1", re.S)  # in text
_OFF_LIMITS = re.compile(r"^- Off limits: .*(?:\n  .*)*", re.M)  # names of the library's


def with_marks(notebook: Mapping, choices: Mapping[str, tuple[str, ...]]) -> dict:
    """The notebook with marks for those names: where one stands first, it has its choices."""
    cells = notebook["cells"]
    defined = [_defined(cell) for cell in cells]
    functions = {name for names, _ in defined for name in names}.intersection(choices)
    marked, said = [], set[str]()
    for cell, taken in zip(cells, _in_sight(cells, [taken for _, taken in defined]), strict=True):
        text = text_of(cell["source"])
        names = {name: f"{{{{{name}}}}}" for name in functions | taken.intersection(choices)}
        if cell["cell_type"] == "code":
            text = in_code(text, names)
        elif cell["cell_type"] == "markdown":
            text = in_text(text, names)
        for name in choices:
            if name not in said and names.get(name, "\0") in text:
                listed = f"{{{{{name}: {'|'.join(choices[name])}}}}}"
                text = text.replace(names[name], listed, 1)
                said.add(name)
        marked.append({**cell, "source": text})
    return {**notebook, "cells": marked}


def _defined(cell: Mapping) -> tuple[set[str], set[str]]:
    """Functions and classes that a solution cell defines, and what its functions take."""
    if cell["cell_type"] != "code" or not Marks.of(cell).solution:
        return set(), set()
    try:
        tree = ast.parse(text_of(cell["source"]))
    except (SyntaxError, ValueError):
        return set(), set()
    outer = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    inner = [one for node in outer if isinstance(node, ast.ClassDef) for one in node.body]
    functions = [node for node in [*outer, *inner] if isinstance(node, ast.FunctionDef)]
    return {node.name for node in outer}, {arg.arg for node in functions for arg in node.args.args}


def _in_sight(cells: list[Mapping], taken: list[set[str]]) -> Iterator[set[str]]:
    """For each cell the arguments that it speaks of: text speaks of the code that comes next."""
    found, following = [], set[str]()
    for cell, own in zip(reversed(cells), reversed(taken), strict=True):
        following = own if cell["cell_type"] == "code" else following
        found.append(following)
    return reversed(found)


def in_code(text: str, names: Mapping[str, str]) -> str:
    """Python code with other names; attributes, imports and keywords of calls stay.

    In comments and strings, where a word may be meant, a name is one if it has an underscore.
    """
    tree = parso.parse(text)
    parts, leaf = [], tree.get_first_leaf()
    while leaf is not None:
        parts.append(_in_words(leaf.prefix, names))
        if leaf.type == "name" and not _is_another_s(leaf):
            parts.append(names.get(leaf.value, leaf.value))
        elif leaf.type in ("string", "fstring_string"):
            parts.append(_in_words(leaf.value, names))
        else:
            parts.append(leaf.value)
        leaf = leaf.get_next_leaf()
    return "".join(parts)


def _is_another_s(leaf: Name) -> bool:
    """Whether this name is an attribute, imported, or the keyword of a call."""
    before, above, after = leaf.get_previous_leaf(), leaf.parent, leaf.get_next_leaf()
    if before is not None and before.value == ".":
        return True
    keyword = above is not None and above.type == "argument" and leaf is above.children[0]
    if keyword and after.value == "=":
        return True
    return any(leaf.search_ancestor(kind) for kind in ("import_name", "import_from"))


def in_text(text: str, names: Mapping[str, str]) -> str:
    """Markdown with other names; what is off limits keeps its own."""
    kept = _OFF_LIMITS.findall(text)
    parts = [_words(part, names) for part in _OFF_LIMITS.split(text)]
    return "".join(one + two for one, two in zip(parts, [*kept, ""], strict=True))


def _words(text: str, names: Mapping[str, str]) -> str:
    code = _CODE.sub(lambda found: found[1] + _in_span(found[2], names) + found[1], text)
    return _in_words(code, names)


def _in_span(code: str, names: Mapping[str, str]) -> str:
    return _replaced(code, names, r"""(?<![\w."'{\\])""")


def _in_words(text: str, names: Mapping[str, str]) -> str:
    certain = {old: new for old, new in names.items() if "_" in old.strip("_")}
    return _replaced(text, certain, r"(?<![\w.{\\])")


def _replaced(text: str, names: Mapping[str, str], before: str) -> str:
    if not names:
        return text
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"{before}(?:{listed})(?!\w)", lambda found: names[found[0]], text)
