"""Which part of the autograder may import which: no import points upward, and none goes round."""

import ast
from pathlib import Path

import pytest

import autograder

ROOT = Path(autograder.__file__).parent
LAYERS = [  # a part imports from layers before its own, and within itself
    {"wire"},
    {"checks", "student"},
    {"sandbox"},
    {"examiner"},
    {"classroom"},
    {"pages", "redaction"},
    {"exports", "rehearsal", "desk"},
    {"console", "preprocessor"},
    {"listing"},
    {"session"},
    {"demo"},
    {"commands"},
    {"cli"},
]
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer}
# Read by others; they import nothing of it, but what a catalogue of answers is made of.
SHIPPED = {"nbgrader_config", "starter", "sample_class", "__init__"}


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The parts of the autograder that a file imports, also within its functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("autograder.")}


FILES = [path for path in sorted(ROOT.rglob("*.py")) if part_of(path) not in SHIPPED]


def test_every_part_has_a_layer():
    assert {part_of(path) for path in FILES} == set(LAYER)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_layers_point_downward(path):
    others = imported(path) - {part_of(path)}
    assert not [name for name in others if LAYER[name] >= LAYER[part_of(path)]]


@pytest.mark.parametrize("part", ["checks", "student"])
def test_who_lives_beside_student_code_imports_the_wire_alone(part):
    files = [path for path in FILES if part_of(path) == part]
    assert set().union(*map(imported, files)) <= {part, "wire"}
