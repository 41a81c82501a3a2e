"""An old name still works, warns, and is nowhere in the project itself."""

import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dplab import AboveThreshold, GaussianMechanism, PureDP, accounting, learning, losses
from dplab.deprecated import OldName, old_arguments, old_names


@old_arguments(what="mechanism")
@dataclass(frozen=True)
class Order:
    mechanism: str
    count: int = 1
    what = OldName("mechanism")
    make = OldName("of")

    @classmethod
    def of(cls, mechanism):
        return cls(mechanism)


@old_arguments(old="new")
def double(new):
    return 2 * new


def warned(call):
    """The value of a call, and what its only warning says and which file it points at."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        value = call()
    (warning,) = given
    assert warning.category is DeprecationWarning
    return value, str(warning.message), Path(warning.filename).name


@pytest.mark.parametrize(
    ("call", "value", "says"),
    [
        (lambda: Order("a").what, "a", "Order.what is now called mechanism"),
        (lambda: Order.make("a"), Order("a"), "Order.make is now called of"),
        (lambda: Order("b").make("a"), Order("a"), "Order.make is now called of"),
        (lambda: Order(what="a", count=2), Order("a", 2), "argument what of Order is now called"),
        (lambda: double(old=2), 4, "The argument old of double is now called new"),
    ],
)
def test_an_old_name_gives_what_the_new_one_does_and_warns_where_it_was_used(call, value, says):
    found, message, file = warned(call)
    assert (found, file) == (value, "test_deprecated.py")
    assert says in message


def test_the_new_names_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (Order.of("a").mechanism, Order("a", count=3).count, double(new=1)) == ("a", 3, 2)


def test_an_argument_by_both_names_is_refused():
    with (
        pytest.warns(DeprecationWarning, match="old of double"),
        pytest.raises(TypeError, match="got new and its old"),
    ):
        double(old=1, new=1)


def test_a_module_finds_a_thing_that_has_moved_and_no_other():
    find = old_names("dplab.losses", Sum="total_loss", bounds="dplab.accounting.delta_bounds")
    assert warned(lambda: find("Sum"))[0] is losses.total_loss
    assert warned(lambda: find("bounds"))[0] is accounting.delta_bounds
    with pytest.raises(AttributeError, match=r"'dplab.losses' has no attribute 'nonsense'"):
        find("nonsense")


def test_released_notebooks_find_the_library_by_its_old_names():
    release, *_ = warned(lambda: accounting.Repeated(PureDP(0.5), 3))
    assert release == accounting.Release(PureDP(0.5), 3)
    assert warned(lambda: release.what)[0] == PureDP(0.5)
    assert warned(lambda: learning.Loss)[0] is learning.Objective
    stream = warned(lambda: AboveThreshold(threshold=0, sensitivity=1, epsilon=1, count=2))[0]
    assert stream.max_positives == warned(lambda: stream.count)[0] == 2
    promise = {"sensitivity": 1, "epsilon": 1, "delta": 1e-5}
    normal = warned(lambda: GaussianMechanism.analytic(np.sum, **promise))[0]
    assert normal == GaussianMechanism.for_epsilon(np.sum, **promise)
    assert warned(lambda: PureDP(1.0).into(PureDP))[0] == PureDP(1.0)


def test_no_module_of_the_library_uses_an_old_name():
    code = """
import importlib, pkgutil, warnings, dplab
warnings.simplefilter("error", DeprecationWarning)
for module in pkgutil.walk_packages(dplab.__path__, "dplab."):
    importlib.import_module(module.name)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
