"""What `dplab.widgets` offers, and what it loads for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from dplab import widgets
from dplab.widgets.explorer import Explorer

FOLDER = Path(widgets.__file__).parent


def test_every_explorer_is_offered_under_the_name_of_its_module():
    offered = {getattr(widgets, name) for name in widgets.EXPLORERS}
    assert [kind.__name__ for kind in offered if not issubclass(kind, Explorer)] == []
    modules = {Path(sys.modules[kind.__module__].__file__).name for kind in offered}
    assert len(modules) == len(offered) == len(widgets.EXPLORERS)
    written = {path.name for path in FOLDER.glob("*.py") if "(Explorer):" in path.read_text()}
    assert modules == written


def test_an_explorer_loads_what_it_shows_and_no_other():
    heavy = ("sqlglot", "pandas", "scipy.stats", "dplab.attacks", "dplab.widgets.arms_race")
    asked = "from dplab.widgets import ErrorCurves, LaplacePair; LaplacePair(), ErrorCurves()"
    code = f"{asked}; import sys; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_names_are_there_and_listed():
    assert {*widgets.__all__} <= {*dir(widgets)}
    assert all(getattr(widgets, name) is not None for name in widgets.__all__)


@pytest.mark.parametrize("name", ["Nonsense", "laplacePair", "__path_of__"])
def test_what_is_not_there_is_missed_by_name(name):
    with pytest.raises(AttributeError, match=f"'dplab.widgets' has no attribute '{name}'"):
        getattr(widgets, name)
