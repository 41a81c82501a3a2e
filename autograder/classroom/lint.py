"""Questions of a test that two rooms can't answer, or would answer wrongly: found in its text.

In one process a test can see, and change, all that student code does. Here the student's code runs
in another one. What would fail with the right solution shows itself by that; what would pass
whatever the student wrote has to be found before, and is found here.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograder.classroom import afterwards, patches
from autograder.classroom.afterwards import Containers
from autograder.examiner.testcell import MODULES, nodes_of, parsed


@dataclass(frozen=True)
class Question:
    """What a test asks, on which line, why that has no answer, and how to ask it."""

    line: int
    asked: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.asked}: {self.why}"


_PATCHED = (
    "what it puts in place stays with the tests, the student's code never meets it. Let the "
    "function take what you want to watch or script as an argument"
)
FILES = (
    "files that student code writes stay in its own room. 'checks.file_left' brings one here, and "
    "'checks.files_given' puts one there"
)
_STATE = "it is the tests' own, not that of the student's code"
_RULES = (
    (r"os\.path\.(exists|isfile|isdir|getsize)|os\.(listdir|scandir)|glob\.i?glob", FILES),
    (r".*\b(exists|is_file|iterdir)", FILES),
    (r"sys\.modules", f"{_STATE}. 'checks.off_limits' says what a function may not use"),
    (r"(random\.getstate|numpy\.random\.get_state)", _STATE),
    (r"matplotlib\.pyplot\.(gcf|gca|get_fignums|fignum_exists)",
     f"{_STATE}. Let the function return its figure or axes"),
    (r"(numpy\.set_printoptions|pandas\.((re)?set_option|options)|os\.(environ|putenv|chdir|getcwd)"
     r"|sys\.getrefcount|matplotlib\.(pyplot\.)?rcParams)(\..*)?", _STATE),
    (r"warnings\.catch_warnings|(pytest|self|\w+)\.(warns|assertWarns|assertLogs|assertNoLogs)",
     "warnings and logs of the student's code stay in its room. Let her return what she means"),
    (r"inspect\.(getsource|getsourcelines|getclosurevars|getmembers)",
     "the text of a function stays in its room. 'checks.off_limits' says what it may not use"),
)  # fmt: skip
_IDENTITY = (
    "values are copied on their way between the rooms, so that no two are one object. Compare what "
    "is in them"
)
_REDEFINED = (
    "the student's own code goes on with what she has defined. Let the function take a helper as "
    "an argument"
)
_COPIED = (
    "what her code returned is a copy here, and nothing of hers changes with it. Let a function of "
    "hers make the change"
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
    known: Containers | None = None,
    shared: patches.Tainted | None = None,
) -> list[Question]:
    """Those of a test's text, in order; none where it is no Python.

    `students` are names that the solution defines, `aliases` what names mean by imports elsewhere,
    `known` the lists that other cells make, `shared` their functions that run student code.
    """
    try:
        tree = parsed(source)
    except SyntaxError:
        return []
    names = {**MODULES, **(aliases or {}), **_imported(tree)}
    theirs = _from_students(tree, students)
    found = [
        *_asked(tree, names),
        *_patched(tree, names, students, shared or patches.Tainted()),
        *_compared(tree, theirs),
        *_redefined(tree, students),
        *_replaced(tree, names),
        *_made_strict(tree, names),
        *_written(tree),
        *_changed_copies(tree, theirs),
        *(Question(*look) for look in afterwards.looked_at(tree, theirs, known or Containers())),
    ]
    return sorted(found, key=lambda question: question.line)


def imports(sources: Sequence[str]) -> dict[str, str]:
    """What names mean by the imports of some cells."""
    return {name: what for tree in _parsed(sources) for name, what in _imported(tree).items()}


def containers(locked: Sequence[str], own: Sequence[str]) -> Containers:
    """The lists that locked cells make, and those of the solution's own cells."""
    return Containers(*(afterwards.containers([*_parsed(cells)]) for cells in (locked, own)))


def tainted(sources: Sequence[str], students: Collection[str]) -> patches.Tainted:
    """Return what the tests and locked cells of a notebook share that runs student code."""
    return patches.tainted([*_parsed(sources)], students)


def _parsed(sources: Sequence[str]) -> Iterator[ast.Module]:
    """Those of some cells that are Python."""
    for source in sources:
        with contextlib.suppress(SyntaxError):
            yield parsed(source)


