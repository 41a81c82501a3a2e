"""What `import dplab` loads: a lesson's first cell should not have to wait."""

import subprocess
import sys


def test_import_loads_neither_plots_nor_widgets_nor_statistics():
    heavy = ("matplotlib", "ipywidgets", "scipy.stats", "statsmodels", "pandas", "autograder")
    code = f"import sys, dplab; print([m for m in {heavy!r} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_the_layers_point_downward():
    """dplab never imports autograder, and the ground floor imports nothing above itself."""
    from pathlib import Path

    import dplab

    root = Path(dplab.__file__).parent
    assert not [
        p
        for p in root.rglob("*.py")
        if "import autograder" in p.read_text() or "from autograder" in p.read_text()
    ]
    floors = [
        "arguments",
        "distributions",
        "losses",
        "divergences",
        "guarantees",
        "neighbors",
        "mechanism",
    ]
    above = {
        "arguments": floors[1:],
        "distributions": floors[2:],
        "losses": floors[3:],
        "divergences": floors[4:],
        "guarantees": ["mechanism"],
        "neighbors": ["mechanism"],
        "mechanism": [],
    }
    for floor in floors:
        text = (root / f"{floor}.py").read_text()
        assert not [m for m in above[floor] if f"from dplab.{m} " in text]
        assert "from dplab.mechanisms" not in text
        assert "from dplab.audit" not in text
