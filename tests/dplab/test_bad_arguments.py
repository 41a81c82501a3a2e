"""Every public function refuses every bad argument by its name.

All public functions and classes of dplab are searched for. Each gets one valid call, and then in
turn a bad value for each of its arguments. It must raise a ValueError or TypeError that names that
argument, or the table `valid_calls` says that the value is allowed.

`python -m tests.dplab.test_bad_arguments PART` lists all calls that do otherwise.
"""

import inspect
import os
import pkgutil
import re
import resource
import signal
import sys
import warnings
from contextlib import contextmanager
from dataclasses import is_dataclass
from datetime import date
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import dplab
from dplab import records
from dplab.attacks.linear_program import StoppedEarly
from dplab.interaction import Refused
from tests.dplab.test_secret_data import MECHANISMS
from tests.dplab.valid_calls import CALLS, NAMES

SECONDS = 5.0  # allowed for each call
MAX_BYTES = 2 << 30  # that a call may allocate
PLUMBING = {"arguments", "records", "deprecated", "optional", "bisection", "estimates"}
INTERNAL = {  # helpers of other modules, which check what they hand on
    "attacks.box_least_squares.iterates",
    "attacks.diffix.batch.Batch",
    "attacks.sparse_vector.log_between",
    "continuous.length",
    "discrete.CutLoss",
    "discrete.add_steps",
    "discrete.log_gaussian_tail",
    "discrete.on_grid",
    "discrete.steps_of",
    "distributions.freeze",
    "guarantees.list_implied",
    "interaction.draw_privately",
    "mechanisms.histogram.touched_bins",
    "mechanisms.laplace_quadrature.log_cdf",
    "mechanisms.noisy_max.laplace_log_law",
    "mechanisms.selection.log_softmax",
    "mechanisms.selection.permute_and_flip_log_law",
    "mechanisms.snapping.clamp",
    "mechanisms.snapping.snap",
    "mechanisms.snapping.snap_answer",
    "neighbors.require_relation",
    "synthesis.columns.Marginals",
}
OTHER_PARTS = ("interop", "plots")  # they follow the contracts of other packages
BAD = {
    "None": None,
    "'1'": "1",
    "b'1'": b"1",
    "True": True,
    "nan": np.nan,
    "inf": np.inf,
    "-inf": -np.inf,
    "-1": -1,
    "0": 0,
    "7": 7,
    "1/3": 1 / 3,
    "10**400": 10**400,
    "1e-320": 1e-320,
    "2**62": 2**62,
    "1j": 1j,
    "a date": date(2020, 2, 20),
    "dates": np.array(["2020-02-20"], dtype="datetime64[D]"),
    "a duration": np.timedelta64(3, "D"),
    "masked": np.ma.masked_array([0.25, 0.5], [False, True]),
    "[]": [],
    "[nan]": [np.nan],
    "[True]": [True],
    "['1']": ["1"],
    "[[1], [1, 2]]": [[1], [1, 2]],
    "{}": {},
    "zeros(2, 1, 4)": np.zeros((2, 1, 4)),
    "a class": dplab.RandomizedResponse,
    "an object": object(),
    "a promise": dplab.RenyiDP(2, 0.5),
}


def is_result(cls):
    """Return whether a class only holds what a function returns: it checks nothing itself."""
    return is_dataclass(cls) and not hasattr(cls, "__post_init__") and cls.__name__ in RETURNED


def functions_of(value):
    """Return a function itself, or the functions of a class."""
    if inspect.isfunction(value):
        return [value]
    found = vars(value).values() if inspect.isclass(value) else ()
    return [getattr(one, "fget", getattr(one, "__func__", one)) for one in found]


def own(module):
    """Yield the public functions and classes that a module defines."""
    for name, value in vars(module).items():
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__:
            yield name, value


def find_modules():
    for found in pkgutil.walk_packages(dplab.__path__, "dplab."):
        if not found.name.startswith("dplab.widgets"):
            yield import_module(found.name)


MODULES = list(find_modules())
RETURNED = {
    word
    for module in MODULES
    for _, value in own(module)
    for function in functions_of(value)
    for word in re.findall(r"\w+", str(getattr(function, "__annotations__", {}).get("return")))
}
EXPORTED = {  # what a package with `__all__` has beside it is for its own modules
    module.__name__: set(module.__all__) for module in MODULES if hasattr(module, "__all__")
}


def is_public(module, name):
    packages = [package for package in EXPORTED if module.__name__.startswith(package + ".")]
    return all(name in EXPORTED[package] for package in packages)


def find_callables():
    """Return all public functions and classes by name, as "mechanisms.laplace.LaplaceMechanism"."""
    found = {}
    for module in MODULES:
        path = module.__name__.removeprefix("dplab.")
        for name, value in own(module):
            if path in PLUMBING or path.startswith(OTHER_PARTS) or not is_public(module, name):
                continue
            is_class = inspect.isclass(value)
            if is_class and (
                inspect.isabstract(value)
                or getattr(value, "_is_protocol", False)
                or issubclass(value, Exception)
                or is_result(value)
            ):
                continue
            if f"{path}.{name}" in INTERNAL:
                continue
            if is_class or inspect.isfunction(value):
                found[f"{path}.{name}"] = value
    return found


CALLABLES = find_callables()


def domains(name):
    """Return the domain of each argument."""
    parameters = inspect.signature(CALLABLES[name]).parameters.values()
    known = {**NAMES, **CALLS.get(name, {})}
    return {one.name: known[one.name] for one in parameters if one.kind != one.VAR_KEYWORD}


