"""Explorers are given back: a process that tries all of them would hold gigabytes."""

import pytest
from ipywidgets.widgets.widget import _instances


@pytest.fixture(autouse=True)
def forgotten():
    """ipywidgets keeps what a test has made. It is not closed: the manager of its comms may have
    been replaced, by whichever test first loads a kernel.
    """
    yield
    _instances.clear()
