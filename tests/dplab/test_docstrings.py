"""Who checks an argument says so: in the docstring, the class's, or that of what is overridden."""

import inspect
import pkgutil
import re
from importlib import import_module

import dplab

CHECKS = re.compile(
    r"\barguments\.\w+\(|\braise (ValueError|Refused)\("
    r"|\b(records|checks)\.(reals|number|categories|scores|floats|clip|refuse_entries)\("
)
SAID = re.compile(r"[Rr]aises? |\bValueError|[Ee]rrors as")
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(dplab.__path__, "dplab.")
    if not name.startswith("dplab.widgets") and name != "dplab.arguments"
]


def functions(module):
    """Each public function and method of a module, by name, and all that documents it."""
    for name, found in vars(module).items():
        if name.startswith("_") or getattr(found, "__module__", None) != module.__name__:
            continue
        if not inspect.isclass(found):
            yield name, inspect.unwrap(found), [found]
            continue
        for method, function in vars(found).items():
            if method in ("__init__", "__post_init__") or not method.startswith("_"):
                bases = [base for base in found.__mro__ if base.__module__.startswith("dplab.")]
                documents = [*bases, *(vars(base).get(method) for base in bases)]
                yield f"{name}.{method}", plain(function), documents


def plain(function):
    """What a property or a class method is made of."""
    for made_of in ("fget", "func", "__func__"):
        function = getattr(function, made_of, function)
    return inspect.unwrap(function)


def test_who_checks_an_argument_says_that_it_raises():
    silent = [
        f"{name}: {of}"
        for name in MODULES
        for of, function, documents in functions(import_module(name))
        if inspect.isfunction(function)
        and function.__code__.co_filename.endswith(".py")  # others are written by `dataclass`
        and CHECKS.search(inspect.getsource(function))
        and not any(SAID.search(one.__doc__ or "") for one in documents if one is not None)
    ]
    assert len(MODULES) > 100
    assert not silent, "\n".join(silent)