def call(name, values):
    """Call a function by its signature, to the end of what it yields."""
    positional, by_name = [], {}
    for parameter in inspect.signature(CALLABLES[name]).parameters.values():
        if parameter.kind == parameter.KEYWORD_ONLY:
            by_name[parameter.name] = values[parameter.name]
        elif parameter.kind != parameter.VAR_KEYWORD:
            positional.append(values[parameter.name])
    result = CALLABLES[name](*positional, **by_name)
    return list(result) if inspect.isgenerator(result) else result


@contextmanager
def limits():
    """Stop a call that takes too long or too much memory by an error."""

    def stop(signum, frame):
        raise TimeoutError(f"no answer within {SECONDS} s")

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    handler = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (used + MAX_BYTES, hard))
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        signal.signal(signal.SIGALRM, handler)


def accepts(domain, value):
    try:
        return bool(domain.accepts(value))
    except Exception:
        return False


def complaint(name, argument, value, domain, values):
    """Return what is wrong with a call with a bad value, or ""."""
    is_allowed = accepts(domain, value)
    if is_allowed and callable(value):
        return ""  # what it does is not dplab's
    try:
        with limits():
            call(name, {**values, argument: value})
    except (Refused, StoppedEarly) as error:  # a full answer to an allowed value
        return "" if is_allowed else f"{type(error).__name__}: {error}"
    except (ValueError, TypeError) as error:
        # A value that is allowed may not fit to another argument, and be refused by that name.
        names = [*values, "data"] if is_allowed else [argument]
        is_named = re.search(rf"(?<!\w)({'|'.join(names)})(?!\w)", str(error))
        is_own = not re.match(r"[\w.]+\(\) (got|missing)", str(error))
        return "" if is_named and is_own else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if is_allowed else "accepted"


def drive(name):
    """Yield (argument, label of the bad value, complaint) for each call that isn't right."""
    found = domains(name)
    values = {argument: domain.example for argument, domain in found.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        call(name, values)
        for argument, domain in found.items():
            for label, value in BAD.items():
                wrong = complaint(name, argument, value, domain, values)
                if wrong:
                    yield argument, label, wrong


OPEN = {  # functions that still accept or misname a bad value; the set may only shrink
    "accounting.dominating_pairs.worst_trade_off",  # 2^62 releases take minutes
}
PARTS = sorted({name.split(".")[0] for name in CALLABLES})


@pytest.mark.parametrize("part", PARTS)
def test_each_bad_argument_is_refused_by_its_name(part):
    complaints = [
        f"{name} {argument}={label}: {wrong}"
        for name in CALLABLES
        if name.split(".")[0] == part and name not in OPEN
        for argument, label, wrong in drive(name)
    ]
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_names_a_bad_generator(name):
    mechanism, data = MECHANISMS[name]
    for value in BAD.values():
        with pytest.raises(ValueError, match=r"^rng must be a numpy Generator"):
            mechanism(data, value)


def test_what_is_masked_is_never_published():
    """The masked entry 50 is a record or an answer; in a conversation it counts as 0 or None."""
    masked = np.ma.masked_array([1.0, 50.0], [False, True])
    mechanisms = [
        dplab.ClippedMean(0, 100, 2, 1e9),
        dplab.LaplaceMechanism(lambda data: data, 1, 1e9),
        dplab.GeometricMechanism(lambda data: data, 1, 1000),
        dplab.PrivateQuantile(0, 100, 1e3, q=1),
        dplab.NameAndShame(1 - 1e-9),
        dplab.RandomRows(2, 2),
        dplab.histogram((1.0, 50.0), epsilon=1000),
        dplab.StabilityHistogram(1000, 0.5),
    ]
    for mechanism in mechanisms:
        with pytest.raises(ValueError, match=r"(data|query\(data\)) must "):
            mechanism(masked, np.random.default_rng())
    with records.conversation():
        outputs = [mechanism(masked, np.random.default_rng(1)) for mechanism in mechanisms]
    assert not any("50" in repr(output) for output in outputs[1:6]), outputs
    assert outputs[0] == pytest.approx(0.5, abs=1e-3)
    assert outputs[6].tolist() == [1, 0]
    assert 50.0 not in outputs[7]


def test_open_functions_are_open_and_the_table_names_functions():
    assert len(CALLABLES) > 270
    assert set(CALLS) <= set(CALLABLES)
    assert [name for name in OPEN if not list(drive(name))] == []


def test_an_argument_without_a_check_is_found(monkeypatch):
    def mean(values, clip):
        return sum(values) / clip

    monkeypatch.setitem(CALLABLES, "mean", mean)
    monkeypatch.setitem(CALLS, "mean", {})
    found = {(argument, label): wrong for argument, label, wrong in drive("mean")}
    assert found["clip", "-1"] == found["values", "[True]"] == "accepted"
    assert found["clip", "0"].startswith("ZeroDivisionError")
    assert found["values", "None"].startswith("TypeError: 'NoneType' object is not iterable")


def report(name):
    """Print the complaints about one function, in a process of its own that a loop can't hold."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, 10 * SECONDS)
    try:
        found = list(drive(name))
        for argument, label, wrong in found:
            print(f"{name} {argument}={label}: {wrong:.150}")
    except Exception as error:
        print(f"{name}{inspect.signature(CALLABLES[name])}: NO VALID CALL {error!r:.200}")
    sys.stdout.flush()
    os._exit(0)


def main(part):
    for name in CALLABLES:
        if name.startswith(part):
            sys.stdout.flush()
            if report(name):
                print(f"{name}: KILLED")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
