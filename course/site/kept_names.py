"""List the names and signatures that stay from version 1.0 on.

    python -m course.site.kept_names [--drop NAME ...]

The list is `tests/dplab/kept_names.txt`. A test compares it with the library, and a page of the
site shows it. The command writes it anew. It refuses to lose a name, unless the old name still
works by `dplab.deprecated`, or `--drop` says that the name may go.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import pkgutil
import sys
import warnings
from collections.abc import Container, Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from types import ModuleType

import nbformat

import dplab
from dplab.deprecated import OldName

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests" / "dplab" / "kept_names.txt"
COMMAND = "python -m course.site.kept_names"
PAGE = "kept_names"
CHECKS = "autograder.checks"
OURS = ("dplab", "autograder")
MODULES = (  # their classes and functions are kept
    "dplab.budget",
    "dplab.distributions",
    "dplab.divergences",
    "dplab.graphs",
    "dplab.guarantees",
    "dplab.interaction",
    "dplab.mechanism",
    "dplab.moments",
    "dplab.neighbors",
)
HELPERS = (  # but these serve other modules only
    "dplab.distributions.enumerate_law",
    "dplab.distributions.freeze",
    "dplab.guarantees.list_implied",
    "dplab.interaction.draw_privately",
)
ONLY_CALLED = "dplab.widgets"  # its classes are kept, and their methods are not
MOST_VALUES = 8  # of a tuple that is shown as a default
INTRODUCTION = """
# Names that are kept

From version 1.0 on these names keep their meaning, and the calls that are shown here keep working.
A name that has to change works under its old name for one more version, and warns. The list is
made from the library by a program, and a test compares the two.

The list has

- all names that `dplab` and its subpackages export by `__all__`, with their public methods;
- the classes and functions of the modules on which mechanisms are built, from `dplab.budget` to
  `dplab.neighbors`;
- all checks: the functions that test cells import;
- every other name that a lesson or a problem set uses;
- the classes of which these functions return an object.

All other names may change, for example names that begin with an underscore, the methods of
explorers, and `dplab.interop`, which follows other libraries. Also the texts of messages and of
`repr` may change, and the random draws of a function for the same seed.
""".strip()


def kept_names() -> dict[str, str]:
    """Return all names that have to be listed, each with its line."""
    places = _with_results(_exported() | _used())
    names = set(places)
    classes: dict[type, str] = {}
    for place, thing in places.items():
        if inspect.isclass(thing) and not place.startswith(ONLY_CALLED):
            classes.setdefault(thing, place)  # a class that has two places has methods at the first
    for kind, place in classes.items():
        names |= set(_methods(place, kind, classes.keys() - {kind}))
    return {name: describe(name) for name in sorted(names)}


def _exported() -> dict[str, object]:
    """Return what is exported, by place; a thing that has two places is at the first."""
    found: dict[str, object] = {}
    known: list[object] = []
    for module in map(importlib.import_module, ["dplab", *_packages(), *MODULES, CHECKS]):
        for name in getattr(module, "__all__", None) or _defined(module):
            thing, place = getattr(module, name), f"{module.__name__}.{name}"
            if place not in HELPERS and not any(thing is other for other in known):
                found[place] = thing
            if callable(thing):
                known.append(thing)
    return found


def _packages() -> list[str]:
    """Return the subpackages that export names."""
    modules = pkgutil.iter_modules(dplab.__path__, "dplab.")
    names = [module.name for module in modules if module.ispkg]
    return [name for name in names if hasattr(importlib.import_module(name), "__all__")]


def _defined(module: ModuleType) -> list[str]:
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isfunction(thing))
        and thing.__module__ == module.__name__
    ]


def _with_results(places: dict[str, object]) -> dict[str, object]:
    """Return the places and those of the classes of which they return objects."""
    known = list(places.values())
    todo = list(known)
    while todo:
        kind = _result(todo.pop())
        if kind is not None and not any(kind is thing for thing in known):
            places[f"{kind.__module__}.{kind.__qualname__}"] = kind
            known.append(kind)
    return places


def _result(function: object) -> type | None:
    """Return the public class of dplab that a function says it returns, or None."""
    name = getattr(function, "__annotations__", {}).get("return") if callable(function) else None
    kind = getattr(inspect.unwrap(function), "__globals__", {}).get(name) if name else None
    is_ours = inspect.isclass(kind) and kind.__module__.startswith("dplab.")
    return kind if is_ours and not kind.__name__.startswith("_") else None


def _methods(place: str, kind: type, listed: Container[type]) -> Iterator[str]:
    """Yield the public methods and properties that no listed base class has."""
    defaults = getattr(kind, "__dataclass_fields__", {})  # a function there is no method
    for base in kind.__mro__:
        if base in listed or not base.__module__.startswith(OURS):
            continue
        for name, member in vars(base).items():
            is_method = callable(member) and name not in defaults
            is_public = not name.startswith("_") and not isinstance(member, OldName)
            if is_public and (is_method or hasattr(type(member), "__get__")):
                yield f"{place}.{name}"


@cache
def _used() -> dict[str, object]:
    """Return the things of ours that lessons and problem sets use, by place."""
    paths = [*ROOT.glob("course/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
    found = {place: find(place) for path in paths for place in _used_in(path)}
    return {place: thing for place, thing in found.items() if not isinstance(thing, ModuleType)}


def _used_in(path: Path) -> Iterator[str]:
    """Yield the names that a notebook imports, and the attributes of the modules among them."""
    cells = nbformat.read(path, as_version=4).cells
    code = "\n".join(_python(cell.source) for cell in cells if cell.cell_type == "code")
    tree = ast.parse(code)
    modules = {}
    for place, name in _imported(tree):
        yield place
        if isinstance(find(place), ModuleType):
            modules[name] = place
    for node in ast.walk(tree):
        value = getattr(node, "value", None)
        if isinstance(node, ast.Attribute) and isinstance(value, ast.Name) and value.id in modules:
            yield f"{modules[value.id]}.{node.attr}"


def _python(source: str) -> str:
    """Return a cell's code without the lines that only IPython understands."""
    lines = source.splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the place of each import of ours, and the name that it has in the notebook."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            for name in node.names:
                yield f"{node.module}.{name.name}", name.asname or name.name


