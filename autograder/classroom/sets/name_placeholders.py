"""Put placeholders for the names of a problem set's functions and of their parameters.

A function's name is replaced wherever it means the function: in all code, and in code within text.
A name with an underscore isn't an English word, so it is replaced everywhere. A parameter's name is
replaced in the cell that defines the function and in the text above that cell. A word whose name
begins with `key_` is a part of a text from which a set draws, and is replaced everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

import parso
from parso.python.tree import Name

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets.assignment import text_of

KEY_WORD = "key_"  # begins the name of a word, which is no name of anything in the code

_CODE = re.compile(r"(`+)(.+?)\1", re.S)  # code in Markdown text
_OFF_LIMITS = re.compile(r"^- Off limits: .*(?:\n  .*)*", re.M)  # the library's names


def insert_placeholders(notebook: Mapping, choices: Mapping[str, tuple[str, ...]]) -> dict:
    """Return the notebook with a placeholder for each name; the first lists the choices."""
    cells = notebook["cells"]
    definitions = [_find_definitions(cell) for cell in cells]
    functions = {name for names, _ in definitions for name in names}.intersection(choices)
    functions |= {name for name in choices if name.startswith(KEY_WORD)}
    new_cells, declared_names = [], set[str]()
    for cell, args in zip(
        cells, _parameters_in_reach(cells, [args for _, args in definitions]), strict=True
    ):
        text = text_of(cell["source"])
        names = {name: f"{{{{{name}}}}}" for name in functions | args.intersection(choices)}
        if cell["cell_type"] == "code":
            text = replace_in_code(text, names)
        elif cell["cell_type"] == "markdown":
            text = replace_in_text(text, names)
        for name in choices:
            if name not in declared_names and names.get(name, "\0") in text:
                declaration = f"{{{{{name}: {'|'.join(choices[name])}}}}}"
                text = text.replace(names[name], declaration, 1)
                declared_names.add(name)
        new_cells.append({**cell, "source": text})
    return {**notebook, "cells": new_cells}


def _find_definitions(cell: Mapping) -> tuple[set[str], set[str]]:
    """Return the functions and classes that a solution cell defines, and their parameters."""
    if cell["cell_type"] != "code" or not CellMetadata.of(cell).solution:
        return set(), set()
    try:
        tree = ast.parse(text_of(cell["source"]))
    except (SyntaxError, ValueError):
        return set(), set()
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    members = [
        member for node in definitions if isinstance(node, ast.ClassDef) for member in node.body
    ]
    functions = [node for node in [*definitions, *members] if isinstance(node, ast.FunctionDef)]
    parameters = {arg.arg for node in functions for arg in node.args.args}
    return {node.name for node in definitions}, parameters


def _parameters_in_reach(cells: list[Mapping], args: list[set[str]]) -> Iterator[set[str]]:
    """Return the parameters to replace in each cell; text has those of the next code cell."""
    reachable, next_parameters = [], set[str]()
    for cell, parameters in zip(reversed(cells), reversed(args), strict=True):
        next_parameters = parameters if cell["cell_type"] == "code" else next_parameters
        reachable.append(next_parameters)
    return reversed(reachable)


def replace_in_code(text: str, names: Mapping[str, str]) -> str:
    """Return Python code with names replaced, except attributes, imports and keywords of calls.

    In comments and strings only names with an underscore change: others may be words.
    """
    tree = parso.parse(text)
    parts, leaf = [], tree.get_first_leaf()
    while leaf is not None:
        parts.append(_replace_in_prose(leaf.prefix, names))
        if leaf.type == "name" and not _is_foreign(leaf):
            parts.append(names.get(leaf.value, leaf.value))
        elif leaf.type in ("string", "fstring_string"):
            parts.append(_replace_in_prose(leaf.value, names))
        else:
            parts.append(leaf.value)
        leaf = leaf.get_next_leaf()
    return "".join(parts)


def _is_foreign(leaf: Name) -> bool:
    """Return whether this name is an attribute, imported, or the keyword of a call."""
    previous, parent, next_leaf = leaf.get_previous_leaf(), leaf.parent, leaf.get_next_leaf()
    if previous is not None and previous.value == ".":
        return True
    is_first_part = parent is not None and parent.type == "argument" and leaf is parent.children[0]
    if is_first_part and next_leaf.value == "=":
        return True
    return any(leaf.search_ancestor(kind) for kind in ("import_name", "import_from"))


def replace_in_text(text: str, names: Mapping[str, str]) -> str:
    """Return markdown with names replaced, except in lists of off-limits names."""
    unchanged = _OFF_LIMITS.findall(text)
    parts = [_replace_in_markdown(part, names) for part in _OFF_LIMITS.split(text)]
    return "".join(part + span for part, span in zip(parts, [*unchanged, ""], strict=True))


def _replace_in_markdown(text: str, names: Mapping[str, str]) -> str:
    code = _CODE.sub(lambda match: match[1] + _replace_in_span(match[2], names) + match[1], text)
    return _replace_in_prose(code, names)


def _replace_in_span(code: str, names: Mapping[str, str]) -> str:
    return _replace(code, names, r"""(?<![\w."'{\\])""")


def _replace_in_prose(text: str, names: Mapping[str, str]) -> str:
    unmistakable_names = {old: new for old, new in names.items() if "_" in old.strip("_")}
    return _replace(text, unmistakable_names, r"(?<![\w.{\\])")


def _replace(text: str, names: Mapping[str, str], prefix: str) -> str:
    if not names:
        return text
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"{prefix}(?:{words})(?!\w)", lambda match: names[match[0]], text)
