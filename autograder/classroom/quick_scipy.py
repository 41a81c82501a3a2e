"""scipy.special without what its import takes from numpy and never uses: half of the time.

scipy takes every public name of numpy, and so loads the Fortran generator `numpy.f2py`. Here that
comes when something of it is asked for.
"""

from __future__ import annotations

import importlib.util
import sys

import numpy


def _load_late(name: str, package: object) -> None:
    """Give the package its submodule, to be loaded when something of it is first asked for."""
    full_name = f"{package.__name__}.{name}"
    if full_name in sys.modules:
        return
    specification = importlib.util.find_spec(full_name)
    specification.loader = importlib.util.LazyLoader(specification.loader)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    sys.modules[full_name] = module
    setattr(package, name, module)


_load_late("f2py", numpy)

import scipy.special  # noqa: E402, F401
