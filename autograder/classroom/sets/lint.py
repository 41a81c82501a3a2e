"""Find in a test's text the questions that two processes can't answer, or would answer wrongly.

In one process a test can see, and change, all that student code does. Here the student's code runs
in another process. A test that fails with the right solution shows the problem itself. A test that
passes for any answer does not, so this module looks for such tests beforehand.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograder.classroom.sets import lint_changed_lists, lint_patches
from autograder.classroom.sets.lint_changed_lists import Containers
from autograder.examiner.testcell import MODULES, nodes_of, parse_cell


@dataclass(frozen=True)
class Question:
    """A question of a test, its line, why it has no answer, and how to ask it instead."""

    line: int
    subject: str  # the test's expression, or a phrase on what it does
    why: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.subject}: {self.why}"


_PATCHED = (
    "the patch stays with the tests, and the student's code never sees it. Let the "
    "function take what you want to watch or script as an argument"
)
FILES = (
    "files that student code writes stay with its own process. 'checks.file_left' brings one "
    "here, and 'checks.files_given' puts one there"
)
_STATE = "it is the tests' own, not that of the student's code"
_RULES = (
    (r"os\.path\.(exists|isfile|isdir|getsize)|os\.(listdir|scandir)|glob\.i?glob", FILES),
    (r".*\b(exists|is_file|iterdir)", FILES),
    (r"sys\.modules", f"{_STATE}. 'checks.forbidden' says what a function may not use"),
    (r"(random\.getstate|numpy\.random\.get_state)", _STATE),
    (r"matplotlib\.pyplot\.(gcf|gca|get_fignums|fignum_exists)",
     f"{_STATE}. Let the function return its figure or axes"),
    (r"(numpy\.set_printoptions|pandas\.((re)?set_option|options)|os\.(environ|putenv|chdir|getcwd)"
     r"|sys\.getrefcount|matplotlib\.(pyplot\.)?rcParams)(\..*)?", _STATE),
    (r"warnings\.catch_warnings|(pytest|self|\w+)\.(warns|assertWarns|assertLogs|assertNoLogs)",
     "warnings and logs of the student's code stay in its process. Let the function return them"),
    (r"inspect\.(getsource|getsourcelines|getclosurevars|getmembers)",
     "the text of a function stays in its process. 'checks.forbidden' says what it may not use"),
)  # fmt: skip
_IDENTITY = (
    "values are copied between the two processes, so no two of them are one object. Compare what "
    "is in them"
)
_REDEFINED = (
    "the student's code goes on with its own definition. Let the function take a helper as an "
    "argument"
)
_COPIED = (
    "the result of student code is a copy here, and nothing in the student's process changes with "
    "it. Let a function of the student make the change"
)
_BUILTINS = {"input", "print", "open", "abs", "all", "any", "enumerate", "filter", "len", "map",
             "max", "min", "pow", "range", "reversed", "round", "sorted", "sum", "zip"}  # fmt: skip
_WRITING = {"write_text", "write_bytes", "NamedTemporaryFile"}
_MEMORY = {"shares_memory", "may_share_memory", "assertIs", "assertIsNot"}
_CHANGING = {"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add",
             "update", "discard", "setdefault", "popitem"}  # fmt: skip
_STRICT = {"numpy.errstate": "raise", "numpy.seterr": "raise", "warnings.simplefilter": "error",
           "warnings.filterwarnings": "error"}  # fmt: skip
_BUILTIN_KINDS = {"int", "float", "str", "bool", "list", "dict", "tuple", "set", "bytes", "complex"}


def questions(
    source: str,
    students: Collection[str] = (),
    aliases: dict[str, str] | None = None,
    lists: Containers | None = None,
    shared: lint_patches.TaintedFunctions | None = None,
) -> list[Question]:
    """Return the unanswerable questions of a test's text, in order; none if it is not Python.

    `students` are the names that the solution defines, `aliases` the names that other cells import,
    `lists` the lists that other cells make, `shared` their functions that run student code.
    """
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return []
    names = {**MODULES, **(aliases or {}), **_find_imports(tree)}
    student_values = _names_from_students(tree, students)
    problems = [
        *_find_rule_matches(tree, names),
        *_find_unseen_patches(tree, names, students, shared or lint_patches.TaintedFunctions()),
        *_find_identity_tests(tree, student_values),
        *_find_redefinitions(tree, students),
        *_find_replacements(tree, names),
        *_find_strict_warnings(tree, names),
        *_find_file_writes(tree),
        *_find_changed_copies(tree, student_values),
        *(
            Question(*look)
            for look in lint_changed_lists.looked_at(tree, student_values, lists or Containers())
        ),
    ]
    return sorted(problems, key=lambda question: question.line)


def imports(sources: Sequence[str]) -> dict[str, str]:
    """Return the full name of each name that some cells import."""
    return {
        name: full_name
        for tree in _parse(sources)
        for name, full_name in _find_imports(tree).items()
    }


def containers(locked: Sequence[str], own: Sequence[str]) -> Containers:
    """Return the lists that locked cells make, and the lists that the solution's cells make."""
    return Containers(*(lint_changed_lists.containers([*_parse(cells)]) for cells in (locked, own)))


