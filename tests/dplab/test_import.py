"""What `import dplab` loads, and which module may import which."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dplab

ROOT = Path(dplab.__file__).parent
LAYERS = [  # a module or package imports from layers before its own, and within itself
    {"arguments", "bisection", "optional", "quadrature", "sampling"},
    {"data", "distributions", "losses"},
    {"divergences", "estimates", "guarantees", "moments", "neighbors"},
    {"budget", "graphs", "discrete", "mechanism", "piecewise_constant"},
    {"interaction"},
    {"accounting", "audit", "mechanisms"},
    {"queries"},
    {"synthesis"},
    {"attacks", "learning"},
    {"release_service", "theorems"},
    {"widgets"},
]
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer}


def test_import_loads_neither_plots_nor_widgets_nor_statistics():
    heavy = ("matplotlib", "ipywidgets", "scipy.stats", "statsmodels", "pandas", "autograder")
    code = f"import sys, dplab; print([m for m in {heavy!r} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def part_of(path: Path) -> str:
    """The module or package at the top of dplab that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The full names of the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


FILES = [path for path in sorted(ROOT.rglob("*.py")) if part_of(path) != "__init__"]


def test_every_part_has_a_layer():
    assert {part_of(path) for path in FILES} == set(LAYER)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_layers_point_downward(path):
    names = imported(path)
    assert not [name for name in names if name.split(".")[0] == "autograder"]
    ours = {name.split(".")[1] for name in names if name.startswith("dplab.")} - {part_of(path)}
    assert not [name for name in ours if LAYER[name] >= LAYER[part_of(path)]]
