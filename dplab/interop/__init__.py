"""Other libraries: their mechanisms, accounts and estimators, and ours in theirs.

Each module needs the package that it is named after, from an extra of dplab with that name:
`opendp`, `dp_accounting` (extra `dp-accounting`) and `sklearn` (extra `scikit-learn`). It is loaded
when it is first used, for example by `dplab.interop.sklearn.PrivateLogisticRegression`.
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

_MODULES = ("dp_accounting", "opendp", "sklearn")


def __getattr__(name: str) -> _ModuleType:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
