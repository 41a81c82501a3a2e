"""What the text of a test cell says: compiled, and read for what it defines, uses and asserts."""

from __future__ import annotations

import ast
import dis
import importlib
import traceback
from functools import lru_cache
from types import CodeType

from IPython.core.inputtransformer2 import TransformerManager

# A module that the student has imported is never used in a test; these names mean the examiner's.
MODULES = {
    "math": "math",
    "matplotlib": "matplotlib",
    "np": "numpy",
    "numpy": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "random": "random",
    "scipy": "scipy",
    "stats": "scipy.stats",
    "dplab": "dplab",
}


@lru_cache(maxsize=1024)  # a class has the same tests
def parsed(source: str, filename: str = "<cell>") -> ast.Module:
    """The text of a cell as a tree, which is not to be changed. Raises SyntaxError.

    What is Python once it is tidied, IPython leaves as it is; to find that out takes it long.
    """
    ipython = TransformerManager()
    lines = f"{source}\n".splitlines(keepends=True)
    for tidied in ipython.cleanup_transforms:
        lines = tidied(lines)
    try:
        return ast.parse("".join(lines), filename)
    except SyntaxError:
        return ast.parse(ipython.transform_cell(source), filename)


@lru_cache(maxsize=1024)
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a cell that was parsed, for those who go through them again and again."""
    return tuple(ast.walk(tree))


@lru_cache(maxsize=1024)  # filled in the worker, before it forks
def compile_cell(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """The cell's statements, and its last line where that is an expression to be shown."""
    body, last = parsed(source, filename).body, None
    if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = compile(ast.Expression(body[-1].value), filename, "eval")
        body = body[:-1]
    return compile(ast.Module(body, []), filename, "exec"), last


def names_given(source: str) -> set[str]:
    """Return the names that a cell gives to anything; none of one that isn't Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set()
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, kinds)}


def names_used(source: str, filename: str) -> set[str]:
    """Those that a cell reads, also in its functions."""
    found = [node for node in ast.walk(parsed(source, filename)) if isinstance(node, ast.Name)]
    return {node.id for node in found if isinstance(node.ctx, ast.Load)}


@lru_cache(maxsize=4096)
def mentioned(code: CodeType) -> frozenset[str]:
    """The names that some code uses, in its functions too."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return frozenset(code.co_names).union(*map(mentioned, inner))


@lru_cache(maxsize=4096)
def defined(statements: CodeType) -> frozenset[str]:
    """What a cell defines, without what it deletes again, as `except ... as error` does."""
    steps = [(step.opname, step.argval) for step in dis.get_instructions(statements)]
    deleted = {name for what, name in steps if what == "DELETE_NAME"}
    return frozenset(name for what, name in steps if what == "STORE_NAME") - deleted


def curtailed(source: str, filename: str) -> str:
    """A test that only defines functions and classes, and fails before all else.

    A compiler would leave out what stands behind `raise`, and nobody would know its names.
    """
    defines, rest = _split(source, filename)
    return ast.unparse(ast.Module([*defines, *ast.parse("1 / 0").body, *rest], []))


def only_definitions(source: str, filename: str) -> str:
    """The text of what `definitions` runs."""
    return ast.unparse(ast.Module(_split(source, filename)[0], []))


@lru_cache(maxsize=1024)
def definitions(source: str, filename: str) -> CodeType:
    """The functions and classes of a test, and its imports, without what it tests."""
    return compile(ast.Module(_split(source, filename)[0], []), filename, "exec")


_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def _split(source: str, filename: str) -> tuple[list[ast.stmt], list[ast.stmt]]:
    body = parsed(source, filename).body
    defines: list[ast.stmt] = [node for node in body if isinstance(node, _DEFINITIONS)]
    return defines, [node for node in body if not isinstance(node, _DEFINITIONS)]


_LOOKING = {"left_by", "expect_unchanged"}  # of `autograder.checks`


@lru_cache(maxsize=1024)
def looks_again(source: str) -> bool:
    """Whether a test mentions again what it hands to a function: it may ask what became of it."""
    try:
        tree = parsed(source)
    except SyntaxError:
        return False
    loads = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Load]
    handed = {
        part.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
        for part in ast.walk(argument)
        if isinstance(part, ast.Name)
    }
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    before = -1
    while len(handed) != before:  # a list that is handed over may be made of another one
        before = len(handed)
        for node in assigned:
            if any(isinstance(target, ast.Name) and target.id in handed for target in node.targets):
                handed |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    called = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}.union(loads)
    return bool(called & _LOOKING) or any(loads.count(name) > 1 for name in handed)


@lru_cache(maxsize=1024)
def modules_meant(source: str, filename: str) -> frozenset[str]:
    """The names by which a test means a module, whatever the notebook calls so: it asks it for
    something that the module has.
    """
    asked = {
        (node.value.id, node.attr)
        for node in ast.walk(parsed(source, filename))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return frozenset(name for name, attribute in asked if name in MODULES and _has(name, attribute))


def _has(name: str, attribute: str) -> bool:
    try:
        return hasattr(importlib.import_module(MODULES[name]), attribute)
    except ImportError:
        return False


def prepare(source: str, filename: str) -> None:
    """Find out once, before processes fork that each would do it again, what a test's text says."""
    for part in compile_cell(source, filename):
        if part is not None:
            mentioned(part)
            defined(part)
    modules_meant(source, filename)
    looks_again(source)


@lru_cache(maxsize=1024)
def imported_modules(source: str) -> tuple[str, ...]:
    """What a cell imports anywhere; `from a import b` counts as a and a.b: b may be a module.

    What it puts off limits is imported by that.
    """
    if "import" not in source and "off_limits" not in source:
        return ()
    try:
        tree = parsed(source)
    except SyntaxError:
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("off_limits"):
            found += [text.rpartition(".")[0] for arg in node.args if (text := _text(arg))]
    return tuple(found)


def _text(node: ast.expr | None) -> str:
    """The string that is written here, "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def literal_message(source: str, filename: str, line: int) -> str:
    """The text of the `assert` on this line of a test, if nothing is formatted into it."""
    try:
        tree = parsed(source, filename)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            return _text(node.msg)
    return ""


def lines_of(error: BaseException, filename: str) -> list[int]:
    """Where in a test an error came up, from the outside in."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return [error.lineno or 0]
    frames = traceback.walk_tb(error.__traceback__)
    return [line for frame, line in frames if frame.f_code.co_filename == filename]


def remote_number(error: BaseException | None) -> int | None:
    """The number of the student's error that this one is, or that led to it."""
    while error is not None:
        if hasattr(error, "remote_number"):
            return error.remote_number
        error = error.__cause__ or error.__context__
    return None
