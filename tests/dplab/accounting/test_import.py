"""What `import dplab.accounting` loads, and from where."""

import subprocess
import sys
from pathlib import Path

import dplab.accounting


def test_import_needs_no_scipy():
    code = "import sys, dplab.accounting; print([m for m in sys.modules if m.startswith('scipy')])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_accounting_stands_below_mechanisms_and_audits():
    for module in Path(dplab.accounting.__file__).parent.glob("*.py"):
        text = module.read_text()
        assert not [m for m in ("mechanisms", "audit", "widgets") if f"from dplab.{m}" in text]
