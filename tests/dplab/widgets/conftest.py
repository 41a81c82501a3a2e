"""Explorers are given back: a process that tries all of them would hold gigabytes."""

import comm
import pytest
from ipywidgets.widgets.widget import _instances


@pytest.fixture(autouse=True)
def forgotten():
    """ipywidgets keeps what a test has made, and so does the manager of its comms. These are not
    closed: the manager may have been replaced, by whichever test first loads a kernel.
    """
    yield
    for widget in _instances.values():
        widget.comm = None
    _instances.clear()
    comm.get_comm_manager().comms.clear()
