"""Explorers are given back: a process that tries all of them would hold gigabytes."""

import ipywidgets
import pytest


@pytest.fixture(autouse=True)
def closed():
    """All widgets that a test has made are closed when it is over; else ipywidgets keeps them."""
    yield
    ipywidgets.Widget.close_all()
