"""What `import dplab` loads, and which module may import which."""

import subprocess
import sys
from pathlib import Path

import dplab
from tests.layers import imported, part_of, upward_imports

ROOT = Path(dplab.__file__).parent
LAYERS = [  # a part imports from layers before its own, and within itself
    {"arguments", "bisection", "deprecated", "optional", "quadrature"},
    {"plots", "records", "sampling"},
    {"contributions"},
    {"data", "distributions", "losses"},
    {"continuous"},
    {"divergences", "estimates", "guarantees", "moments", "neighbors"},
    {"graphs", "discrete", "mechanism", "piecewise_constant"},
    {"budget", "local_sensitivity"},
    {"interaction"},
    {"accounting", "audit", "mechanisms"},
    {"queries"},
    {"local", "synthesis"},
    {"attacks", "learning"},
    {"inference"},
    {"audit_range", "deployments", "interop", "release_service", "theorems"},
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


def test_subpackages_are_there_after_import_dplab_and_are_loaded_when_used():
    code = (
        "import sys, dplab; late = ('accounting', 'audit', 'learning', 'release_service')\n"
        "assert not [name for name in late if f'dplab.{name}' in sys.modules]\n"
        "assert set(late) <= set(dir(dplab)) and not hasattr(dplab, 'no_such_name')\n"
        "print([callable(f) for f in (dplab.accounting.epsilon_bounds, dplab.audit.exact_epsilon,"
        " dplab.learning.RegularizedRisk, dplab.release_service.ReleaseService)])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[True, True, True, True]"


def test_other_libraries_are_reached_after_import_dplab():
    code = (
        "import dplab; parts = dplab.interop; print(callable(parts.dp_accounting.to_event),"
        " {'opendp', 'sklearn'} <= set(dir(parts)), hasattr(parts, 'no_such_name'))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "True True False"


def test_every_dataclass_is_frozen():
    """So a mechanism is what it was when its guarantee was read."""
    lines = [line for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]
    made = [line for line in lines if line.lstrip().startswith("@dataclass")]
    assert made
    assert [line for line in made if "frozen=True" not in line] == []


def test_every_part_has_a_layer():
    assert {part_of(path, ROOT) for path in FILES} == set().union(*LAYERS)


def test_no_file_imports_upward():
    upward = upward_imports(FILES, ROOT, LAYERS)
    assert not upward, "\n".join(upward)


def test_no_file_imports_the_autograder():
    names = {path: {name.split(".")[0] for name in imported(path)} for path in FILES}
    importers = [str(path) for path in FILES if "autograder" in names[path]]
    assert not importers, "\n".join(importers)
