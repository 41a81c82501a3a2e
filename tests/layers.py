"""Which part of a package imports which. A part is a module or package at its top; in a list of
layers each imports from those before its own, and within itself.
"""

import ast
from collections.abc import Sequence
from pathlib import Path


def part_of(path: Path, root: Path) -> str:
    """The part of the package in the folder `root` that a file of it belongs to."""
    return path.relative_to(root).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The full names of what a file imports, also within its functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def parts_imported(path: Path, root: Path, package: str = "") -> set[str]:
    """The parts of its own package that a file imports. `package` is its dotted name."""
    prefix = f"{package or root.name}."
    names = [name.removeprefix(prefix) for name in imported(path) if name.startswith(prefix)]
    return {name.split(".")[0] for name in names}


def upward_imports(
    files: Sequence[Path], root: Path, layers: Sequence[set[str]], package: str = ""
) -> list[str]:
    """Return each import of another part that is in no layer before that of the file."""
    found = []
    for path in files:
        own = part_of(path, root)
        below = set().union(*layers[: next(n for n, layer in enumerate(layers) if own in layer)])
        above = sorted(parts_imported(path, root, package) - {own} - below)
        found += [f"{path.relative_to(root)} imports {part}" for part in above]
    return found
