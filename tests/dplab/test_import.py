"""What `import dplab` loads, and which module may import which."""

import subprocess
import sys
from pathlib import Path

import pytest

import dplab
from tests.layers import imported, part_of, upward

ROOT = Path(dplab.__file__).parent
LAYERS = [  # a part imports from layers before its own, and within itself
    {"arguments", "bisection", "optional", "quadrature", "sampling"},
    {"data", "distributions", "losses"},
    {"continuous"},
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
FILES = [path for path in sorted(ROOT.rglob("*.py")) if part_of(path, ROOT) != "__init__"]


def test_import_loads_neither_plots_nor_widgets_nor_statistics():
    heavy = ("matplotlib", "ipywidgets", "scipy.stats", "statsmodels", "pandas", "autograder")
    code = f"import sys, dplab; print([m for m in {heavy!r} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_every_dataclass_is_frozen():
    """So a mechanism is what it was when its guarantee was read."""
    lines = [line for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]
    made = [line for line in lines if line.lstrip().startswith("@dataclass")]
    assert made
    assert [line for line in made if "frozen=True" not in line] == []


def test_every_part_has_a_layer():
    assert {part_of(path, ROOT) for path in FILES} == set().union(*LAYERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_layers_point_downward(path):
    assert upward(path, ROOT, LAYERS) == set()
    assert not [name for name in imported(path) if name.split(".")[0] == "autograder"]