def _imported(tree: ast.Module) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            found |= {
                a.asname or a.name: a.name for a in node.names if a.asname or "." not in a.name
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return found


def _asked(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    inner = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
    for node in nodes_of(tree):
        if not isinstance(node, ast.Attribute | ast.Name) or id(node) in inner:
            continue
        meant = patches.meaning(node, names)
        for pattern, why in _RULES:
            if re.fullmatch(pattern, meant):
                yield Question(node.lineno, ast.unparse(node), why)
                break


def _patched(
    tree: ast.Module, names: dict[str, str], students: Collection[str], shared: patches.Tainted
) -> Iterator[Question]:
    """Yield the patches that student code should meet, and doesn't."""
    for function in patches.unseen(tree, names, students, shared):
        if not _is_carried(tree, function):
            yield Question(function.lineno, ast.unparse(function), _PATCHED)


def _is_carried(tree: ast.Module, function: ast.AST) -> bool:
    """Whether what is patched is known to student code: what it prints goes where the test wants
    it, and what it asks by `input` is answered by the test.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and node.func is function:
            words = [ast.unparse(argument).strip("'\"") for argument in node.args[:2]]
            return words == ["builtins", "input"] or bool({*words[:1]} & {*_CARRIED})
    return False


_CARRIED = ("sys.stdout", "sys.stderr", "builtins.input")


def _compared(tree: ast.Module, theirs: Collection[str]) -> Iterator[Question]:
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            sides = (node.left, node.comparators[0])
            is_theirs = any(_mentions(side, theirs) for side in sides)
            if is_theirs and not any(map(_is_one_of_its_kind, sides)):
                yield Question(node.lineno, ast.unparse(node), _IDENTITY)
        elif isinstance(node, ast.Call) and _mentions(node, theirs):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name == "id" or (name in _MEMORY and not any(map(_is_one_of_its_kind, node.args))):
                yield Question(node.lineno, ast.unparse(node), _IDENTITY)


def _from_students(tree: ast.Module, students: Collection[str]) -> set[str]:
    """The student's names, and those under which a test keeps what they gave."""
    found, before = {*students}, -1
    assigned = [node for node in nodes_of(tree) if isinstance(node, ast.Assign)]
    while len(found) != before:
        before = len(found)
        for node in assigned:
            if _mentions(node.value, found):
                kept = [name for target in node.targets for name in ast.walk(target)]
                found |= {name.id for name in kept if isinstance(name, ast.Name)}
    return found


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _is_one_of_its_kind(side: ast.expr) -> bool:
    """None, True and the like, and classes: there is one of each in both rooms."""
    if isinstance(side, ast.Call):
        return ast.unparse(side.func) == "type"
    return isinstance(side, ast.Constant) or ast.unparse(side) in _BUILTIN_KINDS


def _redefined(tree: ast.Module, students: Collection[str]) -> Iterator[Question]:
    """Functions that a test puts in the place of the student's, or of those built in."""
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
    """A function that is none of the student's: a lambda, a mock, or None in its place."""
    mock = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("Mock")
    return mock or isinstance(value, ast.Lambda) or ast.unparse(value) == "None"


def _replaced(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    """What a test puts into a module: the student's room has modules of its own."""
    for node in nodes_of(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            text = ast.unparse(target)
            if isinstance(target, ast.Attribute) and text.partition(".")[0] in names:
                yield Question(node.lineno, f"{text} is replaced", _PATCHED)


def _made_strict(tree: ast.Module, names: dict[str, str]) -> Iterator[Question]:
    """Warnings that a test turns into errors: those of the student's room stay warnings."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            first, _, rest = ast.unparse(node.func).partition(".")
            word = _STRICT.get(".".join(filter(None, [names.get(first, first), rest])))
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            if word and any(isinstance(one, ast.Constant) and one.value == word for one in given):
                yield Question(node.lineno, ast.unparse(node), _STATE)


def _written(tree: ast.Module) -> Iterator[Question]:
    """Files that a test writes: student code would look for them in its own room."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            owner, _, name = ast.unparse(node.func).rpartition(".")
            if name in _WRITING or (name == "open" and _opens_to_write(node, bool(owner))):
                yield Question(node.lineno, ast.unparse(node), FILES)


def _opens_to_write(call: ast.Call, is_method: bool) -> bool:
    """Whether its mode, which a path's own `open` has first, says so."""
    first = 0 if is_method else 1
    given = [*call.args[first:2], *(word.value for word in call.keywords if word.arg == "mode")]
    modes = [ast.unparse(mode).strip("'") for mode in given if isinstance(mode, ast.Constant)]
    return any(re.fullmatch(r"[wax][bt+]*", mode) for mode in modes)


def _changed_copies(tree: ast.Module, theirs: Collection[str]) -> Iterator[Question]:
    """A result that a test changes, to see whether what it asks again has changed with it."""
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    for kept in nodes_of(tree):
        if not isinstance(kept, ast.Assign) or not isinstance(kept.value, ast.Call):
            continue
        asked, names = ast.unparse(kept.value), {ast.unparse(target) for target in kept.targets}
        if not _mentions(kept.value, theirs):
            continue
        for line, text in _changes(tree, names):
            again = [one for one in calls if one.lineno > line and ast.unparse(one) == asked]
            if line > kept.lineno and again:
                yield Question(line, text, _COPIED)


def _changes(tree: ast.Module, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Where a test changes what it has by one of these names, in its place."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _CHANGING and ast.unparse(node.func.value) in names:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Assign | ast.Delete | ast.AugAssign):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                if isinstance(target, ast.Subscript) and ast.unparse(target.value) in names:
                    yield node.lineno, ast.unparse(node)
