"""Files of data inside ordinary packages, found without importing these packages.

Without those packages, the files can be in the folder `tables` beside this module, as they are in
the wheel for browsers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from dplab import optional

TABLES = Path(__file__).with_name("tables")
FILES = {  # the package of each file, and its path in the package
    "engel.csv": ("statsmodels", "datasets/engel/engel.csv"),
    "fair.csv": ("statsmodels", "datasets/fair/fair.csv"),
    "randhie.csv": ("statsmodels", "datasets/randhie/randhie.csv"),
    "breast_cancer.csv": ("sklearn", "datasets/data/breast_cancer.csv"),
    "digits.csv.gz": ("sklearn", "datasets/data/digits.csv.gz"),
}


def shipped(name: str) -> Path:
    """Return where the file is. Raises `optional.Absent` if there is none."""
    if (TABLES / name).is_file():
        return TABLES / name
    package, path = FILES[name]
    spec = importlib.util.find_spec(package)
    for folder in spec.submodule_search_locations or () if spec else ():
        if (Path(folder) / path).is_file():
            return Path(folder) / path
    reason = "no longer has them" if spec else optional.reason()
    raise optional.Absent(f"The data of {name} come in the package {package}, which {reason}")