def find(place: str) -> object:
    """Return the thing at a place such as `dplab.accounting.Release.is_tight`.

    Raises AttributeError where there is none.
    """
    thing: object = importlib.import_module(place.partition(".")[0])
    for name in place.split(".")[1:]:
        if inspect.isclass(thing):
            thing = inspect.getattr_static(thing, name)
        elif hasattr(thing, name):
            thing = getattr(thing, name)
        else:
            thing = _submodule(thing, name)
    return thing


def _submodule(package: object, name: str) -> ModuleType:
    place = f"{getattr(package, '__name__', '')}.{name}"
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError:
        raise AttributeError(place) from None


@cache
def describe(place: str) -> str:
    """Return the line of a name: its place, and the arguments that it takes if it is called."""
    thing = find(place)
    if not _is_called(thing):
        return place
    function = getattr(thing, "__func__", thing)
    parameters = list(inspect.signature(function).parameters.values())
    is_method = inspect.isclass(find(place.rpartition(".")[0])) and not inspect.isclass(thing)
    bound = is_method and not isinstance(thing, staticmethod)
    return f"{place}{_signature(parameters[bound:])}"


def _is_called(thing: object) -> bool:
    """Return whether the arguments of a thing are listed: not those of errors and protocols."""
    if inspect.isclass(thing):
        return not issubclass(thing, BaseException) and not getattr(thing, "_is_protocol", False)
    function = getattr(thing, "__func__", thing)
    return inspect.isroutine(function) and not hasattr(function, "func")  # of a cached property


def _signature(parameters: Iterable[inspect.Parameter]) -> str:
    """Return the parameters in parentheses, without annotations."""
    plain = [
        parameter.replace(annotation=parameter.empty, default=_Default.of(parameter.default))
        for parameter in parameters
    ]
    return str(inspect.Signature(plain))


class _Default:
    """A default value that is shown alike on all machines, and shortly."""

    def __init__(self, value: object):
        self.value = value

    @classmethod
    def of(cls, value: object) -> object:
        return value if value is inspect.Parameter.empty else cls(value)

    def __repr__(self) -> str:
        if isinstance(self.value, tuple) and len(self.value) > MOST_VALUES:
            return f"<{len(self.value)} values>"
        return getattr(self.value, "__qualname__", None) or repr(self.value)


def read_list() -> dict[str, str]:
    """Return the lines of the list, by name; none where there is no list."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return {line.partition("(")[0]: line for line in lines}


def find_gone(listed: Iterable[str]) -> list[str]:
    """Return the names that the library does not have, or only as an old name that warns."""
    return [name for name in listed if not _is_found(name, "error")]


def find_changed(listed: dict[str, str]) -> list[str]:
    """Return for each name that is called in another way both ways, in one text."""
    return [
        f"{line}\n  is now {describe(name)}"
        for name, line in listed.items()
        if _is_found(name, "error") and describe(name) != line
    ]


def find_new(listed: Iterable[str]) -> list[str]:
    """Return the lines of names that have to be listed, and are not."""
    return [line for name, line in kept_names().items() if name not in listed]


def _is_found(name: str, action: str) -> bool:
    """Return whether the library has a name; `action` says what an old name does."""
    with warnings.catch_warnings():
        warnings.simplefilter(action, DeprecationWarning)
        try:
            return action == "ignore" or not isinstance(find(name), OldName)
        except (AttributeError, DeprecationWarning):
            return False


def write_list(drop: Iterable[str] = ()) -> str:
    """Write the list anew, and return what is new; ValueError for a name that may not go."""
    listed = read_list()
    gone = find_gone(listed)
    lost = [name for name in gone if name not in drop and not is_old_name(name)]
    if lost:
        raise ValueError(
            f"The library no longer has {', '.join(lost)}. Keep the old name working for one "
            "version by dplab.deprecated. If no version had the name, pass it to --drop."
        )
    changed, new = find_changed(listed), find_new(listed)
    lines = kept_names() | {name: describe(name) for name in listed if name not in gone}
    text = "\n".join(lines[name] for name in sorted(lines))
    LIST.write_text(f"{text}\n", encoding="utf-8")
    counts = f"{len(new)} new, {len(changed)} changed, {len(gone)} gone"
    return f"{LIST.name} has {len(lines)} names: {counts}"


def is_old_name(name: str) -> bool:
    """Return whether a name still works, and warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            find(name)
        except AttributeError:
            return False
    return not _is_found(name, "error")


def write_kept_names(folder: Path) -> None:
    """Write the page of the site that shows the list."""
    parts = [INTRODUCTION]
    for part, names in groupby(sorted(read_list().values(), key=_part), key=_part):
        parts.append(f"## {part}\n\n```text\n" + "\n".join(names) + "\n```")
    (folder / f"{PAGE}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _part(line: str) -> str:
    """Return the module of a line, of at most two words: `dplab` or `dplab.accounting`."""
    words = line.partition("(")[0].split(".")
    return ".".join(words[:2]) if words[1].islower() and len(words) > 2 else words[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drop", nargs="+", default=[], metavar="NAME", help="a name that may go")
    try:
        print(write_list(parser.parse_args().drop))
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
