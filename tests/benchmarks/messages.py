"""Print every message of the autograder in one place, so that tone and terms can be compared.

    python tests/benchmarks/messages.py [PACKAGE ...]

A message is a text of more than two words in a statement that raises, returns, yields or prints,
or that is an argument of a call, except docstrings and patterns. `{}` stands for a value. The
packages are those of `autograder`, all of them without an argument.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import autograder

ROOT = Path(autograder.__file__).parent
MIN_WORDS = 3
PATTERNS = {"compile", "sub", "search", "match", "fullmatch", "execute", "add_parser"}


def text_of(node: ast.expr) -> str:
    """Return the text of a string or an f-string, "" for any other expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            text_of(part) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left) + text_of(node.right)
    return ""


def messages(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each message below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        if isinstance(child, ast.Call) and getattr(child.func, "attr", "") in PATTERNS:
            continue
        if isinstance(child, ast.expr) and len((text := text_of(child)).split()) >= MIN_WORDS:
            yield child.lineno, " ".join(text.split())
        else:
            yield from messages(child)


def main(packages: list[str]) -> None:
    known = sorted(
        {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in ROOT.rglob("*.py")}
    )
    if unknown := sorted(set(packages) - set(known)):
        sys.exit(f"autograder has no package {', '.join(unknown)}; it has {', '.join(known)}")
    for package in packages or known:
        for path in sorted([*ROOT.glob(f"{package}.py"), *(ROOT / package).rglob("*.py")]):
            for line, text in messages(ast.parse(path.read_text(encoding="utf-8"))):
                print(f"{path.relative_to(ROOT)}:{line}: {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
