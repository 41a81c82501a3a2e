"""Compile the text of a test cell, and find its definitions, uses and asserts."""

from __future__ import annotations

import ast
import dis
import importlib
import traceback
from functools import lru_cache
from types import CodeType

from IPython.core.inputtransformer2 import TransformerManager

# Tests never use a module that the student has imported; these names mean the examiner's.
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


@lru_cache(maxsize=1024)  # all students of a class have the same tests
def parse_cell(source: str, filename: str = "<cell>") -> ast.Module:
    """Return the text of a cell as a tree, which must not be changed. Raises SyntaxError.

    IPython would not change text that is Python after the clean-up, but it needs long to see that.
    """
    ipython = TransformerManager()
    lines = f"{source}\n".splitlines(keepends=True)
    for transform in ipython.cleanup_transforms:
        lines = transform(lines)
    try:
        return ast.parse("".join(lines), filename)
    except SyntaxError:
        return ast.parse(ipython.transform_cell(source), filename)


@lru_cache(maxsize=1024)
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a parsed cell, for functions that need them several times."""
    return tuple(ast.walk(tree))


@lru_cache(maxsize=1024)  # filled in the worker, before it forks
def compile_cell(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """Compile the cell's statements, and separately its last line if its value is shown."""
    body, last_line = parse_cell(source, filename).body, None
    if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        expression = ast.Expression(body[-1].value)
        last_line = compile(expression, filename, "eval", dont_inherit=True)
        body = body[:-1]
    return compile(ast.Module(body, []), filename, "exec", dont_inherit=True), last_line


@lru_cache(maxsize=1024)
def names_defined_by(source: str, filename: str) -> frozenset[str]:
    """Return the names that a cell defines; it may wait for coroutines. Raises SyntaxError."""
    return find_defined_names(compile_leniently(source, filename))


def compile_leniently(source: str, filename: str) -> CodeType:
    """Compile a cell that may wait for coroutines, to look at its code. Raises SyntaxError."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(parse_cell(source, filename), filename, "exec", flags=flags, dont_inherit=True)


def names_given(source: str) -> set[str]:
    """Return the names that a cell assigns or defines; an empty set if it isn't Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set()
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, kinds)}


def names_used(source: str, filename: str) -> set[str]:
    """Return the names that a cell reads, also in its functions."""
    names = [node for node in ast.walk(parse_cell(source, filename)) if isinstance(node, ast.Name)]
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


@lru_cache(maxsize=4096)
def find_mentioned_names(code: CodeType) -> frozenset[str]:
    """Return the names that some code uses, also in its functions."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return frozenset(code.co_names).union(*map(find_mentioned_names, inner))


@lru_cache(maxsize=4096)
def find_defined_names(statements: CodeType) -> frozenset[str]:
    """Return the names that a cell defines and doesn't delete, unlike `except ... as error`."""
    steps = [(step.opname, step.argval) for step in dis.get_instructions(statements)]
    deleted = {name for operation, name in steps if operation == "DELETE_NAME"}
    return frozenset(name for operation, name in steps if operation == "STORE_NAME") - deleted


def curtail(source: str, filename: str) -> str:
    """Return a test that defines its functions and classes, and then fails.

    The other statements stay after the failing line, so that their names are known. A compiler
    would drop statements after `raise`.
    """
    definitions, other_statements = _split(source, filename)
    return ast.unparse(ast.Module([*definitions, *ast.parse("1 / 0").body, *other_statements], []))


def only_definitions(source: str, filename: str) -> str:
    """Return the text of the statements that `compile_definitions` compiles."""
    return ast.unparse(ast.Module(_split(source, filename)[0], []))


@lru_cache(maxsize=1024)
def compile_definitions(source: str, filename: str) -> CodeType:
    """Compile the functions, classes and imports of a test, without its other statements."""
    definitions = ast.Module(_split(source, filename)[0], [])
    return compile(definitions, filename, "exec", dont_inherit=True)


_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def _split(source: str, filename: str) -> tuple[list[ast.stmt], list[ast.stmt]]:
    body = parse_cell(source, filename).body
    definitions: list[ast.stmt] = [node for node in body if isinstance(node, _DEFINITIONS)]
    return definitions, [node for node in body if not isinstance(node, _DEFINITIONS)]


_COMPARING_CHECKS = {"arguments_after", "left_by", "expect_unchanged"}  # of `autograder.checks`


@lru_cache(maxsize=1024)
def may_compare_arguments(source: str) -> bool:
    """Return whether a test uses an argument again after a call: it may check for changes."""
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return False
    loads = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Load]
    names = {
        part.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
        for part in ast.walk(argument)
        if isinstance(part, ast.Name)
    }
    assignments = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    old_size = -1
    while len(names) != old_size:  # an argument may consist of other objects
        old_size = len(names)
        for node in assignments:
            if any(isinstance(target, ast.Name) and target.id in names for target in node.targets):
                names |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    used_names = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}.union(loads)
    return bool(used_names & _COMPARING_CHECKS) or any(loads.count(name) > 1 for name in names)


def may_keep_values(source: str) -> bool:
    """Return whether a test may use a value again after a later call, which might change it.

    A test with `checks` gets copies, so it doesn't.
    """
    return "checks." not in source


@lru_cache(maxsize=1024)
def find_meant_modules(source: str, filename: str) -> frozenset[str]:
    """Return the names that mean a module in a test, even if the notebook uses them otherwise.

    These are names of which the test uses an attribute that the module has.
    """
    pairs = {
        (node.value.id, node.attr)
        for node in ast.walk(parse_cell(source, filename))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return frozenset(name for name, attribute in pairs if name in MODULES and _has(name, attribute))


def _has(name: str, attribute: str) -> bool:
    try:
        return hasattr(importlib.import_module(MODULES[name]), attribute)
    except ImportError:
        return False


def prepare(source: str, filename: str) -> None:
    """Fill the caches of this module for a test, before processes fork."""
    for part in compile_cell(source, filename):
        if part is not None:
            find_mentioned_names(part)
            find_defined_names(part)
    find_meant_modules(source, filename)
    may_compare_arguments(source)


_FORBIDDING_CHECKS = ("forbidden", "off_limits")


@lru_cache(maxsize=1024)
def find_imports(source: str) -> tuple[str, ...]:
    """Return a cell's imports; `from a import b` counts as a and a.b: b may be a module.

    `checks.forbidden` imports its modules too.
    """
    if not any(word in source for word in ("import", *_FORBIDDING_CHECKS)):
        return ()
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return ()
    modules = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_FORBIDDING_CHECKS):
            modules += [text.rpartition(".")[0] for arg in node.args if (text := _text(arg))]
    return tuple(modules)


def _text(node: ast.expr | None) -> str:
    """Return the string of a literal, "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def literal_message(source: str, filename: str, line: int) -> str:
    """Return the text of the `assert` on this line of a test, if it is a literal."""
    try:
        tree = parse_cell(source, filename)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            return _text(node.msg)
    return ""


def lines_of(error: BaseException, filename: str) -> list[int]:
    """Return the lines of a test in an error's traceback, the outermost first."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return [error.lineno or 0]
    frames = traceback.walk_tb(error.__traceback__)
    return [line for frame, line in frames if frame.f_code.co_filename == filename]


def remote_number(error: BaseException | None) -> int | None:
    """Return the number of the student's error behind this error, or None."""
    while error is not None:
        if hasattr(error, "remote_number"):
            return error.remote_number
        error = error.__cause__ or error.__context__
    return None
