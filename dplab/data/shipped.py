"""Files of data that come inside ordinary packages, found without importing what they come in.

Where those packages are not, the files can lie in the folder `tables` beside this module, as they
do in the wheel for browsers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from dplab import optional

TABLES = Path(__file__).with_name("tables")
FILES = {  # of all data sets here, the package and the path in it
    "engel.csv": ("statsmodels", "datasets/engel/engel.csv"),
    "fair.csv": ("statsmodels", "datasets/fair/fair.csv"),
    "randhie.csv": ("statsmodels", "datasets/randhie/randhie.csv"),
    "breast_cancer.csv": ("sklearn", "datasets/data/breast_cancer.csv"),
    "diabetes_data_raw.csv.gz": ("sklearn", "datasets/data/diabetes_data_raw.csv.gz"),
    "diabetes_target.csv.gz": ("sklearn", "datasets/data/diabetes_target.csv.gz"),
}


def shipped(name: str) -> Path:
    """Return where the file is. Raises `optional.Absent` if there is none."""
    if (TABLES / name).is_file():
        return TABLES / name
    package, path = FILES[name]
    found = importlib.util.find_spec(package)
    for folder in found.submodule_search_locations or () if found else ():
        if (Path(folder) / path).is_file():
            return Path(folder) / path
    reason = "no longer has them" if found else optional.reason()
    raise optional.Absent(f"The data of {name} come in the package {package}, which {reason}")
