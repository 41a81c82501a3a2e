"""Near-duplicate answers in a class: a list to look at, not an accusation.

An answer is compared by its structure: names of its own, comments, docstrings, annotations and
formatting count for nothing. Its fragments are all runs of 10 tokens of its syntax tree. A
fragment that was released with the problem set, or that more than 20 students or a third of the
class have, says nothing; any other weighs the more the fewer have it, log(students / those who
have it). So where everybody's answer is alike, as short right answers are, nothing is listed.

The work grows with the number of answers, not of pairs: an index leads from each fragment to the at
most 20 students who have it.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

RUN = 10  # tokens of a fragment, about one statement
COMMON, SHARE = 20, 1 / 3  # what more students have, or a larger share, is common knowledge
LIKENESS = 2 / 3  # least share of the lighter answer's weight that both have
EVIDENCE = 60.0  # least weight of what both have
DIGITS = 6  # more depend on the order in which weights are added
LONGEST = 50_000  # characters; longer answers aren't compared

Fragment = int  # the hash of a run of tokens


@dataclass(frozen=True)
class Pair:
    """Two students' answers to one exercise. `evidence` is the weight of the fragments that both
    have; `likeness`, from 0 to 1, its share of the weight of the lighter answer, so that nobody
    escapes by adding lines.
    """

    first: str
    second: str
    likeness: float
    evidence: float


def near_duplicates(answers: Mapping[str, str], released: Iterable[str] = ()) -> list[Pair]:
    """The pairs of students whose code is alike, the most evidence first.

    `answers` maps students to their code for one exercise, `released` is the code that all were
    given. Code that can't be parsed is left out.
    """
    given = set().union(*map(fragments, released))
    own = {text: fragments(text) - given for text in dict.fromkeys(answers.values())}
    index = defaultdict(list)
    for student, text in answers.items():
        for fragment in own[text]:
            index[fragment].append(student)
    weights = _weights(index, sum(bool(own[text]) for text in answers.values()))
    total: dict[str, float] = defaultdict(float)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for fragment, weight in weights.items():
        students = index[fragment]
        for student in students:
            total[student] += weight
        for pair in itertools.combinations(students, 2):
            shared[pair] += weight
    found = (
        Pair(a, b, round(both / min(total[a], total[b]), DIGITS), round(both, DIGITS))
        for (a, b), both in shared.items()
        if both >= EVIDENCE
    )
    alike = [pair for pair in found if pair.likeness >= LIKENESS]
    return sorted(alike, key=lambda pair: (-pair.evidence, pair.first, pair.second))


def _weights(index: Mapping[Fragment, list[str]], students: int) -> dict[Fragment, float]:
    most = min(COMMON, max(2, int(students * SHARE)))
    return {
        fragment: math.log(students / len(who))
        for fragment, who in index.items()
        if len(who) <= most
    }


def fragments(source: str) -> frozenset[Fragment]:
    """All runs of `RUN` tokens; of shorter code the one that there is, of none that parses none."""
    found = list(tokens(source))
    runs = zip(*(found[start:] for start in range(RUN)), strict=False)
    return frozenset(map(hash, runs)) or frozenset([hash(tuple(found))] if found else [])


def tokens(source: str) -> Iterator[str]:
    """The syntax tree of the code in the order of the text, without what a copyist changes first.

    A name that the code itself binds becomes the number of such names since it came last, so that
    a line put in between changes only what is around it. Other names are kept, as are attributes
    and numbers; of a text only that it is one.
    """
    words, own = _words(_parsed(source))
    last: dict[str, int] = {}
    number = 0
    for word in words:
        if word in own:
            number += 1
            ago = number - last.get(word, number)
            last[word] = number
            yield f"own {ago if ago < RUN else 0}"
        else:
            yield word


_MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)


def _parsed(source: str) -> list[ast.stmt]:
    """The statements, none where the code can't be compared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(_MAGIC.sub("", source)).body if len(source) <= LONGEST else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


_LEFT_OUT = {"annotation", "ctx", "kind", "returns", "simple", "type_comment", "type_params"}
_BINDING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)


def _words(statements: list[ast.stmt]) -> tuple[list[str], set[str]]:
    """A word for each node ("<Call>"), name (as it is), attribute (".exp") and constant, in the
    order of the text; and the names that are bound."""
    words: list[str] = []
    own: set[str] = set()
    waiting: list[Any] = statements[::-1]  # nodes and words
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            words.append(node)
            continue
        kind: Any = type(node)
        word, fields = _shape(kind)
        if kind is ast.Expr and _is_text(node.value):
            continue  # a docstring, or a comment in the shape of one
        if name := _bound(node, kind):
            own.add(name)
        words.append(word)
        waiting += _parts(node, kind, fields)[::-1]
    return words, own


@cache
def _shape(kind: type[ast.AST]) -> tuple[str, tuple[str, ...]]:
    """The word for nodes of this kind, and the fields that count."""
    name = "Assign" if kind is ast.AnnAssign else kind.__name__
    return f"<{name}>", tuple(field for field in kind._fields if field not in _LEFT_OUT)


def _parts(node: Any, kind: type[ast.AST], fields: tuple[str, ...]) -> list[ast.AST | str]:
    if kind is ast.Constant:
        return ["<text>" if _is_text(node) else _constant(node.value)]
    dot = "." if kind in (ast.Attribute, ast.keyword) else ""
    parts: list[ast.AST | str] = []
    for field in fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            parts += [part for part in value if part is not None]
        elif isinstance(value, str):
            parts.append(dot + value)
        elif isinstance(value, ast.AST):
            parts.append(value)
    return parts


def _constant(value: object) -> str:
    return hex(value) if type(value) is int else repr(value)  # repr refuses very long integers


def _is_text(node: Any) -> bool:
    return type(node) is ast.Constant and isinstance(node.value, (str, bytes))


def _bound(node: Any, kind: type[ast.AST]) -> str | None:
    """The name that this node binds, if it does."""
    if kind is ast.Name:
        return None if type(node.ctx) is ast.Load else node.id
    if kind is ast.arg:
        return node.arg
    return node.name if kind in _BINDING else None