def find_tainted(
    sources: Sequence[str], students: Collection[str]
) -> lint_patches.TaintedFunctions:
    """Return the shared functions of a notebook's tests and locked cells that run student code."""
    return lint_patches.find_tainted([*_parse(sources)], students)


def _parse(sources: Sequence[str]) -> Iterator[ast.Module]:
    """Yield the syntax tree of each cell that is Python."""
    for source in sources:
        with contextlib.suppress(SyntaxError):
            yield parse_cell(source)


def _find_imports(tree: ast.Module) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            names |= {
                a.asname or a.name: a.name for a in node.names if a.asname or "." not in a.name
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def _find_rule_matches(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    inner_ids = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
    for node in nodes_of(tree):
        if not isinstance(node, ast.Attribute | ast.Name) or id(node) in inner_ids:
            continue
        full_name = lint_patches.meaning(node, names)
        for pattern, reason in _RULES:
            if re.fullmatch(pattern, full_name):
                yield Question(node.lineno, ast.unparse(node), reason)
                break


def _find_unseen_patches(
    tree: ast.Module,
    names: dict[str, str],
    students: Collection[str],
    shared: lint_patches.TaintedFunctions,
) -> Iterator[Question]:
    """Yield the patches that are meant for student code but don't reach it."""
    for function in lint_patches.find_unseen_patches(tree, names, students, shared):
        if not _reaches_student_code(tree, function):
            yield Question(function.lineno, ast.unparse(function), _PATCHED)


def _reaches_student_code(tree: ast.Module, function: ast.AST) -> bool:
    """Return whether the patch reaches student code too.

    The grader forwards these patches: the test receives the student code's output, and answers its
    calls of `input`.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and node.func is function:
            words = [ast.unparse(argument).strip("'\"") for argument in node.args[:2]]
            return words == ["builtins", "input"] or bool({*words[:1]} & {*_FORWARDED})
    return False


_FORWARDED = ("sys.stdout", "sys.stderr", "builtins.input")


def _find_identity_tests(tree: ast.Module, student_values: Collection[str]) -> Iterator[Question]:
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            sides = (node.left, node.comparators[0])
            is_from_student = any(_mentions(side, student_values) for side in sides)
            if is_from_student and not any(map(_is_shared_object, sides)):
                yield Question(node.lineno, ast.unparse(node), _IDENTITY)
        elif isinstance(node, ast.Call) and _mentions(node, student_values):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name == "id" or (name in _MEMORY and not any(map(_is_shared_object, node.args))):
                yield Question(node.lineno, ast.unparse(node), _IDENTITY)


def _names_from_students(tree: ast.Module, students: Collection[str]) -> set[str]:
    """Return the student's names, and the names under which a test keeps their results."""
    names, size = {*students}, -1
    assigned = [node for node in nodes_of(tree) if isinstance(node, ast.Assign)]
    while len(names) != size:
        size = len(names)
        for node in assigned:
            if _mentions(node.value, names):
                parts = [name for target in node.targets for name in ast.walk(target)]
                names |= {name.id for name in parts if isinstance(name, ast.Name)}
    return names


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _is_shared_object(side: ast.expr) -> bool:
    """Return whether both processes have the same object, such as None, True or a class."""
    if isinstance(side, ast.Call):
        return ast.unparse(side.func) == "type"
    return isinstance(side, ast.Constant) or ast.unparse(side) in _BUILTIN_KINDS


def _find_redefinitions(tree: ast.Module, students: Collection[str]) -> Iterator[Question]:
    """Yield the functions by which a test replaces the student's, or built-in ones."""
    for node in tree.body:
        names: list[str] = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign) and _is_made_up(node.value):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        for name in names:
            if name in students or name in _BUILTINS:
                yield Question(node.lineno, f"{name} is defined anew", _REDEFINED)


def _is_made_up(value: ast.expr) -> bool:
    """Return whether the value replaces a function: a lambda, a mock or None."""
    is_mock = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("Mock")
    return is_mock or isinstance(value, ast.Lambda) or ast.unparse(value) == "None"


def _find_replacements(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    """Yield assignments to attributes of a module: the student's process has its own modules."""
    for node in nodes_of(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            text = ast.unparse(target)
            if isinstance(target, ast.Attribute) and text.partition(".")[0] in names:
                yield Question(node.lineno, f"{text} is replaced", _PATCHED)


def _find_strict_warnings(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    """Yield warnings that a test turns into errors: in the student's process they stay warnings."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            first, _, attributes = ast.unparse(node.func).partition(".")
            word = _STRICT.get(".".join(filter(None, [names.get(first, first), attributes])))
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            constants = [value.value for value in values if isinstance(value, ast.Constant)]
            if word and word in constants:
                yield Question(node.lineno, ast.unparse(node), _STATE)


def _find_file_writes(tree: ast.Module) -> Iterator[Question]:
    """Yield files that a test writes: student code would look for them in its own folder."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            owner, _, name = ast.unparse(node.func).rpartition(".")
            if name in _WRITING or (name == "open" and _opens_to_write(node, bool(owner))):
                yield Question(node.lineno, ast.unparse(node), FILES)


def _opens_to_write(call: ast.Call, is_method: bool) -> bool:
    """Return whether the call opens a file to write; a path's method `open` has the mode first."""
    place = 0 if is_method else 1
    arguments = [*call.args[place:2], *(k.value for k in call.keywords if k.arg == "mode")]
    modes = [ast.unparse(mode).strip("'") for mode in arguments if isinstance(mode, ast.Constant)]
    return any(re.fullmatch(r"[wax][bt+]*", mode) for mode in modes)


def _find_changed_copies(tree: ast.Module, student_values: Collection[str]) -> Iterator[Question]:
    """Yield results that a test changes before it makes the same call again."""
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    for node in nodes_of(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        call, names = ast.unparse(node.value), {ast.unparse(target) for target in node.targets}
        if not _mentions(node.value, student_values):
            continue
        for line, text in _changes(tree, names):
            later_calls = [c for c in calls if c.lineno > line and ast.unparse(c) == call]
            if line > node.lineno and later_calls:
                yield Question(line, text, _COPIED)


def _changes(tree: ast.Module, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines in which a test changes, in place, an object that has one of these names."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _CHANGING and ast.unparse(node.func.value) in names:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Assign | ast.Delete | ast.AugAssign):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                if isinstance(target, ast.Subscript) and ast.unparse(target.value) in names:
                    yield node.lineno, ast.unparse(node)
