"""Near-duplicate answers in a class: a list to look at, not an accusation.

Answers are compared by their structure: their own names, comments, docstrings, annotations and
formatting don't count. An answer's fragments are all runs of 10 tokens of its syntax tree. A
fragment has no weight if it was released with the problem set. It has none either if more than 20
students, or more than a third of the class, have it. Otherwise it weighs log(students / students
who have it). So no pair is listed if all answers are alike, as short right answers are.

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

FRAGMENT_TOKENS = 10  # tokens of a fragment, about one statement
COMMON, SHARE = 20, 1 / 3  # fragments of more students, or of a larger share, have no weight
MIN_LIKENESS = 2 / 3  # least share of the lighter answer's weight in shared fragments
EVIDENCE = 60.0  # least weight of the shared fragments
DECIMALS = 6  # further ones depend on the order in which weights are added
MAX_CHARACTERS = 50_000  # characters; longer answers aren't compared

Fragment = int  # the hash of a run of tokens


@dataclass(frozen=True)
class Pair:
    """Two students' answers to one exercise.

    `evidence` is the weight of the fragments that both have. `likeness` is its share of the lighter
    answer's weight, from 0 to 1. So additional lines don't hide a copy.
    """

    first: str
    second: str
    likeness: float
    evidence: float


def near_duplicates(answers: Mapping[str, str], released: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of students whose code is alike, the most evidence first.

    `answers` maps students to their code for one exercise, `released` is the code that all got.
    Code that can't be parsed is left out.
    """
    released_fragments = set().union(*map(fragments, released))
    fragments_of = {
        text: fragments(text) - released_fragments for text in dict.fromkeys(answers.values())
    }
    index = defaultdict(list)
    for student, text in answers.items():
        for fragment in fragments_of[text]:
            index[fragment].append(student)
    weights = _weights(index, sum(bool(fragments_of[text]) for text in answers.values()))
    totals: dict[str, float] = defaultdict(float)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for fragment, weight in weights.items():
        students = index[fragment]
        for student in students:
            totals[student] += weight
        for pair in itertools.combinations(students, 2):
            shared[pair] += weight
    candidates = (
        Pair(a, b, round(weight / min(totals[a], totals[b]), DECIMALS), round(weight, DECIMALS))
        for (a, b), weight in shared.items()
        if weight >= EVIDENCE
    )
    pairs = [pair for pair in candidates if pair.likeness >= MIN_LIKENESS]
    return sorted(pairs, key=lambda pair: (-pair.evidence, pair.first, pair.second))


def _weights(index: Mapping[Fragment, list[str]], student_count: int) -> dict[Fragment, float]:
    max_students = min(COMMON, max(2, int(student_count * SHARE)))
    return {
        fragment: math.log(student_count / len(students_with_it))
        for fragment, students_with_it in index.items()
        if len(students_with_it) <= max_students
    }


def fragments(source: str) -> frozenset[Fragment]:
    """Return all runs of `FRAGMENT_TOKENS` tokens; shorter code is one run.

    Code that can't be parsed has none.
    """
    words = list(tokens(source))
    runs = zip(*(words[start:] for start in range(FRAGMENT_TOKENS)), strict=False)
    return frozenset(map(hash, runs)) or frozenset([hash(tuple(words))] if words else [])


def tokens(source: str) -> Iterator[str]:
    """Yield the syntax tree of the code in text order, without details that are easy to change.

    A name that the code itself binds becomes the number of such names since its last use. So an
    inserted line changes only the tokens around it. Other names, attributes and numbers stay; each
    string becomes the same token.
    """
    words, own_names = _words(_parse(source))
    last_uses: dict[str, int] = {}
    use_count = 0
    for word in words:
        if word in own_names:
            use_count += 1
            distance = use_count - last_uses.get(word, use_count)
            last_uses[word] = use_count
            yield f"own {distance if distance < FRAGMENT_TOKENS else 0}"
        else:
            yield word


_MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)


def _parse(source: str) -> list[ast.stmt]:
    """Return the statements, or none if the code can't be compared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(_MAGIC.sub("", source)).body if len(source) <= MAX_CHARACTERS else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


_LEFT_OUT = {"annotation", "ctx", "kind", "returns", "simple", "type_comment", "type_params"}
_BINDING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)


def _words(statements: list[ast.stmt]) -> tuple[list[str], set[str]]:
    """Return words in the order of the text, and the names that the code binds.

    There is a word for each node ("<Call>"), name (as it is), attribute (".exp") and constant.
    """
    words: list[str] = []
    own_names: set[str] = set()
    stack: list[Any] = statements[::-1]  # nodes and words
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            words.append(node)
            continue
        kind: Any = type(node)
        word, fields = _shape(kind)
        if kind is ast.Expr and _is_text(node.value):
            continue  # a docstring, or a comment in the shape of one
        if name := _find_bound_name(node, kind):
            own_names.add(name)
        words.append(word)
        stack += _parts(node, kind, fields)[::-1]
    return words, own_names


@cache
def _shape(kind: type[ast.AST]) -> tuple[str, tuple[str, ...]]:
    """Return the word for nodes of this kind, and the fields that count."""
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


def _find_bound_name(node: Any, kind: type[ast.AST]) -> str | None:
    """Return the name that this node binds, or None if it binds none."""
    if kind is ast.Name:
        return None if type(node.ctx) is ast.Load else node.id
    if kind is ast.arg:
        return node.arg
    return node.name if kind in _BINDING else None
